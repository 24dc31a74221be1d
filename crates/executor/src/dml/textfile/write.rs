//! Making lines for SELECT ... INTO OUTFILE.

use super::Format;

/// Appends the line's beginning.
pub fn begin_line(f: &Format, out: &mut Vec<u8>) {
    out.extend_from_slice(&f.line_start);
}

/// Appends the line's end.
pub fn end_line(f: &Format, out: &mut Vec<u8>) {
    out.extend_from_slice(&f.line_end);
}

/// Appends a field; `n` counts from 0. `text`: a string or temporal value, which OPTIONALLY ENCLOSED encloses.
pub fn field(f: &Format, n: usize, value: Option<&[u8]>, text: bool, out: &mut Vec<u8>) {
    if n > 0 {
        out.extend_from_slice(&f.field_end);
    }
    let Some(v) = value else {
        match f.escaped {
            Some(e) => out.extend_from_slice(&[e, b'N']),
            None => out.extend_from_slice(b"NULL"),
        }
        return;
    };
    let quote = f.enclosed.filter(|_| text || !f.optionally);
    out.extend(quote);
    let sep = quote.or(f.field_end.first().copied());
    let line = f.line_end.first().copied().or(f.line_start.first().copied());
    for &b in v {
        match f.escaped {
            // escaped, it would read as something else
            Some(_) if quote.is_none() && f.ambiguous && Some(b) == f.field_end.first().copied() => out.push(b),
            Some(e) if b == 0 => out.extend_from_slice(&[e, b'0']),
            Some(e) if b == e || Some(b) == sep || Some(b) == line => out.extend_from_slice(&[e, b]),
            _ => out.push(b),
        }
    }
    out.extend(quote);
}

/// Appends a field that is text of [`Format::wide`]: nothing in it is escaped.
pub fn wide_field(f: &Format, n: usize, value: &[u8], text: bool, out: &mut Vec<u8>) {
    if n > 0 {
        out.extend_from_slice(&f.field_end);
    }
    let quote = f.enclosed.filter(|_| text || !f.optionally);
    out.extend(quote);
    out.extend_from_slice(value);
    out.extend(quote);
}

/// Appends a field of the fixed-width format: cut or padded with spaces to `width` bytes; NULL is empty.
pub fn fixed_field(value: Option<&[u8]>, width: usize, out: &mut Vec<u8>) {
    let v = value.unwrap_or(&[]);
    let v = v.get(..width).unwrap_or(v);
    out.extend_from_slice(v);
    out.resize(out.len() + width - v.len(), b' ');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dml::textfile::Format;

    #[test]
    fn separators_and_nul_are_escaped() {
        let f = Format {
            field_end: b",".to_vec(),
            enclosed: Some(b'"'),
            optionally: true,
            escaped: Some(b'\\'),
            line_start: Vec::new(),
            line_end: b"\n".to_vec(),
            fixed: false,
            ambiguous: false,
            wide: None,
        };
        let mut out = Vec::new();
        field(&f, 0, Some(b"12"), false, &mut out);
        field(&f, 1, Some(b"a\"b,c\n\0\\"), true, &mut out);
        field(&f, 2, None, true, &mut out);
        end_line(&f, &mut out);
        assert_eq!(out, b"12,\"a\\\"b,c\\\n\\0\\\\\",\\N\n");
    }

    #[test]
    fn an_ambiguous_terminator_is_not_escaped() {
        let format = |end: &[u8], enclosed: Option<u8>, optionally: bool| Format {
            field_end: end.to_vec(),
            enclosed,
            optionally,
            escaped: Some(b'\\'),
            line_start: Vec::new(),
            line_end: b"\n".to_vec(),
            fixed: false,
            ambiguous: false,
            wide: None,
        };
        let mut f = format(b"rake", None, false);
        assert!(f.mark_ambiguous(true, false));
        let mut out = Vec::new();
        field(&f, 0, Some(b"a-r-\\"), true, &mut out);
        assert_eq!(out, b"a-r-\\\\");
        // enclosed: nothing is ambiguous, unless numbers stand outside
        assert!(!format(b"rake", Some(b'"'), false).mark_ambiguous(true, true));
        assert!(!format(b"0", Some(b'"'), false).mark_ambiguous(true, true));
        assert!(format(b"0", Some(b'"'), true).mark_ambiguous(true, true));
        assert!(!format(b"0", Some(b'"'), true).mark_ambiguous(true, false));
        assert!(!format(b",", None, false).mark_ambiguous(true, true));
        assert!(format(b"0", None, false).mark_ambiguous(false, true));
        assert!(format(b",", Some(0xc3), false).has_foreign_separator());
    }
}
