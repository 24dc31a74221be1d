"""information_schema.OPTIMIZER_TRACE: JSON in MySQL's shape of what was considered, only of the session's own statements, and nothing that the
account may not see."""
import json

import pymysql
import pytest

from lib.servers import Server


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT, k INT, KEY k (k))")
    s.query("CREATE TABLE d.c (a INT PRIMARY KEY, p INT, x VARCHAR(30), KEY p (p))")
    s.query("INSERT INTO d.t VALUES " + ",".join(f"({i},{i % 7},{i % 50})" for i in range(1, 301)))
    s.query("INSERT INTO d.c VALUES " + ",".join(f"({i},{i % 90},'h{i}')" for i in range(1, 301)))
    s.query("ANALYZE TABLE d.t, d.c")
    yield s
    s.remove()


def ask(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return c.fetchall()


def traced(conn, sql):
    """The trace's steps."""
    ask(conn, sql)
    [(query, trace, missing, insufficient)] = ask(conn, "SELECT * FROM information_schema.OPTIMIZER_TRACE")
    assert (query, missing, insufficient) == (sql, 0, 0)
    return json.loads(trace)["steps"]


def step(steps, name):
    found = [s[name] for s in steps if name in s]
    assert len(found) == 1, (name, [list(s) for s in steps])
    return found[0]


@pytest.fixture
def conn(server):
    with server.connect(database="d") as c:
        ask(c, "SET optimizer_trace = 'enabled=on'")
        yield c


def test_shape_of_a_join(conn):
    steps = traced(conn, "SELECT t.b FROM t JOIN c ON t.a = c.p WHERE t.k > 45 AND c.x LIKE 'h1%' ORDER BY t.b")
    assert [list(s)[0] for s in steps] == ["join_preparation", "join_optimization", "join_execution"]
    prepared = step(steps, "join_preparation")
    assert prepared["select#"] == 1
    assert prepared["steps"][0]["expanded_query"].startswith("/* select#1 */ select `t`.`b` AS `b` from `t` join `c` where "), prepared
    optimized = step(steps, "join_optimization")
    assert optimized["select#"] == 1
    names = [list(s)[0] for s in optimized["steps"]]
    assert names == ["condition_processing", "substitute_generated_columns", "table_dependencies", "ref_optimizer_key_uses", "rows_estimation",
                     "considered_execution_plans", "attaching_conditions_to_tables", "finalizing_table_conditions", "refine_plan"]
    conditions = step(optimized["steps"], "condition_processing")
    assert conditions["condition"] == "WHERE" and "(`t`.`k` > 45)" in conditions["original_condition"]
    assert [s["transformation"] for s in conditions["steps"]] == ["equality_propagation", "constant_propagation", "trivial_condition_removal"]
    assert step(optimized["steps"], "table_dependencies") == [
        {"table": "`t`", "row_may_be_null": False, "map_bit": 0, "depends_on_map_bits": []},
        {"table": "`c`", "row_may_be_null": False, "map_bit": 1, "depends_on_map_bits": []}]
    uses = step(optimized["steps"], "ref_optimizer_key_uses")
    assert {"table": "`t`", "field": "a", "equals": "`c`.`p`", "null_rejecting": True} in uses
    assert {"table": "`c`", "field": "p", "equals": "`t`.`a`", "null_rejecting": True} in uses
    t, c = step(optimized["steps"], "rows_estimation")
    assert t["table"] == "`t`" and c["table"] == "`c`" and c["table_scan"]["rows"] == 300
    analysis = t["range_analysis"]
    assert analysis["table_scan"]["rows"] == 300 and analysis["table_scan"]["cost"] > 0
    assert analysis["potential_range_indexes"] == [{"index": "PRIMARY", "usable": False, "cause": "not_applicable"},
                                                   {"index": "k", "usable": True, "key_parts": ["k", "a"]}]
    [alternative] = analysis["analyzing_range_alternatives"]["range_scan_alternatives"]
    assert alternative["index"] == "k" and alternative["ranges"] == ["45 < k"] and alternative["cost"] > 0 and 20 <= alternative["rows"] <= 28
    plans = step(optimized["steps"], "considered_execution_plans")
    assert {p["table"] for p in plans} == {"`t`", "`c`"} and all(p["plan_prefix"] == [] for p in plans)
    for p in plans:
        [inner] = p["rest_of_plan"]
        assert inner["plan_prefix"] == [p["table"]] and inner["table"] != p["table"]
        assert inner["cost_for_plan"] >= p["cost_for_plan"] and p["rows_for_plan"] > 0
        assert p["best_access_path"]["considered_access_paths"] and inner["best_access_path"]["considered_access_paths"]
        for path in p["best_access_path"]["considered_access_paths"]:
            assert path["access_type"] in ("ref", "eq_ref", "range", "scan", "index_scan") and path["cost"] >= 0 and isinstance(path["chosen"], bool)
    assert any(p["rest_of_plan"][0].get("chosen") for p in plans)
    attached = step(optimized["steps"], "attaching_conditions_to_tables")["attached_conditions_summary"]
    assert {a["table"] for a in attached} == {"`t`", "`c`"}
    order = [r["table"].strip("`") for r in step(optimized["steps"], "refine_plan")]
    plan = ask(conn, "EXPLAIN SELECT t.b FROM t JOIN c ON t.a = c.p WHERE t.k > 45 AND c.x LIKE 'h1%' ORDER BY t.b")
    assert order == [r[2] for r in plan], "the plan that runs"


def test_single_tables(conn):
    rows = lambda sql: step(step(traced(conn, sql), "join_optimization")["steps"], "rows_estimation")
    assert rows("SELECT b FROM t WHERE a = 7") == [{"table": "`t`", "rows": 1, "cost": rows("SELECT b FROM t WHERE a = 7")[0]["cost"], "table_type": "const", "empty": False}]
    [t] = rows("SELECT b FROM t WHERE k IN (3, 5)")
    assert t["range_analysis"]["chosen_range_access_summary"]["range_access_plan"]["ranges"] == ["k = 3", "k = 5"]
    assert list(rows("SELECT b FROM t WHERE b = 3")[0]) == ["table", "table_scan"]
    # a plan from the cache tells nothing: it is made anew while the session is traced
    first, second = (traced(conn, "SELECT k FROM t WHERE k = 9") for _ in range(2))
    assert first == second


def test_blocks_changes_and_outer_joins(conn):
    steps = traced(conn, "SELECT (SELECT MAX(a) FROM c WHERE c.p = t.a) FROM t WHERE b = 3")
    own = [s["join_optimization"]["select#"] for s in steps if "join_optimization" in s]
    assert sorted(own) == [1, 2]
    prepared = step(steps, "join_preparation")["steps"]
    assert [p["join_preparation"]["select#"] for p in prepared if "join_preparation" in p] == [2]
    assert prepared[0]["join_preparation"]["steps"][0]["expanded_query"].startswith("/* select#2 */ select max(")
    steps = traced(conn, "SELECT t.a FROM t LEFT JOIN c ON c.p = t.a WHERE t.k < 2")
    dependencies = step(step(steps, "join_optimization")["steps"], "table_dependencies")
    assert [(d["row_may_be_null"], d["depends_on_map_bits"]) for d in dependencies] == [(False, []), (True, [0])]
    steps = traced(conn, "UPDATE t SET b = b WHERE k = 5")
    assert list(steps[0]) == ["update_preparation"] and "range_analysis" in json.dumps(steps)
    steps = traced(conn, "DELETE FROM t WHERE k = 4711")
    assert list(steps[0]) == ["delete_preparation"]
    assert "join_execution" not in [list(s)[0] for s in traced(conn, "EXPLAIN SELECT * FROM t WHERE k = 1")]
    with pytest.raises(pymysql.MySQLError):
        ask(conn, "SELECT no_such FROM t")
    assert json.loads(ask(conn, "SELECT trace FROM information_schema.OPTIMIZER_TRACE")[0][0]) == {"steps": []}


def test_results_do_not_change(server):
    queries = ["SELECT COUNT(*), SUM(b) FROM t WHERE k BETWEEN 3 AND 9", "SELECT t.a, c.x FROM t JOIN c ON c.p = t.k WHERE t.b = 2 ORDER BY 1, 2",
               "SELECT k, COUNT(*) FROM t GROUP BY k HAVING COUNT(*) > 5 ORDER BY 1", "SELECT a FROM t WHERE a IN (SELECT p FROM c WHERE x LIKE 'h2%') ORDER BY a",
               "SELECT '7' + a, CONCAT(k, 'x') FROM t WHERE a < 4"]
    with server.connect(database="d") as plain, server.connect(database="d") as c:
        ask(c, "SET optimizer_trace = 'enabled=on'")
        for q in queries:
            assert ask(c, q) == ask(plain, q)
            assert ask(plain, "SELECT * FROM information_schema.OPTIMIZER_TRACE") == ()


def test_window_memory_and_features(conn):
    kept = lambda: [r[0] for r in ask(conn, "SELECT QUERY FROM information_schema.OPTIMIZER_TRACE")]
    for n in range(3):
        ask(conn, f"SELECT {n} FROM t WHERE a = 1")
    assert kept() == ["SELECT 2 FROM t WHERE a = 1"]
    ask(conn, "SET optimizer_trace_offset = -3, optimizer_trace_limit = 2")
    assert kept() == []
    for n in range(4):
        ask(conn, f"SELECT {n} FROM t WHERE a = 1")
    assert kept() == ["SELECT 1 FROM t WHERE a = 1", "SELECT 2 FROM t WHERE a = 1"]
    ask(conn, "SET optimizer_trace_offset = 1, optimizer_trace_limit = 5")
    for n in range(3):
        ask(conn, f"SELECT {n} FROM t WHERE a = 1")
    assert kept() == ["SELECT 1 FROM t WHERE a = 1", "SELECT 2 FROM t WHERE a = 1"]
    ask(conn, "SET optimizer_trace_offset = DEFAULT, optimizer_trace_limit = DEFAULT, optimizer_trace_max_mem_size = 100")
    sql = "SELECT b FROM t WHERE k = 3"
    ask(conn, sql)
    [(query, trace, missing, _)] = ask(conn, "SELECT * FROM information_schema.OPTIMIZER_TRACE")
    assert query == sql and len(sql) + len(trace) == 100 and missing > 500
    ask(conn, "SET optimizer_trace_max_mem_size = DEFAULT, optimizer_trace = 'enabled=on,one_line=on', optimizer_trace_features = 'greedy_search=off,range_optimizer=off'")
    ask(conn, sql)
    [(trace,)] = ask(conn, "SELECT TRACE FROM information_schema.OPTIMIZER_TRACE")
    assert "\n" not in trace
    steps = step(json.loads(trace)["steps"], "join_optimization")["steps"]
    assert step(steps, "considered_execution_plans") == "..." and step(steps, "rows_estimation")[0]["range_analysis"] == "..."
    ask(conn, "SET optimizer_trace = 'enabled=off'")
    ask(conn, "SELECT 'untraced' FROM t")
    assert kept() == [sql]


def test_privileges(server):
    for sql in ["CREATE OR REPLACE DEFINER = root@localhost SQL SECURITY DEFINER VIEW d.v AS SELECT a, k FROM d.t WHERE k < 40", "DROP USER IF EXISTS u", "CREATE USER u",
                "GRANT SELECT ON d.c TO u", "GRANT SELECT ON d.v TO u", "GRANT SELECT (a) ON d.t TO u", "GRANT UPDATE ON d.t TO u"]:
        server.query(sql)
    with server.connect(user="u", database="d") as c:
        ask(c, "SET optimizer_trace = 'enabled=on'")

        def seen(sql):
            try:
                ask(c, sql)
            except pymysql.MySQLError:
                pass
            [(query, trace, missing, insufficient)] = ask(c, "SELECT * FROM information_schema.OPTIMIZER_TRACE")
            assert query == sql
            return trace, insufficient
        trace, insufficient = seen("SELECT x FROM c WHERE p = 1")
        assert json.loads(trace)["steps"] and insufficient == 0
        # what is behind a definer's view, a table of which it may read one column, one that it may only change, and one of which it may do nothing
        assert seen("SELECT a FROM v WHERE k = 3") == ("", 1)
        assert seen("SELECT a FROM t") == ("", 1)
        assert seen("UPDATE t SET b = 1 WHERE a = 0") == ("", 1)
        server.query("CREATE TABLE IF NOT EXISTS d.closed (a INT PRIMARY KEY, secret INT)")
        assert "secret" not in seen("SELECT a FROM c WHERE a IN (SELECT a FROM closed)")[0]
        assert "closed" not in seen("SELECT nothing FROM closed")[0]
        server.query("GRANT SHOW VIEW ON d.v TO u")
        assert seen("SELECT a FROM v WHERE k = 3") == ("", 1)
        server.query("GRANT SELECT ON d.t TO u")
        trace, insufficient = seen("SELECT a FROM v WHERE k = 3")
        assert insufficient == 0 and "(`t`.`k` < 40)" in trace
    # nobody else's
    with server.connect() as other:
        assert ask(other, "SELECT * FROM information_schema.OPTIMIZER_TRACE") == ()
