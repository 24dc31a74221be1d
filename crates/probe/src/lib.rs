//! Instruments that are always on: counters, gauges, wait classes. What `SHOW STATUS` and performance_schema read.

pub mod wait;

pub use wait::{WaitSnapshot, WaitStats};
