"""Events of binary log files, in a form that two servers can be compared in: what only the moment decides (times, positions, numbers of
connections, tables and transactions) is left out, all else is compared byte by byte."""
import re
import struct

NAMES = {2: "QUERY", 3: "STOP", 4: "ROTATE", 5: "INTVAR", 13: "RAND", 14: "USER_VAR", 15: "FORMAT_DESCRIPTION", 16: "XID", 19: "TABLE_MAP",
         29: "ROWS_QUERY", 30: "WRITE_ROWS", 31: "UPDATE_ROWS", 32: "DELETE_ROWS", 33: "GTID", 34: "ANONYMOUS_GTID", 35: "PREVIOUS_GTIDS",
         38: "XA_PREPARE", 39: "PARTIAL_UPDATE_ROWS", 40: "TRANSACTION_PAYLOAD"}
# events about files
OF_FILES = {3, 4, 15, 35}
# code: (name, bytes of the value)
VARS = {0: ("flags2", 4), 1: ("sql_mode", 8), 3: ("auto_increment", 4), 4: ("charset", 6), 7: ("lc_time_names", 2), 8: ("charset_database", 2),
        9: ("tables_changed", 8), 13: ("microseconds", 3), 16: ("explicit_defaults", 1), 17: ("ddl_xid", 8), 18: ("default_collation", 2),
        19: ("require_primary_key", 1), 20: ("table_encryption", 1), 21: ("sql_foreign_keys", 1)}
# their values are of the moment
MOMENTS = {"ddl_xid", "microseconds"}


def status_vars(b):
    """The settings of a QUERY event by name."""
    out, at = {}, 0
    while at < len(b):
        code = b[at]
        at += 1
        if code in VARS:
            name, n = VARS[code]
            out[name] = True if name in MOMENTS else int.from_bytes(b[at:at + n], "little")
            at += n
        elif code in (5, 6):
            n = b[at]
            out["time_zone" if code == 5 else "catalog"] = b[at + 1:at + 1 + n].decode()
            at += 1 + n
        elif code == 11:
            n = b[at]
            m = b[at + 1 + n]
            out["invoker"] = (b[at + 1:at + 1 + n].decode(), b[at + 2 + n:at + 2 + n + m].decode())
            at += 2 + n + m
        elif code == 12:
            n, at, names = b[at], at + 1, []
            for _ in range(0 if n == 254 else n):
                end = b.index(0, at)
                names.append(b[at:end].decode())
                at = end + 1
            out["schemas"] = names if n != 254 else "many"
        else:
            raise ValueError(f"unknown setting {code}")
    return out


def one(kind, flags, body):
    """An event without what the moment decides: a tuple whose first item is its name."""
    name = NAMES.get(kind, str(kind))
    if kind == 2:
        _, _, n, error, m = struct.unpack_from("<IIBHH", body)
        settings = status_vars(body[13:13 + m])
        schema = body[13 + m:13 + m + n]
        return (name, flags, error, schema.decode("latin-1"), body[14 + m + n:].decode("latin-1"), tuple(sorted(settings.items())))
    if kind == 19:
        return (name, flags, body[6:].hex())
    if kind in (30, 31, 32, 39):
        return (name, flags, struct.unpack_from("<H", body, 6)[0], body[8:].hex())
    if kind in (33, 34):
        return (name, flags, body[0])
    if kind in (16, 40):  # a number; compressed events
        return (name, flags)
    return (name, flags, body.hex())


def walk(path):
    """The events of a file, without those about files, each with its table's number (or None)."""
    data = path.read_bytes()
    assert data[:4] == b"\xfebin", path
    at, out, sums = 4, [], True
    while at + 19 <= len(data):
        _, kind, _, size, _, flags = struct.unpack_from("<IBIIIH", data, at)
        end = at + size
        if end > len(data):
            break
        if kind == 15:
            sums = data[end - 5] == 1
        body = data[at + 19:end - (4 if sums or kind == 15 else 0)]
        if kind not in OF_FILES:
            table = int.from_bytes(body[:6], "little") if kind in (19, 30, 31, 32, 39) else None
            out.append((one(kind, flags, body), table))
        at = end
    return out


def read(path):
    """The events of a file, without those about files."""
    return [e for e, _ in walk(path)]


def with_tables(path):
    """The same with the number of the table that TABLE_MAP and rows name."""
    return [(e[1], e[0]) for e in walk(path)]


def settled(path):
    """The same of a file that is being written: a server may write what is committed a moment later, and MySQL writes at once."""
    return read(path)


# settings that are of no use to a reader of row events, or that we name where MySQL leaves them out
LEFT_OUT = {"time_zone", "tables_changed", "explicit_defaults", "microseconds", "invoker"}
THREAD_SPECIFIC = 4
# of TABLE_MAP: MySQL sets it, too, where the statement only reads a table that foreign keys refer to
HAS_CHILDREN = 2


def plain(line):
    """A line of [`show`] without what may differ: see docs/compat/different.md, "Binary log"."""
    if line.startswith("TABLE_MAP"):
        head, flags, rest = line[:12], int(line[12:14], 16), line[14:]
        return f"{head}{flags & ~HAS_CHILDREN:02x}{rest}"
    if not line.startswith("QUERY"):
        return line.replace("ANONYMOUS_GTID", "GTID")
    head, text, settings = re.match(r"(QUERY flags=\d+ error=\d+ \[.*?\]) (.*) \{(.*)\}$", line).groups()
    flags = int(re.search(r"flags=(\d+)", head)[1]) & ~THREAD_SPECIFIC
    head = re.sub(r"flags=\d+", f"flags={flags}", head)
    kept = [s for s in re.findall(r"\w+=(?:\(.*?\)|\[.*?\]|\S+)", settings) if s.split("=")[0] not in LEFT_OUT]
    if text[1:6] == "BEGIN" or not any(s.startswith("ddl_xid") for s in kept):
        kept = [s for s in kept if not s.startswith("schemas=")]
    if re.match(r".(CREATE|ALTER) USER", text):
        text = re.sub(r" AS .*?(?= PASSWORD EXPIRE|$)", " AS a hash", text)
    if re.match(r".(GRANT|REVOKE)", text):
        text, kept = text[1:6], [s for s in kept if not s.startswith("schemas=")]
    if text[1:].startswith("CREATE TABLE `"):  # made from a definition
        text = re.sub(r"\\n\)( START TRANSACTION)?.*?( START TRANSACTION)?'$", r"\\n)\1\2'", text)
    if re.search(r"(PROCEDURE|FUNCTION)", text):
        text = re.sub(r"[`\s]|\\n", "", text).lower()
    return f"{head} {text} {{{' '.join(kept)}}}"


def show(e):
    """An event as a line for people."""
    if e[0] == "QUERY":
        settings = " ".join(f"{k}={v}" for k, v in e[5])
        return f"QUERY flags={e[1]} error={e[2]} [{e[3]}] {e[4]!r} {{{settings}}}"
    return " ".join(str(x) for x in e)
