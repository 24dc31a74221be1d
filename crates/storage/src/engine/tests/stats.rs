//! Optimizer statistics: near the truth on skewed data, after a restart, and kept up by commits.

use super::support::*;
use crate::btree::{BTree, BulkBuilder};
use crate::dict::IndexKind;
use crate::engine::Engine;
use crate::table::Table;
use crate::txn::Trx;
use base::IndexId;
use std::sync::Arc;
use value::{CollationId, SqlType, TypeKind, Value};

/// Half the rows have k = 0, a quarter 1, and so on; s has `per` rows for each of its values.
fn skewed(i: i64, per: i64) -> super::support::R {
    r(i, (i + 1).trailing_zeros() as i64, Some(i * 3), &format!("s{:06}", (i * 7919) % (20_000 / per)))
}

fn fill(e: &Arc<Engine>, t: &Arc<Table>, ids: std::ops::Range<i64>) {
    let mut trx: Trx = e.new_trx(1).unwrap();
    for i in ids {
        insert(&mut trx, t, &skewed(i, 20)).unwrap();
        if i % 1000 == 999 {
            trx.commit().unwrap();
        }
    }
    trx.commit().unwrap();
}

fn near(what: &str, got: f64, want: f64) {
    assert!(got >= want / 2.0 && got <= want * 2.0, "{what}: {got}, should be about {want}");
}

fn check_estimates(t: &Table, rows: f64) {
    near("rows", t.row_estimate() as f64, rows);
    near("k", t.cardinality(1, 1) as f64, 15.0);
    near("u", t.cardinality(2, 1) as f64, rows);
    near("s", t.cardinality(3, 1) as f64, 1000.0);
    let pairs: std::collections::HashSet<_> = (0..20_000).map(|i| skewed(i, 20)).map(|r| (r.3, r.1)).collect();
    near("s, k", t.cardinality(3, 2) as f64, pairs.len() as f64);
}

#[test]
fn samples_are_near_the_truth_also_after_a_restart() {
    let (fs, e) = engine();
    let t = create(&e, standard("a"));
    assert_eq!((t.row_estimate(), t.size_bytes()), (0, (16_384, 3 * 16_384)));
    fill(&e, &t, 0..20_000);
    assert_eq!(t.row_estimate(), 20_000);
    // sampled while it was empty: not a page for each row
    let (data, index) = t.size_bytes();
    assert!(data + index > 20_000 * 60 && data + index < 20_000 * 60 * 8, "{data} {index}");
    assert_eq!(e.refresh_statistics(), 1);
    assert_eq!(e.refresh_statistics(), 0);
    check_estimates(&t, 20_000.0);
    let (data, index) = t.size_bytes();
    let rough: u64 = 20_000 * 60;
    assert!(data > rough / 2 && data < rough * 4, "{data}");
    assert!(index > rough / 2 && index < rough * 6, "{index}");
    // changes count from commits on
    let sampled = t.row_estimate();
    let mut trx = e.new_trx(1).unwrap();
    for i in 0..3000 {
        delete(&mut trx, &t, i).unwrap();
    }
    assert_eq!(t.row_estimate(), sampled);
    trx.commit().unwrap();
    assert_eq!(t.row_estimate(), sampled - 3000);
    for i in 3000..4000 {
        delete(&mut trx, &t, i).unwrap();
    }
    trx.rollback().unwrap();
    assert_eq!(t.row_estimate(), sampled - 3000);
    drop((trx, t));
    e.shutdown(false).unwrap();
    drop(e);
    let e = open(&fs);
    let t = table(&e, "a");
    near("rows after a restart", t.row_estimate() as f64, 17_000.0);
    assert_eq!(e.refresh_statistics(), 1, "only a rough sample so far");
    check_estimates(&t, 17_000.0);
}

#[test]
fn ranges_are_estimated_by_descents() {
    let (_fs, e) = engine();
    let t = create(&e, standard("a"));
    assert_eq!(t.rows_in_range(0, &[], &[]), Some(0.0));
    fill(&e, &t, 0..20_000);
    let range = |a: i64, b: i64| t.rows_in_range(0, &key(&t, a), &key(&t, b)).unwrap();
    for (a, b) in [(5, 5), (5, 6), (100, 140), (7000, 7300), (19_990, 30_000), (30_000, 40_000), (-5, 3)] {
        let want = (b.clamp(0, 20_000) - a.clamp(0, 20_000)) as f64;
        assert_eq!(range(a, b), want, "{a}..{b}");
    }
    assert_eq!(range(40, 20), 0.0);
    near("whole", t.rows_in_range(0, &[], &[]).unwrap(), 20_000.0);
    near("half", range(5000, 15_000), 10_000.0);
    near("open", t.rows_in_range(0, &key(&t, 12_000), &[]).unwrap(), 8000.0);
    let k = |k: i64| index_key(&t, 1, &[Value::Int(k)]);
    near("k = 0", t.rows_in_range(1, &k(0), &k(1)).unwrap(), 10_000.0);
    near("k = 3", t.rows_in_range(1, &k(3), &k(4)).unwrap(), 1250.0);
    assert_eq!(t.rows_in_range(1, &k(50), &k(51)), Some(0.0));
}

/// Trees of three levels: many records without the cost of rows.
#[test]
fn a_large_tree_is_sampled_within_a_factor_of_two() {
    let (_fs, e) = engine();
    let big = || SqlType::new(TypeKind::BigInt).nullable(false);
    let s = SqlType::varchar(200, CollationId::UTF8MB4_0900_AI_CI).nullable(false);
    let t = create(
        &e,
        def(
            "a",
            vec![column("id", big()), column("g", big()), column("s", s)],
            vec![index("PRIMARY", IndexKind::Primary, &[0]), index("g", IndexKind::Plain, &[1, 0])],
        ),
    );
    let tree: BTree = t.tree(1).unwrap();
    let mut bulk = BulkBuilder::new(&e.store, BTree { index: IndexId(tree.index.0), ..tree }).unwrap();
    let (mut n, mut groups) = (0i64, 0i64);
    let payload = [0u8; 200];
    // groups of 1, 2, 3, ... 300 and again
    while n < 60_000 {
        for j in 0..groups % 300 + 1 {
            let mut k = index_key(&t, 1, &[Value::Int(groups), Value::Int(j)]);
            k.extend_from_slice(&key(&t, n));
            assert!(bulk.push(&k, &payload).unwrap());
            n += 1;
        }
        groups += 1;
    }
    assert_eq!(bulk.finish().unwrap(), n as u64);
    let sum = tree.check(e.store.pool()).unwrap();
    assert_eq!((sum.records, sum.without_separator), (n as u64, 0));
    assert_eq!(tree.height(e.store.pool()).unwrap(), 2);
    e.analyze_table(&t).unwrap();
    // the clustered index is empty: ask for the sample itself
    let all = tree.estimate_range_rows(e.store.pool(), &[], None).unwrap().unwrap();
    near("all", all, n as f64);
    let g = |g: i64| index_key(&t, 1, &[Value::Int(g)]);
    near("half", t.rows_in_range(1, &g(groups / 4), &g(groups / 2)).unwrap(), {
        (groups / 4..groups / 2).map(|g| g % 300 + 1).sum::<i64>() as f64
    });
    near("groups", t.distinct_for_test(1, 1), groups as f64);
    near("all parts", t.distinct_for_test(1, 2), n as f64);
}
