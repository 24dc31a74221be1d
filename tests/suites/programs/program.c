/* What applications do with libmariadb, printed line by line so that two servers can be compared: program HOST PORT SOCKET */
#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *host, *path;
static unsigned port;

static MYSQL *open_as(const char *user, const char *password, const char *db, unsigned long flags, const char *charset) {
    MYSQL *c = mysql_init(NULL);
    unsigned on = 1;
    mysql_options(c, MYSQL_SET_CHARSET_NAME, charset);
    mysql_options(c, MYSQL_OPT_LOCAL_INFILE, &on);
    if (!mysql_real_connect(c, host, user, password, db, port, NULL, flags)) {
        printf("  no connection: %u %s\n", mysql_errno(c), mysql_sqlstate(c));
        mysql_close(c);
        return NULL;
    }
    return c;
}

static void fields(MYSQL_RES *r) {
    unsigned n = mysql_num_fields(r);
    MYSQL_FIELD *f = mysql_fetch_fields(r);
    for (unsigned i = 0; i < n; i++)
        printf("  field %s|%s|%s|%s|%s type %d len %lu max %lu flags %u dec %u cs %u\n", f[i].name, f[i].org_name, f[i].table, f[i].org_table, f[i].db, f[i].type,
               f[i].length, f[i].max_length, f[i].flags, f[i].decimals, f[i].charsetnr);
}

static void rows(MYSQL_RES *r) {
    MYSQL_ROW row;
    unsigned n = mysql_num_fields(r);
    while ((row = mysql_fetch_row(r))) {
        unsigned long *len = mysql_fetch_lengths(r);
        printf(" ");
        for (unsigned i = 0; i < n; i++) {
            if (!row[i]) { printf(" NULL"); continue; }
            printf(" ");
            for (unsigned long k = 0; k < len[i]; k++)
                if ((unsigned char)row[i][k] < 32) printf("\\x%02x", row[i][k]); else putchar(row[i][k]);
        }
        printf("\n");
    }
}

/* Runs a text (of several statements perhaps) and prints every result; `stored` or read row by row. */
static void ask(MYSQL *c, const char *sql, int stored, int with_fields) {
    printf("# %.100s\n", sql);
    int rc = mysql_query(c, sql);
    while (rc <= 0) {
        if (rc == 0) {
            MYSQL_RES *r = stored ? mysql_store_result(c) : mysql_use_result(c);
            if (r) {
                if (with_fields) fields(r);
                rows(r);
                if (mysql_errno(c)) printf("  error %u %s\n", mysql_errno(c), mysql_sqlstate(c));
                mysql_free_result(r);
            } else if (mysql_field_count(c)) break;
            printf("  affected %lld id %lld warnings %u info %s\n", (long long)mysql_affected_rows(c), (long long)mysql_insert_id(c), mysql_warning_count(c), mysql_info(c) ? mysql_info(c) : "-");
        }
        rc = mysql_next_result(c);
        if (rc < 0) return;
        if (rc > 0) break;
    }
    printf("  error %u %s\n", mysql_errno(c), mysql_sqlstate(c));
}

static void stmt_error(MYSQL_STMT *s, const char *where) { printf("  %s: error %u %s\n", where, mysql_stmt_errno(s), mysql_stmt_sqlstate(s)); }

/* All kinds of parameters in, and out again with the types they came as. */
static void binary(MYSQL *c) {
    printf("# parameters of all kinds\n");
    MYSQL_STMT *s = mysql_stmt_init(c);
    const char *sql = "INSERT INTO t (a, b, d, f, s, v, dt, ti, da) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    if (mysql_stmt_prepare(s, sql, strlen(sql))) { stmt_error(s, "prepare"); return; }
    printf("  parameters %lu\n", mysql_stmt_param_count(s));
    for (int i = 0; i < 4; i++) {
        MYSQL_BIND in[9];
        memset(in, 0, sizeof in);
        signed char a = (signed char)(i * 40 - 60);
        unsigned long long b = 18446744073709551615ull - (unsigned)i;
        double d = 1.5 * i; float f = 0.25f * i;
        char text[40], bytes[3] = {0, (char)255, (char)i};
        unsigned long tl = (unsigned long)sprintf(text, "text ü %d", i), bl = 3;
        char null = i == 3;
        MYSQL_TIME dt = {2026, 11, 21, 22, 23, (unsigned)i, 250000, 0, MYSQL_TIMESTAMP_DATETIME}, ti = {0, 0, 1, 3, 4, 5, 500000, i == 1, MYSQL_TIMESTAMP_TIME};
        in[0].buffer_type = MYSQL_TYPE_TINY; in[0].buffer = &a;
        in[1].buffer_type = MYSQL_TYPE_LONGLONG; in[1].buffer = &b; in[1].is_unsigned = 1;
        in[2].buffer_type = MYSQL_TYPE_DOUBLE; in[2].buffer = &d;
        in[3].buffer_type = MYSQL_TYPE_FLOAT; in[3].buffer = &f;
        in[4].buffer_type = MYSQL_TYPE_STRING; in[4].buffer = text; in[4].length = &tl; in[4].is_null = &null;
        in[5].buffer_type = MYSQL_TYPE_BLOB; in[5].buffer = bytes; in[5].length = &bl;
        in[6].buffer_type = MYSQL_TYPE_DATETIME; in[6].buffer = &dt;
        in[7].buffer_type = MYSQL_TYPE_TIME; in[7].buffer = &ti;
        in[8].buffer_type = MYSQL_TYPE_DATE; in[8].buffer = &dt;
        mysql_stmt_bind_param(s, in);
        if (mysql_stmt_execute(s)) stmt_error(s, "execute");
        else printf("  affected %lld id %lld warnings %u\n", (long long)mysql_stmt_affected_rows(s), (long long)mysql_stmt_insert_id(s), mysql_stmt_warning_count(s));
    }
    mysql_stmt_close(s);
}

/* Reads with a prepared statement: everything as text, lengths and NULLs; by a cursor when `prefetch` is not 0. */
static void fetch(MYSQL *c, const char *sql, int value, unsigned long prefetch) {
    printf("# prepared %s with %d, cursor %lu\n", sql, value, prefetch);
    MYSQL_STMT *s = mysql_stmt_init(c);
    if (prefetch) {
        unsigned long kind = CURSOR_TYPE_READ_ONLY;
        mysql_stmt_attr_set(s, STMT_ATTR_CURSOR_TYPE, &kind);
        mysql_stmt_attr_set(s, STMT_ATTR_PREFETCH_ROWS, &prefetch);
    }
    if (mysql_stmt_prepare(s, sql, strlen(sql))) { stmt_error(s, "prepare"); mysql_stmt_close(s); return; }
    MYSQL_RES *meta = mysql_stmt_result_metadata(s);
    unsigned n = meta ? mysql_num_fields(meta) : 0;
    if (meta) fields(meta);
    MYSQL_BIND in[1], *out = calloc(n + 1, sizeof *out);
    memset(in, 0, sizeof in);
    in[0].buffer_type = MYSQL_TYPE_LONG; in[0].buffer = &value;
    if (mysql_stmt_param_count(s) == 1) mysql_stmt_bind_param(s, in);
    if (mysql_stmt_execute(s)) { stmt_error(s, "execute"); mysql_stmt_close(s); free(out); return; }
    char (*text)[256] = calloc(n + 1, sizeof *text); unsigned long *len = calloc(n + 1, sizeof *len); char *null = calloc(n + 1, 1), *error = calloc(n + 1, 1);
    for (unsigned i = 0; i < n; i++) { out[i].buffer_type = MYSQL_TYPE_STRING; out[i].buffer = text[i]; out[i].buffer_length = 255; out[i].length = &len[i]; out[i].is_null = &null[i]; out[i].error = &error[i]; }
    mysql_stmt_bind_result(s, out);
    if (!prefetch) mysql_stmt_store_result(s);
    int rc, count = 0;
    while ((rc = mysql_stmt_fetch(s)) == 0 || rc == MYSQL_DATA_TRUNCATED) {
        printf(" ");
        for (unsigned i = 0; i < n; i++) { if (null[i]) printf(" NULL"); else printf(" %lu:%.*s%s", len[i], (int)(len[i] > 255 ? 255 : len[i]), text[i], error[i] ? "(cut)" : ""); }
        printf("\n");
        count++;
    }
    printf("  end %d after %d\n", rc, count);
    if (rc == 1) stmt_error(s, "fetch");
    if (meta) mysql_free_result(meta);
    mysql_stmt_close(s); free(out); free(text); free(len); free(null); free(error);
}

static void long_data(MYSQL *c) {
    printf("# long data in pieces, reset between\n");
    MYSQL_STMT *s = mysql_stmt_init(c);
    const char *sql = "SELECT LENGTH(?), MD5(?)";
    if (mysql_stmt_prepare(s, sql, strlen(sql))) { stmt_error(s, "prepare"); return; }
    MYSQL_BIND in[2];
    memset(in, 0, sizeof in);
    in[0].buffer_type = in[1].buffer_type = MYSQL_TYPE_BLOB;
    char *piece = malloc(1000000);
    memset(piece, 'x', 1000000);
    for (int round = 0; round < 2; round++) {
        mysql_stmt_bind_param(s, in);
        for (int i = 0; i < 5; i++) { mysql_stmt_send_long_data(s, 0, piece, 1000000); mysql_stmt_send_long_data(s, 1, piece, 1000); }
        if (round == 0) { mysql_stmt_reset(s); mysql_stmt_send_long_data(s, 0, piece, 10); mysql_stmt_send_long_data(s, 1, piece, 10); }
        char a[40] = "", b[40] = ""; unsigned long la = 0, lb = 0;
        MYSQL_BIND out[2];
        memset(out, 0, sizeof out);
        out[0].buffer_type = out[1].buffer_type = MYSQL_TYPE_STRING; out[0].buffer = a; out[1].buffer = b; out[0].buffer_length = out[1].buffer_length = 39; out[0].length = &la; out[1].length = &lb;
        if (mysql_stmt_execute(s)) { stmt_error(s, "execute"); break; }
        mysql_stmt_bind_result(s, out);
        while (mysql_stmt_fetch(s) == 0) printf("  %.*s %.*s\n", (int)la, a, (int)lb, b);
        mysql_stmt_free_result(s);
    }
    free(piece);
    mysql_stmt_close(s);
}

static int file_init(void **p, const char *name, void *u) { (void)name; *p = calloc(1, sizeof(int)); (void)u; return 0; }
static int file_read(void *p, char *buf, unsigned size) { int *n = p; if (*n >= 3 || size < 40) return 0; return sprintf(buf, "%d\tloaded %d\n", *n, (*n)++ + 100); }
static void file_end(void *p) { free(p); }
static int file_error(void *p, char *buf, unsigned size) { (void)p; snprintf(buf, size, "no"); return 1; }

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    host = argv[1]; port = (unsigned)atoi(argv[2]); path = argv[3];
    MYSQL *c = open_as("root", "", NULL, CLIENT_MULTI_STATEMENTS, "utf8mb4");
    if (!c) return 1;
    ask(c, "DROP DATABASE IF EXISTS c_program; CREATE DATABASE c_program CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; USE c_program", 1, 0);
    ask(c, "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a TINYINT, b BIGINT UNSIGNED, d DOUBLE, f FLOAT, s VARCHAR(40), v VARBINARY(10), dt DATETIME(2), ti TIME(1), da DATE, KEY (s))", 1, 0);
    binary(c);
    ask(c, "SELECT * FROM t ORDER BY id", 1, 1);
    ask(c, "SELECT * FROM t ORDER BY id", 0, 0);
    fetch(c, "SELECT * FROM t WHERE id >= ? ORDER BY id", 2, 0);
    fetch(c, "SELECT * FROM t WHERE id >= ? ORDER BY id", 1, 1);
    fetch(c, "SELECT id, REPEAT('ab', 200) r FROM t WHERE id > ?", 0, 3);
    fetch(c, "SELECT id FROM t WHERE id > ?", 1000, 2);
    fetch(c, "SELECT nothing FROM t WHERE id > ?", 0, 0);
    fetch(c, "SELECT 1 FRM t", 0, 0);
    fetch(c, "UPDATE t SET a = a + 1 WHERE id < ?", 3, 0);
    fetch(c, "SELECT ? + 1, 'x', 1.5, NULL", 41, 0);
    long_data(c);
    ask(c, "SELECT 1 a; UPDATE t SET a = 5; SELECT 2 b, 'x' c; SELECT * FROM missing; SELECT 3", 1, 1);
    ask(c, "INSERT INTO t (a, s) VALUES (1, 'm1'), (2, 'm2'), (3, 'm3')", 1, 0);
    ask(c, "INSERT IGNORE INTO t (id, a) VALUES (1, 1), (50, 300)", 1, 0);
    ask(c, "SHOW WARNINGS", 1, 0);
    ask(c, "UPDATE t SET a = 5 WHERE id < 3", 1, 0);
    ask(c, "SELEKT", 1, 0);
    ask(c, "INSERT INTO t (id) VALUES (1)", 1, 0);
    mysql_autocommit(c, 0);
    ask(c, "DELETE FROM t", 1, 0);
    printf("  rollback %d\n", mysql_rollback(c));
    ask(c, "SELECT COUNT(*) FROM t", 1, 0);
    ask(c, "DELETE FROM t WHERE a = 3", 1, 0);
    printf("  commit %d, autocommit %d\n", mysql_commit(c), mysql_autocommit(c, 1));
    ask(c, "SELECT COUNT(*) FROM t", 1, 0);
    int context = 0;
    mysql_set_local_infile_handler(c, file_init, file_read, file_end, file_error, &context);
    ask(c, "SET GLOBAL local_infile = 1", 1, 0);
    ask(c, "LOAD DATA LOCAL INFILE 'x' INTO TABLE t (a, s)", 1, 0);
    ask(c, "SELECT s FROM t WHERE s LIKE 'loaded%' ORDER BY s", 1, 0);
    printf("  select_db %d, ping %d\n", mysql_select_db(c, "information_schema"), mysql_ping(c));
    ask(c, "SELECT DATABASE()", 1, 0);
    printf("  select_db missing %d: %u %s\n", mysql_select_db(c, "missing_db"), mysql_errno(c), mysql_sqlstate(c));
    ask(c, "SET @x = 1", 1, 0);
    printf("  change_user %d\n", mysql_change_user(c, "root", "", "c_program"));
    ask(c, "SELECT DATABASE(), @x", 1, 0);
    ask(c, "SET @x = 2", 1, 0);
    printf("  reset %d\n", mysql_reset_connection(c));
    ask(c, "SELECT @x", 1, 0);
    printf("  charset %s", mysql_character_set_name(c));
    printf(", set %d", mysql_set_character_set(c, "latin1"));
    printf(", charset %s\n", mysql_character_set_name(c));
    ask(c, "SELECT HEX('\xfc'), @@character_set_client, @@character_set_results", 1, 0);
    mysql_set_character_set(c, "utf8mb4");
    char quoted[60];
    printf("  escaped %lu", mysql_real_escape_string(c, quoted, "a'b\\c\n\"d", 9));
    printf(" %s\n", quoted);
    MYSQL_RES *r = mysql_list_fields(c, "t", "d%");
    if (r) { fields(r); mysql_free_result(r); } else printf("  list_fields: error %u\n", mysql_errno(c));
    r = mysql_list_tables(c, NULL);
    if (r) { rows(r); mysql_free_result(r); }
    MYSQL *d = open_as("root", "", "c_program", CLIENT_FOUND_ROWS | CLIENT_COMPRESS, "utf8mb4");
    if (d) {
        ask(d, "UPDATE t SET a = 5 WHERE id < 3", 1, 0);
        ask(d, "SELECT LENGTH(REPEAT('x', 1000000)), REPEAT('ab', 40)", 1, 0);
        ask(d, "SELECT 1; SELECT 2", 1, 0);
        printf("  kill %d\n", mysql_kill(c, mysql_thread_id(d)));
        ask(d, "SELECT 1", 1, 0);
        mysql_close(d);
    }
    ask(c, "CREATE USER c_user@'%' IDENTIFIED BY 'secret'; GRANT SELECT ON c_program.* TO c_user@'%'", 1, 0);
    d = open_as("c_user", "wrong", NULL, 0, "utf8mb4");
    if (d) mysql_close(d);
    d = open_as("c_user", "secret", "mysql", 0, "utf8mb4");
    if (d) mysql_close(d);
    d = open_as("c_user", "secret", "c_program", CLIENT_IGNORE_SPACE, "utf8mb4");
    if (d) { ask(d, "SELECT COUNT (*) FROM t", 1, 1); ask(d, "DELETE FROM t", 1, 0); mysql_close(d); }
    mysql_close(c);
    c = mysql_init(NULL);
    printf("# by socket\n");
    if (mysql_real_connect(c, NULL, "root", "", "c_program", 0, path, 0)) ask(c, "SELECT 'socket' x", 1, 0); else printf("  error %u\n", mysql_errno(c));
    mysql_close(c);
    return 0;
}
