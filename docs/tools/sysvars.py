#!/usr/bin/env python3
"""Rewrites the generated tables of docs/compat/variables.md: system variables that are fixed, or accepted without effect and why.

A variable counts as read when `Var::name` or the planner's `setting("name")` occurs in any Rust file other than the table itself. That is coarse: a variable
that is only read by SHOW counts as read. Run it after adding or wiring a variable; `--check` only tells whether the page is current
(tests/clients/test_documents.py does that).
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "crates/catalog/src/sysvar/table.rs"
# says who may set a variable, not what it does
PRIVILEGED = TABLE.with_name("privileged.rs")
# what only has a default that follows from others is not read for that
COMPUTED = ROOT / "crates/server/src/computed.rs"
PAGE = ROOT / "docs/compat/variables.md"
BEGIN, END = "<!-- begin: docs/tools/sysvars.py -->", "<!-- end: docs/tools/sysvars.py -->"
# so many variables of one reason are a list of their own, fewer a row of a table
MANY = 6


def cell(text):
    return text.replace("|", "\\|")


def wrapped(names):
    return textwrap.wrap(", ".join(f"`{n}`" for n in names), 118, break_long_words=False, break_on_hyphens=False)


def reason(doc):
    """Why a variable has no effect, as its line of help says it."""
    why = re.search(r"ithout effect:? ?([^.]*)", doc)[1].strip()
    return {"": "there is nothing here that they would size", "for MyISAM": "MyISAM only"}.get(why, why)


def main():
    rows = re.findall(r'^    (\w+) (?:Global|Both|Session) (\w+) \((?:.*?)\) "(.*?)" "(.*)";$', TABLE.read_text(), re.M)
    code = "".join(p.read_text() for p in (ROOT / "crates").rglob("*.rs") if p not in (TABLE, PRIVILEGED, COMPUTED))
    read = set(re.findall(r"Var::(\w+)", code)) | set(re.findall(r'setting\("(\w+)"', code))
    without, reasons, fixed, older = [], {}, [], []
    for name, flags, default, doc in rows:
        if doc.startswith("Older name of "):
            older.append(f"`{name}` (`{doc.split()[-1]}`)")
        elif flags in ("FX", "FR"):
            fixed.append((name, default, doc))
        elif name not in read and flags not in ("C", "CO", "COD"):
            if "ithout effect" in doc:
                reasons.setdefault(reason(doc), []).append(name)
            else:
                without.append(name)
    out = [BEGIN, "", "## Fixed", "", f"{len(fixed)} variables accept only the value they have; another one is error 1235.", "",
           "| variable | value | meaning |", "|---|---|---|"]
    out += [f"| `{n}` | {f'`{d}`' if d else ''} | {cell(doc)} |" for n, d, doc in fixed]
    out += ["", "## Without effect", "", f"{sum(map(len, reasons.values()))} variables can be set and change nothing. First those that share a reason, then the others."]
    for why, names in sorted(reasons.items(), key=lambda r: (-len(r[1]), r[0])):
        if len(names) >= MANY:
            out += ["", f"### {why[0].upper()}{why[1:]}", "", *wrapped(names)]
    out += ["", "### Others", "", "| variables | why |", "|---|---|"]
    few = ((names, why) for why, names in reasons.items() if len(names) < MANY)
    out += [f"| {', '.join(f'`{n}`' for n in names)} | {cell(why)} |" for names, why in sorted(few)]
    out += ["", "## Older names", "", *textwrap.wrap(f"{len(older)} variables have an older name, too. Either sets and shows the same; the older one warns (1287).",
                                                     118),
            "", *textwrap.wrap(", ".join(older), 118, break_long_words=False, break_on_hyphens=False)]
    if without:
        out += ["", "## Not acted on yet", "", *wrapped(without)]
    text = "\n".join([*out, "", END])
    page = PAGE.read_text()
    new = re.sub(re.escape(BEGIN) + ".*" + re.escape(END), lambda _: text, page, flags=re.S)
    if "--check" in sys.argv:
        sys.exit(0 if new == page else f"{PAGE.relative_to(ROOT)} is out of date: run docs/tools/sysvars.py")
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
