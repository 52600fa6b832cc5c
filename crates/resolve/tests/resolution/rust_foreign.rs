//! Rust: names that the standard library and macros share with the repository.

use crate::check;

#[test]
fn blanket_impl_for_functions_is_for_functions_only() {
    check(
        r#"
//- /src/lib.rs
pub trait Handler {
    fn map(&self) -> u32;
    fn serve_one(&self) -> u32 { 0 }
}
impl<F> Handler for F where F: Fn(u32) -> u32 {
    fn map(&self) -> u32 { 1 }
}
pub struct Names { at: usize }
impl Iterator for Names {
    type Item = u32;
    fn next(&mut self) -> Option<u32> { None }
}
fn names() -> Names { Names { at: 0 } }
fn plain(n: u32) -> u32 { n }
pub trait Served { fn into_served(self); }
impl<H> Served for H where H: Handler { fn into_served(self) {} }
fn functions() {
    plain.serve_one();
    //    ^ calls: src/lib.rs:3
    plain.into_served();
    //    ^ calls: src/lib.rs:16
}
fn run(given: Names, handler: impl Fn(u32) -> u32) {
    given.map(|one| one);
    //    ^ calls: nothing
    names().map(|one| one);
    //      ^ calls: nothing
    handler.serve_one();
    //      ^ calls: src/lib.rs:3
}
"#,
    );
}

#[test]
fn blanket_impl_needs_its_bounds() {
    check(
        r#"
//- /src/lib.rs
pub trait Shape {}
pub trait Area { fn area(&self) -> u32; }
impl<T: Shape> Area for T { fn area(&self) -> u32 { 1 } }
pub trait Walk { fn walk(&self); }
impl<I: Iterator> Walk for I { fn walk(&self) {} }
pub trait Pipe { fn pipe(&self); }
impl<T> Pipe for T { fn pipe(&self) {} }
pub struct Square;
impl Shape for Square {}
pub struct Names;
impl Iterator for Names { type Item = u32; fn next(&mut self) -> Option<u32> { None } }
fn run(square: Square, names: Names) {
    square.area();
    //     ^ calls: src/lib.rs:3
    square.walk();
    //     ^ calls: nothing
    square.pipe();
    //     ^ calls: src/lib.rs:7
    names.walk();
    //    ^ calls: src/lib.rs:5
    names.area();
    //    ^ calls: nothing
}
"#,
    );
}

#[test]
fn macros_of_the_standard_library() {
    check(
        r#"
//- /Cargo.toml
[workspace]
members = ["core", "app"]
//- /core/Cargo.toml
[package]
name = "my-core"
//- /core/src/lib.rs
pub mod macros;
pub mod user;
//- /core/src/macros.rs
macro_rules! debug_assert {
    ($e:expr) => {};
}
macro_rules! local {
    () => {};
}
fn inside() {
    debug_assert!(true);
    //^ calls: core/src/macros.rs:1
}
//- /core/src/user.rs
fn other() {
    local!();
    //^ calls: core/src/macros.rs:4
}
//- /app/Cargo.toml
[package]
name = "app"
//- /app/src/main.rs
fn main() {
    debug_assert!(true);
    //^ calls: nothing
    local!();
    //^ calls: nothing
}
"#,
    );
}

#[test]
fn quoted_code_is_not_called() {
    check(
        r#"
//- /src/lib.rs
fn helper() {}
fn build() {
    let name = quote! { helper() };
    //                  ^ calls: nothing
    quote_spanned! { span => helper() };
    //                       ^ calls: nothing
    syn::parse_quote!(helper());
    //                ^ calls: nothing
    assert!(helper());
    //      ^ calls: src/lib.rs:1
}
"#,
    );
}

#[test]
fn conversions_of_external_types() {
    check(
        r#"
//- /src/lib.rs
pub struct Name(String);
impl From<Name> for String {
    fn from(name: Name) -> String { name.0 }
}
pub trait Shout { fn shout(&self) -> u32; fn loudest() -> u32 { 1 } }
impl Shout for String { fn shout(&self) -> u32 { 2 } }
fn run() {
    String::from("a");
    //      ^ calls: nothing
    String::from("a").shout();
    //                ^ calls: src/lib.rs:6
    String::loudest();
    //      ^ calls: src/lib.rs:5
}
"#,
    );
}

#[test]
fn options_and_results_keep_their_own_methods() {
    check(
        r#"
//- /src/lib.rs
use std::sync::{Arc, Mutex};
pub struct Parser;
impl Parser {
    pub fn map(&self) {}
    pub fn is_some(&self) -> bool { true }
    pub fn lock(&self) {}
    pub fn step(&self) {}
}
fn run(maybe: Option<Parser>, tried: Result<Parser, u32>, shared: Arc<Parser>, guarded: Mutex<Parser>) {
    maybe.map(|parser| parser);
    //    ^ calls: nothing
    maybe.is_some();
    //    ^ calls: nothing
    tried.map(|parser| parser);
    //    ^ calls: nothing
    maybe.unwrap().map();
    //             ^ calls: src/lib.rs:4
    shared.map();
    //     ^ calls: src/lib.rs:4
    guarded.lock();
    //      ^ calls: nothing
    if let Some(parser) = maybe {
        parser.map();
        //     ^ calls: src/lib.rs:4
    }
}
"#,
    );
}

#[test]
fn extension_traits() {
    check(
        r#"
//- /src/lib.rs
mod text;
mod user;
//- /src/text.rs
pub trait TextExt {
    fn shout(&self) -> u32;
}
impl TextExt for str { fn shout(&self) -> u32 { 1 } }
impl TextExt for Vec<u8> { fn shout(&self) -> u32 { 2 } }
pub trait Steps: Iterator { fn in_steps(self) -> u32; }
impl<I: Iterator> Steps for I { fn in_steps(self) -> u32 { 3 } }
//- /src/user.rs
use crate::text::{Steps, TextExt};
fn run(text: &str, bytes: Vec<u8>) {
    text.shout();
    //   ^ calls: src/text.rs:4
    bytes.shout();
    //    ^ calls: src/text.rs:5
    bytes.iter().in_steps();
    //           ^ calls: src/text.rs:7
    text.lines().in_steps();
    //           ^ calls: src/text.rs:7
}
"#,
    );
}
