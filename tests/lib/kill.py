"""KILL QUERY of a statement that runs."""
import threading
import time

import pymysql

from lib.wait import PATIENCE, runs


def kill_while_running(server, conn, statements, after):
    """Runs the statements on `conn` and sends KILL QUERY `after` seconds after the last of them shows in the process list. What they said (rows of the last one, or the
    number of the error; empty: nothing within PATIENCE) and how many seconds after the KILL."""
    said = []

    def run():
        try:
            with conn.cursor() as c:
                for sql in statements:
                    c.execute(sql)
                said.append(c.fetchall())
        except pymysql.err.MySQLError as e:
            said.append(e.args[0])
    t = threading.Thread(target=run)
    t.start()
    runs(server, conn, statements[-1], unless=lambda: said)
    time.sleep(after)
    server.query(f"KILL QUERY {conn.thread_id()}")
    began = time.time()
    t.join(PATIENCE)
    return said, time.time() - began
