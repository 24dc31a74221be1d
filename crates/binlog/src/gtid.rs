//! Global transaction identifiers and sets of them.
//!
//! A GTID is a source's UUID and a number from 1 on: `3e11fa47-71ca-11e1-9e33-c80aa9429562:23`. A set names intervals
//! per UUID: `uuid:1-5:7,uuid2:1-3`. In events a set is
//!
//! ```text
//! count of UUIDs u64, then for each: UUID 16 bytes, count of intervals u64,
//!     then for each: first u64, behind the last u64
//! ```
//! GTIDs with tags (MySQL 8.3) are not understood. Source: manual, "GTID Sets".

use crate::le::Reader;
use crate::{Malformed, Result};
use std::collections::BTreeMap;
use std::fmt;

/// The largest number of a GTID.
pub const MAX_GNO: u64 = i64::MAX as u64 - 1;

/// A server's UUID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Sid(pub [u8; 16]);

impl Sid {
    /// From text: 32 hexadecimal digits, alone, with the usual four dashes, in braces or without.
    pub fn parse(s: &str) -> Option<Sid> {
        let s = s.strip_prefix('{').and_then(|s| s.strip_suffix('}')).unwrap_or(s);
        let dashed = s.len() == 36;
        let mut digits = Vec::with_capacity(32);
        for (i, c) in s.chars().enumerate() {
            match c {
                '-' if dashed && matches!(i, 8 | 13 | 18 | 23) => (),
                c => digits.push(c.to_digit(16)? as u8),
            }
        }
        let bytes: Vec<u8> = digits.as_chunks::<2>().0.iter().map(|[a, b]| a << 4 | b).collect();
        Some(Sid((digits.len() == 32).then_some(bytes)?.try_into().ok()?))
    }
}

impl fmt::Display for Sid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, b) in self.0.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{b:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Sid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One transaction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Gtid {
    /// Where it was committed first.
    pub sid: Sid,
    /// Its number there, from 1 on.
    pub gno: u64,
}

impl fmt::Display for Gtid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.sid, self.gno)
    }
}

impl Gtid {
    /// From `uuid:number`.
    pub fn parse(s: &str) -> Option<Gtid> {
        let (sid, gno) = s.split_once(':')?;
        let gno = number(gno.trim()).filter(|n| *n >= 1)?;
        Some(Gtid { sid: Sid::parse(sid.trim())?, gno })
    }
}

fn number(s: &str) -> Option<u64> {
    let digits = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    s.parse().ok().filter(|n| digits && *n <= MAX_GNO)
}

/// A set of GTIDs: for each UUID intervals `[first, end)`, in order, with gaps between them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GtidSet {
    sids: BTreeMap<Sid, Vec<(u64, u64)>>,
}

impl GtidSet {
    /// From text. Spaces and empty parts are allowed, as are numbers in any order; `uuid:5-3` is empty.
    pub fn parse(s: &str) -> Option<GtidSet> {
        let mut set = GtidSet::default();
        for part in s.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let mut pieces = part.split(':').map(str::trim);
            let sid = Sid::parse(pieces.next()?)?;
            let mut any = false;
            for piece in pieces {
                let (first, last) = match piece.split_once('-') {
                    Some((a, b)) => (number(a.trim())?, number(b.trim())?),
                    None => (number(piece)?, number(piece)?),
                };
                any = true;
                if first == 0 {
                    return None;
                }
                set.add_range(sid, first, last + 1);
            }
            if !any {
                return None;
            }
        }
        Some(set)
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.sids.is_empty()
    }

    /// How many transactions it names.
    pub fn count(&self) -> u64 {
        self.sids.values().flatten().map(|(a, b)| b - a).sum()
    }

    /// The UUIDs with their intervals, each from its first number to before its end.
    pub fn iter(&self) -> impl Iterator<Item = (Sid, &[(u64, u64)])> {
        self.sids.iter().map(|(s, v)| (*s, v.as_slice()))
    }

    /// Adds one.
    pub fn add(&mut self, g: Gtid) {
        self.add_range(g.sid, g.gno, g.gno + 1);
    }

    /// Adds the numbers from `first` to before `end`.
    pub fn add_range(&mut self, sid: Sid, first: u64, end: u64) {
        if first >= end {
            return;
        }
        let v = self.sids.entry(sid).or_default();
        // what ends before or touches nothing stays; all that overlaps or touches becomes one interval
        let from = v.partition_point(|i| i.1 < first);
        let to = v.partition_point(|i| i.0 <= end);
        let taken: Vec<(u64, u64)> = v.drain(from..to.max(from)).collect();
        let first = taken.first().map_or(first, |i| i.0.min(first));
        let end = taken.last().map_or(end, |i| i.1.max(end));
        v.insert(from, (first, end));
    }

    /// Takes away the numbers from `first` to before `end`.
    pub fn remove_range(&mut self, sid: Sid, first: u64, end: u64) {
        if first >= end {
            return;
        }
        let Some(v) = self.sids.get_mut(&sid) else { return };
        let cut = |i: &(u64, u64)| [(i.0, i.1.min(first)), (i.0.max(end), i.1)];
        *v = v.iter().flat_map(cut).filter(|i| i.0 < i.1).collect();
        if v.is_empty() {
            self.sids.remove(&sid);
        }
    }

    /// Whether it is in the set.
    pub fn contains(&self, g: Gtid) -> bool {
        let Some(v) = self.sids.get(&g.sid) else { return false };
        let at = v.partition_point(|i| i.1 <= g.gno);
        v.get(at).is_some_and(|i| i.0 <= g.gno)
    }

    /// Adds all of another set.
    pub fn add_all(&mut self, other: &GtidSet) {
        for (sid, v) in &other.sids {
            for i in v {
                self.add_range(*sid, i.0, i.1);
            }
        }
    }

    /// Takes away all of another set (GTID_SUBTRACT).
    pub fn remove_all(&mut self, other: &GtidSet) {
        for (sid, v) in &other.sids {
            for i in v {
                self.remove_range(*sid, i.0, i.1);
            }
        }
    }

    /// Whether all of it is in the other set (GTID_SUBSET).
    pub fn is_subset(&self, of: &GtidSet) -> bool {
        let mut rest = self.clone();
        rest.remove_all(of);
        rest.is_empty()
    }

    /// The least number of a UUID, from `from` on, that is not in the set.
    pub fn first_free(&self, sid: Sid, from: u64) -> u64 {
        let held = self.sids.get(&sid).and_then(|v| {
            let at = v.partition_point(|i| i.1 <= from);
            v.get(at).filter(|i| i.0 <= from)
        });
        held.map_or(from, |i| i.1)
    }

    /// Appends the form that events have.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.sids.len() as u64).to_le_bytes());
        for (sid, v) in &self.sids {
            out.extend_from_slice(&sid.0);
            out.extend_from_slice(&(v.len() as u64).to_le_bytes());
            for (first, end) in v {
                out.extend_from_slice(&first.to_le_bytes());
                out.extend_from_slice(&end.to_le_bytes());
            }
        }
    }

    /// From the form that events have.
    pub fn decode(bytes: &[u8]) -> Result<GtidSet> {
        let mut r = Reader(bytes);
        let mut set = GtidSet::default();
        for _ in 0..r.u64()? {
            let sid = Sid(*r.bytes(16)?.as_array().ok_or(Malformed("a UUID cut short"))?);
            let mut last = 0;
            for _ in 0..r.u64()? {
                let (first, end) = (r.u64()?, r.u64()?);
                if first <= last || end <= first || end > MAX_GNO + 1 {
                    return Err(Malformed("intervals of GTIDs that are not in order"));
                }
                last = end;
                set.add_range(sid, first, end);
            }
        }
        if r.is_empty() { Ok(set) } else { Err(Malformed("bytes behind a set of GTIDs")) }
    }
}

impl Extend<Gtid> for GtidSet {
    fn extend<I: IntoIterator<Item = Gtid>>(&mut self, gtids: I) {
        gtids.into_iter().for_each(|g| self.add(g));
    }
}

impl fmt::Display for GtidSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (sid, v)) in self.sids.iter().enumerate() {
            if n > 0 {
                f.write_str(",\n")?;
            }
            write!(f, "{sid}")?;
            for (first, end) in v {
                match end - 1 {
                    last if last == *first => write!(f, ":{first}")?,
                    last => write!(f, ":{first}-{last}")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const A: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    const B: &str = "00000000-0000-0000-0000-000000000001";

    #[test]
    fn text_and_back() {
        let set = GtidSet::parse(&format!(" {A}:5:1-3:4 , {B}:7-9,{A}:10-12,")).unwrap();
        assert_eq!(set.to_string(), format!("{B}:7-9,\n{A}:1-5:10-12"));
        assert_eq!(set.count(), 11);
        assert!(GtidSet::parse("").unwrap().is_empty());
        assert!(GtidSet::parse(&format!("{A}:5-3")).unwrap().is_empty());
        for wrong in
            ["x", A, &format!("{A}:0"), &format!("{A}:1-"), &format!("{A}:tag:1"), &format!("{A}:9223372036854775807")]
        {
            assert_eq!(GtidSet::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Sid::parse(&A.replace('-', "").to_uppercase()).unwrap().to_string(), A);
        assert_eq!(Gtid::parse(&format!("{A}:23")).unwrap().to_string(), format!("{A}:23"));
    }

    proptest! {
        /// Ranges added and removed in any order give what a plain set of numbers gives.
        #[test]
        fn as_a_set_of_numbers(steps in prop::collection::vec((any::<bool>(), any::<bool>(), 1u64..40, 0u64..12), 0..40)) {
            let (sids, mut set, mut plain) = ([Sid::parse(A).unwrap(), Sid::parse(B).unwrap()], GtidSet::default(), BTreeSet::new());
            for (add, which, first, len) in steps {
                let sid = sids[usize::from(which)];
                if add {
                    set.add_range(sid, first, first + len);
                    plain.extend((first..first + len).map(|n| (sid, n)));
                } else {
                    set.remove_range(sid, first, first + len);
                    plain.retain(|(s, n)| *s != sid || !(first..first + len).contains(n));
                }
            }
            for sid in sids {
                for gno in 1..60 {
                    prop_assert_eq!(set.contains(Gtid { sid, gno }), plain.contains(&(sid, gno)));
                    let free = (gno..).find(|n| !plain.contains(&(sid, *n))).unwrap();
                    prop_assert_eq!(set.first_free(sid, gno), free);
                }
            }
            prop_assert_eq!(set.count(), plain.len() as u64);
            let mut bytes = Vec::new();
            set.encode(&mut bytes);
            prop_assert_eq!(GtidSet::decode(&bytes), Ok(set.clone()));
            prop_assert_eq!(GtidSet::parse(&set.to_string()), Some(set));
        }
    }
}
