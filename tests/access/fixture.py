"""What there is before each cell of the matrix, and how parts of it are made anew after a statement that changed them."""
from accounts import ACCOUNTS, DYNAMIC, ROLES, TARGETS, quoted

T1 = ["CREATE TABLE mxa.t1 (id INT PRIMARY KEY, pub VARCHAR(20), secret VARCHAR(20) DEFAULT 'none', KEY k_pub (pub))",
      "INSERT INTO mxa.t1 VALUES (1, 'p1', 'canary1'), (2, 'p2', 'canary2'), (3, 'p3', 'canary3')"]
T2 = ["CREATE TABLE mxa.t2 (id INT PRIMARY KEY, pub VARCHAR(20), secret VARCHAR(20), CONSTRAINT chk_t2 CHECK (id > 0))",
      "INSERT INTO mxa.t2 VALUES (1, 'q1', 'canary4'), (4, 'q4', 'canary5')", "ANALYZE TABLE mxa.t2 UPDATE HISTOGRAM ON pub WITH 4 BUCKETS"]
KIN = ["CREATE TABLE mxa.parent (id INT PRIMARY KEY)", "CREATE TABLE mxa.child (id INT PRIMARY KEY, pid INT, CONSTRAINT fk_child FOREIGN KEY (pid) REFERENCES mxa.parent (id))"]
S1 = ["CREATE TABLE mxb.s1 (id INT PRIMARY KEY, pub VARCHAR(20), secret VARCHAR(20))", "INSERT INTO mxb.s1 VALUES (1, 's1', 'canary6')"]
VIEWS = {
    "vd": "DEFINER = root@localhost SQL SECURITY DEFINER VIEW mxa.vd AS SELECT id, pub, secret FROM mxa.t1",
    "vi": "DEFINER = root@localhost SQL SECURITY INVOKER VIEW mxa.vi AS SELECT id, pub, secret FROM mxa.t1",
    "vdi": "DEFINER = root@localhost SQL SECURITY DEFINER VIEW mxa.vdi AS SELECT id, pub, secret FROM mxa.vi",
    "vid": "DEFINER = root@localhost SQL SECURITY INVOKER VIEW mxa.vid AS SELECT id, pub, secret FROM mxa.vd",
    "vx": "DEFINER = tgt_definer@localhost SQL SECURITY DEFINER VIEW mxa.vx AS SELECT id, pub, secret FROM mxa.t1",
    "vb": "DEFINER = root@localhost SQL SECURITY INVOKER VIEW mxa.vb AS SELECT id, pub, secret FROM mxb.s1",
    "vbd": "DEFINER = root@localhost SQL SECURITY DEFINER VIEW mxa.vbd AS SELECT id, pub, secret FROM mxb.s1",
    "vs": "DEFINER = root@localhost SQL SECURITY INVOKER VIEW mxa.vs AS SELECT id, pub, (SELECT max(s.secret) FROM mxb.s1 s) AS secret FROM mxa.t1 WHERE id IN (SELECT id FROM mxa.t2)",
}


def view(name):
    return "CREATE OR REPLACE " + VIEWS[name]


def target(name):
    return [f"DROP USER IF EXISTS {name}@localhost", *TARGETS[name]]


def role(name):
    """A role with its grants and holders anew."""
    def names(statement):
        return f"GRANT {name} " in statement

    holders = [s.format(quoted(a)) for a, made in ACCOUNTS.items() if made and any(names(m) for m in made) for s in made if "rol" in s or "ROLE" in s and "ADMIN" not in s]
    nest = ROLES["rol_nest"] if name == "rol_read" else []
    return [f"DROP ROLE IF EXISTS {name}", f"CREATE ROLE {name}", *ROLES[name], *nest, *holders, *(TARGETS["tgt_role"][1:] if name == "rol_sys" else [])]


# who makes everything anew
KEEPER = ["CREATE USER keeper@localhost", "GRANT ALL ON *.* TO keeper@localhost WITH GRANT OPTION", f"GRANT {', '.join(DYNAMIC)} ON *.* TO keeper@localhost WITH GRANT OPTION"]
ROOT = ["DROP USER IF EXISTS nu@localhost", "CREATE USER IF NOT EXISTS root@localhost", "ALTER USER root@localhost IDENTIFIED BY '' ACCOUNT UNLOCK", "REVOKE rol_free FROM root@localhost",
        "GRANT ALL ON *.* TO root@localhost WITH GRANT OPTION", f"GRANT {', '.join(DYNAMIC)} ON *.* TO root@localhost WITH GRANT OPTION", "REVOKE ALL ON mxa.t1 FROM root@localhost"]

# what is made anew by name after a success
RESTORE = {
    "t1": ["DROP TABLE IF EXISTS mxa.t1", *T1],
    "t2": ["DROP TABLE IF EXISTS mxa.t2", *T2],
    "kin": ["DROP TABLE IF EXISTS mxa.child, mxa.parent", *KIN],
    "s1": ["DROP TABLE IF EXISTS mxb.s1", *S1],
    "new": ["DROP TABLE IF EXISTS mxa.n1, mxa.n2, mxb.n1"],
    "newview": ["DROP VIEW IF EXISTS mxa.n1, mxb.n1"],
    "newdb": ["DROP DATABASE IF EXISTS mxn"],
    "newuser": ["DROP USER IF EXISTS nu@localhost, nu2@localhost"],
    "newrole": ["DROP ROLE IF EXISTS nr, nr2"],
    "mxa": ["DROP DATABASE IF EXISTS mxa", "CREATE DATABASE mxa", *T1, *T2, *KIN, *(view(v) for v in VIEWS)],
    "mxb": ["DROP DATABASE IF EXISTS mxb", "CREATE DATABASE mxb", *S1],
    "root": ROOT,
    **{v: [view(v)] for v in VIEWS},
    **{t: target(t) for t in TARGETS},
    **{r: role(r) for r in ROLES},
}


def account(name):
    """An account of the matrix with its rights."""
    return [f"CREATE USER {quoted(name)}", *(g.format(quoted(name)) for g in ACCOUNTS[name])]


def made():
    """Everything, on a fresh server."""
    out = ["SET GLOBAL partial_revokes = ON", "SET GLOBAL max_connections = 1000", "SET GLOBAL local_infile = ON", "SET GLOBAL innodb_flush_log_at_trx_commit = 0",
           "CREATE DATABASE mxa", "CREATE DATABASE mxb"]
    out += KEEPER + T1 + T2 + KIN + S1
    out += [f"CREATE ROLE {r}" for r in ROLES]
    out += [s for r in ROLES for s in ROLES[r]]
    out += [s for t in TARGETS for s in TARGETS[t]]
    out += [view(v) for v in VIEWS]
    return out + [s for a, rights in ACCOUNTS.items() if rights is not None for s in account(a)]
