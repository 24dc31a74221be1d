//! The protocol from a client's side, byte by byte, over socket pairs: answers, cursors, pipelining, abuse.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../examples/fake_server.rs"]
mod fake;

use catalog::accounts::ClientAddr;
use catalog::client::{Capabilities, StatusFlags};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wire::{End, Socket, WireServer};

fn server() -> &'static Arc<WireServer> {
    static S: OnceLock<Arc<WireServer>> = OnceLock::new();
    S.get_or_init(|| {
        let dir = std::env::temp_dir().join(format!("evenkeel-wire-{}", std::process::id()));
        let s = fake::server(&dir);
        let _ = std::fs::remove_dir_all(&dir);
        s
    })
}

struct Client {
    s: UnixStream,
    seq: u8,
    thread: Option<JoinHandle<End>>,
    id: u64,
}

fn raw() -> Client {
    let (a, b) = UnixStream::pair().unwrap();
    a.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let thread = fake::spawn(server(), Socket::Unix(Arc::new(b)), ClientAddr::Local);
    Client { s: a, seq: 0, thread: Some(thread), id: 0 }
}

impl Client {
    fn read(&mut self) -> Vec<u8> {
        self.try_read().expect("a packet")
    }
    fn try_read(&mut self) -> Option<Vec<u8>> {
        let mut h = [0; 4];
        self.s.read_exact(&mut h).ok()?;
        assert_eq!(h[3], self.seq, "sequence id");
        self.seq = self.seq.wrapping_add(1);
        let mut p = vec![0; u32::from_le_bytes([h[0], h[1], h[2], 0]) as usize];
        self.s.read_exact(&mut p).ok()?;
        Some(p)
    }
    fn write(&mut self, payload: &[u8]) {
        let mut b = (payload.len() as u32).to_le_bytes();
        b[3] = self.seq;
        self.seq = self.seq.wrapping_add(1);
        let mut all = b.to_vec();
        all.extend_from_slice(payload);
        let _ = self.s.write_all(&all);
    }
    fn command(&mut self, code: u8, body: &[u8]) {
        self.seq = 0;
        let mut p = vec![code];
        p.extend_from_slice(body);
        self.write(&p);
    }
    fn end(mut self) -> End {
        drop(self.s);
        self.thread.take().unwrap().join().unwrap()
    }
}

fn login(extra: u32) -> Client {
    let mut c = raw();
    let greeting = c.read();
    assert_eq!(greeting[0], 10);
    let at = 1 + greeting[1..].iter().position(|b| *b == 0).unwrap() + 1;
    c.id = u64::from(u32::from_le_bytes(greeting[at..at + 4].try_into().unwrap()));
    assert!(greeting.windows(22).any(|w| w == b"caching_sha2_password\0"));
    let caps = Capabilities::PROTOCOL_41 | Capabilities::SECURE_CONNECTION | Capabilities::PLUGIN_AUTH | extra;
    let mut p = caps.to_le_bytes().to_vec();
    p.extend_from_slice(&[0, 0, 0, 1, 45]);
    p.extend_from_slice(&[0; 23]);
    p.extend_from_slice(b"root\0\0caching_sha2_password\0");
    c.write(&p);
    assert_eq!(c.read()[0], 0, "OK");
    c
}

fn error_code(p: &[u8]) -> u16 {
    assert_eq!(p[0], 0xff, "an ERR packet: {p:?}");
    u16::from_le_bytes([p[1], p[2]])
}

#[test]
fn commands_and_pipelining() {
    let mut c = login(0);
    c.command(14, b"");
    assert_eq!(c.read()[0], 0);
    for bad in [0x05, 0x21, 0xff] {
        c.command(bad, b"");
        assert_eq!(error_code(&c.read()), 1047);
    }
    c.seq = 0;
    c.write(b"");
    assert_eq!(error_code(&c.read()), 1047);
    c.command(9, b"");
    assert!(c.read().starts_with(b"Uptime"));
    // Two commands in one write.
    c.s.write_all(&[1, 0, 0, 0, 14, 1, 0, 0, 0, 14]).unwrap();
    c.seq = 1;
    assert_eq!(c.read()[0], 0);
    c.seq = 1;
    assert_eq!(c.read()[0], 0);
    c.command(23, &[9, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(error_code(&c.read()), 1243);
    c.command(23, &[9, 0]);
    assert_eq!(error_code(&c.read()), 1835);
    c.command(4, b"t\0%");
    assert_eq!(&c.read()[..4], b"\x03def");
    c.read();
    assert_eq!(c.read()[0], 0xfe);
    c.command(27, &[1, 0]);
    assert_eq!(c.read()[0], 0xfe);
    c.command(1, b"");
    assert_eq!(c.end(), End::Quit);
}

fn status_of_end(p: &[u8], deprecate: bool) -> StatusFlags {
    assert_eq!(p[0], 0xfe);
    // EOF: warnings, status. OK: affected, insert id, status.
    let at = 3;
    assert_eq!(p.len(), if deprecate { 7 } else { 5 });
    StatusFlags(u16::from_le_bytes([p[at], p[at + 1]]))
}

#[test]
fn cursors_with_and_without_eof() {
    for deprecate in [false, true] {
        let mut c = login(if deprecate { Capabilities::DEPRECATE_EOF } else { 0 });
        c.command(22, b"rows 5");
        let p = c.read();
        assert_eq!(&p[..9], &[0, 1, 0, 0, 0, 2, 0, 0, 0]);
        c.read();
        c.read();
        if !deprecate {
            assert_eq!(c.read()[0], 0xfe);
        }
        c.command(23, &[1, 0, 0, 0, 1, 1, 0, 0, 0]);
        assert_eq!(c.read(), [2]);
        c.read();
        c.read();
        let end = c.read();
        assert!(status_of_end(&end, deprecate).has(StatusFlags::CURSOR_EXISTS));
        for (ask, rows, last) in [(3u8, 3, false), (3, 2, true)] {
            c.command(28, &[1, 0, 0, 0, ask, 0, 0, 0]);
            for _ in 0..rows {
                let row = c.read();
                assert_eq!(&row[..2], &[0, 0]);
                assert!(row.ends_with(b"\x09some text"));
            }
            let end = c.read();
            assert_eq!(status_of_end(&end, deprecate).has(StatusFlags::LAST_ROW_SENT), last);
        }
        c.command(25, &[1, 0, 0, 0]);
        c.command(28, &[1, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(error_code(&c.read()), 1243);
    }
}

#[test]
fn abuse_before_authentication() {
    // A header that promises 16 MiB.
    let mut c = raw();
    c.read();
    c.s.write_all(&[0xff, 0xff, 0xff, 1]).unwrap();
    c.seq = 2;
    assert_eq!(c.try_read().map(|p| error_code(&p)), Some(1043));
    assert_eq!(c.end(), End::Refused);
    // Wrong sequence id.
    let mut c = raw();
    c.read();
    c.s.write_all(&[1, 0, 0, 9, 0]).unwrap();
    c.seq = 1;
    assert_eq!(error_code(&c.read()), 1043);
    // Too short to be a response.
    let mut c = raw();
    c.read();
    c.write(b"\0");
    assert_eq!(error_code(&c.read()), 1043);
    // Gone at once.
    assert_eq!(raw().end(), End::Refused);
}

#[test]
fn random_bytes_are_harmless() {
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    for round in 0..64 {
        let bytes: Vec<u8> = (0..131_072).flat_map(|_| next().to_le_bytes()).collect();
        let mut c = if round % 2 == 0 { raw() } else { login(Capabilities::QUERY_ATTRIBUTES) };
        // Answers have to be read, or the server would rightly block in writing them.
        let mut answers = c.s.try_clone().unwrap();
        let reader = std::thread::spawn(move || std::io::copy(&mut answers, &mut std::io::sink()));
        if round % 4 == 1 {
            // Valid headers around random payloads.
            for chunk in bytes.chunks(97) {
                if chunk[0] == 1 {
                    continue;
                }
                c.seq = 0;
                c.write(chunk);
            }
        } else {
            let _ = c.s.write_all(&bytes);
        }
        let _ = c.s.shutdown(std::net::Shutdown::Write);
        let _ = reader.join();
        let end = c.end();
        assert_ne!(end, End::Panicked);
    }
    assert_eq!(probe::global(probe::Counter::SessionPanics), 0);
    let mut c = login(0);
    c.command(14, b"");
    assert_eq!(c.read()[0], 0);
}

#[test]
fn kill_reaches_idle_and_busy_connections() {
    for busy in [false, true] {
        let mut c = login(0);
        if busy {
            c.command(3, b"sleep");
            std::thread::sleep(Duration::from_millis(100));
        }
        let started = Instant::now();
        server().connections.kill(c.id, catalog::connections::Kill::Connection).unwrap();
        let mut rest = Vec::new();
        let _ = c.s.read_to_end(&mut rest);
        assert_eq!(c.end(), End::Aborted);
        assert!(started.elapsed() < Duration::from_secs(120));
    }
}
