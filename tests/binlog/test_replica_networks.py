"""The way of a replica to its source: SOURCE_BIND, NETWORK_NAMESPACE (CHANGE REPLICATION SOURCE TO), what is shown of them, and what MySQL 9.7 says where
they lead nowhere."""
import contextlib
import os
import socket
import subprocess

import pytest

from binlog.test_replica import GTIDS, KINDS, caught_up, pair, point, status
from lib.wait import until


def comes_from(s, address):
    """Whether somebody at this address is connected with the server. The process list may have a name instead."""
    wanted = socket.inet_aton(address)[::-1].hex().upper(), f"{s.port:04X}"
    ends = [line.split()[1:4] for line in open("/proc/net/tcp").readlines()[1:]]
    return any(state == "01" and (remote.split(":")[0], local.split(":")[1]) == wanted for local, remote, state in ends)


def ended(r):
    """Number and text of the error that the receiver has ended with."""
    until(lambda: status(r)["Replica_IO_Running"] == "No", why=lambda: status(r))
    return status(r)["Last_IO_Errno"], status(r)["Last_IO_Error"]


def shown(r):
    now = status(r)
    told = r.query("SELECT NETWORK_INTERFACE, NETWORK_NAMESPACE FROM performance_schema.replication_connection_configuration")
    return now["Source_Bind"], now["Network_Namespace"], *told[0]


@pytest.mark.parametrize("kind", KINDS)
def test_bind(kind):
    with pair(kind) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_BIND='127.0.0.8'")
        r.query("START REPLICA")
        s.query("CREATE DATABASE d")
        caught_up(s, r)
        assert comes_from(s, "127.0.0.8") and not comes_from(s, "127.0.0.9") and shown(r) == ("127.0.0.8", "", "127.0.0.8", "")
        # it is kept, and another one is another way
        r.stop()
        r.start()
        s.query("CREATE DATABASE d2")
        caught_up(s, r)
        assert comes_from(s, "127.0.0.8")
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_BIND='127.0.0.9'")
        r.query("START REPLICA")
        s.query("CREATE DATABASE d3")
        caught_up(s, r)
        assert comes_from(s, "127.0.0.9")
        r.query("STOP REPLICA")
        r.query("RESET REPLICA")
        assert shown(r)[0] == "127.0.0.9"
        # a name is looked up
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_BIND='localhost'")
        r.query("START REPLICA")
        s.query("CREATE DATABASE d4")
        caught_up(s, r)


def test_bind_that_leads_nowhere():
    with pair() as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_RETRY_COUNT=1")
        # 192.0.2.0/24 is nobody's (RFC 5737); ::1 does not lead to 127.0.0.1
        for bind, code, text in [("192.0.2.1", 2003, "Can't connect to MySQL server on '127.0.0.1:"), ("no host at all", 2005, "Unknown MySQL server host 'no host at all'"),
                                 ("::1", 2003, "Can't connect to MySQL server on '127.0.0.1:")]:
            r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_BIND='{bind}'")
            r.query("START REPLICA")
            assert ended(r)[0] == code and text in ended(r)[1]
            r.query("STOP REPLICA")
        # names of any length are taken, and cut where they are shown, as in MySQL
        r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_BIND='{'a' * 300}', NETWORK_NAMESPACE='{'b' * 300}'")
        assert shown(r)[2:] == ("a" * 60, "b" * 64)
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_BIND='', NETWORK_NAMESPACE=''")
        r.query("START REPLICA IO_THREAD")
        with pytest.raises(Exception, match="3021|io_thread|IO_THREAD"):
            r.query("CHANGE REPLICATION SOURCE TO SOURCE_BIND='127.0.0.4'")


@contextlib.contextmanager
def namespace():
    """A network namespace with two addresses: there, and here."""
    n, net = f"ek{os.getpid()}", f"10.213.{os.getpid() % 250}"
    run = lambda *words: subprocess.run(words, check=True, capture_output=True, text=True)
    try:
        run("ip", "netns", "add", n)
        run("ip", "link", "add", f"{n}a", "type", "veth", "peer", "name", f"{n}b", "netns", n)
        run("ip", "addr", "add", f"{net}.1/30", "dev", f"{n}a")
        run("ip", "link", "set", f"{n}a", "up")
        run("ip", "-n", n, "addr", "add", f"{net}.2/30", "dev", f"{n}b")
        run("ip", "-n", n, "link", "set", f"{n}b", "up")
        yield n, f"{net}.1", f"{net}.2"
    except (FileNotFoundError, subprocess.CalledProcessError) as e:
        pytest.skip(f"no network namespaces here: {e}")
    finally:
        subprocess.run(["ip", "netns", "del", n], capture_output=True)


def test_namespace():
    with namespace() as (n, here, there), pair(options=[*GTIDS, "--bind-address=0.0.0.0"]) as (s, r):
        point(s, r, f"SOURCE_AUTO_POSITION=1, NETWORK_NAMESPACE='{n}'")
        r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='{here}', SOURCE_PORT={s.port}")
        r.query("START REPLICA")
        s.query("CREATE DATABASE d")
        caught_up(s, r)
        assert comes_from(s, there) and shown(r) == ("", n, "", n)
        # the server itself has stayed where it was
        assert r.query("SHOW DATABASES LIKE 'd'") == (("d",),)
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION SOURCE TO NETWORK_NAMESPACE='no-such'")
        r.query("START REPLICA")
        assert ended(r) == (13117, "Fatal error: failed to set network namespace 'no-such'")
