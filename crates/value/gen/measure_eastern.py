#!/usr/bin/env python3
"""Asks a real MySQL (scripts/mysql-peer.sh) for the weights of utf8mb4_zh_0900_as_cs, gb18030_chinese_ci and utf8mb4_ja_0900_as_cs, and writes
../src/collation/pinyin.bin, eastern.bin and japanese.bin again with them (docs/decisions/0022).

usage: EVENKEEL_MYSQL=... measure_eastern.py

The files have the form that gen_chinese.py and gen_japanese.py gave them; what those took from CLDR is here what MySQL shows: the order of Han
characters, radicals among them, and the weights of everything that has an entry. A sequence whose weights are those of its characters loses its entry.
"""
import struct
import sys
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / 'tests')]
import gen_chinese  # noqa: E402
from gen_tailored import entry_words  # noqa: E402
from lib.servers import MySQL  # noqa: E402

SRC = HERE.parent / 'src' / 'collation'
BEFORE_HAN, LAST_HAN = 0x1C46, 0xBDBE
# letters with two marks of which the first is a tone, and radicals: they are neither what their parts are nor in the order of Han
ALSO = [0x1EC, 0x1ED, 0x1EDA, 0x1EDB, 0x1EDC, 0x1EDD, 0x1EE8, 0x1EE9, 0x1EEA, 0x1EEB, 0x2E87, 0x2EA9, 0x2EAA, 0x2EB3, 0x2EB5, 0x2EB8, 0x2EC6, 0x2EC7,
        0x2ECA, 0x2ED5, 0x2EDE, 0x2EE1, 0xFFFD]
POINTS = [p for p in range(0x80, 0x33000) if not 0xD800 <= p < 0xE000]


def ask(cur, texts, charset, collation):
    """Texts to their weights in hexadecimal."""
    found, codec = {}, {'utf8mb4': 'utf8', 'gb18030': 'gb18030'}[charset]
    for i in range(0, len(texts), 400):
        part = texts[i:i + 400]
        cur.execute('SELECT ' + ','.join(f"HEX(WEIGHT_STRING(_{charset} x'{t.encode(codec).hex()}' COLLATE {collation}))" for t in part))
        found.update(zip(part, cur.fetchone()))
    return found


def levels(h):
    """The three levels of a string's weights."""
    w = [int(h[i:i + 4], 16) for i in range(0, len(h), 4)]
    out = [[]]
    for x in w:
        out.append([]) if x == 0 and len(out) < 3 else out[-1].append(x)
    return out + [[]] * (3 - len(out))


def section(data):
    """Upper first and moves, entries."""
    at = struct.unpack_from('<I', data, 2)[0]
    w = struct.unpack('<%dH' % ((len(data) - at) // 2), data[at:])
    flag, moves, p = w[0], w[1], 2 + 3 * w[1]
    head, n, entries, p = list(w[:2 + 3 * moves]), w[p], [], p + 1
    for _ in range(n):
        size, p = w[p], p + 1
        text = ''.join(chr(w[p + 2 * i] | w[p + 2 * i + 1] << 16) for i in range(size))
        p += 2 * size
        counts, p = w[p:p + 3], p + 3
        entries.append((text, [list(w[p + sum(counts[:i]):p + sum(counts[:i + 1])]) for i in range(3)]))
        p += sum(counts)
    assert p == len(w) and flag
    return head, entries


def written(head, entries):
    words = head + entry_words(entries)
    return struct.pack('<HI%dH' % len(words), 1, 6, *words)


def measured(cur, name, collation, more, change=None):
    """The file with the weights of its entries, and of `more` characters, as they are."""
    head, entries = section((SRC / name).read_bytes())
    if change:
        change(head)
    texts = sorted({t for t, _ in entries} | set(more))
    single = ask(cur, sorted({c for t in texts for c in t}), 'utf8mb4', collation)
    whole = ask(cur, texts, 'utf8mb4', collation)
    out = {}
    for t in texts:
        parts = [levels(single[c]) for c in t]
        w = levels(whole[t])
        if len(t) == 1 or w != [sum((p[i] for p in parts), []) for i in range(3)]:
            out[t] = w
    (SRC / name).write_bytes(written(head, out))
    print(name, len(entries), len(out))


def main():
    server = MySQL().start()
    try:
        with server.connect(use_unicode=True) as c, c.cursor() as cur:
            zh = ask(cur, [chr(p) for p in POINTS], 'utf8mb4', 'utf8mb4_zh_0900_as_cs')
            gb = ask(cur, [chr(p) for p in POINTS], 'gb18030', 'gb18030_chinese_ci')
            groups = {}
            for t, h in zh.items():
                if h and h.endswith('0000002000000002') and len(h) == 20 and BEFORE_HAN < int(h[:4], 16) <= LAST_HAN:
                    groups.setdefault(int(h[:4], 16) - BEFORE_HAN, []).append(t)
            # of characters with one weight the one that is no other's form stands for it
            plain = lambda t: (unicodedata.normalize('NFKC', t) != t, t)
            rank = {ord(min(g, key=plain)): r for r, g in groups.items()}
            others = [t for r, g in groups.items() for t in g if ord(t) not in rank]
            new = sorted(rank, key=rank.get)
            old = [ord(t) for h, t in sorted((h, t) for t, h in gb.items() if h and h.startswith('FFA0') and len(h) == 8)]
            pinyin(rank, new, old)
            measured(cur, 'eastern.bin', 'utf8mb4_zh_0900_as_cs', others + list(map(chr, ALSO)))
            ja = ask(cur, ['あ'], 'utf8mb4', 'utf8mb4_ja_0900_as_cs')

            def kana(head):
                # the second move is that of kana
                first = head[2 + 3]
                head[2 + 5] = (int(ja['あ'][:4], 16) - first) & 0xFFFF
            measured(cur, 'japanese.bin', 'utf8mb4_ja_0900_as_cs', [], kana)
    finally:
        server.remove()


def pinyin(rank, new, old):
    _, kept, _ = gen_chinese.written(rank, new, old)
    print('pinyin.bin', 'zh', len(new), 'gb18030', len(old), 'kept', len(kept))


if __name__ == '__main__':
    main()
