//! Decoding of COM_STMT_EXECUTE's parameters and of query attributes.
//!
//! An execution may leave out the types (flag 0): those of the last one that sent them hold. A statement that never had any takes NULLs alone, which is
//! what Connector/J sends for a first execution whose parameters are all NULL; a value without a type is error 1210, as in MySQL. Tested in
//! `tests/clients/test_execute_types.py` with answers of MySQL 9.7.

use crate::codec::{Reader, malformed};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::{FieldType, Param, QueryAttribute};
use smallvec::SmallVec;

/// Parameters on the stack when there are few.
pub type Params<'a> = SmallVec<[Param<'a>; 16]>;
/// Attributes, usually none.
pub type Attributes<'a> = SmallVec<[QueryAttribute<'a>; 2]>;

/// A parameter's type as bound: type and unsigned flag.
pub type BoundType = (FieldType, bool);

/// What is remembered of a prepared statement for decoding.
#[derive(Default, Debug)]
pub struct Statement {
    /// Number of `?`.
    pub params: usize,
    /// Types of the last execution that sent them; empty before.
    pub types: Vec<BoundType>,
    /// Long data collected per parameter, and its total.
    pub long: Vec<Option<Vec<u8>>>,
    /// Bytes in `long`.
    pub long_bytes: usize,
    /// More was sent than `max_allowed_packet`: the execution fails.
    pub too_long: bool,
}

impl Statement {
    /// Drops long data (after an execution, or COM_STMT_RESET).
    pub fn forget_long(&mut self) {
        if self.long_bytes > 0 || !self.long.is_empty() {
            self.long.clear();
            self.long_bytes = 0;
            self.too_long = false;
        }
    }
}

/// What a client names as a type; `None`: no such type.
type SentType = Option<BoundType>;

fn sent_type(r: &mut Reader<'_>) -> SqlResult<SentType> {
    let ty = r.u8()?;
    let unsigned = r.u8()? & 0x80 != 0;
    Ok(FieldType::from_u8(ty).map(|ty| (ty, unsigned)))
}

/// Error 1210.
fn wrong_arguments() -> SqlError {
    SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"mysqld_stmt_execute"])
}

/// The value of a parameter whose bit in the bitmap says that it is not NULL. What has no type has no value either.
fn sent_value<'a>(r: &mut Reader<'a>, ty: Option<BoundType>) -> SqlResult<Param<'a>> {
    match ty {
        Some(ty) if ty.0 != FieldType::Null => value(r, ty),
        _ if r.rest().is_empty() => Err(malformed()),
        _ => Err(wrong_arguments()),
    }
}

/// One value of the binary protocol.
pub fn value<'a>(r: &mut Reader<'a>, (ty, unsigned): BoundType) -> SqlResult<Param<'a>> {
    use FieldType as T;
    let int = |signed: i64, plain: u64| if unsigned { Param::UInt(plain) } else { Param::Int(signed) };
    Ok(match ty {
        T::Null => Param::Null,
        T::Tiny => r.u8().map(|v| int(i64::from(v as i8), u64::from(v)))?,
        T::Short | T::Year => r.u16().map(|v| int(i64::from(v as i16), u64::from(v)))?,
        T::Long | T::Int24 => r.u32().map(|v| int(i64::from(v as i32), u64::from(v)))?,
        T::LongLong => r.u64().map(|v| int(v as i64, v))?,
        T::Float => Param::Float(r.array().map(f32::from_le_bytes)?),
        T::Double => Param::Double(r.array().map(f64::from_le_bytes)?),
        T::Date | T::DateTime | T::Timestamp => datetime(r, ty)?,
        T::Time => time(r)?,
        _ => Param::Bytes(r.lenenc_str()?, ty),
    })
}

fn datetime<'a>(r: &mut Reader<'_>, ty: FieldType) -> SqlResult<Param<'a>> {
    let n = usize::from(r.u8()?);
    let mut r = Reader::new(r.bytes(n)?);
    let (mut year, mut month, mut day, mut hour, mut minute, mut second, mut micros) = (0, 0, 0, 0, 0, 0, 0);
    if n >= 4 {
        year = r.u16()?;
        month = r.u8()?;
        day = r.u8()?;
    }
    if n >= 7 {
        hour = r.u8()?;
        minute = r.u8()?;
        second = r.u8()?;
    }
    if n >= 11 {
        micros = r.u32()?;
    }
    let displacement = if n == 13 { Some(r.u16()? as i16) } else { None };
    match n {
        0 | 4 | 7 | 11 | 13 => Ok(Param::DateTime { ty, year, month, day, hour, minute, second, micros, displacement }),
        _ => Err(malformed()),
    }
}

fn time<'a>(r: &mut Reader<'_>) -> SqlResult<Param<'a>> {
    let n = usize::from(r.u8()?);
    let mut r = Reader::new(r.bytes(n)?);
    if n == 0 {
        return Ok(Param::Time { negative: false, hours: 0, minute: 0, second: 0, micros: 0 });
    }
    if n != 8 && n != 12 {
        return Err(malformed());
    }
    let negative = r.u8()? != 0;
    let hours = u64::from(r.u32()?) * 24 + u64::from(r.u8()?);
    let (minute, second) = (r.u8()?, r.u8()?);
    let micros = if n == 12 { r.u32()? } else { 0 };
    Ok(Param::Time { negative, hours, minute, second, micros })
}

/// Types of parameters that COM_STMT_SEND_LONG_DATA may give: strings and blobs.
fn takes_long_data(ty: FieldType) -> bool {
    use FieldType as T;
    matches!(
        ty,
        T::Null
            | T::String
            | T::VarChar
            | T::VarString
            | T::TinyBlob
            | T::Blob
            | T::MediumBlob
            | T::LongBlob
            | T::Json
            | T::Enum
            | T::Set
            | T::Geometry
    )
}

fn is_null(bitmap: &[u8], i: usize) -> bool {
    bitmap.get(i / 8).is_some_and(|b| b >> (i % 8) & 1 == 1)
}

/// The parameters of an execution. `r` stands after the iteration count. `with_count`: the client uses CLIENT_QUERY_ATTRIBUTES and so
/// sends the number of parameters, attributes after the statement's own, and names.
pub fn execute<'a>(
    r: &mut Reader<'a>,
    statement: &'a mut Statement,
    with_count: bool,
    values: &mut Params<'a>,
    attributes: &mut Attributes<'a>,
) -> SqlResult<()> {
    let count = if with_count { usize::try_from(r.lenenc()?).map_err(|_| malformed())? } else { statement.params };
    if count > 65_535 {
        return Err(malformed());
    }
    if count < statement.params {
        return Err(wrong_arguments());
    }
    if count == 0 {
        return Ok(());
    }
    let bitmap = r.bytes(count.div_ceil(8))?;
    let own = statement.params;
    let mut extra: SmallVec<[(SentType, &'a [u8]); 2]> = SmallVec::new();
    if r.u8()? != 0 {
        let mut types = Vec::with_capacity(own);
        let mut unknown = None;
        for i in 0..count {
            let ty = sent_type(r)?;
            let name = if with_count { r.lenenc_str()? } else { &[] };
            match ty {
                _ if i >= own => extra.push((ty, name)),
                Some(ty) => types.push(ty),
                None if is_null(bitmap, i) => unknown = unknown.or_else(|| Some(wrong_arguments())),
                None => return Err(malformed()),
            }
        }
        if let Some(e) = unknown {
            return Err(e);
        }
        statement.types = types;
    } else {
        // attributes are nothing without types: as in MySQL they may be sent as NULL alone
        extra.resize(count - own, (None, &[]));
    }
    own_values(r, statement, bitmap, values)?;
    for (i, (ty, name)) in extra.into_iter().enumerate() {
        let value = if is_null(bitmap, own + i) { Param::Null } else { sent_value(r, ty).map_err(|_| malformed())? };
        if ty.is_some() {
            attributes.push(QueryAttribute { name, value });
        }
    }
    Ok(())
}

/// The statement's own parameters, from the packet or from COM_STMT_SEND_LONG_DATA.
fn own_values<'a>(
    r: &mut Reader<'a>,
    statement: &'a Statement,
    bitmap: &[u8],
    values: &mut Params<'a>,
) -> SqlResult<()> {
    for i in 0..statement.params {
        let ty = statement.types.get(i).copied();
        if let Some(Some(long)) = statement.long.get(i) {
            if statement.too_long {
                return Err(SqlError::with_message(
                    ErrorCode::UNKNOWN_ERROR,
                    "Parameter of prepared statement which is set through mysql_send_long_data() is longer than 'max_allowed_packet' bytes".to_owned(),
                ));
            }
            match ty {
                Some((FieldType::Null, _)) => values.push(Param::Bytes(long, FieldType::Blob)),
                Some((ty, _)) if takes_long_data(ty) => values.push(Param::Bytes(long, ty)),
                None if !is_null(bitmap, i) && r.rest().is_empty() => return Err(malformed()),
                _ => return Err(wrong_arguments()),
            }
        } else if is_null(bitmap, i) {
            values.push(Param::Null);
        } else {
            values.push(sent_value(r, ty)?);
        }
    }
    Ok(())
}

/// Query attributes before the text of COM_QUERY; `r` then stands at the text.
pub fn query_attributes<'a>(r: &mut Reader<'a>, out: &mut Attributes<'a>) -> SqlResult<()> {
    let count = usize::try_from(r.lenenc()?).map_err(|_| malformed())?;
    // number of sets
    if r.lenenc()? != 1 {
        return Err(malformed());
    }
    if count == 0 {
        return Ok(());
    }
    if count > 65_535 {
        return Err(malformed());
    }
    let bitmap = r.bytes(count.div_ceil(8))?;
    if r.u8()? == 0 {
        return Err(malformed());
    }
    let mut types: SmallVec<[(SentType, &'a [u8]); 2]> = SmallVec::new();
    for _ in 0..count {
        types.push((sent_type(r)?, r.lenenc_str()?));
    }
    for (i, (ty, name)) in types.into_iter().enumerate() {
        let value = if is_null(bitmap, i) { Param::Null } else { sent_value(r, ty).map_err(|_| malformed())? };
        out.push(QueryAttribute { name, value });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::client::row;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn garbage_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), params in 0usize..20, with_count: bool) {
            let mut s = Statement { params, ..Statement::default() };
            let (mut v, mut a) = (Params::new(), Attributes::new());
            let _ = execute(&mut Reader::new(&bytes), &mut s, with_count, &mut v, &mut a);
            let mut a = Attributes::new();
            let _ = query_attributes(&mut Reader::new(&bytes), &mut a);
        }

        #[test]
        fn datetimes_round_trip(year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8, micros: u32) {
            let mut b = Vec::new();
            row::put_bin_datetime(&mut b, (year, month, day), (hour, minute, second, micros));
            let got = value(&mut Reader::new(&b), (FieldType::DateTime, false)).unwrap();
            prop_assert_eq!(got, Param::DateTime { ty: FieldType::DateTime, year, month, day, hour, minute, second, micros, displacement: None });
        }

        #[test]
        fn times_round_trip(negative: bool, hours in 1u32..100_000, minute: u8, second: u8, micros: u32) {
            let mut b = Vec::new();
            row::put_bin_time(&mut b, negative, hours, minute, second, micros);
            let got = value(&mut Reader::new(&b), (FieldType::Time, false)).unwrap();
            prop_assert_eq!(got, Param::Time { negative, hours: u64::from(hours), minute, second, micros });
        }
    }

    #[test]
    fn attributes_come_in_one_set() {
        let read = |bytes: &[u8]| {
            let (mut r, mut a) = (Reader::new(bytes), Attributes::new());
            query_attributes(&mut r, &mut a).map(|()| a.len()).map_err(|e| e.code())
        };
        assert_eq!(read(b"\x00\x01DO 0"), Ok(0));
        for wrong in [&b"\x00\x00DO 0"[..], b"\x00\x02DO 0", b"\x00", b"", b"\x01\x00\x00\x01\x03\x00\x01a"] {
            assert_eq!(read(wrong), Err(1835), "{wrong:?}");
        }
    }

    #[test]
    fn types_are_remembered_and_long_data_wins() {
        let mut s = Statement { params: 3, ..Statement::default() };
        // bitmap: second is NULL; types LONG unsigned, STRING, BLOB
        let mut b = vec![0b010, 1, 3, 0x80, 254, 0, 252, 0];
        b.extend_from_slice(&7u32.to_le_bytes());
        s.long = vec![None, None, Some(b"long".to_vec())];
        let (mut v, mut a) = (Params::new(), Attributes::new());
        execute(&mut Reader::new(&b), &mut s, false, &mut v, &mut a).unwrap();
        assert_eq!(&v[..], &[Param::UInt(7), Param::Null, Param::Bytes(b"long", FieldType::Blob)]);
        drop((v, a));
        s.forget_long();
        let mut b = vec![0b100, 0];
        b.extend_from_slice(&8u32.to_le_bytes());
        b.extend_from_slice(b"\x02hi");
        let (mut v, mut a) = (Params::new(), Attributes::new());
        execute(&mut Reader::new(&b), &mut s, false, &mut v, &mut a).unwrap();
        assert_eq!(&v[..], &[Param::UInt(8), Param::Bytes(b"hi", FieldType::String), Param::Null]);
    }
}
