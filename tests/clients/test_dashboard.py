"""The page (`--dashboard-port`): login, cookie, token, Host, policy, rights; and how it looks in a real browser (pictures in $EVENKEEL_PICTURES, if that is set)."""
import http.client
import json
import os
import pathlib
import re
import shutil
import ssl
import sys
import threading

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.browser import Browser  # noqa: E402
from lib.servers import Server  # noqa: E402
from lib.wait import PATIENCE, until, waits  # noqa: E402


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--dashboard-port=0"]).start()
    s.http = int(until(lambda: re.findall(r"Dashboard ready for browsers, address: '[^']*'  port: (\d+)", s.log_tail()), "the page is served")[0])
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE shop")
        cur.execute("CREATE TABLE shop.city (id INT PRIMARY KEY, name VARCHAR(50))")
        cur.execute("INSERT INTO shop.city VALUES (1, 'Lyon'), (2, 'Porto')")
        cur.execute("CREATE USER boss IDENTIFIED BY 'pw'")
        cur.execute("GRANT ALL ON *.* TO boss")
        cur.execute("CREATE USER guest IDENTIFIED BY 'pw'")
    yield s
    s.stop()
    s.remove()


class Client:
    """A browser's part of it: keeps the cookie and the token."""

    def __init__(self, server, tls=False):
        self.server, self.tls, self.cookie, self.token = server, tls, None, None

    def ask(self, method, path, body=None, host=None, **headers):
        if self.tls:
            c = http.client.HTTPSConnection("127.0.0.1", self.server.http, timeout=PATIENCE, context=ssl._create_unverified_context())
        else:
            c = http.client.HTTPConnection("127.0.0.1", self.server.http, timeout=PATIENCE)
        headers = {k.replace("_", "-"): v for k, v in headers.items()}
        if host:
            headers["Host"] = host
        if self.cookie:
            headers.setdefault("Cookie", self.cookie)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = json.dumps(body)
        c.request(method, path, body=body, headers=headers)
        self.answer = c.getresponse()
        text = self.answer.read().decode()
        c.close()
        return self.answer.status, json.loads(text) if self.answer.getheader("Content-Type") == "application/json" else text

    def login(self, user="boss", password="pw"):
        status, answer = self.ask("POST", "/api/login", {"user": user, "password": password})
        if status == 200:
            self.set = self.answer.getheader("Set-Cookie")
            self.cookie, self.token = self.set.split(";")[0], answer["token"]
        return status, answer

    def change(self, path, body):
        return self.ask("POST", path, body, X_Evenkeel_Token=self.token)


def test_login_and_cookie(server):
    c = Client(server)
    assert c.ask("GET", "/api/now") == (401, {"error": "log in"})
    status, answer = c.login(password="wrong")
    assert status == 401 and answer["error"].startswith("1045: Access denied for user 'boss'@")
    assert c.login()[0] == 200
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(c.set.split("; ")) and "Secure" not in c.set and len(c.cookie) == len("evenkeel=") + 64
    status, now = c.ask("GET", "/api/now")
    assert status == 200 and now["status"]["Uptime"] >= 0 and not [n for n, part in now.items() if isinstance(part, dict) and "error" in part]
    t = Client(server, tls=True)
    assert t.login()[0] == 200 and "Secure" in t.set.split("; ")
    # another cookie is nobody's
    assert c.ask("GET", "/api/now", Cookie="evenkeel=" + "0" * 64)[0] == 401
    assert c.change("/api/logout", {})[0] == 200
    assert c.ask("GET", "/api/now")[0] == 401
    assert t.change("/api/logout", {})[0] == 200


def test_rules_of_a_login(server):
    with server.connect() as c, c.cursor() as cur:
        for what, code in (("ACCOUNT LOCK", "3118"), ("PASSWORD EXPIRE", "1862"), ("REQUIRE SSL", "1045")):
            cur.execute("DROP USER IF EXISTS x")
            cur.execute(f"CREATE USER x IDENTIFIED BY 'pw' {what}")
            status, answer = Client(server).login("x")
            assert status == 401 and answer["error"].startswith(code), what
        cur.execute("DROP USER x")


def test_changes_need_the_token(server):
    c = Client(server)
    c.login()
    assert c.ask("POST", "/api/kill", {"id": 1})[0] == 403
    assert c.ask("POST", "/api/kill", {"id": 1}, X_Evenkeel_Token="0" * 64)[0] == 403
    assert c.ask("POST", "/api/logout", {})[0] == 403
    # what a form of another page could send
    assert c.ask("POST", "/api/kill", {"id": 1}, Content_Type="text/plain", X_Evenkeel_Token=c.token)[0] == 400
    assert c.ask("GET", "/api/kill?id=1")[0] == 405
    assert c.change("/api/kill", {"id": 1 << 40}) == (200, {"error": f"1094: Unknown thread id: {1 << 40}"})
    assert c.ask("GET", "/api/now")[0] == 200
    c.change("/api/logout", {})


@pytest.mark.parametrize("host, status", [("127.0.0.1", 200), ("localhost:1", 200), ("[::1]:1", 200), ("evil.example", 403), ("127.0.0.1.evil.example", 403)])
def test_host_header(server, host, status):
    assert Client(server).ask("GET", "/", host=host)[0] == status


def test_policy(server):
    c = Client(server)
    for path in ("/", "/app.js", "/app.css", "/uplot.js", "/uplot.css", "/api/now", "/nothing"):
        c.ask("GET", path)
        policy = c.answer.getheader("Content-Security-Policy")
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, path
        assert c.answer.getheader("X-Frame-Options") == "DENY"
    page = c.ask("GET", "/")[1]
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=|https?://", page)


def test_nothing_that_the_account_could_not_select(server):
    with server.connect() as other:
        other.cursor().execute("SELECT 'canary_4711'")
        c = Client(server)
        assert c.login("guest")[0] == 200
        status, now = c.ask("GET", "/api/now")
        assert status == 200 and now["status"]["Uptime"] >= 0
        assert now["digests"]["error"].startswith("1142") and now["locks"]["error"].startswith("1142")
        assert now["pool"]["error"].startswith("1227") and now["spin"]["error"].startswith("1227")
        past = c.ask("GET", "/api/history")[1]
        assert past["times"] and past["status"]["Queries"]
        assert {part: past[part]["error"][:4] for part in ("waits", "latency", "pool", "spin")} == {"waits": "1142", "latency": "1142", "pool": "1227", "spin": "1227"}
        assert {row[1] for row in now["processes"]["rows"]} <= {"guest"} and "canary" not in json.dumps(now)
        assert c.ask("GET", "/api/plan?digest=" + "0" * 64)[1]["error"].startswith("1142")
        assert c.change("/api/kill", {"id": other.thread_id()})[1]["error"].startswith("1095")
        c.change("/api/logout", {})


def test_the_last_hour_is_kept_by_the_server(server):
    """What happened while nobody had the page open is there, and which index holds the pool; the one who looks is in no list."""
    with server.connect(database="shop") as c, c.cursor() as cur:
        for _ in range(50):
            cur.execute("SELECT COUNT(*) FROM city")
    c = Client(server)
    c.login()

    def looked():
        past = c.ask("GET", "/api/history")[1]
        return past if len(past["times"]) >= 3 and any(past["pool"]) and any(past["latency"]["99 %"]) else None

    past = until(looked, "three looks")
    n = len(past["times"])
    assert past["times"] == sorted(past["times"]) and all(len(v) == n for v in past["status"].values())
    assert past["status"]["Com_select"][-1] >= 50 and past["status"]["Innodb_cpu_n"][-1] > 0
    assert len(past["spin"]) == n and all(len(v) == n for v in [*past["waits"].values(), *past["latency"].values()])
    assert any(v is not None and v > 0 for v in past["latency"]["99 %"])
    named = {name: young + old for look in past["pool"] if look for name, young, old in look}
    assert named and all(pages > 0 for pages in named.values())
    assert c.ask("GET", "/api/now")[1]["pool"]["rows"]
    # its own statements are in no history, and its session is in no list
    assert server.query("SELECT COUNT(*) FROM performance_schema.threads WHERE PROCESSLIST_USER LIKE 'mysql.%'") == ((0,),)
    assert not server.query("SELECT DIGEST_TEXT FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST_TEXT LIKE '%INNODB_BUFFER_PAGE%GROUP BY%'")
    c.change("/api/logout", {})


def test_a_page_that_is_loaded_again_is_told_its_token(server):
    c = Client(server)
    assert c.ask("GET", "/api/again")[0] == 401
    c.login()
    assert c.ask("GET", "/api/again") == (200, {"token": c.token})
    c.change("/api/logout", {})
    assert c.ask("GET", "/api/again")[0] == 401 and c.ask("GET", "/api/history")[0] == 401


def test_rights_that_are_revoked_are_gone(server):
    with server.connect() as root, root.cursor() as cur:
        cur.execute("CREATE USER changing IDENTIFIED BY 'pw'")
        cur.execute("GRANT SELECT ON performance_schema.* TO changing")
        c = Client(server)
        c.login("changing")
        assert "rows" in c.ask("GET", "/api/now")[1]["digests"]
        cur.execute("REVOKE SELECT ON performance_schema.* FROM changing")
        assert "error" in c.ask("GET", "/api/now")[1]["digests"]
        cur.execute("DROP USER changing")
        c.change("/api/logout", {})


def test_kill_of_the_pages_own_session(server):
    c = Client(server)
    c.login()
    mine = [r[0] for r in server.query("SELECT ID FROM information_schema.PROCESSLIST WHERE USER='boss'")]
    assert len(mine) == 1
    server.query(f"KILL {mine[0]}")
    until(lambda: c.ask("GET", "/api/now")[0] == 401, "the killed session answers nothing")
    assert server.query("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER='boss'") == ((0,),)


def test_lock_waits_kill_and_plan(server):
    """Who blocks whom with the statement, and KILL QUERY of the waiter from the page."""
    a, b = server.connect(database="shop"), server.connect(database="shop")
    a.begin()
    a.cursor().execute("UPDATE city SET name='x' WHERE id=1")
    seen = []

    def wait():
        try:
            b.cursor().execute("UPDATE city SET name='y' WHERE id=1")
        except pymysql.MySQLError as e:
            seen.append(e.args[0])

    t = threading.Thread(target=wait)
    t.start()
    waits(server, b)
    c = Client(server)
    c.login()
    row, = c.ask("GET", "/api/now")[1]["locks"]["rows"]
    assert row[:4] == [str(b.thread_id()), str(a.thread_id()), "shop", "city"] and row[6].startswith("UPDATE city")
    assert c.change("/api/kill", {"id": b.thread_id(), "query": True}) == (200, {})
    t.join(PATIENCE)
    assert seen == [1317]
    a.rollback()
    a.cursor().execute("SELECT id, SLEEP(0.3) FROM city WHERE id=2")
    digest = next(r[1] for r in c.ask("GET", "/api/now")[1]["digests"]["rows"] if "SLEEP" in r[2] and "`city`" in r[2])
    assert "city" in c.ask("GET", "/api/plan?digest=" + digest)[1]["plan"]
    c.change("/api/logout", {})


@pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium (scripts/deps.sh all)")
@pytest.mark.parametrize("width, dark", [(1200, False), (400, True)])
def test_in_a_browser(server, width, dark):
    b = Browser(width=width, height=900, dark=dark)
    try:
        b.open(f"http://127.0.0.1:{server.http}/")
        b.wait("document.readyState === 'complete' && !document.getElementById('login').hidden")
        enter = "document.getElementById('user').value = 'boss'; document.getElementById('password').value = '%s'; document.querySelector('#login button').click()"
        b.run(enter % "wrong")
        assert "1045" in b.wait("document.getElementById('wrong').textContent")
        b.run(enter % "pw")
        with server.connect(database="shop") as c:
            c.cursor().execute("SELECT name, '<img src=x onerror=alert(1)>' FROM city")
            # graphs have grown by some looks, the statements are there, as text
            b.wait("graphs.length >= 7 && graphs.every(g => g.times.length >= 3)")
            assert b.run("document.querySelectorAll('#graphs canvas').length") >= 7
            b.wait("document.getElementById('state').textContent.startsWith('up ')")
            b.wait("document.querySelectorAll('#digests tr').length > 1 && document.querySelectorAll('#processes tr').length > 1")
            assert b.run("document.querySelectorAll('#all img').length") == 0
        # loaded again: still logged in, and what the server has kept is there at once, for every graph of its own numbers
        b.reload()
        b.wait("typeof graphs !== 'undefined' && graphs.length >= 8 && graphs.every(g => g.times.length >= 3)")
        b.wait("graphs.find(g => g.title.startsWith('CPU')).names.includes('throttled') && graphs.find(g => g.title.startsWith('Buffer pool by')).names.length >= 2")
        b.wait("document.querySelectorAll('#pool tr').length > 1")
        # nothing is wider than the page
        assert b.run("document.documentElement.scrollWidth") <= width
        shown = "getComputedStyle(document.getElementById('%s')).display !== 'none'"
        assert (b.run(shown % "all"), b.run(shown % "login")) == (True, False)
        back = b.run("getComputedStyle(document.body).backgroundColor")
        assert (back == "rgb(255, 255, 255)") != dark
        if os.environ.get("EVENKEEL_PICTURES"):
            b.picture(f"{os.environ['EVENKEEL_PICTURES']}/dashboard-{width}-{'dark' if dark else 'light'}.png")
        b.run("document.getElementById('leave').click()")
        b.wait("!document.getElementById('login').hidden")
        assert (b.run(shown % "all"), b.run(shown % "login")) == (False, True)
        assert b.complaints() == []
    finally:
        b.close()
