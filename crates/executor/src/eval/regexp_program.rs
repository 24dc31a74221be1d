//! A pattern as a program for [`super::regexp_match`], which searches as ICU does: by trying, and by going back.
//!
//! Only what the automata of `regex-automata` cannot do comes here: look-around, back-references, atomic groups and
//! word boundaries, and every
//! pattern while `regexp_time_limit` or `regexp_stack_limit` is below its default. The tree is `fancy_regex`'s;
//! what ICU has not (`\K`,
//! conditions, subroutines) has no program. Which repetitions keep a state for each round, and which only one (a
//! set of characters, a dot), is
//! ICU's choice too: `regexp_stack_limit` counts these states (here as there: 2 words and one for each register).
//!
//! Tested: golden `regexp_limits`, and the random patterns at the end of `regexp_match`.

use fancy_regex::{Assertion, Expr, LookAround};

use super::regexp_set::{Set, class};
use super::regexp_shape::{anchored, begins, groups, width};

/// What one step of the matcher does.
#[derive(Debug)]
pub(super) enum Step {
    /// These bytes.
    Text(Box<[u8]>),
    /// One character of a set.
    One(Set),
    /// As many characters of a set as there are, at least 0 or 1. The place behind these goes into a register.
    Run {
        set: Set,
        least: usize,
        at: usize,
    },
    /// Keeps a state that gives one character of the run before back, if that is not the register's place.
    Give(usize),
    /// Goes on with the first; the second is tried later.
    Split(usize, usize),
    Jump(usize),
    /// The place goes into a register.
    Place(usize),
    /// A group's registers: it began at a register's place and ends here.
    Close {
        at: usize,
        begun: usize,
    },
    /// A round of a repetition that began at the register's place and took nothing ends it: on to the step.
    Stuck(usize, usize),
    /// Rounds and place of a counted repetition begin.
    Rounds(usize),
    /// A round of it ends.
    Round(Counted),
    Assert(Assertion),
    /// Where the search began (`\G`).
    Begin,
    Newline,
    /// What a group has matched, again.
    Again {
        group: usize,
        fold: bool,
    },
    /// A group that keeps its choices to itself begins: how many states there are, and the place, go into two
    /// registers.
    Keep(usize),
    /// It ends: its states are forgotten; `back`: the place is what it was.
    Kept {
        at: usize,
        back: bool,
    },
    /// The inside of a negative look-around has matched: it fails, behind what is kept.
    Refuse(usize),
    /// A look-behind will begin with so many characters back; it has `Keep`'s registers and one more.
    Back {
        at: usize,
        from: usize,
    },
    /// It goes back, and later one character further, to this number.
    Behind {
        at: usize,
        to: usize,
    },
    /// Its inside must end where it began.
    Ends(usize),
    Fail,
    Match,
}

/// A repetition with a lower and an upper bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    /// Registers: rounds, and the place of the present one.
    pub at: usize,
    pub from: usize,
    pub to: usize,
    pub greedy: bool,
    /// The first step of a round.
    pub body: usize,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Program {
    pub steps: Vec<Step>,
    /// Groups and the whole: two registers each come first.
    pub groups: usize,
    pub registers: usize,
    /// Bytes a match can begin with; `None`: any, or it can be empty.
    pub first: Option<Box<[bool; 256]>>,
    /// It can only match at the beginning of the text.
    pub anchored: bool,
}

/// Steps a program may have: nested intervals multiply.
const LONGEST: usize = 1 << 20;

/// Why a pattern has no program.
pub(super) enum NoProgram {
    /// There is something in it that ICU has not, or it is too long.
    Unknown,
    /// A look-behind whose length has no limit.
    Endless,
}

type Made<T> = Result<T, NoProgram>;

impl Program {
    pub fn new(pattern: &str) -> Made<Program> {
        let tree = Expr::parse_tree(pattern).map_err(|_| NoProgram::Unknown)?;
        let groups = 1 + groups(&tree.expr);
        let mut maker = Maker { steps: Vec::new(), group: 0, groups, registers: groups * 2 };
        maker.add(&tree.expr)?;
        maker.step(Step::Match)?;
        let mut first = Box::new([false; 256]);
        let optional = begins(&tree.expr, &mut first);
        Ok(Program {
            steps: maker.steps,
            groups,
            registers: maker.registers,
            first: (!optional && !first.iter().all(|b| *b)).then_some(first),
            anchored: anchored(&tree.expr),
        })
    }
}

/// The sets that follow each other in an expression of single characters.
pub(super) fn sets(e: &Expr) -> Made<Vec<Set>> {
    match e {
        Expr::Any { newline: true, .. } => Ok(vec![Set::but(&[])]),
        Expr::Any { crlf: false, .. } => Ok(vec![Set::but(&['\n'])]),
        Expr::Any { .. } => Ok(vec![Set::but(&['\n', '\r'])]),
        Expr::Delegate { inner, casei } => Ok(vec![class(inner, *casei)?]),
        Expr::Literal { val, casei } => val
            .chars()
            .map(|c| {
                if *casei {
                    class(&regex_syntax::escape(c.encode_utf8(&mut [0; 4])), true)
                } else {
                    Ok(Set::of([(c, c)].into_iter()))
                }
            })
            .collect(),
        _ => Err(NoProgram::Unknown),
    }
}

struct Maker {
    steps: Vec<Step>,
    /// Groups opened so far.
    group: usize,
    groups: usize,
    registers: usize,
}

impl Maker {
    /// Adds a step; its place.
    fn step(&mut self, step: Step) -> Made<usize> {
        if self.steps.len() >= LONGEST {
            return Err(NoProgram::Unknown);
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn set(&mut self, at: usize, step: Step) {
        if let Some(s) = self.steps.get_mut(at) {
            *s = step;
        }
    }

    fn here(&self) -> usize {
        self.steps.len()
    }

    fn register(&mut self, n: usize) -> usize {
        self.registers += n;
        self.registers - n
    }

    fn add(&mut self, e: &Expr) -> Made<()> {
        match e {
            Expr::Empty => {}
            Expr::Any { .. } | Expr::Delegate { .. } | Expr::Literal { casei: true, .. } => {
                for set in sets(e)? {
                    self.step(Step::One(set))?;
                }
            }
            Expr::Literal { val, .. } => {
                self.step(Step::Text(val.as_bytes().into()))?;
            }
            Expr::Assertion(a) => {
                self.step(Step::Assert(*a))?;
            }
            Expr::GeneralNewline { .. } => {
                self.step(Step::Newline)?;
            }
            Expr::ContinueFromPreviousMatchEnd => {
                self.step(Step::Begin)?;
            }
            Expr::Concat(all) => {
                for e in all {
                    self.add(e)?;
                }
            }
            Expr::Alt(all) => self.alternatives(all)?,
            Expr::Group(e) => {
                self.group += 1;
                let at = self.group * 2;
                // the beginning is only true when the end is reached
                let begun = self.register(1);
                self.step(Step::Place(begun))?;
                self.add(e)?;
                self.step(Step::Close { at, begun })?;
            }
            Expr::Repeat { child, lo, hi, greedy } => self.repeat(child, *lo, *hi, *greedy)?,
            Expr::Backref { group, casei } => {
                if *group >= self.groups {
                    return Err(NoProgram::Unknown);
                }
                self.step(Step::Again { group: *group, fold: *casei })?;
            }
            Expr::AtomicGroup(e) => {
                let at = self.register(2);
                self.step(Step::Keep(at))?;
                self.add(e)?;
                self.step(Step::Kept { at, back: false })?;
            }
            Expr::LookAround(e, kind) => self.look(e, *kind)?,
            _ => return Err(NoProgram::Unknown),
        }
        Ok(())
    }

    fn alternatives(&mut self, all: &[Expr]) -> Made<()> {
        let mut jumps = Vec::new();
        for (i, e) in all.iter().enumerate() {
            if i + 1 == all.len() {
                self.add(e)?;
                break;
            }
            let split = self.step(Step::Fail)?;
            self.add(e)?;
            jumps.push(self.step(Step::Fail)?);
            self.set(split, Step::Split(split + 1, self.here()));
        }
        for at in jumps {
            self.set(at, Step::Jump(self.here()));
        }
        Ok(())
    }

    fn repeat(&mut self, child: &Expr, lo: usize, hi: usize, greedy: bool) -> Made<()> {
        let split = |body, out| if greedy { Step::Split(body, out) } else { Step::Split(out, body) };
        let set = matches!(child, Expr::Any { .. } | Expr::Delegate { .. });
        let registers_of_rounds = width(child).0 == 0;
        match (lo, hi) {
            (_, 0) => self.group += groups(child),
            (0 | 1, usize::MAX) if greedy && set => {
                let set = sets(child)?.pop().ok_or(NoProgram::Unknown)?;
                let at = self.register(1);
                self.step(Step::Run { set, least: lo, at })?;
                self.step(Step::Give(at))?;
            }
            (0, 1) => {
                let top = self.step(Step::Fail)?;
                self.add(child)?;
                self.set(top, split(top + 1, self.here()));
            }
            (0 | 1, usize::MAX) => {
                let top = self.here();
                if lo == 0 {
                    self.step(Step::Fail)?;
                }
                let round = registers_of_rounds.then(|| self.register(1));
                if let Some(r) = round {
                    self.step(Step::Place(r))?;
                }
                self.add(child)?;
                let stuck = round.map(|r| Ok::<_, NoProgram>((r, self.step(Step::Fail)?))).transpose()?;
                let again = self.step(Step::Jump(top))?;
                if lo == 0 {
                    self.set(top, split(top + 1, self.here()));
                } else {
                    self.set(again, split(top, self.here()));
                }
                if let Some((r, at)) = stuck {
                    self.set(at, Step::Stuck(r, self.here()));
                }
            }
            _ => {
                let at = self.register(2);
                self.step(Step::Rounds(at))?;
                let top = if lo == 0 { Some(self.step(Step::Fail)?) } else { None };
                let body = self.here();
                self.add(child)?;
                self.step(Step::Round(Counted { at, from: lo, to: hi, greedy, body }))?;
                if let Some(top) = top {
                    self.set(top, split(body, self.here()));
                }
            }
        }
        Ok(())
    }

    fn look(&mut self, e: &Expr, kind: LookAround) -> Made<()> {
        let behind = matches!(kind, LookAround::LookBehind | LookAround::LookBehindNeg);
        let not = matches!(kind, LookAround::LookAheadNeg | LookAround::LookBehindNeg);
        let at = self.register(2 + usize::from(behind));
        self.step(Step::Keep(at))?;
        let out = if not { Some(self.step(Step::Fail)?) } else { None };
        if behind {
            let (from, to) = width(e);
            self.step(Step::Back { at, from })?;
            self.step(Step::Behind { at, to: to.ok_or(NoProgram::Endless)? })?;
        }
        self.add(e)?;
        if behind {
            self.step(Step::Ends(at))?;
        }
        self.step(if not { Step::Refuse(at) } else { Step::Kept { at, back: true } })?;
        if let Some(out) = out {
            self.set(out, Step::Split(out + 1, self.here()));
        }
        Ok(())
    }
}
