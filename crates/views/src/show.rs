//! SHOW as SELECT: the text of the query that gives a SHOW statement's result.
//!
//! LIKE filters the column MySQL documents; WHERE is applied to the result's columns by wrapping the query. What is no
//! query over tables (SHOW CREATE ..., SHOW WARNINGS, SHOW GRANTS, SHOW ENGINE ... STATUS) is [`Answer::Other`] and done
//! by the session.

use crate::schema::{VIRTUAL_SCHEMAS, schema_name, virtual_table};
use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::{Limit, Show, ShowFilter, TableName, VarScope};

/// How to answer a SHOW statement.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// Run this query.
    Query(String),
    /// The session answers it itself.
    Other,
}

fn quote(text: &[u8]) -> String {
    let t = String::from_utf8_lossy(text);
    format!("'{}'", t.replace('\\', "\\\\").replace('\'', "''"))
}

/// A query with its filter: `select` without WHERE, `column` is what LIKE applies to.
struct Template<'a> {
    select: String,
    conditions: Vec<String>,
    order: &'a str,
    /// Expression (over the source's columns) that LIKE filters.
    like: &'a str,
}

impl Template<'_> {
    fn finish(mut self, filter: &ShowFilter<'_>, sql: &[u8]) -> String {
        if let ShowFilter::Like(p) = filter {
            self.conditions.push(format!("{} LIKE {}", self.like, quote(p)));
        }
        let mut q = self.select;
        if !self.conditions.is_empty() {
            q.push_str(" WHERE ");
            q.push_str(&self.conditions.join(" AND "));
        }
        if let ShowFilter::Where(e) = filter {
            let text = String::from_utf8_lossy(e.span.text(sql)).into_owned();
            q = format!("SELECT * FROM ({q}) AS `show` WHERE {text}");
            if !self.order.is_empty() {
                q.push_str(" ORDER BY 1");
            }
        } else if !self.order.is_empty() {
            q.push_str(" ORDER BY ");
            q.push_str(self.order);
        }
        q
    }
}

fn schema_of(written: Option<&str>, current: Option<&str>) -> SqlResult<String> {
    written.or(current).map(str::to_owned).ok_or_else(|| SqlError::new(ErrorCode::NO_DB_ERROR, &[]))
}

fn table_of(t: &TableName<'_>, current: Option<&str>) -> SqlResult<(String, String)> {
    Ok((schema_of(t.schema, current)?, t.name.to_owned()))
}

fn eq(column: &str, value: &str) -> String {
    format!("{column} = {}", quote(value.as_bytes()))
}

fn in_schema(column: &str, schema: &str) -> String {
    eq(column, schema_name(schema))
}

/// Schema and name of a table, of virtual ones as they are kept.
fn is_table(schema: &str, name: &str) -> Vec<String> {
    let known = virtual_table(schema, name);
    let (schema, name) = known.as_ref().map_or((schema, name), |t| (t.def().schema.as_str(), t.def().name.as_str()));
    vec![eq("TABLE_SCHEMA", schema), eq("TABLE_NAME", name)]
}

/// Columns of SHOW PROFILE beside its two, in MySQL's order: the word that asks for them, their names.
const PROFILE: &[(&str, &[&str])] = &[
    ("cpu", &["CPU_user", "CPU_system"]),
    ("context switches", &["Context_voluntary", "Context_involuntary"]),
    ("block io", &["Block_ops_in", "Block_ops_out"]),
    ("ipc", &["Messages_sent", "Messages_received"]),
    ("page faults", &["Page_faults_major", "Page_faults_minor"]),
    ("swaps", &["Swaps"]),
    ("source", &["Source_function", "Source_file", "Source_line"]),
];

/// SHOW PROFILE: of the last statement where none is named.
fn profile(types: &[&str], query: Option<u64>, limit: Option<&Limit<'_>>, sql: &[u8]) -> String {
    let mut columns = vec!["STATE AS Status".to_owned(), "DURATION AS Duration".to_owned()];
    let wanted = |word: &str| types.contains(&"all") || types.contains(&word);
    for (_, names) in PROFILE.iter().filter(|p| wanted(p.0)) {
        columns.extend(names.iter().map(|n| format!("{} AS {n}", n.to_ascii_uppercase())));
    }
    let which = query.map_or("(SELECT MAX(QUERY_ID) FROM information_schema.PROFILING)".to_owned(), |n| n.to_string());
    let text = |e: &parser::ast::Expr<'_>| String::from_utf8_lossy(e.span.text(sql)).into_owned();
    let limit = limit.map_or(String::new(), |l| {
        let offset = l.offset.as_ref().map_or(String::new(), |o| format!(" OFFSET {}", text(o)));
        format!(" LIMIT {}{offset}", text(&l.count))
    });
    let columns = columns.join(", ");
    format!("SELECT {columns} FROM information_schema.PROFILING WHERE QUERY_ID = {which} ORDER BY SEQ{limit}")
}

/// The pattern for names of tables: the names in information_schema are known in any case, and kept in upper case.
fn for_names<'f>(filter: &ShowFilter<'f>, schema: &str, upper: &'f mut Vec<u8>) -> ShowFilter<'f> {
    match filter {
        ShowFilter::Like(p) if schema.eq_ignore_ascii_case(VIRTUAL_SCHEMAS[0]) => {
            *upper = p.to_ascii_uppercase();
            ShowFilter::Like(upper)
        }
        f => *f,
    }
}

fn template<'a>(select: &str, conditions: Vec<String>, order: &'a str, like: &'a str) -> Template<'a> {
    Template { select: select.to_owned(), conditions, order, like }
}

/// SHOW TABLES.
fn tables(full: bool, schema: &str, filter: &ShowFilter<'_>, sql: &[u8]) -> String {
    let mut upper = Vec::new();
    let filter = &for_names(filter, schema, &mut upper);
    let title = format!("Tables_in_{}", schema_name(schema));
    let name = format!("`{}`", titled(&title, filter).replace('`', "``"));
    let kind = if full { ", TABLE_TYPE AS Table_type" } else { "" };
    let select = format!("SELECT TABLE_NAME AS {name}{kind} FROM information_schema.TABLES");
    template(&select, vec![in_schema("TABLE_SCHEMA", schema)], "TABLE_NAME", "TABLE_NAME").finish(filter, sql)
}

/// SHOW OPEN TABLES: those of `open`.
fn open_tables(schema: Option<&str>, filter: &ShowFilter<'_>, open: &[(String, String)], sql: &[u8]) -> String {
    let pair = |(s, t): &(String, String)| format!("({}, {})", quote(s.as_bytes()), quote(t.as_bytes()));
    let list: Vec<String> = open.iter().map(pair).collect();
    let among = match list.is_empty() {
        true => "FALSE".to_owned(),
        false => format!("(TABLE_SCHEMA, TABLE_NAME) IN ({})", list.join(", ")),
    };
    let conditions = schema.iter().map(|s| in_schema("TABLE_SCHEMA", s)).chain([among]).collect();
    template("SELECT TABLE_SCHEMA AS `Database`, TABLE_NAME AS `Table`, 0 AS In_use, 0 AS Name_locked FROM information_schema.TABLES", conditions, "1, 2", "TABLE_NAME").finish(filter, sql)
}

/// The query for a SHOW statement. `sql`: the statement's text; `current`: the default schema; `open`: what SHOW OPEN TABLES may show.
///
/// Whether schema and table exist is the caller's check ([`target`]).
pub fn rewrite(show: &Show<'_>, sql: &[u8], current: Option<&str>, open: &[(String, String)]) -> SqlResult<Answer> {
    let t = template;
    let q = match show {
        Show::Databases(f) => t(
            &format!(
                "SELECT SCHEMA_NAME AS `{}` FROM information_schema.SCHEMATA",
                titled("Database", f).replace('`', "``")
            ),
            vec![],
            "SCHEMA_NAME",
            "SCHEMA_NAME",
        )
        .finish(f, sql),
        Show::Tables { full, schema, filter, .. } => tables(*full, &schema_of(*schema, current)?, filter, sql),
        Show::TableStatus { schema, filter } => {
            let schema = schema_of(*schema, current)?;
            let mut upper = Vec::new();
            let filter = &for_names(filter, &schema, &mut upper);
            t(TABLE_STATUS, vec![in_schema("TABLE_SCHEMA", &schema)], "TABLE_NAME", "TABLE_NAME").finish(filter, sql)
        }
        Show::Columns { full, table, filter, .. } => {
            let (schema, name) = table_of(table, current)?;
            let select = if *full { FULL_COLUMNS } else { COLUMNS };
            t(select, is_table(&schema, &name), "ORDINAL_POSITION", "COLUMN_NAME").finish(filter, sql)
        }
        Show::Indexes { table, filter, .. } => {
            let (schema, name) = table_of(table, current)?;
            let mut conditions = is_table(&schema, &name);
            conditions.push("INDEX_NAME <> 'GEN_CLUST_INDEX'".into());
            t(INDEXES, conditions, "", "INDEX_NAME").finish(filter, sql)
        }
        Show::Variables { scope, filter } => {
            let table = if *scope == VarScope::Global { "global_variables" } else { "session_variables" };
            name_value(table, filter, sql)
        }
        Show::Status { scope, filter } => {
            let table = if *scope == VarScope::Global { "global_status" } else { "session_status" };
            name_value(table, filter, sql)
        }
        Show::CharacterSet(f) => t(
            "SELECT CHARACTER_SET_NAME AS Charset, DESCRIPTION AS Description, DEFAULT_COLLATE_NAME AS `Default collation`, MAXLEN AS Maxlen FROM information_schema.CHARACTER_SETS",
            vec![],
            "CHARACTER_SET_NAME",
            "CHARACTER_SET_NAME",
        )
        .finish(f, sql),
        Show::Collation(f) => t(
            "SELECT COLLATION_NAME AS Collation, CHARACTER_SET_NAME AS Charset, ID AS Id, IS_DEFAULT AS `Default`, IS_COMPILED AS Compiled, SORTLEN AS Sortlen, PAD_ATTRIBUTE AS Pad_attribute FROM information_schema.COLLATIONS",
            vec![],
            "COLLATION_NAME",
            "COLLATION_NAME",
        )
        .finish(f, sql),
        Show::Engines => "SELECT ENGINE AS Engine, SUPPORT AS Support, COMMENT AS Comment, TRANSACTIONS AS Transactions, XA, SAVEPOINTS AS Savepoints FROM information_schema.ENGINES".into(),
        Show::Profile { types, query, limit } => profile(types, *query, *limit, sql),
        Show::Plugins => "SELECT PLUGIN_NAME AS Name, PLUGIN_STATUS AS Status, PLUGIN_TYPE AS Type, PLUGIN_LIBRARY AS Library, PLUGIN_LICENSE AS License FROM information_schema.PLUGINS".into(),
        Show::Processlist { full } => {
            let info = if *full { "INFO" } else { "LEFT(INFO, 100)" };
            format!("SELECT ID AS Id, USER AS User, HOST AS Host, DB AS db, COMMAND AS Command, TIME AS Time, STATE AS State, {info} AS Info FROM information_schema.PROCESSLIST ORDER BY ID")
        }
        Show::OpenTables { schema, filter } => open_tables(*schema, filter, open, sql),
        Show::Triggers { schema, filter, .. } => {
            let schema = schema_of(*schema, current)?;
            let order = "EVENT_OBJECT_TABLE, EVENT_MANIPULATION, ACTION_TIMING, ACTION_ORDER";
            t(TRIGGERS, vec![in_schema("TRIGGER_SCHEMA", &schema)], order, "EVENT_OBJECT_TABLE").finish(filter, sql)
        }
        Show::Events { schema, filter } => {
            let schema = schema_of(*schema, current)?;
            t(EVENTS, vec![in_schema("EVENT_SCHEMA", &schema)], "EVENT_NAME", "EVENT_NAME").finish(filter, sql)
        }
        Show::ProcedureStatus(f) => {
            t(ROUTINES, vec!["ROUTINE_TYPE = 'PROCEDURE'".into()], "ROUTINE_NAME", "ROUTINE_NAME").finish(f, sql)
        }
        Show::FunctionStatus(f) => {
            t(ROUTINES, vec!["ROUTINE_TYPE = 'FUNCTION'".into()], "ROUTINE_NAME", "ROUTINE_NAME").finish(f, sql)
        }
        _ => return Ok(Answer::Other),
    };
    Ok(Answer::Query(q))
}

/// The schema and, if any, the table that must exist for a SHOW statement (1049, 1146 otherwise).
pub fn target(show: &Show<'_>, current: Option<&str>) -> SqlResult<Option<(String, Option<String>)>> {
    Ok(match show {
        Show::Tables { schema, .. }
        | Show::TableStatus { schema, .. }
        | Show::Triggers { schema, .. }
        | Show::Events { schema, .. } => Some((schema_of(*schema, current)?, None)),
        Show::Columns { table, .. } | Show::Indexes { table, .. } => {
            let (s, n) = table_of(table, current)?;
            Some((s, Some(n)))
        }
        _ => None,
    })
}

fn name_value(table: &str, filter: &ShowFilter<'_>, sql: &[u8]) -> String {
    Template {
        select: format!(
            "SELECT VARIABLE_NAME AS Variable_name, VARIABLE_VALUE AS Value FROM performance_schema.{table}"
        ),
        conditions: Vec::new(),
        order: "",
        like: "VARIABLE_NAME",
    }
    .finish(filter, sql)
}

const COLUMNS: &str = "SELECT COLUMN_NAME AS Field, COLUMN_TYPE AS Type, IS_NULLABLE AS `Null`, COLUMN_KEY AS `Key`, COLUMN_DEFAULT AS `Default`, EXTRA AS Extra FROM information_schema.COLUMNS";
const FULL_COLUMNS: &str = "SELECT COLUMN_NAME AS Field, COLUMN_TYPE AS Type, COLLATION_NAME AS Collation, IS_NULLABLE AS `Null`, COLUMN_KEY AS `Key`, COLUMN_DEFAULT AS `Default`, EXTRA AS Extra, PRIVILEGES AS Privileges, COLUMN_COMMENT AS Comment FROM information_schema.COLUMNS";
const INDEXES: &str = "SELECT TABLE_NAME AS `Table`, NON_UNIQUE AS Non_unique, INDEX_NAME AS Key_name, SEQ_IN_INDEX AS Seq_in_index, COLUMN_NAME AS Column_name, COLLATION AS Collation, CARDINALITY AS Cardinality, SUB_PART AS Sub_part, NULL AS Packed, NULLABLE AS `Null`, INDEX_TYPE AS Index_type, COMMENT AS Comment, INDEX_COMMENT AS Index_comment, IS_VISIBLE AS Visible, EXPRESSION AS Expression FROM information_schema.STATISTICS";
const TABLE_STATUS: &str = "SELECT TABLE_NAME AS Name, ENGINE AS Engine, VERSION AS Version, ROW_FORMAT AS Row_format, TABLE_ROWS AS `Rows`, AVG_ROW_LENGTH AS Avg_row_length, DATA_LENGTH AS Data_length, MAX_DATA_LENGTH AS Max_data_length, INDEX_LENGTH AS Index_length, DATA_FREE AS Data_free, AUTO_INCREMENT AS Auto_increment, CREATE_TIME AS Create_time, UPDATE_TIME AS Update_time, CHECK_TIME AS Check_time, TABLE_COLLATION AS Collation, CHECKSUM AS Checksum, CREATE_OPTIONS AS Create_options, TABLE_COMMENT AS Comment FROM information_schema.TABLES";
const TRIGGERS: &str = "SELECT TRIGGER_NAME AS `Trigger`, EVENT_MANIPULATION AS Event, EVENT_OBJECT_TABLE AS `Table`, ACTION_STATEMENT AS Statement, ACTION_TIMING AS Timing, CREATED AS Created, SQL_MODE AS sql_mode, DEFINER AS Definer, CHARACTER_SET_CLIENT AS character_set_client, COLLATION_CONNECTION AS collation_connection, DATABASE_COLLATION AS `Database Collation` FROM information_schema.TRIGGERS";
const EVENTS: &str = "SELECT EVENT_SCHEMA AS Db, EVENT_NAME AS Name, DEFINER AS Definer, TIME_ZONE AS `Time zone`, EVENT_TYPE AS Type, EXECUTE_AT AS `Execute at`, INTERVAL_VALUE AS `Interval value`, INTERVAL_FIELD AS `Interval field`, STARTS AS Starts, ENDS AS Ends, STATUS AS Status, ORIGINATOR AS Originator, CHARACTER_SET_CLIENT AS character_set_client, COLLATION_CONNECTION AS collation_connection, DATABASE_COLLATION AS `Database Collation` FROM information_schema.EVENTS";
const ROUTINES: &str = "SELECT ROUTINE_SCHEMA AS Db, ROUTINE_NAME AS Name, ROUTINE_TYPE AS Type, DEFINER AS Definer, LAST_ALTERED AS Modified, CREATED AS Created, SECURITY_TYPE AS Security_type, ROUTINE_COMMENT AS Comment, CHARACTER_SET_CLIENT AS character_set_client, COLLATION_CONNECTION AS collation_connection, DATABASE_COLLATION AS `Database Collation` FROM information_schema.ROUTINES";

/// A column's title with the pattern of LIKE.
fn titled(name: &str, filter: &ShowFilter<'_>) -> String {
    match filter {
        ShowFilter::Like(pattern) => format!("{name} ({})", String::from_utf8_lossy(pattern)),
        _ => name.to_owned(),
    }
}
