"""What a session may do to itself: KILL of the own connection and statement is answered with 1317 before the connection ends; COM_DEBUG asks for SUPER (as MySQL 9.7 does)."""
import pymysql
import pytest

COM_PROCESS_KILL, COM_DEBUG = 0x0C, 0x0D


def error(run):
    with pytest.raises(pymysql.MySQLError) as e:
        run()
    return e.value.args[0]


def asks(conn, command, body=b""):
    def run():
        conn._execute_command(command, body)
        conn._read_packet()
    return run


@pytest.mark.parametrize("statement", ["KILL CONNECTION_ID()", "KILL CONNECTION CONNECTION_ID()"])
def test_own_connection(server, statement):
    c = server.connect()
    assert error(lambda: c.cursor().execute(statement)) == 1317
    assert error(lambda: c.cursor().execute("SELECT 1")) in (2006, 2013)


def test_own_connection_by_command(server):
    c = server.connect()
    assert error(asks(c, COM_PROCESS_KILL, c.thread_id().to_bytes(4, "little"))) == 1317
    assert error(lambda: c.cursor().execute("SELECT 1")) in (2006, 2013)


def test_own_statement(server):
    with server.connect() as c, c.cursor() as cur:
        assert error(lambda: cur.execute("KILL QUERY CONNECTION_ID()")) == 1317
        assert cur.execute("SELECT 1") == 1


def test_debug(server):
    server.query("CREATE USER ks_none@localhost")
    with server.connect(user="ks_none") as c:
        assert error(asks(c, COM_DEBUG)) == 1227
    with server.connect() as c:
        asks(c, COM_DEBUG)()
    server.query("DROP USER ks_none@localhost")
