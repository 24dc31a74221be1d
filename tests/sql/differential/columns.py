"""Columns of every type, values that sit on their edges, and tables made of them.

A `Column` has a `family` that expressions choose by: int, dec, dbl, bit, year, date, time, dt, str, bin, enum, set, json.
"""

FAMILIES = {"num": ("int", "dec", "dbl"), "temporal": ("date", "time", "dt"), "text": ("str", "enum", "set")}
WORDS = ["", "a", "A", "b", "B", "ab", "Ab", "abc", "aBC", "b c", " a", "a ", "z", "Z", "0", "1", "10", "-5", "1.5", "1e1", "_", "%", "a%", "x,y", "b,a", "hello", "Hello World",
         "2020-01-02", "12:34:56", "2020-01-02 03:04:05", "100%", "äöü", "ÄÖÜ", "ß", "é", "日本", "foo.bar.baz", "it''s", "tab\\tx", "NULL", "true", "12abc", "-", ".5", "0x41"]
DATES = ["2020-01-01", "2020-02-29", "1999-12-31", "1000-01-01", "9999-12-31", "2021-06-15", "2020-12-28", "1970-01-01", "2000-02-28", "1900-03-01"]
TIMES = ["00:00:00", "-838:59:59", "838:59:59", "12:34:56", "-00:00:01", "01:02:03.5", "23:59:59.999999", "24:00:00", "-12:30:00.25", "100:00:01"]
DTS = ["2020-01-01 00:00:00", "2020-02-29 12:34:56", "1999-12-31 23:59:59", "2021-06-15 01:02:03.25", "2020-01-01 10:00:00.5", "1970-01-02 00:00:01", "2038-01-19 03:14:07", "2010-10-10 10:10:10.101010"]
JSONS = ['1', '-1.5', '"a"', 'null', 'true', '[]', '{}', '[1, 2, 3]', '[1, "a", null, true, {"a": 1}]', '{"a": 1}', '{"a": {"b": [1, 2, {"c": "x"}]}, "d": "y"}', '{"a": null, "b": 2}',
         '[[1, 2], [3, 4]]', '""', '"1"', '{"x": "A", "y": "a"}', '[0.5, -7]', '{"n": 10, "long key": "v w"}']


def q(words):
    return [f"'{w}'" for w in words]


def ints(lo, hi):
    return [str(x) for x in (0, 1, 2, 3, 5, 7, 10, 12, 100, -1, -2, -7, -100, lo, hi, lo + 1, hi - 1) if lo <= x <= hi]


TYPES = {
    "ti": ("int", "TINYINT", ints(-128, 127)), "tu": ("int", "TINYINT UNSIGNED", ints(0, 255)), "si": ("int", "SMALLINT", ints(-32768, 32767)),
    "mi": ("int", "MEDIUMINT", ints(-8388608, 8388607)), "i": ("int", "INT", ints(-2**31, 2**31 - 1)), "iu": ("int", "INT UNSIGNED", ints(0, 2**32 - 1)),
    "bi": ("int", "BIGINT", ints(-2**63, 2**63 - 1)), "bu": ("int", "BIGINT UNSIGNED", ints(0, 2**64 - 1)), "bool": ("int", "BOOLEAN", ["0", "1", "1", "0", "2"]),
    "d2": ("dec", "DECIMAL(10,2)", ["0", "1", "-1", "1.5", "-1.5", "2.25", "10", "99.99", "-99.99", "0.01", "0.1", "7", "99999999.99", "12345.67"]),
    "d0": ("dec", "DECIMAL(20)", ["0", "1", "-1", "7", "100", "99999999999999999999", "-99999999999999999999", "12345678901"]),
    "d30": ("dec", "DECIMAL(30,10)", ["0", "1", "-1", "0.0000000001", "1234567890.0123456789", "-3.1415926535", "99999999999999999999.9999999999", "2.5"]),
    "du": ("dec", "DECIMAL(8,3) UNSIGNED", ["0", "1", "0.001", "12.345", "99999.999", "2.5"]),
    "f": ("dbl", "FLOAT", ["0.1", "3.3", "0", "1", "-1", "1.5", "-2.5", "0.25", "1e5", "100", "7", "0.5"]),
    "db": ("dbl", "DOUBLE", ["0", "1", "-1", "1.5", "-2.5", "0.25", "1e5", "-1e5", "100", "7", "1e-3", "0.1", "1e15", "123456.789"]),
    "b1": ("bit", "BIT(1)", ["0", "1", "b'1'"]), "b8": ("bit", "BIT(8)", ["0", "1", "65", "255", "97", "b'1010'"]), "b64": ("bit", "BIT(64)", ["0", "1", "18446744073709551615", "97"]),
    "y": ("year", "YEAR", ["0", "1901", "1970", "1999", "2000", "2020", "2069", "2155"]),
    "da": ("date", "DATE", q(DATES)), "tm": ("time", "TIME", q(TIMES)), "t3": ("time", "TIME(3)", q(TIMES)), "t6": ("time", "TIME(6)", q(TIMES)),
    "dt": ("dt", "DATETIME", q(DTS)), "dt3": ("dt", "DATETIME(3)", q(DTS)), "dt6": ("dt", "DATETIME(6)", q(DTS)), "ts": ("dt", "TIMESTAMP NULL", q(DTS)), "ts6": ("dt", "TIMESTAMP(6) NULL", q(DTS)),
    "c": ("str", "CHAR(12)", q(w for w in WORDS if len(w) <= 12)), "vg": ("str", "VARCHAR(40)", q(WORDS)), "vb": ("str", "VARCHAR(40) COLLATE utf8mb4_bin", q(WORDS)),
    "vu": ("str", "VARCHAR(40) COLLATE utf8mb4_unicode_ci", q(WORDS)), "vl": ("str", "VARCHAR(40) CHARACTER SET latin1", q(w for w in WORDS if "日" not in w)), "tx": ("str", "TEXT", q(WORDS)),
    "bn": ("bin", "BINARY(4)", q(w for w in WORDS if len(w.encode()) <= 4)), "vbn": ("bin", "VARBINARY(40)", q(WORDS)), "bl": ("bin", "BLOB", q(WORDS)),
    "en": ("enum", "ENUM('a','B','ab','10','')", ["'a'", "'B'", "'ab'", "'10'", "''", "1", "2"]), "se": ("set", "SET('a','b','c','10')", ["''", "'a'", "'a,b'", "'c,a'", "'10'", "15", "3"]),
    "js": ("json", "JSON", q(j.replace("\\", "\\\\") for j in JSONS)),
}


class Column:
    """A column: its name, the key of its type in TYPES, family, and literals to fill it with."""

    def __init__(self, name, key, null=True, default=None):
        self.name, self.key, self.null, self.default = name, key, null, default
        self.family, self.ddl, self.values = TYPES[key]
        self.generated = None


class Table:
    def __init__(self, name, columns):
        self.name, self.columns, self.indexes, self.next_id = name, columns, [], 0


def literal(r, column, null=0.12):
    if column.null and r.random() < null:
        return "NULL"
    return r.choice(column.values)


def indexable(c):
    """How the column may stand in an index, or None."""
    if c.key in ("tx", "bl"):
        return f"{c.name}(3)"
    return None if c.family == "json" else c.name


def generated(r, columns):
    """A generated column over one of the others: (name, type key, expression), or None."""
    c = r.choice(columns)
    n = c.name
    if c.key in ("c", "bn"):  # MariaDB refuses them: their text depends on sql_mode
        return None
    return {"int": ("bi", f"{n} DIV 3"), "dec": ("d30", f"ROUND({n} / 7, 3)"), "dbl": ("db", f"ABS({n})"), "date": ("i", f"DAYOFYEAR({n})"), "dt": ("da", f"DATE({n})"),
            "str": ("vg", f"CONCAT('<', {n}, '>')"), "bin": ("i", f"LENGTH({n})"), "year": ("i", f"{n} % 100")}.get(c.family)


def make_table(r, name, keys, prefix=""):
    """A table of the given type keys with `id` as its key, random indexes and NULLs: (Table, statements)."""
    columns = [Column(prefix + k + (str(i) if k in keys[:i] else ""), k, r.random() < 0.8) for i, k in enumerate(keys)]
    t = Table(name, columns)
    parts = ["id INT NOT NULL"] + [f"{c.name} {c.ddl}{'' if c.null else ' NOT NULL'}" for c in columns]
    g = generated(r, columns) if r.random() < 0.5 else None
    if g:
        c = Column(prefix + "g", g[0])
        c.generated = g[1]
        columns.append(c)
        parts.append(f"{c.name} {c.ddl.replace(' NULL', '')} AS ({g[1]}) {r.choice(['VIRTUAL', 'STORED'])}")
    parts.append("PRIMARY KEY (id)")
    for n in range(r.randint(0, 4)):
        use = r.sample(columns, min(len(columns), r.choice([1, 1, 2, 3])))
        names = [indexable(c) for c in use if indexable(c) and not (c.generated and "VIRTUAL" in parts[len(columns)])]
        if names:
            parts.append(f"KEY k{n} ({', '.join(x + r.choice(['', '', '', ' DESC']) for x in names)})")
            t.indexes.append(f"k{n}")
    out = [f"CREATE TABLE {name} ({', '.join(parts)}) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"]
    return t, out


def fill(r, t, rows):
    """INSERT statements for so many rows."""
    out = []
    use = [c for c in t.columns if not c.generated]
    for _ in range(rows):
        t.next_id += 1
        out.append(f"INSERT IGNORE INTO {t.name} (id, {', '.join(c.name for c in use)}) VALUES ({t.next_id}, {', '.join(literal(r, c) for c in use)})")
    return out
