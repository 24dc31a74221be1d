"""`/metrics` for Prometheus: names of mysqld_exporter, authentication as a client's, nothing that the account could not SELECT, bounds."""
import base64
import http.client
import pathlib
import re
import socket
import ssl
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import Server  # noqa: E402
from lib.wait import PATIENCE, until  # noqa: E402


def start(*options):
    s = Server(options=["--metrics-port=0", *options]).start()
    s.metrics = until(lambda: re.findall(r"Metrics ready for Prometheus, address: '[^']*'  port: (\d+)", s.log_tail()), "metrics are served")
    s.metrics = int(s.metrics[0])
    return s


@pytest.fixture(scope="module")
def server():
    s = start("--connect-timeout=2")
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE shop")
        cur.execute("CREATE TABLE shop.city (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(50))")
        cur.execute("INSERT INTO shop.city (name) VALUES ('Lyon'), ('Porto')")
        cur.execute("CREATE TABLE shop.secret_canary (id INT)")
        cur.execute("CREATE USER scraper IDENTIFIED BY 'pä:ss'")
        cur.execute("GRANT PROCESS, REPLICATION CLIENT, SELECT ON *.* TO scraper")
        cur.execute("CREATE USER nobody IDENTIFIED BY 'pw'")
        cur.execute("CREATE USER shopper IDENTIFIED BY 'pw'")
        cur.execute("GRANT SELECT ON shop.city TO shopper")
    yield s
    s.stop()
    s.remove()


def basic(user, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def get(server, path="/metrics", user="scraper", password="pä:ss", tls=False, headers=None, port=None):
    port = port or server.metrics
    if tls:
        context = ssl._create_unverified_context()
        c = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
    else:
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    c.request("GET", path, headers=headers if headers is not None else basic(user, password))
    r = c.getresponse()
    text = r.read().decode()
    c.close()
    return r.status, text, r


SAMPLE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\["\\n])*",?)*)\})? (\S+)$')


def samples(text):
    """All samples by name; that the text is as Prometheus wants it: a family's lines stand together, its help and type once, no sample twice."""
    found, families, family = {}, set(), None
    for line in text.split("\n")[:-1]:
        if line.startswith("# HELP "):
            family = line.split(" ")[2]
            assert family not in families, f"{family} begins twice"
            families.add(family)
        elif line.startswith("# TYPE "):
            assert line.split(" ")[2] == family and line.split(" ")[3] in ("counter", "gauge", "untyped"), line
        else:
            m = SAMPLE.match(line)
            assert m, line
            assert m[1] == family, f"{line} stands under {family}"
            labels = m[2] or ""
            assert labels not in found.setdefault(m[1], {}), f"{line} is there twice"
            found[m[1]][labels] = float(m[3])
    return found


def has(server, table):
    return bool(server.query(f"SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA='performance_schema' AND TABLE_NAME='{table}'"))


def test_what_prometheus_does_not_wait_for(server):
    def success(seconds):
        status, text, _ = get(server, headers={**basic("scraper", "pä:ss"), "X-Prometheus-Scrape-Timeout-Seconds": seconds})
        found = samples(text)
        assert status == 200 and found["mysql_up"] == {"": 1}
        return list(found["mysql_exporter_collector_success"].values())

    # a millisecond is left: the last collectors come too late, and say so
    assert success("0.251")[-1] == 0
    assert set(success("60")) == set(success("nonsense")) == {1}


def test_names_of_mysqld_exporter(server):
    status, text, r = get(server)
    assert status == 200 and r.getheader("Content-Type") == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(text)
    assert found["mysql_up"] == {"": 1}
    for name in ("mysql_global_status_threads_running", "mysql_global_status_uptime", "mysql_global_status_queries", "mysql_global_status_bytes_sent",
                 "mysql_global_status_buffer_pool_dirty_pages", "mysql_global_status_innodb_log_waits", "mysql_global_variables_max_connections",
                 "mysql_global_variables_innodb_buffer_pool_size", "mysql_info_schema_innodb_metrics_transaction_trx_rseg_history_len"):
        assert len(found[name]) == 1, name
    assert found["mysql_global_status_commands_total"]['command="insert"'] >= 1
    assert 'handler="read_key"' in found["mysql_global_status_handlers_total"]
    assert 'state="free"' in found["mysql_global_status_buffer_pool_pages"]
    assert 'operation="inserted"' in found["mysql_global_status_innodb_row_ops_total"]
    assert any('version="8.4' in labels for labels in found["mysql_version_info"])
    assert found["mysql_global_variables_max_connections"][""] == server.query("SELECT @@max_connections")[0][0]
    # a collector succeeds if there is its table
    tables = {"perf_schema.file_events": "file_summary_by_event_name", "perf_schema.memory_events": "memory_summary_global_by_event_name"}
    for label, success in found["mysql_exporter_collector_success"].items():
        table = tables.get(label.split('"')[1].removeprefix("collect."))
        assert success == (1 if table is None or has(server, table) else 0), label
    assert len(found["mysql_exporter_collector_success"]) >= 10
    # nothing per table
    assert "mysql_info_schema_table_size" not in found and "shop" not in "".join(found["mysql_global_status_commands_total"])


def test_a_replica_that_does_not_run(server):
    """Alerts ask for these: a server that is no replica has none, one whose threads stand still has 0."""
    assert not [n for n in samples(get(server)[1]) if n.startswith("mysql_slave_status")]
    server.query("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_USER = 'u', SOURCE_PASSWORD = 'canary'")
    try:
        text = get(server, "/metrics?collect[]=slave_status")[1]
        found = samples(text)
        labels = 'master_host="127.0.0.1",master_uuid="",channel_name="",connection_name=""'
        for name in ("replica_io_running", "slave_io_running", "replica_sql_running", "slave_sql_running", "last_io_errno", "exec_master_log_pos"):
            assert found[f"mysql_slave_status_{name}"] == {labels: 0}, name
        assert "canary" not in text
        server.query("START REPLICA SQL_THREAD")
        until(lambda: samples(get(server)[1])["mysql_slave_status_slave_sql_running"][labels] == 1, "the applier runs")
        assert get(server, "/metrics?collect[]=slave_status", user="nobody", password="pw")[1].count("mysql_slave_status") == 0
    finally:
        server.query("STOP REPLICA")
        server.query("RESET REPLICA ALL")


def test_collectors_on_request(server):
    found = samples(get(server, "/metrics?collect[]=info_schema.tables&collect%5B%5D=auto_increment.columns&collect[]=perf_schema.tableiowaits")[1])
    size = found["mysql_info_schema_table_size"]
    assert size['schema="shop",table="city",component="data_length"'] > 0
    assert found["mysql_info_schema_auto_increment_column"] == {'schema="shop",table="city",column="id"': 3}
    assert found["mysql_info_schema_auto_increment_column_max"] == {'schema="shop",table="city",column="id"': 2 ** 31 - 1}
    if has(server, "table_io_waits_summary_by_table"):
        assert found["mysql_perf_schema_table_io_waits_total"]['schema="shop",name="city",operation="insert"'] >= 2
    assert "mysql_global_status_uptime" not in found


def test_counters_go_up(server):
    def inserts():
        return samples(get(server, "/metrics?collect[]=global_status")[1])["mysql_global_status_commands_total"]['command="insert"']
    before = inserts()
    server.query("INSERT INTO shop.city (name) VALUES ('Bari')")
    server.query("DELETE FROM shop.city WHERE name = 'Bari'")
    server.query("ALTER TABLE shop.city AUTO_INCREMENT = 3")
    assert inserts() == before + 1


def test_nothing_that_the_account_could_not_select(server):
    status, text, _ = get(server, user="nobody", password="pw")
    assert status == 200
    success = samples(text)["mysql_exporter_collector_success"]
    # SHOW STATUS and SHOW VARIABLES are for everybody; INNODB_METRICS needs PROCESS, performance_schema needs SELECT
    assert success['collector="collect.global_status"'] == 1
    assert success['collector="collect.info_schema.innodb_metrics"'] == 0
    assert success['collector="collect.perf_schema.eventswaits"'] == 0
    assert "innodb_metrics_" not in text.replace("innodb_metrics\"", "") and "events_waits_total" not in text
    text = get(server, "/metrics?collect[]=perf_schema.eventsstatements", user="nobody", password="pw")[1]
    assert "events_statements_total" not in text
    assert "mysql_perf_schema_events_statements_total" in get(server, "/metrics?collect[]=perf_schema.eventsstatements")[1]
    text = get(server, "/metrics?collect[]=info_schema.tables", user="shopper", password="pw")[1]
    assert 'table="city"' in text and "secret_canary" not in text
    assert 'table="secret_canary"' in get(server, "/metrics?collect[]=info_schema.tables")[1]
    assert "mysql_info_schema_table" not in get(server, "/metrics?collect[]=info_schema.tables", user="nobody", password="pw")[1]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic !!!"}, {"Authorization": "Basic " + base64.b64encode(b"\xff:x").decode()}])
def test_without_credentials(server, headers):
    status, text, r = get(server, headers=headers)
    assert status == 401 and r.getheader("WWW-Authenticate").startswith("Basic ") and "mysql_" not in text


def test_wrong_password_and_unknown_user(server):
    for user, password in (("scraper", "wrong"), ("scraper", ""), ("unknown", "x"), ("root", "x")):
        status, text, _ = get(server, user=user, password=password)
        assert status == 401 and text.startswith("ERROR 1045: Access denied for user '%s'" % user), text


def test_rules_of_a_login(server):
    """Lock, expiry, failed attempts and limits of connections are those of the database's own protocol."""
    with server.connect() as c, c.cursor() as cur:
        def account(what):
            cur.execute("DROP USER IF EXISTS x")
            cur.execute(f"CREATE USER x IDENTIFIED BY 'pw' {what}")

        def answer(password="pw"):
            status, text, _ = get(server, "/metrics?collect[]=global_status", user="x", password=password)
            return status, (re.match(r"ERROR (\d+)", text) or [None, None])[1]

        account("")
        assert answer() == (200, None)
        account("ACCOUNT LOCK")
        assert answer() == (401, "3118")
        account("PASSWORD EXPIRE")
        assert answer() == (401, "1862")
        account("REQUIRE SSL")
        assert answer() == (401, "1045")
        assert get(server, "/metrics?collect[]=global_status", user="x", password="pw", tls=True)[0] == 200
        account("FAILED_LOGIN_ATTEMPTS 2 PASSWORD_LOCK_TIME 1")
        assert [answer("no"), answer("no"), answer()] == [(401, "1045"), (401, "3955"), (401, "3955")]
        account("WITH MAX_CONNECTIONS_PER_HOUR 2")
        assert [answer(), answer(), answer()] == [(200, None), (200, None), (503, "1226")]
        account("WITH MAX_USER_CONNECTIONS 1")
        with server.connect(host="127.0.0.1", user="x", password="pw"):
            assert answer() == (503, "1226")
        until(lambda: answer() == (200, None), "the connection before is gone")
        cur.execute("CREATE USER y IDENTIFIED WITH mysql_native_password BY 'pw'")
        assert get(server, "/metrics?collect[]=global_status", user="y", password="pw")[0] == 200
        assert get(server, "/metrics?collect[]=global_status", user="y", password="pW")[0] == 401
        cur.execute("SET GLOBAL require_secure_transport=ON")
        try:
            assert get(server, "/metrics?collect[]=global_status")[0] == 401
            assert get(server, "/metrics?collect[]=global_status", tls=True)[0] == 200
        finally:
            cur.execute("SET GLOBAL require_secure_transport=OFF")
        cur.execute("DROP USER x, y")


def test_https_with_the_servers_certificate(server):
    status, text, _ = get(server, tls=True)
    assert status == 200 and samples(text)["mysql_up"] == {"": 1}
    ca = server.dir / "data/ca.pem"
    context = ssl.create_default_context(cafile=ca)
    context.check_hostname = False
    with socket.create_connection(("127.0.0.1", server.metrics)) as raw, context.wrap_socket(raw) as s:
        assert s.version() in ("TLSv1.2", "TLSv1.3")


def test_sessions_end(server):
    """The session of a scrape is in the registry of connections while it runs, and gone afterwards."""
    before = server.query("SHOW GLOBAL STATUS LIKE 'Connections'")[0][1]
    get(server)
    ids = "SELECT COUNT(*) FROM performance_schema.threads WHERE PROCESSLIST_USER = 'scraper'"
    until(lambda: server.query(ids) == ((0,),), "the session is gone")
    assert int(server.query("SHOW GLOBAL STATUS LIKE 'Connections'")[0][1]) > int(before)


def test_a_locked_table_does_not_hold_it(server):
    """A scrape waits for no metadata lock for long, and KILL ends it."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute("LOCK TABLES shop.city WRITE")
        status, text, _ = get(server, "/metrics?collect[]=info_schema.tables")
        assert status == 200 and "secret_canary" in text
        cur.execute("UNLOCK TABLES")


def raw(server, data, wait=True):
    s = socket.create_connection(("127.0.0.1", server.metrics), timeout=PATIENCE)
    s.sendall(data)
    got = b""
    while wait and (piece := s.recv(65536)):
        got += piece
    return s, got


def test_bad_requests(server):
    """What is no request, or too large, is answered with an error or closed; the service goes on."""
    for data in (b"\x00" * 100 + b"\r\n\r\n", b"GET /metrics HTTP/9.9\r\n\r\n", b"GET " + b"/x" * 20000 + b" HTTP/1.1\r\n\r\n",
                 b"GET /metrics HTTP/1.1\r\nHost: x\r\n" + b"X: " + b"y" * 40000 + b"\r\n\r\n", b"\x16\x03\x01\x00\x05hello" + b"\x00" * 50):
        s, got = raw(server, data)
        assert b" 200 " not in got[:20]
        s.close()
    assert get(server, "/nothing")[0] == 404
    c = http.client.HTTPConnection("127.0.0.1", server.metrics, timeout=PATIENCE)
    c.request("POST", "/metrics", body="x", headers=basic("scraper", "pä:ss"))
    assert c.getresponse().status == 405
    c.close()
    assert get(server)[0] == 200


def ended(s):
    """Whether the server closes the connection; before that it may send an answer (408)."""
    s.settimeout(PATIENCE)
    try:
        while s.recv(1000):
            pass
    except ConnectionResetError:
        pass
    s.close()
    return True


def test_many_silent_connections(server):
    """More than are taken at once: the rest is closed at once, those that say nothing, half a request or half a TLS handshake after a while; clients of
    the database do not notice."""
    kinds = [b"", b"GET /metrics HTTP/1.1\r\nX: ", b"\x16\x03\x01"]
    silent = [raw(server, kinds[n % 3], wait=False)[0] for n in range(100)]
    assert server.query("SELECT 1") == ((1,),)
    assert ended(silent.pop())
    assert all(ended(s) for s in silent)
    until(lambda: try_get(server) == 200, "there is room again")


def try_get(server):
    try:
        return get(server, "/metrics?collect[]=global_status")[0]
    except OSError:
        return None
    except http.client.HTTPException:
        return None


def test_off_unless_asked_for_and_with_skip_networking():
    s = Server().start()
    try:
        assert "Metrics ready" not in s.log_tail(100000)
    finally:
        s.stop(), s.remove()
    s = Server(options=["--metrics-port=0", "--skip-networking"]).start()
    try:
        assert "--metrics-port has no effect: skip_networking is ON" in s.log_tail(100000) and "Metrics ready" not in s.log_tail(100000)
    finally:
        s.stop(), s.remove()


def test_refuses_the_world_while_an_account_is_open():
    s = Server(options=["--metrics-port=0", "--metrics-bind=0.0.0.0", "--bind-address=127.0.0.1"]).start()
    try:
        s.query("CREATE USER open")
        s.stop()
        with pytest.raises(RuntimeError, match="has no password and could be used from other machines"):
            s.start()
    finally:
        s.remove()


def test_stop_with_a_scrape_under_way():
    """Shutdown does not wait for clients that keep their connection, nor for a statement of a scrape."""
    s = start()
    c = http.client.HTTPConnection("127.0.0.1", s.metrics, timeout=PATIENCE)
    c.request("GET", "/metrics", headers=basic("root", ""))
    assert c.getresponse().read().startswith(b"# HELP mysql_up")
    try:
        assert s.stop() == 0
    finally:
        s.remove()
