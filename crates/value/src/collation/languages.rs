//! The tailorings, by section of `tailored.bin` (the order is `gen/gen_tailored.py`'s).

use super::tailored::Tailored;
use super::uca::{UCA400, UCA900};

macro_rules! languages {
    ($($name:ident $base:ident $section:literal $contracts:literal;)*) => {
        $(pub(super) static $name: Tailored = Tailored::new(&$base, $section, $contracts);)*
    };
}

languages! {
    ICELANDIC UCA400 0 false;
    LATVIAN UCA400 1 false;
    ROMANIAN UCA400 2 false;
    SLOVENIAN UCA400 3 false;
    POLISH UCA400 4 false;
    ESTONIAN UCA400 5 false;
    SPANISH UCA400 6 false;
    SWEDISH UCA400 7 false;
    TURKISH UCA400 8 false;
    CZECH UCA400 9 true;
    DANISH UCA400 10 true;
    LITHUANIAN UCA400 11 true;
    SLOVAK UCA400 12 true;
    SPANISH2 UCA400 13 true;
    ROMAN UCA400 14 false;
    PERSIAN UCA400 15 false;
    ESPERANTO UCA400 16 false;
    HUNGARIAN UCA400 17 false;
    SINHALA UCA400 18 false;
    GERMAN2 UCA400 19 false;
    CROATIAN UCA400 20 true;
    VIETNAMESE UCA400 21 false;
    DE_PB_900 UCA900 22 false;
    IS_900 UCA900 23 false;
    LV_900 UCA900 24 false;
    RO_900 UCA900 25 false;
    SL_900 UCA900 26 false;
    PL_900 UCA900 27 false;
    ET_900 UCA900 28 false;
    ES_900 UCA900 29 false;
    SV_900 UCA900 30 false;
    TR_900 UCA900 31 false;
    CS_900 UCA900 32 true;
    DA_900 UCA900 33 true;
    LT_900 UCA900 34 true;
    SK_900 UCA900 35 true;
    ES_TRAD_900 UCA900 36 true;
    LA_900 UCA900 37 false;
    EO_900 UCA900 38 false;
    HU_900 UCA900 39 true;
    HR_900 UCA900 40 true;
    VI_900 UCA900 41 false;
    RU_900 UCA900 42 false;
    NB_900 UCA900 43 true;
    MN_CYRL_900 UCA900 44 false;
}

/// Of `eastern.bin`.
pub(super) static ZH_900: Tailored = Tailored::eastern(&UCA900, 0);
/// `japanese.bin`.
pub(super) static JA_900: Tailored = Tailored::japanese(&UCA900);
