//! The file `<table>.cfg` beside an exported tablespace.
//!
//! ```text
//! 0 magic "EVKTABL1" | 8 CRC-32C of what follows u32 | 12 the fields, tagged as definitions are (`dict::codec`)
//! ```
//! Written whole and synced before FOR EXPORT answers; a torn one has a wrong checksum. Nothing here trusts its bytes.

use crate::dict::TableDef;
use crate::dict::codec::{self, Reader, Writer, num, text};
use crate::error::{Result, StorageError};
use crate::file::{FileKind, FileSystem, OpenMode};
use crate::page::PAGE_SIZE;
use base::{Lsn, SpaceId};

const MAGIC: &[u8; 8] = b"EVKTABL1";
const HEAD: usize = 12;
/// No definition is longer: 4,096 columns with their histograms left out.
const MOST: u64 = 64 << 20;

/// What FOR EXPORT says of a tablespace's file.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Bytes of a page.
    pub page_size: u32,
    /// Version of the server.
    pub version: String,
    /// The tablespace's number there.
    pub space: SpaceId,
    /// Bytes of the file.
    pub bytes: u64,
    /// No page is newer.
    pub newest: Lsn,
    /// Next AUTO_INCREMENT value; 0: there is no such column.
    pub counter: u64,
    /// Device and number of the file there: by this a start knows its own.
    pub file: (u64, u64),
    /// The table.
    pub def: TableDef,
}

impl Cfg {
    /// The file's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.num(1, u64::from(self.page_size));
        w.str(2, &self.version);
        w.num(3, u64::from(self.space.0));
        w.num(4, self.bytes);
        w.num(5, self.newest.0);
        w.num(6, self.counter);
        w.num(7, self.file.0);
        w.num(8, self.file.1);
        w.bytes(9, &codec::encode_table(&self.def));
        let body = w.finish();
        let mut out = Vec::with_capacity(HEAD + body.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&crc32c::crc32c(&body).to_le_bytes());
        out.extend_from_slice(&body);
        out
    }

    /// Reads one; `name` is for messages.
    ///
    /// # Errors
    /// `Foreign`: it is none of ours, damaged, or of another page size; I/O errors.
    pub fn read(fs: &dyn FileSystem, name: &str) -> Result<Cfg> {
        let bad = |why| StorageError::Foreign { file: name.into(), page: None, why };
        let file = fs.open(name, OpenMode::ReadOnly, FileKind::Log)?;
        let len = file.len()?;
        if len > MOST {
            return Err(bad("too long for what FOR EXPORT writes"));
        }
        let mut bytes = vec![0; usize::try_from(len).unwrap_or_default()];
        file.read_at(0, &mut bytes)?;
        Cfg::parse(&bytes).map_err(bad)
    }

    fn parse(bytes: &[u8]) -> std::result::Result<Cfg, &'static str> {
        let Some((magic, rest)) = bytes.split_first_chunk::<8>() else { return Err("shorter than its head") };
        if magic != MAGIC {
            return Err(
                "not written by FLUSH TABLES ... FOR EXPORT of this server: MySQL's and MariaDB's cannot be read",
            );
        }
        let Some((crc, body)) = rest.split_first_chunk::<4>() else { return Err("shorter than its head") };
        if crc32c::crc32c(body) != u32::from_le_bytes(*crc) {
            return Err("checksum mismatch");
        }
        let (mut sizes, mut version, mut def) = ([0u64; 8], String::new(), None);
        let mut r = Reader(body);
        let wrong = |_: codec::Corrupt| "fields that cannot be decoded";
        while let Some((tag, b)) = r.next().map_err(wrong)? {
            match tag {
                2 => version = text(b).map_err(wrong)?,
                9 => def = Some(codec::decode_table(b).map_err(wrong)?),
                1..=8 => {
                    if let Some(to) = sizes.get_mut(usize::from(tag) - 1) {
                        *to = num(b).map_err(wrong)?;
                    }
                }
                _ => {}
            }
        }
        let [page_size, _, space, bytes, newest, counter, device, inode] = sizes;
        let def = def.ok_or("no definition")?;
        if page_size != PAGE_SIZE as u64 {
            return Err("another page size");
        }
        let space = u32::try_from(space).map_err(|_| "a tablespace that cannot be")?;
        Ok(Cfg {
            page_size: PAGE_SIZE as u32,
            version,
            space: SpaceId(space),
            bytes,
            newest: Lsn(newest),
            counter,
            file: (device, inode),
            def,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dict::system::system_tables;
    use base::PageNo;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let def = TableDef::clone(&system_tables([PageNo(2), PageNo(3), PageNo(4)])[0]);
        let cfg = Cfg {
            page_size: PAGE_SIZE as u32,
            version: "8.4.0".into(),
            space: SpaceId(100),
            bytes: 1 << 20,
            newest: Lsn(4096),
            counter: 7,
            file: (1, 2),
            def,
        };
        let bytes = cfg.to_bytes();
        let back = Cfg::parse(&bytes).unwrap();
        assert_eq!((back.space, back.bytes, back.newest, back.counter), (cfg.space, cfg.bytes, cfg.newest, 7));
        assert_eq!((back.file, back.version.as_str()), ((1, 2), "8.4.0"));
        assert_eq!(codec::encode_table(&back.def), codec::encode_table(&cfg.def));
        for n in 0..bytes.len() {
            assert!(Cfg::parse(&bytes[..n]).is_err(), "cut to {n}");
            for bit in [0, 7] {
                let mut b = bytes.clone();
                b[n] ^= 1 << bit;
                assert!(Cfg::parse(&b).is_err(), "byte {n}");
            }
        }
        // a hostile one has a right checksum
        for n in HEAD..bytes.len() {
            let mut b = bytes.clone();
            b[n] = b[n].wrapping_add(101);
            let crc = crc32c::crc32c(&b[HEAD..]);
            b[8..12].copy_from_slice(&crc.to_le_bytes());
            let _ = Cfg::parse(&b);
        }
    }
}
