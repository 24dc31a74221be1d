"""Prepared statements in the binary protocol over a PyMySQL connection.

PyMySQL itself never uses COM_STMT_PREPARE; this is the little that the golden tests need, written from the protocol's documentation
("COM_STMT_PREPARE", "COM_STMT_EXECUTE", "Binary Protocol Resultset Row"). Parameters are sent as NULL, BIGINT, DOUBLE or VAR_STRING.
"""
import struct

from pymysql.protocol import MysqlPacket

PREPARE, EXECUTE, CLOSE = 0x16, 0x17, 0x19
DECIMAL, TINY, SHORT, LONG, FLOAT, DOUBLE, NULL, TIMESTAMP, LONGLONG, INT24, DATE, TIME, DATETIME, YEAR = range(14)


def prepare(conn, sql):
    """(statement id, number of parameters); the definitions that follow are read and dropped."""
    conn._execute_command(PREPARE, sql)
    p = conn._read_packet()
    p.read_uint8()
    stmt, columns, params = p.read_uint32(), p.read_uint16(), p.read_uint16()
    for n in (params, columns):
        if n:
            for _ in range(n + 1):
                conn._read_packet()
    return stmt, params


def lenenc(data):
    n = len(data)
    if n < 251:
        return bytes([n]) + data
    if n < 1 << 16:
        return b"\xfc" + struct.pack("<H", n) + data
    return b"\xfd" + struct.pack("<I", n)[:3] + data


def execute(conn, stmt, params):
    """Runs the statement; the answer is read by the caller with `read_result`."""
    nulls = bytearray((len(params) + 7) // 8)
    types, values = b"", b""
    for i, v in enumerate(params):
        if v is None:
            nulls[i // 8] |= 1 << (i % 8)
            types += bytes([NULL, 0])
        elif isinstance(v, int):
            types += bytes([LONGLONG, 0x80 if v > 2**63 - 1 else 0])
            values += struct.pack("<Q", v & (2**64 - 1))
        elif isinstance(v, float):
            types += bytes([DOUBLE, 0])
            values += struct.pack("<d", v)
        else:
            types += bytes([253, 0])
            values += lenenc(v if isinstance(v, bytes) else v.encode())
    body = struct.pack("<IBI", stmt, 0, 1)
    if params:
        body += bytes(nulls) + b"\x01" + types + values
    conn._execute_command(EXECUTE, body)


def close(conn, stmt):
    conn._execute_command(CLOSE, struct.pack("<I", stmt))
    conn._next_seq_id = 0


def temporal(kind, data, decimals):
    """Text of a binary date, datetime or time value."""
    n = len(data)
    fraction = lambda micro: "." + f"{micro:06d}"[:decimals] if 0 < decimals <= 6 else ""
    if kind == TIME:
        neg, days, h, m, s, micro = 0, 0, 0, 0, 0, 0
        if n:
            neg, days, h, m, s = struct.unpack("<BIBBB", data[:8])
        if n > 8:
            micro = struct.unpack("<I", data[8:12])[0]
        return ("-" if neg else "") + f"{days * 24 + h:02d}:{m:02d}:{s:02d}" + fraction(micro)
    y, mo, d, h, m, s, micro = 0, 0, 0, 0, 0, 0, 0
    if n >= 4:
        y, mo, d = struct.unpack("<HBB", data[:4])
    if n >= 7:
        h, m, s = data[4], data[5], data[6]
    if n >= 11:
        micro = struct.unpack("<I", data[7:11])[0]
    if kind == DATE:
        return f"{y:04d}-{mo:02d}-{d:02d}"
    return f"{y:04d}-{mo:02d}-{d:02d} {h:02d}:{m:02d}:{s:02d}" + fraction(micro)


def row(packet, fields):
    """One row's values as text or bytes, None for NULL."""
    data = packet.get_all_data()
    bits = data[1:1 + (len(fields) + 9) // 8]
    packet = MysqlPacket(data, "utf8")
    packet.read(1 + len(bits))
    out = []
    for i, f in enumerate(fields):
        if bits[(i + 2) // 8] >> ((i + 2) % 8) & 1:
            out.append(None)
            continue
        unsigned = f.flags & 32
        t = f.type_code
        sizes = {TINY: "b", SHORT: "h", YEAR: "h", LONG: "i", INT24: "i", LONGLONG: "q"}
        if t in sizes:
            c = sizes[t].upper() if unsigned else sizes[t]
            out.append(str(struct.unpack("<" + c, packet.read(struct.calcsize(c)))[0]).encode())
        elif t == FLOAT:
            out.append(f"{struct.unpack('<f', packet.read(4))[0]:.6g}".encode())
        elif t == DOUBLE:
            out.append(repr(struct.unpack("<d", packet.read(8))[0]).encode())
        elif t in (DATE, TIME, DATETIME, TIMESTAMP):
            out.append(temporal(t, packet.read(packet.read_uint8()), f.scale).encode())
        else:
            out.append(packet.read_length_coded_string())
    return out


def read_result(conn):
    """(fields or None, rows, affected rows) of an execution."""
    from pymysql.protocol import FieldDescriptorPacket
    p = conn._read_packet()
    if p.is_ok_packet():
        p.read_uint8()
        return None, [], p.read_length_encoded_integer()
    n = p.read_length_encoded_integer()
    fields = [conn._read_packet(FieldDescriptorPacket) for _ in range(n)]
    conn._read_packet()
    rows = []
    while True:
        p = conn._read_packet()
        if p.is_eof_packet():
            return fields, rows, 0
        rows.append(row(p, fields))


# types of values by the names that prepared_random.py has for them
CODES = {"i8": 1, "i16": 2, "i32": 3, "i64": 8, "u64": 8, "f32": 4, "f64": 5, "dec": 246, "str": 253, "bin": 252,
         "date": 10, "dt": 12, "ts": 7, "time": 11, "null": 6}


def literal(kind, v):
    """A value of one of these types in a statement."""
    if kind == "null":
        return "NULL"
    if kind in ("date", "dt", "ts", "time"):
        return {"date": "DATE", "time": "TIME"}.get(kind, "TIMESTAMP") + "'" + shown(kind, v) + "'"
    if kind == "bin":
        return f"x'{v.hex()}'"
    return f"'{v}'" if kind == "str" else f"CAST({v} AS UNSIGNED)" if kind == "u64" and v < 2**63 else f"{v!r}e0" if kind in ("f32", "f64") else str(v)


def shown(kind, v):
    if kind == "time":
        return f"{'-' if v[0] else ''}{v[1]:02d}:{v[2]:02d}:{v[3]:02d}" + (f".{v[4]:06d}" if v[4] else "")
    text = "{:04d}-{:02d}-{:02d}".format(*v[:3])
    return text if kind == "date" else text + " {:02d}:{:02d}:{:02d}".format(*v[3:6]) + (f".{v[6]:06d}" if v[6] else "")


def packed(kind, v):
    """A value as the binary protocol has it."""
    if kind in ("str", "bin", "dec"):
        return lenenc(v if kind == "bin" else v.encode())
    if kind == "date":
        return b"\x04" + struct.pack("<HBB", *v)
    if kind in ("dt", "ts"):
        return b"\x0b" + struct.pack("<HBBBBBI", *v)
    if kind == "time":
        return b"\x0c" + struct.pack("<BIBBBI", v[0], 0, *v[1:])
    return b"" if kind == "null" else struct.pack({"i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u64": "<Q", "f32": "<f", "f64": "<d"}[kind], v)
