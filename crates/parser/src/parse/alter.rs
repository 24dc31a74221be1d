//! ALTER TABLE.

use super::{PResult, Parser};
use crate::ast::{AlterAction, AlterTable, ColumnPosition, Statement, TableElement};
use crate::lexer::{Kw, Tk};

impl<'a> Parser<'a, '_> {
    /// After ALTER TABLE.
    pub(super) fn alter_table(&mut self) -> PResult<Statement<'a>> {
        let table = self.table_name()?;
        let mut a = AlterTable { table, actions: &[], algorithm: None, lock: None, validation: None };
        let mut actions = self.list();
        let mut comma = false;
        while !self.at_end() {
            if !self.alter_modifier(&mut a)? {
                let before = actions.len();
                if !comma && self.is_kw(Kw::PARTITION) {
                    actions.push(AlterAction::PartitionBy(self.partition_by()?));
                    break;
                }
                if !comma && self.accept_kws(&[Kw::REMOVE, Kw::PARTITIONING]) {
                    actions.push(AlterAction::RemovePartitioning);
                    break;
                }
                let alone = self.alters_alone();
                if alone && before > 0 {
                    return self.fail();
                }
                self.alter_item(&mut actions)?;
                if alone {
                    break;
                }
            }
            // Table options may follow each other without commas; PARTITION BY comes without one too.
            comma = self.accept(Tk::Comma);
            if !comma {
                let after_option = matches!(actions.last(), Some(AlterAction::Option(_)));
                if self.is_kw(Kw::PARTITION) || self.is_kw(Kw::REMOVE) || (after_option && !self.at_end()) {
                    continue;
                }
                break;
            }
            if self.at_end() {
                return self.fail();
            }
        }
        if !self.at_end() {
            return self.fail();
        }
        a.actions = actions.into_bump_slice();
        Ok(Statement::AlterTable(self.alloc(a)))
    }

    /// Whether an action stands here beside which only ALGORITHM, LOCK and VALIDATION may stand, before it.
    fn alters_alone(&self) -> bool {
        match self.kw() {
            Kw::ADD | Kw::DROP => self.peek(1).kw == Kw::PARTITION,
            Kw::DISCARD | Kw::IMPORT | Kw::SECONDARY_LOAD | Kw::SECONDARY_UNLOAD => true,
            kw => changes_partitions(kw),
        }
    }

    /// ALGORITHM, LOCK, WITH VALIDATION.
    fn alter_modifier(&mut self, a: &mut AlterTable<'a>) -> PResult<bool> {
        match self.kw() {
            Kw::ALGORITHM => a.algorithm = Some(self.algorithm()?),
            Kw::LOCK => a.lock = Some(self.lock_option()?),
            Kw::WITH if self.peek(1).kw == Kw::VALIDATION => {
                self.advance();
                self.advance();
                a.validation = Some(true);
            }
            Kw::WITHOUT if self.peek(1).kw == Kw::VALIDATION => {
                self.advance();
                self.advance();
                a.validation = Some(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `ALGORITHM [=] name`, lower case.
    pub(super) fn algorithm(&mut self) -> PResult<&'a str> {
        self.expect_kw(Kw::ALGORITHM)?;
        self.accept_eq();
        if self.accept_kw(Kw::DEFAULT) {
            return Ok("default");
        }
        let name = self.ident()?;
        Ok(self.lower_str(name))
    }

    /// `LOCK [=] name`, lower case.
    pub(super) fn lock_option(&mut self) -> PResult<&'a str> {
        self.expect_kw(Kw::LOCK)?;
        self.accept_eq();
        if self.accept_kw(Kw::DEFAULT) {
            return Ok("default");
        }
        let name = self.ident()?;
        Ok(self.lower_str(name))
    }

    fn column_position(&mut self) -> PResult<ColumnPosition<'a>> {
        if self.accept_kw(Kw::FIRST) {
            Ok(ColumnPosition::First)
        } else if self.accept_kw(Kw::AFTER) {
            Ok(ColumnPosition::After(self.ident()?))
        } else {
            Ok(ColumnPosition::Default)
        }
    }

    fn alter_item(&mut self, out: &mut bumpalo::collections::Vec<'a, AlterAction<'a>>) -> PResult<()> {
        use AlterAction as A;
        let action = match self.kw() {
            Kw::ADD => self.alter_add()?,
            Kw::DROP => self.alter_drop()?,
            Kw::CHANGE => {
                self.advance();
                self.accept_kw(Kw::COLUMN);
                let old = self.ident()?;
                let column = self.changed_column()?;
                A::ChangeColumn { old, column, position: self.column_position()? }
            }
            Kw::MODIFY => {
                self.advance();
                self.accept_kw(Kw::COLUMN);
                let column = self.changed_column()?;
                A::ModifyColumn { column, position: self.column_position()? }
            }
            Kw::ALTER => self.alter_alter()?,
            Kw::RENAME => self.alter_rename()?,
            Kw::CONVERT => {
                self.advance();
                self.expect_kw(Kw::TO)?;
                self.charset_words()?;
                let charset = if self.accept_kw(Kw::DEFAULT) { None } else { Some(self.charset_name()?) };
                let collation = if self.accept_kw(Kw::COLLATE) {
                    self.accept_eq();
                    Some(self.collation_name()?)
                } else {
                    None
                };
                A::ConvertCharset { charset, collation }
            }
            Kw::ORDER => {
                self.advance();
                self.expect_kw(Kw::BY)?;
                let columns = self.comma_list(|p| {
                    let c = p.simple_column()?;
                    if !p.accept_kw(Kw::ASC) {
                        p.accept_kw(Kw::DESC);
                    }
                    Ok(c.column)
                })?;
                A::OrderBy(columns)
            }
            Kw::ENABLE => {
                self.advance();
                self.expect_kw(Kw::KEYS)?;
                A::EnableKeys
            }
            Kw::DISABLE => {
                self.advance();
                self.expect_kw(Kw::KEYS)?;
                A::DisableKeys
            }
            Kw::FORCE => {
                self.advance();
                A::Force
            }
            Kw::DISCARD | Kw::IMPORT => self.alter_tablespace()?,
            Kw::SECONDARY_LOAD => {
                self.advance();
                self.partition_names()?;
                A::SecondaryLoad
            }
            Kw::SECONDARY_UNLOAD => {
                self.advance();
                self.partition_names()?;
                A::SecondaryUnload
            }
            kw if changes_partitions(kw) => self.alter_partition()?,
            _ => match self.table_option()? {
                Some(o) => A::Option(o),
                None => return self.fail(),
            },
        };
        out.push(action);
        Ok(())
    }

    fn alter_tablespace(&mut self) -> PResult<AlterAction<'a>> {
        let discard = self.is_kw(Kw::DISCARD);
        self.advance();
        if self.accept_kw(Kw::PARTITION) {
            let names = self.all_or_names()?;
            self.expect_kw(Kw::TABLESPACE)?;
            return Ok(if discard {
                AlterAction::DiscardPartitions(names)
            } else {
                AlterAction::ImportPartitions(names)
            });
        }
        self.expect_kw(Kw::TABLESPACE)?;
        Ok(if discard { AlterAction::DiscardTablespace } else { AlterAction::ImportTablespace })
    }

    fn alter_add(&mut self) -> PResult<AlterAction<'a>> {
        use AlterAction as A;
        self.advance();
        let from_element = |e: TableElement<'a>| match e {
            TableElement::Index(i) => A::AddIndex(i),
            TableElement::ForeignKey(f) => A::AddForeignKey(f),
            TableElement::Check(c) => A::AddCheck(c),
            TableElement::Column(column) => A::AddColumn { column, position: ColumnPosition::Default },
        };
        match self.kw() {
            Kw::PARTITION => {
                self.advance();
                self.accept_kw(Kw::NO_WRITE_TO_BINLOG);
                self.accept_kw(Kw::LOCAL);
                if self.accept_kw(Kw::PARTITIONS) {
                    return Ok(A::AddPartitions { definitions: &[], count: Some(self.number(false)?) });
                }
                let definitions = if self.is(Tk::LParen) { self.partition_defs()? } else { &[] };
                Ok(A::AddPartitions { definitions, count: None })
            }
            Kw::CONSTRAINT
            | Kw::PRIMARY
            | Kw::UNIQUE
            | Kw::FOREIGN
            | Kw::CHECK
            | Kw::INDEX
            | Kw::KEY
            | Kw::FULLTEXT
            | Kw::SPATIAL => {
                let e = self.table_element()?;
                Ok(from_element(e))
            }
            _ => {
                self.accept_kw(Kw::COLUMN);
                if self.is(Tk::LParen) {
                    return Ok(A::AddElements(self.paren_list(|p| p.table_element())?));
                }
                let column = self.column_def()?;
                Ok(A::AddColumn { column, position: self.column_position()? })
            }
        }
    }

    fn alter_drop(&mut self) -> PResult<AlterAction<'a>> {
        use AlterAction as A;
        self.advance();
        Ok(match self.kw() {
            Kw::PRIMARY => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                A::DropPrimaryKey
            }
            Kw::INDEX | Kw::KEY => {
                self.advance();
                A::DropIndex(self.ident()?)
            }
            Kw::FOREIGN => {
                self.advance();
                self.expect_kw(Kw::KEY)?;
                A::DropForeignKey(self.ident()?)
            }
            Kw::CHECK => {
                self.advance();
                A::DropCheck(self.ident()?)
            }
            Kw::CONSTRAINT => {
                self.advance();
                A::DropConstraint(self.ident()?)
            }
            Kw::PARTITION => {
                self.advance();
                A::DropPartitions(self.comma_list(|p| p.ident())?)
            }
            _ => {
                self.accept_kw(Kw::COLUMN);
                let name = self.ident()?;
                self.restrict_or_cascade();
                A::DropColumn(name)
            }
        })
    }

    fn alter_alter(&mut self) -> PResult<AlterAction<'a>> {
        use AlterAction as A;
        self.advance();
        match self.kw() {
            Kw::INDEX => {
                self.advance();
                let index = self.ident()?;
                Ok(A::SetIndexVisible { index, visible: self.visibility()? })
            }
            Kw::CHECK | Kw::CONSTRAINT => {
                let constraint = self.kw() == Kw::CONSTRAINT;
                self.advance();
                let name = self.ident()?;
                let enforced = !self.accept_kw(Kw::NOT);
                self.expect_kw(Kw::ENFORCED)?;
                Ok(A::SetCheckEnforced { constraint, name, enforced })
            }
            _ => {
                self.accept_kw(Kw::COLUMN);
                let column = self.ident()?;
                if self.accept_kws(&[Kw::DROP, Kw::DEFAULT]) {
                    return Ok(A::DropDefault(column));
                }
                self.expect_kw(Kw::SET)?;
                if self.accept_kw(Kw::DEFAULT) {
                    // NOW() only in parentheses here
                    let now = self.is_now();
                    return if now { self.fail() } else { Ok(A::SetDefault { column, value: self.default_value()? }) };
                }
                Ok(A::SetColumnVisible { column, visible: self.visibility()? })
            }
        }
    }

    fn visibility(&mut self) -> PResult<bool> {
        let visible = self.accept_kw(Kw::VISIBLE);
        if !visible {
            self.expect_kw(Kw::INVISIBLE)?;
        }
        Ok(visible)
    }

    fn alter_rename(&mut self) -> PResult<AlterAction<'a>> {
        use AlterAction as A;
        self.advance();
        match self.kw() {
            Kw::COLUMN => {
                self.advance();
                let old = self.ident()?;
                self.expect_kw(Kw::TO)?;
                Ok(A::RenameColumn { old, new: self.ident()? })
            }
            Kw::INDEX | Kw::KEY => {
                self.advance();
                let old = self.ident()?;
                self.expect_kw(Kw::TO)?;
                Ok(A::RenameIndex { old, new: self.ident()? })
            }
            _ => {
                if !self.accept_kw(Kw::TO) && !self.accept_kw(Kw::AS) {
                    self.accept_eq();
                }
                Ok(A::RenameTable(self.table_name()?))
            }
        }
    }

    /// `ALL` (empty) or names.
    fn all_or_names(&mut self) -> PResult<&'a [&'a str]> {
        if self.accept_kw(Kw::ALL) { Ok(&[]) } else { self.comma_list(|p| p.ident()) }
    }

    fn alter_partition(&mut self) -> PResult<AlterAction<'a>> {
        use AlterAction as A;
        let kw = self.kw();
        self.advance();
        self.expect_kw(Kw::PARTITION)?;
        if !matches!(kw, Kw::TRUNCATE | Kw::EXCHANGE | Kw::CHECK) && !self.accept_kw(Kw::NO_WRITE_TO_BINLOG) {
            self.accept_kw(Kw::LOCAL);
        }
        Ok(match kw {
            Kw::TRUNCATE => A::TruncatePartitions(self.all_or_names()?),
            Kw::COALESCE => A::CoalescePartitions(self.number(false)?),
            Kw::REORGANIZE => {
                if self.at_end() {
                    return Ok(A::ReorganizePartitions { names: &[], into: &[] });
                }
                let names = self.comma_list(|p| p.ident())?;
                self.expect_kw(Kw::INTO)?;
                A::ReorganizePartitions { names, into: self.partition_defs()? }
            }
            Kw::EXCHANGE => {
                let name = self.ident()?;
                self.expect_kws(&[Kw::WITH, Kw::TABLE])?;
                let table = self.table_name()?;
                let validation = if self.accept_kws(&[Kw::WITH, Kw::VALIDATION]) {
                    Some(true)
                } else if self.accept_kws(&[Kw::WITHOUT, Kw::VALIDATION]) {
                    Some(false)
                } else {
                    None
                };
                A::ExchangePartition { name, table, validation }
            }
            Kw::ANALYZE => A::AnalyzePartitions(self.all_or_names()?),
            Kw::OPTIMIZE => A::OptimizePartitions(self.all_or_names()?),
            Kw::REBUILD => A::RebuildPartitions(self.all_or_names()?),
            Kw::CHECK | Kw::REPAIR => {
                let names = self.all_or_names()?;
                while matches!(
                    self.kw(),
                    Kw::QUICK | Kw::FAST | Kw::MEDIUM | Kw::EXTENDED | Kw::CHANGED | Kw::USE_FRM | Kw::FOR
                ) {
                    if self.accept_kw(Kw::FOR) {
                        self.expect_kw(Kw::UPGRADE)?;
                    } else {
                        self.advance();
                    }
                }
                if kw == Kw::CHECK { A::CheckPartitions(names) } else { A::RepairPartitions(names) }
            }
            _ => return self.fail(),
        })
    }
}

/// First words of actions on partitions, besides ADD, DROP, DISCARD and IMPORT.
fn changes_partitions(kw: Kw) -> bool {
    matches!(
        kw,
        Kw::TRUNCATE
            | Kw::COALESCE
            | Kw::REORGANIZE
            | Kw::EXCHANGE
            | Kw::ANALYZE
            | Kw::CHECK
            | Kw::OPTIMIZE
            | Kw::REPAIR
            | Kw::REBUILD
    )
}
