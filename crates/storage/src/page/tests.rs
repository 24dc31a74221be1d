use super::slotted::key_head;
use super::*;
use crate::error::StorageError;
use base::{PageId, PageNo, SpaceId};
use proptest::prelude::*;

fn id() -> PageId {
    PageId::new(SpaceId(3), PageNo(9))
}

fn index_page() -> Box<PageBuf> {
    let mut p = PageBuf::zeroed();
    p.set_id(id());
    apply(&mut p, &PageOp::Init { ty: PageType::Index, level: 0, index_id: 1 }).unwrap();
    p
}

fn rec(key: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut r = Vec::new();
    write_record(&mut r, key, payload);
    r
}

#[test]
fn heads_order_as_keys() {
    let keys: [&[u8]; 8] = [b"", b"\0", b"\0\0\0\0\0", b"a", b"a\0", b"ab", b"abcd", b"abcde"];
    for w in keys.windows(2) {
        assert!(key_head(w[0]) <= key_head(w[1]));
    }
}

#[test]
fn search_and_high_key() {
    let mut p = index_page();
    for (i, k) in ["aaaa1", "aaaa2", "b", "cc"].iter().enumerate() {
        apply(&mut p, &PageOp::InsertAt { slot: i as u16, rec: &rec(k.as_bytes(), b"x") }).unwrap();
    }
    apply(&mut p, &PageOp::SetHighKey { key: Some(b"d") }).unwrap();
    p.check_slots().unwrap();
    assert_eq!(p.lower_bound(b"aaaa2"), (1, true));
    assert_eq!(p.lower_bound(b"aaaa"), (0, false));
    assert_eq!(p.lower_bound(b"aaaa3"), (2, false));
    assert_eq!(p.lower_bound(b"zz"), (4, false));
    assert_eq!(p.upper_bound(b"cc"), 4);
    assert_eq!(p.high_key(), Some(&b"d"[..]));
    // SAFETY-free check that the racy readers agree on a page at rest is in `racy_agrees`.
    apply(&mut p, &PageOp::SetHighKey { key: None }).unwrap();
    assert_eq!(p.high_key(), None);
    p.check_slots().unwrap();
}

#[test]
fn a_full_page_refuses_and_stays_as_it_was() {
    let mut p = index_page();
    let r = rec(&[7; 100], &[1; 900]);
    let mut n = 0u16;
    loop {
        let before = p.clone();
        match apply(&mut p, &PageOp::InsertAt { slot: n, rec: &r }) {
            Ok(()) => n += 1,
            Err(e) => {
                assert_eq!(e, StorageError::PageFull);
                assert!(before.bytes() == p.bytes());
                break;
            }
        }
    }
    assert_eq!(n as usize, (PAGE_SIZE - HEADER_SIZE) / (1002 + SLOT_SIZE));
    // Deleting every second and inserting again needs compaction.
    for i in (0..n).rev().step_by(2) {
        apply(&mut p, &PageOp::DeleteAt { slot: i }).unwrap();
    }
    let big = rec(&[9; 100], &[2; 1800]);
    assert!(p.fits(big.len()) && p.contiguous_free() < big.len());
    let at = p.slot_count() as u16;
    apply(&mut p, &PageOp::InsertAt { slot: at, rec: &big }).unwrap();
    assert_eq!(p.payload(at as usize), &[2; 1800]);
}

#[test]
fn patches_keep_out_of_the_bookkeeping() {
    let mut p = index_page();
    apply(&mut p, &PageOp::InsertAt { slot: 0, rec: &rec(b"k", b"payload") }).unwrap();
    for offset in [0u16, 12, 16, 23, 38, 40, 48, 51, 60, 64, 70, 5000] {
        let before = p.clone();
        assert!(apply(&mut p, &PageOp::Patch { offset, bytes: &[1; 5] }).is_err(), "{offset}");
        assert!(before.bytes() == p.bytes());
    }
    apply(&mut p, &PageOp::Patch { offset: field::NEXT as u16, bytes: &5u32.to_le_bytes() }).unwrap();
    assert_eq!(p.next(), PageNo(5));
    apply(&mut p, &PageOp::Patch { offset: field::USER as u16, bytes: &[1; 12] }).unwrap();
    let at = p.payload_offset(0).unwrap() as u16;
    apply(&mut p, &PageOp::Patch { offset: at, bytes: b"PAY" }).unwrap();
    assert_eq!(p.payload(0), b"PAYload");
    assert!(apply(&mut p, &PageOp::Patch { offset: PAGE_SIZE as u16 - 2, bytes: &[1; 5] }).is_err());
}

/// What a generated step does, by numbers that are folded into range when it runs.
#[derive(Clone, Debug)]
enum Step {
    Put { key: u16, len: u16, fill: u8 },
    Delete { at: u16 },
    Patch { at: u16, fill: u8 },
    Truncate { at: u16 },
    High { len: Option<u8> },
    Many { from: u16, n: u8 },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0u16..300, 0u16..700, any::<u8>()).prop_map(|(key, len, fill)| Step::Put { key, len, fill }),
        3 => any::<u16>().prop_map(|at| Step::Delete { at }),
        2 => (any::<u16>(), any::<u8>()).prop_map(|(at, fill)| Step::Patch { at, fill }),
        1 => any::<u16>().prop_map(|at| Step::Truncate { at }),
        1 => proptest::option::of(any::<u8>()).prop_map(|len| Step::High { len }),
        1 => (0u16..300, 0u8..20).prop_map(|(from, n)| Step::Many { from, n }),
    ]
}

/// Applies through the log: encodes against the page before, applies, decodes, applies to the replica.
fn both(p: &mut PageBuf, replica: &mut PageBuf, op: PageOp<'_>) -> crate::Result<()> {
    let (mut log, mut last) = (Vec::new(), None);
    encode(&mut log, &mut last, id(), &op, p);
    apply(p, &op)?;
    log.resize(log.len().next_multiple_of(8), 0);
    let (mut body, mut last) = (&log[..], None);
    while let Some(LogRec::Page(at, op)) = decode(&mut body, &mut last).unwrap() {
        assert_eq!(at, id());
        apply(replica, &op).unwrap();
    }
    assert!(p.bytes() == replica.bytes(), "redo differs from do after {op:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn pages_follow_the_model(steps in proptest::collection::vec(step(), 1..200)) {
        let (mut p, mut replica) = (index_page(), index_page());
        let mut model: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for s in steps {
            match s {
                Step::Put { key, len, fill } => {
                    let key = format!("k{key:05}").into_bytes();
                    let payload = vec![fill; len as usize];
                    let r = rec(&key, &payload);
                    let (slot, there) = p.lower_bound(&key);
                    prop_assert_eq!(slot, model.partition_point(|m| m.0 < key));
                    if there {
                        let fits = p.fits_replace(slot, r.len());
                        let done = both(&mut p, &mut replica, PageOp::ReplaceAt { slot: slot as u16, rec: &r });
                        prop_assert_eq!(done.is_ok(), fits);
                        if fits { model[slot].1 = payload; }
                    } else {
                        let fits = p.fits(r.len());
                        let done = both(&mut p, &mut replica, PageOp::InsertAt { slot: slot as u16, rec: &r });
                        prop_assert_eq!(done.is_ok(), fits);
                        if fits { model.insert(slot, (key, payload)); }
                    }
                }
                Step::Delete { at } if !model.is_empty() => {
                    let slot = at as usize % model.len();
                    both(&mut p, &mut replica, PageOp::DeleteAt { slot: slot as u16 }).unwrap();
                    model.remove(slot);
                }
                Step::Patch { at, fill } if !model.is_empty() => {
                    let slot = at as usize % model.len();
                    let offset = p.payload_offset(slot).unwrap() as u16;
                    let n = model[slot].1.len();
                    both(&mut p, &mut replica, PageOp::Patch { offset, bytes: &vec![fill; n] }).unwrap();
                    model[slot].1.fill(fill);
                }
                Step::Truncate { at } if model.len() > 8 => {
                    let slot = at as usize % model.len();
                    both(&mut p, &mut replica, PageOp::TruncateFrom { slot: slot as u16 }).unwrap();
                    model.truncate(slot);
                }
                Step::High { len } => {
                    let key = len.map(|l| vec![0xff; l as usize + 1]);
                    let done = both(&mut p, &mut replica, PageOp::SetHighKey { key: key.as_deref() });
                    if done.is_ok() { prop_assert_eq!(p.high_key(), key.as_deref()); }
                }
                Step::Many { from, n } => {
                    let first = format!("k{from:05}+").into_bytes();
                    let (slot, _) = p.lower_bound(&first);
                    let mut recs = Vec::new();
                    let mut new = Vec::new();
                    for i in 0..n {
                        let key = [&first[..], &[i]].concat();
                        if model.get(slot).is_some_and(|m| m.0 <= key) { break; }
                        let r = rec(&key, &[i; 30]);
                        recs.extend_from_slice(&(r.len() as u16).to_le_bytes());
                        recs.extend_from_slice(&r);
                        new.push((key, vec![i; 30]));
                    }
                    if both(&mut p, &mut replica, PageOp::InsertMany { slot: slot as u16, recs: &recs }).is_ok() {
                        model.splice(slot..slot, new);
                    }
                }
                _ => {}
            }
            p.check_slots().map_err(TestCaseError::fail)?;
            let have: Vec<_> = (0..p.slot_count()).map(|i| (p.key(i).to_vec(), p.payload(i).to_vec())).collect();
            prop_assert_eq!(&have, &model);
        }
    }

    #[test]
    fn rubbish_log_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut page = index_page();
        apply(&mut page, &PageOp::InsertAt { slot: 0, rec: &rec(b"k", b"v") }).unwrap();
        let (mut body, mut last) = (&bytes[..], Some(id()));
        while let Ok(Some(r)) = decode(&mut body, &mut last) {
            if let LogRec::Page(_, op) = r { let _ = apply(&mut page, &op); }
        }
    }

    #[test]
    fn rubbish_pages_never_panic(seed in any::<u64>(), sane in any::<bool>(), n in 0u16..2100, top in any::<u16>()) {
        let mut rng = crate::file::sim::Rng(seed);
        let mut p = PageBuf::zeroed();
        for c in p.bytes_mut().chunks_exact_mut(8) { c.copy_from_slice(&rng.next().to_le_bytes()); }
        p.bytes_mut()[field::TYPE] = PageType::Index as u8;
        if sane {
            p.put_u16(field::N_SLOTS, n);
            p.put_u16(field::HEAP_TOP, top);
            p.put_u16(field::GARBAGE, (rng.next() % 16384) as u16);
        }
        let _ = p.check_slots();
        let _ = (p.high_key(), p.total_free(), p.used(), p.lower_bound(b"abc"));
        for i in 0..p.slot_count() + 2 { let _ = (p.key(i), p.payload(i), p.payload_offset(i)); }
        let r = rec(b"somekey", &[1; 50]);
        for op in [
            PageOp::InsertAt { slot: 0, rec: &r },
            PageOp::ReplaceAt { slot: 1, rec: &r },
            PageOp::ReplaceDiff { slot: 1, prefix: 3, suffix: 2, middle: b"mm" },
            PageOp::DeleteAt { slot: 2 },
            PageOp::SetHighKey { key: Some(b"hk") },
            PageOp::TruncateFrom { slot: 1 },
            PageOp::Patch { offset: top, bytes: b"patch" },
        ] {
            let _ = apply(&mut p, &op);
        }
        // SAFETY: the page outlives the view.
        #[allow(unsafe_code)]
        let racy = unsafe { racy::RacyPage::new(&*p) };
        let _ = racy.lower_bound(b"abc");
        let _ = racy.beyond_high_key(b"abc");
        for i in 0..10 { let _ = racy.parts(i); }
    }

    #[test]
    fn racy_agrees(keys in proptest::collection::btree_set(proptest::collection::vec(0u8..4, 0..12), 1..60),
                   probe in proptest::collection::vec(0u8..4, 0..12)) {
        let mut p = index_page();
        for (i, k) in keys.iter().enumerate() {
            apply(&mut p, &PageOp::InsertAt { slot: i as u16, rec: &rec(k, b"pay") }).unwrap();
        }
        apply(&mut p, &PageOp::SetHighKey { key: Some(&[3, 3]) }).unwrap();
        // SAFETY: the page outlives the view.
        #[allow(unsafe_code)]
        let racy = unsafe { racy::RacyPage::new(&*p) };
        prop_assert_eq!(racy.lower_bound(&probe).unwrap(), p.lower_bound(&probe));
        prop_assert_eq!(racy.beyond_high_key(&probe).unwrap(), probe[..] >= [3u8, 3][..]);
        for (i, k) in keys.iter().enumerate() {
            prop_assert_eq!(racy.lower_bound(k).unwrap(), (i, true));
            let ((ko, kl), (po, pl)) = racy.parts(i).unwrap();
            prop_assert_eq!(p.get(ko, kl).unwrap(), &k[..]);
            prop_assert_eq!(p.get(po, pl).unwrap(), b"pay");
            let mut copy = b"before".to_vec();
            racy.append(ko - 2, kl + 2 + pl, &mut copy).unwrap();
            prop_assert_eq!(copy.strip_prefix(b"before").unwrap(), p.record(i));
            prop_assert!(racy.append(crate::page::PAGE_SIZE - pl, pl + 1, &mut copy).is_err());
        }
    }
}
