//! Tables, views and statistics in memory, and the plan of a statement over them as text.

use std::collections::HashMap;
use std::sync::Arc;

use base::{ErrorCode, IndexId, PageNo, SpaceId, SqlError, SqlResult, TableId};
use catalog::sysvar::{Raw, Var, set::default_of};
use planner::expr::VarScope;
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use planner::{Request, explain};
use storage::dict::{ColumnDef, IndexDef, IndexKind, IndexPart, TableDef, ViewDef};
use value::{CollationId, SqlMode, SqlType, TypeKind};

const TEXT: CollationId = CollationId::UTF8MB4_0900_AI_CI;

pub struct World {
    tables: HashMap<String, (Arc<TableDef>, TableStats)>,
    views: HashMap<String, Arc<ViewDef>>,
    settings: HashMap<String, u64>,
    /// The counts of the ranges that a plan asks for, in its order; none: it is not planned again.
    counts: Vec<f64>,
}

impl World {
    /// Customers, their orders and the orders' lines; `small` and `list` have no keys to speak of.
    pub fn shop() -> World {
        let mut w =
            World { tables: HashMap::new(), views: HashMap::new(), settings: HashMap::new(), counts: Vec::new() };
        w.add_table(
            "customer",
            1_000.0,
            "id int!, name varchar, city varchar, grp int, born date",
            &["primary id 1", "key by_city(city) 50", "key by_grp_born(grp, born) 100 2"],
        );
        w.add_table(
            "orders",
            20_000.0,
            "id int!, customer_id int!, day date!, state varchar, total decimal",
            &["primary id 1", "key by_customer(customer_id) 20", "key by_day_state(day, state) 40 10"],
        );
        w.add_table(
            "line",
            100_000.0,
            "order_id int!, n int!, item varchar!, qty int",
            &["primary order_id, n 5 1", "unique by_item(item, order_id, n) 200 1 1"],
        );
        w.add_table(
            "event",
            20_000.0,
            "id int!, kind int!, day date!",
            &["primary id 1", "key by_kind(kind) 5000", "key by_day(day) 4000"],
        );
        w.add_table("small", 5.0, "a int, b int!", &[]);
        w.add_table("list", 3_000.0, "v int!, w int, t varchar", &["key by_w(w) 3"]);
        w.view("plain_view", "select `shop`.`orders`.`id` AS `id`,`shop`.`orders`.`customer_id` AS `customer_id`,`shop`.`orders`.`total` AS `total` from `shop`.`orders` where (`shop`.`orders`.`state` = 'open')", "UNDEFINED");
        w.view("group_view", "select `shop`.`orders`.`customer_id` AS `customer_id`,count(0) AS `n` from `shop`.`orders` group by `shop`.`orders`.`customer_id`", "UNDEFINED");
        w.view(
            "temp_view",
            "select `shop`.`customer`.`id` AS `id`,`shop`.`customer`.`city` AS `city` from `shop`.`customer`",
            "TEMPTABLE",
        );
        w.view(
            "over_view",
            "select `shop`.`plain_view`.`id` AS `id` from `shop`.`plain_view` where (`shop`.`plain_view`.`total` > 10)",
            "UNDEFINED",
        );
        w.view("broken_view", "select `shop`.`gone`.`x` AS `x` from `shop`.`gone`", "UNDEFINED");
        w
    }

    /// A table: columns as `name type` with `!` for NOT NULL; indexes as `primary a, b`, `key name(a, b)`, `unique name(a)`, each followed by
    /// its rows per distinct key for every prefix.
    fn add_table(&mut self, name: &str, rows: f64, columns: &str, indexes: &[&str]) {
        let columns: Vec<ColumnDef> = columns
            .split(", ")
            .map(|c| {
                let (name, ty) = c.split_once(' ').unwrap();
                let base = match ty.trim_end_matches('!') {
                    "int" => SqlType::new(TypeKind::Int),
                    "date" => SqlType::new(TypeKind::Date),
                    "decimal" => SqlType::decimal(10, 2),
                    "varchar" => SqlType::varchar(20, TEXT),
                    other => panic!("type {other}"),
                };
                ColumnDef::new(name, base.nullable(!ty.ends_with('!')))
            })
            .collect();
        let at = |n: &str| columns.iter().position(|c| c.name == n).unwrap() as u16;
        let (mut defs, mut per_key) = (Vec::new(), Vec::new());
        if !indexes.iter().any(|i| i.starts_with("primary")) {
            defs.push(("GEN_CLUST_INDEX", IndexKind::Plain, Vec::new()));
            per_key.push(Vec::new());
        }
        for i in indexes {
            let numbers: Vec<f64> = i.split(' ').filter_map(|w| w.parse().ok()).collect();
            let (kind, rest) = i.split_once(' ').unwrap();
            let (name, parts) = match rest.split_once('(') {
                Some((name, parts)) => (name, parts.split_once(')').unwrap().0),
                None => ("PRIMARY", rest),
            };
            let parts = parts.split([',', ' ']).filter(|p| !p.is_empty() && p.parse::<f64>().is_err());
            let parts: Vec<IndexPart> = parts.map(|p| IndexPart { column: at(p), prefix: 0, desc: false }).collect();
            assert_eq!(parts.len(), numbers.len(), "statistics of {i}");
            let kind = match kind {
                "primary" => IndexKind::Primary,
                "unique" => IndexKind::Unique,
                _ => IndexKind::Plain,
            };
            defs.push((name, kind, parts));
            per_key.push(numbers);
        }
        let id = self.tables.len() as u64 + 1;
        let index = |(n, (name, kind, parts)): (usize, (&str, IndexKind, Vec<IndexPart>))| IndexDef {
            id: IndexId(id * 10 + n as u64),
            name: name.into(),
            kind,
            parts,
            root: PageNo(0),
            visible: true,
            comment: String::new(),
            implied: false,
            using_btree: false,
        };
        let def = TableDef {
            id: TableId(id),
            version: 1,
            schema: "shop".into(),
            name: name.into(),
            space: SpaceId(1),
            columns,
            indexes: defs.into_iter().enumerate().map(index).collect(),
            fulltext: Vec::new(),
            foreign_keys: Vec::new(),
            referenced_by: Vec::new(),
            triggers: Vec::new(),
            checks: Vec::new(),
            collation: TEXT,
            comment: String::new(),
            options: Vec::new(),
            auto_increment: 0,
            created: 0,
            former: Vec::new(),
            discarded: false,
        };
        let stats = TableStats { rows, rec_per_key: per_key, pages: rows / 100.0 };
        self.tables.insert(name.into(), (Arc::new(def), stats));
    }

    fn view(&mut self, name: &str, select: &str, algorithm: &str) {
        let options = vec![("ALGORITHM".to_owned(), algorithm.to_owned())];
        let (schema, name, select) = ("shop".to_owned(), name.to_owned(), select.to_owned());
        let def = ViewDef { id: 1, version: 1, schema, name: name.clone(), select, options, columns: Vec::new() };
        self.views.insert(name, Arc::new(def));
    }

    /// A setting; of `optimizer_switch` one flag, as in `semijoin=off`; `counts 10,2000`: what is found when the ranges
    /// of the next plans are counted (`counts none`).
    pub fn set(&mut self, name: &str, value: &str) {
        if name == "counts" {
            self.counts = value.split(',').filter_map(|n| n.parse().ok()).collect();
            return;
        }
        if name != "optimizer_switch" {
            self.settings.insert(name.into(), value.parse().unwrap());
            return;
        }
        let (flag, on) = value.split_once('=').unwrap();
        let bit = 1 << catalog::sysvar::OPTIMIZER_SWITCHES.iter().position(|f| *f == flag).unwrap();
        let now = self.setting(name);
        self.settings.insert(name.into(), if on == "on" { now | bit } else { now & !bit });
    }

    /// The plan as text.
    pub fn plan(&self, sql: &str) -> String {
        match self.try_plan(sql) {
            Ok(text) => text,
            Err(e) => format!("ERROR {} {}\n", e.code(), e.message()),
        }
    }

    fn try_plan(&self, sql: &str) -> SqlResult<String> {
        let arena = bumpalo::Bump::new();
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(sql.as_bytes(), 0, parser::Mode::default());
        let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed)?;
        let mut request = Request::plain(sql.as_bytes(), self);
        let mut plan = planner::plan(&parsed.statement, &request)?;
        let counted: Vec<_> = plan.dives.iter().map(|d| d.key.clone()).zip(self.counts.iter().copied()).collect();
        if !self.counts.is_empty() {
            assert_eq!(plan.dives.len(), self.counts.len(), "ranges to be counted: {:?}", plan.dives);
            request.counted = &counted;
            plan = planner::plan(&parsed.statement, &request)?;
        }
        let mut out = String::new();
        for line in explain::tree(&plan, None).lines() {
            out.push_str(line.find("  (").map_or(line, |at| &line[..at]));
            out.push('\n');
        }
        for t in &plan.tables {
            let said = [(t.write, "changed"), (t.for_update, "for update"), (t.locking, "locked")];
            let said: Vec<&str> = said.iter().filter(|s| s.0).map(|s| s.1).collect();
            if !said.is_empty() {
                out.push_str(&format!("{}: {}\n", t.alias, said.join(", ")));
            }
        }
        for w in &plan.notes.warnings {
            out.push_str(&format!("warning {} {}\n", w.code, w.message));
        }
        Ok(out)
    }
}

impl Resolver for World {
    fn table(&self, schema: &str, name: &str, _wish: &Wish<'_>) -> SqlResult<Resolved> {
        if schema != "shop" {
            return Err(SqlError::new(ErrorCode::BAD_DB_ERROR, &[&schema]));
        }
        match (self.tables.get(name), self.views.get(name)) {
            (Some(t), _) => Ok(Resolved::Base(t.0.clone())),
            (_, Some(v)) => Ok(Resolved::View(v.clone())),
            _ => Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &name])),
        }
    }
    fn current_schema(&self) -> Option<&str> {
        Some("shop")
    }
    fn stats(&self, table: &TableDef) -> TableStats {
        self.tables.get(&table.name).map(|t| t.1.clone()).unwrap_or_default()
    }
    fn sql_mode(&self) -> SqlMode {
        SqlMode(SqlMode::ONLY_FULL_GROUP_BY.0 | SqlMode::STRICT_TRANS_TABLES.0)
    }
    fn connection_collation(&self) -> CollationId {
        TEXT
    }
    fn results_collation(&self) -> CollationId {
        TEXT
    }
    fn system_variable(&self, _scope: VarScope, name: &str) -> SqlResult<SqlType> {
        Var::find(name).map(|_| SqlType::bigint())
    }
    fn user_variable(&self, _name: &str) -> Option<SqlType> {
        None
    }
    fn setting(&self, name: &str) -> u64 {
        let default = || match default_of(Var::find(name).unwrap().def()) {
            Raw::Num(n) => n,
            Raw::Text(_) => 0,
        };
        self.settings.get(name).copied().unwrap_or_else(default)
    }
}
