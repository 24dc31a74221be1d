//! variables_info, performance_timers, and the tables of what Evenkeel has none of (group replication, keyrings,
//! loadable functions): with MySQL's columns, empty. The tables that say what is recorded are in `switches.rs`.

use super::super::column_types::{ASCII, BIN4};
use super::super::{Hints, NULL, Row, SessionView, Spec, T, i, none, s};
use super::{PS, stamp};
use base::SqlResult;
use catalog::sysvar::{Flags, Kind, Var};

const SOURCE: T = T::Enum(&[
    "COMPILED",
    "GLOBAL",
    "SERVER",
    "EXPLICIT",
    "EXTRA",
    "USER",
    "LOGIN",
    "COMMAND_LINE",
    "PERSISTED",
    "DYNAMIC",
]);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "variables_info",
        columns: &[
            ("VARIABLE_NAME", T::S(64), false),
            ("VARIABLE_SOURCE", T::Or(&SOURCE, "COMPILED"), true),
            ("VARIABLE_PATH", T::S(1024), true),
            ("MIN_VALUE", T::S(64), true),
            ("MAX_VALUE", T::S(64), true),
            ("SET_TIME", T::Stamp(6), true),
            ("SET_USER", T::In(&T::Char(32), BIN4), true),
            ("SET_HOST", T::In(&T::Char(255), ASCII), true),
        ],
        rows: variables_info,
    },
    Spec {
        schema: PS,
        name: "performance_timers",
        columns: &[
            ("TIMER_NAME", T::Enum(&["CYCLE", "NANOSECOND", "MICROSECOND", "MILLISECOND", "THREAD_CPU"]), false),
            ("TIMER_FREQUENCY", T::I, true),
            ("TIMER_RESOLUTION", T::I, true),
            ("TIMER_OVERHEAD", T::I, true),
        ],
        rows: |_, _| Ok(vec![vec![s("NANOSECOND"), i(1_000_000_000), i(1), NULL]]),
    },
    Spec {
        schema: PS,
        name: "keyring_keys",
        columns: &[
            ("KEY_ID", T::Bin(255), false),
            ("KEY_OWNER", T::Bin(255), true),
            ("BACKEND_KEY_ID", T::Bin(255), true),
        ],
        rows: none,
    },
    Spec {
        schema: PS,
        name: "user_defined_functions",
        columns: &[
            ("UDF_NAME", T::S(64), false),
            ("UDF_RETURN_TYPE", T::S(20), false),
            ("UDF_TYPE", T::S(20), false),
            ("UDF_LIBRARY", T::S(1024), true),
            ("UDF_USAGE_COUNT", T::I, true),
        ],
        rows: none,
    },
    Spec {
        schema: PS,
        name: "replication_group_members",
        columns: &[
            ("CHANNEL_NAME", T::Char(64), false),
            ("MEMBER_ID", T::In(&T::Char(36), BIN4), false),
            ("MEMBER_HOST", T::In(&T::Char(255), ASCII), false),
            ("MEMBER_PORT", T::Int, true),
            ("MEMBER_STATE", T::In(&T::Char(64), BIN4), false),
            ("MEMBER_ROLE", T::In(&T::Char(64), BIN4), false),
            ("MEMBER_VERSION", T::In(&T::Char(64), BIN4), false),
            ("MEMBER_COMMUNICATION_STACK", T::In(&T::Char(64), BIN4), false),
        ],
        rows: none,
    },
];

fn variables_info(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for var in Var::all().filter(|v| !v.def().flags.has(Flags::HIDDEN)) {
        let o = v.globals.origin(var);
        let (low, high) = match var.def().kind {
            Kind::UInt(a, b, _) => (a.to_string(), b.to_string()),
            Kind::Int(a, b) => (a.to_string(), b.to_string()),
            Kind::Double(a, b) => (a.to_string(), b.to_string()),
            _ => ("0".to_owned(), "0".to_owned()),
        };
        let text = |t: &str| if o.time_us == 0 { NULL } else { s(t) };
        out.push(vec![
            s(var.name()),
            s(o.source),
            s(&o.path),
            s(low),
            s(high),
            stamp(v, o.time_us),
            text(&o.user),
            text(&o.host),
        ]);
    }
    Ok(out)
}
