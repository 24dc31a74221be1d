//! The definition that an ALTER TABLE makes: columns come, go, move and change, keys come and go. No dictionary and no file is touched.

use crate::ddl::charset::Chosen;
use crate::ddl::define::same_name;
use crate::ddl::fulltext;
use crate::ddl::functional;
use crate::ddl::keys::{KeySpec, define_keys};
use base::{ErrorCode, PageNo, SqlError, SqlResult};
use parser::ast::{self, ColumnPosition};
use std::collections::VecDeque;
use std::sync::Arc;
use storage::dict::{CheckDef, ColumnDef, ColumnDefault, IndexKind, TableDef};
use value::CollationId;
use value::OwnedValue;

/// What is written at a column beyond the column itself.
pub(super) struct Written<'a> {
    pub(super) name: String,
    pub(super) keys: Vec<KeySpec>,
    pub(super) checks: Vec<ast::CheckDef<'a>>,
}

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
    /// Of the columns that the statement writes out, in its order, what is still to be added.
    pub(super) written: VecDeque<Written<'a>>,
    /// Columns that the statement writes with NULL or DEFAULT NULL.
    pub(super) nulls: Vec<String>,
    /// The character set and collation that the options have named so far.
    pub(super) chosen: Chosen,
    /// AUTO_INCREMENT = n is among the options.
    pub(super) counter_given: bool,
    /// Rows must be written anew although the columns are the same.
    pub(super) force: bool,
}

impl<'a> Draft<'a> {
    /// The definition as it is, to be changed.
    pub(super) fn new(old: &Arc<TableDef>, utf8mb4: CollationId) -> Self {
        Self {
            new: TableDef::clone(old),
            old: old.clone(),
            source: (0..old.columns.len()).map(Some).collect(),
            foreign: Vec::new(),
            functional: Vec::new(),
            verify: Vec::new(),
            own_checks: Vec::new(),
            written: VecDeque::new(),
            nulls: Vec::new(),
            chosen: Chosen::none(utf8mb4),
            counter_given: false,
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

    /// Where the column is now that was at `old` in the old definition.
    pub(super) fn continued(&self, old: usize) -> Option<usize> {
        self.source.iter().position(|s| *s == Some(old))
    }

    /// [`Self::continued`] of a column by its old name.
    pub(super) fn old_column(&self, name: &str) -> SqlResult<usize> {
        let missing = || SqlError::new(ErrorCode::BAD_FIELD_ERROR, &[&name, &self.old.name]);
        self.old.column(name).and_then(|at| self.continued(at)).ok_or_else(missing)
    }

    /// ADD COLUMN.
    pub(super) fn add_column(&mut self, def: ColumnDef, position: &ColumnPosition<'_>) -> SqlResult<()> {
        let visible = self.new.columns.iter().position(|c| c.is_hidden()).unwrap_or(self.new.columns.len());
        let at = self.place(position, visible)?;
        self.insert_column(at, def, None);
        Ok(())
    }

    /// CHANGE, MODIFY of a column of the old definition, which stays where it is.
    pub(super) fn replace_column(&mut self, old: usize, def: ColumnDef) -> SqlResult<()> {
        let Some(at) = self.continued(old) else { return Ok(()) };
        let stored = |c: &ColumnDef| c.generated.as_ref().map(|g| g.stored);
        let is_virtual = |c: Option<bool>| c == Some(false);
        let before = self.new.columns.get(at).and_then(stored);
        if is_virtual(before) != is_virtual(stored(&def)) {
            let what = "Changing the STORED status";
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_ACTION_ON_GENERATED_COLUMN, &[&what]));
        }
        self.set_column(at, def);
        Ok(())
    }

    /// Writes a definition over another; a column of the primary key is NOT NULL.
    fn set_column(&mut self, at: usize, mut def: ColumnDef) {
        if self.new.primary_key().is_some_and(|k| k.iter().any(|p| p.column as usize == at)) {
            def.ty.nullable = false;
            if matches!(def.default, ColumnDefault::Value(OwnedValue::Null)) {
                def.default = ColumnDefault::None;
            }
        }
        if let Some(slot) = self.new.columns.get_mut(at) {
            *slot = def;
        }
    }

    /// Moves a column of the old definition; keys and foreign keys go on naming it.
    pub(super) fn move_column(&mut self, old: usize, position: &ColumnPosition<'_>) -> SqlResult<()> {
        match self.continued(old) {
            Some(at) if !matches!(position, ColumnPosition::Default) => self.move_to(at, |d| d.place(position, at)),
            _ => Ok(()),
        }
    }

    /// DROP and ADD COLUMN of one name: a new column, without the old one's values, and the keys on the old one.
    pub(super) fn renew_column(&mut self, old: usize, def: ColumnDef, position: &ColumnPosition<'_>) -> SqlResult<()> {
        let Some(at) = self.continued(old) else { return Ok(()) };
        self.set_column(at, def);
        if let Some(source) = self.source.get_mut(at) {
            *source = None;
        }
        let has = |i: &&mut storage::dict::IndexDef| i.parts.iter().any(|p| usize::from(p.column) == at);
        self.new.indexes.iter_mut().filter(has).for_each(|i| i.root = PageNo::NONE);
        self.force = true;
        self.move_to(at, |d| {
            let visible = d.new.columns.iter().position(|c| c.is_hidden()).unwrap_or(d.new.columns.len());
            d.place(position, visible)
        })
    }

    fn move_to(&mut self, at: usize, to: impl FnOnce(&Self) -> SqlResult<usize>) -> SqlResult<()> {
        let here = |c: &u16| usize::from(*c) == at;
        let parts: Vec<(usize, usize)> =
            places(self.new.indexes.iter().map(|i| i.parts.iter().map(|p| p.column)), here);
        let own = places(self.new.foreign_keys.iter().map(|k| k.columns.iter().copied()), here);
        let (def, source) = self.remove_column(at);
        let to = to(self)?;
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
        Ok(())
    }

    /// DROP COLUMN: keys lose the part; a key without parts goes.
    pub(super) fn drop_column(&mut self, name: &str) -> SqlResult<()> {
        let missing = || SqlError::new(ErrorCode::CANT_DROP_FIELD_OR_KEY, &[&name]);
        let at = self.new.column(name).ok_or_else(missing)?;
        if self.new.columns.get(at).is_some_and(|c| c.is_hidden()) {
            return Err(missing());
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
        functional::check_written(&self.new, &spec)?;
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

    /// The CHECK of ALTER CONSTRAINT, or of ALTER CHECK, which say differently that there is none.
    pub(super) fn constraint(&mut self, name: &str, constraint: bool) -> SqlResult<&mut CheckDef> {
        let missing = |e| if constraint { SqlError::new(ErrorCode::CONSTRAINT_NOT_FOUND, &[&name]) } else { e };
        self.check(name).map_err(missing)
    }
}

/// The places (key, part) of lists of columns where a column is named.
fn places<C: Iterator<Item = u16>>(lists: impl Iterator<Item = C>, here: impl Fn(&u16) -> bool) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (i, list) in lists.enumerate() {
        out.extend(list.enumerate().filter(|(_, c)| here(c)).map(|(j, _)| (i, j)));
    }
    out
}
