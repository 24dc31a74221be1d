#!/usr/bin/env python3
"""Rewrites the generated lists of docs/compat.md: system variables that are accepted but that no code reads.

A variable counts as read when `Var::name` or the planner's `setting("name")` occurs in any Rust file other than the table itself. That is coarse: a variable that is only
read by SHOW counts as read. Run it after adding or wiring a variable; `--check` only tells whether the page is up to date.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "crates/catalog/src/sysvar/table.rs"
# says who may set a variable, not what it does
PRIVILEGED = TABLE.with_name("privileged.rs")
PAGE = ROOT / "docs/compat.md"
BEGIN, END = "<!-- begin: docs/tools/sysvars.py -->", "<!-- end: docs/tools/sysvars.py -->"


def main():
    rows = re.findall(r'^    (\w+) (?:Global|Both|Session) (\w+) \((?:.*?)\) "(?:.*?)" "(.*)";$', TABLE.read_text(), re.M)
    code = "".join(p.read_text() for p in (ROOT / "crates").rglob("*.rs") if p not in (TABLE, PRIVILEGED))
    read = set(re.findall(r"Var::(\w+)", code)) | set(re.findall(r'setting\("(\w+)"', code))
    without, documented, fixed = [], [], []
    for name, flags, doc in rows:
        if flags in ("FX", "FR"):
            fixed.append(name)
        elif name not in read and flags not in ("C", "CO", "COD"):
            (documented if "ithout effect" in doc else without).append(name)

    def block(title, names):
        return f"**{title}** ({len(names)})\n\n" + textwrap.fill(", ".join(f"`{n}`" for n in names), 150, break_long_words=False)

    text = "\n\n".join([
        BEGIN,
        block("Accepted, not acted on yet", without),
        block("Accepted, without effect by design (their text in `--help` says so)", documented),
        block("Fixed: only the present value is accepted, anything else answers 1235", fixed),
        END])
    page = PAGE.read_text()
    new = re.sub(re.escape(BEGIN) + ".*" + re.escape(END), lambda _: text, page, flags=re.S)
    if "--check" in sys.argv:
        sys.exit(0 if new == page else "docs/compat.md is out of date: run docs/tools/sysvars.py")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
