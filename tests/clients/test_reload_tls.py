"""ALTER INSTANCE RELOAD TLS: new connections get the new certificate, bad files leave the old one or, if so told, no TLS."""
import pathlib
import ssl
import subprocess

import pymysql
import pytest

from lib.servers import Server


def certificate(server):
    """The DER bytes of what the server shows, None without TLS."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with server.connect(host="127.0.0.1", ssl=context) as c:
        return c._sock.getpeercert(binary_form=True) if isinstance(c._sock, ssl.SSLSocket) else None


@pytest.fixture
def servers():
    both = [Server().start() for _ in range(2)]
    yield both
    for s in both:
        s.stop()
        s.remove()


def test_reload(servers):
    server, other = servers
    data, spare = (pathlib.Path(s.query("SELECT @@datadir")[0][0]) for s in (server, other))
    before, theirs = certificate(server), certificate(other)
    assert before != theirs
    for name in ("server-cert.pem", "server-key.pem", "ca.pem"):
        (data / name).write_bytes((spare / name).read_bytes())
    assert certificate(server) == before
    with server.connect() as c:
        cur = c.cursor()
        cur.execute("ALTER INSTANCE RELOAD TLS")
        assert certificate(server) == theirs
        (data / "server-key.pem").write_text("no key")
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("ALTER INSTANCE RELOAD TLS FOR CHANNEL mysql_main")
        assert e.value.args[0] == 3888
        assert certificate(server) == theirs
        cur.execute("ALTER INSTANCE RELOAD TLS NO ROLLBACK ON ERROR")
        cur.execute("SHOW WARNINGS")
        assert cur.fetchall()[0][1] == 3888
        assert certificate(server) is None
        cur.execute("CREATE USER u@localhost")
    with server.connect(user="u") as c, pytest.raises(pymysql.err.MySQLError) as e:
        c.cursor().execute("ALTER INSTANCE RELOAD TLS")
    assert e.value.args[0] == 1227


def test_certificate_of_version_1(tmp_path):
    """The manual's example ("Creating SSL Certificates and Keys Using openssl") makes such a certificate; one for another key is refused all the same."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)

    openssl("req", "-new", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", "ca-key.pem", "-out", "ca.pem", "-subj", "/CN=ca")
    for name in ("server", "other"):
        openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}-key.pem", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-days", "2", "-out", "server.pem")
    text = subprocess.run(["openssl", "x509", "-in", "server.pem", "-noout", "-text"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "Version: 1 " in text
    for key, given in (("server", True), ("other", False)):
        server = Server(options=[f"--ssl-ca={tmp_path}/ca.pem", f"--ssl-cert={tmp_path}/server.pem", f"--ssl-key={tmp_path}/{key}-key.pem"]).start()
        try:
            assert certificate(server) == (ssl.PEM_cert_to_DER_cert((tmp_path / "server.pem").read_text()) if given else None)
            said = dict(server.query("SHOW GLOBAL STATUS LIKE 'Ssl\\_server\\_not%'"))
            dates = subprocess.run(["openssl", "x509", "-in", "server.pem", "-noout", "-dates"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
            before, after = (line.split("=")[1] for line in dates.splitlines())
            assert said == {"Ssl_server_not_before": before if given else "", "Ssl_server_not_after": after if given else ""}
        finally:
            server.stop()
            server.remove()
