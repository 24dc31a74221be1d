"""Differences that come from an argument.

Where `f((g(x)))` differs and `g(x)` itself differs on both servers for a reason that is known, the outer difference says nothing new. So an expression's
arguments in parentheses are asked by themselves, and a difference is explained by them if every row that differs has an argument that differs
there, each for a known reason. That is narrower than a line of `explained.py` that takes any function around g.
"""
import re

from .compare import ask, canon, difference, near
from .explained import EXPLAINED, reason_of, why

STATEMENT = re.compile(r"SELECT id, (.*) FROM t ORDER BY id$", re.S)


def groups(text):
    """What stands in parentheses that are no function's, outside of texts; the outermost first."""
    stack, found, i = [], [], 0
    while i < len(text):
        c = text[i]
        if c == "'":
            i = text.index("'", i + 1)
        elif c == "(":
            stack.append((i, not (i and (text[i - 1].isalnum() or text[i - 1] == "_"))))
        elif c == ")" and stack:
            start, plain = stack.pop()
            if plain and not text[start + 1:].lstrip().upper().startswith("SELECT"):
                found.append((start, text[start:i + 1]))
        i += 1
    return [g for _, g in sorted(found)]


def differing(x, y):
    """The ids of rows whose values are not the same text; with other types also of those with a temporal value, which are shown otherwise inside a function."""
    types = [k for _, k in x[1]] != [k for _, k in y[1]]
    return {p[0] for p, o in zip(x[2], y[2]) if p != o or (types and re.match(rb"\d{4}-\d\d-\d\d|-?\d+:\d\d:", p[1] or b""))}


def by_arguments(ctx, d, sql, x, y, lines=EXPLAINED):
    """The reason why the arguments of an expression differ, or None."""
    m = STATEMENT.match(sql)
    if not m or d not in ("rows", "types") or x[0] != "rows" or y[0] != "rows" or len(x[2]) != len(y[2]):
        return None
    need = {p[0] for p, o in zip(x[2], y[2]) if not all(near(canon(u), canon(v)) or reason_of(sql, u, v, lines) for u, v in zip(p, o))}
    reasons = []
    for g in groups(m[1]):
        inner = f"SELECT id, {g} FROM t ORDER BY id"
        if g == m[1]:
            continue
        a, b = ask(ctx.a, inner), ask(ctx.b, inner)
        if a[0] != "rows" or b[0] != "rows" or len(a[2]) != len(b[2]):
            continue
        e = difference(a, b, True)
        reason = e and (why(e, inner, a, b, lines=lines) or by_arguments(ctx, e, inner, a, b, lines))
        if reason:
            need -= differing(a, b)
            reasons.append((reason, e))
    if d == "types":
        return next((f"{r} (an argument)" for r, e in reasons if e == "types"), None)
    return f"{reasons[0][0].removesuffix(' (an argument)')} (an argument)" if reasons and not need else None
