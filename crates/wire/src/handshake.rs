//! The first packets: the server's greeting (protocol version 10), the client's response or request for TLS.

use crate::codec::{Reader, malformed};
use base::SqlResult;
use catalog::client::Capabilities;

/// What the server offers apart from TLS and compression, which depend on its settings.
pub const OFFERED: u32 = Capabilities::LONG_PASSWORD
    | Capabilities::FOUND_ROWS
    | Capabilities::LONG_FLAG
    | Capabilities::CONNECT_WITH_DB
    | Capabilities::NO_SCHEMA
    | Capabilities::ODBC
    | Capabilities::LOCAL_FILES
    | Capabilities::IGNORE_SPACE
    | Capabilities::PROTOCOL_41
    | Capabilities::INTERACTIVE
    | Capabilities::IGNORE_SIGPIPE
    | Capabilities::TRANSACTIONS
    | Capabilities::RESERVED
    | Capabilities::SECURE_CONNECTION
    | Capabilities::MULTI_STATEMENTS
    | Capabilities::MULTI_RESULTS
    | Capabilities::PS_MULTI_RESULTS
    | Capabilities::PLUGIN_AUTH
    | Capabilities::CONNECT_ATTRS
    | Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA
    | Capabilities::CAN_HANDLE_EXPIRED_PASSWORDS
    | Capabilities::SESSION_TRACK
    | Capabilities::DEPRECATE_EOF
    | Capabilities::OPTIONAL_RESULTSET_METADATA
    | Capabilities::QUERY_ATTRIBUTES
    | Capabilities::REMEMBER_OPTIONS;

/// Twenty random bytes without NUL and `$`, which clients treat as text.
pub fn scramble() -> std::io::Result<[u8; 20]> {
    let mut s = [0u8; 20];
    sys::process::random_bytes(&mut s)?;
    for b in &mut s {
        *b &= 0x7f;
        if *b == 0 || *b == b'$' {
            *b += 1;
        }
    }
    Ok(s)
}

/// Appends the greeting.
pub fn greeting(
    out: &mut Vec<u8>,
    version: &str,
    id: u64,
    scramble: &[u8; 20],
    offered: Capabilities,
    collation: u16,
    plugin: &str,
) {
    let [c0, c1, c2, c3] = offered.0.to_le_bytes();
    let (first, second) = scramble.split_at(8);
    out.push(10);
    out.extend_from_slice(version.as_bytes());
    out.push(0);
    out.extend_from_slice(&(id as u32).to_le_bytes());
    out.extend_from_slice(first);
    out.push(0);
    out.extend_from_slice(&[c0, c1]);
    out.push(collation.min(255) as u8);
    out.extend_from_slice(&2u16.to_le_bytes()); // SERVER_STATUS_AUTOCOMMIT
    out.extend_from_slice(&[c2, c3]);
    out.push(21);
    out.extend_from_slice(&[0; 10]);
    out.extend_from_slice(second);
    out.push(0);
    out.extend_from_slice(plugin.as_bytes());
    out.push(0);
}

/// The client's answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Response {
    /// What both sides can do.
    pub capabilities: Capabilities,
    /// Collation id.
    pub collation: u16,
    /// User name.
    pub user: String,
    /// Answer of the client's plugin to the scramble.
    pub auth: Vec<u8>,
    /// Default database.
    pub database: Option<String>,
    /// The plugin the client has used for `auth`.
    pub plugin: Option<String>,
    /// Connection attributes.
    pub attributes: Vec<(String, String)>,
    /// Level of zstd the client wants.
    pub zstd_level: u8,
}

/// Either step of the client's answer.
#[derive(Debug)]
pub enum FirstPacket {
    /// The client wants TLS first.
    StartTls,
    /// The whole answer.
    Response(Box<Response>),
}

fn text(b: &[u8]) -> String {
    String::from_utf8_lossy(b).into_owned()
}

/// Reads the client's answer to a greeting that offered `offered`.
pub fn parse(payload: &[u8], offered: Capabilities) -> SqlResult<FirstPacket> {
    let mut r = Reader::new(payload);
    let capabilities = Capabilities(r.u32()? & offered.0);
    if !capabilities.has(Capabilities::PROTOCOL_41) {
        return Err(malformed());
    }
    r.u32()?; // the client's own packet limit
    let collation = u16::from(r.u8()?);
    r.bytes(23)?;
    if capabilities.has(Capabilities::SSL) && r.is_empty() {
        return Ok(FirstPacket::StartTls);
    }
    let mut out = Response { capabilities, collation, zstd_level: 3, ..Response::default() };
    out.user = text(r.nul_str()?);
    out.auth = if capabilities.has(Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA) {
        r.lenenc_str()?.to_vec()
    } else if capabilities.has(Capabilities::SECURE_CONNECTION) {
        let n = r.u8()?;
        r.bytes(usize::from(n))?.to_vec()
    } else {
        r.nul_str()?.to_vec()
    };
    if capabilities.has(Capabilities::CONNECT_WITH_DB) {
        out.database = Some(text(r.nul_str_or_rest())).filter(|d| !d.is_empty());
    }
    if capabilities.has(Capabilities::PLUGIN_AUTH) {
        out.plugin = Some(text(r.nul_str_or_rest()));
    }
    if capabilities.has(Capabilities::CONNECT_ATTRS) && !r.is_empty() {
        out.attributes = attributes(r.lenenc_str()?, out.collation)?;
    }
    if capabilities.has(Capabilities::ZSTD_COMPRESSION_ALGORITHM) && !r.is_empty() {
        out.zstd_level = r.u8()?;
    }
    Ok(FirstPacket::Response(Box::new(out)))
}

/// Names and values in the character set of the handshake's collation.
fn attributes(bytes: &[u8], collation: u16) -> SqlResult<Vec<(String, String)>> {
    let c = value::CollationId(collation);
    let set = if c.is_known() && collation != 0 { c.charset() } else { value::Charset::Utf8mb4 };
    let text = |mut b: &[u8]| {
        if set.is_utf8() || set == value::Charset::Binary {
            return text(b);
        }
        let mut out = String::new();
        while let Some((c, n)) = set.decode(b) {
            out.push(char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
            b = b.get(n.max(1)..).unwrap_or(&[]);
        }
        out
    };
    let mut r = Reader::new(bytes);
    let mut out = Vec::new();
    while !r.is_empty() {
        out.push((text(r.lenenc_str()?), text(r.lenenc_str()?)));
    }
    Ok(out)
}

/// Reads COM_CHANGE_USER (without its command byte). Capabilities are those of the connection.
pub fn parse_change_user(payload: &[u8], capabilities: Capabilities) -> SqlResult<Response> {
    let mut r = Reader::new(payload);
    let mut out = Response { capabilities, ..Response::default() };
    out.user = text(r.nul_str()?);
    let n = r.u8()?;
    out.auth = r.bytes(usize::from(n))?.to_vec();
    out.database = Some(text(r.nul_str()?)).filter(|d| !d.is_empty());
    if !r.is_empty() {
        out.collation = r.u16()?;
    }
    if capabilities.has(Capabilities::PLUGIN_AUTH) && !r.is_empty() {
        out.plugin = Some(text(r.nul_str_or_rest()));
    }
    if capabilities.has(Capabilities::CONNECT_ATTRS) && !r.is_empty() {
        out.attributes = attributes(r.lenenc_str()?, out.collation)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::client::row::put_lenenc_str;
    use proptest::prelude::*;

    fn sample() -> Vec<u8> {
        let caps = OFFERED & !Capabilities::NO_SCHEMA;
        let mut p = caps.to_le_bytes().to_vec();
        p.extend_from_slice(&[0, 0, 0, 1, 45]);
        p.extend_from_slice(&[0; 23]);
        p.extend_from_slice(b"root\0");
        put_lenenc_str(&mut p, &[7; 20]);
        p.extend_from_slice(b"test\0mysql_native_password\0");
        let mut a = Vec::new();
        put_lenenc_str(&mut a, b"_pid");
        put_lenenc_str(&mut a, b"17");
        put_lenenc_str(&mut p, &a);
        p
    }

    #[test]
    fn response() {
        let FirstPacket::Response(r) = parse(&sample(), Capabilities(OFFERED)).unwrap() else { panic!() };
        assert_eq!((r.user.as_str(), r.auth.len(), r.database.as_deref()), ("root", 20, Some("test")));
        assert_eq!(r.plugin.as_deref(), Some("mysql_native_password"));
        assert_eq!(r.attributes, vec![("_pid".to_owned(), "17".to_owned())]);
        assert_eq!(r.collation, 45);
    }

    proptest! {
        #[test]
        fn garbage_is_an_error_or_a_response(bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in 0usize..200) {
            let _ = parse(&bytes, Capabilities(u32::MAX));
            let _ = parse_change_user(&bytes, Capabilities(u32::MAX));
            let s = sample();
            let _ = parse(&s[..cut.min(s.len())], Capabilities(u32::MAX));
        }
    }
}
