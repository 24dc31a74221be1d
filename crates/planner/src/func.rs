//! The functions expressions can call: one identifier each, with name and argument count.
//!
//! To add a function: one line in the table below, its result type in [`crate::types`], its body in the family's file of
//! `executor::eval`. The compiler points at the places that have to follow.

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

macro_rules! functions {
    ($($id:ident $name:literal $min:literal $max:literal;)*) => {
        /// A function.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum FuncId {
            $($id,)*
            // operators and functions with special syntax
            Add, Sub, Mul, Div, IntDiv, Mod, Neg, BitAnd, BitOr, BitXor, BitNot, Shl, Shr,
            TrimBoth, TrimLeading, TrimTrailing,
            /// `date + INTERVAL value unit`
            DateAdd(Unit),
            /// `date - INTERVAL value unit`
            DateSub(Unit),
            Extract(Unit),
            TimestampDiff(Unit),
            TimestampAdd(Unit),
            /// `value COLLATE c`: only changes the static type.
            Collate,
            /// A string in the character set of the one that it goes into or is looked for in: 3854 where that lacks a character.
            InCharset,
            /// A function's text, made in utf8mb4, in a wide character set: NULL with 1301 where it is longer than `max_allowed_packet` there.
            Widened,
            /// `x RLIKE pattern`
            Rlike,
            /// `x LIKE pattern ESCAPE e` with an escape character computed when it runs.
            LikeEscape,
            /// A literal that was written with a displacement: its time in UTC as one of the session's zone.
            FromUtc,
            /// `value AT TIME ZONE 'UTC'`: a time of the session's zone in UTC, whole seconds.
            AtUtc,
            /// Text that a date function made, as the number of that date or time.
            TemporalNumber,
            /// An item of a select list that GROUP BY ... WITH ROLLUP names beside an item with the same expression: it is rolled up at its own place.
            GroupItem(u16),
            /// A constant beside a YEAR column: the year that it would be stored as, or the number that it is.
            YearConstant,
            /// CAST to DATE, or to DATETIME of some digits, that was written: a date with a zero part is NULL under NO_ZERO_IN_DATE.
            CastDate(Option<u8>),
            /// CAST AS CHAR(n) (as BINARY(n) if true) of a length that no column's type has, after the conversion: the text and n.
            CastSized(bool),
            /// A truth value as a JSON boolean.
            JsonBool,
            /// `value MEMBER OF (array)`
            JsonMemberOf,
            /// A condition that a multi-valued index serves, which is the first argument and all of its value. The index's hidden
            /// column and the value whose elements are looked up are for the optimizer alone ([`crate::bind::generated`]).
            InElements,
            /// JSON_VALUE with what it does ON EMPTY and ON ERROR.
            JsonValue(OnMissing, OnMissing),
            /// GET_FORMAT of DATE (0), TIME (1), DATETIME and TIMESTAMP (2)
            GetFormat(u8),
            /// `MATCH (columns) AGAINST (text)`: number of [`crate::plan::Plan::matches`]; the text, then the columns.
            Match(u16),
        }

        /// Function by its name in lower case with the smallest and largest number of arguments (255 = any).
        pub fn lookup(name: &str) -> Option<(FuncId, u8, u8)> {
            Some(match name {
                $($name => (FuncId::$id, $min, $max),)*
                "octet_length" => (FuncId::Length, 1, 1),
                "character_length" => (FuncId::CharLength, 1, 1),
                "ucase" => (FuncId::Upper, 1, 1),
                "lcase" => (FuncId::Lower, 1, 1),
                "substr" | "mid" => (FuncId::Substring, 2, 3),
                "position" => (FuncId::Locate, 2, 2),
                "ceiling" => (FuncId::Ceil, 1, 1),
                "power" => (FuncId::Pow, 2, 2),
                "current_timestamp" | "localtime" | "localtimestamp" => (FuncId::Now, 0, 1),
                "current_date" => (FuncId::Curdate, 0, 0),
                "current_time" => (FuncId::Curtime, 0, 1),
                "day" => (FuncId::DayOfMonth, 1, 1),
                "schema" => (FuncId::Database, 0, 0),
                "session_user" | "system_user" => (FuncId::User, 0, 0),
                "sha" => (FuncId::Sha1, 1, 1),
                "mod" => (FuncId::Mod, 2, 2),
                _ => return None,
            })
        }

        impl FuncId {
            /// Lower-case name as in messages and EXPLAIN.
            pub fn name(self) -> &'static str {
                match self {
                    $(FuncId::$id => $name,)*
                    FuncId::Add => "+", FuncId::Sub => "-", FuncId::Mul => "*", FuncId::Div => "/",
                    FuncId::IntDiv => "DIV", FuncId::Mod => "%", FuncId::Neg => "-", FuncId::BitAnd => "&",
                    FuncId::BitOr => "|", FuncId::BitXor => "^", FuncId::BitNot => "~", FuncId::Shl => "<<",
                    FuncId::Shr => ">>", FuncId::TrimBoth | FuncId::TrimLeading | FuncId::TrimTrailing => "trim",
                    FuncId::DateAdd(_) => "date_add", FuncId::DateSub(_) => "date_sub",
                    FuncId::Extract(_) => "extract", FuncId::TimestampDiff(_) => "timestampdiff",
                    FuncId::TimestampAdd(_) => "timestampadd", FuncId::Collate => "collate",
                    FuncId::InCharset | FuncId::Widened => "convert", FuncId::Rlike => "regexp",
                    FuncId::LikeEscape => "like", FuncId::TemporalNumber => "temporal_number", FuncId::AtUtc => "at time zone",
                    FuncId::FromUtc => "timestamp", FuncId::CastDate(_) => "cast",
                    FuncId::CastSized(false) => "cast_as_char", FuncId::CastSized(true) => "cast_as_binary", FuncId::YearConstant => "year_constant", FuncId::GroupItem(_) => "group_item",
                    FuncId::JsonBool => "json_bool", FuncId::JsonMemberOf => "member of",
                    FuncId::InElements => "in_elements",
                    FuncId::JsonValue(..) => "json_value",
                    FuncId::GetFormat(_) => "get_format",
                    FuncId::Match(_) => "match",
                }
            }
        }
    };
}

functions! {
    If "if" 3 3;
    IfNull "ifnull" 2 2;
    NullIf "nullif" 2 2;
    Coalesce "coalesce" 1 255;
    IsNullFn "isnull" 1 1;
    Greatest "greatest" 2 255;
    Least "least" 2 255;
    Interval "interval" 2 255;
    Strcmp "strcmp" 2 2;
    Grouping "grouping" 1 63;
    Concat "concat" 1 255;
    ConcatWs "concat_ws" 2 255;
    Length "length" 1 1;
    CharLength "char_length" 1 1;
    BitLength "bit_length" 1 1;
    Upper "upper" 1 1;
    Lower "lower" 1 1;
    Left "left" 2 2;
    Right "right" 2 2;
    Substring "substring" 2 3;
    SubstringIndex "substring_index" 3 3;
    Ltrim "ltrim" 1 1;
    Rtrim "rtrim" 1 1;
    Lpad "lpad" 3 3;
    Rpad "rpad" 3 3;
    Repeat "repeat" 2 2;
    Replace "replace" 3 3;
    Reverse "reverse" 1 1;
    Locate "locate" 2 3;
    Instr "instr" 2 2;
    Ascii "ascii" 1 1;
    Ord "ord" 1 1;
    Char "char" 1 255;
    Hex "hex" 1 1;
    Unhex "unhex" 1 1;
    Bin "bin" 1 1;
    Oct "oct" 1 1;
    Conv "conv" 3 3;
    Field "field" 2 255;
    Elt "elt" 2 255;
    FindInSet "find_in_set" 2 2;
    MakeSet "make_set" 2 255;
    ExportSet "export_set" 3 5;
    Format "format" 2 3;
    Insert "insert" 4 4;
    Space "space" 1 1;
    Quote "quote" 1 1;
    Soundex "soundex" 1 1;
    ToBase64 "to_base64" 1 1;
    FromBase64 "from_base64" 1 1;
    WeightString "weight_string" 1 1;
    Collation "collation" 1 1;
    Charset "charset" 1 1;
    CoercibilityFn "coercibility" 1 1;
    RegexpLike "regexp_like" 2 3;
    RegexpReplace "regexp_replace" 3 6;
    RegexpSubstr "regexp_substr" 2 5;
    RegexpInstr "regexp_instr" 2 6;
    Abs "abs" 1 1;
    Ceil "ceil" 1 1;
    Floor "floor" 1 1;
    Round "round" 1 2;
    Truncate "truncate" 2 2;
    Sign "sign" 1 1;
    Sqrt "sqrt" 1 1;
    Pow "pow" 2 2;
    Exp "exp" 1 1;
    Ln "ln" 1 1;
    Log "log" 1 2;
    Log2 "log2" 1 1;
    Log10 "log10" 1 1;
    Sin "sin" 1 1;
    Cos "cos" 1 1;
    Tan "tan" 1 1;
    Cot "cot" 1 1;
    Asin "asin" 1 1;
    Acos "acos" 1 1;
    Atan "atan" 1 2;
    Atan2 "atan2" 2 2;
    Pi "pi" 0 0;
    Radians "radians" 1 1;
    Degrees "degrees" 1 1;
    Rand "rand" 0 1;
    Crc32 "crc32" 1 1;
    BitCount "bit_count" 1 1;
    Now "now" 0 1;
    Curdate "curdate" 0 0;
    Curtime "curtime" 0 1;
    UtcTimestamp "utc_timestamp" 0 1;
    UtcDate "utc_date" 0 0;
    UtcTime "utc_time" 0 1;
    Sysdate "sysdate" 0 1;
    UnixTimestamp "unix_timestamp" 0 1;
    FromUnixtime "from_unixtime" 1 2;
    Year "year" 1 1;
    Month "month" 1 1;
    DayOfMonth "dayofmonth" 1 1;
    Hour "hour" 1 1;
    Minute "minute" 1 1;
    Second "second" 1 1;
    MicrosecondFn "microsecond" 1 1;
    DayOfWeek "dayofweek" 1 1;
    Weekday "weekday" 1 1;
    DayOfYear "dayofyear" 1 1;
    Week "week" 1 2;
    YearWeek "yearweek" 1 2;
    WeekOfYear "weekofyear" 1 1;
    Quarter "quarter" 1 1;
    DayName "dayname" 1 1;
    MonthName "monthname" 1 1;
    LastDay "last_day" 1 1;
    Date "date" 1 1;
    Time "time" 1 1;
    Timestamp "timestamp" 1 2;
    DateDiff "datediff" 2 2;
    TimeDiff "timediff" 2 2;
    DateFormat "date_format" 2 2;
    TimeFormat "time_format" 2 2;
    StrToDate "str_to_date" 2 2;
    MakeDate "makedate" 2 2;
    MakeTime "maketime" 3 3;
    ToDays "to_days" 1 1;
    FromDays "from_days" 1 1;
    ToSeconds "to_seconds" 1 1;
    SecToTime "sec_to_time" 1 1;
    TimeToSec "time_to_sec" 1 1;
    PeriodAdd "period_add" 2 2;
    PeriodDiff "period_diff" 2 2;
    AddTime "addtime" 2 2;
    SubTime "subtime" 2 2;
    ConvertTz "convert_tz" 3 3;
    Version "version" 0 0;
    Database "database" 0 0;
    User "user" 0 0;
    CurrentUser "current_user" 0 0;
    CurrentRole "current_role" 0 0;
    ConnectionId "connection_id" 0 0;
    LastInsertId "last_insert_id" 0 1;
    RowCount "row_count" 0 0;
    FoundRows "found_rows" 0 0;
    Sleep "sleep" 1 1;
    Benchmark "benchmark" 2 2;
    Md5 "md5" 1 1;
    Sha1 "sha1" 1 1;
    Sha2 "sha2" 2 2;
    RandomBytes "random_bytes" 1 1;
    Uuid "uuid" 0 0;
    UuidShort "uuid_short" 0 0;
    UuidToBin "uuid_to_bin" 1 2;
    BinToUuid "bin_to_uuid" 1 2;
    IsUuid "is_uuid" 1 1;
    GetLock "get_lock" 2 2;
    ReleaseLock "release_lock" 1 1;
    ReleaseAllLocks "release_all_locks" 0 0;
    IsFreeLock "is_free_lock" 1 1;
    IsUsedLock "is_used_lock" 1 1;
    AesEncrypt "aes_encrypt" 2 6;
    AesDecrypt "aes_decrypt" 2 6;
    Compress "compress" 1 1;
    Uncompress "uncompress" 1 1;
    UncompressedLength "uncompressed_length" 1 1;
    Inet6Aton "inet6_aton" 1 1;
    Inet6Ntoa "inet6_ntoa" 1 1;
    IsIpv4Compat "is_ipv4_compat" 1 1;
    IsIpv4Mapped "is_ipv4_mapped" 1 1;
    FormatBytes "format_bytes" 1 1;
    FormatPicoTime "format_pico_time" 1 1;
    PsCurrentThreadId "ps_current_thread_id" 0 0;
    PsThreadId "ps_thread_id" 1 1;
    IcuVersion "icu_version" 0 0;
    RolesGraphml "roles_graphml" 0 0;
    StatementDigest "statement_digest" 1 1;
    StatementDigestText "statement_digest_text" 1 1;
    LoadFile "load_file" 1 1;
    ValidatePasswordStrength "validate_password_strength" 1 1;
    InetAton "inet_aton" 1 1;
    InetNtoa "inet_ntoa" 1 1;
    IsIpv4 "is_ipv4" 1 1;
    IsIpv6 "is_ipv6" 1 1;
    JsonArray "json_array" 0 255;
    JsonObject "json_object" 0 255;
    JsonQuote "json_quote" 1 1;
    JsonUnquote "json_unquote" 1 1;
    JsonExtract "json_extract" 2 255;
    JsonContains "json_contains" 2 3;
    JsonContainsPath "json_contains_path" 3 255;
    JsonKeys "json_keys" 1 2;
    JsonSearch "json_search" 3 255;
    JsonOverlaps "json_overlaps" 2 2;
    JsonArrayAppend "json_array_append" 3 255;
    JsonArrayInsert "json_array_insert" 3 255;
    JsonInsert "json_insert" 3 255;
    JsonReplace "json_replace" 3 255;
    JsonSet "json_set" 3 255;
    JsonRemove "json_remove" 2 255;
    JsonMerge "json_merge" 2 255;
    JsonMergePatch "json_merge_patch" 2 255;
    JsonMergePreserve "json_merge_preserve" 2 255;
    JsonDepth "json_depth" 1 1;
    JsonLength "json_length" 1 2;
    JsonType "json_type" 1 1;
    JsonValid "json_valid" 1 1;
    JsonPretty "json_pretty" 1 1;
    JsonStorageSize "json_storage_size" 1 1;
    JsonStorageFree "json_storage_free" 1 1;
    JsonSchemaValid "json_schema_valid" 2 2;
    JsonSchemaValidationReport "json_schema_validation_report" 2 2;
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

impl FuncId {
    /// Whether two calls with the same arguments in one execution give the same value and have no side effect.
    pub fn is_deterministic(self) -> bool {
        !matches!(
            self,
            FuncId::Rand
                | FuncId::Sleep
                | FuncId::Benchmark
                | FuncId::RandomBytes
                | FuncId::Uuid
                | FuncId::UuidShort
                | FuncId::GetLock
                | FuncId::ReleaseLock
                | FuncId::ReleaseAllLocks
                | FuncId::IsFreeLock
                | FuncId::IsUsedLock
                | FuncId::LastInsertId
                | FuncId::LoadFile
                | FuncId::Sysdate
        )
    }
    /// Whether a subquery that calls it is evaluated for each row.
    pub fn is_volatile(self) -> bool {
        !self.is_deterministic() && !matches!(self, FuncId::Sysdate | FuncId::UuidShort)
    }
    /// Whether the value depends only on the arguments, so that a call on constants may be folded into a cached plan.
    pub fn is_pure(self) -> bool {
        self.is_deterministic()
            && !matches!(
                self,
                FuncId::Now
                    | FuncId::Curdate
                    | FuncId::Curtime
                    | FuncId::UtcTimestamp
                    | FuncId::UtcDate
                    | FuncId::UtcTime
                    | FuncId::UnixTimestamp
                    | FuncId::FromUnixtime
                    | FuncId::AtUtc
                    | FuncId::FromUtc
                    | FuncId::RolesGraphml
                    | FuncId::Version
                    | FuncId::Database
                    | FuncId::User
                    | FuncId::CurrentUser
                    | FuncId::CurrentRole
                    | FuncId::ConnectionId
                    | FuncId::AesEncrypt
                    | FuncId::AesDecrypt
                    | FuncId::Uncompress
                    | FuncId::PsCurrentThreadId
                    | FuncId::PsThreadId
                    | FuncId::RowCount
                    | FuncId::FoundRows
            )
    }
}
