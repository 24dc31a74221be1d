"""The whole access matrix on Evenkeel beside MySQL's recorded answers (matrix.py tells how it works and how to look at a difference)."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import matrix  # noqa: E402
from accounts import ACCOUNTS  # noqa: E402
from lib.servers import Server  # noqa: E402


@pytest.fixture(scope="module")
def ours():
    matrix.data_file()
    return matrix.answers(Server, matrix.supported())


def test_nothing_is_granted_that_mysql_does_not_grant(ours):
    unexplained, stale = matrix.judge(ours, matrix.recorded())
    assert not unexplained, matrix.text_of(unexplained)
    assert not stale, f"differences.txt names what does not differ: {stale}"


def test_size(ours):
    """What the issue asks for: 800 statements that are supported, 40 accounts."""
    assert len(ours) >= 800 and len(ACCOUNTS) >= 40
    assert sum(map(len, ours.values())) > 0.9 * len(ours) * len(ACCOUNTS)


def test_rows_come_only_with_a_right(ours):
    """No outcome of an account without any grant has something out of the tables, whatever MySQL's record says."""
    assert [s for s, by in ours.items() if "canary" in by.get("nobody", "") or by.get("nobody", "").endswith("!")] == []


def test_what_is_not_supported_is_still_refused():
    """What does not count because it answers 1235 must leave unsupported.txt, and be recorded, when it is built."""
    got = matrix.answers(Server, matrix.unsupported(), asking=["root", "nobody"])
    matrix.ASKING[:] = ACCOUNTS
    assert [s for s, by in got.items() if not any("E1235" in o for o in by.values())] == []
