//! Operator precedence: text and the same text with every operation in parentheses.
//!
//! The table follows MySQL's manual ("Operator Precedence") and the layers of its grammar. The renderer below is also
//! used for a round trip: the rendered text must parse to the same rendering.

use bumpalo::Bump;
use parser::ast::{BinaryOp, Expr, ExprKind, IsTest, LitValue, QueryBody, SelectItem, UnaryOp};
use parser::{Lexed, Mode, Statement, parse};

fn render(e: &Expr<'_>, sql: &[u8]) -> String {
    let r = |e: &Expr<'_>| render(e, sql);
    let not = |n: bool| if n { "NOT " } else { "" };
    match e.kind {
        ExprKind::Paren(inner) => r(inner),
        ExprKind::Unary { op, expr } => {
            let op = match op {
                UnaryOp::Neg => "-",
                UnaryOp::Plus => "+",
                UnaryOp::BitNot => "~",
                UnaryOp::Not => "NOT ",
            };
            format!("({op}{})", r(expr))
        }
        ExprKind::Binary { op, left, right } => {
            let op = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Div => "/",
                BinaryOp::IntDiv => "DIV",
                BinaryOp::Mod => "%",
                BinaryOp::BitAnd => "&",
                BinaryOp::BitOr => "|",
                BinaryOp::BitXor => "^",
                BinaryOp::Shl => "<<",
                BinaryOp::Shr => ">>",
                BinaryOp::Eq => "=",
                BinaryOp::NullSafeEq => "<=>",
                BinaryOp::Ne => "<>",
                BinaryOp::Lt => "<",
                BinaryOp::Le => "<=",
                BinaryOp::Gt => ">",
                BinaryOp::Ge => ">=",
                BinaryOp::Xor => "XOR",
                BinaryOp::SoundsLike => "SOUNDS LIKE",
                BinaryOp::Concat => "||",
            };
            format!("({} {op} {})", r(left), r(right))
        }
        ExprKind::And(list) => format!("({})", list.iter().map(r).collect::<Vec<_>>().join(" AND ")),
        ExprKind::Or(list) => format!("({})", list.iter().map(r).collect::<Vec<_>>().join(" OR ")),
        ExprKind::Is { expr, test, negated } => {
            let test = match test {
                IsTest::Null => "NULL",
                IsTest::True => "TRUE",
                IsTest::False => "FALSE",
                IsTest::Unknown => "UNKNOWN",
            };
            format!("({} IS {}{test})", r(expr), not(negated))
        }
        ExprKind::Between { expr, low, high, negated } => {
            format!("({} {}BETWEEN {} AND {})", r(expr), not(negated), r(low), r(high))
        }
        ExprKind::InList { expr, list, negated } => {
            format!("({} {}IN ({}))", r(expr), not(negated), list.iter().map(r).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Like { expr, pattern, escape, negated } => match escape {
            Some(e) => format!("({} {}LIKE {} ESCAPE {})", r(expr), not(negated), r(pattern), r(e)),
            None => format!("({} {}LIKE {})", r(expr), not(negated), r(pattern)),
        },
        ExprKind::Regexp { expr, pattern, negated } => format!("({} {}REGEXP {})", r(expr), not(negated), r(pattern)),
        ExprKind::MemberOf { expr, array } => format!("({} MEMBER OF ({}))", r(expr), r(array)),
        ExprKind::Cast(c) if e.span.text(sql).to_ascii_uppercase().starts_with(b"BINARY") => {
            format!("(BINARY {})", r(&c.expr))
        }
        ExprKind::Collate { expr, collation } => format!("({} COLLATE {collation})", r(expr)),
        ExprKind::AssignUserVar { name, value } => format!("(@{name} := {})", r(value)),
        ExprKind::DateArith { expr, value, unit, subtract } => {
            let op = if subtract { '-' } else { '+' };
            format!("({} {op} INTERVAL {} {})", r(expr), r(value), format!("{unit:?}").to_uppercase())
        }
        ExprKind::Row(list) => format!("ROW({})", list.iter().map(r).collect::<Vec<_>>().join(", ")),
        ExprKind::Case(c) => {
            let whens: String = c.whens.iter().map(|(w, t)| format!(" WHEN {} THEN {}", r(w), r(t))).collect();
            format!("CASE{whens} END")
        }
        ExprKind::Literal(l) if l.value == LitValue::Null => "NULL".into(),
        _ => String::from_utf8_lossy(e.span.text(sql)).into_owned(),
    }
}

fn rendered(text: &str, mode: Mode) -> Result<String, String> {
    let arena = Bump::new();
    let sql = format!("SELECT {text} AS x");
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, mode);
    let parsed = parse(&arena, sql.as_bytes(), &mut lexed).map_err(|e| e.to_string())?;
    let Statement::Query(q) = parsed.statement else { return Err("no query".into()) };
    let QueryBody::Select(s) = q.body else { return Err("no select".into()) };
    match s.items {
        [SelectItem::Expr { expr, .. }] => Ok(render(expr, sql.as_bytes())),
        _ => Err("not one item".into()),
    }
}

const TABLE: &[(&str, &str)] = &[
    ("a + b * c", "(a + (b * c))"),
    ("a - b - c", "((a - b) - c)"),
    ("a / b * c % d DIV e MOD f", "(((((a / b) * c) % d) DIV e) % f)"),
    ("a * b ^ c", "(a * (b ^ c))"),
    ("-a ^ b", "((-a) ^ b)"),
    ("~a * b", "((~a) * b)"),
    ("- - a", "(-(-a))"),
    ("a - -1", "(a - (-1))"),
    ("!a + b", "((NOT a) + b)"),
    ("! a COLLATE utf8mb4_bin", "(NOT (a COLLATE utf8mb4_bin))"),
    ("NOT a + b", "(NOT (a + b))"),
    ("NOT a = b", "(NOT (a = b))"),
    ("NOT a AND b", "((NOT a) AND b)"),
    ("NOT NOT a", "(NOT (NOT a))"),
    ("NOT a IS TRUE", "(NOT (a IS TRUE))"),
    ("NOT a BETWEEN b AND c", "(NOT (a BETWEEN b AND c))"),
    ("a | b & c << d + e * f ^ g", "(a | (b & (c << (d + (e * (f ^ g))))))"),
    ("a ^ b * c + d << e & f | g", "((((((a ^ b) * c) + d) << e) & f) | g)"),
    ("a & b & c", "((a & b) & c)"),
    ("a << b >> c", "((a << b) >> c)"),
    ("a = b + c", "(a = (b + c))"),
    ("a = b = c", "((a = b) = c)"),
    ("a < b <=> c != d", "(((a < b) <=> c) <> d)"),
    ("a = b | c", "(a = (b | c))"),
    ("a = b AND c = d", "((a = b) AND (c = d))"),
    ("a = b && c = d", "((a = b) AND (c = d))"),
    ("0 = 1 && 0", "((0 = 1) AND 0)"),
    ("a AND b AND c", "(a AND b AND c)"),
    ("a OR b AND c OR d", "(a OR (b AND c) OR d)"),
    ("a OR b XOR c AND d", "(a OR (b XOR (c AND d)))"),
    ("a XOR b XOR c", "((a XOR b) XOR c)"),
    ("5 = 3 XOR 2", "((5 = 3) XOR 2)"),
    ("a || b && c", "(a OR (b AND c))"),
    ("a IS NULL", "(a IS NULL)"),
    ("a = b IS NULL", "((a = b) IS NULL)"),
    ("a IS NULL = b", "((a IS NULL) = b)"),
    ("a = b IS TRUE", "((a = b) IS TRUE)"),
    ("a IS NOT NULL IS NOT UNKNOWN", "((a IS NOT NULL) IS NOT UNKNOWN)"),
    ("a IS TRUE AND b IS FALSE", "((a IS TRUE) AND (b IS FALSE))"),
    ("a != b LIKE c", "(a <> (b LIKE c))"),
    ("a LIKE b != c", "((a LIKE b) <> c)"),
    ("a LIKE b ESCAPE 'x' AND c", "((a LIKE b ESCAPE 'x') AND c)"),
    ("a + b LIKE c", "((a + b) LIKE c)"),
    ("a REGEXP b + c", "(a REGEXP (b + c))"),
    ("a NOT RLIKE b", "(a NOT REGEXP b)"),
    ("a | b IN (1, 2)", "((a | b) IN (1, 2))"),
    ("x = y NOT IN (1, 2)", "(x = (y NOT IN (1, 2)))"),
    ("a IN (1) = b", "((a IN (1)) = b)"),
    ("a BETWEEN b AND c AND d", "((a BETWEEN b AND c) AND d)"),
    ("a BETWEEN b AND c OR d", "((a BETWEEN b AND c) OR d)"),
    ("a BETWEEN b + 1 AND c + 1 = d", "((a BETWEEN (b + 1) AND (c + 1)) = d)"),
    ("a BETWEEN b AND c BETWEEN d AND e", "(a BETWEEN b AND (c BETWEEN d AND e))"),
    ("a NOT BETWEEN b AND c LIKE d", "(a NOT BETWEEN b AND (c LIKE d))"),
    ("a SOUNDS LIKE b + c", "(a SOUNDS LIKE (b + c))"),
    ("a MEMBER OF (b) = c", "((a MEMBER OF (b)) = c)"),
    ("BINARY a = b", "((BINARY a) = b)"),
    ("BINARY a + b", "((BINARY a) + b)"),
    ("BINARY -a", "(BINARY (-a))"),
    ("-BINARY a", "(-(BINARY a))"),
    ("a COLLATE utf8mb4_bin = b", "((a COLLATE utf8mb4_bin) = b)"),
    ("a = b COLLATE utf8mb4_bin", "(a = (b COLLATE utf8mb4_bin))"),
    ("- a COLLATE utf8mb4_bin", "(-(a COLLATE utf8mb4_bin))"),
    ("a + b COLLATE utf8mb4_bin", "(a + (b COLLATE utf8mb4_bin))"),
    ("@a := b + 1 = c", "(@a := ((b + 1) = c))"),
    ("@a := b OR c", "(@a := (b OR c))"),
    ("1 + @a := 2 + 3", "(1 + (@a := (2 + 3)))"),
    ("a + INTERVAL 1 DAY", "(a + INTERVAL 1 DAY)"),
    ("a + INTERVAL b + 1 DAY - INTERVAL 2 MONTH", "((a + INTERVAL (b + 1) DAY) - INTERVAL 2 MONTH)"),
    ("INTERVAL 1 DAY + a", "(a + INTERVAL 1 DAY)"),
    ("INTERVAL 1 DAY + a + b", "((a + b) + INTERVAL 1 DAY)"),
    ("a = b + INTERVAL 1 DAY AND c", "((a = (b + INTERVAL 1 DAY)) AND c)"),
    ("a * b + INTERVAL 1 DAY", "((a * b) + INTERVAL 1 DAY)"),
    ("(a, b) = (c, d)", "(ROW(a, b) = ROW(c, d))"),
    ("CASE WHEN a OR b THEN c = d END = e", "(CASE WHEN (a OR b) THEN (c = d) END = e)"),
    ("a mod b - c", "((a % b) - c)"),
    ("a--1", "(a - (-1))"),
    ("a<=b>=c", "((a <= b) >= c)"),
];

#[test]
fn table() {
    for (text, expected) in TABLE {
        assert_eq!(rendered(text, Mode::default()).as_deref(), Ok(*expected), "{text}");
    }
}

#[test]
fn rendering_parses_to_itself() {
    for (_, expected) in TABLE {
        assert_eq!(rendered(expected, Mode::default()).as_deref(), Ok(*expected));
    }
}

#[test]
fn modes() {
    let concat = Mode { pipes_as_concat: true, ..Mode::default() };
    assert_eq!(rendered("a || b ^ c", concat).as_deref(), Ok("((a || b) ^ c)"));
    assert_eq!(rendered("-a || b", concat).as_deref(), Ok("((-a) || b)"));
    assert_eq!(rendered("a LIKE b || c", concat).as_deref(), Ok("(a LIKE (b || c))"));
    assert_eq!(rendered("a || b COLLATE utf8mb4_bin", concat).as_deref(), Ok("(a || (b COLLATE utf8mb4_bin))"));
    let high = Mode { high_not_precedence: true, ..Mode::default() };
    assert_eq!(rendered("NOT a BETWEEN b AND c", high).as_deref(), Ok("((NOT a) BETWEEN b AND c)"));
    assert_eq!(rendered("NOT a + b", high).as_deref(), Ok("((NOT a) + b)"));
    assert_eq!(rendered("a = NOT b", high).as_deref(), Ok("(a = (NOT b))"));
    for wrong in ["a = NOT b", "1 + NOT a", "a LIKE b LIKE c", "a IN (1) IN (2)", "a IS TRUE IS TRUE", "a LIKE b + c"] {
        assert!(rendered(wrong, Mode::default()).is_err(), "{wrong}");
    }
}
