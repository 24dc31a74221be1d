//! What a committed DDL makes visible: the cache (`cache.rs`) takes the changes of one commit together.

use super::def::{Relation, SchemaDef};
use super::programs::{ProgramDefinition, ProgramKind};

/// One change that a committed DDL makes visible.
#[derive(Debug)]
pub(super) enum Change {
    PutSchema(SchemaDef),
    DropSchema(String),
    PutRelation(Relation),
    DropRelation(String, String),
    PutProgram(Box<ProgramDefinition>),
    DropProgram(ProgramKind, String, String),
}
