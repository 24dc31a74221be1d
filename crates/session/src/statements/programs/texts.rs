//! What of a CREATE statement is kept as a program's text: parameters and body as they were written, in the character
//! set of the client.
//!
//! MySQL keeps the comments before the body of a trigger or event, not those of a routine, and the comments behind a
//! body that is a simple statement, not behind one that ends with END. Pure code; tested below, golden `program_show`.

use parser::ast::{Body, BodyKind, Span};

/// Length of the white space and the plain comments that `s` begins with, and of that up to the end of the last
/// comment. What runs under a condition (`/*!`) and optimizer hints are no comments.
fn comments(s: &[u8]) -> (usize, usize) {
    let (mut at, mut comment) = (0, 0);
    loop {
        let rest = s.get(at..).unwrap_or_default();
        let blank = |b: Option<&u8>| b.is_none_or(u8::is_ascii_whitespace);
        let line = rest.first() == Some(&b'#') || rest.starts_with(b"--") && blank(rest.get(2));
        if rest.first().is_some_and(u8::is_ascii_whitespace) {
            at += 1;
            continue;
        }
        let len = if rest.starts_with(b"/*") && !matches!(rest.get(2), Some(b'!' | b'+')) {
            let inside = rest.get(2..).unwrap_or_default();
            inside.windows(2).position(|w| w == b"*/").map(|n| n + 4)
        } else if line {
            Some(rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()))
        } else {
            None
        };
        match len {
            Some(len) => {
                at += len;
                comment = at;
            }
            None => return (at, comment),
        }
    }
}

/// Whether the body's last token is an END.
fn ends_with_end(sql: &[u8], span: Span, kind: &BodyKind<'_>) -> bool {
    if matches!(kind, BodyKind::Sql(_) | BodyKind::Return(_)) {
        return false;
    }
    span.text(sql).to_ascii_uppercase().ends_with(b"END")
}

/// A body's text; `commented`: that of a trigger or event.
pub(super) fn body(sql: &[u8], body: &Body<'_>, commented: bool) -> Vec<u8> {
    let Span { mut start, mut end } = body.span;
    let head = sql.get(body.head_end as usize..start as usize).unwrap_or_default();
    if commented && comments(head).0 == head.len() {
        let blank = head.iter().take_while(|b| b.is_ascii_whitespace()).count();
        start = body.head_end + blank as u32;
    }
    if !ends_with_end(sql, body.span, &body.statement.kind) {
        end += comments(sql.get(end as usize..).unwrap_or_default()).1 as u32;
    }
    Span { start, end }.text(sql).trim_ascii_end().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(sql: &str, commented: bool) -> String {
        let (arena, mut lexed) = (bumpalo::Bump::new(), parser::Lexed::new());
        lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
        let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed).unwrap();
        let parser::ast::Statement::CreateProgram(c) = parsed.statement else { panic!("{sql}") };
        String::from_utf8(body(sql.as_bytes(), &c.body, commented)).unwrap()
    }

    #[test]
    fn comments_stay_as_in_mysql() {
        let t = "CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW ";
        assert_eq!(kept(&format!("{t} /*x*/ begin end /*z*/"), true), "/*x*/ begin end");
        assert_eq!(kept(&format!("{t} set @a=1 /*z*/ "), true), "set @a=1 /*z*/");
        assert_eq!(kept(&format!("/*!50003 {t} set @a=1 */"), true), "set @a=1");
        assert_eq!(kept("create procedure p() /*x*/ select /*y*/ 1 -- z", false), "select /*y*/ 1 -- z");
        assert_eq!(kept("create procedure p() /*x*/ begin end /*z*/", false), "begin end");
    }
}
