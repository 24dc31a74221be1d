"""The statements of the matrix, by families."""
import dataclasses


@dataclasses.dataclass
class S:
    """One statement (or several in a row, `steps`), and what its outcome depends on."""
    sql: object
    undo: tuple = ()            # names of fixture.RESTORE, or statements of root, after a success
    tx: bool = False            # in a transaction that is rolled back
    fresh: bool = False         # it changes the session: log in anew after a success
    keys: object = None         # columns whose values are compared (None: all); of others only NULL, empty or something
    drop: tuple = ()            # columns that are not compared
    any: bool = False           # only whether there are rows
    only: object = None         # which rows are looked at
    without: tuple = ()         # accounts that do not run it
    before: tuple = ()          # root, before all accounts
    after: tuple = ()
    name: str = ""

    def __post_init__(self):
        self.steps = [self.sql] if isinstance(self.sql, str) else list(self.sql)
        if isinstance(self.undo, str):
            self.undo = (self.undo,)
        if self.keys is not None:
            self.keys = {k.upper() for k in self.keys}
        self.drop = {k.upper() for k in self.drop}
        self.name = self.name or " ;; ".join(self.steps).replace("\n", " ").replace("\t", " ")


def all_statements():
    from . import admin, ddl, dml, programs, queries, schema, session, show, users
    out = []
    for m in (queries, dml, ddl, show, schema, session, admin, users, programs):
        out += m.statements()
    names = [s.name for s in out]
    twice = {n for n in names if names.count(n) > 1}
    assert not twice, f"twice: {twice}"
    return out
