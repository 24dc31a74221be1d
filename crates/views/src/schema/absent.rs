//! Tables of what Evenkeel has none of: spatial reference systems, resource groups. They have MySQL's columns and no
//! rows.
//!
//! Tested in `tests/sql/golden/system_tables.sql`.

use super::{Spec, T, none};

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
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
];
