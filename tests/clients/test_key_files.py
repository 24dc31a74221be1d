"""The server's keys: made only if none is named and none exists, never over an existing file; what fails is named."""

import pymysql
import pytest

from lib.servers import Server

TLS = ("ca.pem", "server-cert.pem", "server-key.pem", "client-cert.pem", "client-key.pem")
RSA = ("private_key.pem", "public_key.pem")


def keys(server):
    return {p.name: p.read_bytes() for p in sorted((server.dir / "data").glob("*.pem"))}


def has_tls(server):
    try:
        with server.connect(host="127.0.0.1", ssl={"check_hostname": False}) as c, c.cursor() as cur:
            cur.execute("SHOW STATUS LIKE 'Ssl_cipher'")
            return cur.fetchone()[1] != ""
    except pymysql.err.OperationalError as e:
        assert e.args[0] == 2026, e
        return False


@pytest.fixture
def server():
    s = Server().start()
    assert set(keys(s)) == {*TLS, *RSA} and has_tls(s)
    assert s.stop() == 0
    s.options = []
    yield s
    s.remove()


@pytest.mark.parametrize("option", ["ssl-cert", "ssl-key", "ssl-ca"])
def test_a_mistyped_name_harms_no_file(server, option):
    """All three named, as a careful administrator does; one of them wrongly."""
    before = keys(server)
    names = {"ssl-ca": "ca.pem", "ssl-cert": "server-cert.pem", "ssl-key": "server-key.pem", option: "typo.pem"}
    server.options = [f"--{o}={n}" for o, n in names.items()]
    server.start()
    assert keys(server) == before
    assert not has_tls(server) and "typo.pem" in server.log_tail(), server.log_tail()
    server.stop()
    # only the wrong one
    server.options = [f"--{option}=typo.pem"]
    server.start()
    assert keys(server) == before
    server.stop()
    server.options = []
    server.start()
    assert keys(server) == before and has_tls(server)


@pytest.mark.parametrize("gone", TLS + RSA)
def test_a_set_with_a_gap_is_not_mended(server, gone):
    (server.dir / "data" / gone).unlink()
    before = keys(server)
    server.start()
    assert keys(server) == before
    if not gone.startswith("client"):
        assert gone in server.log_tail(), server.log_tail()
    if gone in ("server-cert.pem", "server-key.pem"):
        assert not has_tls(server)


def test_first_start_with_names_makes_none():
    s = Server(options=["--ssl-cert=typo.pem", "--caching-sha2-password-private-key-path=mine.pem"]).start()
    try:
        assert keys(s) == {}
        assert "typo.pem" in s.log_tail() and "mine.pem" in s.log_tail()
        s.stop()
        s.options = []
        s.start()
        assert set(keys(s)) == {*TLS, *RSA} and has_tls(s)
    finally:
        s.remove()


def test_keys_of_ones_own_without_a_ca(server, tmp_path):
    """Named certificate and key, no CA file anywhere: TLS works, as with MySQL."""
    for name in ("server-cert.pem", "server-key.pem"):
        (tmp_path / name).write_bytes((server.dir / "data" / name).read_bytes())
    for name in TLS:
        (server.dir / "data" / name).unlink()
    server.options = [f"--ssl-cert={tmp_path}/server-cert.pem", f"--ssl-key={tmp_path}/server-key.pem"]
    server.start()
    assert has_tls(server)
    assert not set(keys(server)) & set(TLS)
