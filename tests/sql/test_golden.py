"""The golden files (see golden.py) against Evenkeel, and against MariaDB where it is installed."""
import os

import golden
import pytest

TOPICS = golden.topics()


@pytest.mark.parametrize("path", TOPICS, ids=[p.stem for p in TOPICS])
def test_golden(server, path):
    difference = golden.check(path, golden.Run(server, golden.parse(path)).answers())
    assert not difference, difference


@pytest.mark.skipif(not os.path.exists("/usr/sbin/mariadbd"), reason="MariaDB is not installed")
@pytest.mark.parametrize("path", TOPICS, ids=[p.stem for p in TOPICS])
def test_peer(server, mariadb, path):
    steps = golden.parse(path)
    problems = golden.compare(path.stem, golden.Run(server, steps).answers(), golden.Run(mariadb, steps).answers())
    assert not problems, "\n".join(problems)
