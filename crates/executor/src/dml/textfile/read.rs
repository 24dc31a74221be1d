//! Cutting a file into lines and fields.
//!
//! A line is read as far as there are columns for its fields; what is behind them is passed over up to the line's terminator, quotes or not.
//!
//! The file comes in pieces ([`Reader::feed`]); [`Reader::next_line`] gives the next complete line. A line that is not complete yet is looked at
//! again from its start when the next piece has come.

use super::Format;
use crate::dml::load::Field;

/// What [`Reader::next_line`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A line; its fields are in [`Reader::fields`].
    Line,
    /// More of the file is needed.
    More,
    /// The file has ended.
    End,
}

/// A file being read.
#[derive(Debug)]
pub struct Reader {
    format: Format,
    /// Widths of the fields of the fixed-width format.
    widths: Vec<usize>,
    /// Fields per line where lines have no terminator of their own.
    width: usize,
    skip: u64,
    buf: Vec<u8>,
    at: usize,
    ended: bool,
    /// Fields of the present line; only the first `used` count.
    list: Vec<Field>,
    used: usize,
    /// Whether the present line has more than its fields.
    cut: bool,
    /// The start of the next line has been found already.
    begun: bool,
}

/// Not enough bytes to decide.
struct Short;

impl Reader {
    /// `skip`: IGNORE n LINES.
    pub fn new(format: Format, width: usize, skip: u64) -> Reader {
        let widths = Vec::new();
        Reader {
            format,
            widths,
            width,
            skip,
            buf: Vec::new(),
            at: 0,
            ended: false,
            list: Vec::new(),
            used: 0,
            cut: false,
            begun: false,
        }
    }

    /// For the fixed-width format: the widths of a line's fields.
    #[must_use]
    pub fn with_widths(mut self, widths: Vec<usize>) -> Reader {
        self.widths = widths;
        self
    }

    /// A line of the fixed-width format at `i`: fields behind its end are missing, what is behind the last one is a field too many.
    fn fixed_line(&mut self, i: usize) -> Result<usize, Short> {
        let total: usize = self.widths.iter().sum();
        let mut last = false;
        let (end, next) = if self.format.line_end.is_empty() {
            let end = (i + total).min(self.buf.len());
            if end < i + total && !self.ended {
                return Err(Short);
            }
            (end, end)
        } else {
            match find(self.buf.get(i..).unwrap_or(&[]), &self.format.line_end) {
                Some(n) => (i + n, i + n + self.format.line_end.len()),
                None if self.ended => {
                    last = true;
                    (self.buf.len(), self.buf.len())
                }
                None => return Err(Short),
            }
        };
        (self.used, self.cut) = (0, !last && i + total < end);
        let mut at = i;
        for w in self.widths.iter().copied() {
            if at >= end {
                break;
            }
            let to = at.saturating_add(w).min(end);
            let bytes = self.buf.get(at..to).unwrap_or(&[]);
            match self.list.get_mut(self.used) {
                Some(f) => {
                    f.bytes.clear();
                    f.bytes.extend_from_slice(bytes);
                    f.null = false;
                }
                None => self.list.push(Field { bytes: bytes.to_vec(), null: false }),
            }
            self.used += 1;
            at = to;
        }
        Ok(next)
    }

    /// The next piece; an empty one ends the file.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buf.drain(..self.at.min(self.buf.len()));
        self.at = 0;
        self.buf.extend_from_slice(piece);
        self.ended |= piece.is_empty();
    }

    /// Fields of the line.
    pub fn fields(&self) -> &[Field] {
        self.list.get(..self.used).unwrap_or(&[])
    }

    /// Whether the line has more than a field for each column.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The next line.
    pub fn next_line(&mut self) -> Step {
        while self.skip > 0 {
            match self.end_of_skipped() {
                Some(end) => {
                    self.at = end;
                    self.skip -= 1;
                }
                None if self.ended => return Step::End,
                None => return Step::More,
            }
        }
        let start = if self.format.line_start.is_empty() || std::mem::take(&mut self.begun) {
            self.at
        } else {
            match find(self.buf.get(self.at..).unwrap_or(&[]), &self.format.line_start) {
                Some(n) => self.at + n + self.format.line_start.len(),
                None if self.ended => return Step::End,
                None => return Step::More,
            }
        };
        if start >= self.buf.len() {
            return if self.ended { Step::End } else { Step::More };
        }
        match self.line(start) {
            Ok(end) => {
                self.at = end;
                Step::Line
            }
            Err(Short) => Step::More,
        }
    }

    /// Where the line that IGNORE n LINES leaves out ends. A byte of the terminator may be half of a wide character, so such a line is read.
    /// Without a terminator a line is as many fields as there are columns, and only the first of all has a start.
    fn end_of_skipped(&mut self) -> Option<usize> {
        if self.at >= self.buf.len() {
            return None;
        }
        if self.format.line_end.is_empty() {
            let mut start = self.at;
            if !self.format.line_start.is_empty() && !self.begun {
                start += find(self.buf.get(self.at..)?, &self.format.line_start)? + self.format.line_start.len();
            }
            let end = self.line(start).ok()?;
            self.begun = true;
            return Some(end);
        }
        if self.format.wide.is_some() {
            return self.line(self.at).ok();
        }
        self.rest_of_line(self.at).ok().map(|(end, _)| end)
    }

    /// Passes over what is left of a line: where the next one starts, and whether there was anything. Of a last line that the file's end ends
    /// nothing is said.
    fn rest_of_line(&self, mut i: usize) -> Result<(usize, bool), Short> {
        let mut cut = false;
        loop {
            let Some(&b) = self.buf.get(i) else {
                return if self.ended { Ok((i, false)) } else { Err(Short) };
            };
            if Some(b) == self.format.escaped {
                i += 1;
                if i >= self.buf.len() {
                    return if self.ended { Ok((i, false)) } else { Err(Short) };
                }
            } else if self.stands(i, &self.format.line_end)? {
                return Ok((i + self.format.line_end.len(), cut));
            }
            cut = true;
            i += self.unit(i)?;
        }
    }

    /// Bytes of the character at `i`.
    fn unit(&self, i: usize) -> Result<usize, Short> {
        let Some(cs) = self.format.wide else { return Ok(1) };
        let rest = self.buf.get(i..).unwrap_or(&[]);
        let n = match cs.char_len(rest) {
            n if n >= usize::from(cs.min_len()) => n,
            // cut in the middle, or no character of the set
            _ if rest.len() < 4 && !self.ended => return Err(Short),
            _ => usize::from(cs.min_len()),
        };
        Ok(n.min(rest.len()).max(1))
    }

    /// Takes the character at `i` into the field; where the next one stands.
    fn take(&self, i: usize, f: &mut Field) -> Result<usize, Short> {
        let end = i + self.unit(i)?;
        f.bytes.extend_from_slice(self.buf.get(i..end).unwrap_or(&[]));
        Ok(end)
    }

    /// Whether `what` stands at `i`; `Short` if the bytes so far end within it.
    fn stands(&self, i: usize, what: &[u8]) -> Result<bool, Short> {
        if what.is_empty() {
            return Ok(false);
        }
        let rest = self.buf.get(i..).unwrap_or(&[]);
        if rest.len() < what.len() && !self.ended && what.starts_with(rest) {
            return Err(Short);
        }
        Ok(rest.starts_with(what))
    }

    /// Reads the fields of the line at `i`; where the next one starts.
    fn line(&mut self, mut i: usize) -> Result<usize, Short> {
        if self.format.fixed {
            return self.fixed_line(i);
        }
        (self.used, self.cut) = (0, false);
        loop {
            // the field behind the last separator of the file is missing, not empty
            if self.used > 0 && i >= self.buf.len() {
                return if self.ended { Ok(i) } else { Err(Short) };
            }
            let mut f = self.list.get_mut(self.used).map(std::mem::take).unwrap_or_default();
            f.bytes.clear();
            f.null = false;
            let (next, last) = self.field(i, &mut f)?;
            match self.list.get_mut(self.used) {
                Some(slot) => *slot = f,
                None => self.list.push(f),
            }
            self.used += 1;
            i = next;
            if last || (self.format.line_end.is_empty() && self.used == self.width) {
                return Ok(i);
            }
            if self.used == self.width {
                let (next, cut) = self.rest_of_line(i)?;
                self.cut = cut;
                return Ok(next);
            }
        }
    }

    /// Reads a field at `i`: where the next starts, and whether the line ends here.
    fn field(&self, mut i: usize, f: &mut Field) -> Result<(usize, bool), Short> {
        let (quote, escape) = (self.format.enclosed, self.format.escaped);
        let mut escaped_n = false;
        let quoted = quote.is_some() && self.buf.get(i).copied() == quote;
        if quoted {
            i += 1;
        }
        loop {
            let Some(&b) = self.buf.get(i) else {
                if !self.ended {
                    return Err(Short);
                }
                // an unfinished quote at the end belongs to the value
                if quoted {
                    f.bytes.splice(0..0, quote);
                    f.null = false;
                }
                f.null = !quoted && is_null(f, escaped_n, quote.is_some());
                return Ok((i, true));
            };
            if Some(b) == escape && escape == quote {
                // doubled it stands for itself, elsewhere it is a quote or a character
                match self.buf.get(i + 1) {
                    Some(&c) if c == b => {
                        f.bytes.push(b);
                        i += 2;
                        continue;
                    }
                    None if !self.ended => return Err(Short),
                    _ => {}
                }
            } else if Some(b) == escape {
                match self.buf.get(i + 1) {
                    Some(&c) if c != b'N' && self.format.wide.is_some() => {
                        i = self.take(i + 1, f)?;
                        continue;
                    }
                    Some(&c) => {
                        escaped_n |= c == b'N';
                        f.bytes.push(unescape(c));
                        i += 2;
                        continue;
                    }
                    None if !self.ended => return Err(Short),
                    None => {}
                }
            }
            if quoted {
                if Some(b) == quote {
                    match self.buf.get(i + 1).copied() {
                        None if !self.ended => return Err(Short),
                        None => {
                            f.null = escaped_n && f.bytes == b"N";
                            return Ok((i + 1, true));
                        }
                        c if c == quote => {
                            f.bytes.push(b);
                            i += 2;
                            continue;
                        }
                        _ => {}
                    }
                    f.null = escaped_n && f.bytes == b"N";
                    if self.stands(i + 1, &self.format.line_end)? {
                        return Ok((i + 1 + self.format.line_end.len(), true));
                    }
                    if self.stands(i + 1, &self.format.field_end)? {
                        return Ok((i + 1 + self.format.field_end.len(), false));
                    }
                }
                i = self.take(i, f)?;
                continue;
            }
            if self.format.line_end.first() == Some(&b) && self.stands(i, &self.format.line_end)? {
                f.null = is_null(f, escaped_n, quote.is_some());
                return Ok((i + self.format.line_end.len(), true));
            }
            if self.format.field_end.first() == Some(&b) && self.stands(i, &self.format.field_end)? {
                f.null = is_null(f, escaped_n, quote.is_some());
                return Ok((i + self.format.field_end.len(), false));
            }
            i = self.take(i, f)?;
        }
    }
}

/// `\N`, or the bare word where fields can be enclosed.
fn is_null(f: &Field, escaped_n: bool, quotes: bool) -> bool {
    (escaped_n && f.bytes == b"N") || (quotes && f.bytes == b"NULL")
}

fn unescape(c: u8) -> u8 {
    match c {
        b'0' => 0,
        b'b' => 8,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'Z' => 26,
        c => c,
    }
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return None;
    }
    hay.windows(needle.len()).position(|w| w == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: &Format, pieces: &[&[u8]], skip: u64) -> Vec<Vec<Option<String>>> {
        let mut r = Reader::new(format.clone(), 2, skip);
        let mut out = Vec::new();
        for p in pieces.iter().copied().chain([&b""[..]]) {
            r.feed(p);
            while r.next_line() == Step::Line {
                let text = |f: &Field| (!f.null).then(|| String::from_utf8_lossy(&f.bytes).into_owned());
                out.push(r.fields().iter().map(text).collect());
            }
        }
        out
    }

    fn format(enclosed: Option<u8>, field: &str, line: &str) -> Format {
        Format {
            field_end: field.into(),
            enclosed,
            optionally: false,
            escaped: Some(b'\\'),
            line_start: Vec::new(),
            line_end: line.into(),
            fixed: field.is_empty() && enclosed.is_none(),
            ambiguous: false,
            wide: None,
        }
    }

    #[test]
    fn fields_of_fixed_width() {
        let mut r = Reader::new(format(None, "", "\n"), 2, 1).with_widths(vec![3, 2]);
        r.feed(b"head\n1  ab\n22");
        let mut seen = Vec::new();
        let mut take = |r: &mut Reader| {
            while r.next_line() == Step::Line {
                seen.push(
                    r.fields().iter().map(|f| String::from_utf8_lossy(&f.bytes).into_owned()).collect::<Vec<_>>(),
                );
            }
        };
        take(&mut r);
        r.feed(b" c\n333444\n7");
        r.feed(b"");
        take(&mut r);
        assert_eq!(seen, [vec!["1  ", "ab"], vec!["22 ", "c"], vec!["333", "44"], vec!["7"]]);
    }

    fn row(l: &[Option<&str>]) -> Vec<Option<String>> {
        l.iter().map(|s| s.map(str::to_owned)).collect()
    }

    #[test]
    fn defaults_cut_by_tab_and_newline_however_the_pieces_fall() {
        let text = b"1\ta\\tb\n\\N\tNULL\n3\tx\\\ny\n4\t";
        let want = vec![
            row(&[Some("1"), Some("a\tb")]),
            row(&[None, Some("NULL")]),
            row(&[Some("3"), Some("x\ny")]),
            // the field behind the last separator of the file is missing
            row(&[Some("4")]),
        ];
        let f = format(None, "\t", "\n");
        assert_eq!(read(&f, &[text], 0), want);
        for cut in 1..text.len() {
            let (a, b) = text.split_at(cut);
            assert_eq!(read(&f, &[a, b], 0), want, "cut at {cut}");
        }
    }

    #[test]
    fn csv_with_quotes_and_header() {
        let text = b"id,name\r\n1,\"a, \"\"b\"\"\"\r\n2,NULL\r\n3,\"NULL\"\r\n";
        let want = vec![row(&[Some("1"), Some("a, \"b\"")]), row(&[Some("2"), None]), row(&[Some("3"), Some("NULL")])];
        let f = format(Some(b'"'), ",", "\r\n");
        assert_eq!(read(&f, &[text], 1), want);
        for cut in 1..text.len() {
            let (a, b) = text.split_at(cut);
            assert_eq!(read(&f, &[a, b], 1), want, "cut at {cut}");
        }
    }

    #[test]
    fn lines_without_terminator_end_with_their_last_field() {
        assert_eq!(
            read(&format(None, ",", ""), &[b"1,a,2,b"], 0),
            vec![row(&[Some("1"), Some("a")]), row(&[Some("2"), Some("b")])]
        );
    }

    #[test]
    fn characters_of_several_bytes_between_separators_of_one() {
        let mut f = format(Some(b'"'), ",", "\n");
        f.wide = Some(value::Charset::Ucs2);
        // a comma's byte is the second one of U+612C, a newline within quotes, and an empty field
        let text = b"\"\x00a\x61,\",\"\x00\n\"\n\\N,\"\x001\"\n";
        let want = [vec![Some(&b"\x00a\x61,"[..]), Some(b"\x00\n")], vec![None, Some(b"\x001")]];
        for cut in 1..text.len() {
            let (a, b) = text.split_at(cut);
            let mut r = Reader::new(f.clone(), 2, 0);
            let mut got = Vec::new();
            for p in [a, b, b""] {
                r.feed(p);
                while r.next_line() == Step::Line {
                    got.push(r.fields().iter().map(|f| (!f.null).then(|| f.bytes.clone())).collect::<Vec<_>>());
                }
            }
            let got: Vec<Vec<Option<&[u8]>>> = got.iter().map(|l| l.iter().map(|f| f.as_deref()).collect()).collect();
            assert_eq!(got, want, "cut at {cut}");
        }
        // a line that is left out is read all the same: the newline within it ends nothing
        let mut r = Reader::new(f, 2, 1);
        r.feed(text);
        assert_eq!(r.next_line(), Step::Line);
        assert_eq!(r.fields().iter().map(|f| f.null).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn starting_by_drops_what_comes_before() {
        let mut f = format(None, ",", "\n");
        f.line_start = b"xxx".to_vec();
        let got = read(&f, &[b"xxx\"abc\",1\nsomething xxxdef,2\nnothing,3\n"], 0);
        assert_eq!(got, vec![row(&[Some("\"abc\""), Some("1")]), row(&[Some("def"), Some("2")])]);
    }
}
