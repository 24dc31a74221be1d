//! CREATE TABLE as written -> [`TableDef`] without ids.

use super::charset::Chosen;
use super::columns::{Column, comment, define_column};
use super::keys::{KeySpec, define_keys, sort_keys};
use super::tablespace::Statement;
use super::{DdlContext, foreign, functional, generated_key, size_limits, table_expr_rules, tablespace};
use base::{ErrorCode, SpaceId, SqlError, SqlResult, TableId};
use parser::ast::{self, RefAction, TableElement, TableOption};
pub use planner::same_name;
use storage::dict::{CheckDef, ColumnDef, FkAction, IndexDef, IndexKind, TableDef, hidden_index};
use value::CollationId;

/// InnoDB's limit of columns.
const MAX_COLUMNS: usize = 1017;
/// MySQL's limit of a row without its BLOBs.
const MAX_ROW_BYTES: u64 = 65_535;

/// Options of a table that matter here.
#[derive(Debug, Default)]
pub struct Options {
    /// DEFAULT CHARSET / COLLATE.
    pub collation: Option<CollationId>,
    /// COMMENT.
    pub comment: Option<String>,
    /// AUTO_INCREMENT.
    pub auto_increment: Option<u64>,
    /// To be printed by SHOW CREATE TABLE.
    pub kept: Vec<(String, String)>,
    /// Set back to their defaults.
    pub dropped: Vec<&'static str>,
}

/// Reads table options. Unknown engines: 1286 (NO_ENGINE_SUBSTITUTION) or a warning; known ones other than InnoDB become InnoDB with a
/// warning, as NO_ENGINE_SUBSTITUTION off does.
pub fn options(ctx: &mut DdlContext<'_>, list: &[TableOption<'_>], table: &str) -> SqlResult<Options> {
    let mut out = Options::default();
    let mut chosen = Chosen::none(ctx.utf8mb4_collation);
    for o in list {
        let kept = &mut out.kept;
        let mut keep = |k: &str, v: String| kept.push((k.to_owned(), v));
        match o {
            TableOption::Engine(name) => engine(ctx, name, table)?,
            TableOption::AutoIncrement(n) => out.auto_increment = Some(*n),
            TableOption::Charset(_) | TableOption::Collate(_) => chosen.table_option(o)?,
            TableOption::Comment(b) => {
                out.comment = Some(comment(ctx, b, 2048, table, ErrorCode::TOO_LONG_TABLE_COMMENT)?);
            }
            // nothing is kept of it; ALTER TABLE drops what was
            TableOption::RowFormat(f) if f.eq_ignore_ascii_case("default") => out.dropped.push("ROW_FORMAT"),
            TableOption::KeyBlockSize(0) => out.dropped.push("KEY_BLOCK_SIZE"),
            TableOption::RowFormat(f) => keep("ROW_FORMAT", f.to_ascii_uppercase()),
            TableOption::AvgRowLength(n) => keep("AVG_ROW_LENGTH", n.to_string()),
            TableOption::MaxRows(n) => keep("MAX_ROWS", n.to_string()),
            TableOption::MinRows(n) => keep("MIN_ROWS", n.to_string()),
            TableOption::Checksum(n) if *n != 0 => keep("CHECKSUM", "1".into()),
            TableOption::DelayKeyWrite(n) if *n != 0 => keep("DELAY_KEY_WRITE", "1".into()),
            TableOption::PackKeys(Some(n)) => keep("PACK_KEYS", n.to_string()),
            TableOption::StatsPersistent(Some(n)) => keep("STATS_PERSISTENT", n.to_string()),
            TableOption::StatsAutoRecalc(Some(n)) => keep("STATS_AUTO_RECALC", n.to_string()),
            TableOption::StatsSamplePages(Some(n)) => keep("STATS_SAMPLE_PAGES", n.to_string()),
            TableOption::KeyBlockSize(n) => keep("KEY_BLOCK_SIZE", n.to_string()),
            TableOption::Compression(b) => keep("COMPRESSION", ctx.text(b)),
            TableOption::Encryption(b) if b.eq_ignore_ascii_case(b"y") => {
                return Err(SqlError::unsupported("ENCRYPTION"));
            }
            TableOption::DataDirectory(_) | TableOption::IndexDirectory(_) => {
                return Err(SqlError::unsupported("DATA DIRECTORY"));
            }
            // kept and shown, as by InnoDB
            TableOption::Connection(b) => keep("CONNECTION", connection(ctx, b)?),
            TableOption::EngineAttribute(b) => engine_attribute(b, true)?,
            TableOption::SecondaryEngineAttribute(b) => engine_attribute(b, false)?,
            // without meaning for this engine, as for InnoDB
            _ => {}
        }
    }
    out.collation = chosen.collation();
    Ok(out)
}

/// ENGINE_ATTRIBUTE and SECONDARY_ENGINE_ATTRIBUTE of a table, column or key: 3980 for what is no JSON; this engine takes none of its own
/// (3981), and there is no secondary one to read the other.
pub(super) fn engine_attribute(text: &[u8], own: bool) -> SqlResult<()> {
    if !text.is_empty()
        && let Err(value::json::Error::Syntax(why, at)) = value::json::check(text)
    {
        let rest = String::from_utf8_lossy(text.get(at..).unwrap_or_default()).into_owned();
        return Err(SqlError::new(ErrorCode::INVALID_JSON_ATTRIBUTE, &[&why, &at, &rest]));
    }
    if own { Err(SqlError::new(ErrorCode::ENGINE_ATTRIBUTE_NOT_SUPPORTED, &[&"InnoDB"])) } else { Ok(()) }
}

/// 1470 beyond 1,024 characters.
fn connection(ctx: &DdlContext<'_>, b: &[u8]) -> SqlResult<String> {
    let s = ctx.text(b);
    if s.chars().count() > 1024 {
        return Err(SqlError::new(ErrorCode::WRONG_STRING_LENGTH, &[&s, &"CONNECTION", &1024]));
    }
    Ok(s)
}

/// What an engine's name is: this engine, another known one, or (without NO_ENGINE_SUBSTITUTION) an unknown one. 1286.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Engine {
    /// InnoDB.
    Own,
    /// One of MySQL's others.
    Other,
    /// None at all.
    Unknown,
}

/// See [`Engine`].
pub(super) fn known_engine(name: &str, mode: value::SqlMode) -> SqlResult<Engine> {
    const KNOWN: [&str; 8] = ["myisam", "memory", "heap", "archive", "csv", "merge", "mrg_myisam", "blackhole"];
    if name.eq_ignore_ascii_case("innodb") {
        return Ok(Engine::Own);
    }
    let known = KNOWN.iter().any(|k| k.eq_ignore_ascii_case(name));
    if mode.has(value::SqlMode::NO_ENGINE_SUBSTITUTION) && (!known || name.eq_ignore_ascii_case("blackhole")) {
        return Err(SqlError::new(ErrorCode::UNKNOWN_STORAGE_ENGINE, &[&name]));
    }
    Ok(if known { Engine::Other } else { Engine::Unknown })
}

fn engine(ctx: &mut DdlContext<'_>, name: &str, table: &str) -> SqlResult<()> {
    match known_engine(name, ctx.sql_mode)? {
        Engine::Own => return Ok(()),
        Engine::Other => {}
        Engine::Unknown => ctx.warn(ErrorCode::UNKNOWN_STORAGE_ENGINE, &[&name]),
    }
    ctx.warn(ErrorCode::WARN_USING_OTHER_HANDLER, &[&"InnoDB", &table]);
    Ok(())
}

/// What stands in the parentheses of CREATE TABLE.
#[derive(Default)]
struct Elements<'a> {
    columns: Vec<ColumnDef>,
    specs: Vec<KeySpec>,
    checks: Vec<ast::CheckDef<'a>>,
    /// For each check the column it was written at.
    at: Vec<Option<String>>,
    foreign_keys: Vec<&'a ast::ForeignKey<'a>>,
    /// Columns of which NULL is written.
    nulls: Vec<String>,
}

fn elements<'a>(ctx: &mut DdlContext<'_>, s: &ast::CreateTable<'a>, collation: CollationId) -> SqlResult<Elements<'a>> {
    let mut out = Elements::default();
    for e in s.elements {
        match e {
            TableElement::Column(c) => {
                let column = define_column(ctx, c, collation)?;
                out.specs.extend(implied_keys(&column)?);
                if column.explicit_null {
                    out.nulls.push(column.def.name.clone());
                }
                out.checks.extend(&column.checks);
                out.at.resize(out.checks.len(), Some(column.def.name.clone()));
                if out.columns.iter().any(|o| same_name(&o.name, &column.def.name)) {
                    return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&column.def.name]));
                }
                out.columns.push(column.def);
                // the rest of a definition that can be no table is not read
                if out.columns.len() > 4 * MAX_COLUMNS {
                    return Err(SqlError::new(ErrorCode::TOO_MANY_FIELDS, &[]));
                }
            }
            TableElement::Index(i) => out.specs.push(KeySpec::from_ast(ctx, i)?),
            TableElement::ForeignKey(f) => {
                out.specs.push(foreign::implied_key(f)?);
                out.foreign_keys.push(*f);
            }
            TableElement::Check(c) => {
                out.checks.push(*c);
                out.at.push(None);
            }
        }
    }
    Ok(out)
}

/// The columns of a query come behind the others in its order; those that are defined too keep their definition.
fn select_columns(columns: &mut Vec<ColumnDef>, selected: &[ColumnDef]) {
    for c in selected {
        let defined = columns.iter().position(|o| same_name(&o.name, &c.name)).map(|at| columns.remove(at));
        columns.push(match defined {
            Some(d) if d.comment.is_empty() => ColumnDef { comment: c.comment.clone(), ..d },
            Some(d) => d,
            None => c.clone(),
        });
    }
}

/// The definition of a table as written, with the columns of a query (`selected`); ids, space and roots are left unset.
pub fn define_table(
    ctx: &mut DdlContext<'_>,
    s: &ast::CreateTable<'_>,
    schema: &str,
    name: &str,
    schema_collation: CollationId,
    selected: &[ColumnDef],
) -> SqlResult<TableDef> {
    if s.partition.is_some() {
        return Err(SqlError::unsupported("partitioning"));
    }
    let statement = if s.temporary { Statement::CreateTemporary } else { Statement::Create };
    tablespace::check(ctx, s.options, (schema, name), statement)?;
    let mut opts = options(ctx, s.options, name)?;
    super::row_format::check(ctx, &mut opts.kept, name, statement)?;
    let collation = opts.collation.unwrap_or(schema_collation);
    let Elements { mut columns, mut specs, checks, at, foreign_keys, nulls } = elements(ctx, s, collation)?;
    select_columns(&mut columns, selected);
    generated_key::generate(ctx, &mut columns, &mut specs)?;
    let mut def = TableDef {
        id: TableId(0),
        version: 0,
        schema: schema.to_owned(),
        name: name.to_owned(),
        space: SpaceId(0),
        columns,
        indexes: Vec::new(),
        foreign_keys: Vec::new(),
        referenced_by: Vec::new(),
        triggers: Vec::new(),
        checks: define_checks(ctx, &checks, name, &[])?,
        collation,
        comment: opts.comment.unwrap_or_default(),
        options: opts.kept,
        auto_increment: opts.auto_increment.unwrap_or(0),
        created: ctx.now_unix,
        fulltext: Vec::new(),
        former: Vec::new(),
        discarded: false,
    };
    foreign::drop_covered(&mut specs);
    functional::resolve(ctx, &mut def, &mut specs)?;
    def.indexes = define_keys(&specs, &mut def.columns, &[], &mut def.fulltext)?;
    refuse_nulls(&def, &nulls)?;
    super::keys::limit_comments(ctx, &mut def)?;
    finish(&mut def)?;
    if size_limits::overfills_page(ctx, &def) {
        let text = format!(
            "Row size too large (> {}). Changing some columns to TEXT or BLOB may help. In current row format, BLOB prefix of 0 bytes is stored inline.",
            size_limits::MAX_PAGE_BYTES
        );
        return Err(SqlError::with_message(ErrorCode::TOO_BIG_ROWSIZE, text));
    }
    foreign::add(ctx, &mut def, &foreign_keys)?;
    table_expr_rules::validate(ctx, &def, &|n| at.get(n).cloned().flatten())?;
    check_names(ctx, &def)?;
    super::column_spelling::settle(&mut def, None);
    warn_duplicates(ctx, &def, (&[], &[]));
    Ok(def)
}

/// Warning 1831 for every key that is not in `before` and has the parts of another one.
pub fn warn_duplicates(
    ctx: &mut DdlContext<'_>,
    def: &TableDef,
    before: (&[storage::dict::IndexDef], &[storage::dict::FulltextDef]),
) {
    for (n, i) in def.indexes.iter().enumerate() {
        let same = |o: &storage::dict::IndexDef| o.kind == i.kind && o.parts == i.parts;
        // an old one that lost a part counts as new
        let kept = |o: &storage::dict::IndexDef| o.name == i.name || (o.root == i.root && i.root != base::PageNo::NONE);
        if before.0.iter().any(|o| kept(o) && o.parts.len() == i.parts.len()) || !def.indexes.iter().take(n).any(same) {
            continue;
        }
        ctx.warn(ErrorCode::DUP_INDEX, &[&i.name, &def.schema, &def.name]);
    }
    for (n, i) in def.fulltext.iter().enumerate() {
        let same = |o: &storage::dict::FulltextDef| o.columns == i.columns && o.parser == i.parser;
        let old = before.1.iter().any(|o| o.name == i.name);
        if !old && def.fulltext.iter().take(n).any(same) {
            ctx.warn(ErrorCode::DUP_INDEX, &[&i.name, &def.schema, &def.name]);
        }
    }
}

/// Keys that a column's attributes ask for; 1171 for a primary key declared NULL.
pub fn implied_keys(c: &Column<'_>) -> SqlResult<Vec<KeySpec>> {
    let mut out = Vec::new();
    if c.primary {
        if c.explicit_null {
            return Err(SqlError::new(ErrorCode::PRIMARY_CANT_HAVE_NULL, &[]));
        }
        out.push(KeySpec::on_column(IndexKind::Primary, &c.def.name));
    }
    if c.unique {
        out.push(KeySpec::on_column(IndexKind::Unique, &c.def.name));
    }
    Ok(out)
}

/// 1171 for a column of the primary key that was written with NULL or DEFAULT NULL (`nulls`: the names of all such columns).
pub fn refuse_nulls(def: &TableDef, nulls: &[String]) -> SqlResult<()> {
    let of_key = def.primary_key().unwrap_or_default();
    let name = |p: &storage::dict::IndexPart| def.columns.get(p.column as usize).map(|c| &c.name);
    if of_key.iter().filter_map(name).any(|n| nulls.iter().any(|o| same_name(o, n))) {
        return Err(SqlError::new(ErrorCode::PRIMARY_CANT_HAVE_NULL, &[]));
    }
    Ok(())
}

/// CHECK constraints with names (`<table>_chk_<n>` where none is given); `existing` ones have theirs. [`check_names`] sees to it that they
/// are unique.
pub fn define_checks(
    ctx: &DdlContext<'_>,
    list: &[ast::CheckDef<'_>],
    table: &str,
    existing: &[CheckDef],
) -> SqlResult<Vec<CheckDef>> {
    let mut out: Vec<CheckDef> = Vec::new();
    if list.is_empty() {
        return Ok(out);
    }
    let prefix = format!("{table}_chk_");
    let used = existing.iter().filter_map(|c| c.name.strip_prefix(&prefix)?.parse::<u32>().ok());
    let mut n = used.max().unwrap_or(0);
    for c in list {
        let name = match c.name.filter(|n| !n.is_empty()) {
            Some(name) => {
                // unlike an index's, it may end with a space
                super::columns::check_name(name.trim_end_matches(' '), ErrorCode::WRONG_NAME_FOR_INDEX)?;
                name.to_owned()
            }
            None => {
                n += 1;
                let name = format!("{prefix}{n}");
                // made of the table's name
                super::columns::check_name(&name, ErrorCode::WRONG_NAME_FOR_INDEX)?;
                name
            }
        };
        out.push(CheckDef { name, expr: ctx.stored_text(c.expr), enforced: c.enforced });
    }
    Ok(out)
}

/// Names of CHECK constraints are unique in a schema: 3822. MySQL sees it last of all.
pub fn check_names(ctx: &DdlContext<'_>, def: &TableDef) -> SqlResult<()> {
    if def.checks.is_empty() {
        return Ok(());
    }
    let relations = ctx.dict().relations(&def.schema);
    let others = relations.iter().filter_map(|r| match r {
        storage::dict::Relation::Table(t) if t.name != def.name && t.id != def.id => Some(&t.checks),
        _ => None,
    });
    // as [`same_name`] compares
    let mut names: std::collections::HashSet<String> = others.flatten().map(|c| c.name.to_lowercase()).collect();
    for c in &def.checks {
        if !names.insert(c.name.to_lowercase()) {
            return Err(SqlError::new(ErrorCode::CHECK_CONSTRAINT_DUP_NAME, &[&c.name]));
        }
    }
    Ok(())
}

/// Foreign key action as written; none means NO ACTION.
pub fn fk_action(a: Option<RefAction>) -> FkAction {
    match a {
        None | Some(RefAction::NoAction) => FkAction::NoAction,
        Some(RefAction::Restrict) => FkAction::Restrict,
        Some(RefAction::Cascade) => FkAction::Cascade,
        Some(RefAction::SetNull) => FkAction::SetNull,
        Some(RefAction::SetDefault) => FkAction::SetDefault,
    }
}

/// 3522: without a primary key the first UNIQUE key of columns that cannot be NULL is taken for it, so it must be visible.
fn no_hidden_key(def: &TableDef) -> SqlResult<()> {
    let whole = |p: &storage::dict::IndexPart| {
        let column = def.columns.get(usize::from(p.column));
        p.prefix == 0 && column.is_some_and(|c| !c.ty.nullable && c.generated.is_none())
    };
    match def.indexes.get(..2) {
        Some([first, i])
            if first.kind != IndexKind::Primary
                && i.kind == IndexKind::Unique
                && !i.visible
                && i.parts.iter().all(whole) =>
        {
            Err(SqlError::new(ErrorCode::PK_INDEX_CANT_BE_INVISIBLE, &[]))
        }
        _ => Ok(()),
    }
}

/// Checks that concern the whole table, the order of keys and the hidden clustered index.
pub fn finish(def: &mut TableDef) -> SqlResult<()> {
    if def.columns.iter().all(|c| c.invisible) {
        return Err(SqlError::new(ErrorCode::TABLE_MUST_HAVE_A_VISIBLE_COLUMN, &[]));
    }
    if def.columns.len() > MAX_COLUMNS {
        return Err(SqlError::new(ErrorCode::TOO_MANY_FIELDS, &[]));
    }
    super::fulltext::check(def)?;
    sort_keys(&mut def.indexes, &def.columns);
    if def.indexes.first().is_none_or(|i| i.kind != IndexKind::Primary && i.name != "GEN_CLUST_INDEX") {
        def.indexes.insert(0, hidden_index());
    }
    no_hidden_key(def)?;
    let autos: Vec<usize> = def.columns.iter().enumerate().filter(|(_, c)| c.auto_increment).map(|(i, _)| i).collect();
    // with every row in it: the counter looks for the largest value there
    let leads = |i: &IndexDef, column| {
        i.parts.first().is_some_and(|p| p.column as usize == column) && i.array_part(&def.columns).is_none()
    };
    let leads_a_key = |column: usize| def.indexes.iter().any(|i| leads(i, column));
    if autos.len() > 1 || autos.iter().any(|&c| !leads_a_key(c)) {
        return Err(SqlError::new(ErrorCode::WRONG_AUTO_KEY, &[]));
    }
    for &i in &autos {
        if let Some(c) = def.columns.get_mut(i) {
            c.ty.nullable = false;
            c.default = storage::dict::ColumnDefault::None;
        }
    }
    if size_limits::record_bytes(&def.columns) > MAX_ROW_BYTES {
        return Err(SqlError::new(ErrorCode::TOO_BIG_ROWSIZE, &[&MAX_ROW_BYTES]));
    }
    Ok(())
}
