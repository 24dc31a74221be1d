// Hibernate 6.6 with stored procedures, functions and triggers: prints what it gets. Run by tests/suites/programs.py.
import jakarta.persistence.*;
import java.math.BigDecimal;
import java.time.*;
import java.util.*;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.SQLDelete;
import org.hibernate.annotations.SQLInsert;
import org.hibernate.annotations.SQLUpdate;
import org.hibernate.cfg.Configuration;
import org.hibernate.procedure.ProcedureCall;
import org.hibernate.procedure.ProcedureOutputs;
import org.hibernate.result.*;

public class Hibernate {
    @Entity(name = "Author") @Table(name = "author")
    @NamedStoredProcedureQueries({
        @NamedStoredProcedureQuery(name = "Author.byName", procedureName = "authors_by_name", resultClasses = Author.class, parameters = {
            @StoredProcedureParameter(mode = ParameterMode.IN, name = "part", type = String.class)}),
        @NamedStoredProcedureQuery(name = "Author.count", procedureName = "count_authors", parameters = {
            @StoredProcedureParameter(mode = ParameterMode.IN, name = "part", type = String.class),
            @StoredProcedureParameter(mode = ParameterMode.OUT, name = "n", type = Integer.class),
            @StoredProcedureParameter(mode = ParameterMode.INOUT, name = "total", type = BigDecimal.class)})})
    public static class Author {
        @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
        @Column(nullable = false, length = 60) String name;
        @Column(precision = 12, scale = 2) BigDecimal pay;
        LocalDate born;
        boolean alive = true;
        @Generated(event = {org.hibernate.generator.EventType.INSERT, org.hibernate.generator.EventType.UPDATE}) @Column(insertable = false, updatable = false, length = 80) String slug;
        @OneToMany(mappedBy = "author", cascade = CascadeType.ALL, orphanRemoval = true) @OrderBy("title") List<Book> books = new ArrayList<>();
        @Version int version;
        public String toString() { return "Author " + id + " " + name + " " + pay + " " + born + " " + alive + " " + slug + " v" + version; }
    }
    @Entity(name = "Book") @Table(name = "book", indexes = @Index(name = "by_title", columnList = "title"))
    public static class Book {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "book_seq") @SequenceGenerator(name = "book_seq", allocationSize = 5) Long id;
        String title;
        @ManyToOne(fetch = FetchType.LAZY) @JoinColumn(name = "author_id") Author author;
        LocalDateTime printed;
        @Lob String text;
        public String toString() { return "Book " + id + " " + title; }
    }
    @Entity(name = "Audit") @Table(name = "audit")
    public static class Audit {
        @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
        String what;
        Long ref;
    }
    // changes by procedures
    @Entity(name = "Note") @Table(name = "note")
    @SQLInsert(sql = "call note_insert(?, ?)", callable = true, verify = org.hibernate.jdbc.Expectation.None.class)
    @SQLUpdate(sql = "call note_update(?, ?)", callable = true, verify = org.hibernate.jdbc.Expectation.None.class)
    @SQLDelete(sql = "call note_delete(?)", callable = true, verify = org.hibernate.jdbc.Expectation.None.class)
    public static class Note {
        @Id Integer id;
        String body;
    }

    static void show(String what, Object o) { System.out.println(what + ": " + o); }

    interface Work { Object run(Session s) throws Exception; }

    static SessionFactory factory;

    static void in(String what, Work w) {
        Session s = factory.openSession();
        Transaction: {
            var t = s.beginTransaction();
            try {
                Object o = w.run(s);
                t.commit();
                if (o instanceof List<?> l) l.forEach(x -> show(what, x instanceof Object[] a ? Arrays.toString(a) : x)); else show(what, o);
            } catch (Throwable e) {
                if (t.isActive()) t.rollback();
                Throwable c = e;
                while (c.getCause() != null && !(c instanceof java.sql.SQLException)) c = c.getCause();
                String state = c instanceof java.sql.SQLException q ? q.getErrorCode() + " " + q.getSQLState() : "";
                show(what, e.getClass().getSimpleName() + " / " + c.getClass().getSimpleName() + " " + state + " " + c.getMessage());
            }
        }
        s.close();
    }

    static void sql(String text) {
        in("define", s -> { s.doWork(c -> { try (var st = c.createStatement()) { st.execute(text); } }); return text.substring(0, Math.min(50, text.length())).replace('\n', ' '); });
    }

    static Configuration configuration(String url, String ddl) {
        Configuration c = new Configuration();
        for (Class<?> k : List.of(Author.class, Book.class, Audit.class, Note.class)) c.addAnnotatedClass(k);
        c.setProperty("hibernate.connection.url", url);
        c.setProperty("hibernate.connection.username", "hib");
        c.setProperty("hibernate.connection.password", "");
        c.setProperty("hibernate.hbm2ddl.auto", ddl);
        c.setProperty("hibernate.jdbc.batch_size", "10");
        return c;
    }

    public static void main(String[] args) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        String url = args[0] + "/hib?createDatabaseIfNotExist=true&useSSL=false&allowPublicKeyRetrieval=true&connectionTimeZone=UTC";
        factory = configuration(url, "create").buildSessionFactory();
        sql("create trigger author_slug before insert on author for each row set new.slug = lower(replace(new.name, ' ', '-'))");
        sql("create trigger author_slug2 before update on author for each row set new.slug = concat(lower(replace(new.name, ' ', '-')), '-', new.version)");
        sql("create trigger author_audit after insert on author for each row insert into audit (what, ref) values ('author', new.id)");
        sql("create trigger book_audit after delete on book for each row insert into audit (what, ref) values (concat('gone ', old.title), old.id)");
        sql("create procedure authors_by_name(in part varchar(60)) reads sql data select * from author where name like concat('%', part, '%') order by id");
        sql("create procedure count_authors(in part varchar(60), out n int, inout total decimal(14,2)) reads sql data\nbegin\n select count(*), total + coalesce(sum(pay), 0) into n, total from author where name like concat('%', part, '%');\nend");
        sql("create procedure two_results(in least decimal(12,2))\nbegin\n select id, name from author where pay >= least order by id;\n update author set pay = pay + 1 where pay < least;\n select count(*) from book;\nend");
        sql("create procedure types_of(inout a tinyint, inout b bigint, inout c double, inout d varchar(30), inout e date, inout f datetime, inout g boolean, out h varbinary(10))\nbegin\n set a = a + 1, b = b * 2, c = c / 3, d = concat(d, 'é'), e = e + interval 1 day, f = f + interval 1 hour, g = not g, h = x'0102';\nend");
        sql("create procedure fails(in why varchar(30))\nbegin\n insert into audit (what) values (why);\n if why = 'own' then signal sqlstate '45000' set message_text = 'of our own', mysql_errno = 5001; end if;\n if why = 'dup' then insert into audit (id, what) select id, 'again' from audit limit 1; end if;\n if why = 'gone' then select * from nowhere; end if;\nend");
        sql("create procedure note_insert(in b varchar(255), in i int) insert into note (body, id) values (concat('<', b, '>'), i)");
        sql("create procedure note_update(in b varchar(255), in i int) update note set body = concat('[', b, ']') where id = i");
        sql("create procedure note_delete(in i int) delete from note where id = i");
        sql("create function initials(s varchar(60)) returns varchar(10) deterministic no sql\nbegin\n declare r varchar(10) default '';\n while locate(' ', s) > 0 do set r = concat(r, left(s, 1)), s = substring(s, locate(' ', s) + 1); end while;\n return concat(r, left(s, 1));\nend");
        sql("create function pay_of(a bigint) returns decimal(12,2) reads sql data return (select pay from author where id = a)");
        sql("create view rich as select id, initials(name) as ini, pay_of(id) as pay from author where pay > 50");
        in("persist", s -> {
            String[] names = {"Ada King Lovelace", "Blaise Pascal", "Çelebi Müller", "Дмитрий Иванов"};
            for (int i = 0; i < names.length; i++) {
                Author a = new Author();
                a.name = names[i]; a.pay = new BigDecimal(i * 33).add(new BigDecimal("0.25")); a.born = LocalDate.of(1800 + i, 1 + i, 10);
                for (int j = 0; j < 3; j++) { Book b = new Book(); b.title = "Title " + i + j; b.author = a; b.printed = LocalDateTime.of(2024, 1, 1 + j, 10, 30); b.text = "x".repeat(1000 * j); a.books.add(b); }
                s.persist(a);
            }
            return "four";
        });
        in("authors", s -> s.createQuery("from Author order by id", Author.class).list());
        in("books", s -> s.createQuery("select b.title, b.author.name, length(b.text) from Book b order by b.title", Object[].class).list());
        in("audit", s -> s.createQuery("select what, ref from Audit order by id", Object[].class).list());
        in("update", s -> { Author a = s.find(Author.class, 1L); a.name = "Ada Byron"; s.flush(); return a; });
        in("stale", s -> { Author a = s.find(Author.class, 1L); s.createNativeMutationQuery("update author set version = version + 1 where id = 1").executeUpdate(); a.name = "x"; s.flush(); return a; });
        in("named result", s -> s.createNamedStoredProcedureQuery("Author.byName").setParameter("part", "a").getResultList());
        in("named out", s -> {
            var q = s.createNamedStoredProcedureQuery("Author.count").setParameter("part", "a").setParameter("total", new BigDecimal("1000.50"));
            q.execute();
            return q.getOutputParameterValue("n") + " " + q.getOutputParameterValue("total");
        });
        in("positional", s -> {
            var q = s.createStoredProcedureQuery("count_authors");
            q.registerStoredProcedureParameter(1, String.class, ParameterMode.IN);
            q.registerStoredProcedureParameter(2, Integer.class, ParameterMode.OUT);
            q.registerStoredProcedureParameter(3, BigDecimal.class, ParameterMode.INOUT);
            q.setParameter(1, "nobody").setParameter(3, new BigDecimal("2.5"));
            return q.getOutputParameterValue(2) + " " + q.getOutputParameterValue(3);
        });
        in("two results", s -> {
            ProcedureCall call = s.createStoredProcedureCall("two_results");
            call.registerParameter("least", BigDecimal.class, ParameterMode.IN);
            call.setParameter("least", new BigDecimal("40"));
            ProcedureOutputs out = call.getOutputs();
            List<Object> got = new ArrayList<>();
            do {
                Output o = out.getCurrent();
                if (o == null) break;
                if (o.isResultSet()) { for (Object r : ((ResultSetOutput) o).getResultList()) got.add(r instanceof Object[] a ? Arrays.toString(a) : r); }
                else got.add("count " + ((UpdateCountOutput) o).getUpdateCount());
            } while (out.goToNext());
            out.release();
            return got;
        });
        in("types", s -> {
            ProcedureCall q = s.createStoredProcedureCall("types_of");
            Class<?>[] types = {Byte.class, Long.class, Double.class, String.class, LocalDate.class, LocalDateTime.class, Boolean.class};
            Object[] values = {(byte) 5, 1L << 40, 10.0, "ü", LocalDate.of(2024, 2, 28), LocalDateTime.of(2024, 3, 31, 1, 30), true};
            for (int i = 0; i < types.length; i++) { q.registerParameter(i + 1, (Class) types[i], ParameterMode.INOUT); q.setParameter(i + 1, values[i]); }
            q.registerParameter(8, byte[].class, ParameterMode.OUT);
            ProcedureOutputs out = q.getOutputs();
            List<Object> got = new ArrayList<>();
            for (int i = 0; i < types.length; i++) got.add(out.getOutputParameterValue(i + 1));
            got.add(Arrays.toString((byte[]) out.getOutputParameterValue(8)));
            return got;
        });
        in("nulls", s -> {
            ProcedureCall q = s.createStoredProcedureCall("types_of");
            Class<?>[] types = {Byte.class, Long.class, Double.class, String.class, LocalDate.class, LocalDateTime.class, Boolean.class};
            for (int i = 0; i < types.length; i++) { q.registerParameter(i + 1, (Class) types[i], ParameterMode.INOUT); q.setParameter(i + 1, null); }
            q.registerParameter(8, byte[].class, ParameterMode.OUT);
            ProcedureOutputs out = q.getOutputs();
            List<Object> got = new ArrayList<>();
            for (int i = 0; i < types.length; i++) got.add(String.valueOf(out.getOutputParameterValue(i + 1)));
            return got;
        });
        for (String why : List.of("none", "own", "dup", "gone")) {
            in("fails " + why, s -> { var q = s.createStoredProcedureQuery("fails"); q.registerStoredProcedureParameter("why", String.class, ParameterMode.IN); q.setParameter("why", why); return q.execute(); });
            in("  left", s -> s.createQuery("select count(*) from Audit where what = :w", Long.class).setParameter("w", why).getSingleResult());
        }
        in("no such", s -> { var q = s.createStoredProcedureQuery("nothing_here"); return q.execute(); });
        in("function call", s -> { ProcedureCall q = s.createStoredProcedureCall("initials"); q.markAsFunctionCall(String.class); q.registerParameter(2, String.class, ParameterMode.IN); q.setParameter(2, "Grace Brewster Hopper"); return q.getOutputs().getOutputParameterValue(1); });
        in("hql function", s -> s.createQuery("select a.name, function('initials', a.name), function('pay_of', a.id) from Author a where function('initials', a.name) <> 'BP' order by function('initials', a.name)", Object[].class).list());
        in("sql function", s -> s.createNativeQuery("select initials(name), pay_of(id) + ?1 from author order by id", Object[].class).setParameter(1, new BigDecimal("0.05")).list());
        in("view", s -> s.createNativeQuery("select * from rich order by id", Object[].class).list());
        in("native call", s -> s.createNativeQuery("call authors_by_name('Bl')", Author.class).list());
        in("note new", s -> { for (int i = 1; i <= 3; i++) { Note n = new Note(); n.id = i; n.body = "b" + i; s.persist(n); } return "three"; });
        in("note change", s -> { Note n = s.find(Note.class, 2); String was = n.body; n.body = "other"; s.flush(); return was; });
        in("note gone", s -> { s.remove(s.find(Note.class, 3)); return "third"; });
        in("notes", s -> s.createQuery("select id, body from Note order by id", Object[].class).list());
        in("remove", s -> { s.remove(s.find(Author.class, 2L)); return "second"; });
        in("audit", s -> s.createQuery("select what, ref from Audit where what like 'gone %' order by ref", Object[].class).list());
        in("bulk", s -> s.createMutationQuery("update Author set pay = pay * 2 where id > 2").executeUpdate() + " " + s.createMutationQuery("delete from Book where author.id = 3").executeUpdate());
        in("limit", s -> s.createQuery("from Book order by title desc", Book.class).setFirstResult(1).setMaxResults(2).list());
        in("lock", s -> s.find(Author.class, 1L, LockModeType.PESSIMISTIC_WRITE));
        factory.close();
        try { configuration(url, "validate").buildSessionFactory().close(); show("validate", "as mapped"); } catch (Exception e) { show("validate", e.getMessage()); }
        try { configuration(url, "update").buildSessionFactory().close(); show("update", "done"); } catch (Exception e) { show("update", e.getMessage()); }
        try { configuration(url, "create-drop").buildSessionFactory().close(); show("create-drop", "done"); } catch (Exception e) { show("create-drop", e.getMessage()); }
        try (var c = java.sql.DriverManager.getConnection(url, "hib", "")) {
            for (String what : List.of("tables", "routines", "triggers"))
                try (var r = c.createStatement().executeQuery("select count(*) from information_schema." + what + " where " + (what.equals("tables") ? "table_schema" : what.equals("routines") ? "routine_schema" : "trigger_schema") + " = 'hib'")) { r.next(); show("left of " + what, r.getInt(1)); }
        }
    }
}
