"""Several statements in one COM_QUERY, as Vitess' replication sends them: each is read for itself. Hints of one are not another's, others see the one
that runs, and what is read for one statement does not grow with those that follow."""
import pytest
from pymysql.constants import CLIENT

from lib.wait import Work

DEFAULT = 262144


@pytest.fixture()
def several(server):
    """Runs a text of several statements: the rows of each."""
    connection = server.connect(client_flag=CLIENT.MULTI_STATEMENTS, max_allowed_packet=64 << 20)

    def run(sql):
        with connection.cursor() as cur:
            cur.execute(sql)
            answers = [cur.fetchall()]
            while cur.nextset():
                answers.append(cur.fetchall())
        return answers
    yield run
    connection.close()


SIZE = "SELECT {}@@sort_buffer_size"
SET = "/*+ SET_VAR(sort_buffer_size = {}) */ "


@pytest.mark.parametrize("hints", [(400384, None), (None, 400384), (400384, 500736), (400384, None, 500736, None), (None, None, 400384)])
def test_hints_are_of_one_statement(several, server, hints):
    # each text twice: plans are kept
    sql = "; ".join(SIZE.format(SET.format(h) if h else "") + f" /* {n} */ AS a{n}" for n, h in enumerate(hints))
    for _ in range(2):
        assert several(sql) == [((h or DEFAULT,),) for h in hints]
    # nor are they anybody's who sends the statement alone
    for n, h in enumerate(hints):
        assert server.query(SIZE.format("") + f" /* {n} */ AS a{n}") == ((DEFAULT,),)


def test_hints_of_changes(several, server):
    server.query("CREATE DATABASE several")
    server.query("CREATE TABLE several.t (n INT, a BIGINT)")
    several("INSERT INTO several.t VALUES (1, @@sort_buffer_size); INSERT /*+ SET_VAR(sort_buffer_size = 400384) */ INTO several.t VALUES (2, @@sort_buffer_size);"
            "SELECT 1; UPDATE /*+ SET_VAR(sort_buffer_size = 500736) */ several.t SET a = a + @@sort_buffer_size WHERE n = 1; DO 1")
    assert server.query("SELECT * FROM several.t ORDER BY n") == ((1, DEFAULT + 500736), (2, 400384))


def test_names_of_blocks(several):
    assert several("SELECT 1; SELECT /*+ NO_MERGE(x) */ 2; SHOW WARNINGS")[2][0][1:] == (3128, "Unresolved name `x`@`select#1` for NO_MERGE hint")
    assert several("SELECT /*+ NO_MERGE(x) */ 3; SELECT 4; SHOW WARNINGS")[2] == ()


def test_others_see_the_one_that_runs(several):
    texts = [f"SELECT {n} AS a{n}, info FROM information_schema.processlist WHERE id = CONNECTION_ID()" for n in range(3)]
    assert several("; ".join(texts)) == [((n, t),) for n, t in enumerate(texts)]


def test_work_is_linear(several, server):
    """No plan is found for these: each names its column otherwise. They took 10 ms each when the hints of all were looked for each time."""
    work = Work(server)

    def of(count):
        sql = ";".join(f"SELECT {n} AS a{n}, '{'x' * 1000}' AS b" for n in range(count))
        answers, used = work.of(lambda: several(sql))
        assert len(answers) == count
        return used
    assert of(4000) < 8 * max(of(1000), 1)
