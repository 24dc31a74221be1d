"""REQUIRE SSL, X509, SUBJECT, ISSUER and CIPHER: which connections an account lets in, also after a restart."""
import ssl
import subprocess

import pymysql
import pytest

from lib.servers import Server


def openssl(*words, folder):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def signed(folder, name, subject, ca):
    """A key and a certificate of `ca`, of version 3: rustls knows no older ones."""
    (folder / "extensions").write_text("basicConstraints = CA:FALSE\n")
    openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}-key.pem", "-out", f"{name}.csr", "-subj", subject, folder=folder)
    openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}-key.pem", "-CAcreateserial", "-days", "2", "-out", f"{name}.pem",
            "-extfile", "extensions", folder=folder)


def authority(folder, name, subject):
    openssl("req", "-new", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", f"{name}-key.pem", "-out", f"{name}.pem", "-subj", subject,
            folder=folder)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    authority(folder, "ca", "/C=SE/O=Even keel/CN=the ca")
    authority(folder, "stranger", "/CN=the ca")
    signed(folder, "server", "/CN=localhost", "ca")
    signed(folder, "one", "/C=SE/O=Even keel/CN=one", "ca")
    signed(folder, "two", "/CN=two/emailAddress=two@example.com", "ca")
    signed(folder, "other", "/C=SE/O=Even keel/CN=one", "stranger")
    return folder


@pytest.fixture(scope="module")
def server(keys):
    options = [f"--ssl-ca={keys}/ca.pem", f"--ssl-cert={keys}/server.pem", f"--ssl-key={keys}/server-key.pem"]
    s = Server(options=options).start()
    yield s
    s.stop()
    s.remove()


def enter(server, keys, user, certificate=None, tls=True, version=None):
    """The session's cipher, or the number of the error."""
    context = ssl.create_default_context(cafile=f"{keys}/ca.pem")
    context.check_hostname = False
    if version:
        context.maximum_version = version
    if certificate:
        context.load_cert_chain(f"{keys}/{certificate}.pem", f"{keys}/{certificate}-key.pem")
    try:
        with server.connect(user=user, password="pw", host="127.0.0.1", **({"ssl": context} if tls else {"ssl_disabled": True})) as c, c.cursor() as cur:
            cur.execute("SHOW STATUS LIKE 'Ssl_cipher'")
            return cur.fetchone()[1]
    except pymysql.err.MySQLError as e:
        return e.args[0]


def test_what_is_asked_for(server, keys):
    accounts = {
        "anyone": "NONE",
        "tls": "SSL",
        "known": "X509",
        "subject": "SUBJECT '/C=SE/O=Even keel/CN=one'",
        "mail": "SUBJECT '/CN=two/emailAddress=two@example.com'",
        "pair": "SUBJECT '/C=SE/O=Even keel/CN=one' AND ISSUER '/C=SE/O=Even keel/CN=the ca'",
        "issuer": "ISSUER '/CN=the ca'",
        "cipher": "CIPHER 'TLS_AES_256_GCM_SHA384'",
    }
    with server.connect() as c, c.cursor() as cur:
        for name, require in accounts.items():
            # the old plugin: a password of the other one may not be sent without TLS
            cur.execute(f"CREATE USER {name} IDENTIFIED WITH mysql_native_password BY 'pw' REQUIRE {require}")

    def let_in(certificate, tls=True):
        return {name for name in accounts if isinstance(enter(server, keys, name, certificate, tls), str)}

    for _ in range(2):
        assert let_in(None, tls=False) == {"anyone"}
        assert let_in(None) == {"anyone", "tls"}
        assert let_in("one") == {"anyone", "tls", "known", "subject", "pair", "cipher"}
        assert let_in("two") == {"anyone", "tls", "known", "mail", "cipher"}
        # another authority's certificate ends the handshake
        assert let_in("other") == set()
        assert enter(server, keys, "known") == 1045
        server.stop()
        server.start()


def test_names_of_ciphers(server, keys):
    with server.connect() as c, c.cursor() as cur:
        cur.execute("CREATE USER IF NOT EXISTS old IDENTIFIED WITH mysql_native_password BY 'pw' REQUIRE SSL")
        name = enter(server, keys, "old", version=ssl.TLSVersion.TLSv1_2)
        assert name.startswith("ECDHE-RSA-") and "_" not in name, name
        cur.execute(f"ALTER USER old REQUIRE CIPHER '{name}'")
    assert enter(server, keys, "old", "one", version=ssl.TLSVersion.TLSv1_2) == name
    assert enter(server, keys, "old", "one") == 1045
