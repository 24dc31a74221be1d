//! Which part of a statement's text others may see: all but the passwords and hashes in it.
//!
//! [`Shown`] is the only form in which a statement's text goes into the process list, performance_schema and the logs, and [`Shown::of`] is
//! the only way to make one. It does not wait until it is known what the statement is, or whether it is one at all: it reads tokens, so that a
//! typing error, a version comment or a second statement behind the first hide nothing. Every literal behind IDENTIFIED, and behind PASSWORD
//! (SOURCE_PASSWORD ...) where that word belongs to an account, a replication source or a server, becomes `<secret>`, as MySQL prints it; so
//! does a literal that itself is such a statement (PREPARE, SET @s = ...), and all that follow it. What MySQL shows and we hide with it: the
//! hash of IDENTIFIED ... AS, and texts of user variables. DML is left alone: `UPDATE t SET password = 'x'` is data.
//!
//! A text without one of the two words is not even copied. No locks, no allocation in that case. Tested below and by
//! `tests/clients/test_secrets.py`.

use std::borrow::Cow;
use std::sync::Arc;

const HIDDEN: &[u8] = b"<secret>";
/// How deep statements in literals in statements are looked at.
const DEEPEST: u32 = 4;

/// A text without its secrets.
#[derive(Clone, Debug, Default)]
pub struct Shown<'a>(Cow<'a, [u8]>);

impl<'a> Shown<'a> {
    /// Of a client's text; `escapes`: a backslash in a literal escapes (no NO_BACKSLASH_ESCAPES).
    #[inline]
    pub fn of(sql: &'a [u8], escapes: bool) -> Shown<'a> {
        if !may_hold(sql) {
            return Shown(Cow::Borrowed(sql));
        }
        Shown(hide(sql, escapes, DEEPEST))
    }

    /// Of a text that the server made.
    pub fn own(text: &'a [u8]) -> Shown<'a> {
        Shown(Cow::Borrowed(text))
    }

    /// As it was sent, because `log_raw` says so.
    pub fn raw(sql: &'a [u8]) -> Shown<'a> {
        Shown(Cow::Borrowed(sql))
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether [`Shown::of`] has found nothing to hide.
    #[inline]
    pub fn is_whole(&self) -> bool {
        matches!(self.0, Cow::Borrowed(_))
    }
}

/// The same, kept with whatever it belongs to: the text itself where nothing is hidden in it.
#[derive(Clone, Debug)]
pub struct Kept(Arc<[u8]>);

impl Kept {
    /// See [`Shown::of`].
    pub fn of(sql: &Arc<[u8]>, escapes: bool) -> Kept {
        match Shown::of(sql, escapes).0 {
            Cow::Borrowed(_) => Kept(sql.clone()),
            Cow::Owned(text) => Kept(text.into()),
        }
    }
    /// To show it.
    pub fn shown(&self) -> Shown<'_> {
        Shown(Cow::Borrowed(&self.0))
    }
}

/// A password or a hash, wherever one is kept: what prints it prints `<secret>`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Hidden<T>(pub T);

impl<T> std::fmt::Debug for Hidden<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<secret>")
    }
}

impl<T> std::fmt::Display for Hidden<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<secret>")
    }
}

impl<T> std::ops::Deref for Hidden<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> std::ops::DerefMut for Hidden<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Whether one of the words occurs anywhere, or it is about users, whose words may be misspelt. Asked of every text.
fn may_hold(sql: &[u8]) -> bool {
    let text = sql.trim_ascii_start();
    let may_be_about_users = text.first().is_some_and(|b| matches!(b | 0x20, b'a' | b'c'));
    may_be_about_users && is_about_users(text) || holds_word(sql)
}

/// The first eight letters of the words of which one stands before each secret, in small letters.
const WORDS: [[u8; WIDTH]; 2] = [*b"password", *b"identifi"];
const WIDTH: usize = 8;

/// For each byte, at which places of the words it stands: a bit for each place, those of the second word behind those
/// of the first.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const PLACES: [u16; 256] = {
    let mut places = [0; 256];
    let mut bit = 0;
    while bit < 2 * WIDTH {
        let letter = WORDS[bit / WIDTH][bit % WIDTH];
        places[letter as usize] |= 1 << bit;
        places[letter.to_ascii_uppercase() as usize] |= 1 << bit;
        bit += 1;
    }
    places
};

/// Whether one of [`WORDS`] occurs, in any case. A word of eight letters covers one of every eight bytes, so only these
/// are looked at: `SELECT c FROM t WHERE id = 5` costs three looks.
fn holds_word(sql: &[u8]) -> bool {
    /// Makes letters small; what this makes of other bytes is no letter of the words.
    const SMALL: u64 = 0x2020_2020_2020_2020;
    let mut at = WIDTH - 1;
    while let Some(b) = sql.get(at) {
        let mut places = PLACES.get(usize::from(*b)).copied().unwrap_or(0);
        while places != 0 {
            let bit = places.trailing_zeros() as usize;
            places &= places - 1;
            let begin = at - bit % WIDTH;
            let found = sql.get(begin..begin + WIDTH).and_then(|s| <[u8; WIDTH]>::try_from(s).ok());
            let word = WORDS.get(bit / WIDTH).copied().unwrap_or_default();
            if found.is_some_and(|f| u64::from_le_bytes(f) | SMALL == u64::from_le_bytes(word)) {
                return true;
            }
        }
        at += WIDTH;
    }
    false
}

/// CREATE USER or ALTER USER at the beginning.
fn is_about_users(sql: &[u8]) -> bool {
    let behind = |word: &[u8]| {
        let (first, rest) = sql.split_at_checked(word.len())?;
        first.eq_ignore_ascii_case(word).then_some(rest.trim_ascii_start())
    };
    let rest = behind(b"CREATE").or_else(|| behind(b"ALTER"));
    rest.and_then(|r| r.get(..4)).is_some_and(|r| r.eq_ignore_ascii_case(b"USER"))
}

/// What PASSWORD means in a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing read yet.
    None,
    /// CREATE or ALTER: of what is not known yet.
    Definition,
    /// CREATE/ALTER USER, GRANT, SET: whatever follows may be one.
    Account,
    /// CHANGE REPLICATION SOURCE, START REPLICA, CREATE SERVER: the next literal is one.
    Option,
    /// INSERT and the like: texts are data.
    Data,
    /// Anything else.
    Other,
}

/// What is hidden from here on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hide {
    Nothing,
    /// The next literal.
    Next,
    /// Every literal that is not known to be something else.
    Most,
    /// Every literal.
    All,
}

struct Hider<'a> {
    sql: &'a [u8],
    at: usize,
    escapes: bool,
    depth: u32,
    /// What has been shown is `sql[..copied]` with changes, in `out`.
    copied: usize,
    out: Vec<u8>,
    kind: Kind,
    hide: Hide,
    /// The last two words or signs before the token, in upper case.
    last: [Vec<u8>; 2],
}

fn hide(sql: &[u8], escapes: bool, depth: u32) -> Cow<'_, [u8]> {
    let mut h = Hider {
        sql,
        at: 0,
        escapes,
        depth,
        copied: 0,
        out: Vec::new(),
        kind: Kind::None,
        hide: Hide::Nothing,
        last: Default::default(),
    };
    h.run();
    if h.copied == 0 {
        return Cow::Borrowed(sql);
    }
    h.out.extend_from_slice(sql.get(h.copied..).unwrap_or_default());
    Cow::Owned(h.out)
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

impl Hider<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.sql.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        while self.at < self.sql.len() {
            match self.peek(0) {
                b if b.is_ascii_whitespace() => self.at += 1,
                b'/' if self.peek(1) == b'*' => self.comment(),
                b'-' if self.peek(1) == b'-' && (self.peek(2) <= b' ') => self.line(),
                b'#' => self.line(),
                b'*' if self.peek(1) == b'/' => self.at += 2,
                b'\'' | b'"' => self.literal(),
                b'`' => {
                    let end = self.closing(b'`', false);
                    self.seen(b"`");
                    self.at = end;
                }
                b if is_word(b) => self.word(),
                b => {
                    self.at += 1;
                    if b == b';' {
                        (self.kind, self.hide) = (Kind::None, Hide::Nothing);
                    }
                    self.seen(&[b]);
                }
            }
        }
    }

    fn seen(&mut self, token: &[u8]) {
        self.last.swap(0, 1);
        let [_, last] = &mut self.last;
        last.clear();
        last.extend(token.iter().map(u8::to_ascii_uppercase));
    }

    fn after(&self, words: &[&[u8]]) -> bool {
        let [_, last] = &self.last;
        words.contains(&last.as_slice())
    }

    /// Replaces what stands from `from` to `to`.
    fn put(&mut self, from: usize, to: usize) {
        self.out.extend_from_slice(self.sql.get(self.copied..from).unwrap_or_default());
        self.out.extend_from_slice(HIDDEN);
        self.copied = to;
    }

    /// A comment that is code is read on; another one is hidden if one of the words is in it.
    fn comment(&mut self) {
        let mut digits = 0;
        if matches!(self.peek(2), b'!' | b'+') {
            while self.peek(3 + digits).is_ascii_digit() {
                digits += 1;
            }
            let number = self.sql.get(self.at + 3..self.at + 3 + digits).unwrap_or_default();
            let number = std::str::from_utf8(number).ok().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
            if number <= crate::lexer::VERSION_ID {
                self.at += 3 + digits;
                return;
            }
        }
        let rest = self.sql.get(self.at + 2..).unwrap_or_default();
        let len = rest.windows(2).position(|w| w == b"*/").unwrap_or(rest.len());
        if may_hold(rest.get(..len).unwrap_or_default()) {
            self.put(self.at + 2, self.at + 2 + len);
        }
        self.at += 2 + len + 2;
    }

    /// A comment to the end of the line.
    fn line(&mut self) {
        let rest = self.sql.get(self.at..).unwrap_or_default();
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let start = if rest.starts_with(b"#") { 1 } else { 2 };
        if may_hold(rest.get(..len).unwrap_or_default()) {
            self.put(self.at + start, self.at + len);
        }
        self.at += len;
    }

    /// Where the quoted text that begins here ends: behind its closing quote, or with the statement.
    fn closing(&self, quote: u8, escapes: bool) -> usize {
        let mut at = self.at + 1;
        while let Some(&b) = self.sql.get(at) {
            at += 1;
            if b == b'\\' && escapes {
                at += 1;
            } else if b == quote {
                if self.sql.get(at) != Some(&quote) {
                    return at;
                }
                at += 1;
            }
        }
        self.sql.len()
    }

    fn literal(&mut self) {
        let quote = self.peek(0);
        let end = self.closing(quote, self.escapes);
        let inside = self.sql.get(self.at + 1..end.saturating_sub(1).max(self.at + 1)).unwrap_or_default();
        let [before, last] = &self.last;
        let name = last == b"@" && before != b"'" || self.sql.get(end) == Some(&b'@');
        let hidden = match self.hide {
            Hide::Nothing => self.is_statement(inside, quote),
            Hide::Next | Hide::All => true,
            // a password may be followed by @ only if something is wrong
            Hide::Most if self.after(&[b"BY", b"AS", b"REPLACE", b"=", b"(", b"PASSWORD", b"'"]) => true,
            Hide::Most => !name && !self.after(&SHOWN_AFTER),
        };
        if hidden {
            self.put(self.at, end);
        }
        if self.hide == Hide::Next {
            self.hide = Hide::Nothing;
        } else if hidden && self.hide == Hide::Nothing {
            // the rest of what is put together from pieces
            self.hide = Hide::All;
        }
        self.at = end;
        self.seen(if hidden { b"'" } else { b"name" });
    }

    /// Whether a literal is a statement with a secret, or the beginning of one.
    fn is_statement(&self, inside: &[u8], quote: u8) -> bool {
        if self.kind == Kind::Data || self.depth == 0 || !may_hold(inside) {
            return false;
        }
        let mut text = Vec::with_capacity(inside.len());
        let mut bytes = inside.iter().copied();
        while let Some(b) = bytes.next() {
            match b {
                b'\\' if self.escapes => text.extend(bytes.next().map(|b| if b == b'n' { b' ' } else { b })),
                b if b == quote => text.extend(bytes.next()),
                b => text.push(b),
            }
        }
        if matches!(hide(&text, self.escapes, self.depth - 1), Cow::Owned(_)) {
            return true;
        }
        // cut off where the password would stand
        text.extend_from_slice(b" 'x'");
        matches!(hide(&text, self.escapes, self.depth - 1), Cow::Owned(_))
    }

    fn word(&mut self) {
        let rest = self.sql.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|b| !is_word(*b)).unwrap_or(rest.len());
        let word = rest.get(..len).unwrap_or_default().to_ascii_uppercase();
        let start = self.at;
        self.at += len;
        if matches!(self.peek(0), b'\'' | b'"') && matches!(word.as_slice(), b"X" | b"B" | b"N")
            || word.starts_with(b"_")
        {
            // in front of a literal: the literal is looked at as if it stood alone
            return;
        }
        if self.is_bare_secret(&word) {
            self.put(start, self.at);
            self.seen(b"'");
            return;
        }
        let before = self.kind;
        self.classify(&word);
        if before == Kind::Definition && self.kind == Kind::Account {
            self.hide = Hide::Most;
        }
        match word.as_slice() {
            b"IDENTIFIED" if self.kind == Kind::Account || self.next_word_is(&[b"BY", b"WITH", b"AS"]) => {
                self.hide = Hide::Most
            }
            w if w.ends_with(b"PASSWORD") => match self.kind {
                Kind::Account => self.hide = Hide::Most,
                Kind::Option => self.hide = Hide::Next,
                // in a stored program, or behind EXPLAIN
                Kind::Other if self.after(&[b"SET"]) => self.hide = Hide::Most,
                _ => {}
            },
            _ => {}
        }
        self.seen(&word);
    }

    /// A password without quotes is an error, and a hash may be a number.
    fn is_bare_secret(&self, word: &[u8]) -> bool {
        match self.hide {
            Hide::Most if word.starts_with(b"0X") => true,
            Hide::Most => self.after(&[b"BY", b"="]) && word != b"RANDOM" || self.after(&[b"AS"]) && !self.is_set_as(),
            Hide::Next => self.after(&[b"="]) && word != b"NULL",
            _ => false,
        }
    }

    fn is_set_as(&self) -> bool {
        self.kind == Kind::Other
    }

    fn next_word_is(&self, words: &[&[u8]]) -> bool {
        let rest = self.sql.get(self.at..).unwrap_or_default().trim_ascii_start();
        words.iter().any(|w| rest.get(..w.len()).is_some_and(|r| r.eq_ignore_ascii_case(w)))
    }

    /// The first words say what the statement is.
    fn classify(&mut self, word: &[u8]) {
        self.kind = match (self.kind, word) {
            (Kind::None, b"EXPLAIN" | b"DESCRIBE" | b"DESC" | b"ANALYZE") => Kind::None,
            (Kind::None, b"CREATE" | b"ALTER") => Kind::Definition,
            (Kind::None, b"SET" | b"GRANT" | b"CLONE") => Kind::Account,
            (Kind::None, b"CHANGE" | b"START") => Kind::Option,
            (Kind::None, b"INSERT" | b"REPLACE" | b"UPDATE" | b"DELETE" | b"LOAD") => Kind::Data,
            (Kind::None, _) => Kind::Other,
            (Kind::Definition, b"USER") => Kind::Account,
            (Kind::Definition, b"SERVER") => Kind::Option,
            (Kind::Definition, b"OR" | b"REPLACE" | b"IF" | b"NOT" | b"EXISTS") => Kind::Definition,
            (Kind::Definition, _) => Kind::Other,
            (kind, _) => kind,
        };
    }
}

/// Behind these words of an account statement stands no secret.
const SHOWN_AFTER: [&[u8]; 13] = [
    b"WITH",
    b"COMMENT",
    b"ATTRIBUTE",
    b"SUBJECT",
    b"ISSUER",
    b"CIPHER",
    b"USER",
    b"EXISTS",
    b"FOR",
    b"FROM",
    b",",
    b"ROLE",
    b"FACTOR",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(sql: &str) -> String {
        String::from_utf8(Shown::of(sql.as_bytes(), true).bytes().to_vec()).unwrap()
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        for (n, word) in
            ["password", "PASSWORD", "PassWord", "identified", "IDENTIFIED", "Identified"].iter().enumerate()
        {
            for before in 0..20 {
                for after in 0..12 {
                    let text = format!("{}{word}{}", "s".repeat(before), "d".repeat(after));
                    assert!(holds_word(text.as_bytes()), "{text}");
                    assert!(!holds_word(text.replacen(word, &word[1..], 1).as_bytes()), "{text} {n}");
                }
            }
        }
        assert!(!holds_word(b"") && !holds_word(b"passwor") && !holds_word(b"pass word in dentified"));
    }

    #[test]
    fn secrets_are_hidden() {
        for (sql, want) in [
            ("CREATE USER 'a'@'b' IDENTIFIED BY 's3c''ret' ", "CREATE USER 'a'@'b' IDENTIFIED BY <secret> "),
            (
                "create user a identified by \"s3c\\\"ret\" require none",
                "create user a identified by <secret> require none",
            ),
            (
                "CREATE USER a IDENTIFIED BY 's3cret', 'b'@'h' IDENTIFIED WITH 'p' AS 's3cret' COMMENT 'c'",
                "CREATE USER a IDENTIFIED BY <secret>, 'b'@'h' IDENTIFIED WITH 'p' AS <secret> COMMENT 'c'",
            ),
            ("CREATE USER a IDENTIFIED BY RANDOM PASSWORD", "CREATE USER a IDENTIFIED BY RANDOM PASSWORD"),
            ("CREATE USER a IDENTIFIED WITH p AS 0x7333637265740a", "CREATE USER a IDENTIFIED WITH p AS <secret>"),
            ("CREATE USER a IDENTIFIED WITH p AS x'733363726574'", "CREATE USER a IDENTIFIED WITH p AS x<secret>"),
            ("CREATE USER a IDENTIFIED BY s3cret", "CREATE USER a IDENTIFIED BY <secret>"),
            ("CREATE USER a IDENTIFIED BY 's3cret' 's3cret'", "CREATE USER a IDENTIFIED BY <secret> <secret>"),
            ("CREATE USER a IDENTIFIED BY 's3cret", "CREATE USER a IDENTIFIED BY <secret>"),
            ("CREATE USER a IDENTIFIED BY 's3cret'@'s3cret'", "CREATE USER a IDENTIFIED BY <secret>@<secret>"),
            ("CREATE USER a /*!80000 IDENTIFIED BY 's3cret'*/", "CREATE USER a /*!80000 IDENTIFIED BY <secret>*/"),
            ("CREATE /*!50706 USER a IDENTIFIED BY*/ 's3cret'", "CREATE /*!50706 USER a IDENTIFIED BY*/ <secret>"),
            ("CREATE USER a /*!99999 IDENTIFIED BY 's3cret'*/", "CREATE USER a /*<secret>*/"),
            ("/* don't */ ALTER USER a IDENTIFIED BY 's3cret'", "/* don't */ ALTER USER a IDENTIFIED BY <secret>"),
            (
                "-- don't\nALTER USER a IDENTIFIED BY 's3cret' -- password s3cret",
                "-- don't\nALTER USER a IDENTIFIED BY <secret> --<secret>",
            ),
            (
                "ALTER USER USER() IDENTIFIED BY 's3cret' REPLACE 's3cret' RETAIN CURRENT PASSWORD",
                "ALTER USER USER() IDENTIFIED BY <secret> REPLACE <secret> RETAIN CURRENT PASSWORD",
            ),
            (
                "ALTER USER a IDENTIFIED BY 's3cret' ATTRIBUTE '{}' PASSWORD EXPIRE INTERVAL 3 DAY",
                "ALTER USER a IDENTIFIED BY <secret> ATTRIBUTE '{}' PASSWORD EXPIRE INTERVAL 3 DAY",
            ),
            ("set password = 's3cret'", "set password = <secret>"),
            (
                "SET PASSWORD FOR 'a'@'h' = 's3cret' REPLACE 's3cret'",
                "SET PASSWORD FOR 'a'@'h' = <secret> REPLACE <secret>",
            ),
            ("SET PASSWORD FOR 'a' = PASSWORD('s3cret')", "SET PASSWORD FOR 'a' = <secret>(<secret>)"),
            ("SET @x = 's3', PASSWORD FOR a = 's3cret'", "SET @x = 's3', PASSWORD FOR a = <secret>"),
            ("EXPLAIN SET PASSWORD = 's3cret'", "EXPLAIN SET PASSWORD = <secret>"),
            ("SELECT 'a'; SET PASSWORD = 's3cret'; SELECT 'b'", "SELECT 'a'; SET PASSWORD = <secret>; SELECT 'b'"),
            (
                "GRANT SELECT ON *.* TO 'a'@'b' IDENTIFIED BY 's3cret' WITH GRANT OPTION",
                "GRANT SELECT ON *.* TO 'a'@'b' IDENTIFIED BY <secret> WITH GRANT OPTION",
            ),
            ("PREPARE p FROM 'ALTER USER a IDENTIFIED BY ''s3cret'''", "PREPARE p FROM <secret>"),
            ("PREPARE p FROM \"SET PASSWORD = 's3cret'\"", "PREPARE p FROM <secret>"),
            ("PREPARE p FROM 'PREPARE q FROM \\'SET PASSWORD = \"s3cret\"\\''", "PREPARE p FROM <secret>"),
            (
                "SET @s = CONCAT('CREATE USER a IDENTIFIED BY ''', 's3cret', '''')",
                "SET @s = CONCAT(<secret>, <secret>, <secret>)",
            ),
            ("SELECT 'ALTER USER a IDENTIFIED BY \"s3cret\"' INTO @s", "SELECT <secret> INTO @s"),
            (
                "CHANGE REPLICATION SOURCE TO SOURCE_USER='u', SOURCE_PASSWORD='s3cret', SOURCE_HOST='h'",
                "CHANGE REPLICATION SOURCE TO SOURCE_USER='u', SOURCE_PASSWORD=<secret>, SOURCE_HOST='h'",
            ),
            ("START REPLICA USER='u' PASSWORD='s3cret'", "START REPLICA USER='u' PASSWORD=<secret>"),
            (
                "CLONE INSTANCE FROM 'u'@'h':3306 IDENTIFIED BY 's3cret' REQUIRE SSL",
                "CLONE INSTANCE FROM 'u'@'h':3306 IDENTIFIED BY <secret> REQUIRE SSL",
            ),
            (
                "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (USER 'u', PASSWORD 's3cret', HOST 'h')",
                "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (USER 'u', PASSWORD <secret>, HOST 'h')",
            ),
            ("ALTER SERVER s OPTIONS (PASSWORD 's3cret')", "ALTER SERVER s OPTIONS (PASSWORD <secret>)"),
            (
                "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SET PASSWORD FOR a = 's3cret'",
                "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SET PASSWORD FOR a = <secret>",
            ),
            ("CREATE USR a IDENTIFIED BY 's3cret'", "CREATE USR a IDENTIFIED BY <secret>"),
            ("CREATE USER 'a'@'h', 'b' IDENTFIED BY 's3cret'", "CREATE USER 'a'@'h', 'b' IDENTFIED BY <secret>"),
            ("alter user if exists 'a' 's3cret'", "alter user if exists 'a' <secret>"),
            (
                "ALTER USER 'a' DEFAULT ROLE 'r', 's'; SELECT 'x' AS y",
                "ALTER USER 'a' DEFAULT ROLE 'r', 's'; SELECT 'x' AS y",
            ),
        ] {
            assert_eq!(shown(sql), want);
            assert!(!shown(sql).contains("s3cret"));
        }
        let none = |sql: &str| String::from_utf8(Shown::of(sql.as_bytes(), false).bytes().to_vec()).unwrap();
        assert_eq!(none("CREATE USER 'a\\' IDENTIFIED BY 's3cret'"), "CREATE USER 'a\\' IDENTIFIED BY <secret>");
    }

    #[test]
    fn a_secret_is_not_printed() {
        let s = Hidden("s3cret".to_owned());
        assert_eq!(format!("{s} {s:?} {:?}", Some(&s)), "<secret> <secret> Some(<secret>)");
        assert_eq!(*s, "s3cret");
        let sql = b"ALTER USER a IDENTIFIED BY 's3cret' REPLACE 's3cret', b IDENTIFIED WITH p AS 's3cret'";
        for sql in [&sql[..], b"SET PASSWORD = 's3cret' REPLACE 's3cret'"] {
            let (arena, mut lexed) = (bumpalo::Bump::new(), crate::Lexed::new());
            lexed.tokenize(sql, 0, crate::Mode::default());
            let tree = format!("{:?}", crate::parse(&arena, sql, &mut lexed).unwrap().statement);
            // bytes print as numbers
            assert!(tree.contains("<secret>") && !tree.contains("51, 99, 114"), "{tree}");
        }
    }

    #[test]
    fn nothing_else_is() {
        for sql in [
            "SELECT 'x' FROM t WHERE password = 'x' AND id = 'identified'",
            "UPDATE users SET password = 'x' WHERE name = 'y'",
            "INSERT INTO t (password, s) VALUES ('x', 'ALTER USER a IDENTIFIED BY ''x''')",
            "CREATE TABLE t (password VARCHAR(20) DEFAULT 'x' COMMENT 'password')",
            "ALTER TABLE t ADD password CHAR(3) DEFAULT 'x'",
            "SET @x = 'x', sql_mode = 'ANSI'",
            "SHOW VARIABLES LIKE '%password%'",
            "SELECT `password`, \"identified\" FROM t -- don't",
            "",
        ] {
            assert!(matches!(Shown::of(sql.as_bytes(), true).0, Cow::Borrowed(_)), "{sql}: {}", shown(sql));
        }
    }

    /// Wherever a statement with a secret is cut, or a byte of it changed before the secret's own place, reading it ends.
    #[test]
    fn any_text_is_read() {
        let sql = b"SELECT /* a */ 'b\\''; PREPARE p FROM 'SET PASSWORD = ''x'''; CREATE USER a /*!80000 IDENTIFIED BY 'x'*/ -- y\n";
        for i in 0..sql.len() {
            Shown::of(&sql[..i], true);
            Shown::of(&sql[i..], false);
            for b in [0, b'\'', b'*', b'/', b'\\', 0xff] {
                let mut s = sql.to_vec();
                s[i] = b;
                Shown::of(&s, true);
            }
        }
    }
}
