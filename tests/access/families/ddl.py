"""Definitions: databases, tables, indexes, views; maintenance of tables."""
from . import S


def tables():
    new, t1 = ("new",), ("t1",)
    out = [S(s, undo=new) for s in (
        "CREATE TABLE mxa.n1 (a INT)", "CREATE TABLE mxb.n1 (a INT)", "CREATE TABLE IF NOT EXISTS mxa.n1 (a INT)", "CREATE TABLE mxa.n1 LIKE mxa.t1", "CREATE TABLE mxb.n1 LIKE mxa.t1", "CREATE TABLE mxa.n1 LIKE mxb.s1", "CREATE TABLE mxa.n1 LIKE mxa.vd",
        "CREATE TABLE mxa.n1 LIKE mxa.gone", "CREATE TABLE mxa.n1 AS SELECT * FROM mxa.t1", "CREATE TABLE mxa.n1 AS SELECT id FROM mxa.t1", "CREATE TABLE mxb.n1 AS SELECT secret FROM mxa.t1", "CREATE TABLE mxa.n1 AS SELECT secret FROM mxb.s1",
        "CREATE TABLE mxa.n1 AS SELECT secret FROM mxa.vi", "CREATE TABLE mxa.n1 AS SELECT secret FROM mxa.vd", "CREATE TABLE mxa.n1 (a INT) SELECT 1 AS a", "CREATE TABLE mxa.n1 (a INT) REPLACE SELECT (SELECT max(id) FROM mxa.t1) AS a", "CREATE TABLE mxa.n1 (a INT PRIMARY KEY, FOREIGN KEY (a) REFERENCES mxa.parent (id))",
        "CREATE TABLE mxa.n1 (a INT PRIMARY KEY, FOREIGN KEY (a) REFERENCES mxa.t1 (id))", "CREATE TABLE mxa.n1 (a INT PRIMARY KEY, FOREIGN KEY (a) REFERENCES mxb.s1 (id))", "CREATE TABLE mxa.n1 (a INT PRIMARY KEY, FOREIGN KEY (a) REFERENCES mxa.gone (id))",
        "CREATE TABLE mxb.n1 (a INT PRIMARY KEY, FOREIGN KEY (a) REFERENCES mxa.t1 (id))", "CREATE TABLE mxa.n1 (a INT) DATA DIRECTORY = '/tmp/evenkeel-access'", "CREATE TABLE mxa.n1 (a INT) ENCRYPTION = 'Y'", "CREATE TABLE mxa.n1 (a INT) PARTITION BY HASH (a) PARTITIONS 2", "CREATE TABLE mxa.n1 (a INT) TABLESPACE gone",
        "CREATE TABLE mxa.n1 (a INT DEFAULT (gone))", "CREATE TABLE mxa.n1 (a INT, CHECK (a > (SELECT 1 FROM mxa.t1)))", "CREATE TABLE mxa.t1 (a INT)", "CREATE TABLE mxa.t1 LIKE mxa.t2", "CREATE TABLE mxa.t1 AS SELECT 1 AS a", "CREATE TABLE mxb.s1 (a INT)", "CREATE TABLE mxa.vd (a INT)",
        "CREATE TABLE gone.n1 (a INT)", "CREATE TABLE information_schema.n1 (a INT)", "CREATE TABLE performance_schema.n1 (a INT)")]
    out += [S(s, fresh=True) for s in (
        "CREATE TEMPORARY TABLE mxa.n1 (a INT)", "CREATE TEMPORARY TABLE mxb.n1 (a INT)", "CREATE TEMPORARY TABLE mxa.n1 LIKE mxa.t1", "CREATE TEMPORARY TABLE mxa.n1 LIKE mxb.s1", "CREATE TEMPORARY TABLE mxa.n1 AS SELECT secret FROM mxa.t1", "CREATE TEMPORARY TABLE mxb.n1 AS SELECT secret FROM mxa.vi",
        "CREATE TEMPORARY TABLE mxa.t1 (z INT)", "CREATE TEMPORARY TABLE gone.n1 (a INT)", "CREATE TEMPORARY TABLE information_schema.n1 (a INT)", "DROP TEMPORARY TABLE mxa.t1", "DROP TEMPORARY TABLE IF EXISTS mxa.n1")]
    out += [S(["CREATE TEMPORARY TABLE mxa.tmp (a INT)", *more], fresh=True) for more in (
        ["INSERT INTO mxa.tmp VALUES (1)", "SELECT * FROM mxa.tmp"], ["ALTER TABLE mxa.tmp ADD b INT"], ["CREATE INDEX k ON mxa.tmp (a)"], ["ALTER TABLE mxa.tmp RENAME TO mxb.tmp"], ["DROP TABLE mxa.tmp"], ["TRUNCATE mxa.tmp"], ["SHOW CREATE TABLE mxa.tmp"],
        ["SHOW COLUMNS FROM mxa.tmp"], ["UPDATE mxa.tmp SET a = (SELECT max(id) FROM mxa.t1)"], ["INSERT INTO mxa.tmp SELECT id FROM mxa.t1", "SELECT * FROM mxa.tmp"], ["LOCK TABLES mxa.tmp WRITE"], ["ANALYZE TABLE mxa.tmp"], ["CREATE VIEW mxa.n1 AS SELECT * FROM mxa.tmp"],
        ["DELETE FROM mxa.tmp"], ["CHECK TABLE mxa.tmp"], ["SHOW INDEX FROM mxa.tmp"], ["RENAME TABLE mxa.tmp TO mxa.tmp2"], ["HANDLER mxa.tmp OPEN"], ["OPTIMIZE TABLE mxa.tmp"], ["GRANT SELECT ON mxa.tmp TO tgt@localhost"])]
    alter = ("ADD COLUMN z INT", "DROP COLUMN pub", "MODIFY pub VARCHAR(30)", "CHANGE pub pup VARCHAR(20)", "RENAME COLUMN pub TO pup", "ALTER pub SET DEFAULT 'x'", "ALTER pub DROP DEFAULT", "ADD INDEX k2 (secret)", "ADD UNIQUE u2 (secret)", "DROP INDEX k_pub", "RENAME INDEX k_pub TO k_q",
             "ALTER INDEX k_pub INVISIBLE", "DROP PRIMARY KEY", "COMMENT 'x'", "ENGINE = InnoDB", "FORCE", "CONVERT TO CHARACTER SET latin1", "DEFAULT CHARACTER SET latin1", "ORDER BY id", "AUTO_INCREMENT = 100", "ADD CONSTRAINT c9 CHECK (id < 100)", "ADD CONSTRAINT f9 FOREIGN KEY (id) REFERENCES mxa.parent (id)",
             "ADD CONSTRAINT f9 FOREIGN KEY (id) REFERENCES mxa.t2 (id)", "ADD FULLTEXT f2 (pub)", "ROW_FORMAT = DYNAMIC", "DISABLE KEYS", "RENAME TO mxa.n1", "RENAME TO mxb.n1", "RENAME AS mxa.t2", "RENAME TO gone.n1", "ADD z INT, RENAME TO mxb.n1", "DISCARD TABLESPACE", "IMPORT TABLESPACE", "PARTITION BY HASH (id) PARTITIONS 2", "REMOVE PARTITIONING",
             "ADD COLUMN z INT DEFAULT (1), ALGORITHM = COPY", "DROP CHECK gone", "DROP FOREIGN KEY gone", "DROP COLUMN gone", "STATS_PERSISTENT = 0", "ENCRYPTION = 'N'", "ADD COLUMN g INT AS (id + 1)", "SECONDARY_ENGINE = NULL", "TRUNCATE PARTITION ALL", "EXCHANGE PARTITION p0 WITH TABLE mxa.t2", "ADD COLUMN z INT, DROP COLUMN pub, COMMENT 'y'")
    out += [S(f"ALTER TABLE mxa.t1 {a}", undo=("new", "t1")) for a in alter]
    out += [S(f"ALTER TABLE {t} ADD COLUMN z INT", undo=(n,) if n else ()) for t, n in (("mxb.s1", "s1"), ("mxa.gone", ""), ("gone.gone", ""), ("mxa.vd", ""), ("information_schema.tables", ""))]
    out += [S(s, undo=u) for s, u in (
        ("ALTER TABLE mxb.s1 RENAME TO mxa.n1", ("new", "s1")), ("ALTER TABLE mxa.child DROP FOREIGN KEY fk_child", ("kin",)), ("ALTER TABLE mxa.child ADD CONSTRAINT f3 FOREIGN KEY (pid) REFERENCES mxa.t1 (id)", ("kin",)), ("ALTER TABLE mxa.t2 DROP CHECK chk_t2", ("t2",)), ("ALTER TABLE mxa.t2 ALTER CHECK chk_t2 NOT ENFORCED", ("t2",)),
        ("CREATE INDEX k2 ON mxa.t1 (secret)", t1), ("CREATE UNIQUE INDEX u2 ON mxa.t1 (pub, secret)", t1), ("CREATE INDEX k2 ON mxb.s1 (secret)", ("s1",)), ("CREATE INDEX k2 ON mxa.gone (a)", ()), ("CREATE INDEX k2 ON mxa.vd (id)", ()), ("DROP INDEX k_pub ON mxa.t1", t1), ("DROP INDEX gone ON mxa.t1", ()), ("DROP INDEX gone ON mxa.gone", ()),
        ("CREATE INDEX k2 ON mxa.t1 ((upper(secret)))", t1), ("DROP TABLE mxa.t1", t1), ("DROP TABLE IF EXISTS mxa.t1", t1), ("DROP TABLE mxa.t1, mxa.t2", ("t1", "t2")), ("DROP TABLE mxa.t1, mxb.s1", ("t1", "s1")), ("DROP TABLE mxb.s1", ("s1",)), ("DROP TABLE mxa.gone", ()), ("DROP TABLE IF EXISTS mxa.gone", ()), ("DROP TABLE gone.gone", ()),
        ("DROP TABLE mxa.vd", ()), ("DROP TABLE mxa.parent", ()), ("TRUNCATE TABLE mxa.t1", t1), ("TRUNCATE mxb.s1", ("s1",)), ("TRUNCATE TABLE mxa.vd", ()), ("TRUNCATE TABLE mxa.gone", ()), ("TRUNCATE TABLE mxa.parent", ()), ("RENAME TABLE mxa.t1 TO mxa.n1", ("new", "t1")), ("RENAME TABLE mxa.t1 TO mxb.n1", ("new", "t1")),
        ("RENAME TABLE mxb.s1 TO mxa.n1", ("new", "s1")), ("RENAME TABLE mxa.t1 TO mxa.n1, mxa.n1 TO mxa.n2", ("new", "t1")), ("RENAME TABLE mxa.gone TO mxa.n1", ()), ("RENAME TABLE mxa.t1 TO mxa.t2", ()), ("RENAME TABLE mxa.vd TO mxa.n1", ("newview", "vd")), ("RENAME TABLE mxa.t1 TO gone.n1", ()),
        ("DROP TABLE information_schema.tables", ()), ("DROP TABLE performance_schema.threads", ()), ("DROP TABLE mysql.gone", ()), ("RENAME TABLE information_schema.tables TO mxa.n1", ()), ("CREATE INDEX k ON performance_schema.threads (thread_id)", ()))]
    return out


def views():
    v = ("newview",)
    out = [S(f"CREATE VIEW mxa.n1 AS {q}", undo=v) for q in (
        "SELECT 1 AS a", "SELECT * FROM mxa.t1", "SELECT id FROM mxa.t1", "SELECT secret FROM mxb.s1", "SELECT secret FROM mxa.vi", "SELECT secret FROM mxa.vd", "SELECT secret FROM mxa.vid", "SELECT secret FROM mxa.vdi", "SELECT (SELECT secret FROM mxb.s1) AS x", "SELECT id FROM mxa.t1 WHERE secret = 'x'",
        "SELECT * FROM mxa.gone", "SELECT * FROM gone.gone", "SELECT a.id FROM mxa.t1 a JOIN mxa.t2 b USING (id)", "SELECT id FROM mxa.t1 WHERE EXISTS (SELECT 1 FROM mxb.s1)", "SELECT id FROM mxa.t1 UNION SELECT id FROM mxb.s1", "WITH c AS (SELECT secret FROM mxa.t2) SELECT * FROM c", "SELECT gone FROM mxa.t1",
        "SELECT table_name FROM information_schema.tables", "SELECT user FROM mysql.user", "SELECT x.id FROM (SELECT id FROM mxa.t1) x", "TABLE mxa.t1")]
    out += [S(s, undo=u) for s, u in (
        ("CREATE VIEW mxb.n1 AS SELECT * FROM mxa.t1", v), ("CREATE VIEW gone.n1 AS SELECT 1", ()), ("CREATE VIEW information_schema.n1 AS SELECT 1", ()), ("CREATE SQL SECURITY INVOKER VIEW mxa.n1 AS SELECT id FROM mxa.t1", v), ("CREATE DEFINER = CURRENT_USER VIEW mxa.n1 AS SELECT 1 AS a", v),
        ("CREATE DEFINER = root@localhost VIEW mxa.n1 AS SELECT 1 AS a", v), ("CREATE DEFINER = tgt@localhost VIEW mxa.n1 AS SELECT 1 AS a", v), ("CREATE DEFINER = tgt_sys@localhost VIEW mxa.n1 AS SELECT 1 AS a", v), ("CREATE DEFINER = gone@localhost VIEW mxa.n1 AS SELECT 1 AS a", v), ("CREATE DEFINER = {me} VIEW mxa.n1 AS SELECT 1 AS a", v),
        ("CREATE DEFINER = root@localhost VIEW mxa.n1 AS SELECT secret FROM mxa.t1", v), ("CREATE DEFINER = tgt_role@localhost VIEW mxa.n1 AS SELECT 1 AS a", v), ("CREATE OR REPLACE VIEW mxa.vd AS SELECT id FROM mxa.t1", ("vd",)), ("CREATE OR REPLACE VIEW mxa.n1 AS SELECT id FROM mxa.t1", v), ("CREATE OR REPLACE VIEW mxa.t1 AS SELECT 1", ()), ("CREATE VIEW mxa.vd AS SELECT 1", ()), ("CREATE VIEW mxa.t1 AS SELECT 1", ()),
        ("ALTER VIEW mxa.vd AS SELECT id FROM mxa.t1", ("vd",)), ("ALTER VIEW mxa.vi AS SELECT 1 AS a", ("vi",)), ("ALTER SQL SECURITY INVOKER VIEW mxa.vd AS SELECT id, pub, secret FROM mxa.t1", ("vd",)), ("ALTER VIEW mxa.gone AS SELECT 1", ()), ("ALTER DEFINER = root@localhost VIEW mxa.vi AS SELECT 1 AS a", ("vi",)), ("ALTER DEFINER = {me} VIEW mxa.vi AS SELECT id FROM mxa.t1", ("vi",)),
        ("ALTER VIEW mxa.vx AS SELECT id, pub, secret FROM mxa.t1", ("vx",)), ("DROP VIEW mxa.vd", ("vd",)), ("DROP VIEW mxa.vi, mxa.vd", ("vi", "vd")), ("DROP VIEW IF EXISTS mxa.vd", ("vd",)), ("DROP VIEW mxa.gone", ()), ("DROP VIEW IF EXISTS mxa.gone", ()), ("DROP VIEW mxa.t1", ()), ("DROP VIEW mxb.gone", ()), ("DROP VIEW gone.gone", ()), ("DROP VIEW mxa.vx", ("vx",)))]
    # a view made by the asking account is read by it
    out += [S(["CREATE SQL SECURITY DEFINER VIEW mxa.n1 AS SELECT id FROM mxa.t1", "SELECT * FROM mxa.n1", "SHOW CREATE VIEW mxa.n1", "DROP VIEW mxa.n1"], undo=v, keys=("id", "View")),
            S(["CREATE SQL SECURITY INVOKER VIEW mxa.n1 AS SELECT id FROM mxa.vd", "SELECT * FROM mxa.n1"], undo=v), S(["CREATE SQL SECURITY INVOKER VIEW mxa.n1 AS SELECT secret FROM mxa.vi", "SELECT * FROM mxa.n1"], undo=v)]
    return out


def databases():
    return [S(s, undo=u) for s, u in (
        ("CREATE DATABASE mxn", ("newdb",)), ("CREATE DATABASE IF NOT EXISTS mxn", ("newdb",)), ("CREATE DATABASE mxa", ()), ("CREATE DATABASE IF NOT EXISTS mxa", ()), ("CREATE SCHEMA mxn CHARACTER SET latin1", ("newdb",)), ("CREATE DATABASE mxn ENCRYPTION = 'Y'", ("newdb",)), ("CREATE DATABASE mxn ENCRYPTION = 'N'", ("newdb",)),
        ("CREATE DATABASE information_schema", ()), ("CREATE DATABASE performance_schema", ()), ("ALTER DATABASE mxa CHARACTER SET utf8mb4", ()), ("ALTER DATABASE mxb CHARACTER SET utf8mb4", ()), ("ALTER DATABASE gone CHARACTER SET utf8mb4", ()), ("ALTER DATABASE mxa READ ONLY = 0", ()), ("ALTER DATABASE mxb READ ONLY = 1", ("ALTER DATABASE mxb READ ONLY = 0",)),
        ("ALTER DATABASE information_schema CHARACTER SET utf8mb4", ()), ("ALTER DATABASE mysql READ ONLY = 1", ()), ("DROP DATABASE mxb", ("mxb",)), ("DROP DATABASE mxa", ("mxa",)), ("DROP DATABASE IF EXISTS mxb", ("mxb",)), ("DROP DATABASE gone", ()), ("DROP DATABASE IF EXISTS gone", ()), ("DROP DATABASE information_schema", ()), ("DROP DATABASE mysql", ()),
        ("DROP DATABASE performance_schema", ()))] + [S(f"USE {d}", fresh=True) for d in ("mxa", "mxb", "gone", "mysql", "information_schema", "performance_schema")]


def maintenance():
    out, keys = [], ("Table", "Op", "Msg_type")
    for t in ("mxa.t1", "mxb.s1", "mxa.vd", "mxa.vi", "mxa.gone", "gone.gone", "mxa.t1, mxb.s1"):
        out += [S(f"{kind} TABLE {t}", keys=keys) for kind in ("ANALYZE", "CHECK", "OPTIMIZE", "REPAIR", "CHECKSUM")]
    out += [S(s, keys=keys, undo=u) for s, u in (
        ("ANALYZE TABLE mxa.t1 UPDATE HISTOGRAM ON secret", ("t1",)), ("ANALYZE TABLE mxa.t1 DROP HISTOGRAM ON secret", ()), ("ANALYZE TABLE mxb.s1 UPDATE HISTOGRAM ON secret", ("s1",)), ("ANALYZE LOCAL TABLE mxa.t1", ()), ("ANALYZE NO_WRITE_TO_BINLOG TABLE mxb.s1", ()), ("OPTIMIZE LOCAL TABLE mxa.t1", ()), ("OPTIMIZE NO_WRITE_TO_BINLOG TABLE mxb.s1", ()),
        ("CHECK TABLE mxa.t1 QUICK", ()), ("CHECK TABLE mxa.t1 FOR UPGRADE", ()), ("CHECKSUM TABLE mxa.t1 QUICK", ()), ("CHECKSUM TABLE mxa.t1 EXTENDED", ()), ("ANALYZE TABLE mxa.t2 UPDATE HISTOGRAM ON gone", ()), ("ANALYZE TABLE information_schema.tables", ()), ("CHECK TABLE performance_schema.threads", ()), ("CHECKSUM TABLE mysql.user", ()), ("ANALYZE TABLE mysql.gone", ()))]
    out += [S(s) for s in (
        "CACHE INDEX mxa.t1 IN hot", "LOAD INDEX INTO CACHE mxa.t1", "DROP TRIGGER mxa.gone", "DROP TRIGGER IF EXISTS mxa.gone", "DROP PROCEDURE mxa.gone", "DROP PROCEDURE IF EXISTS mxa.gone", "DROP FUNCTION mxa.gone", "DROP FUNCTION IF EXISTS mxb.gone", "DROP FUNCTION gone",
        "DROP EVENT mxa.gone", "DROP EVENT IF EXISTS mxa.gone", "ALTER EVENT mxa.gone ENABLE", "CREATE TABLESPACE ts ADD DATAFILE 'ts.ibd'", "DROP TABLESPACE gone", "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'x')", "DROP SERVER gone", "DROP SERVER IF EXISTS gone")]
    return out


def statements():
    return tables() + views() + databases() + maintenance()
