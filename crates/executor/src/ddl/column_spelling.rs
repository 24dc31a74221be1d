//! Names of columns in stored expressions, spelled as the table spells them: what SHOW CREATE TABLE and information_schema print. MySQL does that for
//! generated columns, functional key parts and defaults; a CHECK keeps its own spelling.
//!
//! The texts are canonical ones (`DdlContext::stored_text`): every name is in backticks, and columns have no table before them.
//!
//! Tested: `tests/sql/golden/statement_checks.sql`.

use super::define::same_name;
use storage::dict::{ColumnDefault, TableDef};

/// Spells the names in a definition's expressions. `kept`: those of another definition that are not touched, so that nothing seems to change.
pub fn settle(def: &mut TableDef, kept: Option<&TableDef>) {
    let names: Vec<String> = def.columns.iter().map(|c| c.name.clone()).collect();
    let old = |text: &str| {
        kept.is_some_and(|k| {
            k.columns.iter().any(|c| {
                c.generated.as_ref().is_some_and(|g| g.expr == text)
                    || matches!(&c.default, ColumnDefault::Expr(e) if e == text)
            })
        })
    };
    for c in &mut def.columns {
        if let Some(g) = &mut c.generated
            && !old(&g.expr)
        {
            g.expr = spelled(&g.expr, &names);
        }
        if let ColumnDefault::Expr(e) = &mut c.default
            && !old(e)
        {
            *e = spelled(e, &names);
        }
    }
}

/// The text with every column's name as in `names`.
fn spelled(text: &str, names: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let quoted = quoted(from);
        let (part, after) = from.split_at(quoted);
        let name = part.strip_prefix('`').and_then(|p| p.strip_suffix('`'));
        // a function's name is followed by its arguments
        let column = name.filter(|n| !after.starts_with('(') && !n.contains('`'));
        match column.and_then(|n| names.iter().find(|c| *c != n && same_name(c, n) && !c.contains('`'))) {
            Some(c) => {
                out.push('`');
                out.push_str(c);
                out.push('`');
            }
            None => out.push_str(part),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Bytes of the name in backticks or the string at the start of the text, both quotes included.
fn quoted(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let quote = chars.next().map_or('`', |c| c.1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '\'' {
            chars.next();
        } else if c == quote {
            // doubled, it stands for itself
            if chars.peek().is_some_and(|n| n.1 == quote) {
                chars.next();
            } else {
                return at + c.len_utf8();
            }
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn names_in_texts() {
        let names = ["Aa".to_owned(), "bb".to_owned()];
        let of = |t: &str| spelled(t, &names);
        assert_eq!(of("((`aA` + 1) * `BB`)"), "((`Aa` + 1) * `bb`)");
        assert_eq!(of("concat(`aa`,'`aa` it''s \\' `aa`',`Aa`)"), "concat(`Aa`,'`aa` it''s \\' `aa`',`Aa`)");
        assert_eq!(of("`aa`(`cc`) + `a``a`"), "`aa`(`cc`) + `a``a`");
    }
}
