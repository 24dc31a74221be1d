//! Damage to a log that was durable: recovery yields every acknowledged change or refuses; it never starts with less.
use crate::file::sim::{Rng, SimFs};
use crate::page::{PageOp, PageType};
use crate::redo::ForcedBy;
use crate::redo::logfile::{DATA_AT, REDO_FILE};
use crate::{StorageError, Store, StoreConfig};
use base::{Lsn, PageId, PageNo, SpaceId};

const PAGES: usize = 8;

fn config() -> StoreConfig {
    let mut c = StoreConfig::default();
    c.pool.bytes = 1 << 20;
    c.log.capacity = 1 << 20;
    c.log.buffer = 1 << 20;
    c
}

fn page_id(i: usize) -> PageId {
    PageId::new(SpaceId(7), PageNo(i as u32))
}

/// A disk after a crash, what was acknowledged in each page, and what had been before the last flush.
struct Image {
    fs: SimFs,
    acked: [u64; PAGES],
    before_last: [u64; PAGES],
    checkpoint: Lsn,
    end: Lsn,
}

/// `commits` acknowledged changes, checkpoints now and then; `noted`: the header says at the end how far the log is durable.
fn image(seed: u64, commits: u64, noted: bool) -> Image {
    let mut rng = Rng(seed);
    let fs = SimFs::new();
    let (store, _) = Store::open(fs.boot(), &config()).unwrap();
    store.create_space(SpaceId(7)).unwrap();
    for i in 0..PAGES {
        let mut m = store.mtr().unwrap();
        let x = m.new_page(page_id(i)).unwrap();
        m.apply(x, PageOp::Init { ty: PageType::Undo, level: 0, index_id: 5 }).unwrap();
        m.commit();
    }
    let mut acked = [0; PAGES];
    let mut before_last = acked;
    for v in 1..=commits {
        before_last = acked;
        let mut lsn = Lsn(0);
        for _ in 0..1 + rng.below(3) {
            let i = rng.below(PAGES as u64) as usize;
            let mut m = store.mtr().unwrap();
            let x = m.x(page_id(i)).unwrap();
            m.apply(x, PageOp::Patch { offset: 100, bytes: &v.to_le_bytes() }).unwrap();
            let junk = vec![rng.next() as u8; rng.below(2000) as usize + 1];
            m.apply(x, PageOp::Patch { offset: 200, bytes: &junk }).unwrap();
            lsn = m.commit();
            acked[i] = v;
        }
        store.log().flush_to(lsn, ForcedBy::Commit).unwrap();
        if rng.below(40) == 0 || store.log().checkpoint_age() > 400_000 {
            store.pool().flush_older(lsn, 5).unwrap();
            store.checkpoint().unwrap();
        }
    }
    if noted {
        store.log().note_durable().unwrap();
    }
    let (checkpoint, end) = (store.log().checkpoint_lsn(), store.log().current_lsn());
    drop(store);
    fs.crash(seed);
    Image { fs, acked, before_last, checkpoint, end }
}

/// Opens; `None`: refused because of damage, or a page that is newer than what is left of the log.
fn recovered(fs: SimFs, what: &str) -> Option<[u64; PAGES]> {
    match Store::open(fs.boot(), &config()) {
        Ok((store, _)) => {
            let mut got = [0; PAGES];
            for (i, n) in got.iter_mut().enumerate() {
                match store.pool().read(page_id(i)) {
                    Ok(page) => *n = page.u64_at(100),
                    Err(StorageError::PageBeyondLog { .. }) => return None,
                    Err(e) => panic!("{what}: {e}"),
                }
            }
            Some(got)
        }
        Err(
            StorageError::LogDamaged { .. }
            | StorageError::WrongFormat { .. }
            | StorageError::CorruptLog { .. }
            | StorageError::PageBeyondLog { .. },
        ) => None,
        Err(e) => panic!("{what}: {e}"),
    }
}

/// Somewhere in the header, in the part of the stream that counts, or anywhere.
fn place(rng: &mut Rng, im: &Image) -> u64 {
    match rng.below(4) {
        0 => rng.below(DATA_AT),
        1 => rng.below(DATA_AT + (1 << 20)),
        _ => DATA_AT + (im.checkpoint.0 + rng.below(im.end.0 - im.checkpoint.0)) % (1 << 20),
    }
}

#[test]
fn a_flipped_bit_loses_nothing_silently() {
    let mut refused = 0;
    for seed in 0..12 {
        // Short logs and such that went round the circle.
        let im = image(seed, if seed % 2 == 0 { 60 } else { 1500 }, true);
        let mut rng = Rng(seed + 1000);
        assert_eq!(recovered(im.fs.fork(), "undamaged"), Some(im.acked));
        for _ in 0..60 {
            let (at, mask) = (place(&mut rng, &im), 1 << rng.below(8));
            let fs = im.fs.fork();
            fs.flip(REDO_FILE, at, mask);
            match recovered(fs, &format!("seed {seed} byte {at}")) {
                Some(got) => assert_eq!(got, im.acked, "seed {seed}, byte {at} mask {mask}"),
                None => refused += 1,
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn a_destroyed_stretch_loses_nothing_silently() {
    for seed in 0..8 {
        let im = image(seed, if seed % 2 == 0 { 100 } else { 1200 }, true);
        let mut rng = Rng(seed + 2000);
        for _ in 0..25 {
            let (at, len) = (place(&mut rng, &im), 1 + rng.below(9000));
            let fs = im.fs.fork();
            for i in at..at + len {
                fs.flip(REDO_FILE, i, rng.next() as u8);
            }
            if let Some(got) = recovered(fs, &format!("seed {seed} byte {at} length {len}")) {
                assert_eq!(got, im.acked, "seed {seed}, byte {at} length {len}");
            }
        }
    }
}

#[test]
fn a_damaged_checkpoint_is_read_from_its_copy_and_both_damaged_lose_nothing() {
    for seed in 0..10 {
        let im = image(seed, 800, true);
        for number in 0..2 {
            let (first, second) = (4096 * (1 + number) + 20, 12288 + 512 * number + 20);
            for at in [first, second] {
                let fs = im.fs.fork();
                fs.flip(REDO_FILE, at, 1);
                assert_eq!(recovered(fs, "one copy"), Some(im.acked));
            }
            let fs = im.fs.fork();
            fs.flip(REDO_FILE, first, 1);
            fs.flip(REDO_FILE, second, 1);
            if let Some(got) = recovered(fs, "both copies") {
                assert_eq!(got, im.acked);
            }
        }
    }
}

/// What cannot be known: nothing was written after the last flush, so damage there looks as if it had been interrupted.
#[test]
fn only_the_last_flush_depends_on_the_note_in_the_header() {
    let mut lost = 0;
    for seed in 0..6 {
        let im = image(seed, 80, false);
        let mut rng = Rng(seed + 3000);
        for n in 0..60 {
            // Half of the damage in the last kilobyte.
            let at = match n % 2 {
                0 => DATA_AT + (im.end.0 - 1 - rng.below(1000)) % (1 << 20),
                _ => place(&mut rng, &im),
            };
            let fs = im.fs.fork();
            fs.flip(REDO_FILE, at, 4);
            if let Some(got) = recovered(fs, "last") {
                assert!(
                    (0..PAGES).all(|i| got[i] == im.acked[i] || got[i] >= im.before_last[i]),
                    "seed {seed} byte {at}"
                );
                lost += usize::from(got != im.acked);
            }
        }
    }
    assert!(lost > 0, "the test above proves nothing if this never happens");
}

#[test]
fn forced_recovery_cuts_the_log_at_the_damage_and_goes_on_behind_all_of_it() {
    for seed in 0..6 {
        let im = image(seed, 200, true);
        let at = DATA_AT + (im.checkpoint.0 + (im.end.0 - im.checkpoint.0) / 2) % (1 << 20);
        im.fs.flip(REDO_FILE, at, 1);
        let e = Store::open(im.fs.boot(), &config()).err().unwrap();
        let StorageError::LogDamaged { lsn, offset, durable } = e else { panic!("{e}") };
        assert!(offset <= at && offset + 5000 > at && lsn < durable && durable == im.end);
        let text = e.to_string();
        assert!(
            text.contains(REDO_FILE) && text.contains(&offset.to_string()) && text.contains("innodb-force-recovery")
        );
        let forced = StoreConfig { force_recovery: 1, ..config() };
        let (store, report) = Store::open(im.fs.boot(), &forced).unwrap();
        assert_eq!(report.cut, Some(e));
        assert!(report.end == lsn && report.start > im.end);
        drop(store);
        assert!(Store::open(im.fs.boot(), &config()).is_ok());
    }
}
