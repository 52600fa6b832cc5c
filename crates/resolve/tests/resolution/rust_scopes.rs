//! Rust: variables that hide names, patterns, closures, and modules by attribute.

use crate::check;

#[test]
fn variable_named_like_the_function_it_calls() {
    check(
        r#"
//- /src/lib.rs
fn size() -> u32 { 0 }
fn twice(n: u32) -> u32 { n }
fn run() {
    let size = size();
    //         ^ calls: src/lib.rs:1
    let twice = twice(size) + 1;
    //          ^ calls: src/lib.rs:2
    size();
    //^ calls: nothing
    let closure = move |one: Named| one.work(one.size());
    //                                  ^ calls: src/lib.rs:14
}
pub struct Named;
impl Named { fn work(&self, size: u32) {} fn size(&self) -> u32 { 0 } }
pub struct Other;
impl Other { fn work(&self) {} }
"#,
    );
}

#[test]
fn modules_by_platform() {
    check(
        r#"
//- /src/lib.rs
#[cfg(windows)]
#[path = "windows.rs"]
mod imp;
#[cfg(not(windows))]
#[path = "unix.rs"]
mod imp;
mod user;
//- /src/unix.rs
pub fn open() { super::shared(); }
pub fn close() {}
//- /src/user.rs
use crate::imp;
fn run() {
    imp::open();
    //   ^ calls: src/unix.rs:1
    imp::close();
    //   ^ calls: src/unix.rs:2
}
//- /src/windows.rs
pub fn open() {}
"#,
    );
}

#[test]
fn functions_by_platform() {
    check(
        r#"
//- /src/lib.rs
#[cfg(target_os = "windows")]
fn open() -> u32 { 1 }
#[cfg(unix)]
fn open() -> u32 { 2 }
#[cfg(windows)]
fn alone() {}
fn run() {
    open();
    //^ calls: src/lib.rs:4
    alone();
    //^ calls: src/lib.rs:6
}
"#,
    );
}

#[test]
fn modules_of_tests() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "app"
//- /src/lib.rs
pub fn product() {}
//- /tests/common/mod.rs
pub mod tools;
pub fn setup() {}
//- /tests/common/tools.rs
pub fn tool() {}
//- /tests/first.rs
mod common;
use common::setup;
#[test]
fn works() {
    setup();
    //^ calls: tests/common/mod.rs:2
    common::tools::tool();
    //             ^ calls: tests/common/tools.rs:1
}
//- /tests/second.rs
mod common;
use crate::common::tools;
#[test]
fn works() {
    common::setup();
    //      ^ calls: tests/common/mod.rs:2
    tools::tool();
    //     ^ calls: tests/common/tools.rs:1
}
//- /tests/third/main.rs
#[path = "../common/mod.rs"]
mod common;
fn works() {
    common::setup();
    //      ^ calls: tests/common/mod.rs:2
}
"#,
    );
}

#[test]
fn dereferenced_receivers() {
    check(
        r#"
//- /src/lib.rs
pub struct Inner;
impl Inner { fn work(&self) {} }
pub struct Outer { inner: Box<Inner> }
pub struct Other;
impl Other { fn own(&self) {} fn work(&self) {} }
impl Outer {
    fn own(&self) {}
    fn run(&mut self) {
        (*self).own();
        //      ^ calls: src/lib.rs:7
        (*self.inner).work();
        //            ^ calls: src/lib.rs:2
        (&self.inner).work();
        //            ^ calls: src/lib.rs:2
    }
}
"#,
    );
}

#[test]
fn parameters_of_closures() {
    check(
        r#"
//- /src/lib.rs
pub struct Item;
impl Item { fn work(&self) -> Part { Part } fn show(&self) {} }
pub struct Part;
impl Part { fn show(&self) {} fn work(&self) {} }
struct Store { items: Vec<Item>, one: Option<Item> }
impl Store {
    fn run(&self) {
        self.items.iter().for_each(|item| { item.work(); });
        //                                       ^ calls: src/lib.rs:2
        self.items.iter().map(|item| item.work()).count();
        //                                ^ calls: src/lib.rs:2
        self.items.iter().filter(|item| item.work()).count();
        //                                   ^ calls: src/lib.rs:2
        self.one.as_ref().map(|item| item.work());
        //                                ^ calls: src/lib.rs:2
        self.items.iter().fold(0, |n, item| item.work());
        //                                       ^ calls: src/lib.rs:2
        let typed = |item: &Item| item.work();
        //                             ^ calls: src/lib.rs:2
    }
    fn each(&self, visit: impl Fn(&Item, &Part)) {}
    fn with<F>(&self, visit: F) where F: FnOnce(&Part) {}
    fn given(&self) {
        self.each(|item, part| {
            item.work();
            //   ^ calls: src/lib.rs:2
            part.show();
            //   ^ calls: src/lib.rs:4
        });
        self.with(|part| part.show());
        //                    ^ calls: src/lib.rs:4
    }
}
"#,
    );
}

#[test]
fn results_of_closures() {
    check(
        r#"
//- /src/lib.rs
pub struct Item;
impl Item { fn new() -> Item { Item } fn work(&self) -> Part { Part } fn show(&self) {} }
pub struct Part;
impl Part { fn show(&self) {} fn work(&self) {} }
fn run(given: &Item, other: Part) {
    let make = || Item::new();
    make().work();
    //     ^ calls: src/lib.rs:2
    let built = |n: u32| Item { };
    built(1).show();
    //       ^ calls: src/lib.rs:2
    let mut block = move |n: u32| { given.work() };
    block(2).show();
    //       ^ calls: src/lib.rs:4
    let written = |n: u32| -> Part { todo!() };
    written(3).show();
    //         ^ calls: src/lib.rs:4
    let tried = || -> Option<Item> { None };
    tried().unwrap().show();
    //               ^ calls: src/lib.rs:2
    let held = make();
    held.show();
    //   ^ calls: src/lib.rs:2
    // The parameter hides the variable of its name.
    let inner = |other: &Item| other.work();
    inner(given).show();
    //           ^ calls: src/lib.rs:4
}
"#,
    );
}

#[test]
fn elements_of_loops() {
    check(
        r#"
//- /src/lib.rs
use std::collections::HashMap;
pub struct Item;
impl Item { fn work(&self) {} fn show(&self) {} }
pub struct Key;
impl Key { fn show(&self) {} fn work(&self) {} }
fn run(items: &[Item], named: HashMap<Key, Item>, pairs: Vec<(Key, Item)>) {
    for (at, item) in items.iter().enumerate() {
        item.work();
        //   ^ calls: src/lib.rs:3
    }
    for (key, item) in &named {
        item.work();
        //   ^ calls: src/lib.rs:3
    }
    for Wrapped { item, key: other } in wrapped() {
        item.work();
        //   ^ calls: src/lib.rs:3
        other.show();
        //    ^ calls: src/lib.rs:5
    }
    items.iter().zip(named.keys()).for_each(|(item, key)| item.work());
    //                                                         ^ calls: src/lib.rs:3
    match (pairs.first(), named.get("a")) {
        (Some((key, _)), Some(item)) => {
            key.show();
            //  ^ calls: src/lib.rs:5
            item.work();
            //   ^ calls: src/lib.rs:3
        }
        _ => {}
    }
    for item in named.values() {
        item.work();
        //   ^ calls: src/lib.rs:3
    }
    for (key, item) in pairs {
        key.show();
        //  ^ calls: src/lib.rs:5
        item.work();
        //   ^ calls: src/lib.rs:3
    }
    while let Some(item) = items.iter().next() {
        item.work();
        //   ^ calls: src/lib.rs:3
    }
}
pub struct Wrapped { item: Item, key: Key }
fn wrapped() -> Vec<Wrapped> { vec![] }
"#,
    );
}

#[test]
fn tuples_and_shadowing() {
    check(
        r#"
//- /src/lib.rs
pub struct Left;
impl Left { fn work(&self) -> Right { Right } }
pub struct Right;
impl Right { fn work(&self) {} }
fn both() -> (Left, Right) { (Left, Right) }
fn run(pair: (Left, Right)) {
    let (left, right) = both();
    left.work();
    //   ^ calls: src/lib.rs:2
    right.work();
    //    ^ calls: src/lib.rs:4
    let (a, b) = pair;
    b.work();
    //^ calls: src/lib.rs:4
    let value = left;
    value.work();
    //    ^ calls: src/lib.rs:2
    let value = value.work();
    //                ^ calls: src/lib.rs:2
    value.work();
    //    ^ calls: src/lib.rs:4
    pair.0.work();
    //     ^ calls: src/lib.rs:2
    pair.1.work();
    //     ^ calls: src/lib.rs:4
}
"#,
    );
}

#[test]
fn blocks_are_scopes() {
    check(
        r#"
//- /src/lib.rs
pub struct Left;
impl Left { fn work(&self) -> Right { Right } fn right(&self) -> Option<Right> { None } }
pub struct Right;
impl Right { fn work(&self) {} }
fn size() -> u32 { 0 }
fn run(value: Left, many: Vec<Right>) {
    {
        let value = Right;
        value.work();
        //    ^ calls: src/lib.rs:4
    }
    value.work();
    //    ^ calls: src/lib.rs:2
    if let Some(value) = value.right() {
        value.work();
        //    ^ calls: src/lib.rs:4
    } else {
        value.work();
        //    ^ calls: src/lib.rs:2
    }
    for value in many.iter() {
        value.work();
        //    ^ calls: src/lib.rs:4
    }
    many.iter().for_each(|value| value.work());
    //                                 ^ calls: src/lib.rs:4
    match value.right() {
        Some(value) if true => value.work(),
        //                           ^ calls: src/lib.rs:4
        _ => drop(value.work()),
        //              ^ calls: src/lib.rs:2
    }
    value.work();
    //    ^ calls: src/lib.rs:2
    let value = value.work();
    //                ^ calls: src/lib.rs:2
    while let Some(value) = many.first() {
        let value = Left;
        value.work();
        //    ^ calls: src/lib.rs:2
    }
    value.work();
    //    ^ calls: src/lib.rs:4
    if true {
        let size = size();
        //         ^ calls: src/lib.rs:5
        drop(size);
    }
    size();
    //^ calls: src/lib.rs:5
}
"#,
    );
}
