#!/usr/bin/env python3
"""Generates ../src/charset/eightbit.bin and ../src/collation/eightbit.bin by asking a MariaDB server (which shares MySQL's 8-bit tables).

usage: .venv/bin/python crates/value/gen/gen_eightbit.py      (starts a server in a temporary folder)

eightbit.bin of charset/:   per set 256 code points (u16 little-endian, 0 = undefined), 256 upper-case bytes, 256 lower-case bytes
eightbit.bin of collation/: per collation 256 weight bytes
special.bin of collation/:  256 weight bytes for each level of latin2_czech_cs (4), cp1250_czech_cs (2); of tis620_thai_ci for ordering and for
                            LIKE; of latin1_german2_ci for LIKE; what is made of them (words, contractions, the order of Thai vowels and marks, umlauts) is in collation/special.rs
The lines for charset/eightbit.rs and collation/registry.rs go to standard output. Both files decide index keys: never regenerate them with another
result (their checksums are in the tests).
"""
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
from lib.servers import MariaDB  # noqa: E402

SETS = ["dec8", "cp850", "hp8", "koi8r", "latin2", "hebrew", "koi8u", "greek", "cp1250", "latin5", "armscii8", "cp866", "keybcs2",
        "macce", "macroman", "cp852", "latin7", "cp1251", "cp1256", "cp1257", "geostd8", "swe7", "tis620"]
# not one weight a byte for itself: collation, bytes of special.bin a character
SPECIAL = [("latin2_czech_cs", 4), ("cp1250_czech_cs", 2), ("tis620_thai_ci", 2), ("latin1_german2_ci", 1)]
SRC = ROOT / "crates/value/src"


def main():
    server = MariaDB()
    server.start()
    try:
        run(server.connect())
    finally:
        server.kill() if hasattr(server, "kill") else server.stop()


def run(db):
    cur = db.cursor()
    cur.execute("use mysql")

    def one(sql):
        cur.execute(sql)
        return cur.fetchone()

    charset_bytes, weights, lines = b"", b"", []
    for cs in SETS:
        points, upper, lower = [], bytearray(), bytearray()
        cols = ",".join(f"hex(convert(_{cs} x'{b:02x}' using ucs2)),hex(upper(_{cs} x'{b:02x}')),hex(lower(_{cs} x'{b:02x}'))" for b in range(256))
        row = one(f"select {cols}")
        for b in range(256):
            p = int(row[3 * b] or "0", 16)
            points.append(0 if p == 0x3F and b != 0x3F else p)
            upper.append(int(row[3 * b + 1], 16))
            lower.append(int(row[3 * b + 2], 16))
        assert points[:128] == list(range(128)) or cs == "swe7", cs
        # the Unicode replacement character is no character of a set
        points = [0 if p == 0xFFFD else p for p in points]
        charset_bytes += struct.pack("<256H", *points) + bytes(upper) + bytes(lower)
        cur.execute("select id, collation_name, is_default from information_schema.collations where character_set_name=%s and id<1024 order by id", (cs,))
        default = binary = None
        for cid, name, is_default in cur.fetchall():
            if is_default == "Yes":
                default = cid
            if name.endswith("_bin"):
                binary = cid
                lines.append((cid, name, cs, "Algorithm::Bytes", False))
                continue
            w = one("select " + ",".join(f"hex(weight_string(_{cs} x'{b:02x}' collate {name}))" for b in range(256)))
            if name in dict(SPECIAL):
                lines.append((cid, name, cs, f"Algorithm::Special(Special::{cs.capitalize()})", is_default == "Yes"))
                continue
            assert all(len(x) == 2 for x in w), name
            lines.append((cid, name, cs, f"Algorithm::SimpleTable(eight_bit({len(weights) // 256}))", is_default == "Yes"))
            weights += bytes(int(x, 16) for x in w)
        text = one(f"select description from information_schema.character_sets where character_set_name='{cs}'")[0]
        print(f'    {cs.capitalize()} "{cs}" "{text}" {default} {binary};')
    special = b""
    for name, levels in SPECIAL:
        cs = name.split("_")[0]
        w = [bytes.fromhex(x) for x in one("select " + ",".join(f"hex(weight_string(_{cs} x'{b:02x}' collate {name}))" for b in range(256)))]
        if levels == 4:
            # levels with 01 between them and 00 behind; nothing: ignored; spaces and tabs are words' ends
            w = [b"".join(p or b"\0" for p in x[:-1].split(b"\1")) for x in w]
        if cs in ("tis620", "latin1"):
            cur.execute(f"select b.seq, min(a.seq) from seq_0_to_255 a join seq_0_to_255 b on convert(char(a.seq) using {cs}) like convert(concat('=',"
                        f" char(b.seq)) using {cs}) collate {name} escape '=' group by b.seq order by b.seq")
            w = [(x if cs == "tis620" else b"") + bytes([r[1]]) for x, r in zip(w, cur.fetchall(), strict=True)]
        assert all(len(x) == levels for x in w), (name, w)
        special += b"".join(bytes(x[i] for x in w) for i in range(levels))
    (SRC / "collation/special.bin").write_bytes(special)
    (SRC / "charset/eightbit.bin").write_bytes(charset_bytes)
    (SRC / "collation/eightbit.bin").write_bytes(weights)
    for cid, name, cs, alg, dflt in sorted(lines):
        print(f'    {cid} "{name}" {cs.capitalize()} true {"true" if dflt else "false"} 1 {alg};')
    print(len(charset_bytes), len(weights), len(special))


main()
