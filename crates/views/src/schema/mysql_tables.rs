//! Tables of the schema `mysql` that are not the accounts' ([`super::grants`]): statistics of tables, costs of the
//! optimizer, the topics of HELP, and, without rows, what lists things that Evenkeel has none of (components,
//! loadable functions and plugins, servers, replication).
//!
//! Made when they are read, with SELECT on the table (1142 else, as for the grant tables), and not among the tables
//! that information_schema lists, so that dumps leave them out. Nothing can be written to them: what an UPDATE would
//! say is refused with the reason (`planner/src/bind/dml.rs`). Tested: golden `mysql_tables`,
//! `tests/clients/test_mysql_tables.py`, `tests/access`.

use super::innodb_spaces::persistent_tables;
use super::mysql_columns::*;
use super::{Hints, NULL, Row, SessionView, Spec, datetime, none, passes, s, u};
use crate::help;
use base::SqlResult;
use storage::dict::{IndexDef, TableDef};
use storage::table::IndexStatistics;
use value::OwnedValue;

const MYSQL: &str = "mysql";

pub(super) const TABLES: &[Spec] = &[
    Spec { schema: MYSQL, name: "component", columns: COMPONENT, rows: none },
    Spec { schema: MYSQL, name: "engine_cost", columns: ENGINE_COST, rows: engine_cost },
    Spec { schema: MYSQL, name: "func", columns: FUNC, rows: none },
    Spec { schema: MYSQL, name: "gtid_executed", columns: GTID_EXECUTED, rows: none },
    Spec { schema: MYSQL, name: "help_category", columns: HELP_CATEGORY, rows: help_category },
    Spec { schema: MYSQL, name: "help_keyword", columns: HELP_KEYWORD, rows: help_keyword },
    Spec { schema: MYSQL, name: "help_relation", columns: HELP_RELATION, rows: help_relation },
    Spec { schema: MYSQL, name: "help_topic", columns: HELP_TOPIC, rows: help_topic },
    Spec { schema: MYSQL, name: "innodb_index_stats", columns: INNODB_INDEX_STATS, rows: index_stats },
    Spec { schema: MYSQL, name: "innodb_table_stats", columns: INNODB_TABLE_STATS, rows: table_stats },
    Spec { schema: MYSQL, name: "ndb_binlog_index", columns: NDB_BINLOG_INDEX, rows: none },
    Spec { schema: MYSQL, name: "password_history", columns: PASSWORD_HISTORY, rows: password_history },
    Spec { schema: MYSQL, name: "plugin", columns: PLUGIN, rows: none },
    Spec { schema: MYSQL, name: "procs_priv", columns: PROCS_PRIV, rows: super::grants::procs_priv },
    Spec {
        schema: MYSQL,
        name: "replication_asynchronous_connection_failover",
        columns: REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER,
        rows: none,
    },
    Spec {
        schema: MYSQL,
        name: "replication_asynchronous_connection_failover_managed",
        columns: REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER_MANAGED,
        rows: none,
    },
    Spec {
        schema: MYSQL,
        name: "replication_group_configuration_version",
        columns: REPLICATION_GROUP_CONFIGURATION_VERSION,
        rows: none,
    },
    Spec {
        schema: MYSQL,
        name: "replication_group_member_actions",
        columns: REPLICATION_GROUP_MEMBER_ACTIONS,
        rows: none,
    },
    Spec { schema: MYSQL, name: "server_cost", columns: SERVER_COST, rows: server_cost },
    Spec { schema: MYSQL, name: "servers", columns: SERVERS, rows: none },
    Spec { schema: MYSQL, name: "slave_master_info", columns: SLAVE_MASTER_INFO, rows: none },
    Spec { schema: MYSQL, name: "slave_relay_log_info", columns: SLAVE_RELAY_LOG_INFO, rows: none },
    Spec { schema: MYSQL, name: "slave_worker_info", columns: SLAVE_WORKER_INFO, rows: none },
];

/// Names and values that server_cost has in MySQL.
const SERVER_COSTS: [(&str, f32); 6] = [
    ("disk_temptable_create_cost", 20.0),
    ("disk_temptable_row_cost", 0.5),
    ("key_compare_cost", 0.05),
    ("memory_temptable_create_cost", 1.0),
    ("memory_temptable_row_cost", 0.1),
    ("row_evaluate_cost", 0.1),
];
/// Likewise engine_cost.
const ENGINE_COSTS: [(&str, f32); 2] = [("io_block_read_cost", 1.0), ("memory_block_read_cost", 0.25)];

fn server_cost(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(name, cost): &(&str, f32)| {
        vec![s(name), NULL, datetime(v, v.started), NULL, OwnedValue::Double(f64::from(*cost))]
    };
    Ok(SERVER_COSTS.iter().map(row).collect())
}

fn engine_cost(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(name, cost): &(&str, f32)| {
        vec![
            s("default"),
            super::i(0),
            s(name),
            NULL,
            datetime(v, v.started),
            NULL,
            OwnedValue::Double(f64::from(*cost)),
        ]
    };
    Ok(ENGINE_COSTS.iter().map(row).collect())
}

/// Earlier passwords that PASSWORD HISTORY and REUSE INTERVAL look at, and the present one among them.
fn password_history(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for a in v.accounts.table().iter() {
        for (at, secret) in &a.password.former {
            out.push(vec![s(&a.host), s(&a.user), datetime(v, at.unsigned_abs()), s(secret.as_str())]);
        }
    }
    Ok(out)
}

// ---- statistics ---------------------------------------------------------------------------------------------------

/// The tables that a row can be about whose first columns are a schema's and a table's name, with what was sampled; for
/// that they are opened, unless none of these columns is read: then only the numbers of indexes and of their columns
/// are true.
fn sampled(
    v: &SessionView,
    hints: Hints<'_>,
    columns: &[u16],
) -> Vec<(std::sync::Arc<TableDef>, storage::table::Statistics)> {
    let opens = v.reads(columns);
    let wanted = |t: &TableDef| {
        let named = passes(hints, 0, &t.schema) && passes(hints, 1, &t.name);
        named && storage::table::keeps_statistics(t, &v.engine)
    };
    let open = |t: std::sync::Arc<TableDef>| {
        if !opens {
            let unknown =
                |i: &IndexDef| IndexStatistics { distinct: vec![0; i.parts.len()], ..IndexStatistics::default() };
            let indexes = t.indexes.iter().map(unknown).collect();
            return Some((t, storage::table::Statistics { indexes, ..Default::default() }));
        }
        let opened = v.engine.dict().open_table(&v.engine, &t.schema, &t.name).ok().flatten()?;
        Some((t, opened.statistics()))
    };
    persistent_tables(v).into_iter().filter(|t| wanted(t)).filter_map(open).collect()
}

fn table_stats(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(t, stats): &(std::sync::Arc<TableDef>, storage::table::Statistics)| {
        let mut row = vec![s(&t.schema), s(&t.name), datetime(v, stats.at_us / 1_000_000)];
        row.extend([stats.rows, stats.clustered_pages, stats.other_pages].map(u));
        row
    };
    Ok(sampled(v, hints, &[2, 3, 4, 5]).iter().map(row).collect())
}

fn index_stats(v: &SessionView, hints: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for (t, stats) in sampled(v, hints, &[3, 5, 6]) {
        let key = t.indexes.first();
        for (index, of) in t.indexes.iter().zip(&stats.indexes) {
            if !passes(hints, 2, &index.name) {
                continue;
            }
            let mut push = |name: &str, value: u64, sample: OwnedValue, text: &str| {
                let head = [s(&t.schema), s(&t.name), s(&index.name), datetime(v, stats.at_us / 1_000_000)];
                out.push([&head[..], &[s(name), u(value), sample, s(text)]].concat());
            };
            for (n, value, columns) in prefixes(&t, key, index, of) {
                push(&format!("n_diff_pfx{n:02}"), value, u(of.sampled), &columns);
            }
            push("n_leaf_pages", of.leaves, NULL, "Number of leaf pages in the index");
            push("size", of.pages, NULL, "Number of pages in the index");
        }
    }
    Ok(out)
}

/// For prefixes of an index's columns, and of the primary key's behind them where it is not unique: how many columns,
/// how many values, the columns. Of prefixes that end within the primary key only the whole is known.
fn prefixes(t: &TableDef, key: Option<&IndexDef>, index: &IndexDef, of: &IndexStatistics) -> Vec<(usize, u64, String)> {
    let name = |p: &storage::dict::IndexPart| t.columns.get(usize::from(p.column)).map_or("", |c| c.name.as_str());
    let mut names: Vec<&str> = index.parts.iter().map(name).collect();
    let own = names.len();
    let mut out: Vec<(usize, u64, String)> = Vec::new();
    for (n, value) in of.distinct.iter().take(own).enumerate() {
        out.push((n + 1, *value, names.get(..=n).unwrap_or(&names).join(",")));
    }
    let clustered = key.is_some_and(|k| k.id == index.id);
    if index.kind == storage::dict::IndexKind::Plain {
        match key {
            Some(k) if !k.parts.is_empty() && !clustered => {
                let more = k.parts.iter().filter(|p| !index.parts.iter().any(|own| own.column == p.column));
                names.extend(more.map(name));
            }
            _ => names.push("DB_ROW_ID"),
        }
        if names.len() > own {
            out.push((names.len(), of.entries, names.join(",")));
        }
    }
    out
}

// ---- HELP ---------------------------------------------------------------------------------------------------------

/// HELP's topics in the order of their numbers: category's number from 1, topic.
fn topics() -> Vec<(u64, help::Topic)> {
    let of =
        |(n, c): (usize, &&str)| help::of_category(c).into_iter().map(move |t| (n as u64 + 1, t)).collect::<Vec<_>>();
    help::CATEGORIES.iter().enumerate().flat_map(of).collect()
}

fn help_category(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    // the first contains the others
    let first = vec![u(0), s("Contents"), u(0), s("")];
    let of = |(n, c): (usize, &&str)| vec![u(n as u64 + 1), s(c), u(0), s("")];
    Ok(std::iter::once(first).chain(help::CATEGORIES.iter().enumerate().map(of)).collect())
}

fn help_topic(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |(n, (category, t)): (usize, (u64, help::Topic))| {
        vec![u(n as u64), s(&t.name), u(category), s(&t.text), s(""), s(&t.url)]
    };
    Ok(topics().into_iter().enumerate().map(row).collect())
}

/// A topic is found by its name and no other word.
fn help_keyword(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(topics().into_iter().enumerate().map(|(n, (_, t))| vec![u(n as u64), s(&t.name)]).collect())
}

fn help_relation(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok((0..topics().len() as u64).map(|n| vec![u(n), u(n)]).collect())
}
