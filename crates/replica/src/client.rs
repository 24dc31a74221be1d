//! A connection to the source, as a client of MySQL's protocol: handshake, passwords (caching_sha2_password,
//! mysql_native_password), queries with small answers, and the commands of a replica.
//!
//! A password goes over the network only through TLS, or encrypted with the source's RSA key, which is asked for only
//! if that was allowed (GET_SOURCE_PUBLIC_KEY) or read from a file. Nothing that a source sends may cause a panic.
//! Source: "Client/Server Protocol" of MySQL's source documentation. Tested: `tests/binlog/test_replica.py`.

use crate::dial;
use crate::packed::{self, Algorithm};
use crate::packets::{Failed, Fields, malformed, reply, told};
use crate::settings::Settings;
use crate::tls::{self, Stream};
use binlog::GtidSet;
use catalog::client::Capabilities;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// `CR_SERVER_LOST`
pub const LOST: u32 = 2013;
/// `CR_CONNECTION_ERROR`
const CANNOT_CONNECT_LOCAL: u32 = 2002;
/// `CR_AUTH_PLUGIN_ERR`
const AUTH_FAILED: u32 = 2061;
/// `CR_SSL_CONNECTION_ERROR`
const SSL: u32 = 2026;
/// Packets of so many bytes go on in the next one.
const WHOLE: usize = 0xff_ffff;
/// A packet may be so long: a row event with a value of 1 GiB.
const LONGEST: usize = 2 << 30;
/// What stands around an event's contents.
const HEADS: usize = 512;
/// `ER_NET_PACKET_TOO_LARGE`
const TOO_LARGE: u32 = 1153;

/// Bytes of a reported host, user and password that a source takes.
const REPORTED: [usize; 3] = [60, 60, 32];

fn lost(e: &dyn std::fmt::Display) -> Failed {
    Failed::new(LOST, format!("Lost connection to MySQL server during query ({e})"))
}

/// Byte before an event of a semi-synchronous dump, and before the answer to it.
const SEMI_SYNC: u8 = 0xef;

/// See the module.
pub struct Client {
    stream: Stream,
    seq: u8,
    /// To end it from another thread; none of a connection through a file.
    pub socket: Option<TcpStream>,
    /// Nobody can listen: a password may be sent as it is.
    private: bool,
    /// A packet that is longer is an error.
    longest: usize,
}

impl Client {
    /// Connects and logs in. `timeout`: for each packet.
    pub fn connect(s: &Settings, timeout: Duration) -> Result<Client, Failed> {
        let socket = dial::dial(s, timeout.min(Duration::from_secs(10)))?;
        let set = socket.set_nodelay(true).and_then(|()| socket.set_read_timeout(Some(timeout)));
        let other = set.and_then(|()| socket.try_clone()).map_err(|e| dial::cannot(s, &e))?;
        let mut c =
            Client { stream: Stream::Plain(socket), seq: 0, socket: Some(other), private: s.ssl, longest: LONGEST };
        c.log_in(s)?;
        Ok(c)
    }

    /// Connects through a server's socket file and logs in; TLS is not used there.
    pub fn connect_local(path: &Path, s: &Settings, timeout: Duration) -> Result<Client, Failed> {
        let cannot = |e: std::io::Error| {
            let text = format!("Can't connect to local MySQL server through socket '{}' ({e})", path.display());
            Failed::new(CANNOT_CONNECT_LOCAL, text)
        };
        let socket = UnixStream::connect(path).map_err(cannot)?;
        socket.set_read_timeout(Some(timeout)).map_err(cannot)?;
        let mut c = Client { stream: Stream::Local(socket), seq: 0, socket: None, private: true, longest: LONGEST };
        c.log_in(&Settings { ssl: false, ..s.clone() })?;
        Ok(c)
    }

    /// `replica_max_allowed_packet`: packets are no longer than an event of so many bytes. Its largest value is none.
    pub fn limit(&mut self, bytes: u64) {
        self.longest = if bytes < 1 << 30 { bytes as usize + HEADS } else { LONGEST };
    }

    /// The next packet's payload.
    pub fn packet(&mut self) -> Result<Vec<u8>, Failed> {
        let mut out = Vec::new();
        loop {
            let mut head = [0u8; 4];
            self.stream.read_exact(&mut head).map_err(|e| lost(&e))?;
            let [a, b, c, seq] = head;
            let n = u32::from_le_bytes([a, b, c, 0]) as usize;
            self.seq = seq.wrapping_add(1);
            let at = out.len();
            if at + n > self.longest {
                return Err(Failed::new(TOO_LARGE, "Got a packet bigger than 'max_allowed_packet' bytes"));
            }
            out.resize(at + n, 0);
            self.stream.read_exact(out.get_mut(at..).unwrap_or_default()).map_err(|e| lost(&e))?;
            if n < WHOLE {
                return Ok(out);
            }
        }
    }

    fn send(&mut self, payload: &[u8]) -> Result<(), Failed> {
        let mut out = Vec::with_capacity(payload.len() + 4);
        let mut rest = payload;
        loop {
            let (piece, next) = rest.split_at(rest.len().min(WHOLE));
            let [a, b, c, _] = (piece.len() as u32).to_le_bytes();
            out.extend_from_slice(&[a, b, c, self.seq]);
            out.extend_from_slice(piece);
            self.seq = self.seq.wrapping_add(1);
            rest = next;
            if piece.len() < WHOLE {
                break;
            }
        }
        self.stream.write_all(&out).and_then(|()| self.stream.flush()).map_err(|e| lost(&e))
    }

    fn begin_command(&mut self) {
        self.seq = 0;
        if let Stream::Packed(p) = &mut self.stream {
            p.begins();
        }
    }

    fn command(&mut self, code: u8, body: &[u8]) -> Result<(), Failed> {
        self.begin_command();
        self.send(&[&[code], body].concat())
    }

    fn log_in(&mut self, s: &Settings) -> Result<(), Failed> {
        let greeting = self.packet()?;
        if greeting.first() == Some(&0xff) {
            return Err(told(&greeting));
        }
        let mut f = Fields(&greeting);
        if f.uint(1)? != 10 {
            return Err(Failed::new(2007, "Protocol mismatch; a server of another kind"));
        }
        f.until_nul()?;
        f.take(4)?;
        let mut scramble = f.take(8)?.to_vec();
        f.take(1)?;
        let low = f.uint(2)?;
        f.take(3)?;
        let offered = (low | f.uint(2)? << 16) as u32;
        let length = f.uint(1)? as usize;
        f.take(10)?;
        scramble.extend_from_slice(f.take(length.saturating_sub(8).max(13))?);
        scramble.truncate(20);
        let plugin = f.until_nul()?.to_vec();
        let mut caps = Capabilities::LONG_PASSWORD
            | Capabilities::LONG_FLAG
            | Capabilities::PROTOCOL_41
            | Capabilities::TRANSACTIONS
            | Capabilities::SECURE_CONNECTION
            | Capabilities::PLUGIN_AUTH
            | Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA;
        if s.ssl {
            if offered & Capabilities::SSL == 0 {
                return Err(Failed::new(
                    SSL,
                    "SSL connection error: SSL is required but the server doesn't support it",
                ));
            }
            caps |= Capabilities::SSL;
        }
        let how = packed::chosen(s, offered)?;
        caps |= how.map_or(0, Algorithm::capability);
        let mut out = caps.to_le_bytes().to_vec();
        out.extend_from_slice(&(1u32 << 30).to_le_bytes());
        out.push(45);
        out.extend_from_slice(&[0; 23]);
        if s.ssl {
            self.send(&out)?;
            let plain = std::mem::replace(&mut self.stream, Stream::Closed);
            self.stream = tls::wrap(plain, s).map_err(|e| Failed::new(SSL, format!("SSL connection error: {e}")))?;
        }
        let password = s.password.as_bytes();
        let answer = reply(&plugin, password, &scramble).unwrap_or_default();
        out.extend_from_slice(s.user.as_bytes());
        out.push(0);
        out.push(answer.len() as u8);
        out.extend_from_slice(&answer);
        out.extend_from_slice(&plugin);
        out.push(0);
        if let Some(Algorithm::Zstd(level)) = how {
            out.push(level);
        }
        self.send(&out)?;
        self.authenticate(s, plugin, scramble)?;
        self.stream = Stream::packed(std::mem::replace(&mut self.stream, Stream::Closed), how);
        Ok(())
    }

    /// Goes on until the source says yes or no.
    fn authenticate(&mut self, s: &Settings, mut plugin: Vec<u8>, mut scramble: Vec<u8>) -> Result<(), Failed> {
        let password = s.password.as_bytes();
        loop {
            let p = self.packet()?;
            match p.as_slice() {
                [0, ..] => return Ok(()),
                [0xff, ..] => return Err(told(&p)),
                [0xfe, rest @ ..] => {
                    let mut f = Fields(rest);
                    plugin = f.until_nul()?.to_vec();
                    scramble = f.0.get(..20).unwrap_or(f.0).to_vec();
                    let answer = reply(&plugin, password, &scramble).ok_or_else(|| {
                        let name = String::from_utf8_lossy(&plugin).into_owned();
                        let text = format!("Authentication plugin '{name}' cannot be loaded: it is not built in");
                        Failed::new(2059, text)
                    })?;
                    self.send(&answer)?;
                }
                [1, 3] => {}
                [1, 4] if plugin == b"caching_sha2_password" => self.full_password(s, &scramble)?,
                _ => return Err(malformed()),
            }
        }
    }

    /// The source has not seen the password yet: it wants it whole.
    fn full_password(&mut self, s: &Settings, scramble: &[u8]) -> Result<(), Failed> {
        let mut clear = s.password.as_bytes().to_vec();
        clear.push(0);
        if self.private {
            return self.send(&clear);
        }
        let failed = |what: &str| {
            let text = format!("Authentication plugin 'caching_sha2_password' reported error: {what}");
            Failed::new(AUTH_FAILED, text)
        };
        let pem = match (s.public_key_path.as_str(), s.get_public_key) {
            ("", false) => return Err(failed("Authentication requires secure connection.")),
            ("", true) => {
                self.send(&[2])?;
                let p = self.packet()?;
                match p.as_slice() {
                    [1, pem @ ..] => pem.to_vec(),
                    [0xff, ..] => return Err(told(&p)),
                    _ => return Err(malformed()),
                }
            }
            (path, _) => std::fs::read(path).map_err(|e| failed(&format!("'{path}': {e}")))?,
        };
        let hidden: Vec<u8> = clear.iter().zip(scramble.iter().cycle()).map(|(a, b)| a ^ b).collect();
        let sealed = tls::encrypt(&pem, &hidden).ok_or_else(|| failed("the source's public key is not usable"))?;
        self.send(&sealed)
    }

    /// Runs a statement; rows as text.
    pub fn query(&mut self, sql: &str) -> Result<Vec<Vec<Option<String>>>, Failed> {
        self.command(3, sql.as_bytes())?;
        let first = self.packet()?;
        let columns = match first.as_slice() {
            [0, ..] => return Ok(Vec::new()),
            [0xff, ..] => return Err(told(&first)),
            [n, ..] => usize::from(*n),
            [] => return Err(malformed()),
        };
        // definitions and the packet behind them
        for _ in 0..=columns {
            self.packet()?;
        }
        let mut rows = Vec::new();
        loop {
            let p = self.packet()?;
            match p.as_slice() {
                [0xff, ..] => return Err(told(&p)),
                [0xfe, ..] if p.len() < 9 => return Ok(rows),
                _ => {
                    let mut f = Fields(&p);
                    let mut row = Vec::new();
                    for _ in 0..columns {
                        row.push(f.text()?.map(|t| String::from_utf8_lossy(t).into_owned()));
                    }
                    rows.push(row);
                }
            }
        }
    }

    /// The single value that a query answers, or none.
    pub fn value(&mut self, sql: &str) -> Result<Option<String>, Failed> {
        Ok(self.query(sql)?.into_iter().next().and_then(|r| r.into_iter().next()).flatten())
    }

    /// COM_REGISTER_SLAVE: host, user and password as they are reported.
    pub fn register(&mut self, server_id: u32, reported: [&str; 3], port: u16) -> Result<(), Failed> {
        let mut body = server_id.to_le_bytes().to_vec();
        for (text, most) in reported.into_iter().zip(REPORTED) {
            let text = text.as_bytes().get(..text.len().min(most)).unwrap_or_default();
            body.push(text.len() as u8);
            body.extend_from_slice(text);
        }
        body.extend_from_slice(&port.to_le_bytes());
        body.extend_from_slice(&[0; 8]);
        self.command(0x15, &body)?;
        let p = self.packet()?;
        if p.first() == Some(&0) { Ok(()) } else { Err(told(&p)) }
    }

    /// COM_BINLOG_DUMP: from there on.
    pub fn dump(&mut self, server_id: u32, file: &str, position: u64) -> Result<(), Failed> {
        let mut body = (position as u32).to_le_bytes().to_vec();
        body.extend_from_slice(&[0, 0]);
        body.extend_from_slice(&server_id.to_le_bytes());
        body.extend_from_slice(file.as_bytes());
        self.command(0x12, &body)
    }

    /// COM_BINLOG_DUMP_GTID: everything but these.
    pub fn dump_gtids(&mut self, server_id: u32, has: &GtidSet) -> Result<(), Failed> {
        let mut set = Vec::new();
        has.encode(&mut set);
        // BINLOG_THROUGH_GTID
        let mut body = 4u16.to_le_bytes().to_vec();
        body.extend_from_slice(&server_id.to_le_bytes());
        body.extend_from_slice(&0u32.to_le_bytes());
        body.extend_from_slice(&4u64.to_le_bytes());
        body.extend_from_slice(&(set.len() as u32).to_le_bytes());
        body.extend_from_slice(&set);
        self.command(0x1e, &body)
    }

    /// COM_CLONE: a backup, as the body asks (`session::statements::clone`). Its blocks are read by [`Client::block`].
    pub fn clone_data(&mut self, body: &[u8]) -> Result<(), Failed> {
        self.command(0x20, body)
    }

    /// The next block of a backup; `None`: all have come.
    pub fn block(&mut self) -> Result<Option<Vec<u8>>, Failed> {
        let mut p = self.packet()?;
        match p.first() {
            Some(0) => {
                p.remove(0);
                Ok(Some(p))
            }
            Some(0xff) => Err(told(&p)),
            Some(0xfe) => Ok(None),
            _ => Err(malformed()),
        }
    }

    /// The next event of a dump, and whether the source waits for [`Client::received`]. The source's error ends it, and
    /// so does its end. `semi`: the source was asked for semi-synchronous replication.
    pub fn event(&mut self, semi: bool) -> Result<(Vec<u8>, bool), Failed> {
        let mut p = self.packet()?;
        match (p.first(), p.get(1), p.get(2)) {
            (Some(0), Some(&SEMI_SYNC), Some(flag)) if semi => {
                let waits = flag & 1 != 0;
                p.drain(..3);
                Ok((p, waits))
            }
            (Some(0), ..) if !semi => {
                p.remove(0);
                Ok((p, false))
            }
            (Some(0xff), ..) => Err(told(&p)),
            (Some(0xfe), ..) => Err(lost(&"the source has ended the dump")),
            _ => Err(malformed()),
        }
    }

    /// Tells a source that waits: its log is here up to there.
    pub fn received(&mut self, file: &str, offset: u64) -> Result<(), Failed> {
        let mut body = vec![SEMI_SYNC];
        body.extend_from_slice(&offset.to_le_bytes());
        body.extend_from_slice(file.as_bytes());
        self.begin_command();
        self.send(&body)
    }
}
