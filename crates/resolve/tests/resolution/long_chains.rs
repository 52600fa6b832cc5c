//! Chains of many calls: every receiver is known from the head of the chain on, whatever its length in bytes.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::check;

/// Two types with methods of the same names, so that no name tells its type; then `head`, a call of `step` on each of
/// `n` lines, and calls of `last` and `finish`. All of them are found.
fn check_chain(definitions: &str, head: &str, n: usize, tail: &str) {
    let mut text = definitions.to_owned();
    writeln!(text, "{head}").unwrap();
    for (name, line) in
        std::iter::repeat_n(("step", "STEP"), n).chain([("last", "LAST"), ("finish", "FINISH")])
    {
        writeln!(
            text,
            "    .{name}([1, 2], \"a longer argument {{}} (of {name}\")"
        )
        .unwrap();
        writeln!(text, "//   ^ calls: {line}").unwrap();
    }
    writeln!(text, "{tail}").unwrap();
    let path = definitions
        .split_whitespace()
        .nth(1)
        .unwrap()
        .trim_start_matches('/');
    for mark in ["STEP", "LAST", "FINISH"] {
        let line = definitions
            .lines()
            .position(|line| line.ends_with(&format!("// {mark}")));
        let place = format!("{path}:{}", line.unwrap());
        text = text.replace(&format!("calls: {mark}\n"), &format!("calls: {place}\n"));
    }
    check(&text);
}

const RUST: &str = "\
//- /src/main.rs
pub struct Other;
impl Other {
    pub fn step(self, _a: [u8; 2], _b: &str) -> Other { self }
    pub fn last(self, _a: [u8; 2], _b: &str) -> Other { self }
    pub fn finish(self, _a: [u8; 2], _b: &str) {}
}
pub struct Done;
impl Done {
    pub fn finish(self, _a: [u8; 2], _b: &str) {} // FINISH
}
pub struct Builder;
impl Builder {
    pub fn new() -> Self { Builder }
    pub fn step(self, _a: [u8; 2], _b: &str) -> Self { self } // STEP
    pub fn last(self, _a: [u8; 2], _b: &str) -> Done { Done } // LAST
}
fn main() {
";

const TYPESCRIPT: &str = "\
//- /main.ts
class Other {
    step(a: number[], b: string): this { return this }
    last(a: number[], b: string): this { return this }
    finish(a: number[], b: string) {}
}
class Done {
    finish(a: number[], b: string) {} // FINISH
}
class Builder {
    step(a: number[], b: string): this { return this } // STEP
    last(a: number[], b: string): Done { return new Done() } // LAST
}
";

#[test]
fn long_builder_chain_keeps_its_last_calls() {
    for n in [24, 2_000] {
        check_chain(RUST, "    Builder::new()", n, ";\n}");
        check_chain(TYPESCRIPT, "new Builder()", n, "");
    }
}

/// A name that is bound to a long chain has the type of its last call.
#[test]
fn long_bound_value_keeps_its_last_call() {
    let steps = "\n    .step([1, 2], \"a longer argument (of step\")".repeat(100);
    check(&format!(
        "{TYPESCRIPT}const done = new Builder(){steps}.last([], '')\ndone.finish([], '')\n//   ^ calls: main.ts:7\n"
    ));
}

/// Evaluating each receiver from its head again would take minutes.
#[test]
fn a_chain_of_20_000_calls_takes_linear_time() {
    let start = Instant::now();
    let steps = ".step([],'')".repeat(20_000);
    let call = format!("new Builder(){steps}.last([], '').finish([], '')");
    check(&format!(
        "{TYPESCRIPT}{call}\nnew Done().finish([], '')\n//         ^ calls: main.ts:7\n"
    ));
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
