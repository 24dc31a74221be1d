//! Stored programs: procedures, functions, triggers and events as objects of the dictionary.
//!
//! What is kept is what MySQL keeps: the texts as they were written, in the character set of the client that wrote them,
//! and the settings under which they mean what they meant then (`sql_mode`, `character_set_client`,
//! `collation_connection`, the schema's collation). Nothing of a compiled form is stored; who compiles keeps it by
//! [`ProgramDefinition::id`] and [`ProgramDefinition::version`], of which one changes with every CREATE, ALTER and DROP.
//!
//! Each kind has a name space of its own in a schema ([`ProgramKind::class`]); names are compared without case
//! ([`folded`]), triggers' names too. A trigger belongs to a table by the table's id, so RENAME TABLE and ALTER TABLE
//! need not touch it; which triggers a table has, in the order in which they run, stands in its
//! [`TableDef::triggers`](super::TableDef::triggers), which is derived and never stored (as the lists of foreign keys'
//! children, [`super::references`]). A table whose list changes is published anew with a higher version, so plans of
//! statements that change it are made again.
//!
//! Access: as the rest of the dictionary, [`super::Dict`]; changes are made by a [`super::Ddl`] under exclusive metadata
//! locks on the program, for a trigger also on its table. A crash leaves the program as before or as after.
//! Tested: below, `storage/tests/programs.rs`, `tests/crash`.

use super::codec::{Corrupt, Reader, Writer, get_type, num, put_type, text, versioned};
use super::objects::{Object, ObjectClass};
use base::TableId;
use value::{CollationId, SqlType};

/// What a program is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum ProgramKind {
    Procedure = 1,
    Function = 2,
    Trigger = 3,
    Event = 4,
}

impl ProgramKind {
    /// All of them.
    pub const ALL: [ProgramKind; 4] =
        [ProgramKind::Procedure, ProgramKind::Function, ProgramKind::Trigger, ProgramKind::Event];

    /// As errors and information_schema name it.
    pub const fn name(self) -> &'static str {
        match self {
            ProgramKind::Procedure => "PROCEDURE",
            ProgramKind::Function => "FUNCTION",
            ProgramKind::Trigger => "TRIGGER",
            ProgramKind::Event => "EVENT",
        }
    }

    /// The name space in the dictionary's table.
    pub(super) const fn class(self) -> ObjectClass {
        match self {
            ProgramKind::Procedure => ObjectClass::Procedure,
            ProgramKind::Function => ObjectClass::Function,
            ProgramKind::Trigger => ObjectClass::Trigger,
            ProgramKind::Event => ObjectClass::Event,
        }
    }

    pub(super) fn of_class(class: u8) -> Option<ProgramKind> {
        Self::ALL.into_iter().find(|k| k.class() as u8 == class)
    }
}

/// What a routine says of its use of data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum DataAccess {
    #[default]
    ContainsSql,
    NoSql,
    ReadsSqlData,
    ModifiesSqlData,
}

impl DataAccess {
    const ALL: [DataAccess; 4] =
        [DataAccess::ContainsSql, DataAccess::NoSql, DataAccess::ReadsSqlData, DataAccess::ModifiesSqlData];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            DataAccess::ContainsSql => "CONTAINS SQL",
            DataAccess::NoSql => "NO SQL",
            DataAccess::ReadsSqlData => "READS SQL DATA",
            DataAccess::ModifiesSqlData => "MODIFIES SQL DATA",
        }
    }
}

/// Direction of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum ParameterMode {
    #[default]
    In,
    Out,
    InOut,
}

impl ParameterMode {
    const ALL: [ParameterMode; 3] = [ParameterMode::In, ParameterMode::Out, ParameterMode::InOut];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            ParameterMode::In => "IN",
            ParameterMode::Out => "OUT",
            ParameterMode::InOut => "INOUT",
        }
    }
}

/// A parameter as information_schema shows it: what its declaration meant when the routine was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// IN for those of functions.
    pub mode: ParameterMode,
    /// Name.
    pub name: String,
    /// Type with its collation.
    pub ty: SqlType,
}

/// A trigger's event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum TriggerEvent {
    Insert,
    Update,
    Delete,
}

impl TriggerEvent {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            TriggerEvent::Insert => "INSERT",
            TriggerEvent::Update => "UPDATE",
            TriggerEvent::Delete => "DELETE",
        }
    }
}

/// What makes a program a trigger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TriggerOf {
    /// Its table, for ever.
    pub table_id: TableId,
    /// The table's name now; derived when definitions are loaded or published.
    pub table: String,
    /// BEFORE, not AFTER.
    pub before: bool,
    /// INSERT, UPDATE or DELETE.
    pub event: TriggerEvent,
    /// Place among the triggers of the same table, time and event, from 1 on.
    pub order: u32,
}

/// When an event runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Once, at this second since 1970.
    At(i64),
    /// Again and again.
    Every {
        /// In units of the last part of `unit` (minutes, for HOUR_MINUTE).
        interval: i64,
        /// `SECOND`, `DAY_HOUR` ... as MySQL writes it.
        unit: String,
        /// Seconds since 1970.
        starts: i64,
        /// Seconds since 1970.
        ends: Option<i64>,
    },
}

/// Whether an event runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum EventStatus {
    Enabled,
    Disabled,
    /// DISABLE ON REPLICA.
    ReplicaSideDisabled,
}

/// What makes a program an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventOf {
    /// When it runs.
    pub schedule: Schedule,
    /// Whether it does.
    pub status: EventStatus,
    /// ON COMPLETION PRESERVE.
    pub preserve: bool,
    /// `time_zone` of the session that made it; the schedule's dates are in it.
    pub time_zone: String,
    /// When it ran last, seconds since 1970.
    pub last_executed: Option<i64>,
    /// `server_id` of the server that it was made on.
    pub originator: u64,
}

/// A stored program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramDefinition {
    /// Id, never reused.
    pub id: u64,
    /// Rises with ALTER; id and version together name one text.
    pub version: u64,
    /// What it is.
    pub kind: ProgramKind,
    /// Schema name.
    pub schema: String,
    /// Name as it was written.
    pub name: String,
    /// User and host of DEFINER.
    pub definer: (String, String),
    /// What stands between the parentheses, in `client`'s character set.
    pub params: Vec<u8>,
    /// A function's RETURNS, as MySQL prints the type.
    pub returns: String,
    /// The parameters in their order.
    pub parameters: Vec<Parameter>,
    /// A function's type.
    pub result: Option<SqlType>,
    /// The body as it was written, in `client`'s character set.
    pub body: Vec<u8>,
    /// DETERMINISTIC.
    pub deterministic: bool,
    /// CONTAINS SQL and so on.
    pub access: DataAccess,
    /// SQL SECURITY INVOKER.
    pub invoker: bool,
    /// COMMENT.
    pub comment: String,
    /// `sql_mode` at creation.
    pub sql_mode: u64,
    /// `character_set_client` at creation, as its default collation.
    pub client: CollationId,
    /// `collation_connection` at creation.
    pub connection: CollationId,
    /// The schema's collation at creation.
    pub database: CollationId,
    /// Microseconds since 1970.
    pub created: i64,
    /// Microseconds since 1970.
    pub altered: i64,
    /// Of a trigger.
    pub trigger: Option<TriggerOf>,
    /// Of an event.
    pub event: Option<EventOf>,
}

/// The form under which a program's name is looked up.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

impl ProgramDefinition {
    /// A program without any text, to be filled in.
    pub fn new(kind: ProgramKind, schema: &str, name: &str) -> ProgramDefinition {
        ProgramDefinition {
            id: 0,
            version: 0,
            kind,
            schema: schema.to_owned(),
            name: name.to_owned(),
            definer: Default::default(),
            params: Vec::new(),
            returns: String::new(),
            parameters: Vec::new(),
            result: None,
            body: Vec::new(),
            deterministic: false,
            access: DataAccess::default(),
            invoker: false,
            comment: String::new(),
            sql_mode: 0,
            client: CollationId::UTF8MB4_0900_AI_CI,
            connection: CollationId::UTF8MB4_0900_AI_CI,
            database: CollationId::UTF8MB4_0900_AI_CI,
            created: 0,
            altered: 0,
            trigger: None,
            event: None,
        }
    }

    /// `user@host` of its definer.
    pub fn definer_text(&self) -> String {
        format!("{}@{}", self.definer.0, self.definer.1)
    }

    /// A statement that a parser reads the program from, in `client`'s character set: its head without what is kept in
    /// fields of its own, and its body. An event is a procedure without parameters. Also returns where the body begins.
    pub fn source(&self) -> (Vec<u8>, usize) {
        let quote = |n: &str| super::quote(n);
        let mut out = format!("CREATE {} {}", self.source_kind(), quote(&self.name)).into_bytes();
        match (&self.trigger, self.kind) {
            (Some(t), _) => {
                let when = if t.before { "BEFORE" } else { "AFTER" };
                let head = format!(" {when} {} ON {} FOR EACH ROW ", t.event.name(), quote(&t.table));
                out.extend_from_slice(head.as_bytes());
            }
            (None, ProgramKind::Event) => out.extend_from_slice(b"() "),
            (None, kind) => {
                out.push(b'(');
                out.extend_from_slice(&self.params);
                out.push(b')');
                if kind == ProgramKind::Function {
                    out.extend_from_slice(b" RETURNS ");
                    out.extend_from_slice(self.returns.as_bytes());
                }
                out.push(b' ');
            }
        }
        let at = out.len();
        out.extend_from_slice(&self.body);
        (out, at)
    }

    const fn source_kind(&self) -> &'static str {
        match self.kind {
            ProgramKind::Event => "PROCEDURE",
            kind => kind.name(),
        }
    }

    pub(super) fn object(&self) -> Object {
        Object {
            id: self.id,
            class: self.kind.class() as u8,
            kind: 0,
            parent: self.schema.clone(),
            name: folded(&self.name),
            def: encode(self),
        }
    }
}

fn flags(w: &mut Writer, d: &ProgramDefinition) {
    w.flag(9, d.deterministic);
    w.num(10, DataAccess::ALL.iter().position(|a| *a == d.access).unwrap_or(0) as u64);
    w.flag(11, d.invoker);
}

/// A definition as bytes (docs/format.md).
pub fn encode(d: &ProgramDefinition) -> Vec<u8> {
    let mut w = Writer::new();
    w.num(1, d.id);
    w.num(2, d.version);
    w.str(3, &d.schema);
    w.str(4, &d.name);
    w.nested(5, |w| {
        w.str(1, &d.definer.0);
        w.str(2, &d.definer.1);
    });
    w.bytes(6, &d.params);
    w.str(7, &d.returns);
    w.bytes(8, &d.body);
    flags(&mut w, d);
    w.str(12, &d.comment);
    w.num(13, d.sql_mode);
    w.num(14, u64::from(d.client.0));
    w.num(15, u64::from(d.connection.0));
    w.num(16, u64::from(d.database.0));
    w.num(17, d.created as u64);
    w.num(18, d.altered as u64);
    if let Some(t) = &d.trigger {
        w.nested(19, |w| {
            w.num(1, t.table_id.0);
            w.flag(2, t.before);
            w.num(3, t.event as u64);
            w.num(4, u64::from(t.order));
        });
    }
    if let Some(e) = &d.event {
        w.nested(20, |w| put_event(w, e));
    }
    for p in &d.parameters {
        w.nested(21, |w| {
            w.num(1, p.mode as u64);
            w.str(2, &p.name);
            put_type(w, 3, &p.ty);
        });
    }
    d.result.iter().for_each(|t| put_type(&mut w, 22, t));
    w.finish()
}

fn put_event(w: &mut Writer, e: &EventOf) {
    match &e.schedule {
        Schedule::At(at) => w.num(1, *at as u64),
        Schedule::Every { interval, unit, starts, ends } => {
            w.num(2, *interval as u64);
            w.str(3, unit);
            w.num(4, *starts as u64);
            ends.iter().for_each(|e| w.num(5, *e as u64));
        }
    }
    w.num(6, e.status as u64);
    w.flag(7, e.preserve);
    w.str(8, &e.time_zone);
    e.last_executed.iter().for_each(|t| w.num(9, *t as u64));
    w.num(10, e.originator);
}

/// Inverse of [`encode`]; the kind comes from the row's class.
///
/// # Errors
/// [`Corrupt`].
pub fn decode(kind: ProgramKind, b: &[u8]) -> Result<ProgramDefinition, Corrupt> {
    let mut d = ProgramDefinition::new(kind, "", "");
    let collation = |b: &[u8]| num(b).map(|n| CollationId(n as u16));
    let mut r = versioned(b)?;
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => d.id = num(body)?,
            2 => d.version = num(body)?,
            3 => d.schema = text(body)?,
            4 => d.name = text(body)?,
            5 => d.definer = super::codec::pair(body)?,
            6 => d.params = body.to_vec(),
            7 => d.returns = text(body)?,
            8 => d.body = body.to_vec(),
            9 => d.deterministic = true,
            10 => d.access = DataAccess::ALL.get(num(body)? as usize).copied().ok_or(Corrupt)?,
            11 => d.invoker = true,
            12 => d.comment = text(body)?,
            13 => d.sql_mode = num(body)?,
            14 => d.client = collation(body)?,
            15 => d.connection = collation(body)?,
            16 => d.database = collation(body)?,
            17 => d.created = num(body)? as i64,
            18 => d.altered = num(body)? as i64,
            19 => d.trigger = Some(get_trigger(body)?),
            20 => d.event = Some(get_event(body)?),
            21 => d.parameters.push(get_parameter(body)?),
            22 => d.result = Some(get_type(body)?),
            _ => {}
        }
    }
    match kind {
        ProgramKind::Trigger if d.trigger.is_none() => Err(Corrupt),
        ProgramKind::Event if d.event.is_none() => Err(Corrupt),
        _ => Ok(d),
    }
}

fn get_parameter(b: &[u8]) -> Result<Parameter, Corrupt> {
    let mut p = Parameter { mode: ParameterMode::In, name: String::new(), ty: SqlType::bigint() };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => p.mode = ParameterMode::ALL.get(num(body)? as usize).copied().ok_or(Corrupt)?,
            2 => p.name = text(body)?,
            3 => p.ty = get_type(body)?,
            _ => {}
        }
    }
    Ok(p)
}

fn get_trigger(b: &[u8]) -> Result<TriggerOf, Corrupt> {
    let mut t =
        TriggerOf { table_id: TableId(0), table: String::new(), before: false, event: TriggerEvent::Insert, order: 1 };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => t.table_id = TableId(num(body)?),
            2 => t.before = true,
            3 => {
                let all = [TriggerEvent::Insert, TriggerEvent::Update, TriggerEvent::Delete];
                t.event = all.get(num(body)? as usize).copied().ok_or(Corrupt)?;
            }
            4 => t.order = num(body)? as u32,
            _ => {}
        }
    }
    Ok(t)
}

fn get_event(b: &[u8]) -> Result<EventOf, Corrupt> {
    let (mut at, mut interval, mut unit, mut starts, mut ends) = (None, None, String::new(), 0, None);
    let mut e = EventOf {
        schedule: Schedule::At(0),
        status: EventStatus::Enabled,
        preserve: false,
        time_zone: "SYSTEM".into(),
        last_executed: None,
        originator: 0,
    };
    let mut r = Reader(b);
    while let Some((tag, body)) = r.next()? {
        match tag {
            1 => at = Some(num(body)? as i64),
            2 => interval = Some(num(body)? as i64),
            3 => unit = text(body)?,
            4 => starts = num(body)? as i64,
            5 => ends = Some(num(body)? as i64),
            6 => {
                let all = [EventStatus::Enabled, EventStatus::Disabled, EventStatus::ReplicaSideDisabled];
                e.status = all.get(num(body)? as usize).copied().ok_or(Corrupt)?;
            }
            7 => e.preserve = true,
            8 => e.time_zone = text(body)?,
            9 => e.last_executed = Some(num(body)? as i64),
            10 => e.originator = num(body)?,
            _ => {}
        }
    }
    e.schedule = match (at, interval) {
        (Some(at), None) => Schedule::At(at),
        (None, Some(interval)) => Schedule::Every { interval, unit, starts, ends },
        _ => return Err(Corrupt),
    };
    Ok(e)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<ProgramDefinition> {
        let mut f = ProgramDefinition::new(ProgramKind::Function, "d", "F");
        (f.id, f.version, f.definer) = (7, 9, ("root".into(), "localhost".into()));
        (f.params, f.returns, f.body) = (b"a INT".to_vec(), "int".into(), b"RETURN '\xe4'".to_vec());
        let ty = SqlType::varchar(7, CollationId(8));
        f.parameters = vec![Parameter { mode: ParameterMode::InOut, name: "a".into(), ty: ty.clone() }];
        f.result = Some(ty);
        (f.deterministic, f.access, f.invoker, f.comment) = (true, DataAccess::NoSql, true, "c".into());
        (f.sql_mode, f.client, f.connection, f.database) = (1 << 33, CollationId(8), CollationId(9), CollationId(10));
        (f.created, f.altered) = (1_700_000_000_123_456, 1_800_000_000_000_000);
        let mut t = ProgramDefinition { kind: ProgramKind::Trigger, ..f.clone() };
        let event = TriggerEvent::Delete;
        t.trigger = Some(TriggerOf { table_id: TableId(300), table: String::new(), before: true, event, order: 2 });
        let mut once = ProgramDefinition { kind: ProgramKind::Event, ..f.clone() };
        once.event = Some(EventOf {
            schedule: Schedule::At(-5),
            status: EventStatus::ReplicaSideDisabled,
            preserve: true,
            time_zone: "Europe/Berlin".into(),
            last_executed: Some(0),
            originator: 1,
        });
        let mut often = once.clone();
        if let Some(e) = &mut often.event {
            let unit = "HOUR_MINUTE".into();
            e.schedule = Schedule::Every { interval: 90, unit, starts: 1, ends: Some(1 << 40) };
            e.last_executed = None;
        }
        vec![f, t, once, often]
    }

    #[test]
    fn a_program_comes_back_as_it_was() {
        for d in samples() {
            assert_eq!(decode(d.kind, &encode(&d)), Ok(d));
        }
    }

    #[test]
    fn cut_and_flipped_bytes_never_panic() {
        for d in samples() {
            let bytes = encode(&d);
            for n in 0..bytes.len() {
                let _ = decode(d.kind, &bytes[..n]);
                let mut b = bytes.clone();
                b[n] ^= 0x55;
                let _ = decode(d.kind, &b);
            }
            assert!(decode(d.kind, &[]).is_err());
        }
    }

    #[test]
    fn what_a_parser_reads() {
        let all = samples();
        let text = |d: &ProgramDefinition| String::from_utf8_lossy(&d.source().0).into_owned();
        assert!(text(&all[0]).starts_with("CREATE FUNCTION `F`(a INT) RETURNS int RETURN '"));
        let mut t = all[1].clone();
        t.trigger.as_mut().unwrap().table = "a`b".into();
        assert!(text(&t).starts_with("CREATE TRIGGER `F` BEFORE DELETE ON `a``b` FOR EACH ROW RETURN"));
        assert!(text(&all[2]).starts_with("CREATE PROCEDURE `F`() RETURN"));
    }
}
