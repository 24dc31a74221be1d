//! Stored programs: procedures, functions, triggers and events as objects of the dictionary.
//!
//! What is kept is what MySQL keeps: the texts as they were written, in the character set of the client that wrote
//! them, and the settings under which they mean what they meant then (`sql_mode`, `character_set_client`,
//! `collation_connection`, the schema's collation). Nothing of a compiled form is stored; who compiles keeps it by
//! [`ProgramDefinition::id`] and [`ProgramDefinition::version`], of which one changes with every CREATE, ALTER and
//! DROP.
//!
//! Each kind has a name space of its own in a schema ([`ProgramKind::class`]); names are compared without case
//! ([`folded`]), triggers' names too. A trigger belongs to a table by the table's id, so RENAME TABLE and ALTER TABLE
//! need not touch it; which triggers a table has, in the order in which they run, stands in its
//! [`TableDef::triggers`](super::TableDef::triggers), which is derived and never stored (as the lists of foreign keys'
//! children, [`super::references`]). A table whose list changes is published anew with a higher version, so plans of
//! statements that change it are made again.
//!
//! Access: as the rest of the dictionary, [`super::Dict`]; changes are made by a [`super::Ddl`] under exclusive
//! metadata locks on the program, for a trigger also on its table. A crash leaves the program as before or as after.
//! Tested: [`super::program_bytes`], `storage/tests/programs.rs`, `tests/crash`.

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
    pub(super) const ALL: [DataAccess; 4] =
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
    pub(super) const ALL: [ParameterMode; 3] = [ParameterMode::In, ParameterMode::Out, ParameterMode::InOut];

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

/// The form under which a program's name is looked up: names are compared as utf8mb3_general_ci does it, without case
/// and accents.
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let mut weights = Vec::new();
    CollationId::UTF8MB4_GENERAL_CI.get().weights(name.as_bytes(), &mut weights);
    let (pairs, _) = weights.as_chunks::<2>();
    let chars =
        pairs.iter().map(|p| char::from_u32(u16::from_be_bytes(*p).into()).unwrap_or(char::REPLACEMENT_CHARACTER));
    chars.flat_map(char::to_lowercase).collect()
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
            def: super::program_bytes::encode(self),
        }
    }
}
