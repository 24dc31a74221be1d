"""Processor time of processes."""
import os
import pathlib

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """User and system time that a process has used, in all its threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK
