use super::*;
use bumpalo::Bump;

fn kinds(sql: &str, mode: Mode) -> Vec<(Tk, String)> {
    let mut l = Lexed::new();
    l.tokenize(sql.as_bytes(), 0, mode);
    let text = |t: &Token| sql.as_bytes()[t.start as usize..t.end as usize].escape_ascii().to_string();
    l.tokens().iter().filter(|t| t.kind != Tk::Eof).map(|t| (t.kind, text(t))).collect()
}

fn check(sql: &str, expected: &[(Tk, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(k, s)| (*k, s.to_string())).collect();
    assert_eq!(kinds(sql, Mode::default()), expected, "{sql}");
}

#[test]
fn words_numbers_and_points() {
    use Tk::*;
    check(
        "a.select 1a .5 1. 1e5 1e 1.5e-3",
        &[
            (Ident, "a"),
            (Dot, "."),
            (Ident, "select"),
            (Word, "1a"),
            (Decimal, ".5"),
            (Decimal, "1."),
            (Float, "1e5"),
            (Word, "1e"),
            (Float, "1.5e-3"),
        ],
    );
    check(
        "t.1a x'4A' X'4' 0x4g 0x4 b'01' n'a'",
        &[(Ident, "t"), (Dot, "."), (Ident, "1a"), (Hex, "x\\'4A\\'"), (Bad, "X\\'4\\' 0x4g 0x4 b\\'01\\' n\\'a\\'")],
    );
    check(
        "0x4g 0x4 0b1 0b2 b'01' n'a'",
        &[(Word, "0x4g"), (Hex, "0x4"), (Bit, "0b1"), (Word, "0b2"), (Bit, "b\\'01\\'"), (NationalStr, "n\\'a\\'")],
    );
    check(
        "@a.b:=@@global.x @'q' `a``b`",
        &[
            (At, "@"),
            (Hostname, "a.b"),
            (Assign, ":="),
            (AtAt, "@@"),
            (Ident, "global"),
            (Dot, "."),
            (Ident, "x"),
            (At, "@"),
            (Str, "\\'q\\'"),
            (Backtick, "`a``b`"),
        ],
    );
}

#[test]
fn comments() {
    use Tk::*;
    check(
        "1 -- x\n2--3 # y\n/* z */4 /*!5*/ /*!80400 6 */ /*!99999 7 /* n */ 8 */ 9",
        &[
            (Int, "1"),
            (Int, "2"),
            (Minus, "-"),
            (Minus, "-"),
            (Int, "3"),
            (Int, "4"),
            (Int, "5"),
            (Int, "6"),
            (Int, "9"),
        ],
    );
    check("select /*+ h */ a /*+ c */", &[(Word, "select"), (Hint, "/*+ h */"), (Word, "a")]);
    check("a /* b", &[(Word, "a"), (Bad, "/* b")]);
    check("a /*! b", &[(Word, "a"), (Word, "b"), (Bad, "")]);
}

#[test]
fn strings() {
    let arena = Bump::new();
    let value = |sql: &str, mode: Mode| {
        let mut l = Lexed::new();
        l.tokenize(sql.as_bytes(), 0, mode);
        format!("{:?}", l.value(&arena, sql.as_bytes(), 0)).replace("charset: None", "-")
    };
    let d = Mode::default();
    let bytes = |s: &[u8]| format!("Str {{ bytes: {s:?}, - }}");
    assert_eq!(value(r"'a\n\%\_\x''b'", d), bytes(b"a\n\\%\\_x'b"));
    assert_eq!(value(r#""a'""""#, d), bytes(b"a'\""));
    assert_eq!(value(r"'a\'", Mode { no_backslash_escapes: true, ..d }), bytes(b"a\\"));
    assert_eq!(value("0x123", d), "Hex { bytes: [1, 35], - }");
    assert_eq!(value("b'100000001'", d), "Bit { bytes: [1, 1], - }");
    assert_eq!(value("18446744073709551615", d), "Int(18446744073709551615)");
    assert_eq!(value("18446744073709551616", d), "Decimal(\"18446744073709551616\")");
    assert_eq!(kinds("'abc", d), [(Tk::Bad, "\\'abc".to_string())]);
    assert_eq!(kinds("\"a\"", Mode { ansi_quotes: true, ..d })[0].0, Tk::DoubleQuoted);
}

#[test]
fn key_ignores_literals_and_comments_only() {
    let key = |sql: &str| {
        let mut l = Lexed::new();
        l.tokenize(sql.as_bytes(), 0, Mode::default());
        l.key()
    };
    let a = key("SELECT c FROM t WHERE id=1");
    assert_eq!(a, key("SELECT c FROM t WHERE id=23456"));
    assert_eq!(a, key("  SELECT c FROM t WHERE id=7 /* trace */ ;"));
    assert_ne!(a, key("SELECT c FROM t WHERE id='1'"));
    assert_ne!(a, key("SELECT c FROM t WHERE id=1.0"));
    assert_ne!(a, key("SELECT c FROM t WHERE id=1,2"));
    assert_ne!(a, key("SELECT C FROM t WHERE id=1"));
    assert_ne!(key("SELECT /*+ A */ 1"), key("SELECT /*+ B */ 1"));
    assert_ne!(key("SELECT ab"), key("SELECT a b"));
    assert_ne!(key("SELECT a/**/b"), key("SELECT ab"));
}

#[test]
fn statements_end_at_semicolons() {
    let sql = b"select 1; create procedure p() begin select 2; end";
    let mut l = Lexed::new();
    l.tokenize(sql, 0, Mode::default());
    assert_eq!(l.end(), 9);
    l.tokenize(sql, 9, Mode::default());
    assert_eq!(l.end(), sql.len());
    assert!(l.tokens().iter().any(|t| t.kind == Tk::Semi));
    l.tokenize(b" /* x */ ;", 0, Mode::default());
    assert!(l.is_empty());
}
