"""The areas of the tester by name."""
from . import changes, expressions, foreign_keys, parameters, queries, tables, windows

AREAS = {m.Area.name: m.Area for m in (tables, queries, expressions, changes, parameters, windows, foreign_keys)}
