//! Build, test, measure, serve: `cargo xtask help`.
fn main() {}
