"""The house check itself: a small tree that is in order, then one breach of each kind, each of which must be found (scripts/check_house.py)."""
import pathlib
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
from house import arrows, methods, prose, ratchets, rooms, rust  # noqa: E402

LIB = "//! A room.\n\npub mod low;\npub mod left;\npub mod right;\npub mod high;\npub use high::Roof;\n"
LAYERS = "# comment\nroom: low < left, right\n    < high\n"


@pytest.fixture
def tree(tmp_path):
    def put(path, text):
        path = tmp_path / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        for f in (rust.code, rust.living, rust.sources):
            f.cache_clear()
    put("scripts/layers.txt", LAYERS)
    put("scripts/ratchets.txt", "[room]\n")
    put("crates/room/Cargo.toml", "[dependencies]\n")
    put("crates/room/src/lib.rs", LIB)
    for m in ("low", "left", "right"):
        put(f"crates/room/src/{m}.rs", "//! Prose.\n")
    put("crates/room/src/high/mod.rs", "//! Prose.\nuse crate::{left::A, low};\nmod part;\npub struct Roof;\n")
    put("crates/room/src/high/part.rs", "//! Prose.\nuse super::Roof;\nuse crate::right;\n")
    put.root = tmp_path
    return put


def test_a_tree_in_order_has_no_breach(tree):
    assert arrows.check(tree.root) == [] and ratchets.check(tree.root) == [] and prose.check(tree.root) == []


@pytest.mark.parametrize("file, code, breach", [
    ("low.rs", "use crate::high::part::X;", "low imports high, which stands above it"),
    ("low.rs", "use crate::{left::{A, B}, std};", "low imports left, which stands above it"),
    ("low.rs", "fn f() { let x = 1 + crate::high::f(2); }", "low imports high, which stands above it"),
    ("low.rs", "use super::high;", "low imports high, which stands above it"),
    ("low/deep.rs", "use super::super::high::f;", "low imports high, which stands above it"),
    ("low.rs", "use crate::Roof;", "low imports high, which stands above it"),
    ("left.rs", "use crate::right::A;", "left imports right, which stands beside it"),
    ("new.rs", "", "`room` does not say where module new stands"),
])
def test_an_arrow_that_runs_up(tree, file, code, breach):
    tree(f"crates/room/src/{file}", f"//! Prose.\n{code}\n")
    found = arrows.check(tree.root)
    assert len(found) == 1 and breach in found[0], found


@pytest.mark.parametrize("code", [
    "#[cfg(test)]\nmod tests {\n    use crate::high::X;\n}",
    "// use crate::high::X;\nconst A: &str = \"crate::high::X\";",
    "pub(in crate::high) struct A;",
    "use super::low::A;",
    "#[cfg(test)]\nmod low_tests;",
])
def test_what_is_no_arrow(tree, code):
    tree("crates/room/src/low.rs", f"//! Prose: see crate::high.\n{code}\n")
    tree("crates/room/src/low/low_tests.rs", "use crate::high::X;\n")
    assert arrows.check(tree.root) == []


def test_a_knot_may_be_said(tree):
    tree("crates/room/src/left.rs", "//! Prose.\nuse crate::right::A;\n")
    tree("scripts/layers.txt", "room: low < left + right < high\n")
    assert arrows.check(tree.root) == []


@pytest.mark.parametrize("code, found", [
    ("impl Session {\n    fn below(&self) { self.shown() }\n}", True),
    ("impl Session {\n    fn below(&self) { run(|s| s.shown(1)) }\n}", True),
    ("fn below(s: &Session) { Session::shown(s) }", True),
    ("fn below(s: &Session) { other::Session::shown(s); self.list.shown() }", False),
    ("impl Session {\n    fn shown(&self) {}\n    fn below(&self) { self.shown() }\n}", False),
])
def test_a_method_that_is_called_from_below(tree, monkeypatch, code, found):
    monkeypatch.setattr(methods, "EXTENDED", {"room": ("Session", "Server")})
    tree("crates/room/src/low.rs", f"//! Prose.\n{code}\n")
    tree("crates/room/src/high/part.rs", "//! Prose.\nimpl Session {\n    fn shown(&self) { self.below() }\n}\n")
    breaches = methods.check(tree.root)
    assert len(breaches) == found and all("low calls the method shown of high" in b for b in breaches), breaches


def test_the_modules_of_a_folder(tree):
    tree("scripts/layers.txt", LAYERS + "room/high: part < whole\n")
    tree("crates/room/src/high/whole.rs", "//! Prose.\nuse super::part::A;\n")
    assert arrows.check(tree.root) == []
    tree("crates/room/src/high/part.rs", "//! Prose.\nuse super::whole::A;\n")
    assert "part imports whole" in arrows.check(tree.root)[0]
    tree("scripts/layers.txt", LAYERS + "room/gone: a\n")
    assert "no folder crates/room/src/gone" in arrows.check(tree.root)[0]


LONG = "//! Prose.\nfn long() {\n" + "    call();\n" * 69 + "}\n"


@pytest.mark.parametrize("text, kind", [
    (LONG, "long functions"),
    ("//! Prose.\nfn f<T: Fn(u8) -> u8>(a: A<B, C>, b: [u8; 2], c: u8, d: u8, e: u8, f: (u8, u8), g: u8) {}\n", "many parameters"),
    ("//! Prose.\nfn f() -> Option<(A, B<C, D>, E, F)> { g() }\n", "wide tuples"),
    ("//! Prose.\nstruct S {\n    a: Vec<(A, B, C, D)>,\n}\n", "wide tuples"),
    ("//! Prose.\n/// " + "word " * 24 + "\nstruct S;\n", "wide prose"),
    ("//! Prose.\n" + "const A: u8 = 1;\n" * 400, "long files"),
])
def test_a_number_that_rises(tree, text, kind):
    tree("crates/room/src/low.rs", text)
    found = ratchets.check(tree.root)
    assert len(found) == 1 and f"room: 1 {ratchets.KINDS[kind]}, at most 0" in found[0], found


@pytest.mark.parametrize("text", [
    LONG.replace("    call();\n", "", 1),
    "//! Prose.\n#[cfg(test)]\nmod tests {\n" + LONG[11:] + "}\n",
    "//! Prose.\nfn f(&self, a: A<B, C, D>, b: fn(u8, u8, u8, u8) -> u8, c: u8, d: u8) -> Result<(A, B, C), D> { g((1, 2, 3, 4)) }\n",
    "//! Prose.\nenum E {\n    A(u8, u8, u8, u8),\n}\n",
])
def test_what_no_ratchet_counts(tree, text):
    tree("crates/room/src/low.rs", text)
    assert ratchets.check(tree.root) == []


def test_a_number_that_fell_is_lowered_and_never_raised(tree):
    tree("scripts/ratchets.txt", "[room]\nlong functions = 2\n")
    assert "--lower" in ratchets.check(tree.root)[0]
    tree("crates/room/src/low.rs", LONG)
    tree("crates/room/src/left.rs", "//! Prose.\n" + "const A: u8 = 1;\n" * 400)
    ratchets.check(tree.root, lower=True)
    told = ratchets.read((tree.root / "scripts/ratchets.txt").read_text())["room"]
    assert told["long functions"] == 1 and told["long files"] == 0
    assert len(ratchets.check(tree.root)) == 1, "the long file stays a breach"


@pytest.mark.parametrize("line, breach", [
    ("See `low/gone.rs`.", "names low/gone.rs"),
    ("See `room/src/gone.rs`.", "names room/src/gone.rs"),
    ("See high/{mod,gone}.rs.", "names high/gone.rs"),
    ("See [`crate::low::gone`].", "names crate::low::gone"),
    ("See `crate::gone`.", "names crate::gone"),
    ("See `room::high::part::Gone`.", "names room::high::part::Gone"),
])
def test_prose_that_names_what_is_not_there(tree, line, breach):
    tree("crates/room/src/left.rs", f"//! Prose. {line}\n")
    found = prose.check(tree.root)
    assert len(found) == 1 and breach in found[0], found


def test_prose_that_names_what_is_there(tree):
    tree("docs/page.md", "Read [the room](../crates/room/src/lib.rs#top), `high/part.rs`, `room/src/{low,left}.rs`, `room/*.rs`, `room::Roof::new`, /etc/x/y.toml.\n")
    tree("crates/room/src/left.rs", "//! See [`crate::high::Roof`] and `low.rs`. What was in `old/place.rs` is not in the tree.\n//! `room::high::part::Roof`\nfn new() {}\n")
    assert prose.check(tree.root) == []
    tree("docs/page.md", "Read [the room](../crates/room/src/gone.rs).\n")
    assert prose.check(tree.root) != []


def test_the_script_says_so_and_fails(tree):
    tree("crates/room/src/low.rs", "//! Prose.\nuse crate::high::X;\n")
    r = subprocess.run([sys.executable, SCRIPTS / "check_house.py", "--root", tree.root], capture_output=True, text=True)
    assert r.returncode == 1 and "low imports high" in r.stdout and "differs from ORDER" in r.stdout


def test_a_script_that_cannot_be_run(tree):
    """`make docs` called one that had lost its right to be executed."""
    tree("scripts/some.py", "#!/usr/bin/env python3\n")
    tree("Makefile", "docs:\n\tscripts/some.py\n")
    assert [b.split(":")[0] for b in rooms.programs(tree.root)] == ["scripts/some.py", "Makefile"]
    (tree.root / "scripts/some.py").chmod(0o755)
    assert rooms.programs(tree.root) == []


@pytest.mark.parametrize("code, beside", [
    ("self.env.shared.engine.dict().relation(a, b)", True),
    ("dict\n    .relations(a)", True),
    ("d.open_table(e, a, b)", True),
    ("storage::table::TableCursor::new(t)", True),
    ("self.env.relation(may)", False),
    ("env.relations(schema, Inside::Definers)", False),
    ("self.0.open_table(def)", False),
])
def test_a_definition_by_name_beside_the_gate(code, beside):
    assert bool(rooms.BY_NAME.search(code)) == beside
