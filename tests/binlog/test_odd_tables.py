"""A few rounds of `odd_tables_random.py`: what its docstring says."""
from binlog import odd_tables_random


def test_restored_along_the_log():
    for seed in (1, 2):
        wrong, done = odd_tables_random.one(seed, 300)
        assert not wrong, wrong
        # most of what it makes up is done
        assert done > 200, done
