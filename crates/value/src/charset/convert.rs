//! From one character set to another.

use super::Charset;

/// What [`convert`] had to do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ConvertOutcome {
    /// Characters that the target does not have; each became '?'.
    pub unmappable: usize,
    /// Source bytes that were not well-formed; each became '?'.
    pub malformed: usize,
}

/// Appends `s` converted. To or from `binary` copies the bytes, with zeros in front where characters are wider.
pub fn convert(s: &[u8], from: Charset, to: Charset, out: &mut Vec<u8>) -> ConvertOutcome {
    let mut outcome = ConvertOutcome::default();
    let same = from == to || from == Charset::Binary || to == Charset::Binary;
    if from == Charset::Binary && to.is_wide() {
        out.extend_from_slice(&super::aligned(to, s));
        return outcome;
    }
    let narrow = from.has_ascii() && to.has_ascii();
    if same || (narrow && s.is_ascii()) || (from == Charset::Utf8mb3 && to == Charset::Utf8mb4) {
        out.extend_from_slice(s);
        return outcome;
    }
    let mut rest = s;
    while !rest.is_empty() {
        let n = match from.decode(rest).or_else(|| undefined(from, rest)) {
            Some((c, n)) => {
                if !to.encode(c, out) {
                    outcome.unmappable += 1;
                    to.encode(u32::from(b'?'), out);
                }
                n
            }
            None => {
                outcome.malformed += 1;
                to.encode(u32::from(b'?'), out);
                1
            }
        };
        rest = rest.get(n..).unwrap_or(b"");
    }
    outcome
}

/// A character that is formed well but not defined: converted like one that the target lacks.
fn undefined(from: Charset, s: &[u8]) -> Option<(u32, usize)> {
    let n = from.is_multibyte().then(|| super::multibyte::form(from, s)).flatten()?;
    (n > 1).then_some((u32::MAX, n))
}
