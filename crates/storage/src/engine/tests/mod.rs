//! The engine as a whole on the simulated disk.

mod attached;
mod backup;
mod bank;
mod basic;
mod build;
mod check;
mod computed;
mod crash;
mod files;
mod foreign;
mod isolation;
mod locks;
mod multi;
mod online;
mod prepared;
mod purge;
mod replaced;
mod row_change;
mod speed;
mod stats;
mod support;
mod told;
mod transport;
mod uncommitted;
mod undo_space;
mod words;
