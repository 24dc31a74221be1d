//! What a rest costs who rests: the processor time of work that is done right after sleeping, by how long the sleep was.
//!
//!     cargo run --release -p sys --example nap
//!
//! Prints for each length of sleep the processor time of a walk through 700 KB of memory in random order (what the second-level cache holds) and of
//! arithmetic that needs no memory. On a machine whose idle processors keep their caches and their clock both stay what they are without sleep. See
//! docs/decisions/0028-what-a-rest-costs.md.

use std::hint::black_box;
use std::time::Duration;

/// A cache line with the number of the next one.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(u32);

const LINES: usize = 700 * 1024 / 64;
const ROUNDS: u32 = 400;

/// A walk that visits every line once (Sattolo's shuffle, numbers of a linear congruential generator).
fn ring() -> Vec<Line> {
    let mut order: Vec<u32> = (0..LINES as u32).collect();
    let mut seed = 1u64;
    for i in (1..LINES).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(i, (seed >> 33) as usize % i);
    }
    let mut lines = vec![Line(0); LINES];
    for (at, next) in order.iter().zip(order.iter().cycle().skip(1)) {
        if let Some(l) = lines.get_mut(*at as usize) {
            l.0 = *next;
        }
    }
    lines
}

fn main() {
    let lines = ring();
    println!("{:>10}  {:>9}  {:>10}", "sleep us", "walk us", "arithmetic");
    for sleep in [0u64, 100, 300, 1000, 2000, 5000] {
        let (mut walk, mut count) = (0, 0);
        for _ in 0..ROUNDS {
            if sleep > 0 {
                std::thread::sleep(Duration::from_micros(sleep));
            }
            let before = sys::usage::process_cpu_ns();
            let mut at = 0u32;
            for _ in 0..LINES {
                at = lines.get(at as usize).map_or(0, |l| l.0);
            }
            black_box(at);
            let between = sys::usage::process_cpu_ns();
            let mut n = 1u64;
            for _ in 0..600_000 {
                n = black_box(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
            }
            walk += between - before;
            count += sys::usage::process_cpu_ns() - between;
        }
        let us = |ns: u64| ns as f64 / 1000.0 / f64::from(ROUNDS);
        println!("{sleep:>10}  {:>9.0}  {:>10.0}", us(walk), us(count));
    }
}
