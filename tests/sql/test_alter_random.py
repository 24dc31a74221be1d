"""Random ALTER TABLE between random changes, beside MariaDB, with the server killed now and then: see alter_random.py for more of them."""
import pytest

import alter_random


@pytest.mark.parametrize("seed", [1, 2])
def test_random_alters(seed):
    assert alter_random.run(seed) == 0
