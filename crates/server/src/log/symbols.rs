//! The symbols of the numbers that messages of the error log have here, as MySQL's manual ("Server Error Message
//! Reference") and `perror`
//! give them: `err_symbol` of JSON, and names in `log_error_suppression_list`. A number that several InnoDB messages
//! share has InnoDB's
//! name without meaning (`ER_IB_MSG_...`).

const SYMBOLS: &[(u32, &str)] = &[
    (10_000, "ER_PARSER_TRACE"),
    (10_068, "ER_CA_SELF_SIGNED"),
    (10_069, "ER_SSL_LIBRARY_ERROR"),
    (10_075, "ER_CREATING_NEW_UUID"),
    (10_095, "ER_SEC_FILE_PRIV_CANT_ACCESS_DIR"),
    (10_097, "ER_SEC_FILE_PRIV_EMPTY"),
    (10_116, "ER_STARTING_AS"),
    (10_119, "ER_ABORTING"),
    (10_122, "ER_USER_REQUIRES_ROOT"),
    (10_123, "ER_REALLY_RUN_AS_ROOT"),
    (10_124, "ER_USER_WHAT_USER"),
    (10_139, "ER_CHANGED_MAX_OPEN_FILES"),
    (10_140, "ER_CANT_INCREASE_MAX_OPEN_FILES"),
    (10_141, "ER_CHANGED_MAX_CONNECTIONS"),
    (10_142, "ER_CHANGED_TABLE_OPEN_CACHE"),
    (10_159, "ER_LOWER_CASE_TABLE_NAMES_USING_2"),
    (10_225, "ER_XA_RECOVER_FOUND_XA_TRX"),
    (10_249, "ER_CONN_PER_THREAD_NO_THREAD"),
    (10_283, "ER_CONN_SOCKET_ACCEPT_FAILED"),
    (10_284, "ER_AUTH_RSA_CANT_FIND"),
    (10_453, "ER_INIT_ROOT_WITHOUT_PASSWORD"),
    (10_454, "ER_INIT_GENERATING_TEMP_PASSWORD_FOR_ROOT"),
    (10_457, "ER_INIT_DATADIR_NOT_EMPTY_WONT_INITIALIZE"),
    (10_500, "OBSOLETE_ER_NDB_TABLE_OPENED_READ_ONLY"),
    (10_909, "ER_FORCE_CLOSE_THREAD"),
    (10_910, "ER_SERVER_SHUTDOWN_COMPLETE"),
    (10_914, "ER_ABORTING_USER_CONNECTION"),
    (10_926, "ER_ACCESS_DENIED_ERROR_WITH_PASSWORD"),
    (10_931, "ER_SERVER_STARTUP_MSG"),
    (11_906, "ER_IB_MSG_81"),
    (12_216, "ER_IB_MSG_391"),
    (12_224, "ER_IB_MSG_399"),
    (12_468, "ER_IB_MSG_643"),
    (12_472, "ER_IB_MSG_647"),
    (12_485, "ER_IB_MSG_660"),
    (12_551, "ER_IB_MSG_726"),
    (12_592, "ER_IB_MSG_767"),
    (12_593, "ER_IB_MSG_768"),
    (12_639, "ER_IB_MSG_814"),
    (12_729, "ER_IB_MSG_904"),
    (13_012, "ER_IB_MSG_1187"),
    (13_169, "ER_STARTING_INIT"),
    (13_170, "ER_ENDING_INIT"),
    (13_172, "ER_SERVER_SHUTDOWN_INFO"),
    (13_183, "ER_IB_MSG_1273"),
    (13_236, "ER_DATA_DIRECTORY_UNUSABLE"),
    (13_292, "ER_SERVER_STARTUP_ADMIN_INTERFACE"),
    (13_368, "ER_TURNING_ON_PARTIAL_REVOKES"),
    (13_576, "ER_IB_MSG_INNODB_START_INITIALIZE"),
    (13_577, "ER_IB_MSG_INNODB_END_INITIALIZE"),
];

/// The symbol of a number; empty: it has none here.
pub(super) fn of(code: u32) -> &'static str {
    SYMBOLS.binary_search_by_key(&code, |s| s.0).ok().and_then(|at| SYMBOLS.get(at)).map_or("", |s| s.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend() {
        assert!(SYMBOLS.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!((of(10_116), of(1)), ("ER_STARTING_AS", ""));
    }
}
