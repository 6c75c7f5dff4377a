//! The `kurosabi` binary.

fn main() {}
