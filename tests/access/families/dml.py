"""Changes of rows, directly and through views; LOAD DATA, INTO OUTFILE, HANDLER, LOCK TABLES, CALL."""
from . import S

TARGETS = ("mxa.t1", "mxb.s1", "mxa.vd", "mxa.vi", "mxa.vid", "mxa.vdi", "mxa.vx", "mxa.vbd")
CHANGES = (
    "INSERT INTO {t} VALUES (8, 'n', 'm')", "INSERT INTO {t} (id) VALUES (8)", "INSERT INTO {t} SET id = 8, pub = 'a'", "REPLACE INTO {t} VALUES (1, 'n', 'm')",
    "UPDATE {t} SET pub = 'x'", "UPDATE {t} SET pub = 'x' WHERE id = 1", "UPDATE {t} SET secret = 'x' WHERE pub = 'p1'", "UPDATE {t} SET pub = secret", "DELETE FROM {t}", "DELETE FROM {t} WHERE id = 1",
)
ONLY_T1 = (
    "INSERT INTO {t} () VALUES ()", "INSERT INTO {t} (id, pub) VALUES (8, 'a'), (9, 'b')", "INSERT INTO {t} (id, secret) VALUES (8, DEFAULT(secret))", "INSERT INTO {t} (id, pub) VALUES (8, secret)",
    "INSERT IGNORE INTO {t} (id) VALUES (1)", "INSERT INTO {t} (id) VALUES (1) ON DUPLICATE KEY UPDATE pub = 'd'", "INSERT INTO {t} (id) VALUES (1) ON DUPLICATE KEY UPDATE pub = secret",
    "INSERT INTO {t} (id) VALUES (1) ON DUPLICATE KEY UPDATE secret = VALUES(pub)", "INSERT INTO {t} (id) VALUES (1) AS n ON DUPLICATE KEY UPDATE pub = n.id", "INSERT INTO {t} SELECT 8, pub, secret FROM mxa.t2 LIMIT 1",
    "INSERT INTO {t} (id) SELECT id + 20 FROM mxa.t1", "INSERT INTO {t} TABLE mxa.t2", "INSERT INTO {t} (id, pub) VALUES (8, (SELECT secret FROM mxb.s1))", "INSERT INTO {t} (id, pub) VALUES (8, (SELECT secret FROM mxa.t2 LIMIT 1))",
    "REPLACE INTO {t} (id) VALUES (1)", "REPLACE INTO {t} SELECT * FROM mxa.t2", "REPLACE INTO {t} SET id = 1, pub = 'x'", "UPDATE {t} SET pub = (SELECT secret FROM mxb.s1)", "UPDATE {t} SET pub = 'x' WHERE secret = 'canary1'",
    "UPDATE {t} SET pub = 'x' ORDER BY secret LIMIT 1", "UPDATE {t} SET id = id + 100", "UPDATE {t} SET pub = DEFAULT(secret)", "UPDATE {t} SET pub = 'x' WHERE EXISTS (SELECT 1 FROM mxa.t2)",
    "UPDATE {t} a JOIN mxa.t2 b ON a.id = b.id SET a.pub = 'x'", "UPDATE {t} a JOIN mxa.t2 b ON a.id = b.id SET b.pub = a.secret", "UPDATE {t} a, mxb.s1 b SET a.pub = b.secret", "UPDATE {t} SET gone = 1", "UPDATE {t} SET pub = gone",
    "DELETE FROM {t} WHERE secret LIKE 'c%'", "DELETE FROM {t} ORDER BY id LIMIT 1", "DELETE FROM {t} WHERE id IN (SELECT id FROM mxa.t2)", "DELETE {t} FROM {t} JOIN mxa.t2 ON t1.id = t2.id", "DELETE mxa.t2 FROM {t} JOIN mxa.t2 ON t1.id = t2.id",
    "DELETE FROM {t} USING {t} JOIN mxb.s1 ON t1.id = s1.id", "DELETE {t}, mxa.t2 FROM {t} JOIN mxa.t2 ON t1.id = t2.id", "WITH c AS (SELECT id FROM mxa.t2) DELETE FROM {t} WHERE id IN (SELECT id FROM c)",
    "WITH c AS (SELECT id FROM mxa.t2) UPDATE {t}, c SET pub = 'x' WHERE {t}.id = c.id", "INSERT INTO {t} (gone) VALUES (1)", "DELETE FROM {t} WHERE gone = 1", "INSERT INTO mxa.t2 SELECT id + 10, pub, secret FROM {t}", "INSERT INTO mxb.s1 SELECT id + 10, pub, secret FROM {t}",
    "UPDATE mxa.t2 SET pub = (SELECT max(secret) FROM {t})", "DELETE FROM mxa.t2 WHERE id = (SELECT min(id) FROM {t})", "INSERT INTO mxa.child VALUES (1, NULL)", "INSERT INTO mxa.child VALUES (1, 5)", "INSERT INTO mxa.gone VALUES (1)", "UPDATE mxa.gone SET a = 1",
    "DELETE FROM mxa.gone", "INSERT INTO mxb.gone VALUES (1)", "INSERT INTO gone.gone VALUES (1)", "INSERT INTO mxa.vs VALUES (1, 1, 1)", "UPDATE information_schema.tables SET table_name = 'x'", "DELETE FROM information_schema.columns", "INSERT INTO information_schema.tables VALUES (1)",
    "INSERT INTO {t} (id) VALUES ((SELECT 8 FROM mxa.vi LIMIT 1))", "UPDATE {t} SET pub = 'x' WHERE id = (SELECT min(id) FROM mxa.vdi)", "REPLACE INTO {t} TABLE mxa.t2",
)
SYSTEM = (
    "DELETE FROM mysql.user WHERE user = 'gone'", "UPDATE mysql.user SET host = 'x' WHERE user = 'gone'", "INSERT INTO mysql.db (host) VALUES ('x')", "DELETE FROM mysql.db WHERE user = 'gone'", "DELETE FROM mysql.global_grants WHERE user = 'gone'",
    "DELETE FROM performance_schema.setup_consumers", "INSERT INTO performance_schema.setup_actors VALUES ('a', 'b', 'c', 'YES', 'YES')", "DELETE FROM performance_schema.threads", "INSERT INTO performance_schema.users VALUES ('a', 1, 1, 1, 1)",
    "UPDATE performance_schema.processlist SET user = 'x'", "DELETE FROM performance_schema.global_status", "DELETE FROM performance_schema.data_locks",
)


def statements():
    out = [S(c.format(t=t), tx=True) for t in TARGETS for c in CHANGES]
    out += [S(c.format(t="mxa.t1"), tx=True) for c in ONLY_T1]
    out += [S(c, tx=True) for c in SYSTEM]
    out += [S("UPDATE performance_schema.setup_consumers SET enabled = enabled"), S("TRUNCATE performance_schema.events_waits_history"), S("TRUNCATE performance_schema.accounts"), S("TRUNCATE performance_schema.threads"),
            S("TRUNCATE performance_schema.setup_actors", undo=("INSERT IGNORE INTO performance_schema.setup_actors VALUES ('%', '%', '%', 'YES', 'YES')",)), S("TRUNCATE performance_schema.events_statements_summary_by_digest"),
            S("TRUNCATE performance_schema.users"), S("TRUNCATE performance_schema.hosts"), S("TRUNCATE information_schema.tables")]
    # files
    data = "/tmp/evenkeel-access-data"
    for t in ("mxa.t1", "mxb.s1", "mxa.vi", "mxa.gone"):
        out.append(S(f"LOAD DATA INFILE '{data}' INTO TABLE {t} (id, pub)", tx=True))
        out.append(S(f"LOAD DATA LOCAL INFILE '{data}' INTO TABLE {t} (id, pub)", tx=True))
    out += [S(f"LOAD DATA LOCAL INFILE '{data}' {s}", tx=True) for s in (
        "REPLACE INTO TABLE mxa.t1 (id, pub)", "INTO TABLE mxa.t1 (id, @x) SET pub = (SELECT secret FROM mxb.s1)", "INTO TABLE mxa.t1 (id, @x) SET pub = secret", "INTO TABLE mxa.t1 (id)", "INTO TABLE mxa.t1", "IGNORE INTO TABLE mxa.t1 (id, pub) SET secret = 'x'")]
    out += [S(s) for s in ("LOAD XML LOCAL INFILE '/tmp/evenkeel-access-data' INTO TABLE mxa.t1", "LOAD DATA INFILE '/gone' INTO TABLE mxa.t1", "LOAD DATA INFILE '/gone' INTO TABLE mxa.gone")]
    for s in ("SELECT 1 INTO OUTFILE '{f}'", "SELECT id FROM mxa.t1 INTO OUTFILE '{f}'", "SELECT secret FROM mxa.vi INTO DUMPFILE '{f}'", "SELECT secret FROM mxb.s1 INTO OUTFILE '{f}'", "TABLE mxa.t1 INTO OUTFILE '{f}'"):
        out.append(S(s.format(f="/gone/folder/file")))
    out += [S("SELECT secret FROM mxa.t1 WHERE id = 1 INTO @a"), S("SELECT 1 INTO OUTFILE '/etc/hostname'"), S("SELECT load_file('/tmp/evenkeel-access-data')")]
    # cursors and locks
    for t in ("mxa.t1", "mxb.s1", "mxa.vd", "mxa.gone"):
        out.append(S([f"HANDLER {t} OPEN AS h", "HANDLER h READ FIRST", "HANDLER h READ `PRIMARY` = (1)", "HANDLER h CLOSE"], fresh=True))
    out += [S(["HANDLER mxa.t1 OPEN AS h", "HANDLER h READ FIRST WHERE id = (SELECT id FROM mxb.s1)"], fresh=True), S("HANDLER gone READ FIRST"), S("HANDLER gone CLOSE"),
            S(["HANDLER mxa.t1 OPEN AS h", "HANDLER h READ k_pub FIRST", "HANDLER h READ k_pub NEXT"], fresh=True)]
    for t in ("mxa.t1", "mxb.s1", "mxa.vd", "mxa.vi", "mxa.vid", "mxa.gone", "gone.gone", "mysql.user", "information_schema.tables", "performance_schema.threads"):
        for kind in ("READ", "WRITE"):
            out.append(S([f"LOCK TABLES {t} {kind}", "UNLOCK TABLES"], fresh=True))
    out += [S(["LOCK TABLES mxa.t1 READ, mxa.t2 WRITE", "SELECT count(*) FROM mxa.t1", "SELECT count(*) FROM mxb.s1", "UNLOCK TABLES"], fresh=True), S(["LOCK TABLES mxa.t1 READ LOCAL", "UNLOCK TABLES"], fresh=True),
            S("UNLOCK TABLES"), S(["LOCK TABLES mxa.t1 AS x READ, mxa.vd READ", "UNLOCK TABLES"], fresh=True)]
    out += [S(s) for s in ("CALL mxa.gone()", "CALL mxb.gone()", "CALL gone.gone()", "CALL gone()", "CALL mxa.gone((SELECT secret FROM mxa.t1 LIMIT 1))")]
    return out
