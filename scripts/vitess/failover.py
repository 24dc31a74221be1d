"""Cases of scripts/vitess.sh in which primaries change or end: managed tablets, vtorc, 2PC."""
import json
import threading
import time

from checks import HASH, case, equal, on_servers, sharded, summary
from cluster import BIN, NOBODY, Failed, free_port, until
from load import Load, create, fill


def gtids(tablet):
    return tablet.server.query("SELECT @@global.gtid_executed")[0][0].replace("\n", "")


def same_gtids(tablets):
    """Waits until all servers have the same transactions."""
    until("all servers have the same GTIDs", lambda: len({gtids(t) for t in tablets}) == 1)


def primary_of(cluster, keyspace, shard="-"):
    """The uid of the tablet that the topology names as the primary."""
    shown = json.loads(cluster.ctl("GetShard", f"{keyspace}/{shard}"))
    return int(shown["shard"]["primary_alias"]["uid"])


def managed(cluster):
    """One shard with three tablets whose replication Vitess manages; the first is the primary."""
    cluster.keyspace("ks", HASH)
    tablets = [cluster.tablet("ks", "-", managed=True) for _ in range(3)]
    cluster.ctl("PlannedReparentShard", "ks/-", "--new-primary", tablets[0].alias)
    cluster.vtgate("--tablet-types-to-wait", "PRIMARY")
    cluster.create("ks", "customer", create())
    fill(cluster, "ks", "customer", range(500))
    return tablets


def equal_servers(tablets, load):
    load.check()
    same_gtids(tablets)
    for tablet in tablets:
        equal(f"rows on {tablet.alias}", {r[0]: r for r in tablet.query("SELECT * FROM customer")}, load.model)


def read_only(tablets, primary):
    """Only the primary may be written."""
    for tablet in tablets:
        got = tablet.server.query("SELECT @@super_read_only")[0][0]
        if got != (0 if tablet is primary else 1):
            raise Failed(f"super_read_only is {got} on {tablet.alias}")


def killed(tablet):
    """kill -9 of a tablet's server and of the tablet itself."""
    tablet.server.meant = True
    tablet.server.kill()
    tablet.process.kill()


def back(cluster, tablet):
    """The killed server starts again, read-only as Vitess' own my.cnf has it, until somebody makes it a primary."""
    tablet.server.options = [o for o in tablet.server.options if o != "--super-read-only=ON"] + ["--super-read-only=ON"]
    tablet.server.start()
    tablet.server.meant = False
    cluster.start_tablet(tablet, True)


@case
def reparent(cluster):
    """Managed tablets: PlannedReparentShard under load, EmergencyReparentShard after kill -9, the old primary comes back"""
    tablets = managed(cluster)
    took = []
    with Load(cluster, "ks", ids=800) as load:
        for new in (1, 2, 1):
            time.sleep(1.5)
            begun = time.time()
            cluster.ctl("PlannedReparentShard", "ks/-", "--new-primary", tablets[new].alias)
            took.append(time.time() - begun)
        time.sleep(1.5)
    equal_servers(tablets, load)
    read_only(tablets, tablets[1])
    killed(tablets[1])
    begun = time.time()
    cluster.ctl("EmergencyReparentShard", "ks/-", "--new-primary", tablets[2].alias)
    emergency = time.time() - begun
    until("vtgate serves", lambda: cluster.query("SELECT COUNT(*) FROM customer", "ks")[0][0] == len(load.model))
    with Load(cluster, "ks", ids=800, seed=8) as after:
        time.sleep(1)
        back(cluster, tablets[1])
        time.sleep(1)
    equal_servers(tablets, after)
    read_only(tablets, tablets[2])
    return summary(load, planned=max(took), emergency=emergency)


@case
def vtorc(cluster):
    """vtorc: repairs stopped replication and a writable replica, replaces a primary killed with -9"""
    tablets = managed(cluster)
    cluster.run("vtorc", [*NOBODY, BIN / "vtorc", *cluster.topo, "--cell", "zone1", "--instance-poll-time", "1s",
                          "--topo-information-refresh-duration", "2s", "--recovery-poll-duration", "500ms", "--port",
                          free_port(), "--bind-address", "127.0.0.1", "--log-level", "info"])
    with Load(cluster, "ks", ids=800) as load:
        time.sleep(2)
        tablets[1].server.query("STOP REPLICA")
        tablets[2].server.query("SET GLOBAL read_only = OFF")
        until("vtorc starts replication", lambda: replicates(tablets[1]))
        until("vtorc makes the replica read-only", lambda: tablets[2].server.query("SELECT @@read_only")[0][0] == 1)
    equal_servers(tablets, load)
    killed(tablets[0])
    begun = time.time()
    until("vtorc names another primary", lambda: primary_of(cluster, "ks") != 100)
    until("vtgate serves", lambda: cluster.query("UPDATE customer SET n = 1 WHERE id = 1", "ks") is not None)
    took = time.time() - begun
    with Load(cluster, "ks", ids=800, seed=8) as after:
        time.sleep(1)
        back(cluster, tablets[0])
        until("the old primary follows", lambda: replicates(tablets[0]))
    equal_servers(tablets, after)
    return summary(load, failover=took)


def replicates(tablet):
    with tablet.server.connect() as c, c.cursor() as cur:
        cur.execute("SHOW REPLICA STATUS")
        names = [d[0] for d in cur.description]
        return any(r["Replica_IO_Running"] == "Yes" and r["Replica_SQL_Running"] == "Yes" for r in (dict(zip(names, row)) for row in cur.fetchall()))


@case
def twopc(cluster):
    """2PC: transactions over two shards are whole although a server and its tablet are killed with -9 in their middle, three times"""
    options = ("--twopc-abandon-age", "3s")
    tablets = sharded(cluster, options=options)
    cluster.vtgate("--transaction-mode", "TWOPC")
    cluster.create("ks", "customer", "CREATE TABLE customer (id BIGINT NOT NULL PRIMARY KEY, token BIGINT, n INT)")
    ends, committed, unsure, broken = threading.Event(), set(), set(), []

    def client(number):
        token, connection = number, None
        try:
            while not ends.is_set():
                token += 4
                wrote = False
                try:
                    connection = connection or cluster.connect("ks", read_timeout=60)
                    with connection.cursor() as cur:
                        cur.execute("BEGIN")
                        for part in range(4):
                            cur.execute(f"INSERT INTO customer VALUES ({token * 4 + part}, {token}, {part})")
                        wrote = True
                        cur.execute("COMMIT")
                    committed.add(token)
                except Exception:
                    if wrote:
                        unsure.add(token)
                    if connection:
                        connection.close()
                    connection = None
                    time.sleep(0.2)
        except Exception as error:
            broken.append(repr(error))

    threads = [threading.Thread(target=client, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for round in range(3):
        before = len(committed)
        until("transactions commit", lambda: len(committed) > before + 40)
        tablet = tablets[round % 2]
        killed(tablet)
        tablet.server.start()
        tablet.server.meant = False
        cluster.start_tablet(tablet, False, options)
    before = len(committed)
    until("transactions commit after the last kill", lambda: len(committed) > before + 40)
    ends.set()
    for t in threads:
        t.join()
    if broken:
        raise Failed(broken[0])

    def unresolved():
        return sum(t.server.query(f"SELECT COUNT(*) FROM _vt.{table}")[0][0] for t in tablets for table in ("dt_state", "redo_state"))
    until("every transaction is resolved", lambda: unresolved() == 0)
    found = {}
    for r in on_servers(tablets, columns="id, token").values():
        found[r[1]] = found.get(r[1], 0) + 1
    for token, parts in found.items():
        if parts != 4:
            raise Failed(f"transaction {token} has {parts} of 4 rows")
    lost = committed - set(found)
    if lost:
        raise Failed(f"{len(lost)} committed transactions are lost")
    extra = set(found) - committed - unsure
    if extra:
        raise Failed(f"{len(extra)} transactions that were rolled back are there")
    return f"{len(committed)} committed, {len(unsure)} ended by a kill, of these {len(set(found) & unsure)} committed later"
