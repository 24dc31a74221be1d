#!/usr/bin/env python3
"""How long it takes from KILL QUERY to the client's error while a function works on one long value: `scripts/kill_times.py BINARY [MB [WORD]]`.

Each statement runs once to its end, then is killed after a quarter, half and three quarters of that time; `-` is a statement that had ended before KILL came to it. Printed is the time it takes, the three times from
KILL to the error (milliseconds), and the statement; at the end those above 100. Use a release build on a quiet machine. WORD chooses statements that contain it.
"""
import os
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
BINARY, MB = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 64
WORD = sys.argv[3] if len(sys.argv) > 3 else ""
os.environ["EVENKEEL"] = BINARY
import pymysql  # noqa: E402
from lib.servers import Server  # noqa: E402

N = MB << 20
# t: ASCII, u: one to three bytes each, b: bytes, n: digits, h: hexadecimal digits, s: SQL, c: a list, j and o: JSON
VALUES = [f"SET @t=REPEAT('abcd ', {N // 5})", f"SET @u=REPEAT('äbc€ ', {N // 8})", "SET @b=CAST(@t AS BINARY)", f"SET @n=REPEAT('7', {N})", f"SET @h=HEX(LEFT(@t,{N // 2 - 9}))",
          f"SET @s=REPEAT('SELECT 1+a, ', {N // 12})", f"SET @c=REPEAT('abcd,', {N // 5})", f"SET @j=CONCAT('[', REPEAT('1,', {N // 2 - 9}), '1]')",
          f"SET @o=CONCAT('{{\"a\": [', REPEAT('{{\"b\": \"c\"}},', {N // 12 - 9}), '1]}}')", "SET @t2=@t, @u2=@u", f"SET @z=COMPRESS(LEFT(@t,{N - 64})), @e=AES_ENCRYPT(LEFT(@t,{N - 64}),'k'), @x=TO_BASE64(LEFT(@t,{N // 2}))"]
WORK = f"""REPEAT('abcd ', {N // 5})|REPEAT('ä', {N // 2})|SPACE({N})|CONCAT(@t,'')|CONCAT_WS(',',@u,'')|CHAR_LENGTH(@t)|CHAR_LENGTH(@u)|UPPER(@t)|LOWER(@u)|REVERSE(@t)|REVERSE(@u)|REPLACE(@t,'cd','x')
REPLACE(@u,'€','xy')|INSERT(@u,5,3,'abc')|LPAD('x',{N // 2},'ab€')|RPAD(@u,{N // 2},'abc')|TRIM('abcd ' FROM @t)|SUBSTRING(@u,{N // 8})|RIGHT(@u,{N // 8})|SUBSTRING_INDEX(@t,'d',-{N // 10})
SUBSTRING_INDEX(@u,'€',{N // 10})|LOCATE('xyz',@t)|LOCATE('xyz',@u)|INSTR(@u COLLATE utf8mb4_bin,'xyz')|FIND_IN_SET('xyz',@c)|FIELD('xyz',@t,@t,@u)|HEX(LEFT(@t,{N // 2}))|UNHEX(@h)|TO_BASE64(LEFT(@t,{N // 2}))
FROM_BASE64(@x)|QUOTE(@t)|SOUNDEX(@t)|MD5(@t)|SHA1(@t)|SHA2(@t,256)|SHA2(@t,512)|CRC32(@t)|COMPRESS(@t)|UNCOMPRESS(@z)|AES_ENCRYPT(@t,'k')|AES_DECRYPT(@e,'k')|CONVERT(@t USING utf16)
CONVERT(@u USING utf8mb3)|CONVERT(@u USING gb18030)|CONVERT(@b USING utf8mb4)|CAST(@t AS BINARY)|CAST(@u AS CHAR({N // 8}))|@t=@t2|@u=@u2|@u=LOWER(@u2)|STRCMP(@t,@t2)|@u LIKE '%xyz%'|@t LIKE '%x_z%y'
@t LIKE BINARY '%xyz'|WEIGHT_STRING(@t)|@n+0|CAST(@n AS DECIMAL(65,0))|CAST(@n AS SIGNED)|CAST(@n AS DATETIME)|JSON_VALID(@j)|JSON_VALID(@o)|JSON_LENGTH(@j)|JSON_DEPTH(@o)|CAST(@j AS JSON)|JSON_QUOTE(@t)
JSON_UNQUOTE(JSON_QUOTE(@t))|JSON_EXTRACT(@o,'$**.b')|JSON_EXTRACT(@o,'$.a[*].b')|JSON_SEARCH(@o,'all','x')|JSON_SET(@o,'$.a[2]',1)|JSON_MERGE_PATCH(@o,@o)|JSON_MERGE_PRESERVE(@o,@o)|JSON_PRETTY(@o)
JSON_CONTAINS(@j,'2')|JSON_OVERLAPS(@j,'[2,3]')|JSON_STORAGE_SIZE(@o)|JSON_KEYS(@o)|JSON_SCHEMA_VALID('{{"type":"object","properties":{{"a":{{"type":"array","items":{{"type":"object"}}}}}}}}',@o)|JSON_ARRAY(@t,@t)
CAST(@j AS JSON)=CAST(@j AS JSON)|2 MEMBER OF(@j)|STATEMENT_DIGEST_TEXT(@s)|STATEMENT_DIGEST(@s)|EXPORT_SET(5,@t,'N',',',1)|ELT(1,@t)|ORD(@u)|REGEXP_REPLACE(@t,'x','y')|@t REGEXP 'xyz'|@u REGEXP 'xyz'
@t REGEXP '(abcd )+x'|REGEXP_SUBSTR(@u,'€x')|CONVERT(@t USING utf16) REGEXP 'xyz'|@b REGEXP 'xyz'|BIT_COUNT(@b)|@b ^ @b|~@b|GREATEST(@t,@t2)|@t IN ('a',@t2)|@t BETWEEN @t2 AND @u|DATE_FORMAT(NOW(),@t)|STR_TO_DATE(@t,@t)
(SELECT COUNT(*) FROM (SELECT @t x UNION SELECT @t2) d)|(SELECT LENGTH(MAX(x)) FROM (SELECT @t x UNION ALL SELECT @t2) d)|(SELECT LENGTH(GROUP_CONCAT(x)) FROM (SELECT LEFT(@t,{N // 2}) x UNION ALL SELECT 'a') d)
(SELECT LENGTH(GROUP_CONCAT(DISTINCT x ORDER BY x)) FROM (SELECT LEFT(@t,{N // 2}) x UNION ALL SELECT 'a') d)|(SELECT COUNT(DISTINCT x) FROM (SELECT @t x UNION ALL SELECT @t2) d)
(SELECT LENGTH(x) FROM (SELECT @t x UNION ALL SELECT @t2) d ORDER BY x LIMIT 1)|(SELECT COUNT(*) FROM JSON_TABLE(@j,'$[*]' COLUMNS (a INT PATH '$')) t)|(SELECT LENGTH(JSON_ARRAYAGG(x)) FROM (SELECT @t x) d)"""
TABLES = ["CREATE DATABASE d", "CREATE TABLE d.t (a INT, b VARCHAR(20))", "CREATE TABLE d.l (a LONGTEXT, FULLTEXT(a))", "CREATE TABLE d.j (a JSON)", "CREATE TABLE d.v (a LONGTEXT, b LONGBLOB, c LONGTEXT CHARACTER SET utf16)"]


def statements():
    for work in WORK.replace("\n", "|").split("|"):
        yield f"SELECT LENGTH({work})"
    yield "INSERT INTO d.t VALUES " + ",".join(f"({i},'abc')" for i in range(N // 16))
    yield "SELECT 1 FROM d.t WHERE a IN (" + ",".join(str(i) for i in range(N // 8)) + ")"
    yield "SELECT LENGTH('" + "abcd " * (N // 5) + "')"
    yield "SELECT 1 /* " + "x" * N + " */"
    yield from ("INSERT INTO d.l VALUES (@t)", "INSERT INTO d.j VALUES (@o)", "INSERT INTO d.v VALUES (@t, @t, 'a')", "INSERT INTO d.v VALUES ('a', 'a', @u)", "SELECT @t, @u", "SELECT CONVERT(@t USING utf16)", "PREPARE s FROM @s")


def killed(c, killer, q, after):
    """Milliseconds from KILL to the error; None: it had ended."""
    box = []

    def run():
        try:
            c.cursor().execute(q)
            box.append(None)
        except pymysql.MySQLError as e:
            box.append(e.args[0])
        box.append(time.time())
    t = threading.Thread(target=run)
    t.start()
    time.sleep(after)
    began = time.time()
    killer.execute(f"KILL QUERY {c.thread_id()}")
    t.join()
    if box[0] in (1317, None) and box[1] > began:
        return (box[1] - began) * 1000
    return None


def main():
    server = Server(options=["--max-allowed-packet=1G", "--group-concat-max-len=1073741824"]).start()
    try:
        c, killer, slow = server.connect(), server.connect().cursor(), []
        for q in TABLES + VALUES:
            c.cursor().execute(q)
        for q in statements():
            if WORD not in q[:200]:
                continue
            began, error = time.time(), ""
            try:
                c.cursor().execute(q)
            except pymysql.MySQLError as e:
                error = f"({e.args[0]})"
            whole = time.time() - began
            times = [killed(c, killer, q, whole * part) for part in (0.25, 0.5, 0.75)] if whole > 0.05 else []
            line = f"{whole * 1000:8.0f}  {' '.join('     -' if t is None else f'{t:6.0f}' for t in times):22}{q[:90]} {error}"
            print(line, flush=True)
            if max((t or 0 for t in times), default=0) > 100:
                slow.append(line)
        print(f"\nabove 100 ms: {len(slow)}", *slow, sep="\n")
    finally:
        server.stop()
        server.remove()


if __name__ == "__main__":
    main()
