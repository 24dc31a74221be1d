#!/usr/bin/env python3
"""Rewrites the generated tables of docs/compat/variables.md: system variables that are fixed, or accepted without effect and why.

A variable counts as read when `Var::name` or the planner's `setting("name")` occurs in any Rust file other than the table itself. That is coarse: a variable
that is only read by SHOW counts as read. Run it after adding or wiring a variable; `--check` only tells whether the page is current
(tests/clients/test_documents.py does that).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "crates/catalog/src/sysvar/table.rs"
# says who may set a variable, not what it does
PRIVILEGED = TABLE.with_name("privileged.rs")
PAGE = ROOT / "docs/compat/variables.md"
BEGIN, END = "<!-- begin: docs/tools/sysvars.py -->", "<!-- end: docs/tools/sysvars.py -->"


def cell(text):
    return text.replace("|", "\\|")


def reason(doc):
    """Why a variable has no effect, as its line of help says it."""
    why = re.search(r"ithout effect:? ?([^.]*)", doc)[1].strip()
    return {"": "there is nothing here that they would size", "for MyISAM": "MyISAM only"}.get(why, why)


def main():
    rows = re.findall(r'^    (\w+) (?:Global|Both|Session) (\w+) \((?:.*?)\) "(.*?)" "(.*)";$', TABLE.read_text(), re.M)
    code = "".join(p.read_text() for p in (ROOT / "crates").rglob("*.rs") if p not in (TABLE, PRIVILEGED))
    read = set(re.findall(r"Var::(\w+)", code)) | set(re.findall(r'setting\("(\w+)"', code))
    without, reasons, fixed = [], {}, []
    for name, flags, default, doc in rows:
        if flags in ("FX", "FR"):
            fixed.append((name, default, doc))
        elif name not in read and flags not in ("C", "CO", "COD"):
            if "ithout effect" in doc:
                reasons.setdefault(reason(doc), []).append(name)
            else:
                without.append(name)
    out = [BEGIN, "", "## Fixed", "", f"{len(fixed)} variables accept only the value they have; another one is error 1235.", "",
           "| variable | value | meaning |", "|---|---|---|"]
    out += [f"| `{n}` | {f'`{d}`' if d else ''} | {cell(doc)} |" for n, d, doc in fixed]
    out += ["", "## Without effect", "", f"{sum(map(len, reasons.values()))} variables can be set and change nothing.", "", "| why | variables |", "|---|---|"]
    out += [f"| {cell(why)} | {', '.join(f'`{n}`' for n in names)} |" for why, names in sorted(reasons.items(), key=lambda r: (-len(r[1]), r[0]))]
    if without:
        out += ["", "## Not acted on yet", "", ", ".join(f"`{n}`" for n in without)]
    text = "\n".join([*out, "", END])
    page = PAGE.read_text()
    new = re.sub(re.escape(BEGIN) + ".*" + re.escape(END), lambda _: text, page, flags=re.S)
    if "--check" in sys.argv:
        sys.exit(0 if new == page else f"{PAGE.relative_to(ROOT)} is out of date: run docs/tools/sysvars.py")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
