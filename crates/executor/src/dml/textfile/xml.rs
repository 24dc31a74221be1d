//! Rows of LOAD XML (manual, "LOAD XML Statement").
//!
//! A row is an element with the row tag. Its fields are its attributes (`<row a="1"/>`), the texts of the elements in it (`<row><a>1</a></row>`), or
//! `<field name="a">1</field>` (what `mysqldump --xml` and `mysql --xml` write), in any mixture. Attributes and texts of the elements around the row
//! count too, as long as they are open: an address inside of a person has the person's attributes. Names are compared letter by letter; the
//! last one of a name wins. What is absent or empty is NULL. Comments, declarations and processing instructions are skipped; the five
//! named entities are resolved, numeric references stay as they are. Nothing is checked for being well-formed, as in MySQL.
//!
//! The file comes in pieces ([`XmlReader::feed`]); a tag or text that is not complete yet is looked at again when the next piece has come.

use super::read::Step;
use crate::dml::load::Field;

/// A file being read.
#[derive(Debug)]
pub struct XmlReader {
    /// The row's tag, and the names of the fields wanted.
    tag: Vec<u8>,
    names: Vec<Vec<u8>>,
    skip: u64,
    buf: Vec<u8>,
    at: usize,
    ended: bool,
    /// Elements around here.
    depth: usize,
    /// Name of the element whose text comes next, at `depth`.
    open: Option<Vec<u8>>,
    /// Names and values known here, with the depth they belong to.
    known: Vec<(usize, Vec<u8>, Vec<u8>)>,
    fields: Vec<Field>,
}

impl XmlReader {
    /// `tag` without brackets; `names` of the fields of a row; `skip`: IGNORE n ROWS.
    pub fn new(tag: &[u8], names: Vec<Vec<u8>>, skip: u64) -> XmlReader {
        XmlReader {
            tag: tag.to_vec(),
            fields: vec![Field::default(); names.len()],
            names,
            skip,
            buf: Vec::new(),
            at: 0,
            ended: false,
            depth: 0,
            open: None,
            known: Vec::new(),
        }
    }

    /// The next piece; an empty one ends the file.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buf.drain(..self.at.min(self.buf.len()));
        self.at = 0;
        self.buf.extend_from_slice(piece);
        self.ended |= piece.is_empty();
    }

    /// Fields of the row, one for each name.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The next row.
    pub fn next_row(&mut self) -> Step {
        loop {
            let rest = self.buf.get(self.at..).unwrap_or(&[]);
            if rest.first() != Some(&b'<') {
                let Some(n) = memchr::memchr(b'<', rest) else {
                    return if self.ended { Step::End } else { Step::More };
                };
                self.text(self.at, self.at + n);
                self.at += n;
                continue;
            }
            let Some((end, kind)) = markup(rest, self.ended) else {
                return if self.ended { Step::End } else { Step::More };
            };
            let (start, end) = (self.at, self.at + end);
            self.at = end;
            if kind == Markup::Element && self.element(start, end) {
                match self.skip.checked_sub(1) {
                    Some(n) => self.skip = n,
                    None => {
                        self.take_fields();
                        return Step::Line;
                    }
                }
            }
        }
    }

    /// Text directly behind an opening tag is that element's value.
    fn text(&mut self, start: usize, end: usize) {
        let text = self.buf.get(start..end).unwrap_or(&[]).trim_ascii_start();
        if let Some(name) = self.open.take()
            && !text.is_empty()
        {
            self.known.push((self.depth, name, resolve(text)));
        }
    }

    /// A tag with its brackets; whether a row ends with it.
    fn element(&mut self, start: usize, end: usize) -> bool {
        let inside = self.buf.get(start + 1..end.saturating_sub(1)).unwrap_or(&[]).to_vec();
        self.open = None;
        if let Some(name) = inside.strip_prefix(b"/") {
            let row = name.trim_ascii() == self.tag;
            self.depth = self.depth.saturating_sub(1);
            return row;
        }
        let (inside, closed) = match inside.strip_suffix(b"/") {
            Some(i) => (i, true),
            None => (inside.as_slice(), false),
        };
        let name_end = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len());
        let (name, attributes) = inside.split_at_checked(name_end).unwrap_or((inside, &[]));
        self.depth += 1;
        // what earlier elements of this depth had inside of them is over
        let depth = self.depth;
        self.known.retain(|k| k.0 <= depth);
        let mut field = None;
        for (attribute, value) in attributes_of(attributes) {
            if name == b"field" && attribute == b"name" {
                field = Some(value);
            } else if !value.is_empty() {
                self.known.push((depth + 1, attribute.to_vec(), value));
            }
        }
        if closed {
            self.depth -= 1;
            return name == self.tag;
        }
        self.open = Some(field.unwrap_or_else(|| name.to_vec()));
        false
    }

    fn take_fields(&mut self) {
        for (name, f) in self.names.iter().zip(&mut self.fields) {
            f.bytes.clear();
            let found = self.known.iter().rev().find(|k| k.1 == *name);
            f.null = found.is_none();
            if let Some((_, _, v)) = found {
                f.bytes.extend_from_slice(v);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Markup {
    Element,
    Other,
}

/// Where the markup at the start of `b` ends; `None`: it is not complete.
fn markup(b: &[u8], ended: bool) -> Option<(usize, Markup)> {
    let until = |end: &[u8]| memchr::memmem::find(b, end).map(|n| (n + end.len(), Markup::Other));
    if b.len() < 4 && !ended && b.get(1).is_none_or(|c| *c == b'!') {
        return None;
    }
    if b.starts_with(b"<!--") {
        return until(b"-->");
    }
    match b.get(1)? {
        b'?' => return until(b"?>"),
        b'!' => return until(b">"),
        _ => {}
    }
    // a > in quotes is part of a value
    let mut quote = None;
    for (i, c) in b.iter().enumerate() {
        match quote {
            Some(q) if *c == q => quote = None,
            Some(_) => {}
            None if matches!(c, b'"' | b'\'') => quote = Some(*c),
            None if *c == b'>' => return Some((i + 1, Markup::Element)),
            None => {}
        }
    }
    None
}

/// Names and values of `a="1" b='2'`.
fn attributes_of(mut rest: &[u8]) -> Vec<(&[u8], Vec<u8>)> {
    let mut out = Vec::new();
    while let Some(eq) = memchr::memchr(b'=', rest) {
        let (name, value) = rest.split_at_checked(eq).unwrap_or((rest, &[]));
        let value = value.get(1..).unwrap_or(&[]).trim_ascii_start();
        let (value, next) = match value.split_first() {
            Some((q @ (b'"' | b'\''), v)) => {
                let end = memchr::memchr(*q, v).unwrap_or(v.len());
                (v.get(..end).unwrap_or(v), v.get(end + 1..).unwrap_or(&[]))
            }
            _ => {
                let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
                value.split_at_checked(end).unwrap_or((value, &[]))
            }
        };
        out.push((name.trim_ascii(), resolve(value)));
        rest = next;
    }
    out
}

/// Entities as what they stand for.
fn resolve(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(n) = memchr::memchr(b'&', rest) {
        let (before, tail) = rest.split_at_checked(n).unwrap_or((rest, &[]));
        out.extend_from_slice(before);
        let end = tail.iter().take(12).position(|c| *c == b';');
        let name = end.and_then(|e| tail.get(1..e)).unwrap_or(&[]);
        let c = match name {
            b"lt" => Some('<'),
            b"gt" => Some('>'),
            b"amp" => Some('&'),
            b"quot" => Some('"'),
            b"apos" => Some('\''),
            _ => None,
        };
        match (c, end) {
            (Some(c), Some(e)) => {
                out.push(c as u8);
                rest = tail.get(e + 1..).unwrap_or(&[]);
            }
            _ => {
                out.push(b'&');
                rest = tail.get(1..).unwrap_or(&[]);
            }
        }
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], cut: usize, tag: &str, names: &[&str], skip: u64) -> Vec<Vec<Option<String>>> {
        let names = names.iter().map(|n| n.as_bytes().to_vec()).collect();
        let mut r = XmlReader::new(tag.as_bytes(), names, skip);
        let mut out = Vec::new();
        let (a, b) = text.split_at(cut);
        for p in [a, b, b""] {
            r.feed(p);
            while r.next_row() == Step::Line {
                let text = |f: &Field| (!f.null).then(|| String::from_utf8_lossy(&f.bytes).into_owned());
                out.push(r.fields().iter().map(text).collect());
            }
        }
        out
    }

    fn row(l: &[Option<&str>]) -> Vec<Option<String>> {
        l.iter().map(|s| s.map(str::to_owned)).collect()
    }

    #[test]
    fn three_forms_mixed_however_the_pieces_fall() {
        let text = br#"<?xml version="1.0"?><!-- <row a="0"/> --><list>
            <row a="1" b='x > y'/>
            <row><a>2</a> <b>&lt;&amp;&#x41;</b></row>
            <row><field name="a">3</field><field name="b" xsi:nil="true" /></row>
            <row b="in the tag"><a>4</a></row><row></row>
        </list>"#;
        let want = vec![
            row(&[Some("1"), Some("x > y")]),
            row(&[Some("2"), Some("<&&#x41;")]),
            row(&[Some("3"), None]),
            row(&[Some("4"), Some("in the tag")]),
            row(&[None, None]),
        ];
        for cut in 1..text.len() {
            assert_eq!(read(text, cut, "row", &["a", "b"], 0), want, "cut at {cut}");
        }
        assert_eq!(read(text, 1, "row", &["a", "b"], 2), want[2..]);
    }

    #[test]
    fn attributes_of_the_element_around() {
        let text = br#"<list><person id="1"><name>A</name><address zip="11"/><address zip="12"/></person>
            <person id="2"><address zip="21"/></person></list>"#;
        let want = vec![
            row(&[Some("1"), Some("11"), Some("A")]),
            row(&[Some("1"), Some("12"), Some("A")]),
            row(&[Some("2"), Some("21"), None]),
        ];
        assert_eq!(read(text, 20, "address", &["id", "zip", "name"], 0), want);
    }
}
