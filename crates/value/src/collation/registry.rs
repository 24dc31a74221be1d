//! The list of collations, by id and by name.

use super::uca::{UCA400, UCA520, UCA900};
use super::{Algorithm, Collation, CollationId};
use crate::charset::Charset;

macro_rules! collations {
    ($($id:literal $name:literal $cs:ident $pad:literal $def:literal $sortlen:literal $alg:expr;)*) => {
        /// All collations this server knows, by ascending id.
        pub static COLLATIONS: &[Collation] = &[$(Collation {
            id: CollationId($id), name: $name, charset: Charset::$cs, pad_space: $pad, is_default: $def,
            algorithm: $alg, sortlen: $sortlen,
        },)*];
    };
}

/// Weight tables of the single-byte collations, in the generator's order.
const fn single_byte(n: usize) -> &'static [u8; 256] {
    static TABLES: &[u8; 1792] = include_bytes!("single_byte.bin");
    match TABLES.split_at(n * 256).1.first_chunk::<256>() {
        Some(t) => t,
        None => panic!("seven tables"),
    }
}

const UCA900_1: Algorithm = Algorithm::Uca(&UCA900, 1);

collations! {
    5 "latin1_german1_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(0));
    8 "latin1_swedish_ci" Latin1 true true 1 Algorithm::SimpleTable(single_byte(1));
    11 "ascii_general_ci" Ascii true true 1 Algorithm::SimpleTable(single_byte(6));
    15 "latin1_danish_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(2));
    33 "utf8mb3_general_ci" Utf8mb3 true true 1 Algorithm::GeneralCi;
    45 "utf8mb4_general_ci" Utf8mb4 true false 1 Algorithm::GeneralCi;
    46 "utf8mb4_bin" Utf8mb4 true false 1 Algorithm::Bytes;
    47 "latin1_bin" Latin1 true false 1 Algorithm::Bytes;
    48 "latin1_general_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(3));
    49 "latin1_general_cs" Latin1 true false 1 Algorithm::SimpleTable(single_byte(4));
    63 "binary" Binary false true 1 Algorithm::Bytes;
    65 "ascii_bin" Ascii true false 1 Algorithm::Bytes;
    83 "utf8mb3_bin" Utf8mb3 true false 1 Algorithm::Bytes;
    94 "latin1_spanish_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(5));
    192 "utf8mb3_unicode_ci" Utf8mb3 true false 8 Algorithm::Uca(&UCA400, 1);
    214 "utf8mb3_unicode_520_ci" Utf8mb3 true false 8 Algorithm::Uca(&UCA520, 1);
    224 "utf8mb4_unicode_ci" Utf8mb4 true false 8 Algorithm::Uca(&UCA400, 1);
    246 "utf8mb4_unicode_520_ci" Utf8mb4 true false 8 Algorithm::Uca(&UCA520, 1);
    255 "utf8mb4_0900_ai_ci" Utf8mb4 false true 0 UCA900_1;
    278 "utf8mb4_0900_as_cs" Utf8mb4 false false 0 Algorithm::Uca(&UCA900, 3);
    305 "utf8mb4_0900_as_ci" Utf8mb4 false false 0 Algorithm::Uca(&UCA900, 2);
    309 "utf8mb4_0900_bin" Utf8mb4 false false 1 Algorithm::Bytes;
}

/// Index into [`COLLATIONS`] by id; 255 = none.
static BY_ID: [u8; 512] = {
    let mut t = [255u8; 512];
    let mut i = 0;
    #[allow(clippy::indexing_slicing)] // evaluated at compile time
    while i < COLLATIONS.len() {
        t[COLLATIONS[i].id.0 as usize] = i as u8;
        i += 1;
    }
    t
};

static BINARY: Collation = Collation {
    id: CollationId::BINARY,
    name: "binary",
    charset: Charset::Binary,
    pad_space: false,
    is_default: true,
    algorithm: Algorithm::Bytes,
    sortlen: 1,
};

#[inline]
pub(super) fn get(id: CollationId) -> &'static Collation {
    let at = BY_ID.get(id.0 as usize).copied().unwrap_or(255);
    COLLATIONS.get(at as usize).unwrap_or(&BINARY)
}

/// By name, any case; `utf8_...` means `utf8mb3_...`.
pub fn by_name(name: &str) -> Option<&'static Collation> {
    let found = COLLATIONS.iter().find(|c| c.name.eq_ignore_ascii_case(name));
    if found.is_some() {
        return found;
    }
    let rest = name.get(..5).filter(|p| p.eq_ignore_ascii_case("utf8_")).and_then(|_| name.get(5..))?;
    COLLATIONS.iter().find(|c| c.name.strip_prefix("utf8mb3_").is_some_and(|r| r.eq_ignore_ascii_case(rest)))
}
