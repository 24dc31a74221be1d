//! Names of result columns that are made from the statement's text.
//!
//! The name of a column without an alias is its expression as written, without the marks of executed comments (`/*!80000 x */` reads as
//! ` x `), a literal's is the literal itself, even behind a `+` or in parentheses, and a column's is written as in the query or view
//! that it comes out of, if that is merged (most tables of information_schema are such views in MySQL). Names are UTF-8: a text in another
//! `character_set_client` is decoded here, and `catalog::client` encodes what a client of another `character_set_results` reads.
//!
//! Tested: `tests/sql/golden/client_charset.sql`.

use parser::ast::{self, ExprKind as A, LitValue, UnaryOp};
use value::CollationId;
use value::charset::Charset;

use super::Binder;
use crate::block::Origin;

/// Characters of a column name made from an expression's text (MySQL's MAX_ALIAS_NAME).
const MAX_HEADING: usize = 256;

impl Binder<'_, '_> {
    /// The name of a column of the result that has no alias.
    pub(super) fn item_name(&self, item: &ast::Expr<'_>) -> String {
        // NAME_CONST(name, value) is called by its first argument, as a string literal is by itself
        let named = match unsigned(item).kind {
            A::Column(c) => return self.heading_of(c).to_owned(),
            A::Func(f) if f.name == "name_const" => f.args.first().unwrap_or(item),
            _ => item,
        };
        match literal(named) {
            Some(l) => match l.value {
                LitValue::Str { bytes, charset } => {
                    let known = charset.and_then(Charset::by_name).filter(|_| !self.tcx.client.hides_ascii());
                    let set = known.unwrap_or_else(|| self.text_charset());
                    let first = l.first.and_then(|n| bytes.get(..n as usize));
                    cut(utf8(set, first.unwrap_or(bytes)).trim_start())
                }
                LitValue::Null => "NULL".into(),
                LitValue::Int(_) | LitValue::Decimal(_) | LitValue::Float(_) => cut(&self.text(l.span)),
                _ => cut(&self.executed(named.span)),
            },
            None => cut(&self.executed(named.span)),
        }
    }

    /// The name of a column: as written, but that of the query or view where it comes out of a merged one.
    fn heading_of<'n>(&'n self, c: &'n ast::ColumnRef<'_>) -> &'n str {
        let found = self.scopes.iter().rev().find_map(|s| s.find(c).ok().flatten().map(|at| (s, at)));
        let Some((scope, (t, i))) = found else { return c.column };
        let Some(table) = scope.tables.get(t) else { return c.column };
        match table.columns.get(i) {
            Some(k) if table.merged.is_some() || k.origin.as_ref().is_some_and(is_system_view) => &k.name,
            _ => c.column,
        }
    }

    /// The text of a span as UTF-8.
    pub(crate) fn text(&self, span: ast::Span) -> String {
        utf8(self.text_charset(), span.text(self.sql))
    }

    /// The character set of the text being bound.
    pub(crate) fn text_charset(&self) -> Charset {
        // a view's text is UTF-8
        if self.view_schema.is_some() { Charset::Utf8mb4 } else { self.r.client_collation().charset() }
    }

    /// The text without the marks of comments that are executed.
    fn executed(&self, span: ast::Span) -> String {
        let text = self.text(span);
        // the comment may have begun before the expression
        if text.contains("/*!") || text.contains("*/") { without_marks(&text) } else { text }
    }
}

/// What stands in parentheses and behind `+`.
fn unsigned<'e, 'a>(e: &'e ast::Expr<'a>) -> &'e ast::Expr<'a> {
    match e.unparen().kind {
        A::Unary { op: UnaryOp::Plus, expr } => unsigned(expr),
        _ => e.unparen(),
    }
}

/// Tables of information_schema that are no views in MySQL, or views with rows of their own.
const NO_VIEWS: [&str; 15] = [
    "APPLICABLE_ROLES",
    "COLLATIONS",
    "COLUMN_PRIVILEGES",
    "ENABLED_ROLES",
    "ENGINES",
    "OPTIMIZER_TRACE",
    "PLUGINS",
    "PROCESSLIST",
    "PROFILING",
    "ROLE_COLUMN_GRANTS",
    "ROLE_ROUTINE_GRANTS",
    "ROLE_TABLE_GRANTS",
    "SCHEMA_PRIVILEGES",
    "TABLE_PRIVILEGES",
    "USER_PRIVILEGES",
];

/// Those of InnoDB that are views.
const INNODB_VIEWS: [&str; 4] =
    ["INNODB_DATAFILES", "INNODB_FIELDS", "INNODB_FOREIGN_COLS", "INNODB_TABLESPACES_BRIEF"];

/// A column of one of information_schema's tables that MySQL defines as a view which is merged.
fn is_system_view(o: &Origin) -> bool {
    let name = o.org_table.as_str();
    o.schema == "information_schema"
        && !NO_VIEWS.contains(&name)
        && (!name.starts_with("INNODB_") || INNODB_VIEWS.contains(&name))
}

/// See [`Binder::executed`].
fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = if let Some(after) = rest.strip_prefix("/*!") {
            let digits = after.bytes().take(6).take_while(u8::is_ascii_digit).count();
            let (version, inside) = after.split_at(if digits >= 5 { digits } else { 0 });
            // one for a newer server is a comment
            let newer = version.parse().is_ok_and(|v: u32| v > parser::VERSION_ID);
            rest =
                if newer { inside.find("*/").map_or("", |n| inside.get(n + 2..).unwrap_or_default()) } else { inside };
            continue;
        } else if let Some(after) = rest.strip_prefix("*/") {
            rest = after;
            continue;
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |n| n + 2)
        } else if matches!(c, '\'' | '"' | '`') {
            rest.get(1..).and_then(|r| r.find(c)).map_or(rest.len(), |n| n + 2)
        } else {
            c.len_utf8()
        };
        let (head, tail) = rest.split_at(taken);
        out.push_str(head);
        rest = tail;
    }
    out.trim_end().to_owned()
}

/// The literal that an expression is, if parentheses and `+` are looked through.
fn literal<'e>(e: &'e ast::Expr<'_>) -> Option<&'e ast::Literal<'e>> {
    match &e.unparen().kind {
        A::Literal(l) => Some(l),
        A::Unary { op: UnaryOp::Plus, expr } => literal(expr),
        _ => None,
    }
}

/// Whether the bytes of a string are those of the same characters in ASCII.
fn is_ascii(bytes: &[u8], set: Charset) -> bool {
    bytes.is_ascii() && !set.is_wide()
}

/// Bytes of a character set as UTF-8.
fn utf8(set: Charset, bytes: &[u8]) -> String {
    if is_ascii(bytes, set) || set.takes_utf8() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut out = Vec::with_capacity(bytes.len() * 2);
    value::charset::convert(bytes, set, Charset::Utf8mb4, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Bytes of a collation's character set as UTF-8: how the parser reads names (`parser::Decode`).
pub fn decode_name(collation: u16, bytes: &[u8]) -> Vec<u8> {
    utf8(CollationId(collation).charset(), bytes).into_bytes()
}

/// A string literal in `character_set_client` as one of `collation_connection`'s set; `None`: it is the same.
pub fn from_client(bytes: &[u8], client: Charset, connection: Charset) -> Option<Vec<u8>> {
    let same = client == connection || client == Charset::Binary || connection == Charset::Binary;
    let ascii = is_ascii(bytes, client) && !connection.is_wide();
    if same || ascii || (client == Charset::Utf8mb3 && connection == Charset::Utf8mb4) {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() * 2);
    value::charset::convert(bytes, client, connection, &mut out);
    Some(out)
}

/// How literals of this client are printed ([`parser::print::Style::sent`]); `None`: as they are.
pub fn sent_by(client: Charset) -> Option<parser::print::Sent> {
    (!client.takes_utf8()).then_some((client.default_collation().0, literal_in))
}

fn literal_in(client: u16, to: Option<&str>, bytes: &[u8]) -> Vec<u8> {
    let client = CollationId(client).charset();
    let text = match to.and_then(Charset::by_name) {
        Some(to) => value::charset::client::literal(client, to, bytes),
        None => value::charset::client::depart(client, bytes),
    };
    text.into_owned()
}

/// A name made from an expression, cut. Names have no characters beyond the BMP (manual, "Schema Object Names"): they become question marks.
fn cut(text: &str) -> String {
    text.chars().take(MAX_HEADING).map(|c| if c as u32 > 0xFFFF { '?' } else { c }).collect()
}
