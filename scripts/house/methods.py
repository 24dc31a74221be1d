"""Arrows of methods: a type whose `impl` blocks lie in several modules of a crate ties them together without an import.

`impl Session` in `statements/show.rs` makes `show` a method that anything with a session can call. Such a method is part of the module that
it is written in: a module never calls one that is written to its right in scripts/layers.txt. Calls are found by name (`self.show(`, `s.show(`,
`session.show(`, `Session::show(`); a name that is also written in a module which may be called is passed over.
"""
import re

from . import arrows, rust

# crate: types whose methods are looked at
EXTENDED = {"session": ("Session", "Server")}


def check(root, text=None):
    rules, out = arrows.read((root / "scripts/layers.txt").read_text() if text is None else text), []
    for crate, types in EXTENDED.items():
        height = {n: i for i, level in enumerate(rules.get(crate, [])) for group in level for n in group}
        files = {p: m[0] for p, m in rust.sources(root / "crates" / crate / "src").items() if m and m[0] in height}
        written = {}
        for path, module in files.items():
            body = rust.living(path)
            for m in re.finditer(r"^impl (?:%s) \{" % "|".join(types), body, re.M):
                for f in rust.FN.finditer(body, m.end(), rust.closing(body, m.end() - 1)):
                    written.setdefault(f.group(1), set()).add(module)
        call = re.compile(r"(?<!:)\b(?:(?:self|s|session)\s*\.|(?:%s)::)\s*(\w+)\(" % "|".join(types))
        for path, module in files.items():
            body, seen = rust.living(path), set()
            if not re.search(r"\b(?:%s)\b" % "|".join(types), body):
                continue
            for m in call.finditer(body):
                homes = written.get(m.group(1), set())
                if homes and m.group(1) not in seen and all(height[h] > height[module] for h in homes):
                    seen.add(m.group(1))
                    line = body.count("\n", 0, m.start()) + 1
                    out.append(f"{path.relative_to(root)}:{line}: {module} calls the method {m.group(1)} of {' and '.join(sorted(homes))}, "
                               f"which stands above it (scripts/layers.txt, `{crate}`)")
    return out
