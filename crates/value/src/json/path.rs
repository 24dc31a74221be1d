//! Path expressions: `$`, `.key`, `."key"`, `[n]`, `[last-n]`, `[m to n]`, `.*`, `[*]`, `**`.

/// Place in an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    /// Counted from the last element (`last` is 0).
    pub from_end: bool,
    /// How far.
    pub n: u32,
}

impl Index {
    /// Position in an array of `len` elements, `Err` with the nearest position (0 or `len`) if there is none.
    pub fn resolve(self, len: usize) -> Result<usize, usize> {
        let n = self.n as usize;
        match self.from_end {
            false if n < len => Ok(n),
            false => Err(len),
            true if n < len => Ok(len - 1 - n),
            true => Err(0),
        }
    }
}

/// A step of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leg {
    /// `.key`
    Member(Box<[u8]>),
    /// `.*`
    AnyMember,
    /// `[n]`
    Cell(Index),
    /// `[*]`
    AnyCell,
    /// `[m to n]`
    Range(Index, Index),
    /// `**`
    Ellipsis,
}

/// A parsed path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// Steps from the root.
    pub legs: Vec<Leg>,
}

struct Stream<'a> {
    s: &'a [u8],
    at: usize,
}

impl Stream<'_> {
    fn peek(&self) -> Option<u8> {
        self.s.get(self.at).copied()
    }
    fn pop(&mut self) -> Option<u8> {
        let b = self.peek();
        self.at += usize::from(b.is_some());
        b
    }
    fn space(&mut self) -> bool {
        let from = self.at;
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r' | 11 | 12)) {
            self.at += 1;
        }
        self.at > from
    }
}

impl Path {
    /// The path that `s` (UTF-8) writes; `Err` is the character position for error 3143.
    pub fn parse(s: &[u8]) -> Result<Path, usize> {
        let mut st = Stream { s, at: 0 };
        Path::read(&mut st).ok_or(st.at)
    }

    fn read(st: &mut Stream<'_>) -> Option<Path> {
        let mut legs = Vec::new();
        st.space();
        if st.pop()? != b'$' {
            return None;
        }
        st.space();
        while let Some(b) = st.peek() {
            legs.push(match b {
                b'.' => member(st)?,
                b'[' => array(st)?,
                b'*' => ellipsis(st)?,
                _ => return None,
            });
            st.space();
        }
        // something must follow **
        if legs.last() == Some(&Leg::Ellipsis) { None } else { Some(Path { legs }) }
    }

    /// Whether it may match several values.
    pub fn has_wildcard(&self) -> bool {
        self.legs.iter().any(|l| !matches!(l, Leg::Member(_) | Leg::Cell(_)))
    }

    /// The path as JSON_SEARCH and the schema report write it.
    pub fn print(&self, out: &mut Vec<u8>) {
        out.push(b'$');
        for l in &self.legs {
            print_leg(l, out);
        }
    }
}

/// Appends a leg.
pub(super) fn print_leg(l: &Leg, out: &mut Vec<u8>) {
    let index = |i: &Index| match (i.from_end, i.n) {
        (false, n) => n.to_string(),
        (true, 0) => "last".into(),
        (true, n) => format!("last-{n}"),
    };
    match l {
        Leg::Member(k) => {
            out.push(b'.');
            if is_identifier(k) {
                out.extend_from_slice(k);
            } else {
                super::print::quoted(k, out);
            }
        }
        Leg::AnyMember => out.extend_from_slice(b".*"),
        Leg::Cell(i) => out.extend_from_slice(format!("[{}]", index(i)).as_bytes()),
        Leg::AnyCell => out.extend_from_slice(b"[*]"),
        Leg::Range(a, b) => out.extend_from_slice(format!("[{} to {}]", index(a), index(b)).as_bytes()),
        Leg::Ellipsis => out.extend_from_slice(b"**"),
    }
}

/// ECMAScript's identifiers: what a key without quotes may be.
fn is_identifier(k: &[u8]) -> bool {
    let Ok(s) = std::str::from_utf8(k) else { return false };
    let start = |c: char| c.is_alphabetic() || c == '$' || c == '_';
    let mark = |c: char| c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}');
    s.starts_with(start) && s.chars().skip(1).all(|c| start(c) || mark(c))
}

fn member(st: &mut Stream<'_>) -> Option<Leg> {
    st.pop();
    st.space();
    let from = st.at;
    match st.peek()? {
        b'*' => {
            st.pop();
            return Some(Leg::AnyMember);
        }
        b'"' => {
            st.pop();
            while let Some(b) = st.pop() {
                match b {
                    b'\\' => {
                        st.pop();
                    }
                    b'"' => break,
                    _ => {}
                }
            }
            let text = st.s.get(from..st.at)?;
            return match super::parse(text).ok()? {
                super::Dom::Str(k) => Some(Leg::Member(k.into_owned().into())),
                _ => None,
            };
        }
        _ => {}
    }
    while st.peek().is_some_and(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 11 | 12 | b'.' | b'[' | b'*')) {
        st.at += 1;
    }
    let key = st.s.get(from..st.at)?;
    is_identifier(key).then(|| Leg::Member(key.into()))
}

fn array(st: &mut Stream<'_>) -> Option<Leg> {
    st.pop();
    st.space();
    if st.peek()? == b'*' {
        st.pop();
        st.space();
        return (st.pop()? == b']').then_some(Leg::AnyCell);
    }
    let first = index(st)?;
    let spaced = st.space() || matches!(st.s.get(st.at.wrapping_sub(1)), Some(b' ' | b'\t'));
    let to = st.s.get(st.at..).is_some_and(|r| r.starts_with(b"to") && r.get(2).is_some_and(u8::is_ascii_whitespace));
    let mut leg = Leg::Cell(first);
    if spaced && to {
        st.at += 2;
        st.space();
        let second = index(st)?;
        if first.from_end == second.from_end && if first.from_end { first.n < second.n } else { second.n < first.n } {
            return None;
        }
        leg = Leg::Range(first, second);
        st.space();
    }
    (st.pop()? == b']').then_some(leg)
}

fn index(st: &mut Stream<'_>) -> Option<Index> {
    let mut from_end = false;
    if st.s.get(st.at..)?.starts_with(b"last") {
        st.at += 4;
        from_end = true;
        let at = st.at;
        st.space();
        if st.peek()? != b'-' {
            st.at = at;
            return Some(Index { from_end, n: 0 });
        }
        st.pop();
        st.space();
    }
    let from = st.at;
    while st.peek().is_some_and(|b| b.is_ascii_digit()) {
        st.at += 1;
    }
    let n = std::str::from_utf8(st.s.get(from..st.at)?).ok()?.parse().ok()?;
    Some(Index { from_end, n })
}

fn ellipsis(st: &mut Stream<'_>) -> Option<Leg> {
    st.pop();
    if st.pop()? != b'*' || st.peek()? == b'*' {
        return None;
    }
    Some(Leg::Ellipsis)
}
