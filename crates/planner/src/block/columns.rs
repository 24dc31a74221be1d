//! Result columns of a block: name, type, and where they come from, which clients are told.

use value::SqlType;

use crate::types;

/// Where a result column comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) schema: String,
    pub(crate) table: String,
    pub(crate) org_table: String,
    pub(crate) org_name: String,
    /// What a client is told instead of `org_name`: a column's name in the derived table, expression or set operation
    /// that it comes out of.
    pub(crate) given: String,
    pub(crate) flags: u16,
    /// An expression's column of a view: it has a table and a name, but a column's properties it has not.
    pub(crate) computed: bool,
    /// A column of a derived table, set operation or table function: the rows went through a table, so it is one
    /// whatever made it.
    pub(crate) stored: bool,
}

impl Origin {
    /// That of a set operation's column.
    pub(crate) fn of_table(name: &str) -> Self {
        Self { stored: true, given: name.to_owned(), ..Self::default() }
    }
}

/// A result column.
#[derive(Clone, Debug)]
pub(crate) struct OutColumn {
    pub(crate) name: String,
    pub(crate) ty: SqlType,
    pub(crate) origin: Option<Origin>,
}

impl OutColumn {
    /// Its type in a table that holds the rows. Columns stay what they are, and MIN and MAX (`extreme`) are as their
    /// argument.
    pub(crate) fn stored_type(&self, extreme: bool) -> SqlType {
        if self.is_expression() && !extreme { types::stored(&self.ty) } else { self.ty.clone() }
    }

    /// Whether it is no column of a table, set operation or the like.
    pub(crate) fn is_expression(&self) -> bool {
        self.origin.as_ref().is_none_or(|o| o.computed && !o.stored)
    }
}
