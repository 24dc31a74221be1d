"""What statements write that all sessions write too, counted: a server that grows beyond a few processors stops at such cache lines. Figures and what follows: docs/scaling.md."""
import pathlib
import shutil
import sys

import pytest
from lib.servers import binary

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import shared_lines  # noqa: E402

# Changes a statement of what all sessions use, by kind of line; a background thread's now and then are not a statement's.
RARE = 0.4
# A point select reads its leaf page without a latch. Of a change: the page and the log as it demands them; an entry in the list of transactions.
LIMITS = {
    "point_select:auto": {"page": RARE, "table": RARE, "mdl_names": RARE, "log": RARE, "trx_sys": RARE, "undo_slots": RARE, "row_lock": RARE, "allocator": RARE},
    "update_non_index:auto": {"page": 16, "log": 18, "trx_sys": 13, "undo_slots": 5, "row_lock": 6, "table": 3, "table_lock": 2, "mdl_names": RARE, "allocator": 2},
}
# what background threads do, as fast as the machine lets them
BACKGROUND = {"own", "background", "files", "purge", "pool", "gauges"}


@pytest.fixture(scope="module")
def found():
    if not all(shutil.which(tool) for tool in ("valgrind", "objdump", "addr2line", "sysbench")):
        pytest.skip("valgrind, binutils or sysbench is missing: scripts/deps.sh all")
    out = shared_lines.count(pathlib.Path(binary()).resolve(), list(LIMITS), 300)
    stacks = [stack for places in out.values() for _, _, stack in places]
    if sum("crates/" in " ".join(stack) for stack in stacks) < len(stacks) / 2:
        pytest.skip("this binary does not say where its code comes from: a dev build")
    return out


@pytest.mark.parametrize("workload", LIMITS)
def test_statements_write_little_that_is_shared(found, workload):
    sums = shared_lines.by_kind(found[workload])
    limits = LIMITS[workload]
    unknown = [f"{n:.2f} {' <- '.join(stack[:3])}" for n, what, stack in found[workload] if what is None and n >= RARE]
    assert not unknown, "not in scripts/shared_lines.txt:\n" + "\n".join(unknown)
    assert sums.keys() <= limits.keys() | BACKGROUND | {"?"}
    over = {what: (sums[what], most) for what, most in limits.items() if sums[what] > most}
    places = "\n".join(f"{n:.2f} {what} {' <- '.join(stack[:3])}" for n, what, stack in found[workload] if what in over)
    assert not over, f"{over}\n{places}"
