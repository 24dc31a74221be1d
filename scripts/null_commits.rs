//! A null server for workloads that write: what the wire, the kernel, the client and the disk cost when the database
//! costs nothing. It answers every SELECT with no rows and everything else with OK, and each commit (a change outside
//! of a transaction, or COMMIT) first waits for a write and an `fdatasync` of one file opened with O_DIRECT. Commits
//! that come while one is under way share the next, which writes 512 bytes for each of them, in blocks of 4 KiB.
//!
//!     rustc -O -o null_commits scripts/null_commits.rs; null_commits SOCKET FILE
//!
//! Text protocol only (sysbench --db-ps-mode=disable). scripts/bench.sh builds and starts it. The file is 64 MiB,
//! written once before the start, so that no write extends it, as a redo log's does not.
use std::fs::{File, OpenOptions};
use std::io::{Read, Result, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Condvar, Mutex};

const O_DIRECT: i32 = 0x4000;
const FILE_BYTES: u64 = 64 << 20;
const COMMIT_BYTES: u64 = 512;
const BLOCK: u64 = 4096;

#[repr(align(4096))]
struct Aligned([u8; 1 << 20]);

#[derive(Default)]
struct Batch {
    asked: u64,
    durable: u64,
    at: u64,
    busy: bool,
}

struct Log {
    file: File,
    bytes: Box<Aligned>,
    batch: Mutex<Batch>,
    done: Condvar,
}

impl Log {
    fn open(path: &str) -> Result<Log> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).custom_flags(O_DIRECT).open(path)?;
        let log = Log { file, bytes: Box::new(Aligned([7; 1 << 20])), batch: Mutex::default(), done: Condvar::new() };
        for at in 0..FILE_BYTES >> 20 {
            log.file.write_all_at(&log.bytes.0, at << 20)?;
        }
        log.file.sync_all()?;
        Ok(log)
    }

    fn commit(&self) -> Result<()> {
        let mut b = self.batch.lock().unwrap();
        b.asked += 1;
        let mine = b.asked;
        while b.durable < mine {
            if b.busy {
                b = self.done.wait(b).unwrap();
                continue;
            }
            let (upto, at) = (b.asked, b.at);
            let bytes = ((upto - b.durable) * COMMIT_BYTES).next_multiple_of(BLOCK).min(1 << 20);
            b.busy = true;
            drop(b);
            self.file.write_all_at(&self.bytes.0[..bytes as usize], at)?;
            self.file.sync_data()?;
            b = self.batch.lock().unwrap();
            (b.durable, b.busy) = (upto, false);
            b.at = if at + (2 << 20) > FILE_BYTES { 0 } else { at + bytes };
            self.done.notify_all();
        }
        Ok(())
    }
}

fn packet(seq: u8, payload: &[u8]) -> Vec<u8> {
    let mut v = (payload.len() as u32).to_le_bytes()[..3].to_vec();
    v.push(seq);
    v.extend_from_slice(payload);
    v
}

fn greeting() -> Vec<u8> {
    // LONG_PASSWORD, FOUND_ROWS, LONG_FLAG, CONNECT_WITH_DB, PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH
    let caps: u32 = 0x1 | 0x2 | 0x4 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x8_0000;
    let mut p = b"\x0a8.4.0-null\0\x01\0\0\012345678\0".to_vec();
    p.extend_from_slice(&(caps as u16).to_le_bytes());
    p.extend_from_slice(&[45, 2, 0]);
    p.extend_from_slice(&((caps >> 16) as u16).to_le_bytes());
    p.push(21);
    p.extend_from_slice(&[0; 10]);
    p.extend_from_slice(b"123456789012\0mysql_native_password\0");
    packet(0, &p)
}

/// One column and no rows.
fn empty_result() -> Vec<u8> {
    let mut column = b"\x03def\0\0\0\x01c\0\x0c".to_vec();
    column.extend_from_slice(&[45, 0, 120, 0, 0, 0, 254, 0, 0, 0, 0, 0]);
    let end = [0xfe, 0, 0, 2, 0];
    [packet(1, &[1]), packet(2, &column), packet(3, &end), packet(4, &end)].concat()
}

fn starts(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word.as_bytes()))
}

fn serve(mut s: UnixStream, log: &Log) -> Result<()> {
    let (rows, ok, mut b) = (empty_result(), packet(1, &[0, 1, 0, 2, 0, 0, 0]), vec![0; 1 << 16]);
    s.write_all(&greeting())?;
    let _ = s.read(&mut b)?;
    s.write_all(&packet(2, &[0, 0, 0, 2, 0, 0, 0]))?;
    let mut inside = false;
    loop {
        let n = s.read(&mut b)?;
        // closed, or COM_QUIT
        if n < 5 || b[4] == 1 {
            return Ok(());
        }
        let text = &b[5..n];
        if b[4] == 3 && starts(text, "SELECT") {
            s.write_all(&rows)?;
            continue;
        }
        if starts(text, "BEGIN") {
            inside = true;
        } else if starts(text, "COMMIT") {
            inside = false;
            log.commit()?;
        } else if !inside && ["UPDATE", "INSERT", "DELETE"].iter().any(|w| starts(text, w)) {
            log.commit()?;
        }
        s.write_all(&ok)?;
    }
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(socket), Some(file)) = (args.next(), args.next()) else {
        eprintln!("null_commits SOCKET FILE");
        std::process::exit(2);
    };
    let log = Arc::new(Log::open(&file)?);
    let _ = std::fs::remove_file(&socket);
    for s in UnixListener::bind(&socket)?.incoming() {
        let (s, log) = (s?, log.clone());
        std::thread::Builder::new().stack_size(128 << 10).spawn(move || serve(s, &log))?;
    }
    Ok(())
}
