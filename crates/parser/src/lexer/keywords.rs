//! MySQL 8.4's keywords (manual: "Keywords and Reserved Words").
//!
//! All reserved words are here, and of the non-reserved ones those that the grammar asks for; every other word is an
//! identifier anyway. The lookup is an open-addressing table built at compile time over a hash of the folded bytes;
//! it reads the table once or twice per word. Tested below.

macro_rules! keywords {
    (reserved { $($r:ident)* } free { $($f:ident)* }) => {
        /// A keyword. `NOT_A_KEYWORD` is every word that is not in the table.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        #[allow(non_camel_case_types, missing_docs)]
        pub enum Kw { NOT_A_KEYWORD, $($r,)* _END_OF_RESERVED, $($f,)* }

        const ALL: &[Kw] = &[$(Kw::$r,)* $(Kw::$f,)*];
        const NAMES: &[&str] = &[$(stringify!($r),)* $(stringify!($f),)*];
    };
}

keywords! {
    reserved {
        ACCESSIBLE ADD ALL ALTER ANALYZE AND AS ASC ASENSITIVE BEFORE BETWEEN BIGINT BINARY BLOB BOTH BY CALL CASCADE
        CASE CHANGE CHAR CHARACTER CHECK COLLATE COLUMN CONDITION CONSTRAINT CONTINUE CONVERT CREATE CROSS CUBE
        CUME_DIST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DATABASES DAY_HOUR
        DAY_MICROSECOND DAY_MINUTE DAY_SECOND DEC DECIMAL DECLARE DEFAULT DELAYED DELETE DENSE_RANK DESC DESCRIBE
        DETERMINISTIC DISTINCT DISTINCTROW DIV DOUBLE DROP DUAL EACH ELSE ELSEIF EMPTY ENCLOSED ESCAPED EXCEPT EXISTS
        EXIT EXPLAIN FALSE FETCH FIRST_VALUE FLOAT FLOAT4 FLOAT8 FOR FORCE FOREIGN FROM FULLTEXT FUNCTION GENERATED
        GET GRANT GROUP GROUPING GROUPS HAVING HIGH_PRIORITY HOUR_MICROSECOND HOUR_MINUTE HOUR_SECOND IF IGNORE IN
        INDEX INFILE INNER INOUT INSENSITIVE INSERT INT INT1 INT2 INT3 INT4 INT8 INTEGER INTERSECT INTERVAL INTO
        IO_AFTER_GTIDS IO_BEFORE_GTIDS IS ITERATE JOIN JSON_TABLE KEY KEYS KILL LAG LAST_VALUE LATERAL LEAD LEADING
        LEAVE LEFT LIKE LIMIT LINEAR LINES LOAD LOCALTIME LOCALTIMESTAMP LOCK LONG LONGBLOB LONGTEXT LOOP
        LOW_PRIORITY MATCH MAXVALUE MEDIUMBLOB MEDIUMINT MEDIUMTEXT MIDDLEINT MINUTE_MICROSECOND MINUTE_SECOND
        MOD MODIFIES NATURAL NOT NO_WRITE_TO_BINLOG NTH_VALUE NTILE NULL NUMERIC OF ON OPTIMIZE OPTIMIZER_COSTS
        OPTION OPTIONALLY OR ORDER OUT OUTER OUTFILE OVER PARTITION PERCENT_RANK PRECISION PRIMARY PROCEDURE
        PURGE QUALIFY RANGE RANK READ READS READ_WRITE REAL RECURSIVE REFERENCES REGEXP RELEASE RENAME REPEAT REPLACE
        REQUIRE RESIGNAL RESTRICT RETURN REVOKE RIGHT RLIKE ROW ROWS ROW_NUMBER SCHEMA SCHEMAS SECOND_MICROSECOND
        SELECT SENSITIVE SEPARATOR SET SHOW SIGNAL SMALLINT SPATIAL SPECIFIC SQL SQLEXCEPTION SQLSTATE SQLWARNING
        SQL_BIG_RESULT SQL_CALC_FOUND_ROWS SQL_SMALL_RESULT SSL STARTING STORED STRAIGHT_JOIN SYSTEM TABLE
        TABLESAMPLE TERMINATED THEN TINYBLOB TINYINT TINYTEXT TO TRAILING TRIGGER TRUE UNDO UNION UNIQUE UNLOCK
        UNSIGNED UPDATE USAGE USE USING UTC_DATE UTC_TIME UTC_TIMESTAMP VALUES VARBINARY VARCHAR VARCHARACTER VARYING
        VIRTUAL WHEN WHERE WHILE WINDOW WITH WRITE XOR YEAR_MONTH ZEROFILL
    }
    free {
        ACCOUNT ACTION ADDDATE ADMIN AFTER AGAINST AGGREGATE ALGORITHM ALWAYS ANY ANY_VALUE ARRAY ASCII AT ATTRIBUTE
        AUTHENTICATION AUTOEXTEND_SIZE AUTO_INCREMENT AVG AVG_ROW_LENGTH BACKUP BEGIN BINLOG BIT BIT_AND BIT_OR
        BIT_XOR BLOCK BOOL BOOLEAN BTREE BUCKETS BYTE CACHE CASCADED CAST CHAIN CHANGED CHANNEL CHARSET CHECKSUM
        CIPHER CLIENT CLONE CLOSE COALESCE CODE COLLATION COLUMNS COLUMN_FORMAT COMMENT COMMIT COMMITTED COMPLETION
        COMPONENT COMPRESSION CONCURRENT CONNECTION CONSISTENT CONTEXT COUNT CPU CURDATE CURRENT CURTIME DATA
        DATAFILE DATE DATETIME DATE_ADD DATE_SUB DAY DEALLOCATE DEFINER DELAY_KEY_WRITE DESCRIPTION DIAGNOSTICS
        DIRECTORY DISABLE DISCARD DISK DO DUMPFILE DUPLICATE DYNAMIC ENABLE ENCRYPTION END ENDS ENFORCED ENGINE
        ENGINES ENGINE_ATTRIBUTE ENUM ERROR ERRORS ESCAPE EVENT EVENTS EVERY EXCHANGE EXCLUDE EXECUTE EXPANSION
        EXPIRE EXPORT EXTENDED EXTRACT FACTOR FAILED_LOGIN_ATTEMPTS FAST FAULTS FIELDS FILE FINISH FIRST FIXED FLUSH
        FOLLOWING FOLLOWS FORMAT FOUND FULL GENERAL GEOMCOLLECTION GEOMETRY GEOMETRYCOLLECTION GET_FORMAT GLOBAL
        GRANTS GROUP_CONCAT GROUP_REPLICATION GTIDS HANDLER HASH HELP HISTOGRAM HISTORY HOST HOSTS HOUR IDENTIFIED IMPORT
        INDEXES INITIAL INITIATE INSERT_METHOD INSTALL INSTANCE INVISIBLE INVOKER IO IPC ISOLATION ISSUER JSON
        JSON_ARRAYAGG JSON_OBJECTAGG JSON_VALUE KEY_BLOCK_SIZE LANGUAGE LAST LEAVES LESS LEVEL LINESTRING LIST LOCAL
        LOCKED LOG LOGFILE LOGS MANUAL MASTER MAX MAX_CONNECTIONS_PER_HOUR MAX_QUERIES_PER_HOUR MAX_ROWS MAX_UPDATES_PER_HOUR
        MAX_USER_CONNECTIONS MEDIUM MEMBER MEMORY MERGE MICROSECOND MID MIGRATE MIN MINUTE MIN_ROWS MODE MODIFY MONTH
        MULTILINESTRING MULTIPOINT MULTIPOLYGON MUTEX NAME NAMES NATIONAL NCHAR NESTED NEVER NEW NEXT NO NONE NOW NOWAIT
        NULLS NVARCHAR OFF OFFSET OJ OLD ONE ONLY OPEN OPTIONAL ORDINALITY OTHERS OWNER PACK_KEYS PAGE PARALLEL PARSER PARSE_TREE
        PARTIAL PARTITIONING PARTITIONS PASSWORD PASSWORD_LOCK_TIME PATH PERSIST PERSIST_ONLY PHASE PLUGIN PLUGINS
        POINT POLYGON PORT POSITION PRECEDES PRECEDING PREPARE PRESERVE PREV PRIVILEGES PROCESS PROCESSLIST PROFILE
        PROFILES PROXY QUARTER QUERY QUICK RANDOM READ_ONLY REBUILD RECOVER REDUNDANT REFERENCE REGISTRATION RELAYLOG
        RELOAD REMOVE REORGANIZE REPAIR REPEATABLE REPLICA REPLICAS REPLICATION RESET RESOURCE RESPECT RESTART
        RESTORE RESUME RETAIN RETURNED_SQLSTATE RETURNING RETURNS REUSE ROLE ROLLBACK ROLLUP ROTATE ROUTINE
        ROW_FORMAT RTREE S3 SAVEPOINT SCHEDULE SECOND SECONDARY SECONDARY_ENGINE SECONDARY_ENGINE_ATTRIBUTE
        SECONDARY_LOAD SECONDARY_UNLOAD SECURITY SERIAL SERIALIZABLE SERVER SESSION SESSION_USER SHARE SHARED SHUTDOWN
        SIGNED SIMPLE SKIP SLAVE SLOW SNAPSHOT SOME SONAME SOUNDS SOURCE SQL_BUFFER_RESULT SQL_NO_CACHE SRID STACKED
        START STATS_AUTO_RECALC STATS_PERSISTENT STATS_SAMPLE_PAGES STATUS STD STDDEV STDDEV_POP STDDEV_SAMP STOP
        STORAGE STRING ST_COLLECT SUBDATE SUBJECT SUBPARTITION SUBPARTITIONS SUBSTR SUBSTRING SUM SUPER SUSPEND
        SWAPS SWITCHES SYSDATE SYSTEM_USER TABLES TABLE_CHECKSUM TABLESPACE TEMPORARY TEMPTABLE TEXT THAN TIES TIME TIMESTAMP
        TIMESTAMPADD TIMESTAMPDIFF TRADITIONAL TRANSACTION TREE TRIGGERS TRIM TRUNCATE TYPE UNBOUNDED UNCOMMITTED
        UNDEFINED UNDOFILE UNICODE UNINSTALL UNKNOWN UNREGISTER UPGRADE USER USER_RESOURCES USE_FRM VALIDATION VALUE
        VARIABLES VARIANCE VAR_POP VAR_SAMP VIEW VISIBLE WAIT WARNINGS WEEK WEIGHT_STRING WITHOUT WORK WRAPPER X509
        XA XID XML YEAR ZONE
    }
}

const SLOTS: usize = 4096;

/// Index into NAMES plus 1, or 0.
static TABLE: [u16; SLOTS] = build();

/// Eight bytes at a time, letters folded; the rest of a word as its last eight bytes, or what there is of them.
#[inline(always)]
const fn hash(word: &[u8]) -> usize {
    const K: u64 = 0x517c_c1b7_2722_0a95;
    let mut h: u64 = word.len() as u64;
    let mut rest = word;
    while let Some((chunk, tail)) = rest.split_first_chunk::<8>() {
        h = (h.rotate_left(23) ^ (u64::from_le_bytes(*chunk) | 0x2020_2020_2020_2020)).wrapping_mul(K);
        rest = tail;
    }
    let last = match (rest, rest.split_first_chunk::<4>(), rest.split_last_chunk::<4>()) {
        (_, Some((a, _)), Some((_, b))) => u32::from_le_bytes(*a) as u64 | (u32::from_le_bytes(*b) as u64) << 32,
        ([a], ..) => *a as u64,
        ([a, b], ..) => *a as u64 | (*b as u64) << 8,
        ([a, b, c, ..], ..) => *a as u64 | (*b as u64) << 8 | (*c as u64) << 16,
        _ => 0,
    };
    h = (h.rotate_left(23) ^ (last | 0x2020_2020_2020_2020)).wrapping_mul(K);
    (h >> 40) as usize & (SLOTS - 1)
}

#[allow(clippy::indexing_slicing)] // runs at compile time
const fn build() -> [u16; SLOTS] {
    let mut table = [0u16; SLOTS];
    let mut i = 0;
    while i < NAMES.len() {
        let mut slot = hash(NAMES[i].as_bytes());
        while table[slot] != 0 {
            slot = (slot + 1) & (SLOTS - 1);
        }
        table[slot] = i as u16 + 1;
        i += 1;
    }
    table
}

/// All keywords of the grammar: the word, and whether it is reserved.
pub fn keywords() -> impl Iterator<Item = (&'static str, bool)> {
    NAMES.iter().zip(ALL).map(|(name, kw)| (*name, kw.is_reserved()))
}

impl Kw {
    /// The keyword that these bytes spell, in any case; `NOT_A_KEYWORD` if there is none.
    pub fn lookup(word: &[u8]) -> Kw {
        if word.len() < 2 || word.len() > 28 {
            return Kw::NOT_A_KEYWORD;
        }
        let mut slot = hash(word);
        loop {
            let Some(&n) = TABLE.get(slot) else { return Kw::NOT_A_KEYWORD };
            if n == 0 {
                return Kw::NOT_A_KEYWORD;
            }
            let i = n as usize - 1;
            if let (Some(name), Some(&kw)) = (NAMES.get(i), ALL.get(i))
                && name.as_bytes().eq_ignore_ascii_case(word)
            {
                return kw;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
    }

    /// Whether the word is an identifier only in backticks.
    pub const fn is_reserved(self) -> bool {
        (self as u16) < Kw::_END_OF_RESERVED as u16 && self as u16 != 0
    }

    /// Not reserved, and not the name of a function of the grammar either: a syntax error before `(`.
    pub const fn names_no_function(self) -> bool {
        use Kw::*;
        let free = self as u16 > Kw::_END_OF_RESERVED as u16;
        free && !self.is_function_word()
            && !matches!(
                self,
                ANY_VALUE
                    | ASCII
                    | AVG
                    | CHARSET
                    | COALESCE
                    | COLLATION
                    | DATE
                    | DAY
                    | FORMAT
                    | GEOMCOLLECTION
                    | GEOMETRYCOLLECTION
                    | GET_FORMAT
                    | HOUR
                    | JSON_VALUE
                    | LINESTRING
                    | LOG
                    | MICROSECOND
                    | MINUTE
                    | MONTH
                    | MULTILINESTRING
                    | MULTIPOINT
                    | MULTIPOLYGON
                    | POINT
                    | POLYGON
                    | QUARTER
                    | SECOND
                    | SHARED
                    | TIME
                    | TIMESTAMP
                    | TIMESTAMPADD
                    | TIMESTAMPDIFF
                    | TRADITIONAL
                    | TREE
                    | TRUNCATE
                    | USER
                    | WEEK
                    | WEIGHT_STRING
                    | YEAR
            )
    }

    /// Not as names of roles (manual: "Keywords and Reserved Words"; they are privileges in GRANT).
    pub const fn names_no_role(self) -> bool {
        use Kw::*;
        matches!(
            self,
            EVENT
                | EXECUTE
                | FILE
                | NONE
                | PROCESS
                | PROXY
                | RELOAD
                | REPLICATION
                | RESOURCE
                | RESTART
                | SHUTDOWN
                | SUPER
        )
    }

    /// Names of built-in functions that are keywords only when `(` follows them directly
    /// (manual: "Function Name Parsing and Resolution").
    pub const fn is_function_word(self) -> bool {
        use Kw::*;
        matches!(
            self,
            ADDDATE
                | BIT_AND
                | BIT_OR
                | BIT_XOR
                | CAST
                | COUNT
                | CURDATE
                | CURTIME
                | DATE_ADD
                | DATE_SUB
                | EXTRACT
                | GROUP_CONCAT
                | JSON_ARRAYAGG
                | JSON_OBJECTAGG
                | MAX
                | MID
                | MIN
                | NOW
                | POSITION
                | SESSION_USER
                | STD
                | STDDEV
                | STDDEV_POP
                | STDDEV_SAMP
                | ST_COLLECT
                | SUBDATE
                | SUBSTR
                | SUBSTRING
                | SUM
                | SYSDATE
                | SYSTEM_USER
                | TRIM
                | VARIANCE
                | VAR_POP
                | VAR_SAMP
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_any_case() {
        for (name, &kw) in NAMES.iter().zip(ALL) {
            assert_eq!(Kw::lookup(name.as_bytes()), kw);
            assert_eq!(Kw::lookup(name.to_lowercase().as_bytes()), kw);
        }
        assert_eq!(Kw::lookup(b"sbtest1"), Kw::NOT_A_KEYWORD);
        assert_eq!(Kw::lookup(b"selecT"), Kw::SELECT);
        assert_eq!(Kw::lookup(b""), Kw::NOT_A_KEYWORD);
        assert!(Kw::SELECT.is_reserved() && Kw::ZEROFILL.is_reserved());
        assert!(!Kw::ACCOUNT.is_reserved() && !Kw::NOT_A_KEYWORD.is_reserved());
    }
}
