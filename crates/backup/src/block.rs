//! A block: the unit of which a backup is made, on the wire and in files.
//!
//! ```text
//! 0   "EKB1"
//! 4   kind u8, codec u8 (0: as it is, 1: zstd), 0 u16
//! 8   number u64: counts from 0 through the whole backup
//! 16  key u64: by kind
//! 24  bytes u32, and as they are stored u32
//! 32  CRC-32C u32 of the 32 bytes before and the stored bytes
//! 36  the stored bytes
//! ```
//! All integers are little-endian.

use crate::error::{Error, Result};
use base::{PageNo, SpaceId};
use std::io::Read;

/// Bytes of the header.
pub const HEADER: usize = 36;
const MAGIC: &[u8; 4] = b"EKB1";
/// No block has more bytes.
pub const LONGEST: usize = 64 << 20;

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// [`crate::Begin`] as JSON: the first block.
    Begin = 1,
    /// A tablespace's length; key: its id, the number of pages.
    Length = 2,
    /// Pages; key: the tablespace's id, the first page.
    Pages = 3,
    /// Redo; key: its LSN.
    Redo = 4,
    /// A small file: its name, a zero byte, its contents.
    File = 5,
    /// [`crate::End`] as JSON: the last block.
    End = 6,
}

impl Kind {
    fn of(n: u8) -> Option<Kind> {
        use Kind::*;
        [Begin, Length, Pages, Redo, File, End].into_iter().find(|k| *k as u8 == n)
    }
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its place in the backup.
    pub number: u64,
    /// By kind.
    pub key: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Sees that blocks come in order, none missing, none twice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order(u64);

impl Order {
    /// The next block has come; `file` is for the message.
    ///
    /// # Errors
    /// `Damaged`: it is another one.
    pub fn check(&mut self, block: &Block, file: &str) -> Result<()> {
        if block.number != self.0 {
            let why = format!("block {} comes where block {} should", block.number, self.0);
            return Err(Error::damaged(file, why));
        }
        self.0 += 1;
        Ok(())
    }
}

/// How bytes are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codec {
    /// As they are.
    None,
    /// zstd with this level.
    Zstd(i32),
}

/// The key of a block of a tablespace.
pub fn space_key(space: SpaceId, n: u32) -> u64 {
    u64::from(space.0) << 32 | u64::from(n)
}

fn u32_at(b: &[u8], at: usize) -> u32 {
    b.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

fn u64_at(b: &[u8], at: usize) -> u64 {
    b.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}

impl Block {
    /// The tablespace, and the number of pages or the first page.
    pub fn space(&self) -> (SpaceId, PageNo) {
        (SpaceId((self.key >> 32) as u32), PageNo(self.key as u32))
    }

    /// As bytes.
    ///
    /// # Errors
    /// Of the compression.
    pub fn encode(&self, codec: Codec) -> Result<Vec<u8>> {
        let packed = match codec {
            Codec::Zstd(level) if self.bytes.len() > 64 => {
                Some(zstd::bulk::compress(&self.bytes, level).map_err(|e| Error::io("zstd", e))?)
            }
            _ => None,
        };
        let packed = packed.filter(|p| p.len() < self.bytes.len());
        let stored = packed.as_deref().unwrap_or(&self.bytes);
        let mut out = Vec::with_capacity(HEADER + stored.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&[self.kind as u8, u8::from(packed.is_some()), 0, 0]);
        out.extend_from_slice(&self.number.to_le_bytes());
        out.extend_from_slice(&self.key.to_le_bytes());
        out.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(&(stored.len() as u32).to_le_bytes());
        let crc = crc32c::crc32c_append(crc32c::crc32c(&out), stored);
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(stored);
        Ok(out)
    }

    /// The next block of a stream; `None` at its end. `file` is for the message.
    ///
    /// # Errors
    /// `Damaged`; I/O errors.
    pub fn read(from: &mut dyn Read, file: &str) -> Result<Option<Block>> {
        let mut head = [0u8; HEADER];
        match read_whole(from, &mut head).map_err(|e| Error::io(file, e))? {
            0 => return Ok(None),
            HEADER => {}
            _ => return Err(Error::damaged(file, "it ends in the middle of a block")),
        }
        let stored = u32_at(&head, 28) as usize;
        if head.first_chunk() != Some(MAGIC) || stored > LONGEST || u32_at(&head, 24) as usize > LONGEST {
            return Err(Error::damaged(file, "no block begins where one should"));
        }
        let mut bytes = vec![0; stored];
        if read_whole(from, &mut bytes).map_err(|e| Error::io(file, e))? != stored {
            return Err(Error::damaged(file, "it ends in the middle of a block"));
        }
        Block::decode(&head, bytes, file).map(Some)
    }

    /// Out of bytes that hold one block.
    ///
    /// # Errors
    /// `Damaged`.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Block> {
        let (head, stored) = bytes.split_first_chunk().ok_or_else(|| Error::damaged(file, "a block is too short"))?;
        Block::decode(head, stored.to_vec(), file)
    }

    fn decode(head: &[u8; HEADER], stored: Vec<u8>, file: &str) -> Result<Block> {
        let number = u64_at(head, 8);
        let wrong = |why: &str| Error::damaged(file, format!("block {number}: {why}"));
        let crc = crc32c::crc32c_append(crc32c::crc32c(head.get(..32).unwrap_or_default()), &stored);
        if head.first_chunk() != Some(MAGIC) || crc != u32_at(head, 32) || stored.len() != u32_at(head, 28) as usize {
            return Err(wrong("its checksum is wrong"));
        }
        let (kind, codec) = (head.get(4).copied().unwrap_or_default(), head.get(5).copied());
        let length = u32_at(head, 24) as usize;
        if length > LONGEST {
            return Err(wrong("it is too long"));
        }
        let bytes = match codec {
            Some(0) => stored,
            Some(1) => zstd::bulk::decompress(&stored, length).map_err(|_| wrong("it cannot be unpacked"))?,
            _ => return Err(wrong("it is of a later version")),
        };
        let kind = Kind::of(kind).ok_or_else(|| wrong("it is of a later version"))?;
        if bytes.len() != length {
            return Err(wrong("it has another length"));
        }
        Ok(Block { kind, number, key: u64_at(head, 16), bytes })
    }
}

/// Fills `to` as far as there is something; how much.
fn read_whole(from: &mut dyn Read, to: &mut [u8]) -> std::io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = to.get_mut(done..).filter(|r| !r.is_empty()) {
        match from.read(rest) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(done)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_shows() {
        for codec in [Codec::None, Codec::Zstd(1)] {
            let block = Block { kind: Kind::Pages, number: 7, key: space_key(SpaceId(100), 64), bytes: vec![5; 300] };
            let bytes = block.encode(codec).unwrap();
            assert_eq!(Block::parse(&bytes, "x").unwrap(), block);
            assert_eq!(Block::read(&mut bytes.as_slice(), "x").unwrap().unwrap(), block);
            assert_eq!(block.space(), (SpaceId(100), PageNo(64)));
            for bit in 0..bytes.len() * 8 {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(Block::read(&mut other.as_slice(), "x").is_err(), "{codec:?} bit {bit}");
            }
            for n in 1..bytes.len() {
                assert!(Block::read(&mut &bytes[..n], "x").is_err(), "{codec:?} {n} bytes");
            }
        }
        assert_eq!(Block::read(&mut [].as_slice(), "x").unwrap(), None);
    }
}
