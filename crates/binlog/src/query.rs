//! QUERY: a statement as text, with the settings that it was run with.
//!
//! ```text
//! body = thread id u32, seconds u32, length of the schema u8, error u16, length of the settings u16,
//!        settings, schema, 0, text
//! settings = (code u8, value)*
//! ```
//! A reader must know every code, because values do not say how long they are.

use crate::event::{self, EventType, FLAG_SUPPRESS_USE, FLAG_THREAD_SPECIFIC, Stamp};
use crate::le::{Reader, put};
use crate::{Malformed, Result};

macro_rules! status_vars {
    ($($(#[$doc:meta])* $field:ident: $ty:ty = $code:literal),* $(,)?) => {
        /// The session's settings that a statement was run with. What is `None` was not logged: a reader takes its own.
        /// The fields stand in the order in which MySQL writes them.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct StatusVars { $($(#[$doc])* pub $field: Option<$ty>),* }

        impl StatusVars {
            fn write(&self, out: &mut Vec<u8>) {
                $(if let Some(v) = &self.$field { out.push($code); v.put(out); })*
            }
            fn read(mut r: Reader<'_>) -> Result<StatusVars> {
                let mut vars = StatusVars::default();
                while !r.is_empty() {
                    match r.u8()? {
                        $($code => vars.$field = Some(<$ty as Var>::take(&mut r)?),)*
                        _ => return Err(Malformed("an unknown setting of a statement")),
                    }
                }
                Ok(vars)
            }
        }
    };
}

status_vars! {
    /// Bits: 0x4000 auto_is_null, 0x80000 not autocommit, 0x4000000 no foreign key checks, 0x8000000 relaxed unique
    /// checks.
    flags2: u32 = 0,
    /// Bits of `sql_mode`.
    sql_mode: u64 = 1,
    /// Name of the catalog, always `std`.
    catalog: Text = 6,
    /// `auto_increment_increment`, `auto_increment_offset`, unless both are 1.
    auto_increment: (u16, u16) = 3,
    /// Numbers of `character_set_client`, `collation_connection`, `collation_server`.
    charset: (u16, (u16, u16)) = 4,
    /// `time_zone`, where the statement depends on it.
    time_zone: Text = 5,
    /// Number of `lc_time_names`, unless 0.
    lc_time_names: u16 = 7,
    /// Number of `collation_database`.
    charset_database: u16 = 8,
    /// Bits of the tables that a multi-table UPDATE changes.
    tables_changed: u64 = 9,
    /// Definer of a CREATE.
    invoker: (Text, Text) = 11,
    /// Schemas that the statement changes; `None` inside: too many to name.
    updated_schemas: Schemas = 12,
    /// Microseconds of NOW(6).
    microseconds: Micros = 13,
    /// `explicit_defaults_for_timestamp`.
    explicit_defaults: u8 = 16,
    /// Number of the engine's transaction, for a DDL statement that is atomic with its event.
    ddl_xid: u64 = 17,
    /// Number of `default_collation_for_utf8mb4`.
    default_collation: u16 = 18,
    /// `sql_require_primary_key`.
    require_primary_key: u8 = 19,
    /// `default_table_encryption`.
    table_encryption: u8 = 20,
    /// Of 9.6 and later: the SQL layer checks foreign keys, as [`crate::rows::USE_SQL_FOREIGN_KEY`] says of rows.
    sql_foreign_keys: u8 = 21,
}

/// A value of [`StatusVars`] as bytes.
trait Var: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(r: &mut Reader<'_>) -> Result<Self>;
}

macro_rules! number_vars {
    ($($t:ty),*) => {$(impl Var for $t {
        fn put(&self, out: &mut Vec<u8>) {
            out.extend_from_slice(&self.to_le_bytes());
        }
        fn take(r: &mut Reader<'_>) -> Result<$t> {
            Ok(r.uint(size_of::<$t>())? as $t)
        }
    })*};
}
number_vars!(u8, u16, u32, u64);

impl<A: Var, B: Var> Var for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(r: &mut Reader<'_>) -> Result<(A, B)> {
        Ok((A::take(r)?, B::take(r)?))
    }
}

/// At most 255 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Box<[u8]>);

impl Var for Text {
    fn put(&self, out: &mut Vec<u8>) {
        let n = self.0.len().min(255);
        out.push(n as u8);
        out.extend(self.0.iter().take(n));
    }
    fn take(r: &mut Reader<'_>) -> Result<Text> {
        let n = r.u8()? as usize;
        Ok(Text(r.bytes(n)?.into()))
    }
}

/// Names of schemas; `None`: more than 16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schemas(pub Option<Vec<Box<[u8]>>>);

/// So many schemas are named, at most.
const MAX_SCHEMAS: usize = 16;
const TOO_MANY: u8 = 254;

impl Var for Schemas {
    fn put(&self, out: &mut Vec<u8>) {
        match self.0.as_ref().filter(|n| n.len() <= MAX_SCHEMAS) {
            None => out.push(TOO_MANY),
            Some(names) => {
                out.push(names.len() as u8);
                for n in names {
                    out.extend_from_slice(n);
                    out.push(0);
                }
            }
        }
    }
    fn take(r: &mut Reader<'_>) -> Result<Schemas> {
        let n = r.u8()?;
        if n == TOO_MANY {
            return Ok(Schemas(None));
        }
        let mut names = Vec::new();
        for _ in 0..n {
            let len = r.0.iter().position(|b| *b == 0).ok_or(Malformed("a schema's name without its end"))?;
            names.push(r.bytes(len)?.into());
            r.u8()?;
        }
        Ok(Schemas(Some(names)))
    }
}

/// Three bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Micros(pub u32);

impl Var for Micros {
    fn put(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.0), 3);
    }
    fn take(r: &mut Reader<'_>) -> Result<Micros> {
        Ok(Micros(r.uint(3)? as u32))
    }
}

/// Bit of `flags2`: `sql_auto_is_null` is on.
pub const AUTO_IS_NULL: u32 = 0x4000;
/// Bit of `flags2`: `foreign_key_checks` is off.
pub const NO_FOREIGN_KEY_CHECKS: u32 = 0x400_0000;
/// Bit of `flags2`: `unique_checks` is off.
pub const RELAXED_UNIQUE_CHECKS: u32 = 0x800_0000;

/// A statement as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query<'a> {
    /// Number of the connection.
    pub thread_id: u32,
    /// Seconds that it ran.
    pub exec_time: u32,
    /// The error that it ended in (a change that cannot be undone), or 0.
    pub error: u16,
    /// Default schema, or empty.
    pub schema: &'a [u8],
    /// Settings.
    pub vars: StatusVars,
    /// The text, in `character_set_client`.
    pub text: &'a [u8],
    /// The header's flags: `FLAG_SUPPRESS_USE`, `FLAG_THREAD_SPECIFIC`.
    pub flags: u16,
}

impl<'a> Query<'a> {
    /// Appends it. A schema's name of more than 255 bytes (there is none) is cut.
    pub fn write(&self, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
        let begun = event::begin(out, EventType::Query, stamp, self.flags & (FLAG_SUPPRESS_USE | FLAG_THREAD_SPECIFIC));
        let schema = self.schema.get(..self.schema.len().min(255)).unwrap_or_default();
        put(out, u64::from(self.thread_id), 4);
        put(out, u64::from(self.exec_time), 4);
        out.push(schema.len() as u8);
        put(out, u64::from(self.error), 2);
        let at = out.len();
        put(out, 0, 2);
        self.vars.write(out);
        let len = (out.len() - at - 2) as u16;
        if let Some(b) = out.get_mut(at..at + 2) {
            b.copy_from_slice(&len.to_le_bytes());
        }
        out.extend_from_slice(schema);
        out.push(0);
        out.extend_from_slice(self.text);
        event::end(out, begun, checksum);
    }

    /// Reads a QUERY event's body; `flags` are the header's.
    pub fn read(flags: u16, body: &'a [u8]) -> Result<Query<'a>> {
        let mut r = Reader(body);
        let (thread_id, exec_time, len, error) = (r.u32()?, r.u32()?, r.u8()? as usize, r.u16()?);
        let vars = r.u16()? as usize;
        let vars = StatusVars::read(Reader(r.bytes(vars)?))?;
        let schema = r.bytes(len)?;
        if r.u8()? != 0 {
            return Err(Malformed("a schema's name without its end"));
        }
        Ok(Query { thread_id, exec_time, error, schema, vars, text: r.rest(), flags })
    }
}
