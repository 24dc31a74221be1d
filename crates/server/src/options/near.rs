//! "Did you mean": the name of an option that is nearest to one that does not exist.
//!
//! Pure. Tested below.

use super::others;
use catalog::sysvar::{Flags, Var};

/// What to say after an unknown name (dashes, lower case): what was meant, or what takes its place. Empty if nothing is near.
pub fn hint(name: &str) -> String {
    if let Some((_, what)) = others::FORMER.iter().find(|(old, _)| *old == name) {
        return format!("; {what}");
    }
    match nearest(name) {
        Some(n) => format!("; did you mean '{}'?", n.replace('-', "_")),
        None => String::new(),
    }
}

fn nearest(name: &str) -> Option<String> {
    let plain = ["skip-", "disable-", "enable-"].iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name);
    let variables = Var::all().filter(|v| v.def().flags.has(Flags::OPT)).map(|v| v.name().replace('_', "-"));
    let others = others::TABLE.iter().filter(|o| !o.name.ends_with('*')).map(|o| o.name.to_owned());
    let all: Vec<String> = variables.chain(others).collect();
    // a slip of the finger, or a beginning that only a few have
    let far = (plain.len() / 5).clamp(1, 4);
    let best = all.iter().map(|n| (distance(plain, n).min(distance(name, n)), n)).min_by_key(|(d, _)| *d)?;
    if best.0 <= far {
        return Some(best.1.clone());
    }
    let begun: Vec<&String> = all.iter().filter(|n| plain.len() >= 4 && n.starts_with(plain)).collect();
    match begun.as_slice() {
        [only] | [only, _] => Some((*only).clone()),
        _ => None,
    }
}

/// Letters to insert, remove, change or swap with their neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<u8>, Vec<u8>) = (a.bytes().collect(), b.bytes().collect());
    if a.len().abs_diff(b.len()) > 4 {
        return usize::MAX;
    }
    let at = |v: &[usize], i: usize| v.get(i).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let change = at(&row, j) + usize::from(x != y);
            let mut best = change.min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    at(&row, b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        assert_eq!(distance("port", "prot"), 1);
        assert_eq!(distance("", "abc"), 3);
        for (typed, meant) in [
            ("max-conections", "max_connections"),
            ("inodb-buffer-pool-size", "innodb_buffer_pool_size"),
            ("innodb-buffer-pool-siez", "innodb_buffer_pool_size"),
            ("prot", "port"),
            ("bind-adress", "bind_address"),
            ("skip-netwroking", "networking"),
            ("initialise", "initialize"),
            ("tx-isolation", "transaction_isolation"),
        ] {
            let said = hint(typed);
            assert!(said.contains(meant), "{typed}: {said}");
        }
        assert_eq!(hint("nonsense"), "");
        assert_eq!(hint("x"), "");
    }
}
