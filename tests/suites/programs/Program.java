// What applications do with Connector/J, printed line by line so that two servers can be compared: Program URL
import java.math.BigDecimal;
import java.sql.*;
import java.time.*;
import java.util.*;

public class Program {
    interface Check { void run() throws Exception; }

    static void check(String name, Check c) {
        System.out.println("# " + name);
        try { c.run(); } catch (SQLException e) {
            System.out.println("  error " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getClass().getSimpleName());
        } catch (Exception e) { System.out.println("  exception " + e); }
    }

    static void show(ResultSet rs, int... skip) throws SQLException {
        ResultSetMetaData m = rs.getMetaData();
        while (rs.next()) {
            StringBuilder b = new StringBuilder("  ");
            for (int i = 1; i <= m.getColumnCount(); i++) {
                final int column = i;
                if (Arrays.stream(skip).anyMatch(s -> s == column)) continue;
                Object o = rs.getObject(i);
                b.append(o instanceof byte[] ? HexFormat.of().formatHex((byte[]) o) : String.valueOf(o)).append(" | ");
            }
            System.out.println(b);
        }
    }

    static void query(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet rs = s.executeQuery(sql)) { show(rs); }
    }

    static void run(Connection c, String... sql) throws SQLException {
        try (Statement s = c.createStatement()) { for (String one : sql) s.execute(one); }
    }

    static void all(String base, String options) throws Exception {
        System.out.println("######## " + options);
        try (Connection c = DriverManager.getConnection(base + "/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&connectionTimeZone=UTC&" + options)) {
            run(c, "DROP DATABASE IF EXISTS jdbc", "CREATE DATABASE jdbc CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
            c.setCatalog("jdbc");
            run(c, "CREATE TABLE parent (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) NOT NULL, UNIQUE KEY by_name (name))",
                "CREATE TABLE t (id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, a TINYINT(1), b SMALLINT, c DECIMAL(20,4), d DOUBLE, e FLOAT, s VARCHAR(100) DEFAULT 'none', x TEXT, "
                + "v VARBINARY(20), l LONGBLOB, dt DATETIME(6), ts TIMESTAMP NULL, da DATE, ti TIME(3), y YEAR, bits BIT(8), en ENUM('red','green'), st SET('p','q'), "
                + "parent_id INT, KEY by_ab (a, b), CONSTRAINT of_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE RESTRICT)",
                "CREATE VIEW w AS SELECT id, s FROM t");
            check("generated keys", () -> {
                try (PreparedStatement p = c.prepareStatement("INSERT INTO parent (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                    for (String n : new String[] {"one", "zwei", "三", "😀"}) { p.setString(1, n); p.addBatch(); }
                    System.out.println("  " + Arrays.toString(p.executeBatch()));
                    try (ResultSet k = p.getGeneratedKeys()) { show(k); }
                }
            });
            check("every type in and out", () -> {
                try (PreparedStatement p = c.prepareStatement("INSERT INTO t (a,b,c,d,e,s,x,v,l,dt,ts,da,ti,y,bits,en,st,parent_id) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")) {
                    p.setBoolean(1, true); p.setShort(2, (short) -7); p.setBigDecimal(3, new BigDecimal("12345678901234.5678")); p.setDouble(4, 1.5e300); p.setFloat(5, 0.1f);
                    p.setString(6, "it's \"x\" \\ ü 😀"); p.setCharacterStream(7, new java.io.StringReader("long text")); p.setBytes(8, new byte[] {0, 1, (byte) 255, 39});
                    p.setBinaryStream(9, new java.io.ByteArrayInputStream(new byte[100000])); p.setObject(10, LocalDateTime.of(2026, 11, 21, 23, 59, 58, 123456000));
                    p.setTimestamp(11, Timestamp.from(Instant.parse("2026-01-02T03:04:05Z"))); p.setObject(12, LocalDate.of(1999, 12, 31)); p.setObject(13, LocalTime.of(1, 2, 3, 4000000));
                    p.setInt(14, 2026); p.setBytes(15, new byte[] {5}); p.setString(16, "green"); p.setString(17, "p,q"); p.setInt(18, 1);
                    System.out.println("  " + p.executeUpdate());
                    for (int i = 1; i <= 18; i++) p.setNull(i, Types.VARCHAR);
                    System.out.println("  " + p.executeUpdate());
                }
                query(c, "SELECT id,a,b,c,d,e,s,x,v,length(l),dt,ts,da,ti,y,bits,en,st,parent_id FROM t");
                try (PreparedStatement p = c.prepareStatement("SELECT a,b,c,d,e,s,x,v,dt,da,ti,y,bits FROM t WHERE id = ? AND s LIKE ?")) {
                    p.setLong(1, 1); p.setString(2, "it%");
                    try (ResultSet rs = p.executeQuery()) {
                        rs.next();
                        System.out.println("  " + rs.getBoolean(1) + " " + rs.getInt(2) + " " + rs.getBigDecimal(3) + " " + rs.getDouble(4) + " " + rs.getFloat(5) + " " + rs.getString("s") + " "
                            + rs.getObject(9, LocalDateTime.class) + " " + rs.getDate(10) + " " + rs.getObject(11, LocalTime.class) + " " + rs.getInt(12) + " " + Arrays.toString(rs.getBytes(13)));
                    }
                }
            });
            check("metadata of a result", () -> {
                try (Statement s = c.createStatement(); ResultSet rs = s.executeQuery("SELECT t.*, CONCAT(s, 'x') cc, NOW(3) nn, b * 1.5 AS m FROM t LIMIT 1")) {
                    ResultSetMetaData m = rs.getMetaData();
                    for (int i = 1; i <= m.getColumnCount(); i++)
                        System.out.println("  " + m.getColumnLabel(i) + " " + m.getTableName(i) + " " + m.getColumnTypeName(i) + " " + m.getColumnType(i) + " " + m.getPrecision(i) + " " + m.getScale(i)
                            + " " + m.isNullable(i) + " " + m.isAutoIncrement(i) + " " + m.isSigned(i) + " " + m.getColumnClassName(i));
                }
            });
            check("DatabaseMetaData", () -> {
                DatabaseMetaData m = c.getMetaData();
                try (ResultSet rs = m.getTables("jdbc", null, "%", new String[] {"TABLE", "VIEW"})) { show(rs); }
                try (ResultSet rs = m.getColumns("jdbc", null, "%", "%")) { while (rs.next()) System.out.println("  " + rs.getString("TABLE_NAME") + "." + rs.getString("COLUMN_NAME") + " "
                    + rs.getInt("DATA_TYPE") + " " + rs.getString("TYPE_NAME") + " " + rs.getString("COLUMN_SIZE") + " " + rs.getString("DECIMAL_DIGITS") + " " + rs.getString("IS_NULLABLE") + " "
                    + rs.getString("IS_AUTOINCREMENT") + " " + rs.getInt("ORDINAL_POSITION")); }
                try (ResultSet rs = m.getPrimaryKeys("jdbc", null, "t")) { show(rs); }
                try (ResultSet rs = m.getIndexInfo("jdbc", null, "t", false, true)) { show(rs, 11); }
                try (ResultSet rs = m.getImportedKeys("jdbc", null, "t")) { show(rs); }
                try (ResultSet rs = m.getExportedKeys("jdbc", null, "parent")) { show(rs); }
                try (ResultSet rs = m.getBestRowIdentifier("jdbc", null, "t", DatabaseMetaData.bestRowSession, true)) { show(rs); }
                System.out.println("  " + m.getIdentifierQuoteString() + " " + m.storesLowerCaseIdentifiers() + " " + m.supportsTransactions() + " " + m.getDefaultTransactionIsolation());
            });
            check("transactions and savepoints", () -> {
                c.setAutoCommit(false);
                c.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                run(c, "INSERT INTO parent (id, name) VALUES (10, 'ten')");
                Savepoint sp = c.setSavepoint("inner");
                run(c, "INSERT INTO parent (id, name) VALUES (11, 'eleven')");
                c.rollback(sp);
                c.commit();
                run(c, "DELETE FROM parent");
                c.rollback();
                c.setAutoCommit(true);
                query(c, "SELECT * FROM parent ORDER BY id");
                c.setReadOnly(true);
                try { run(c, "DELETE FROM parent"); } finally { c.setReadOnly(false); c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ); }
            });
            check("errors: duplicate", () -> run(c, "INSERT INTO parent (name) VALUES ('one')"));
            check("errors: syntax", () -> run(c, "SELEKT 1"));
            check("errors: no table", () -> query(c, "SELECT * FROM missing"));
            check("errors: foreign key", () -> run(c, "INSERT INTO t (parent_id) VALUES (99)"));
            check("errors: too long", () -> run(c, "INSERT INTO t (s) VALUES (REPEAT('x', 101))"));
            check("errors: truncated", () -> run(c, "INSERT INTO t (b) VALUES (99999)"));
            check("a batch with an error in it", () -> {
                try (PreparedStatement p = c.prepareStatement("INSERT INTO parent (name) VALUES (?)")) {
                    for (String n : new String[] {"b1", "one", "b2"}) { p.setString(1, n); p.addBatch(); }
                    p.executeBatch();
                } catch (BatchUpdateException e) { System.out.println("  " + e.getErrorCode()); }
            });
            check("a batch of 1,000 rows", () -> {
                try (PreparedStatement p = c.prepareStatement("INSERT INTO t (b, s) VALUES (?, ?)")) {
                    for (int i = 0; i < 1000; i++) { p.setInt(1, i); p.setString(2, "row " + i); p.addBatch(); }
                    System.out.println("  " + p.executeBatch().length);
                }
                query(c, "SELECT COUNT(*), SUM(b), MIN(s) FROM t");
            });
            check("streaming and cursors", () -> {
                long sum = 0;
                try (Statement s = c.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
                    s.setFetchSize(Integer.MIN_VALUE);
                    try (ResultSet rs = s.executeQuery("SELECT b FROM t WHERE b > 0 ORDER BY id")) { while (rs.next()) sum += rs.getInt(1); }
                }
                try (PreparedStatement p = c.prepareStatement("SELECT b, s FROM t WHERE b > ? ORDER BY id")) {
                    p.setFetchSize(50);
                    p.setInt(1, 500);
                    try (ResultSet rs = p.executeQuery()) { while (rs.next()) sum += rs.getInt(1); }
                }
                System.out.println("  " + sum);
            });
            check("an updatable result", () -> {
                try (Statement s = c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE); ResultSet rs = s.executeQuery("SELECT id, name FROM parent ORDER BY id")) {
                    rs.next(); rs.updateString("name", "first"); rs.updateRow();
                    rs.moveToInsertRow(); rs.updateString("name", "inserted"); rs.insertRow();
                    rs.absolute(2); rs.deleteRow();
                }
                query(c, "SELECT name FROM parent ORDER BY name");
            });
            check("several results", () -> {
                try (Connection m = DriverManager.getConnection(base + "/jdbc?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&allowMultiQueries=true"); Statement s = m.createStatement()) {
                    boolean rows = s.execute("SELECT 1; UPDATE t SET s = 'u' WHERE b < 10; SELECT 2, 3; SELECT 4");
                    for (int left = 10; left > 0; left--) {
                        if (rows) show(s.getResultSet()); else { if (s.getUpdateCount() == -1) break; System.out.println("  count " + s.getUpdateCount()); }
                        rows = s.getMoreResults();
                    }
                }
            });
            check("a time limit", () -> { try (Statement s = c.createStatement()) { s.setQueryTimeout(1); s.executeQuery("SELECT SLEEP(20)"); } });
            check("after it", () -> query(c, "SELECT 'alive', DATABASE(), @@character_set_client"));
            check("warnings", () -> {
                try (Statement s = c.createStatement()) {
                    s.execute("SELECT CAST('12abc' AS SIGNED)");
                    for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) System.out.println("  " + w.getErrorCode() + " " + w.getSQLState());
                }
            });
            check("JSON", () -> {
                run(c, "CREATE TABLE j (id INT PRIMARY KEY, doc JSON)");
                try (PreparedStatement p = c.prepareStatement("INSERT INTO j VALUES (?, ?)")) { p.setInt(1, 1); p.setString(2, "{\"k\": [1, \"zwei\", null]}"); p.executeUpdate(); }
                query(c, "SELECT id, doc, JSON_EXTRACT(doc, '$.k[1]') FROM j");
            });
            check("procedures and functions", () -> {
                run(c, "CREATE PROCEDURE inout_all(IN a INT, INOUT b VARCHAR(40), OUT d DECIMAL(10,2), OUT e DATETIME) BEGIN SET b = CONCAT(b, '-', a), d = a / 3, e = '2026-11-21 23:59:58'; END",
                    "CREATE PROCEDURE results(n INT) BEGIN SELECT n AS x; UPDATE parent SET name = name; SELECT n + 1 AS y, 'two' AS z; IF n > 5 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too many', MYSQL_ERRNO = 5001; END IF; END",
                    "CREATE FUNCTION twice(a INT) RETURNS INT DETERMINISTIC RETURN a * 2",
                    "CREATE FUNCTION hello(s VARCHAR(20)) RETURNS VARCHAR(40) NO SQL RETURN CONCAT('hello ', s)");
                try (CallableStatement s = c.prepareCall("{CALL inout_all(?, ?, ?, ?)}")) {
                    for (int n = 1; n <= 3; n++) {
                        s.setInt(1, n); s.setString(2, "b" + n);
                        s.registerOutParameter(2, Types.VARCHAR); s.registerOutParameter(3, Types.DECIMAL); s.registerOutParameter(4, Types.TIMESTAMP);
                        System.out.println("  " + s.execute() + " " + s.getString(2) + " " + s.getBigDecimal(3) + " " + s.getTimestamp(4));
                    }
                }
                try (CallableStatement s = c.prepareCall("{CALL inout_all(?, ?, ?, ?)}")) {
                    s.setInt("a", 7); s.setString("b", "named"); s.registerOutParameter("b", Types.VARCHAR); s.registerOutParameter("d", Types.DECIMAL); s.registerOutParameter("e", Types.TIMESTAMP);
                    s.executeUpdate();
                    System.out.println("  " + s.getString("b") + " " + s.getBigDecimal("d"));
                }
                try (CallableStatement s = c.prepareCall("{? = CALL twice(?)}")) {
                    s.registerOutParameter(1, Types.INTEGER); s.setInt(2, 21); s.execute();
                    System.out.println("  " + s.getInt(1));
                }
                try (CallableStatement s = c.prepareCall("{? = CALL hello(?)}")) {
                    s.registerOutParameter(1, Types.VARCHAR); s.setString(2, "wörld"); s.execute();
                    System.out.println("  " + s.getString(1));
                }
                for (int n : new int[] {1, 6}) try (CallableStatement s = c.prepareCall("CALL results(?)")) {
                    s.setInt(1, n);
                    boolean rows = s.execute();
                    for (int left = 10; left > 0; left--) {
                        if (rows) show(s.getResultSet()); else { if (s.getUpdateCount() == -1) break; System.out.println("  count " + s.getUpdateCount()); }
                        rows = s.getMoreResults();
                    }
                } catch (SQLException e) { System.out.println("  error " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage()); }
                DatabaseMetaData m = c.getMetaData();
                try (ResultSet rs = m.getProcedures("jdbc", null, "%")) { while (rs.next()) System.out.println("  " + rs.getString(3) + " " + rs.getString(8)); }
                try (ResultSet rs = m.getProcedureColumns("jdbc", null, "inout_all", "%")) { while (rs.next()) System.out.println("  " + rs.getString(4) + " " + rs.getString(5) + " " + rs.getString(7)); }
                try (ResultSet rs = m.getFunctions("jdbc", null, "%")) { while (rs.next()) System.out.println("  " + rs.getString(3)); }
                try (CallableStatement s = c.prepareCall("{CALL nothing_there(?)}")) { s.setInt(1, 1); s.execute(); }
            });
            check("triggers", () -> {
                run(c, "CREATE TABLE audited (id INT PRIMARY KEY AUTO_INCREMENT, n INT)", "CREATE TABLE audit (n INT)",
                    "CREATE TRIGGER audits AFTER INSERT ON audited FOR EACH ROW INSERT INTO audit VALUES (NEW.n)");
                try (PreparedStatement p = c.prepareStatement("INSERT INTO audited (n) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
                    for (int n = 0; n < 5; n++) { p.setInt(1, n); p.addBatch(); }
                    System.out.println("  " + p.executeBatch().length);
                    try (ResultSet k = p.getGeneratedKeys()) { show(k); }
                }
                query(c, "SELECT COUNT(*), SUM(n) FROM audit");
            });
            check("reset", () -> {
                run(c, "SET @x = 5");
                ((com.mysql.cj.jdbc.JdbcConnection) c).resetServerState();
                query(c, "SELECT @x IS NULL, DATABASE()");
            });
        }
    }

    public static void main(String[] args) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        String base = args[0];
        for (String options : new String[] {"useServerPrepStmts=false", "useServerPrepStmts=true&cachePrepStmts=true", "useServerPrepStmts=true&useCursorFetch=true",
            "rewriteBatchedStatements=true&useCompression=true", "useInformationSchema=true&databaseTerm=CATALOG"}) all(base, options);
        try (Connection c = DriverManager.getConnection(base + "/jdbc?user=root&sslMode=PREFERRED")) {
            check("TLS where there is a certificate", () -> query(c, "SELECT 1"));
        }
    }
}
