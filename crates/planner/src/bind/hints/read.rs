//! Reads the text of optimizer hints: tokens, and the grammar of each kind of hint (manual, "Optimizer Hints").
//!
//! What comes before the first word that does not fit counts; the place of that word goes into the warning. `@name` means a query block
//! directly behind the opening parenthesis or directly behind a table's name, and nothing elsewhere. Tested: below, golden `hint_warnings`.

use crate::block::hints::Strategies;

/// What a hint is about, in the order in which MySQL tells of names that mean nothing. `X` and `NO_X` are one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Bka,
    Bnl,
    Icp,
    Mrr,
    NoRange,
    MaxExecutionTime,
    QbName,
    Semijoin,
    Subquery,
    Merge,
    JoinPrefix,
    JoinSuffix,
    JoinOrder,
    JoinFixedOrder,
    IndexMerge,
    ResourceGroup,
    SkipScan,
    HashJoin,
    Index,
    JoinIndex,
    GroupIndex,
    OrderIndex,
    Pushdown,
    SetVar,
}

/// What stands between the parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A table and indexes of it.
    Keys,
    Tables,
    /// Only a query block.
    Block,
    /// Strategies of semijoins.
    Strategies,
    /// One strategy of subqueries.
    Strategy,
    Name,
    Number,
    Assignment,
}

/// Name without NO_, kind, form, whether there is the hint as such and with NO_.
const HINTS: &[(&str, Kind, Form, bool, bool)] = &[
    ("BKA", Kind::Bka, Form::Tables, true, true),
    ("BNL", Kind::Bnl, Form::Tables, true, true),
    ("ICP", Kind::Icp, Form::Keys, false, true),
    ("MRR", Kind::Mrr, Form::Keys, true, true),
    ("NO_RANGE_OPTIMIZATION", Kind::NoRange, Form::Keys, true, false),
    ("MAX_EXECUTION_TIME", Kind::MaxExecutionTime, Form::Number, true, false),
    ("QB_NAME", Kind::QbName, Form::Name, true, false),
    ("SEMIJOIN", Kind::Semijoin, Form::Strategies, true, true),
    ("SUBQUERY", Kind::Subquery, Form::Strategy, true, false),
    ("MERGE", Kind::Merge, Form::Tables, true, true),
    ("JOIN_PREFIX", Kind::JoinPrefix, Form::Tables, true, false),
    ("JOIN_SUFFIX", Kind::JoinSuffix, Form::Tables, true, false),
    ("JOIN_ORDER", Kind::JoinOrder, Form::Tables, true, false),
    ("JOIN_FIXED_ORDER", Kind::JoinFixedOrder, Form::Block, true, false),
    ("INDEX_MERGE", Kind::IndexMerge, Form::Keys, true, true),
    ("RESOURCE_GROUP", Kind::ResourceGroup, Form::Name, true, false),
    ("SKIP_SCAN", Kind::SkipScan, Form::Keys, true, true),
    ("HASH_JOIN", Kind::HashJoin, Form::Tables, true, true),
    ("INDEX", Kind::Index, Form::Keys, true, true),
    ("JOIN_INDEX", Kind::JoinIndex, Form::Keys, true, true),
    ("GROUP_INDEX", Kind::GroupIndex, Form::Keys, true, true),
    ("ORDER_INDEX", Kind::OrderIndex, Form::Keys, true, true),
    ("DERIVED_CONDITION_PUSHDOWN", Kind::Pushdown, Form::Tables, true, true),
    ("SET_VAR", Kind::SetVar, Form::Assignment, true, false),
];

impl Kind {
    /// The name of the hint that turns it on, or off.
    pub(crate) fn name(self, on: bool) -> String {
        let name = HINTS.iter().find(|h| h.1 == self).map_or("", |h| h.0);
        format!("{}{name}", if on { "" } else { "NO_" })
    }

    /// Hints that say something about a list of indexes as a whole.
    pub(crate) fn is_compound(self) -> bool {
        matches!(
            self,
            Kind::IndexMerge | Kind::SkipScan | Kind::Index | Kind::JoinIndex | Kind::GroupIndex | Kind::OrderIndex
        )
    }

    pub(crate) fn form(self) -> Form {
        HINTS.iter().find(|h| h.1 == self).map_or(Form::Name, |h| h.2)
    }

    /// The kind and whether it is on.
    fn find(name: &str) -> Option<(Kind, bool)> {
        let name = name.to_ascii_uppercase();
        let on = HINTS.iter().find(|h| h.3 && h.0 == name).map(|h| (h.1, true));
        let off = || HINTS.iter().find(|h| h.4 && Some(h.0) == name.strip_prefix("NO_")).map(|h| (h.1, false));
        on.or_else(off)
    }
}

/// `name` or `name@block`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) name: String,
    pub(crate) block: Option<String>,
}

/// A hint as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    pub(crate) kind: Kind,
    pub(crate) on: bool,
    /// `@block` behind the parenthesis.
    pub(crate) block: Option<String>,
    /// Tables; the name, number or strategies (in upper case) of hints about none.
    pub(crate) names: Vec<Name>,
    pub(crate) keys: Vec<String>,
    /// What stands between the parentheses.
    pub(crate) body: String,
}

impl Hint {
    /// The first of its names.
    pub(crate) fn first(&self) -> &str {
        self.names.first().map_or("", |n| &n.name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tok {
    /// An identifier, quoted or not.
    Ident(String),
    Number(String),
    /// `@name`.
    Block(String),
    Byte(char),
    End,
}

/// Why something could not be read.
const SYNTAX: &str = "Optimizer hint syntax error";
const TOO_LONG: &str = "Unsupported MAX_EXECUTION_TIME";

/// Reads the text between `/*+` and `*/`; also what could not be read: its place and why. `ansi`: `"` quotes names.
pub(crate) fn read(text: &str, ansi: bool) -> (Vec<Hint>, Vec<(usize, &'static str)>) {
    let mut r = Reader { text, ansi, at: 0, start: 0, closed: 0, tok: Tok::End };
    r.next();
    let (mut out, mut bad) = (Vec::new(), Vec::new());
    loop {
        match r.hint() {
            Some(h) if h.kind == Kind::MaxExecutionTime && h.first().parse::<u32>().is_err() => {
                bad.push((r.closed, TOO_LONG));
            }
            Some(h) => out.push(h),
            None => {
                bad.push((r.start, SYNTAX));
                return (out, bad);
            }
        }
        if r.tok == Tok::End {
            return (out, bad);
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    ansi: bool,
    at: usize,
    /// Where `tok` begins.
    start: usize,
    /// Where the last hint's closing parenthesis is.
    closed: usize,
    tok: Tok,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn next(&mut self) {
        let rest = self.rest();
        let spaces = rest.len() - rest.trim_start().len();
        self.at += spaces;
        self.start = self.at;
        self.tok = self.token(spaces == 0);
    }

    fn token(&mut self, tight: bool) -> Tok {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Tok::End };
        match c {
            '`' | '"' if c == '`' || self.ansi => {
                let at = self.at;
                match self.quoted(c) {
                    Some(s) => Tok::Ident(s),
                    None => {
                        self.at = at + 1;
                        Tok::Byte(c)
                    }
                }
            }
            // `tok` is still the token before this one
            '@' if self.tok == Tok::Byte('(') || (tight && matches!(self.tok, Tok::Ident(_))) => {
                self.at += 1;
                self.start = self.at;
                match self.token(false) {
                    Tok::Ident(s) => Tok::Block(s),
                    _ => Tok::Byte('@'),
                }
            }
            c if part(c) => {
                let word: String = rest.chars().take_while(|c| part(*c)).collect();
                self.at += word.len();
                if word.chars().all(|c| c.is_ascii_digit()) { Tok::Number(word) } else { Tok::Ident(word) }
            }
            c => {
                self.at += c.len_utf8();
                Tok::Byte(c)
            }
        }
    }

    /// A quoted name; nothing if it is empty or does not end.
    fn quoted(&mut self, q: char) -> Option<String> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            if c == q {
                if !self.rest().starts_with(q) {
                    return (!out.is_empty()).then_some(out);
                }
                self.at += 1;
            }
            out.push(c);
        }
    }

    fn byte(&mut self, c: char) -> bool {
        let is = self.tok == Tok::Byte(c);
        if is {
            self.next();
        }
        is
    }

    fn block(&mut self) -> Option<String> {
        let Tok::Block(name) = &self.tok else { return None };
        let name = name.clone();
        self.next();
        Some(name)
    }

    fn ident(&mut self) -> Option<String> {
        let Tok::Ident(name) = &self.tok else { return None };
        let name = name.clone();
        self.next();
        Some(name)
    }

    fn hint(&mut self) -> Option<Hint> {
        let Tok::Ident(word) = &self.tok else { return None };
        let (kind, on) = Kind::find(word)?;
        self.next();
        if self.tok != Tok::Byte('(') {
            return None;
        }
        let begin = self.at;
        self.next();
        let mut h = Hint { kind, on, block: None, names: Vec::new(), keys: Vec::new(), body: String::new() };
        match kind.form() {
            Form::Assignment => self.assignment()?,
            Form::Number => {
                let Tok::Number(n) = &self.tok else { return None };
                h.names.push(Name { name: n.clone(), block: None });
                self.next();
            }
            Form::Name => h.names.push(Name { name: self.ident()?, block: None }),
            form => {
                h.block = self.block();
                self.list(form, &mut h)?;
            }
        }
        h.body = self.text.get(begin..self.start)?.to_owned();
        self.closed = self.start;
        self.byte(')').then_some(h)
    }

    /// Up to the closing parenthesis outside of quotes; what stands there is checked when the variable is set.
    fn assignment(&mut self) -> Option<()> {
        while self.tok != Tok::Byte(')') {
            if let Tok::Byte(q @ ('\'' | '"')) = self.tok {
                self.at += self.rest().find(q)? + 1;
            }
            if self.tok == Tok::End {
                return None;
            }
            self.next();
        }
        Some(())
    }

    fn list(&mut self, form: Form, h: &mut Hint) -> Option<()> {
        let end = Tok::Byte(')');
        match form {
            Form::Keys => {
                let name = self.table(h.block.is_some())?;
                h.names.push(name);
                if self.tok == end {
                    return Some(());
                }
                h.keys.push(self.ident()?);
                while self.byte(',') {
                    h.keys.push(self.ident()?);
                }
            }
            Form::Tables if self.tok != end => {
                h.names.push(self.table(h.block.is_some())?);
                while self.byte(',') {
                    h.names.push(self.table(h.block.is_some())?);
                }
            }
            Form::Strategies if self.tok != end => {
                h.names.push(self.strategy(Strategies::is_name)?);
                while self.byte(',') {
                    h.names.push(self.strategy(Strategies::is_name)?);
                }
            }
            Form::Strategy => {
                let known = |w: &str| matches!(w, "MATERIALIZATION" | "INTOEXISTS");
                h.names.push(self.strategy(known)?);
            }
            _ => {}
        }
        Some(())
    }

    fn table(&mut self, bare: bool) -> Option<Name> {
        let name = self.ident()?;
        let block = if bare { None } else { self.block() };
        Some(Name { name, block })
    }

    fn strategy(&mut self, known: impl Fn(&str) -> bool) -> Option<Name> {
        let Tok::Ident(word) = &self.tok else { return None };
        let name = word.to_ascii_uppercase();
        if !known(&name) {
            return None;
        }
        self.next();
        Some(Name { name, block: None })
    }
}

/// Whether an unquoted name may contain it.
fn part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_and_words() {
        let (h, bad) = read(" JOIN_FIXED_ORDER() no_index(t1 a, `b`) QB_NAME(x) BKA(t1@q, `t 2`)", false);
        assert_eq!((bad.len(), h.len()), (0, 4));
        let hint = h.get(1).unwrap();
        assert_eq!((hint.kind, hint.on, hint.first(), hint.keys.join("|").as_str()), (Kind::Index, false, "t1", "a|b"));
        assert_eq!(h.get(3).unwrap().names.first().unwrap().block.as_deref(), Some("q"));
        let (h, _) = read("SET_VAR(sql_mode='a)b,c')", false);
        assert_eq!(h.first().map(|h| h.body.as_str()), Some("sql_mode='a)b,c'"));
    }

    #[test]
    fn tells_where_it_stops() {
        for (text, at) in [
            ("BAD HINT(", 0),
            ("INDEX()", 6),
            ("BKA(t1 @q)", 7),
            ("BKA() SEMIJOIN(x)", 15),
            ("SUBQUERY()", 9),
            (" ", 1),
        ] {
            assert_eq!(read(text, false).1.first().map(|b| b.0), Some(at), "{text}");
        }
    }
}
