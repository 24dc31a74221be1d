//! What SET GLOBAL has to do with channels: variables that may not change beside a thread that runs, `gtid_mode` beside
//! settings that need it, and what is warned of.
//!
//! Asked under no lock but the channels' own. Tested: `tests/binlog/test_replica_options.py`.

use crate::channels::Channels;
use crate::settings::Settings;
use crate::values::AssignGtids;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{GlobalVars, Var};

/// `gtid_mode`: OFF, OFF_PERMISSIVE, ON_PERMISSIVE, ON.
const MODES: [&str; 4] = ["OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"];
/// See there.
pub const ON: u64 = 3;

/// Whether a variable may be set, `to` a number, if it is one. The warnings of it.
///
/// # Errors
/// 3017, 3111.
pub fn check(channels: &Channels, globals: &GlobalVars, var: Var, to: Option<u64>) -> SqlResult<Vec<SqlError>> {
    let warned = |tell: bool, code| Ok(if tell { vec![SqlError::new(code, &[])] } else { Vec::new() });
    let all = channels.all();
    match var {
        Var::replica_preserve_commit_order | Var::replica_parallel_type if all.iter().any(|x| x.applier.runs()) => {
            Err(SqlError::new(ErrorCode::REPLICA_SQL_THREAD_MUST_STOP, &[]))
        }
        Var::replica_net_timeout => {
            let Some(to) = to else { return Ok(Vec::new()) };
            let longer = |s: Settings| s.heartbeat.is_some_and(|ms| ms > to.saturating_mul(1000));
            let tell = all.iter().filter_map(|x| x.configured()).any(longer);
            warned(tell, ErrorCode::REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE_MAX)
        }
        Var::sql_replica_skip_counter => {
            let tell = to.unwrap_or(0) > 0 && globals.num(Var::gtid_mode) == ON;
            warned(tell, ErrorCode::WARN_SQL_REPLICA_SKIP_COUNTER_IN_GTID_MODE)
        }
        Var::gtid_mode => {
            let to = to.unwrap_or(0);
            let name = MODES.get(to as usize).copied().unwrap_or_default();
            let reason =
                all.iter().filter_map(|x| Some((x, x.configured()?))).find_map(|(x, s)| needs(&x.channel, &s, to));
            if let Some(why) = reason.filter(|_| to != globals.num(Var::gtid_mode)) {
                return Err(SqlError::new(ErrorCode::CANT_SET_GTID_MODE, &[&name, &why]));
            }
            let tell = to == ON && globals.num(Var::sql_replica_skip_counter) > 0;
            warned(tell, ErrorCode::WARN_SQL_REPLICA_SKIP_COUNTER_IN_GTID_MODE)
        }
        _ => Ok(Vec::new()),
    }
}

/// Why `gtid_mode` cannot be set to this beside a channel, as MySQL says it.
fn needs(channel: &str, s: &Settings, to: u64) -> Option<String> {
    let (what, instead, wanted) = if s.auto_position && to == 0 {
        ("is configured in AUTO_POSITION mode", "SOURCE_AUTO_POSITION = 0", "OFF.".to_owned())
    } else if to == ON {
        return None;
    } else if s.assign_gtids != AssignGtids::Off {
        let what = "is configured with ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS set to LOCAL or to a UUID";
        (what, "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS = OFF", quoted(to))
    } else if s.gtid_only {
        ("is configured with GTID_ONLY = 1", "GTID_ONLY = 0", quoted(to))
    } else {
        return None;
    };
    Some(format!(
        "replication channel '{channel}' {what}. Execute CHANGE REPLICATION SOURCE TO {instead} FOR CHANNEL '{channel}' \
         before you set @@GLOBAL.GTID_MODE = {wanted}"
    ))
}

fn quoted(mode: u64) -> String {
    format!("'{}'", MODES.get(mode as usize).copied().unwrap_or_default())
}
