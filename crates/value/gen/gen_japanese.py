#!/usr/bin/env python3
"""Generates ../src/collation/japanese.bin: utf8mb4_ja_0900_as_cs and utf8mb4_ja_0900_as_cs_ks.

usage: gen_japanese.py JA30.XML
  common/collation/ja.xml of CLDR 30 (npm package cldr 4.3.0 ships it; https://unicode.org/license.txt)

The file decides the bytes of index keys: never regenerate it with another result (checksum in collation/tests.rs).

As tailored.bin (gen_tailored.py), one section; its first word has 4 for "Japanese" (collation/kana.rs): Han characters of JIS X 0208 have one
weight each in the order of that standard, from 54A4 on. Moves: kana stand behind Latin; a move by 8000 means that the weight stays and a
weight FB86 goes in front of it: all other scripts, which so come behind Han with computed weights (FB40 ... FB85).

Rules: `x|y` (y behind x) becomes a contraction of the weights of both. `<<<<` makes no difference on three levels; the fourth one of
_as_cs_ks needs no table: it tells Hiragana (2) and Katakana (8).
"""
import re
import struct
import sys
import unicodedata
from pathlib import Path

import gen_tailored as tailored

BASE = tailored.BASE
LATIN_END = tailored.group('GREEK')[0] - 1
KANA = BASE.get(ord('あ'))[0][0], BASE.get(ord('ん'))[0][0]
LAST = 0x54A3
BEHIND, LEAD = 0x8000, 0xFB86
MOVES = [(LATIN_END + 1, KANA[0] - 1, BEHIND), (*KANA, (LATIN_END + 1 - KANA[0]) & 0xFFFF), (KANA[1] + 1, LAST, BEHIND)]


def lexed(path):
    """[(before, reset, [(signs, context, string, extension)])]"""
    text = Path(path).read_text()
    body = re.search(r'<collation type="private-kana">(.*?)</collation>', text, re.S)[1].split('[CDATA[')[1].split(']]>')[0]
    out = []
    for line in re.findall(r"&(?:'(?:''|[^'])+'|''|[^&'#]|#[^\n]*)*", body):
        items = []  # (quoted or plain character)
        for quoted, doubled, comment, plain in re.findall(r"'((?:[^'])+)'|('')|(#[^\n]*)|(\S)", line[1:]):
            if quoted:
                items += [('text', c) for c in re.sub(r'\\u([0-9A-F]{4})|\\(.)', lambda m: chr(int(m[1], 16)) if m[1] else m[2], quoted)]
            elif doubled:
                items.append(('text', "'"))
            elif plain:
                items.append(('sign' if plain in '<=*|/[]' else 'text', plain))
        before = 0
        if items[0] == ('sign', '['):
            assert ''.join(c for _, c in items[:9]) == '[before3]', items
            before, items = 3, items[9:]
        parts, sign, word, star = [], '', [], False

        def flush():
            flat = [c if kind == 'text' else '\0' + c for kind, c in word]
            if star:
                parts.extend((sign, '', c, '') for c in flat)
                return
            s, context, extension = ''.join(flat), '', ''
            if '\0|' in s:
                context, s = s.split('\0|')
            if '\0/' in s:
                s, extension = s.split('\0/')
            parts.append((sign, context, s, extension))

        for kind, c in items:
            if kind == 'sign' and c in '<=':
                if word:
                    flush()
                    sign, word, star = '', [], False
                sign += c
            elif (kind, c) == ('sign', '*'):
                star = True
            else:
                word.append((kind, c))
        flush()
        out.append((before, parts[0][2], parts[1:]))
    return out


def tables(path):
    table, contexts = {}, {}
    for before, reset, items in lexed(path):
        p, s, t = tailored.tokens(unicodedata.normalize('NFD', reset), table)
        if before:
            t = t[:-1] + [t[-1] - 1]
        diff = [0, 0, 0]
        for sign, context, string, extension in items:
            if sign in ('<<', '<<<'):
                n = len(sign)
                diff[n - 1] += 1
                diff[n:] = [0] * (3 - n)
            else:
                assert sign in ('=', '<<<<'), sign
            e = tailored.tokens(unicodedata.normalize('NFD', extension), table) if extension else ([], [], [])
            w = (p + e[0], s + ([0x114 + diff[1]] if diff[1] else []) + e[1], t + ([0x20 + diff[2]] if diff[2] else []) + e[2])
            if context:
                contexts[context, string] = w
            else:
                table[string] = w
    direct = dict(table)
    for cp in [*range(0xC0, 0xAC00), *range(0xF900, 0x20000)]:
        c = chr(cp)
        d = unicodedata.normalize('NFD', c)
        if c in direct or d == c or BASE.get(cp) is None or any(BASE.get(ord(x)) is None for x in d):
            continue
        got = tailored.tokens(d, direct)
        if got != tailored.tokens(d, {}):
            table[c] = got
    for (context, string), w in contexts.items():
        first = tailored.tokens(unicodedata.normalize('NFD', context), direct)
        table[context + string] = tuple(x + y for x, y in zip(first, w))
    return {k: (sum((placed(x) for x in w[0]), []), w[1], w[2]) for k, w in table.items()}, contexts


def placed(w):
    for first, last, by in MOVES:
        if first <= w <= last:
            return [LEAD, w] if by == BEHIND else [(w + by) & 0xFFFF]
    return [w]


def main(path):
    table, contexts = tables(path)
    # what kana.rs knows of the fourth level: the length mark has a context behind every Hiragana but N, the iteration marks' is their own script
    hiragana = [c for c in map(chr, range(0x3041, 0x3097)) if c != 'ん']
    assert all((c, 'ー') in contexts for c in hiragana) and ('ん', 'ー') not in contexts
    assert all((c in 'ゝゞ') == ('ぁ' <= b <= 'ゖ') for b, c in contexts if c != 'ー')
    han = re.search(r'<\*(\S+)', Path(path).read_text().split('[last regular]')[1])[1].split(']]>')[0]
    jis = [bytes([r, c]) for r in range(0xB0, 0xF5) for c in range(0xA1, 0xFF)]
    assert han == ''.join(c.decode('euc_jp', 'ignore') for c in jis), 'the order of JIS X 0208, in which kana.rs has them'
    section = tailored.section(4, MOVES, table)
    (tailored.OUT / 'japanese.bin').write_bytes(struct.pack('<HI', 1, 6) + section)
    print('japanese.bin', 6 + len(section), 'characters', sum(len(k) == 1 for k in table), 'sequences', sum(len(k) > 1 for k in table),
          [tuple(map(hex, m)) for m in MOVES], 'Han', len(han))


if __name__ == '__main__':
    main(sys.argv[1])
