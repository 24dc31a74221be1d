//! Values that a path finds in a document.
//!
//! An array cell of a value that is no array is the value itself if the cell is the first (or last): `$[0]`, `$[last]`, `$[0 to 3]`.
//!
//! With `**` a place is reached in many ways, with several of them in as many as there are subsets of its depth: [`Seen`] remembers where the search has
//! been with which part of the path, so that its time is bounded by the document's size times the path's length.

use std::collections::HashSet;

use base::{SqlError, SqlResult};

use super::doc::Ref;
use super::path::{Index, Leg, Path};

/// A step of a search takes as long as other work on so many bytes.
const WEIGHT: usize = 32;

/// What a search remembers.
struct Seen {
    /// Places it was at, with the number of legs that were left; nothing if the path reaches each place in one way
    /// only.
    places: Option<HashSet<(usize, usize, usize)>>,
    /// Whether it asks if the statement is to stop, and the answer that ended it.
    asks: bool,
    stopped: Option<SqlError>,
}

impl Seen {
    fn of(legs: &[Leg]) -> Seen {
        let after = legs.iter().position(|l| *l == Leg::Ellipsis).and_then(|i| legs.get(i + 1..)).unwrap_or(&[]);
        let again = |l: &Leg| matches!(l, Leg::Ellipsis | Leg::Cell(_) | Leg::Range(..));
        Seen { places: after.iter().any(again).then(HashSet::new), asks: false, stopped: None }
    }

    fn asking(legs: &[Leg]) -> Seen {
        Seen { asks: true, ..Seen::of(legs) }
    }

    /// Whether the search goes no further here: it was here before with as many legs, or the statement is to stop.
    fn ends(&mut self, r: Ref<'_>, legs: &[Leg]) -> bool {
        if self.asks && self.stopped.is_none() {
            self.stopped = base::interrupt::worked(WEIGHT).err();
        }
        let (at, len) = r.place();
        self.stopped.is_some() || self.places.as_mut().is_some_and(|s| !s.insert((at, len, legs.len())))
    }

    fn end(self) -> SqlResult<()> {
        self.stopped.map_or(Ok(()), Err)
    }
}

/// First and last position (inclusive) of a range in an array of `len` elements; `None` if it is empty.
fn range(a: Index, b: Index, len: usize) -> Option<(usize, usize)> {
    let first = match a.resolve(len) {
        Ok(n) => n,
        Err(0) => 0,
        Err(_) => return None,
    };
    let last = match b.resolve(len) {
        Ok(n) => n,
        Err(0) => return None,
        Err(n) => n.checked_sub(1)?,
    };
    (first <= last).then_some((first, last))
}

impl<'a> Ref<'a> {
    /// The value of a path without wildcards; the first of several otherwise.
    pub fn at(self, path: &Path) -> Option<Ref<'a>> {
        let mut r = self;
        for (i, l) in path.legs.iter().enumerate() {
            r = match l {
                Leg::Member(k) => r.member(k)?,
                Leg::Cell(n) if r.is_array() => r.element(n.resolve(r.len()).ok()?)?,
                Leg::Cell(n) if n.n == 0 => r,
                Leg::Cell(_) => return None,
                _ => {
                    let mut found = Vec::new();
                    let legs = path.legs.get(i..).unwrap_or(&[]);
                    r.walk(legs, true, &mut found, &mut Seen::of(legs));
                    return found.first().copied();
                }
            };
        }
        Some(r)
    }

    /// The value of a path without wildcards whose cells are those of arrays only.
    pub fn at_cells(self, path: &Path) -> Option<Ref<'a>> {
        path.legs.iter().try_fold(self, |r, l| match l {
            Leg::Member(k) => r.member(k),
            Leg::Cell(n) if r.is_array() => r.element(n.resolve(r.len()).ok()?),
            _ => None,
        })
    }

    /// Appends all values a path finds, in document order, each once; with `one` only the first. `Err`: the
    /// statement is to stop.
    pub fn find(self, path: &Path, one: bool, out: &mut Vec<Ref<'a>>) -> SqlResult<()> {
        // several paths of one call: what an earlier one found is not found again
        let mut seen = Seen::asking(&path.legs);
        if !out.is_empty() && path.legs.contains(&Leg::Ellipsis) {
            seen.places.get_or_insert_default().extend(out.iter().map(|r| (r.place().0, r.place().1, 0)));
        }
        let mut found = Vec::new();
        self.walk(&path.legs, one, &mut found, &mut seen);
        out.append(&mut found);
        seen.end()
    }

    fn walk(self, legs: &[Leg], one: bool, out: &mut Vec<Ref<'a>>, seen: &mut Seen) {
        if one && !out.is_empty() || seen.ends(self, legs) {
            return;
        }
        let Some((leg, rest)) = legs.split_first() else {
            out.push(self);
            return;
        };
        match leg {
            Leg::Member(k) => {
                if let Some(v) = self.member(k) {
                    v.walk(rest, one, out, seen);
                }
            }
            Leg::AnyMember if self.is_object() => self.elements().for_each(|v| v.walk(rest, one, out, seen)),
            Leg::AnyCell if self.is_array() => self.elements().for_each(|v| v.walk(rest, one, out, seen)),
            Leg::AnyMember | Leg::AnyCell => {}
            Leg::Cell(n) => {
                if !self.is_array() {
                    if n.n == 0 {
                        self.walk(rest, one, out, seen);
                    }
                } else if let Some(v) = n.resolve(self.len()).ok().and_then(|i| self.element(i)) {
                    v.walk(rest, one, out, seen);
                }
            }
            Leg::Range(a, b) => {
                if !self.is_array() {
                    if range(*a, *b, 1).is_some() {
                        self.walk(rest, one, out, seen);
                    }
                } else if let Some((first, last)) = range(*a, *b, self.len()) {
                    (first..=last).filter_map(|i| self.element(i)).for_each(|v| v.walk(rest, one, out, seen));
                }
            }
            Leg::Ellipsis => {
                self.walk(rest, one, out, seen);
                self.elements().for_each(|v| v.walk(legs, one, out, seen));
            }
        }
    }
}

impl<'a> Ref<'a> {
    /// Calls `visit` with each value a path finds and the way to it (without wildcards), once for each value.
    /// `Err`: the statement is to stop.
    pub fn places(
        self,
        legs: &[Leg],
        way: &mut Vec<Leg>,
        visit: &mut dyn FnMut(Ref<'a>, &mut Vec<Leg>),
    ) -> SqlResult<()> {
        let mut seen = Seen::asking(legs);
        self.places_but(legs, way, visit, &mut seen);
        seen.end()
    }

    fn places_but(
        self,
        legs: &[Leg],
        way: &mut Vec<Leg>,
        visit: &mut dyn FnMut(Ref<'a>, &mut Vec<Leg>),
        seen: &mut Seen,
    ) {
        if seen.ends(self, legs) {
            return;
        }
        let Some((leg, rest)) = legs.split_first() else { return visit(self, way) };
        let cell = |i: usize| Leg::Cell(Index { from_end: false, n: i as u32 });
        let mut step = |to: Ref<'a>, by: Leg, legs: &[Leg], way: &mut Vec<Leg>| {
            way.push(by);
            to.places_but(legs, way, visit, seen);
            way.pop();
        };
        let all =
            |r: Ref<'a>| (0..if r.is_scalar() { 0 } else { r.len() }).filter_map(move |i| Some((i, r.element(i)?)));
        match leg {
            Leg::Member(k) => {
                if let Some(v) = self.member(k) {
                    step(v, leg.clone(), rest, way);
                }
            }
            Leg::AnyMember if self.is_object() => {
                for (k, v) in self.members() {
                    step(v, Leg::Member(k.into()), rest, way);
                }
            }
            Leg::AnyCell if self.is_array() => all(self).for_each(|(i, v)| step(v, cell(i), rest, way)),
            Leg::AnyMember | Leg::AnyCell => {}
            Leg::Cell(n) if self.is_array() => {
                if let Ok(i) = n.resolve(self.len())
                    && let Some(v) = self.element(i)
                {
                    step(v, cell(i), rest, way);
                }
            }
            Leg::Range(a, b) if self.is_array() => {
                if let Some((first, last)) = range(*a, *b, self.len()) {
                    all(self)
                        .filter(|(i, _)| (first..=last).contains(i))
                        .for_each(|(i, v)| step(v, cell(i), rest, way));
                }
            }
            Leg::Cell(n) if n.n > 0 => {}
            Leg::Range(a, b) if range(*a, *b, 1).is_none() => {}
            Leg::Cell(_) | Leg::Range(..) => self.places_but(rest, way, visit, seen),
            Leg::Ellipsis => {
                self.places_but(rest, way, visit, seen);
                for (i, v) in all(self) {
                    let by = self.key(i).map_or_else(|| cell(i), |k| Leg::Member(k.into()));
                    way.push(by);
                    v.places_but(legs, way, visit, seen);
                    way.pop();
                }
            }
        }
    }
}
