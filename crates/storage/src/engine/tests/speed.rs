//! Costs of single operations, printed: `cargo test -p storage --lib speed -- --ignored --nocapture`. Not a pass or fail test.

use super::support::*;
use crate::engine::{Engine, EngineConfig};
use crate::file::sim::{Rng, SimFs};
use crate::table::{Direction, KeyRange, ReadMode, TableCursor};
use crate::txn::Durability;
use std::sync::Arc;
use std::time::Instant;
use value::Value;

#[test]
#[ignore = "prints figures"]
fn operations() {
    let mut config = EngineConfig::on(Arc::new(SimFs::new()));
    config.background = true;
    config.durability = Durability::Lazy;
    config.buffer_pool_size = 256 << 20;
    config.redo_capacity = 256 << 20;
    let e: Arc<Engine> = Engine::open(config).unwrap();
    let tab = create(&e, standard("a"));
    let mut t = e.new_trx(1).unwrap();
    let n = 50_000i64;
    let time = |what: &str, count: i64, f: &mut dyn FnMut()| {
        let from = Instant::now();
        f();
        println!("{what}: {} ns", from.elapsed().as_nanos() as i64 / count);
    };
    time("insert (4 indexes)", n, &mut || {
        for i in 0..n {
            insert(&mut t, &tab, &r(i, i * 7919 % n, Some(i), "some text of a row")).unwrap();
            if i % 10 == 9 {
                t.commit().unwrap();
            }
        }
    });
    t.commit().unwrap();
    let mut rng = Rng(1);
    let mut c = TableCursor::open(&tab, 0, ReadMode::Consistent, false);
    let mut k = Vec::new();
    time("point read, autocommit", n, &mut || {
        for _ in 0..n {
            k.clear();
            tab.key_encoder(0).unwrap().encode(&[Value::Int(rng.below(n as u64) as i64)], &mut k).unwrap();
            t.begin_statement();
            assert!(c.point(&mut t, &k).unwrap().is_some());
            t.commit().unwrap();
        }
    });
    time("scanned row", n, &mut || {
        c.seek(&mut t, KeyRange::ALL, Direction::Forward).unwrap();
        while c.next(&mut t).unwrap().is_some() {}
    });
    t.commit().unwrap();
    time("update of a column without index, autocommit", n, &mut || {
        for _ in 0..n {
            let id = rng.below(n as u64) as i64;
            update(&mut t, &tab, id, &[(4, Value::Str(b"0123456789"))]).unwrap();
            t.commit().unwrap();
        }
    });
    time("update of k, autocommit", n, &mut || {
        for _ in 0..n {
            let (id, k) = (rng.below(n as u64) as i64, rng.below(n as u64) as i64);
            update(&mut t, &tab, id, &[(1, Value::Int(k))]).unwrap();
            t.commit().unwrap();
        }
    });
    println!("history: {}", e.status().history_list_length);
    time("purge of the rest, per transaction of the test", 2 * n, &mut || drain_purge(&e));
}
