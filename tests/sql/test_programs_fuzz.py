"""Mutated stored programs for some seconds; programs_fuzz.py runs longer."""
import pathlib
import subprocess
import sys


def test_mutated_programs():
    script = pathlib.Path(__file__).with_name("programs_fuzz.py")
    done = subprocess.run([sys.executable, script, "--seconds", "12", "--workers", "2"], capture_output=True, text=True)
    print(done.stdout[-5000:])
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
