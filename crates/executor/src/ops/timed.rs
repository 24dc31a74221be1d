//! EXPLAIN ANALYZE: an operator that is measured. It is there only where the execution began with
//! [`super::begin_measured`].

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use base::SqlResult;
use planner::explain::Measure;

use super::Op;
use crate::eval::Cx;

/// Measurements by the addresses of the plan's nodes.
#[derive(Debug, Default)]
pub struct Measures(RefCell<Vec<(usize, Measure)>>);

impl Measures {
    /// What was measured, taken out.
    pub(super) fn taken(&self) -> Measures {
        Measures(RefCell::new(self.0.take()))
    }

    /// A place for a node.
    fn place(&self, node: usize) -> usize {
        let mut l = self.0.borrow_mut();
        l.push((node, Measure::default()));
        l.len() - 1
    }

    fn add(&self, place: usize, f: impl FnOnce(&mut Measure)) {
        if let Some((_, m)) = self.0.borrow_mut().get_mut(place) {
            f(m);
        }
    }

    /// What was measured of a node, all its operators together.
    pub fn of(&self, node: usize) -> Option<Measure> {
        let l = self.0.borrow();
        let mut all = l.iter().filter(|x| x.0 == node).map(|x| x.1);
        let first = all.next()?;
        Some(all.fold(first, |a, b| Measure {
            loops: a.loops + b.loops,
            rows: a.rows + b.rows,
            first: a.first + b.first,
            total: a.total + b.total,
        }))
    }
}

/// See the module.
pub struct TimedOp<'e> {
    op: Op<'e>,
    measures: Rc<Measures>,
    place: usize,
    /// Time of the present execution until its first row; `None`: it has been there.
    waiting: Option<u64>,
}

impl<'e> TimedOp<'e> {
    /// The operator that is measured.
    pub fn measured(&self) -> &Op<'e> {
        &self.op
    }

    /// The same, to be changed.
    pub fn measured_mut(&mut self) -> &mut Op<'e> {
        &mut self.op
    }

    /// Wraps the operator of the node at an address.
    pub fn new(op: Op<'e>, node: usize, measures: &Rc<Measures>) -> Self {
        TimedOp { op, place: measures.place(node), measures: measures.clone(), waiting: None }
    }

    fn add(&self, f: impl FnOnce(&mut Measure)) {
        self.measures.add(self.place, f);
    }

    /// Starts from the beginning.
    pub fn open(&mut self, cx: &mut Cx<'e>) -> SqlResult<()> {
        let start = Instant::now();
        let r = self.op.open(cx);
        let took = start.elapsed().as_nanos() as u64;
        self.waiting = Some(took);
        self.add(|m| {
            m.loops += 1;
            m.total += took;
        });
        r
    }

    /// Next row.
    pub fn next(&mut self, cx: &mut Cx<'e>) -> SqlResult<bool> {
        let start = Instant::now();
        let r = self.op.next(cx);
        let took = start.elapsed().as_nanos() as u64;
        let first = self.waiting.take();
        self.add(|m| {
            m.total += took;
            m.rows += u64::from(matches!(r, Ok(true)));
            m.first += first.map_or(0, |w| w + took);
        });
        r
    }
}
