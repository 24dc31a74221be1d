//! The table-driven 8-bit character sets: all but swe7 contain ASCII. Tables by `gen/gen_eightbit.py`; frozen (they decide index keys).

use super::Charset;

macro_rules! eight_bit {
    ($($id:ident $name:literal $text:literal $default:literal $bin:literal;)*) => {
        /// Name, description, default collation, `_bin` collation.
        pub(super) const fn facts(c: Charset) -> Option<(&'static str, &'static str, u16, u16)> {
            match c {
                $(Charset::$id => Some(($name, $text, $default, $bin)),)*
                _ => None,
            }
        }
        const ORDER: &[Charset] = &[$(Charset::$id),*];
    };
}

eight_bit! {
    Dec8 "dec8" "DEC West European" 3 69;
    Cp850 "cp850" "DOS West European" 4 80;
    Hp8 "hp8" "HP West European" 6 72;
    Koi8r "koi8r" "KOI8-R Relcom Russian" 7 74;
    Latin2 "latin2" "ISO 8859-2 Central European" 9 77;
    Hebrew "hebrew" "ISO 8859-8 Hebrew" 16 71;
    Koi8u "koi8u" "KOI8-U Ukrainian" 22 75;
    Greek "greek" "ISO 8859-7 Greek" 25 70;
    Cp1250 "cp1250" "Windows Central European" 26 66;
    Latin5 "latin5" "ISO 8859-9 Turkish" 30 78;
    Armscii8 "armscii8" "ARMSCII-8 Armenian" 32 64;
    Cp866 "cp866" "DOS Russian" 36 68;
    Keybcs2 "keybcs2" "DOS Kamenicky Czech-Slovak" 37 73;
    Macce "macce" "Mac Central European" 38 43;
    Macroman "macroman" "Mac West European" 39 53;
    Cp852 "cp852" "DOS Central European" 40 81;
    Latin7 "latin7" "ISO 8859-13 Baltic" 41 79;
    Cp1251 "cp1251" "Windows Cyrillic" 51 50;
    Cp1256 "cp1256" "Windows Arabic" 57 67;
    Cp1257 "cp1257" "Windows Baltic" 59 58;
    Geostd8 "geostd8" "GEOSTD8 Georgian" 92 93;
    Swe7 "swe7" "7bit Swedish" 10 82;
    Tis620 "tis620" "TIS620 Thai" 18 89;
}

static TABLES: &[u8] = include_bytes!("eightbit.bin");
/// Bytes of one set: code points, upper case, lower case.
const SET: usize = 1024;

fn table(c: Charset) -> &'static [u8] {
    let n = ORDER.iter().position(|o| *o == c).unwrap_or(0);
    TABLES.get(n * SET..(n + 1) * SET).unwrap_or(&[])
}

/// Code point of a byte; `None`: undefined.
pub(super) fn decode(c: Charset, b: u8) -> Option<u32> {
    if b < 0x80 && c != Charset::Swe7 {
        return Some(u32::from(b));
    }
    match table(c).get(usize::from(b) * 2..usize::from(b) * 2 + 2) {
        Some(&[lo, hi]) => Some(u32::from(u16::from_le_bytes([lo, hi]))).filter(|p| *p != 0 || b == 0),
        _ => None,
    }
}

/// Byte of a code point.
pub(super) fn encode(c: Charset, point: u32) -> Option<u8> {
    if point < 0x80 && c != Charset::Swe7 {
        return Some(point as u8);
    }
    if point == 0 {
        return Some(0);
    }
    let wanted = u16::try_from(point).ok()?.to_le_bytes();
    let at = table(c).get(..512)?.as_chunks::<2>().0.iter().position(|p| *p == wanted)?;
    Some(at as u8)
}

/// The byte in the other case.
pub(super) fn case(c: Charset, b: u8, up: bool) -> u8 {
    table(c).get(if up { 512 } else { 768 } + usize::from(b)).copied().unwrap_or(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_frozen() {
        assert_eq!(TABLES.len(), ORDER.len() * SET);
        let sum =
            TABLES.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(sum, CHECKSUM);
    }

    /// FNV-1a of the file.
    const CHECKSUM: u64 = 0x6b0a_ec93_4b32_327f;

    #[test]
    fn every_defined_byte_comes_back() {
        for &c in ORDER {
            for b in 0..=255u8 {
                if let Some(p) = decode(c, b) {
                    let back = encode(c, p).expect("encodes");
                    assert_eq!(decode(c, back), Some(p), "{c:?} {b:02x}");
                }
            }
        }
        let mut out = Vec::new();
        super::super::convert("Žluťoučký kůň".as_bytes(), Charset::Utf8mb4, Charset::Cp1250, &mut out);
        assert_eq!(out, b"\x8elu\x9dou\xe8k\xfd k\xf9\xf2");
        assert_eq!(decode(Charset::Koi8r, 0xC1), Some('а' as u32));
        out.clear();
        let o = super::super::convert("Åse [é]".as_bytes(), Charset::Utf8mb4, Charset::Swe7, &mut out);
        assert_eq!((out.as_slice(), o.unmappable), (b"]se ?`?".as_slice(), 2));
        assert_eq!((decode(Charset::Swe7, b'\\'), decode(Charset::Swe7, 0x7F)), (Some('Ö' as u32), None));
    }
}
