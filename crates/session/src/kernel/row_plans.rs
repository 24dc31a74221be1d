//! Plans of row events: for rows of one table that change in one way, with the same columns in their images, one
//! statement is planned and kept, until the table or what the source says of it is another.
//!
//! Each session has its own. Bounded: a source with more tables than that is planned anew from time to time. Tested:
//! `tests/binlog/test_replica.py` (a table that changes between rows), `tests/clients/test_replay.py`.

use crate::kernel::plans::CachedPlan;
use crate::kernel::row_conversions::{Allowed, Conversion, conversion, target_type};
use base::{ErrorCode, SqlError, SqlResult};
use binlog::EventType;
use binlog::rows::{Columns, Image, Rows};
use binlog::table_map::{HAS_GENERATED_KEY, TableMap};
use hashbrown::HashMap;
use std::sync::Arc;
use storage::dict::{ColumnDef, IndexKind, TableDef};
use value::{OwnedValue, SqlMode, SqlType, TypeKind};
use views::create::quote;

/// So many plans are kept.
const KEPT: usize = 512;

/// What a source may have stored, whatever its mode is: 0 in an AUTO_INCREMENT column, the 31st of February.
pub(crate) const AS_STORED: SqlMode = SqlMode(SqlMode::NO_AUTO_VALUE_ON_ZERO.0 | SqlMode::ALLOW_INVALID_DATES.0);

/// What a kind of change does with the images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    Insert,
    Update,
    Delete,
}

/// A table that rows go to.
pub(crate) struct Target {
    pub(crate) def: Arc<TableDef>,
    /// Columns of the definition, in the order of the event's.
    pub(crate) columns: Vec<ColumnDef>,
    /// What becomes of their values.
    conversions: Vec<Conversion>,
    allowed: Allowed,
}

impl Target {
    /// The table for rows with this map. What it has more columns, or fewer, stays out. A generated key is the first
    /// column: where the source's table has none, it is one that this table has more.
    ///
    /// # Errors
    /// 1677: a column's values cannot be taken.
    pub(crate) fn of(map: &TableMap, def: Arc<TableDef>, allowed: Allowed) -> SqlResult<Target> {
        let own_key = usize::from(def.has_generated_key() && map.flags & HAS_GENERATED_KEY == 0);
        let columns = def.columns.iter().filter(|c| !c.is_hidden()).skip(own_key);
        let columns: Vec<ColumnDef> = columns.cloned().collect();
        let mut conversions = Vec::with_capacity(columns.len());
        for (n, (theirs, ours)) in map.columns.iter().zip(&columns).enumerate() {
            let failed = |from: String| {
                let to = target_type(&ours.ty);
                SqlError::new(ErrorCode::REPLICA_CONVERSION_FAILED, &[&n, &def.schema, &def.name, &from, &to])
            };
            conversions.push(conversion(theirs, ours, allowed).map_err(failed)?);
        }
        Ok(Target { def, columns, conversions, allowed })
    }

    fn column(&self, place: usize) -> Option<&ColumnDef> {
        self.columns.get(place)
    }

    fn name(&self) -> String {
        format!("{}.{}", quote(&self.def.schema), quote(&self.def.name))
    }

    /// Places of the image by which a row is found. A text that is no part of the primary key stands there twice, if it
    /// has no NULLs: first for an index, which looks by its collation, then for its bytes ([`Target::condition`]).
    fn key(&self, image: &Columns) -> Vec<usize> {
        let has = |name: &str| self.columns.iter().position(|c| c.name == name).filter(|i| image.has(*i));
        let primary = self.def.indexes.iter().find(|i| i.kind == IndexKind::Primary);
        let key = primary.and_then(|i| {
            let whole = i.parts.iter().all(|p| p.prefix == 0);
            let names = i.parts.iter().map(|p| self.def.columns.get(usize::from(p.column)).map(|c| c.name.as_str()));
            whole.then(|| names.map(|n| has(n?)).collect::<Option<Vec<usize>>>())?
        });
        let times = |i: usize| self.column(i).map_or(0, |c| if is_text(&c.ty) && !c.ty.nullable { 2 } else { 1 });
        key.unwrap_or_else(|| image.iter().flat_map(|i| std::iter::repeat_n(i, times(i))).collect())
    }

    /// Places of the image whose values are assigned.
    fn assigned(&self, image: &Columns) -> Vec<usize> {
        image.iter().filter(|i| self.column(*i).is_some_and(|c| c.generated.is_none())).collect()
    }

    fn condition(&self, key: &[usize]) -> String {
        let mut before = None;
        let one = |i: &usize| {
            let again = before.replace(*i) == Some(*i);
            let Some(c) = self.column(*i) else { return String::new() };
            let name = quote(&c.name);
            match is_text(&c.ty) {
                true if again || c.ty.nullable => format!("BINARY {name} <=> BINARY ?"),
                _ if !c.ty.nullable => format!("{name} = ?"),
                _ => format!("{name} <=> ?"),
            }
        };
        key.iter().map(one).collect::<Vec<_>>().join(" AND ")
    }
}

fn is_text(ty: &SqlType) -> bool {
    ty.kind.is_string() && !ty.kind.is_binary_string() && ty.kind != TypeKind::Json
}

/// Type of the parameter that stands for a column's value.
fn parameter_type(ty: &SqlType) -> SqlType {
    let plain = match ty.kind {
        TypeKind::Timestamp => SqlType::temporal(TypeKind::DateTime, ty.decimals),
        TypeKind::Year => SqlType::bigint(),
        TypeKind::Enum | TypeKind::Set | TypeKind::Bit => SqlType::bigint_unsigned(),
        TypeKind::Float => SqlType::double(),
        _ => ty.clone(),
    };
    plain.nullable(true)
}

/// How rows of an event become changes.
pub(crate) struct RowPlan {
    map: Arc<TableMap>,
    before: Columns,
    after: Option<Columns>,
    pub(crate) target: Target,
    pub(crate) change: Change,
    /// The statement that changes one row.
    pub(crate) text: String,
    pub(crate) types: Vec<SqlType>,
    /// Its parameters: whether of the image after, and the column.
    places: Vec<(bool, usize)>,
    /// Missing until it is planned.
    pub(crate) plan: Option<CachedPlan>,
}

impl RowPlan {
    /// Of an event; `idempotent`: what is there already is replaced.
    pub(crate) fn new(
        kind: EventType,
        map: Arc<TableMap>,
        target: Target,
        rows: &Rows<'_>,
        idempotent: bool,
    ) -> RowPlan {
        let (key, first) = (target.key(&rows.before), target.assigned(&rows.before));
        let second = rows.after.as_ref().map(|a| target.assigned(a)).unwrap_or_default();
        let names = |places: &[usize], suffix: &str| {
            let name = |i: &usize| target.column(*i).map(|c| format!("{}{suffix}", quote(&c.name))).unwrap_or_default();
            places.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        let of = |after: bool, places: &[usize]| places.iter().map(|p| (after, *p)).collect::<Vec<_>>();
        let (change, text, places) = match kind {
            EventType::WriteRows => {
                let verb = if idempotent { "REPLACE" } else { "INSERT" };
                let values = vec!["?"; first.len()].join(", ");
                let text = format!("{verb} INTO {} ({}) VALUES ({values})", target.name(), names(&first, ""));
                (Change::Insert, text, of(false, &first))
            }
            EventType::UpdateRows | EventType::PartialUpdateRows => {
                let set = names(&second, " = ?");
                let text = format!("UPDATE {} SET {set} WHERE {} LIMIT 1", target.name(), target.condition(&key));
                (Change::Update, text, [of(true, &second), of(false, &key)].concat())
            }
            _ => {
                let text = format!("DELETE FROM {} WHERE {} LIMIT 1", target.name(), target.condition(&key));
                (Change::Delete, text, of(false, &key))
            }
        };
        let types = places.iter().filter_map(|(_, i)| target.column(*i)).map(|c| parameter_type(&c.ty)).collect();
        let (before, after) = (rows.before.clone(), rows.after.clone());
        RowPlan { map, before, after, target, change, text, types, places, plan: None }
    }

    /// A query of the column at this place of the row with this image before, and its parameters.
    pub(crate) fn reading(&self, before: &Image, place: usize) -> Option<(String, Vec<SqlType>, Vec<OwnedValue>)> {
        let key = self.target.key(&self.before);
        let column = quote(&self.target.column(place)?.name);
        let condition = self.target.condition(&key);
        let text = format!("SELECT {column} FROM {} WHERE {condition} LIMIT 1 FOR UPDATE", self.target.name());
        let types = key.iter().filter_map(|i| self.target.column(*i)).map(|c| parameter_type(&c.ty)).collect();
        let value = |place: &usize| {
            let found = before.iter().find(|(i, _)| i == place).map(|(_, v)| v.clone());
            self.converted(found.unwrap_or_default(), *place).ok()
        };
        let values = key.iter().map(value).collect::<Option<Vec<_>>>()?;
        Some((text, types, values))
    }

    /// The statement's parameters for a row.
    ///
    /// # Errors
    /// Of a conversion.
    pub(crate) fn values(&self, mut before: Image, mut after: Option<Image>) -> SqlResult<Vec<OwnedValue>> {
        let mut value = |(of_after, place): &(bool, usize), again: bool| {
            let image = if *of_after { after.as_mut()? } else { &mut before };
            let at = image.binary_search_by_key(place, |(i, _)| *i).ok()?;
            image.get_mut(at).map(|(_, v)| if again { v.clone() } else { std::mem::take(v) })
        };
        let mut values = Vec::with_capacity(self.places.len());
        let mut places = self.places.iter().peekable();
        while let Some(place) = places.next() {
            let again = places.peek() == Some(&place);
            values.push(self.converted(value(place, again).unwrap_or_default(), place.1)?);
        }
        Ok(values)
    }

    fn converted(&self, v: OwnedValue, place: usize) -> SqlResult<OwnedValue> {
        let (t, theirs) = (&self.target, self.map.columns.get(place));
        match (t.conversions.get(place), theirs, t.column(place)) {
            (None | Some(Conversion::None), _, _) => Ok(v),
            (Some(c), Some(theirs), Some(ours)) => c.apply(v, theirs, ours),
            _ => Ok(v),
        }
    }
}

/// Plans by the table's number at the source, the kind of change, and whether what is there already is replaced.
#[derive(Default)]
pub(crate) struct RowPlans(HashMap<(u64, u8, bool), RowPlan>);

impl RowPlans {
    /// The plan for an event of a table with this map, which is `def` now; nobody else has it meanwhile.
    pub(crate) fn take(
        &mut self,
        key: (u64, u8, bool),
        (map, rows): (&Arc<TableMap>, &Rows<'_>),
        (def, allowed): (&Arc<TableDef>, Allowed),
    ) -> Option<RowPlan> {
        let found = self.0.remove(&key)?;
        let same = Arc::ptr_eq(&found.target.def, def)
            && found.target.allowed == allowed
            && (found.before == rows.before && found.after == rows.after)
            && (Arc::ptr_eq(&found.map, map) || found.map == *map);
        same.then_some(found)
    }

    /// Keeps it.
    pub(crate) fn keep(&mut self, key: (u64, u8, bool), plan: RowPlan) {
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        self.0.insert(key, plan);
    }
}
