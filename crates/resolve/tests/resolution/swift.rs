use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /Sources/App/A.swift
func helper() {}
class A {
    func own() {}
    static func make() -> A { A() }
    func run() {
        helper()
//      ^ calls: Sources/App/A.swift:1
        own()
//      ^ calls: Sources/App/A.swift:3
        self.own()
//           ^ calls: Sources/App/A.swift:3
        A.make().own()
//        ^ calls: Sources/App/A.swift:4
//               ^ calls: Sources/App/A.swift:3
        Self.make()
//           ^ calls: Sources/App/A.swift:4
        missing()
//      ^ calls: nothing
        print("x")
//      ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn local_functions_and_closures() {
    check(
        r#"
//- /Sources/App/A.swift
func run() {
    func local(q: Int) -> Int { q }
    local(q: 1)
//  ^ calls: Sources/App/A.swift:2
    let twice = { (n: Int) -> Int in local(q: n) }
//                                   ^ calls: Sources/App/A.swift:2
    twice(2)
//  ^ calls: Sources/App/A.swift:5
    [1].map { local(q: $0) }
//            ^ calls: Sources/App/A.swift:2
}
func other() {
    local(q: 1)
//  ^ calls: nothing
}
"#,
    );
}

#[test]
fn overloads() {
    check(
        r#"
//- /Sources/App/A.swift
class A {
    func put(_ a: String) {}
    func put(_ a: String, b: Int) {}
    func run(other: A) {
        other.put("x", b: 1)
//            ^ calls: Sources/App/A.swift:3
        put("x")
//      ^ calls: Sources/App/A.swift:2
    }
}
"#,
    );
}

#[test]
fn same_target() {
    check(
        r#"
//- /Sources/App/A.swift
class A {
    func run(b: B) {
        B.create().work()
//        ^ calls: Sources/App/Deep/B.swift:3
//                 ^ calls: Sources/App/Deep/B.swift:2
        B().work()
//      ^ calls: Sources/App/Deep/B.swift:1
//          ^ calls: Sources/App/Deep/B.swift:2
        b.work()
//        ^ calls: Sources/App/Deep/B.swift:2
        shared()
//      ^ calls: Sources/App/Deep/B.swift:5
        elsewhere()
//      ^ calls: nothing
    }
}
//- /Sources/App/Deep/B.swift
class B {
    func work() {}
    static func create() -> B { B() }
}
func shared() {}
//- /Sources/Core/C.swift
func elsewhere() {}
"#,
    );
}

#[test]
fn imported_target() {
    check(
        r#"
//- /Sources/App/A.swift
import Core
import Foundation
class A {
    let tool = Tool()
    func run(other: Tool) {
        tool.use()
//           ^ calls: Sources/Core/Tool.swift:2
        other.use()
//            ^ calls: Sources/Core/Tool.swift:2
        clean()
//      ^ calls: Sources/Core/Tool.swift:5
        Tool.fix()
//           ^ calls: Sources/Core/Tool.swift:3
    }
}
//- /Sources/Core/Tool.swift
public class Tool {
    public func use() {}
    public static func fix() {}
}
public func clean() {}
"#,
    );
}

#[test]
fn imported_name() {
    check(
        r#"
//- /Sources/App/A.swift
import struct Core.Tool
func run(tool: Tool) {
    tool.use()
//       ^ calls: Sources/Core/Tool.swift:2
    Core.Tool.fix()
//            ^ calls: Sources/Core/Tool.swift:3
}
//- /Sources/Core/Tool.swift
public struct Tool {
    public func use() {}
    public static func fix() {}
}
"#,
    );
}

#[test]
fn files_of_an_app() {
    check(
        r#"
//- /App/Views/A.swift
class A {
    func run(store: Store) {
        store.save()
//            ^ calls: App/Models/Store.swift:1
    }
}
//- /App/Models/Store.swift
actor Store { func save() {} }
"#,
    );
}

#[test]
fn variables() {
    check(
        r#"
//- /Sources/App/A.swift
class Item { func work() {}
    func next() -> Item { self } }
class Repo {
    func find(_ a: Int) -> Item? { nil }
    func load() async throws -> Item { Item() }
    var all: [Item] { [] }
}
func repo() -> Repo { Repo() }
func run(repo2: Repo, other: Any, list: [Item]) async throws {
    let a = Item()
    a.work()
//    ^ calls: Sources/App/A.swift:1
    let b: Item = make()
    b.work()
//    ^ calls: Sources/App/A.swift:1
    let c = try await repo2.load()
//                          ^ calls: Sources/App/A.swift:5
    c.next().work()
//    ^ calls: Sources/App/A.swift:2
//           ^ calls: Sources/App/A.swift:1
    if let d = repo2.find(1) {
//                   ^ calls: Sources/App/A.swift:4
        d.work()
//        ^ calls: Sources/App/A.swift:1
    }
    guard let e = other as? Item else { return }
    e.work()
//    ^ calls: Sources/App/A.swift:1
    for one in list {
        one.work()
//          ^ calls: Sources/App/A.swift:1
    }
    for one in repo2.all {
        one.work()
//          ^ calls: Sources/App/A.swift:1
    }
    repo().find(1)?.work()
//  ^ calls: Sources/App/A.swift:8
//         ^ calls: Sources/App/A.swift:4
//                  ^ calls: Sources/App/A.swift:1
    (other as! Item).work()
//                   ^ calls: Sources/App/A.swift:1
}
"#,
    );
}

#[test]
fn shorthand_bindings() {
    check(
        r#"
//- /Sources/App/A.swift
class Item { func work() {} }
func run(item: Item?) {
    if let item {
        item.work()
//           ^ calls: Sources/App/A.swift:1
    }
    guard let item else { return }
    item.work()
//       ^ calls: Sources/App/A.swift:1
}
"#,
    );
}

#[test]
fn closures_behind_calls() {
    check(
        r#"
//- /Sources/App/A.swift
class Query {
    func filter(_ f: (Int) -> Bool) -> Query { self }
    func run() {}
}
func go(query: Query) {
    query.filter { $0 > 1 }.run()
//        ^ calls: Sources/App/A.swift:2
//                          ^ calls: Sources/App/A.swift:3
    query.filter({ $0 > 1 }).run()
//        ^ calls: Sources/App/A.swift:2
//                           ^ calls: Sources/App/A.swift:3
    Query().filter { $0 > 1 }.run()
//  ^ calls: Sources/App/A.swift:1
//          ^ calls: Sources/App/A.swift:2
//                            ^ calls: Sources/App/A.swift:3
}
"#,
    );
}

#[test]
fn a_variable_hides_a_function() {
    check(
        r#"
//- /Sources/App/A.swift
func go() {}
func run(go: () -> Void) {
    go()
//  ^ calls: nothing
}
"#,
    );
}

#[test]
fn tests_see_their_target() {
    check(
        r#"
//- /Sources/App/A.swift
struct A { func work() {} }
//- /Tests/AppTests/ATests.swift
@testable import App
class ATests: XCTestCase {
    func testWork() {
        A().work()
//      ^ calls: Sources/App/A.swift:1
//          ^ calls: Sources/App/A.swift:1
    }
}
"#,
    );
}
