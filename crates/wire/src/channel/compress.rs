//! The compressed protocol: `[compressed length 3][sequence id 1][length before compression 3][data]` around the byte stream of ordinary
//! packets; a length before compression of 0 means that the data is not compressed.

use super::NetError;
use crate::transport::Transport;
use std::io::{self, Read, Write};

/// Shorter data is sent as it is.
const MIN_COMPRESS: usize = 50;
/// Largest piece.
const MAX_PIECE: usize = 0xff_ffff;

enum Algorithm {
    Zlib,
    Zstd(i32),
}

/// State of compression in both directions.
pub struct Compressor {
    algorithm: Algorithm,
    seq: u8,
    /// Received bytes not yet decoded.
    raw: Vec<u8>,
    raw_end: usize,
    /// The last decoded piece.
    plain: Vec<u8>,
    out: Vec<u8>,
}

impl Compressor {
    /// Gives buffers back that have grown beyond `keep` and hold nothing that is still to be read.
    pub(super) fn shrink(&mut self, keep: usize) {
        if self.raw_end == 0 && self.raw.capacity() > keep {
            self.raw = Vec::new();
        }
        for buf in [&mut self.plain, &mut self.out] {
            if buf.capacity() > keep {
                *buf = Vec::new();
            }
        }
    }

    /// Bytes of its buffers.
    pub(super) fn taken(&self) -> usize {
        [&self.raw, &self.plain, &self.out].iter().map(|b| b.capacity()).sum()
    }

    fn new(algorithm: Algorithm) -> Compressor {
        Compressor { algorithm, seq: 0, raw: Vec::new(), raw_end: 0, plain: Vec::new(), out: Vec::new() }
    }
    /// zlib.
    pub fn zlib() -> Compressor {
        Compressor::new(Algorithm::Zlib)
    }
    /// zstd with the client's level (1..=22).
    pub fn zstd(level: u8) -> Compressor {
        Compressor::new(Algorithm::Zstd(i32::from(level.clamp(1, 22))))
    }
    /// Whether received bytes wait to be decoded.
    pub fn has_input(&self) -> bool {
        self.raw_end > 0
    }
    /// A new command.
    pub fn reset_sequence(&mut self) {
        self.seq = 0;
    }

    /// Reads and decodes one piece; empty = closed by the client. `limit` bounds what a piece may grow to beside one packet.
    pub fn read(&mut self, from: &mut Transport, limit: usize) -> Result<&[u8], NetError> {
        if !self.receive(7, from)? {
            return Ok(&[]);
        }
        let (len, seq, plain_len) = match self.raw.get(..7) {
            Some([a, b, c, seq, x, y, z]) => {
                (u32::from_le_bytes([*a, *b, *c, 0]) as usize, *seq, u32::from_le_bytes([*x, *y, *z, 0]) as usize)
            }
            _ => return Err(NetError::Uncompress),
        };
        if seq != self.seq {
            return Err(NetError::OutOfOrder);
        }
        self.seq = seq.wrapping_add(1);
        if plain_len > limit.max(MAX_PIECE) || len == 0 {
            return Err(NetError::Uncompress);
        }
        if !self.receive(7 + len, from)? {
            return Err(NetError::Io(io::ErrorKind::UnexpectedEof.into()));
        }
        let data = self.raw.get(7..7 + len).unwrap_or(&[]);
        self.plain.clear();
        if plain_len == 0 {
            self.plain.extend_from_slice(data);
        } else {
            let limit = plain_len as u64 + 1;
            let done = match self.algorithm {
                Algorithm::Zlib => flate2::read::ZlibDecoder::new(data).take(limit).read_to_end(&mut self.plain),
                Algorithm::Zstd(_) => zstd::stream::read::Decoder::with_buffer(data)
                    .and_then(|d| d.take(limit).read_to_end(&mut self.plain)),
            };
            if done.is_err() || self.plain.len() != plain_len {
                return Err(NetError::Uncompress);
            }
        }
        self.raw.copy_within(7 + len..self.raw_end, 0);
        self.raw_end -= 7 + len;
        Ok(&self.plain)
    }

    /// Has at least `n` raw bytes; false = closed before the first of them.
    fn receive(&mut self, n: usize, from: &mut Transport) -> Result<bool, NetError> {
        while self.raw_end < n {
            if self.raw.len() == self.raw_end {
                self.raw.resize((self.raw.len() * 2).max(4096), 0);
            }
            let got = from.read(self.raw.get_mut(self.raw_end..).unwrap_or(&mut []))?;
            if got == 0 {
                return if self.raw_end == 0 {
                    Ok(false)
                } else {
                    Err(NetError::Io(io::ErrorKind::UnexpectedEof.into()))
                };
            }
            self.raw_end += got;
        }
        Ok(true)
    }

    /// Encodes and writes ordinary packets.
    pub fn write(&mut self, data: &[u8], to: &mut Transport) -> io::Result<()> {
        self.out.clear();
        for piece in data.chunks(MAX_PIECE) {
            let at = self.out.len();
            self.out.extend_from_slice(&[0; 7]);
            let mut plain_len = 0;
            if piece.len() >= MIN_COMPRESS {
                match self.algorithm {
                    Algorithm::Zlib => {
                        let mut e = flate2::write::ZlibEncoder::new(&mut self.out, flate2::Compression::default());
                        e.write_all(piece)?;
                        e.finish()?;
                    }
                    Algorithm::Zstd(level) => zstd::stream::copy_encode(piece, &mut self.out, level)?,
                }
                plain_len = piece.len();
            }
            if plain_len == 0 || self.out.len() - at - 7 >= piece.len() {
                plain_len = 0;
                self.out.truncate(at + 7);
                self.out.extend_from_slice(piece);
            }
            let [a, b, c, _] = ((self.out.len() - at - 7) as u32).to_le_bytes();
            let [x, y, z, _] = (plain_len as u32).to_le_bytes();
            if let Some(h) = self.out.get_mut(at..at + 7) {
                h.copy_from_slice(&[a, b, c, self.seq, x, y, z]);
            }
            self.seq = self.seq.wrapping_add(1);
        }
        to.write_all(&self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Socket;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;

    fn pair() -> (Transport, Transport) {
        let (a, b) = UnixStream::pair().unwrap();
        (Transport::new(Socket::Unix(Arc::new(a))), Transport::new(Socket::Unix(Arc::new(b))))
    }

    #[test]
    fn both_algorithms_round_trip() {
        let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for make in [Compressor::zlib, || Compressor::zstd(3)] {
            for data in [&b"short"[..], &[b'x'; 1_000_000], &noise] {
                let (mut from, mut to) = pair();
                let copy = data.to_vec();
                let writer = std::thread::spawn(move || {
                    make().write(&copy, &mut from).unwrap();
                    from.close();
                });
                let mut c = make();
                let mut got = Vec::new();
                loop {
                    let piece = c.read(&mut to, 1 << 26).unwrap();
                    if piece.is_empty() {
                        break;
                    }
                    got.extend_from_slice(piece);
                }
                writer.join().unwrap();
                assert!(got == data);
            }
        }
    }

    #[test]
    fn lies_about_lengths_are_errors() {
        for bytes in [&[3, 0, 0, 0, 9, 0, 0, 1, 2, 3][..], &[3, 0, 0, 5, 0, 0, 0, 1, 2, 3], &[0, 0, 0, 0, 9, 0, 0]] {
            for mut c in [Compressor::zlib(), Compressor::zstd(3)] {
                let (mut from, mut to) = pair();
                from.write_all(bytes).unwrap();
                assert!(c.read(&mut to, 1 << 20).is_err());
            }
        }
    }
}
