//! Packets over a transport: framing, sequence ids, buffers, timeouts, compression.
//!
//! A packet is `[length 3][sequence id 1][payload]`; a payload of 16 MiB - 1 or more continues in the next packet. Output collects in one buffer
//! and goes out with one `write` when the answer is complete or exceeds [`FLUSH_AT`].

mod buffers;
pub mod compress;

use crate::transport::Transport;
use base::{ErrorCode, SqlError};
use catalog::client::Capabilities;
use compress::Compressor;
use probe::events::Recorder;
use probe::held::Held;
use probe::instruments::Memory;
use sched::pool::Sending;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Largest payload of one packet.
pub const MAX_PAYLOAD: usize = 0xff_ffff;
/// Output beyond this is written before the answer is complete.
pub const FLUSH_AT: usize = 16 * 1024;
/// Longest packet that a client is asked for.
const MAX_REPLY: usize = 4096;
/// Buffers larger than this are given back when a command is done.
const KEEP: usize = 64 * 1024;

/// Why no packet could be read or written.
#[derive(Debug)]
pub enum NetError {
    /// The client closed the connection between packets.
    Closed,
    /// Nothing came in time.
    Timeout,
    /// Beyond the limit: 1153 (1043 during the handshake).
    TooLarge,
    /// Wrong sequence id: 1156.
    OutOfOrder,
    /// Bad compressed packet: 1157.
    Uncompress,
    /// The socket failed or was closed in the middle.
    Io(io::Error),
}

impl From<io::Error> for NetError {
    fn from(e: io::Error) -> NetError {
        match e.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => NetError::Timeout,
            _ => NetError::Io(e),
        }
    }
}

impl NetError {
    /// What to tell the client, if it can still hear it.
    pub fn to_sql(&self) -> Option<SqlError> {
        let code = match self {
            NetError::TooLarge => ErrorCode::NET_PACKET_TOO_LARGE,
            NetError::OutOfOrder => ErrorCode::NET_PACKETS_OUT_OF_ORDER,
            NetError::Uncompress => ErrorCode::NET_UNCOMPRESS_ERROR,
            NetError::Timeout => ErrorCode::NET_READ_INTERRUPTED,
            NetError::Closed | NetError::Io(_) => return None,
        };
        Some(SqlError::new(code, &[]))
    }
}

/// Received bytes: `buf[start..end]` are not consumed.
#[derive(Default)]
struct Input {
    buf: Vec<u8>,
    start: usize,
    end: usize,
}

impl Input {
    fn available(&self) -> &[u8] {
        self.buf.get(self.start..self.end).unwrap_or(&[])
    }
}

/// A received packet. Its bytes have been taken out of the channel, so that the channel can write (and read) while they are used;
/// [`Channel::recycle`] gives the memory back.
#[derive(Default)]
pub struct Packet {
    buf: Vec<u8>,
    range: Range<usize>,
}

impl Packet {
    /// The payload.
    pub fn payload(&self) -> &[u8] {
        self.buf.get(self.range.clone()).unwrap_or(&[])
    }
}

/// One client's connection as packets.
pub struct Channel {
    /// The transport below.
    pub transport: Transport,
    input: Input,
    /// Output buffer; packets are appended with [`Channel::begin`] and [`Channel::end`].
    pub(crate) out: Vec<u8>,
    /// Sequence id of the next packet in either direction.
    seq: u8,
    /// `seq` before what is in `out`.
    sent_seq: u8,
    compressor: Option<Box<Compressor>>,
    /// Bytes of one joined packet the client may send.
    pub max_packet: usize,
    /// Everything has to be done by then (login).
    deadline: Option<Instant>,
    /// Bytes received and sent since the last look (status Bytes_received, Bytes_sent).
    pub received: u64,
    /// See `received`.
    pub sent: u64,
    /// For performance_schema, once a client has logged in: buffers larger than those that are lent.
    held: Option<Box<Buffers>>,
}

/// What a connection holds of its own.
struct Buffers {
    input: Held,
    output: Held,
    compressed: Held,
}

impl Channel {
    /// Over a fresh socket.
    pub fn new(transport: Transport) -> Channel {
        Channel {
            transport,
            input: Input::default(),
            out: Vec::new(),
            seq: 0,
            sent_seq: 0,
            compressor: None,
            max_packet: 64 * 1024,
            deadline: None,
            received: 0,
            sent: 0,
            held: None,
        }
    }

    /// The session whose commands come here.
    pub fn belongs_to(&mut self, recorder: &Arc<Recorder>) {
        let held = |area| Held::by(area, recorder.clone());
        self.held = Some(Box::new(Buffers {
            input: held(Memory::NetBuffers),
            output: held(Memory::NetBuffers),
            compressed: held(Memory::Compressed),
        }));
    }

    /// Tells what larger buffers hold now; `input` bytes are those of a packet that is being read or has been.
    #[cold]
    fn tell(&mut self, input: Option<usize>) {
        let Some(held) = &mut self.held else { return };
        if let Some(n) = input {
            held.input.set(n);
        }
        held.output.set(self.out.capacity());
        held.compressed.set(self.compressor.as_ref().map_or(0, |c| c.taken()));
    }

    /// After the handshake: compress as agreed.
    pub fn start_compression(&mut self, capabilities: Capabilities, zstd_level: u8) {
        if capabilities.has(Capabilities::COMPRESS) {
            self.compressor = Some(Box::new(Compressor::zlib()));
        } else if capabilities.has(Capabilities::ZSTD_COMPRESSION_ALGORITHM) {
            self.compressor = Some(Box::new(Compressor::zstd(zstd_level)));
        }
    }

    /// Bytes that were received after the last packet: in TLS's case the client's hello.
    pub fn take_unread(&mut self) -> Vec<u8> {
        let bytes = self.input.available().to_vec();
        self.input.start = self.input.end;
        bytes
    }

    /// Whether something of the next command has been received already.
    pub fn has_input(&mut self) -> bool {
        let encoded = self.compressor.as_ref().is_some_and(|c| c.has_input());
        self.input.start < self.input.end || encoded || self.transport.has_input()
    }

    /// A new command: the next packet must have sequence id 0.
    pub fn reset_sequence(&mut self) {
        self.seq = 0;
        if let Some(c) = &mut self.compressor {
            c.reset_sequence();
        }
    }

    /// From now on everything has to be done by then; `None`: each read and write has its own time.
    pub fn until(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
        self.transport.until(deadline);
    }

    /// Longest time a write may block.
    pub fn set_write_timeout(&mut self, t: Duration) {
        self.transport.set_write_timeout(t);
    }

    /// Begins TLS: `hello` was received already. The handshake has the channel's deadline.
    pub fn start_tls(
        &mut self,
        config: Arc<rustls::ServerConfig>,
        hello: &[u8],
        timeout: Duration,
    ) -> Result<(), NetError> {
        self.transport.expect(timeout, timeout, self.deadline);
        Ok(self.transport.start_tls(config, hello)?)
    }

    /// Reads a packet, waiting `idle` for its first byte and `within` for each further piece. Joins packets of 16 MiB.
    pub fn read_packet(&mut self, idle: Duration, within: Duration) -> Result<Packet, NetError> {
        self.fill(4, idle, within)?;
        let (len, seq) = self.header()?;
        self.check_sequence(seq)?;
        if len > self.max_packet {
            return Err(NetError::TooLarge);
        }
        if len == MAX_PAYLOAD {
            return self.read_joined(within);
        }
        self.fill(4 + len, within, within)?;
        let at = self.input.start + 4;
        self.input.start = at + len;
        Ok(self.take_packet(at..at + len))
    }

    /// The client is asked for a packet ([`Channel::read_reply`]) by what was sent last: both sides count on from it.
    pub fn ask(&mut self) {
        (self.seq, self.sent_seq) = (1, 1);
    }

    /// Reads a short packet that was asked for, whatever has been sent since. What has come of one when the time is
    /// over is there the next time.
    pub fn read_reply(&mut self, wait: Duration) -> Result<Packet, NetError> {
        self.fill(4, wait, wait)?;
        let (len, _) = self.header()?;
        if len > MAX_REPLY {
            return Err(NetError::TooLarge);
        }
        self.fill(4 + len, wait, wait)?;
        let at = self.input.start + 4;
        self.input.start = at + len;
        Ok(self.take_packet(at..at + len))
    }

    fn header(&self) -> Result<(usize, u8), NetError> {
        match self.input.available() {
            [a, b, c, seq, ..] => Ok((u32::from_le_bytes([*a, *b, *c, 0]) as usize, *seq)),
            _ => Err(NetError::Closed),
        }
    }

    /// Inside compression the outer sequence is the one that counts: clients number inner packets in two ways.
    fn check_sequence(&mut self, seq: u8) -> Result<(), NetError> {
        if seq != self.seq && self.compressor.is_none() {
            return Err(NetError::OutOfOrder);
        }
        self.seq = seq.wrapping_add(1);
        self.sent_seq = self.seq;
        Ok(())
    }

    /// Forgets output that was not written, however incomplete it is (after a panic in a session).
    pub fn discard_output(&mut self) {
        self.out.clear();
        self.seq = self.sent_seq;
    }

    /// The buffer goes with the packet; what was received after it (pipelining) stays in a new one.
    fn take_packet(&mut self, range: Range<usize>) -> Packet {
        let rest = self.input.available().to_vec();
        let end = rest.len();
        let buf = std::mem::replace(&mut self.input.buf, rest);
        self.input.start = 0;
        self.input.end = end;
        Packet { buf, range }
    }

    fn read_joined(&mut self, within: Duration) -> Result<Packet, NetError> {
        let mut joined = Vec::new();
        let mut len = MAX_PAYLOAD;
        loop {
            self.fill(4 + len, within, within)?;
            let at = self.input.start + 4;
            joined.extend_from_slice(self.input.buf.get(at..at + len).unwrap_or(&[]));
            self.input.start = at + len;
            self.tell(Some(joined.capacity() + self.input.buf.len()));
            if len < MAX_PAYLOAD {
                break;
            }
            self.fill(4, within, within)?;
            let seq;
            (len, seq) = self.header()?;
            self.check_sequence(seq)?;
            if joined.len() + len > self.max_packet {
                return Err(NetError::TooLarge);
            }
        }
        if self.input.start == self.input.end {
            // grown for packets of 16 MiB: the next command begins with a small one
            self.input = Input::default();
        }
        self.tell(Some(joined.capacity() + self.input.buf.len()));
        let range = 0..joined.len();
        Ok(Packet { buf: joined, range })
    }

    /// Gives a packet's memory back for the next one.
    pub fn recycle(&mut self, packet: Packet) {
        let grown = buffers::give_input(packet.buf);
        let large = grown.is_some();
        if let Some(buf) = grown
            && self.input.buf.is_empty()
            && self.input.end == 0
            && buf.len() <= KEEP
        {
            self.input.buf = buf;
            self.input.start = 0;
        }
        self.shrink();
        if large || self.compressor.is_some() {
            self.tell(Some(self.input.buf.len()));
        }
    }

    /// Gives back what a large command or answer has made of the buffers: between commands a connection holds no more than [`KEEP`] of each, as MySQL's
    /// shrink to `net_buffer_length`.
    fn shrink(&mut self) {
        if self.out.is_empty() && self.out.capacity() > KEEP {
            self.out = Vec::new();
        }
        if self.input.buf.len() > KEEP && self.input.available().len() <= KEEP / 2 {
            let rest = self.input.available().to_vec();
            self.input = Input { start: 0, end: rest.len(), buf: rest };
        }
        if let Some(c) = &mut self.compressor {
            c.shrink(KEEP);
        }
    }

    /// Makes at least `n` unconsumed bytes available.
    fn fill(&mut self, n: usize, idle: Duration, within: Duration) -> Result<(), NetError> {
        let first = if self.input.start == self.input.end { idle } else { within };
        if self.input.end - self.input.start < n {
            self.transport.expect(first, within, self.deadline);
        }
        while self.input.end - self.input.start < n {
            self.make_room(n);
            let got = match &mut self.compressor {
                None => self.transport.read(self.input.buf.get_mut(self.input.end..).unwrap_or(&mut []))?,
                Some(c) => {
                    let piece = c.read(&mut self.transport, self.max_packet)?;
                    let end = self.input.end;
                    self.input.buf.truncate(end);
                    self.input.buf.extend_from_slice(piece);
                    piece.len()
                }
            };
            if got == 0 {
                let clean = self.input.start == self.input.end;
                return Err(if clean { NetError::Closed } else { NetError::Io(io::ErrorKind::UnexpectedEof.into()) });
            }
            self.input.end += got;
            self.received += got as u64;
        }
        Ok(())
    }

    /// Room for `n` bytes from `start`: moves what is there to the front, or grows by doubling as data arrives, so that a header that
    /// promises a large packet does not take memory by itself.
    fn make_room(&mut self, n: usize) {
        let i = &mut self.input;
        if i.start == i.end {
            i.start = 0;
            i.end = 0;
        }
        if i.buf.len() - i.start < n && i.start > 0 {
            i.buf.copy_within(i.start..i.end, 0);
            i.end -= i.start;
            i.start = 0;
        }
        if i.end == i.buf.len() {
            if i.buf.is_empty() {
                i.buf = buffers::input();
            } else {
                i.buf.resize((i.buf.len() * 2).max(buffers::START), 0);
                let now = i.buf.len();
                self.tell(Some(now));
            }
        }
    }

    /// Starts a packet; returns where its payload begins.
    #[inline]
    pub fn begin(&mut self) -> usize {
        if self.out.capacity() == 0 {
            self.out = buffers::output();
        }
        self.out.extend_from_slice(&[0; 4]);
        self.out.len()
    }

    /// Ends the packet whose payload began at `at`: fills in its header, splits it when it is larger than a packet may be.
    #[inline]
    pub fn end(&mut self, at: usize) {
        let len = self.out.len().saturating_sub(at);
        if len >= MAX_PAYLOAD {
            self.split(at, len);
            return;
        }
        self.put_header(at, len);
    }

    #[inline]
    fn put_header(&mut self, at: usize, len: usize) {
        let [a, b, c, _] = (len as u32).to_le_bytes();
        if let Some(h) = at.checked_sub(4).and_then(|h| self.out.get_mut(h..at)) {
            h.copy_from_slice(&[a, b, c, self.seq]);
        }
        self.seq = self.seq.wrapping_add(1);
    }

    fn split(&mut self, at: usize, len: usize) {
        let payload = self.out.split_off(at);
        self.put_header(at, MAX_PAYLOAD);
        let mut pieces = payload.chunks(MAX_PAYLOAD);
        self.out.extend_from_slice(pieces.next().unwrap_or(&[]));
        for piece in pieces {
            let at = self.begin();
            self.out.extend_from_slice(piece);
            self.put_header(at, piece.len());
        }
        if len.is_multiple_of(MAX_PAYLOAD) {
            let at = self.begin();
            self.put_header(at, 0);
        }
    }

    /// Copies packets that were encoded with sequence id 0, numbering them on.
    pub fn put_encoded(&mut self, packets: &[u8]) {
        let mut at = self.out.len();
        self.out.extend_from_slice(packets);
        while let Some([a, b, c, seq]) = self.out.get_mut(at..).and_then(|s| s.first_chunk_mut::<4>()) {
            *seq = self.seq;
            self.seq = self.seq.wrapping_add(1);
            at += 4 + u32::from_le_bytes([*a, *b, *c, 0]) as usize;
        }
    }

    /// One packet with this payload.
    pub fn put(&mut self, payload: &[u8]) {
        let at = self.begin();
        self.out.extend_from_slice(payload);
        self.end(at);
    }

    /// Whether enough is buffered to be written.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.out.len() >= FLUSH_AT
    }

    /// Whether what is buffered may be sent later by somebody who knows only the socket: little, as it is, and nothing else has been received.
    pub fn may_wait(&mut self) -> bool {
        let plain = self.compressor.is_none() && !self.transport.is_tls();
        plain && !self.out.is_empty() && self.out.len() <= FLUSH_AT && !self.has_input()
    }

    /// What is buffered.
    pub fn unsent(&self) -> &[u8] {
        &self.out
    }

    /// After an attempt to send [`Channel::unsent`] without waiting.
    pub fn sent_elsewhere(&mut self, outcome: io::Result<usize>) -> Sending {
        match outcome {
            Ok(n) => {
                self.sent += n as u64;
                self.transport.sent_elsewhere(n);
                if n >= self.out.len() {
                    self.give_output();
                    self.sent_seq = self.seq;
                    return Sending::Done;
                }
                self.out.drain(..n);
                Sending::Rest
            }
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Sending::Rest,
            Err(e) => {
                self.transport.broke(&e);
                Sending::Lost
            }
        }
    }

    /// Writes what is buffered.
    pub fn flush(&mut self) -> Result<(), NetError> {
        if self.out.is_empty() {
            return Ok(());
        }
        self.sent += self.out.len() as u64;
        if self.out.capacity() > buffers::START {
            self.tell(None);
        }
        let r = match &mut self.compressor {
            None => self.transport.write_all(&self.out),
            Some(c) => c.write(&self.out, &mut self.transport),
        };
        self.give_output();
        self.sent_seq = self.seq;
        r.map_err(NetError::from)
    }

    /// What was in the output buffer has left.
    fn give_output(&mut self) {
        let large = self.out.capacity() > buffers::START;
        let grown = buffers::give_output(std::mem::take(&mut self.out));
        self.out = grown.filter(|b| b.capacity() <= KEEP).unwrap_or_default();
        if large {
            self.tell(None);
        }
    }
}

impl Drop for Channel {
    /// Others may hold the socket too (KILL): the client must still see that the connection is over.
    fn drop(&mut self) {
        self.transport.socket().shutdown();
    }
}
