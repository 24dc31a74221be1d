//! Lists of addresses to listen on. Pure; tested in `tests.rs` beside this file.

/// The socket addresses of `bind_address`: `*`, addresses, `localhost`, comma separated.
pub fn listen_addresses(list: &str, port: u16) -> Result<Vec<std::net::SocketAddr>, String> {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    let mut out = Vec::new();
    for part in list.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let ip = match part {
            "*" | "::" => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
            "localhost" => IpAddr::V4(Ipv4Addr::LOCALHOST),
            p => {
                p.parse().map_err(|_| format!("bind-address: '{p}' is not an IP address (names are not looked up)"))?
            }
        };
        out.push(SocketAddr::new(ip, port));
    }
    Ok(out)
}
