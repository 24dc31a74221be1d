//! Changes of a tree at a path without wildcards, and merging.

use std::borrow::Cow;

use super::build::Dom;
use super::path::{Index, Leg, Path};

/// The value at a path; cells of values that are no arrays as in reading.
pub fn at<'d, 'a>(root: &'d mut Dom<'a>, legs: &[Leg]) -> Option<&'d mut Dom<'a>> {
    let mut d = root;
    for l in legs {
        d = match l {
            Leg::Member(k) => {
                let m = d.members_mut()?;
                let i = m.binary_search_by(|(x, _)| super::order::compare_keys(x, k)).ok()?;
                &mut m.get_mut(i)?.1
            }
            Leg::Cell(n) if d.is_array() => {
                let v = d.elements_mut()?;
                let i = n.resolve(v.len()).ok()?;
                v.get_mut(i)?
            }
            Leg::Cell(Index { n: 0, .. }) => d,
            _ => return None,
        };
    }
    Some(d)
}

/// JSON_SET (`insert` and `replace`), JSON_INSERT, JSON_REPLACE.
pub fn set<'a>(root: &mut Dom<'a>, path: &Path, value: Dom<'a>, insert: bool, replace: bool) {
    if let Some(d) = at(root, &path.legs) {
        if replace {
            *d = value;
        }
        return;
    }
    let Some((last, parent)) = path.legs.split_last() else { return };
    if !insert {
        return;
    }
    let Some(d) = at(root, parent) else { return };
    match last {
        Leg::Member(k) => d.put(Cow::Owned(k.to_vec()), value),
        Leg::Cell(i) => {
            if !d.is_array() {
                let own = std::mem::replace(d, Dom::Null);
                *d = Dom::Array(vec![own]);
            }
            if let Some(v) = d.elements_mut() {
                let at = if i.from_end { 0 } else { v.len() };
                v.insert(at, value);
            }
        }
        _ => {}
    }
}

/// JSON_ARRAY_APPEND.
pub fn append<'a>(root: &mut Dom<'a>, path: &Path, value: Dom<'a>) {
    let Some(d) = at(root, &path.legs) else { return };
    if !d.is_array() {
        let own = std::mem::replace(d, Dom::Null);
        *d = Dom::Array(vec![own]);
    }
    if let Some(v) = d.elements_mut() {
        v.push(value);
    }
}

/// JSON_ARRAY_INSERT; the path must end in a cell.
pub fn array_insert<'a>(root: &mut Dom<'a>, path: &Path, value: Dom<'a>) {
    let Some((Leg::Cell(i), parent)) = path.legs.split_last() else { return };
    let Some(v) = at(root, parent).and_then(Dom::elements_mut) else { return };
    let at = i.resolve(v.len()).unwrap_or_else(|nearest| nearest);
    v.insert(at, value);
}

/// JSON_REMOVE.
pub fn remove(root: &mut Dom<'_>, path: &Path) {
    // the first cell of what is no array is that itself
    let mut legs = path.legs.as_slice();
    while let Some((Leg::Cell(Index { n: 0, .. }), before)) = legs.split_last() {
        if at(root, before).is_none_or(|d| d.is_array()) {
            break;
        }
        legs = before;
    }
    let Some((last, parent)) = legs.split_last() else { return };
    let Some(d) = at(root, parent) else { return };
    match last {
        Leg::Member(k) => {
            if let Some(m) = d.members_mut()
                && let Ok(i) = m.binary_search_by(|(x, _)| super::order::compare_keys(x, k))
            {
                m.remove(i);
            }
        }
        Leg::Cell(n) => {
            if let Some(v) = d.elements_mut()
                && let Ok(i) = n.resolve(v.len())
            {
                v.remove(i);
            }
        }
        _ => {}
    }
}

/// JSON_MERGE_PRESERVE: arrays are joined, objects merged key by key, other values made arrays of one and joined.
pub fn merge_preserve<'a>(a: Dom<'a>, b: Dom<'a>) -> Dom<'a> {
    let (mut a, mut b) = (a, b);
    if a.is_object() && b.is_object() {
        let (Some(x), Some(y)) = (a.members_mut(), b.members_mut()) else { return a };
        for (k, v) in std::mem::take(y) {
            match x.binary_search_by(|(l, _)| super::order::compare_keys(l, &k)) {
                Ok(i) => {
                    if let Some(slot) = x.get_mut(i) {
                        let old = std::mem::replace(&mut slot.1, Dom::Null);
                        slot.1 = merge_preserve(old, v);
                    }
                }
                Err(i) => x.insert(i, (k, v)),
            }
        }
        return a;
    }
    let list = |d: Dom<'a>| -> Vec<Dom<'a>> {
        let mut d = d;
        match d.elements_mut() {
            Some(v) => std::mem::take(v),
            None => vec![d],
        }
    };
    let mut v = list(a);
    v.extend(list(b));
    Dom::Array(v)
}

/// JSON_MERGE_PATCH (RFC 7396).
pub fn merge_patch<'a>(target: Dom<'a>, patch: Dom<'a>) -> Dom<'a> {
    let mut patch = patch;
    if !patch.is_object() {
        return patch;
    }
    let mut target = if target.is_object() { target } else { Dom::Object(Vec::new()) };
    let (Some(to), Some(from)) = (target.members_mut(), patch.members_mut()) else { return target };
    for (k, v) in std::mem::take(from) {
        let place = to.binary_search_by(|(l, _)| super::order::compare_keys(l, &k));
        match (place, v.is_null()) {
            (Ok(i), true) => {
                to.remove(i);
            }
            (Err(_), true) => {}
            (Ok(i), false) => {
                if let Some(slot) = to.get_mut(i) {
                    let old = std::mem::replace(&mut slot.1, Dom::Null);
                    slot.1 = merge_patch(old, v);
                }
            }
            (Err(i), false) => to.insert(i, (k, merge_patch(Dom::Null, v))),
        }
    }
    target
}
