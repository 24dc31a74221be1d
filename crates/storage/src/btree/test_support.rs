//! A store on the simulated disk and an empty tree, for tests.

use std::sync::Arc;

use base::{IndexId, SpaceId};

use super::BTree;
use crate::file::sim::SimFs;
use crate::mtr::Mtr;
use crate::space;
use crate::store::{Store, StoreConfig};

pub(crate) fn config(frames: u64) -> StoreConfig {
    let mut config = StoreConfig::default();
    config.pool.bytes = frames * 16384;
    config.log.capacity = 32 << 20;
    config.log.buffer = 1 << 20;
    config
}

pub(crate) fn store(frames: u64) -> Store {
    Store::open(Arc::new(SimFs::new()), &config(frames)).unwrap().0
}

pub(crate) fn tree(store: &Store) -> BTree {
    store.create_space(SpaceId(7)).unwrap();
    let mut mtr = Mtr::start(store).unwrap();
    space::create(&mut mtr, SpaceId(7)).unwrap();
    let t = BTree::create(&mut mtr, SpaceId(7), IndexId(42)).unwrap();
    mtr.commit();
    t
}
