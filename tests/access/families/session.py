"""SET in its forms, transactions, XA, diagnostics."""
from . import S

GLOBALS = ("max_connections", "sort_buffer_size", "innodb_flush_log_at_trx_commit", "general_log", "read_only", "super_read_only", "offline_mode", "partial_revokes", "mandatory_roles", "default_password_lifetime", "local_infile", "sql_mode", "time_zone", "autocommit", "innodb_buffer_pool_size", "max_user_connections", "event_scheduler",
           "activate_all_roles_on_login", "password_history", "require_secure_transport", "log_error_verbosity", "connect_timeout", "binlog_format", "character_set_server", "init_connect", "print_identified_with_as_hex", "innodb_monitor_enable", "table_encryption_privilege_check", "default_table_encryption", "authentication_policy", "protocol_compression_algorithms",
           "secondary_engine_cost_threshold", "ssl_cipher", "tls_version", "admin_tls_version", "transaction_isolation", "transaction_read_only")
READ_ONLY = ("port", "datadir", "innodb_log_buffer_size", "version", "hostname", "innodb_read_only", "back_log", "socket", "secure_file_priv", "skip_name_resolve", "admin_address", "bind_address", "log_error", "plugin_dir", "tmpdir", "performance_schema", "ssl_key")
RESTRICTED = (("sql_log_bin", "1"), ("binlog_format", "'ROW'"), ("sql_log_off", "1"), ("pseudo_thread_id", "5"), ("pseudo_replica_mode", "0"), ("gtid_next", "'AUTOMATIC'"), ("session_track_gtids", "'OFF'"), ("original_commit_timestamp", "1"), ("immediate_server_version", "80400"), ("original_server_version", "80400"), ("explicit_defaults_for_timestamp", "1"),
              ("default_storage_engine", "'InnoDB'"), ("show_create_table_verbosity", "1"), ("sql_require_primary_key", "0"), ("default_table_encryption", "0"), ("character_set_filesystem", "'binary'"), ("debug_sync", "'x'"), ("rand_seed1", "1"), ("timestamp", "1"), ("insert_id", "1"), ("bulk_insert_buffer_size", "8388608"), ("preload_buffer_size", "32768"),
              ("max_join_size", "1000"), ("sql_generate_invisible_primary_key", "0"), ("show_gipk_in_create_table_and_information_schema", "0"), ("collation_database", "'utf8mb4_bin'"), ("character_set_database", "'utf8mb4'"), ("internal_tmp_mem_storage_engine", "'TempTable'"), ("use_secondary_engine", "'OFF'"), ("resultset_metadata", "'FULL'"), ("transaction_write_set_extraction", "1"),
              ("binlog_rows_query_log_events", "0"), ("binlog_row_image", "'FULL'"), ("binlog_row_value_options", "''"), ("binlog_direct_non_transactional_updates", "0"), ("histogram_generation_max_mem_size", "20000000"), ("tmp_table_size", "16777216"), ("max_heap_table_size", "16777216"), ("transaction_isolation", "'READ-COMMITTED'"), ("sql_mode", "''"), ("autocommit", "0"), ("unique_checks", "0"), ("foreign_key_checks", "0"),
              ("generated_random_password_length", "20"), ("terminology_use_previous", "'NONE'"), ("require_row_format", "0"), ("profiling", "1"), ("optimizer_trace", "'enabled=on'"), ("lock_wait_timeout", "10"), ("innodb_lock_wait_timeout", "10"), ("max_execution_time", "1000"), ("print_identified_with_as_hex", "1"), ("default_collation_for_utf8mb4", "'utf8mb4_general_ci'"), ("max_user_connections", "5"), ("port", "1"), ("max_connections", "5"))


def statements():
    out = []
    for v in GLOBALS:
        out.append(S(f"SET GLOBAL {v} = @@GLOBAL.{v}"))
    for v in GLOBALS[:6] + GLOBALS[11:13] + GLOBALS[20:22]:
        out += [S(f"SET PERSIST {v} = @@GLOBAL.{v}", undo=("RESET PERSIST",)), S(f"SET PERSIST_ONLY {v} = @@GLOBAL.{v}", undo=("RESET PERSIST",)), S(f"SET GLOBAL {v} = DEFAULT", undo=("SET GLOBAL partial_revokes = ON, max_connections = 1000, innodb_flush_log_at_trx_commit = 0, local_infile = ON",))]
    for v in READ_ONLY:
        out += [S(f"SET GLOBAL {v} = 1"), S(f"SELECT @@{v} IS NULL", any=True)]
    for v in ("port", "innodb_log_buffer_size", "back_log", "skip_name_resolve", "datadir", "bind_address"):
        out += [S(f"SET PERSIST_ONLY {v} = @@{v}", undo=("RESET PERSIST",)), S(f"SET PERSIST {v} = 1", undo=("RESET PERSIST",))]
    for v, value in RESTRICTED:
        out.append(S(f"SET SESSION {v} = {value}", fresh=True))
    for v, value in (("sql_log_bin", 0), ("pseudo_thread_id", 5), ("sql_log_off", 1), ("show_create_table_verbosity", 1)):
        out += [S(f"SET @@{v} = {value}", fresh=True), S(f"SET LOCAL {v} = {value}, @x = 1", fresh=True)]
    out += [S(s, undo=u, fresh=True) for s, u in (
        ("SET GLOBAL gone = 1", ()), ("SET SESSION gone = 1", ()), ("SET PERSIST gone = 1", ()), ("SET GLOBAL sort_buffer_size = 'x'", ()), ("SET GLOBAL max_connections = 1000, SESSION sort_buffer_size = 300000", ()), ("SET SESSION sort_buffer_size = 300000, GLOBAL max_connections = 1000", ()), ("SET GLOBAL TRANSACTION READ WRITE", ()),
        ("SET SESSION TRANSACTION READ ONLY", ()), ("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", ()), ("SET NAMES latin1", ()), ("SET CHARACTER SET latin1", ()), ("SET @a = 1, @b = 2", ()), ("SET NAMES gone", ()), ("SET @@GLOBAL.read_only = 0", ()), ("SET @@PERSIST.sort_buffer_size = 300000", ("RESET PERSIST", "SET GLOBAL sort_buffer_size = DEFAULT")),
        ("RESET PERSIST", ()), ("RESET PERSIST port", ()), ("RESET PERSIST IF EXISTS port", ()), ("RESET PERSIST gone", ()), ("RESET PERSIST IF EXISTS sort_buffer_size", ()), ("SET RESOURCE GROUP gone", ()), ("SET GLOBAL innodb_monitor_enable = 'module_log'", ()), ("SET GLOBAL general_log = OFF", ()), ("SET GLOBAL key_buffer_size = 8388608", ()), ("SET GLOBAL hot.key_buffer_size = 8388608", ("SET GLOBAL hot.key_buffer_size = 0",)))]
    out += [S(s, fresh=True) for s in (
        "BEGIN", "START TRANSACTION READ ONLY", "START TRANSACTION WITH CONSISTENT SNAPSHOT", "COMMIT", "ROLLBACK", "SAVEPOINT a", "ROLLBACK TO gone", "RELEASE SAVEPOINT gone", "COMMIT AND CHAIN", "ROLLBACK RELEASE")]
    out += [S(["XA START 'mx'", "XA END 'mx'", "XA ROLLBACK 'mx'"], fresh=True), S("XA RECOVER"), S("XA RECOVER CONVERT XID"), S("XA COMMIT 'gone'"), S("XA ROLLBACK 'gone'"), S("XA PREPARE 'gone'"), S("XA END 'gone'"),
            S(["XA START 'mx'", "SELECT secret FROM mxa.t1", "XA END 'mx'", "XA ROLLBACK 'mx'"], fresh=True), S(["XA START 'mxr'", "UPDATE mxa.t1 SET pub = 'x' WHERE id = 1", "XA END 'mxr'", "XA ROLLBACK 'mxr'"], fresh=True),
            S("XA RECOVER", name="XA RECOVER (one is prepared)", before=("XA START 'mxp'", "UPDATE mxa.t2 SET pub = 'x' WHERE id = 1", "XA END 'mxp'", "XA PREPARE 'mxp'"), after=("XA ROLLBACK 'mxp'",)),
            S("XA COMMIT 'mxp'", before=("XA START 'mxp'", "XA END 'mxp'", "XA PREPARE 'mxp'"), name="XA COMMIT of another's", undo=("XA START 'mxp'", "XA END 'mxp'", "XA PREPARE 'mxp'"), after=("XA ROLLBACK 'mxp'",))]
    out += [S(s) for s in ("SIGNAL SQLSTATE '45000'", "SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1142", "RESIGNAL", "GET DIAGNOSTICS @n = NUMBER", "GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT", "GET STACKED DIAGNOSTICS @n = NUMBER")]
    out += [S(["SELECT secret FROM mxb.s1", "GET DIAGNOSTICS CONDITION 1 @n = MYSQL_ERRNO", "SELECT @n"], fresh=True), S(["SELECT secret FROM mxb.s1", "SHOW ERRORS"], keys=("Code", "secret"))]
    return out
