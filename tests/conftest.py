"""Fixtures: `server` is one Evenkeel per test module, `mariadb` one real MariaDB per run."""
import sys
import pathlib

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from lib.servers import MariaDB, Server  # noqa: E402


def pytest_configure(config):
    # A test whose thread failed has failed, although it may not look at the thread.
    config.addinivalue_line("filterwarnings", "error::pytest.PytestUnhandledThreadExceptionWarning")


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    yield s
    assert s.alive(), f"the server died:\n{s.log_tail()}"
    code = s.stop()
    tail = s.log_tail()
    s.remove()
    assert code == 0, f"unclean shutdown ({code}):\n{tail}"


@pytest.fixture(scope="session")
def mariadb():
    s = MariaDB().start()
    yield s
    s.stop()
    s.remove()
