//! Writing normalized keys; the format is at the module's root.

use value::{Charset, SqlType, Value};

use super::codec::Codec;
use super::strings::StringCodec;
use super::{RowError, layout};

/// One part of an index key, as the index defines it.
#[derive(Clone, Debug)]
pub struct KeyPart {
    /// Type of the column.
    pub ty: SqlType,
    /// Only the first so many characters (bytes for binary strings); 0 = the whole column.
    pub prefix: u32,
    /// `DESC`.
    pub desc: bool,
}

impl KeyPart {
    /// The whole column, ascending.
    pub fn asc(ty: SqlType) -> KeyPart {
        KeyPart { ty, prefix: 0, desc: false }
    }
}

/// Whether a whole column of this type can be read back from its part of a key.
pub fn reversible(ty: &SqlType) -> bool {
    match Codec::of(ty) {
        Codec::Float | Codec::Double => false,
        Codec::Fixed(_) => true,
        // A JSON value's key would not be its text; it is never indexed.
        Codec::Json => false,
        Codec::Var(_) if !ty.kind.is_string() => false,
        Codec::Var(stripped) => StringCodec::of(ty.collation).reversible(stripped),
        _ => true,
    }
}

/// How one part is written.
#[derive(Clone, Debug)]
pub(super) enum PartCodec {
    Plain(Codec),
    String { codec: StringCodec, prefix: usize, charset: Charset },
}

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) codec: PartCodec,
    pub(super) nullable: bool,
    pub(super) desc: bool,
    pub(super) reversible: bool,
}

/// Turns values into normalized keys of one index; made once per index.
#[derive(Clone, Debug)]
pub struct KeyEncoder {
    pub(super) parts: Box<[Part]>,
}

impl KeyEncoder {
    /// For an index with these parts.
    pub fn new(parts: impl IntoIterator<Item = KeyPart>) -> KeyEncoder {
        let part = |p: KeyPart| {
            let codec = match Codec::of(&p.ty) {
                Codec::Fixed(_) | Codec::Var(_) | Codec::Json => PartCodec::String {
                    codec: StringCodec::of(p.ty.collation),
                    prefix: p.prefix as usize,
                    charset: p.ty.charset(),
                },
                c => PartCodec::Plain(c),
            };
            Part { codec, nullable: p.ty.nullable, desc: p.desc, reversible: p.prefix == 0 && reversible(&p.ty) }
        };
        KeyEncoder { parts: parts.into_iter().map(part).collect() }
    }

    /// The cache lines that encoding a key goes over.
    pub(crate) fn lines(&self, out: &mut sys::prefetch::Lines) {
        out.add(self);
        out.add(&*self.parts);
    }

    /// Number of parts.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Whether the value of part `i` can be read back from the key ([`KeyEncoder::decode_part`]).
    pub fn is_reversible(&self, i: usize) -> bool {
        self.parts.get(i).is_some_and(|p| p.reversible)
    }

    /// Appends the key of the first `values.len()` parts: a whole key, or the prefix that all keys with these values share.
    #[inline]
    pub fn encode(&self, values: &[Value<'_>], out: &mut Vec<u8>) -> Result<(), RowError> {
        if values.len() > self.parts.len() {
            return Err(RowError::WrongType);
        }
        for (part, v) in self.parts.iter().zip(values) {
            part.encode(*v, out)?;
        }
        Ok(())
    }

    /// Appends part `i`. CHAR values must come without trailing spaces when the collation is NO PAD. On an error `out`
    /// has undefined bytes behind its old length.
    #[inline]
    pub fn encode_part(&self, i: usize, v: Value<'_>, out: &mut Vec<u8>) -> Result<(), RowError> {
        self.parts.get(i).ok_or(RowError::WrongType)?.encode(v, out)
    }

    /// Whether a NULL can be in part `i`.
    pub fn is_nullable(&self, i: usize) -> bool {
        self.parts.get(i).is_some_and(|p| p.nullable)
    }

    /// For `LIKE 'literal%'`: appends the bytes that the parts of all strings beginning with `literal` (in the part's
    /// character set) begin with. `false` (nothing appended) when the collation or the part gives no such range. The range
    /// may hold other strings too, so the condition must still be checked. The upper end is [`prefix_successor`]; the part
    /// of a DESC index has no such range.
    pub fn encode_like_prefix(&self, i: usize, literal: &[u8], out: &mut Vec<u8>) -> bool {
        let Some(part) = self.parts.get(i).filter(|p| !p.desc) else { return false };
        let PartCodec::String { codec, prefix, charset } = &part.codec else { return false };
        let literal = first_chars(*charset, literal, *prefix);
        let start = out.len();
        if part.nullable {
            out.push(1);
        }
        let done = codec.encode_open(literal, out);
        if !done {
            out.truncate(start);
        }
        done
    }
}

impl Part {
    fn encode(&self, v: Value<'_>, out: &mut Vec<u8>) -> Result<(), RowError> {
        let start = out.len();
        match (&self.codec, v) {
            (_, Value::Null) if self.nullable => out.push(0),
            (_, Value::Null) => return Err(RowError::WrongType),
            (PartCodec::Plain(codec), v) => {
                if self.nullable {
                    out.push(1);
                }
                codec.put_key(v, out)?;
            }
            (PartCodec::String { codec, prefix, charset }, Value::Str(s)) => {
                if self.nullable {
                    out.push(1);
                }
                codec.encode(first_chars(*charset, s, *prefix), out);
            }
            _ => return Err(RowError::WrongType),
        }
        if self.desc {
            out.iter_mut().skip(start).for_each(|b| *b = !*b);
        }
        Ok(())
    }
}

/// The first `n` characters; all when `n` is 0.
fn first_chars(charset: Charset, s: &[u8], n: usize) -> &[u8] {
    if n == 0 || s.len() <= n {
        return s;
    }
    if charset.is_multibyte() || charset.is_wide() {
        return s.get(..charset.char_offset(s, n)).unwrap_or(s);
    }
    let end = if charset.is_utf8() {
        // A character starts at every byte that is no continuation byte.
        s.iter().enumerate().filter(|(_, b)| **b & 0xc0 != 0x80).nth(n).map(|(i, _)| i)
    } else {
        Some(n)
    };
    end.and_then(|e| s.get(..e)).unwrap_or(s)
}

/// Makes `key` the smallest byte string above all strings that begin with it: the exclusive upper end of a range.
/// `false` when there is none (the key is empty or all 0xFF); then the range is open.
pub fn prefix_successor(key: &mut Vec<u8>) -> bool {
    while let Some(last) = key.last_mut() {
        if *last < 0xff {
            *last += 1;
            return true;
        }
        key.pop();
    }
    false
}

pub(super) use layout::strip_spaces;
