#!/usr/bin/env python3
"""Generates ../src/collation/*.bin.

usage: gen_collations.py ALLKEYS-9.0.0.TXT DUMP_DIR
  ALLKEYS   UCA 9.0.0 default table (PyPI package pyuca 1.2 ships pyuca/allkeys-9.0.0.txt)
  DUMP_DIR  what dump_mariadb.py wrote (utf8mb4_unicode_ci, _unicode_520_ci, _general_ci, single-byte collations)

The tables decide the bytes of index keys: never regenerate one with another result (src/collation/tests.rs holds their
checksums).

UCA table file, all numbers little-endian:
  u32 x 6   byte offsets of: pages, multi offsets, multi weights, st pages, st offsets, st data
  u16[4352] directory: page number of each 256 code points, or a special value for all of them
  pages     u16[256] each: < 0x8000 one primary weight (0 = ignorable); 0x8000.. = 0x8000 + index of a list; or special
  multi     u16 start index of each list (count + 1 of them); u16 weights
  st        like pages, but always an index into lists [n secondary, n tertiary, secondaries..., tertiaries...]
Special: 0xFFFF implicit FBC0, 0xFFFE FB40 (Han), 0xFFFD FB80 (rare Han), 0xFFFC FB00 (Tangut), 0xFFFB Hangul syllable,
0xFFFA the single weight FFFD.
"""
import re, struct, sys
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / 'src' / 'collation'
FBC0, FB40, FB80, FB00, HANGUL, FFFD = 0xFFFF, 0xFFFE, 0xFFFD, 0xFFFC, 0xFFFB, 0xFFFA
PLAIN_ST = ([0x20], [0x02])


def implicit(cp, base):
    return [base + (cp >> 15), (cp & 0x7FFF) | 0x8000]


def write_uca(name, special, weights, st):
    """special(cp) for code points without an entry; weights: cp -> [primary]; st: cp -> ([sec], [ter]) or None."""
    multi, multi_ids, pages, directory = [], {}, [], []
    st_lists, st_ids, st_pages = [], {}, []

    def list_id(w):
        w = tuple(w)
        if w not in multi_ids:
            multi_ids[w] = len(multi)
            multi.append(w)
        return 0x8000 + multi_ids[w]

    def st_id(v):
        v = (tuple(v[0]), tuple(v[1]))
        if v not in st_ids:
            st_ids[v] = len(st_lists)
            st_lists.append(v)
        return st_ids[v]

    st_id(PLAIN_ST)
    for page in range(0x110000 >> 8):
        row, strow = [], []
        for cp in range(page << 8, (page + 1) << 8):
            if cp in weights:
                w = weights[cp]
                row.append(0 if not w else w[0] if len(w) == 1 and w[0] < 0x8000 else list_id(w))
                strow.append(st_id(st[cp]) if st else 0)
            else:
                row.append(special(cp))
                strow.append(0)
        if len(set(row)) == 1 and row[0] >= 0xFFFA:
            directory.append(row[0])
        else:
            directory.append(len(pages))
            pages.append(row)
            st_pages.append(strow)
    assert len(multi) < 0x7FFA, len(multi)
    u16 = lambda seq: struct.pack('<%dH' % len(seq), *seq)
    offsets, flat = [0], []
    for w in multi:
        flat += w
        offsets.append(len(flat))
    st_offsets, st_flat = [], []
    for s, t in st_lists:
        st_offsets.append(len(st_flat))
        st_flat += [len(s), len(t), *s, *t]
    parts = [b''.join(map(u16, pages)), u16(offsets), u16(flat)]
    parts += [b''.join(map(u16, st_pages)), u16(st_offsets), u16(st_flat)] if st else [b'', b'', b'']
    at, head = 24 + 2 * len(directory), []
    for p in parts:
        head.append(at)
        at += len(p)
    data = struct.pack('<6I', *head) + u16(directory) + b''.join(parts)
    (OUT / name).write_bytes(data)
    print(name, len(data), 'pages', len(pages), 'lists', len(multi), 'st', len(st_lists))


def uca900(path):
    weights, st = {}, {}
    for line in open(path, encoding='utf8'):
        m = re.match(r'([0-9A-F]+)\s*;\s*((?:\[[^\]]*\])+)', line)
        if not m:
            continue  # comments, and contractions: MySQL's 0900 collations have none of the default table's
        cp = int(m[1], 16)
        ces = [tuple(int(x, 16) for x in ce.split('.')) for ce in re.findall(r'\[[.*]([0-9A-F.]+)\]', m[2])]
        weights[cp] = [c[0] for c in ces if c[0]]
        st[cp] = ([c[1] for c in ces if c[1]], [c[2] for c in ces if c[2]])
    unified = {0xFA0E, 0xFA0F, 0xFA11, 0xFA13, 0xFA14, 0xFA1F, 0xFA21, 0xFA23, 0xFA24, 0xFA27, 0xFA28, 0xFA29}
    rare = [(0x3400, 0x4DB5), (0x20000, 0x2A6D6), (0x2A700, 0x2B734), (0x2B740, 0x2B81D), (0x2B820, 0x2CEA1)]

    def special(cp):
        if 0xAC00 <= cp <= 0xD7A3:
            return HANGUL
        if 0x4E00 <= cp <= 0x9FD5 or cp in unified:
            return FB40
        if any(a <= cp <= b for a, b in rare):
            return FB80
        if 0x17000 <= cp <= 0x18AFF:
            return FB00
        return FBC0

    write_uca('uca900.bin', special, weights, st)


def from_dump(name, tsv):
    weights, specials = {}, {}
    for line in open(tsv):
        cp, _, h = line.rstrip('\n').partition('\t')
        cp = int(cp)
        w = [int(h[i:i + 4], 16) for i in range(0, len(h), 4)]
        for base, code in ((0xFBC0, FBC0), (0xFB40, FB40), (0xFB80, FB80)):
            if w == implicit(cp, base):
                specials[cp] = code
                break
        else:
            if w == [0xFFFD]:
                specials[cp] = FFFD
            else:
                weights[cp] = w
    write_uca(name, lambda cp: specials.get(cp, FBC0), weights, None)


def general(tsv):
    """Directory of u8 page numbers for the BMP (255 = weight is the code point), then u16[256] pages."""
    w = {}
    for line in open(tsv):
        cp, _, h = line.rstrip('\n').partition('\t')
        if int(cp) < 0x10000:
            w[int(cp)] = int(h, 16)
        else:
            assert h == 'FFFD', line
    directory, pages = [], []
    for page in range(256):
        row = [w.get(cp, cp) for cp in range(page << 8, (page + 1) << 8)]
        if row == list(range(page << 8, (page + 1) << 8)):
            directory.append(255)
        else:
            directory.append(len(pages))
            pages.append(row)
    data = bytes(directory) + b''.join(struct.pack('<256H', *r) for r in pages)
    (OUT / 'general_ci.bin').write_bytes(data)
    print('general_ci.bin', len(data), 'pages', len(pages))


def single_byte(folder):
    names = ['latin1_german1_ci', 'latin1_swedish_ci', 'latin1_danish_ci', 'latin1_general_ci', 'latin1_general_cs',
             'latin1_spanish_ci', 'ascii_general_ci']
    out = b''
    for n in names:
        row = [line.rstrip('\n').split('\t')[1] for line in open(folder / (n + '.tsv'))]
        # bytes above 0x7F are not ASCII; the server never lets them in
        out += bytes(int(h, 16) if len(h) == 2 else i for i, h in enumerate(row))
    assert len(out) == 256 * len(names)
    (OUT / 'single_byte.bin').write_bytes(out)
    print('single_byte.bin', len(out), names)


if __name__ == '__main__':
    uca900(sys.argv[1])
    folder = Path(sys.argv[2])
    from_dump('uca400.bin', folder / 'utf8mb4_unicode_ci.tsv')
    from_dump('uca520.bin', folder / 'utf8mb4_unicode_520_ci.tsv')
    general(folder / 'utf8mb4_general_ci.tsv')
    single_byte(folder)
