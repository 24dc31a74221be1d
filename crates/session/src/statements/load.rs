//! LOAD DATA and LOAD XML [LOCAL] INFILE: privileges and settings, the source of the bytes, the bracket around the
//! statement.
//!
//! A file of the server is read in pieces; for LOCAL the client sends them; a replica's applier has what its source sent.
//! Lines go to [`executor::Loader`] as they become complete, so a file of any size needs the memory of its longest line.
//! Tested: `tests/sql/test_load_data.py`, `tests/binlog/test_load_as_text.py`.

use crate::kernel::locks::Locked;
use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::logs::told_file::ToldFile;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{Capabilities, ResultSink};
use catalog::sysvar::Var;
use executor::files::{allowed, os_error};
use executor::textfile::read::{Reader, Step};
use executor::textfile::xml::XmlReader;
use executor::textfile::{Format, fixed_width};
use executor::{Field, Loader, TempFile, UserVar};
use parser::ast::{LoadData, LoadTarget};
use planner::Request;
use planner::load::{LoadField, LoadPlan, plan_load};
use probe::files::FileUse;
use std::fs::OpenOptions;
use std::io::Read;
use std::path::PathBuf;
use value::{Charset, CollationId, OwnedValue, SqlType};

/// Bytes read from a file at once.
const PIECE: usize = 256 << 10;

/// Where the bytes come from.
enum From {
    Client,
    File(PathBuf),
    /// A replica's source has sent them, and its applier has asked for FILE.
    Source(TempFile),
}

/// What cuts the file into rows.
enum Rows {
    Text(Reader),
    Xml(XmlReader),
}

impl Rows {
    fn feed(&mut self, piece: &[u8]) {
        match self {
            Rows::Text(r) => r.feed(piece),
            Rows::Xml(r) => r.feed(piece),
        }
    }
    /// The fields of the next row, if it is complete.
    fn next(&mut self) -> Option<(&[Field], bool)> {
        match self {
            Rows::Text(r) => (r.next_line() == Step::Line).then(|| (r.fields(), r.is_cut())),
            // elements and attributes that are no columns are not there
            Rows::Xml(r) => (r.next_row() == Step::Line).then(|| (r.fields(), false)),
        }
    }
}

impl Session {
    /// Runs the statement.
    pub(crate) fn load_data(&mut self, sql: &[u8], l: &LoadData<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let from = if let Some(file) = self.applier.loads.take() {
            From::Source(file)
        } else if l.local {
            let client = out.capabilities().has(Capabilities::LOCAL_FILES);
            if !client || !self.env.shared.globals.bool(Var::local_infile) {
                return Err(SqlError::new(ErrorCode::CLIENT_LOCAL_FILES_DISABLED, &[]));
            }
            From::Client
        } else {
            From::File(allowed(&self.env, l.path, false)?)
        };
        let collation = match l.charset {
            Some(name) => {
                let unknown = || SqlError::new(ErrorCode::UNKNOWN_CHARACTER_SET, &[&name]);
                Charset::by_name(name).ok_or_else(unknown)?
            }
            None => self.env.vars.collation(Var::collation_database).charset(),
        };
        if collation.is_wide() && l.xml.is_some() {
            return Err(SqlError::unsupported(format!("LOAD XML of character set {}", collation.name())));
        }
        // where a byte of ASCII may be part of a character the file is read in utf8mb4
        let hidden = collation.hides_ascii().then_some(collation);
        let collation = if hidden.is_some() { Charset::Utf8mb4 } else { collation }.default_collation();
        let mut format = Format::new(&l.format, !self.env.vars.sql_mode().has(value::SqlMode::NO_BACKSLASH_ESCAPES))?;
        format.wide = Some(collation.charset()).filter(|c| c.is_wide());
        if format.has_foreign_separator() {
            self.env
                .conv
                .push(value::Level::Warning, SqlError::new(ErrorCode::WARN_NON_ASCII_SEPARATOR_NOT_IMPLEMENTED, &[]));
        }
        // fields give their variables strings, whatever they are now
        for t in l.targets {
            if let LoadTarget::UserVar(name) = t {
                let ty = SqlType::varchar(u32::MAX, collation);
                self.env.user_vars.insert(name.to_lowercase().into(), UserVar { value: OwnedValue::Null, ty });
            }
        }
        let plan = self.lock_load(sql, l)?;
        let written = plan.plan.tables.iter().any(|t| t.write && !t.def.is_temporary());
        if written {
            self.check_read_only()?;
            if self.txn.read_only || (!self.txn.explicit && self.next_is_read_only()) {
                return Err(SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]));
            }
        }
        let reader = match l.xml {
            Some(tag) => Rows::Xml(XmlReader::new(tag, names(l, &plan), l.ignore_lines)),
            None => {
                let widths = if format.fixed { widths(&plan)? } else { Vec::new() };
                Rows::Text(Reader::new(format, plan.fields.len(), l.ignore_lines).with_widths(widths))
            }
        };
        let start = self.statement_start(true);
        let done = self.feed(&plan, (collation, hidden), reader, &from, l.path, out);
        self.env.conv.strict = false;
        self.env.statement.strictness = Default::default();
        match done.and_then(|o| self.statement_succeeded().map(|()| o)) {
            Ok(o) => Ok(o),
            Err(e) => {
                self.statement_failed(Some(start), &e);
                Err(e)
            }
        }
    }

    /// Plans under metadata locks.
    fn lock_load(&mut self, sql: &[u8], l: &LoadData<'_>) -> SqlResult<LoadPlan> {
        for _ in 0..8 {
            let resolver = SessionResolver(&self.env);
            let request = Request::plain(sql, &resolver);
            let ignore = l.ignore || (l.local && !l.replace);
            // planned twice: one to be run, one that carries the locks as all plans do
            let plan = plan_load(l, ignore, &request)?;
            let locks = CachedPlan::new(plan_load(l, ignore, &request)?.plan, &self.env);
            locks.cleared(&self.env)?;
            if self.lock_plan(&locks)? == Locked::Current {
                return Ok(plan);
            }
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    fn feed(
        &mut self,
        plan: &LoadPlan,
        (collation, hidden): (CollationId, Option<Charset>),
        mut reader: Rows,
        from: &From,
        name: &[u8],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let mut loader = Loader::new(plan, collation, &mut self.env)?;
        let mut cut = Vec::new();
        let mut take = |piece: &[u8]| {
            match hidden {
                Some(cs) => reader.feed(&in_utf8(cs, &mut cut, piece)?),
                None => reader.feed(piece),
            }
            while let Some((fields, cut)) = reader.next() {
                loader.row(fields, cut)?;
            }
            Ok(())
        };
        match from {
            From::Client => out.local_infile(name, &mut |piece| if piece.is_empty() { Ok(()) } else { take(piece) })?,
            From::Source(file) => {
                let (mut at, mut piece) = (0, vec![0; PIECE]);
                while at < file.size() {
                    piece.truncate(usize::try_from(file.size() - at).unwrap_or(PIECE));
                    file.read(&mut piece, at)?;
                    at += piece.len() as u64;
                    take(&piece)?;
                }
            }
            From::File(path) => {
                let file = ToldFile::open(path, FileUse::Load, OpenOptions::new().read(true));
                let mut file = file.map_err(|e| os_error(ErrorCode::EE_STAT, path, &e))?;
                let mut piece = vec![0; PIECE];
                loop {
                    let n = file.read(&mut piece).map_err(|e| os_error(ErrorCode::EE_READ, path, &e))?;
                    if n == 0 {
                        break;
                    }
                    take(piece.get(..n).unwrap_or(&[]))?;
                }
            }
        }
        take(&[])?;
        let r = loader.finish()?;
        Ok(Outcome {
            affected: r.affected,
            // its OK packet names none; LAST_INSERT_ID() knows it
            info: r.info,
            row_count: r.affected as i64,
            ..Outcome::ok()
        })
    }
}

/// What the fields of LOAD XML are called: as the list says, or the columns.
fn names(l: &LoadData<'_>, plan: &LoadPlan) -> Vec<Vec<u8>> {
    if !l.targets.is_empty() {
        let name = |t: &LoadTarget<'_>| match t {
            LoadTarget::Column(c) => c.column.as_bytes().to_vec(),
            LoadTarget::UserVar(v) => v.as_bytes().to_vec(),
        };
        return l.targets.iter().map(name).collect();
    }
    let def = plan.plan.tables.first().map(|t| t.def.clone());
    let columns = def.iter().flat_map(|d| d.columns.iter().filter(|c| !c.invisible));
    columns.map(|c| c.name.as_bytes().to_vec()).collect()
}

/// Widths of the fields of the fixed-width format. 1409 for a variable, which has none.
fn widths(plan: &LoadPlan) -> SqlResult<Vec<usize>> {
    let def = plan.plan.tables.first().map(|t| t.def.clone());
    let width = |f: &LoadField| match f {
        LoadField::Column(c) => {
            Ok(def.as_ref().and_then(|d| d.columns.get(*c as usize)).map_or(0, |c| fixed_width(&c.ty)))
        }
        LoadField::Dropped => Ok(0),
        LoadField::UserVar(_) => Err(SqlError::new(ErrorCode::LOAD_FROM_FIXED_SIZE_ROWS_TO_VAR, &[])),
    };
    plan.fields.iter().map(width).collect()
}

/// A piece of a file in utf8mb4. `cut`: the beginning of a character at the end of the piece before; an empty piece ends the file. 1300 for
/// what is no character.
fn in_utf8(cs: Charset, cut: &mut Vec<u8>, piece: &[u8]) -> SqlResult<Vec<u8>> {
    cut.extend_from_slice(piece);
    let mut end = cs.valid_prefix(cut);
    // up to three bytes may go on in the next piece
    if piece.is_empty() || cut.len() - end > 3 {
        end = cut.len();
    }
    let mut out = Vec::with_capacity(end * 2);
    let outcome = value::charset::convert(cut.get(..end).unwrap_or(cut), cs, Charset::Utf8mb4, &mut out);
    if outcome.malformed > 0 {
        let hex = cs.ill_formed(cut).map_or(String::new(), |(_, hex)| hex);
        return Err(SqlError::new(ErrorCode::INVALID_CHARACTER_STRING, &[&cs.name(), &hex]));
    }
    cut.drain(..end);
    Ok(out)
}
