#!/usr/bin/env python3
"""Generates ../src/charset/multibyte.bin: the East Asian character sets, as a MariaDB converts, compares and folds them.

usage: dump_multibyte.py       (starts MariaDB as tests/lib/servers.py does)
The tables decide the bytes of index keys: never regenerate them with another result (charset/multibyte.rs holds the checksum).

File, u16 little-endian, one section a set in the order of SETS, each preceded by its length in words (two words):
  planes: codes of two bytes, then codes of three bytes (8F xx xx) as xx xx: number of runs; each: first code, length, code points
  (0 = not defined)
  code points that become another code than the one they come from: number; each: code point, length of the code, code (low 16 bits)
  weights of single bytes: 256
  1 if codes of two bytes have weights of their own, then as runs: number; each: first code, length, weights
  upper, then lower case: number; each: length and code (low 16 bits), those of its other case
  single bytes above 7F: number; each: byte, code point
"""
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / 'tests' / 'lib'))
import servers  # noqa: E402

OUT = Path(__file__).resolve().parent.parent / 'src' / 'charset' / 'multibyte.bin'
SETS = [('big5', 'big5_chinese_ci'), ('ujis', 'ujis_japanese_ci'), ('sjis', 'sjis_japanese_ci'), ('euckr', 'euckr_korean_ci'),
        ('gb2312', 'gb2312_chinese_ci'), ('gbk', 'gbk_chinese_ci'), ('cp932', 'cp932_japanese_ci'), ('eucjpms', 'eucjpms_japanese_ci')]


def runs(table):
    """Runs of following codes; short gaps are filled with 0."""
    out, codes = [], sorted(table)
    at = 0
    while at < len(codes):
        end = at
        while end + 1 < len(codes) and codes[end + 1] - codes[end] <= 3:
            end += 1
        first, last = codes[at], codes[end]
        out.append([first, last - first + 1] + [table.get(c, 0) for c in range(first, last + 1)])
        at = end + 1
    words = [len(out)]
    for r in out:
        words += r
    return words


def main():
    server = servers.MariaDB().start()
    data = b''
    try:
        with server.connect() as c, c.cursor() as cur:
            cur.execute('create database if not exists test')
            cur.execute('use test')
            cur.execute("set sql_mode = ''")
            for name, collation in SETS:
                def ask(what, source, condition='1'):
                    cur.execute(f'select seq, {what} from {source} where {condition}')
                    return cur.fetchall()
                text = f'convert(unhex(lpad(hex(seq), %d, "0")) using {name})'
                one = {k: v for k, v in ask(f'hex(convert({text % 2} using utf32))', 'seq_0_to_255')}
                back1 = {k: v for k, v in ask(f'hex({text % 2})', 'seq_0_to_255')}
                single = {k: int(v, 16) for k, v in one.items() if len(v) == 8 and back1[k] == '%02X' % k}
                assert all(single[b] == b for b in range(128)), [(b, single.get(b)) for b in range(128) if single.get(b) != b]
                kana = {b: p for b, p in single.items() if b >= 128}
                double = {k: int(v, 16) for k, v in ask(f'hex(convert({text % 4} using utf32))', 'seq_32768_to_65535',
                          f'char_length({text % 4}) = 1 and hex({text % 4}) = hex(seq)') if len(v) == 8 and v != '0000003F'}
                triple = {}
                if name in ('ujis', 'eucjpms'):
                    t3 = f'convert(unhex(concat("8F", lpad(hex(seq), 4, "0"))) using {name})'
                    triple = {k: int(v, 16) for k, v in ask(f'hex(convert({t3} using utf32))', 'seq_32768_to_65535',
                              f'char_length({t3}) = 1') if len(v) == 8 and v != '0000003F'}
                assert max(list(double.values()) + list(triple.values())) < 0x10000
                inverse = {}
                for k, p in sorted(kana.items()):
                    inverse.setdefault(p, (1, k))
                for k, p in sorted(double.items()):
                    inverse.setdefault(p, (2, k))
                for k, p in sorted(triple.items()):
                    inverse.setdefault(p, (3, k))
                real = {k: v for k, v in ask(f'hex(convert(char(seq using utf32) using {name}))', 'seq_128_to_65535',
                        'seq not between 55296 and 57343') if v != '3F'}
                other = []
                for p in sorted(set(real) | set(inverse)):
                    want = real.get(p)
                    n, code = inverse.get(p, (0, 0))
                    have = {0: None, 1: '%02X', 2: '%04X', 3: '8F%04X'}[n]
                    if (have and have % code) != want:
                        other.append([p, len(want) // 2 if want else 0, int(want[-4:], 16) if want else 0])
                w1 = {k: v for k, v in ask(f'hex(weight_string({text % 2} collate {collation}))', 'seq_0_to_255')}
                singles = [int(w1[b], 16) if b in single and len(w1[b]) == 2 else 0xFF00 | b if b >= 128 else b for b in range(256)]
                w2 = {k: v for k, v in ask(f'hex(weight_string({text % 4} collate {collation}))', 'seq_32768_to_65535') if k in double}
                assert all(len(v) == 4 for v in w2.values()), [x for x in w2.items() if len(x[1]) != 4][:5]
                own = {k: int(v, 16) for k, v in w2.items() if int(v, 16) != k}
                cases = []
                for f in ('upper', 'lower'):
                    changed = [(k, int(v, 16)) for k, v in ask(f'hex({f}({text % 2}))', 'seq_0_to_255') if k in single and int(v, 16) != k and k >= 128]
                    changed += [(k, int(v, 16)) for k, v in ask(f'hex({f}({text % 4}))', 'seq_32768_to_65535') if k in double and int(v, 16) != k]
                    changed = [((1, k) if k < 256 else (2, k), v) for k, v in changed]
                    if triple:
                        changed += [((3, k), int(v, 16)) for k, v in ask(f'hex({f}({t3}))', 'seq_32768_to_65535') if k in triple and int(v, 16) != 0x8F0000 | k]
                    length = lambda v: 1 if v < 0x100 else 2 if v < 0x10000 else 3
                    cases.append([[*k, length(v), v & 0xFFFF] for k, v in sorted(changed)])
                words = runs(double) + runs(triple)
                words += [len(other)] + [x for o in other for x in o]
                words += singles + [1 if own else 0]
                if own:
                    words += runs({k: int(v, 16) for k, v in w2.items()})
                for changed in cases:
                    words += [len(changed)] + [x for pair in changed for x in pair]
                words += [len(kana)] + [x for pair in sorted(kana.items()) for x in pair]
                print(name, 'single', len(kana), 'double', len(double), 'triple', len(triple), 'other', len(other), 'own weights', len(own),
                      'case', [len(x) for x in cases], 'bytes', 2 * len(words), 'odd singles', sorted(set(range(256)) - set(single))[:4])
                data += struct.pack('<I', len(words)) + struct.pack('<%dH' % len(words), *words)
    finally:
        server.kill()
        server.remove()
    OUT.write_bytes(data)
    print(OUT.name, len(data))


if __name__ == '__main__':
    main()
