"""`evenkeel lab`: small runs against this server and a running MariaDB; Ctrl-C and resume; the report in a real browser (pictures in $EVENKEEL_PICTURES)."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.browser import Browser  # noqa: E402
from lib.servers import MySQL, binary  # noqa: E402
from lib.wait import PATIENCE, until  # noqa: E402

pytestmark = pytest.mark.skipif(not shutil.which("sysbench") or not shutil.which("mysqldump"), reason="no sysbench or mysqldump (scripts/deps.sh all)")
TINY = ["--rounds=1", "--seconds=1", "--rows=1000", "--threads=1,4"]


def lab(*arguments, **kw):
    return subprocess.run([binary(), "lab", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, **kw)


def result(folder):
    return json.loads((folder / "result.json").read_text())


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A run of what is quick, on this server."""
    folder, temp = tmp_path_factory.mktemp("lab") / "out", tmp_path_factory.mktemp("temp")
    r = lab("connections", "side-load", "--quick", *TINY, f"--out={folder}", f"--temp={temp}")
    assert r.returncode == 0, r.stdout + r.stderr
    assert os.listdir(temp) == [], "something is left behind"
    return folder, r


def test_what_was_measured(tiny):
    folder, r = tiny
    got = result(folder)
    assert got["finished"] and got["quick"] and [s[0] for s in got["servers"]] == ["evenkeel"]
    assert not [m for m in got["measured"] if m["error"]]
    points = {m["point"]: m["values"] for m in got["measured"] if m["experiment"] == "connections"}
    assert set(points) == {"1", "4"}
    for v in points.values():
        # what a query takes of the server cannot be more than the processors give it
        assert v["qps"] > 0 and 0 < v["p50"] <= v["p99"] and v["errors"] == 0 and 0 < v["cpu_us"] * v["qps"] / 1e6 < os.cpu_count() * 1.5
    side, = (m["values"] for m in got["measured"] if m["experiment"] == "side-load")
    assert {"tps_alone", "tps_dump", "tps_select", "dump_alone_s", "hot_mb_dump"} <= set(side)
    # all pages of the hot table: 1,000 rows of some 200 bytes
    assert 0.15 < side["hot_mb_alone"] < 1
    assert {t["experiment"] for t in got["told"]} == {"connections", "side-load"} and not [t for t in got["told"] if "error" in t["answer"]]
    assert "QUICK" in r.stdout and "connections" in r.stdout and str(folder / "report.html") in r.stdout


def test_no_second_run_into_the_same_folder(tiny):
    folder, _ = tiny
    r = lab("connections", *TINY, f"--out={folder}")
    assert r.returncode == 1 and "resume" in r.stderr
    r = lab("report", str(folder))
    assert r.returncode == 0 and "connections" in r.stdout


def test_a_schema_of_that_name_is_not_touched(tmp_path, mariadb):
    mariadb.query("CREATE DATABASE evenkeel_lab")
    try:
        out = f"--out={tmp_path / 'o'}"
        r = lab("connections", "--without-own", *TINY, f"--target=maria={mariadb.socket}", out, f"--temp={tmp_path}")
        assert r.returncode == 1 and "evenkeel_lab already" in r.stderr, r
        assert mariadb.query("SHOW DATABASES LIKE 'evenkeel\\_lab'")
    finally:
        mariadb.query("DROP DATABASE evenkeel_lab")


@pytest.mark.parametrize("arguments, word", [(["speed"], "speed"), ([], "which experiment"), (["all", "--peer=x"], "--peer=x"), (["resume", "/nothing"], "/nothing")])
def test_mistakes(arguments, word):
    r = lab(*arguments)
    assert r.returncode == 2 and word in r.stderr


def children(pid):
    return [p for p in os.listdir("/proc") if p.isdigit() and parent(p) == pid]


def parent(pid):
    try:
        return int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def test_ctrl_c_and_resume(tmp_path, mariadb):
    """Beside this server one that runs already: nothing of it is left there either."""
    out = tmp_path / "out"
    command = [binary(), "lab", "connections", "--rounds=3", "--seconds=1", "--rows=1000", "--threads=2", f"--target=maria=mysql://root@{mariadb.socket}",
               f"--out={out}", f"--temp={tmp_path}"]
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    until(lambda: (out / "result.json").exists() and result(out)["measured"], "something is measured")
    until(lambda: children(p.pid), "a client runs")
    mine = children(p.pid)
    p.send_signal(signal.SIGINT)
    said = p.communicate(timeout=PATIENCE)[0]
    assert p.returncode == 130 and "resume" in said, said
    assert not [c for c in mine if os.path.exists(f"/proc/{c}")]
    assert os.listdir(tmp_path) == ["out"] and not mariadb.query("SHOW DATABASES LIKE 'evenkeel%'")
    first = result(out)
    assert not first["finished"] and 1 <= len(first["measured"]) < 6
    r = lab("resume", str(out))
    assert r.returncode == 0, r.stderr
    then = result(out)
    assert [s[0] for s in then["servers"]] == ["evenkeel", "maria"] and all(m["values"]["cpu_us"] > 0 for m in then["measured"])
    assert {t["server"] for t in then["told"]} == {"evenkeel", "maria"} and not [t for t in then["told"] if "error" in t["answer"]]
    assert not mariadb.query("SHOW DATABASES LIKE 'evenkeel%'")
    assert then["finished"] and len(then["measured"]) == 6 and then["measured"][:len(first["measured"])] == first["measured"]


@pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium (scripts/deps.sh all)")
@pytest.mark.parametrize("width, dark", [(1400, False), (1400, True), (390, False), (390, True)])
def test_the_page_in_a_browser(tiny, width, dark):
    b = Browser(width=width, height=900, dark=dark)
    try:
        b.open(f"file://{tiny[0]}/report.html")
        b.wait("document.readyState === 'complete' && document.querySelectorAll('section').length >= 3")
        shown = "[...document.querySelectorAll('svg.%s')].filter(s => s.getBoundingClientRect().width > 0).length"
        charts = b.run("document.querySelectorAll('figure').length")
        assert charts >= 6
        assert (b.run(shown % "wide"), b.run(shown % "narrow")) == ((charts, 0) if width > 1000 else (0, charts))
        # nothing is wider than the page, and no text of a chart is too small to read or lies outside of it
        assert b.run("document.documentElement.scrollWidth") <= width
        small = ("[...document.querySelectorAll('svg text')].filter(t => t.getBoundingClientRect().height > 0 &&"
                 " (t.getBoundingClientRect().height < 9 || t.getBBox().x < -1 || t.getBBox().x + t.getBBox().width > t.ownerSVGElement.viewBox.baseVal.width + 1))"
                 ".map(t => t.textContent)")
        assert b.run(small) == []
        assert (b.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)") != dark
        assert b.complaints() == []
        if os.environ.get("EVENKEEL_PICTURES"):
            b.picture(f"{os.environ['EVENKEEL_PICTURES']}/lab-{width}-{'dark' if dark else 'light'}.png")
    finally:
        b.close()


@pytest.mark.skipif(not os.environ.get("EVENKEEL_LAB_ALL"), reason="EVENKEEL_LAB_ALL=1: every experiment, with peers of its own (some minutes)")
def test_everything(tmp_path):
    out = tmp_path / "out"
    peers = "--peer=mariadb,mysql" if MySQL.folder() else "--peer=mariadb"
    r = subprocess.run([binary(), "lab", "all", "--quick", peers, f"--out={out}", f"--temp={tmp_path}"], capture_output=True, text=True)
    assert r.returncode == 0, r.stdout + r.stderr
    got = result(out)
    assert {m["experiment"] for m in got["measured"]} >= {"connections", "side-load", "instrumentation"} and got["seconds"] < 600
    assert os.listdir(tmp_path) == ["out"]
