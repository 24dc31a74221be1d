"""How long the server waits for a client that takes nothing or sends slowly: the same with and without TLS and compression, and one deadline for the whole of a login."""
import pathlib
import signal
import socket
import ssl
import struct
import sys
import threading
import time

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import Server  # noqa: E402
from lib.wait import until  # noqa: E402
from lib.wire import BASE, CHANGE_USER, COMPRESS, EXECUTE, MULTI_STATEMENTS, PREPARE, QUERY, SSL, ZSTD, Raw  # noqa: E402

WAYS = {"plain": {"tcp": True}, "tls": {"tcp": True, "tls": True}, "zlib": {"tcp": True, "caps": BASE | COMPRESS}, "tls_zlib": {"tcp": True, "tls": True, "caps": BASE | COMPRESS},
        "tls_zstd": {"tcp": True, "tls": True, "caps": BASE | ZSTD}}
# far beyond the timeouts, far below the defaults
BOUND = 20


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--connect-timeout=2", "--net-write-timeout=1", "--net-read-timeout=1"]).start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE d")
        cur.execute("CREATE USER slow")
        cur.execute("GRANT ALL ON *.* TO slow")
        # random, or compression makes little of it
        cur.execute("CREATE TABLE d.t (id INT PRIMARY KEY, s LONGBLOB)")
        for i in range(12):
            cur.execute("INSERT INTO d.t VALUES (%s, %s)", (i, random_bytes(1 << 20)))
    yield s
    s.stop()
    s.remove()


def random_bytes(n):
    import random
    return random.Random(n).randbytes(n)


def asked(server, **how):
    """A connection that asks for much and reads nothing."""
    c = Raw(server, user="slow", **how)
    c.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    c.command(QUERY, b"SELECT a.s FROM d.t a, d.t b, d.t c")
    return c


def together(f, names):
    """Each in a thread of its own: they are all waiting."""
    failed = []

    def run(name):
        try:
            f(name)
        except BaseException as e:  # noqa: BLE001
            failed.append((name, e))
    threads = [threading.Thread(target=run, args=(n,)) for n in names]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failed, failed


def test_who_takes_no_answer_is_let_go(server):
    """And so are its metadata locks: net_write_timeout. Meanwhile others work, more than have threads of their own."""
    done, stop = [0] * 8, threading.Event()

    def work(n):
        with server.connect() as c, c.cursor() as cur:
            while not stop.is_set():
                cur.execute("SELECT LENGTH(s) FROM d.t WHERE id = %s", (n,))
                assert cur.fetchall() == ((1 << 20,),)
                done[n] += 1
    workers = [threading.Thread(target=work, args=(n,)) for n in range(len(done))]
    [w.start() for w in workers]
    try:
        names = [way for way in WAYS for _ in range(4)]
        stalled = [asked(server, **WAYS[way]) for way in names]
        before = list(done)
        began = time.time()
        with server.connect() as c, c.cursor() as cur:
            cur.execute(f"SET lock_wait_timeout = {BOUND}")
            cur.execute("ALTER TABLE d.t COMMENT 'x'")
            while time.time() - began < BOUND:
                cur.execute("SELECT id FROM information_schema.processlist WHERE user = 'slow'")
                left = [r[0] for r in cur.fetchall()]
                if not left:
                    break
                time.sleep(0.05)
            assert not left, [w for w, c in zip(names, stalled) if c.thread_id in left]
            assert time.time() - began < BOUND
        until(lambda: all(now > then for now, then in zip(done, before)))
    finally:
        stop.set()
        [w.join() for w in workers]
    for s in stalled:
        s.sock.close()


# asked by a client that then reads nothing, each in more than one way of answering
LARGE = "SELECT a.s FROM d.t a, d.t b, d.t c"
STALLS = {
    "plain": (WAYS["plain"], LARGE), "tls": (WAYS["tls"], LARGE), "tls_zlib": (WAYS["tls_zlib"], LARGE), "zlib": (WAYS["zlib"], LARGE),
    "socket": ({}, LARGE), "one_row": (WAYS["plain"], "SELECT REPEAT('x', 60000000)"), "prepared": (WAYS["plain"], None),
    # each statement of it fails, and is followed by the next
    "handled": (WAYS["plain"], "CALL d.handled()"), "several": ({"tcp": True, "caps": BASE | MULTI_STATEMENTS}, f"{LARGE}; {LARGE}; {LARGE}"),
}


@pytest.mark.parametrize("threads", ["own", "shared"])
def test_who_takes_no_answer_is_waited_for_once(threads):
    """One timeout, not one for each write that the server then tries (an error's packet, a goodbye, the next statement's rows)."""
    s = Server(options=["--net-write-timeout=4", "--log-error-verbosity=3"]).start()
    idle = []
    try:
        with s.connect() as c, c.cursor() as cur:
            cur.execute("CREATE DATABASE d")
            cur.execute("CREATE USER slow")
            cur.execute("GRANT ALL ON *.* TO slow")
            cur.execute("CREATE TABLE d.t (id INT PRIMARY KEY, s LONGBLOB)")
            for i in range(12):
                cur.execute("INSERT INTO d.t VALUES (%s, %s)", (i, random_bytes(1 << 20)))
            again = "SELECT s FROM d.t a; " * 3
            cur.execute(f"CREATE PROCEDURE d.handled() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; {again} END")
            # so many that they have no threads of their own
            idle = [s.connect() for _ in range(60 if threads == "shared" else 0)]
            aborted = status(cur, "Aborted_clients")
            stalled = {name: Raw(s, user="slow", **how) for name, (how, _) in STALLS.items()}
            began = {}
            for name, r in stalled.items():
                r.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                began[name] = time.time()
                if sql := STALLS[name][1]:
                    r.command(QUERY, sql.encode())
                else:
                    r.command(PREPARE, LARGE.encode())
                    assert r.packet()[0] == 0
                    r.command(EXECUTE, struct.pack("<IBI", 1, 0, 1))
            took = {}

            def gone():
                cur.execute("SELECT id FROM information_schema.processlist WHERE user = 'slow'")
                left = {row[0] for row in cur.fetchall()}
                for name, r in stalled.items():
                    if r.thread_id not in left:
                        took.setdefault(name, time.time() - began[name])
                return len(took) == len(stalled)
            until(gone)
            # a second wait would end after 8 s, and the old server needed three
            assert all(3.5 < t < 8 for t in took.values()), took
            assert status(cur, "Aborted_clients") == aborted + len(stalled)
            log = s.log_tail(1 << 20)
            for name, r in stalled.items():
                line = f"Aborted connection {r.thread_id} to db: 'unconnected' user: 'slow' host: "
                [found] = [x for x in log.splitlines() if line in x]
                assert found.endswith("(Got timeout writing communication packets)."), (name, found)
                r.sock.close()
    finally:
        [c.close() for c in idle]
        s.stop()
        s.remove()


def status(cur, name):
    cur.execute("SHOW GLOBAL STATUS LIKE %s", (name,))
    return int(cur.fetchone()[1])


def test_half_a_command_is_not_waited_for(server):
    """net_read_timeout counts once a command has begun."""
    def one(way):
        c = Raw(server, **WAYS[way])
        whole = bytes([QUERY]) + b"SELECT 1"
        packet = struct.pack("<I", len(whole))[:3] + b"\0" + whole
        if c.compression:
            packet = struct.pack("<I", len(packet))[:3] + b"\0" + b"\0\0\0" + packet
        began = time.time()
        c.sock.sendall(packet[:-3])
        assert closed(c.sock, BOUND)
        assert 0.5 < time.time() - began < BOUND
    together(one, WAYS)


def test_signals_do_not_lengthen_a_wait():
    """A process that is stopped and continued all the time gets EINTR from its reads: the wait goes on, it does not begin anew."""
    s = Server(options=["--net-read-timeout=2"]).start()
    try:
        c, stop = Raw(s, tcp=True), threading.Event()

        def interrupt():
            while not stop.is_set():
                s.process.send_signal(signal.SIGSTOP)
                time.sleep(0.01)
                s.process.send_signal(signal.SIGCONT)
                time.sleep(0.05)
        t = threading.Thread(target=interrupt)
        t.start()
        try:
            c.sock.sendall(struct.pack("<I", 9)[:3] + b"\0" + bytes([QUERY]) + b"SEL")
            assert closed(c.sock, BOUND)
        finally:
            stop.set()
            t.join()
    finally:
        s.stop()
        s.remove()


def closed(sock, within):
    """Whether the server closes it; what it says before is read."""
    sock.settimeout(within)
    try:
        while sock.recv(4096):
            pass
        return True
    except (ConnectionError, ssl.SSLError) as e:
        return not isinstance(e, socket.timeout)
    except socket.timeout:
        return False


def drip(sock, data, pause=0.2):
    """Sends byte by byte for as long as the server takes it."""
    def run():
        try:
            for b in data:
                sock.sendall(bytes([b]))
                time.sleep(pause)
        except OSError:
            pass
    t = threading.Thread(target=run, daemon=True)
    t.start()
    return t


def greeted(server):
    s = socket.create_connection(("127.0.0.1", server.port), 10)
    n = int.from_bytes(s.recv(4)[:3], "little")
    while n > 0:
        n -= len(s.recv(n))
    return s


def client_hello():
    """What a TLS client sends first."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    o = context.wrap_bio(incoming, outgoing)
    with pytest.raises(ssl.SSLWantReadError):
        o.do_handshake()
    return outgoing.read()


def response(caps, length=None):
    body = struct.pack("<IIB23x", caps, 1 << 24, 45) + b"root\0" + b"\0" * 200
    return struct.pack("<I", length or len(body))[:3] + b"\1" + body


START_TLS = struct.pack("<I", 32)[:3] + b"\1" + struct.pack("<IIB23x", BASE | SSL, 1 << 24, 45)


def test_a_login_has_one_deadline(server):
    def one(what):
        s = greeted(server)
        began = time.time()
        if what == "answer":
            drip(s, response(BASE))
        elif what == "start_tls":
            drip(s, START_TLS)
        elif what == "hello":
            s.sendall(START_TLS)
            drip(s, client_hello())
        elif what == "second_flight":
            s.sendall(START_TLS + client_hello())
            # records that nobody wants, in pieces: change_cipher_spec is allowed once or twice
            drip(s, b"\x14\x03\x03\x00\x01\x01" + b"\x17\x03\x03\x01\x00" + b"x" * 256)
        assert closed(s, BOUND)
        assert 1 < time.time() - began < BOUND, "connect_timeout is 2 s"
        s.close()
    together(one, ["nothing", "answer", "start_tls", "hello", "second_flight"])


def test_change_user_has_the_same_deadline(server):
    c = Raw(server, tcp=True)
    c.command(CHANGE_USER, b"root\0\0\0" + struct.pack("<H", 45) + b"caching_sha2_password\0")
    c.packet()
    began = time.time()
    drip(c.sock, struct.pack("<I", 200)[:3] + b"\x02" + b"x" * 200)
    assert closed(c.sock, BOUND)
    assert 1 < time.time() - began < BOUND


def test_slow_is_not_stalled(server):
    """Who takes a megabyte now and then within the timeouts is served to the end, over TLS too, and longer than one timeout.

    Less at a time says nothing: to the server a client has taken something when a third of the socket's buffer (up to
    4 MB) is free again, and a read over TLS gives one record, 16 KB.
    """
    def served(way):
        c = Raw(server, **WAYS[way])
        c.command(QUERY, b"SELECT s FROM d.t LIMIT 12")
        got, longest, waited = 0, 0.0, time.time()
        while got < 12 << 20:
            piece = len(c.sock.recv(1 << 18))
            if piece == 0:
                # on a busy machine this tester itself may have been away for longer than the timeout
                assert longest > 0.5, f"let go after {got} bytes, the longest pause was {longest:.2f} s"
                return False
            if got >> 20 != (got + piece) >> 20:
                time.sleep(0.2)
                longest, waited = max(longest, time.time() - waited), time.time()
            got += piece
        return True

    def one(way):
        until(lambda: served(way))
    together(one, ["plain", "tls"])


def test_what_init_connect_takes_is_not_the_clients_fault():
    """`connect_timeout` is for the client: neither `init_connect` nor what follows it has to be done by then."""
    s = Server(options=["--connect-timeout=2", "--init-connect=DO SLEEP(3)"]).start()
    try:
        s.query("CREATE USER plain")
        c = Raw(s, user="plain", tcp=True)
        c.command(QUERY, b"SELECT 1")
        assert c.result()
        c.command(CHANGE_USER, b"plain\0\0\0" + struct.pack("<H", 45) + b"caching_sha2_password\0")
        assert c.packet()[0] == 0xfe
    finally:
        s.stop()
        s.remove()


def test_pymysql_over_tls_still_works(server):
    with pymysql.connect(host="127.0.0.1", port=server.port, user="slow", ssl={"ssl": {}}, ssl_verify_cert=False) as c, c.cursor() as cur:
        cur.execute("SELECT LENGTH(s) FROM d.t LIMIT 1")
        assert cur.fetchone()[0] == 1 << 20
        cur.execute("SELECT %s", ("x" * 300000,))
        assert len(cur.fetchone()[0]) == 300000
