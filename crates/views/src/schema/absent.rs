//! Tables of what Evenkeel has none of: spatial reference systems, resource groups, profiles, traces. They have MySQL's
//! columns and no rows.
//!
//! Tested in `tests/sql/golden/system_tables.sql`.

use super::{Columns, Spec, T, none};

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "VIEW_ROUTINE_USAGE",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("SPECIFIC_CATALOG", T::Bin(64), false),
            ("SPECIFIC_SCHEMA", T::Bin(64), false),
            ("SPECIFIC_NAME", T::S(64), false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "RESOURCE_GROUPS",
        columns: &[
            ("RESOURCE_GROUP_NAME", T::S(64), false),
            ("RESOURCE_GROUP_TYPE", T::Enum(&["SYSTEM", "USER"]), false),
            ("RESOURCE_GROUP_ENABLED", T::Bool, false),
            ("VCPU_IDS", T::Blob, true),
            ("THREAD_PRIORITY", T::Int, false),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "ST_GEOMETRY_COLUMNS",
        columns: &[
            ("TABLE_CATALOG", T::Bin(64), false),
            ("TABLE_SCHEMA", T::Bin(64), false),
            ("TABLE_NAME", T::Bin(64), false),
            ("COLUMN_NAME", T::Lower(64), true),
            ("SRS_NAME", T::S(80), true),
            ("SRS_ID", T::UInt, true),
            ("GEOMETRY_TYPE_NAME", T::Text, true),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "ST_SPATIAL_REFERENCE_SYSTEMS",
        columns: &[
            ("SRS_NAME", T::S(80), false),
            ("SRS_ID", T::UInt, false),
            ("ORGANIZATION", T::S(256), true),
            ("ORGANIZATION_COORDSYS_ID", T::UInt, true),
            ("DEFINITION", T::Bin(4096), false),
            ("DESCRIPTION", T::Bin(2048), true),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "ST_UNITS_OF_MEASURE",
        columns: &[
            ("UNIT_NAME", T::Wide(255), true),
            ("UNIT_TYPE", T::Wide(7), true),
            ("CONVERSION_FACTOR", T::Double, true),
            ("DESCRIPTION", T::Wide(255), true),
        ],
        rows: none,
    },
    Spec {
        schema: IS,
        name: "OPTIMIZER_TRACE",
        columns: &[
            ("QUERY", T::S(65535), false),
            ("TRACE", T::S(65535), false),
            ("MISSING_BYTES_BEYOND_MAX_MEM_SIZE", T::Int, false),
            ("INSUFFICIENT_PRIVILEGES", T::Bool, false),
        ],
        rows: none,
    },
    Spec { schema: IS, name: "PROFILING", columns: PROFILING, rows: none },
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
