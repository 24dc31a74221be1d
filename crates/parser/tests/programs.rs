//! Stored programs: what their names are resolved to, and what MySQL says while it reads them.
#![allow(clippy::unwrap_used)]

use bumpalo::Bump;
use parser::{Lexed, Mode, parse};

fn run(sql: &str) -> Result<String, (u16, String)> {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql.as_bytes(), 0, Mode::default());
    match parse(&arena, sql.as_bytes(), &mut lexed) {
        Ok(p) => Ok(format!("{:?}", p.statement)),
        Err(e) => Err((e.code(), e.message().to_owned())),
    }
}

/// Slots of the variables' references, in the order of the text.
fn locals(sql: &str) -> Vec<(u32, String)> {
    let tree = run(sql).unwrap();
    let mut found = Vec::new();
    for part in tree.split("LocalRef { span: Span { start: ").skip(1) {
        let at: u32 = part.split(',').next().unwrap().parse().unwrap();
        let slot = part.split("slot: ").nth(1).unwrap();
        let name = part.split("name: \"").nth(1).unwrap();
        found.push((
            at,
            slot.split(',').next().unwrap().parse::<u32>().unwrap(),
            name.split('"').next().unwrap().to_owned(),
        ));
    }
    found.sort();
    found.dedup();
    found.into_iter().map(|f| (f.1, f.2)).collect()
}

fn named(list: &[(u32, &str)]) -> Vec<(u32, String)> {
    list.iter().map(|(n, s)| (*n, (*s).to_owned())).collect()
}

#[test]
fn a_variable_comes_before_a_column_and_the_innermost_first() {
    let sql = "create procedure p(a int) begin declare b int default a; begin declare A int; select a, b, t.a, `A` from t \
               where x = a limit a; end; select a from t; end";
    let wanted = [(0, "a"), (2, "a"), (1, "b"), (2, "A"), (2, "a"), (2, "a"), (0, "a")];
    assert_eq!(locals(sql), named(&wanted));
    // not where a name is a column's and nothing else, nor in its own default
    let sql = "create procedure p(a int) begin declare b int default b; insert into t (a) values (a); update t set a = a; end";
    assert_eq!(locals(sql), named(&[(0, "a"), (0, "a")]));
}

#[test]
fn rows_of_a_trigger() {
    let sql = "create trigger t before update on t for each row begin set new.a = old.a + 1, new.b = new.A; end";
    assert_eq!(locals(sql), named(&[(1, "OLD.a"), (0, "NEW.A")]));
    for (sql, code) in [
        ("create trigger t before insert on t for each row set new.a = old.a", 1363),
        ("create trigger t before delete on t for each row set @x = new.a", 1363),
        ("create trigger t after insert on t for each row set new.a = 1", 1362),
        ("create trigger t before update on t for each row set old.a = 1", 1362),
    ] {
        assert_eq!(run(sql).unwrap_err().0, code, "{sql}");
    }
}

#[test]
fn what_is_wrong_is_said_while_it_is_read() {
    for (body, code, text) in [
        ("begin leave x; end", 1308, "LEAVE with no matching label: x"),
        ("x: begin iterate x; end", 1308, "ITERATE with no matching label: x"),
        ("x: begin x: begin end; end", 1309, "Redefining label x"),
        ("x: begin end y", 1310, "End-label y without match"),
        ("begin end y", 1064, "near 'y'"),
        ("return 1", 1313, "RETURN is only allowed in a FUNCTION"),
        ("begin declare exit handler for c begin end; end", 1319, "Undefined CONDITION: c"),
        ("signal c", 1319, "Undefined CONDITION: c"),
        ("begin declare c condition for 1051; signal c; end", 1646, ""),
        ("begin declare c cursor for select 1 into @x; end", 1323, "Cursor SELECT must not have INTO"),
        ("open c", 1324, "Undefined CURSOR: c"),
        ("select 1 into a", 1327, "Undeclared variable: a"),
        ("get diagnostics a = number", 1327, "Undeclared variable: a"),
        ("begin declare a int; declare A int; end", 1331, "Duplicate variable: A"),
        ("begin declare a, a int; end", 1331, "Duplicate variable: a"),
        ("begin declare c condition for 1; declare c condition for 2; end", 1332, "Duplicate condition: c"),
        ("begin declare c cursor for select 1; declare c cursor for select 2; end", 1333, "Duplicate cursor: c"),
        ("begin declare c cursor for select 1; declare a int; end", 1337, ""),
        ("begin declare exit handler for 1 begin end; declare c cursor for select 1; end", 1338, ""),
        ("begin declare exit handler for 1, 1 begin end; end", 1413, ""),
        ("begin declare exit handler for 0 begin end; end", 1525, "Incorrect CONDITION value: '0'"),
        ("begin declare exit handler for sqlstate '00000' begin end; end", 1407, "Bad SQLSTATE: '00000'"),
        ("x: begin declare exit handler for 1 leave x; end", 1308, "LEAVE with no matching label: x"),
        ("lock tables t read", 1314, "LOCK is not allowed in stored procedures"),
        ("drop procedure q", 1357, ""),
        ("create procedure q() begin end", 1303, "Can't create a PROCEDURE from within another stored routine"),
    ] {
        let e = run(&format!("create procedure p() {body}")).unwrap_err();
        assert_eq!(e.0, code, "{body}: {}", e.1);
        assert!(e.1.contains(text), "{body}: {}", e.1);
    }
    assert_eq!(run("create procedure p(a int, A int) begin end").unwrap_err().0, 1330);
}

#[test]
fn deep_and_long_bodies() {
    let deep = format!("create procedure p() {} {}", "begin ".repeat(64), "end;".repeat(63) + "end");
    assert!(run(&deep).is_ok());
    let deeper = format!("create procedure p() {} {}", "begin ".repeat(100_000), "end;".repeat(99_999) + "end");
    assert_eq!(run(&deeper).unwrap_err().0, 1436);
    let many: String = (0..1000).map(|i| format!("declare v{i} int default {i};")).collect();
    assert!(run(&format!("create procedure p() begin {many} end")).is_ok());
    let long = "set @a = 1;".repeat(100_000);
    assert!(run(&format!("create procedure p() begin {long} end")).is_ok());
}
