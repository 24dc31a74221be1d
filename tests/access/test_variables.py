"""SET of every variable, at every scope, by accounts that may set little: nothing is granted that MySQL does not grant.

Each variable is set to the value that it has, so only the right to do it differs. MySQL's answers are in `mysql.variables`, one line for what is not
usual there: variable, scope, error numbers of the three accounts (0: done). Recorded by `python tests/access/test_variables.py` with a MySQL
(scripts/mysql-peer.sh).
"""
import pathlib
import sys

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

RECORD = pathlib.Path(__file__).with_name("mysql.variables")
ACCOUNTS = {"nobody": None, "setter": "SYSTEM_VARIABLES_ADMIN", "session_setter": "SESSION_VARIABLES_ADMIN"}
# what most variables answer
USUAL = {"SESSION": (0, 0, 0), "GLOBAL": (1227, 0, 1227), "PERSIST": (1227, 0, 1227), "PERSIST_ONLY": (3630, 3630, 3630)}
# granted here and not there, with the reason
REASONS = {}


def answers(server):
    for name, privilege in ACCOUNTS.items():
        server.query(f"CREATE USER {name} IDENTIFIED BY 'pw'")
        if privilege:
            server.query(f"GRANT {privilege} ON *.* TO {name}")
    shown = {v for scope in ("GLOBAL", "SESSION") for v, _ in server.query(f"SHOW {scope} VARIABLES")}
    sessions = [server.connect(user=name, password="pw") for name in ACCOUNTS]
    out = {}
    for var in sorted(shown):
        for scope in USUAL:
            sql = f"SET {scope} {var} = @@{'SESSION' if scope == 'SESSION' else 'GLOBAL'}.{var}"
            out[var, scope] = tuple(outcome(c, sql) for c in sessions)
    for c in sessions:
        c.close()
    return out


def outcome(c, sql):
    with c.cursor() as cur:
        try:
            cur.execute(sql)
            return 0
        except pymysql.MySQLError as e:
            return e.args[0]


def recorded():
    out = {}
    for line in RECORD.read_text().splitlines():
        var, scope, *codes = line.split()
        out[var, scope] = tuple(map(int, codes))
    return out


def test_no_variable_is_easier_to_set_than_in_mysql():
    s = Server(options=["--log-bin", "--server-id=1"]).start()
    try:
        ours = answers(s)
    finally:
        s.stop()
        s.remove()
    theirs = recorded()
    known = {v for v, _ in theirs}
    found = []
    for (var, scope), codes in ours.items():
        wanted = theirs.get((var, scope)) or (USUAL[scope] if var in known else None)
        more = wanted and [name for name, here, there in zip(ACCOUNTS, codes, wanted) if here == 0 and there != 0]
        if more and (var, scope) not in REASONS:
            found.append(f"SET {scope} {var} by {', '.join(more)}: MySQL {wanted}, here {codes}")
    assert not found, "\n".join(found)
    assert len(known & {v for v, _ in ours}) > 500


def main():
    s = MySQL().start()
    lines, seen = [], answers(s)
    for var in sorted({v for v, _ in seen}):
        unusual = [f"{var} {scope} {' '.join(map(str, seen[var, scope]))}" for scope in USUAL if seen[var, scope] != USUAL[scope]]
        # a variable without anything unusual is still known
        lines += unusual or [f"{var} SESSION {' '.join(map(str, seen[var, 'SESSION']))}"]
    RECORD.write_text("\n".join(lines) + "\n")
    s.stop()
    s.remove()


if __name__ == "__main__":
    main()
