//! Tests of `regexp_match`, against the library's own matcher too.

use base::{ErrorCode, SqlError};

use super::regexp_match::{Limits, Search};
use super::regexp_program::Program;

fn found(pattern: &str, text: &str, start: usize) -> Option<Vec<Option<(usize, usize)>>> {
    let program = Program::new(pattern).unwrap_or_else(|_| panic!("no program for {pattern}"));
    let limits = Limits { time: 0, stack: 0, interrupt: &mut || Ok(()) };
    Search::new(&program, text, limits).unwrap().from(start).unwrap()
}

/// Numbers of a sequence that is the same each time.
struct Dice(u64);
impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }
}

fn pattern(dice: &mut Dice, depth: u32, groups: &mut usize) -> String {
    let leaf = ["a", "b", "ab", "é", ".", "[ab]", "[^a]", "\\w", "\\b", "\\B", "^", "$", "(?i:É)", ""];
    if depth == 0 {
        return dice.one(&leaf).to_owned();
    }
    let mut inner = |dice: &mut Dice| pattern(dice, depth - 1, groups);
    match dice.roll(11) {
        0 | 1 => inner(dice) + &inner(dice),
        2 => format!("(?:{}|{})", inner(dice), inner(dice)),
        3 | 4 => {
            let body = inner(dice);
            *groups += 1;
            format!("({body})")
        }
        5 | 6 => format!(
            "(?:{}){}",
            inner(dice),
            dice.one(&["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{2,}"])
        ),
        7 => format!("(?={})", inner(dice)),
        8 => format!("(?!{})", inner(dice)),
        9 => format!("(?>{})", inner(dice)),
        _ => format!("(?<{}{})", dice.one(&["=", "!"]), dice.one(&["a", "[ab]", "é", "ab|ba"])),
    }
}

/// Random patterns in random texts find what the library's own matcher finds.
#[test]
fn finds_what_the_library_finds() {
    let mut dice = Dice(7);
    let (mut tried, mut matched) = (0, 0);
    while tried < 4000 {
        let mut groups = 0;
        let depth = 1 + dice.roll(4) as u32;
        let p = pattern(&mut dice, depth, &mut groups);
        let Ok(re) = fancy_regex::Regex::new(&p) else { continue };
        for _ in 0..3 {
            let text: String = (0..dice.roll(8)).map(|_| dice.one(&["a", "b", "é", "É", " ", "\n"])).collect();
            let Ok(theirs) = re.captures(&text) else { continue };
            let theirs = theirs.map(|c| c.get(0).map(|m| (m.start(), m.end())));
            let ours = found(&p, &text, 0).map(|g| g[0]);
            assert_eq!(ours, theirs, "{p:?} in {text:?}");
            matched += u32::from(ours.is_some());
        }
        tried += 1;
    }
    assert!(matched > 2000, "{matched}");
}

#[test]
fn groups_and_references() {
    assert_eq!(found("(a)(b)?(c)", "xac", 0), Some(vec![Some((1, 3)), Some((1, 2)), None, Some((2, 3))]));
    assert_eq!(found("(\\w)\\1", "abccd", 0).unwrap()[0], Some((2, 4)));
    assert_eq!(found("(?i)(é)x\\1", "éxÉ", 0).unwrap()[0], Some((0, 5)));
    assert_eq!(found("(?<=(a|bc)d?)e", "bcde", 0).unwrap()[1], Some((0, 2)));
    assert_eq!(found("\\Ga", "ba", 1).unwrap()[0], Some((1, 2)));
}

#[test]
fn limits() {
    let p = |p: &str| Program::new(p).unwrap_or_else(|_| panic!("{p}"));
    let text = "a".repeat(100);
    let mut asked = 0;
    let mut search = |pattern: &str, time, stack| {
        let mut interrupt = || {
            asked += 1;
            if asked < 50 { Ok(()) } else { Err(SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[])) }
        };
        let program = p(pattern);
        let r = Search::new(&program, &text, Limits { time, stack, interrupt: &mut interrupt });
        r.and_then(|mut s| s.from(0)).map(|m| m.is_some()).map_err(|e| e.code())
    };
    assert_eq!(search("^(a|a)*(?!a)b\\1$", 32, 0), Err(3699));
    assert_eq!(search("^(a|a)*(?!a)b\\1$", 0, 0), Err(1317));
    assert_eq!(search("^(?:a)*(?=$)", 32, 400), Err(3698));
    assert_eq!(search("^(?:a)*(?=$)", 32, 8_000_000), Ok(true));
    assert_eq!(search("a", 32, 4), Err(3698));
}
