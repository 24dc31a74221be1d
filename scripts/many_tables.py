#!/usr/bin/env python3
"""What /metrics and the dashboard's page answer, and how fast, on a server with many tables: scripts/many_tables.py [TABLES] [--rounds N]

Makes TABLES (10,000) tables in four schemas, starts the server anew with both services, asks /metrics and the page's two calls N (12) times in turn, and
says the fastest, the median and the slowest answer in ms with their sizes. What is checked, whatever the machine: every answer is 200, every collector of
the usual ones succeeds, nothing of the page is an error, and none of the questions has opened a table (Opened_tables). The aim for /metrics is 50 ms on a
machine with nothing else to do. EVENKEEL: the binary, as for tests.
"""
import argparse
import base64
import http.client
import json
import pathlib
import re
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from lib.servers import Server  # noqa: E402
from lib.wait import until  # noqa: E402

OPTIONS = ["--innodb-buffer-pool-size=256M", "--metrics-port=0", "--dashboard-port=0"]


def ask(port, path, headers, method="GET", body=None):
    """(status, text, headers, ms)"""
    began = time.monotonic()
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    c.request(method, path, body=body, headers=headers)
    r = c.getresponse()
    text = r.read().decode()
    c.close()
    return r.status, text, r, (time.monotonic() - began) * 1000


def fill(s, tables):
    with s.connect() as c, c.cursor() as cur:
        for n in range(4):
            cur.execute(f"CREATE DATABASE many{n}")
        for n in range(tables):
            cur.execute(f"CREATE TABLE many{n % 4}.t{n} (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(20), KEY (a))")
        cur.execute("CREATE USER scraper IDENTIFIED BY 'pw'")
        cur.execute("GRANT PROCESS, REPLICATION CLIENT, SELECT ON *.* TO scraper")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tables", type=int, nargs="?", default=10_000)
    p.add_argument("--rounds", type=int, default=12)
    a = p.parse_args()
    s = Server(options=OPTIONS).start()
    try:
        began = time.monotonic()
        fill(s, a.tables)
        print(f"{a.tables} tables made in {time.monotonic() - began:.0f} s")
        s.stop()
        s.start()
        # the log has the first start, too: its last lines are those of this one
        said = lambda: {what: int(port) for what, port in re.findall(r"(Metrics|Dashboard) ready.*port: (\d+)", s.log_tail(20_000))}
        ports = until(lambda: len(said()) == 2 and said(), "both are served")
        basic = {"Authorization": "Basic " + base64.b64encode(b"scraper:pw").decode()}
        page = {"Content-Type": "application/json", "Host": f"127.0.0.1:{ports['Dashboard']}"}
        status, text, r, _ = ask(ports["Dashboard"], "/api/login", page, "POST", json.dumps({"user": "scraper", "password": "pw"}))
        assert status == 200, text
        page["Cookie"] = r.getheader("Set-Cookie").split(";")[0]
        opened = lambda: int(s.query("SHOW GLOBAL STATUS LIKE 'Opened_tables'")[0][1])
        before = opened()
        took = {}
        for _ in range(a.rounds):
            for name, port, path, headers in [("/metrics", ports["Metrics"], "/metrics", basic), ("/api/now", ports["Dashboard"], "/api/now", page), ("/api/history", ports["Dashboard"], "/api/history", page)]:
                status, text, _, ms = ask(port, path, headers)
                assert status == 200, (name, status, text[:300])
                failed = re.findall(r'mysql_exporter_collector_success\{collector="([^"]+)"\} 0', text)
                assert not failed, f"collectors failed: {failed}"
                if name == "/api/now":
                    errors = {part: v["error"] for part, v in json.loads(text).items() if isinstance(v, dict) and "error" in v}
                    assert not errors, errors
                took.setdefault(name, []).append((ms, len(text)))
        assert opened() == before, f"{opened() - before} tables were opened"
        for name, all_of in took.items():
            times = [ms for ms, _ in all_of]
            print(f"{name:<14} {min(times):6.1f} {statistics.median(times):6.1f} {max(times):6.1f} ms  {all_of[-1][1] / 1000:.0f} KB")
        for sql in ["SELECT COUNT(*) FROM information_schema.tables", "SELECT table_schema, COUNT(*) FROM information_schema.tables GROUP BY 1", "SELECT SUM(data_length) FROM information_schema.tables"]:
            began, first = time.monotonic(), opened()
            s.query(sql)
            print(f"{(time.monotonic() - began) * 1000:8.0f} ms, {opened() - first:6} tables opened  {sql}")
    finally:
        s.remove()


if __name__ == "__main__":
    main()
