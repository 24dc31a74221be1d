"""Answers that do not depend on the plan, nor on the memory there is: plan_random.py, semijoin_random.py, derived_random.py and spill_random.py for some seconds each; the same with a plan that
an earlier statement left (reuse_random.py, prepared_random.py); and what tables compute of their rows (computed_random.py) and what changes of several tables leave (changes_random.py)."""
import subprocess
import sys

import pytest

from lib.servers import ROOT


@pytest.mark.parametrize("script, statements", [("plan_random.py", 120), ("semijoin_random.py", 60), ("derived_random.py", 300), ("spill_random.py", 40), ("reuse_random.py", 2500), ("prepared_random.py", 300)])
def test_random(script, statements):
    r = subprocess.run([sys.executable, ROOT / "tests/sql" / script, f"--statements={statements}", "--seed=11"], capture_output=True, text=True, timeout=1800)
    assert r.returncode == 0, r.stdout[-4000:] + r.stderr[-4000:]


def test_computed_columns():
    r = subprocess.run([sys.executable, ROOT / "tests/sql/computed_random.py", "--tables=150", "--seed=11"], capture_output=True, text=True, timeout=1800)
    assert r.returncode == 0, r.stdout[-4000:] + r.stderr[-4000:]


def test_changes_of_several_tables():
    r = subprocess.run([sys.executable, ROOT / "tests/sql/changes_random.py", "--families=60", "--seed=11"], capture_output=True, text=True, timeout=1800)
    assert r.returncode == 0, r.stdout[-4000:] + r.stderr[-4000:]
