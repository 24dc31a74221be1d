"""Queries: a subquery in each place where an expression may stand, views of both kinds, locking reads, prepared and multiple statements, EXPLAIN."""
from . import S

TABLES = ("mxa.t1", "mxa.t2", "mxb.s1", "mxa.vd", "mxa.vi", "mxa.vdi", "mxa.vid", "mxa.vx", "mxa.vb", "mxa.vbd", "mxa.vs")
# {s}: a scalar subquery; {t}: a table
PLACES = (
    "SELECT {s}", "SELECT 1 WHERE {s} = 'x'", "SELECT 1 FROM mxa.t2 WHERE secret = {s}", "SELECT pub FROM mxa.t2 ORDER BY {s}", "SELECT count(*) FROM mxa.t2 GROUP BY {s}",
    "SELECT count(*) FROM mxa.t2 HAVING {s} IS NOT NULL", "SELECT CASE WHEN {s} THEN 1 ELSE 2 END", "SELECT concat('a', {s}, 'b')", "SELECT coalesce(NULL, {s})", "SELECT {s} IN ('a')",
    "SELECT 1 IN (SELECT id FROM {t})", "SELECT EXISTS (SELECT 1 FROM {t})", "SELECT 1 > ALL (SELECT id FROM {t})", "SELECT (1, 'a') = (SELECT id, secret FROM {t} LIMIT 1)",
    "SELECT x FROM (SELECT secret AS x FROM {t}) d", "WITH c AS (SELECT secret FROM {t}) SELECT * FROM c", "WITH c AS (SELECT secret FROM {t}) SELECT 1",
    "WITH RECURSIVE c AS (SELECT 1 AS n, {s} AS x UNION ALL SELECT n + 1, x FROM c WHERE n < 2) SELECT * FROM c", "SELECT a.id FROM mxa.t2 a JOIN {t} b ON a.id = b.id",
    "SELECT a.id FROM mxa.t2 a LEFT JOIN {t} b USING (id)", "SELECT l.x FROM mxa.t2 a, LATERAL (SELECT secret AS x FROM {t} WHERE id = a.id) l", "SELECT 1 UNION SELECT secret FROM {t}",
    "SELECT 1 INTERSECT SELECT secret FROM {t}", "SELECT '1' EXCEPT SELECT secret FROM {t}", "VALUES ROW({s})", "SELECT sum(id) OVER (PARTITION BY {s}) FROM mxa.t2",
    "SELECT * FROM JSON_TABLE({s}, '$[*]' COLUMNS (a INT PATH '$')) j", "SELECT {s} INTO @a", "SELECT @a := {s}", "DO {s}", "SET @a = {s}", "SET @a = (SELECT id FROM {t} LIMIT 1), @b = {s}",
    "SELECT count({s})", "SELECT group_concat(id ORDER BY {s}, id) FROM mxa.t2", "SELECT if({s} LIKE 'c%', 1, 0)", "SELECT NOT {s}", "SELECT {s} BETWEEN 'a' AND 'z'",
    "SELECT cast({s} AS CHAR(3))", "SELECT DATE '2026-11-26' + INTERVAL {s} DAY", "SELECT benchmark(1, {s})", "SELECT 1 LIMIT 0 OFFSET 0 INTO @a, @b", "SELECT (SELECT (SELECT secret FROM {t} LIMIT 1))",
    "SELECT json_arrayagg(secret) FROM {t}", "SELECT * FROM (VALUES ROW({s})) v", "SELECT 0 AND {s}", "SELECT 1 FROM mxa.t2 WHERE 1 = 0 AND {s}", "SELECT 1 WHERE EXISTS (TABLE {t})",
)
SETTINGS = (
    "SET max_execution_time = (SELECT id FROM {t} WHERE id = 1)", "SET @@time_zone = {s}", "SET SESSION sql_mode = {s}", "SET NAMES utf8mb4, @a = {s}", "SET @@session.sort_buffer_size = (SELECT count(*) FROM {t})",
    "SET GLOBAL max_connections = (SELECT 1000 FROM {t} LIMIT 1)", "SET lc_time_names = {s}", "SHOW VARIABLES WHERE {s} = 'canary1' AND Variable_name = 'autocommit'",
    "SHOW TABLES FROM mxa WHERE {s} = 'canary1'", "SHOW COLUMNS FROM mxa.t2 WHERE {s} = 'canary1'", "SHOW DATABASES WHERE {s} = 'canary1'", "SHOW STATUS WHERE {s} = 'canary1' AND Variable_name = 'Uptime'",
    "SHOW INDEX FROM mxa.t2 WHERE {s} = 'canary1'", "SHOW CHARACTER SET WHERE {s} = 'canary1' AND Charset = 'latin1'", "SHOW COLLATION WHERE {s} = 'x'", "SHOW TABLE STATUS FROM mxb WHERE {s} = 'x'",
    "KILL {s}", "KILL QUERY (SELECT id FROM {t} LIMIT 1)",
)
READS = (
    "SELECT * FROM {t}", "SELECT id FROM {t}", "SELECT id, pub FROM {t}", "SELECT secret FROM {t}", "SELECT count(*) FROM {t}", "SELECT 1 FROM {t}", "TABLE {t}", "SELECT id FROM {t} WHERE secret LIKE 'c%'",
    "SELECT id FROM {t} ORDER BY secret", "SELECT count(*) FROM {t} GROUP BY secret", "SELECT t.* FROM {t} t", "SELECT max(id) FROM {t}",
)
LOCKING = ("FOR UPDATE", "FOR SHARE", "LOCK IN SHARE MODE", "FOR UPDATE NOWAIT", "FOR SHARE SKIP LOCKED", "FOR UPDATE OF x")


def scalar(t):
    return f"(SELECT secret FROM {t} WHERE id = 1)"


def statements():
    out = []
    for t in TABLES:
        out += [S(r.format(t=t)) for r in READS]
    for t in ("mxa.t1", "mxb.s1", "mxa.vi"):
        out += [S(p.format(t=t, s=scalar(t))) for p in PLACES if "{" in p or t == "mxa.t1"]
    for t in ("mxa.t1", "mxa.vi", "mxb.s1"):
        for p in SETTINGS:
            undo = ("SET GLOBAL max_connections = 1000",) if "GLOBAL" in p else ()
            out.append(S(p.format(t=t, s=scalar(t)), undo=undo, fresh=p.startswith("SET"), keys=("Variable_name", "Field", "Key_name", "Charset", "Database", "Tables_in_mxa") if p.startswith("SHOW") else None,
                         only=(lambda r: r.get("DATABASE") not in ("sys", "mysql")) if "DATABASES" in p else None))
    for t in ("mxa.t1", "mxa.vd", "mxa.vi", "mxa.vid", "mxa.vdi", "mxb.s1"):
        out += [S(f"SELECT id FROM {t} x {lock}", tx=True) for lock in LOCKING]
    out += [S(s, tx=True) for s in (
        "SELECT a.id FROM mxa.t1 a JOIN mxa.t2 b ON a.id = b.id FOR UPDATE OF a", "SELECT a.id FROM mxa.t1 a JOIN mxa.t2 b ON a.id = b.id FOR UPDATE OF b FOR SHARE OF a",
        "SELECT (SELECT id FROM mxa.t1 LIMIT 1 FOR UPDATE)", "SET @a = (SELECT id FROM mxa.t1 LIMIT 1 FOR UPDATE)", "DO (SELECT id FROM mxa.t1 LIMIT 1 FOR SHARE)",
        "SELECT * FROM (SELECT id FROM mxa.t1 FOR UPDATE) d", "SELECT 1 FOR UPDATE", "SELECT id FROM mxa.t1 WHERE secret = 'canary1' FOR UPDATE",
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'mxa' AND table_name = 't2' FOR UPDATE")]
    # what is told of names that are not there
    for t in ("mxa.gone", "gone.gone", "mxb.gone", "information_schema.gone", "performance_schema.gone", "mysql.gone"):
        out += [S(f"SELECT * FROM {t}"), S(f"SELECT a FROM {t} WHERE b = 1")]
    out += [S(s) for s in ("SELECT gone FROM mxa.t1", "SELECT id, gone FROM mxa.t1", "SELECT gone FROM mxb.s1", "SELECT gone FROM mxa.vi", "SELECT id FROM mxa.t1 WHERE gone = 1", "SELECT mxa.gone(1)",
                           "SELECT t1.id, s1.id FROM mxa.t1 NATURAL JOIN mxb.s1", "SELECT id FROM mxa.t1 USE INDEX (gone)", "SELECT id FROM mxa.t1 PARTITION (gone)", "SELECT mxb.s1.id FROM mxa.t1",
                           "SELECT current_user() = user()", "SELECT @@version_comment IS NULL", "SELECT database()", "SELECT current_role() <> 'x'", "SELECT load_file('/etc/hostname') IS NULL",
                           "SELECT sleep(0)", "SELECT get_lock('mx', 0)", "SELECT is_used_lock('mx') IS NULL", "SELECT release_all_locks() >= 0", "SELECT roles_graphml() IS NULL",
                           "SELECT ps_current_thread_id() IS NULL", "SELECT ps_thread_id(1) IS NULL", "SELECT id FROM mxa.t1 UNION SELECT id FROM mxb.s1", "SELECT secret FROM mxa.t1 UNION ALL SELECT secret FROM mxa.t2",
                           "SELECT DEFAULT(secret) FROM mxa.t1", "SELECT DEFAULT(id) FROM mxa.t2", "SELECT id AS secret FROM mxa.t1 HAVING secret > 1", "SELECT DISTINCT pub FROM mxa.t1",
                           "SELECT NULL FROM mxa.t1 LIMIT 0", "SELECT x.id FROM mxa.t1 x JOIN mxa.t1 y ON x.secret = y.secret", "SELECT /*+ SET_VAR(sort_buffer_size = 32768) */ 1",
                           "SELECT /*+ SET_VAR(sql_mode = '') */ id FROM mxa.t1")]
    # EXPLAIN
    for t in ("mxa.t1", "mxa.vd", "mxa.vi", "mxa.vid", "mxa.vdi", "mxa.vx", "mxa.vbd", "mxb.s1"):
        out += [S(f"EXPLAIN FORMAT=TRADITIONAL SELECT secret FROM {t}", keys=()), S(f"EXPLAIN ANALYZE SELECT id FROM {t}", any=True)]
    out += [S(s, any=True) for s in (
        "EXPLAIN FORMAT=JSON SELECT * FROM mxa.t1", "EXPLAIN FORMAT=TREE SELECT * FROM mxa.vi", "EXPLAIN FORMAT=TREE UPDATE mxa.t1 SET pub = 'x' WHERE secret = 'y'",
        "EXPLAIN FORMAT=TRADITIONAL DELETE FROM mxa.t1", "EXPLAIN FORMAT=TRADITIONAL INSERT INTO mxa.t1 VALUES (9, '', '')", "EXPLAIN FORMAT=TRADITIONAL REPLACE INTO mxa.t1 (id) VALUES (9)",
        "EXPLAIN FORMAT=TRADITIONAL INSERT INTO mxa.t1 SELECT * FROM mxa.t2", "EXPLAIN FORMAT=TRADITIONAL SELECT (SELECT secret FROM mxa.t1 LIMIT 1)", "EXPLAIN FORMAT=TRADITIONAL UPDATE mxa.vi SET pub = 'x'",
        "EXPLAIN FORMAT=TRADITIONAL UPDATE mxa.vd SET pub = 'x'", "EXPLAIN FORMAT=TRADITIONAL FOR CONNECTION {id_tgt}", "EXPLAIN FORMAT=TRADITIONAL FOR CONNECTION {id_tgt_sys}",
        "EXPLAIN FORMAT=TRADITIONAL FOR CONNECTION 999999999", "EXPLAIN FORMAT=JSON INTO @a SELECT secret FROM mxa.t1", "EXPLAIN FORMAT=TRADITIONAL SELECT * FROM mxa.gone",
        "EXPLAIN FORMAT=TRADITIONAL DELETE mxa.t1 FROM mxa.t1 JOIN mxa.t2 ON t1.id = t2.id", "EXPLAIN FORMAT=TRADITIONAL TABLE mxa.t1")]
    # prepared, by text and by variable; what was prepared is executed only if that went well
    for inner in ("SELECT secret FROM mxa.t1", "SELECT id FROM mxa.t1", "SELECT secret FROM mxa.vi", "SELECT secret FROM mxa.vd", "SELECT (SELECT secret FROM mxb.s1 LIMIT 1)",
                  "DO (SELECT secret FROM mxa.t1 LIMIT 1)", "SET @a = (SELECT secret FROM mxa.t1 LIMIT 1)", "SHOW TABLES FROM mxb", "SHOW CREATE TABLE mxa.t1", "SELECT secret FROM mxa.t1 FOR UPDATE",
                  "SELECT id FROM mxa.t1 WHERE id = ?", "UPDATE mxa.t1 SET pub = ?", "DELETE FROM mxa.t1 WHERE id = ?", "INSERT INTO mxa.t1 (id) VALUES (?)", "SHOW GRANTS FOR root@localhost", "FLUSH STATUS"):
        quoted = inner.replace("'", "''")
        using = " USING @x" if "?" in inner else ""
        keys = ("Table", "Tables_in_mxb", "id", "secret") if "SHOW" in inner else None
        out.append(S(["SET @x = 8", f"PREPARE p FROM '{quoted}'", f"EXECUTE p{using}"], tx=True, fresh=True, keys=keys, any="GRANTS" in inner))
    out += [S(["SET @s = 'SELECT secret FROM mxa.t1'", "PREPARE p FROM @s", "EXECUTE p", "DEALLOCATE PREPARE p", "SELECT @s IS NULL"], fresh=True),
            S(["PREPARE p FROM 'PREPARE q FROM ''SELECT 1'''"]), S("EXECUTE gone"), S("DEALLOCATE PREPARE gone"), S("PREPARE p FROM @gone")]
    # several in one packet
    out += [S("SELECT 1; SELECT secret FROM mxa.t1"), S("SELECT id FROM mxa.t1; SELECT secret FROM mxa.t1; SELECT 2"), S("SET @a = 1; DO (SELECT secret FROM mxa.t1 LIMIT 1); SELECT 3"),
            S("SET @a = (SELECT secret FROM mxa.vi LIMIT 1); SELECT @a", fresh=True), S("SELECT 1; SHOW TABLES FROM mxb"), S("BEGIN; SELECT id FROM mxa.t1 FOR UPDATE; ROLLBACK"),
            S("SELECT 1; SHOW CREATE TABLE mxa.t1; SELECT 2", keys=("Table", "1", "2")), S("BEGIN; UPDATE mxa.t1 SET pub = 'z'; ROLLBACK", tx=True),
            S("PREPARE p FROM 'SELECT secret FROM mxa.t1'; EXECUTE p", fresh=True), S("DO 1; SELECT secret FROM mxa.vd; SELECT secret FROM mxa.vi"), S("USE mxa; SELECT secret FROM t1", fresh=True), S("SHOW GRANTS FOR tgt@localhost; SELECT 1")]
    return out
