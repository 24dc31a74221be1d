//! How DIGEST_TEXT prints words. MySQL prints tokens, and where several words are one token the last of them in its table, in alphabetical
//! order but with the names of functions last: `INTEGER` for INT, `SCHEMA` for DATABASE. Functions that its grammar knows are such words only with a parenthesis
//! directly behind them, otherwise identifiers.
//!
//! Tested in `digest.rs` and `tests/sql/golden/digests.sql`.

use crate::lexer::Kw;

/// Words that are one token to MySQL, and how it prints that.
const ONE_TOKEN: &[(Kw, &str)] = &[
    (Kw::ANY, "SOME"),
    (Kw::BIGINT, "INT8"),
    (Kw::CHAR, "CHARACTER"),
    (Kw::COLUMNS, "FIELDS"),
    (Kw::CURRENT_DATE, "CURDATE"),
    (Kw::CURRENT_TIME, "CURTIME"),
    (Kw::CURRENT_TIMESTAMP, "NOW"),
    (Kw::DATABASE, "SCHEMA"),
    (Kw::DATABASES, "SCHEMAS"),
    (Kw::DAY, "SQL_TSI_DAY"),
    (Kw::DEC, "DECIMAL"),
    (Kw::DESCRIBE, "EXPLAIN"),
    (Kw::DISTINCT, "DISTINCTROW"),
    (Kw::DOUBLE, "FLOAT8"),
    (Kw::FLOAT, "FLOAT4"),
    (Kw::GEOMCOLLECTION, "GEOMETRYCOLLECTION"),
    (Kw::HOUR, "SQL_TSI_HOUR"),
    (Kw::INT, "INTEGER"),
    (Kw::INT1, "TINYINT"),
    (Kw::INT2, "SMALLINT"),
    (Kw::INT3, "MIDDLEINT"),
    (Kw::INT4, "INTEGER"),
    (Kw::LOCALTIME, "NOW"),
    (Kw::LOCALTIMESTAMP, "NOW"),
    (Kw::MEDIUMINT, "MIDDLEINT"),
    (Kw::MID, "SUBSTRING"),
    (Kw::MINUTE, "SQL_TSI_MINUTE"),
    (Kw::MONTH, "SQL_TSI_MONTH"),
    (Kw::QUARTER, "SQL_TSI_QUARTER"),
    (Kw::REGEXP, "RLIKE"),
    (Kw::SECOND, "SQL_TSI_SECOND"),
    (Kw::SESSION_USER, "SYSTEM_USER"),
    (Kw::STD, "STDDEV_POP"),
    (Kw::STDDEV, "STDDEV_POP"),
    (Kw::SUBSTR, "SUBSTRING"),
    (Kw::USER, "SYSTEM_USER"),
    (Kw::VARCHAR, "VARCHARACTER"),
    (Kw::VARIANCE, "VAR_POP"),
];

/// Words that are none without a parenthesis directly behind them.
const FUNCTIONS: &[Kw] = &[
    Kw::ADDDATE,
    Kw::BIT_AND,
    Kw::BIT_OR,
    Kw::BIT_XOR,
    Kw::CAST,
    Kw::COUNT,
    Kw::CURDATE,
    Kw::CURTIME,
    Kw::DATE_ADD,
    Kw::DATE_SUB,
    Kw::EXTRACT,
    Kw::GROUP_CONCAT,
    Kw::JSON_ARRAYAGG,
    Kw::JSON_OBJECTAGG,
    Kw::MAX,
    Kw::MID,
    Kw::MIN,
    Kw::NOW,
    Kw::POSITION,
    Kw::SESSION_USER,
    Kw::STD,
    Kw::STDDEV,
    Kw::STDDEV_POP,
    Kw::STDDEV_SAMP,
    Kw::ST_COLLECT,
    Kw::SUBDATE,
    Kw::SUBSTR,
    Kw::SUBSTRING,
    Kw::SUM,
    Kw::SYSDATE,
    Kw::SYSTEM_USER,
    Kw::TRIM,
    Kw::VARIANCE,
    Kw::VAR_POP,
    Kw::VAR_SAMP,
];

/// Words that only this grammar knows.
const OURS: &[Kw] = &[Kw::ANY_VALUE, Kw::SHARED, Kw::TRADITIONAL, Kw::TREE];

/// MySQL's words that this grammar has no use for.
const THEIRS: &[&str] = &[
    "ACTIVE",
    "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS",
    "AUTO",
    "BERNOULLI",
    "BULK",
    "CATALOG_NAME",
    "CHALLENGE_RESPONSE",
    "CLASS_ORIGIN",
    "COLUMN_NAME",
    "COMPACT",
    "COMPRESSED",
    "CONSTRAINT_CATALOG",
    "CONSTRAINT_NAME",
    "CONSTRAINT_SCHEMA",
    "CONTAINS",
    "CURSOR_NAME",
    "DEFAULT_AUTH",
    "DEFINITION",
    "EXTENT_SIZE",
    "FILE_BLOCK_SIZE",
    "FILTER",
    "GENERATE",
    "GET_SOURCE_PUBLIC_KEY",
    "GTID_ONLY",
    "IGNORE_SERVER_IDS",
    "INACTIVE",
    "INITIAL_SIZE",
    "IO_THREAD",
    "KEYRING",
    "LOCKS",
    "MAX_SIZE",
    "MESSAGE_TEXT",
    "MYSQL_ERRNO",
    "NDB",
    "NDBCLUSTER",
    "NETWORK_NAMESPACE",
    "NODEGROUP",
    "NO_WAIT",
    "NUMBER",
    "OPTIONS",
    "ORGANIZATION",
    "PLUGIN_DIR",
    "PRIVILEGE_CHECKS_USER",
    "REDO_BUFFER_SIZE",
    "RELAY",
    "RELAY_LOG_FILE",
    "RELAY_LOG_POS",
    "RELAY_THREAD",
    "REPLICATE_DO_DB",
    "REPLICATE_DO_TABLE",
    "REPLICATE_IGNORE_DB",
    "REPLICATE_IGNORE_TABLE",
    "REPLICATE_REWRITE_DB",
    "REPLICATE_WILD_DO_TABLE",
    "REPLICATE_WILD_IGNORE_TABLE",
    "REQUIRE_ROW_FORMAT",
    "REQUIRE_TABLE_PRIMARY_KEY_CHECK",
    "REVERSE",
    "ROW_COUNT",
    "SCHEMA_NAME",
    "SOCKET",
    "SQL_AFTER_GTIDS",
    "SQL_AFTER_MTS_GAPS",
    "SQL_BEFORE_GTIDS",
    "SQL_THREAD",
    "SQL_TSI_DAY",
    "SQL_TSI_HOUR",
    "SQL_TSI_MINUTE",
    "SQL_TSI_MONTH",
    "SQL_TSI_QUARTER",
    "SQL_TSI_SECOND",
    "STARTS",
    "STREAM",
    "SUBCLASS_ORIGIN",
    "TABLE_NAME",
    "THREAD_PRIORITY",
    "TLS",
    "TYPES",
    "UNDO_BUFFER_SIZE",
    "UNTIL",
    "URL",
    "VCPU",
    "VECTOR",
    "WORDS",
];

/// Character sets whose name with an underscore introduces a string.
const CHARSETS: &[&str] = &[
    "armscii8", "ascii", "big5", "binary", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866", "cp932",
    "dec8", "eucjpms", "euckr", "gb18030", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8", "keybcs2", "koi8r",
    "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman", "sjis", "swe7", "tis620", "ucs2", "ujis",
    "utf16", "utf16le", "utf32", "utf8", "utf8mb3", "utf8mb4",
];

/// What a word is printed as; `None`: it is an identifier. `called`: a parenthesis is directly behind it.
pub(super) fn printed(kw: Kw, text: &str, called: bool) -> Option<String> {
    if kw != Kw::NOT_A_KEYWORD {
        if OURS.contains(&kw) || (!called && FUNCTIONS.contains(&kw)) {
            return None;
        }
        let one = ONE_TOKEN.iter().find(|(k, _)| *k == kw);
        return Some(one.map_or_else(|| text.to_ascii_uppercase(), |(_, shown)| (*shown).to_owned()));
    }
    if let Some(name) = text.strip_prefix('_')
        && CHARSETS.iter().any(|c| c.eq_ignore_ascii_case(name))
    {
        return Some("(_charset)".to_owned());
    }
    match text.to_ascii_uppercase() {
        w if w == "SQL_TSI_WEEK" || w == "SQL_TSI_YEAR" => w.strip_prefix("SQL_TSI_").map(str::to_owned),
        w if THEIRS.contains(&w.as_str()) || w.starts_with("SOURCE_") => Some(w),
        _ => None,
    }
}

/// Whether NULL behind this word is a part of a column's definition, a condition or an action, not a value.
pub(super) fn before_null(kw: Kw) -> bool {
    matches!(
        kw,
        Kw::IS
            | Kw::NOT
            | Kw::SET
            | Kw::INT
            | Kw::INTEGER
            | Kw::TINYINT
            | Kw::SMALLINT
            | Kw::MEDIUMINT
            | Kw::BIGINT
            | Kw::FLOAT
            | Kw::DOUBLE
            | Kw::PRECISION
            | Kw::DECIMAL
            | Kw::NUMERIC
            | Kw::REAL
            | Kw::UNSIGNED
            | Kw::ZEROFILL
            | Kw::DATE
            | Kw::TIME
            | Kw::DATETIME
            | Kw::TIMESTAMP
            | Kw::YEAR
            | Kw::CHAR
            | Kw::BINARY
            | Kw::TEXT
            | Kw::BLOB
            | Kw::TINYTEXT
            | Kw::MEDIUMTEXT
            | Kw::LONGTEXT
            | Kw::TINYBLOB
            | Kw::MEDIUMBLOB
            | Kw::LONGBLOB
            | Kw::JSON
            | Kw::BOOL
            | Kw::BOOLEAN
            | Kw::BIT
            | Kw::VIRTUAL
            | Kw::STORED
    )
}

/// Whether the list of ORDER BY or GROUP BY is over at this word.
pub(super) fn ends_by(kw: Kw) -> bool {
    matches!(
        kw,
        Kw::LIMIT
            | Kw::HAVING
            | Kw::WINDOW
            | Kw::FOR
            | Kw::LOCK
            | Kw::INTO
            | Kw::UNION
            | Kw::EXCEPT
            | Kw::INTERSECT
            | Kw::ROWS
            | Kw::RANGE
            | Kw::GROUPS
            | Kw::SEPARATOR
            | Kw::SELECT
    )
}
