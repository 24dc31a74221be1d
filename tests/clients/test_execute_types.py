"""COM_STMT_EXECUTE without types of parameters (flag 0), as Connector/J's useServerPrepStmts sends it where all parameters of the first execution are
NULL: bitmap, flag, types, long data, attributes, in every order. The answers are MySQL 9.7's."""
import struct

import pytest

from lib import wire
from lib.wire import Raw, ServerError, lstr

INT, STR, BLOB, NULL, NONE = b"\x08\x00", b"\xfe\x00", b"\xfc\x00", b"\x06\x00", b"\x63\x00"
TYPED = b"\x00\x01" + INT + STR + struct.pack("<q", 7) + lstr(b"xy")
AGAIN = b"\x00\x00" + struct.pack("<q", 8) + lstr(b"zz")
TEXTS = lstr(b"a") + lstr(b"b")


def x(body, flags=0):
    return "x", flags, body


def long(param, data):
    return "long", param, data


def named(*types):
    return b"".join(t + lstr(b"n" if i > 1 else b"") for i, t in enumerate(types))


RESET = ("reset",)
# what is sent, what it answers, the rows that are there then
CASES = [
    ([x(b"\x03\x00")], ["ok"], [(None, None)]),
    ([x(b"\x03\x00\x01\x02")], ["ok"], [(None, None)]),
    ([x(b"\x02\x00" + lstr(b"ab"))], [1210], []),
    ([x(b"\x00\x00" + TEXTS)], [1210], []),
    ([x(b"\x00\x00")], [1835], []),
    ([x(b"\x03")], [1835], []),
    ([x(b"")], [1835], []),
    ([x(b"\x00\x02" + STR + STR + TEXTS)], ["ok"], [(b"a", b"b")]),
    ([x(b"\x03\x02")], [1835], []),
    ([x(b"\x03\x00"), x(TYPED), x(AGAIN)], ["ok", "ok", "ok"], [(None, None), (b"7", b"xy"), (b"8", b"zz")]),
    ([x(b"\x03\x01" + NULL + NULL), x(b"\x00\x00" + TEXTS)], ["ok", 1210], [(None, None)]),
    ([x(b"\x00\x01" + NULL + NULL)], [1835], []),
    ([x(TYPED), RESET, x(AGAIN), x(b"\x03\x00"), x(AGAIN)], ["ok"] * 4, [(b"7", b"xy"), (b"8", b"zz"), (None, None), (b"8", b"zz")]),
    ([long(0, b"long"), x(b"\x02\x00")], [1835], []),
    ([long(0, b"long"), x(b"\x03\x00")], [1210], []),
    ([long(0, b"long"), RESET, x(b"\x03\x00")], ["ok"], [(None, None)]),
    ([long(0, b"long"), x(b"\x02\x01" + BLOB + NULL)], ["ok"], [(b"long", None)]),
    ([long(0, b"l1"), x(b"\x02\x01" + BLOB + STR), x(b"\x03\x00"), long(0, b"l2"), x(b"\x02\x00"), x(b"\x00\x00" + TEXTS)], ["ok"] * 4,
     [(b"l1", None), (None, None), (b"l2", None), (b"a", b"b")]),
    ([x(b"\x03\x01" + NONE + STR)], [1210], []),
    ([x(b"\x00\x01" + INT), x(b"\x03\x00")], [1835, "ok"], [(None, None)]),
    ([x(TYPED), x(b"\x00\x01" + STR + STR + lstr(b"1") + lstr(b"y" * 300)), x(b"\x00\x00" + TEXTS)], ["ok", 1406, "ok"], [(b"7", b"xy"), (b"a", b"b")]),
]
WITH_ATTRIBUTES = [
    ([x(b"\x02\x03\x00")], ["ok"], [(None, None)]),
    ([x(b"\x02\x03\x00", 8)], ["ok"], [(None, None)]),
    ([x(b"\x03\x07\x00", 8)], ["ok"], [(None, None)]),
    ([x(b"\x03\x03\x00" + lstr(b"x"), 8)], [1835], []),
    ([x(b"\x02\x00\x01" + named(INT, STR) + TYPED[6:]), x(b"\x02" + AGAIN), x(b"\x02\x03\x00")], ["ok"] * 3, [(b"7", b"xy"), (b"8", b"zz"), (None, None)]),
    ([x(b"\x03\x00\x01" + named(INT, STR, STR) + TYPED[6:] + lstr(b"v"), 8), x(b"\x02" + AGAIN, 8)], ["ok", "ok"], [(b"7", b"xy"), (b"8", b"zz")]),
    ([x(b"\x03\x00\x01" + named(INT, STR, STR) + TYPED[6:] + lstr(b"v"), 8), x(b"\x03" + AGAIN + lstr(b"v"), 8)], ["ok", 1835], [(b"7", b"xy")]),
    ([x(b"\x01\x01\x00")], [1210], []),
    ([x(b"\x00")], [1210], []),
    ([x(b"\x03\x03\x01" + named(NULL, NULL, NULL), 8)], [1835], []),
    ([x(b"")], [1835], []),
    ([long(0, b"long"), x(b"\x02\x02\x00")], [1835], []),
]


def answers(r, steps):
    statement = r.prepare("INSERT INTO t (a, b) VALUES (?, ?)")[0]
    out = []
    for step in steps:
        if step[0] == "long":
            r.command(wire.LONG_DATA, struct.pack("<IH", statement, step[1]) + step[2])
            continue
        if step[0] == "reset":
            r.command(wire.RESET, struct.pack("<I", statement))
            r.result()
            continue
        r.command(wire.EXECUTE, struct.pack("<IBI", statement, step[1], 1) + step[2])
        try:
            r.result()
            out.append("ok")
        except ServerError as e:
            out.append(e.code)
    return out, [tuple(row) for row in r.query("SELECT a, b FROM t ORDER BY id")[1]]


@pytest.mark.parametrize("caps,cases", [(wire.BASE, CASES), (wire.BASE | wire.QUERY_ATTRIBUTES, WITH_ATTRIBUTES)], ids=["plain", "attributes"])
def test_types_may_be_missing(server, caps, cases):
    with Raw(server, caps) as r:
        r.query("CREATE DATABASE IF NOT EXISTS untyped")
        r.query("USE untyped")
        for steps, expected, rows in cases:
            r.query("DROP TABLE IF EXISTS t")
            r.query("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(200), b VARCHAR(20))")
            assert answers(r, steps) == (expected, rows), steps
