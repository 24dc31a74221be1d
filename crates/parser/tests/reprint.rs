//! What is printed of a statement parses again, and prints as the same text.

use bumpalo::Bump;
use parser::{Lexed, Mode, parse};
use proptest::prelude::*;

mod printed;

fn statements() -> Vec<&'static str> {
    include_str!("accepted.sql").lines().collect()
}

/// What is wrong with the printed texts of the first statement of these bytes.
fn wrong(sql: &[u8], bits: u8) -> Vec<String> {
    let arena = Bump::new();
    let mut lexed = Lexed::new();
    lexed.tokenize(sql, 0, Mode::from_bits(u64::from(bits)));
    let Ok(p) = parse(&arena, sql, &mut lexed) else { return Vec::new() };
    let mut out = Vec::new();
    for (way, text) in printed::texts(&p.statement) {
        if let Err(e) = printed::again(way, &text) {
            out.push(format!("{way:?} {text}: {e}"));
        }
    }
    out
}

#[test]
fn every_accepted_statement() {
    for sql in statements() {
        assert_eq!(wrong(sql.as_bytes(), 0), Vec::<String>::new(), "{sql}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// A piece of one statement in another, and names of any bytes.
    #[test]
    fn mutated(
        n in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
        piece in any::<prop::sample::Index>(), length in 0usize..40, name in "[`\"']?[a-z@ .\\\\é$_0-9]{0,6}[`\"']?", bits in any::<u8>(),
    ) {
        let all = statements();
        let words = |s: &str| s.split_inclusive([' ', ',', '(', ')']).map(str::to_owned).collect::<Vec<_>>();
        let (mut one, two) = (words(all[n.index(all.len())]), words(all[other.index(all.len())]));
        let i = at.index(one.len());
        let j = piece.index(two.len());
        let mut taken: Vec<String> = two.into_iter().skip(j).take(length).collect();
        if length % 3 == 0 {
            taken = vec![format!("{name} ")];
        }
        one.splice(i..(i + length % 4).min(one.len()), taken);
        prop_assert_eq!(wrong(one.concat().as_bytes(), bits), Vec::<String>::new(), "{}", one.concat());
    }
}
