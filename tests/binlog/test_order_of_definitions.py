"""Definitions that several clients change at the same time stand in the log in the order in which they happened.

Statements that find nothing to do (IF EXISTS, IF NOT EXISTS) are logged too, so they are part of that order: a replica
that applies DROP ... IF EXISTS one place later drops what the source has. What is compared is what source and replica
have in the end, after each round of a few statements on the same names.
"""
import random
import threading

import pytest

from binlog.test_replica import errors, point
from lib.servers import Server
from lib.wait import until

ROUNDS, CLIENTS, STATEMENTS = 25, 4, 12
OPTIONS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--log-bin-trust-function-creators=ON"]

# per family: statements ({n}: a number that tells one definition from the other), and what shows them
FAMILIES = {
    "tables": (["CREATE TABLE IF NOT EXISTS d.t (a INT COMMENT '{n}')", "DROP TABLE IF EXISTS d.t", "CREATE TABLE IF NOT EXISTS d.u LIKE d.t", "RENAME TABLE d.t TO d.u", "DROP TABLE IF EXISTS d.t, d.u"],
               ["SELECT table_name, column_comment FROM information_schema.columns WHERE table_schema = 'd' ORDER BY 1"]),
    "databases": (["CREATE DATABASE IF NOT EXISTS e", "DROP DATABASE IF EXISTS e", "CREATE TABLE IF NOT EXISTS e.t (a INT COMMENT '{n}')", "ALTER DATABASE e CHARACTER SET latin1"],
                  ["SELECT schema_name, default_character_set_name FROM information_schema.schemata WHERE schema_name = 'e'", "SELECT column_comment FROM information_schema.columns WHERE table_schema = 'e'"]),
    "views": (["CREATE OR REPLACE VIEW d.v AS SELECT {n}", "DROP VIEW IF EXISTS d.v", "CREATE VIEW d.v AS SELECT {n}", "DROP TABLE IF EXISTS d.v", "CREATE TABLE IF NOT EXISTS d.v (a INT COMMENT '{n}')"],
              ["SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'd' AND table_name = 'v'", "SELECT view_definition FROM information_schema.views WHERE table_schema = 'd'"]),
    "routines": (["CREATE PROCEDURE IF NOT EXISTS d.p() SELECT {n}", "DROP PROCEDURE IF EXISTS d.p", "CREATE FUNCTION IF NOT EXISTS d.p() RETURNS INT RETURN {n}", "DROP FUNCTION IF EXISTS d.p"],
                 ["SELECT routine_type, routine_definition FROM information_schema.routines WHERE routine_schema = 'd' ORDER BY 1"]),
    "triggers and events": (["CREATE TRIGGER IF NOT EXISTS d.x BEFORE INSERT ON d.fixed FOR EACH ROW SET @a = {n}", "DROP TRIGGER IF EXISTS d.x", "CREATE EVENT IF NOT EXISTS d.y ON SCHEDULE EVERY 1 DAY DO SET @a = {n}",
                             "DROP EVENT IF EXISTS d.y"],
                            ["SELECT action_statement FROM information_schema.triggers WHERE trigger_schema = 'd'", "SELECT event_definition FROM information_schema.events WHERE event_schema = 'd'"]),
    "accounts": (["CREATE USER IF NOT EXISTS a@h IDENTIFIED BY 'p{n}'", "DROP USER IF EXISTS a@h", "ALTER USER IF EXISTS a@h IDENTIFIED BY 'q{n}'", "GRANT SELECT ON d.* TO a@h", "REVOKE SELECT ON d.* FROM a@h", "GRANT r TO a@h",
                  "CREATE ROLE IF NOT EXISTS r", "DROP ROLE IF EXISTS r", "RENAME USER a@h TO b@h", "RENAME USER b@h TO a@h", "SET PASSWORD FOR a@h = 's{n}'", "REVOKE IF EXISTS r FROM a@h IGNORE UNKNOWN USER"],
                 ["SELECT user, host, authentication_string FROM mysql.user WHERE host = 'h' OR user = 'r' ORDER BY 1", "SELECT * FROM mysql.role_edges", "SELECT user, db FROM mysql.db WHERE host = 'h' AND select_priv = 'Y' ORDER BY 1"]),
}


def client(server, seed, statements, ready):
    r = random.Random(seed)
    with server.connect() as c, c.cursor() as cur:
        ready.wait()
        for _ in range(STATEMENTS):
            try:
                cur.execute(r.choice(statements).format(n=r.randrange(1_000_000)))
            except Exception:  # what there is or is not by then
                pass


@pytest.fixture
def pair():
    source, replica = Server(options=[*OPTIONS, "--server-id=1"]), Server(options=[*OPTIONS, "--server-id=2"])
    try:
        source.start()
        source.query("CREATE DATABASE d")
        source.query("CREATE TABLE d.fixed (a INT)")
        replica.start()
        source.query("CREATE USER repl@'%' IDENTIFIED BY 'p w'")
        source.query("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        point(source, replica)
        replica.query("START REPLICA")
        yield source, replica
    finally:
        for s in (source, replica):
            if s.process:
                s.remove()


@pytest.mark.parametrize("family", FAMILIES)
def test_what_clients_define_at_once(pair, family):
    source, replica = pair
    statements, shown = FAMILIES[family]
    for n in range(ROUNDS):
        ready = threading.Barrier(CLIENTS)
        threads = [threading.Thread(target=client, args=(source, f"{family} {n} {i}", statements, ready)) for i in range(CLIENTS)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        done, = source.query("SELECT @@gtid_executed")
        until(lambda: replica.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{done[0]}', 1)") == ((0,),) or errors(replica))
        assert errors(replica) == (), n
        for q in shown:
            assert source.query(q) == replica.query(q), (n, q)
