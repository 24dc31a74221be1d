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
        let de = Locale::by_name("DE_de").expect("known");
        assert_eq!((de.month(3), de.short_day(0), de.point), (Some("März"), Some("Mo"), ","));
        assert_eq!(Locale::by_name("xx_YY").map(|l| l.name), None);
    }
}
