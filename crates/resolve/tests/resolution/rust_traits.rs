//! Traits of Rust: members that they give to types, extensions, derives, edges.

use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn inheritance() {
    check(
        r#"
//- /src/lib.rs
trait Shape {
    fn area(&self) -> f32;
    fn double(&self) -> f32 { self.area() * 2.0 }
    //                             ^ calls: src/lib.rs:2
}
struct Square;
impl Shape for Square {
    fn area(&self) -> f32 { 1.0 }
}
fn run<T: Shape>(given: T, boxed: Box<dyn Shape>) {
    let square = Square;
    Square.area();
    given.area();
    //    ^ calls: src/lib.rs:2
    boxed.double();
    //    ^ calls: src/lib.rs:3
}
fn on_type(square: &Square) {
    square.area();
    //     ^ calls: src/lib.rs:8
    square.double();
    //     ^ calls: src/lib.rs:3
    Square::area(square);
    //      ^ calls: src/lib.rs:8
}
"#,
    );
}

#[test]
fn extension_traits() {
    check(
        r#"
//- /src/lib.rs
use http::Request;
trait RequestExt {
    fn into_limited(self);
}
impl RequestExt for Request<()> {
    fn into_limited(self) {}
}
fn run(request: Request<()>) {
    request.into_limited();
    //      ^ calls: src/lib.rs:6
}
"#,
    );
}

#[test]
fn derived_traits() {
    check(
        r#"
//- /src/lib.rs
trait TypedPath {
    fn to_uri(&self) {}
}
#[derive(Debug, TypedPath)]
struct Show { id: u32 }
fn run() {
    Show { id: 1 }.to_uri();
    //             ^ calls: src/lib.rs:2
}
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /src/lib.rs
trait Base {}
trait Shape: Base {
    fn area(&self);
}
struct Square;
impl Shape for Square {
    fn area(&self) {}
}
"#;
    check_edges(
        text,
        EdgeKind::Implements,
        &expect![[r#"
        Square → Shape (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Shape → Base (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Shape.area → Square.area (override)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::HasMethod,
        &expect![[r#"
        Shape → Shape.area (structure)
        Square → Square.area (structure)
    "#]],
    );
}

#[test]
fn generics() {
    check(
        r#"
//- /src/lib.rs
pub struct Item;
impl Item { fn work(&self) {} }
pub struct Other;
impl Other { fn work(&self) {} }
struct Holder<T> { value: T }
impl<T> Holder<T> { fn get(&self) -> &T { &self.value } fn new(value: T) -> Self { Holder { value } } }
fn same<T>(value: T) -> T { value }
fn made<T: Default>(f: impl Fn() -> T) -> T { f() }
fn run(held: &Holder<Item>, item: Item, other: Other) {
    held.value.work();
    //         ^ calls: src/lib.rs:2
    held.get().work();
    //         ^ calls: src/lib.rs:2
    // FIXME: what an argument gives a type parameter is not known, since calls are read without their arguments.
    same(item).work();
    //         ^ calls: nothing
    Holder::new(other).get().work();
    //                       ^ calls: nothing
    made(|| Other { }).work();
    //                 ^ calls: nothing
}
"#,
    );
}
