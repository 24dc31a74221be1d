"""LOAD DATA and LOAD XML [LOCAL] INFILE, SELECT ... INTO OUTFILE and DUMPFILE, LOAD_FILE: the same steps against Evenkeel and MariaDB, answers compared.

Run: EVENKEEL=... .venv/bin/pytest tests/sql/test_load_data.py
"""
import pathlib
import re
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import MariaDB, Server  # noqa: E402

MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """(server, its folder for files) for both; None in place of MariaDB where it is not installed."""
    servers = []
    for kind in (Server, MariaDB):
        folder = tmp_path_factory.mktemp(kind.__name__)
        for p in (folder, *folder.parents[:2]):
            p.chmod(0o777)
        s = kind(options=[f"--secure-file-priv={folder}", "--local-infile=1"])
        s.start()
        servers.append((s, folder))
    yield servers
    for s, _ in servers:
        s.kill() if hasattr(s, "kill") else s.stop()


def run(conn, sql):
    """(rows or affected, info, warning codes) or the error's number."""
    cur = conn.cursor()
    try:
        cur.execute(sql)
    except pymysql.MySQLError as e:
        return ("error", e.args[0])
    rows = cur.fetchall()
    info = (conn._result.message or b"").decode() if conn._result else ""
    affected = cur.rowcount
    if sql.split()[0] in ("rollback", "start"):
        return (affected, info, [])  # MariaDB keeps the warnings of the statement before
    cur.execute("show warnings")
    # 1287: MariaDB calls INTO at the end deprecated, MySQL some character sets, which the info counts
    all_numbers = [w[1] for w in cur.fetchall()]
    numbers = [n for n in all_numbers if n != 1287]
    info = re.sub(r"(?<=Warnings: )\d+", str(len(numbers)), info) if len(numbers) < len(all_numbers) else info
    return (rows or affected, info, numbers)


def both(pair, files, steps, skip=()):
    """Writes the files, runs the steps on both servers; answers must be equal but for the steps whose number is in `skip`."""
    answers = []
    for server, folder in pair:
        conn = server.connect(local_infile=True, charset="utf8mb4", autocommit=True)
        run(conn, f"set sql_mode='{MODE}'")
        run(conn, "drop database if exists ld")
        run(conn, "create database ld charset utf8mb4")
        run(conn, "use ld")
        for name, data in files.items():
            path = folder / name
            path.write_bytes(data)
            path.chmod(0o666)
        answers.append([run(conn, s.replace("@@DIR", str(folder))) for s in steps])
        conn.close()
    ours, theirs = answers
    for n, (s, a, b) in enumerate(zip(steps, ours, theirs)):
        if n not in skip:
            assert a == b, f"{s}: {a} here, {b} in MariaDB"
    return ours


def test_defaults_and_counts(pair):
    both(pair, {"a.txt": b"1\tone\t1.5\n2\t\\N\t2.25\n3\ttab\\tx\\ny\\\\\t-3\n"}, [
        "create table t (id int primary key, v varchar(20), d decimal(5,2))",
        "load data infile '@@DIR/a.txt' into table t",
        "select * from t order by id",
        "load data infile '@@DIR/a.txt' into table t",
        "load data infile '@@DIR/a.txt' ignore into table t",
        "load data infile '@@DIR/a.txt' replace into table t",
        "select count(*) from t",
    ])


def test_csv_with_header_variables_and_set(pair):
    data = b'id,name,born,skip\r\n1,"Smith, ""J""",2001-02-03,x\r\n2,NULL,,y\r\n3,"NULL",1999-12-31,z\r\n'
    both(pair, {"b.csv": data}, [
        "create table p (id int primary key auto_increment, name varchar(30), born date, len int, who varchar(10) default 'd')",
        "load data infile '@@DIR/b.csv' into table p fields terminated by ',' optionally enclosed by '\"' lines terminated by '\\r\\n'"
        " ignore 1 lines (id, name, @b, @dummy) set born = nullif(@b,''), len = char_length(name), who = concat(id, @dummy)",
        "select * from p order by id",
        "select @dummy, @b",
    ])


def test_strict_and_ignored_faults(pair):
    files = {"few.txt": b"1\n2\tb\n", "many.txt": b"5\te\tmore\n", "bad.txt": b"x\tf\n300\tg\n", "null.txt": b"\\N\th\n", "end.txt": b"8\tlast"}
    steps = ["create table t (a tinyint not null, b varchar(3) default 'def')"]
    for f in files:
        steps += [f"load data infile '@@DIR/{f}' into table t", f"load data infile '@@DIR/{f}' ignore into table t",
                  f"load data local infile '@@DIR/{f}' into table t"]
    steps += ["select * from t order by a, b", "set sql_mode=''"]
    for f in files:
        steps.append(f"load data infile '@@DIR/{f}' into table t")
    steps.append("select a, b, count(*) from t group by a, b order by a, b")
    both(pair, files, steps)


def test_nulls_of_generated_columns(pair):
    """Seen so in MySQL 9.7: one warning for each row. MariaDB refuses NOT NULL in a generated column."""
    steps = ["create table t (a int, g int as (a + 1) stored not null, k int primary key)",
             "load data infile '@@DIR/g.txt' into table t (a, k)",
             "load data infile '@@DIR/g.txt' ignore into table t (a, k)",
             "select a, g, k from t order by k",
             "truncate table t", "set sql_mode=''",
             "load data infile '@@DIR/g.txt' into table t (a, k)",
             "select a, g, k from t order by k"]
    ours = both(pair, {"g.txt": b"\\N\t1\n\\N\t2\n3\t3\n"}, steps, skip=range(len(steps)))
    rows = ((None, 0, 1), (None, 0, 2), (3, 4, 3))
    assert ours[1] == ("error", 1048)
    for count, info, codes in (ours[2], ours[6]):
        # the client leaves the length in front of the text
        assert (count, codes) == (3, [1048, 1048]) and info.endswith("Records: 3  Deleted: 0  Skipped: 0  Warnings: 2")
    assert ours[3][0] == rows and ours[7][0] == rows


def test_line_and_field_separators(pair):
    both(pair, {"x.txt": b'>>1;|a|;b##junk>>2;|c;d|;e##nothing##>>3;|f', "y.txt": b"a,1,b,2"}, [
        "create table t (i int, s varchar(10), u varchar(10))",
        "load data infile '@@DIR/x.txt' ignore into table t fields terminated by ';' enclosed by '|' lines starting by '>>' terminated by '##'",
        "select * from t order by i",
        "create table w (s char(1), n int)",
        "load data infile '@@DIR/y.txt' into table w fields terminated by ',' lines terminated by ','",
        "select * from w order by n",
        "load data infile '@@DIR/y.txt' into table w fields terminated by ',' enclosed by 'xy'",
    ])


def test_what_is_behind_the_fields_of_a_line(pair):
    """A line is read as far as there are columns; the rest is passed over, quotes or not; the field behind the file's last separator is missing."""
    files = {
        "q.txt": b'1,"a","not\nclosed"\n2,b,"x\n3,"c",\n4,d,,\n', "l.txt": b"5,", "e.txt": b'a"b"c,"d""e"\n"\\N",\\N\n', "n.txt": b"1,x\\ny\n2,\\N\n", "h.txt": b"head\\\nmore\n6,f\n", "d.txt": b"9,q\n",
    }
    ours = both(pair, files, [
        "create table t (i int, s varchar(10))", "set sql_mode=''",
        "load data infile '@@DIR/q.txt' into table t fields terminated by ',' enclosed by '\"'", "select * from t order by i, s", "truncate table t",
        "load data infile '@@DIR/l.txt' into table t fields terminated by ','", "load data infile '@@DIR/h.txt' into table t fields terminated by ',' ignore 1 lines", "select * from t", "truncate table t",
        "create table w (a varchar(10), b varchar(10))", "load data infile '@@DIR/e.txt' into table w fields terminated by ',' enclosed by '\"' escaped by '\"'",
        "load data infile '@@DIR/e.txt' into table w fields terminated by ',' enclosed by '\"'", "select * from w", "set sql_mode='NO_BACKSLASH_ESCAPES'",
        "load data infile '@@DIR/n.txt' into table t fields terminated by ','", "load data infile '@@DIR/n.txt' into table t fields terminated by ',' escaped by '\\'", "select i, hex(s) from t order by i, s",
        "create table g (id int auto_increment primary key, a int, v int as (a + 1), s varchar(5) not null)", "load data infile '@@DIR/d.txt' into table g fields terminated by ',' (id, s) set id = default",
        "load data infile '@@DIR/d.txt' into table g fields terminated by ',' (a, v)", "select id, a, v from g order by id",
    ], skip=(19, 20))
    assert ours[-1][0] == ((1, None, None), (2, 9, 10))


def test_character_sets(pair):
    both(pair, {"l1.txt": b"caf\xe9\n", "u8.txt": "café €\n".encode()}, [
        "create table t (s varchar(20)) charset utf8mb4",
        "load data infile '@@DIR/l1.txt' into table t character set latin1",
        "load data infile '@@DIR/u8.txt' into table t character set utf8mb4",
        "select s, hex(s) from t order by s",
        "load data infile '@@DIR/u8.txt' into table t character set nonsense",
    ])


def test_errors(pair):
    both(pair, {"a.txt": b"1\n"}, [
        "create table t (a int, g int as (a+1))",
        "load data infile '/etc/passwd' into table t",
        "load data infile '@@DIR/none.txt' into table t",
        "load data infile '@@DIR/a.txt' into table nowhere",
        "load data infile '@@DIR/a.txt' into table t (b)",
        "load data infile '@@DIR/a.txt' into table t (a)",
        "select * from t",
        "start transaction read only",
        "load data infile '@@DIR/a.txt' into table t (a)",
        "rollback",
        "start transaction",
        "load data infile '@@DIR/a.txt' into table t (a)",
        "rollback",
        "select count(*) from t",
    ])


def test_local_needs_the_setting(pair):
    server, folder = pair[0]
    (folder / "l.txt").write_bytes(b"1\n")
    conn = server.connect(local_infile=True)
    run(conn, "create database if not exists ld2")
    run(conn, "use ld2")
    run(conn, "create table if not exists t (a int)")
    run(conn, "set global local_infile=0")
    early = server.connect(local_infile=True, database="ld2")
    assert run(conn, f"load data local infile '{folder}/l.txt' into table t") == ("error", 3948)
    run(conn, "set global local_infile=1")
    assert run(early, f"load data local infile '{folder}/l.txt' into table t")[0] != "error", "it counts when the statement runs"
    early.close()
    plain = server.connect(database="ld2")
    assert run(plain, f"load data local infile '{folder}/l.txt' into table t") == ("error", 3948)
    plain.close()
    conn.close()


def test_local_of_many_packets(pair):
    rows = 50_000
    data = b"".join(b"%d\t%s\n" % (n, b"x" * (n % 100)) for n in range(rows))
    both(pair, {"big.txt": data}, [
        "create table t (a int primary key, b varchar(100))",
        "load data local infile '@@DIR/big.txt' into table t",
        "select count(*), sum(a), sum(length(b)) from t",
        "load data local infile '@@DIR/missing.txt' into table t",
    ], skip={3})


def test_outfile_round_trip(pair):
    steps = [
        "create table t (i int, s varchar(40), d datetime, n decimal(6,2), b blob)",
        "insert into t values (1,'plain','2020-01-02 03:04:05',1.50,'abc'),(2,'tab\\there\\nand \\\\ \\0',null,null,x'00ff0a'),(3,'q\"u,o',null,-2,'')",
        "select * from t order by i into outfile '@@DIR/o1.txt'",
        "select * from t order by i into outfile '@@DIR/o1.txt'",
        "create table u like t",
        "load data infile '@@DIR/o1.txt' into table u character set binary",
        "select u.i, u.s = t.s, u.b = t.b, u.n <=> t.n, u.d <=> t.d from u join t using (i) order by 1",
        "select * into outfile '@@DIR/o2.csv' fields terminated by ',' optionally enclosed by '\"' escaped by '' lines terminated by '\\n' from t where i<>2",
        "select i, s from t where i=3 into outfile '@@DIR/o3.csv' fields terminated by ',' enclosed by '\"' lines starting by '>'",
        "select hex(s) from t where i=2 into dumpfile '@@DIR/d1'",
        "select s from t into dumpfile '@@DIR/d2'",
        "select s from t where i=9 into dumpfile '@@DIR/d3'",
        "select load_file('@@DIR/d1'), load_file('@@DIR/none'), load_file('/etc/passwd'), load_file(null)",
        "select 1 into outfile '/tmp/evenkeel-not-allowed.txt'",
        "(select 1) union (select 2) into outfile '@@DIR/o4.txt'",
        "select load_file('@@DIR/o4.txt')",
        "select i, s, n from t where i<>2 order by i into @a, @b, @c",
        "select i, s from t where i=3 into @a, @b",
        "select @a, @b",
    ]
    for server, folder in pair:
        for f in folder.glob("*"):
            f.unlink()
    both(pair, {}, steps)
    ours, theirs = (sorted((f.name, f.read_bytes()) for f in folder.glob("[od][0-9]*")) for _, folder in pair)
    drop = {"d2"}  # ours removes the file of a failed statement
    assert [f for f in ours if f[0] not in drop] == [f for f in theirs if f[0] not in drop]


def test_fixed_rows(pair):
    """FIELDS TERMINATED BY '' ENCLOSED BY '': fields as wide as the columns' display widths."""
    for server, folder in pair:
        for f in folder.glob("f*"):
            f.unlink()
    files = {"fix.txt": b"00000000001abc  2020-01-02\n00000000022xyz..1999-12-31\n", "short.txt": b"00000000001ab\n", "line.txt": b"1          a    2          bb   "}
    steps = [
        "create table t (id int, s char(5), d date) charset latin1",
        "load data infile '@@DIR/fix.txt' into table t fields terminated by '' enclosed by ''",
        "select id, concat('<', s, '>'), d from t order by id",
        "select * from t order by id into outfile '@@DIR/f1.txt' fields terminated by '' enclosed by ''",
        "create table u like t",
        "load data infile '@@DIR/f1.txt' into table u fields terminated by '' enclosed by ''",
        "select count(*) from t join u using (id, s, d)",
        "load data infile '@@DIR/short.txt' into table u fields terminated by '' enclosed by ''",
        "load data infile '@@DIR/short.txt' ignore into table u fields terminated by '' enclosed by ''",
        "select id, s, d from u order by id, s",
        "load data infile '@@DIR/fix.txt' into table u fields terminated by '' enclosed by '' (id, @v, d)",
        "load data infile '@@DIR/fix.txt' into table u fields terminated by '' enclosed by '' ignore 1 lines (id, s)",
        "select id, s, d from u order by id, s",
        "create table w (a int, b varchar(5)) charset latin1",
        "load data infile '@@DIR/line.txt' into table w fields terminated by '' enclosed by '' lines terminated by ''",
        "select a, concat('<', b, '>') from w order by a",
        "insert into w values (null, null), (-12, 'q')",
        "select * from w order by a, b into outfile '@@DIR/f2.txt' fields terminated by '' enclosed by ''",
    ]
    # MariaDB warns about the spaces behind a number, and gives the missing date a zero where its column's default is NULL
    both(pair, files, steps, skip={5, 9, 12, 14})
    ours, theirs = (sorted((f.name, f.read_bytes()) for f in folder.glob("f[0-9]*")) for _, folder in pair)
    assert ours == theirs


def test_prepared(pair):
    """SELECT INTO in prepared statements, with parameters; LOAD DATA cannot be prepared (MySQL: 1295, MariaDB does it)."""
    for server, folder in pair:
        for f in folder.glob("p*"):
            f.unlink()
    answers = both(pair, {}, [
        "create table t (i int, s varchar(10))",
        "insert into t values (1,'a'),(2,'b')",
        "prepare o from \"select i, concat(s, ?) from t where i = ? into outfile '@@DIR/p1.txt' fields terminated by ','\"",
        "set @a = 'x', @b = 2",
        "execute o using @a, @b",
        "execute o using @a, @b",
        "select load_file('@@DIR/p1.txt')",
        "prepare d from \"select s from t where i = ? into dumpfile '@@DIR/p2.txt'\"",
        "execute d using @b",
        "select load_file('@@DIR/p2.txt')",
        "prepare v from 'select s from t where i = ? into @r'",
        "execute v using @b",
        "select @r",
        "prepare l from \"load data infile '@@DIR/p1.txt' into table t fields terminated by ','\"",
    ], skip={6, 13})  # 6: MariaDB keeps the warnings of the statement before
    assert answers[6][0] == ((b"2,bx\n",),)
    assert answers[13] == ("error", 1295)


XML = b"""<?xml version="1.0"?>
<!DOCTYPE x>
<resultset statement="select 1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <row id="1" name="one" n="1.5"/>
  <row><id>2</id><name>t &lt;w&gt; &amp; &quot;o&quot; &apos;</name><n>2</n></row>
  <!-- <row id="99"/> -->
  <row>
	<field name="id">3</field>
	<field name="name" xsi:nil="true" />
	<field name="n">7 </field>
  </row>
  <row id="4"><name>mixed</name><other>nobody asks</other></row>
  <row id='5' name='in "quotes" > here' n="abc"></row>
  <row id="6" name=""/>
</resultset>
"""


def test_xml(pair):
    got = both(pair, {"a.xml": XML}, [
        "create table t (id int, name varchar(60), n varchar(10) default 'nothing')",
        "load xml infile '@@DIR/a.xml' into table t",
        "select * from t order by id",
        "truncate t",
        "load xml local infile '@@DIR/a.xml' into table t rows identified by '<row>' ignore 2 lines (@a, id, n, name) set name = concat(name, '!')",
        "select *, @a from t order by id",
        "create table u (id int primary key auto_increment, name varchar(60) not null, c char(3) as (left(name, 3)))",
        "load xml infile '@@DIR/a.xml' ignore into table u character set latin1",
        "select * from u order by id",
        "load xml infile '@@DIR/a.xml' replace into table u ignore 4 rows",
        "select * from u order by id",
        "load xml infile '@@DIR/a.xml' into table u rows identified by '<nothing>'",
        "load xml infile '@@DIR/none.xml' into table u",
        "load xml infile '@@DIR/a.xml' into table nowhere",
        "load xml infile '@@DIR/a.xml' into table t (nope)",
        "load xml infile '@@DIR/a.xml' into table t fields terminated",
    ])
    assert got[1][0] == 6 and got[2][0][1] == (2, "t <w> & \"o\" '", "2"), got


def test_xml_of_nested_elements(pair):
    people = b"""<list>
  <person person_id="1"><fname>Robert</fname>
    <address address_id="1" city="Sidney"/><address address_id="2" city="Findlay"/>
  </person>
  <person person_id="2"><address city="Cairo"><address_id>3</address_id></address></person>
</list>"""
    got = both(pair, {"p.xml": people}, [
        "create table person (person_id int, fname varchar(20))",
        "create table address (address_id int, person_id int, city varchar(20), fname varchar(20))",
        "load xml infile '@@DIR/p.xml' into table person rows identified by '<person>'",
        "select * from person order by person_id",
        "load xml infile '@@DIR/p.xml' into table address rows identified by '<address>'",
        "select * from address order by address_id",
    ])
    assert [r[1] for r in got[5][0]] == [1, 1, 2]


@pytest.mark.parametrize("charset", ["ucs2", "utf16", "utf16le", "utf32"])
def test_sets_of_wider_characters(pair, charset):
    """Text in the set between separators of one byte each, as MySQL has it; a file that is in the set as a whole cannot be read."""
    for _, folder in pair:
        for name in ("o", "q", "n"):
            (folder / f"{name}.{charset}").unlink(missing_ok=True)
    # a separator that is the first byte of a character would end the field
    odd = "é x" if charset == "utf16le" else r'é\n\"\\'
    steps = ["create table t (a varchar(20), b int, c date, d enum('x','日') , e decimal(5,2)) character set utf8mb4",
             f"insert into t values ('a,b',1,'2020-01-02','x',1.5),('{odd}',-2,null,'日',null),(null,null,null,null,0),('','7','1999-12-31','x',3)"]
    for name, how in [("o", "fields terminated by ',' enclosed by '\"'"), ("q", ""), ("n", "fields terminated by ';' optionally enclosed by '\\'' lines terminated by '|\n'")]:
        steps += [f"select * from t into outfile '@@DIR/{name}.{charset}' character set {charset} {how}",
                  f"create table r{name} like t",
                  f"load data infile '@@DIR/{name}.{charset}' into table r{name} character set {charset} {how}",
                  f"select * from r{name}"]
    both(pair, {}, steps)
    for name in ("o", "q", "n"):
        ours, theirs = [(folder / f"{name}.{charset}").read_bytes() for _, folder in pair]
        assert ours == theirs, name


def test_as_mysql(pair):
    """What MySQL 9.7 does, and MariaDB not: each step's answer is MySQL's."""
    server, folder = pair[0]
    conn = server.connect(local_infile=True, charset="utf8mb4", autocommit=True)
    for q in (f"set sql_mode='{MODE}'", "drop database if exists ld", "create database ld", "use ld"):
        run(conn, q)
    for name, text in {"n": "1\n2\n", "many": "1,2\n3,4", "fields": "1,a,2,b,3,c,", "fixed": "001002", "refused": "7,1\n8,1\n"}.items():
        (folder / name).write_text(text)

    def load(name, rest):
        affected, info, codes = run(conn, f"load data infile '{folder}/{name}' {rest}")
        return affected, info[info.index("Records"):], codes

    # a column without a default that no field gives a value: its type's, in strict mode too, without a word
    run(conn, "create table t (id int not null, v varchar(3) not null, e enum('p', 'q') not null, d int)")
    assert load("n", "into table t (d)") == (2, "Records: 2  Deleted: 0  Skipped: 0  Warnings: 0", [])
    assert run(conn, "select * from t")[0] == ((0, "", "p", 1), (0, "", "p", 2))
    # an assignment to a generated column is no more than a field of it
    run(conn, "create table g (a int, b int as (a + 1))")
    assert load("n", "into table g (a) set b = 7") == (2, "Records: 2  Deleted: 0  Skipped: 0  Warnings: 0", [])
    assert run(conn, "select * from g")[0] == ((1, 2), (2, 3))
    # fields too many: told of when the row is stored, and not of a last line that has no end
    run(conn, "create table u (a int primary key)")
    run(conn, "insert into u values (1)")
    assert load("many", "ignore into table u fields terminated by ','") == (1, "Records: 2  Deleted: 0  Skipped: 1  Warnings: 2", [1062, 1262])
    # lines without an end of their own are as many fields as there are columns, also those that are skipped; only the first has a start
    run(conn, "create table f (a int, b varchar(9))")
    load("fields", "into table f fields terminated by ',' lines terminated by '' ignore 1 lines")
    assert run(conn, "select * from f")[0] == ((2, "b"), (3, "c"))
    run(conn, "delete from f")
    # so they are in the fixed-width format
    run(conn, "create table w (a char(3) character set latin1)")
    load("fixed", "into table w fields terminated by '' enclosed by '' lines terminated by '' ignore 1 lines")
    assert run(conn, "select * from w")[0] == (("002",),)
    # a row that a unique key refuses moves AUTO_INCREMENT where it is to be replaced
    run(conn, "create table ai (id int auto_increment primary key, u int unique)")
    run(conn, "insert into ai values (1, 1)")
    load("refused", "ignore into table ai fields terminated by ','")
    run(conn, "insert into ai (u) values (2)")
    assert run(conn, "select last_insert_id()")[0] == ((2,),)
