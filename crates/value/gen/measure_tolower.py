#!/usr/bin/env python3
"""Asks a real MySQL (scripts/mysql-peer.sh) for the weights of utf8mb3_tolower_ci and writes ../src/collation/tolower_ci.bin.

usage: EVENKEEL_MYSQL=... measure_tolower.py

The file has the form of general_ci.bin: 256 page numbers (255 = every weight is the code point), then pages of 256 weights of 16 bits.
"""
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / 'tests'))
from lib.servers import MySQL  # noqa: E402

COLLATION = 'utf8mb3_tolower_ci'


def measure(cur):
    """Code points and their weights; surrogates have none."""
    weights = {}
    for page in range(256):
        points = [p for p in range(page * 256, page * 256 + 256) if not 0xD800 <= p < 0xE000]
        if points:
            cur.execute('SELECT ' + ','.join(f"HEX(WEIGHT_STRING(_utf8mb3 x'{chr(p).encode().hex()}' COLLATE {COLLATION}))" for p in points))
            weights.update(zip(points, (int(h, 16) for h in cur.fetchone())))
    return weights


def table(weights):
    """The file's bytes."""
    pages = sorted({p >> 8 for p, w in weights.items() if w != p})
    head, body = bytearray([255] * 256), b''
    for n, page in enumerate(pages):
        head[page] = n
        body += struct.pack('<256H', *(weights.get(p, p) for p in range(page * 256, page * 256 + 256)))
    return bytes(head) + body


def main():
    server = MySQL()
    server.start()
    try:
        data = table(measure(server.connect().cursor()))
    finally:
        server.kill()
        server.remove()
    (HERE.parent / 'src' / 'collation' / 'tolower_ci.bin').write_bytes(data)


if __name__ == '__main__':
    main()
