"""What goes on while a test does something else."""
import contextlib
import itertools
import threading
import time


@contextlib.contextmanager
def writing(server, statement):
    """Runs `statement(0)`, `statement(1)`, ... on a connection to schema `d` until the block ends; the block begins when that has begun."""
    stop = threading.Event()

    def write():
        with server.connect(database="d") as c, c.cursor() as cur:
            for i in itertools.count():
                if stop.is_set():
                    return
                cur.execute(statement(i))

    t = threading.Thread(target=write)
    t.start()
    try:
        time.sleep(0.05)
        yield
    finally:
        stop.set()
        t.join()
