"""What scripts/vitess.sh runs: each case takes a fresh Cluster, raises Failed, and returns what it measured."""
import json
import subprocess
import threading
import time

from cluster import BIN, NOBODY, Failed, free_port, until
from load import COLUMNS, Load, create, fill, names

HASH = {"sharded": True, "vindexes": {"hash": {"type": "hash"}},
        "tables": {"customer": {"column_vindexes": [{"column": "id", "name": "hash"}]}}}
PLAIN = {"tables": {"customer": {}}}
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def equal(what, got, wanted):
    """Two lists of rows (or two dictionaries), compared row by row."""
    if isinstance(got, dict):
        got, wanted = sorted(got.items()), sorted(wanted.items())
    got, wanted = list(got), list(wanted)
    for g, w in zip(got, wanted):
        if g != w:
            raise Failed(f"{what}: {g}\n  instead of {w}")
    if len(got) != len(wanted):
        raise Failed(f"{what}: {len(got)} rows instead of {len(wanted)}")


def rows(cluster, keyspace, table="customer", columns="*"):
    return {r[0]: r for r in cluster.query(f"SELECT {columns} FROM {table} ORDER BY id", keyspace)}


def on_servers(tablets, table="customer", columns="*"):
    """The rows of all shards, read beside Vitess; no row may be in two."""
    found = {}
    for tablet in tablets:
        for r in tablet.query(f"SELECT {columns} FROM {table}"):
            if r[0] in found:
                raise Failed(f"{table}: row {r[0]} is in two shards")
            found[r[0]] = r
    return found


def settled(cluster, keyspace, load, tablets, table="customer"):
    """After a load: rows through vtgate and rows on the servers are what the clients saw last."""
    if load.broken:
        raise Failed("; ".join(load.broken))
    equal(f"{table} through vtgate", rows(cluster, keyspace, table), load.model)
    equal(f"{table} on the servers", on_servers(tablets, table), load.model)


def begin(cluster, *create):
    """Creates a workflow as soon as the tablets' engines for it are open: a new primary opens its own a moment after it serves."""
    def condition():
        try:
            cluster.ctl(*create)
            return True
        except Failed as error:
            if "vreplication engine is" in str(error):
                return False
            raise RuntimeError(str(error)) from None
    until("the engines are open", condition)


def running(cluster, keyspace, workflow):
    """Waits until all streams of a workflow have copied and run."""
    def condition():
        shown = json.loads(cluster.ctl("Workflow", "--keyspace", keyspace, "show", "--workflow", workflow, "--include-logs=false"))
        streams = [s for w in shown["workflows"] for shard in w["shard_streams"].values() for s in shard["streams"]]
        failed = [s for s in streams if s["state"] == "Error" or "rror" in s.get("message", "")]
        if failed:
            raise Failed(f"stream: {failed[0]}")
        return streams and all(s["state"] == "Running" for s in streams)
    until(f"{workflow} runs", condition)


def vdiff(cluster, keyspace, workflow):
    """Vitess' own comparison of source and target. Returns how many rows it compared."""
    made = json.loads(cluster.ctl("VDiff", "--workflow", workflow, "--target-keyspace", keyspace, "create", "--format=json"))

    def condition():
        report = json.loads(cluster.ctl("VDiff", "--workflow", workflow, "--target-keyspace", keyspace, "show", made["UUID"], "--format=json"))
        if report["State"] == "error":
            raise RuntimeError(f"VDiff: {report}")
        return report if report["State"] == "completed" else None
    report = until("VDiff", condition)
    if report["HasMismatch"]:
        raise Failed(f"VDiff found a difference: {report}")
    return report["RowsCompared"]


def switch(cluster, command, keyspace, workflow):
    begun = time.time()
    cluster.ctl(command, "--workflow", workflow, "--target-keyspace", keyspace, "switchtraffic")
    return time.time() - begun


def sharded(cluster, name="ks", shards=("-80", "80-"), vschema=None, options=()):
    cluster.keyspace(name, vschema or HASH)
    return [cluster.tablet(name, shard, options=options) for shard in shards]


def summary(load, **measured):
    failed = ", ".join(f"{n} times {text}" for text, n in load.failures.items())
    parts = [f"{load.writes} writes meanwhile", f"{sum(load.failures.values())} failed{failed and f' ({failed})'}", f"longest {load.longest:.1f} s"]
    return ", ".join([*parts, *(f"{k} {v:.1f} s" if isinstance(v, float) else f"{k} {v}" for k, v in measured.items())])


@case
def serving(cluster):
    """Two shards: reads, writes, a transaction over both, metadata"""
    tablets = sharded(cluster)
    cluster.vtgate()
    cluster.create("ks", "customer", create())
    fill(cluster, "ks", "customer", range(300))
    seen = rows(cluster, "ks")
    equal("ids", sorted(seen), range(300))
    equal("on the servers", on_servers(tablets), seen)
    if not all(tablet.query("SELECT COUNT(*) FROM customer")[0][0] for tablet in tablets):
        raise Failed("a shard is empty")
    with Load(cluster, "ks", ids=400) as load:
        time.sleep(3)
    settled(cluster, "ks", load, tablets)
    if load.failures:
        raise Failed(f"writes failed: {load.failures}")
    groups = cluster.query("SELECT n % 5, COUNT(*), SUM(n) FROM customer GROUP BY 1 ORDER BY 1", "ks")
    n = {k: r[-1] for k, r in load.model.items()}
    wanted = [(g, sum(1 for v in n.values() if v % 5 == g), sum(v for v in n.values() if v % 5 == g)) for g in range(5)]
    equal("GROUP BY over shards", [tuple(map(int, r)) for r in groups], [w for w in wanted if w[1]])
    with cluster.connect("ks") as c, c.cursor() as cur:
        for end in ("ROLLBACK", "COMMIT"):
            cur.execute("BEGIN")
            cur.execute("UPDATE customer SET n = -1")
            cur.execute(end)
            cur.execute("SELECT COUNT(*) FROM customer WHERE n = -1")
            equal(end, [cur.fetchone()[0]], [len(load.model) if end == "COMMIT" else 0])
        cur.execute("SET SESSION sql_mode = ''")
        cur.execute("SELECT @@sql_mode")
        cur.execute("SHOW FULL COLUMNS FROM customer")
        cur.execute("SHOW CREATE TABLE customer")
    return summary(load)


@case
def vstream(cluster):
    """VStream: copy, changes, DDL, and going on from a position after the server's restart"""
    tablets = sharded(cluster)
    cluster.vtgate()
    cluster.create("ks", "customer", create())
    fill(cluster, "ks", "customer", range(200))
    stream = Stream(cluster, "ks", "customer")
    until("copied", lambda: stream.copied)
    equal("copied ids", sorted(stream.ids), range(200))
    with Load(cluster, "ks", ids=300, seed=3) as load:
        time.sleep(4)
    until("the stream has what the clients wrote", lambda: stream.ids == set(load.model))
    marked = cluster.query("UPDATE customer SET n = 77777 WHERE id < 1000000 LIMIT 1000", "ks")
    until("marked", lambda: all(r["n"] == "77777" for r in stream.rows.values()))
    compare_texts(cluster, stream)
    cluster.query("ALTER TABLE customer ADD COLUMN added VARCHAR(20) DEFAULT 'new'", "ks")
    until("DDL event", lambda: any("added" in d for d in stream.ddl))
    until("vtgate knows the column", lambda: cluster.query("SELECT added FROM customer ORDER BY added LIMIT 1", "ks") is not None)
    cluster.query("UPDATE customer SET added = 'seen', n = 5", "ks")
    until("the new column", lambda: all(r.get("added") == "seen" and r["n"] == "5" for r in stream.rows.values()))
    position, before = stream.position, len(stream.rows)
    stream.stop()
    cluster.query("DELETE FROM customer WHERE id < 50", "ks")
    cluster.query("INSERT INTO customer(id, n) VALUES (5001, 1), (5002, 2), (5003, 3)", "ks")
    for tablet in tablets:
        tablet.server.stop()
        tablet.server.start()
    until("vtgate serves again", lambda: cluster.query("UPDATE customer SET n = 6 WHERE id = 5001", "ks") is not None)
    again = Stream(cluster, "ks", "customer", position)
    again.rows = {k: v for k, v in stream.rows.items()}
    left = set(rows(cluster, "ks"))
    until("the stream goes on", lambda: again.ids == left and again.rows.get(5001, {}).get("n") == "6")
    if again.copied:
        raise Failed("the stream copied again")
    again.stop()
    return f"{before} rows, {load.writes} writes, {stream.events + again.events} events"


class Stream:
    """The vstream program; `rows` is what its events add up to."""

    def __init__(self, cluster, keyspace, table, position=None):
        self.rows, self.ddl, self.position, self.copied, self.events = {}, [], None, False, 0
        command = [BIN / "vstream", f"127.0.0.1:{cluster.vtgate_grpc}", keyspace, table, *([json.dumps(position)] if position else [])]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=open(cluster.folder / "vstream.log", "ab"), text=True)
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        self.keyspace, self.cluster = keyspace, cluster

    @property
    def ids(self):
        return set(self.rows)

    def read(self):
        for text in self.process.stdout:
            line = json.loads(text)
            self.events += 1
            if line["kind"] in ("insert", "update"):
                self.rows = {**self.rows, int(line["row"]["id"]): line["row"]}
            elif line["kind"] == "delete":
                self.rows = {k: v for k, v in self.rows.items() if k != int(line["row"]["id"])}
            elif line["kind"] == "ddl":
                self.ddl.append(line["text"])
            elif line["kind"] == "vgtid":
                self.position = line["position"]
            elif line["kind"] == "copy_completed" and "shard" not in line:  # one for each shard, then one for all
                self.copied = True

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()


def compare_texts(cluster, stream):
    """What the stream says of each column as text, and what SELECT says."""
    texts = "CAST(d AS CHAR), CAST(u64 AS CHAR), t, txt, HEX(bytes), HEX(fixed), HEX(blb), CAST(dt AS CHAR), CAST(tm AS CHAR), CAST(day AS CHAR)"
    names = ["d", "u64", "t", "txt", "bytes", "fixed", "blb", "dt", "tm", "day"]
    for r in cluster.query(f"SELECT id, {texts} FROM customer ORDER BY id", "ks"):
        said = stream.rows[r[0]]
        got = [v.upper() if v is not None and c in ("bytes", "fixed", "blb") else v for c, v in ((c, said[c]) for c in names)]
        equal(f"row {r[0]} in the stream", list(zip(names, got)), list(zip(names, r[1:])))


def moved(cluster, shards, options=()):
    """An unsharded keyspace `old` with 1,000 rows, and an empty keyspace `new` of these shards."""
    cluster.keyspace("old", PLAIN)
    source = [cluster.tablet("old", "0")]
    cluster.keyspace("new", {**HASH, "tables": {}} if len(shards) > 1 else {"tables": {}})
    target = [cluster.tablet("new", shard) for shard in shards]
    cluster.vtgate()
    cluster.create("old", "customer", create())
    fill(cluster, "old", "customer", range(1000))
    if len(shards) > 1:
        cluster.vschema("new", HASH)
    return source, target


@case
def movetables(cluster):
    """MoveTables to two shards under load, VDiff, SwitchTraffic, back, and again"""
    source, target = moved(cluster, ("-80", "80-"))
    create_move = ["MoveTables", "--workflow", "m", "--target-keyspace", "new", "create", "--source-keyspace", "old", "--tables", "customer"]
    with Load(cluster, "old", ids=1500) as load:
        begun = time.time()
        begin(cluster, *create_move)
        running(cluster, "new", "m")
        copied = time.time() - begun
        compared = vdiff(cluster, "new", "m")
        switched = switch(cluster, "MoveTables", "new", "m")
        time.sleep(2)
        cluster.ctl("MoveTables", "--workflow", "m", "--target-keyspace", "new", "reversetraffic")
        time.sleep(2)
        switch(cluster, "MoveTables", "new", "m")
        time.sleep(2)
    settled(cluster, "new", load, target)
    until("the reverse stream has all", lambda: {r[0]: r for r in source[0].query("SELECT * FROM customer")} == load.model)
    cluster.ctl("MoveTables", "--workflow", "m", "--target-keyspace", "new", "complete")
    if source[0].query("SHOW TABLES LIKE 'customer'"):
        raise Failed("complete left the table in the source")
    equal("after complete", rows(cluster, "new"), load.model)
    return summary(load, copied=copied, compared=compared, switched=switched)


def reshard(cluster, before, after):
    tablets = sharded(cluster, shards=before)
    cluster.vtgate()
    cluster.create("ks", "customer", create())
    fill(cluster, "ks", "customer", range(1000))
    target = [cluster.tablet("ks", shard) for shard in after]
    with Load(cluster, "ks", ids=1500) as load:
        begun = time.time()
        begin(cluster, "Reshard", "--workflow", "r", "--target-keyspace", "ks", "create", "--source-shards", ",".join(before),
              "--target-shards", ",".join(after))
        running(cluster, "ks", "r")
        copied = time.time() - begun
        compared = vdiff(cluster, "ks", "r")
        switched = switch(cluster, "Reshard", "ks", "r")
        time.sleep(3)
    settled(cluster, "ks", load, target)
    until("the reverse streams have all", lambda: on_servers(tablets) == load.model)
    cluster.ctl("Reshard", "--workflow", "r", "--target-keyspace", "ks", "complete")
    equal("after complete", rows(cluster, "ks"), load.model)
    return summary(load, copied=copied, compared=compared, switched=switched)


@case
def reshard1to2(cluster):
    """Reshard of one shard to two under load"""
    return reshard(cluster, ["-"], ["-80", "80-"])


@case
def reshard2to4(cluster):
    """Reshard of two shards to four under load"""
    return reshard(cluster, ["-80", "80-"], ["-40", "40-80", "80-c0", "c0-"])


@case
def onlineddl(cluster):
    """Online DDL (strategy vitess) under load, with a cut-over forced past a transaction that holds the table"""
    tablets = sharded(cluster)
    cluster.vtgate()
    cluster.create("ks", "customer", create())
    fill(cluster, "ks", "customer", range(1000))
    columns = names()

    def migrate(ddl, strategy):
        with cluster.connect("ks") as c, c.cursor() as cur:
            cur.execute(f"SET @@ddl_strategy = '{strategy}'")
            cur.execute(ddl)
            return cur.fetchone()[0]

    def shards_of(uuid):
        with cluster.connect("ks") as c, c.cursor() as cur:
            cur.execute(f"SHOW VITESS_MIGRATIONS LIKE '{uuid}'")
            headings = [d[0] for d in cur.description]
            return [dict(zip(headings, r)) for r in cur.fetchall()]

    def state(uuid):
        shards = shards_of(uuid)
        failed = [s for s in shards if s["migration_status"] in ("failed", "cancelled")]
        if failed:
            raise RuntimeError(f"migration: {failed[0]['message']}")
        if [s["migration_status"] for s in shards] != ["complete"] * len(tablets):
            raise Failed("; ".join(f"{s['shard']} {s['migration_status']}, {s['stage']}, {s['message']}" for s in shards))
        return True

    def done(uuid):
        until("migration", lambda: state(uuid))

    with Load(cluster, "ks", ids=1500, columns=columns) as load:
        begun = time.time()
        done(migrate("ALTER TABLE customer ADD COLUMN extra INT NOT NULL DEFAULT 5, MODIFY COLUMN n BIGINT NOT NULL DEFAULT 0, ADD KEY(dt)", "vitess"))
        altered = time.time() - begun
        # ready to cut over; then a transaction holds the table on each shard until it is killed
        uuid = migrate("ALTER TABLE customer DROP COLUMN extra", "vitess --postpone-completion --force-cut-over-after=1s")
        until("ready", lambda: all(str(s["ready_to_complete"]) == "1" for s in shards_of(uuid)))
        holders = []
        for tablet in tablets:
            holder = tablet.server.connect(database="vt_ks", autocommit=False)
            with holder.cursor() as cur:
                cur.execute("INSERT INTO customer(id, n) VALUES (%s, 1)", (10**9 + tablet.uid,))
            holders.append(holder)
        begun = time.time()
        cluster.query(f"ALTER VITESS_MIGRATION '{uuid}' COMPLETE", "ks")
        done(uuid)
        forced = time.time() - begun
        for holder in holders:
            try:
                holder.query("SELECT 1")
            except Exception:
                continue
            raise Failed("a forced cut-over left the transaction that held the table")
    if load.broken:
        raise Failed("; ".join(load.broken))
    equal("after migrations", rows(cluster, "ks", columns=columns), load.model)
    equal("on the servers", on_servers(tablets, columns=columns), load.model)
    definition = tablets[0].query("SHOW CREATE TABLE customer")[0][1]
    if "extra" in definition or "`n` bigint NOT NULL" not in definition or "KEY `dt`" not in definition:
        raise Failed(definition)
    done(migrate("DROP TABLE customer", "vitess"))
    if any(tablet.query("SHOW TABLES LIKE 'customer'") for tablet in tablets):
        raise Failed("DROP TABLE left the table")
    return summary(load, altered=altered, forced=forced)


@case
def materialize(cluster):
    """Materialize: a table by another sharding key, and an aggregate, both kept current under load"""
    vschema = json.loads(json.dumps(HASH))
    tablets = sharded(cluster, vschema=vschema)
    by_n = json.loads(json.dumps(HASH))
    by_n["tables"] = {"customer_by_n": {"column_vindexes": [{"column": "n", "name": "hash"}]}, "totals": {"column_vindexes": [{"column": "n", "name": "hash"}]}}
    cluster.keyspace("view", by_n)
    target = [cluster.tablet("view", shard) for shard in ("-80", "80-")]
    cluster.vtgate()
    cluster.create("ks", "customer", create())
    fill(cluster, "ks", "customer", range(500))
    with Load(cluster, "ks", ids=800) as load:
        for workflow, table, expression, ddl in (
                ("copy", "customer_by_n", "select id, n, t, d from customer",
                 "create table customer_by_n(id bigint not null, n int not null, t varchar(300), d decimal(30,10), primary key(id))"),
                ("sums", "totals", "select n, count(*) as c, sum(id) as s from customer group by n",
                 "create table totals(n int not null primary key, c bigint, s decimal(40,0))")):
            begin(cluster, "Materialize", "--workflow", workflow, "--target-keyspace", "view", "create", "--source-keyspace", "ks",
                  "--table-settings", json.dumps([{"target_table": table, "source_expression": expression, "create_ddl": ddl}]))
            running(cluster, "view", workflow)
        time.sleep(4)
    settled(cluster, "ks", load, tablets)
    at = {c: i for i, c in enumerate(COLUMNS)}
    wanted = {k: (k, r[at["n"]], r[at["t"]], r[at["d"]]) for k, r in load.model.items()}
    until("the copy is current", lambda: rows(cluster, "view", "customer_by_n") == wanted, 30)
    equal("copy", on_servers(target, "customer_by_n"), wanted)
    totals = {}
    for k, r in load.model.items():
        c, s = totals.get(r[at["n"]], (0, 0))
        totals[r[at["n"]]] = (c + 1, s + k)
    got = {r[0]: (int(r[1]), int(r[2])) for r in cluster.query("SELECT n, c, s FROM totals WHERE c > 0", "view")}
    equal("aggregate", got, totals)
    return summary(load)


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
    if load.broken:
        raise Failed("; ".join(load.broken))
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
