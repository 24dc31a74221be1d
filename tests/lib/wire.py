"""A client of the protocol at the level of packets, for what drivers do not reach: every command, capability and packet shape.

`Raw(server, caps=..., ...)` logs in; `command()` sends one and `packet()` reads one; `result()` reads a whole answer.
"""
import hashlib
import socket
import ssl
import struct
import zlib

import zstandard
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

LONG_PASSWORD, FOUND_ROWS, CONNECT_WITH_DB, COMPRESS, PROTOCOL_41, SSL = 1, 2, 8, 32, 512, 2048
TRANSACTIONS, SECURE_CONNECTION, MULTI_STATEMENTS, MULTI_RESULTS, PS_MULTI_RESULTS = 1 << 13, 1 << 15, 1 << 16, 1 << 17, 1 << 18
PLUGIN_AUTH, CONNECT_ATTRS, LENENC_AUTH, SESSION_TRACK, DEPRECATE_EOF = 1 << 19, 1 << 20, 1 << 21, 1 << 23, 1 << 24
OPTIONAL_METADATA, ZSTD, QUERY_ATTRIBUTES = 1 << 25, 1 << 26, 1 << 27
BASE = LONG_PASSWORD | PROTOCOL_41 | TRANSACTIONS | SECURE_CONNECTION | MULTI_RESULTS | PS_MULTI_RESULTS | PLUGIN_AUTH | LENENC_AUTH

(QUIT, INIT_DB, QUERY, FIELD_LIST, STATISTICS, PROCESS_KILL, DEBUG, PING, CHANGE_USER, PREPARE, EXECUTE, LONG_DATA, CLOSE, RESET, SET_OPTION, FETCH,
 RESET_CONNECTION) = (1, 2, 3, 4, 9, 12, 13, 14, 17, 22, 23, 24, 25, 26, 27, 28, 31)
MORE_RESULTS, CURSOR_EXISTS, LAST_ROW_SENT, SESSION_CHANGED = 8, 0x40, 0x80, 0x4000


class ServerError(Exception):
    def __init__(self, packet):
        self.code = struct.unpack_from("<H", packet, 1)[0]
        self.state = packet[4:9].decode() if packet[3:4] == b"#" else ""
        self.text = packet[9:].decode("utf8", "replace") if self.state else packet[3:].decode("utf8", "replace")
        super().__init__(f"{self.code} ({self.state}): {self.text}")


def lenenc(n):
    if n < 251:
        return bytes([n])
    if n < 1 << 16:
        return b"\xfc" + struct.pack("<H", n)
    return b"\xfd" + struct.pack("<I", n)[:3] if n < 1 << 24 else b"\xfe" + struct.pack("<Q", n)


def lstr(b):
    return lenenc(len(b)) + b


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        self.at += n
        assert self.at <= len(self.data), "packet too short"
        return self.data[self.at - n:self.at]

    def int(self, n):
        return int.from_bytes(self.take(n), "little")

    def lenenc(self):
        n = self.int(1)
        return n if n < 251 else None if n == 251 else self.int({252: 2, 253: 3, 254: 8}[n])

    def str(self):
        n = self.lenenc()
        return None if n is None else self.take(n)

    def nul(self):
        end = self.data.index(b"\0", self.at)
        return self.take(end + 1 - self.at)[:-1]

    def rest(self):
        return self.take(len(self.data) - self.at)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def native(password, nonce):
    if not password:
        return b""
    one = hashlib.sha1(password).digest()
    return xor(one, hashlib.sha1(nonce + hashlib.sha1(one).digest()).digest())


def sha2(password, nonce):
    if not password:
        return b""
    one = hashlib.sha256(password).digest()
    return xor(one, hashlib.sha256(hashlib.sha256(one).digest() + nonce).digest())


class Ok:
    def __init__(self, packet, caps):
        r = Reader(packet)
        self.header = r.int(1)
        self.affected, self.insert_id, self.status, self.warnings = r.lenenc(), r.lenenc(), r.int(2), r.int(2)
        self.info, self.changes = b"", []
        if caps & SESSION_TRACK:
            self.info = r.str() if r.at < len(packet) else b""
            if self.status & SESSION_CHANGED:
                inner = Reader(r.str())
                while inner.at < len(inner.data):
                    kind, data = inner.int(1), Reader(inner.str())
                    parts = []
                    while data.at < len(data.data):
                        parts.append(data.str())
                    self.changes.append((kind, parts))
        else:
            self.info = r.rest()


class Column:
    FIELDS = ("schema", "table", "org_table", "name", "org_name", "charset", "length", "type", "flags", "decimals")

    def __init__(self, packet):
        r = Reader(packet)
        assert r.str() == b"def"
        self.schema, self.table, self.org_table, self.name, self.org_name = (r.str().decode() for _ in range(5))
        assert r.lenenc() == 12
        self.charset, self.length, self.type, self.flags, self.decimals = r.int(2), r.int(4), r.int(1), r.int(2), r.int(1)
        assert r.int(2) == 0
        self.default = r.str() if r.at < len(packet) else None

    def all(self):
        return {f: getattr(self, f) for f in self.FIELDS}


class Raw:
    def __init__(self, server, caps=BASE, user="root", password="", db=None, plugin=None, tcp=False, tls=False, rsa=False, attributes=(), charset=45):
        self.caps, self.compression, self.seq = caps, None, 0
        self.password, self.rsa, self.tls = password.encode(), rsa, tls
        if tcp:
            self.sock = socket.create_connection(("127.0.0.1", server.port), 30)
        else:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(30)
            self.sock.connect(server.socket)
        self.secure = tls or not tcp
        self.pending = b""
        self.greet()
        if tls:
            self.caps |= SSL
            self.send(struct.pack("<IIB23x", self.caps, 1 << 24, charset))
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.sock = context.wrap_socket(self.sock)
        if db is not None:
            self.caps |= CONNECT_WITH_DB
        if attributes:
            self.caps |= CONNECT_ATTRS
        self.caps &= self.server_caps
        plugin = plugin or self.plugin
        answer = self.scramble(plugin)
        body = struct.pack("<IIB23x", self.caps, 1 << 24, charset) + user.encode() + b"\0" + lstr(answer)
        body += db.encode() + b"\0" if db is not None else b""
        body += plugin.encode() + b"\0" if caps & PLUGIN_AUTH else b""
        body += lstr(b"".join(lstr(k.encode()) + lstr(v.encode()) for k, v in attributes)) if attributes else b""
        body += b"\x03" if self.caps & ZSTD else b""
        self.send(body)
        self.steps = []
        self.finish_login()
        if self.caps & COMPRESS:
            self.compression = "zlib"
        elif self.caps & ZSTD:
            self.compression = "zstd"

    def greet(self):
        r = Reader(self.packet())
        assert r.int(1) == 10
        self.version, self.thread_id = r.nul().decode(), r.int(4)
        nonce = r.take(8)
        r.take(1)
        low = r.int(2)
        self.charset, self.status = r.int(1), r.int(2)
        self.server_caps = low | r.int(2) << 16
        n = r.int(1)
        r.take(10)
        assert n == 21
        self.nonce = nonce + r.take(13)[:12]
        self.plugin = r.nul().decode()

    def scramble(self, plugin):
        return native(self.password, self.nonce) if plugin == "mysql_native_password" else sha2(self.password, self.nonce)

    def finish_login(self):
        while True:
            p = self.packet()
            if p[0] == 0:
                self.login = Ok(p, self.caps)
                return
            if p[0] == 0xff:
                raise ServerError(p)
            if p[0] == 0xfe:
                r = Reader(p[1:])
                name = r.nul().decode()
                self.nonce = r.take(20)
                self.steps.append("switch:" + name)
                self.send(self.scramble(name))
            elif p == b"\x01\x03":
                self.steps.append("fast")
            elif p == b"\x01\x04":
                self.steps.append("full")
                if self.secure:
                    self.send(self.password + b"\0")
                elif self.rsa:
                    self.send(b"\x02")
                    key = serialization.load_pem_public_key(self.packet()[1:])
                    plain = self.password + b"\0"
                    mask = (self.nonce * (len(plain) // 20 + 1))[:len(plain)]
                    oaep = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
                    self.send(key.encrypt(xor(plain, mask), oaep))
                else:
                    raise AssertionError("full authentication wanted, but the connection is open")

    # packets
    def read(self, n):
        if self.compression is None:
            out = bytearray()
            while len(out) < n:
                got = self.sock.recv(min(n - len(out), 1 << 20))
                if not got:
                    raise EOFError("the server closed the connection")
                out += got
            return bytes(out)
        while len(self.pending) < n:
            kind, self.compression = self.compression, None
            head = self.read(7)
            body = self.read(int.from_bytes(head[:3], "little"))
            self.compression = kind
            self.frames = getattr(self, "frames", 0) + 1
            self.cseq = head[3]
            plain = int.from_bytes(head[4:], "little")
            if plain:
                self.squeezed = getattr(self, "squeezed", 0) + 1
                body = zlib.decompress(body) if kind == "zlib" else zstandard.ZstdDecompressor().decompress(body, max_output_size=plain)
                assert len(body) == plain
            self.pending += body
        out, self.pending = self.pending[:n], self.pending[n:]
        return out

    def packet(self):
        out = b""
        while True:
            head = self.read(4)
            n = int.from_bytes(head[:3], "little")
            assert head[3] == self.seq & 255, f"sequence {head[3]}, expected {self.seq}"
            self.seq = (self.seq + 1) & 255
            out += self.read(n)
            if n < 0xffffff:
                return out

    def send(self, body):
        wire, at = b"", 0
        while True:
            part = body[at:at + 0xffffff]
            wire += struct.pack("<I", len(part))[:3] + bytes([self.seq]) + part
            self.seq = (self.seq + 1) & 255
            at += len(part)
            if len(part) < 0xffffff:
                break
        if self.compression is None:
            self.sock.sendall(wire)
            return
        for i, start in enumerate(range(0, len(wire), 0xffff00)):
            part = wire[start:start + 0xffff00]
            small = len(part) < 50
            body = part if small else zlib.compress(part) if self.compression == "zlib" else zstandard.ZstdCompressor().compress(part)
            self.sock.sendall(struct.pack("<I", len(body))[:3] + bytes([i & 255]) + struct.pack("<I", 0 if small else len(part))[:3] + body)

    def command(self, code, body=b""):
        self.seq = 0
        self.send(bytes([code]) + body)

    # answers
    def ok(self):
        p = self.packet()
        if p[0] == 0xff:
            raise ServerError(p)
        assert p[0] in (0, 0xfe), p
        return Ok(p, self.caps) if p[0] == 0 or self.caps & DEPRECATE_EOF else p

    def is_end(self, p):
        return p[0] == 0xfe and (len(p) < 0xffffff if self.caps & DEPRECATE_EOF else len(p) == 5)

    def end_status(self, p):
        return Ok(p, self.caps).status if self.caps & DEPRECATE_EOF else struct.unpack_from("<H", p, 3)[0]

    def eof(self):
        if not self.caps & DEPRECATE_EOF:
            p = self.packet()
            assert p[0] == 0xfe and len(p) == 5, p
            return struct.unpack_from("<H", p, 3)[0]

    def rows(self):
        out = []
        while True:
            p = self.packet()
            if p[0] == 0xff:
                raise ServerError(p)
            if self.is_end(p):
                self.status = self.end_status(p)
                self.changes = Ok(p, self.caps).changes if self.caps & DEPRECATE_EOF else []
                return out
            out.append(p)

    def result(self, binary=False):
        """Columns and rows (text: decoded; binary: raw), or an Ok."""
        p = self.packet()
        if p[0] == 0xff:
            raise ServerError(p)
        if p[0] == 0:
            ok = Ok(p, self.caps)
            self.status, self.changes = ok.status, ok.changes
            return ok
        r = Reader(p)
        count = r.lenenc()
        defined = r.int(1) == 1 if self.caps & OPTIONAL_METADATA else True
        columns = [Column(self.packet()) if defined else None for _ in range(count)]
        self.eof()
        if binary:
            return columns, self.rows()
        return columns, [[x.str() for _ in columns] for x in map(Reader, self.rows())]

    def query(self, sql, attributes=()):
        body = sql.encode() if isinstance(sql, str) else sql
        if self.caps & QUERY_ATTRIBUTES:
            head = lenenc(len(attributes)) + lenenc(1)
            if attributes:
                head += bytes((len(attributes) + 7) // 8) + b"\x01"
                head += b"".join(b"\xfe\x00" + lstr(k.encode()) for k, _ in attributes)
                head += b"".join(lstr(v.encode()) for _, v in attributes)
            body = head + body
        self.command(QUERY, body)
        return self.result()

    def prepare(self, sql):
        self.command(PREPARE, sql.encode())
        p = self.packet()
        if p[0] == 0xff:
            raise ServerError(p)
        r = Reader(p)
        r.int(1)
        statement, columns, params = r.int(4), r.int(2), r.int(2)
        found = []
        for n in (params, columns):
            found.append([Column(self.packet()) for _ in range(n)])
            if n:
                self.eof()
        return statement, found[0], found[1]

    def execute(self, statement, values=(), cursor=0, types=None):
        """Values: int, bytes, None; `types` None sends the types for new."""
        nulls = bytearray((len(values) + 7) // 8)
        kinds, data = b"", b""
        for i, v in enumerate(values):
            if v is None:
                nulls[i // 8] |= 1 << i % 8
                kinds += b"\x06\x00"
            elif isinstance(v, int):
                kinds += b"\x08\x00"
                data += struct.pack("<q", v)
            elif v is not ...:
                kinds += b"\xfe\x00"
                data += lstr(v)
            else:  # sent with LONG_DATA
                kinds += b"\xfb\x00"
        self.command(EXECUTE, struct.pack("<IBI", statement, cursor, 1) + (bytes(nulls) + b"\x01" + kinds + data if values else b""))

    def close(self):
        try:
            self.command(QUIT)
        except OSError:
            pass
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
