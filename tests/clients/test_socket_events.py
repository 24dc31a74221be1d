"""Sockets: instances of listeners and clients, and what was read and written while their instruments are on."""
import pytest

from lib.servers import Server

PS = "performance_schema."
CLIENT = "wait/io/socket/sql/client_connection"


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    yield s
    s.remove()


def all_of(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def test_instances(server):
    with server.connect() as local, server.connect(unix_socket=None, host="127.0.0.1", port=server.port) as tcp:
        rows = all_of(tcp, f"SELECT event_name, thread_id, socket_id, ip, port, state FROM {PS}socket_instances")
        me, other = (all_of(c, "SELECT PS_CURRENT_THREAD_ID()")[0][0] for c in (tcp, local))
    by_thread = {r[1]: r for r in rows}
    assert by_thread[me][0] == CLIENT and by_thread[me][3:] == ("127.0.0.1", tcp._sock_port if hasattr(tcp, "_sock_port") else by_thread[me][4], "ACTIVE") and by_thread[me][4] > 0
    assert by_thread[other][0] == CLIENT and by_thread[other][3:] == ("", 0, "IDLE")
    listeners = {r[0]: r for r in rows if r[0] != CLIENT}
    assert listeners["wait/io/socket/sql/server_tcpip_socket"][4] == server.port
    assert listeners["wait/io/socket/sql/server_unix_socket"][3:5] == ("", 0)
    assert len({r[2] for r in rows}) == len(rows), "each has its descriptor"
    with server.connect() as c:
        assert me not in {r[0] for r in all_of(c, f"SELECT thread_id FROM {PS}socket_instances WHERE thread_id IS NOT NULL")}


def test_reads_and_writes_while_it_is_on(server):
    with server.connect() as c, server.connect() as other:
        sums = lambda: all_of(other, f"SELECT count_read, count_write, sum_number_of_bytes_read, sum_number_of_bytes_write FROM {PS}socket_summary_by_instance JOIN {PS}socket_instances USING (object_instance_begin) WHERE thread_id = {c.thread_id()}")[0]
        all_of(c, "SELECT 1")
        assert sums() == (0, 0, 0, 0), "off unless asked for"
        all_of(other, f"UPDATE {PS}setup_instruments SET ENABLED = 'YES' WHERE NAME = '{CLIENT}'")
        all_of(c, "SELECT 1")
        before = sums()
        sent = "SELECT REPEAT('x', 50000)"
        all_of(c, sent)
        after = sums()
        reads, writes, read, written = (b - a for a, b in zip(before, after))
        assert reads >= 1 and writes >= 1 and read == len(sent) + 5 and 50_000 < written < 50_200
        assert all_of(other, f"SELECT count_read >= {after[0]}, sum_number_of_bytes_write >= {after[3]} FROM {PS}socket_summary_by_event_name WHERE event_name = '{CLIENT}'") == [(1, 1)]
        all_of(other, f"TRUNCATE {PS}socket_summary_by_instance")
        all_of(other, f"UPDATE {PS}setup_instruments SET ENABLED = 'NO' WHERE NAME = '{CLIENT}'")
        all_of(other, f"TRUNCATE {PS}socket_summary_by_instance")
        assert sums() == (0, 0, 0, 0)
