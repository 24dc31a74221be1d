"""A Vitess cluster in a temporary folder: etcd, vtctld, vttablets over servers of tests/lib/servers.py, vtgate.

Everything listens on loopback only. Vitess' daemons refuse to run as root, so root starts them as `nobody`.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import pymysql

from lib.servers import ROOT, MySQL, Server, free_port

BIN = ROOT / "target/vitess"
CELL = "zone1"
PATIENCE = 120.0  # a condition that is not true by then hangs
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []


class Failed(Exception):
    """A check that did not hold, or something that did not come."""


def until(what, condition, patience=PATIENCE):
    """Waits for the condition; its true answer is returned. What fails meanwhile counts as not yet true."""
    end, last = time.time() + patience, None
    while time.time() < end:
        try:
            answer = condition()
            if answer:
                return answer
        except (pymysql.err.Error, OSError, Failed) as error:
            last = error
        time.sleep(0.1)
    raise Failed(f"{what}: not within {patience:.0f} s{f' ({last})' if last else ''}")


class Process:
    """A program of Vitess (or etcd) with its log."""

    def __init__(self, folder, name, command, env=None):
        self.name, self.path = name, folder / f"{name}.log"
        self.log = open(self.path, "ab")
        self.popen = subprocess.Popen([str(c) for c in command], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
                                      env={**os.environ, **(env or {})})

    def answers(self, url):
        """Waits until the URL answers."""
        def condition():
            if self.popen.poll() is not None:
                raise RuntimeError(f"{self.name} ended with {self.popen.returncode}:\n{self.tail()}")
            try:
                return urllib.request.urlopen(url, timeout=2).status == 200
            except urllib.error.URLError:
                return False
        until(f"{self.name} answers", condition)

    def tail(self, n=3000):
        return self.path.read_text(errors="replace")[-n:]

    def kill(self):
        self.popen.kill()
        self.popen.wait()


class Tablet:
    """A vttablet and its server."""

    def __init__(self, uid, keyspace, shard, server, process):
        self.uid, self.keyspace, self.shard, self.server, self.process = uid, keyspace, shard, server, process
        self.alias = f"{CELL}-{uid:010d}"

    def query(self, sql, **kw):
        """Rows straight from the server, beside Vitess."""
        return self.server.query(sql, db=f"vt_{self.keyspace}", **kw)


class Cluster:
    """`kind` is the class of servers (Server or MySQL). Use as a context manager: it stops everything."""

    def __init__(self, kind=Server, keep=None, options=()):
        self.kind, self.options = kind, options
        self.folder = pathlib.Path(keep or tempfile.mkdtemp(prefix="ek-vitess-"))
        if keep:
            shutil.rmtree(keep, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        os.chmod(self.folder, 0o777)
        self.kept = keep is not None
        self.env = {"HOME": str(self.folder), "VTDATAROOT": str(self.folder), "TMPDIR": str(self.folder)}
        self.processes, self.servers, self.tablets = [], [], {}
        self.next_server = 1

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes:  # what they know is of no use any more, so nobody waits for an end in order
            process.kill()
        for server in self.servers:
            server.remove()
        for folder in self.folder.iterdir() if self.kept else [self.folder]:  # of a kept folder only the logs stay
            data = folder / "data" if self.kept else folder
            shutil.rmtree(data, ignore_errors=True)

    def run(self, name, command):
        process = Process(self.folder, name, command, self.env)
        self.processes.append(process)
        return process

    def begin(self):
        """etcd, the cell, vtctld."""
        client, peer = f"http://127.0.0.1:{free_port()}", f"http://127.0.0.1:{free_port()}"
        self.run("etcd", ["etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", client, "--advertise-client-urls", client,
                          "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                          "--initial-cluster", f"default={peer}"]).answers(f"{client}/health")
        etcd = client.removeprefix("http://")
        self.topo = ["--topo-implementation", "etcd2", "--topo-global-server-address", etcd, "--topo-global-root", "/vitess/global"]
        subprocess.run([BIN / "vtctldclient", "--server", "internal", *self.topo, "AddCellInfo", "--root", f"/vitess/{CELL}",
                        "--server-address", etcd, CELL], check=True, capture_output=True, env={**os.environ, **self.env})
        http, self.vtctld_port = free_port(), free_port()
        self.run("vtctld", [*NOBODY, BIN / "vtctld", *self.topo, "--cell", CELL, "--service-map", "grpc-vtctl,grpc-vtctld", "--port", http,
                            "--grpc-port", self.vtctld_port, "--bind-address", "127.0.0.1", "--grpc-bind-address", "127.0.0.1",
                            "--log-level", "info"]).answers(f"http://127.0.0.1:{http}/debug/status")

    def ctl(self, *args, check=True, patience=PATIENCE):
        """vtctldclient's answer as text."""
        command = [BIN / "vtctldclient", "--server", f"127.0.0.1:{self.vtctld_port}", "--action-timeout", f"{patience:.0f}s",
                   *[str(a) for a in args]]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **self.env}, timeout=patience + 30)
        with open(self.folder / "vtctl.log", "a") as log:
            log.write(f"{time.strftime('%X')} {' '.join(map(str, args))}\n{done.stdout}{done.stderr}\n")
        if check and done.returncode:
            raise Failed(f"vtctldclient {' '.join(map(str, args))}:\n{done.stdout[-800:]}{done.stderr[-1500:]}")
        return done.stdout

    def server(self, *options):
        """A server with binary log and GTIDs, and the account under which tablets work."""
        number = self.next_server
        self.next_server += 1
        os.makedirs(self.folder / f"server-{number}", exist_ok=True)
        log = [f"--log-bin={'bin' if self.kind is MySQL else 'binlog'}", "--gtid-mode=ON", "--enforce-gtid-consistency=ON",
               f"--server-id={number}"]
        server = self.kind(self.folder / f"server-{number}", [*log, *self.options, *options])
        self.servers.append(server)
        server.start()
        os.chmod(self.folder / f"server-{number}", 0o755)
        with server.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")  # a managed tablet's server has no transactions of its own
            cur.execute("CREATE USER vt@'%' IDENTIFIED BY 'vt'")
            cur.execute("GRANT ALL ON *.* TO vt@'%' WITH GRANT OPTION")
        return server

    def keyspace(self, name, vschema=None, durability="none"):
        self.ctl("CreateKeyspace", f"--durability-policy={durability}", name)
        self.vschema(name, vschema or {"tables": {}})

    def vschema(self, name, vschema):
        self.ctl("ApplyVSchema", "--vschema", json.dumps(vschema), name)

    def tablet(self, keyspace, shard, server=None, managed=False, options=()):
        """A tablet over the server (a new one if there is none); an unmanaged one is its shard's primary at once."""
        server = server or self.server()
        uid = 100 * (len(self.tablets) + 1)
        tablet = Tablet(uid, keyspace, shard, server, None)
        self.tablets[uid] = tablet
        self.start_tablet(tablet, managed, options)
        if not managed:
            self.ctl("TabletExternallyReparented", tablet.alias)
        return tablet

    def start_tablet(self, tablet, managed, options=()):
        server, http, grpc = tablet.server, free_port(), free_port()
        accounts = []
        for who in ("app", "allprivs", "dba", "appdebug", "filtered", "repl"):
            accounts += [f"--db-{who}-user", "vt", f"--db-{who}-password", "vt"]
        if managed:
            accounts += ["--mycnf-server-id", server.query("SELECT @@server_id")[0][0], "--mycnf-mysql-port", server.port,
                         "--mycnf-socket-file", server.socket, "--mycnf-data-dir", server.dir / "data"]
        else:
            accounts += ["--unmanaged"]
        tablet.managed, tablet.http = managed, http
        tablet.process = self.run(f"tablet-{tablet.uid}", [
            *NOBODY, BIN / "vttablet", *self.topo, "--tablet-path", tablet.alias, "--tablet-hostname", "127.0.0.1",
            "--init-keyspace", tablet.keyspace, f"--init-shard={tablet.shard}", "--init-tablet-type", "replica",
            "--db-socket", server.socket, "--db-ssl-mode", "disabled", *accounts, "--health-check-interval", "2s",
            "--port", http, "--grpc-port", grpc, "--bind-address", "127.0.0.1", "--grpc-bind-address", "127.0.0.1",
            "--service-map", "grpc-queryservice,grpc-tabletmanager,grpc-updatestream", "--log-level", "info",
            "--migration-check-interval", "5s", "--vreplication-retry-delay", "1s", "--shutdown-grace-period", "3s", "--pprof-http", *options])
        tablet.process.answers(f"http://127.0.0.1:{http}/debug/status")

    def vtgate(self, *options):
        http, self.vtgate_grpc, self.vtgate_port = free_port(), free_port(), free_port()
        self.run("vtgate", [*NOBODY, BIN / "vtgate", *self.topo, "--cell", CELL, "--cells-to-watch", CELL, "--tablet-types-to-wait", "PRIMARY",
                            "--tablet-refresh-interval", "1s", "--port", http, "--grpc-port", self.vtgate_grpc, "--bind-address", "127.0.0.1",
                            "--grpc-bind-address", "127.0.0.1", "--mysql-server-port", self.vtgate_port, "--mysql-server-bind-address",
                            "127.0.0.1", "--mysql-auth-server-impl", "none", "--service-map", "grpc-vtgateservice",
                            "--vschema-ddl-authorized-users", "%", "--enable-buffer", "--buffer-min-time-between-failovers", "1s",
                            "--buffer-max-failover-duration", "60s", "--buffer-window", "60s", "--log-level", "info",
                            *options]).answers(f"http://127.0.0.1:{http}/debug/status")

    def connect(self, keyspace="", **kw):
        """A connection through vtgate."""
        return pymysql.connect(host="127.0.0.1", port=self.vtgate_port, user="root", database=keyspace or None, autocommit=True,
                               charset="utf8mb4", **kw)

    def query(self, sql, keyspace="", **kw):
        with self.connect(keyspace, **kw) as c, c.cursor() as cur:
            cur.execute(sql)
            return cur.fetchall()

    def create(self, keyspace, table, sql):
        """Creates a table through vtgate and waits until vtgate has tracked it."""
        self.query(sql, keyspace)
        until(f"vtgate knows {table}", lambda: self.query(f"SELECT * FROM {table} ORDER BY id LIMIT 1", keyspace) is not None)
