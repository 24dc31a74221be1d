"""The rooms of the house: one direction of dependencies between crates, file sizes, where `unsafe` may stand, module prose; programs that can be run."""
import os, re

# a crate may use only crates before it in this list
ORDER = ["base", "sys", "probe", "latch", "sched", "value", "storage", "binlog", "backup", "mdl", "parser", "catalog", "planner", "executor",
         "program", "views", "session", "wire", "replica", "dashboard", "lab", "server"]
# wire knows no SQL, the parser knows no storage, and so on: sharper than the order alone
FORBIDDEN = {"wire": {"storage", "mdl", "parser", "planner", "executor", "views", "session"},
             "dashboard": {"storage", "mdl", "parser", "planner", "executor", "views", "session"},
             "lab": {c for c in ORDER if c not in ("base", "sys", "lab")},
             "parser": {"storage", "mdl", "sched"}, "value": {"sys", "probe", "latch", "sched"}}
UNSAFE_OK = re.compile(r"^crates/(sys|latch)/src/|^crates/storage/src/(page|buffer)/|^crates/storage/src/(redo/buffer|mtr)\.rs$")
# the session gets definitions by name from `Env`, which wants the gate's proof (executor/src/gate/by_name.rs), never from the dictionary
BY_NAME = re.compile(r"\b(?!env\b|0\b)\w+(?:\(\))?\s*\.\s*(?:relation|relations|relations_where|open_table|program|programs)\(|TableCursor::")
MAX_LINES = 1000


def internal_deps(manifest):
    section, out = "", set()
    for line in manifest.read_text().splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line
        elif section in ("[dependencies]", "[build-dependencies]") and (m := re.match(r"([a-z0-9_-]+)\s*[.=]", line)):
            if m.group(1) in ORDER:
                out.add(m.group(1))
    return out


def directions(root):
    breaches = []
    crates = sorted(p.name for p in (root / "crates").iterdir() if p.is_dir())
    if set(crates) != set(ORDER):
        breaches.append(f"crates/: the list of rooms differs from ORDER: {set(crates) ^ set(ORDER)}")
    for crate in crates:
        for dep in internal_deps(root / "crates" / crate / "Cargo.toml"):
            if ORDER.index(dep) >= ORDER.index(crate):
                breaches.append(f"crates/{crate}/Cargo.toml: depends on {dep}, which comes later in the house")
            if dep in FORBIDDEN.get(crate, ()):
                breaches.append(f"crates/{crate}/Cargo.toml: must not know {dep}")
    return breaches


def files(root):
    breaches = []
    for path in sorted((root / "crates").rglob("*.rs")):
        rel = path.relative_to(root).as_posix()
        text = path.read_text()
        lines = text.count("\n")
        if lines > MAX_LINES and "LONG FILE:" not in text[:2000]:
            breaches.append(f"{rel}: {lines} lines; split it, or say why at its top with 'LONG FILE:'")
        if re.search(r"\bunsafe\s*(\{|fn|impl)", text) and "/tests" not in rel and not UNSAFE_OK.match(rel):
            breaches.append(f"{rel}: unsafe outside sys, latch and storage's page and frame code")
        if rel.startswith("crates/session/src/") and BY_NAME.search(text):
            breaches.append(f"{rel}: opens or describes a table by name beside the gate")
        if "/src/" in rel and not rel.endswith("tests.rs") and "/tests/" not in rel and not text.lstrip().startswith(("//!", "#![", "// @generated")):
            breaches.append(f"{rel}: does not open with module prose")
    return breaches


def programs(root):
    """Who names a script as a command (a document, the Makefile) can call it: what begins with `#!` is executable."""
    breaches = []
    for folder in ("scripts", "docs", "tests", "packaging", "crates"):
        for path in sorted(p for ending in ("*.py", "*.sh") for p in (root / folder).rglob(ending)):
            with path.open("rb") as f:
                starts = f.read(2) == b"#!"
            if starts and not os.access(path, os.X_OK):
                breaches.append(f"{path.relative_to(root)}: begins with #! and cannot be run (chmod +x)")
    makefile = root / "Makefile"
    for m in re.finditer(r"^\t@?((?:scripts|docs|tests|packaging)/[\w./-]+)", makefile.read_text() if makefile.exists() else "", re.M):
        if not os.access(root / m.group(1), os.X_OK):
            breaches.append(f"Makefile: calls {m.group(1)}, which cannot be run")
    return breaches


def check(root):
    return directions(root) + files(root) + programs(root)
