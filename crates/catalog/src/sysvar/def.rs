//! What is known about a system variable before it has a value.

/// Where a variable has values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Only global.
    Global,
    /// Only in a session.
    Session,
    /// Global value is the start value of sessions.
    Both,
}

/// Type of a variable with its bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// ON / OFF, stored as 1 / 0.
    Bool,
    /// Unsigned integer in `min..=max`, rounded down to a multiple of `block` (0 and 1: any).
    UInt(u64, u64, u64),
    /// Signed integer in `min..=max`.
    Int(i64, i64),
    /// Floating point in `min..=max`, stored as its bits.
    Double(f64, f64),
    /// One of the names, stored as its index.
    Enum(&'static [&'static str]),
    /// Any of the names, comma separated, stored as a bit map (empty name = unused bit).
    Set(&'static [&'static str]),
    /// `name=on,name=off,...,default`, stored as a bit map.
    FlagSet(&'static [&'static str]),
    /// Character set name, stored as the id of its default collation; 0 = NULL.
    Charset,
    /// Collation name, stored as its id.
    Collation,
    /// Text; the flag says whether NULL is a value.
    Str(bool),
}

impl Kind {
    /// Whether values are strings rather than one 64-bit word.
    pub const fn is_text(&self) -> bool {
        matches!(self, Kind::Str(_))
    }
}

/// Properties of a variable, `Flags::*` bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags(pub u16);

#[allow(missing_docs)]
impl Flags {
    pub const NONE: u16 = 0;
    /// SET may change it.
    pub const DYN: u16 = 1;
    /// Also an option on the command line and in option files.
    pub const OPT: u16 = 2;
    /// Both of the above: most variables.
    pub const DO: u16 = 3;
    /// Its value is the session's own state (last_insert_id, timestamp ...): not stored here.
    pub const COMPUTED: u16 = 4;
    /// Can be set only to the value it has (1235 otherwise).
    pub const FIXED: u16 = 8;
    /// Session value may not be set although a session value exists (max_allowed_packet): 1621.
    pub const SESSION_READ_ONLY: u16 = 16;
    /// Not shown by SHOW VARIABLES (MySQL: `insert_id` and such are session-only but shown; this is for internal names).
    pub const HIDDEN: u16 = 32;

    /// Whether all of `bits` are set.
    pub const fn has(self, bits: u16) -> bool {
        self.0 & bits == bits
    }
}

/// A variable's definition.
#[derive(Debug)]
pub struct Def {
    /// Lower-case name with underscores.
    pub name: &'static str,
    /// Where it has values.
    pub scope: Scope,
    /// Type and bounds.
    pub kind: Kind,
    /// Default in the form an option file would give it; `NULL` for a NULL string.
    pub default: &'static str,
    /// Properties.
    pub flags: Flags,
    /// One line of help.
    pub doc: &'static str,
}

impl Def {
    /// Whether a session has a value of its own.
    pub const fn in_session(&self) -> bool {
        matches!(self.scope, Scope::Session | Scope::Both)
    }
    /// Whether there is a global value.
    pub const fn in_global(&self) -> bool {
        matches!(self.scope, Scope::Global | Scope::Both)
    }
    /// Whether SET can change it at all.
    pub const fn is_dynamic(&self) -> bool {
        self.flags.has(Flags::DYN)
    }
}
