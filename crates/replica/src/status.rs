//! SHOW REPLICA STATUS (manual, "SHOW REPLICA STATUS Statement"). Tested: `tests/binlog/test_replica.py`.

use crate::filters::Filters;
use crate::settings::Settings;
use crate::shared::{Shared, Until};
use crate::thread::{Thread, Told};
use session::replica::Shown::{self, Null, Number, Text};
use std::sync::atomic::Ordering;

fn yes(b: bool) -> Shown {
    Text(if b { "Yes" } else { "No" }.to_owned())
}

/// `YYMMDD hh:mm:ss` in UTC, as MySQL writes it.
fn time(t: &Told) -> Shown {
    if t.at == 0 {
        return Text(String::new());
    }
    let (days, seconds) = ((t.at / 86_400) as i64, t.at % 86_400);
    // civil date of a number of days (H. Hinnant's algorithm)
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    let day = doy - (153 * mp + 2) / 5 + 1;
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Text(format!("{:02}{month:02}{day:02} {h:02}:{m:02}:{s:02}", year.rem_euclid(100)))
}

fn receiver_runs(t: &Thread) -> Shown {
    let text = match (t.runs(), t.connected.load(Ordering::Acquire)) {
        (false, _) => "No",
        (true, false) => "Connecting",
        (true, true) => "Yes",
    };
    Text(text.to_owned())
}

fn behind(x: &Shared) -> Shown {
    if !x.applier.runs() {
        return Null;
    }
    if x.applier.idle.load(Ordering::Acquire) {
        return if x.receiver.connected.load(Ordering::Acquire) { Number(0) } else { Null };
    }
    let at = x.applier.last_event.load(Ordering::Relaxed);
    Number(if at == 0 { 0 } else { sys::clock::wall_seconds().saturating_sub(at) })
}

/// What START REPLICA UNTIL has said.
fn until(u: &Until) -> (&'static str, String, u64) {
    match u {
        Until::None | Until::Received => ("None", String::new(), 0),
        Until::Before(_) => ("SQL_BEFORE_GTIDS", String::new(), 0),
        Until::After(_) => ("SQL_AFTER_GTIDS", String::new(), 0),
        Until::Source(p) => ("Source", p.file.clone(), p.offset),
        Until::Relay(file, at) => ("Relay", file.clone(), at.offset),
        Until::NoGaps => ("SQL_AFTER_MTS_GAPS", String::new(), 0),
    }
}

/// Columns that are not empty.
pub fn rows(x: &Shared, s: &Settings) -> Vec<(&'static str, Shown)> {
    let text = |t: &str| Text(t.to_owned());
    let applied = x.applied.lock().clone();
    let read = Some(x.relay.read_to()).filter(|p| !p.file.is_empty()).unwrap_or_else(|| x.receive_from(s));
    let (io, sql) = (x.receiver.error(), x.applier.error());
    let (id, uuid) = x.source.lock().clone();
    let (condition, until_file, until_pos) = until(&x.until.lock());
    let relay = x.applied_in_relay();
    let remaining = match x.applier.delay.load(Ordering::Relaxed) {
        0 => Null,
        n => Number(n - 1),
    };
    let state = x.applier.state();
    let executed = x.executed();
    let mut row = vec![
        ("Replica_IO_State", text(x.receiver.state())),
        ("Source_Host", text(&s.host)),
        ("Source_User", text(&s.user)),
        ("Source_Port", Number(u64::from(s.port))),
        ("Source_Bind", text(&s.bind)),
        ("Network_Namespace", text(&s.namespace)),
        ("Connect_Retry", Number(s.connect_retry)),
        ("Source_Log_File", text(&read.file)),
        ("Read_Source_Log_Pos", Number(read.offset.max(4))),
        ("Relay_Log_File", text(&relay.0)),
        ("Relay_Log_Pos", Number(relay.1)),
        ("Relay_Source_Log_File", text(&applied.file)),
        ("Replica_IO_Running", receiver_runs(&x.receiver)),
        ("Replica_SQL_Running", yes(x.applier.runs())),
        ("Last_Errno", Number(u64::from(sql.code))),
        ("Last_Error", text(&sql.text)),
        ("Exec_Source_Log_Pos", Number(applied.offset)),
        ("Relay_Log_Space", Number(x.relay.space())),
        ("Until_Condition", text(condition)),
        ("Until_Log_File", text(&until_file)),
        ("Until_Log_Pos", Number(until_pos)),
        ("Seconds_Behind_Source", behind(x)),
        ("Last_IO_Errno", Number(u64::from(io.code))),
        ("Last_IO_Error", text(&io.text)),
        ("Last_SQL_Errno", Number(u64::from(sql.code))),
        ("Last_SQL_Error", text(&sql.text)),
        ("Replicate_Ignore_Server_Ids", Text(s.ignored_ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))),
        ("Source_Server_Id", Number(id)),
        ("Source_UUID", text(&uuid)),
        ("Source_Info_File", text("mysql.evenkeel_replica")),
        ("SQL_Delay", Number(s.delay)),
        ("SQL_Remaining_Delay", remaining),
        ("Replica_SQL_Running_State", text(state)),
        ("Source_Retry_Count", Number(s.retry_count)),
        ("Last_IO_Error_Timestamp", time(&io)),
        ("Last_SQL_Error_Timestamp", time(&sql)),
        ("Retrieved_Gtid_Set", Text(x.relay.retrieved().to_string())),
        ("Executed_Gtid_Set", Text(executed.to_string())),
        ("Auto_Position", Number(u64::from(s.auto_position))),
        ("Channel_Name", text(&x.channel)),
        ("Skip_Counter", Number(x.skip.load(Ordering::Relaxed))),
    ];
    row.extend(encryption(s));
    row.extend(rules(&x.filters.lock()));
    row
}

/// How the connection is encrypted.
fn encryption(s: &Settings) -> [(&'static str, Shown); 12] {
    let text = |t: &str| Text(t.to_owned());
    [
        ("Source_SSL_Allowed", yes(s.ssl)),
        ("Source_SSL_CA_File", text(&s.ssl_ca)),
        ("Source_SSL_CA_Path", text(&s.ssl_capath)),
        ("Source_SSL_Cert", text(&s.ssl_cert)),
        ("Source_SSL_Cipher", text(&s.ssl_cipher)),
        ("Source_SSL_Key", text(&s.ssl_key)),
        ("Source_SSL_Verify_Server_Cert", yes(s.ssl_verify)),
        ("Source_SSL_Crl", text(&s.ssl_crl)),
        ("Source_SSL_Crlpath", text(&s.ssl_crlpath)),
        ("Source_TLS_Version", text(&s.tls_version)),
        ("Source_public_key_path", text(&s.public_key_path)),
        ("Get_Source_public_key", Number(u64::from(s.get_public_key))),
    ]
}

/// The filters.
fn rules(f: &Filters) -> [(&'static str, Shown); 7] {
    let rule = |name| Text(f.shown(name));
    [
        ("Replicate_Do_DB", rule("REPLICATE_DO_DB")),
        ("Replicate_Ignore_DB", rule("REPLICATE_IGNORE_DB")),
        ("Replicate_Do_Table", rule("REPLICATE_DO_TABLE")),
        ("Replicate_Ignore_Table", rule("REPLICATE_IGNORE_TABLE")),
        ("Replicate_Wild_Do_Table", rule("REPLICATE_WILD_DO_TABLE")),
        ("Replicate_Wild_Ignore_Table", rule("REPLICATE_WILD_IGNORE_TABLE")),
        ("Replicate_Rewrite_DB", rule("REPLICATE_REWRITE_DB")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let shown = |at| time(&Told { at, ..Told::default() });
        assert_eq!(shown(0), Text(String::new()));
        assert_eq!(shown(1_582_979_696), Text("200229 12:34:56".to_owned()));
        assert_eq!(shown(951_782_400), Text("000229 00:00:00".to_owned()));
    }
}
