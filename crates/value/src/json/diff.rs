//! Differences between two versions of a document, as MySQL's binary log has them
//! (`binlog_row_value_options=PARTIAL_JSON`): what JSON_SET, JSON_REPLACE and JSON_REMOVE have done, step by step.
//!
//! A path names the value that changed itself: cells that only stand for a value that is no array (`$.a[0]` of `{"a":
//! 1}`) are not in it. Making an array of such a value is a replacement of that value. A replacement by the same bytes
//! is none.
//!
//! Pure code. Tested here and, against MySQL's bytes, by `tests/binlog`.

use super::modify::at;
use super::path::{Index, Leg, Path};
use super::{Dom, Ref};
use base::SqlResult;

/// What is done at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum What {
    Replace,
    /// A member that was not there, or a cell before another one or at the end.
    Insert,
    Remove,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diff {
    /// What is done.
    pub what: What,
    /// The path's text.
    pub path: Vec<u8>,
    /// The new value, a document; of a removal nothing.
    pub value: Vec<u8>,
}

fn printed(legs: Vec<Leg>) -> Vec<u8> {
    let mut out = Vec::new();
    Path { legs }.print(&mut out);
    out
}

/// The legs that lead to the value, without cells that stand for what is no array.
fn real(root: &mut Dom<'_>, legs: &[Leg]) -> Vec<Leg> {
    let mut out = Vec::with_capacity(legs.len());
    let mut d = root;
    for l in legs {
        if matches!(l, Leg::Cell(Index { n: 0, .. })) && !d.is_array() {
            continue;
        }
        out.push(l.clone());
        match at(d, std::slice::from_ref(l)) {
            Some(next) => d = next,
            None => break,
        }
    }
    out
}

fn encoded(d: &Dom<'_>) -> SqlResult<Vec<u8>> {
    let mut out = Vec::new();
    d.encode(&mut out)?;
    Ok(out)
}

/// JSON_SET (`insert`) or JSON_REPLACE; what that has changed.
///
/// # Errors
/// Of encoding: 3157, 3151, 3150.
pub fn set<'a>(root: &mut Dom<'a>, path: &Path, value: Dom<'a>, insert: bool) -> SqlResult<Option<Diff>> {
    let legs = real(root, &path.legs);
    if let Some(d) = at(root, &path.legs) {
        let (before, value_bytes) = (encoded(d)?, encoded(&value)?);
        if before == value_bytes {
            return Ok(None);
        }
        *d = value;
        return Ok(Some(Diff { what: What::Replace, path: printed(legs), value: value_bytes }));
    }
    let Some((last, parent)) = path.legs.split_last().filter(|_| insert) else { return Ok(None) };
    let owner = real(root, parent);
    let Some(d) = at(root, parent) else { return Ok(None) };
    let (is_object, is_array) = (d.is_object(), d.is_array());
    let value_bytes = encoded(&value)?;
    super::modify::set(root, path, value, true, true);
    Ok(match last {
        Leg::Member(_) if is_object => {
            let legs = owner.into_iter().chain([last.clone()]).collect();
            Some(Diff { what: What::Insert, path: printed(legs), value: value_bytes })
        }
        Leg::Cell(_) if is_array => {
            let legs = owner.into_iter().chain([last.clone()]).collect();
            Some(Diff { what: What::Insert, path: printed(legs), value: value_bytes })
        }
        Leg::Cell(_) => {
            // not by the path that was given: its first cells stand for something else in the array
            let whole = at(root, &owner).map(|d| encoded(d)).transpose()?;
            whole.map(|value| Diff { what: What::Replace, path: printed(owner), value })
        }
        _ => None,
    })
}

/// JSON_REMOVE; what that has changed.
pub fn remove(root: &mut Dom<'_>, path: &Path) -> Option<Diff> {
    at(root, &path.legs)?;
    let legs = real(root, &path.legs);
    if legs.is_empty() {
        return None;
    }
    super::modify::remove(root, path);
    Some(Diff { what: What::Remove, path: printed(legs), value: Vec::new() })
}

/// The document with the differences; `None`: they do not fit, or are none.
pub fn apply(document: &[u8], diffs: &[Diff]) -> Option<Vec<u8>> {
    let mut root = Dom::Part(Ref::open(document).ok()?);
    for d in diffs {
        let path = Path::parse(&d.path).ok().filter(|p| !p.has_wildcard())?;
        match d.what {
            What::Remove => {
                at(&mut root, &path.legs)?;
                super::modify::remove(&mut root, &path);
            }
            What::Replace => {
                *at(&mut root, &path.legs)? = Dom::Part(Ref::open(&d.value).ok()?);
            }
            What::Insert => {
                let value = Dom::Part(Ref::open(&d.value).ok()?);
                let (last, parent) = path.legs.split_last()?;
                let owner = at(&mut root, parent)?;
                match last {
                    Leg::Member(k) if owner.is_object() && at(owner, std::slice::from_ref(last)).is_none() => {
                        owner.put(std::borrow::Cow::Owned(k.to_vec()), value);
                    }
                    Leg::Cell(_) if owner.is_array() => super::modify::array_insert(&mut root, &path, value),
                    _ => return None,
                }
            }
        }
    }
    encoded(&root).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::parse_document;
    use super::*;

    fn document(text: &str) -> Vec<u8> {
        parse_document(text.as_bytes()).unwrap().unwrap()
    }

    fn text(doc: &[u8]) -> String {
        let mut out = Vec::new();
        super::super::print::compact(Ref::open(doc).unwrap(), &mut out);
        String::from_utf8(out).unwrap()
    }

    /// What was done, in words, and the differences done again.
    fn done(before: &str, path: &str, value: Option<&str>) -> (String, String) {
        let (before, value) = (document(before), value.map(document));
        let path = Path::parse(path.as_bytes()).unwrap();
        let mut root = Dom::Part(Ref::open(&before).unwrap());
        let diff = match &value {
            Some(v) => set(&mut root, &path, Dom::Part(Ref::open(v).unwrap()), true).unwrap(),
            None => remove(&mut root, &path),
        };
        let after = encoded(&root).unwrap();
        let all: Vec<Diff> = diff.into_iter().collect();
        assert_eq!(apply(&before, &all), Some(after.clone()));
        let shown = all.first().map(|d| {
            let value = if d.value.is_empty() { String::new() } else { format!(" {}", text(&d.value)) };
            format!("{:?} {}{value}", d.what, String::from_utf8_lossy(&d.path))
        });
        (text(&after), shown.unwrap_or_default())
    }

    /// As MySQL 9.7 logs them.
    #[test]
    fn steps() {
        let is = |before: &str, path: &str, value: Option<&str>, after: &str, diff: &str| {
            assert_eq!(done(before, path, value), (after.to_owned(), diff.to_owned()), "{before} {path}");
        };
        is(r#"{"a": 1}"#, "$.a", Some("2"), r#"{"a": 2}"#, "Replace $.a 2");
        is(r#"{"a": 1}"#, "$.a", Some("1"), r#"{"a": 1}"#, "");
        is(r#"{"a": 1}"#, "$.b", Some("[1]"), r#"{"a": 1, "b": [1]}"#, "Insert $.b [1]");
        is(r#"{"a": 1}"#, "$.a[0]", Some("2"), r#"{"a": 2}"#, "Replace $.a 2");
        is(r#"{"a": 1}"#, "$.a[0][0][1]", Some("2"), r#"{"a": [1, 2]}"#, "Replace $.a [1, 2]");
        is("1", "$[0][last-5]", Some("2"), "[2, 1]", "Replace $ [2, 1]");
        is(r#"{"a": 1}"#, "$.a[last-5]", Some("2"), r#"{"a": [2, 1]}"#, "Replace $.a [2, 1]");
        is(r#"{"a": [7]}"#, "$.a[9]", Some("2"), r#"{"a": [7, 2]}"#, "Insert $.a[9] 2");
        is(r#"{"a": [7]}"#, "$.a[last-9]", Some("2"), r#"{"a": [2, 7]}"#, "Insert $.a[last-9] 2");
        is(r#"{"o": {"k": 1}}"#, "$.o[0].q", Some("2"), r#"{"o": {"k": 1, "q": 2}}"#, "Insert $.o.q 2");
        is(r#"{"o": {"k": 1}}"#, "$.o[last].k", Some("2"), r#"{"o": {"k": 2}}"#, "Replace $.o.k 2");
        is(r#"{"p": [5]}"#, "$.p[0][7]", Some("3"), r#"{"p": [[5, 3]]}"#, "Replace $.p[0] [5, 3]");
        is(r#"{"a": 1}"#, "$.a.b", Some("3"), r#"{"a": 1}"#, "");
        is(r#"{"a": 1}"#, "$.x.b", Some("3"), r#"{"a": 1}"#, "");
        is("[1, 2]", "$[last]", None, "[1]", "Remove $[last]");
        is(r#"{"a": 1, "b": 2}"#, "$.a[0]", None, r#"{"b": 2}"#, "Remove $.a");
        is(r#"{"a": 1}"#, "$.x", None, r#"{"a": 1}"#, "");
    }

    #[test]
    fn what_does_not_fit() {
        let diff = |what, path: &str, value: &str| Diff { what, path: path.into(), value: document(value) };
        let doc = document(r#"{"a": 1}"#);
        for d in [
            diff(What::Replace, "$.b", "1"),
            diff(What::Insert, "$.a", "1"),
            diff(What::Insert, "$.a[0]", "1"),
            diff(What::Replace, "$.*", "1"),
            diff(What::Replace, "a", "1"),
        ] {
            assert_eq!(apply(&doc, std::slice::from_ref(&d)), None, "{d:?}");
        }
        assert_eq!(apply(&doc, &[Diff { what: What::Remove, path: b"$.b".to_vec(), value: Vec::new() }]), None);
        assert_eq!(apply(&doc, &[Diff { what: What::Replace, path: b"$.a".to_vec(), value: vec![9] }]), None);
        assert_eq!(apply(&[77], &[]), None);
    }
}
