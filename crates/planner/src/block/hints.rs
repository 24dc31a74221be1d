//! What optimizer hints say, resolved to tables: the order of joins, the ways to run a semijoin, what is not to be done
//! with a table. Hints themselves are read and resolved in `bind::hints`.

use crate::expr::SlotId;

/// What hints say about a table besides its indexes.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableHints {
    /// No hash join into it.
    pub(crate) no_hash: bool,
    /// NO_ICP: no index condition pushdown, for all indexes (empty) or these.
    pub(crate) no_icp: Option<Vec<usize>>,
    /// No ranges over these indexes; empty: over none.
    pub(crate) no_range: Option<Vec<usize>>,
    /// NO_SKIP_SCAN: for all indexes (empty) or these.
    pub(crate) no_skip: Option<Vec<usize>>,
    /// DERIVED_CONDITION_PUSHDOWN (true) or NO_DERIVED_CONDITION_PUSHDOWN.
    pub(crate) pushdown: Option<bool>,
    /// INDEX_MERGE (true) or NO_INDEX_MERGE.
    pub(crate) merge: Option<bool>,
}

/// SEMIJOIN, NO_SEMIJOIN and SUBQUERY about a subquery.
#[derive(Clone, Copy, Default)]
pub(crate) struct SemiTold {
    pub(crate) on: Option<bool>,
    /// The strategies asked for.
    pub(crate) only: Option<Strategies>,
    /// Those forbidden.
    pub(crate) without: Strategies,
}

/// Ways to run a semijoin, as hints and `optimizer_switch` name them (`opt::semi`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Strategies(u8);

impl Strategies {
    pub(crate) const FIRST_MATCH: Strategies = Strategies(1);
    pub(crate) const MATERIALIZATION: Strategies = Strategies(2);
    pub(crate) const LOOSE_SCAN: Strategies = Strategies(4);
    pub(crate) const WEEDOUT: Strategies = Strategies(8);
    /// Names in hints, and bits of `optimizer_switch`.
    const ALL: [(Strategies, &str, u64); 4] = [
        (Strategies::FIRST_MATCH, "FIRSTMATCH", 1 << 13),
        (Strategies::MATERIALIZATION, "MATERIALIZATION", 1 << 10),
        (Strategies::LOOSE_SCAN, "LOOSESCAN", 1 << 12),
        (Strategies::WEEDOUT, "DUPSWEEDOUT", 1 << 14),
    ];

    pub(crate) fn has(self, s: Strategies) -> bool {
        self.0 & s.0 != 0
    }
    /// Those that a hint names, in upper case.
    pub(crate) fn named<'w>(words: impl Iterator<Item = &'w str>) -> Strategies {
        let of = |w| Strategies::ALL.iter().find(|s| s.1 == w).map_or(0, |s| s.0.0);
        Strategies(words.fold(0, |a, w| a | of(w)))
    }
    /// Whether a word in a hint is one of them.
    pub(crate) fn is_name(word: &str) -> bool {
        Strategies::ALL.iter().any(|s| s.1.eq_ignore_ascii_case(word))
    }
    pub(crate) fn switched_on(switch: u64) -> Strategies {
        Strategies(Strategies::ALL.iter().filter(|s| switch & s.2 != 0).fold(0, |a, s| a | s.0.0))
    }
    /// What hints and the switch leave; where that is nothing, the one that always works.
    pub(crate) fn allowed(told: &SemiTold, switch: u64) -> Strategies {
        let s = told.only.unwrap_or_else(|| Strategies::switched_on(switch)).0 & !told.without.0;
        if s == 0 { Strategies::WEEDOUT } else { Strategies(s) }
    }
}

/// Order between tables: each slot with those that must come before it.
pub(crate) type Order = Vec<(SlotId, Vec<SlotId>)>;

/// The tables that must come before one.
pub(crate) fn before(order: &Order, slot: SlotId) -> impl Iterator<Item = SlotId> {
    order.iter().filter(move |o| o.0 == slot).flat_map(|o| o.1.iter().copied())
}
