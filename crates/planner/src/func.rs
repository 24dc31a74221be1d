//! The functions expressions can call: one identifier each, with name and argument count.
//!
//! To add a function: one row in the table below (identifier, name, smallest and largest number of arguments, other
//! names, [`Purity`]) in the family that evaluates it, and what the compiler then asks for: its result type in
//! [`crate::types::function`]'s family and its body in `executor::eval`.

mod rows;

use rows::{functions, purity};

pub use value::temporal::interval::Unit;

/// What JSON_VALUE gives where there is no value, or a bad one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OnMissing {
    /// NULL.
    Null,
    /// An error.
    Error,
    /// An argument of the call.
    Default,
}

/// How much a function's value hangs on more than its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purity {
    /// On nothing: a call on constants may be folded into a cached plan.
    Pure,
    /// On the session or the clock of the statement: the same during an execution.
    Session,
    /// Each call may give another value or have an effect, so a subquery that calls it is evaluated for each row.
    Random,
    /// Each call may give another value, but a subquery that calls it is evaluated once, as in MySQL.
    Moving,
}

functions! {
    /// Arithmetic operators.
    Arithmetic {
        Add "+" pure;
        Sub "-" pure;
        Mul "*" pure;
        Div "/" pure;
        IntDiv "DIV" pure;
        Mod "%" pure;
        Neg "-" pure;
    }
    /// Operators of bits.
    Bits {
        BitAnd "&" pure;
        BitOr "|" pure;
        BitXor "^" pure;
        BitNot "~" pure;
        Shl "<<" pure;
        Shr ">>" pure;
        BitCount "bit_count" 1 1 pure;
    }
    /// Choices and comparisons.
    Control {
        If "if" 3 3 pure;
        IfNull "ifnull" 2 2 pure;
        NullIf "nullif" 2 2 pure;
        Coalesce "coalesce" 1 255 pure;
        IsNullFn "isnull" 1 1 pure;
        Greatest "greatest" 2 255 pure;
        Least "least" 2 255 pure;
        Interval "interval" 2 255 pure;
        Strcmp "strcmp" 2 2 pure;
        /// `x LIKE pattern ESCAPE e` with an escape character computed when it runs.
        LikeEscape "like" pure;
        Grouping "grouping" 1 63 pure;
        /// An item of a select list that GROUP BY ... WITH ROLLUP names beside an item with the same expression: it is
        /// rolled up at its own place.
        GroupItem(item: u16) "group_item" pure;
    }
    /// Mathematical functions that read their arguments themselves.
    Math {
        Abs "abs" 1 1 pure;
        Ceil "ceil" 1 1 | "ceiling" pure;
        Floor "floor" 1 1 pure;
        Round "round" 1 2 pure;
        Truncate "truncate" 2 2 pure;
        Sign "sign" 1 1 pure;
        Pow "pow" 2 2 | "power" pure;
        Log "log" 1 2 pure;
        Atan "atan" 1 2 pure;
        Atan2 "atan2" 2 2 pure;
        Pi "pi" 0 0 pure;
        Rand "rand" 0 1 random;
    }
    /// Functions of one double.
    Real {
        Sqrt "sqrt" 1 1 pure;
        Exp "exp" 1 1 pure;
        Ln "ln" 1 1 pure;
        Log2 "log2" 1 1 pure;
        Log10 "log10" 1 1 pure;
        Sin "sin" 1 1 pure;
        Cos "cos" 1 1 pure;
        Tan "tan" 1 1 pure;
        Cot "cot" 1 1 pure;
        Asin "asin" 1 1 pure;
        Acos "acos" 1 1 pure;
        Radians "radians" 1 1 pure;
        Degrees "degrees" 1 1 pure;
    }
    /// Texts that are built, and places in texts.
    Built {
        Concat "concat" 1 255 pure;
        ConcatWs "concat_ws" 2 255 pure;
        Space "space" 1 1 pure;
        Locate "locate" 2 3 pure;
        Instr "instr" 2 2 pure;
        /// CAST AS CHAR(n) (as BINARY(n) if true) of a length that no column's type has, after the conversion: the text
        /// and n.
        CastSized(binary: bool) "cast_as_char" pure;
    }
    /// Functions of a text: its length and parts of it.
    Text {
        Length "length" 1 1 | "octet_length" pure;
        CharLength "char_length" 1 1 | "character_length" pure;
        BitLength "bit_length" 1 1 pure;
        Upper "upper" 1 1 | "ucase" pure;
        Lower "lower" 1 1 | "lcase" pure;
        Left "left" 2 2 pure;
        Right "right" 2 2 pure;
        Substring "substring" 2 3 | "substr" | "mid" pure;
        SubstringIndex "substring_index" 3 3 pure;
        Ltrim "ltrim" 1 1 pure;
        Rtrim "rtrim" 1 1 pure;
        TrimBoth "trim" pure;
        TrimLeading "trim" pure;
        TrimTrailing "trim" pure;
        Lpad "lpad" 3 3 pure;
        Rpad "rpad" 3 3 pure;
        Repeat "repeat" 2 2 pure;
        Replace "replace" 3 3 pure;
        Reverse "reverse" 1 1 pure;
        Insert "insert" 4 4 pure;
    }
    /// Character sets, number bases, lists.
    Codes {
        Char "char" 1 255 pure;
        Hex "hex" 1 1 pure;
        Bin "bin" 1 1 pure;
        Oct "oct" 1 1 pure;
        Conv "conv" 3 3 pure;
        Field "field" 2 255 pure;
        Elt "elt" 2 255 pure;
        MakeSet "make_set" 2 255 pure;
        ExportSet "export_set" 3 5 pure;
        Format "format" 2 3 pure;
        WeightString "weight_string" 1 1 pure;
        Collation "collation" 1 1 pure;
        Charset "charset" 1 1 pure;
        CoercibilityFn "coercibility" 1 1 pure;
        /// `value COLLATE c`: only changes the static type.
        Collate "collate" pure;
        /// A string in the character set of the one that it goes into or is looked for in: 3854 where that lacks a
        /// character.
        InCharset "convert" pure;
        /// A function's text, made in utf8mb4, in a wide character set: NULL with 1301 where it is longer than
        /// `max_allowed_packet` there.
        Widened "convert" pure;
    }
    /// Functions of a text: its codes and encodings.
    Encoded {
        Ascii "ascii" 1 1 pure;
        Ord "ord" 1 1 pure;
        Unhex "unhex" 1 1 pure;
        FindInSet "find_in_set" 2 2 pure;
        Quote "quote" 1 1 pure;
        Soundex "soundex" 1 1 pure;
        ToBase64 "to_base64" 1 1 pure;
        FromBase64 "from_base64" 1 1 pure;
    }
    /// Regular expressions.
    Regexp {
        /// `x RLIKE pattern`
        Rlike "regexp" pure;
        RegexpLike "regexp_like" 2 3 pure;
        RegexpInstr "regexp_instr" 2 6 pure;
        RegexpReplace "regexp_replace" 3 6 pure;
        RegexpSubstr "regexp_substr" 2 5 pure;
    }
    /// Date and time functions that read their arguments themselves.
    Moment {
        Now "now" 0 1 | "current_timestamp" | "localtime" | "localtimestamp" session;
        Curdate "curdate" 0 0 | "current_date" session;
        Curtime "curtime" 0 1 | "current_time" session;
        UtcTimestamp "utc_timestamp" 0 1 session;
        UtcDate "utc_date" 0 0 session;
        UtcTime "utc_time" 0 1 session;
        Sysdate "sysdate" 0 1 moving;
        UnixTimestamp "unix_timestamp" 0 1 session;
        FromUnixtime "from_unixtime" 1 2 session;
        /// `date + INTERVAL value unit`
        DateAdd(unit: Unit) "date_add" pure;
        /// `date - INTERVAL value unit`
        DateSub(unit: Unit) "date_sub" pure;
        TimestampAdd(unit: Unit) "timestampadd" pure;
        TimestampDiff(unit: Unit) "timestampdiff" pure;
        Extract(unit: Unit) "extract" pure;
        /// Text that a date function made, as the number of that date or time.
        TemporalNumber "temporal_number" pure;
        /// A constant beside a YEAR column: the year that it would be stored as, or the number that it is.
        YearConstant "year_constant" pure;
        Hour "hour" 1 1 pure;
        Minute "minute" 1 1 pure;
        Second "second" 1 1 pure;
        MicrosecondFn "microsecond" 1 1 pure;
        TimeToSec "time_to_sec" 1 1 pure;
        Date "date" 1 1 pure;
        Time "time" 1 1 pure;
        Timestamp "timestamp" 1 2 pure;
        TimeDiff "timediff" 2 2 pure;
        DateFormat "date_format" 2 2 pure;
        TimeFormat "time_format" 2 2 pure;
        StrToDate "str_to_date" 2 2 pure;
        MakeDate "makedate" 2 2 pure;
        MakeTime "maketime" 3 3 pure;
        FromDays "from_days" 1 1 pure;
        SecToTime "sec_to_time" 1 1 pure;
        PeriodAdd "period_add" 2 2 pure;
        PeriodDiff "period_diff" 2 2 pure;
        AddTime "addtime" 2 2 pure;
        SubTime "subtime" 2 2 pure;
        ConvertTz "convert_tz" 3 3 pure;
        /// A literal that was written with a displacement: its time in UTC as one of the session's zone.
        FromUtc "timestamp" session;
        /// `value AT TIME ZONE 'UTC'`: a time of the session's zone in UTC, whole seconds.
        AtUtc "at time zone" session;
        /// CAST to DATE, or to DATETIME of some digits, that was written: a date with a zero part is NULL under
        /// NO_ZERO_IN_DATE.
        CastDate(digits: Option<u8>) "cast" pure;
    }
    /// Functions of a date.
    Day {
        Year "year" 1 1 pure;
        Month "month" 1 1 pure;
        DayOfMonth "dayofmonth" 1 1 | "day" pure;
        Quarter "quarter" 1 1 pure;
        MonthName "monthname" 1 1 pure;
        LastDay "last_day" 1 1 pure;
        DayOfWeek "dayofweek" 1 1 pure;
        Weekday "weekday" 1 1 pure;
        DayOfYear "dayofyear" 1 1 pure;
        DayName "dayname" 1 1 pure;
        Week "week" 1 2 pure;
        YearWeek "yearweek" 1 2 pure;
        WeekOfYear "weekofyear" 1 1 pure;
        ToDays "to_days" 1 1 pure;
        ToSeconds "to_seconds" 1 1 pure;
        DateDiff "datediff" 2 2 pure;
    }
    /// What the session knows, and waiting.
    Session {
        Version "version" 0 0 session;
        Database "database" 0 0 | "schema" session;
        User "user" 0 0 | "session_user" | "system_user" session;
        CurrentUser "current_user" 0 0 session;
        CurrentRole "current_role" 0 0 session;
        ConnectionId "connection_id" 0 0 session;
        LastInsertId "last_insert_id" 0 1 random;
        RowCount "row_count" 0 0 session;
        FoundRows "found_rows" 0 0 session;
        Sleep "sleep" 1 1 random;
        Benchmark "benchmark" 2 2 random;
    }
    /// Digests.
    Crypto {
        Md5 "md5" 1 1 pure;
        Sha1 "sha1" 1 1 | "sha" pure;
        Sha2 "sha2" 2 2 pure;
        Crc32 "crc32" 1 1 pure;
    }
    /// Encryption.
    Aes {
        AesEncrypt "aes_encrypt" 2 6 session;
        AesDecrypt "aes_decrypt" 2 6 session;
    }
    /// Compression.
    Zlib {
        Compress "compress" 1 1 pure;
        Uncompress "uncompress" 1 1 session;
        UncompressedLength "uncompressed_length" 1 1 pure;
    }
    /// UUIDs and random bytes.
    Uuid {
        RandomBytes "random_bytes" 1 1 random;
        Uuid "uuid" 0 0 random;
        UuidShort "uuid_short" 0 0 moving;
        UuidToBin "uuid_to_bin" 1 2 pure;
        BinToUuid "bin_to_uuid" 1 2 pure;
        IsUuid "is_uuid" 1 1 pure;
    }
    /// User-level locks.
    Locks {
        GetLock "get_lock" 2 2 random;
        ReleaseLock "release_lock" 1 1 random;
        ReleaseAllLocks "release_all_locks" 0 0 random;
        IsFreeLock "is_free_lock" 1 1 random;
        IsUsedLock "is_used_lock" 1 1 random;
    }
    /// Sets of GTIDs, places in a source's log.
    Gtids {
        GtidSubset "gtid_subset" 2 2 pure;
        GtidSubtract "gtid_subtract" 2 2 pure;
        WaitForExecutedGtidSet "wait_for_executed_gtid_set" 1 2 random;
        SourcePosWait "source_pos_wait" 2 4 random;
        MasterPosWait "master_pos_wait" 2 4 random;
    }
    /// Network addresses.
    Ipv4 {
        InetAton "inet_aton" 1 1 pure;
        InetNtoa "inet_ntoa" 1 1 pure;
        IsIpv4 "is_ipv4" 1 1 pure;
        IsIpv6 "is_ipv6" 1 1 pure;
    }
    /// Network addresses as bytes.
    Ipv6 {
        Inet6Aton "inet6_aton" 1 1 pure;
        Inet6Ntoa "inet6_ntoa" 1 1 pure;
        IsIpv4Compat "is_ipv4_compat" 1 1 pure;
        IsIpv4Mapped "is_ipv4_mapped" 1 1 pure;
    }
    /// Stored functions, by their numbers in the plan.
    Program {
        /// One that is DETERMINISTIC.
        StoredConstant(number: u16) "stored_function" session;
        /// Another one.
        Stored(number: u16) "stored_function" random;
    }
    /// What the server knows, and texts made for people.
    Server {
        FormatBytes "format_bytes" 1 1 pure;
        FormatPicoTime "format_pico_time" 1 1 pure;
        PsCurrentThreadId "ps_current_thread_id" 0 0 session;
        PsThreadId "ps_thread_id" 1 1 session;
        IcuVersion "icu_version" 0 0 pure;
        RolesGraphml "roles_graphml" 0 0 session;
        StatementDigest "statement_digest" 1 1 pure;
        StatementDigestText "statement_digest_text" 1 1 pure;
        LoadFile "load_file" 1 1 random;
        /// GET_FORMAT of DATE (0), TIME (1), DATETIME and TIMESTAMP (2)
        GetFormat(kind: u8) "get_format" pure;
        ValidatePasswordStrength "validate_password_strength" 1 1 pure;
    }
    /// Functions of the schema `sys` ([`crate::bind`]'s `sys_function`).
    SysSchema {
        SysFileSchema "extract_schema_from_file_name" pure;
        SysFileTable "extract_table_from_file_name" pure;
        SysFormatBytes "format_bytes" pure;
        SysFormatPath "format_path" session;
        /// The text, the user variable and sys_config.
        SysFormatStatement "format_statement" session;
        SysFormatTime "format_time" pure;
        SysListAdd "list_add" pure;
        SysListDrop "list_drop" pure;
        SysAccountEnabled "ps_is_account_enabled" session;
        SysConsumerEnabled "ps_is_consumer_enabled" session;
        SysInstrumentEnabled "ps_is_instrument_default_enabled" pure;
        SysInstrumentTimed "ps_is_instrument_default_timed" pure;
        SysThreadInstrumented "ps_is_thread_instrumented" session;
        SysThreadAccount "ps_thread_account" session;
        SysThreadId "ps_thread_id" session;
        SysThreadStack "ps_thread_stack" session;
        SysThreadTransactions "ps_thread_trx_info" session;
        SysQuoteIdentifier "quote_identifier" pure;
        SysConfig "sys_get_config" session;
        /// version_major (0), version_minor (1), version_patch (2)
        SysVersion(part: u8) "version_part" pure;
    }
    /// Full-text search.
    Fulltext {
        /// `MATCH (columns) AGAINST (text)`: number of [`crate::plan::Plan::matches`]; the text, then the columns.
        Match(number: u16) "match" pure;
    }
    /// JSON values, their text and their measures.
    JsonMade {
        JsonArray "json_array" 0 255 pure;
        JsonObject "json_object" 0 255 pure;
        JsonQuote "json_quote" 1 1 pure;
        JsonUnquote "json_unquote" 1 1 pure;
        JsonDepth "json_depth" 1 1 pure;
        JsonLength "json_length" 1 2 pure;
        JsonType "json_type" 1 1 pure;
        JsonValid "json_valid" 1 1 pure;
        JsonPretty "json_pretty" 1 1 pure;
        JsonStorageSize "json_storage_size" 1 1 pure;
        JsonStorageFree "json_storage_free" 1 1 pure;
        /// A truth value as a JSON boolean.
        JsonBool "json_bool" pure;
    }
    /// Looking into JSON values.
    JsonFound {
        JsonExtract "json_extract" 2 255 pure;
        JsonContains "json_contains" 2 3 pure;
        JsonContainsPath "json_contains_path" 3 255 pure;
        JsonKeys "json_keys" 1 2 pure;
        JsonSearch "json_search" 3 255 pure;
        JsonOverlaps "json_overlaps" 2 2 pure;
        /// `value MEMBER OF (array)`
        JsonMemberOf "member of" pure;
        /// A condition that a multi-valued index serves, which is the first argument and all of its value. The index's
        /// hidden column and the value whose elements are looked up are for the optimizer alone
        /// ([`crate::bind::generated`]).
        InElements "in_elements" pure;
        /// JSON_VALUE with what it does ON EMPTY and ON ERROR.
        JsonValue(empty: OnMissing, error: OnMissing) "json_value" pure;
    }
    /// Changed JSON documents.
    JsonChanged {
        JsonArrayAppend "json_array_append" 3 255 pure;
        JsonArrayInsert "json_array_insert" 3 255 pure;
        JsonInsert "json_insert" 3 255 pure;
        JsonReplace "json_replace" 3 255 pure;
        JsonSet "json_set" 3 255 pure;
        JsonRemove "json_remove" 2 255 pure;
        JsonMerge "json_merge" 2 255 pure;
        JsonMergePatch "json_merge_patch" 2 255 pure;
        JsonMergePreserve "json_merge_preserve" 2 255 pure;
    }
    /// JSON schemas.
    JsonSchema {
        JsonSchemaValid "json_schema_valid" 2 2 pure;
        JsonSchemaValidationReport "json_schema_validation_report" 2 2 pure;
    }
}

/// GET_FORMAT's function for a kind of value.
pub(crate) fn get_format(kind: parser::ast::TemporalKind) -> FuncId {
    use parser::ast::TemporalKind as K;
    FuncId::GetFormat(match kind {
        K::Date => 0,
        K::Time => 1,
        _ => 2,
    })
}

/// GET_FORMAT: the pattern of a region, for DATE (0), TIME (1), DATETIME (2).
pub fn format_of_region(kind: u8, region: &[u8]) -> Option<&'static str> {
    let region = region.to_ascii_uppercase();
    Some(match (region.as_slice(), kind) {
        (b"USA", 0) => "%m.%d.%Y",
        (b"JIS" | b"ISO", 0) => "%Y-%m-%d",
        (b"EUR", 0) => "%d.%m.%Y",
        (b"INTERNAL", 0) => "%Y%m%d",
        (b"USA", 1) => "%h:%i:%s %p",
        (b"JIS" | b"ISO", 1) => "%H:%i:%s",
        (b"EUR", 1) => "%H.%i.%s",
        (b"INTERNAL", 1) => "%H%i%s",
        (b"USA" | b"EUR", 2) => "%Y-%m-%d %H.%i.%s",
        (b"JIS" | b"ISO", 2) => "%Y-%m-%d %H:%i:%s",
        (b"INTERNAL", 2) => "%Y%m%d%H%i%s",
        _ => return None,
    })
}

/// Whether a function of the server has this name, in any case of letters.
pub fn is_native(name: &str) -> bool {
    lookup(name).is_some()
}

impl FuncId {
    /// Whether two calls with the same arguments in one execution give the same value and have no side effect.
    pub fn is_deterministic(self) -> bool {
        matches!(self.purity(), Purity::Pure | Purity::Session)
    }
    /// Whether a subquery that calls it is evaluated for each row.
    pub fn is_volatile(self) -> bool {
        self.purity() == Purity::Random
    }
    /// Whether the value depends only on the arguments, so that a call on constants may be folded into a cached plan.
    pub fn is_pure(self) -> bool {
        self.purity() == Purity::Pure
    }
}
