//! Why ICU refuses a pattern: MySQL's errors 3688 to 3697 and 3887. Read only when a pattern could not be compiled, or has an interval.
//!
//! The first fault from the left decides, as in ICU; a parenthesis that stays open is found last. What no rule here explains is 3685.

use base::{ErrorCode, SqlError};

/// Classes of characters in brackets.
const CLASSES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

fn error(code: ErrorCode) -> Option<SqlError> {
    Some(SqlError::new(code, &[]))
}

/// ICU's error 3688 at this character, whose line and place in it count from 1.
fn syntax(chars: &[char], at: usize) -> Option<SqlError> {
    let before = chars.get(..at).unwrap_or(chars);
    let line = 1 + before.iter().filter(|c| **c == '\n').count();
    let place = 1 + before.iter().rev().take_while(|c| **c != '\n').count();
    Some(SqlError::new(ErrorCode::REGEXP_RULE_SYNTAX, &[&line, &place]))
}

/// What the library takes and ICU does not: an interval with a maximum below its minimum, two groups of one name, classes that do not exist.
pub(super) fn taken(pattern: &str) -> Option<SqlError> {
    if !["{", "(?<", "(?(", "[[:"].iter().any(|s| pattern.contains(s)) {
        return None;
    }
    let known = [
        ErrorCode::REGEXP_MAX_LT_MIN,
        ErrorCode::REGEXP_INVALID_CAPTURE_GROUP_NAME,
        ErrorCode::REGEXP_UNIMPLEMENTED,
        ErrorCode::REGEXP_LOOK_BEHIND_LIMIT,
    ];
    if let Some(e) = fault(pattern) {
        return known.iter().any(|c| e.is(*c)).then_some(e);
    }
    let unknown = pattern.split("[[:").skip(1).any(|rest| {
        let name = rest.split(":]").next().unwrap_or(rest).trim_start_matches('^');
        !CLASSES.contains(&name) && rest.contains(":]")
    });
    unknown.then(|| SqlError::new(ErrorCode::REGEXP_ILLEGAL_ARGUMENT, &[]))
}

/// The fault of a pattern.
pub(super) fn of(pattern: &str) -> SqlError {
    fault(pattern).unwrap_or_else(|| SqlError::new(ErrorCode::REGEXP_ILLEGAL_ARGUMENT, &[]))
}

fn fault(pattern: &str) -> Option<SqlError> {
    let chars: Vec<char> = pattern.chars().collect();
    let at = |i: usize| chars.get(i).copied();
    let (mut i, mut depth, mut groups) = (0, 0u32, 0u32);
    let mut names: Vec<&[char]> = Vec::new();
    // at which depth a look-behind began: in it nothing may be repeated without a limit
    let mut behind: Option<u32> = None;
    // whether something stands in front that can be repeated
    let mut item = false;
    while let Some(c) = at(i) {
        match c {
            '\\' => match escape(&chars, i, groups, &names) {
                Ok(next) => {
                    i = next;
                    item = true;
                    continue;
                }
                Err(code) => return error(code),
            },
            '[' => match set(&chars, i) {
                Ok(next) => {
                    i = next;
                    item = true;
                    continue;
                }
                Err(code) => return error(code),
            },
            '(' if at(i + 1) == Some('?') => {
                depth += 1;
                item = false;
                i += 2;
                let (next, group) = match special_group(&chars, i, &names) {
                    Ok(found) => found,
                    Err(e) => return e,
                };
                i = next;
                match group {
                    Group::Open => {}
                    Group::Behind => {
                        behind.get_or_insert(depth);
                    }
                    Group::Named(name) => {
                        names.push(name);
                        groups += 1;
                    }
                    Group::Closed => depth -= 1,
                }
            }
            '(' => {
                depth += 1;
                groups += 1;
                item = false;
            }
            ')' if depth == 0 => return error(ErrorCode::REGEXP_MISMATCHED_PAREN),
            ')' => {
                behind = behind.filter(|d| *d < depth);
                depth -= 1;
                item = true;
            }
            '|' => item = false,
            '*' | '+' | '?' | '{' => {
                if !item {
                    return syntax(&chars, i);
                }
                if behind.is_some() && matches!(c, '*' | '+') {
                    return error(ErrorCode::REGEXP_LOOK_BEHIND_LIMIT);
                }
                if c == '{' {
                    match interval(&chars, i) {
                        Ok(next) => i = next,
                        Err(code) => return error(code),
                    }
                }
                if matches!(at(i + 1), Some('?' | '+')) {
                    i += 1;
                }
                item = false;
            }
            _ => item = true,
        }
        i += 1;
    }
    if depth > 0 { error(ErrorCode::REGEXP_MISMATCHED_PAREN) } else { None }
}

/// What begins with `(?`.
enum Group<'c> {
    /// A group without a name, look-ahead, a comment.
    Open,
    /// Look-behind.
    Behind,
    /// `(?<name>`
    Named(&'c [char]),
    /// `(?i)`: flags for what follows, closed already.
    Closed,
}

/// Which group begins with the `(?` before `i`, and where its head's last character is.
fn special_group<'c>(
    chars: &'c [char],
    mut i: usize,
    names: &[&'c [char]],
) -> Result<(usize, Group<'c>), Option<SqlError>> {
    let at = |i: usize| chars.get(i).copied();
    match (at(i), at(i + 1)) {
        (Some(':' | '=' | '!' | '>' | '#'), _) => Ok((i, Group::Open)),
        (Some('<'), Some('=' | '!')) => Ok((i + 1, Group::Behind)),
        (Some('<'), _) => {
            let rest = chars.get(i + 1..).unwrap_or(&[]);
            let name = rest.split(|c| *c == '>').next().unwrap_or(&[]);
            let good =
                name.first().is_some_and(char::is_ascii_alphabetic) && name.iter().all(char::is_ascii_alphanumeric);
            if !good || names.contains(&name) {
                return Err(error(ErrorCode::REGEXP_INVALID_CAPTURE_GROUP_NAME));
            }
            Ok((i + 1 + name.len(), Group::Named(name)))
        }
        // conditions, and groups in Perl's way
        (Some('('), _) => Err(error(ErrorCode::REGEXP_UNIMPLEMENTED)),
        _ => {
            while matches!(at(i), Some('i' | 's' | 'm' | 'w' | 'x' | 'u' | '-')) {
                i += 1;
            }
            match at(i) {
                Some(':') => Ok((i, Group::Open)),
                Some(')') => Ok((i, Group::Closed)),
                Some(_) => Err(syntax(chars, i)),
                None => Err(error(ErrorCode::REGEXP_MISMATCHED_PAREN)),
            }
        }
    }
}

/// Where `{min,max}` that begins at `i` ends.
fn interval(chars: &[char], i: usize) -> Result<usize, ErrorCode> {
    let rest = chars.get(i + 1..).unwrap_or(&[]);
    let Some(end) = rest.iter().position(|c| *c == '}') else { return Err(ErrorCode::REGEXP_BAD_INTERVAL) };
    let text: String = rest.get(..end).unwrap_or(&[]).iter().collect();
    let (min, max) = text.split_once(',').unwrap_or((&text, &text));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if min.is_empty() || !digits(min) || !digits(max) {
        return Err(ErrorCode::REGEXP_BAD_INTERVAL);
    }
    match (min.parse::<i32>(), max.parse::<i32>()) {
        (Ok(a), Ok(b)) if b < a => Err(ErrorCode::REGEXP_MAX_LT_MIN),
        _ => Ok(i + 1 + end),
    }
}

/// Where the escape sequence at `i` ends.
fn escape(chars: &[char], i: usize, groups: u32, names: &[&[char]]) -> Result<usize, ErrorCode> {
    let Some(c) = chars.get(i + 1).copied() else { return Err(ErrorCode::REGEXP_BAD_ESCAPE_SEQUENCE) };
    let rest = chars.get(i + 2..).unwrap_or(&[]);
    match c {
        'Q' => {
            let end = rest.windows(2).position(|w| w == ['\\', 'E']);
            Ok(end.map_or(chars.len(), |n| i + 2 + n + 2))
        }
        '1'..='9' if c.to_digit(10).is_some_and(|n| n > groups) => Err(ErrorCode::REGEXP_INVALID_BACK_REF),
        'k' => {
            let name = rest.strip_prefix(&['<']).and_then(|r| r.split(|c| *c == '>').next());
            match name {
                Some(n) if names.contains(&n) => Ok(i + 4 + n.len()),
                _ => Err(ErrorCode::REGEXP_INVALID_CAPTURE_GROUP_NAME),
            }
        }
        'x' | 'u' | 'U' => {
            let digits = match c {
                'x' if rest.first() == Some(&'{') => rest.get(1..).unwrap_or(&[]).split(|c| *c == '}').next(),
                'x' => rest.get(..2),
                'u' => rest.get(..4),
                _ => rest.get(..8),
            };
            let text: String = digits.unwrap_or(&[]).iter().collect();
            match u32::from_str_radix(&text, 16) {
                Ok(n) if n <= 0x10_FFFF => Ok(i + 2),
                _ => Err(ErrorCode::REGEXP_BAD_ESCAPE_SEQUENCE),
            }
        }
        'p' | 'P' | 'N' if rest.first() == Some(&'{') => Ok(i + 2 + rest.iter().position(|c| *c == '}').unwrap_or(0)),
        c if c.is_ascii_alphabetic() && !"aAbBcdDefGhHnrRsStvVwWXzZ0".contains(c) => {
            Err(ErrorCode::REGEXP_BAD_ESCAPE_SEQUENCE)
        }
        _ => Ok(i + 2),
    }
}

/// Where the set at `i` ends.
fn set(chars: &[char], i: usize) -> Result<usize, ErrorCode> {
    let at = |n: usize| chars.get(n).copied();
    let (mut n, mut depth) = (i, 0u32);
    // the character that may begin a range
    let mut low = None;
    while let Some(c) = at(n) {
        match c {
            '\\' => {
                n += 2;
                low = None;
                continue;
            }
            '[' => {
                depth += 1;
                low = None;
                if at(n + 1) == Some('^') {
                    n += 1;
                }
                // a bracket in the first place is a character
                if at(n + 1) == Some(']') {
                    n += 1;
                    low = Some(']');
                }
            }
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(n + 1);
                }
                low = None;
            }
            '-' => {
                if let (Some(a), Some(b)) = (low, at(n + 1))
                    && !matches!(b, ']' | '[' | '\\' | '-')
                {
                    if b < a {
                        return Err(ErrorCode::REGEXP_INVALID_RANGE);
                    }
                    n += 1;
                }
                low = None;
            }
            c => low = Some(c),
        }
        n += 1;
    }
    Err(ErrorCode::REGEXP_MISSING_CLOSE_BRACKET)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn faults() {
        for (pattern, code) in [
            ("(", 3691),
            ("a)", 3691),
            ("[", 3696),
            ("[[:alpha:]", 3696),
            ("[b-a]", 3697),
            ("*", 3688),
            ("a|*", 3688),
            ("a**", 3688),
            ("(?z)", 3688),
            ("a{2,1}", 3693),
            ("a{x}", 3692),
            ("\\", 3689),
            ("\\y", 3689),
            ("(a)\\2", 3694),
            ("\\k<z>", 3887),
            ("(?<a>x)(?<a>y)", 3887),
            ("[[:foo:]]", 3685),
            ("a+?b*+c{1,2}(?i:x)[]a-z^-]\\Q(\\E", 3685),
        ] {
            assert_eq!(of(pattern).code(), code, "{pattern}");
        }
    }
}
