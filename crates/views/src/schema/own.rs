//! PROFILING and OPTIMIZER_TRACE: what a session keeps of its own last statements. No session sees another's.
//!
//! There is no source function, file or line here: these are NULL. Tested: `tests/clients/test_profile.py`,
//! `tests/clients/test_optimizer_trace.py`.

use super::{Columns, Hints, NULL, Row, SessionView, Spec, T, i, s, u};
use base::SqlResult;
use executor::traces::OptimizerTrace;
use std::time::Duration;
use value::{Decimal, OwnedValue};

const IS: &str = "information_schema";

/// As MySQL's, which has a name and no more.
const FIRST_SEQ: usize = 2;

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "OPTIMIZER_TRACE",
        columns: &[
            ("QUERY", T::S(65535), false),
            ("TRACE", T::S(65535), false),
            ("MISSING_BYTES_BEYOND_MAX_MEM_SIZE", T::Int, false),
            ("INSUFFICIENT_PRIVILEGES", T::Bool, false),
        ],
        rows: traces,
    },
    Spec { schema: IS, name: "PROFILING", columns: PROFILING, rows: profiling },
];

const PROFILING: Columns = &[
    ("QUERY_ID", T::Int, false),
    ("SEQ", T::Int, false),
    ("STATE", T::S(30), false),
    ("DURATION", T::Decimal(9, 6), false),
    ("CPU_USER", T::Decimal(9, 6), true),
    ("CPU_SYSTEM", T::Decimal(9, 6), true),
    ("CONTEXT_VOLUNTARY", T::Int, true),
    ("CONTEXT_INVOLUNTARY", T::Int, true),
    ("BLOCK_OPS_IN", T::Int, true),
    ("BLOCK_OPS_OUT", T::Int, true),
    ("MESSAGES_SENT", T::Int, true),
    ("MESSAGES_RECEIVED", T::Int, true),
    ("PAGE_FAULTS_MAJOR", T::Int, true),
    ("PAGE_FAULTS_MINOR", T::Int, true),
    ("SWAPS", T::Int, true),
    ("SOURCE_FUNCTION", T::S(30), true),
    ("SOURCE_FILE", T::S(20), true),
    ("SOURCE_LINE", T::Int, true),
];

fn traces(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |t: &OptimizerTrace| {
        vec![s(&t.query), s(&t.trace), i(t.missing_bytes as i64), i(i64::from(t.insufficient_privileges))]
    };
    Ok(v.traces.iter().map(row).collect())
}

/// Seconds with six digits.
fn seconds(ns: u64) -> OwnedValue {
    let micros = i128::from((ns + 500) / 1000);
    OwnedValue::Decimal(Box::new(Decimal::from_i128(micros, 6)))
}

fn profiling(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for p in v.connection.activity.recorder.kept_profiles() {
        for (n, (step, end)) in p.stages().enumerate() {
            let (a, b) = (&step.usage, &end.usage);
            let time = |a: Duration, b: Duration| seconds(b.saturating_sub(a).as_nanos() as u64);
            let pair = |a: [u64; 2], b: [u64; 2]| {
                [0, 1].map(|n: usize| {
                    let of = |l: [u64; 2]| l.get(n).copied().unwrap_or(0);
                    u(of(b).saturating_sub(of(a)))
                })
            };
            let mut row = vec![u(p.id), u((n + FIRST_SEQ) as u64), s(step.stage), seconds(end.at - step.at)];
            row.extend([time(a.user, b.user), time(a.system, b.system)]);
            row.extend(pair(a.switches, b.switches));
            row.extend(pair(a.blocks, b.blocks));
            row.extend(pair(a.messages, b.messages));
            row.extend(pair(a.faults, b.faults));
            row.push(u(b.swaps.saturating_sub(a.swaps)));
            row.extend([NULL, NULL, NULL]);
            out.push(row);
        }
    }
    Ok(out)
}
