"""CHANGE REPLICATION SOURCE TO, CHANGE REPLICATION FILTER, START, STOP and RESET REPLICA with every option and values at their borders, on channels that run and
that do not, beside MySQL's recorded answers (errors, warnings, what performance_schema shows); and what the options do: TLS, GTIDs for who has none, keys for
tables without one, the position that one option names, how often filters decided."""
import re
import shutil
import subprocess

import pymysql
import pytest

from binlog import peers
from binlog.test_replica import GTIDS, KINDS, caught_up, make, pair, point, run, state, status
from lib.servers import MySQL, Server
from lib.wait import until

FILES = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]
# What differs, and why: a statement, our line.
KNOWN = [
    # 8.4 warns, 9.7 refuses (3139)
    (r"CHANGE REPLICATION SOURCE TO .*IGNORE_SERVER_IDS = \(.+\).*", r"Warning 1287 'CHANGE .* is deprecated and will be removed in a future release\."),
    # docs/replica.md: not built
    (r"CHANGE REPLICATION SOURCE TO RELAY_LOG_(FILE|POS) = .*", r"error 1235 Evenkeel doesn't yet support 'RELAY_LOG_.*"),
]


def known(q, lines):
    return any(re.fullmatch(pattern, q) and any(re.fullmatch(line, l) for l in lines or [""]) for pattern, line in KNOWN)


@pytest.mark.parametrize("name", ["replica_options", "replica_options_files"])
def test_statements(name):
    """The answers, in the order of the file, are MySQL's."""
    s = Server(options=["--log-bin=bin", "--server-id=1", *peers.OPTIONS[name]])
    try:
        s.start()
        wanted = peers.recorded(name)
        assert [q for q, _ in wanted] == peers.statements(name)
        ours = peers.told(s, name, settled=[lines for _, lines in wanted])
        different = [(q, told, lines) for (q, told), (_, lines) in zip(ours, wanted) if told != lines and not known(q, told)]
        assert not different, "\n".join(map(repr, different))
    finally:
        s.stop()
        s.remove()


def here(s):
    file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
    return f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"


def change(r, what):
    """With its warnings."""
    with r.connect() as c, c.cursor() as cur:
        cur.execute(f"CHANGE REPLICATION SOURCE TO {what}")
        cur.execute("SHOW WARNINGS")
        return [w[1] for w in cur.fetchall()]


def error(r, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        r.query(sql)
    return e.value.args[0]


def connects(r, what):
    """Whether the receiver connects with these options, and what it says."""
    change(r, what)
    r.query("START REPLICA IO_THREAD")
    until(lambda: status(r)["Replica_IO_Running"] != "Connecting", why=lambda: status(r))
    now = status(r)
    r.query("STOP REPLICA IO_THREAD")
    return now["Replica_IO_Running"] == "Yes", now["Last_IO_Errno"], now["Last_IO_Error"].split("Message: ")[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_tls_versions_and_ciphers(kind):
    with pair(kind) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_SSL=1, SOURCE_RETRY_COUNT=1")
        good, ciphers = (True, 0, ""), "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256"
        for what in ("SOURCE_TLS_VERSION='TLSv1.3'", "SOURCE_TLS_CIPHERSUITES='TLS_AES_128_GCM_SHA256'", "SOURCE_TLS_VERSION='tlsv1.2', SOURCE_TLS_CIPHERSUITES=NULL",
                     f"SOURCE_SSL_CIPHER='{ciphers}'", "SOURCE_TLS_VERSION='TLSv1.1,TLSv1.2'"):
            assert connects(r, what) == good, what
        now = status(r)
        assert (now["Source_TLS_Version"], now["Source_SSL_Cipher"], now["Source_SSL_Allowed"]) == ("TLSv1.1,TLSv1.2", ciphers, "Yes")
        for what, why in (("SOURCE_TLS_VERSION='TLSv1.1'", "SSL connection error: TLS version is invalid"), ("SOURCE_TLS_VERSION='x'", "SSL connection error: TLS version is invalid"),
                          ("SOURCE_TLS_VERSION='TLSv1.2', SOURCE_SSL_CIPHER='x'", "SSL connection error: Failed to set ciphers to use"),
                          ("SOURCE_TLS_VERSION='TLSv1.3', SOURCE_SSL_CIPHER='', SOURCE_TLS_CIPHERSUITES='x'", "SSL connection error: Failed to set ciphers to use")):
            assert connects(r, what) == (False, 2026, why), what
        assert connects(r, "SOURCE_TLS_CIPHERSUITES=''")[:2] == (False, 2026)
        # what is kept outlives the server, which begins to replicate
        r.stop()
        r.start()
        r.query("STOP REPLICA")
        assert r.query("SELECT TLS_VERSION, TLS_CIPHERSUITES, SSL_CIPHER FROM performance_schema.replication_connection_configuration") == (("TLSv1.3", "", ""),)
        assert connects(r, "SOURCE_TLS_CIPHERSUITES=NULL") == good


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def authority(folder):
    """A certificate of an authority, one of a server, and lists of what is revoked: nothing, and that one."""
    (folder / "ca.cnf").write_text("[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\ncrlnumber=crlnumber\ndefault_md=sha256\ndefault_crl_days=30\nserial=serial\nnew_certs_dir=.\npolicy=p\ndefault_days=30\nx509_extensions=e\n"
                                  "[p]\ncommonName=supplied\n[e]\nbasicConstraints=CA:FALSE\nsubjectAltName=IP:127.0.0.1\n")
    (folder / "index.txt").write_text("")
    (folder / "crlnumber").write_text("01\n")
    (folder / "serial").write_text("1000\n")
    openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca-key.pem", "-out", "ca.pem", "-days", "30", "-subj", "/CN=authority", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server-key.pem", "-out", "server.csr", "-subj", "/CN=source")
    openssl(folder, "ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca-key.pem", "-in", "server.csr", "-out", "server-cert.pem", "-notext")
    openssl(folder, "ca", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca-key.pem", "-gencrl", "-out", "none.pem")
    openssl(folder, "ca", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca-key.pem", "-revoke", "server-cert.pem")
    openssl(folder, "ca", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca-key.pem", "-gencrl", "-out", "revoked.pem")
    openssl(folder, "pkcs8", "-topk8", "-nocrypt", "-in", "server-key.pem", "-out", "server-key.p8.pem")
    for name, files in (("good", ["ca.pem", "none.pem"]), ("bad", ["ca.pem", "revoked.pem"])):
        (folder / name).mkdir()
        for f in files:
            shutil.copy(folder / f, folder / name / f)
        openssl(folder, "rehash", name)


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl")
def test_revoked_certificates(tmp_path):
    authority(tmp_path)
    with pair(source=[f"--ssl-ca={tmp_path}/ca.pem", f"--ssl-cert={tmp_path}/server-cert.pem", f"--ssl-key={tmp_path}/server-key.p8.pem"]) as (s, r):
        point(s, r, f"SOURCE_AUTO_POSITION=1, SOURCE_SSL=1, SOURCE_RETRY_COUNT=1, SOURCE_SSL_CA='{tmp_path}/ca.pem', SOURCE_SSL_VERIFY_SERVER_CERT=1")
        good = (True, 0, "")
        for what in ("SOURCE_SSL_CRL=''", f"SOURCE_SSL_CRL='{tmp_path}/none.pem'"):
            assert connects(r, what) == good, what
        refused = connects(r, f"SOURCE_SSL_CRL='{tmp_path}/revoked.pem'")
        assert refused[:2] == (False, 2026) and "Revoked" in refused[2], refused
        # not even where the name does not matter
        assert connects(r, "SOURCE_SSL_VERIFY_SERVER_CERT=0")[:2] == (False, 2026)
        assert connects(r, "SOURCE_SSL_CRL='/nope'")[:2] == (False, 2026)
        # folders
        assert connects(r, f"SOURCE_SSL_CA='', SOURCE_SSL_CRL='', SOURCE_SSL_CAPATH='{tmp_path}/good', SOURCE_SSL_CRLPATH='{tmp_path}/good', SOURCE_SSL_VERIFY_SERVER_CERT=1") == good
        assert connects(r, f"SOURCE_SSL_CRLPATH='{tmp_path}/bad'")[:2] == (False, 2026)
        assert connects(r, f"SOURCE_SSL_CAPATH='{tmp_path}', SOURCE_SSL_CRLPATH=''")[:2] == (False, 2026)
        now = status(r)
        assert (now["Source_SSL_CA_Path"], now["Source_SSL_Crlpath"], now["Source_SSL_Crl"]) == (str(tmp_path), "", "")


def test_one_of_file_and_position():
    """The other one is where the source's log is read now; a host or a port that is named means another source, even the same."""
    with pair(options=FILES) as (s, r):
        point(s, r, here(s))
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nFLUSH BINARY LOGS\nCREATE TABLE d.t (a INT PRIMARY KEY)\nINSERT INTO d.t VALUES (1)")
        caught_up(s, r)
        at = s.query("SHOW BINARY LOG STATUS")[0][1]
        run(s, "INSERT INTO d.t VALUES (2)\nINSERT INTO d.t VALUES (3)")
        caught_up(s, r)
        r.query("STOP REPLICA")
        run(r, "SET SESSION sql_log_bin = 0; DELETE FROM d.t WHERE a > 1")
        assert change(r, f"SOURCE_LOG_POS={at}") == []
        now = status(r)
        assert [now[c] for c in ("Source_Log_File", "Read_Source_Log_Pos", "Relay_Source_Log_File", "Exec_Source_Log_Pos")] == ["bin.000002", at] * 2
        r.query("START REPLICA")
        caught_up(s, r)
        assert state(r) == state(s)
        r.query("STOP REPLICA")
        assert change(r, "SOURCE_LOG_FILE='bin.000001'") == [3023]
        assert status(r)["Exec_Source_Log_Pos"] == s.query("SHOW BINARY LOG STATUS")[0][1]
        assert change(r, f"SOURCE_PORT={s.port}") == []
        assert [status(r)[c] for c in ("Source_Log_File", "Read_Source_Log_Pos", "Exec_Source_Log_Pos")] == ["", 4, 0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["LOCAL", "'3e11fa47-71ca-11e1-9e33-c80aa9429562'"])
@pytest.mark.parametrize("workers", [0, 4])
def test_gtids_for_who_has_none(kind, how, workers):
    """ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS: a source without GTIDs, a replica with them; each transaction gets one, once, whatever is killed."""
    s, r = make(kind, 1, *FILES), make(Server, 2, *GTIDS, f"--replica-parallel-workers={workers}")
    try:
        s.start()
        r.start()
        run(s, "SET SESSION sql_log_bin = 0; CREATE USER repl@'%' IDENTIFIED BY 'p w'; GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        where = here(s)
        point(s, r, where)
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d")
        until(lambda: status(r)["Replica_SQL_Running"] == "No", why=lambda: status(r))
        assert r.query("SELECT @@GLOBAL.gtid_executed") == (("",),)
        r.query("STOP REPLICA")
        assert change(r, f"ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS = {how}") == [4017]
        assert change(r, "SOURCE_DELAY = 0") == []
        assert error(r, "CHANGE REPLICATION SOURCE TO SOURCE_AUTO_POSITION = 1") == 4014
        assert error(r, "SET GLOBAL gtid_mode = ON_PERMISSIVE") == 3111
        r.query("START REPLICA")
        changes = ["CREATE TABLE d.t (a INT PRIMARY KEY, b INT)", *(f"INSERT INTO d.t VALUES ({n}, 0)" for n in range(30)), "CREATE USER u@localhost", "ALTER TABLE d.t ADD COLUMN c INT",
                   "UPDATE d.t SET c = 1", "DELETE FROM d.t WHERE a = 3"]
        run(s, "\n".join(changes[:20]))
        caught_up(s, r)
        r.kill()
        r.start()
        run(s, "\n".join(changes[20:]))
        caught_up(s, r)
        assert state(r) == state(s)
        uuid = r.query("SELECT @@server_uuid")[0][0] if how == "LOCAL" else how.strip("'")
        # CREATE DATABASE is one of them
        assert r.query("SELECT @@GLOBAL.gtid_executed") == ((f"{uuid}:1-{len(changes) + 1}",),)
        assert r.query("SELECT ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE, ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE FROM performance_schema.replication_applier_configuration") == (
            ("LOCAL" if how == "LOCAL" else "UUID", uuid),)
        # the counter of events counts here, too
        run(r, "SET SESSION sql_log_bin = 0; INSERT INTO d.t VALUES (100, 1, 1)")
        run(s, "INSERT INTO d.t VALUES (100, 0, 0)\nINSERT INTO d.t VALUES (101, 0, 0)")
        until(lambda: status(r)["Replica_SQL_Running"] == "No" and status(r)["Last_SQL_Errno"] == 1062, why=lambda: status(r))
        r.query("SET GLOBAL sql_replica_skip_counter = 1")
        r.query("START REPLICA SQL_THREAD")
        caught_up(s, r)
        assert r.query("SELECT a, b FROM d.t WHERE a >= 100") == ((100, 1), (101, 0)) and status(r)["Skip_Counter"] == 0
    finally:
        s.remove()
        r.remove()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("workers", [0, 4])
def test_generated_keys(kind, workers):
    """REQUIRE_TABLE_PRIMARY_KEY_CHECK = GENERATE: tables without a key get one here that is not seen, and rows of the source fit; tables that have one there are as there."""
    with pair(kind, replica=[f"--replica-parallel-workers={workers}"]) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, REQUIRE_TABLE_PRIMARY_KEY_CHECK=GENERATE")
        r.query("START REPLICA")
        with s.connect() as c, c.cursor() as cur:
            for q in ("CREATE DATABASE d", "CREATE TABLE d.t (a INT, b VARCHAR(10))", "INSERT INTO d.t VALUES (1, 'x'), (2, 'y'), (2, 'y')", "UPDATE d.t SET b = 'z' WHERE a = 2",
                      "DELETE FROM d.t LIMIT 1", "INSERT INTO d.t VALUES (3, 'q')", "ALTER TABLE d.t ADD COLUMN c INT FIRST", "UPDATE d.t SET c = 8", "CREATE TABLE d.l LIKE d.t",
                      "INSERT INTO d.l VALUES (1, 2, 'l')", "CREATE TABLE d.s SELECT 1 a, 2 b", "INSERT INTO d.s VALUES (3, 4)", "SET binlog_row_image = MINIMAL", "UPDATE d.s SET b = 5 WHERE a = 3",
                      "SET sql_generate_invisible_primary_key = 1", "CREATE TABLE d.g (a INT)", "INSERT INTO d.g VALUES (1), (2)", "DELETE FROM d.g WHERE a = 1", "CREATE TABLE d.p (a INT PRIMARY KEY)",
                      "INSERT INTO d.p VALUES (7)"):
                cur.execute(q)
        caught_up(s, r)
        assert state(r) == state(s)
        keys = {t: r.query(f"SELECT COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = '{t}'") for t in "tlsgp"}
        assert keys == {t: (("my_row_id",),) for t in "tlsg"} | {"p": (("a",),)}
        assert r.query("SELECT my_row_id, a FROM d.g") == s.query("SELECT my_row_id, a FROM d.g") == ((2, 2),)
        assert len({i for (i,) in r.query("SELECT my_row_id FROM d.t")}) == 3
        # and it goes down the chain
        assert r.query("SELECT REQUIRE_TABLE_PRIMARY_KEY_CHECK FROM performance_schema.replication_applier_configuration") == (("GENERATE",),)
        down = make(Server, 3, *GTIDS)
        try:
            down.start()
            run(r, "SET SESSION sql_log_bin = 0; CREATE USER repl@'%' IDENTIFIED BY 'p w'; GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
            point(r, down)
            down.query("START REPLICA")
            caught_up(r, down)
            assert {t: down.query(f"SELECT my_row_id, t.* FROM d.{t} t ORDER BY 1") for t in "tlsg"} == {t: r.query(f"SELECT my_row_id, t.* FROM d.{t} t ORDER BY 1") for t in "tlsg"}
        finally:
            down.remove()


COUNTED = [("REPLICATE_DO_DB=(a)", [1, 0, 2, 1, 0, 1]), ("REPLICATE_IGNORE_DB=(a)", [1, 0, 2, 1, 0, 1]), ("REPLICATE_DO_TABLE=(a.t)", [1, 0, 1, 1, 1, 0]),
           ("REPLICATE_IGNORE_TABLE=(a.t)", [1, 0, 1, 1, 1, 0]), ("REPLICATE_WILD_DO_TABLE=('a.%')", [1, 0, 2, 1, 1, 1]), ("REPLICATE_WILD_IGNORE_TABLE=('a.%')", [1, 0, 2, 1, 1, 1]),
           ("REPLICATE_REWRITE_DB=((a,d))", [1, 0, 2, 1, 0, 0])]
COUNTED_CHANGES = ["INSERT INTO a.t VALUES (1)", "INSERT INTO b.t VALUES (1)", "BEGIN; INSERT INTO a.t VALUES (1), (2); INSERT INTO b.t VALUES (1); INSERT INTO a.u VALUES (1); COMMIT",
                   "USE a; ALTER TABLE a.t COMMENT = 'x'", "ALTER TABLE a.t COMMENT = 'y'", "CREATE DATABASE IF NOT EXISTS a"]


@pytest.mark.parametrize("kind", KINDS)
def test_how_often_filters_decided(kind):
    """COUNTER of replication_applier_filters, as MySQL 9.7 counts: once for the rows of a statement in a table, once for a statement; a rule that does not fit is not counted."""
    with pair(kind) as (s, r):
        point(s, r)
        r.query("START REPLICA")
        run(s, "\n".join(["CREATE DATABASE a", "CREATE DATABASE b", *(f"CREATE TABLE {t} (i INT)" for t in ("a.t", "a.u", "b.t"))]))
        caught_up(s, r)
        run(r, "SET SESSION sql_log_bin = 0; CREATE DATABASE d; CREATE TABLE d.t (i INT); CREATE TABLE d.u (i INT)")
        before = None
        for rule, wanted in COUNTED:
            r.query("STOP REPLICA SQL_THREAD")
            name = rule.split("=")[0]
            r.query(f"CHANGE REPLICATION FILTER {before + '=(), ' if before else ''}{rule}")
            r.query("START REPLICA SQL_THREAD")
            before, last, counted = name, 0, []
            for q in COUNTED_CHANGES:
                with s.connect() as c, c.cursor() as cur:
                    for part in q.split("; "):
                        cur.execute(part)
                caught_up(s, r)
                ((now,),) = r.query("SELECT COUNTER FROM performance_schema.replication_applier_filters")
                counted.append(now - last)
                last = now
            assert counted == wanted, rule
        # each channel counts for itself, and from the rule's beginning
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION FILTER REPLICATE_REWRITE_DB=((a,d))")
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=1 FOR CHANNEL 'other'")
        assert r.query("SELECT CHANNEL_NAME, COUNTER FROM performance_schema.replication_applier_filters") == (("", 0), ("other", 0))


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_temporary_tables_of_the_applier():
    """Replica_open_temp_tables."""
    with pair(MySQL, options=FILES) as (s, r):
        point(s, r, here(s))
        r.query("START REPLICA")

        def opened():
            return {int(v) for _, v in r.query("SHOW GLOBAL STATUS WHERE variable_name IN ('Replica_open_temp_tables', 'Slave_open_temp_tables')")}
        with s.connect() as c, c.cursor() as cur, s.connect() as c2, c2.cursor() as other:
            for x in (cur, other):
                x.execute("SET binlog_format = STATEMENT")
            cur.execute("CREATE DATABASE d")
            for x in (cur, other):
                x.execute("CREATE TEMPORARY TABLE d.t (a INT)")
            caught_up(s, r)
            assert opened() == {2}
            cur.execute("DROP TEMPORARY TABLE d.t")
            caught_up(s, r)
            assert opened() == {1}
        r.query("STOP REPLICA")
        assert opened() == {0}


def rows(r, table):
    with r.connect(database="performance_schema") as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(f"SELECT * FROM {table}")
        return cur.fetchall()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown(kind):
    """Where the source has passed over what the replica has; what a worker has failed at; what begins anew with a source, with a start, with RESET REPLICA."""
    with pair(kind) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, IGNORE_SERVER_IDS=(7, 5, 7)")
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY)\nINSERT INTO d.t VALUES (1)")
        caught_up(s, r)
        at = s.query("SHOW BINARY LOG STATUS")[0][:2]
        r.query("STOP REPLICA")
        assert (status(r)["Relay_Source_Log_File"], status(r)["Exec_Source_Log_Pos"], status(r)["Replicate_Ignore_Server_Ids"]) == (*at, "5, 7")
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_DELAY=0")
        assert (status(r)["Source_Log_File"], status(r)["Exec_Source_Log_Pos"]) == at
        assert rows(r, "replication_connection_status")[0]["LAST_QUEUED_TRANSACTION"] == ""
        r.query("START REPLICA")
        # nothing comes but a heartbeat, where the source has read over what is here
        until(lambda: (status(r)["Source_Log_File"], status(r)["Read_Source_Log_Pos"]) == at, why=lambda: status(r))
        until(lambda: (status(r)["Relay_Source_Log_File"], status(r)["Exec_Source_Log_Pos"]) == at, why=lambda: status(r))
        assert rows(r, "replication_applier_status_by_coordinator")[0]["LAST_PROCESSED_TRANSACTION"] == ""
        run(r, "SET SESSION sql_log_bin = 0; INSERT INTO d.t VALUES (2)")
        run(s, "INSERT INTO d.t VALUES (2)")
        until(lambda: status(r)["Replica_SQL_Running"] == "No" and status(r)["Last_SQL_Errno"] == 1062, why=lambda: status(r))
        r.query("STOP REPLICA")
        failed = [w for w in rows(r, "replication_applier_status_by_worker") if w["LAST_ERROR_NUMBER"]]
        assert [w["APPLYING_TRANSACTION"] for w in failed] == [s.query("SELECT @@server_uuid")[0][0] + ":4"]
        # a connection that is lost
        r.query("START REPLICA IO_THREAD")
        until(lambda: status(r)["Replica_IO_Running"] == "Yes")
        s.stop()
        until(lambda: status(r)["Last_IO_Error"].startswith("Error reconnecting to source 'repl@"), why=lambda: status(r))
        assert "reconnect" in status(r)["Replica_IO_State"].lower()
        r.query("STOP REPLICA")
        assert status(r)["Source_UUID"]
        r.query("RESET REPLICA")
        assert (status(r)["Source_UUID"], status(r)["Source_Log_File"], status(r)["Exec_Source_Log_Pos"]) == ("", "", 0)
        # without a name nobody logs in
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_USER=''")
        r.query("START REPLICA IO_THREAD")
        until(lambda: status(r)["Replica_IO_Running"] == "No", why=lambda: status(r))
        assert status(r)["Last_IO_Errno"] == 13117 and "Invalid (empty) username" in status(r)["Last_IO_Error"]


def test_until_a_place_before():
    """It is over at once, before anything is received."""
    with pair(options=FILES) as (s, r):
        point(s, r, "SOURCE_LOG_FILE='bin.000009', SOURCE_LOG_POS=4")
        r.query("START REPLICA SQL_THREAD UNTIL SOURCE_LOG_FILE='bin.000003', SOURCE_LOG_POS=77")
        until(lambda: status(r)["Replica_SQL_Running"] == "No", why=lambda: status(r))
        r.query("START REPLICA SQL_THREAD UNTIL SOURCE_LOG_FILE='bin.000009', SOURCE_LOG_POS=77")
        assert status(r)["Replica_SQL_Running"] == "Yes" and status(r)["Until_Log_File"] == "bin.000009"
