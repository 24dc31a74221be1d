//! Tests of `regexp_long` against the library's own search.

use base::{ErrorCode, SqlError};

use super::regexp_long::Long;

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

fn pattern(dice: &mut Dice, depth: u32) -> String {
    let leaf =
        ["a", "b", "ab", "é", ".", "[ab]", "[^a]", "\\w", "^", "$", "(?i:É)", "", "(?m:^)", "(?m:$)", "\\p{Lu}", "x"];
    if depth == 0 {
        return dice.one(&leaf).to_owned();
    }
    let inner = |dice: &mut Dice| pattern(dice, depth - 1);
    match dice.roll(7) {
        0 | 1 => inner(dice) + &inner(dice),
        2 => format!("(?:{}|{})", inner(dice), inner(dice)),
        3 | 4 => format!("({})", inner(dice)),
        _ => format!(
            "(?:{}){}",
            inner(dice),
            dice.one(&["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{2,}"])
        ),
    }
}

/// Random patterns in random texts, from every place on: the same match and the same groups.
#[test]
fn finds_what_the_library_finds() {
    let mut dice = Dice(3);
    let (mut tried, mut without, mut matched, mut grouped) = (0, 0, 0, 0);
    while tried < 4000 {
        let depth = 1 + dice.roll(4) as u32;
        let p = pattern(&mut dice, depth);
        // an empty text repeated has no spelling there
        let Some(long) = Long::new(&p) else {
            without += 1;
            continue;
        };
        let long = long.striding(1 + dice.roll(9) as usize);
        let Ok(re) = fancy_regex::Regex::new(&p) else { continue };
        tried += 1;
        let text: String =
            (0..dice.roll(14)).map(|_| dice.one(&["a", "b", "a", "b", "é", "É", "\n", "x", " "])).collect();
        let mut memory = long.memory();
        for start in (0..=text.len()).filter(|n| text.is_char_boundary(*n)) {
            let theirs = re.captures_from_pos(&text, start).unwrap();
            let place = long.find(&mut memory, &text, start, false, &mut || Ok(())).unwrap();
            let whole = theirs.as_ref().and_then(|m| m.get(0)).map(|m| (m.start(), m.end()));
            assert_eq!(place, whole, "{p:?} in {text:?} from {start}");
            let any = long.find(&mut memory, &text, start, true, &mut || Ok(())).unwrap();
            assert_eq!(any.is_some(), whole.is_some(), "{p:?} in {text:?} from {start}");
            let (Some(place), Some(theirs)) = (place, theirs) else { continue };
            matched += 1;
            let groups = long.groups(&mut memory, &text, place, &mut || Ok(())).unwrap();
            let theirs: Vec<_> = theirs.iter().map(|g| g.map(|g| (g.start(), g.end()))).collect();
            assert_eq!(groups, theirs, "{p:?} in {text:?} from {start}");
            grouped += usize::from(groups.len() > 1);
        }
    }
    assert!(
        without < 400 && matched > 4000 && grouped > 1000,
        "{without} without, {matched} matches, {grouped} with groups"
    );
}

/// Each of the three passes over a text asks whether to go on, and ends with the error it is told.
#[test]
fn every_pass_asks() {
    let text = "ab".repeat(50_000);
    let long = Long::new("^((a)|(b))*$").unwrap().striding(1000);
    let mut memory = long.memory();
    let mut asked = 0;
    let killed = || SqlError::new(ErrorCode::QUERY_INTERRUPTED, &[]);
    let place = long.find(&mut memory, &text, 0, false, &mut || {
        asked += 1;
        Ok(())
    });
    assert_eq!((place.unwrap(), asked), (Some((0, 100_000)), 200));
    for last in [50, 150] {
        let mut left = last;
        let mut until = || {
            left -= 1;
            if left == 0 { Err(killed()) } else { Ok(()) }
        };
        assert!(long.find(&mut memory, &text, 0, false, &mut until).is_err());
    }
    let mut left = 50;
    let mut until = || {
        left -= 1;
        if left == 0 { Err(killed()) } else { Ok(()) }
    };
    assert!(long.groups(&mut memory, &text, (0, 100_000), &mut until).is_err());
}

/// What the library may search alone stays with it.
#[test]
fn short_searches_are_the_librarys() {
    let small = Long::new("b$").unwrap();
    assert!(!small.wanted(100_000) && small.wanted(64 << 20));
    let large = Long::new("([a-z]{1,50}x?){40}y").unwrap();
    assert!(!large.wanted(600) && large.wanted(20_000));
    assert!(Long::new("a(?=b)").is_none() && Long::new("\\bx").is_none());
}
