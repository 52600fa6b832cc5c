use expect_test::expect;
use syntax::Language::Rust;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Rust,
        r#"pub async fn fetch(url: &str, mut retries: u32) -> Result<Body, Error> {
    if retries > 3 && url.is_empty() { return Err(Error); }
    match retries { 0 => a(), _ => b() }
}
const fn size() -> usize { 1 }
pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;
type Alias<T> = Vec<T>;
macro_rules! twice { ($e:expr) => { $e; $e } }
#[test]
fn works() {}
"#,
        expect![[r#"
            Function fetch 1-4 [EXPORTED ASYNC] `pub async fn fetch(url: &str, mut retries: u32) -> Result<Body, Error>` (url: &str) (retries: u32) -> Result<Body, Error> cx 5
            Function size 5-5 [CONST] `const fn size() -> usize` -> usize
            Constant LIMIT 6-6 [EXPORTED CONST] `pub const LIMIT: usize = 10` -> usize
            Constant COUNT 7-7 [MUTABLE] `static mut COUNT: u32 = 0` -> u32
            TypeAlias Alias 8-8 `type Alias<T> = Vec<T>` <T: > -> Vec<T>
            Macro twice 9-9 `macro_rules! twice`
            Function works 10-11 [TEST] `fn works()`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Rust,
        r#"pub struct Router<S> where S: Clone { pub routes: Vec<Route>, state: S }
impl<S: Clone> Router<S> {
    pub fn new() -> Self { Self { routes: vec![] } }
    fn add(&mut self, route: Route) -> &mut Self { self }
}
pub trait Handler<T>: Clone + Send {
    type Future;
    const NAME: &'static str;
    fn call(self, req: T) -> Self::Future;
    fn name(&self) -> &str { Self::NAME }
}
pub enum Shape { Circle { radius: f32 }, Empty }
"#,
        expect![[r#"
            Struct Router 1-1 [EXPORTED] `pub struct Router<S> where S: Clone` <S: > <S: Clone>
            Field Router.routes 1-1 [EXPORTED] `pub routes: Vec<Route>` -> Vec<Route>
            Field Router.state 1-1 `state: S` -> S
            Impl Router 2-5 `impl<S: Clone> Router<S>` <S: Clone>
            Method Router.new 3-3 [EXPORTED STATIC] `pub fn new() -> Self` -> Self
            Method Router.add 4-4 `fn add(&mut self, route: Route) -> &mut Self` (route: Route) -> &mut Self
            Trait Handler 6-11 [EXPORTED] `pub trait Handler<T>: Clone + Send` <T: > Extends Clone Extends Send
            TypeAlias Handler.Future 7-7 [EXPORTED] `type Future`
            Constant Handler.NAME 8-8 [EXPORTED CONST] `const NAME: &'static str` -> &'static str
            Method Handler.call 9-9 [EXPORTED DECLARATION] `fn call(self, req: T) -> Self::Future` (req: T) -> Self::Future
            Method Handler.name 10-10 [EXPORTED] `fn name(&self) -> &str` -> &str
            Enum Shape 12-12 [EXPORTED] `pub enum Shape`
            Variant Shape.Circle 12-12 [EXPORTED] `Circle`
            Field Shape.Circle.radius 12-12 `radius: f32` -> f32
            Variant Shape.Empty 12-12 [EXPORTED] `Empty`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Rust,
        r#"mod outer {
    pub fn a() {
        fn inner() { helper() }
        let local = 1;
        const HIDDEN: u8 = 1;
        inner()
    }
    mod deep { struct Found; }
}
"#,
        expect![[r#"
            Module outer 1-9 `mod outer`
            Function outer.a 2-7 [EXPORTED] `pub fn a()`
            Function outer.a.inner 3-3 `fn inner()`
            Constant outer.a.HIDDEN 5-5 [CONST] `const HIDDEN: u8 = 1` -> u8
            Module outer.deep 8-8 `mod deep`
            Struct outer.deep.Found 8-8 `struct Found`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Rust,
        r#"use std::collections::HashMap;
use std::{fmt::{self, Display as Show}, io::*};
pub use crate::routing::Router as R;
pub(crate) use self::inner::*;
use super::thing;
use anyhow as ah;
extern crate alloc;
mod child;
pub mod public_child;
fn f() { use local::Thing; }
use Trait as _;
use deep::{er::{self, *}, one};
"#,
        expect![[r#"
            "std::collections" "HashMap" as "HashMap" in <file>
            "std" "fmt" as "fmt" in <file>
            "std::fmt" "Display" as "Show" in <file>
            "std::io" "" as "" GLOB in <file>
            "crate::routing" "Router" as "R" REEXPORT in <file>
            "self::inner" "" as "" GLOB REEXPORT in <file>
            "super" "thing" as "thing" in <file>
            "anyhow" "" as "ah" MODULE in <file>
            "alloc" "" as "alloc" MODULE in <file>
            "child" "" as "child" MODULE CHILD_MODULE in <file>
            "public_child" "" as "public_child" MODULE CHILD_MODULE in <file>
            "local" "Thing" as "Thing" in f
            "Trait" "" as "" MODULE in <file>
            "deep" "er" as "er" in <file>
            "deep::er" "" as "" GLOB in <file>
            "deep" "one" as "one" in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Rust,
        r#"trait A: B + C<u8> {}
impl fmt::Display for Foo<u8> {}
impl<T> From<T> for crate::Bar where T: Into<u8> {}
impl Iterator for &mut Baz {}
"#,
        expect![[r#"
            Trait A 1-1 `trait A: B + C<u8>` Extends B Extends C<u8>
            Impl Foo 2-2 `impl fmt::Display for Foo<u8>` Implements fmt::Display
            Impl Bar 3-3 `impl<T> From<T> for crate::Bar where T: Into<u8>` <T: > <T: Into<u8>> Implements From<T>
            Impl Baz 4-4 `impl Iterator for &mut Baz` Implements Iterator
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Rust,
        r#"fn main() {
    helper(1, 2);
    a::b::run();
    Foo::new(x).go::<u8>().await?;
    self.field.call();
    let p = Point { x: 1, y };
    parse::<u32>("1");
    items.iter().map(transform).collect::<Vec<_>>();
    println!("{}", fmt::render(value.name(), Foo { a: 1 }));
    assert_eq!(super::make(1).len(), vec![build(2)].len(), "if (x)");
    #[allow(unused)]
    let f: Box<dyn Service> = Box::new(handler);
}
"#,
        expect![[r#"
            Call helper (2) in main line 2
            Value a in main line 3
            Value a . b in main line 3
            PathCall a::b . run (0) in main line 3
            Value Foo in main line 4
            PathCall Foo . new (1) in main line 4
            Value x in main line 4
            MethodCall Foo::new(x) . go (0) in main line 4
            Member self . field in main line 5
            MethodCall self.field . call (0) in main line 5
            New Point in main line 6
            Value y in main line 6
            Call parse (1) in main line 7
            Value items in main line 8
            MethodCall items . iter (0) in main line 8
            MethodCall items.iter() . map (1) in main line 8
            Value transform in main line 8
            MethodCall items.iter().map(transform) . collect (0) in main line 8
            Type Vec in main line 8
            MacroCall println in main line 9
            Value fmt in main line 9
            PathCall fmt . render (2) in main line 9 macro
            Value value in main line 9 macro
            MethodCall value . name (0) in main line 9 macro
            New Foo in main line 9 macro
            Value a in main line 9
            MacroCall assert_eq in main line 10
            PathCall super . make (1) in main line 10 macro
            MethodCall super::make(1) . len (0) in main line 10 macro
            MacroCall vec in main line 10 macro
            Call build (1) in main line 10 macro
            MethodCall vec![build(2)] . len (0) in main line 10 macro
            Decorator allow in main line 11
            Value unused in main line 11
            Type Box in main line 12
            Type Service in main line 12
            Value Box in main line 12
            PathCall Box . new (1) in main line 12
            Value handler in main line 12
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Rust,
        r#"fn f(a: Foo, mut b: &Bar<u8>) {
    let x: Vec<Item> = vec![];
    let y = Foo::new();
    let z = load(1)?;
    let w = client.get().await?;
    let p = Point { x: 1 };
    let q = &self.field;
    let mut r = Router::default();
    for item in items.iter() {}
    if let Some(v) = lookup(1) {}
    let (m, n) = pair();
    let g = |c, d: Ctx| c;
}
"#,
        expect![[r#"
            a Annotated "Foo" in f
            b Annotated "&Bar<u8>" in f
            x Annotated "Vec<Item>" in f
            y Call "Foo::new" in f
            z Call "load().unwrap" in f
            w Call "client.get().unwrap" in f
            p Constructed "Point" in f
            q Alias "self.field" in f
            r Call "Router::default" in f
            item Element "items.iter()" in f
            v Call "lookup().unwrap" in f
            m Alias "pair().0" in f
            n Alias "pair().1" in f
            g Alias "" in f
            c Alias "" in f
            d Annotated "Ctx" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Rust,
        r#"/// Adds two numbers.
///
/// # Panics
/// Never.
#[inline]
// not documentation
#[must_use]
pub fn add() {}

/** Block
 * doc. */
struct S {
    /// The field.
    a: u8, // trailing
    b: u8,
}
// plain comment
fn none() {}
"#,
        expect![[r#"
            add "Adds two numbers.\n\n# Panics\nNever." ["inline", "must_use"]
            S "Block\ndoc." []
            S.a "The field." []
            S.b "" []
            none "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Rust,
        r#"fn before() { a(); }
fn broken( { let x = ; }
struct After { a: u8 }
impl After { fn m(&self) { if } }
"#,
        expect![[r#"
            Function before 1-1 `fn before()`
            Function broken 2-2 `fn broken(`
            Struct After 3-3 `struct After`
            Field After.a 3-3 `a: u8` -> u8
            Impl After 4-4 `impl After`
            Method After.m 4-4 `fn m(&self)`
            Syntax line 2: ) is missing
            Syntax line 2: text does not fit the grammar
            Syntax line 4: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Rust,
        r#"pub(crate) const unsafe extern "C" fn call() {}
pub static mut COUNT: u32 = 0;
pub(super) struct Inner { pub(in crate::a) field: u8, own: u8 }
unsafe impl Send for crate::Inner {}
pub async fn later() {}
trait Shape { const SIDES: u8; fn area(&self) -> f64; }
extern "C" { fn foreign(); }
"#,
        expect![[r#"
            Function call 1-1 [EXPORTED CONST INTERNAL UNSAFE EXTERN] `pub(crate) const unsafe extern "C" fn call()`
            Constant COUNT 2-2 [EXPORTED MUTABLE] `pub static mut COUNT: u32 = 0` -> u32
            Struct Inner 3-3 [EXPORTED INTERNAL] `pub(super) struct Inner`
            Field Inner.field 3-3 [EXPORTED INTERNAL] `pub(in crate::a) field: u8` -> u8
            Field Inner.own 3-3 `own: u8` -> u8
            Impl Inner 4-4 [UNSAFE] `unsafe impl Send for crate::Inner` Implements Send
            Function later 5-5 [EXPORTED ASYNC] `pub async fn later()`
            Trait Shape 6-6 `trait Shape`
            Constant Shape.SIDES 6-6 [CONST] `const SIDES: u8` -> u8
            Method Shape.area 6-6 [DECLARATION] `fn area(&self) -> f64` -> f64
            Function foreign 7-7 [DECLARATION EXTERN] `fn foreign()`
        "#]],
    );
}
