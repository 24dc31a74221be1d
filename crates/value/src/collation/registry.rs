//! The list of collations, by id and by name.

use super::languages::*;
use super::uca::{UCA400, UCA520, UCA900};
use super::{Algorithm, Collation, CollationId, Special, WideOrder};
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

/// Weight tables of the other 8-bit sets' collations (`gen/gen_eightbit.py`).
const fn eight_bit(n: usize) -> &'static [u8; 256] {
    static TABLES: &[u8; 8192] = include_bytes!("eightbit.bin");
    match TABLES.split_at(n * 256).1.first_chunk::<256>() {
        Some(t) => t,
        None => panic!("thirty-two tables"),
    }
}

const UCA900_1: Algorithm = Algorithm::Uca(&UCA900, 1);

collations! {
    1 "big5_chinese_ci" Big5 true true 1 Algorithm::Multibyte(Charset::Big5);
    2 "latin2_czech_cs" Latin2 true false 4 Algorithm::Special(Special::Latin2);
    3 "dec8_swedish_ci" Dec8 true true 1 Algorithm::SimpleTable(eight_bit(0));
    4 "cp850_general_ci" Cp850 true true 1 Algorithm::SimpleTable(eight_bit(1));
    5 "latin1_german1_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(0));
    6 "hp8_english_ci" Hp8 true true 1 Algorithm::SimpleTable(eight_bit(2));
    7 "koi8r_general_ci" Koi8r true true 1 Algorithm::SimpleTable(eight_bit(3));
    8 "latin1_swedish_ci" Latin1 true true 1 Algorithm::SimpleTable(single_byte(1));
    9 "latin2_general_ci" Latin2 true true 1 Algorithm::SimpleTable(eight_bit(4));
    10 "swe7_swedish_ci" Swe7 true true 1 Algorithm::SimpleTable(eight_bit(31));
    11 "ascii_general_ci" Ascii true true 1 Algorithm::SimpleTable(single_byte(6));
    12 "ujis_japanese_ci" Ujis true true 1 Algorithm::Multibyte(Charset::Ujis);
    13 "sjis_japanese_ci" Sjis true true 1 Algorithm::Multibyte(Charset::Sjis);
    14 "cp1251_bulgarian_ci" Cp1251 true false 1 Algorithm::SimpleTable(eight_bit(23));
    15 "latin1_danish_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(2));
    16 "hebrew_general_ci" Hebrew true true 1 Algorithm::SimpleTable(eight_bit(7));
    18 "tis620_thai_ci" Tis620 true true 4 Algorithm::Special(Special::Tis620);
    19 "euckr_korean_ci" Euckr true true 1 Algorithm::Multibyte(Charset::Euckr);
    20 "latin7_estonian_cs" Latin7 true false 1 Algorithm::SimpleTable(eight_bit(20));
    21 "latin2_hungarian_ci" Latin2 true false 1 Algorithm::SimpleTable(eight_bit(5));
    22 "koi8u_general_ci" Koi8u true true 1 Algorithm::SimpleTable(eight_bit(8));
    23 "cp1251_ukrainian_ci" Cp1251 true false 1 Algorithm::SimpleTable(eight_bit(24));
    24 "gb2312_chinese_ci" Gb2312 true true 1 Algorithm::Multibyte(Charset::Gb2312);
    25 "greek_general_ci" Greek true true 1 Algorithm::SimpleTable(eight_bit(9));
    26 "cp1250_general_ci" Cp1250 true true 1 Algorithm::SimpleTable(eight_bit(10));
    27 "latin2_croatian_ci" Latin2 true false 1 Algorithm::SimpleTable(eight_bit(6));
    28 "gbk_chinese_ci" Gbk true true 1 Algorithm::Multibyte(Charset::Gbk);
    29 "cp1257_lithuanian_ci" Cp1257 true false 1 Algorithm::SimpleTable(eight_bit(28));
    30 "latin5_turkish_ci" Latin5 true true 1 Algorithm::SimpleTable(eight_bit(13));
    31 "latin1_german2_ci" Latin1 true false 2 Algorithm::Special(Special::German2);
    32 "armscii8_general_ci" Armscii8 true true 1 Algorithm::SimpleTable(eight_bit(14));
    33 "utf8mb3_general_ci" Utf8mb3 true true 1 Algorithm::GeneralCi;
    34 "cp1250_czech_cs" Cp1250 true false 2 Algorithm::Special(Special::Cp1250);
    35 "ucs2_general_ci" Ucs2 true true 1 Algorithm::Wide(Charset::Ucs2, WideOrder::General);
    36 "cp866_general_ci" Cp866 true true 1 Algorithm::SimpleTable(eight_bit(15));
    37 "keybcs2_general_ci" Keybcs2 true true 1 Algorithm::SimpleTable(eight_bit(16));
    38 "macce_general_ci" Macce true true 1 Algorithm::SimpleTable(eight_bit(17));
    39 "macroman_general_ci" Macroman true true 1 Algorithm::SimpleTable(eight_bit(18));
    40 "cp852_general_ci" Cp852 true true 1 Algorithm::SimpleTable(eight_bit(19));
    41 "latin7_general_ci" Latin7 true true 1 Algorithm::SimpleTable(eight_bit(21));
    42 "latin7_general_cs" Latin7 true false 1 Algorithm::SimpleTable(eight_bit(22));
    43 "macce_bin" Macce true false 1 Algorithm::Bytes;
    44 "cp1250_croatian_ci" Cp1250 true false 1 Algorithm::SimpleTable(eight_bit(11));
    45 "utf8mb4_general_ci" Utf8mb4 true false 1 Algorithm::GeneralCi;
    46 "utf8mb4_bin" Utf8mb4 true false 1 Algorithm::Bytes;
    47 "latin1_bin" Latin1 true false 1 Algorithm::Bytes;
    48 "latin1_general_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(3));
    49 "latin1_general_cs" Latin1 true false 1 Algorithm::SimpleTable(single_byte(4));
    50 "cp1251_bin" Cp1251 true false 1 Algorithm::Bytes;
    51 "cp1251_general_ci" Cp1251 true true 1 Algorithm::SimpleTable(eight_bit(25));
    52 "cp1251_general_cs" Cp1251 true false 1 Algorithm::SimpleTable(eight_bit(26));
    53 "macroman_bin" Macroman true false 1 Algorithm::Bytes;
    54 "utf16_general_ci" Utf16 true true 1 Algorithm::Wide(Charset::Utf16, WideOrder::General);
    55 "utf16_bin" Utf16 true false 1 Algorithm::Wide(Charset::Utf16, WideOrder::Code);
    56 "utf16le_general_ci" Utf16le true true 1 Algorithm::Wide(Charset::Utf16le, WideOrder::General);
    57 "cp1256_general_ci" Cp1256 true true 1 Algorithm::SimpleTable(eight_bit(27));
    58 "cp1257_bin" Cp1257 true false 1 Algorithm::Bytes;
    59 "cp1257_general_ci" Cp1257 true true 1 Algorithm::SimpleTable(eight_bit(29));
    60 "utf32_general_ci" Utf32 true true 1 Algorithm::Wide(Charset::Utf32, WideOrder::General);
    61 "utf32_bin" Utf32 true false 1 Algorithm::Wide(Charset::Utf32, WideOrder::Code);
    62 "utf16le_bin" Utf16le true false 1 Algorithm::Wide(Charset::Utf16le, WideOrder::Code);
    63 "binary" Binary false true 1 Algorithm::Bytes;
    64 "armscii8_bin" Armscii8 true false 1 Algorithm::Bytes;
    65 "ascii_bin" Ascii true false 1 Algorithm::Bytes;
    66 "cp1250_bin" Cp1250 true false 1 Algorithm::Bytes;
    67 "cp1256_bin" Cp1256 true false 1 Algorithm::Bytes;
    68 "cp866_bin" Cp866 true false 1 Algorithm::Bytes;
    69 "dec8_bin" Dec8 true false 1 Algorithm::Bytes;
    70 "greek_bin" Greek true false 1 Algorithm::Bytes;
    71 "hebrew_bin" Hebrew true false 1 Algorithm::Bytes;
    72 "hp8_bin" Hp8 true false 1 Algorithm::Bytes;
    73 "keybcs2_bin" Keybcs2 true false 1 Algorithm::Bytes;
    74 "koi8r_bin" Koi8r true false 1 Algorithm::Bytes;
    75 "koi8u_bin" Koi8u true false 1 Algorithm::Bytes;
    76 "utf8mb3_tolower_ci" Utf8mb3 true false 1 Algorithm::ToLower;
    77 "latin2_bin" Latin2 true false 1 Algorithm::Bytes;
    78 "latin5_bin" Latin5 true false 1 Algorithm::Bytes;
    79 "latin7_bin" Latin7 true false 1 Algorithm::Bytes;
    80 "cp850_bin" Cp850 true false 1 Algorithm::Bytes;
    81 "cp852_bin" Cp852 true false 1 Algorithm::Bytes;
    82 "swe7_bin" Swe7 true false 1 Algorithm::Bytes;
    83 "utf8mb3_bin" Utf8mb3 true false 1 Algorithm::Bytes;
    84 "big5_bin" Big5 true false 1 Algorithm::Bytes;
    85 "euckr_bin" Euckr true false 1 Algorithm::Bytes;
    86 "gb2312_bin" Gb2312 true false 1 Algorithm::Bytes;
    87 "gbk_bin" Gbk true false 1 Algorithm::Bytes;
    88 "sjis_bin" Sjis true false 1 Algorithm::Bytes;
    89 "tis620_bin" Tis620 true false 1 Algorithm::Bytes;
    90 "ucs2_bin" Ucs2 true false 1 Algorithm::Wide(Charset::Ucs2, WideOrder::Code);
    91 "ujis_bin" Ujis true false 1 Algorithm::Bytes;
    92 "geostd8_general_ci" Geostd8 true true 1 Algorithm::SimpleTable(eight_bit(30));
    93 "geostd8_bin" Geostd8 true false 1 Algorithm::Bytes;
    94 "latin1_spanish_ci" Latin1 true false 1 Algorithm::SimpleTable(single_byte(5));
    95 "cp932_japanese_ci" Cp932 true true 1 Algorithm::Multibyte(Charset::Cp932);
    96 "cp932_bin" Cp932 true false 1 Algorithm::Bytes;
    97 "eucjpms_japanese_ci" Eucjpms true true 1 Algorithm::Multibyte(Charset::Eucjpms);
    98 "eucjpms_bin" Eucjpms true false 1 Algorithm::Bytes;
    99 "cp1250_polish_ci" Cp1250 true false 1 Algorithm::SimpleTable(eight_bit(12));
    101 "utf16_unicode_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(224));
    102 "utf16_icelandic_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(225));
    103 "utf16_latvian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(226));
    104 "utf16_romanian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(227));
    105 "utf16_slovenian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(228));
    106 "utf16_polish_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(229));
    107 "utf16_estonian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(230));
    108 "utf16_spanish_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(231));
    109 "utf16_swedish_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(232));
    110 "utf16_turkish_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(233));
    111 "utf16_czech_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(234));
    112 "utf16_danish_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(235));
    113 "utf16_lithuanian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(236));
    114 "utf16_slovak_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(237));
    115 "utf16_spanish2_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(238));
    116 "utf16_roman_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(239));
    117 "utf16_persian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(240));
    118 "utf16_esperanto_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(241));
    119 "utf16_hungarian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(242));
    120 "utf16_sinhala_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(243));
    121 "utf16_german2_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(244));
    122 "utf16_croatian_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(245));
    123 "utf16_unicode_520_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(246));
    124 "utf16_vietnamese_ci" Utf16 true false 8 Algorithm::Wide(Charset::Utf16, WideOrder::As(247));
    128 "ucs2_unicode_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(224));
    129 "ucs2_icelandic_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(225));
    130 "ucs2_latvian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(226));
    131 "ucs2_romanian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(227));
    132 "ucs2_slovenian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(228));
    133 "ucs2_polish_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(229));
    134 "ucs2_estonian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(230));
    135 "ucs2_spanish_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(231));
    136 "ucs2_swedish_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(232));
    137 "ucs2_turkish_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(233));
    138 "ucs2_czech_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(234));
    139 "ucs2_danish_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(235));
    140 "ucs2_lithuanian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(236));
    141 "ucs2_slovak_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(237));
    142 "ucs2_spanish2_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(238));
    143 "ucs2_roman_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(239));
    144 "ucs2_persian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(240));
    145 "ucs2_esperanto_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(241));
    146 "ucs2_hungarian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(242));
    147 "ucs2_sinhala_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(243));
    148 "ucs2_german2_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(244));
    149 "ucs2_croatian_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(245));
    150 "ucs2_unicode_520_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(246));
    151 "ucs2_vietnamese_ci" Ucs2 true false 8 Algorithm::Wide(Charset::Ucs2, WideOrder::As(247));
    159 "ucs2_general_mysql500_ci" Ucs2 true false 1 Algorithm::Wide(Charset::Ucs2, WideOrder::General500);
    160 "utf32_unicode_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(224));
    161 "utf32_icelandic_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(225));
    162 "utf32_latvian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(226));
    163 "utf32_romanian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(227));
    164 "utf32_slovenian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(228));
    165 "utf32_polish_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(229));
    166 "utf32_estonian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(230));
    167 "utf32_spanish_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(231));
    168 "utf32_swedish_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(232));
    169 "utf32_turkish_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(233));
    170 "utf32_czech_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(234));
    171 "utf32_danish_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(235));
    172 "utf32_lithuanian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(236));
    173 "utf32_slovak_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(237));
    174 "utf32_spanish2_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(238));
    175 "utf32_roman_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(239));
    176 "utf32_persian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(240));
    177 "utf32_esperanto_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(241));
    178 "utf32_hungarian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(242));
    179 "utf32_sinhala_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(243));
    180 "utf32_german2_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(244));
    181 "utf32_croatian_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(245));
    182 "utf32_unicode_520_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(246));
    183 "utf32_vietnamese_ci" Utf32 true false 8 Algorithm::Wide(Charset::Utf32, WideOrder::As(247));
    192 "utf8mb3_unicode_ci" Utf8mb3 true false 8 Algorithm::Uca(&UCA400, 1);
    193 "utf8mb3_icelandic_ci" Utf8mb3 true false 8 Algorithm::Tailored(&ICELANDIC, 1);
    194 "utf8mb3_latvian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&LATVIAN, 1);
    195 "utf8mb3_romanian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&ROMANIAN, 1);
    196 "utf8mb3_slovenian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&SLOVENIAN, 1);
    197 "utf8mb3_polish_ci" Utf8mb3 true false 8 Algorithm::Tailored(&POLISH, 1);
    198 "utf8mb3_estonian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&ESTONIAN, 1);
    199 "utf8mb3_spanish_ci" Utf8mb3 true false 8 Algorithm::Tailored(&SPANISH, 1);
    200 "utf8mb3_swedish_ci" Utf8mb3 true false 8 Algorithm::Tailored(&SWEDISH, 1);
    201 "utf8mb3_turkish_ci" Utf8mb3 true false 8 Algorithm::Tailored(&TURKISH, 1);
    202 "utf8mb3_czech_ci" Utf8mb3 true false 8 Algorithm::Tailored(&CZECH, 1);
    203 "utf8mb3_danish_ci" Utf8mb3 true false 8 Algorithm::Tailored(&DANISH, 1);
    204 "utf8mb3_lithuanian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&LITHUANIAN, 1);
    205 "utf8mb3_slovak_ci" Utf8mb3 true false 8 Algorithm::Tailored(&SLOVAK, 1);
    206 "utf8mb3_spanish2_ci" Utf8mb3 true false 8 Algorithm::Tailored(&SPANISH2, 1);
    207 "utf8mb3_roman_ci" Utf8mb3 true false 8 Algorithm::Tailored(&ROMAN, 1);
    208 "utf8mb3_persian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&PERSIAN, 1);
    209 "utf8mb3_esperanto_ci" Utf8mb3 true false 8 Algorithm::Tailored(&ESPERANTO, 1);
    210 "utf8mb3_hungarian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&HUNGARIAN, 1);
    211 "utf8mb3_sinhala_ci" Utf8mb3 true false 8 Algorithm::Tailored(&SINHALA, 1);
    212 "utf8mb3_german2_ci" Utf8mb3 true false 8 Algorithm::Tailored(&GERMAN2, 1);
    213 "utf8mb3_croatian_ci" Utf8mb3 true false 8 Algorithm::Tailored(&CROATIAN, 1);
    214 "utf8mb3_unicode_520_ci" Utf8mb3 true false 8 Algorithm::Uca(&UCA520, 1);
    215 "utf8mb3_vietnamese_ci" Utf8mb3 true false 8 Algorithm::Tailored(&VIETNAMESE, 1);
    223 "utf8mb3_general_mysql500_ci" Utf8mb3 true false 1 Algorithm::General500;
    224 "utf8mb4_unicode_ci" Utf8mb4 true false 8 Algorithm::Uca(&UCA400, 1);
    225 "utf8mb4_icelandic_ci" Utf8mb4 true false 8 Algorithm::Tailored(&ICELANDIC, 1);
    226 "utf8mb4_latvian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&LATVIAN, 1);
    227 "utf8mb4_romanian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&ROMANIAN, 1);
    228 "utf8mb4_slovenian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&SLOVENIAN, 1);
    229 "utf8mb4_polish_ci" Utf8mb4 true false 8 Algorithm::Tailored(&POLISH, 1);
    230 "utf8mb4_estonian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&ESTONIAN, 1);
    231 "utf8mb4_spanish_ci" Utf8mb4 true false 8 Algorithm::Tailored(&SPANISH, 1);
    232 "utf8mb4_swedish_ci" Utf8mb4 true false 8 Algorithm::Tailored(&SWEDISH, 1);
    233 "utf8mb4_turkish_ci" Utf8mb4 true false 8 Algorithm::Tailored(&TURKISH, 1);
    234 "utf8mb4_czech_ci" Utf8mb4 true false 8 Algorithm::Tailored(&CZECH, 1);
    235 "utf8mb4_danish_ci" Utf8mb4 true false 8 Algorithm::Tailored(&DANISH, 1);
    236 "utf8mb4_lithuanian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&LITHUANIAN, 1);
    237 "utf8mb4_slovak_ci" Utf8mb4 true false 8 Algorithm::Tailored(&SLOVAK, 1);
    238 "utf8mb4_spanish2_ci" Utf8mb4 true false 8 Algorithm::Tailored(&SPANISH2, 1);
    239 "utf8mb4_roman_ci" Utf8mb4 true false 8 Algorithm::Tailored(&ROMAN, 1);
    240 "utf8mb4_persian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&PERSIAN, 1);
    241 "utf8mb4_esperanto_ci" Utf8mb4 true false 8 Algorithm::Tailored(&ESPERANTO, 1);
    242 "utf8mb4_hungarian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&HUNGARIAN, 1);
    243 "utf8mb4_sinhala_ci" Utf8mb4 true false 8 Algorithm::Tailored(&SINHALA, 1);
    244 "utf8mb4_german2_ci" Utf8mb4 true false 8 Algorithm::Tailored(&GERMAN2, 1);
    245 "utf8mb4_croatian_ci" Utf8mb4 true false 8 Algorithm::Tailored(&CROATIAN, 1);
    246 "utf8mb4_unicode_520_ci" Utf8mb4 true false 8 Algorithm::Uca(&UCA520, 1);
    247 "utf8mb4_vietnamese_ci" Utf8mb4 true false 8 Algorithm::Tailored(&VIETNAMESE, 1);
    248 "gb18030_chinese_ci" Gb18030 true true 2 Algorithm::Gb18030;
    249 "gb18030_bin" Gb18030 true false 1 Algorithm::Bytes;
    250 "gb18030_unicode_520_ci" Gb18030 true false 8 Algorithm::Wide(Charset::Gb18030, WideOrder::As(246));
    255 "utf8mb4_0900_ai_ci" Utf8mb4 false true 0 UCA900_1;
    256 "utf8mb4_de_pb_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&DE_PB_900, 1);
    257 "utf8mb4_is_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&IS_900, 1);
    258 "utf8mb4_lv_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&LV_900, 1);
    259 "utf8mb4_ro_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&RO_900, 1);
    260 "utf8mb4_sl_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&SL_900, 1);
    261 "utf8mb4_pl_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&PL_900, 1);
    262 "utf8mb4_et_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&ET_900, 1);
    263 "utf8mb4_es_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&ES_900, 1);
    264 "utf8mb4_sv_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&SV_900, 1);
    265 "utf8mb4_tr_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&TR_900, 1);
    266 "utf8mb4_cs_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&CS_900, 1);
    267 "utf8mb4_da_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&DA_900, 1);
    268 "utf8mb4_lt_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&LT_900, 1);
    269 "utf8mb4_sk_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&SK_900, 1);
    270 "utf8mb4_es_trad_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&ES_TRAD_900, 1);
    271 "utf8mb4_la_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&LA_900, 1);
    273 "utf8mb4_eo_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&EO_900, 1);
    274 "utf8mb4_hu_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&HU_900, 1);
    275 "utf8mb4_hr_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&HR_900, 1);
    277 "utf8mb4_vi_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&VI_900, 1);
    278 "utf8mb4_0900_as_cs" Utf8mb4 false false 0 Algorithm::Uca(&UCA900, 3);
    279 "utf8mb4_de_pb_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&DE_PB_900, 3);
    280 "utf8mb4_is_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&IS_900, 3);
    281 "utf8mb4_lv_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&LV_900, 3);
    282 "utf8mb4_ro_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&RO_900, 3);
    283 "utf8mb4_sl_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&SL_900, 3);
    284 "utf8mb4_pl_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&PL_900, 3);
    285 "utf8mb4_et_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&ET_900, 3);
    286 "utf8mb4_es_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&ES_900, 3);
    287 "utf8mb4_sv_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&SV_900, 3);
    288 "utf8mb4_tr_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&TR_900, 3);
    289 "utf8mb4_cs_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&CS_900, 3);
    290 "utf8mb4_da_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&DA_900, 3);
    291 "utf8mb4_lt_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&LT_900, 3);
    292 "utf8mb4_sk_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&SK_900, 3);
    293 "utf8mb4_es_trad_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&ES_TRAD_900, 3);
    294 "utf8mb4_la_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&LA_900, 3);
    296 "utf8mb4_eo_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&EO_900, 3);
    297 "utf8mb4_hu_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&HU_900, 3);
    298 "utf8mb4_hr_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&HR_900, 3);
    300 "utf8mb4_vi_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&VI_900, 3);
    303 "utf8mb4_ja_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&JA_900, 3);
    304 "utf8mb4_ja_0900_as_cs_ks" Utf8mb4 false false 24 Algorithm::Tailored(&JA_900, 4);
    305 "utf8mb4_0900_as_ci" Utf8mb4 false false 0 Algorithm::Uca(&UCA900, 2);
    306 "utf8mb4_ru_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&RU_900, 1);
    307 "utf8mb4_ru_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&RU_900, 3);
    308 "utf8mb4_zh_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&ZH_900, 3);
    309 "utf8mb4_0900_bin" Utf8mb4 false false 1 Algorithm::Bytes;
    310 "utf8mb4_nb_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&NB_900, 1);
    311 "utf8mb4_nb_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&NB_900, 3);
    312 "utf8mb4_nn_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&NB_900, 1);
    313 "utf8mb4_nn_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&NB_900, 3);
    314 "utf8mb4_sr_latn_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&HR_900, 1);
    315 "utf8mb4_sr_latn_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&HR_900, 3);
    316 "utf8mb4_bs_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&HR_900, 1);
    317 "utf8mb4_bs_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&HR_900, 3);
    318 "utf8mb4_bg_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&RU_900, 1);
    319 "utf8mb4_bg_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&RU_900, 3);
    320 "utf8mb4_gl_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&ES_900, 1);
    321 "utf8mb4_gl_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&ES_900, 3);
    322 "utf8mb4_mn_cyrl_0900_ai_ci" Utf8mb4 false false 0 Algorithm::Tailored(&MN_CYRL_900, 1);
    323 "utf8mb4_mn_cyrl_0900_as_cs" Utf8mb4 false false 0 Algorithm::Tailored(&MN_CYRL_900, 3);
}

/// Index into [`COLLATIONS`] by id; the largest number = none.
static BY_ID: [u16; 512] = {
    let mut t = [u16::MAX; 512];
    let mut i = 0;
    #[allow(clippy::indexing_slicing)] // evaluated at compile time
    while i < COLLATIONS.len() {
        t[COLLATIONS[i].id.0 as usize] = i as u16;
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
    let at = BY_ID.get(id.0 as usize).copied().unwrap_or(u16::MAX);
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
