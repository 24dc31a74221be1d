//! SHOW CREATE VIEW.

use crate::schema::views::property;
use base::{SqlError, SqlResult};
use parser::ast::Statement;
use parser::print::{Resolution, Style, ident};
use storage::dict::ViewDef;

/// The statement that makes the view. `current`: default schema; the view's own name, and the names in it if all are of
/// that schema, are printed without it. `quote`: of identifiers; `ansi`: sql_mode is ANSI, which leaves out what other servers lack.
pub fn create_view(v: &ViewDef, current: Option<&str>, quote: char, ansi: bool) -> SqlResult<String> {
    let arena = bumpalo::Bump::new();
    let mut lexed = parser::Lexed::new();
    lexed.tokenize(v.select.as_bytes(), 0, parser::Mode::default());
    let parsed = parser::parse(&arena, v.select.as_bytes(), &mut lexed)?;
    let Statement::Query(q) = parsed.statement else { return Err(SqlError::unsupported("this view")) };
    let own = current == Some(v.schema.as_str());
    let select = if own {
        parser::print::compact(q, &v.schema, quote)
    } else {
        parser::print::query(q, &Resolution::default(), Style { quote, ..Style::default() })
    };
    let id = |n: &str| ident(n, quote);
    let (user, host) = property(v, "DEFINER").rsplit_once('@').unwrap_or(("", ""));
    let (algorithm, security) = (property(v, "ALGORITHM"), property(v, "SECURITY"));
    let mut out = match ansi {
        true => "CREATE VIEW ".to_owned(),
        false => {
            format!("CREATE ALGORITHM={algorithm} DEFINER={}@{} SQL SECURITY {security} VIEW ", id(user), id(host))
        }
    };
    if !own {
        out.push_str(&id(&v.schema));
        out.push('.');
    }
    out.push_str(&id(&v.name));
    if !v.columns.is_empty() {
        let names: Vec<String> = v.columns.iter().map(|c| id(c)).collect();
        out.push_str(&format!(" ({})", names.join(",")));
    }
    out.push_str(" AS ");
    out.push_str(&select);
    match property(v, "CHECK") {
        "" => {}
        kind => out.push_str(&format!(" WITH {kind} CHECK OPTION")),
    }
    Ok(out)
}
