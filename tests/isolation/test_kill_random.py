"""Whatever is killed has been done whole or not at all, and leaves nothing behind (kill_random.py)."""
import pytest

from isolation.kill_random import run


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_statements(server, seed):
    wrong, done, killed = run(server, seed, seconds=6, least=(300, 30))
    assert not wrong, "\n".join(map(str, wrong[:10]))
    assert done > 300 and killed > 30, (done, killed)
