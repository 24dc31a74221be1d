#!/usr/bin/env python3
"""Generates ../src/collation/tailored.bin: the collations of languages.

usage: gen_tailored.py DUMP.json MEASURED.json
DUMP.json is what dump_tailored.py wrote: the old family, utf8mb4_icelandic_ci ...; `-` takes those sections from the present file.
The 0900 family follows CLDR's rules (RULES, CLDR 30 as MySQL 8 uses, https://unicode.org/license.txt) over uca900.bin. The rules do not say all (what
[before 1] is measured from, where reordered scripts begin, how differences are numbered), so the weights are those that a real MySQL showed for every
character and every sequence of the rules (MEASURED.json, by measure_languages.py; decision 22).

The file decides the bytes of index keys: never regenerate it with another result (tests.rs holds checksums).

File, numbers little-endian: u16 number of sections, u32 offset of each; a section, all u16:
  upper case first (0/1)
  number of moves; each: first, last primary weight, what is added (wrapping)
  number of entries; each: number of characters, the characters (u16 low, u16 high), numbers of primary, secondary and
  tertiary weights, the weights

A rule became weights: those of the reset position, then one more weight on the level of the difference that is above all regular ones: 54A4 + n,
0114 + n, 0020 + n.
"""
import json
import struct
import sys
import unicodedata
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / 'src' / 'collation'
OLD = ('icelandic latvian romanian slovenian polish estonian spanish swedish turkish czech danish lithuanian slovak spanish2 '
       'roman persian esperanto hungarian sinhala german2 croatian_mysql561 vietnamese').split()
HR = '&C<č<<<Č<ć<<<Ć&D<dž<<<ǆ<<<Dž<<<ǅ<<<DŽ<<<Ǆ<đ<<<Đ&L<lj<<<ǉ<<<Lj<<<ǈ<<<LJ<<<Ǉ&N<nj<<<ǌ<<<Nj<<<ǋ<<<NJ<<<Ǌ&S<š<<<Š&Z<ž<<<Ž'
NB = ('&D<<đ<<<Đ<<ð<<<Ð&t<<<þ/h&T<<<Þ/H&Y<<ü<<<Ü<<ű<<<Ű&[before 1]ǀ<æ<<<Æ<<ä<<<Ä<<ę<<<Ę<ø<<<Ø<<ö<<<Ö<<ő<<<Ő<<œ<<<Œ'
      '<å<<<Å<<<aa<<<Aa<<<AA')
HU = ('&C<cs<<<Cs<<<CS&D<dz<<<Dz<<<DZ&DZ<dzs<<<Dzs<<<DZS&G<gy<<<Gy<<<GY&L<ly<<<Ly<<<LY&N<ny<<<Ny<<<NY&S<sz<<<Sz<<<SZ'
      '&T<ty<<<Ty<<<TY&Z<zs<<<Zs<<<ZS&O<ö<<<Ö<<ő<<<Ő&U<ü<<<Ü<<ű<<<Ű')
for low in ('cs', 'dz', 'dzs', 'gy', 'ly', 'ny', 'sz', 'ty', 'zs'):
    cap, up = low[0].upper() + low[1:], low.upper()
    HU += f'&{low}<<<{low[0]}{low}/{low}&{cap}<<<{low[0].upper()}{low}/{low}&{up}<<<{up[0]}{up}/{up}'
RULES = [  # (name, rules, upper case first)
    ('de_pb', '&AE<<ä<<<Ä&OE<<ö<<<Ö&UE<<ü<<<Ü', 0),
    ('is', '&[before 1]b<á<<<Á&d<<đ<<<Đ<ð<<<Ð&[before 1]f<é<<<É&[before 1]j<í<<<Í&[before 1]p<ó<<<Ó&[before 1]v<ú<<<Ú'
           '&[before 1]z<ý<<<Ý&[before 1]ǀ<æ<<<Æ<<ä<<<Ä<ö<<<Ö<<ø<<<Ø<å<<<Å', 0),
    ('lv', '&[before 1]D<č<<<Č&[before 1]H<ģ<<<Ģ&I<<y<<<Y&[before 1]L<ķ<<<Ķ&[before 1]M<ļ<<<Ļ&[before 1]O<ņ<<<Ņ'
           '&[before 1]S<ŗ<<<Ŗ&[before 1]T<š<<<Š&[before 1]Ʒ<ž<<<Ž', 0),
    ('ro', '&A<ă<<<Ă<â<<<Â&I<î<<<Î&S<ş=ș<<<Ş=Ș&T<ţ=ț<<<Ţ=Ț', 0),
    ('sl', '&C<č<<<Č<ć<<<Ć&D<đ<<<Đ&S<š<<<Š&Z<ž<<<Ž', 0),
    ('pl', '&A<ą<<<Ą&C<ć<<<Ć&E<ę<<<Ę&L<ł<<<Ł&N<ń<<<Ń&O<ó<<<Ó&S<ś<<<Ś&Z<ź<<<Ź<ż<<<Ż', 0),
    ('et', '&[before 1]T<š<<<Š<z<<<Z<ž<<<Ž&[before 1]X<õ<<<Õ<ä<<<Ä<ö<<<Ö<ü<<<Ü', 0),
    ('es', '&N<ñ<<<Ñ', 0),
    ('sv', '&D<<đ<<<Đ<<ð<<<Ð&t<<<þ/h&T<<<Þ/H&Y<<ü<<<Ü<<ű<<<Ű&[before 1]ǀ<å<<<Å<ä<<<Ä<<æ<<<Æ<<ę<<<Ę<ö<<<Ö<<ø<<<Ø<<ő<<<Ő<<œ<<<Œ<<ô<<<Ô', 0),
    ('tr', '&C<ç<<<Ç&G<ğ<<<Ğ&[before 1]i<ı<<<I&i<<<İ&O<ö<<<Ö&S<ş<<<Ş&U<ü<<<Ü', 0),
    ('cs', '&C<č<<<Č&H<ch<<<cH<<<Ch<<<CH&R<ř<<<Ř&S<š<<<Š&Z<ž<<<Ž', 0),
    ('da', '&D<<đ<<<Đ<<ð<<<Ð&t<<<þ/h&T<<<Þ/H&Y<<ü<<<Ü<<ű<<<Ű&[before 1]ǀ<æ<<<Æ<<ä<<<Ä<ø<<<Ø<<ö<<<Ö<<ő<<<Ő<å<<<Å<<<aa<<<Aa<<<AA&oe<<œ<<<Œ', 1),
    ('lt', '&\u0300=\u0307\u0300&\u0301=\u0307\u0301&\u0303=\u0307\u0303&A<<ą<<<Ą&C<č<<<Č&E<<ę<<<Ę<<ė<<<Ė&I<<į<<<Į<<y<<<Y&S<š<<<Š'
           '&U<<ų<<<Ų<<ū<<<Ū&Z<ž<<<Ž', 0),
    ('sk', '&A<ä<<<Ä&C<č<<<Č&H<ch<<<cH<<<Ch<<<CH&O<ô<<<Ô&R<ř<<<Ř&S<š<<<Š&Z<ž<<<Ž', 0),
    ('es_trad', '&N<ñ<<<Ñ&C<ch<<<Ch<<<CH&l<ll<<<Ll<<<LL', 0),
    ('la', '&I<<j<<<J&U<<v<<<V', 0),
    ('eo', '&C<ĉ<<<Ĉ&G<ĝ<<<Ĝ&H<ĥ<<<Ĥ&J<ĵ<<<Ĵ&S<ŝ<<<Ŝ&U<ŭ<<<Ŭ', 0),
    ('hu', HU, 0),
    ('hr', HR, 0),
    ('vi', '&\u0300<<\u0309<<\u0303<<\u0301<<\u0323&a<ă<<<Ă<â<<<Â&d<đ<<<Đ&e<ê<<<Ê&o<ô<<<Ô<ơ<<<Ơ&u<ư<<<Ư', 0),
    ('ru', '', 0),
    ('nb', NB, 0),
    ('mn_cyrl', '', 0),
]
UPPER = {*range(0x08, 0x0D), 0x0E, 0x11, 0x12, 0x1D}


class Uca900:
    """Weights of single characters: ([primary], [secondary], [tertiary])."""

    def __init__(self):
        self.data = (OUT / 'uca900.bin').read_bytes()
        self.at = struct.unpack_from('<6I', self.data, 0)

    def u16(self, at):
        return struct.unpack_from('<H', self.data, at)[0]

    def get(self, cp):
        pages, offsets, multi, st_pages, st_offsets, st = self.at
        page = self.u16(24 + (cp >> 8) * 2)
        if page >= 0xFFFA:
            return None
        v = self.u16(pages + (page * 256 + (cp & 255)) * 2)
        if v >= 0xFFFA:
            return None
        if v < 0x8000:
            p = [v] if v else []
        else:
            i = v & 0x7FFF
            a, b = self.u16(offsets + i * 2), self.u16(offsets + i * 2 + 2)
            p = [self.u16(multi + j * 2) for j in range(a, b)]
        i = self.u16(st_pages + (page * 256 + (cp & 255)) * 2)
        at = st + self.u16(st_offsets + i * 2) * 2
        n2, n3 = self.u16(at), self.u16(at + 2)
        words = [self.u16(at + 4 + j * 2) for j in range(n2 + n3)]
        return p, words[:n2], words[n2:]


BASE = Uca900()


def relations(rules):
    """[(reset, before, [(strength, string, extension)])]"""
    out = []
    for chain in rules.split('&')[1:]:
        before = chain.startswith('[before 1]')
        if before:
            chain = chain[len('[before 1]'):]
        items, i = [], 0
        text, strength = '', None
        parts = []
        while i < len(chain):
            c = chain[i]
            if c in '<=':
                n = 1
                while chain[i:i + n + 1] == '<' * (n + 1):
                    n += 1
                parts.append((strength, text))
                strength, text = (0, '') if c == '=' else (n, '')
                i += n
            else:
                text += c
                i += 1
        parts.append((strength, text))
        for s, t in parts[1:]:
            string, _, extension = t.partition('/')
            items.append((s, string, extension))
        out.append((parts[0][1], before, items))
    return out


def tokens(text, table):
    """Weights of a text: tailored sequences first, the longest; combining marks in between are skipped where no mark of the same class
    stands in front (UTS #10, S2.1)."""
    chars = list(text)
    p, s, t = [], [], []
    while chars:
        for n in range(len(chars), 0, -1):
            head = ''.join(chars[:n])
            if head in table:
                used = n
                break
        else:
            head, used = chars[0], 1
        chars = chars[used:]
        i, last = 0, 0
        while i < len(chars):
            ccc = unicodedata.combining(chars[i])
            if ccc == 0:
                break
            if (i == 0 or ccc > last) and head + chars[i] in table:
                head += chars.pop(i)
                continue
            last = ccc
            i += 1
        w = table.get(head) or BASE.get(ord(head))
        assert w, (text, head)
        for to, x in zip((p, s, t), w):
            to += x
    return p, s, t


def tailor(rules, upper_first):
    table = {}
    for reset, before, items in relations(rules):
        p, s, t = tokens(unicodedata.normalize('NFD', reset), table)
        if before:
            p = p[:-1] + [p[-1] - 1]
        diff = [0, 0, 0]
        for strength, string, extension in items:
            if strength:
                diff[strength - 1] += 1
                diff[strength:] = [0] * (3 - strength)
            wp = p + ([0x54A4 + diff[0]] if diff[0] else [])
            ws = s + ([0x0114 + diff[1]] if diff[1] else [])
            wt = t + ([0x20 + diff[2]] if diff[2] else [])
            if upper_first:
                # a sequence has the case of its letters; the order number decides what is left
                kinds = {c.isupper() for c in string}
                case = 0x300 if kinds == {False} else 0x100 if kinds == {True} else 0x200
                wt = [case | (x & 0xFF) for x in wt]
            if extension:
                e = tokens(unicodedata.normalize('NFD', extension), table)
                wp, ws = wp + e[0], ws + e[1]
                wt = wt + ([(0x100 if c in UPPER else 0x300) | c for c in e[2]] if upper_first else e[2])
            w = (wp, ws, wt)
            table[unicodedata.normalize('NFC', string)] = w
            table[string] = w
            table[unicodedata.normalize('NFD', string)] = w
    # characters that decompose to something with tailored parts
    direct = dict(table)
    for cp in range(0xC0, 0x20000):
        c = chr(cp)
        d = unicodedata.normalize('NFD', c)
        if c in direct or d == c or 0xAC00 <= cp <= 0xD7A3 or cp > 0xFFFF and not unicodedata.decomposition(c):
            continue
        if BASE.get(cp) is None or any(BASE.get(ord(x)) is None for x in d):
            continue
        got, plain = tokens(d, direct), tokens(d, {})
        if got != plain:
            if upper_first:
                got = (got[0], got[1], [x if x > 0xFF else (0x100 if x in UPPER else 0x300) | x for x in got[2]])
            table[c] = got
    if upper_first:
        for c, w in table.items():
            assert all(x > 0xFF for x in w[2]), (c, w)
    return table


def levels(shown):
    """Weights by level of what WEIGHT_STRING showed."""
    words, out = [int(shown[i:i + 4], 16) for i in range(0, len(shown), 4)], [[]]
    for w in words:
        out.append([]) if w == 0 else out[-1].append(w)
    if len(out) == 4 and not out[0] and not out[1]:
        out[:2] = [[0]]  # a sequence without a primary weight: MySQL counts it as one of 0
    assert len(out) == 3, shown
    return tuple(out)


def measured(found, upper_first):
    """Moves of scripts and the table of one language, out of the weights MySQL showed."""
    points = {int(n): levels(w) for n, w in found['points'].items()}
    delta = {}
    for n, w in points.items():
        base = BASE.get(n)
        if base and len(base[0]) == len(w[0]) == 1 and w[1] == base[1] == [0x20]:
            delta.setdefault(base[0][0], {}).setdefault(w[0][0] - base[0][0], []).append(n)
    out = []
    # where all characters of a weight move, and nothing between moves otherwise, scripts moved
    last = None
    for weight in sorted(delta):
        d = max(delta[weight], key=lambda k: len(delta[weight][k]))
        last = d if len(delta[weight]) == 1 or len(delta[weight][d]) > 1 else last
        if out and out[-1][2] == last:
            out[-1][1] = weight
        elif last:
            out.append([weight, weight, last])
        elif out and out[-1][2] is not None:
            out.append([0, 0, None])
    moved = [(a, b, d & 0xFFFF) for a, b, d in out if d is not None and b - a > 0x20]
    shift = lambda w: next(((w + d) & 0xFFFF for a, b, d in moved if a <= w <= b), w)
    case = lambda w: (0x100 if w in UPPER else 0x300) | w if upper_first else w
    table = {}
    for n, w in points.items():
        base = BASE.get(n)
        if base and w != ([shift(x) for x in base[0]], base[1][:8], [case(x) for x in base[2][:8]]) and not 0xAC00 <= n <= 0xD7AF:
            table[chr(n)] = w
    plain = lambda c: points[ord(c)]
    for text, shown in found['sequences'].items():
        w = levels(shown)
        if w != tuple(sum((plain(c)[i] for c in text), []) for i in range(3)):
            table[text] = w
    return moved, table


def entry_words(entries):
    """The entries of a section: their number, each with its characters and weights."""
    words = [len(entries)]
    for text, w in sorted(entries.items()):
        words.append(len(text))
        for c in text:
            words += [ord(c) & 0xFFFF, ord(c) >> 16]
        words += [len(x) for x in w]
        for x in w:
            words += x
    return words


def section(upper_first, moved, entries):
    words = [upper_first, len(moved)]
    for m in moved:
        words += m
    words += entry_words(entries)
    return struct.pack('<%dH' % len(words), *words)


def present(count):
    """The first sections of the file as it is."""
    data = (OUT / 'tailored.bin').read_bytes()
    at = [struct.unpack_from('<I', data, 2 + 4 * i)[0] for i in range(count + 1)]
    return [data[a:b] for a, b in zip(at, at[1:])]


def main(dump, found):
    found = json.loads(Path(found).read_text())
    sections = present(len(OLD)) if dump == '-' else []
    dump = {} if dump == '-' else json.loads(Path(dump).read_text())
    hexed = lambda h: [int(h[i:i + 4], 16) for i in range(0, len(h), 4)]
    for name in OLD if dump else ():
        d = dump[name]
        entries = {chr(int(k)): (hexed(v), [], []) for k, v in d['singles'].items()}
        entries.update({k: (hexed(v), [], []) for k, v in d['contractions'].items()})
        sections.append(section(0, [], entries))
        print(len(sections) - 1, name, len(d['singles']), len(d['contractions']))
    for name, _, upper in RULES:
        m, table = measured(found[name], upper)
        sections.append(section(upper, m, table))
        print(len(sections) - 1, name, sum(len(k) == 1 for k in table), sum(len(k) > 1 for k in table), [tuple(map(hex, x)) for x in m])
    at, head = 2 + 4 * len(sections), []
    for s in sections:
        head.append(at)
        at += len(s)
    data = struct.pack('<H%dI' % len(head), len(head), *head) + b''.join(sections)
    (OUT / 'tailored.bin').write_bytes(data)
    print('tailored.bin', len(data))


if __name__ == '__main__':
    main(*sys.argv[1:])
