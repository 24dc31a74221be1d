//! Text straight to an encoded document, without a tree.
//!
//! The parser tells a [`Build`] what it reads. [`Writer`] keeps the values that lie outside their entries in one buffer, where they are already encoded, and
//! an entry for each element or member of the containers that are still open (8 and 16 bytes). When a container ends, its
//! header is put before its values; members out of order are put in order then. So a document takes a small multiple of its
//! text while it is made (an element of two bytes, `1,`, 5 in the document and 8 here). [`Check`] keeps nothing: JSON_VALID.
//!
//! The bytes are those of [`Dom::encode`]. For each value it is asked whether the statement may go on
//! ([`Error::Stopped`]). Tested in `tests.rs`.

use std::borrow::Cow;

use base::{ErrorCode, SqlError, SqlResult};

use super::build::{put_var, too_big, write_scalar};
use super::doc::{self, Ref, Wide};
use super::{Dom, MAX_KEY};

/// Parts of a container from which it is asked, while its header is written, whether the statement may go on.
const MANY: usize = 1 << 12;

/// What a parser makes of a text.
pub(super) trait Build<'a> {
    /// A value.
    type Value;
    /// A container that is not at its end.
    type Open;
    fn scalar(&mut self, d: Dom<'a>) -> Self::Value;
    fn open(&mut self) -> Self::Open;
    fn element(&mut self, list: &mut Self::Open, v: Self::Value);
    /// A member's key, before its value; it stands (with quotes) at `at` of the text.
    fn key(&mut self, list: &mut Self::Open, key: Cow<'a, [u8]>, at: usize);
    fn member(&mut self, list: &mut Self::Open, v: Self::Value);
    fn array(&mut self, list: Self::Open) -> Self::Value;
    fn object(&mut self, list: Self::Open) -> Self::Value;
}

/// A tree.
pub(super) struct Tree;

pub(super) struct OpenTree<'a> {
    elements: Vec<Dom<'a>>,
    members: Vec<(Cow<'a, [u8]>, Dom<'a>)>,
}

impl<'a> Build<'a> for Tree {
    type Value = Dom<'a>;
    type Open = OpenTree<'a>;
    fn scalar(&mut self, d: Dom<'a>) -> Dom<'a> {
        d
    }
    fn open(&mut self) -> OpenTree<'a> {
        OpenTree { elements: Vec::new(), members: Vec::new() }
    }
    fn element(&mut self, list: &mut OpenTree<'a>, v: Dom<'a>) {
        list.elements.push(v);
    }
    fn key(&mut self, list: &mut OpenTree<'a>, key: Cow<'a, [u8]>, _: usize) {
        list.members.push((key, Dom::Null));
    }
    fn member(&mut self, list: &mut OpenTree<'a>, v: Dom<'a>) {
        if let Some(m) = list.members.last_mut() {
            m.1 = v;
        }
    }
    fn array(&mut self, list: OpenTree<'a>) -> Dom<'a> {
        Dom::Array(list.elements)
    }
    fn object(&mut self, list: OpenTree<'a>) -> Dom<'a> {
        Dom::object(list.members)
    }
}

/// Nothing: whether the text is a document.
pub(super) struct Check;

impl<'a> Build<'a> for Check {
    type Value = ();
    type Open = ();
    fn scalar(&mut self, _: Dom<'a>) {}
    fn open(&mut self) {}
    fn element(&mut self, (): &mut (), (): ()) {}
    fn key(&mut self, (): &mut (), _: Cow<'a, [u8]>, _: usize) {}
    fn member(&mut self, (): &mut (), (): ()) {}
    fn array(&mut self, (): ()) {}
    fn object(&mut self, (): ()) {}
}

/// A value: its type, and either itself, as a large container's entry holds it, or where it begins in the buffer.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    ty: u8,
    value: u32,
}

/// A member: its key is a part of the text, or (`ESCAPED`) of `Writer::keys`.
#[derive(Clone, Copy)]
struct Member {
    at: u32,
    /// Length; with `ESCAPED`.
    len: u32,
    value: u32,
    ty: u8,
}

const ESCAPED: u32 = 1 << 31;

/// A container that is not at its end: where its values, entries, members and keys begin.
pub(super) struct Open {
    start: usize,
    entries: usize,
    members: usize,
    keys: usize,
}

/// The document as far as it is made.
pub(super) struct Writer<'a> {
    text: &'a [u8],
    out: Vec<u8>,
    entries: Vec<Entry>,
    members: Vec<Member>,
    keys: Vec<u8>,
    /// A key or a document that is too long: told when the text has been read.
    failed: Option<SqlError>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Writer<'a> {
        // the first byte is the root's type
        let out = vec![0];
        Writer { text, out, entries: Vec::new(), members: Vec::new(), keys: Vec::new(), failed: None }
    }

    /// The document with this root.
    pub(super) fn finish(mut self, root: Entry) -> SqlResult<Vec<u8>> {
        if let Some(e) = self.failed {
            return Err(e);
        }
        let n = match root.ty {
            doc::LITERAL => 1,
            doc::INT16 | doc::UINT16 => 2,
            doc::INT32 | doc::UINT32 => 4,
            _ => 0,
        };
        self.out.extend(root.value.to_le_bytes().iter().take(n));
        if let Some(first) = self.out.first_mut() {
            *first = root.ty;
        }
        Ok(self.out)
    }

    fn fail(&mut self, e: SqlError) {
        self.failed.get_or_insert(e);
    }

    fn key_of(&self, m: &Member) -> &[u8] {
        let (from, len) = (m.at as usize, (m.len & !ESCAPED) as usize);
        let source = if m.len & ESCAPED == 0 { self.text } else { &self.keys };
        source.get(from..from + len).unwrap_or(&[])
    }

    /// The members from `first` on in the order of their keys, of equal keys the last one. Whether that is how they came.
    fn in_order(&mut self, first: usize) -> bool {
        let mut list: Vec<Member> = self.members.drain(first..).collect();
        let compare = |a: &Member, b: &Member| super::order::compare_keys(self.key_of(a), self.key_of(b));
        let ordered = list.is_sorted_by(|a, b| compare(a, b).is_lt());
        if !ordered {
            list.sort_by(compare);
            list.dedup_by(|later, kept| {
                let same = compare(later, kept).is_eq();
                if same {
                    std::mem::swap(later, kept);
                }
                same
            });
        }
        self.members.append(&mut list);
        ordered
    }

    /// Puts a container's header before its values. `open.members..` or `open.entries..` are what it holds.
    fn close(&mut self, open: &Open, object: bool) -> Entry {
        let moved = object && !self.in_order(open.members);
        let from = if object { open.members } else { self.members.len() };
        let members: Vec<Member> = self.members.drain(from..).collect();
        let n = if object { members.len() } else { self.entries.len() - open.entries };
        let entry = |w: &Self, i: usize| match members.get(i) {
            Some(m) => Entry { ty: m.ty, value: m.value },
            None => w.entries.get(open.entries + i).copied().unwrap_or(Entry { ty: doc::LITERAL, value: 0 }),
        };
        let keys: usize = members.iter().map(|m| (m.len & !ESCAPED) as usize).sum();
        let (mut outside, mut only_small) = (0usize, 0usize);
        for i in 0..n {
            if n >= MANY
                && let Err(e) = base::interrupt::worked(16)
            {
                self.fail(e);
                break;
            }
            let e = entry(self, i);
            match e.ty {
                t if Wide(false).inlines(t) => {}
                t if Wide(true).inlines(t) => only_small += 4,
                // only in a moved object there are values that do not count
                _ if moved => outside += self.size(e),
                _ => {}
            }
        }
        if !moved {
            outside = self.out.len() - open.start;
        }
        let header = |w: usize| 2 * w + n * (1 + w + if object { w + 2 } else { 0 }) + keys;
        let small = header(2) + outside + only_small;
        let wide = Wide(!(small <= u16::MAX as usize && n <= u16::MAX as usize));
        let size = if wide.0 { header(4) + outside } else { small };
        if size > (u32::MAX / 2) as usize {
            self.fail(too_big());
        }
        let ty = if object { doc::SMALL_OBJECT } else { doc::SMALL_ARRAY } + u8::from(wide.0);
        let w = wide.bytes();
        // where the values stand in the buffer while the header is written, and where they will
        let rebuilt = moved || !wide.0 && only_small > 0;
        let before = if rebuilt { Some(self.out.split_off(open.start)) } else { None };
        let head = header(w);
        let more = if rebuilt { size } else { head };
        if more >= 1 << 20 {
            self.out.reserve_exact(more);
        }
        let old = self.out.len();
        self.out.resize(old + head, 0);
        if !rebuilt {
            self.out.copy_within(open.start..old, open.start + head);
        }
        set(&mut self.out, open.start, n, w);
        set(&mut self.out, open.start + w, size, w);
        let first_value = 2 * w + if object { n * (w + 2) } else { 0 };
        let mut key_at = first_value + n * (1 + w);
        for (i, m) in members.iter().enumerate() {
            let (from, len) = (m.at as usize, (m.len & !ESCAPED) as usize);
            let slot = open.start + 2 * w + i * (w + 2);
            set(&mut self.out, slot, key_at, w);
            set(&mut self.out, slot + w, len, 2);
            let source = if m.len & ESCAPED == 0 { self.text } else { &self.keys };
            if let (Some(to), Some(key)) =
                (self.out.get_mut(open.start + key_at..open.start + key_at + len), source.get(from..from + len))
            {
                to.copy_from_slice(key);
            }
            key_at += len;
        }
        for i in 0..n {
            if n >= MANY
                && let Err(e) = base::interrupt::worked(16)
            {
                self.fail(e);
                break;
            }
            let e = entry(self, i);
            let slot = open.start + first_value + i * (1 + w);
            set(&mut self.out, slot, usize::from(e.ty), 1);
            let value = if wide.inlines(e.ty) {
                e.value as usize
            } else if let Some(before) = &before {
                let at = self.out.len() - open.start;
                if Wide(true).inlines(e.ty) {
                    self.out.extend_from_slice(&e.value.to_le_bytes());
                } else {
                    let bytes = before.get(e.value as usize - open.start..).unwrap_or(&[]);
                    self.out.extend_from_slice(Ref::take(e.ty, bytes).map_or(&[], |r| r.data));
                }
                at
            } else {
                e.value as usize - open.start + head
            };
            set(&mut self.out, slot + 1, value, w);
        }
        self.entries.truncate(open.entries);
        self.keys.truncate(open.keys);
        Entry { ty, value: open.start as u32 }
    }

    fn size(&self, e: Entry) -> usize {
        let bytes = self.out.get(e.value as usize..).unwrap_or(&[]);
        Ref::take(e.ty, bytes).map_or(0, |r| r.data.len())
    }
}

fn set(out: &mut [u8], at: usize, v: usize, bytes: usize) {
    if let (Some(to), Some(from)) = (out.get_mut(at..at + bytes), v.to_le_bytes().get(..bytes)) {
        to.copy_from_slice(from);
    }
}

impl<'a> Build<'a> for Writer<'a> {
    type Value = Entry;
    type Open = Open;

    fn scalar(&mut self, d: Dom<'a>) -> Entry {
        let at = self.out.len();
        if at > (u32::MAX - 16) as usize {
            self.fail(too_big());
            return Entry { ty: doc::LITERAL, value: 0 };
        }
        if let Dom::Str(s) = &d {
            put_var(s.len(), &mut self.out);
            self.out.extend_from_slice(s);
            return Entry { ty: doc::STRING, value: at as u32 };
        }
        let ty = write_scalar(&d, &mut self.out);
        if !Wide(true).inlines(ty) {
            return Entry { ty, value: at as u32 };
        }
        let value = self.out.get(at..).map_or(0, |b| b.iter().rev().fold(0u32, |n, x| n << 8 | u32::from(*x)));
        self.out.truncate(at);
        Entry { ty, value }
    }

    fn open(&mut self) -> Open {
        Open { start: self.out.len(), entries: self.entries.len(), members: self.members.len(), keys: self.keys.len() }
    }

    fn element(&mut self, _: &mut Open, v: Entry) {
        self.entries.push(v);
    }

    fn key(&mut self, _: &mut Open, key: Cow<'a, [u8]>, at: usize) {
        if key.len() > MAX_KEY {
            self.fail(SqlError::new(ErrorCode::JSON_KEY_TOO_BIG, &[]));
        }
        let len = key.len() as u32;
        let (at, len) = match key {
            Cow::Borrowed(_) => (at + 1, len),
            Cow::Owned(k) => {
                let at = self.keys.len();
                self.keys.extend_from_slice(&k);
                (at, len | ESCAPED)
            }
        };
        self.members.push(Member { at: at as u32, len, value: 0, ty: doc::LITERAL });
    }

    fn member(&mut self, _: &mut Open, v: Entry) {
        if let Some(m) = self.members.last_mut() {
            (m.ty, m.value) = (v.ty, v.value);
        }
    }

    fn array(&mut self, list: Open) -> Entry {
        self.close(&list, false)
    }

    fn object(&mut self, list: Open) -> Entry {
        self.close(&list, true)
    }
}
