"""Expressions of every function family over columns of every type, with implicit conversions.

A template has places: {n} number, {k} small integer literal, {s} text, {d} date or datetime, {t} time, {x} anything, {j} JSON document, {p} predicate,
{c} comparable pair is written as {x}. One place in eight takes a value of another family, so that it is converted.
"""
import re

from .columns import DATES, DTS, FAMILIES, JSONS, TIMES, WORDS

NUMBER = ["{n} + {n}", "{n} - {n}", "{n} * {n}", "{n} / {n}", "{n} DIV {n}", "{n} % {n}", "-{n}", "ABS({n})", "CEIL({n})", "FLOOR({n})", "ROUND({n})", "ROUND({n}, {k})",
          "TRUNCATE({n}, {k})", "SIGN({n})", "SQRT({n})", "POW({n}, {k})", "EXP({k})", "LN({n})", "LOG2({n})", "LOG10({n})", "LOG({k}, {n})", "SIN({n})", "ATAN({n}, {k})", "DEGREES({k})",
          "CRC32({s})", "BIT_COUNT({n})", "{n} & {n}", "{n} | {k}", "{n} ^ {n}", "~{n}", "{n} << {k}", "{n} >> {k}", "LENGTH({x})", "CHAR_LENGTH({x})", "BIT_LENGTH({s})", "ASCII({s})",
          "ORD({s})", "LOCATE({s}, {s})", "LOCATE({s}, {s}, {k})", "INSTR({s}, {s})", "FIELD({s}, {s}, {s})", "FIELD({n}, {n}, {n})", "FIND_IN_SET({s}, {s})", "STRCMP({s}, {s})",
          "INTERVAL({n}, 0, {k}, 10)", "CAST({x} AS SIGNED)", "CAST({x} AS UNSIGNED)", "CAST({n} AS DECIMAL(12,{k2}))", "CAST({x} AS DOUBLE)", "YEAR({d})", "MONTH({d})", "DAYOFMONTH({d})",
          "DAYOFWEEK({d})", "WEEKDAY({d})", "DAYOFYEAR({d})", "WEEK({d}, {k7})", "YEARWEEK({d})", "YEARWEEK({d}, {k7})", "WEEKOFYEAR({d})", "QUARTER({d})", "HOUR({t})", "MINUTE({t})", "SECOND({t})",
          "MICROSECOND({t})", "DATEDIFF({d}, {d})", "TO_DAYS({d})", "TO_SECONDS({d})", "TIME_TO_SEC({t})", "UNIX_TIMESTAMP({d})", "TIMESTAMPDIFF({u}, {d}, {d})", "EXTRACT({u2} FROM {d})",
          "PERIOD_ADD(202001, {k})", "PERIOD_DIFF(202001, 199912)", "INET_ATON('10.0.{k}.1')", "MOD({n}, {k})", "COALESCE({n}, {n})", "IFNULL({n}, {n})", "NULLIF({n}, {n})", "IF({p}, {n}, {n})",
          "CASE WHEN {p} THEN {n} ELSE {n} END", "CASE {n} WHEN {n} THEN {n} WHEN {k} THEN {n} END", "GREATEST({n}, {n})", "LEAST({n}, {n}, {n})", "{p} + 0", "{d} + 0", "{t} + 0"]
TEXT = ["CONCAT({s}, {x})", "CONCAT_WS({s}, {x}, {s}, {x})", "UPPER({s})", "LOWER({s})", "LEFT({s}, {k})", "RIGHT({s}, {k})", "SUBSTRING({s}, {k})", "SUBSTRING({s}, {k}, {k})", "SUBSTRING({s} FROM -{k9})",
        "SUBSTRING_INDEX({s}, {s}, {k})", "TRIM({s})", "LTRIM({s})", "RTRIM({s})", "TRIM(LEADING 'a' FROM {s})", "TRIM(BOTH {s} FROM {s})", "LPAD({s}, {k9}, {s})", "RPAD({s}, {k9}, {s})",
        "REPEAT({s}, {k})", "REPLACE({s}, {s}, {s})", "REVERSE({s})", "CHAR({k}, 65)", "HEX({x})", "UNHEX(HEX({s}))", "BIN({n})", "OCT({n})", "CONV({s}, 10, 16)", "CONV({n}, 10, 2)", "ELT({k}, {s}, {s}, {x})",
        "MAKE_SET({n}, {s}, {s})", "EXPORT_SET({k9}, 'Y', 'N', ',', 5)", "FORMAT({n}, {k9})", "INSERT({s}, {k}, {k}, {s})", "SPACE({k})", "QUOTE({s})", "SOUNDEX({s})", "TO_BASE64({s})",
        "FROM_BASE64(TO_BASE64({s}))", "MD5({s})", "SHA1({s})", "SHA2({s}, 256)", "CAST({x} AS CHAR)", "CAST({x} AS CHAR({k9}))", "CAST({s} AS BINARY)", "CAST({s} AS BINARY({k9}))", "DAYNAME({d})",
        "MONTHNAME({d})", "DATE_FORMAT({d}, {fmt})", "TIME_FORMAT({t}, '%H:%i:%s.%f %p %h %l %k %r %T')", "COALESCE({s}, {x})", "IFNULL({x}, {s})", "NULLIF({s}, {s})", "IF({p}, {s}, {x})",
        "CASE WHEN {p} THEN {s} ELSE {x} END", "CASE {s} WHEN {s} THEN {x} ELSE {s} END", "GREATEST({s}, {s})", "LEAST({s}, {s})", "INET_NTOA({n})", "REGEXP_REPLACE({s}, '[ab]+', 'X')",
        "REGEXP_SUBSTR({s}, '[a-c]+')", "CONVERT({s} USING latin1)", "CONCAT({x})", "IFNULL({s}, {s})", "CHARSET({s})"]
TEMPORAL = ["DATE({d})", "TIME({t})", "TIMESTAMP({d})", "TIMESTAMP({d}, {t})", "LAST_DAY({d})", "{d} + INTERVAL {k} {u}", "{d} - INTERVAL {n} {u}", "DATE_ADD({d}, INTERVAL {s} DAY)", "{d} + INTERVAL '{k}:{k}' HOUR_MINUTE",
            "DATE_ADD({d}, INTERVAL '1 {k}' DAY_HOUR)", "TIMESTAMPADD({u}, {k}, {d})", "ADDTIME({d}, {t})", "ADDTIME({t}, {t})", "SUBTIME({d}, {t})", "SUBTIME({t}, {t})", "TIMEDIFF({t}, {t})", "TIMEDIFF({dt}, {dt})",
            "FROM_DAYS({n})", "FROM_UNIXTIME({n})", "MAKEDATE({k9} + 2000, {n})", "MAKETIME({k}, {k}, {n})", "SEC_TO_TIME({n})", "STR_TO_DATE({s}, '%Y-%m-%d')", "STR_TO_DATE({s}, '%H:%i:%s')",
            "CAST({x} AS DATE)", "CAST({x} AS DATETIME)", "CAST({x} AS DATETIME(3))", "CAST({x} AS TIME)", "CAST({x} AS TIME(2))", "CONVERT_TZ({d}, '+00:00', '+05:30')", "COALESCE({d}, {d})",
            "IFNULL({d}, {d})", "IF({p}, {d}, {d})", "CASE WHEN {p} THEN {t} ELSE {t} END", "GREATEST({d}, {d})", "LEAST({t}, {t})", "NULLIF({d}, {d})", "{t} + INTERVAL {k} {u3}"]
JSON = ["JSON_EXTRACT({j}, '{path}')", "JSON_UNQUOTE(JSON_EXTRACT({j}, '{path}'))", "JSON_LENGTH({j})", "JSON_TYPE({j})", "JSON_VALID({x})", "JSON_KEYS({j})", "JSON_CONTAINS({j}, '{js}')", "JSON_DEPTH({j})",
        "JSON_SET({j}, '{path}', {n})", "JSON_INSERT({j}, '{path}', {s})", "JSON_REPLACE({j}, '{path}', {s})", "JSON_REMOVE({j}, '{path}')", "JSON_ARRAY({x}, {n})", "JSON_OBJECT('k', {x})", "JSON_QUOTE({s})",
        "JSON_CONTAINS_PATH({j}, 'one', '{path}')", "JSON_MERGE_PATCH({j}, '{js}')", "JSON_MERGE_PRESERVE({j}, '{js}')", "JSON_ARRAY_APPEND({j}, '{path}', {k})", "JSON_SEARCH({j}, 'one', {s})", "JSON_OVERLAPS({j}, '{js}')"]
PREDICATE = ["{n} {op} {n}", "{s} {op} {s}", "{d} {op} {d}", "{t} {op} {t}", "{x} IS NULL", "{x} IS NOT NULL", "{n} BETWEEN {n} AND {n}", "{d} BETWEEN {d} AND {d}", "{s} NOT BETWEEN {s} AND {s}",
             "{n} IN ({n}, {n}, NULL)", "{s} IN ({s}, {s})", "{d} NOT IN ({d}, {d})", "{s} LIKE {s}", "{s} NOT LIKE '%a%'", "{s} REGEXP '^[a-c]'", "NOT {p}", "{p} AND {p}", "{p} OR {p}", "{p} XOR {p}",
             "{p} IS TRUE", "{p} IS NOT FALSE", "{p} IS UNKNOWN", "({n}, {s}) = ({n}, {s})", "({n}, {n}) < ({n}, {n})", "({n}, {s}) IN (({n}, {s}), ({k}, 'a'))", "NOT {n}", "ISNULL({x})", "{n} <=> {n}", "{s} <=> {s}", "{s} SOUNDS LIKE {s}"]
UNITS = ["SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "MICROSECOND"]
PATHS = ["$", "$.a", "$[0]", "$[1]", "$.a.b", "$.a.b[2].c", "$.*", "$[*]", "$.d", "$[last]", "$**.c", "$.x"]
FORMATS = ["'%Y-%m-%d'", "'%a %b %c %D %e %f'", "'%H %h %i %I %j %k %l'", "'%M %m %p %r %S %s %T'", "'%U %u %V %v %W %w %X %x %y %%'"]
GROUPS = {"num": NUMBER, "text": TEXT, "temporal": TEMPORAL, "json": JSON, "pred": PREDICATE}


class Expressions:
    """Makes expressions over a scope: a list of (prefix, Column). `conversions` is how often a place takes another family's value."""

    def __init__(self, r, scope, conversions=0.12, literals=0.25):
        self.r, self.scope, self.conversions, self.literals = r, scope, conversions, literals
        self.used = []

    def any(self, depth=1, group=None):
        group = group or self.r.choice(["num", "num", "text", "text", "temporal", "pred", "json"])
        return self.fill(self.r.choice(GROUPS[group]), depth)

    def fill(self, template, depth):
        return re.sub(r"\{(\w+)\}", lambda m: self.place(m.group(1), depth), template)

    def place(self, kind, depth):
        r = self.r
        if kind == "p":
            return "(" + self.fill(r.choice(PREDICATE[:16] if depth < 1 else PREDICATE), depth - 1) + ")"
        fixed = {"k": ["0", "1", "2", "3", "5", "-1", "-2"], "k2": ["0", "2", "4"], "k7": [str(i) for i in range(8)], "k9": [str(i) for i in range(10)], "u": UNITS, "u2": UNITS + ["YEAR_MONTH", "DAY_HOUR", "HOUR_SECOND"],
                 "u3": UNITS[:3], "fmt": FORMATS, "path": PATHS, "js": JSONS[:12], "op": ["=", "=", "<", ">", "<=", ">=", "<>", "<=>"]}
        if kind in fixed:
            return r.choice(fixed[kind])
        if depth > 0 and r.random() < 0.35:
            group = {"n": "num", "s": "text", "d": "temporal", "t": "temporal", "j": "json"}.get(kind)
            if group and group != "json":
                return "(" + self.fill(r.choice(GROUPS[group]), depth - 1) + ")"
        if r.random() < self.literals:
            return self.literal(kind)
        return self.column(kind)

    def column(self, kind):
        r = self.r
        wanted = {"n": FAMILIES["num"], "s": FAMILIES["text"], "d": ("date", "dt"), "dt": ("dt",), "t": ("time", "dt"), "j": ("json",)}.get(kind)
        if wanted and r.random() >= self.conversions:
            fit = [(a, c) for a, c in self.scope if c.family in wanted]
            if not fit:
                return self.literal(kind)
        else:
            fit = self.scope
        a, c = r.choice(fit)
        self.used.append(c.key)
        return f"{a}{c.name}"

    def literal(self, kind):
        r = self.r
        if r.random() < 0.04:
            return "NULL"
        if kind == "x":
            kind = r.choice("nsdt")
        if kind == "n":
            return r.choice(["0", "1", "2", "-1", "3", "10", "1.5", "0.25", "-2.75", "100", "1e2", "2.5e0", "18446744073709551615", "9223372036854775807", "99999999999999999999"])
        if kind == "s":
            return f"'{r.choice(WORDS)}'"
        if kind == "d":
            return r.choice([f"DATE'{r.choice(DATES)}'", f"TIMESTAMP'{r.choice(DTS)}'", f"'{r.choice(DATES)}'"])
        if kind == "dt":
            return f"TIMESTAMP'{r.choice(DTS)}'"
        if kind == "t":
            return f"TIME'{r.choice(TIMES)}'"
        return f"'{r.choice(JSONS)}'"


class Area:
    """SELECT of expressions over one table of all types; the same again as a condition, as a group and with the row's values as literals."""

    name = "expressions"

    def __init__(self, ctx, r, depth=1):
        self.ctx, self.r, self.depth = ctx, r, depth

    def run(self, n):
        from .columns import TYPES, fill, make_table
        ctx, r = self.ctx, self.r
        while n > 0:
            ctx.fresh()
            keys = r.sample(sorted(TYPES), 14)
            t, ddl = make_table(r, "t", keys)
            for s in ddl + fill(r, t, 12):
                n -= 1
                if not ctx.both(s):
                    break
            if not ctx.table("t"):
                continue
            scope = [("", c) for c in t.columns]
            for _ in range(min(n, 250)):
                n -= 1
                e = Expressions(r, scope, conversions=ctx.conversions)
                x = e.any(self.depth)
                ctx.topic = x
                ctx.query(f"SELECT id, {x} FROM t ORDER BY id", ordered=True)
