"""A short slice of the differential tester (differential/) with a fixed seed; the long runs are by hand (CONTRIBUTING)."""
import io
import os

import pytest
from differential.context import Context
from differential_random import run


@pytest.mark.skipif(not os.path.exists("/usr/sbin/mariadbd"), reason="MariaDB is not installed: nothing to compare with")
def test_fixed_seed(server, mariadb):
    out = io.StringIO()
    ctx = Context(server, mariadb, out=out)
    run(ctx, 1, 2000, seconds=900, slice=200)  # so many, however long a slow machine takes
    assert server.alive(), server.log_tail()
    assert ctx.counts["statements"] > 500
    assert not ctx.counts["differences"], out.getvalue()
    assert "panicked" not in server.log_tail(10**7)
