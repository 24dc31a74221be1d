//! Names of months and days, and the grouping of digits, per locale (`lc_time_names`, FORMAT()).
//!
//! `locales.txt` is made by `gen/gen_locales.py`. Text is UTF-8; callers convert it. Source: manual, "MySQL Server Locale Support".

use std::sync::OnceLock;

/// One locale.
#[derive(Debug)]
pub struct Locale {
    /// Name, for example `de_DE`.
    pub name: &'static str,
    names: [Vec<&'static str>; 4],
    /// Decimal point of FORMAT().
    pub point: &'static str,
    /// Between groups of digits; empty: none.
    pub separator: &'static str,
    /// Digits of the last group, and of each group before it.
    pub groups: (usize, usize),
}

fn all() -> &'static [Locale] {
    static LIST: OnceLock<Vec<Locale>> = OnceLock::new();
    LIST.get_or_init(|| include_str!("locales.txt").lines().filter_map(Locale::parse).collect())
}

impl Locale {
    fn parse(line: &'static str) -> Option<Locale> {
        let mut f = line.split('|');
        let name = f.next()?;
        let mut take = |n: usize| f.by_ref().take(n).collect::<Vec<_>>();
        let names = [take(12), take(12), take(7), take(7)];
        let tail = take(4);
        let [point, separator, last, before] = tail.as_slice() else { return None };
        Some(Locale { name, names, point, separator, groups: (last.parse().ok()?, before.parse().ok()?) })
    }

    /// By name, any case; `None`: no such locale.
    pub fn by_name(name: &str) -> Option<&'static Locale> {
        all().iter().find(|l| l.name.eq_ignore_ascii_case(name))
    }

    fn get(&self, list: usize, i: Option<usize>) -> Option<&'static str> {
        self.names.get(list)?.get(i?).copied()
    }

    /// Name of month 1-12.
    pub fn month(&self, m: u32) -> Option<&'static str> {
        self.get(0, (m as usize).checked_sub(1))
    }
    /// Abbreviated name of month 1-12.
    pub fn short_month(&self, m: u32) -> Option<&'static str> {
        self.get(1, (m as usize).checked_sub(1))
    }
    /// Name of a day, Monday = 0.
    pub fn day(&self, d: u32) -> Option<&'static str> {
        self.get(2, Some(d as usize))
    }
    /// Abbreviated name of a day, Monday = 0.
    pub fn short_day(&self, d: u32) -> Option<&'static str> {
        self.get(3, Some(d as usize))
    }
}

/// Locales in the order of MySQL's numbers for them.
#[rustfmt::skip]
const BY_NUMBER: [&str; 111] = [
    "en_US", "en_GB", "ja_JP", "sv_SE", "de_DE", "fr_FR", "ar_AE", "ar_BH", "ar_JO", "ar_SA", "ar_SY",
    "be_BY", "bg_BG", "ca_ES", "cs_CZ", "da_DK", "de_AT", "es_ES", "et_EE", "eu_ES", "fi_FI", "fo_FO",
    "gl_ES", "gu_IN", "he_IL", "hi_IN", "hr_HR", "hu_HU", "id_ID", "is_IS", "it_CH", "ko_KR", "lt_LT",
    "lv_LV", "mk_MK", "mn_MN", "ms_MY", "nb_NO", "nl_NL", "pl_PL", "pt_BR", "pt_PT", "ro_RO", "ru_RU",
    "ru_UA", "sk_SK", "sl_SI", "sq_AL", "sr_RS", "ta_IN", "te_IN", "th_TH", "tr_TR", "uk_UA", "ur_PK",
    "vi_VN", "zh_CN", "zh_TW", "ar_DZ", "ar_EG", "ar_IN", "ar_IQ", "ar_KW", "ar_LB", "ar_LY", "ar_MA",
    "ar_OM", "ar_QA", "ar_SD", "ar_TN", "ar_YE", "de_BE", "de_CH", "de_LU", "en_AU", "en_CA", "en_IN",
    "en_NZ", "en_PH", "en_ZA", "en_ZW", "es_AR", "es_BO", "es_CL", "es_CO", "es_CR", "es_DO", "es_EC",
    "es_GT", "es_HN", "es_MX", "es_NI", "es_PA", "es_PE", "es_PR", "es_PY", "es_SV", "es_US", "es_UY",
    "es_VE", "fr_BE", "fr_CA", "fr_CH", "fr_LU", "it_IT", "nl_BE", "no_NO", "sv_FI", "zh_HK", "el_GR",
    "rm_CH",
];

/// MySQL's number of the locale: what a QUERY event of the binary log has of `lc_time_names`.
pub fn number_of(name: &str) -> Option<u16> {
    let at = BY_NUMBER.iter().position(|l| l.eq_ignore_ascii_case(name))?;
    u16::try_from(at).ok()
}

/// The name of the locale with this number: `SET lc_time_names = 4`.
pub fn name_of(number: u64) -> Option<&'static str> {
    BY_NUMBER.get(usize::try_from(number).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete() {
        assert_eq!(all().len(), 111);
        for l in all() {
            assert!((1..=12).all(|m| l.month(m).is_some() && l.short_month(m).is_some()), "{}", l.name);
            assert!((0..7).all(|d| l.day(d).is_some() && l.short_day(d).is_some()), "{}", l.name);
        }
        assert!(BY_NUMBER.iter().all(|name| Locale::by_name(name).is_some()));
        assert_eq!((number_of("de_de"), name_of(110), name_of(111)), (Some(4), Some("rm_CH"), None));
        let de = Locale::by_name("DE_de").expect("known");
        assert_eq!((de.month(3), de.short_day(0), de.point), (Some("März"), Some("Mo"), ","));
        assert_eq!(Locale::by_name("xx_YY").map(|l| l.name), None);
    }
}
