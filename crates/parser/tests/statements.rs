//! Statements that MySQL 8.4 accepts and texts that it refuses, with the error's wording.

use bumpalo::Bump;
use parser::{Lexed, Mode, parse};

fn run(sql: &str) -> Result<String, String> {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    match parse(&arena, sql.as_bytes(), &mut lexed) {
        Ok(p) => Ok(format!("{:?}", p.statement)),
        Err(e) => Err(e.to_string()),
    }
}

#[test]
fn accepted() {
    let mut failed = Vec::new();
    for line in include_str!("accepted.sql").lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("--") {
            continue;
        }
        match run(line) {
            Ok(s) if s.starts_with("Unsupported") => failed.push(format!("{line}\n    -> {s}")),
            Ok(_) => {}
            Err(e) => failed.push(format!("{line}\n    -> {e}")),
        }
    }
    assert!(failed.is_empty(), "{} refused:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn refused() {
    let mut accepted = Vec::new();
    for line in include_str!("refused.sql").lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("--") {
            continue;
        }
        if let Ok(s) = run(line) {
            accepted.push(format!("{line}\n    -> {s}"));
        }
    }
    assert!(accepted.is_empty(), "{} accepted:\n{}", accepted.len(), accepted.join("\n"));
}

#[test]
fn error_text() {
    let head = "ERROR 1064 (42000): You have an error in your SQL syntax; check the manual that corresponds to your \
                MySQL server version for the right syntax to use near ";
    let check = |sql: &str, tail: &str| assert_eq!(run(sql).unwrap_err(), format!("{head}{tail}"), "{sql}");
    check("SELECT * FRM t", "'FRM t' at line 1");
    check("SELECT a FRM t", "'t' at line 1");
    check("SELECT *\nFROM\n\nWHERE a", "'WHERE a' at line 4");
    check("SELECT 1 +", "'' at line 1");
    check("SELEC 1", "'SELEC 1' at line 1");
    check("SELECT 'abc", "''abc' at line 1");
    let long = format!("SELECT * FROM WHERE {}", "x".repeat(200));
    check(&long, &format!("'WHERE {}' at line 1", "x".repeat(74)));
    assert_eq!(run("").unwrap_err(), "ERROR 1065 (42000): Query was empty");
    assert_eq!(run(" \n ").unwrap_err(), "ERROR 1065 (42000): Query was empty");
    check(" ; ", "'; ' at line 1");
    check("/* a */;SELECT 1", "';SELECT 1' at line 1");
}

#[test]
fn several_statements() {
    let sql = "select 1; create procedure p() begin if a then select ';'; end if; end; select 2 ; ";
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    let mut at = 0;
    let mut seen = Vec::new();
    while at < sql.len() {
        lexed.tokenize(sql.as_bytes(), at, Mode::default());
        if lexed.is_empty() {
            break;
        }
        let p = parse(&arena, sql.as_bytes(), &mut lexed).unwrap();
        seen.push(sql[at..p.end].trim().to_string());
        at = p.end;
    }
    assert_eq!(seen, ["select 1;", "create procedure p() begin if a then select ';'; end if; end;", "select 2 ;"]);
}

#[test]
fn lifted_and_fixed_literals() {
    let check = |sql: &str, fixed: &[u32]| {
        let arena = Bump::new();
        let mut lexed = Lexed::new();
        lexed.tokenize(sql.as_bytes(), 0, Mode::default());
        let p = parse(&arena, sql.as_bytes(), &mut lexed).unwrap();
        assert_eq!(p.fixed, fixed, "{sql}");
    };
    check("SELECT c FROM t WHERE id = 5 AND d = 'x' LIMIT 10", &[]);
    check("SELECT c, a+1, 2 AS x FROM t WHERE id = 5 ORDER BY 1", &[0, 3]);
    check("SELECT (SELECT 1 FROM u WHERE u.a = 5) FROM t WHERE b IN (1, 2)", &[0, 1]);
    check("SELECT c FROM t WHERE a = 'x' 'y' AND b = _latin1'z' AND d = 1", &[0, 1, 2]);
    check("INSERT INTO t VALUES (1, 'a', -2.5, CAST(1 AS DECIMAL(10,2)))", &[4, 5]);
    check("SELECT c FROM t WHERE d > DATE'2020-01-01'", &[0]);
}

#[test]
fn deep_and_long() {
    let wide = |sep: &str, n: usize| {
        let mut s = String::from("SELECT a");
        for _ in 1..n {
            s.push_str(sep);
        }
        s
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || {
            for sep in [" AND a", " OR a", " + a", " XOR a", " = a", " UNION SELECT a", " || a", ", a"] {
                assert!(run_ok(&wide(sep, 50_000)), "{sep}");
            }
            for (open, close) in [
                ("(", ")"),
                ("NOT ", ""),
                ("-", ""),
                ("!", ""),
                ("(SELECT ", ")"),
                ("CASE WHEN ", " THEN 1 END"),
                ("f(", ")"),
                ("a IN (", ")"),
                ("BINARY ", ""),
                ("{x ", "}"),
                ("a BETWEEN 1 AND ", ""),
                ("1 = (", ")"),
                ("COUNT(", ")"),
                ("IF(", ",1,1)"),
                ("EXISTS (SELECT ", ")"),
                ("@a := ", ""),
                ("INTERVAL 1 DAY + ", ""),
                ("a LIKE (", ")"),
                ("ROW(1,", ")"),
                ("CAST(", " AS CHAR)"),
                ("SUM(1) OVER (ORDER BY ", ")"),
                ("(a = 1 AND b = 2 OR ", ")"),
            ] {
                let sql = format!("SELECT {}1{}", open.repeat(10_000), close.repeat(10_000));
                let e = error_of(&sql);
                assert!(e.contains("1064") || e.contains("1436"), "{open}: {e}");
                let sql = format!("SELECT {}1{}", open.repeat(120), close.repeat(120));
                let e = error_of(&sql);
                assert!(!e.contains("1436"), "{open}: {e}");
            }
            for (open, close) in [("(", ")"), ("(SELECT * FROM ", ") AS t"), ("(t JOIN ", ")")] {
                let sql = format!("SELECT * FROM {}t{}", open.repeat(10_000), close.repeat(10_000));
                error_of(&sql);
            }
            error_of(&"(".repeat(10_000));
            error_of(&format!("{}SELECT 1{}", "(".repeat(10_000), ")".repeat(10_000)));
            error_of(&"EXPLAIN ".repeat(10_000));
            error_of(&format!("SELECT * FROM t {}", "LEFT JOIN t ".repeat(10_000)));
            error_of(&format!("SELECT * FROM {}", "{oj ".repeat(10_000)));
            error_of(&format!("WITH {} SELECT 1", "a AS (WITH ".repeat(10_000)));
        })
        .unwrap()
        .join()
        .unwrap();
}

fn run_ok(sql: &str) -> bool {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    parse(&arena, sql.as_bytes(), &mut lexed).is_ok()
}

/// Empty when accepted.
fn error_of(sql: &str) -> String {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    parse(&arena, sql.as_bytes(), &mut lexed).map_or_else(|e| e.to_string(), |_| String::new())
}

/// What is not offered is read to its end all the same.
#[test]
fn unsupported() {
    let mut failed = Vec::new();
    for line in include_str!("unsupported.sql").lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("--") {
            continue;
        }
        match run(line) {
            Ok(s) if s.starts_with("Unsupported") => {}
            Ok(s) => failed.push(format!("{line}\n    -> {s}")),
            Err(e) => failed.push(format!("{line}\n    -> {e}")),
        }
    }
    assert!(failed.is_empty(), "{} otherwise:\n{}", failed.len(), failed.join("\n"));
}
