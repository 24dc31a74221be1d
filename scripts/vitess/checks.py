"""What the cases of scripts/vitess.sh share: their list, comparing rows, waiting for workflows."""
import json
import time

from cluster import Failed, until

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
    load.check()
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
