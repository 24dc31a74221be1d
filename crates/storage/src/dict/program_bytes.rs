//! Stored programs as bytes (docs/format.md): what an object of the dictionary holds of a [`ProgramDefinition`].
//!
//! Ends with an error at bytes that are none, never with a panic.
//! Tested: below.

use super::codec::{Corrupt, Reader, Writer, get_type, num, put_type, text, versioned};
use super::programs::*;
use base::TableId;
use value::{CollationId, SqlType};

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
