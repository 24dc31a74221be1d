//! [`Packed`]: a connection to the source whose bytes are compressed (SOURCE_COMPRESSION_ALGORITHMS), as the protocol
//! has it: `[length 3][number 1][length before 3][bytes]`; a length before of 0 means that the bytes are as they were.
//!
//! What a source sends is taken for no longer than the protocol lets it be. Source: "Compression" in "Client/Server
//! Protocol" of MySQL's source documentation. Tested: here, `tests/binlog/test_replica_operators.py`.

use crate::packets::Failed;
use crate::settings::Settings;
use crate::tls::Stream;
use catalog::client::Capabilities;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, Read, Write};

/// `CR_COMPRESSION_WRONGLY_CONFIGURED`
const WRONGLY_COMPRESSED: u32 = 2066;
/// Fewer bytes are sent as they are.
const FEW: usize = 50;
/// As many go into one piece.
const PIECE: usize = 0xff_ffff;

/// How.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// `zlib`
    Zlib,
    /// `zstd`, with this level.
    Zstd(u8),
}

impl Algorithm {
    /// By which the handshake names it.
    pub fn capability(self) -> u32 {
        match self {
            Algorithm::Zlib => Capabilities::COMPRESS,
            Algorithm::Zstd(_) => Capabilities::ZSTD_COMPRESSION_ALGORITHM,
        }
    }
}

/// The first of the algorithms that the settings name which the source offers, too.
pub fn chosen(s: &Settings, offered: u32) -> Result<Option<Algorithm>, Failed> {
    for name in s.compression.split(',') {
        match name.to_ascii_lowercase().as_str() {
            "zlib" if offered & Capabilities::COMPRESS != 0 => return Ok(Some(Algorithm::Zlib)),
            "zstd" if offered & Capabilities::ZSTD_COMPRESSION_ALGORITHM != 0 => {
                return Ok(Some(Algorithm::Zstd(s.zstd_level)));
            }
            "uncompressed" => return Ok(None),
            _ => {}
        }
    }
    let text = "Client and server do not support the same compression algorithms";
    Err(Failed::new(WRONGLY_COMPRESSED, text))
}

/// See the module.
pub struct Packed<S = Stream> {
    inner: S,
    how: Algorithm,
    number: u8,
    /// What has come and was not read.
    plain: Vec<u8>,
    at: usize,
}

fn bad(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<S: Read + Write> Packed<S> {
    pub fn new(inner: S, how: Algorithm) -> Packed<S> {
        Packed { inner, how, number: 0, plain: Vec::new(), at: 0 }
    }

    /// A command begins: pieces are numbered from 0 on.
    pub fn begins(&mut self) {
        self.number = 0;
    }

    fn unpacked(&self, bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(length);
        // one more than said shows that more was sent
        let most = length as u64 + 1;
        match self.how {
            Algorithm::Zlib => ZlibDecoder::new(bytes).take(most).read_to_end(&mut out)?,
            Algorithm::Zstd(_) => zstd::Decoder::with_buffer(bytes)?.take(most).read_to_end(&mut out)?,
        };
        if out.len() == length { Ok(out) } else { Err(bad("a piece that is longer or shorter than it says")) }
    }

    fn packed(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self.how {
            Algorithm::Zlib => {
                let mut z = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                z.write_all(bytes)?;
                z.finish()
            }
            Algorithm::Zstd(level) => zstd::encode_all(bytes, i32::from(level)),
        }
    }

    /// The next piece.
    fn piece(&mut self) -> io::Result<()> {
        let mut head = [0u8; 7];
        self.inner.read_exact(&mut head)?;
        let [a, b, c, number, d, e, f] = head;
        let length = u32::from_le_bytes([a, b, c, 0]) as usize;
        let before = u32::from_le_bytes([d, e, f, 0]) as usize;
        let mut bytes = vec![0; length];
        self.inner.read_exact(&mut bytes)?;
        self.number = number.wrapping_add(1);
        self.plain = if before == 0 { bytes } else { self.unpacked(&bytes, before)? };
        self.at = 0;
        Ok(())
    }
}

impl<S: Read + Write> Read for Packed<S> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.plain.len() {
            self.piece()?;
        }
        let n = self.plain.get(self.at..).unwrap_or_default().read(to)?;
        self.at += n;
        Ok(n)
    }
}

impl<S: Read + Write> Write for Packed<S> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let from = from.get(..from.len().min(PIECE)).unwrap_or_default();
        let packed = if from.len() < FEW { None } else { Some(self.packed(from)?) };
        let packed = packed.filter(|p| p.len() < from.len());
        let (bytes, before) = packed.as_ref().map_or((from, 0), |p| (p.as_slice(), from.len()));
        let [a, b, c, _] = (bytes.len() as u32).to_le_bytes();
        let [d, e, f, _] = (before as u32).to_le_bytes();
        let mut out = vec![a, b, c, self.number, d, e, f];
        out.extend_from_slice(bytes);
        self.number = self.number.wrapping_add(1);
        self.inner.write_all(&out)?;
        Ok(from.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn there_and_back() {
        let text: Vec<u8> = (0..100_000u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        for how in [Algorithm::Zlib, Algorithm::Zstd(3)] {
            let mut p = Packed::new(Cursor::new(Vec::new()), how);
            p.write_all(b"few").unwrap();
            p.write_all(&text).unwrap();
            let sent = p.inner.into_inner();
            assert!(sent.len() < text.len() / 2 && sent[3] == 0 && sent[13] == 1, "{how:?}");
            let mut p = Packed::new(Cursor::new(sent.clone()), how);
            let mut came = vec![0; 3 + text.len()];
            p.read_exact(&mut came).unwrap();
            assert!(came[..3] == *b"few" && came[3..] == text[..]);
            // a length that is not true
            let mut wrong = sent;
            wrong[14] ^= 1;
            assert!(Packed::new(Cursor::new(wrong), how).read_exact(&mut came).is_err());
        }
    }
}
