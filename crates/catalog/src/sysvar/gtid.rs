//! Sets of GTIDs as SET writes them: `uuid[:tag]:first[-last][:...]`, separated by commas (manual, "GTID Format and Storage").
//!
//! Only whether a text is one, with tags or without. Pure. Tested: below and by golden `loading_dumps`.

/// Whether the text is a set of GTIDs; white space is allowed around each part, an empty set is one.
pub fn is_set(text: &str) -> bool {
    let parts = || text.split(',').map(str::trim).filter(|p| !p.is_empty());
    parts().all(one_source)
}

fn one_source(part: &str) -> bool {
    let mut pieces = part.split(':').map(str::trim);
    let mut any = false;
    let mut after_tag = false;
    pieces.next().is_some_and(is_uuid)
        && pieces.all(|p| {
            any = true;
            let ok = is_interval(p) || (!after_tag && is_tag(p));
            after_tag = is_tag(p);
            ok
        })
        && any
        && !after_tag
}

/// With or without dashes, also in braces.
fn is_uuid(s: &str) -> bool {
    let s = s.strip_prefix('{').and_then(|s| s.strip_suffix('}')).unwrap_or(s);
    let dashes = s.bytes().enumerate().all(|(i, b)| (b == b'-') == matches!(i, 8 | 13 | 18 | 23));
    (s.len() == 36 && dashes || s.len() == 32) && s.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

fn is_tag(s: &str) -> bool {
    let start = s.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    start && s.len() <= 32 && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn is_interval(s: &str) -> bool {
    let number = |s: &str| s.trim().parse::<i64>().is_ok_and(|n| n > 0);
    match s.split_once('-') {
        Some((first, last)) => number(first) && number(last),
        None => number(s),
    }
}

#[cfg(test)]
mod tests {
    use super::is_set;

    #[test]
    fn sets() {
        let u = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
        for good in ["", " , ", &format!("{u}:1"), &format!("{u}:1-5:7,\n{u}:tag:1-3:other:4"), &format!(" {{{u}}}:1 ")]
        {
            assert!(is_set(good), "{good}");
        }
        for bad in [
            "x",
            u,
            &format!("{u}:"),
            &format!("{u}:0"),
            &format!("{u}:1-"),
            &format!("{u}:tag"),
            &format!("{u}:a:b:1"),
            "1-5",
        ] {
            assert!(!is_set(bad), "{bad}");
        }
    }
}
