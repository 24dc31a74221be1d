"""Reads MySQL's binary log in Python, for tests: events with their checks, rows of simple tables, and a client that is sent the log.

Written from the manual's description of events; it shares nothing with crate `binlog`. `read(bytes)` takes a whole file, `Dump` the protocol.
"""
import dataclasses
import struct
import uuid
import zlib

QUERY, STOP, ROTATE, FORMAT, XID, TABLE_MAP, HEARTBEAT, ROWS_QUERY = 2, 3, 4, 15, 16, 19, 27, 29
WRITE_ROWS, UPDATE_ROWS, DELETE_ROWS, GTID, ANONYMOUS, PREVIOUS_GTIDS = 30, 31, 32, 33, 34, 35
MAGIC = b"\xfebin"


@dataclasses.dataclass
class Event:
    kind: int
    timestamp: int
    server_id: int
    end: int
    flags: int
    body: bytes
    at: int = 0

    @property
    def rotate_to(self):
        return struct.unpack_from("<Q", self.body)[0], self.body[8:].decode()

    @property
    def query(self):
        schema_len, status_len = self.body[8], struct.unpack_from("<H", self.body, 11)[0]
        return self.body[13 + status_len + schema_len + 1:].decode("utf8", "replace")

    @property
    def gtid(self):
        return str(uuid.UUID(bytes=self.body[1:17])), struct.unpack_from("<Q", self.body, 17)[0]

    @property
    def numbers(self):
        """last_committed, sequence_number"""
        return struct.unpack_from("<QQ", self.body, 26)

    @property
    def xid(self):
        return struct.unpack("<Q", self.body)[0]


def event(raw, checksum):
    """One event; its checksum must be right."""
    timestamp, kind, server_id, size, end, flags = struct.unpack_from("<IBIIIH", raw)
    assert size == len(raw), (kind, size, len(raw))
    if checksum or kind == FORMAT:
        counted = bytearray(raw[:-4])
        if kind == FORMAT:
            counted[17] &= 0xfe
        assert zlib.crc32(counted) == struct.unpack("<I", raw[-4:])[0], f"checksum of an event of type {kind} that ends at {end}"
        raw = raw[:-4]
    return Event(kind, timestamp, server_id, end, flags, bytes(raw[19:]))


def has_checksums(format_event):
    return format_event.body[-1] == 1


def raw(data):
    """All events of a file, each with its bytes."""
    assert data[:4] == MAGIC
    at, checksum = 4, False
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 9)[0]
        assert at + size <= len(data), "it ends inside an event"
        e = event(data[at:at + size], checksum)
        e.at = at
        assert e.end == at + size, (e.kind, e.end, at + size)
        if e.kind == FORMAT:
            checksum = has_checksums(e)
        yield e, data[at:at + size]
        at += size


def read(data):
    """All events of a file."""
    return [e for e, _ in raw(data)]


def packed(data, at):
    """A length-encoded number, and where it ends."""
    first = data[at]
    n = {0xfc: 2, 0xfd: 3, 0xfe: 8}.get(first, 0)
    return (int.from_bytes(data[at + 1:at + 1 + n], "little"), at + 1 + n) if n else (first, at + 1)


class Tables:
    """Tables that were mapped; rows of INT, BIGINT and VARCHAR."""

    def __init__(self):
        self.known = {}

    def map(self, e):
        number = int.from_bytes(e.body[:6], "little")
        at = 8
        n = e.body[at]
        schema = e.body[at + 1:at + 1 + n].decode()
        at += n + 2
        n = e.body[at]
        name = e.body[at + 1:at + 1 + n].decode()
        count, at = packed(e.body, at + n + 2)
        types = e.body[at:at + count]
        meta_len, at = packed(e.body, at + count)
        metas, m = [], at
        for t in types:
            wide = 2 if t == 15 else 0
            metas.append(int.from_bytes(e.body[m:m + wide], "little"))
            m += wide
        # of other types nothing is read but the name
        assert m == at + meta_len or set(types) - {3, 8, 15}
        self.known[number] = (schema, name, list(zip(types, metas)))

    def name(self, e):
        return "%s.%s" % self.known[int.from_bytes(e.body[:6], "little")][:2]

    def rows(self, e):
        """Name of the table, and its rows: after INSERT and DELETE one image each, after UPDATE pairs."""
        schema, name, columns = self.known[int.from_bytes(e.body[:6], "little")]
        at = 8 + struct.unpack_from("<H", e.body, 8)[0]
        count, at = packed(e.body, at)
        size = (count + 7) // 8
        at += size * (2 if e.kind == UPDATE_ROWS else 1)
        images = []
        while at < len(e.body):
            nulls = int.from_bytes(e.body[at:at + size], "little")
            at += size
            row = []
            for i, (t, meta) in enumerate(columns):
                if nulls >> i & 1:
                    row.append(None)
                elif t in (3, 8):
                    n = 4 if t == 3 else 8
                    row.append(int.from_bytes(e.body[at:at + n], "little", signed=True))
                    at += n
                elif t == 15:
                    wide = 1 if meta < 256 else 2
                    n = int.from_bytes(e.body[at:at + wide], "little")
                    row.append(e.body[at + wide:at + wide + n].decode())
                    at += wide + n
                else:
                    raise NotImplementedError(f"type {t}")
            images.append(tuple(row))
        if e.kind == UPDATE_ROWS:
            images = list(zip(images[::2], images[1::2]))
        return f"{schema}.{name}", images


class Dump:
    """A replica's connection: registers and is sent the log. `for e in dump` ends where the server ends it."""

    def __init__(self, connection, file="", position=4, server_id=99, gtids=None, wait=False, checksum="CRC32", heartbeat=None, register=True):
        self.c = connection
        with connection.cursor() as cur:
            if checksum:
                cur.execute("SET @source_binlog_checksum = %s", (checksum,))
            if heartbeat:
                cur.execute(f"SET @source_heartbeat_period = {int(heartbeat * 1e9)}")
        if register:
            host = b"replica"
            connection._execute_command(0x15, struct.pack("<IB", server_id, len(host)) + host + b"\0\0" + struct.pack("<HII", 3307, 0, 0))
            connection._read_packet()
        flags = 0 if wait else 1
        name = file.encode()
        if gtids is None:
            connection._execute_command(0x12, struct.pack("<IHI", position, flags, server_id) + name)
        else:
            data = struct.pack("<Q", len(gtids))
            for source, ranges in gtids.items():
                data += uuid.UUID(source).bytes + struct.pack("<Q", len(ranges)) + b"".join(struct.pack("<QQ", a, b + 1) for a, b in ranges)
            body = struct.pack("<HII", flags, server_id, len(name)) + name + struct.pack("<QI", position, len(data)) + data
            connection._execute_command(0x1e, body)
        self.checksum = checksum == "CRC32"

    def __iter__(self):
        return self

    def __next__(self):
        packet = self.c._read_packet()
        raw = packet.get_all_data()
        if raw[0] == 0xfe and len(raw) < 9:
            raise StopIteration
        assert raw[0] == 0
        e = event(raw[1:], self.checksum)
        if e.kind == FORMAT:
            self.checksum = has_checksums(e)
        return e
