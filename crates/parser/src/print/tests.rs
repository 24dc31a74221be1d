//! The printed text, and that it parses to itself.

use super::{Resolution, Style, query};
use crate::{Lexed, Mode, Statement, parse};
use bumpalo::Bump;

fn print(sql: &str) -> String {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    let p = parse(&arena, sql.as_bytes(), &mut lexed).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
    match p.statement {
        Statement::Query(q) => query(q, &Resolution::default(), Style::default()),
        other => panic!("{sql}: {other:?}"),
    }
}

#[track_caller]
fn check(sql: &str, want: &str) {
    let got = print(sql);
    assert_eq!(got, want, "{sql}");
    assert_eq!(print(&got), got, "printed again");
}

#[test]
fn operators_have_parentheses() {
    check("SELECT a+b*c FROM t", "select (`a` + (`b` * `c`)) from `t`");
    check(
        "SELECT 1 WHERE a AND (b=1 AND c OR NOT d=2)",
        "select 1 where ((0 <> `a`) and (((`b` = 1) and (0 <> `c`)) or (`d` <> 2)))",
    );
    check(
        "SELECT a NOT LIKE 'x\\'y' ESCAPE '|', a RLIKE b, -a, -1, !a, ~a",
        "select (not((`a` like 'x\\'y' escape '|'))),regexp_like(`a`,`b`),-(`a`),-(1),(0 = `a`),~(`a`)",
    );
    check(
        "SELECT a IN (1,2), a NOT IN (SELECT 1), (a,b)=(1,2), a BETWEEN 1 AND 2",
        "select (`a` in (1,2)),`a` not in (select 1),((`a`,`b`) = (1,2)),(`a` between 1 and 2)",
    );
    check(
        "SELECT (a IN (SELECT 1)) = 1, a > ALL (SELECT 2), EXISTS(SELECT 1)",
        "select ((`a` in (select 1)) = 1),(`a` > all (select 2)),exists(select 1)",
    );
    check(
        "SELECT a IS NULL, ISNULL(a), a IS NOT TRUE, a XOR b",
        "select (`a` is null),(`a` is null),((0 <> `a`) is not true),((0 <> `a`) xor (0 <> `b`))",
    );
}

#[test]
fn conditions_are_turned_around() {
    for (written, printed) in [
        ("not a not like 'x'", "(`a` like 'x')"),
        ("not a between 1 and 2", "(`a` not between 1 and 2)"),
        ("not a not in (1,2)", "(`a` in (1,2))"),
        ("not (a in (1))", "(`a` <> 1)"),
        ("not isnull(a)", "(`a` is not null)"),
        ("not (a is unknown)", "(`a` is not null)"),
        ("not (a is false)", "((0 <> `a`) is not false)"),
        ("not a not rlike 'x'", "regexp_like(`a`,'x')"),
        ("not exists(select 1)", "(not exists(select 1))"),
        ("not (a xor b)", "((0 = `a`) xor (0 <> `b`))"),
        ("not (a and not (b and c))", "((0 = `a`) or ((0 <> `b`) and (0 <> `c`)))"),
        ("not (a and not (b or not c))", "((0 = `a`) or (0 <> `b`) or (0 = `c`))"),
        ("a and not (b or c)", "((0 <> `a`) and (0 = `b`) and (0 = `c`))"),
        ("not (a=1 or b like 'x')", "((`a` <> 1) and (not((`b` like 'x'))))"),
        ("not (a sounds like b)", "(soundex(`a`) <> soundex(`b`))"),
        ("(not a) collate utf8mb4_bin", "((0 = `a`) collate utf8mb4_bin)"),
    ] {
        check(&format!("SELECT {written}"), &format!("select {printed}"));
    }
}

#[test]
fn names_that_are_no_plain_words_have_quotes() {
    check(
        "SELECT `rank`(a), `reset`(a), `url`(a), left(a,1)",
        "select `rank`(`a`),`reset`(`a`),`url`(`a`),left(`a`,1)",
    );
    check("SELECT sha1(a ''), f(a '', b 'x')", "select sha(`a`),f(`a`,`b` AS `x`)");
    check("SELECT ntile(@s) over w from t window w as ()", "select ntile(@`s`) OVER `w` from `t` window `w` AS () ");
    check(
        "SELECT 1 from json_table('[1]', '$[*]' columns (a blob collate binary path '$')) t",
        "select 1 from json_table('[1]', '$[*]' columns (`a` blob collate binary path '$')) `t`",
    );
    check("SELECT a, b FROM t ORDER BY +(2), (1)", "select `a`,`b` from `t` order by `b`,`a`");
    check(
        "SELECT 1 + +(a in (select 1)), (@a:=1) + +@b:=2",
        "select (1 + (`a` in (select 1))),(((@`a`:=1)) + ((@`b`:=2)))",
    );
}

#[test]
fn functions_have_their_own_names() {
    check(
        "SELECT COUNT(*), STDDEV(a), GROUP_CONCAT(DISTINCT a ORDER BY b DESC)",
        "select count(0),std(`a`),group_concat(distinct `a` order by `b` DESC separator ',')",
    );
    check(
        "SELECT MID(a,1), LCASE(a), NOW(6), CURRENT_DATE, MOD(a,2), POSITION('a' IN b)",
        "select substr(`a`,1),lower(`a`),now(6),curdate(),(`a` % 2),locate('a',`b`)",
    );
    check(
        "SELECT BINARY a, CAST(a AS CHAR(3)), CONVERT(a USING latin1), a COLLATE utf8mb4_bin, DATE(d)",
        "select cast(`a` as char charset binary),cast(`a` as char(3)),convert(`a` using latin1),(`a` collate utf8mb4_bin),cast(`d` as date)",
    );
    check(
        "SELECT DATE_ADD(d, INTERVAL 1 DAY), EXTRACT(YEAR FROM d), TRIM(LEADING 'x' FROM a), TRIM(a)",
        "select (`d` + interval 1 day),extract(year from `d`),trim(leading 'x' from `a`),trim(`a`)",
    );
    check(
        "SELECT CASE a WHEN 1 THEN 2 ELSE 3 END, j->>'$.a'",
        "select (case `a` when 1 then 2 else 3 end),json_unquote(json_extract(`j`,'$.a'))",
    );
    check(
        "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS rn, SUM(a) OVER w FROM t WINDOW w AS (ORDER BY a ROWS 1 PRECEDING)",
        "select row_number() OVER (PARTITION BY `a` ORDER BY `b` desc )  AS `rn`,sum(`a`) OVER `w` from `t` window `w` AS (ORDER BY `a` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) ",
    );
}

#[test]
fn joins_are_nested() {
    check("SELECT 1 FROM a, b, c", "select 1 from ((`a` join `b`) join `c`)");
    check("SELECT 1 FROM a RIGHT JOIN b ON a.x=b.x", "select 1 from (`b` left join `a` on((`a`.`x` = `b`.`x`)))");
    check(
        "SELECT 1 FROM a LEFT JOIN (b JOIN c ON b.x=c.x) ON a.x=b.x",
        "select 1 from (`a` left join (`b` join `c` on((`b`.`x` = `c`.`x`))) on((`a`.`x` = `b`.`x`)))",
    );
    check(
        "SELECT d.* FROM db.t AS x USE INDEX (i), LATERAL (SELECT 1) d (c)",
        "select `d`.* from (`db`.`t` `x` USE INDEX (`i`) join lateral (select 1) `d` (`c`))",
    );
}

#[test]
fn clauses() {
    check(
        "SELECT DISTINCT a AS x FROM t GROUP BY a WITH ROLLUP HAVING x ORDER BY 1 DESC, b LIMIT 5 OFFSET 2",
        "select distinct `a` AS `x` from `t` group by `a` with rollup having (0 <> `x`) order by `a` desc,`b` limit 2,5",
    );
    check(
        "(SELECT 1 LIMIT 1) UNION ALL SELECT 2 EXCEPT SELECT 3 ORDER BY 1",
        "(select 1 limit 1) union all select 2 except select 3 order by 1",
    );
    check(
        "WITH RECURSIVE q(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM q) SELECT * FROM q FOR UPDATE",
        "with recursive `q` (`n`) as (select 1 union all select (`n` + 1) from `q`) select * from `q` for update",
    );
    check("VALUES ROW(1,2), ROW(3,4)", "values row(1,2),row(3,4)");
}

#[test]
fn literals() {
    check(
        "SELECT 'a''b\\n', _latin1'x', X'4A', b'101', 1.50, 1e3, NULL, TRUE, DATE'2020-01-01', \"q\"",
        "select 'a\\'b\\n',_latin1'x',0x4a,0x05,1.50,1e3,NULL,true,DATE'2020-01-01','q'",
    );
    check("SELECT `a``b` FROM `x y`", "select `a``b` from `x y`");
}

#[test]
fn expressions_of_tables() {
    let stored = |text: &str, charset: &str| {
        let arena = Bump::new();
        let sql = format!("SELECT {text}");
        let mut lexed = Lexed::new();
        lexed.tokenize(sql.as_bytes(), 0, Mode::default());
        let p = parse(&arena, sql.as_bytes(), &mut lexed).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
        let Statement::Query(crate::ast::QueryExpr { body: crate::ast::QueryBody::Select(s), .. }) = p.statement else {
            panic!("{sql}")
        };
        let Some(crate::ast::SelectItem::Expr { expr, .. }) = s.items.first() else { panic!("{sql}") };
        super::stored(expr, charset, None)
    };
    for (text, want) in [
        ("a+1", "(`a` + 1)"),
        ("t.a = db.t.b", "(`a` = `b`)"),
        ("concat(a,'it''s',\"x\\n\")", "concat(`a`,_utf8mb4'it\\'s',_utf8mb4'x\\n')"),
        ("a in (_latin1'x', N'y', 0x41)", "(`a` in (_latin1'x',_utf8mb3'y',0x41))"),
        ("j->>'$.a'", "json_unquote(json_extract(`j`,_utf8mb4'$.a'))"),
        ("cast(j->'$.a' as char(30))", "cast(json_extract(`j`,_utf8mb4'$.a') as char(30) charset utf8mb4)"),
        (
            "json_value(j, '$.a' returning decimal(5,2) default -0.5 on empty)",
            "json_value(`j`, _utf8mb4'$.a' returning decimal(5, 2) default -0.5 on empty)",
        ),
        ("json_value(j, '$.a' returning char(5))", "json_value(`j`, _utf8mb4'$.a' returning char(5))"),
        ("current_date + interval '1:1' minute_second", "(curdate() + interval _utf8mb4'1:1' minute_second)"),
        ("a like 'x|%' escape '|'", "(`a` like _utf8mb4'x|%' escape _utf8mb4'|')"),
        ("date_format(d,'%Y') || a", "((0 <> date_format(`d`,_utf8mb4'%Y')) or (0 <> `a`))"),
        ("'é'", "_utf8mb4'é'"),
    ] {
        let got = stored(text, "utf8mb4");
        assert_eq!(got, want, "{text}");
        assert_eq!(stored(&got, "latin1"), got, "in another session");
    }
    assert_eq!(stored("'é'", "latin1"), "_latin1 0xc3a9");
}

/// Names that only a string can give, texts that are none.
#[test]
fn what_is_no_word_is_printed_as_a_string() {
    check("SELECT @'', @`a``b`, @x := 1", "select (@''),(@`a``b`),(@`x`:=1)");
    check("SELECT @'' := 1 INTO @\"\"", "select (@'':=1) into @''");
    check("SELECT 'a' COLLATE ''", "select ('a' collate '')");
    check(
        "SELECT 'a' COLLATE `x y`, CAST(a AS CHAR CHARACTER SET '1 2')",
        "select ('a' collate 'x y'),cast(`a` as char charset '1 2')",
    );
    check("SELECT CONVERT(a USING ''), CHAR(65 USING '')", "select convert(`a` using ''),char(65 using '')");
    check("SELECT f(1 AS ' ', 2 AS b)", "select f(1 AS ` `,2 AS `b`)");
    check("SELECT f(1 AS '')", "select f(1)");
    check("SELECT a COLLATE `PRIMARY`, a COLLATE binary", "select (`a` collate 'PRIMARY'),(`a` collate binary)");
    check("SELECT `1`(2, 3)", "select `1`(2,3)");
    check("SELECT a + INTERVAL ((1, 2)) DAY", "select (`a` + interval ((1,2)) day)");
}

#[test]
fn paths_that_are_not_utf8() {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    let sql = b"SELECT JSON_VALUE(j, '$.\xe9') INTO OUTFILE 'a\xe9'";
    lexed.tokenize(sql, 0, Mode::default());
    let p = parse(&arena, sql, &mut lexed).expect("a query");
    let Statement::Query(q) = p.statement else { panic!("{:?}", p.statement) };
    let got = query(q, &Resolution::default(), Style::default());
    assert_eq!(got, "select json_value(`j`, _binary 0x242ee9) into outfile 'a\u{fffd}'");
    assert_eq!(print(&got), got, "printed again");
    for sql in [
        &b"SELECT * FROM JSON_TABLE(j, '$.\xe9' COLUMNS (a INT PATH '$')) t"[..],
        b"SELECT * FROM JSON_TABLE(j, '$' COLUMNS (a INT PATH '$.\xe9')) t",
    ] {
        lexed.tokenize(sql, 0, Mode::default());
        assert!(parse(&arena, sql, &mut lexed).is_err_and(|e| e.code() == 1300));
    }
}

#[test]
fn frames_are_bounded_by_numbers() {
    check("SELECT SUM(a) OVER (ROWS 1 PRECEDING)", "select sum(`a`) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) ");
    for bound in ["b", "`b`", "@b", "1 + 1"] {
        let (arena, mut lexed) = (Bump::new(), Lexed::new());
        let sql = format!("SELECT SUM(a) OVER (ROWS {bound} PRECEDING)");
        lexed.tokenize(sql.as_bytes(), 0, Mode::default());
        assert!(parse(&arena, sql.as_bytes(), &mut lexed).is_err_and(|e| e.code() == 1064), "{bound}");
    }
}
