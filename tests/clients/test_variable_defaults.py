"""`SET x = DEFAULT` of every variable: on a server that was just started it changes nothing, and where the start has computed a default (from the host's name, from
other options) it gives that one.

MySQL's answers were recorded with MySQL 9.7; `python tests/clients/test_variable_defaults.py` compares them again (scripts/mysql-peer.sh).
"""
import pathlib
import socket
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import until  # noqa: E402

# what is another value without DEFAULT: the clock goes on, and a statement has its own warnings
MOVES = {("SESSION", "timestamp"), ("SESSION", "warning_count"), ("SESSION", "error_count")}
# 1230: they are of the next statement, or a fact
NO_DEFAULT = {("SESSION", v) for v in ("identity", "insert_id", "last_insert_id", "rand_seed1", "rand_seed2")} | {("GLOBAL", "gtid_purged")}
# read-only, or not of this scope
NOT_SETTABLE = {1228, 1229, 1238, 1621}

OPTIONS = ["--table-open-cache=1000", "--max-connections=500", "--innodb-io-capacity=500", "--character-set-server=latin1", "--collation-server=latin1_bin",
           "--general-log-file=given.log", "--slow-query-log-file=given-slow.log"]
# with these options: the value before and after `SET GLOBAL x = DEFAULT`
HOST = socket.gethostname().split(".")[0]
COMPUTED = {
    "table_definition_cache": ("900", "900"), "thread_cache_size": ("13", "13"), "host_cache_size": ("628", "628"), "innodb_io_capacity_max": ("1000", "1000"),
    "character_set_client": ("latin1", "latin1"), "character_set_results": ("latin1", "latin1"), "character_set_connection": ("latin1", "latin1"),
    "character_set_database": ("latin1", "latin1"), "collation_server": ("latin1_bin", "latin1_bin"), "collation_connection": ("latin1_bin", "latin1_bin"),
    "collation_database": ("latin1_bin", "latin1_bin"), "max_connections": ("500", "151"), "table_open_cache": ("1000", "4000"),
    "general_log_file": ("given.log", "{data}/{host}.log"), "slow_query_log_file": ("given-slow.log", "{data}/{host}-slow.log"),
}


def shown(cur, scope):
    cur.execute(f"SHOW {scope} VARIABLES")
    return dict(cur.fetchall())


def walk(cur, scope):
    """Each variable set to DEFAULT: what has then another value than before, and the errors."""
    before, changed, errors = shown(cur, scope), {}, {}
    for name in sorted(before):
        try:
            cur.execute(f"SET {scope} {name} = DEFAULT")
        except pymysql.MySQLError as e:
            errors[scope, name] = e.args[0]
            continue
        now = shown(cur, scope)
        for other, value in now.items():
            if value != before.get(other) and (scope, other) not in MOVES:
                changed[scope, other] = (name, before.get(other), value)
        before = now
    return changed, errors


@pytest.mark.parametrize("scope", ["GLOBAL", "SESSION"])
def test_defaults_of_a_fresh_server_change_nothing(scope):
    s = Server().start()
    try:
        with s.connect() as c, c.cursor() as cur:
            changed, errors = walk(cur, scope)
        assert changed == {}
        assert {k for k, code in errors.items() if code == 1230} == {k for k in NO_DEFAULT if k[0] == scope}
        assert {code for code in errors.values() if code != 1230} <= NOT_SETTABLE, errors
    finally:
        s.stop()
        s.remove()


def computed(server):
    with server.connect() as c, c.cursor() as cur:
        data = shown(cur, "GLOBAL")["datadir"].rstrip("/")
        out = {}
        for name in COMPUTED:
            cur.execute(f"SELECT @@GLOBAL.{name}")
            before = cur.fetchone()[0]
            cur.execute(f"SET GLOBAL {name} = DEFAULT")
            cur.execute(f"SELECT @@GLOBAL.{name}")
            out[name] = tuple(str(v).replace(data, "{data}").replace(HOST, "{host}") for v in (before, cur.fetchone()[0]))
    return out


def test_defaults_that_the_start_has_computed():
    s = Server(options=OPTIONS).start()
    try:
        assert computed(s) == COMPUTED
    finally:
        s.stop()
        s.remove()


@pytest.mark.parametrize("log", ["general_log", "slow_query_log"])
def test_a_log_goes_on_under_its_default_name(log):
    s = Server(options=[f"--{log.replace('_', '-')}-file=given.log", f"--{log.replace('_', '-')}=ON", "--long-query-time=0"]).start()
    try:
        with s.connect() as c, c.cursor() as cur:
            cur.execute(f"SET GLOBAL {log}_file = DEFAULT")
            cur.execute(f"SELECT @@{log}_file, @@{log}")
            name, on = cur.fetchone()
            assert name and on == 1
            cur.execute("SELECT 'found again'")
            until(lambda: "found again" in pathlib.Path(name).read_text())
            cur.execute("FLUSH LOGS")
            cur.execute(f"SET PERSIST {log}_file = DEFAULT")
        s.stop()
        s.options = []
        s.start()
        assert s.query(f"SELECT @@{log}_file") == ((name,),)
    finally:
        s.stop()
        s.remove()


if __name__ == "__main__":
    peer = MySQL(options=OPTIONS).start()
    try:
        found = computed(peer)
        print({k: (v, COMPUTED[k]) for k, v in found.items() if v != COMPUTED[k]} or "as recorded")
    finally:
        peer.stop()
        peer.remove()
