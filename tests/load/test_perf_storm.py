"""The short form of perf_storm.py."""
from load.perf_storm import storm


def test_performance_schema_is_read_emptied_and_switched_under_load():
    assert storm(4) > 100
