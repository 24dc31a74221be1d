//! Events as SHOW BINLOG EVENTS names them: a name of the type, and a line about what is in it. Source: manual, "SHOW
//! BINLOG EVENTS Statement", and what MySQL 9.7 answers for the file in `testdata`. Tested by
//! `tests/clients/test_binary_log.py`.

use crate::control::{FormatDescription, read_rotate};
use crate::event::{Event, EventType, FLAG_SUPPRESS_USE, Header};
use crate::gtid::GtidSet;
use crate::query::Query;
use crate::statement::{Intvar, UserValue, read_intvar, read_rand, read_user_var};
use crate::table_map::TableMap;
use crate::transaction::{self as t, GtidEvent, XaId};
use crate::{Malformed, Result, load, payload, rows};
use base::hex;
use std::fmt::Write;

/// Most bytes that a compressed transaction may have to be shown.
const MAX_PAYLOAD: usize = 1 << 30;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Name of the type.
    pub kind: &'static str,
    /// Who wrote it.
    pub server_id: u32,
    /// Where the next event begins.
    pub end: u64,
    /// What is in it.
    pub info: String,
}

/// Reads events one after the other.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Bits of an end position that a header has no room for.
    high: u64,
    last: u64,
}

impl Shown {
    /// The lines of an event: one, or several of a compressed transaction.
    pub fn read(&mut self, bytes: &[u8], checksum: bool) -> Result<Vec<Line>> {
        let header = Header::read(bytes)?;
        if header.kind == EventType::FormatDescription as u8 {
            let d = FormatDescription::read(bytes)?;
            let info = format!("Server ver: {}, Binlog ver: 4", d.server_version);
            return Ok(vec![self.line("Format_desc", header, info)]);
        }
        let event = Event::read(bytes, checksum)?;
        let (kind, info) = describe(&event)?;
        let mut lines = vec![self.line(kind, header, info)];
        if event.kind() == Some(EventType::TransactionPayload) {
            let inside = payload::read(event.body, MAX_PAYLOAD)?;
            for e in crate::event::Events::new(&inside, false) {
                let e = e?;
                let (kind, info) = describe(&e)?;
                lines.push(self.line(kind, header, info));
            }
        }
        Ok(lines)
    }

    fn line(&mut self, kind: &'static str, header: Header, info: String) -> Line {
        let low = u64::from(header.end);
        if self.high + low < self.last {
            self.high += 1 << 32;
        }
        self.last = self.high + low;
        Line { kind, server_id: header.stamp.server_id, end: self.last, info }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn quoted(name: &[u8]) -> String {
    format!("`{}`", text(name).replace('`', "``"))
}

fn describe(e: &Event<'_>) -> Result<(&'static str, String)> {
    let kind = e.kind().ok_or(Malformed("an unknown type"))?;
    let body = e.body;
    let with_rows = || -> Result<String> {
        let end = if rows::read_flags(body)? & rows::STMT_END != 0 { " flags: STMT_END_F" } else { "" };
        Ok(format!("table_id: {}{end}", rows::read_table_id(body)?))
    };
    Ok(match kind {
        EventType::Query => ("Query", query(&Query::read(e.header.flags, body)?)),
        EventType::Stop => ("Stop", String::new()),
        EventType::Rotate => {
            let (file, at) = read_rotate(body)?;
            ("Rotate", format!("{};pos={at}", text(file)))
        }
        EventType::Intvar => match read_intvar(body)? {
            Intvar::LastInsertId(n) => ("Intvar", format!("LAST_INSERT_ID={n}")),
            Intvar::InsertId(n) => ("Intvar", format!("INSERT_ID={n}")),
        },
        EventType::Rand => {
            let (a, b) = read_rand(body)?;
            ("RAND", format!("rand_seed1={a},rand_seed2={b}"))
        }
        EventType::UserVar => {
            let v = read_user_var(body)?;
            ("User var", format!("@{}={}", quoted(v.name), user_value(v.value)))
        }
        EventType::FormatDescription => ("Format_desc", String::new()),
        EventType::Xid => ("Xid", format!("COMMIT /* xid={} */", t::read_xid(body)?)),
        EventType::BeginLoadQuery => ("Begin_load_query", block(body)?),
        EventType::AppendBlock => ("Append_block", block(body)?),
        EventType::DeleteFile => ("Delete_file", format!(";file_id={}", load::read_block(body)?.file)),
        EventType::ExecuteLoadQuery => {
            let load = load::ExecuteLoad::read(body)?;
            let text = query(&load.query(e.header.flags)?);
            ("Execute_load_query", format!("{text} ;file_id={}", load.file))
        }
        EventType::TableMap => {
            let m = TableMap::read(body)?;
            ("Table_map", format!("table_id: {} ({}.{})", m.id, text(&m.schema), text(&m.table)))
        }
        EventType::Heartbeat | EventType::HeartbeatV2 => ("Heartbeat", String::new()),
        EventType::RowsQuery => ("Rows_query", format!("# {}", text(t::read_rows_query(body)?))),
        EventType::WriteRows => ("Write_rows", with_rows()?),
        EventType::UpdateRows => ("Update_rows", with_rows()?),
        EventType::DeleteRows => ("Delete_rows", with_rows()?),
        EventType::PartialUpdateRows => ("Update_rows_partial", with_rows()?),
        EventType::Gtid => {
            let g = GtidEvent::read(kind, body)?.gtid.ok_or(Malformed("a GTID event without one"))?;
            ("Gtid", format!("SET @@SESSION.GTID_NEXT= '{g}'"))
        }
        EventType::GtidTagged => ("Gtid_tagged", String::new()),
        EventType::AnonymousGtid => ("Anonymous_Gtid", "SET @@SESSION.GTID_NEXT= 'ANONYMOUS'".to_owned()),
        EventType::PreviousGtids => ("Previous_gtids", GtidSet::decode(body)?.to_string()),
        EventType::XaPrepare => {
            let (id, one_phase) = t::read_xa_prepare(body)?;
            let info = match one_phase {
                true => format!("XA COMMIT {} ONE PHASE", xa_id(id)),
                false => format!("XA PREPARE {}", xa_id(id)),
            };
            ("XA_prepare", info)
        }
        EventType::TransactionPayload => {
            let size = payload::read(body, MAX_PAYLOAD)?.len();
            ("Transaction_payload", format!("compression='ZSTD', decompressed_size={size} bytes"))
        }
    })
}

fn block(body: &[u8]) -> Result<String> {
    let b = load::read_block(body)?;
    Ok(format!(";file_id={};block_len={}", b.file, b.bytes.len()))
}

fn query(q: &Query<'_>) -> String {
    let mut info = String::new();
    if q.flags & FLAG_SUPPRESS_USE == 0 && !q.schema.is_empty() {
        let _ = write!(info, "use {}; ", quoted(q.schema));
    }
    info.push_str(&text(q.text));
    if let Some(xid) = q.vars.ddl_xid {
        let _ = write!(info, " /* xid={xid} */");
    }
    info
}

fn xa_id(id: XaId<'_>) -> String {
    format!("X'{}',X'{}',{}", hex::encode(id.global), hex::encode(id.branch), id.format)
}

fn user_value(v: Option<UserValue<'_>>) -> String {
    let Some(v) = v else { return "NULL".to_owned() };
    let eight = |b: &[u8]| b.first_chunk::<8>().copied().unwrap_or_default();
    match v.kind {
        1 => format!("{}", f64::from_le_bytes(eight(v.bytes))),
        2 if v.unsigned => u64::from_le_bytes(eight(v.bytes)).to_string(),
        2 => i64::from_le_bytes(eight(v.bytes)).to_string(),
        0 => {
            let id = u16::try_from(v.collation).unwrap_or(0);
            let collation = value::CollationId(id);
            let charset = collation.charset().name();
            format!("_{charset} 0x{} COLLATE {}", hex::encode(v.bytes).to_uppercase(), collation.name())
        }
        _ => format!("0x{}", hex::encode(v.bytes)),
    }
}
