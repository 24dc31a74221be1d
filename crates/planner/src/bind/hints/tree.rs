//! What a statement's hints say together, and MySQL's warnings about them: a tree of query blocks, tables and indexes that remembers which
//! kinds of hints have spoken about each.
//!
//! Built once per statement, before its blocks are bound ([`settle`]): a hint that contradicts or repeats an earlier one is told of (3126) and
//! dropped, one about a block that is not known yet too (3127). Hints are looked at in the order in which the blocks end, so a block may
//! speak about those inside it, and not the other way round by a QB_NAME. When a block's tables are known, names that
//! mean nothing are told of ([`Tree::unresolved`], 3128). Tested: golden `hint_warnings`.

use storage::dict::TableDef;
use value::{Level, Warning};

use super::read::{Form, Hint, Kind, Name};
use crate::bind::hints::blocks::{Block, as_ended};
use crate::bind::scope::same_name;

const EXECUTION_TIME: u16 = 3125;
const CONFLICT: u16 = 3126;
const NO_BLOCK: u16 = 3127;
const UNRESOLVED: u16 = 3128;
const ARGUMENTS: u16 = 3614;

/// A hint that counts.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    /// Number of the block that has it, and of the one it is about.
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) kind: Kind,
    pub(crate) on: bool,
    pub(crate) names: Vec<Name>,
    pub(crate) keys: Vec<String>,
}

/// Kinds of hints heard, and whether on or off.
type Heard = Vec<(Kind, bool)>;

fn has(heard: &Heard, kind: Kind) -> bool {
    heard.iter().any(|h| h.0 == kind)
}

#[derive(Debug, Default)]
struct Key {
    name: String,
    heard: Heard,
}

#[derive(Debug, Default)]
struct Table {
    name: String,
    heard: Heard,
    keys: Vec<Key>,
}

#[derive(Debug)]
struct Node {
    number: u32,
    name: Option<String>,
    heard: Heard,
    tables: Vec<Table>,
}

impl Node {
    fn print_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| system_name(self.number))
    }
}

fn system_name(number: u32) -> String {
    format!("select#{number:x}")
}

#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// MAX_EXECUTION_TIME was heard.
    timed: bool,
    /// The statement is a SELECT.
    query: bool,
    /// Numbers that blocks have.
    last: u32,
    pub(crate) acts: Vec<Act>,
    warnings: Vec<Warning>,
}

/// Looks at all hints: what counts of them, and the warnings. `query`: the statement is a SELECT.
pub(crate) fn settle(blocks: &[Block], query: bool) -> (Tree, Vec<Warning>) {
    let last = blocks.iter().map(|b| b.number).max().unwrap_or(0);
    let mut t = Tree { query, last, ..Tree::default() };
    for b in as_ended(blocks) {
        if !b.hints.is_empty() {
            t.node(b.number);
        }
        for h in &b.hints {
            t.hear(b.number, h);
        }
    }
    let warnings = std::mem::take(&mut t.warnings);
    (t, warnings)
}

fn warning(code: u16, message: String) -> Warning {
    Warning { level: Level::Warning, code, message }
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn full(name: &Name) -> String {
    quoted(&name.name) + &at(name.block.as_deref())
}

fn at(block: Option<&str>) -> String {
    block.map_or(String::new(), |b| format!("@{}", quoted(b)))
}

/// What stands between the parentheses behind the names of block, table and index, as MySQL prints it.
fn arguments(h: &Hint) -> String {
    let list = |l: &[String], between: &str| l.join(between);
    let names: Vec<String> = match h.kind.form() {
        // MySQL's own order
        Form::Strategies => {
            let all = ["FIRSTMATCH", "LOOSESCAN", "MATERIALIZATION", "DUPSWEEDOUT"];
            all.iter().filter(|s| h.names.iter().any(|n| n.name == **s)).map(|s| format!(" {s}")).collect()
        }
        Form::Strategy => vec![format!(" {}", h.first())],
        Form::Keys if h.kind.is_compound() => {
            return list(&h.keys.iter().map(|k| format!(" {}", quoted(k))).collect::<Vec<_>>(), ",");
        }
        Form::Tables if is_order(h.kind) => h.names.iter().map(full).collect(),
        Form::Number => vec![h.first().to_owned()],
        Form::Name => vec![quoted(h.first())],
        _ => Vec::new(),
    };
    list(&names, ",")
}

/// JOIN_PREFIX, JOIN_SUFFIX, JOIN_ORDER.
pub(crate) fn is_order(kind: Kind) -> bool {
    matches!(kind, Kind::JoinPrefix | Kind::JoinSuffix | Kind::JoinOrder)
}

impl Tree {
    fn node(&mut self, number: u32) -> usize {
        if let Some(i) = self.nodes.iter().position(|n| n.number == number) {
            return i;
        }
        self.nodes.push(Node { number, name: None, heard: Vec::new(), tables: Vec::new() });
        self.nodes.len() - 1
    }

    /// The block that `name` means, or the hint's own; tells of one that is not known.
    fn block(&mut self, from: u32, name: Option<&str>, h: &Hint) -> Option<usize> {
        let Some(name) = name else { return Some(self.node(from)) };
        if let Some(i) = self.nodes.iter().position(|n| same_name(&n.print_name(), name)) {
            return Some(i);
        }
        let number = (1..=self.last).find(|n| same_name(&system_name(*n), name));
        if number.is_none() {
            let text = format!("Query block name {} is not found for {} hint", quoted(name), h.kind.name(h.on));
            self.warnings.push(warning(NO_BLOCK, text));
        }
        number.map(|n| self.node(n))
    }

    fn conflict(&mut self, h: &Hint, names: &str) {
        let text = format!("Hint {}({names}{}) is ignored as conflicting/duplicated", h.kind.name(h.on), arguments(h));
        self.warnings.push(warning(CONFLICT, text));
    }

    fn act(&mut self, from: u32, node: usize, h: &Hint, names: Vec<Name>, keys: Vec<String>) {
        let to = self.nodes.get(node).map_or(from, |n| n.number);
        self.acts.push(Act { from, to, kind: h.kind, on: h.on, names, keys });
    }

    fn hear(&mut self, from: u32, h: &Hint) {
        match h.kind.form() {
            Form::Keys => self.hear_keys(from, h),
            Form::Tables if !is_order(h.kind) && !h.names.is_empty() => {
                for n in &h.names {
                    if !self.hear_table(from, h, n) {
                        return;
                    }
                }
            }
            Form::Tables | Form::Block | Form::Strategies | Form::Strategy => self.hear_block(from, h),
            Form::Name if h.kind == Kind::QbName => {
                let node = self.node(from);
                let used = self.nodes.iter().any(|n| same_name(&n.print_name(), h.first()));
                match self.nodes.get_mut(node) {
                    Some(n) if n.name.is_none() && !used => n.name = Some(h.first().to_owned()),
                    _ => self.conflict(h, ""),
                }
            }
            Form::Number => self.hear_time(from, h),
            Form::Name | Form::Assignment => {
                let node = self.node(from);
                self.act(from, node, h, h.names.clone(), Vec::new());
            }
        }
    }

    fn hear_time(&mut self, from: u32, h: &Hint) {
        if from != 1 || !self.query {
            let text = "MAX_EXECUTION_TIME hint is supported by top-level standalone SELECT statements only";
            self.warnings.push(warning(EXECUTION_TIME, text.into()));
        } else if std::mem::replace(&mut self.timed, true) {
            self.conflict(h, "");
        } else {
            let node = self.node(from);
            self.act(from, node, h, h.names.clone(), Vec::new());
        }
    }

    /// A hint about a block as a whole.
    fn hear_block(&mut self, from: u32, h: &Hint) {
        let Some(at_node) = self.block(from, h.block.as_deref(), h) else { return };
        let Some(n) = self.nodes.get_mut(at_node) else { return };
        let heard = &mut n.heard;
        let conflict = match h.kind {
            Kind::Semijoin => has(heard, Kind::Subquery) || has(heard, h.kind),
            Kind::Subquery => has(heard, Kind::Semijoin) || has(heard, h.kind),
            Kind::JoinOrder => has(heard, Kind::JoinFixedOrder),
            Kind::JoinPrefix | Kind::JoinSuffix => has(heard, Kind::JoinFixedOrder) || has(heard, h.kind),
            Kind::JoinFixedOrder => heard.iter().any(|k| is_order(k.0)) || has(heard, h.kind),
            kind => has(heard, kind),
        };
        if conflict {
            return self.conflict(h, &format!("{} ", at(h.block.as_deref())));
        }
        heard.push((h.kind, h.on));
        self.act(from, at_node, h, h.names.clone(), Vec::new());
    }

    fn table(&mut self, node: usize, name: &str) -> Option<&mut Table> {
        let tables = &mut self.nodes.get_mut(node)?.tables;
        let i = tables.iter().position(|t| same_name(&t.name, name)).unwrap_or_else(|| {
            tables.push(Table { name: name.to_owned(), ..Table::default() });
            tables.len() - 1
        });
        tables.get_mut(i)
    }

    /// A hint about a table; false if its block is not known, which ends the list.
    fn hear_table(&mut self, from: u32, h: &Hint, name: &Name) -> bool {
        let block = h.block.as_deref().or(name.block.as_deref());
        let Some(node) = self.block(from, block, h) else { return false };
        let upper = self.nodes.get(node).is_some_and(|n| has(&n.heard, h.kind));
        let Some(t) = self.table(node, &name.name) else { return false };
        if upper || has(&t.heard, h.kind) {
            self.conflict(h, &format!("{} ", full(name)));
        } else {
            t.heard.push((h.kind, h.on));
            self.act(from, node, h, vec![name.clone()], Vec::new());
        }
        true
    }

    /// A hint about a table's indexes, or all of them.
    fn hear_keys(&mut self, from: u32, h: &Hint) {
        let Some(name) = h.names.first() else { return };
        let block = h.block.as_deref().or(name.block.as_deref());
        let Some(node) = self.block(from, block, h) else { return };
        let shown = Name { name: name.name.clone(), block: block.map(str::to_owned) };
        let kind = h.kind;
        let Some(t) = self.table(node, &name.name) else { return };
        // INDEX and the three others speak of the same
        let rivals: &[Kind] = match kind {
            Kind::Index => &[Kind::JoinIndex, Kind::GroupIndex, Kind::OrderIndex],
            Kind::JoinIndex | Kind::GroupIndex | Kind::OrderIndex => &[Kind::Index],
            _ => &[],
        };
        if h.keys.is_empty() {
            if has(&t.heard, kind) || rivals.iter().any(|k| has(&t.heard, *k)) {
                return self.conflict(h, &format!("{} ", full(&shown)));
            }
            t.heard.push((kind, h.on));
            return self.act(from, node, h, vec![shown], Vec::new());
        }
        if kind == Kind::IndexMerge && h.on && h.keys.len() == 1 {
            let hint = format!("{}({} {})", kind.name(true), full(&shown), arguments(h));
            self.warnings.push(warning(ARGUMENTS, format!("Invalid number of arguments for hint {hint}")));
            return;
        }
        let (mut keys, mut twice) = (Vec::new(), Vec::new());
        for k in &h.keys {
            if !t.keys.iter().any(|x| same_name(&x.name, k)) {
                t.keys.push(Key { name: k.clone(), heard: Vec::new() });
            }
            let key = t.keys.iter().find(|x| same_name(&x.name, k));
            let of_key = |kind: Kind| key.is_some_and(|x| has(&x.heard, kind));
            let said = has(&t.heard, kind) || of_key(kind) || rivals.iter().any(|r| of_key(*r));
            if said && kind.is_compound() {
                return self.conflict(h, &format!("{} ", full(&shown)));
            }
            match said {
                true => twice.push(k.clone()),
                false => keys.push(k.clone()),
            }
        }
        for x in t.keys.iter_mut().filter(|x| keys.iter().any(|k| same_name(k, &x.name)) && !has(&x.heard, kind)) {
            x.heard.push((kind, h.on));
        }
        if kind.is_compound() {
            t.heard.push((kind, h.on));
        }
        for k in twice {
            self.conflict(h, &format!("{} {} ", full(&shown), quoted(&k)));
        }
        if !keys.is_empty() {
            self.act(from, node, h, vec![shown], keys);
        }
    }

    /// Warnings about tables and indexes that block `number` does not have. `tables`: those it has, base tables with their definitions.
    pub(crate) fn unresolved(&self, number: u32, tables: &[(&str, Option<&TableDef>)]) -> Vec<Warning> {
        let mut out = Vec::new();
        let Some(n) = self.nodes.iter().find(|n| n.number == number) else { return out };
        let mut tell = |name: &str, heard: &Heard| {
            let mut heard = heard.clone();
            heard.sort();
            for (kind, on) in heard {
                out.push(warning(UNRESOLVED, format!("Unresolved name {name} for {} hint", kind.name(on))));
            }
        };
        let block = n.print_name();
        for t in &n.tables {
            let name = format!("{}@{}", quoted(&t.name), quoted(&block));
            let known = tables.iter().find(|k| same_name(k.0, &t.name));
            if known.is_none() {
                tell(&name, &t.heard);
            }
            let def = known.and_then(|k| k.1);
            for k in t.keys.iter().filter(|k| def.is_none_or(|d| d.index(&k.name).or(d.fulltext(&k.name)).is_none())) {
                tell(&format!("{name} {}", quoted(&k.name)), &k.heard);
            }
        }
        out
    }

    /// Whether a hint of another block is about this one.
    pub(crate) fn is_named(&self, number: u32) -> bool {
        self.acts.iter().any(|a| a.from != number && a.to == number) || self.joins(number)
    }

    /// Whether a hint about the order of another block's tables names tables of this one.
    pub(crate) fn joins(&self, number: u32) -> bool {
        let is = |b: &str| {
            self.nodes.iter().any(|n| n.number == number && same_name(&n.print_name(), b))
                || same_name(&system_name(number), b)
        };
        let names = |a: &Act| is_order(a.kind) && a.names.iter().any(|n| n.block.as_deref().is_some_and(is));
        self.acts.iter().any(|a| a.to != number && names(a))
    }

    /// The number of the block that a name means.
    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        let named = self.nodes.iter().find(|n| same_name(&n.print_name(), name)).map(|n| n.number);
        named.or_else(|| (1..=self.last).find(|n| same_name(&system_name(*n), name)))
    }
}
