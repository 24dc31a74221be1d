// CallableStatement with MariaDB Connector/J: prints what it does and gets. Run by tests/suites/programs.py.
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;

public class Callable {
    static Connection c;

    interface Work { void run() throws Exception; }

    static void in(String what, Work w) {
        System.out.println("# " + what);
        try {
            w.run();
        } catch (SQLException e) {
            System.out.println("  " + e.getClass().getSimpleName() + " " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage().replaceAll("\\(conn=\\d+\\) ", ""));
        } catch (Exception e) {
            System.out.println("  " + e);
        }
    }

    static void sql(String text) throws SQLException {
        try (Statement s = c.createStatement()) { s.execute(text); }
    }

    static String shown(Object o) {
        if (o instanceof byte[] b) return "bytes " + Arrays.toString(b);
        if (o instanceof Blob b) try { return "blob " + Arrays.toString(b.getBytes(1, (int) b.length())); } catch (SQLException e) { return e.toString(); }
        return o == null ? "null" : o.getClass().getSimpleName() + " " + o;
    }

    static void rows(ResultSet r) throws SQLException {
        ResultSetMetaData m = r.getMetaData();
        StringBuilder names = new StringBuilder();
        for (int i = 1; i <= m.getColumnCount(); i++) names.append(' ').append(m.getColumnLabel(i)).append(':').append(m.getColumnTypeName(i));
        System.out.println("  columns" + names);
        int n = 0;
        while (r.next()) {
            if (n++ >= 12) continue;
            StringBuilder row = new StringBuilder("  ");
            for (int i = 1; i <= m.getColumnCount(); i++) row.append(" | ").append(shown(r.getObject(i)));
            System.out.println(row);
        }
        System.out.println("  rows " + n);
    }

    static void results(Statement s, boolean first) throws SQLException {
        for (boolean rows = first;; rows = s.getMoreResults()) {
            if (rows) rows(s.getResultSet());
            else if (s.getUpdateCount() == -1) return;
            else System.out.println("  count " + s.getUpdateCount());
        }
    }

    static void everything(String options) throws Exception {
        in("types out " + options, () -> {
            try (CallableStatement s = c.prepareCall("{call kinds(?,?,?,?,?,?,?,?,?,?)}")) {
                s.setInt(1, 7);
                int[] types = {Types.INTEGER, Types.BIGINT, Types.DOUBLE, Types.DECIMAL, Types.VARCHAR, Types.DATE, Types.TIMESTAMP, Types.TIME, Types.BINARY, Types.BIT};
                for (int i = 0; i < types.length; i++) s.registerOutParameter(i + 1, types[i]);
                System.out.println("  " + s.execute());
                for (int i = 1; i <= types.length; i++) System.out.println("  " + i + " " + shown(s.getObject(i)) + " " + s.wasNull());
                System.out.println("  " + s.getInt(1) + " " + s.getLong(2) + " " + s.getDouble(3) + " " + s.getBigDecimal(4) + " " + s.getString(5) + " " + s.getDate(6) + " " + s.getTimestamp(7) + " " + s.getTime(8) + " " + s.getBoolean(10));
            }
        });
        in("types null " + options, () -> {
            try (CallableStatement s = c.prepareCall("call kinds(?,?,?,?,?,?,?,?,?,?)")) {
                s.setNull(1, Types.INTEGER);
                for (int i = 1; i <= 10; i++) s.registerOutParameter(i, Types.VARCHAR);
                s.execute();
                for (int i = 1; i <= 10; i++) System.out.println("  " + i + " " + shown(s.getObject(i)) + " " + s.wasNull());
            }
        });
        in("names " + options, () -> {
            try (CallableStatement s = c.prepareCall("{call inout_p(?, ?, ?)}")) {
                s.setString("a", "é");
                s.setInt("n", 41);
                s.registerOutParameter("n", Types.INTEGER);
                s.registerOutParameter("t", Types.VARCHAR);
                s.execute();
                System.out.println("  " + s.getInt("n") + " " + s.getString("t"));
                ParameterMetaData m = s.getParameterMetaData();
                for (int i = 1; i <= m.getParameterCount(); i++) System.out.println("  " + i + " " + m.getParameterMode(i) + " " + m.getParameterTypeName(i) + " " + m.getPrecision(i) + " " + m.getScale(i) + " " + m.isSigned(i));
            }
        });
        in("results " + options, () -> {
            try (CallableStatement s = c.prepareCall("{call many(?, ?)}")) {
                s.setInt(1, 3);
                s.registerOutParameter(2, Types.INTEGER);
                results(s, s.execute());
                System.out.println("  out " + s.getInt(2));
            }
        });
        in("query " + options, () -> {
            try (CallableStatement s = c.prepareCall("{call series(?)}")) {
                for (int n : new int[] {2, 0, 5}) { s.setInt(1, n); rows(s.executeQuery()); }
                s.setFetchSize(2);
                s.setInt(1, 9);
                rows(s.executeQuery());
            }
        });
        in("function " + options, () -> {
            try (CallableStatement s = c.prepareCall("{? = call twice(?)}")) {
                s.registerOutParameter(1, Types.VARCHAR);
                s.setString(2, "añ");
                s.execute();
                System.out.println("  " + s.getString(1));
                s.setNull(2, Types.VARCHAR);
                s.execute();
                System.out.println("  " + s.getString(1) + " " + s.wasNull());
            }
        });
        in("batch " + options, () -> {
            sql("delete from kept");
            try (CallableStatement s = c.prepareCall("{call keep(?, ?)}")) {
                for (int i = 0; i < 5; i++) { s.setInt(1, i); s.setString(2, "v" + i); s.addBatch(); }
                System.out.println("  " + Arrays.toString(s.executeBatch()));
            }
            try (CallableStatement s = c.prepareCall("{call keep(?, ?)}")) {
                for (int i : new int[] {6, 2, 7}) { s.setInt(1, i); s.setString(2, "w" + i); s.addBatch(); }
                try { System.out.println("  " + Arrays.toString(s.executeBatch())); } catch (BatchUpdateException e) { System.out.println("  " + e.getErrorCode() + " " + e.getSQLState()); }
            }
            try (Statement s = c.createStatement()) { rows(s.executeQuery("select * from kept order by id")); }
        });
        in("errors " + options, () -> {
            for (String why : List.of("own", "warn", "gone", "dup", "fine"))
                in("  " + why, () -> {
                    try (CallableStatement s = c.prepareCall("{call fails(?)}")) {
                        s.setString(1, why);
                        results(s, s.execute());
                        for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) System.out.println("  warning " + w.getErrorCode() + " " + w.getSQLState() + " " + w.getMessage());
                    }
                });
            in("  wrong count", () -> { try (CallableStatement s = c.prepareCall("{call keep(?)}")) { s.setInt(1, 1); s.execute(); } });
            in("  nothing", () -> { try (CallableStatement s = c.prepareCall("{call nothing(?)}")) { s.setInt(1, 1); s.execute(); } });
            in("  out not registered", () -> { try (CallableStatement s = c.prepareCall("{call many(?, ?)}")) { s.setInt(1, 1); s.execute(); System.out.println("  done"); } });
        });
        in("transaction " + options, () -> {
            sql("delete from kept");
            c.setAutoCommit(false);
            try (CallableStatement s = c.prepareCall("{call keep(1, 'a')}")) { s.execute(); }
            Savepoint p = c.setSavepoint("sp");
            try (CallableStatement s = c.prepareCall("{call keep(2, 'b')}")) { s.execute(); }
            c.rollback(p);
            c.commit();
            c.setAutoCommit(true);
            try (Statement s = c.createStatement()) { rows(s.executeQuery("select * from kept")); results(s, s.execute("call many(1, @o)")); rows(s.executeQuery("select @o")); }
        });
        in("generated keys " + options, () -> {
            try (CallableStatement s = c.prepareCall("{call add_auto(?)}")) { s.setString(1, "x"); System.out.println("  " + s.executeUpdate()); }
            try (PreparedStatement s = c.prepareStatement("insert into auto (v) values (?)", Statement.RETURN_GENERATED_KEYS)) { s.setString(1, "t"); s.executeUpdate(); rows(s.getGeneratedKeys()); }
        });
    }

    public static void main(String[] args) throws Exception {
        String url = args[0].replace("jdbc:mysql:", "jdbc:mariadb:");
        c = DriverManager.getConnection(url + "/?user=hib&allowPublicKeyRetrieval=true");
        sql("drop database if exists mcj");
        sql("create database mcj");
        sql("use mcj");
        sql("create table kept (id int primary key, v varchar(20))");
        sql("create table auto (id int auto_increment primary key, v varchar(20))");
        sql("create trigger auto_t before insert on auto for each row begin if new.v = 't' then insert into kept values (900 + (select count(*) from auto), 'by trigger'); end if; end");
        sql("create procedure kinds(inout i int, out b bigint, out d double, out m decimal(20,5), out v varchar(30), out dt date, out ts datetime(6), out ti time(3), out bi varbinary(8), out bo bit(1)) begin set b = i * 1000000007, d = i / 4, m = i / 4, v = concat('ö', i), dt = '2024-02-29', ts = '2024-02-29 10:11:12.123456', ti = '-01:02:03.004', bi = x'00ff', bo = i is not null, i = i + 1; end");
        sql("create procedure inout_p(in a varchar(10), inout n int, out t varchar(20)) begin set n = n + 1, t = concat(a, '-', n); end");
        sql("create procedure many(in n int, out o int) begin select 1 as one, 'é' as e; insert into kept values (100 + n, 'm'); select id, v from kept where id >= 100 order by id; delete from kept where id >= 100; set o = n * 2; end");
        sql("create procedure series(in n int) begin with recursive s as (select 1 as i union all select i + 1 from s where i < n) select i, repeat('x', i) as t from s where i <= n; end");
        sql("create procedure keep(in i int, in t varchar(20)) insert into kept values (i, t)");
        sql("create procedure add_auto(in t varchar(20)) insert into auto (v) values (t)");
        sql("create procedure fails(in why varchar(10)) begin declare x tinyint; if why = 'own' then signal sqlstate '45001' set message_text = 'ours', mysql_errno = 4711; elseif why = 'warn' then signal sqlstate '01234' set message_text = 'careful', mysql_errno = 4712; elseif why = 'gone' then select * from nowhere; elseif why = 'dup' then insert into kept values (1, 'a') on duplicate key update v = v; insert into kept values (1, 'b'); end if; end");
        sql("create function twice(s varchar(20)) returns varchar(40) deterministic return concat(s, s)");
        for (String options : List.of("", "&useServerPrepStmts=true", "&useServerPrepStmts=true&useBulkStmts=true", "&allowMultiQueries=true&rewriteBatchedStatements=true", "&dumpQueriesOnException=true&useCompression=true")) {
            c.close();
            c = DriverManager.getConnection(url + "/mcj?user=hib&allowPublicKeyRetrieval=true" + options);
            everything(options);
        }
        DatabaseMetaData m = c.getMetaData();
        in("procedures", () -> { try (ResultSet r = m.getProcedures("mcj", null, "%")) { while (r.next()) System.out.println("  " + r.getString("PROCEDURE_NAME") + " " + r.getShort("PROCEDURE_TYPE") + " " + r.getString("REMARKS")); } });
        in("procedure columns", () -> { try (ResultSet r = m.getProcedureColumns("mcj", null, "%", "%")) { while (r.next()) System.out.println("  " + r.getString("PROCEDURE_NAME") + " " + r.getString("COLUMN_NAME") + " " + r.getInt("COLUMN_TYPE") + " " + r.getInt("DATA_TYPE") + " " + r.getString("TYPE_NAME") + " " + r.getString("PRECISION") + " " + r.getString("LENGTH") + " " + r.getString("SCALE") + " " + r.getInt("NULLABLE")); } });
        in("functions", () -> { try (ResultSet r = m.getFunctions("mcj", null, "%")) { while (r.next()) System.out.println("  " + r.getString("FUNCTION_NAME") + " " + r.getShort("FUNCTION_TYPE")); } });
        in("function columns", () -> { try (ResultSet r = m.getFunctionColumns("mcj", null, "%", "%")) { while (r.next()) System.out.println("  " + r.getString("FUNCTION_NAME") + " " + r.getString("COLUMN_NAME") + " " + r.getInt("DATA_TYPE") + " " + r.getString("TYPE_NAME") + " " + r.getString("PRECISION")); } });
        c.close();
    }
}
