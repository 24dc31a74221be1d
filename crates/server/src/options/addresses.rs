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

/// Where a service over HTTP is wanted.
pub struct Place {
    /// Its port; without one it is not wanted.
    pub port: Option<u16>,
    /// Its addresses.
    pub bind: String,
}

impl Default for Place {
    fn default() -> Place {
        Place { port: None, bind: "127.0.0.1".into() }
    }
}

impl Place {
    /// Takes an option that ends with `-bind` or `-port`; the error says what is wanted.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        if name.ends_with("-port") {
            self.port = Some(value.trim().parse().map_err(|_| "a number from 0 to 65535 is wanted")?);
            return Ok(());
        }
        if !listen_addresses(value, 0).is_ok_and(|list| !list.is_empty()) {
            return Err("a list of IP addresses is wanted");
        }
        self.bind = value.to_owned();
        Ok(())
    }
}
