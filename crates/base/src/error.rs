//! MySQL's error numbers, SQLSTATEs and texts (manual: "MySQL 8.4 Error Message Reference").
//!
//! A text has `%s` places which [`SqlError::new`] fills in order from its arguments. To add an error: one line in the
//! table below, with MySQL's number, SQLSTATE and text.

use std::fmt;

macro_rules! errors {
    ($($name:ident = $num:literal $state:literal $text:literal;)*) => {
        /// An error number of MySQL 8.4. The variants carry MySQL's symbolic names without `ER_`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        #[allow(missing_docs, non_camel_case_types)]
        pub enum ErrorCode { $($name = $num,)* }

        impl ErrorCode {
            /// The number a client sees.
            pub const fn number(self) -> u16 { self as u16 }
            /// Five characters of SQLSTATE.
            pub const fn sqlstate(self) -> &'static str { match self { $(ErrorCode::$name => $state,)* } }
            /// Message text with `%s` places.
            pub const fn text(self) -> &'static str { match self { $(ErrorCode::$name => $text,)* } }
            /// MySQL's symbolic name, for example `ER_DUP_ENTRY`; a few have no `ER_`.
            pub fn symbol(self) -> &'static str {
                let (with, without) = match self { $(ErrorCode::$name => (concat!("ER_", stringify!($name)), stringify!($name)),)* };
                if self.number() < 1000 || NO_PREFIX.contains(&self.number()) { without } else { with }
            }
            /// The code with this number, if the table has it.
            pub const fn from_number(n: u16) -> Option<ErrorCode> { match n { $($num => Some(ErrorCode::$name),)* _ => None } }
        }
    };
}

/// Numbers of the errors whose names in MySQL begin with `WARN_`.
const NO_PREFIX: [u16; 5] = [1265, 1618, 1638, 1647, 4009];

errors! {
    EE_CANTCREATEFILE = 1 "HY000" "Can't create/write to file '%s' (OS errno %s - %s)";
    EE_READ = 2 "HY000" "Error reading file '%s' (OS errno %s - %s)";
    EE_WRITE = 3 "HY000" "Error writing file '%s' (OS errno %s - %s)";
    EE_STAT = 13 "HY000" "Can't get stat of '%s' (OS errno %s - %s)";
    EE_FILENOTFOUND = 29 "HY000" "File '%s' not found (OS errno %s - %s)";
    CANT_CREATE_TABLE = 1005 "HY000" "Can't create table '%s' (errno: %s - %s)";
    CANT_CREATE_DB = 1006 "HY000" "Can't create database '%s' (errno: %s - %s)";
    DB_CREATE_EXISTS = 1007 "HY000" "Can't create database '%s'; database exists";
    DB_DROP_EXISTS = 1008 "HY000" "Can't drop database '%s'; database doesn't exist";
    CANT_LOCK = 1015 "HY000" "Can't lock file (errno: %s - %s)";
    CANT_OPEN_FILE = 1016 "HY000" "Can't open file: '%s' (errno: %s - %s)";
    CHECKREAD = 1020 "HY000" "Record has changed since last read in table '%s'";
    DISK_FULL = 1021 "HY000" "Disk full (%s); waiting for someone to free some space... (errno: %s - %s)";
    DUP_KEY = 1022 "23000" "Can't write; duplicate key in table '%s'";
    ERROR_ON_READ = 1024 "HY000" "Error reading file '%s' (errno: %s - %s)";
    ERROR_ON_WRITE = 1026 "HY000" "Error writing file '%s' (errno: %s - %s)";
    GET_ERRNO = 1030 "HY000" "Got error %s - '%s' from storage engine";
    ILLEGAL_HA = 1031 "HY000" "Table storage engine for '%s' doesn't have this option";
    KEY_NOT_FOUND = 1032 "HY000" "Can't find record in '%s'";
    NOT_FORM_FILE = 1033 "HY000" "Incorrect information in file: '%s'";
    OPEN_AS_READONLY = 1036 "HY000" "Table '%s' is read only";
    OUTOFMEMORY = 1037 "HY001" "Out of memory; restart server and try again (needed %s bytes)";
    CON_COUNT_ERROR = 1040 "08004" "Too many connections";
    HANDSHAKE_ERROR = 1043 "08S01" "Bad handshake";
    DBACCESS_DENIED_ERROR = 1044 "42000" "Access denied for user '%s'@'%s' to database '%s'";
    ACCESS_DENIED_ERROR = 1045 "28000" "Access denied for user '%s'@'%s' (using password: %s)";
    NO_DB_ERROR = 1046 "3D000" "No database selected";
    UNKNOWN_COM_ERROR = 1047 "08S01" "Unknown command";
    BAD_NULL_ERROR = 1048 "23000" "Column '%s' cannot be null";
    BAD_DB_ERROR = 1049 "42000" "Unknown database '%s'";
    TABLE_EXISTS_ERROR = 1050 "42S01" "Table '%s' already exists";
    BAD_TABLE_ERROR = 1051 "42S02" "Unknown table '%s'";
    NON_UNIQ_ERROR = 1052 "23000" "Column '%s' in %s is ambiguous";
    SERVER_SHUTDOWN = 1053 "08S01" "Server shutdown in progress";
    BAD_FIELD_ERROR = 1054 "42S22" "Unknown column '%s' in '%s'";
    WRONG_FIELD_WITH_GROUP = 1055 "42000" "Expression #%s of %s is not in GROUP BY clause and contains nonaggregated column '%s' which is not functionally dependent on columns in GROUP BY clause; this is incompatible with sql_mode=only_full_group_by";
    WRONG_GROUP_FIELD = 1056 "42000" "Can't group on '%s'";
    WRONG_SUM_SELECT = 1057 "42000" "Statement has sum functions and columns in same statement";
    WRONG_VALUE_COUNT = 1058 "21S01" "Column count doesn't match value count";
    TOO_LONG_IDENT = 1059 "42000" "Identifier name '%s' is too long";
    DUP_FIELDNAME = 1060 "42S21" "Duplicate column name '%s'";
    DUP_KEYNAME = 1061 "42000" "Duplicate key name '%s'";
    DUP_ENTRY = 1062 "23000" "Duplicate entry '%s' for key '%s'";
    WRONG_FIELD_SPEC = 1063 "42000" "Incorrect column specifier for column '%s'";
    PARSE_ERROR = 1064 "42000" "%s near '%s' at line %s";
    EMPTY_QUERY = 1065 "42000" "Query was empty";
    NONUNIQ_TABLE = 1066 "42000" "Not unique table/alias: '%s'";
    INVALID_DEFAULT = 1067 "42000" "Invalid default value for '%s'";
    MULTIPLE_PRI_KEY = 1068 "42000" "Multiple primary key defined";
    TOO_MANY_KEYS = 1069 "42000" "Too many keys specified; max %s keys allowed";
    TOO_MANY_KEY_PARTS = 1070 "42000" "Too many key parts specified; max %s parts allowed";
    TOO_LONG_KEY = 1071 "42000" "Specified key was too long; max key length is %s bytes";
    KEY_COLUMN_DOES_NOT_EXITS = 1072 "42000" "Key column '%s' doesn't exist in table";
    BLOB_USED_AS_KEY = 1073 "42000" "BLOB column '%s' can't be used in key specification with the used table type";
    TOO_BIG_FIELDLENGTH = 1074 "42000" "Column length too big for column '%s' (max = %s); use BLOB or TEXT instead";
    WRONG_AUTO_KEY = 1075 "42000" "Incorrect table definition; there can be only one auto column and it must be defined as a key";
    NORMAL_SHUTDOWN = 1077 "HY000" "%s: Normal shutdown";
    SHUTDOWN_COMPLETE = 1079 "HY000" "%s: Shutdown complete";
    NO_SUCH_INDEX = 1082 "42S12" "Table '%s' has no index like the one used in CREATE INDEX; recreate the table";
    UDF_EXISTS = 1125 "HY000" "Function '%s' already exists";
    NONEXISTING_TABLE_GRANT = 1147 "42000" "There is no such grant defined for user '%s' on host '%s' on table '%s'";
    REVOKE_GRANTS = 1269 "HY000" "Can't revoke all privileges for one or more of the requested users";
    ILLEGAL_PRIVILEGE_LEVEL = 3619 "HY000" "Illegal privilege level specified for %s";
    UNSUPPORTED_USE_OF_GRANT_AS = 3835 "HY000" "GRANT ... AS is currently supported only for global privileges.";
    UNKNOWN_GRANT_AS_AUTHID = 3836 "HY000" "Either some of the authorization IDs in the AS clause are invalid or the current user lacks privileges to execute the statement.";
    PARTIAL_REVOKES_EXIST = 3896 "HY000" "At least one partial revoke exists on a database. The system variable '@@partial_revokes' must be set to ON.";
    CLIENT_PRIVILEGE_CHECKS_USER_CANNOT_BE_ANONYMOUS = 3925 "HY000" "PRIVILEGE_CHECKS_USER for replication channel '%s' was set to ``@`%s`, but anonymous users are disallowed for PRIVILEGE_CHECKS_USER.";
    CLIENT_PRIVILEGE_CHECKS_USER_DOES_NOT_EXIST = 3926 "HY000" "PRIVILEGE_CHECKS_USER for replication channel '%s' was set to `%s`@`%s`, but this is not an existing user.";
    CLIENT_PRIVILEGE_CHECKS_USER_NEEDS_RPL_APPLIER_PRIV = 3928 "HY000" "PRIVILEGE_CHECKS_USER for replication channel '%s' was set to `%s`@`%s`, but this user does not have REPLICATION_APPLIER privilege.";
    CLIENT_QUERY_FAILURE_INVALID_NON_ROW_FORMAT = 3944 "HY000" "The query does not comply with variable require_row_format restrictions.";
    REQUIRE_ROW_FORMAT_INVALID_VALUE = 3945 "HY000" "The requested value %s is invalid for REQUIRE_ROW_FORMAT, must be either 0 or 1.";
    CLIENT_FILE_PRIVILEGE_FOR_REPLICATION_CHECKS = 4117 "HY000" "The PRIVILEGE_CHECKS_USER for channel '%s' would need FILE privilege to execute a LOAD DATA INFILE statement replicated in statement format. Consider using binlog_format=ROW on source. If the replicated events are trusted, recover from the failure by temporarily granting FILE to the PRIVILEGE_CHECKS_USER.";
    DYNAMIC_PRIVILEGE_NOT_REGISTERED = 3929 "HY000" "Dynamic privilege '%s' is not registered with the server.";
    NONEXISTING_PROC_GRANT = 1403 "42000" "There is no such grant defined for user '%s' on host '%s' on routine '%s'";
    CLIENT_LOCAL_FILES_DISABLED = 3948 "42000" "Loading local data is disabled; this must be enabled on both the client and server sides";
    ZLIB_Z_BUF_ERROR = 1258 "HY000" "ZLIB: Not enough room in the output buffer (probably, length of uncompressed data was corrupted)";
    ZLIB_Z_DATA_ERROR = 1259 "HY000" "ZLIB: Input data corrupted";
    TOO_BIG_FOR_UNCOMPRESS = 1256 "HY000" "Uncompressed data size too large; the maximum size is %s (probably, length of uncompressed data was corrupted)";
    WARN_OPTION_IGNORED = 1618 "HY000" "<%s> option ignored";
    AES_INVALID_IV = 1882 "HY000" "The initialization vector supplied to %s is too short. Must be at least %s bytes long";
    CHARACTER_SET_MISMATCH = 3995 "HY000" "Character set '%s' cannot be used in conjunction with '%s' in call to %s.";
    AES_INVALID_KDF_NAME = 3235 "HY000" "KDF method name is not valid. Please use hkdf or pbkdf2_hmac method name";
    AES_INVALID_KDF_ITERATIONS = 3236 "HY000" "For KDF method pbkdf2_hmac iterations value less than 1000 or more than 65535 is not allowed due to security reasons. Please provide iterations >= 1000 and iterations < 65535";
    PARSE_ERROR_IN_DIGEST_FN = 3676 "HY000" "Could not parse argument to digest function: \"%s\".";
    UNKNOWN_LOCALE = 1649 "HY000" "Unknown locale: '%s'";
    WRONG_FIELD_TERMINATORS = 1083 "42000" "Field separator argument is not what is expected; check the manual";
    TEXTFILE_NOT_READABLE = 1085 "HY000" "The file '%s' must be in the database directory or be readable by all";
    FILE_EXISTS_ERROR = 1086 "HY000" "File '%s' already exists";
    WRONG_SUB_KEY = 1089 "HY000" "Incorrect prefix key; the used key part isn't a string, the used length is longer than the key part, or the storage engine doesn't support unique prefix keys";
    CANT_REMOVE_ALL_FIELDS = 1090 "42000" "You can't delete all columns with ALTER TABLE; use DROP TABLE instead";
    CANT_DROP_FIELD_OR_KEY = 1091 "42000" "Can't DROP '%s'; check that column/key exists";
    UPDATE_TABLE_USED = 1093 "HY000" "You can't specify target table '%s' for update in FROM clause";
    NO_SUCH_THREAD = 1094 "HY000" "Unknown thread id: %s";
    KILL_DENIED_ERROR = 1095 "HY000" "You are not owner of thread %s";
    NO_TABLES_USED = 1096 "HY000" "No tables used";
    TOO_BIG_SET = 1097 "HY000" "Too many strings for column %s and SET";
    BLOB_CANT_HAVE_DEFAULT = 1101 "42000" "BLOB, TEXT, GEOMETRY or JSON column '%s' can't have a default value";
    WRONG_DB_NAME = 1102 "42000" "Incorrect database name '%s'";
    WRONG_TABLE_NAME = 1103 "42000" "Incorrect table name '%s'";
    TOO_BIG_SELECT = 1104 "42000" "The SELECT would examine more than MAX_JOIN_SIZE rows; check your WHERE and use SET SQL_BIG_SELECTS=1 or SET MAX_JOIN_SIZE=# if the SELECT is okay";
    UNKNOWN_ERROR = 1105 "HY000" "%s";
    UNKNOWN_PROCEDURE = 1106 "42000" "Unknown procedure '%s'";
    WRONG_PARAMCOUNT_TO_PROCEDURE = 1107 "42000" "Incorrect parameter count to procedure '%s'";
    UNKNOWN_TABLE = 1109 "42S02" "Unknown table '%s' in %s";
    FIELD_SPECIFIED_TWICE = 1110 "42000" "Column '%s' specified twice";
    INVALID_GROUP_FUNC_USE = 1111 "HY000" "Invalid use of group function";
    RECORD_FILE_FULL = 1114 "HY000" "The table '%s' is full";
    UNKNOWN_CHARACTER_SET = 1115 "42000" "Unknown character set: '%s'";
    TOO_MANY_TABLES = 1116 "HY000" "Too many tables; MySQL can only use %s tables in a join";
    TOO_MANY_FIELDS = 1117 "HY000" "Too many columns";
    TOO_BIG_ROWSIZE = 1118 "42000" "Row size too large. The maximum row size for the used table type, not counting BLOBs, is %s. This includes storage overhead, check the manual. You have to change some columns to TEXT or BLOBs";
    NULL_COLUMN_IN_INDEX = 1121 "42000" "Table handler doesn't support NULL in given index. Please change column '%s' to be NOT NULL or use another handler";
    FUNCTION_NOT_DEFINED = 1128 "HY000" "Function '%s' is not defined";
    HOST_NOT_PRIVILEGED = 1130 "HY000" "Host '%s' is not allowed to connect to this MySQL server";
    PASSWORD_NO_MATCH = 1133 "42000" "Can't find any matching row in the user table";
    WRONG_VALUE_COUNT_ON_ROW = 1136 "21S01" "Column count doesn't match value count at row %s";
    CANT_REOPEN_TABLE = 1137 "HY000" "Can't reopen table: '%s'";
    INVALID_USE_OF_NULL = 1138 "22004" "Invalid use of NULL value";
    REGEXP_ERROR = 1139 "42000" "Got error '%s' from regexp";
    MIX_OF_GROUP_FUNC_AND_FIELDS = 1140 "42000" "In aggregated query without GROUP BY, expression #%s of %s contains nonaggregated column '%s'; this is incompatible with sql_mode=only_full_group_by";
    NONEXISTING_GRANT = 1141 "42000" "There is no such grant defined for user '%s' on host '%s'";
    TABLEACCESS_DENIED_ERROR = 1142 "42000" "%s command denied to user '%s'@'%s' for table '%s'";
    COLUMNACCESS_DENIED_ERROR = 1143 "42000" "%s command denied to user '%s'@'%s' for column '%s' in table '%s'";
    NO_SUCH_TABLE = 1146 "42S02" "Table '%s.%s' doesn't exist";
    SYNTAX_ERROR = 1149 "42000" "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use";
    NET_PACKET_TOO_LARGE = 1153 "08S01" "Got a packet bigger than 'max_allowed_packet' bytes";
    NET_PACKETS_OUT_OF_ORDER = 1156 "08S01" "Got packets out of order";
    NET_UNCOMPRESS_ERROR = 1157 "08S01" "Couldn't uncompress communication packet";
    NET_READ_ERROR = 1158 "08S01" "Got an error reading communication packets";
    NET_READ_INTERRUPTED = 1159 "08S01" "Got timeout reading communication packets";
    NET_ERROR_ON_WRITE = 1160 "08S01" "Got an error writing communication packets";
    NET_WRITE_INTERRUPTED = 1161 "08S01" "Got timeout writing communication packets";
    TOO_LONG_STRING = 1162 "42000" "Result string is longer than 'max_allowed_packet' bytes";
    WRONG_COLUMN_NAME = 1166 "42000" "Incorrect column name '%s'";
    WRONG_KEY_COLUMN = 1167 "42000" "The used storage engine can't index column '%s'";
    DUP_UNIQUE = 1169 "23000" "Can't write, because of unique constraint, to table '%s'";
    BLOB_KEY_WITHOUT_LENGTH = 1170 "42000" "BLOB/TEXT column '%s' used in key specification without a key length";
    PRIMARY_CANT_HAVE_NULL = 1171 "42000" "All parts of a PRIMARY KEY must be NOT NULL; if you need NULL in a key, use UNIQUE instead";
    TOO_MANY_ROWS = 1172 "42000" "Result consisted of more than one row";
    REQUIRES_PRIMARY_KEY = 1173 "42000" "This table type requires a primary key";
    UPDATE_WITHOUT_KEY_IN_SAFE_MODE = 1175 "HY000" "You are using safe update mode and you tried to update a table without a WHERE that uses a KEY column. %s";
    KEY_DOES_NOT_EXITS = 1176 "42000" "Key '%s' doesn't exist in table '%s'";
    CHECK_NO_SUCH_TABLE = 1177 "42000" "Can't open table";
    ERROR_DURING_COMMIT = 1180 "HY000" "Got error %s - '%s' during COMMIT";
    FT_MATCHING_KEY_NOT_FOUND = 1191 "HY000" "Can't find FULLTEXT index matching the column list";
    UNKNOWN_SYSTEM_VARIABLE = 1193 "HY000" "Unknown system variable '%s'";
    CRASHED_ON_USAGE = 1194 "HY000" "Table '%s' is marked as crashed and should be repaired";
    TRANS_CACHE_FULL = 1197 "HY000" "Multi-statement transaction required more than 'max_binlog_cache_size' bytes of storage; increase this mysqld variable and try again";
    VARIABLE_NOT_SETTABLE_IN_TRANSACTION = 1766 "HY000" "The system variable %s cannot be set when there is an ongoing transaction.";
    MALFORMED_GTID_SET_SPECIFICATION = 1772 "HY000" "Malformed GTID set specification '%s'.";
    MALFORMED_GTID_SPECIFICATION = 1774 "HY000" "Malformed GTID specification '%s'.";
    CANT_DO_IMPLICIT_COMMIT_IN_TRX_WHEN_GTID_NEXT_IS_SET = 1778 "HY000" "Cannot execute statements with implicit commit inside a transaction when @@SESSION.GTID_NEXT == 'UUID:NUMBER'.";
    GTID_MODE_ON_REQUIRES_ENFORCE_GTID_CONSISTENCY_ON = 1779 "HY000" "GTID_MODE = ON requires ENFORCE_GTID_CONSISTENCY = ON.";
    CANT_SET_GTID_NEXT_TO_GTID_WHEN_GTID_MODE_IS_OFF = 1781 "HY000" "@@SESSION.GTID_NEXT cannot be set to UUID:NUMBER when @@GLOBAL.GTID_MODE = OFF.";
    CANT_SET_GTID_NEXT_TO_ANONYMOUS_WHEN_GTID_MODE_IS_ON = 1782 "HY000" "@@SESSION.GTID_NEXT cannot be set to ANONYMOUS when @@GLOBAL.GTID_MODE = ON.";
    GTID_MODE_CAN_ONLY_CHANGE_ONE_STEP_AT_A_TIME = 1788 "HY000" "The value of @@GLOBAL.GTID_MODE can only be changed one step at a time: OFF <-> OFF_PERMISSIVE <-> ON_PERMISSIVE <-> ON. Also note that this value must be stepped up or down simultaneously on all servers. See the Manual for instructions.";
    CANT_SET_GTID_NEXT_WHEN_OWNING_GTID = 1790 "HY000" "@@SESSION.GTID_NEXT cannot be changed by a client that owns a GTID. The client owns %s. Ownership is released on COMMIT or ROLLBACK.";
    GTID_NEXT_TYPE_UNDEFINED_GTID = 1837 "HY000" "When @@SESSION.GTID_NEXT is set to a GTID, you must explicitly set it to a different value after a COMMIT or ROLLBACK. Please check GTID_NEXT variable manual page for detailed explanation. Current @@SESSION.GTID_NEXT is '%s'.";
    GTID_MODE_OFF = 3062 "HY000" "Cannot %s when GTID_MODE = OFF.";
    CANT_SET_GTID_MODE = 3111 "HY000" "SET @@GLOBAL.GTID_MODE = %s is not allowed because %s.";
    CANT_SET_GTID_PURGED_DUE_SETS_CONSTRAINTS = 3546 "HY000" "@@GLOBAL.GTID_PURGED cannot be changed: %s";
    LOCK_WAIT_TIMEOUT = 1205 "HY000" "Lock wait timeout exceeded; try restarting transaction";
    LOCK_TABLE_FULL = 1206 "HY000" "The total number of locks exceeds the lock table size";
    READ_ONLY_TRANSACTION = 1207 "25000" "Update locks cannot be acquired during a READ UNCOMMITTED transaction";
    WRONG_ARGUMENTS = 1210 "HY000" "Incorrect arguments to %s";
    NO_PERMISSION_TO_CREATE_USER = 1211 "42000" "'%s'@'%s' is not allowed to create new users";
    LOCK_DEADLOCK = 1213 "40001" "Deadlock found when trying to get lock; try restarting transaction";
    TABLE_CANT_HANDLE_FT = 1214 "HY000" "The used table type doesn't support FULLTEXT indexes";
    CANNOT_ADD_FOREIGN = 1215 "HY000" "Cannot add foreign key constraint";
    NO_REFERENCED_ROW = 1216 "23000" "Cannot add or update a child row: a foreign key constraint fails";
    ROW_IS_REFERENCED = 1217 "23000" "Cannot delete or update a parent row: a foreign key constraint fails";
    WRONG_USAGE = 1221 "HY000" "Incorrect usage of %s and %s";
    WRONG_NUMBER_OF_COLUMNS_IN_SELECT = 1222 "21000" "The used SELECT statements have a different number of columns";
    CANT_UPDATE_WITH_READLOCK = 1223 "HY000" "Can't execute the query because you have a conflicting read lock";
    DUP_ARGUMENT = 1225 "HY000" "Option '%s' used twice in statement";
    SPECIFIC_ACCESS_DENIED_ERROR = 1227 "42000" "Access denied; you need (at least one of) the %s privilege(s) for this operation";
    LOCAL_VARIABLE = 1228 "HY000" "Variable '%s' is a SESSION variable and can't be used with SET GLOBAL";
    GLOBAL_VARIABLE = 1229 "HY000" "Variable '%s' is a GLOBAL variable and should be set with SET GLOBAL";
    NO_DEFAULT = 1230 "42000" "Variable '%s' doesn't have a default value";
    WRONG_VALUE_FOR_VAR = 1231 "42000" "Variable '%s' can't be set to the value of '%s'";
    WRONG_TYPE_FOR_VAR = 1232 "42000" "Incorrect argument type to variable '%s'";
    VAR_CANT_BE_READ = 1233 "HY000" "Variable '%s' can only be set, not read";
    CANT_USE_OPTION_HERE = 1234 "42000" "Incorrect usage/placement of '%s'";
    NOT_SUPPORTED_YET = 1235 "42000" "This version of MySQL doesn't yet support '%s'";
    INCORRECT_GLOBAL_LOCAL_VAR = 1238 "HY000" "Variable '%s' is a %s variable";
    WRONG_FK_DEF = 1239 "42000" "Incorrect foreign key definition for '%s': %s";
    KEY_REF_DO_NOT_MATCH_TABLE_REF = 1240 "HY000" "Key reference and table reference don't match";
    OPERAND_COLUMNS = 1241 "21000" "Operand should contain %s column(s)";
    SUBQUERY_NO_1_ROW = 1242 "21000" "Subquery returns more than 1 row";
    UNKNOWN_STMT_HANDLER = 1243 "HY000" "Unknown prepared statement handler (%s) given to %s";
    ILLEGAL_REFERENCE = 1247 "42S22" "Reference '%s' not supported (%s)";
    DERIVED_MUST_HAVE_ALIAS = 1248 "42000" "Every derived table must have its own alias";
    SELECT_REDUCED = 1249 "01000" "Select %s was reduced during optimization";
    TABLENAME_NOT_ALLOWED_HERE = 1250 "42000" "Table '%s' from one of the SELECTs cannot be used in %s";
    NOT_SUPPORTED_AUTH_MODE = 1251 "08004" "Client does not support authentication protocol requested by server; consider upgrading MySQL client";
    SPATIAL_CANT_HAVE_NULL = 1252 "42000" "All parts of a SPATIAL index must be NOT NULL";
    COLLATION_CHARSET_MISMATCH = 1253 "42000" "COLLATION '%s' is not valid for CHARACTER SET '%s'";
    WARN_TOO_FEW_RECORDS = 1261 "01000" "Row %s doesn't contain data for all columns";
    WARN_TOO_MANY_RECORDS = 1262 "01000" "Row %s was truncated; it contained more data than there were input columns";
    WARN_NULL_TO_NOTNULL = 1263 "22004" "Column set to default value; NULL supplied to NOT NULL column '%s' at row %s";
    WARN_DATA_OUT_OF_RANGE = 1264 "22003" "Out of range value for column '%s' at row %s";
    WARN_DATA_TRUNCATED = 1265 "01000" "Data truncated for column '%s' at row %s";
    CANT_AGGREGATE_2COLLATIONS = 1267 "HY000" "Illegal mix of collations (%s,%s) and (%s,%s) for operation '%s'";
    CANT_AGGREGATE_3COLLATIONS = 1270 "HY000" "Illegal mix of collations (%s,%s), (%s,%s), (%s,%s) for operation '%s'";
    CANT_AGGREGATE_NCOLLATIONS = 1271 "HY000" "Illegal mix of collations for operation '%s'";
    UNKNOWN_COLLATION = 1273 "HY000" "Unknown collation: '%s'";
    OPTION_PREVENTS_STATEMENT = 1290 "HY000" "The MySQL server is running with the %s option so it cannot execute this statement";
    DUPLICATED_VALUE_IN_TYPE = 1291 "HY000" "Column '%s' has duplicated value '%s' in %s";
    TRUNCATED_WRONG_VALUE = 1292 "22007" "Truncated incorrect %s value: '%s'";
    INVALID_ON_UPDATE = 1294 "HY000" "Invalid ON UPDATE clause for '%s' column";
    UNSUPPORTED_PS = 1295 "HY000" "This command is not supported in the prepared statement protocol yet";
    GET_ERRMSG = 1296 "HY000" "Got error %s '%s' from %s";
    UNKNOWN_TIME_ZONE = 1298 "HY000" "Unknown or incorrect time zone: '%s'";
    INVALID_CHARACTER_STRING = 1300 "HY000" "Invalid %s character string: '%s'";
    WARN_ALLOWED_PACKET_OVERFLOWED = 1301 "HY000" "Result of %s() was larger than max_allowed_packet (%s) - truncated";
    SP_ALREADY_EXISTS = 1304 "42000" "%s %s already exists";
    TRG_DOES_NOT_EXIST = 1360 "HY000" "Trigger does not exist";
    EVENT_DOES_NOT_EXIST = 1539 "HY000" "Unknown event '%s'";
    SP_DOES_NOT_EXIST = 1305 "42000" "%s %s does not exist";
    SP_BADSELECT = 1312 "0A000" "PROCEDURE %s can't return a result set in the given context";
    QUERY_INTERRUPTED = 1317 "70100" "Query execution was interrupted";
    SP_WRONG_NO_OF_ARGS = 1318 "42000" "Incorrect number of arguments for %s %s; expected %s, got %s";
    FORBID_SCHEMA_CHANGE = 1450 "HY000" "Changing schema from '%s' to '%s' is not allowed.";
    STMT_NOT_ALLOWED_IN_SF_OR_TRG = 1336 "0A000" "%s is not allowed in stored function or trigger";
    VIEW_SELECT_VARIABLE = 1351 "HY000" "View's SELECT contains a variable or parameter";
    VIEW_SELECT_TMPTABLE = 1352 "HY000" "View's SELECT refers to a temporary table '%s'";
    WARN_VIEW_MERGE = 1354 "HY000" "View merge algorithm can't be used here for now (assumed undefined algorithm)";
    WARN_VIEW_WITHOUT_KEY = 1355 "HY000" "View being updated does not have complete key of underlying table in it";
    VIEW_NONUPD_CHECK = 1368 "HY000" "CHECK OPTION on non-updatable view '%s.%s'";
    PROCACCESS_DENIED_ERROR = 1370 "42000" "%s command denied to user '%s'@'%s' for routine '%s'";
    REPLICA_CHANNEL_DOES_NOT_EXIST = 3074 "HY000" "Replica channel '%s' does not exist.";
    DB_ACCESS_DENIED = 3879 "HY000" "Access denied for AuthId `%s`@`%s` to database '%s'.";
    VIEW_CHECK_FAILED = 1369 "HY000" "CHECK OPTION failed '%s.%s'";
    VIEW_MULTIUPDATE = 1393 "HY000" "Can not modify more than one base table through a join view '%s.%s'";
    VIEW_NO_INSERT_FIELD_LIST = 1394 "HY000" "Can not insert into join view '%s.%s' without fields list";
    VIEW_DELETE_MERGE_VIEW = 1395 "HY000" "Can not delete from join view '%s.%s'";
    NO_DEFAULT_FOR_VIEW_FIELD = 1423 "HY000" "Field of view '%s.%s' underlying table doesn't have a default value";
    VIEW_PREVENT_UPDATE = 1443 "HY000" "The definition of table '%s' prevents operation %s on table '%s'.";
    VIEW_RECURSIVE = 1462 "HY000" "`%s`.`%s` contains view recursion";
    WRONG_STRING_LENGTH = 1470 "HY000" "String '%s' is too long for %s (should be no longer than %s)";
    NON_INSERTABLE_TABLE = 1471 "HY000" "The target table %s of the %s is not insertable-into";
    VIEW_SELECT_CLAUSE = 1350 "HY000" "View's SELECT contains a '%s' clause";
    WRONG_OBJECT = 1347 "HY000" "'%s.%s' is not %s";
    NONUPDATEABLE_COLUMN = 1348 "HY000" "Column '%s' is not updatable";
    NO_DEFAULT_FOR_FIELD = 1364 "HY000" "Field '%s' doesn't have a default value";
    DIVISION_BY_ZERO = 1365 "22012" "Division by 0";
    TRUNCATED_WRONG_VALUE_FOR_FIELD = 1366 "HY000" "Incorrect %s value: '%s' for column '%s' at row %s";
    ILLEGAL_VALUE_FOR_TYPE = 1367 "22007" "Illegal %s '%s' value found during parsing";
    PASSWD_LENGTH = 1372 "HY000" "Password hash should be a %s-digit hexadecimal number";
    XAER_NOTA = 1397 "XAE04" "XAER_NOTA: Unknown XID";
    XAER_INVAL = 1398 "XAE05" "XAER_INVAL: Invalid arguments (or unsupported command)";
    XAER_RMFAIL = 1399 "XAE07" "XAER_RMFAIL: The command cannot be executed when global transaction is in the  %s state";
    XAER_OUTSIDE = 1400 "XAE09" "XAER_OUTSIDE: Some work is done outside global transaction";
    XAER_RMERR = 1401 "XAE03" "XAER_RMERR: Fatal error occurred in the transaction branch - check your data for consistency";
    XA_RBROLLBACK = 1402 "XA100" "XA_RBROLLBACK: Transaction branch was rolled back";
    XAER_DUPID = 1440 "XAE08" "XAER_DUPID: The XID already exists";
    XA_RBTIMEOUT = 1613 "XA106" "XA_RBTIMEOUT: Transaction branch was rolled back: took too long";
    XA_RBDEADLOCK = 1614 "XA102" "XA_RBDEADLOCK: Transaction branch was rolled back: deadlock was detected";
    DA_CANT_OPEN_ERROR_LOG = 4004 "HY000" "Could not open file '%s' for error logging%s%s.";
    XA_TEMP_TABLE = 4091 "HY000" "XA: Temporary tables cannot be accessed inside XA transactions when xa_detach_on_prepare=ON";
    DATA_TOO_LONG = 1406 "22001" "Data too long for column '%s' at row %s";
    STARTUP = 1408 "HY000" "%s: ready for connections. Version: '%s'  socket: '%s'  port: %s  %s";
    TABLE_DEF_CHANGED = 1412 "HY000" "Table definition has changed, please retry transaction";
    CANT_CREATE_GEOMETRY_OBJECT = 1416 "22003" "Cannot get geometry object from data you send to the GEOMETRY field";
    SP_NO_RETSET = 1415 "0A000" "Not allowed to return a result set from a %s";
    COMMIT_NOT_ALLOWED_IN_SF_OR_TRG = 1422 "HY000" "Explicit or implicit commit is not allowed in stored function or trigger.";
    TOO_BIG_SCALE = 1425 "42000" "Too big scale %s specified for column '%s'. Maximum is %s.";
    TOO_BIG_PRECISION = 1426 "42000" "Too-big precision %s specified for '%s'. Maximum is %s.";
    M_BIGGER_THAN_D = 1427 "42000" "For float(M,D), double(M,D) or decimal(M,D), M must be >= D (column '%s').";
    WRONG_LOCK_OF_SYSTEM_TABLE = 1428 "HY000" "You can't combine write-locking of system tables with other tables or lock types";
    NO_TRIGGERS_ON_SYSTEM_SCHEMA = 1465 "HY000" "Triggers can not be created on system tables";
    REFERENCED_TRG_DOES_NOT_EXIST = 3011 "HY000" "Referenced trigger '%s' for the given action time and event type does not exist.";
    UNABLE_TO_UPDATE_DD_OBJECT = 3507 "HY000" "Failed to update %s dictionary object.";
    TRG_ALREADY_EXISTS_ON_TABLE = 4099 "HY000" "Trigger '%s' already exists on the table '%s'.'%s'.";
    IF_NOT_EXISTS_UNSUPPORTED_TRG_EXISTS_ON_DIFFERENT_TABLE = 4100 "HY000" "Trigger '%s'.'%s' already exists on a different table. The 'IF NOT EXISTS' clause is only supported for triggers associated with the same table.";
    TRG_IN_WRONG_SCHEMA = 1435 "HY000" "Trigger in wrong schema";
    STACK_OVERRUN_NEED_MORE = 1436 "HY000" "Thread stack overrun:  %s bytes used of a %s byte stack, and %s bytes needed.  Use 'mysqld --thread_stack=#' to specify a bigger stack.";
    TOO_BIG_DISPLAYWIDTH = 1439 "42000" "Display width out of range for column '%s' (max = %s)";
    DATETIME_FUNCTION_OVERFLOW = 1441 "22008" "Datetime function: %s field overflow";
    CANT_UPDATE_USED_TABLE_IN_SF_OR_TRG = 1442 "HY000" "Can't update table '%s' in stored function/trigger because it is already used by statement which invoked this stored function/trigger.";
    ROW_IS_REFERENCED_2 = 1451 "23000" "Cannot delete or update a parent row: a foreign key constraint fails (%s)";
    NO_REFERENCED_ROW_2 = 1452 "23000" "Cannot add or update a child row: a foreign key constraint fails (%s)";
    BAD_FT_COLUMN = 1283 "HY000" "Column '%s' cannot be part of FULLTEXT index";
    CANT_SET_ERROR_LOG_SERVICE = 3701 "HY000" "Value for %s got confusing at or around \"%s\". Syntax may be wrong, component may not be INSTALLed, or a component that does not support instances may be listed more than once.";
    EMPTY_PIPELINE_FOR_ERROR_LOG_SERVICE = 3702 "HY000" "Setting an empty %s pipeline disables error logging!";
    CANT_SET_ERROR_SUPPRESSION_LIST = 3735 "HY000" "%s: Could not add suppression rule for code \"%s\". Rule-set may be full, or code may not correspond to an error-log message.";
    CLONE_DONOR = 3862 "HY000" "Clone Donor Error: %s.";
    CLONE_TOO_MANY_CONCURRENT_CLONES = 3634 "HY000" "Too many concurrent clone operations. Maximum allowed - %s.";
    CLONE_CONFIG = 3868 "HY000" "Clone Configuration %s: Donor value: %s is different from Recipient value: %s.";
    CLONE_LOOPBACK = 3871 "HY000" "Clone cannot use loop back connection while cloning into current data directory.";
    CLONE_SYS_CONFIG = 3869 "HY000" "Clone system configuration: %s";
    RESTART_SERVER_FAILED = 3707 "HY000" "Restart server failed (%s).";
    INNODB_NO_FT_TEMP_TABLE = 1796 "HY000" "Cannot create FULLTEXT index on temporary InnoDB table";
    INNODB_ONLINE_LOG_TOO_BIG = 1799 "HY000" "Creating index '%s' required more than 'innodb_online_alter_log_max_size' bytes of modification log. Please try again.";
    KEY_PART_0 = 1391 "HY000" "Key part '%s' length cannot be 0";
    PS_MANY_PARAM = 1390 "HY000" "Prepared statement contains too many placeholders";
    SP_BAD_CURSOR_SELECT = 1323 "42000" "Cursor SELECT must not have INTO";
    MAX_PREPARED_STMT_COUNT_REACHED = 1461 "42000" "Can't create more than max_prepared_stmt_count statements (current value: %s)";
    WRONG_PARAMETERS_TO_NATIVE_FCT = 1583 "42000" "Incorrect parameters in the call to native function '%s'";
    WRONG_PARAMCOUNT_TO_NATIVE_FCT = 1582 "42000" "Incorrect parameter count in the call to native function '%s'";
    NATIVE_FCT_NAME_COLLISION = 1585 "HY000" "This function '%s' has the same name as a native function";
    DUP_ENTRY_WITH_KEY_NAME = 1586 "23000" "Duplicate entry '%s' for key '%s'";
    PARTITION_MGMT_ON_NONPARTITIONED = 1505 "HY000" "Partition management on a not partitioned table is not possible";
    PARTITION_CLAUSE_ON_NONPARTITIONED = 1747 "HY000" "PARTITION () clause on non partitioned table";
    WARN_DEPRECATED_UTF8MB3_COLLATION = 3778 "HY000" "'%s' is a collation of the deprecated character set UTF8MB3. Please consider using UTF8MB4 with an appropriate collation instead.";
    WARN_DEPRECATED_COLLATION = 4079 "HY000" "'%s' is a collation of the deprecated character set %s. Please consider using %s with an appropriate collation instead.";
    WARN_DEPRECATED_SQLMODE = 3090 "HY000" "Changing sql mode '%s' is deprecated. It will be removed in a future release.";
    WARN_DEPRECATED_SYNTAX = 1287 "HY000" "'%s' is deprecated and will be removed in a future release. Please use %s instead";
    CANT_CHANGE_TX_CHARACTERISTICS = 1568 "25001" "Transaction characteristics can't be changed while a transaction is in progress";
    FUNC_INEXISTENT_NAME_COLLISION = 1630 "42000" "FUNCTION %s does not exist. Check the 'Function Name Parsing and Resolution' section in the Reference Manual";
    TOO_MANY_CONCURRENT_TRXS = 1637 "HY000" "Too many active concurrent transactions";
    FIELD_TYPE_NOT_ALLOWED_AS_PARTITION_FIELD = 1659 "HY000" "Field '%s' is of a not allowed type for this type of partitioning";
    DATA_OUT_OF_RANGE = 1690 "22003" "%s value is out of range in '%s'";
    INDEX_CORRUPT = 1712 "HY000" "Index %s is corrupted";
    TABLE_IN_FK_CHECK = 1725 "HY000" "Table is being used in foreign key check.";
    UNKNOWN_EXPLAIN_FORMAT = 1791 "HY000" "Unknown EXPLAIN format name: '%s'";
    CANT_EXECUTE_IN_READ_ONLY_TRANSACTION = 1792 "25006" "Cannot execute statement in a READ ONLY transaction.";
    INVALID_YEAR_COLUMN_LENGTH = 1818 "HY000" "Invalid display width. Use YEAR instead.";
    FK_COLUMN_CANNOT_DROP = 1828 "HY000" "Cannot drop column '%s': needed in a foreign key constraint '%s'";
    ALTER_OPERATION_NOT_SUPPORTED = 1845 "0A000" "%s is not supported for this operation. Try %s.";
    TOO_LONG_TABLE_COMMENT = 1628 "HY000" "Comment for table '%s' is too long (max = %s)";
    TOO_LONG_FIELD_COMMENT = 1629 "HY000" "Comment for field '%s' is too long (max = %s)";
    TOO_LONG_INDEX_COMMENT = 1688 "HY000" "Comment for index '%s' is too long (max = %s)";
    ALTER_OPERATION_NOT_SUPPORTED_REASON = 1846 "0A000" "%s is not supported. Reason: %s. Try %s.";
    DUP_UNKNOWN_IN_INDEX = 1859 "23000" "Duplicate entry for key '%s'";
    ACCESS_DENIED_NO_PASSWORD_ERROR = 1698 "28000" "Access denied for user '%s'@'%s'";
    MULTI_UPDATE_KEY_CONFLICT = 1706 "HY000" "Primary key/partition key update is not allowed since the table is updated both as '%s' and '%s'.";
    SET_PASSWORD_AUTH_PLUGIN = 1699 "HY000" "SET PASSWORD has no significance for user '%s'@'%s' as authentication plugin does not support it";
    MUST_CHANGE_PASSWORD = 1820 "HY000" "You must reset your password using ALTER USER statement before executing this statement.";
    INNODB_FORCED_RECOVERY = 1881 "HY000" "Operation not allowed when innodb_force_recovery > 0.";
    INNODB_READ_ONLY = 1874 "HY000" "InnoDB is in read only mode.";
    QUERY_TIMEOUT = 3024 "HY000" "Query execution was interrupted, maximum statement execution time exceeded";
    INVALID_ARGUMENT_ERROR = 3047 "HY000" "Invalid argument error: %s in function %s.";
    USER_LOCK_WRONG_NAME = 3057 "42000" "Incorrect user-level lock name '%s'. The name is empty, NULL, or can not be expressed in the current character-set.";
    USER_LOCK_DEADLOCK = 3058 "HY000" "Deadlock found when trying to get user-level lock; try rolling back transaction/releasing locks and restarting lock acquisition.";
    AGGREGATE_ORDER_FOR_UNION = 3028 "HY000" "Expression #%s of ORDER BY contains aggregate function and applies to a UNION, EXCEPT or INTERSECT";
    AGGREGATE_ORDER_NON_AGG_QUERY = 3029 "HY000" "Expression #%s of ORDER BY contains aggregate function and applies to the result of a non-aggregated query";
    AGGREGATE_IN_ORDER_NOT_SELECT = 3066 "HY000" "Expression #%s of ORDER BY clause is not in SELECT list, contains aggregate function; this is incompatible with %s";
    ILLEGAL_HA_CREATE_OPTION = 1478 "HY000" "Table storage engine '%s' does not support the create option '%s'";
    TABLESPACE_MISSING_WITH_NAME = 3510 "HY000" "Tablespace %s doesn't exist.";
    RESERVED_TABLESPACE_NAME = 3723 "HY000" "The table '%s' may not be created in the reserved tablespace '%s'.";
    WRONG_TABLESPACE_NAME = 3119 "42000" "Incorrect tablespace name `%s`";
    TABLE_SCHEMA_MISMATCH = 1808 "HY000" "Schema mismatch (%s)";
    IO_READ_ERROR = 1810 "HY000" "IO Read error: (%s, %s) %s";
    IO_WRITE_ERROR = 1811 "HY000" "IO Write error: (%s, %s) %s";
    TABLESPACE_MISSING = 1812 "HY000" "Tablespace is missing for table %s.";
    TABLESPACE_EXISTS = 1813 "HY000" "Tablespace '%s' exists.";
    TABLESPACE_DISCARDED = 1814 "HY000" "Tablespace is discarded for table, '%s'";
    INTERNAL_ERROR = 1815 "HY000" "Internal error: %s";
    CANNOT_DISCARD_TEMPORARY_TABLE = 3007 "HY000" "Cannot DISCARD/IMPORT tablespace associated with temporary table";
    UNSUPPORTED_EXTENSION = 1112 "42000" "Table '%s' uses an extension that doesn't exist in this MySQL version";
    FIELD_IN_ORDER_NOT_SELECT = 3065 "HY000" "Expression #%s of ORDER BY clause is not in SELECT list, references column '%s' which is not in SELECT list; this is incompatible with %s";
    INVALID_JSON_TEXT = 3140 "22032" "Invalid JSON text: \"%s\" at position %s in value for column '%s'.";
    INVALID_JSON_TEXT_IN_PARAM = 3141 "22032" "Invalid JSON text in argument %s to function %s: \"%s\" at position %s.";
    REPLACE_INACCESSIBLE_ROWS = 3059 "HY000" "REPLACE cannot be executed as it requires deleting rows that are not in the view";
    ILLEGAL_USER_VAR = 3061 "42000" "User variable name '%s' is illegal";
    INCORRECT_TYPE = 3064 "HY000" "Incorrect type for argument %s in function %s.";
    INVALID_JSON_PATH = 3143 "42000" "Invalid JSON path expression. The error is around character position %s.";
    INVALID_JSON_CHARSET = 3144 "22032" "Cannot create a JSON value from a string with CHARACTER SET '%s'.";
    INVALID_TYPE_FOR_JSON = 3146 "22032" "Invalid data type for JSON data in argument %s to function %s; a JSON string or JSON type is required.";
    INVALID_JSON_PATH_WILDCARD = 3149 "42000" "In this situation, path expressions may not contain the * and ** tokens or an array range.";
    JSON_VALUE_TOO_BIG = 3150 "22032" "The JSON value is too big to be stored in a JSON column.";
    JSON_KEY_TOO_BIG = 3151 "22032" "The JSON object contains a key name that is too long.";
    JSON_USED_AS_KEY = 3152 "42000" "JSON column '%s' supports indexing only via generated columns on a specified JSON path.";
    JSON_VACUOUS_PATH = 3153 "42000" "The path expression '$' is not allowed in this context.";
    JSON_BAD_ONE_OR_ALL_ARG = 3154 "42000" "The oneOrAll argument to %s may take these values: 'one' or 'all'.";
    NUMERIC_JSON_VALUE_OUT_OF_RANGE = 3155 "22003" "Out of range JSON value for CAST to %s from column %s at row %s";
    INVALID_JSON_VALUE_FOR_CAST = 3156 "22018" "Invalid JSON value for CAST to %s from column %s at row %s";
    JSON_DOCUMENT_TOO_DEEP = 3157 "22032" "The JSON document exceeds the maximum depth.";
    JSON_DOCUMENT_NULL_KEY = 3158 "22032" "JSON documents may not contain NULL member names.";
    INVALID_JSON_PATH_ARRAY_CELL = 3165 "42000" "A path expression is not a path to a cell in an array.";
    MISSING_JSON_TABLE_VALUE = 3665 "22035" "Missing value for JSON_TABLE column '%s'";
    WRONG_JSON_TABLE_VALUE = 3666 "2203F" "Can't store an array or an object in the scalar JSON_TABLE column '%s'";
    TF_MUST_HAVE_ALIAS = 3667 "42000" "Every table function must have an alias";
    JT_VALUE_OUT_OF_RANGE = 3669 "22003" "Value is out of range for JSON_TABLE's column '%s'";
    INVALID_JSON_TYPE = 3853 "22032" "Invalid JSON type in argument %s to function %s; an %s is required.";
    PERSIST_ONLY_ACCESS_DENIED_ERROR = 3630 "42000" "Access denied; you need %s privileges for this operation";
    CLIENT_DOES_NOT_SUPPORT = 3640 "HY000" "The client doesn't support %s";
    MULTIPLE_INTO_CLAUSES = 3953 "HY000" "Multiple INTO clauses in one query block.";
    MISPLACED_INTO = 3954 "HY000" "Misplaced INTO clause, INTO is not allowed inside subqueries, and must be placed at end of UNION clauses.";
    WARN_BINLOG_PARTIAL_UPDATES_SUGGESTS_PARTIAL_IMAGES = 3647 "HY000" "When %s, the option binlog_row_value_options=%s will be used only for the after-image. Full values will be written in the before-image, so the saving in disk space due to binlog_row_value_options is limited to less than 50%.";
    COULD_NOT_APPLY_JSON_DIFF = 3648 "HY000" "Could not apply JSON diff in table %s, column %s.";
    WARN_DEPRECATED_INNER_INTO = 3962 "HY000" "The INTO clause is deprecated inside query blocks of query expressions and will be removed in a future release. Please move the INTO clause to the end of statement instead.";
    DA_SSL_LIBRARY_ERROR = 3888 "HY000" "Failed to set up SSL because of the following SSL library error: %s";
    SECONDARY_ENGINE = 3889 "HY000" "Secondary engine operation failed. %s.";
    EXPLAIN_INTO_IMPLICIT_FORMAT_NOT_SUPPORTED = 6006 "0A000" "EXPLAIN INTO does not support implicit FORMAT.";
    SUPPORTED_ONLY_WITH_HYPERGRAPH = 6037 "HY000" "'%s' can be used only if the hypergraph optimizer is enabled.";
    TABLESAMPLE_PERCENTAGE = 6107 "2202H" "Tablesample percentage should range between 0 and 100.";
    MISSING_JSON_VALUE = 3966 "22035" "No value was found by '%s' on the specified path.";
    IMPLICIT_COMPARISON_FOR_JSON = 3986 "HY000" "Evaluating a JSON value in SQL boolean context does an implicit comparison against JSON integer 0; if this is not what you want, consider converting JSON to a SQL numeric type with JSON_VALUE RETURNING";
    MULTIPLE_JSON_VALUES = 3967 "22034" "More than one value was found by '%s' on the specified path.";
    CAPACITY_EXCEEDED = 3170 "HY000" "Memory capacity of %s bytes for '%s' exceeded. %s";
    LOCK_NOWAIT = 3572 "HY000" "Statement aborted because lock(s) could not be acquired immediately and NOWAIT is set.";
    IS_QUERY_INVALID_CLAUSE = 3550 "HY000" "Information schema queries do not support the '%s' clause.";
    DUPLICATE_TABLE_LOCK = 3569 "HY000" "Table %s appears in multiple locking clauses.";
    UNRESOLVED_TABLE_LOCK = 3568 "HY000" "Unresolved table name %s in locking clause.";
    AUTO_CONVERT = 1246 "HY000" "Converting column '%s' from %s to %s";
    FEATURE_DISABLED = 1289 "HY000" "The '%s' feature is disabled; you need MySQL built with '%s' to have it working";
    INVALID_FIELD_SIZE = 3013 "HY000" "Invalid size for column '%s'.";
    WARN_AES_KEY_SIZE = 3237 "HY000" "AES key size should be %s bytes length or secure KDF methods hkdf or pbkdf2_hmac should be used, please provide exact AES key size or use KDF methods for better security.";
    AES_INVALID_KDF_OPTION_SIZE = 3238 "HY000" "KDF option size is invalid, please provide valid size < %s bytes and not NULL";
    TOO_LONG_SET_ENUM_VALUE = 3505 "HY000" "Too long enumeration/set value for column %s.";
    RENAME_ROLE = 3532 "HY000" "Renaming of a role identifier is forbidden";
    UNDISCLOSED_PARSE_ERROR_IN_DIGEST_FN = 3677 "HY000" "Could not parse argument to digest function.";
    REGEXP_UNIMPLEMENTED = 3690 "HY000" "The regular expression contains a feature that is not implemented in this library version.";
    REGEXP_LOOK_BEHIND_LIMIT = 3695 "HY000" "The look-behind assertion exceeds the limit in regular expression.";
    FUNCTIONAL_INDEX_ROW_VALUE_IS_NOT_ALLOWED = 3800 "HY000" "Expression of functional index '%s' cannot refer to a row value.";
    STATEMENT_NOT_ALLOWED_AFTER_START_TRANSACTION = 3977 "HY000" "Only BINLOG INSERT, COMMIT and ROLLBACK statements are allowed after CREATE TABLE with START TRANSACTION statement.";
    FOREIGN_KEY_WITH_ATOMIC_CREATE_SELECT = 3978 "HY000" "Foreign key creation is not allowed with CREATE TABLE as SELECT and CREATE TABLE with START TRANSACTION statement.";
    NOT_ALLOWED_WITH_START_TRANSACTION = 3979 "HY000" "START TRANSACTION clause cannot be used %s.";
    INVALID_JSON_ATTRIBUTE = 3980 "HY000" "Invalid json attribute, error: \"%s\" at pos %s: '%s'";
    ENGINE_ATTRIBUTE_NOT_SUPPORTED = 3981 "HY000" "Storage engine '%s' does not support ENGINE_ATTRIBUTE.";
    INNODB_COMPRESSION_FAILURE = 4029 "HY000" "Compression failed with the following error : %s";
    WARN_UNSUPPORTED_ACL_TABLES_READ = 4009 "HY000" "Reads with serializable isolation/SELECT FOR SHARE are not supported for ACL tables.";
    TABLE_MUST_HAVE_A_VISIBLE_COLUMN = 4028 "HY000" "A table must have at least one visible column.";
    EXPLAIN_INTO_FORMAT_NOT_SUPPORTED = 6007 "0A000" "EXPLAIN INTO does not support FORMAT=%s.";
    EXPLAIN_INTO_FOR_CONNECTION_NOT_SUPPORTED = 6009 "0A000" "EXPLAIN FOR CONNECTION does not support the INTO clause.";
    WARN_OPTION_BELOW_LIMIT = 1708 "HY000" "The value of '%s' should be no less than the value of '%s'";
    WARN_INVALID_TIMESTAMP = 1299 "HY000" "Invalid TIMESTAMP value in column '%s' at row %s";
    INVALID_NO_OF_ARGS = 3601 "HY000" "Too many arguments for function %s: %s; maximum allowed is %s.";
    USER_REFERENCED_AS_DEFINER = 4005 "HY000" "User %s is referenced as a definer account in %s.";
    CANNOT_USER_REFERENCED_AS_DEFINER = 4006 "HY000" "Operation %s failed for %s as it is referenced as a definer account in %s.";
    GIPK_COLUMN_EXISTS = 4108 "HY000" "Failed to generate invisible primary key. Column 'my_row_id' already exists.";
    GIPK_FAILED_AUTOINC_COLUMN_EXISTS = 4109 "HY000" "Failed to generate invisible primary key. Auto-increment column already exists.";
    GIPK_COLUMN_ALTER_NOT_ALLOWED = 4110 "HY000" "Altering generated invisible primary key column 'my_row_id' is not allowed.";
    DROP_PK_COLUMN_TO_DROP_GIPK = 4111 "HY000" "Please drop primary key column to be able to drop generated invisible primary key.";
    CTE_RECURSIVE_NOT_UNION = 4114 "HY000" "Recursive table reference in EXCEPT or INTERSECT operand is not allowed.";
    CTE_RECURSIVE_REQUIRES_UNION = 3573 "HY000" "Recursive Common Table Expression '%s' should contain a UNION";
    WINDOW_INVALID_WINDOW_FUNC_USE = 3593 "HY000" "You cannot use the window function '%s' in this context.'";
    CTE_RECURSIVE_REQUIRES_NONRECURSIVE_FIRST = 3574 "HY000" "Recursive Common Table Expression '%s' should have one or more non-recursive query blocks followed by one or more recursive ones";
    CTE_RECURSIVE_FORBIDS_AGGREGATION = 3575 "HY000" "Recursive Common Table Expression '%s' can contain neither aggregation nor window functions in recursive query block";
    CTE_RECURSIVE_FORBIDDEN_JOIN_ORDER = 3576 "HY000" "In recursive query block of Recursive Common Table Expression '%s', the recursive table must neither be in the right argument of a LEFT JOIN, nor be forced to be non-first with join order hints";
    CTE_RECURSIVE_REQUIRES_SINGLE_REFERENCE = 3577 "HY000" "In recursive query block of Recursive Common Table Expression '%s', the recursive table must be referenced only once, and not in any subquery";
    WINDOW_NO_SUCH_WINDOW = 3579 "HY000" "Window name '%s' is not defined.";
    WINDOW_CIRCULARITY_IN_WINDOW_GRAPH = 3580 "HY000" "There is a circularity in the window dependency graph.";
    WINDOW_NO_CHILD_PARTITIONING = 3581 "HY000" "A window which depends on another cannot define partitioning.";
    WINDOW_NO_INHERIT_FRAME = 3582 "HY000" "Window '%s' has a frame definition, so cannot be referenced by another window.";
    WINDOW_NO_REDEFINE_ORDER_BY = 3583 "HY000" "Window '%s' cannot inherit '%s' since both contain an ORDER BY clause.";
    WINDOW_FRAME_START_ILLEGAL = 3584 "HY000" "Window '%s': frame start cannot be UNBOUNDED FOLLOWING.";
    WINDOW_FRAME_END_ILLEGAL = 3585 "HY000" "Window '%s': frame end cannot be UNBOUNDED PRECEDING.";
    WINDOW_FRAME_ILLEGAL = 3586 "HY000" "Window '%s': frame start or end is negative, NULL or of non-integral type";
    WINDOW_RANGE_FRAME_ORDER_TYPE = 3587 "HY000" "Window '%s' with RANGE N PRECEDING/FOLLOWING frame requires exactly one ORDER BY expression, of numeric or temporal type";
    WINDOW_RANGE_FRAME_TEMPORAL_TYPE = 3588 "HY000" "Window '%s' with RANGE frame has ORDER BY expression of datetime type. Only INTERVAL bound value allowed.";
    WINDOW_RANGE_FRAME_NUMERIC_TYPE = 3589 "HY000" "Window '%s' with RANGE frame has ORDER BY expression of numeric type, INTERVAL bound value not allowed.";
    WINDOW_RANGE_BOUND_NOT_CONSTANT = 3590 "HY000" "Window '%s' has a non-constant frame bound.";
    WINDOW_DUPLICATE_NAME = 3591 "HY000" "Window '%s' is defined twice.";
    WINDOW_ILLEGAL_ORDER_BY = 3592 "HY000" "Window '%s': ORDER BY or PARTITION BY uses legacy position indication which is not supported, use expression.";
    WINDOW_INVALID_WINDOW_FUNC_ALIAS_USE = 3594 "HY000" "You cannot use the alias '%s' of an expression containing a window function in this context.'";
    WINDOW_NESTED_WINDOW_FUNC_USE_IN_WINDOW_SPEC = 3595 "HY000" "You cannot nest a window function in the specification of window '%s'.";
    WINDOW_ROWS_INTERVAL_USE = 3596 "HY000" "Window '%s': INTERVAL can only be used with RANGE frames.";
    WINDOW_EXPLAIN_JSON = 3598 "HY000" "To get information about window functions use EXPLAIN FORMAT=JSON";
    WINDOW_FUNCTION_IGNORES_FRAME = 3599 "HY000" "Window function '%s' ignores the frame clause of window '%s' and aggregates over the whole partition";
    FIELD_IN_GROUPING_NOT_GROUP_BY = 3602 "HY000" "Argument #%s of GROUPING function is not in GROUP BY";
    CTE_MAX_RECURSION_DEPTH = 3636 "HY000" "Recursive query aborted after %s iterations. Try increasing @@cte_max_recursion_depth to a larger value.";
    REGEXP_BUFFER_OVERFLOW = 3684 "HY000" "The result string is larger than the result buffer.";
    REGEXP_ILLEGAL_ARGUMENT = 3685 "HY000" "Illegal argument to a regular expression.";
    DROP_INDEX_FK = 1553 "HY000" "Cannot drop index '%s': needed in a foreign key constraint";
    TRUNCATE_ILLEGAL_FK = 1701 "42000" "Cannot truncate a table referenced in a foreign key constraint (%s)";
    FOREIGN_DUPLICATE_KEY_WITH_CHILD_INFO = 1761 "23000" "Foreign key constraint for table '%s', record '%s' would lead to a duplicate entry in table '%s', key '%s'";
    UNKNOWN_ALTER_ALGORITHM = 1800 "HY000" "Unknown ALGORITHM '%s'";
    UNKNOWN_ALTER_LOCK = 1801 "HY000" "Unknown LOCK type '%s'";
    FK_NO_INDEX_CHILD = 1821 "HY000" "Failed to add the foreign key constraint. Missing index for constraint '%s' in the foreign table '%s'";
    FK_NO_INDEX_PARENT = 1822 "HY000" "Failed to add the foreign key constraint. Missing index for constraint '%s' in the referenced table '%s'";
    FK_CANNOT_OPEN_PARENT = 1824 "HY000" "Failed to open the referenced table '%s'";
    FK_DUP_NAME = 1826 "HY000" "Duplicate foreign key constraint name '%s'";
    FK_COLUMN_CANNOT_DROP_CHILD = 1829 "HY000" "Cannot drop column '%s': needed in a foreign key constraint '%s' of table '%s'";
    FK_COLUMN_NOT_NULL = 1830 "HY000" "Column '%s' cannot be NOT NULL: needed in a foreign key constraint '%s' SET NULL";
    FK_COLUMN_CANNOT_CHANGE = 1832 "HY000" "Cannot change column '%s': used in a foreign key constraint '%s'";
    FK_COLUMN_CANNOT_CHANGE_CHILD = 1833 "HY000" "Cannot change column '%s': used in a foreign key constraint '%s' of table '%s'";
    EXPLAIN_NOT_SUPPORTED = 3012 "HY000" "EXPLAIN FOR CONNECTION command is supported only for SELECT/UPDATE/INSERT/DELETE/REPLACE";
    FK_DEPTH_EXCEEDED = 3008 "HY000" "Foreign key cascade delete/update exceeds max depth of %s.";
    GENERATED_COLUMN_FUNCTION_IS_NOT_ALLOWED = 3102 "HY000" "Expression of generated column '%s' contains a disallowed function.";
    WRONG_FK_OPTION_FOR_GENERATED_COLUMN = 3104 "HY000" "Cannot define foreign key with %s clause on a generated column.";
    UNSUPPORTED_ACTION_ON_GENERATED_COLUMN = 3106 "HY000" "'%s' is not supported for generated columns.";
    GENERATED_COLUMN_NON_PRIOR = 3107 "HY000" "Generated column can refer only to generated columns defined prior to it.";
    DEPENDENT_BY_GENERATED_COLUMN = 3108 "HY000" "Column '%s' has a generated column dependency.";
    GENERATED_COLUMN_REF_AUTO_INC = 3109 "HY000" "Generated column '%s' cannot refer to auto-increment column.";
    FK_CANNOT_DROP_PARENT = 3730 "HY000" "Cannot drop table '%s' referenced by a foreign key constraint '%s' on table '%s'.";
    FK_CANNOT_USE_VIRTUAL_COLUMN = 3733 "HY000" "Foreign key '%s' uses virtual column '%s' which is not supported.";
    FK_NO_COLUMN_PARENT = 3734 "HY000" "Failed to add the foreign key constraint. Missing column '%s' for constraint '%s' in the referenced table '%s'";
    FUNCTIONAL_INDEX_ON_JSON_OR_GEOMETRY_FUNCTION = 3753 "42000" "Cannot create a functional index on a function that returns a JSON or GEOMETRY value.";
    FUNCTIONAL_INDEX_REF_AUTO_INCREMENT = 3754 "HY000" "Functional index '%s' cannot refer to an auto-increment column.";
    CANNOT_DROP_COLUMN_FUNCTIONAL_INDEX = 3755 "HY000" "Cannot drop column '%s' because it is used by a functional index. In order to drop the column, you must remove the functional index.";
    FUNCTIONAL_INDEX_PRIMARY_KEY = 3756 "HY000" "The primary key cannot be a functional index";
    FUNCTIONAL_INDEX_ON_LOB = 3757 "HY000" "Cannot create a functional index on an expression that returns a BLOB or TEXT. Please consider using CAST.";
    FUNCTIONAL_INDEX_FUNCTION_IS_NOT_ALLOWED = 3758 "HY000" "Expression of functional index '%s' contains a disallowed function.";
    FULLTEXT_FUNCTIONAL_INDEX = 3759 "HY000" "Fulltext functional index is not supported.";
    SPATIAL_FUNCTIONAL_INDEX = 3760 "HY000" "Spatial functional index is not supported.";
    WRONG_KEY_COLUMN_FUNCTIONAL_INDEX = 3761 "HY000" "The used storage engine cannot index the expression '%s'.";
    FUNCTIONAL_INDEX_ON_FIELD = 3762 "HY000" "Functional index on a column is not supported. Consider using a regular index instead.";
    GENERATED_COLUMN_NAMED_FUNCTION_IS_NOT_ALLOWED = 3763 "HY000" "Expression of generated column '%s' contains a disallowed function: %s.";
    GENERATED_COLUMN_ROW_VALUE = 3764 "HY000" "Expression of generated column '%s' cannot refer to a row value.";
    GENERATED_COLUMN_VARIABLES = 3765 "HY000" "Expression of generated column '%s' cannot refer user or system variables.";
    DEPENDENT_BY_DEFAULT_GENERATED_VALUE = 3766 "HY000" "Column '%s' of table '%s' has a default value expression dependency and cannot be dropped or renamed.";
    DEFAULT_VAL_GENERATED_NON_PRIOR = 3767 "HY000" "Default value expression of column '%s' cannot refer to a column defined after it if that column is a generated column or has an expression as default value.";
    DEFAULT_VAL_GENERATED_REF_AUTO_INC = 3768 "HY000" "Default value expression of column '%s' cannot refer to an auto-increment column.";
    DEFAULT_VAL_GENERATED_FUNCTION_IS_NOT_ALLOWED = 3769 "HY000" "Default value expression of column '%s' contains a disallowed function.";
    DEFAULT_VAL_GENERATED_NAMED_FUNCTION_IS_NOT_ALLOWED = 3770 "HY000" "Default value expression of column '%s' contains a disallowed function: %s.";
    DEFAULT_VAL_GENERATED_ROW_VALUE = 3771 "HY000" "Default value expression of column '%s' cannot refer to a row value.";
    DEFAULT_VAL_GENERATED_VARIABLES = 3772 "HY000" "Default value expression of column '%s' cannot refer user or system variables.";
    LOAD_FROM_FIXED_SIZE_ROWS_TO_VAR = 1409 "HY000" "Can't load value from file with fixed size rows to variable";
    REMOVED_SPACES = 1466 "HY000" "Leading spaces are removed from name '%s'";
    AMBIGUOUS_FIELD_TERM = 1475 "HY000" "First character of the FIELDS TERMINATED string is ambiguous; please use non-optional and non-empty FIELDS ENCLOSED BY";
    WARN_NON_ASCII_SEPARATOR_NOT_IMPLEMENTED = 1638 "HY000" "Non-ASCII separator arguments are not fully supported";
    NAME_BECOMES_EMPTY = 1474 "HY000" "Name '%s' has become ''";
    INVALID_BITWISE_OPERANDS_SIZE = 3513 "HY000" "Binary operands of bitwise operators must be of equal length";
    INVALID_BITWISE_AGGREGATE_OPERANDS_SIZE = 3514 "HY000" "Aggregate bitwise functions cannot accept arguments longer than 511 bytes; consider using the SUBSTRING() function";
    DEFAULT_AS_VAL_GENERATED = 3773 "HY000" "DEFAULT function cannot be used with default value expressions";
    FK_INCOMPATIBLE_COLUMNS = 3780 "HY000" "Referencing column '%s' and referenced column '%s' in foreign key constraint '%s' are incompatible.";
    NON_BOOLEAN_EXPR_FOR_CHECK_CONSTRAINT = 3812 "HY000" "An expression of non-boolean type specified to a check constraint '%s'.";
    COLUMN_CHECK_CONSTRAINT_REFERENCES_OTHER_COLUMN = 3813 "HY000" "Column check constraint '%s' references other column.";
    CHECK_CONSTRAINT_NAMED_FUNCTION_IS_NOT_ALLOWED = 3814 "HY000" "An expression of a check constraint '%s' contains disallowed function: %s.";
    CHECK_CONSTRAINT_FUNCTION_IS_NOT_ALLOWED = 3815 "HY000" "An expression of a check constraint '%s' contains disallowed function.";
    CHECK_CONSTRAINT_VARIABLES = 3816 "HY000" "An expression of a check constraint '%s' cannot refer to a user or system variable.";
    CHECK_CONSTRAINT_ROW_VALUE = 3817 "HY000" "Check constraint '%s' cannot refer to a row value.";
    CHECK_CONSTRAINT_REFERS_AUTO_INCREMENT_COLUMN = 3818 "HY000" "Check constraint '%s' cannot refer to an auto-increment column.";
    CHECK_CONSTRAINT_REFERS_UNKNOWN_COLUMN = 3820 "HY000" "Check constraint '%s' refers to non-existing column '%s'.";
    CHECK_CONSTRAINT_CLAUSE_USING_FK_REFER_ACTION_COLUMN = 3823 "HY000" "Column '%s' cannot be used in a check constraint '%s': needed in a foreign key constraint '%s' referential action.";
    DEPENDENT_BY_FUNCTIONAL_INDEX = 3837 "HY000" "Column '%s' has a functional index dependency and cannot be dropped or renamed.";
    MULTIPLE_CONSTRAINTS_WITH_SAME_NAME = 3939 "HY000" "Table has multiple constraints with the name '%s'. Please use constraint specific '%s' clause.";
    USER_LOCK_OVERLONG_NAME = 4163 "42000" "User-level lock name '%s' should not exceed %s characters.";
    WARN_DEPRECATED_WITH_NOTE = 4166 "HY000" "'%s' is deprecated and will be removed in a future release. Foreign key referring to non-unique or partial keys is unsafe and may break replication.";
    DEPENDENT_BY_CHECK_CONSTRAINT = 3959 "HY000" "Check constraint '%s' uses column '%s', hence column cannot be dropped or renamed.";
    WARN_DEPRECATED_NON_STANDARD_KEY = 6124 "HY000" "Foreign key '%s' refers to non-unique key or partial key. This is deprecated and will be removed in a future release.";
    FK_NO_UNIQUE_INDEX_PARENT = 6125 "HY000" "Failed to add the foreign key constraint. Missing unique key for constraint '%s' in the referenced table '%s'";
    CHECK_CONSTRAINT_VIOLATED = 3819 "HY000" "Check constraint '%s' is violated.";
    CHECK_CONSTRAINT_NOT_FOUND = 3821 "HY000" "Check constraint '%s' is not found in the table.";
    CONSTRAINT_NOT_FOUND = 3940 "HY000" "Constraint '%s' does not exist.";
    CLIENT_INTERACTION_TIMEOUT = 4031 "HY000" "The client was disconnected by the server because of inactivity. See wait_timeout and interactive_timeout for configuring this behavior.";
    WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT = 1681 "HY000" "'%s' is deprecated and will be removed in a future release.";
    CANNOT_CONVERT_STRING = 3854 "HY000" "Cannot convert string '%s' from %s to %s";
    DEPRECATED_UTF8_ALIAS = 3719 "HY000" "'utf8' is currently an alias for the character set UTF8MB3, but will be an alias for UTF8MB4 in a future release. Please consider using UTF8MB4 in order to be unambiguous.";
    DEPRECATED_NATIONAL = 3720 "HY000" "NATIONAL/NCHAR/NVARCHAR implies the character set UTF8MB3, which will be replaced by UTF8MB4 in a future release. Please consider using CHAR(x) CHARACTER SET UTF8MB4 in order to be unambiguous.";
    SQL_MODE_MERGED = 3135 "HY000" "'NO_ZERO_DATE', 'NO_ZERO_IN_DATE' and 'ERROR_FOR_DIVISION_BY_ZERO' sql modes should be used with strict mode. They will be merged with strict mode in a future release.";
    WRONG_VALUE = 1525 "HY000" "Incorrect %s value: '%s'";
    VIEW_WRONG_LIST = 1353 "HY000" "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts";
    NON_UPDATABLE_TABLE = 1288 "HY000" "The target table %s of the %s is not updatable";
    NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN = 3105 "HY000" "The value specified for generated column '%s' in table '%s' is not allowed.";
    INVALID_ARGUMENT_FOR_LOGARITHM = 3020 "2201E" "Invalid argument for logarithm";
    WRONG_VALUE_FOR_TYPE = 1411 "HY000" "Incorrect %s value: '%s' for function %s";
    REGEXP_RULE_SYNTAX = 3688 "HY000" "Syntax error in regular expression on line %s, character %s.";
    REGEXP_BAD_ESCAPE_SEQUENCE = 3689 "HY000" "Unrecognized escape sequence in regular expression.";
    REGEXP_MISMATCHED_PAREN = 3691 "HY000" "Mismatched parenthesis in regular expression.";
    REGEXP_BAD_INTERVAL = 3692 "HY000" "Incorrect description of a {min,max} interval.";
    REGEXP_MAX_LT_MIN = 3693 "HY000" "The maximum is less than the minumum in a {min,max} interval.";
    REGEXP_INVALID_BACK_REF = 3694 "HY000" "Invalid back-reference in regular expression.";
    REGEXP_MISSING_CLOSE_BRACKET = 3696 "HY000" "The regular expression contains an unclosed bracket expression.";
    REGEXP_INVALID_RANGE = 3697 "HY000" "The regular expression contains an [x-y] character range where x comes after y.";
    REGEXP_INVALID_CAPTURE_GROUP_NAME = 3887 "HY000" "A capture group has an invalid name.";
    REGEXP_PATTERN_TOO_BIG = 3700 "HY000" "The regular expression pattern exceeds limits on size or complexity.";
    WARN_DEPRECATED_DATETIME_DELIMITER = 4095 "HY000" "Delimiter '%s' in position %s in datetime value '%s' at row %s is deprecated. Prefer the standard '%s'.";
    WARN_DEPRECATED_SUPERFLUOUS_DELIMITER = 4096 "HY000" "Delimiter '%s' in position %s in datetime value '%s' at row %s is superfluous and is deprecated. Please remove.";
    TABLE_VALUE_CONSTRUCTOR_CANNOT_HAVE_DEFAULT = 3943 "HY000" "A VALUES clause cannot use DEFAULT values, unless used as a source in an INSERT statement.";
    TABLE_VALUE_CONSTRUCTOR_MUST_HAVE_COLUMNS = 3942 "HY000" "Each row of a VALUES clause must have at least one column, unless when used as source in an INSERT statement.";
    REGEXP_STACK_OVERFLOW = 3698 "HY000" "Overflow in the regular expression backtrack stack.";
    REGEXP_TIME_OUT = 3699 "HY000" "Timeout exceeded in regular expression match.";
    REGEXP_INDEX_OUTOFBOUNDS_ERROR = 3686 "HY000" "Index out of bounds in regular expression search.";
    SP_FETCH_NO_DATA = 1329 "02000" "No data - zero rows fetched, selected, or processed";
    CUT_VALUE_GROUP_CONCAT = 1260 "HY000" "Row %s was cut by GROUP_CONCAT()";
    UNKNOWN_STORAGE_ENGINE = 1286 "42000" "Unknown storage engine '%s'";
    WRONG_NAME_FOR_INDEX = 1280 "42000" "Incorrect index name '%s'";
    WARN_USING_OTHER_HANDLER = 1266 "HY000" "Using storage engine %s for table '%s'";
    USER_LIMIT_REACHED = 1226 "42000" "User '%s' has exceeded the '%s' resource (current value: %s)";
    CREDENTIALS_CONTRADICT_TO_HISTORY = 3638 "HY000" "Cannot use these credentials for '%s@%s' because they contradict the password history policy";
    AUTH_ID_WITH_SYSTEM_USER_PRIV_IN_MANDATORY_ROLES = 3880 "HY000" "Cannot set mandatory_roles: AuthId %s has '%s' privilege.";
    CANNOT_GRANT_SYSTEM_PRIV_TO_MANDATORY_ROLE = 3897 "HY000" "AuthId %s is set as mandatory_roles. Cannot grant the '%s' privilege.";
    SECOND_PASSWORD_CANNOT_BE_EMPTY = 3878 "HY000" "Empty password can not be retained as second password for user '%s'@'%s'.";
    INCORRECT_CURRENT_PASSWORD = 3891 "HY000" "Incorrect current password. Specify the correct password which has to be replaced.";
    MISSING_CURRENT_PASSWORD = 3892 "HY000" "Current password needs to be specified in the REPLACE clause in order to change it.";
    CURRENT_PASSWORD_NOT_REQUIRED = 3893 "HY000" "Do not specify the current password while changing it for other users.";
    PASSWORD_CANNOT_BE_RETAINED_ON_PLUGIN_CHANGE = 3894 "HY000" "Current password can not be retained for user '%s'@'%s' because authentication plugin is being changed.";
    CURRENT_PASSWORD_CANNOT_BE_RETAINED = 3895 "HY000" "Current password can not be retained for user '%s'@'%s' because new password is empty.";
    USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK = 3955 "HY000" "Access denied for user '%s'@'%s'. Account is blocked for %s day(s) (%s day(s) remaining) due to %s consecutive failed logins.";
    INVALID_USER_ATTRIBUTE_JSON = 3982 "HY000" "The user attribute must be a valid JSON object";
    NO_ACCESS_TO_NATIVE_FCT = 3566 "HY000" "Access to native function '%s' is rejected.";
    INVALID_CAST = 3998 "HY000" "Cannot cast value to %s.";
    UNSUPPORTED_INDEX_ALGORITHM = 3502 "HY000" "This storage engine does not support the %s index algorithm, storage engine default was used instead.";
    NO_SYSTEM_SCHEMA_ACCESS = 3552 "HY000" "Access to system schema '%s' is rejected.";
    NO_SYSTEM_TABLE_ACCESS = 3554 "HY000" "Access to %s '%s.%s' is rejected.";
    CHECK_CONSTRAINT_DUP_NAME = 3822 "HY000" "Duplicate check constraint name '%s'.";
    NO_BINARY_LOGGING = 1381 "HY000" "You are not using binary logging";
    ERROR_WHEN_EXECUTING_COMMAND = 1220 "HY000" "Error when executing command %s: %s";
    SOURCE_FATAL_ERROR_READING_BINLOG = 1236 "HY000" "Got fatal error %s from source when reading data from binary log: '%s'";
    RESET_SOURCE_TO_VALUE_OUT_OF_RANGE = 3567 "HY000" "The requested value '%s' for the next binary log index is out of range. Please use a value between '1' and '%s'.";
    BASE64_DECODE_ERROR = 1575 "HY000" "Decoding of base64 string failed";
    NO_FORMAT_DESCRIPTION_EVENT_BEFORE_BINLOG_STATEMENT = 1609 "HY000" "The BINLOG statement of type `%s` was not preceded by a format description BINLOG statement.";
    REPLICA_CONVERSION_FAILED = 1677 "HY000" "Column %s of table '%s.%s' cannot be converted from type '%s' to type '%s'";
    ONLY_FD_AND_RBR_EVENTS_ALLOWED_IN_BINLOG_STATEMENT = 1730 "HY000" "Only Format_description_log_event and row events are allowed in BINLOG statements (but %s was provided)";
    BAD_REPLICA = 1200 "HY000" "The server is not configured as replica; fix in config file or with CHANGE REPLICATION SOURCE TO";
    INSECURE_PLAIN_TEXT = 1759 "HY000" "Sending passwords in plain text without SSL/TLS is extremely insecure.";
    INSECURE_CHANGE_SOURCE = 1760 "HY000" "Storing MySQL user name or password information in the connection metadata repository is not secure and is therefore not recommended. Please consider using the USER and PASSWORD connection options for START REPLICA; see the 'START REPLICA Syntax' in the MySQL Manual for more information.";
    BAD_REPLICA_AUTO_POSITION = 1776 "HY000" "Parameters SOURCE_LOG_FILE, SOURCE_LOG_POS, RELAY_LOG_FILE and RELAY_LOG_POS cannot be set when SOURCE_AUTO_POSITION is active.";
    AUTO_POSITION_REQUIRES_GTID_MODE_NOT_OFF = 1777 "HY000" "CHANGE REPLICATION SOURCE TO SOURCE_AUTO_POSITION = 1 cannot be executed because @@GLOBAL.GTID_MODE = OFF.";
    REPLICA_CONFIGURATION = 1794 "HY000" "Replica is not configured or failed to initialize properly. You must at least set --server-id to enable either a source or a replica. Additional error messages can be found in the MySQL error log.";
    REPLICA_CHANNEL_IO_THREAD_MUST_STOP = 3021 "HY000" "This operation cannot be performed with a running replica io thread; run STOP REPLICA IO_THREAD FOR CHANNEL '%s' first.";
    REPLICA_CHANNEL_SQL_THREAD_MUST_STOP = 3085 "HY000" "This operation cannot be performed with a running replica sql thread; run STOP REPLICA SQL_THREAD FOR CHANNEL '%s' first.";
    INVALID_RPL_WILD_TABLE_FILTER_PATTERN = 3067 "HY000" "Supplied filter list contains a value which is not in the required format 'db_pattern.table_pattern'";
    STOP_REPLICA_SQL_THREAD_TIMEOUT = 1875 "HY000" "STOP REPLICA command execution is incomplete: Replica SQL thread got the stop signal, thread is busy, SQL thread will stop once the current task is complete.";
    STOP_REPLICA_IO_THREAD_TIMEOUT = 1876 "HY000" "STOP REPLICA command execution is incomplete: Replica IO thread got the stop signal, thread is busy, IO thread will stop once the current task is complete.";
    REPLICA_CHANNEL_MUST_STOP = 3081 "HY000" "This operation cannot be performed with running replication threads; run STOP REPLICA FOR CHANNEL '%s' first";
    BAD_REPLICA_UNTIL_COND = 1277 "HY000" "Incorrect parameter or combination of parameters for START REPLICA UNTIL";
    UNTIL_COND_IGNORED = 1279 "HY000" "SQL thread is not to be started so UNTIL options are ignored";
    REPLICA_CHANNEL_NAME_INVALID_OR_TOO_LONG = 3076 "HY000" "Couldn't create channel: Channel name is either invalid or too long.";
    REPLICA_MULTIPLE_CHANNELS_CMD = 3079 "HY000" "Multiple channels exist on the replica. Please provide channel name as an argument.";
    REPLICA_CHANNEL_OPERATION_NOT_ALLOWED = 3139 "HY000" "%s cannot be performed on channel '%s'.";
    CHANGE_SOURCE_WRONG_COMPRESSION_ALGORITHM_CLIENT = 3920 "HY000" "Invalid SOURCE_COMPRESSION_ALGORITHMS '%s' for channel '%s'.";
    CHANGE_SOURCE_WRONG_COMPRESSION_LEVEL_CLIENT = 3921 "HY000" "Invalid SOURCE_ZSTD_COMPRESSION_LEVEL %s for channel '%s'.";
    CHANGE_SOURCE_WRONG_COMPRESSION_ALGORITHM_LIST_CLIENT = 3924 "HY000" "Specified compression algorithm list '%s' exceeds total count of 3 for channel '%s'.";
    SQLTHREAD_WITH_SECURE_REPLICA = 1763 "HY000" "Setting authentication options is not possible when only the Replica SQL Thread is being started.";
    REPLICA_MAX_CHANNELS_EXCEEDED = 3080 "HY000" "Maximum number of replication channels allowed exceeded.";
    REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE = 1624 "HY000" "The requested value for the heartbeat period is either negative or exceeds the maximum allowed (%s seconds).";
    REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE_MIN = 1703 "HY000" "The requested value for the heartbeat period is less than 1 millisecond. The value is reset to 0, meaning that heartbeating will effectively be disabled.";
    REPLICA_HEARTBEAT_VALUE_OUT_OF_RANGE_MAX = 1704 "HY000" "The requested value for the heartbeat period exceeds the value of `replica_net_timeout' seconds. A sensible value for the period should be less than the timeout.";
    SOURCE_DELAY_VALUE_OUT_OF_RANGE = 1729 "HY000" "The requested value %s for the source delay exceeds the maximum %s";
    RPL_INFO_DATA_TOO_LONG = 1742 "HY000" "Data for column '%s' too long";
    REPLICA_SQL_THREAD_MUST_STOP = 3017 "HY000" "This operation cannot be performed with a running replica sql thread; run STOP REPLICA SQL_THREAD first";
    WARN_ONLY_SOURCE_LOG_FILE_NO_POS = 3023 "HY000" "CHANGE REPLICATION SOURCE TO with a SOURCE_LOG_FILE clause but no SOURCE_LOG_POS clause may not be safe. The old position value may not be valid for the new binary log file.";
    CHANGE_SOURCE_PASSWORD_LENGTH = 3056 "HY000" "The password provided for the replication user exceeds the maximum length of 32 characters";
    REPLICA_CHANNEL_SQL_SKIP_COUNTER = 3086 "HY000" "When sql_replica_skip_counter > 0, it is not allowed to start more than one SQL thread by using 'START REPLICA [SQL_THREAD]'. Value of sql_replica_skip_counter can only be used by one SQL thread at a time. Please use 'START REPLICA [SQL_THREAD] FOR CHANNEL' to start the SQL thread which will use the value of sql_replica_skip_counter.";
    CANT_COMBINE_ANONYMOUS_TO_GTID_AND_AUTOPOSITION = 4014 "HY000" "The options ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS = LOCAL|<UUID> and SOURCE_AUTO_POSITION = 1 cannot be used together.";
    ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_REQUIRES_GTID_MODE_ON = 4015 "HY000" "CHANGE REPLICATION SOURCE TO ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS = LOCAL|<UUID> cannot be executed because @@GLOBAL.GTID_MODE <> ON.";
    WARN_SQL_REPLICA_SKIP_COUNTER_IN_GTID_MODE = 4016 "HY000" "The value of sql_replica_skip_counter will only take effect for channels running with ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS <> OFF.";
    USING_ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_AS_LOCAL_OR_UUID = 4017 "HY000" "Using ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS creates limitations on the replication topology - you cannot fail over between downstream and upstream servers. Only use this option if it is not possible to enable GTIDs on the source, for instance, because of lack of permissions. If possible, use the procedure for enabling GTID transactions online instead, as described in the documentation.";
    CANT_SET_SQL_AFTER_OR_BEFORE_GTIDS_WITH_ANONYMOUS_TO_GTID = 4019 "HY000" "The SQL_AFTER_GTIDS or SQL_BEFORE_GTIDS clauses for START REPLICA cannot be used when the replication channel is configured with ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS = LOCAL|<UUID>.";
    CHANGE_REP_SOURCE_GTID_ONLY_NEEDS_OTHERS = 4065 "HY000" "GTID_ONLY cannot be enabled for replication channel '%s'. You need GTID_MODE = ON, SOURCE_AUTO_POSITION = 1 and REQUIRE_ROW_FORMAT = 1.";
    CHANGE_REP_SOURCE_CANT_DISABLE_REQ_ROW_FORMAT_WITH_GTID_ONLY = 4066 "HY000" "REQUIRE_ROW_FORMAT cannot be disabled for replication channel '%s' when GTID_ONLY=1.";
    CHANGE_REP_SOURCE_CANT_DISABLE_AUTO_POSITION_WITH_GTID_ONLY = 4067 "HY000" "SOURCE_AUTO_POSITION cannot be disabled for replication channel '%s' when GTID_ONLY=1.";
    REPLICA_CHANNEL_WAS_RUNNING = 3083 "HY000" "Replication thread(s) for channel '%s' are already runnning.";
    REPLICA_CHANNEL_WAS_NOT_RUNNING = 3084 "HY000" "Replication thread(s) for channel '%s' are already stopped.";
    UNKNOWN_TARGET_BINLOG = 1373 "HY000" "Target log not found in binlog index";
    WARN_PURGE_LOG_IN_USE = 1867 "HY000" "file %s was not purged because it was being read by %s thread(s), purged only %s out of %s files.";
    WARN_PURGE_LOG_IS_ACTIVE = 1868 "HY000" "file %s was not purged because it is the active log file.";
    STMT_HAS_NO_OPEN_CURSOR = 1421 "HY000" "The statement (%s) has no open cursor.";
    VARIABLE_IS_READONLY = 1621 "HY000" "%s variable '%s' is read-only. Use SET %s to assign the value";
    NEED_REPREPARE = 1615 "HY000" "Prepared statement needs to be re-prepared";
    PLUGIN_IS_NOT_LOADED = 1524 "HY000" "Plugin '%s' is not loaded";
    PASSWORD_FORMAT = 1827 "HY000" "The password hash doesn't have the expected format.";
    USER_DOES_NOT_EXIST = 3162 "HY000" "Authorization ID %s does not exist.";
    PK_INDEX_CANT_BE_INVISIBLE = 3522 "HY000" "A primary key index cannot be invisible";
    UNKNOWN_AUTHID = 3523 "HY000" "Unknown authorization ID %s";
    ROLE_NOT_GRANTED = 3530 "HY000" "%s is not granted to %s";
    MANDATORY_ROLE = 3628 "HY000" "The role %s is a mandatory role and can't be revoked or dropped. The restriction can be lifted by excluding the role identifier from the global variable mandatory_roles.";
    DA_GLOBAL_CONN_LIMIT = 4081 "HY000" "Connection closed. Global connection memory limit %s bytes exceeded. Consumed %s bytes.";
    CANNOT_PURGE_BINLOG_WITH_BACKUP_LOCK = 4085 "HY000" "Could not purge binary logs since another session is executing LOCK INSTANCE FOR BACKUP. Wait for that session to release the lock.";
    DA_CONN_LIMIT = 4082 "HY000" "Connection closed. Connection memory limit %s bytes exceeded. Consumed %s bytes.";
    ROLE_GRANTED_TO_ITSELF = 4027 "HY000" "User account %s is directly or indirectly granted to the role %s. The GRANT would create a loop";
    USER_ALREADY_EXISTS = 3163 "HY000" "Authorization ID %s already exists.";
    ILLEGAL_GRANT_FOR_TABLE = 1144 "42000" "Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be used";
    CANT_CREATE_USER_WITH_GRANT = 1410 "42000" "You are not allowed to create a user with GRANT";
    NO_SUCH_USER = 1449 "HY000" "The user specified as a definer ('%s'@'%s') does not exist";
    CANNOT_USER = 1396 "HY000" "Operation %s failed for %s";
    NET_OK_PACKET_TOO_LARGE = 3068 "08S01" "OK packet too large";
    WARN_DATA_TRUNCATED_FUNCTIONAL_INDEX = 3751 "01000" "Data truncated for functional index '%s' at row %s";
    INVALID_JSON_VALUE_FOR_FUNC_INDEX = 3903 "22018" "Invalid JSON value for CAST for functional index '%s'.";
    JSON_VALUE_OUT_OF_RANGE_FOR_FUNC_INDEX = 3904 "22003" "Out of range JSON value for CAST for functional index '%s'.";
    EXCEEDED_MV_KEYS_NUM = 3905 "HY000" "Exceeded max number of values per record for multi-valued index '%s' by %s value(s).";
    EXCEEDED_MV_KEYS_SPACE = 3906 "HY000" "Exceeded max total length of values per record for multi-valued index '%s' by %s bytes.";
    FUNCTIONAL_INDEX_DATA_IS_TOO_LONG = 3907 "22001" "Data too long for functional index '%s'.";
    WRONG_MVI_VALUE = 3908 "HY000" "Cannot store an array or an object in a scalar key part of the index '%s'.";
    WARN_DATA_OUT_OF_RANGE_FUNCTIONAL_INDEX = 3752 "22003" "Value is out of range for functional index '%s' at row %s";
    TABLE_WITHOUT_PK = 3750 "HY000" "Unable to create or change a table without a primary key, when the system variable 'sql_require_primary_key' is set. Add a primary key to the table or unset this variable to avoid this message. Note that tables without a primary key can cause performance problems in row-based replication, so please consult your DBA before changing this setting.";
    AUTOINC_READ_FAILED = 1467 "HY000" "Failed to read auto-increment value from storage engine";
    DUP_INDEX = 1831 "HY000" "Duplicate index '%s' defined on the table '%s.%s'. This is deprecated and will be disallowed in a future release.";
    NEW_ABORTING_CONNECTION = 1184 "08S01" "Aborted connection %s to db: '%s' user: '%s' host: '%s' (%s)";
    SERVER_OFFLINE_MODE = 3032 "HY000" "The server is currently in offline mode";
    DISABLED_STORAGE_ENGINE = 3161 "HY000" "Storage engine %s is disabled (Table creation is disallowed).";
    VAR_DOES_NOT_EXIST = 3615 "HY000" "Variable %s does not exist in persisted config file";
    UNSUPPORTED_SQL_MODE = 3899 "HY000" "sql_mode=%s is not supported.";
    SP_COND_MISMATCH = 1319 "42000" "Undefined CONDITION: %s";
    SP_BAD_SQLSTATE = 1407 "42000" "Bad SQLSTATE: '%s'";
    DUP_SIGNAL_SET = 1641 "42000" "Duplicate condition information item '%s'";
    SIGNAL_WARN = 1642 "01000" "Unhandled user-defined warning condition";
    SIGNAL_NOT_FOUND = 1643 "02000" "Unhandled user-defined not found condition";
    SIGNAL_EXCEPTION = 1644 "HY000" "Unhandled user-defined exception condition";
    RESIGNAL_WITHOUT_ACTIVE_HANDLER = 1645 "0K000" "RESIGNAL when handler not active";
    WARN_COND_ITEM_TRUNCATED = 1647 "HY000" "Data truncated for condition item '%s'";
    COND_ITEM_TOO_LONG = 1648 "HY000" "Data too long for condition item '%s'";
    SCHEMA_DOES_NOT_EXIST = 3503 "42Y07" "Database '%s' doesn't exist";
    UNSUPPORT_COMPRESSED_TEMPORARY_TABLE = 3500 "HY000" "CREATE TEMPORARY TABLE is not allowed with ROW_FORMAT=COMPRESSED or KEY_BLOCK_SIZE.";
    CANT_MODIFY_SQL_LOG_BIN = 1694 "HY000" "Cannot modify @@session.sql_log_bin inside a transaction";
    CANT_UPDATE_TABLE_IN_CREATE_TABLE_SELECT = 1746 "HY000" "Can't update table '%s' while '%s' is being created.";
    STORED_FUNCTION_PREVENTS_SWITCH_SQL_LOG_BIN = 1695 "HY000" "Cannot change the sql_log_bin inside a stored function or trigger";
    BINLOG_UNSAFE_STATEMENT = 1592 "HY000" "Unsafe statement written to the binary log using statement format since BINLOG_FORMAT = STATEMENT. %s";
    BINLOG_STMT_MODE_AND_ROW_ENGINE = 1665 "HY000" "Cannot execute statement: impossible to write to binary log since BINLOG_FORMAT = STATEMENT and at least one table uses a storage engine limited to row-based logging. InnoDB is limited to row-logging when transaction isolation level is READ COMMITTED or READ UNCOMMITTED.";
    INSIDE_TRANSACTION_PREVENTS_SWITCH_BINLOG_FORMAT = 1679 "HY000" "Cannot modify @@session.binlog_format inside a transaction";
    TEMP_TABLE_PREVENTS_SWITCH_SESSION_BINLOG_FORMAT = 3745 "HY000" "Changing @@session.binlog_format is disallowed when the session has open temporary table(s). You could wait until these temporary table(s) are dropped and try again.";
    STORED_FUNCTION_PREVENTS_SWITCH_BINLOG_FORMAT = 1560 "HY000" "Cannot change the binary logging format inside a stored function or trigger";
    DA_INVALID_CONDITION_NUMBER = 1758 "35000" "Invalid condition number";
    GET_STACKED_DA_WITHOUT_ACTIVE_HANDLER = 3004 "0Z002" "GET STACKED DIAGNOSTICS when handler not active";
    SP_NO_RECURSIVE_CREATE = 1303 "2F003" "Can't create a %s from within another stored routine";
    SP_BADSTATEMENT = 1314 "0A000" "%s is not allowed in stored procedures";
    SP_DUP_PARAM = 1330 "42000" "Duplicate parameter: %s";
    SP_WRONG_NAME = 1458 "42000" "Incorrect routine name '%s'";
    WRONG_SIZE_NUMBER = 1531 "HY000" "A size parameter was incorrectly specified, either number or on the form 10M";
    SIZE_OVERFLOW_ERROR = 1532 "HY000" "The size number was correct but we don't allow the digit part to be more than 2 billion";
    SP_UNDECLARED_VAR = 1327 "42000" "Undeclared variable: %s";
    VIEW_NO_EXPLAIN = 1345 "HY000" "EXPLAIN/SHOW can not be issued; lacking privileges for underlying table";
    VIEW_INVALID = 1356 "HY000" "View '%s.%s' references invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them";
    ABORTING_CONNECTION = 1152 "08S01" "Aborted connection %s to db: '%s' user: '%s' (%s)";
    CONFLICTING_DECLARATIONS = 1302 "HY000" "Conflicting declarations: '%s' and '%s'";
    TABLE_NOT_LOCKED = 1100 "HY000" "Table '%s' was not locked with LOCK TABLES";
    TOO_BIG_ENUM = 3504 "HY000" "Too many enumeration values for column %s.";
    TABLE_NOT_LOCKED_FOR_WRITE = 1099 "HY000" "Table '%s' was locked with a READ lock and can't be updated";
    TOO_MANY_USER_CONNECTIONS = 1203 "42000" "User %s already has more than 'max_user_connections' active connections";
    MALFORMED_PACKET = 1835 "HY000" "Malformed communication packet.";
    MUST_CHANGE_PASSWORD_LOGIN = 1862 "HY000" "Your password has expired. To log in you must change it using a client that supports expired passwords.";
    ACCOUNT_HAS_BEEN_LOCKED = 3118 "HY000" "Access denied for user '%s'@'%s'. Account is locked.";
    SECURE_TRANSPORT_REQUIRED = 3159 "HY000" "Connections using insecure transport are prohibited while --require_secure_transport=ON.";
    LOCK_OR_ACTIVE_TRANSACTION = 1192 "HY000" "Can't execute the given command because you have active locked tables or an active transaction";
    PS_NO_RECURSION = 1444 "HY000" "The prepared statement contains a stored routine call that refers to that same statement. It's not allowed to execute a prepared statement in such a recursive manner";
    SP_CANT_SET_AUTOCOMMIT = 1445 "HY000" "Not allowed to set autocommit from a stored function or trigger";
    SP_DROP_FAILED = 1306 "HY000" "Failed to DROP %s %s";
    SP_STORE_FAILED = 1307 "HY000" "Failed to CREATE %s %s";
    SP_LILABEL_MISMATCH = 1308 "42000" "%s with no matching label: %s";
    SP_LABEL_REDEFINE = 1309 "42000" "Redefining label %s";
    SP_LABEL_MISMATCH = 1310 "42000" "End-label %s without match";
    SP_UNINIT_VAR = 1311 "01000" "Referring to uninitialized variable %s";
    SP_BADRETURN = 1313 "42000" "RETURN is only allowed in a FUNCTION";
    SP_NORETURN = 1320 "42000" "No RETURN found in FUNCTION %s";
    SP_NORETURNEND = 1321 "2F005" "FUNCTION %s ended without RETURN";
    SP_BAD_CURSOR_QUERY = 1322 "42000" "Cursor statement must be a SELECT";
    SP_CURSOR_MISMATCH = 1324 "42000" "Undefined CURSOR: %s";
    SP_CURSOR_ALREADY_OPEN = 1325 "24000" "Cursor is already open";
    SP_CURSOR_NOT_OPEN = 1326 "24000" "Cursor is not open";
    SP_WRONG_NO_OF_FETCH_ARGS = 1328 "HY000" "Incorrect number of FETCH variables";
    SP_DUP_VAR = 1331 "42000" "Duplicate variable: %s";
    SP_DUP_COND = 1332 "42000" "Duplicate condition: %s";
    SP_DUP_CURS = 1333 "42000" "Duplicate cursor: %s";
    SP_CANT_ALTER = 1334 "HY000" "Failed to ALTER %s %s";
    SP_SUBSELECT_NYI = 1335 "0A000" "Subquery value not supported";
    SP_VARCOND_AFTER_CURSHNDLR = 1337 "42000" "Variable or condition declaration after cursor or handler declaration";
    SP_CURSOR_AFTER_HANDLER = 1338 "42000" "Cursor declaration after handler declaration";
    SP_CASE_NOT_FOUND = 1339 "20000" "Case not found for CASE statement";
    SP_NO_DROP_SP = 1357 "HY000" "Can't drop or alter a %s from within another stored routine";
    TRG_ALREADY_EXISTS = 1359 "HY000" "Trigger already exists";
    TRG_ON_VIEW_OR_TEMP_TABLE = 1361 "HY000" "Trigger's '%s' is view or temporary table";
    TRG_CANT_CHANGE_ROW = 1362 "HY000" "Updating of %s row is not allowed in %strigger";
    TRG_NO_SUCH_ROW_IN_TRG = 1363 "HY000" "There is no %s row in %s trigger";
    PROC_AUTO_GRANT_FAIL = 1404 "HY000" "Failed to grant EXECUTE and ALTER ROUTINE privileges";
    SP_DUP_HANDLER = 1413 "42000" "Duplicate handler declared in the same block";
    SP_NOT_VAR_ARG = 1414 "42000" "OUT or INOUT argument %s for routine %s is not a variable or NEW pseudo-variable in BEFORE trigger";
    BINLOG_UNSAFE_ROUTINE = 1418 "HY000" "This function has none of DETERMINISTIC, NO SQL, or READS SQL DATA in its declaration and binary logging is enabled (you *might* want to use the less safe log_bin_trust_function_creators variable)";
    BINLOG_CREATE_ROUTINE_NEED_SUPER = 1419 "HY000" "You do not have the SUPER privilege and binary logging is enabled (you *might* want to use the less safe log_bin_trust_function_creators variable)";
    SP_NO_RECURSION = 1424 "HY000" "Recursive stored functions and triggers are not allowed.";
    SP_BAD_VAR_SHADOW = 1453 "42000" "Variable '%s' must be quoted with `...`, or renamed";
    SP_RECURSION_LIMIT = 1456 "HY000" "Recursive limit %s (as set by the max_sp_recursion_depth variable) was exceeded for routine %s";
    EVENT_ALREADY_EXISTS = 1537 "HY000" "Event '%s' already exists";
    EVENT_INTERVAL_NOT_POSITIVE_OR_TOO_BIG = 1542 "HY000" "INTERVAL is either not positive or too big";
    EVENT_ENDS_BEFORE_STARTS = 1543 "HY000" "ENDS is either invalid or before STARTS";
    EVENT_EXEC_TIME_IN_THE_PAST = 1544 "HY000" "Event execution time is in the past. Event has been disabled";
    EVENT_SAME_NAME = 1551 "HY000" "Same old and new event name";
    EVENT_RECURSION_FORBIDDEN = 1576 "HY000" "Recursion of EVENT DDL statements is forbidden when body is present";
    WRONG_PARAMETERS_TO_STORED_FCT = 1584 "42000" "Incorrect parameters in the call to stored function %s";
    EVENT_CANNOT_CREATE_IN_THE_PAST = 1588 "HY000" "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was dropped immediately after creation.";
    EVENT_CANNOT_ALTER_IN_THE_PAST = 1589 "HY000" "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was not changed. Specify a time in the future.";
    SIGNAL_BAD_CONDITION_TYPE = 1646 "HY000" "SIGNAL/RESIGNAL can only use a CONDITION defined with SQLSTATE";
    WRONG_PERFSCHEMA_USAGE = 1683 "HY000" "Invalid performance_schema usage.";
}

/// What a client sees when a statement fails: number, SQLSTATE and message.
#[derive(Clone, PartialEq, Eq)]
pub struct SqlError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    code: u16,
    sqlstate: [u8; 5],
    message: String,
    /// Raised by SIGNAL: the number is the client's own, whatever it is elsewhere.
    signalled: bool,
}

/// Result with [`SqlError`].
pub type SqlResult<T> = Result<T, SqlError>;

impl SqlError {
    /// Fills the `%s` places of the code's text with `args` in order; missing arguments become empty.
    ///
    /// ```
    /// use base::{ErrorCode, SqlError};
    /// let e = SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&"test", &"t1"]);
    /// assert_eq!(e.to_string(), "ERROR 1146 (42S02): Table 'test.t1' doesn't exist");
    /// ```
    pub fn new(code: ErrorCode, args: &[&dyn fmt::Display]) -> SqlError {
        use fmt::Write;
        let mut message = String::new();
        let mut args = args.iter();
        let mut parts = code.text().split("%s");
        if let Some(first) = parts.next() {
            message.push_str(first);
        }
        for part in parts {
            if let Some(a) = args.next() {
                let _ = write!(message, "{a}");
            }
            message.push_str(part);
        }
        SqlError::with_message(code, message)
    }

    /// The code with a message of its own instead of the code's text.
    pub fn with_message(code: ErrorCode, message: impl Into<String>) -> SqlError {
        let mut sqlstate = *b"HY000";
        for (to, from) in sqlstate.iter_mut().zip(code.sqlstate().bytes()) {
            *to = from;
        }
        SqlError(Box::new(Inner { code: code.number(), sqlstate, message: message.into(), signalled: false }))
    }

    /// What SIGNAL raises: number, SQLSTATE and text as the client gave them. [`SqlError::is`] no code.
    pub fn signalled(code: u16, sqlstate: [u8; 5], message: String) -> SqlError {
        SqlError(Box::new(Inner { code, sqlstate, message, signalled: true }))
    }

    /// Error 1235 naming the feature, in MySQL's words where MySQL 8.4 refuses the same.
    pub fn unsupported(feature: impl fmt::Display) -> SqlError {
        let feature = feature.to_string();
        if MYSQL_REFUSES.iter().any(|f| feature.starts_with(f)) {
            return SqlError::new(ErrorCode::NOT_SUPPORTED_YET, &[&feature]);
        }
        let text = format!("Evenkeel doesn't yet support '{feature}' (see docs/compat.md)");
        SqlError::with_message(ErrorCode::NOT_SUPPORTED_YET, text)
    }

    /// MySQL's error number.
    pub fn code(&self) -> u16 {
        self.0.code
    }
    /// Whether this is the given error.
    pub fn is(&self, code: ErrorCode) -> bool {
        self.0.code == code.number() && !self.0.signalled
    }
    /// Five ASCII characters.
    pub fn sqlstate(&self) -> &[u8; 5] {
        &self.0.sqlstate
    }
    /// Message text in UTF-8.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

/// How the features begin that MySQL 8.4 does not support either (1235 of its own).
const MYSQL_REFUSES: &[&str] = &[
    "<window function>(DISTINCT ..)",
    "AT LOCAL",
    "Bulk Load",
    "CAST-ing ",
    "EXCLUDE",
    "EXPLAIN ANALYZE with JSON format",
    "FROM LAST",
    "GROUPS",
    "IGNORE NULLS",
    "LIMIT & IN/ALL/ANY/SOME subquery",
    "ORDER BY / LIMIT / SELECT DISTINCT in recursive",
    "ORDER BY over UNION in recursive",
    "Use of CAST( .. AS .. ARRAY)",
    "comparison of JSON in the",
    "existing primary key drop without adding",
    "group_concat as window function",
    "more than one multi-valued key part per index",
    "non-string DEFAULT value for a column in a JSON_TABLE",
    "references to other documents in JSON Schema",
    "sorting of non-scalar JSON values",
    "specifying charset for multi-valued index",
];

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ERROR {} ({}): {}", self.0.code, String::from_utf8_lossy(&self.0.sqlstate), self.0.message)
    }
}

impl fmt::Debug for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SqlError {}
