"""A short slice of the differential tester (differential.py) with fixed seeds; the long runs are by hand."""
import os

import pytest
from differential import Tester


@pytest.mark.skipif(not os.path.exists("/usr/sbin/mariadbd"), reason="MariaDB is not installed: nothing to compare with")
def test_fixed_seeds(server, mariadb, capsys):
    t = Tester(server, mariadb, None)
    for seed in range(1, 9):
        t.seed(seed, 120)
        assert server.alive(), server.log_tail()
    printed = capsys.readouterr().out
    assert t.counts["statements"] > 500
    assert not t.counts["differences"], printed
