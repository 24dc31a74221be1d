//! ALGORITHM and LOCK of ALTER TABLE, CREATE INDEX, DROP INDEX: what MySQL 8.4 could do, and its errors for what it could not.
//!
//! The clauses are requests about concurrency, not about the result. How a change is really carried out here is decided in
//! [`super::alter`]; a clause is accepted wherever MySQL accepts it, so that scripts written for it run, and refused where it
//! refuses it (manual, "Online DDL Operations").

use super::alter::Draft;
use super::keys::indexed;
use base::{ErrorCode, SqlError, SqlResult};
use storage::dict::{ColumnDefault, TableDef};
use value::{SqlType, TypeKind};

/// MySQL's ways, from the cheapest on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Way {
    /// Only the dictionary changes.
    Instant,
    /// In place; others may write meanwhile.
    Inplace,
    /// In place; others may read meanwhile, for this reason.
    InplaceShared(&'static str),
    /// Rows are copied; others may read meanwhile. With the reason why not in place, empty where MySQL gives none.
    Copy(&'static str),
}

const NO_TYPE: &str = "Cannot change column type INPLACE";
const NO_PK: &str = "Dropping a primary key is not allowed without also adding a new primary key";
const NO_AUTO: &str = "Adding an auto-increment column requires a lock";
const NO_NULL: &str = "cannot silently convert NULL values, as required in this SQL_MODE";
const NO_VIRTUAL: &str = "ADD COLUMN col...VIRTUAL, ADD INDEX(col)";
const NO_FK: &str = "Adding foreign keys needs foreign_key_checks=OFF";

/// Whether only the dictionary knows the difference between two types: a longer VARCHAR with the same length bytes, more members at
/// the end of an ENUM or SET.
fn type_change(a: &SqlType, b: &SqlType) -> Way {
    let mut same = a.clone();
    same.nullable = b.nullable;
    if same == *b {
        return if a.nullable == b.nullable { Way::Instant } else { Way::Inplace };
    }
    if a.kind == TypeKind::VarChar && b.kind == a.kind && a.collation == b.collation && b.length >= a.length {
        let long = |t: &SqlType| t.max_bytes() > 255;
        return if long(a) == long(b) { Way::Inplace } else { Way::Copy(NO_TYPE) };
    }
    if matches!(a.kind, TypeKind::Enum | TypeKind::Set)
        && a.kind == b.kind
        && a.collation == b.collation
        && let (Some(old), Some(new)) = (&a.members, &b.members)
    {
        let size = |n: usize| if a.kind == TypeKind::Enum { usize::from(n > 255) } else { n.div_ceil(8) };
        let longer = new.len() >= old.len() && old.iter().zip(new.iter()).all(|(x, y)| x == y);
        if longer && size(old.len()) == size(new.len()) {
            return Way::Instant;
        }
    }
    Way::Copy(NO_TYPE)
}

/// What else than the difference between the definitions counts.
#[derive(Clone, Copy)]
pub(super) struct Besides {
    /// Foreign keys are added and must be checked.
    pub(super) foreign: bool,
    /// Rows must pass new checks.
    pub(super) checks: bool,
    /// Rows are written anew whatever changes.
    pub(super) force: bool,
    /// sql_mode, without which NULL is converted where a column becomes NOT NULL.
    pub(super) strict: bool,
    /// WITH VALIDATION.
    pub(super) validation: bool,
}

/// The cheapest way MySQL has for the difference between a draft's definitions.
pub(super) fn cheapest(d: &Draft<'_>, besides: Besides) -> Way {
    let Besides { foreign, checks, force, strict, validation } = besides;
    let (old, new): (&TableDef, &TableDef) = (&d.old, &d.new);
    let mut way = if force { Way::Inplace } else { Way::Instant };
    let mut at_least = |w: Way| way = way.max(w);
    if validation {
        at_least(Way::Copy(""));
    }
    let fresh =
        |(c, at): (&storage::dict::ColumnDef, usize)| c.generated.is_some() && !c.is_hidden() && indexed(new, at);
    let mut added = new.columns.iter().zip(0..).zip(&d.source).filter(|(_, source)| source.is_none());
    if added.any(|(c, _)| fresh(c)) {
        at_least(Way::InplaceShared(NO_VIRTUAL));
    }
    if foreign {
        at_least(Way::Copy(NO_FK));
    }
    if checks {
        at_least(Way::Copy(NO_TYPE));
    }
    let mut last = None;
    for (c, source) in new.columns.iter().zip(&d.source) {
        match source.and_then(|s| old.columns.get(s).map(|o| (s, o))) {
            Some((s, o)) => {
                at_least(type_change(&o.ty, &c.ty));
                if o.ty.nullable && !c.ty.nullable && !strict {
                    at_least(Way::Copy(NO_NULL));
                }
                if o.generated != c.generated {
                    at_least(Way::Copy(NO_TYPE));
                }
                if last.is_some_and(|l| l > s) {
                    at_least(Way::Inplace);
                }
                last = Some(s);
            }
            None if c.auto_increment => at_least(Way::InplaceShared(NO_AUTO)),
            None if c.generated.as_ref().is_some_and(|g| g.stored) => at_least(Way::Copy(NO_TYPE)),
            None if matches!(c.default, ColumnDefault::Expr(_)) => at_least(Way::Copy(NO_TYPE)),
            None => {}
        }
    }
    match (old.primary_key(), new.primary_key()) {
        (Some(_), None) => at_least(Way::Copy(NO_PK)),
        (None, Some(_)) => at_least(Way::Inplace),
        _ => {}
    }
    let same = |a: &storage::dict::IndexDef, b: &storage::dict::IndexDef| a.root == b.root && a.name == b.name;
    if new.indexes.iter().any(|i| !old.indexes.iter().any(|o| same(o, i)))
        || old.indexes.iter().any(|o| !new.indexes.iter().any(|i| same(o, i)))
    {
        at_least(Way::Inplace);
    }
    if new.foreign_keys.len() != old.foreign_keys.len() || new.collation != old.collation || new.options != old.options
    {
        at_least(Way::Inplace);
    }
    super::fulltext::way(d).map_or(way, |w| way.max(w))
}

/// Whether the affected rows are counted: MySQL copies them.
pub(super) fn counts(way: Way) -> bool {
    matches!(way, Way::Copy(_))
}

/// 1845, 1846, 1221, 1800, 1801. A temporary table is copied, and nobody else sees it.
pub(super) fn check(algorithm: Option<&str>, lock: Option<&str>, way: Way, temporary: bool) -> SqlResult<()> {
    let algorithm = algorithm.unwrap_or("default").to_ascii_lowercase();
    let lock = lock.unwrap_or("default").to_ascii_lowercase();
    if !matches!(algorithm.as_str(), "default" | "instant" | "inplace" | "copy") {
        return Err(SqlError::new(ErrorCode::UNKNOWN_ALTER_ALGORITHM, &[&algorithm]));
    }
    if !matches!(lock.as_str(), "default" | "none" | "shared" | "exclusive") {
        return Err(SqlError::new(ErrorCode::UNKNOWN_ALTER_LOCK, &[&lock]));
    }
    if algorithm == "instant" && lock != "default" {
        return Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"ALGORITHM=INSTANT", &"LOCK=NONE/SHARED/EXCLUSIVE"]));
    }
    let refused =
        |what: &str, instead: &str| SqlError::new(ErrorCode::ALTER_OPERATION_NOT_SUPPORTED, &[&what, &instead]);
    if temporary {
        return match algorithm.as_str() {
            "instant" => Err(refused("ALGORITHM=INSTANT", "ALGORITHM=COPY")),
            "inplace" => Err(refused("ALGORITHM=INPLACE", "ALGORITHM=COPY")),
            _ => Ok(()),
        };
    }
    let because = |what: &str, why: &str, instead: &str| {
        SqlError::new(ErrorCode::ALTER_OPERATION_NOT_SUPPORTED_REASON, &[&what, &why, &instead])
    };
    match (algorithm.as_str(), way) {
        ("instant", Way::InplaceShared(why)) => {
            return Err(because("ALGORITHM=INSTANT", why, "ALGORITHM=COPY/INPLACE"));
        }
        ("instant", Way::Copy("")) => return Err(refused("ALGORITHM=INSTANT", "ALGORITHM=COPY/INPLACE")),
        ("inplace", Way::Copy("")) => return Err(refused("ALGORITHM=INPLACE", "ALGORITHM=COPY")),
        ("instant", Way::Copy(why)) => return Err(because("ALGORITHM=INSTANT", why, "ALGORITHM=COPY")),
        ("instant", w) if w > Way::Instant => return Err(refused("ALGORITHM=INSTANT", "ALGORITHM=COPY/INPLACE")),
        ("inplace", Way::Copy(why)) => return Err(because("ALGORITHM=INPLACE", why, "ALGORITHM=COPY")),
        _ => {}
    }
    if lock == "none" {
        match way {
            _ if algorithm == "copy" => {
                return Err(because("LOCK=NONE", "COPY algorithm requires a lock", "LOCK=SHARED"));
            }
            Way::Copy("") => return Err(refused("LOCK=NONE", "LOCK=SHARED")),
            Way::Copy(why) => return Err(because("LOCK=NONE", why, "LOCK=SHARED")),
            Way::InplaceShared(why) => return Err(because("LOCK=NONE", why, "LOCK=SHARED")),
            _ => {}
        }
    }
    Ok(())
}
