#!/usr/bin/env python3
"""Generates ../src/charset/gb18030.bin, ../src/collation/pinyin.bin and ../src/collation/eastern.bin.

usage: gen_chinese.py ZH24.XML ZH30.XML
  common/collation/zh.xml of CLDR 24 (gb18030_chinese_ci; npm package cldr 2.0.1 ships it) and of CLDR 30 (utf8mb4_zh_0900_as_cs; cldr 4.3.0);
  https://unicode.org/license.txt. The code points are those of Python's codec, which is GB 18030-2000; charset/gb18030.rs exchanges the two that
  the standard of 2005 did.

The files decide the bytes of index keys: never regenerate them with another result (checksums in charset/gb18030.rs, collation/pinyin.rs).

gb18030.bin, u16 little-endian: where codes of two bytes differ from those of gbk (multibyte.bin): triples number of the first code (counted
over all valid ones), how many, first code point. Codes of four bytes need no table: in order they have what the others leave.

pinyin.bin, u32 and u16 little-endian:
  order of CLDR 30: u32 number of runs; each u32 first code point, u16 how many, u16 rank each (from 1; 0: none)
  order of CLDR 24: u32 number; u32 code points of CLDR 30 that stand elsewhere or are not there; u32 number of places; each u32 character
  of the others (0: the start), u16 how many follow it, u32 each. Letters only: no radicals.

eastern.bin: as tailored.bin (gen_tailored.py), one section, zh; its first word has 2 for "Han by pinyin": weights 1C47 and following by rank.
  The weights of scripts from Latin on stand behind, computed ones of other Han characters in between, as MySQL has them.
"""
import re
import struct
import sys
import unicodedata
from bisect import bisect_left
from pathlib import Path

import gen_tailored as tailored

BEFORE_HAN = 0x1C46
SRC = Path(__file__).resolve().parent.parent / 'src'


def gbk():
    """Codes of two bytes of gbk in multibyte.bin."""
    d, at = (SRC / 'charset' / 'multibyte.bin').read_bytes(), 0
    for _ in range(5):
        at += 4 + 2 * struct.unpack_from('<I', d, at)[0]
    w = struct.unpack_from('<%dH' % struct.unpack_from('<I', d, at)[0], d, at + 4)
    table, p = {}, 1
    for _ in range(w[0]):
        table.update((w[p] + i, c) for i, c in enumerate(w[p + 2:p + 2 + w[p + 1]]) if c)
        p += 2 + w[p + 1]
    return table


def gb18030():
    base, runs = gbk(), []
    codes = [bytes([a, b]) for a in range(0x81, 0xFF) for b in [*range(0x40, 0x7F), *range(0x80, 0xFF)]]
    for i, c in enumerate(codes):
        point = ord(c.decode('gb18030'))
        if base.get(c[0] << 8 | c[1]) == point:
            continue
        if runs and runs[-1][0] + runs[-1][1] == i and runs[-1][2] + runs[-1][1] == point:
            runs[-1][1] += 1
        else:
            runs.append([i, 1, point])
    double, n = {ord(c.decode('gb18030')) for c in codes}, 0
    for p in range(0x80, 0x110000):
        if p in double or 0xD800 <= p < 0xE000:
            continue
        if p == 0x10000:
            n = 189000
        assert chr(p).encode('gb18030') == bytes([0x81 + n // 12600, 0x30 + n // 1260 % 10, 0x81 + n // 10 % 126, 0x30 + n % 10]), hex(p)
        n += 1
    data = b''.join(struct.pack('<3H', *r) for r in runs)
    (SRC / 'charset' / 'gb18030.bin').write_bytes(data)
    print('gb18030.bin', len(data))


def listed(path, kind):
    """The characters in the order of a pinyin collation."""
    body = re.search(r"<collation type=[\"']pinyin[\"']%s>(.*?)</collation>" % kind, Path(path).read_text(), re.S)[1]
    rules = re.sub(r'#[^\n]*', '', body.split('&[last regular]')[1]).split('&')[0].split(']]>')[0]
    out = []
    for star, s in re.findall(r"<(\*?)((?:'[^']*'|[^<&'])*)", rules):
        s = ''.join(s.split())
        if star:
            assert '-' not in s
            out += map(ord, s)
        else:
            assert 'FDD0' in s or '\uFDD0' in s, s  # marks of an index
    assert len(set(out)) == len(out)
    return out


def pinyin(path):
    """The long list; where it has a radical in place of a character of the same shape (26 of them: U+65E5, U+6708 ...) the character
    stands in front of what follows its predecessor of the short list."""
    out, short = listed(path, ''), listed(path, " alt=[\"']short[\"']")
    have = set(out)
    for before, c in zip(short, short[1:]):
        if c not in have:
            out.insert(out.index(before) + 1, c)
            have.add(c)
    print(len(short), 'short', len(out), 'long', 'added', sum(c in have for c in short) - len(set(short) & set(listed(path, ''))))
    return out


def stays(a, b):
    """The longest part of `b` that is in the order of `a`."""
    rank = {c: i for i, c in enumerate(a)}
    tails, ends, back = [], [], {}
    for c in b:
        if c not in rank:
            continue
        k = bisect_left(tails, rank[c])
        back[c] = ends[k - 1] if k else None
        tails[k:k + 1], ends[k:k + 1] = [rank[c]], [c]
    c, kept = ends[-1], set()
    while c is not None:
        kept.add(c)
        c = back[c]
    return kept


# Latin and all scripts behind it up to those of computed weights; computed weights of Tangut, Han, others: first, last, new first
MOVES = [(0x1C47, 0x54A3, 0xBDC4), (0xFB00, 0xFB00, 0xF621), (0xFB40, 0xFB41, 0xBDBF), (0xFB80, 0xFB80, 0xBDC1), (0xFB84, 0xFB85, 0xBDC2),
         (0xFBC0, 0xFBE1, 0xF622)]
EXTRA = 0xF644


def zh(path, rank):
    text = Path(path).read_text()
    body = re.search(r"<collation type=[\"']private-pinyin[\"']>(.*?)</collation>", text, re.S)[1]
    rules = body.split('[CDATA[')[1].split(']]>')[0]
    body = re.search(r"<collation type=[\"']pinyin[\"']>(.*?)</collation>", text, re.S)[1]
    rest = re.sub(r'#[^\n]*', '', body.split('&[last regular]')[1]).split(']]>')[0]
    rules += rest[rest.index('&'):]
    rules = ''.join(rules.split()).replace("'", '')
    table = {}

    def move(w):
        out, lead = [], False
        for x in w:
            m = next((m for m in MOVES if m[0] <= x <= m[1]), None) if not lead else None
            lead = not lead and 0xFB00 <= x <= 0xFBE1
            out.append(x - m[0] + m[2] if m else x)
        return out

    def one(c):
        if ord(c) in rank:
            return [BEFORE_HAN + rank[ord(c)]], [0x20], [2]
        w = tailored.BASE.get(ord(c))
        return w and (move(w[0]), w[1], w[2])

    def weights(text, table):
        out = ([], [], [])
        while text:
            n = next((n for n in range(len(text), 0, -1) if text[:n] in table), 0)
            w = table[text[:n]] if n else one(text[0])
            assert w, text
            for to, x in zip(out, w):
                to += x
            text = text[n or 1:]
        return out

    for chain in rules.split('&')[1:]:
        before = chain.startswith('[before2]')
        parts = re.split('(<+)', chain.removeprefix('[before2]'))
        p, s, t = weights(unicodedata.normalize('NFD', parts[0]), table)
        if before:
            s = s[:-1] + [s[-1] - 1]
        diff = [0, 0, 0]
        for sign, string in zip(parts[1::2], parts[2::2]):
            n = len(sign)
            diff[n - 1] += 1
            diff[n:] = [0] * (3 - n)
            string, _, extension = string.partition('/')
            e = weights(extension, table)
            extra = [[base + d] if d else [] for base, d in zip((EXTRA, 0x114, 0x20), diff)]
            w = tuple(x + y + z for x, y, z in zip((p, s, t), extra, e))
            for form in ('NFC', 'NFD'):
                table[unicodedata.normalize(form, string)] = w
            table[string] = w
    direct = dict(table)
    for cp in [*range(0xC0, 0xAC00), *range(0xF900, 0x10000), *range(0x2F800, 0x2FA20)]:
        c = chr(cp)
        d = unicodedata.normalize('NFD', c)
        if d == c or c in direct or cp in rank or any(one(x) is None for x in d):
            continue
        if cp >= 0xF900 and ord(d[0]) in rank or any(d[:n] in direct for n in range(1, len(d) + 1)):
            table[c] = weights(d, direct)
    return table


def eastern(path, rank):
    moves = [(a, b, (to - a) & 0xFFFF) for a, b, to in MOVES]
    section = tailored.section(2, moves, zh(path, rank))
    data = struct.pack('<HI', 1, 6) + section
    (SRC / 'collation' / 'eastern.bin').write_bytes(data)
    print('eastern.bin', len(data))


def written(rank, new, old):
    """Writes pinyin.bin: `rank` of characters in the order `new`, and where `old` differs from it. Returns runs, what is kept, places."""
    runs, codes, at = [], sorted(rank), 0
    while at < len(codes):
        end = at
        while end + 1 < len(codes) and codes[end + 1] - codes[end] <= 4:
            end += 1
        runs.append((codes[at], [rank.get(c, 0) for c in range(codes[at], codes[end] + 1)]))
        at = end + 1
    data = struct.pack('<I', len(runs)) + b''.join(struct.pack('<IH%dH' % len(r), first, len(r), *r) for first, r in runs)
    kept = stays(new, old)
    gone = [c for c in new if c not in kept]
    places, last = {}, 0
    for c in old:
        if c in kept:
            last = c
        else:
            places.setdefault(last, []).append(c)
    data += struct.pack('<I%dI' % len(gone), len(gone), *gone) + struct.pack('<I', len(places))
    data += b''.join(struct.pack('<IH%dI' % len(p), anchor, len(p), *p) for anchor, p in places.items())
    (SRC / 'collation' / 'pinyin.bin').write_bytes(data)
    return runs, kept, places


def main(zh24, zh30):
    gb18030()
    new = pinyin(zh30)
    old = [c for c in pinyin(zh24) if unicodedata.category(chr(c)) in ('Lo', 'Nl')]
    rank = {c: i + 1 for i, c in enumerate(new)}
    runs, kept, places = written(rank, new, old)
    eastern(zh30, rank)
    print('pinyin.bin', 'runs', len(runs), 'CLDR 30', len(new), 'CLDR 24', len(old), 'kept', len(kept), 'places', len(places))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
