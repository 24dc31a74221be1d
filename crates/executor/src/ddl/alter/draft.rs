//! The definition that an ALTER TABLE makes: columns come, go, move and change, keys come and go. No dictionary and no file is touched.

use crate::ddl::columns::Column;
use crate::ddl::define::{implied_keys, same_name};
use crate::ddl::fulltext;
use crate::ddl::functional;
use crate::ddl::keys::{KeySpec, define_keys};
use base::{ErrorCode, PageNo, SqlError, SqlResult};
use parser::ast::{self, ColumnPosition};
use std::sync::Arc;
use storage::dict::{CheckDef, ColumnDefault, IndexKind, TableDef};
use value::OwnedValue;

/// A definition under change.
pub(in crate::ddl) struct Draft<'a> {
    pub(in crate::ddl) old: Arc<TableDef>,
    pub(in crate::ddl) new: TableDef,
    /// For each column of `new`: the column of `old` it continues.
    pub(in crate::ddl) source: Vec<Option<usize>>,
    /// Foreign keys to be added once all columns and keys are there.
    pub(super) foreign: Vec<&'a ast::ForeignKey<'a>>,
    /// Keys with functional parts to be added.
    pub(super) functional: Vec<KeySpec>,
    /// Names of checks that the existing rows must pass, and of those written at a column.
    pub(super) verify: Vec<String>,
    pub(super) own_checks: Vec<(String, String)>,
    /// Rows must be written anew although the columns are the same.
    pub(super) force: bool,
}

impl<'a> Draft<'a> {
    /// The definition as it is, to be changed.
    pub(super) fn new(old: &Arc<TableDef>) -> Self {
        Self {
            new: TableDef::clone(old),
            old: old.clone(),
            source: (0..old.columns.len()).map(Some).collect(),
            foreign: Vec::new(),
            functional: Vec::new(),
            verify: Vec::new(),
            own_checks: Vec::new(),
            force: false,
        }
    }

    pub(super) fn column(&self, name: &str) -> SqlResult<usize> {
        self.new.column(name).ok_or_else(|| SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &self.old.name]))
    }

    pub(super) fn place(&self, position: &ColumnPosition<'_>, default: usize) -> SqlResult<usize> {
        Ok(match position {
            ColumnPosition::Default => default,
            // before a generated primary key there is no place
            ColumnPosition::First => usize::from(self.old.has_generated_key() && self.new.has_generated_key()),
            ColumnPosition::After(c) => self.column(c)? + 1,
        })
    }

    /// Inserts a column and moves the key parts behind it.
    pub(super) fn insert_column(&mut self, at: usize, c: storage::dict::ColumnDef, source: Option<usize>) {
        let at = at.min(self.new.columns.len());
        self.new.columns.insert(at, c);
        self.source.insert(at, source);
        fulltext::column_inserted(&mut self.new, at);
        let own = self.new.foreign_keys.iter_mut().flat_map(|k| k.columns.iter_mut());
        for c in self.new.indexes.iter_mut().flat_map(|i| i.parts.iter_mut()).map(|p| &mut p.column).chain(own) {
            if *c as usize >= at && *c != u16::MAX {
                *c += 1;
            }
        }
    }

    /// Takes a column out; parts on it get `u16::MAX`.
    pub(super) fn remove_column(&mut self, at: usize) -> (storage::dict::ColumnDef, Option<usize>) {
        fulltext::column_removed(&mut self.new, at);
        let own = self.new.foreign_keys.iter_mut().flat_map(|k| k.columns.iter_mut());
        for c in self.new.indexes.iter_mut().flat_map(|i| i.parts.iter_mut()).map(|p| &mut p.column).chain(own) {
            match (*c as usize).cmp(&at) {
                std::cmp::Ordering::Equal => *c = u16::MAX,
                std::cmp::Ordering::Greater if *c != u16::MAX => *c -= 1,
                std::cmp::Ordering::Greater | std::cmp::Ordering::Less => {}
            }
        }
        (self.new.columns.remove(at), self.source.remove(at))
    }

    pub(super) fn add_column(&mut self, c: Column<'_>, position: &ColumnPosition<'_>) -> SqlResult<()> {
        if self.new.column(&c.def.name).is_some() {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&c.def.name]));
        }
        let visible = self.new.columns.iter().position(|c| c.is_hidden()).unwrap_or(self.new.columns.len());
        let at = self.place(position, visible)?;
        let keys = implied_keys(&c)?;
        self.insert_column(at, c.def, None);
        self.add_keys(&keys)
    }

    pub(super) fn change_column(&mut self, old: &str, c: Column<'_>, position: &ColumnPosition<'_>) -> SqlResult<()> {
        let at = self.column(old)?;
        if !same_name(old, &c.def.name) && self.new.column(&c.def.name).is_some() {
            return Err(SqlError::new(ErrorCode::DUP_FIELDNAME, &[&c.def.name]));
        }
        let keys = implied_keys(&c)?;
        let mut def = c.def;
        let stored = |c: &storage::dict::ColumnDef| c.generated.as_ref().map(|g| g.stored);
        let is_virtual = |c: Option<bool>| c == Some(false);
        let before = self.new.columns.get(at).and_then(stored);
        if is_virtual(before) != is_virtual(stored(&def)) {
            let what = "Changing the STORED status";
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_ACTION_ON_GENERATED_COLUMN, &[&what]));
        }
        if self.new.primary_key().is_some_and(|k| k.iter().any(|p| p.column as usize == at)) {
            def.ty.nullable = false;
            if matches!(def.default, ColumnDefault::Value(OwnedValue::Null)) {
                def.default = ColumnDefault::None;
            }
        }
        if let Some(slot) = self.new.columns.get_mut(at) {
            *slot = def;
        }
        if !matches!(position, ColumnPosition::Default) {
            let parts: Vec<(usize, usize)> = self
                .new
                .indexes
                .iter()
                .enumerate()
                .flat_map(|(i, x)| x.parts.iter().enumerate().map(move |(j, p)| (i, j, p.column)))
                .filter(|(_, _, column)| *column as usize == at)
                .map(|(i, j, _)| (i, j))
                .collect();
            let own: Vec<(usize, usize)> = self
                .new
                .foreign_keys
                .iter()
                .enumerate()
                .flat_map(|(i, k)| k.columns.iter().enumerate().map(move |(j, c)| (i, j, *c)))
                .filter(|(_, _, column)| *column as usize == at)
                .map(|(i, j, _)| (i, j))
                .collect();
            let (def, source) = self.remove_column(at);
            let to = self.place(position, at)?;
            self.insert_column(to, def, source);
            fulltext::settle(&mut self.new, Some(to));
            for (i, j) in own {
                if let Some(c) = self.new.foreign_keys.get_mut(i).and_then(|k| k.columns.get_mut(j)) {
                    *c = to as u16;
                }
            }
            for (i, j) in parts {
                if let Some(p) = self.new.indexes.get_mut(i).and_then(|x| x.parts.get_mut(j)) {
                    p.column = to as u16;
                }
            }
        }
        self.add_keys(&keys)
    }

    /// DROP COLUMN: keys lose the part; a key without parts goes.
    pub(super) fn drop_column(&mut self, name: &str) -> SqlResult<()> {
        let missing = || SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]);
        let at = self.new.column(name).ok_or_else(missing)?;
        if self.new.columns.get(at).is_some_and(|c| c.is_hidden()) {
            return Err(missing());
        }
        if self.new.columns.iter().filter(|c| !c.is_hidden()).count() == 1 {
            return Err(SqlError::new(ErrorCode::CANT_REMOVE_ALL_FIELDS, &[]));
        }
        self.remove_column(at);
        fulltext::settle(&mut self.new, None);
        for i in &mut self.new.indexes {
            let before = i.parts.len();
            i.parts.retain(|p| p.column != u16::MAX);
            if i.parts.len() != before {
                i.root = PageNo::NONE;
            }
        }
        self.new.indexes.retain(|i| !i.parts.is_empty() || i.name == "GEN_CLUST_INDEX");
        Ok(())
    }

    /// ADD KEY; one with functional parts waits until all columns are there.
    pub(super) fn add_key(&mut self, spec: KeySpec) -> SqlResult<()> {
        if functional::is_functional(&spec) {
            self.functional.push(spec);
            return Ok(());
        }
        self.add_keys(&[spec])
    }

    /// Applies `f` to the foreign keys to be added.
    pub(in crate::ddl) fn foreign_specs(
        &self,
        f: impl Fn(&ast::ForeignKey<'_>) -> SqlResult<KeySpec>,
    ) -> SqlResult<Vec<KeySpec>> {
        self.foreign.iter().map(|k| f(k)).collect()
    }

    pub(in crate::ddl) fn add_keys(&mut self, specs: &[KeySpec]) -> SqlResult<()> {
        let mut columns = std::mem::take(&mut self.new.columns);
        let keys = define_keys(specs, &mut columns, &self.new.indexes, &mut self.new.fulltext);
        self.new.columns = columns;
        for k in keys? {
            if k.kind == IndexKind::Primary {
                self.new.indexes.retain(|i| i.name != "GEN_CLUST_INDEX");
            }
            self.new.indexes.push(k);
        }
        Ok(())
    }

    pub(super) fn drop_key(&mut self, name: &str) -> SqlResult<()> {
        if fulltext::drop_index(&mut self.new, name) {
            return Ok(());
        }
        let missing = || SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]);
        let at = self.new.index(name).filter(|_| name != "GEN_CLUST_INDEX").ok_or_else(missing)?;
        let gone = self.new.indexes.remove(at);
        while let Some(c) = self.new.columns.iter().position(|c| functional::belongs_to(&c.name, &gone.name)) {
            self.remove_column(c);
        }
        Ok(())
    }

    pub(super) fn check(&mut self, name: &str) -> SqlResult<&mut CheckDef> {
        self.new
            .checks
            .iter_mut()
            .find(|c| same_name(&c.name, name))
            .ok_or_else(|| SqlError::new(ErrorCode::CHECK_CONSTRAINT_NOT_FOUND, &[&name]))
    }
}
