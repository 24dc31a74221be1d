//! The text of types and of CREATE statements, as SHOW CREATE TABLE and information_schema print it (MySQL 8.4).

use storage::dict::{ColumnDef, ColumnDefault, FulltextDef, IndexDef, IndexKind, SchemaDef, TableDef};
use value::convert::to_text;
use value::types::NOT_FIXED_DEC;
use value::{CollationId, SqlType, TypeKind};

/// Backquoted identifier.
pub fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// String literal in single quotes with MySQL's escapes.
pub fn literal(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('\'');
    for c in s.chars() {
        match c {
            '\'' => out.push_str("''"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// An expression as information_schema shows it: MySQL escapes quotes and backslashes there, not in SHOW CREATE TABLE.
pub fn escaped(expr: &str) -> String {
    expr.replace('\\', "\\\\").replace('\'', "\\'")
}

/// `DATA_TYPE`: the bare name.
pub fn type_name(kind: TypeKind) -> &'static str {
    match kind {
        TypeKind::Null => "null",
        TypeKind::TinyInt => "tinyint",
        TypeKind::SmallInt => "smallint",
        TypeKind::MediumInt => "mediumint",
        TypeKind::Int => "int",
        TypeKind::BigInt => "bigint",
        TypeKind::Float => "float",
        TypeKind::Double => "double",
        TypeKind::Decimal => "decimal",
        TypeKind::Date => "date",
        TypeKind::Time => "time",
        TypeKind::DateTime => "datetime",
        TypeKind::Timestamp => "timestamp",
        TypeKind::Year => "year",
        TypeKind::Char => "char",
        TypeKind::VarChar => "varchar",
        TypeKind::Binary => "binary",
        TypeKind::VarBinary => "varbinary",
        TypeKind::TinyText => "tinytext",
        TypeKind::Text => "text",
        TypeKind::MediumText => "mediumtext",
        TypeKind::LongText => "longtext",
        TypeKind::TinyBlob => "tinyblob",
        TypeKind::Blob => "blob",
        TypeKind::MediumBlob => "mediumblob",
        TypeKind::LongBlob => "longblob",
        TypeKind::Bit => "bit",
        TypeKind::Enum => "enum",
        TypeKind::Set => "set",
        TypeKind::Json => "json",
    }
}

/// Text of a character set for people; bytes of `binary` are taken for UTF-8.
fn in_utf8(s: &[u8], cs: value::Charset) -> String {
    if (s.is_ascii() && cs.has_ascii()) || cs.is_utf8() || cs == value::Charset::Binary {
        return String::from_utf8_lossy(s).into_owned();
    }
    let mut out = Vec::with_capacity(s.len() * 2);
    value::charset::convert(s, cs, value::Charset::Utf8mb4, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// `COLUMN_TYPE`: name, length, `unsigned`, `zerofill`. Integers show a display width only with ZEROFILL and for
/// TINYINT(1), as since MySQL 8.0.19.
pub fn column_type(t: &SqlType) -> String {
    let name = type_name(t.kind);
    let mut s = match t.kind {
        k if k.is_integer() => {
            let boolean = k == TypeKind::TinyInt && t.length == 1 && !t.unsigned;
            if t.zerofill || boolean { format!("{name}({})", t.length) } else { name.to_owned() }
        }
        TypeKind::Float | TypeKind::Double if t.decimals != NOT_FIXED_DEC => {
            format!("{name}({},{})", t.length, t.decimals)
        }
        TypeKind::Decimal => format!("{name}({},{})", t.length, t.decimals),
        TypeKind::Bit | TypeKind::Char | TypeKind::VarChar | TypeKind::Binary | TypeKind::VarBinary => {
            format!("{name}({})", t.length)
        }
        TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp if t.decimals > 0 => {
            format!("{name}({})", t.decimals)
        }
        TypeKind::Enum | TypeKind::Set => {
            let members = t.members.iter().flat_map(|m| m.iter());
            let list: Vec<String> = members.map(|m| literal(&in_utf8(m, t.charset()))).collect();
            format!("{name}({})", list.join(","))
        }
        _ => name.to_owned(),
    };
    let number = t.kind.is_integer() || t.kind.is_float() || t.kind == TypeKind::Decimal;
    if t.unsigned && number {
        s.push_str(" unsigned");
    }
    if t.zerofill && number {
        s.push_str(" zerofill");
    }
    s
}

/// A default's value as text, without quotes; `None` for NULL. A moment as its `text` says ([`ColumnDefault::show_in`]).
pub fn default_text(c: &ColumnDef) -> Option<String> {
    match &c.default {
        ColumnDefault::None => None,
        ColumnDefault::Now if c.ty.decimals > 0 => Some(format!("CURRENT_TIMESTAMP({})", c.ty.decimals)),
        ColumnDefault::Now => Some("CURRENT_TIMESTAMP".into()),
        ColumnDefault::Expr(e) => Some(e.clone()),
        ColumnDefault::Value(value::OwnedValue::Null) => None,
        ColumnDefault::Value(v) if c.ty.kind == TypeKind::Bit => match v {
            value::OwnedValue::UInt(n) => Some(format!("b'{n:b}'")),
            _ => None,
        },
        ColumnDefault::Moment { text, .. } => {
            let mut out = Vec::new();
            to_text(value::Value::DateTime(*text), &c.ty, &mut out);
            Some(String::from_utf8_lossy(&out).into_owned())
        }
        ColumnDefault::Value(v) => {
            let mut out = Vec::new();
            to_text(v.as_value(), &c.ty, &mut out);
            let member = matches!(c.ty.kind, TypeKind::Enum | TypeKind::Set);
            if c.ty.is_character() && (c.ty.kind.is_string() || member) && !c.ty.charset().is_utf8() {
                let bytes = std::mem::take(&mut out);
                value::charset::convert(&bytes, c.ty.charset(), value::Charset::Utf8mb4, &mut out);
            }
            Some(
                if c.ty.collation == CollationId::BINARY && c.ty.kind.is_string() && std::str::from_utf8(&out).is_err()
                {
                    format!("0x{}", out.iter().map(|b| format!("{b:02X}")).collect::<String>())
                } else {
                    String::from_utf8_lossy(&out).into_owned()
                },
            )
        }
    }
}

/// `DEFAULT_GENERATED on update CURRENT_TIMESTAMP`, `auto_increment` ...: the Extra column.
pub fn extra(c: &ColumnDef) -> String {
    let mut words: Vec<String> = Vec::new();
    if c.auto_increment {
        words.push("auto_increment".into());
    }
    if matches!(c.default, ColumnDefault::Now | ColumnDefault::Expr(_)) {
        words.push("DEFAULT_GENERATED".into());
    }
    if c.on_update_now {
        words.push(format!("on update {}", now_text(c)));
    }
    if let Some(g) = &c.generated {
        words.push(if g.stored { "STORED GENERATED" } else { "VIRTUAL GENERATED" }.into());
    }
    if c.invisible {
        words.push("INVISIBLE".into());
    }
    words.join(" ")
}

fn now_text(c: &ColumnDef) -> String {
    if c.ty.decimals > 0 { format!("CURRENT_TIMESTAMP({})", c.ty.decimals) } else { "CURRENT_TIMESTAMP".into() }
}

/// The set where it is not the table's, the collation where it is not the set's default, both where they were written with the column.
fn charset_clause(c: &ColumnDef, table: CollationId) -> String {
    let id = c.ty.collation;
    // ENUM and SET say so also when their characters are bytes
    if !c.ty.is_character() && c.ty.members.is_none() {
        return String::new();
    }
    let collation = id.get();
    let set = id != table || c.charset_written;
    let set = if set { format!(" CHARACTER SET {}", collation.charset.name()) } else { String::new() };
    // the default of utf8mb4 has not always been this one
    let changed = id == CollationId::UTF8MB4_0900_AI_CI && table != id;
    if c.charset_written || !collation.is_default || changed {
        format!("{set} COLLATE {}", collation.name)
    } else {
        set
    }
}

fn default_clause(c: &ColumnDef) -> String {
    match &c.default {
        ColumnDefault::None => String::new(),
        ColumnDefault::Now => format!(" DEFAULT {}", now_text(c)),
        ColumnDefault::Expr(e) => format!(" DEFAULT ({e})"),
        ColumnDefault::Value(value::OwnedValue::Null) => {
            // BLOB and TEXT columns have no printed default; JSON columns do
            if c.ty.kind.is_lob() && c.ty.kind != TypeKind::Json { String::new() } else { " DEFAULT NULL".into() }
        }
        ColumnDefault::Value(_) | ColumnDefault::Moment { .. } => match default_text(c) {
            Some(t) if c.ty.kind == TypeKind::Bit || t.starts_with("0x") && c.ty.collation == CollationId::BINARY => {
                format!(" DEFAULT {t}")
            }
            Some(t) => format!(" DEFAULT {}", literal(&t)),
            None => String::new(),
        },
    }
}

fn column_line(c: &ColumnDef, table: CollationId) -> String {
    let mut s = format!("  {} {}{}", quote(&c.name), column_type(&c.ty), charset_clause(c, table));
    if let Some(g) = &c.generated {
        s.push_str(&format!(" GENERATED ALWAYS AS ({}) {}", g.expr, if g.stored { "STORED" } else { "VIRTUAL" }));
    }
    if !c.ty.nullable {
        s.push_str(" NOT NULL");
    } else if c.ty.kind == TypeKind::Timestamp {
        s.push_str(" NULL");
    }
    s.push_str(&default_clause(c));
    if c.on_update_now {
        s.push_str(&format!(" ON UPDATE {}", now_text(c)));
    }
    if c.auto_increment {
        s.push_str(" AUTO_INCREMENT");
    }
    if c.invisible {
        s.push_str(" /*!80023 INVISIBLE */");
    }
    if !c.comment.is_empty() {
        s.push_str(&format!(" COMMENT {}", literal(&c.comment)));
    }
    s
}

fn index_line(i: &IndexDef, t: &TableDef, ansi: bool) -> String {
    let parts: Vec<String> = i
        .parts
        .iter()
        .map(|p| {
            let desc = if p.desc { " DESC" } else { "" };
            let column = t.columns.get(p.column as usize);
            if let Some(g) = column.filter(|c| c.is_hidden()).and_then(|c| c.generated.as_ref()) {
                return format!("({}){desc}", g.expr);
            }
            let name = column.map_or("", |c| c.name.as_str());
            let prefix = if p.prefix > 0 { format!("({})", p.prefix) } else { String::new() };
            format!("{}{prefix}{desc}", quote(name))
        })
        .collect();
    let head = match i.kind {
        IndexKind::Primary => "PRIMARY KEY".to_owned(),
        IndexKind::Unique => format!("UNIQUE KEY {}", quote(&i.name)),
        IndexKind::Plain => format!("KEY {}", quote(&i.name)),
    };
    let mut s = format!("  {head} ({})", parts.join(","));
    if i.using_btree && !ansi {
        s.push_str(" USING BTREE");
    }
    if !i.comment.is_empty() && !ansi {
        s.push_str(&format!(" COMMENT {}", literal(&i.comment)));
    }
    if !i.visible && !ansi {
        s.push_str(" /*!80000 INVISIBLE */");
    }
    s
}

fn fulltext_line(i: &FulltextDef, t: &TableDef, ansi: bool) -> String {
    let name = |c: &u16| t.columns.get(*c as usize).map_or(String::new(), |c| quote(&c.name));
    let columns: Vec<String> = i.columns.iter().map(name).collect();
    let mut s = format!("  FULLTEXT KEY {} ({})", quote(&i.name), columns.join(","));
    if !i.comment.is_empty() && !ansi {
        s.push_str(&format!(" COMMENT {}", literal(&i.comment)));
    }
    if !i.visible && !ansi {
        s.push_str(" /*!80000 INVISIBLE */");
    }
    if !i.parser.is_empty() {
        // MySQL leaves the blank behind it
        s.push_str(&format!(" /*!50100 WITH PARSER {} */ ", quote(&i.parser)));
    }
    s
}

/// What SHOW CREATE TABLE shows.
#[derive(Clone, Copy, Default)]
pub struct Shown {
    /// A generated invisible primary key too.
    pub generated_key: bool,
    /// ROW_FORMAT even where none was given (`show_create_table_verbosity`).
    pub format: bool,
    /// sql_mode is ANSI: no options of the table and its indexes, which other servers lack.
    pub ansi: bool,
}

/// SHOW CREATE TABLE of a table whose moments are shown in the session's zone. `next_auto_increment` is printed when above 1.
pub fn create_table(t: &TableDef, next_auto_increment: u64, shown: Shown) -> String {
    let Shown { generated_key, format, ansi } = shown;
    // it comes first among the columns and among the keys
    let left_out = usize::from(!generated_key && t.has_generated_key());
    let columns = t.columns.iter().skip(left_out).filter(|c| !c.is_hidden());
    let mut lines: Vec<String> = columns.map(|c| column_line(c, t.collation)).collect();
    lines.extend(t.indexes.iter().skip(left_out).filter(|i| !i.parts.is_empty()).map(|i| index_line(i, t, ansi)));
    lines.extend(t.fulltext.iter().map(|i| fulltext_line(i, t, ansi)));
    let mut keys: Vec<_> = t.foreign_keys.iter().collect();
    // as MySQL keeps them: names of constraints know no case
    keys.sort_by_key(|f| f.name.to_lowercase());
    lines.extend(keys.into_iter().map(|f| format!("  {}", f.clause(t))));
    let mut checks: Vec<_> = t.checks.iter().collect();
    checks.sort_by_key(|c| c.name.to_lowercase());
    for c in checks {
        let off = if c.enforced { "" } else { " /*!80016 NOT ENFORCED */" };
        lines.push(format!("  CONSTRAINT {} CHECK ({}){off}", quote(&c.name), c.expr));
    }
    let kind = if t.is_temporary() { "CREATE TEMPORARY TABLE" } else { "CREATE TABLE" };
    let mut s = format!("{kind} {} (\n{}\n)", quote(&t.name), lines.join(",\n"));
    if ansi {
        return s;
    }
    s.push_str(" ENGINE=InnoDB");
    if next_auto_increment > 1 && left_out == 0 && t.auto_increment_column().is_some() {
        s.push_str(&format!(" AUTO_INCREMENT={next_auto_increment}"));
    }
    s.push_str(&charset_option(t.collation));
    let unsaid = ("ROW_FORMAT".to_owned(), executor::ddl::row_format::shown(&t.options).to_uppercase());
    let said = t.options.iter().any(|(k, _)| *k == unsaid.0);
    let mut options = ordered_options(t);
    if format && !said {
        let at = options.iter().position(|(k, _)| k == "KEY_BLOCK_SIZE" || k == COMPRESSION).unwrap_or(options.len());
        options.insert(at, &unsaid);
    }
    for (k, v) in options {
        match k.as_str() {
            COMPRESSION if v.is_empty() => {}
            COMPRESSION => s.push_str(&format!(" {k}={}", literal(v))),
            _ => s.push_str(&format!(" {k}={v}")),
        }
    }
    if !t.comment.is_empty() {
        s.push_str(&format!(" COMMENT={}", literal(&t.comment)));
    }
    if let Some((_, v)) = t.options.iter().find(|(k, v)| k == CONNECTION && !v.is_empty()) {
        s.push_str(&format!(" CONNECTION={}", literal(v)));
    }
    s
}

/// The option that stands behind the comment, and that information_schema does not show.
const CONNECTION: &str = "CONNECTION";

/// The option whose value is a text.
const COMPRESSION: &str = "COMPRESSION";

/// The other options, in the order in which SHOW CREATE TABLE has them, whatever they were written in.
fn ordered_options(t: &TableDef) -> Vec<&(String, String)> {
    const ORDER: [&str; 11] = [
        "MIN_ROWS",
        "MAX_ROWS",
        "AVG_ROW_LENGTH",
        "PACK_KEYS",
        "STATS_PERSISTENT",
        "STATS_AUTO_RECALC",
        "STATS_SAMPLE_PAGES",
        "CHECKSUM",
        "DELAY_KEY_WRITE",
        "ROW_FORMAT",
        "KEY_BLOCK_SIZE",
    ];
    let mut list: Vec<_> = t.options.iter().filter(|(k, _)| k != CONNECTION).collect();
    list.sort_by_key(|(k, _)| ORDER.iter().position(|o| o == k).unwrap_or(ORDER.len()));
    list
}

/// CREATE_OPTIONS of information_schema.TABLES.
pub(crate) fn shown_options(t: &TableDef) -> Vec<String> {
    let mut list = ordered_options(t);
    // there the format of rows stands behind their length
    if let Some(at) = list.iter().position(|(k, _)| k == "ROW_FORMAT") {
        let format = list.remove(at);
        let behind = |k: &str| matches!(k, "MIN_ROWS" | "MAX_ROWS" | "AVG_ROW_LENGTH");
        let to = list.iter().take_while(|(k, _)| behind(k)).count();
        list.insert(to, format);
    }
    list.retain(|(k, v)| k != COMPRESSION || !v.is_empty());
    let shown = |(k, v): &(String, String)| match k.as_str() {
        COMPRESSION => format!("{k}=\"{v}\""),
        // the one that MySQL writes in capitals
        "KEY_BLOCK_SIZE" => format!("{k}={v}"),
        _ => format!("{}={v}", k.to_lowercase()),
    };
    list.into_iter().map(shown).collect()
}

fn charset_option(id: CollationId) -> String {
    let c = id.get();
    let mut s = format!(" DEFAULT CHARSET={}", c.charset.name());
    if !c.is_default || id == CollationId(255) {
        s.push_str(&format!(" COLLATE={}", c.name));
    }
    s
}

/// SHOW CREATE DATABASE.
pub fn create_database(s: &SchemaDef, if_not_exists: bool) -> String {
    let c = s.collation.get();
    let collate =
        if c.is_default && s.collation != CollationId(255) { String::new() } else { format!(" COLLATE {}", c.name) };
    let guard = if if_not_exists { "/*!32312 IF NOT EXISTS*/ " } else { "" };
    format!(
        "CREATE DATABASE {guard}{} /*!40100 DEFAULT CHARACTER SET {}{collate} */ /*!80016 DEFAULT ENCRYPTION='N' */",
        quote(&s.name),
        c.charset.name()
    )
}
