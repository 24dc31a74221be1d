//! What texts are compiled to: instructions, where jumps go, which handlers stand around what.

#![allow(clippy::unwrap_used)]

use bumpalo::Bump;
use parser::ast::{ConditionValue, Events, Statement};
use parser::{Lexed, Mode};

use crate::code::{Code, Instruction as I, Kind, Target};
use crate::compile::compile;

/// The code of a program, and the texts of its expressions and statements.
struct Compiled {
    code: Code,
    expressions: Vec<String>,
    statements: Vec<String>,
}

fn compiled(sql: &str) -> Compiled {
    let (arena, mut lexed) = (Bump::new(), Lexed::new());
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed).unwrap();
    let Statement::CreateProgram(c) = parsed.statement else { panic!("no program: {sql}") };
    let (code, trees) = compile(&arena, &c.body);
    let (again, _) = compile(&arena, &c.body);
    assert_eq!(code.instructions, again.instructions, "the same text gives the same numbers");
    let text = |s: parser::Span| sql.get(s.start as usize..s.end as usize).unwrap().to_owned();
    assert_eq!(trees.expressions.len(), code.expressions);
    assert_eq!(trees.statements.len(), code.statements);
    assert_eq!(code.scope_of.len(), code.instructions.len());
    let all = code.instructions.len() as u32;
    for i in &code.instructions {
        if let I::Jump(to) | I::Unless(_, to) | I::EndHandler(Some(to)) = i {
            assert!(*to <= all, "{i:?} leaves the program");
        }
    }
    Compiled {
        expressions: trees.expressions.iter().map(|e| text(e.span)).collect(),
        statements: code.spans.iter().map(|s| text(*s)).collect(),
        code,
    }
}

fn body(b: &str) -> Compiled {
    compiled(&format!("CREATE PROCEDURE p() {b}"))
}

#[test]
fn variables_and_their_defaults() {
    let c = compiled(
        "CREATE PROCEDURE p(a INT, OUT b INT) BEGIN DECLARE x, y INT DEFAULT a + 1; DECLARE z INT; SET b = x; END",
    );
    let slots: Vec<&str> = c.code.slots.iter().map(|s| s.name.as_str()).collect();
    assert_eq!((slots, c.code.parameters), (vec!["a", "b", "x", "y", "z"], 2));
    assert_eq!(c.code.instructions, [I::Set(2, 0), I::Set(3, 1), I::Clear(4), I::Set(1, 2)]);
    assert_eq!(c.expressions, ["a + 1", "a + 1", "x"]);
}

#[test]
fn branches() {
    let c = body("BEGIN IF 1 THEN SET @a = 1; ELSEIF 2 THEN SET @a = 2; ELSE SET @a = 3; END IF; SET @b = 4; END");
    let set = |n| I::SetUser(if n == 5 { "b" } else { "a" }.into(), n);
    assert_eq!(
        c.code.instructions,
        [I::Unless(0, 3), set(1), I::Jump(7), I::Unless(2, 6), set(3), I::Jump(7), set(4), set(5)]
    );
    assert_eq!(c.expressions, ["1", "1", "2", "2", "3", "4"]);
}

#[test]
fn the_operand_of_case_is_evaluated_once() {
    let c = body("CASE f() WHEN 1 THEN SET @a = 1; WHEN 2 THEN SET @a = 2; END CASE");
    let [
        I::Keep(0, 0),
        I::Unless(1, 4),
        I::SetUser(..),
        I::Jump(8),
        I::Unless(3, 7),
        I::SetUser(..),
        I::Jump(8),
        I::NoCase,
    ] = c.code.instructions.as_slice()
    else {
        panic!("{:?}", c.code.instructions)
    };
    assert_eq!(c.code.slots.len(), 1, "a place without a name");
    assert_eq!(c.code.routines, [(true, None, "f".to_owned())]);
    let c = compiled("CREATE PROCEDURE p(a INT) CASE a WHEN 1 THEN SET @a = 1; ELSE BEGIN END; END CASE");
    assert_eq!(c.code.instructions.first(), Some(&I::Unless(0, 3)), "a variable is one already");
    let c = body("CASE WHEN 1 THEN SET @a = 1; END CASE");
    assert_eq!(c.code.instructions.len(), 4);
}

#[test]
fn loops_and_labels() {
    let c = body("a: WHILE 1 DO b: LOOP LEAVE a; ITERATE a; ITERATE b; LEAVE b; END LOOP; SET @x = 1; END WHILE");
    assert_eq!(
        c.code.instructions,
        [
            I::Unless(0, 8),
            I::Jump(8), // LEAVE a
            I::Jump(0), // ITERATE a
            I::Jump(1), // ITERATE b
            I::Jump(6), // LEAVE b
            I::Jump(1),
            I::SetUser("x".into(), 1),
            I::Jump(0),
        ]
    );
    let c = body("REPEAT SET @x = 1; UNTIL 2 END REPEAT");
    assert_eq!(c.code.instructions, [I::SetUser("x".into(), 0), I::Unless(1, 0)]);
    let c = body("l: BEGIN LEAVE l; SET @x = 1; END");
    assert_eq!(c.code.instructions, [I::Jump(2), I::SetUser("x".into(), 0)]);
}

#[test]
fn handlers_stand_outside_of_their_own_scope() {
    let c = body(
        "BEGIN DECLARE CONTINUE HANDLER FOR SQLWARNING SET @w = 1; \
         BEGIN DECLARE EXIT HANDLER FOR 1051, SQLSTATE '42S02' SET @e = 1; DROP TABLE t; END; SET @z = 1; END",
    );
    let i = &c.code.instructions;
    let [
        I::Jump(3),
        I::SetUser(..),
        I::EndHandler(None),
        I::Jump(6),
        I::SetUser(..),
        I::EndHandler(Some(7)),
        I::Statement(0, Kind::Other),
        I::SetUser(..),
    ] = i.as_slice()
    else {
        panic!("{i:?}")
    };
    // outer: scope 0; inner: scope 1
    assert_eq!(c.code.scope_of, [None, None, None, Some(0), Some(0), Some(0), Some(1), Some(0)]);
    let [outer, inner] = c.code.scopes.as_slice() else { panic!("{:?}", c.code.scopes) };
    assert_eq!((outer.outer, inner.outer), (None, Some(0)));
    assert_eq!(outer.handlers.iter().map(|h| h.body).collect::<Vec<_>>(), [1]);
    let first = inner.handlers.first().unwrap();
    assert_eq!(
        (first.body, first.conditions.as_slice()),
        (4, &[ConditionValue::Code(1051), ConditionValue::Sqlstate(*b"42S02")][..])
    );
    assert_eq!(c.statements, ["DROP TABLE t"]);
}

#[test]
fn cursors_are_closed_where_their_block_is_left() {
    let c = body(
        "o: BEGIN DECLARE a CURSOR FOR SELECT 1; i: LOOP BEGIN DECLARE b CURSOR FOR SELECT 2; OPEN b; ITERATE i; LEAVE o; END; END LOOP; END",
    );
    let i = &c.code.instructions;
    assert_eq!(c.code.cursors, 2);
    assert_eq!(c.statements, ["SELECT 1", "SELECT 2"], "the queries come last, in the order of the cursors");
    assert_eq!(c.code.cursor_statement(1), 1);
    let leaves: Vec<(usize, &[u32])> = i
        .iter()
        .enumerate()
        .filter_map(|(n, i)| match i {
            I::Leave(l) => Some((n, &**l)),
            _ => None,
        })
        .collect();
    // entering o, entering the inner block, ITERATE, LEAVE o, the inner block's end, the end of o
    assert_eq!(leaves.iter().map(|l| l.1).collect::<Vec<_>>(), [&[0][..], &[1], &[1], &[1, 0], &[1], &[0]]);
}

#[test]
fn statements_by_what_they_need() {
    let c = body(
        "BEGIN DECLARE v INT; INSERT INTO t VALUES (1); SELECT 1; SELECT 1, 2 INTO v, @u; SELECT 1 INTO OUTFILE 'f'; SHOW WARNINGS; \
         CALL q(v); DO 1, 2; DO 3; SET v = 1, @@sql_mode = '', @U = 2; COMMIT; END",
    );
    let kinds: Vec<String> = c.code.instructions.iter().map(|i| format!("{i:?}")).collect();
    assert_eq!(
        kinds,
        [
            "Clear(0)",
            "Statement(0, Planned)",
            "Statement(1, Planned)",
            "Into(2, [Slot(0), User(\"u\")])",
            "Statement(3, Other)",
            "Statement(4, Keeps)",
            "Call(5)",
            "Statement(6, Other)",
            "Evaluate(0)",
            "Set(0, 1)",
            "Statement(7, Other)",
            "SetUser(\"u\", 2)",
            "Statement(8, Other)",
        ]
    );
    assert_eq!(Target::User("u".into()), Target::User("u".into()));
    assert_eq!(c.code.tables, [(None, "t".to_owned(), Events::INSERT)]);
    assert_eq!(c.code.routines, [(false, None, "q".to_owned())]);
}

#[test]
fn what_is_done_to_tables() {
    let done = |sql: &str| -> Vec<(String, Events)> { body(sql).code.tables.into_iter().map(|t| (t.1, t.2)).collect() };
    let of = |list: &[(&str, Events)]| list.iter().map(|(n, e)| ((*n).to_owned(), *e)).collect::<Vec<_>>();
    let (none, insert, update, delete) = (Events::NONE, Events::INSERT, Events::UPDATE, Events::DELETE);
    assert_eq!(done("INSERT INTO a SELECT * FROM b"), of(&[("a", insert), ("b", none)]));
    assert_eq!(
        done("INSERT INTO a SELECT * FROM b ON DUPLICATE KEY UPDATE x = (SELECT 1 FROM c)"),
        of(&[("a", insert.and(update)), ("b", none), ("c", none)])
    );
    assert_eq!(done("REPLACE a VALUES (1)"), of(&[("a", insert.and(delete))]));
    assert_eq!(done("UPDATE a JOIN b SET b.x = (SELECT 1 FROM c)"), of(&[("a", update), ("b", update), ("c", none)]));
    assert_eq!(done("DELETE FROM a WHERE x IN (SELECT 1 FROM c)"), of(&[("a", delete), ("c", none)]));
    assert_eq!(done("WITH w AS (SELECT 1 FROM c) UPDATE a SET x = 1"), of(&[("c", none), ("a", update)]));
    assert!(done("DELETE b FROM a JOIN b WHERE a.x = b.x").iter().all(|t| t.1 == delete));
}

#[test]
fn columns_of_rows() {
    let c = compiled("CREATE TRIGGER t BEFORE UPDATE ON a FOR EACH ROW SET NEW.x = OLD.x + 1, NEW.y = NEW.x");
    let slots: Vec<(&str, Option<bool>)> = c.code.slots.iter().map(|s| (s.name.as_str(), s.row)).collect();
    assert_eq!(slots, [("x", Some(true)), ("x", Some(false)), ("y", Some(true))]);
    assert_eq!(c.code.slots.iter().map(|s| s.used).collect::<Vec<_>>(), [(true, true), (true, false), (false, true)]);
    assert_eq!(c.code.instructions, [I::Set(0, 0), I::Set(2, 1)]);
}

#[test]
fn signals_and_areas() {
    let c = body(
        "BEGIN DECLARE EXIT HANDLER FOR NOT FOUND RESIGNAL; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x', MYSQL_ERRNO = 5; \
         GET DIAGNOSTICS @n = NUMBER; END",
    );
    let i = &c.code.instructions;
    let [I::Jump(3), I::Raise(again), I::EndHandler(Some(5)), I::Raise(first), I::Diagnostics(false, _)] = i.as_slice()
    else {
        panic!("{i:?}")
    };
    assert!(again.again && again.sqlstate.is_none() && again.items.is_empty());
    assert!(!first.again && first.sqlstate == Some(*b"45000") && first.items.len() == 2);
}

#[test]
fn returns_and_depth() {
    let c = compiled("CREATE FUNCTION f(a INT) RETURNS INT BEGIN RETURN a; RETURN 1; END");
    assert_eq!(c.code.instructions, [I::Return(0), I::Return(1)]);
    let deep = format!("{}SET @x = 1; {}END", "BEGIN ".repeat(64), "END; ".repeat(63));
    assert_eq!(body(&deep).code.instructions.len(), 1, "blocks alone are no steps");
}
