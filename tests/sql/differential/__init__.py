"""A seeded differential tester: random statements, answers of Evenkeel compared with those of a real MariaDB.

    tests/sql/differential_random.py --seed 1 --statements 100000 [--area NAME ...] [--seconds N] [--keep DIR]

`areas.AREAS` lists the areas, each a module with a class that yields statements from a `random.Random`; `runner` asks both servers,
compares (`compare`) and shrinks; what is known to differ is a table with a reason for each line (`explained`), the same as in docs/compat.md.
"""
