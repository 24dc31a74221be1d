"""What the other server says itself with another plan.

Where rows differ, MariaDB is asked again without indexes, with derived tables that are not merged, with subqueries that are not materialized, and with quotients of
as many digits as they are computed with here. If it gives our rows then, it contradicts itself, and the first answer was its optimizer's. That is narrower than a line of `explained.py` for a shape of statement, and needs none.
"""
import re

from .compare import ask, difference

PLANS = ["", "optimizer_switch='derived_merge=off'", "optimizer_switch='materialization=off'", "optimizer_switch='derived_merge=off,materialization=off,semijoin=off'"]
DIGITS = "div_precision_increment=9"
TABLE = re.compile(r"\b(?:FROM|JOIN) \(*t\d+ (?:x\d+|[a-z])\b(?! (?:USE|FORCE|IGNORE))(?=[ )]|$)")


def plain_tables(sql):
    """The statement with no index for any table."""
    return TABLE.sub(r"\g<0> USE INDEX ()", sql)


def by_other_plan(ctx, d, sql, x, y):
    """The reason if MariaDB, which gave y, gives the rows x with another plan, or None."""
    if d != "rows" or " -- with " in sql or not re.match(r"SELECT|WITH|\(", sql):
        return None
    if difference(x, y, types=False) is None:
        return None  # in another order only
    bare = plain_tables(sql)
    for setting in PLANS + [DIGITS] * (" / " in sql):
        for text in dict.fromkeys((sql, bare)):
            if text == sql and not setting:
                continue
            if setting:
                ask(ctx.b, f"SET {setting}")
            z = ask(ctx.b, text)
            ask(ctx.b, "SET optimizer_switch=default, div_precision_increment=default")
            if z[0] == "rows" and difference(x, z, types=False) is None:
                return f"MariaDB gives these rows with more digits of quotients ({setting})" if setting == DIGITS else f"MariaDB gives these rows with another plan ({setting or 'no index'})"
    return None
