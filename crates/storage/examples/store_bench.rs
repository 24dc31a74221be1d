//! Figures of the lower half on the real disk: `cargo run --release -p storage --example store_bench -- DIR [MB of redo]`.
//! `... store_bench -- --recover DATADIR POOL_MB CAPACITY_MB` only recovers a data directory (of a killed server; a copy of it).
//! Prints latch, mini-transaction, commit and recovery costs. The directory is emptied first.

use base::{PageId, PageNo, SpaceId};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use storage::file::real::RealFs;
use storage::page::{PageOp, PageType, write_record};
use storage::redo::ForcedBy;
use storage::{Store, StoreConfig};

type Res<T> = Result<T, Box<dyn std::error::Error>>;

fn id(i: u32) -> PageId {
    PageId::new(SpaceId(2), PageNo(i))
}

fn open(dir: &Path, direct: bool) -> Res<Store> {
    open_with(dir, direct, 256, 1024)
}

fn open_with(dir: &Path, direct: bool, pool_mb: u64, capacity_mb: u64) -> Res<Store> {
    let mut c = StoreConfig::default();
    c.pool.bytes = pool_mb << 20;
    c.log.capacity = capacity_mb << 20;
    let t = Instant::now();
    let (s, r) = Store::open(Arc::new(RealFs::new(dir, direct)?), &c)?;
    println!(
        "open {:?}: {} frames, {} applied, {} skipped, {} MB, scan/replay/flush ms {:?}",
        t.elapsed(),
        r.frames,
        r.applied,
        r.skipped,
        (r.end.0 - r.checkpoint.0) >> 20,
        r.ms
    );
    Ok(s)
}

fn ns(t: Instant, n: u64) -> f64 {
    t.elapsed().as_nanos() as f64 / n as f64
}

fn patch(s: &Store, page: u32, v: u64) -> Res<base::Lsn> {
    let mut m = s.mtr()?;
    let x = m.x(id(page))?;
    let offset = m.page(x).payload_offset((v % 100) as usize).ok_or("no slot")? as u16;
    m.apply(x, PageOp::Patch { offset, bytes: &v.to_le_bytes() })?;
    Ok(m.commit())
}

fn main() -> Res<()> {
    let mut args = std::env::args().skip(1);
    let dir = args.next().ok_or("directory?")?;
    if dir == "--recover" {
        let dir = args.next().ok_or("data directory?")?;
        let mut number = |default| args.next().map_or(Ok(default), |s| s.parse());
        let (pool, capacity) = (number(256)?, number(100)?);
        open_with(Path::new(&dir), true, pool, capacity)?;
        return Ok(());
    }
    let redo_mb: u64 = args.next().map_or(Ok(300), |s| s.parse())?;
    let dir = Path::new(&dir);
    let _ = std::fs::remove_dir_all(dir);
    let s = open(dir, true)?;
    s.create_space(SpaceId(2))?;
    let pages = 8000u32;
    let t = Instant::now();
    for i in 0..pages {
        let mut m = s.mtr()?;
        let x = m.new_page(id(i))?;
        m.apply(x, PageOp::Init { ty: PageType::Index, level: 0, index_id: 1 })?;
        for k in 0..100u16 {
            let mut rec = Vec::new();
            write_record(&mut rec, &k.to_be_bytes(), &[1; 100]);
            m.apply(x, PageOp::InsertAt { slot: k, rec: &rec })?;
        }
        m.commit();
    }
    println!("fill {pages} pages: {:?}", t.elapsed());
    let t = Instant::now();
    s.flush_and_checkpoint()?;
    println!("flush {} MB through doublewrite: {:?}", (pages as u64 * 16) >> 10, t.elapsed());

    let n = 3_000_000u64;
    let t = Instant::now();
    let mut sum = 0u64;
    for i in 0..n {
        sum += s.pool().read(id((i * 7919 % 1000) as u32))?.level() as u64;
    }
    println!("read latch (1000 pages): {:.1} ns", ns(t, n));
    let t = Instant::now();
    for i in 0..n {
        let p = s.pool().optimistic(id((i * 7919 % 1000) as u32))?;
        sum += p.racy().level().unwrap_or(0) as u64;
        sum += p.validate() as u64;
    }
    println!("optimistic read: {:.1} ns", ns(t, n));
    let t = Instant::now();
    let p = s.pool().read(id(5))?;
    for i in 0..n {
        sum += p.lower_bound(&((i % 100) as u16).to_be_bytes()).0 as u64;
    }
    println!("lower_bound of 100: {:.1} ns ({sum})", ns(t, n));
    drop(p);

    let n = 1_000_000u64;
    let t = Instant::now();
    for i in 0..n {
        patch(&s, (i * 7919 % 1000) as u32, i)?;
    }
    println!("mtr of one patch, no flush: {:.0} ns", ns(t, n));
    s.log().flush_to(s.log().current_lsn(), ForcedBy::Explicit)?;
    for threads in [1u64, 2, 8, 32] {
        let per = 4000 / threads.min(8);
        let t = Instant::now();
        std::thread::scope(|sc| {
            for th in 0..threads {
                let s = &s;
                sc.spawn(move || {
                    for i in 0..per {
                        if let Ok(lsn) = patch(s, (th * 100 + i % 100) as u32, i) {
                            let _ = s.log().flush_to(lsn, ForcedBy::Commit);
                        }
                    }
                });
            }
        });
        println!("durable commits, {threads} threads: {:.0}/s", (per * threads) as f64 / t.elapsed().as_secs_f64());
    }
    let mut v = 0;
    let start = s.log().current_lsn();
    let t = Instant::now();
    while s.log().current_lsn().0 - start.0 < redo_mb << 20 {
        v += 1;
        patch(&s, (v * 7919 % pages as u64) as u32, v)?;
    }
    s.log().flush_to(s.log().current_lsn(), ForcedBy::Explicit)?;
    println!("{redo_mb} MB of redo, {v} mtrs: {:?}; checkpoint age {} MB", t.elapsed(), s.log().checkpoint_age() >> 20);
    drop(s); // no checkpoint: as after a crash
    let s = open(dir, true)?;
    drop(s);
    open(dir, true)?;
    Ok(())
}
