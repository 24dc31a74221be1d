//! Reading normalized keys: where parts end, and the values of reversible parts.

use bumpalo::Bump;
use value::Value;

use super::RowError;
use super::key::{KeyEncoder, Part, PartCodec};

impl Part {
    /// Bytes of the part that `key` begins with.
    fn skip(&self, key: &[u8]) -> Option<usize> {
        let mask = if self.desc { 0xff } else { 0 };
        let mut at = 0;
        if self.nullable {
            at = 1;
            if key.first()? ^ mask == 0 {
                return Some(1);
            }
        }
        let n = match &self.codec {
            PartCodec::Plain(c) => c.width()?,
            PartCodec::String { codec, .. } => codec.skip(key.get(at..)?, mask)?,
        };
        (at + n <= key.len()).then_some(at + n)
    }

    fn decode<'a>(&self, bytes: &'a [u8], arena: &'a Bump) -> Result<Value<'a>, RowError> {
        let mask = if self.desc { 0xff } else { 0 };
        let mut bytes = bytes;
        if self.nullable {
            let (first, rest) = bytes.split_first().ok_or(RowError::Corrupt)?;
            if first ^ mask == 0 {
                return Ok(Value::Null);
            }
            bytes = rest;
        }
        match &self.codec {
            PartCodec::Plain(c) if mask == 0 => c.get_key(bytes, arena),
            PartCodec::Plain(c) => {
                let mut buf = [0u8; 40];
                let buf = buf.get_mut(..bytes.len()).ok_or(RowError::Corrupt)?;
                for (to, from) in buf.iter_mut().zip(bytes) {
                    *to = !*from;
                }
                c.get_key(buf, arena)
            }
            PartCodec::String { codec, .. } => {
                if let Some(s) = codec.verbatim(bytes, mask) {
                    return Ok(Value::Str(s));
                }
                let mut s = Vec::with_capacity(bytes.len());
                codec.decode(bytes, mask, &mut s);
                Ok(Value::Str(arena.alloc_slice_copy(&s)))
            }
        }
    }
}

impl KeyEncoder {
    /// Length of the first `n` parts of `key` in bytes; `Corrupt` when the key ends before.
    pub fn prefix_len(&self, key: &[u8], n: usize) -> Result<usize, RowError> {
        let mut at = 0;
        for part in self.parts.iter().take(n) {
            at += key.get(at..).and_then(|k| part.skip(k)).ok_or(RowError::Corrupt)?;
        }
        Ok(at)
    }

    /// Whether part `i` of the key is NULL.
    pub fn is_null(&self, key: &[u8], i: usize) -> bool {
        let null = |p: &Part| if p.desc { 0xff } else { 0 };
        let part = self.parts.get(i).filter(|p| p.nullable);
        part.is_some_and(|p| self.part_bytes(key, i).is_ok_and(|b| b == [null(p)]))
    }

    /// The bytes of part `i`, as they stand in the key.
    pub fn part_bytes<'k>(&self, key: &'k [u8], i: usize) -> Result<&'k [u8], RowError> {
        let from = self.prefix_len(key, i)?;
        let rest = key.get(from..).ok_or(RowError::Corrupt)?;
        let len = self.parts.get(i).and_then(|p| p.skip(rest)).ok_or(RowError::Corrupt)?;
        rest.get(..len).ok_or(RowError::Corrupt)
    }

    /// The value of reversible part `i`; `WrongType` when the part is not reversible.
    pub fn decode_part<'a>(&self, key: &'a [u8], i: usize, arena: &'a Bump) -> Result<Value<'a>, RowError> {
        let part = self.parts.get(i).filter(|p| p.reversible).ok_or(RowError::WrongType)?;
        part.decode(self.part_bytes(key, i)?, arena)
    }

    /// Whether one of the first `n` parts of `key` is NULL (a unique index admits any number of those).
    pub fn any_null(&self, key: &[u8], n: usize) -> Result<bool, RowError> {
        let mut at = 0;
        for part in self.parts.iter().take(n) {
            let rest = key.get(at..).ok_or(RowError::Corrupt)?;
            let mask = if part.desc { 0xff } else { 0 };
            if part.nullable && *rest.first().ok_or(RowError::Corrupt)? ^ mask == 0 {
                return Ok(true);
            }
            at += part.skip(rest).ok_or(RowError::Corrupt)?;
        }
        Ok(false)
    }
}
