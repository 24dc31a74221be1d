// What applications do with mysql2, printed line by line so that two servers can be compared: program.js HOST PORT
const mysql = require("mysql2/promise");
const { Readable } = require("stream");

const [host, port] = [process.argv[2], Number(process.argv[3])];
const options = { host, port, user: "root", database: "node", dateStrings: false, timezone: "Z" };

async function check(name, body) {
  console.log("# " + name);
  try {
    const value = await body();
    if (value !== undefined) console.log("  " + JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v && v.type === "Buffer" ? Buffer.from(v.data).toString("hex") : v)));
  } catch (e) {
    console.log(`  error ${e.errno} ${e.code} ${e.sqlState}`);
  }
}

const columns = (fields) => fields.map((f) => [f.name, f.table, f.type ?? f.columnType, f.flags, f.encoding]);

async function main() {
  const first = await mysql.createConnection({ ...options, database: undefined });
  await first.query("DROP DATABASE IF EXISTS node");
  await first.query("CREATE DATABASE node CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
  await first.end();
  const c = await mysql.createConnection(options);
  await c.query(`CREATE TABLE t (id BIGINT PRIMARY KEY AUTO_INCREMENT, a TINYINT, b INT UNSIGNED, c DECIMAL(20,4), d DOUBLE, s VARCHAR(50) UNIQUE, x TEXT, v VARBINARY(20),
    dt DATETIME(3), ts TIMESTAMP NULL, da DATE, ti TIME, y YEAR, bits BIT(8), en ENUM('red','green'))`);
  const row = [true, 4000000000, "123456789012.3456", 1.25, "it's ü 😀", "long", Buffer.from([0, 255, 39]), new Date("2026-11-21T22:23:24.567Z"), new Date("2026-01-02T03:04:05Z"), "1999-12-31", "-12:34:56", 2026, 5, "green"];
  const names = "a,b,c,d,s,x,v,dt,ts,da,ti,y,bits,en";
  await check("insert by text", async () => { const [r] = await c.query(`INSERT INTO t (${names}) VALUES (?)`, [row]); return [r.insertId, r.affectedRows, r.warningStatus]; });
  await check("insert prepared", async () => { row[4] = "second"; const [r] = await c.execute(`INSERT INTO t (${names}) VALUES (${row.map(() => "?")})`, row); return [r.insertId, r.affectedRows]; });
  await check("nulls", async () => { const [r] = await c.execute(`INSERT INTO t (${names}) VALUES (${row.map(() => "?")})`, row.map(() => null)); return r.insertId; });
  await check("text protocol", async () => (await c.query("SELECT * FROM t ORDER BY id"))[0]);
  await check("binary protocol", async () => (await c.execute("SELECT * FROM t WHERE id > ? ORDER BY id", [0]))[0]);
  await check("columns", async () => columns((await c.query("SELECT t.*, CONCAT(s,'x') k, NOW(3) n FROM t"))[1]));
  await check("bulk", async () => { const [r] = await c.query("INSERT INTO t (b, s) VALUES ?", [Array.from({ length: 500 }, (_, i) => [i, `bulk ${i}`])]); return [r.affectedRows, r.info]; });
  await check("update says what it found", async () => { const [r] = await c.query("UPDATE t SET b = 5 WHERE b < 10"); return [r.affectedRows, r.changedRows, r.info]; });
  await check("named placeholders", async () => { const n = await mysql.createConnection({ ...options, namedPlaceholders: true }); try { return (await n.execute("SELECT :x + :y AS z, :x AS x", { x: 1, y: 2 }))[0]; } finally { await n.end(); } });
  await check("rows as arrays, nested tables", async () => [(await c.query({ sql: "SELECT 1 a, 2 a", rowsAsArray: true }))[0], (await c.query({ sql: "SELECT x.id, y.id FROM t x JOIN t y ON x.id = y.id LIMIT 1", nestTables: true }))[0]]);
  await check("big numbers", async () => { const n = await mysql.createConnection({ ...options, supportBigNumbers: true, bigNumberStrings: true }); try { return (await n.query("SELECT 18446744073709551615 u, -9223372036854775808 i"))[0]; } finally { await n.end(); } });
  await check("several statements", async () => { const n = await mysql.createConnection({ ...options, multipleStatements: true }); try { return (await n.query("SELECT 1 a; UPDATE t SET b = 6 WHERE b = 5; SELECT 2 b, 3 c"))[0].map((r) => r.affectedRows ?? r); } finally { await n.end(); } });
  await check("procedures", async () => {
    await c.query("CREATE PROCEDURE results(n INT) BEGIN SELECT n AS x; UPDATE t SET b = b WHERE b < 3; SELECT n + 1 AS y, 'two' AS z; END");
    await c.query("CREATE PROCEDURE fails() BEGIN SELECT 1 AS one; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no', MYSQL_ERRNO = 5001; END");
    await c.query("CREATE FUNCTION twice(a INT) RETURNS INT DETERMINISTIC RETURN a * 2");
    await c.query("CREATE PROCEDURE gives(IN a INT, OUT b INT) SET b = a * 7");
    const plain = (await c.query("CALL results(3)"))[0].map((r) => r.affectedRows ?? r), prepared = (await c.execute("CALL results(?)", [4]))[0].map((r) => r.affectedRows ?? r);
    await c.query("CALL gives(6, @b)");
    return [plain, prepared, (await c.query("SELECT @b AS b"))[0], (await c.execute("SELECT twice(?) AS n", [21]))[0]];
  });
  await check("a procedure that fails", () => c.query("CALL fails()"));
  await check("a prepared one", () => c.execute("CALL fails()"));
  await check("duplicate", () => c.query("INSERT INTO t (s) VALUES ('second')"));
  await check("syntax", () => c.query("SELEKT"));
  await check("no table", () => c.execute("SELECT * FROM missing"));
  await check("parameters missing", () => c.execute("SELECT ? + ?", [1]));
  await check("transaction", async () => {
    await c.beginTransaction(); await c.query("DELETE FROM t"); await c.rollback();
    await c.beginTransaction(); await c.query("DELETE FROM t WHERE s = 'bulk 7'"); await c.commit();
    return (await c.query("SELECT COUNT(*) n FROM t"))[0];
  });
  await check("a pool", async () => {
    const pool = mysql.createPool({ ...options, connectionLimit: 4 });
    const got = await Promise.all(Array.from({ length: 40 }, (_, i) => pool.execute("SELECT ? * 2 AS d, b FROM t WHERE s = ?", [i, `bulk ${i}`])));
    await pool.end();
    return got.map(([r]) => r.length);
  });
  await check("stream", () => new Promise((done, fail) => { let n = 0; c.connection.query("SELECT * FROM t ORDER BY id").stream().on("data", () => n++).on("end", () => done(n)).on("error", fail); }));
  await check("change of user and reset", async () => { await c.query("SET @x = 1"); await c.changeUser({ database: "information_schema" }); const r = (await c.query("SELECT DATABASE() d, @x x"))[0]; await c.changeUser({ database: "node" }); await c.connection.promise().ping(); return r; });
  await check("load data", async () => { await c.query("SET GLOBAL local_infile = 1"); const [r] = await c.query({ sql: "LOAD DATA LOCAL INFILE 'x' INTO TABLE t (b, s)", infileStreamFactory: () => Readable.from([Buffer.from("1\tloaded 1\n2\tloaded 2\n")]) }); return [r.affectedRows, r.info]; });
  await check("compression", async () => { const n = await mysql.createConnection({ ...options, compress: true }); try { return (await n.query("SELECT LENGTH(REPEAT('x', 1000000)) n, REPEAT('ab', 40) r"))[0]; } finally { await n.end(); } });
  if (process.argv[4] === "tls") await check("TLS", async () => { const n = await mysql.createConnection({ ...options, ssl: { rejectUnauthorized: false } }); try { return (await n.query("SELECT 1"))[0]; } finally { await n.end(); } });
  await check("unprepare and many prepared", async () => { for (let i = 0; i < 100; i++) await c.execute(`SELECT ${i} + ?`, [i]); await c.unprepare("SELECT 1 + ?"); return (await c.execute("SELECT 1 + ? AS n", [1]))[0]; });
  await check("dates as strings", async () => { const n = await mysql.createConnection({ ...options, dateStrings: true }); try { return (await n.execute("SELECT dt, ts, da, ti FROM t ORDER BY id LIMIT 1"))[0]; } finally { await n.end(); } });
  await check("wrong password", async () => { await mysql.createConnection({ ...options, password: "wrong" }); });
  await c.end();
}

main().catch((e) => { console.error(e); process.exit(1); });
