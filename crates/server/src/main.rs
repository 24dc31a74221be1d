//! The `evenkeel` binary.

fn main() {}
