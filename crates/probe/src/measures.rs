//! What is measured of a statement ([`Measure`]), of one ([`One`]) and of many ([`Stats`], [`Totals`]).
//!
//! [`Stats`] has one writer at a time and any number of readers, who may see a statement's numbers half added; what a
//! statement adds always has a place of its own there, the rest is looked up. Tested by
//! `tests/clients/test_performance_schema.py` and in [`crate::statements`].

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! measures {
    ($($id:ident $doc:literal;)*) => {
        /// What is measured of a statement. Sums, but for the last five.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Measure { $(#[doc = $doc] $id,)* }
        impl Measure {
            /// How many there are.
            pub const COUNT: usize = [$(Measure::$id),*].len();
            /// All of them.
            pub const ALL: &[Measure] = &[$(Measure::$id),*];
        }
    };
}

measures! {
    Count "Statements";
    TimeNs "Time from text to answer, ns";
    LockNs "Time waited for locks, ns";
    Errors "Those that failed";
    Warnings "Warnings";
    RowsAffected "Rows changed";
    RowsSent "Rows sent";
    RowsExamined "Rows read";
    TmpDiskTables "Internal temporary tables that went to disk";
    TmpTables "Internal temporary tables";
    FullJoin "As Select_full_join";
    FullRangeJoin "As Select_full_range_join";
    Range "As Select_range";
    RangeCheck "As Select_range_check";
    Scan "As Select_scan";
    SortMergePasses "As Sort_merge_passes";
    SortRange "As Sort_range";
    SortRows "As Sort_rows";
    SortScan "As Sort_scan";
    NoIndexUsed "Statements that scanned";
    CpuNs "Processor time, ns";
    MinNs "Shortest, ns";
    MaxNs "Longest, ns";
    FirstSeen "Microseconds since 1970 of the first";
    LastSeen "And of the last";
    MaxMemory "The most bytes that one held";
}

/// The measures of one or many statements.
#[derive(Clone, Copy, Debug)]
pub struct Totals([u64; Measure::COUNT]);

impl Default for Totals {
    fn default() -> Totals {
        Totals([0; Measure::COUNT])
    }
}

impl Totals {
    /// A value.
    pub fn get(&self, m: Measure) -> u64 {
        self.0.get(m as usize).copied().unwrap_or(0)
    }
    /// One statement's.
    pub fn only(&mut self, one: &One) {
        self.0 = [0; Measure::COUNT];
        let mut put = |m: usize, n| self.0.get_mut(m).into_iter().for_each(|v| *v = n);
        one.each(&mut put);
        put(Measure::Count as usize, 1);
        put(Measure::TimeNs as usize, one.ns);
        put(Measure::MaxMemory as usize, one.memory);
    }
    /// Adds another's statements to these.
    pub fn merge(&mut self, other: &Totals) {
        if other.get(Measure::Count) == 0 {
            return;
        }
        let first = self.get(Measure::Count) == 0;
        for (i, (a, b)) in self.0.iter_mut().zip(&other.0).enumerate() {
            *a = combine(i, first, *a, *b);
        }
    }
}

#[inline]
fn combine(i: usize, first: bool, a: u64, b: u64) -> u64 {
    const MIN: usize = Measure::MinNs as usize;
    const MAX: usize = Measure::MaxNs as usize;
    const FIRST: usize = Measure::FirstSeen as usize;
    const LAST: usize = Measure::LastSeen as usize;
    const MEMORY: usize = Measure::MaxMemory as usize;
    match i {
        MIN | FIRST => {
            if first {
                b
            } else {
                a.min(b)
            }
        }
        MAX | LAST | MEMORY => a.max(b),
        _ => a.wrapping_add(b),
    }
}

/// What one statement did: rows, and those of the other sums that are not 0, so that a statement clears few words of
/// one that is used again.
///
/// What every statement writes and what is added up of it stands first, within the 64 bytes of a cache line where it
/// begins at one ([`crate::events::StatementEvent`]).
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct One {
    /// How long, ns.
    pub ns: u64,
    /// When it began, microseconds since 1970.
    pub wall_us: u64,
    /// Rows changed, sent and read.
    pub rows: [u64; 3],
    /// The most bytes that it held.
    pub memory: u64,
    /// Which sums there are besides.
    there: u32,
    /// That of [`Measure::CpuNs`], which every statement has if it is asked for.
    cpu_ns: u64,
    /// The others: few statements have any, so most need no room for them.
    values: Option<Box<[u64; Measure::COUNT]>>,
}

/// Where [`One::rows`] belong.
const ROWS: [usize; 3] = [Measure::RowsAffected as usize, Measure::RowsSent as usize, Measure::RowsExamined as usize];

impl One {
    /// A new statement, with the rows and the memory of another one.
    #[inline(always)]
    pub fn begin(&mut self, ns: u64, wall_us: u64) {
        (self.ns, self.wall_us, self.there) = (ns, wall_us, 0);
    }
    /// Adds to a sum other than rows.
    pub fn add(&mut self, m: Measure, n: u64) {
        if n == 0 {
            return;
        }
        let fresh = !self.has(m);
        if let Some(v) = self.value_mut(m) {
            *v = if fresh { n } else { *v + n };
        }
        self.there |= 1 << (m as u32);
    }
    /// Where the sum of a measure stands.
    fn value_mut(&mut self, m: Measure) -> Option<&mut u64> {
        if m == Measure::CpuNs {
            return Some(&mut self.cpu_ns);
        }
        self.values.get_or_insert_with(|| Box::new([0; Measure::COUNT])).get_mut(m as usize)
    }
    /// The sum of a measure that is there.
    fn value(&self, m: Measure) -> u64 {
        if m == Measure::CpuNs {
            return self.cpu_ns;
        }
        self.values.as_ref().and_then(|v| v.get(m as usize).copied()).unwrap_or(0)
    }
    /// Takes off a sum other than rows.
    pub fn take_off(&mut self, m: Measure, n: u64) {
        if self.has(m)
            && let Some(v) = self.value_mut(m)
        {
            *v = v.saturating_sub(n);
            if *v == 0 {
                self.there &= !(1 << (m as u32));
            }
        }
    }
    /// Bytes that hang at it.
    pub fn hanging(&self) -> usize {
        self.values.as_ref().map_or(0, |v| size_of_val(&**v))
    }
    /// Calls `f` with each sum other than rows that is there.
    pub fn each_sum(&self, mut f: impl FnMut(Measure, u64)) {
        let mut left = self.there;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(m) = Measure::ALL.get(i) {
                f(*m, self.value(*m));
            }
        }
    }
    /// Whether a sum other than rows is there.
    #[inline]
    pub fn has(&self, m: Measure) -> bool {
        self.there >> (m as u32) & 1 == 1
    }
    /// Calls `f` with the place and the value of each sum that is there.
    fn each(&self, mut f: impl FnMut(usize, u64)) {
        ROWS.iter().zip(&self.rows).for_each(|(i, n)| f(*i, *n));
        self.each_sum(|m, n| f(m as usize, n));
    }
}

/// Statements one after the other that count for the same sums, before these are told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) count: u64,
    pub(crate) time: u64,
    pub(crate) least: u64,
    pub(crate) most: u64,
    first_us: u64,
    pub(crate) last_us: u64,
    memory: u64,
    rows: [u64; 3],
    /// One of them has sums other than rows.
    pub(crate) more: bool,
}

impl Run {
    /// Of these.
    #[inline(always)]
    pub(crate) fn of<'a>(mut all: impl Iterator<Item = &'a One>) -> Run {
        let (mut run, mut there) = (Run { least: u64::MAX, ..Run::default() }, 0);
        let mut add = |one: &One| {
            run.count += 1;
            run.time = run.time.wrapping_add(one.ns);
            run.least = run.least.min(one.ns);
            run.most = run.most.max(one.ns);
            run.last_us = one.wall_us;
            run.memory = run.memory.max(one.memory);
            run.rows.iter_mut().zip(one.rows).for_each(|(sum, n)| *sum = sum.wrapping_add(n));
            there |= one.there;
        };
        let first = all.next();
        first.into_iter().for_each(&mut add);
        all.for_each(add);
        (run.first_us, run.more) = (first.map_or(0, |one| one.wall_us), there != 0);
        run
    }
}

/// [`Totals`] that one thread writes and any may read.
#[derive(Debug)]
pub struct Stats {
    count: AtomicU64,
    time: AtomicU64,
    least: AtomicU64,
    most: AtomicU64,
    first_us: AtomicU64,
    last_us: AtomicU64,
    memory: AtomicU64,
    /// As [`One::rows`].
    rows: [AtomicU64; 3],
    /// What few statements have, by [`Measure`].
    others: [AtomicU64; Measure::COUNT],
}

impl Default for Stats {
    fn default() -> Stats {
        let zero = || AtomicU64::new(0);
        Stats {
            count: zero(),
            time: zero(),
            least: AtomicU64::new(u64::MAX),
            most: zero(),
            first_us: zero(),
            last_us: zero(),
            memory: zero(),
            rows: [const { AtomicU64::new(0) }; 3],
            others: [const { AtomicU64::new(0) }; Measure::COUNT],
        }
    }
}

#[inline(always)]
fn bump(v: &AtomicU64, n: u64) {
    v.store(v.load(Relaxed).wrapping_add(n), Relaxed);
}

impl Stats {
    /// Adds one statement; only the owner may.
    #[inline(always)]
    pub fn add(&self, one: &One) {
        bump(&self.count, 1);
        bump(&self.time, one.ns);
        if one.ns < self.least.load(Relaxed) {
            self.shortest(one.ns, one.wall_us);
        }
        if one.ns > self.most.load(Relaxed) {
            self.most.store(one.ns, Relaxed);
        }
        self.last_us.store(one.wall_us, Relaxed);
        if one.memory > self.memory.load(Relaxed) {
            self.memory.store(one.memory, Relaxed);
        }
        let ([changed, sent, read], [a, b, c]) = (&self.rows, one.rows);
        bump(changed, a);
        bump(sent, b);
        bump(read, c);
        if one.there != 0 {
            self.add_others(one);
        }
    }

    /// The shortest so far, which the first one is.
    #[cold]
    #[inline(never)]
    fn shortest(&self, ns: u64, wall_us: u64) {
        self.least.store(ns, Relaxed);
        if self.first_us.load(Relaxed) == 0 {
            self.first_us.store(wall_us, Relaxed);
        }
    }

    #[inline(never)]
    fn add_others(&self, one: &One) {
        one.each_sum(|m, n| self.others.get(m as usize).into_iter().for_each(|v| bump(v, n)));
    }

    /// Adds some; only the owner may.
    pub(crate) fn add_run(&self, run: &Run) {
        bump(&self.count, run.count);
        bump(&self.time, run.time);
        if run.least < self.least.load(Relaxed) {
            self.shortest(run.least, run.first_us);
        }
        self.most.store(self.most.load(Relaxed).max(run.most), Relaxed);
        self.last_us.store(run.last_us, Relaxed);
        self.memory.store(self.memory.load(Relaxed).max(run.memory), Relaxed);
        self.rows.iter().zip(run.rows).for_each(|(sum, n)| bump(sum, n));
    }

    /// Adds what a statement of a run has besides rows; only the owner may.
    #[inline(always)]
    pub(crate) fn add_rest(&self, one: &One) {
        if one.there != 0 {
            self.add_others(one);
        }
    }

    /// Adds `n` of `ns` each that did nothing but take their time; only the owner may.
    pub fn add_plain(&self, n: u64, ns: u64, wall_us: u64) {
        if ns < self.least.load(Relaxed) {
            self.shortest(ns, wall_us);
        }
        if ns > self.most.load(Relaxed) {
            self.most.store(ns, Relaxed);
        }
        bump(&self.count, n);
        bump(&self.time, ns * n);
        self.last_us.store(wall_us, Relaxed);
    }

    /// The values now.
    pub fn totals(&self) -> Totals {
        use Measure::*;
        let mut t = Totals::default();
        t.0.iter_mut().zip(&self.others).for_each(|(to, from)| *to = from.load(Relaxed));
        let mut put = |m: usize, v: &AtomicU64| t.0.get_mut(m).into_iter().for_each(|to| *to = v.load(Relaxed));
        let named = [(Count, &self.count), (TimeNs, &self.time), (MaxNs, &self.most), (MaxMemory, &self.memory)];
        named.into_iter().for_each(|(m, v)| put(m as usize, v));
        put(FirstSeen as usize, &self.first_us);
        put(LastSeen as usize, &self.last_us);
        ROWS.iter().zip(&self.rows).for_each(|(m, v)| put(*m, v));
        // the first one may be half told
        let least = self.least.load(Relaxed);
        let least = if least == u64::MAX { 0 } else { least };
        t.0.get_mut(MinNs as usize).into_iter().for_each(|to| *to = least);
        t
    }
}
