//! What a statement that is logged as text needs beside its settings: its AUTO_INCREMENT value, seeds of RAND(), user
//! variables. Each stands before the QUERY event.

use crate::event::{self, EventType, Stamp};
use crate::le::{Reader, put};
use crate::{Malformed, Result};

/// What the INTVAR event before a statement gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intvar {
    /// LAST_INSERT_ID() of the statement.
    LastInsertId(u64),
    /// Its first AUTO_INCREMENT value.
    InsertId(u64),
}

/// Appends INTVAR.
pub fn intvar(v: Intvar, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::Intvar, stamp, 0);
    let (kind, n) = match v {
        Intvar::LastInsertId(n) => (1, n),
        Intvar::InsertId(n) => (2, n),
    };
    out.push(kind);
    put(out, n, 8);
    event::end(out, begun, checksum);
}

/// Reads an INTVAR event's body.
pub fn read_intvar(body: &[u8]) -> Result<Intvar> {
    let mut r = Reader(body);
    match (r.u8()?, r.u64()?) {
        (1, n) => Ok(Intvar::LastInsertId(n)),
        (2, n) => Ok(Intvar::InsertId(n)),
        _ => Err(Malformed("an INTVAR of an unknown kind")),
    }
}

/// Appends RAND: the two seeds.
pub fn rand(seeds: (u64, u64), stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::Rand, stamp, 0);
    put(out, seeds.0, 8);
    put(out, seeds.1, 8);
    event::end(out, begun, checksum);
}

/// The seeds in a RAND event's body.
pub fn read_rand(body: &[u8]) -> Result<(u64, u64)> {
    let mut r = Reader(body);
    Ok((r.u64()?, r.u64()?))
}

/// A user variable that a statement reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserVar<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its value; `None`: NULL.
    pub value: Option<UserValue<'a>>,
}

/// Value of a user variable: number of its type (0 string, 1 double, 2 integer, 4 decimal), of its collation, its
/// bytes, and, of an integer, whether it is unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserValue<'a> {
    /// `Item_result` of MySQL.
    pub kind: u8,
    /// Number of the collation.
    pub collation: u32,
    /// A string's bytes, 8 bytes of a number, or precision, scale and MySQL's binary decimal.
    pub bytes: &'a [u8],
    /// Of an integer.
    pub unsigned: bool,
}

const INT_RESULT: u8 = 2;

/// Appends USER_VAR.
pub fn user_var(v: &UserVar<'_>, stamp: Stamp, checksum: bool, out: &mut Vec<u8>) {
    let begun = event::begin(out, EventType::UserVar, stamp, 0);
    put(out, v.name.len() as u64, 4);
    out.extend_from_slice(v.name);
    out.push(u8::from(v.value.is_none()));
    if let Some(v) = &v.value {
        out.push(v.kind);
        put(out, u64::from(v.collation), 4);
        put(out, v.bytes.len() as u64, 4);
        out.extend_from_slice(v.bytes);
        if v.kind == INT_RESULT {
            out.push(u8::from(v.unsigned));
        }
    }
    event::end(out, begun, checksum);
}

/// Reads a USER_VAR event's body.
pub fn read_user_var(body: &[u8]) -> Result<UserVar<'_>> {
    let mut r = Reader(body);
    let n = r.u32()? as usize;
    let name = r.bytes(n)?;
    if r.u8()? != 0 {
        return Ok(UserVar { name, value: None });
    }
    let (kind, collation, n) = (r.u8()?, r.u32()?, r.u32()? as usize);
    let bytes = r.bytes(n)?;
    let unsigned = !r.is_empty() && r.u8()? & 1 != 0;
    Ok(UserVar { name, value: Some(UserValue { kind, collation, bytes, unsigned }) })
}
