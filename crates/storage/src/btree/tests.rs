//! One thread against `BTreeMap`.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::test_support::{store, tree};
use super::*;
use crate::mtr::Mtr;
use crate::store::Store;

/// All records, forwards and backwards.
pub(super) fn contents(t: &BTree, s: &Store) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut c = Cursor::new(*t);
    let mut all = Vec::new();
    c.forward(b"", None);
    while let Some((k, v)) = c.next(s.pool()).unwrap() {
        all.push((k.to_vec(), v.to_vec()));
    }
    let mut back = Vec::new();
    c.backward(None, b"");
    while let Some((k, v)) = c.next(s.pool()).unwrap() {
        back.push((k.to_vec(), v.to_vec()));
    }
    back.reverse();
    assert!(all == back, "forward {} and backward {} differ", all.len(), back.len());
    all
}

#[derive(Clone, Debug)]
enum Op {
    Put(u16, u16, u16),
    Remove(u16),
    Get(u16),
    Next(u16),
    Prev(u16),
    Range(u16, u16),
}

fn op() -> impl Strategy<Value = Op> {
    let len = prop_oneof![6 => 0u16..60, 2 => 0u16..900, 1 => 0u16..4800, 1 => 4500u16..4600];
    // the longest key and value together are just below MAX_RECORD
    let klen = prop_oneof![8 => 0u16..20, 1 => 2900u16..3200];
    prop_oneof![
        6 => (any::<u16>(), klen, len).prop_map(|(k, kl, l)| Op::Put(k % 2000, kl, l)),
        2 => any::<u16>().prop_map(|k| Op::Remove(k % 2000)),
        1 => any::<u16>().prop_map(|k| Op::Get(k % 2000)),
        1 => any::<u16>().prop_map(|k| Op::Next(k % 2000)),
        1 => any::<u16>().prop_map(|k| Op::Prev(k % 2000)),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| Op::Range(a % 2000, b % 2000)),
    ]
}

/// Keys of very different lengths; the number decides everything, so that operations meet.
fn key(n: u16, len: u16) -> Vec<u8> {
    let len = if n.is_multiple_of(37) { len as usize } else { n as usize % 17 };
    let mut k = (n as u32 * 7919 % 2000).to_be_bytes()[2..].to_vec();
    if n.is_multiple_of(37) {
        k = vec![k[0] & 7; len];
    }
    k.extend_from_slice(&n.to_be_bytes());
    k
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_a_map(ops in prop::collection::vec(op(), 1..1500)) {
        let s = store(2000);
        let t = tree(&s);
        let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let mut lens = std::collections::HashMap::new();
        for op in ops {
            match op {
                Op::Put(n, klen, len) => {
                    let k = key(n, *lens.entry(n).or_insert(klen));
                    let v = vec![n as u8; len as usize];
                    prop_assert_eq!(t.put(&s, &k, &v).unwrap(), model.insert(k, v).is_none());
                }
                Op::Remove(n) => {
                    let k = key(n, *lens.entry(n).or_insert(0));
                    prop_assert_eq!(t.remove(&s, &k).unwrap(), model.remove(&k).is_some());
                }
                Op::Get(n) => {
                    let k = key(n, *lens.entry(n).or_insert(0));
                    prop_assert_eq!(t.get(s.pool(), &k, |v| v.to_vec()).unwrap(), model.get(&k).cloned());
                }
                Op::Next(n) => {
                    let k = key(n, *lens.entry(n).or_insert(0));
                    let got = t.next_at(s.pool(), &k, |r| r.map(|(k, v)| (k.to_vec(), v.to_vec()))).unwrap();
                    prop_assert_eq!(got, model.range(k..).next().map(|(k, v)| (k.clone(), v.clone())));
                }
                Op::Prev(n) => {
                    let k = key(n, *lens.entry(n).or_insert(0));
                    let got = t.prev_below(s.pool(), Some(&k), |r| r.map(|(k, v)| (k.to_vec(), v.to_vec()))).unwrap();
                    prop_assert_eq!(got, model.range(..k).next_back().map(|(k, v)| (k.clone(), v.clone())));
                }
                Op::Range(a, b) => {
                    let (a, b) = (key(a, *lens.entry(a).or_insert(0)), key(b, *lens.entry(b).or_insert(0)));
                    let want: Vec<_> = if a < b { model.range(a.clone()..b.clone()).map(|(k, _)| k.clone()).collect() } else { vec![] };
                    let mut c = Cursor::new(t);
                    let mut got = vec![];
                    c.forward(&a, Some(&b));
                    while let Some((k, _)) = c.next(s.pool()).unwrap() { got.push(k.to_vec()); }
                    prop_assert_eq!(&got, &want);
                    got.clear();
                    c.backward(Some(&b), &a);
                    while let Some((k, _)) = c.next(s.pool()).unwrap() { got.push(k.to_vec()); }
                    got.reverse();
                    prop_assert_eq!(&got, &want);
                }
            }
        }
        let sum = t.check(s.pool()).unwrap();
        prop_assert_eq!(sum.records, model.len() as u64);
        prop_assert_eq!(sum.without_separator, 0);
        prop_assert!(contents(&t, &s) == model.iter().map(|(k, v)| (k.clone(), v.clone())).collect::<Vec<_>>());
        for k in model.keys() {
            prop_assert!(t.remove(&s, k).unwrap());
        }
        super::merge_tests::only_the_root_is_left(&t, &s);
    }
}

#[test]
fn ascending_inserts_fill_pages() {
    let s = store(4000);
    let t = tree(&s);
    for i in 0u64..100_000 {
        assert!(t.insert(&s, &i.to_be_bytes(), &[7; 100]).unwrap());
    }
    assert!(!t.insert(&s, &5u64.to_be_bytes(), b"").unwrap());
    let sum = t.check(s.pool()).unwrap();
    assert_eq!((sum.records, sum.without_separator), (100_000, 0));
    let fill = sum.leaf_bytes as f64 / (sum.leaves as f64 * 16320.0);
    assert!(fill > 0.98, "{fill} {sum:?}");
    assert!(t.height(s.pool()).unwrap() >= 1);
    // Leaves of a big index lie in extents of their own: a scan reads the file mostly in order.
    let mut leaf =
        t.leaf::<crate::buffer::SharedPage<'_>>(s.pool(), descend::Target::At(b""), &mut Default::default()).unwrap();
    let (mut steps, mut jumps) = (0, 0);
    while leaf.next().is_some() {
        steps += 1;
        jumps += (leaf.next().0 != leaf.id().page.0 + 1) as u32;
        leaf = s.pool().read(t.id(leaf.next())).unwrap();
    }
    assert!(jumps * 8 < steps, "{jumps} of {steps}");
}

#[test]
fn too_long() {
    let s = store(200);
    let t = tree(&s);
    assert_eq!(t.insert(&s, &vec![1; MAX_KEY + 1], b""), Err(crate::StorageError::RecordTooLong));
    assert_eq!(t.insert(&s, b"k", &vec![1; MAX_RECORD]), Err(crate::StorageError::RecordTooLong));
    assert!(t.insert(&s, b"k", &vec![1; MAX_RECORD - 3]).unwrap());
}

#[test]
fn successor_and_neighbours() {
    let s = store(400);
    let t = tree(&s);
    for i in 0u32..2000 {
        t.insert(&s, &(i * 2).to_be_bytes(), &[1; 50]).unwrap();
    }
    for i in 0u32..2000 {
        let mut mtr = Mtr::start(&s).unwrap();
        t.write(&mut mtr, &(i * 2 + 1).to_be_bytes(), 50, |pos| {
            assert!(!pos.found());
            let want = (i < 1999).then(|| (i * 2 + 2).to_be_bytes().to_vec());
            assert_eq!(pos.successor()?.map(|r| r.0.to_vec()), want);
            assert_eq!(pos.successor()?.map(|r| r.0.to_vec()), want);
            Ok(())
        })
        .unwrap();
        mtr.commit();
        let mut mtr = Mtr::start(&s).unwrap();
        t.write(&mut mtr, &(i * 2).to_be_bytes(), 0, |pos| {
            assert!(pos.found());
            pos.patch(3, &[9, 9])
        })
        .unwrap();
        mtr.commit();
        assert_eq!(t.get(s.pool(), &(i * 2).to_be_bytes(), |v| v[..6].to_vec()).unwrap().unwrap(), [1, 1, 1, 9, 9, 1]);
    }
}

#[test]
fn bulk_build_equals_inserts() {
    for (n, len) in [(0u32, 10usize), (1, 10), (100, 10), (20_000, 60), (300, 7000), (50_000, 3)] {
        let s = store(4000);
        let t = tree(&s);
        let mut b = BulkBuilder::new(&s, t).unwrap();
        let mut want = Vec::new();
        for i in 0..n {
            // Now and then a key that makes the separators long.
            let mut k = (i * 3).to_be_bytes().to_vec();
            if i % 41 == 0 && len < 5000 {
                k.resize(3000, 1);
            }
            let v = vec![i as u8; len];
            assert!(b.push(&k, &v).unwrap());
            assert!(!b.push(&k, &v).unwrap());
            want.push((k, v));
        }
        assert_eq!(b.finish().unwrap(), n as u64);
        let sum = t.check(s.pool()).unwrap();
        assert_eq!((sum.records, sum.without_separator), (n as u64, 0));
        assert!(contents(&t, &s) == want, "{n}");
        assert_eq!(space::usage(s.pool(), t.space).unwrap().0, sum.pages + 1);
        for i in 0..n {
            t.insert(&s, &(i * 3 + 1).to_be_bytes(), &[1; 9]).unwrap();
        }
        assert_eq!(t.check(s.pool()).unwrap().records, 2 * n as u64);
    }
}

#[test]
fn estimates_and_statistics() {
    let s = store(4000);
    let t = tree(&s);
    let n = 60_000u32;
    for i in 0..n {
        // 100 values of the first part with 600 of the second each
        let mut k = (i % 100).to_be_bytes().to_vec();
        k.extend_from_slice(&(i / 100).to_be_bytes());
        t.insert(&s, &k, &[7; 40]).unwrap();
    }
    let key = |a: u32, b: u32| [a.to_be_bytes(), b.to_be_bytes()].concat();
    let est = |lo: &[u8], hi: Option<&[u8]>| t.estimate_range_rows(s.pool(), lo, hi).unwrap().unwrap() as u64;
    assert_eq!(est(&key(5, 10), Some(&key(5, 10))), 0);
    assert_eq!(est(&key(5, 10), Some(&key(5, 11))), 1);
    assert_eq!(est(&key(5, 10), Some(&key(5, 500))), 490);
    let near = |got: u64, want: f64| assert!((got as f64 - want).abs() < want * 0.25, "{got} {want}");
    near(est(&key(10, 0), Some(&key(60, 0))), 30_000.0);
    near(est(b"", None), 60_000.0);
    near(est(&key(99, 0), None), 600.0);
    let st = t.sample(s.pool(), &Fours, SampleLimits { inner: 1000, leaves: 20 }).unwrap();
    near(st.records as u64, 60_000.0);
    near(st.distinct[0] as u64, 100.0);
    near(st.distinct[1] as u64, 60_000.0);
    let sum = t.check(s.pool()).unwrap();
    assert_eq!((st.leaves, st.pages.round() as u64), (sum.leaves as f64, sum.pages));
}

/// Keys of two parts of four bytes.
struct Fours;

impl SampleView for Fours {
    fn parts(&self) -> usize {
        2
    }
    fn prefix(&self, key: &[u8], n: usize) -> Option<usize> {
        (key.len() >= 4 * n).then_some(4 * n)
    }
    fn counts(&self, _: &[u8]) -> bool {
        true
    }
}

/// The process dies between the split of an inner page and the insertion of the separator it was made for: every key is found, by
/// optimistic and by coupled descents, and the tree goes on.
#[test]
fn inner_split_without_its_separator() {
    for step in [1u64, 0x9e37_79b9_7f4a_7c15] {
        let s = store(4000);
        let t = tree(&s);
        // short keys, so that a full inner page has room for a high key; long payloads: two to a leaf
        let key = |n: u64| n.wrapping_mul(step).to_be_bytes().to_vec();
        let payload = [7u8; 7000];
        split::tests::DIE_AFTER_INNER_SPLIT.set(true);
        for n in 0..3000 {
            assert!(t.insert(&s, &key(n), &payload).unwrap(), "{n}");
            assert_eq!(t.get(s.pool(), &key(n), |v| v == payload).unwrap(), Some(true));
            assert_eq!(t.get(s.pool(), &[key(n), vec![0]].concat(), |_| ()).unwrap(), None);
        }
        split::tests::DIE_AFTER_INNER_SPLIT.set(false);
        for n in 0..3000 {
            assert_eq!(t.get(s.pool(), &key(n), |v| v == payload).unwrap(), Some(true));
        }
        t.check(s.pool()).unwrap();
        assert_eq!(contents(&t, &s).len(), 3000);
        assert!(t.insert(&s, &key(3000), b"x").unwrap());
    }
}
