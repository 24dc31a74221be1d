#!/usr/bin/env python3
"""Writes what the language collations of a MariaDB change of utf8mb4_unicode_ci.

usage: dump_tailored.py OUT.json      (starts MariaDB as tests/lib/servers.py does)
The weights of the old family are the same in both servers but for croatian (MySQL's is croatian_mysql561_ci there).
For every collation: characters of the BMP with other weights, and pairs whose weights are not those of their characters.
"""
import json
import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / 'tests' / 'lib'))
import servers  # noqa: E402

NAMES = ('icelandic latvian romanian slovenian polish estonian spanish swedish turkish czech danish lithuanian slovak spanish2 '
         'roman persian esperanto hungarian sinhala german2 croatian_mysql561 vietnamese').split()
WEIGHT = 'hex(weight_string(convert(char(seq using utf32) using utf8mb4) collate utf8mb4_%s_ci))'


def main(out):
    server = servers.MariaDB().start()
    result = {}
    try:
        with server.connect() as c, c.cursor() as cur:
            cur.execute('create database if not exists test')
            cur.execute('use test')
            cur.execute('create table p (s varchar(4) character set utf8mb4 collate utf8mb4_bin)')
            for name in NAMES:
                ours, base = WEIGHT % name, WEIGHT % 'unicode'
                cur.execute(f'select seq, {ours} from seq_0_to_65535 where seq not between 55296 and 57343 and {ours} <> {base}')
                singles = dict(cur.fetchall())
                letters = set('abcdefghijklmnopqrstuvwxyz') | {chr(c) for c in singles if chr(c).isalpha()}
                letters |= {c.upper() for c in letters if len(c.upper()) == 1}
                if name in ('persian', 'sinhala'):
                    letters |= {chr(c) for c in range(0x600, 0x700)} if name == 'persian' else {chr(c) for c in range(0xD80, 0xE00)}
                    letters |= {chr(0x200D), chr(0x200C)}
                cur.execute('truncate p')
                pairs = [a + b for a, b in product(sorted(letters), sorted(letters))]
                for i in range(0, len(pairs), 5000):
                    cur.executemany('insert into p values (%s)', pairs[i:i + 5000])
                part = lambda e: f'hex(weight_string({e} collate utf8mb4_{name}_ci))'
                cur.execute(f'select s, {part("s")} from p where {part("s")} <> concat({part("left(s,1)")}, {part("right(s,1)")})')
                contractions = dict(cur.fetchall())
                print(name, len(singles), sorted(contractions))
                result[name] = {'singles': {str(k): v for k, v in singles.items()}, 'contractions': contractions}
    finally:
        server.kill()
        server.remove()
    Path(out).write_text(json.dumps(result, indent=0, sort_keys=True))


if __name__ == '__main__':
    main(sys.argv[1])
