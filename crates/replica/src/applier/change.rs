//! What one event of a transaction does: rows, statements, what prepares them, and the filters that pass some over.

use super::worker::Work;
use super::{LARGEST_PAYLOAD, Trouble, header_kind};
use crate::checks;
use crate::events::{self, Named};
use base::{SqlError, SqlResult};
use binlog::event::{Event, Events};
use binlog::load::{self, ExecuteLoad};
use binlog::statement::{read_intvar, read_rand, read_user_var};
use binlog::transaction::read_xa_prepare;
use binlog::{EventType, payload, query::Query};
use catalog::accounts::mark::Mark;
use session::Changed;

impl Work<'_> {
    pub(super) fn apply(&mut self, kind: EventType, e: &Event<'_>) -> Result<(), Trouble> {
        checks::may_prepare(self.x, self.s, self.settings, kind)?;
        match kind {
            EventType::Query => self.query(e),
            EventType::Xid => Ok(self.commit()?),
            EventType::TableMap => {
                let named = self.context.map(e, &self.filters)?;
                match named {
                    Named::Here => Ok(self.s.map_table(e.bytes)?),
                    Named::Otherwise(event) => Ok(self.s.map_table(&event)?),
                    Named::PassedOver => Ok(()),
                }
            }
            EventType::WriteRows | EventType::UpdateRows | EventType::DeleteRows | EventType::PartialUpdateRows => {
                if self.context.passes_over(e.body) {
                    return Ok(());
                }
                let done = self.s.apply_rows(e.bytes);
                done.map_err(|error| self.context.rows_failed(kind, e.body, error, &self.at))
            }
            EventType::RowsQuery => Ok(()),
            EventType::Intvar => Ok(self.s.take_insert_id(read_intvar(e.body)?)?),
            EventType::Rand => Ok(self.s.take_seeds(read_rand(e.body)?)?),
            EventType::UserVar => Ok(self.s.take_user_var(&read_user_var(e.body)?)?),
            EventType::BeginLoadQuery | EventType::AppendBlock => {
                let block = load::read_block(e.body)?;
                Ok(self.s.take_block(block.file, block.bytes, kind == EventType::BeginLoadQuery)?)
            }
            EventType::DeleteFile => {
                self.s.forget_file(load::read_block(e.body)?.file);
                Ok(())
            }
            EventType::ExecuteLoadQuery => {
                let load = ExecuteLoad::read(e.body)?;
                let mut q = load.query(e.header.flags)?;
                let text = load.text(&q, "SQL_LOAD")?;
                q.text = &text;
                self.statement(&q, e.header.stamp.timestamp, Some(load.file))
            }
            EventType::XaPrepare => {
                let (id, one_phase) = read_xa_prepare(e.body)?;
                self.s.statement(events::xa_prepare(&id, one_phase).as_bytes())?;
                // that has the position in it
                if one_phase { Ok(()) } else { Ok(self.advance()?) }
            }
            EventType::TransactionPayload => self.payload(e),
            other => Err(SqlError::unsupported(format!("replication of {other:?} events")).into()),
        }
    }

    /// The events inside a compressed one.
    fn payload(&mut self, e: &Event<'_>) -> Result<(), Trouble> {
        let inside = payload::read(e.body, LARGEST_PAYLOAD)?;
        self.s.set_checksums(false);
        let done = self.events_inside(&inside);
        self.s.set_checksums(true);
        done
    }

    fn events_inside(&mut self, inside: &[u8]) -> Result<(), Trouble> {
        for e in Events::new(inside, false) {
            let e = e?;
            if let Some(kind) = header_kind(e.header)? {
                self.apply(kind, &e)?;
            }
        }
        Ok(())
    }

    fn query(&mut self, e: &Event<'_>) -> Result<(), Trouble> {
        let q = Query::read(e.header.flags, e.body)?;
        match q.text {
            b"BEGIN" => Ok(self.s.begin()?),
            b"COMMIT" => Ok(self.commit()?),
            b"ROLLBACK" => Ok(self.s.rollback()?),
            _ => self.statement(&q, e.header.stamp.timestamp, None),
        }
    }

    /// A statement as text; with the file that LOAD DATA reads.
    fn statement(&mut self, q: &Query<'_>, timestamp: u32, file: Option<u32>) -> Result<(), Trouble> {
        // it may commit by itself
        self.take_turn(true)?;
        let may = checks::may_take_settings(self.s, self.settings, q);
        may.map_err(|error| events::query_failed(q, error))?;
        let settings = self.context.settings(q, timestamp, self.settings.primary_keys)?;
        self.s.set(settings.as_bytes())?;
        self.s.take_thread(q.thread_id);
        let done = self.s.set_utf8mb4_collation(q.vars.default_collation, q.text);
        done.map_err(|error| events::query_failed(q, error))?;
        let schema = String::from_utf8_lossy(q.schema);
        // the schema that is defined is no other one
        let schema = match events::defines_schema(q.text) {
            true => schema.into_owned(),
            false => self.filters.clone().rewritten(&schema).to_owned(),
        };
        self.s.set_schema(schema.as_bytes());
        let alone = !self.s.in_transaction();
        if !self.filters.is_empty() && !self.takes(q, &schema)? {
            if alone {
                self.nothing()?;
            }
            return Ok(());
        }
        if alone && !q.text.starts_with(b"XA ") {
            self.say_position();
        }
        if let Some(to) = self.one_phase.clone().filter(|_| q.text.starts_with(b"XA END ")) {
            self.at = to;
            self.say_position();
            self.s.write_position()?;
        }
        let done = match (file, alone && self.s.changes_accounts(q.text)) {
            (Some(file), _) => self.s.load(file, q.text, q.vars.charset_database),
            (None, true) => {
                let gtid = self.gtid.map(|g| g.to_string());
                let text = gtid.unwrap_or_else(|| self.place());
                self.s.account_statement(q.text, Mark { channel: self.x.channel.to_string(), text })
            }
            (None, false) => self.s.statement(q.text),
        };
        let left = self.s.forget_position();
        match done {
            Err(error) if u32::from(error.code()) == u32::from(q.error) => {}
            Err(error) if self.skipped.has(&error) => {
                let text = events::query_failed(q, error);
                probe::errorlog::say("Warning", "Repl", u32::from(text.error.code()), &text.text);
                if alone {
                    return Ok(self.nothing()?);
                }
            }
            Err(error) => return Err(events::query_failed(q, error)),
            Ok(()) if q.error != 0 => return Err(events::query_should_have_failed(q)),
            Ok(()) => {}
        }
        if !self.s.in_transaction() && (left || !alone || q.text.starts_with(b"XA ")) {
            self.advance()?;
        }
        Ok(())
    }

    /// Whether the filters let a statement through. What ends transactions and branches always is.
    fn takes(&self, q: &Query<'_>, schema: &str) -> Result<bool, Trouble> {
        let inside = [&b"XA "[..], b"SAVEPOINT", b"ROLLBACK TO", b"RELEASE SAVEPOINT"];
        if inside.iter().any(|word| q.text.starts_with(word)) {
            return Ok(true);
        }
        let changed = self.s.changed_by(q.text).map_err(|error| events::query_failed(q, error))?;
        Ok(match changed {
            Changed::Database(name) => self.filters.takes_database(&name),
            Changed::Tables(list) if list.is_empty() => self.filters.takes_schema(schema),
            Changed::Tables(list) => {
                let names = list.iter().map(|(s, t)| (s.as_str(), t.as_str()));
                self.filters.takes_schema(schema) && self.filters.takes_tables(names)
            }
        })
    }

    /// COMMIT, with the position, when its turn has come.
    fn commit(&mut self) -> SqlResult<()> {
        self.take_turn(true)?;
        self.say_position();
        let done = self.s.commit();
        self.s.forget_position();
        done
    }

    /// What a statement without a GTID is called: other channels' sources may have a file of the same name.
    fn place(&self) -> String {
        let (channel, at) = (&self.x.channel, &self.at);
        let before = if channel.is_empty() { "" } else { "/" };
        format!("{channel}{before}{}:{}", at.file, at.offset)
    }

    /// Without GTIDs: what commits next takes the position behind it along.
    fn say_position(&mut self) {
        if !self.settings.auto_position {
            self.s.set_position(&self.x.channel, &self.at.file, self.at.offset);
        }
    }

    /// The position behind what has committed itself and could not take it along.
    fn advance(&mut self) -> SqlResult<()> {
        if self.settings.auto_position {
            return Ok(());
        }
        self.s.end_source()?;
        self.s.begin()?;
        self.commit()
    }

    /// A transaction of which nothing is applied: its GTID and its position count.
    pub(super) fn nothing(&mut self) -> SqlResult<()> {
        self.s.begin()?;
        self.commit()
    }
}
