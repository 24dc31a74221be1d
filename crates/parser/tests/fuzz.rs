//! No bytes make the parser panic, and spans stay inside the text.

use bumpalo::Bump;
use parser::{Lexed, Mode, parse};
use proptest::prelude::*;

fn feed(sql: &[u8], bits: u8) {
    let mode = Mode::from_bits(u64::from(bits));
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    let mut at = 0;
    // every statement of the text
    for _ in 0..20 {
        lexed.tokenize(sql, at, mode);
        let mut last = at as u32;
        for t in lexed.tokens() {
            assert!(t.start <= t.end && t.end as usize <= sql.len() && t.start >= last);
            last = t.end;
        }
        for i in 0..lexed.literals().len() as u32 {
            let _ = lexed.value(&arena, sql, i);
        }
        let _ = parser::digest::digest_text(sql, &mut lexed);
        match parse(&arena, sql, &mut lexed) {
            Ok(p) => {
                assert!(p.end > at && p.end <= sql.len());
                let _ = format!("{:?}", p.statement);
                at = p.end;
            }
            Err(e) => {
                let _ = e.to_string();
                assert!(lexed.end() >= at && lexed.end() <= sql.len());
                at = lexed.end();
            }
        }
        if at >= sql.len() {
            break;
        }
    }
}

fn statements() -> Vec<&'static str> {
    include_str!("accepted.sql").lines().chain(include_str!("refused.sql").lines()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes(sql in proptest::collection::vec(any::<u8>(), 0..200), bits in any::<u8>()) {
        feed(&sql, bits);
    }

    #[test]
    fn sql_like_bytes(sql in "[ a-zA-Z0-9'\"`\\\\(),.;@:*/!+#-]{0,120}", bits in any::<u8>()) {
        feed(sql.as_bytes(), bits);
    }

    #[test]
    fn mutated_statements(
        n in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(), edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        bits in any::<u8>(),
    ) {
        let all = statements();
        let mut sql = all[n.index(all.len())].as_bytes().to_vec();
        for (at, byte) in edits {
            if !sql.is_empty() {
                let i = at.index(sql.len());
                sql[i] = byte;
            }
        }
        feed(&sql, bits);
        // words of another statement in the middle
        let second = all[other.index(all.len())].as_bytes();
        if !sql.is_empty() {
            let i = cut.index(sql.len());
            let mut joined = sql[..i].to_vec();
            joined.extend_from_slice(&second[second.len().min(i)..]);
            feed(&joined, bits);
            sql.truncate(i);
            feed(&sql, bits);
        }
    }
}
