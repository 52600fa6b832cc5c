//! Types of Swift and their members: extensions, protocols, supertypes, properties, generics.

use crate::check;

#[test]
fn extensions() {
    check(
        r#"
//- /Sources/App/A.swift
struct Point {
    let x: Int
    func near() { far() }
//                ^ calls: Sources/App/A.swift:7
}
extension Point {
    func far() {
        near()
//      ^ calls: Sources/App/A.swift:3
        self.near()
//           ^ calls: Sources/App/A.swift:3
    }
}
func run(p: Point, text: String) {
    p.far()
//    ^ calls: Sources/App/A.swift:7
    text.shout()
//       ^ calls: Sources/App/Strings.swift:2
    "x".shout()
//      ^ calls: Sources/App/Strings.swift:2
    p.missing()
//    ^ calls: nothing
}
//- /Sources/App/Strings.swift
extension String {
    func shout() -> String { self }
}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /Sources/App/A.swift
class Base: Shape {
    func own() {}
    func step() {}
    func area() -> Int { 0 }
}
protocol Shape { func area() -> Int }
class Child: Base {
    func run(shape: Shape, any: any Shape) {
        own()
//      ^ calls: Sources/App/A.swift:2
        super.own()
//            ^ calls: Sources/App/A.swift:2
        super.step()
//            ^ calls: Sources/App/A.swift:3
        step()
//      ^ calls: Sources/App/A.swift:22
        shape.area()
//            ^ calls: Sources/App/A.swift:6
        any.area()
//          ^ calls: Sources/App/A.swift:6
    }
    override func step() {}
}
"#,
    );
}

#[test]
fn protocol_extensions() {
    check(
        r#"
//- /Sources/App/A.swift
protocol Greeter { func name() -> String }
extension Greeter {
    func greet() { name() }
//                 ^ calls: Sources/App/A.swift:1
}
struct User: Greeter {
    func name() -> String { "" }
    func run() {
        greet()
//      ^ calls: Sources/App/A.swift:3
    }
}
func run(u: User) {
    u.greet()
//    ^ calls: Sources/App/A.swift:3
}
"#,
    );
}

#[test]
fn properties() {
    check(
        r#"
//- /Sources/App/A.swift
class Client { func go() -> Client { self }
    var next: Client? { nil } }
class Service {
    let client: Client
    lazy var made = Client()
    static let shared = Service()
    init(client: Client) { self.client = client }
}
class A {
    let svc: Service
    var plain: Client?
    init(svc: Service) { self.svc = svc }
    func run() {
        svc.client.go().go()
//                 ^ calls: Sources/App/A.swift:1
//                      ^ calls: Sources/App/A.swift:1
        self.svc.made.go()
//                    ^ calls: Sources/App/A.swift:1
        plain?.go()
//             ^ calls: Sources/App/A.swift:1
        plain!.go()
//             ^ calls: Sources/App/A.swift:1
        svc.client.next?.go()
//                       ^ calls: Sources/App/A.swift:1
        Service.shared.client.go()
//                            ^ calls: Sources/App/A.swift:1
    }
}
"#,
    );
}

#[test]
fn enums_and_nested_types() {
    check(
        r#"
//- /Sources/App/A.swift
enum Color {
    case red
    func label() -> String { "" }
    static func of() -> Color { .red }
}
class Outer {
    struct Inner { func deep() {} }
    func run(inner: Inner) {
        inner.deep()
//            ^ calls: Sources/App/A.swift:7
        Inner().deep()
//      ^ calls: Sources/App/A.swift:7
//              ^ calls: Sources/App/A.swift:7
    }
}
func run(c: Color) {
    c.label()
//    ^ calls: Sources/App/A.swift:3
    Color.red.label()
//            ^ calls: Sources/App/A.swift:3
    Color.of().label()
//        ^ calls: Sources/App/A.swift:4
//             ^ calls: Sources/App/A.swift:3
    Outer.Inner().deep()
//        ^ calls: Sources/App/A.swift:7
//                ^ calls: Sources/App/A.swift:7
}
"#,
    );
}

#[test]
fn generics() {
    check(
        r#"
//- /Sources/App/A.swift
protocol Named { func name() -> String }
class User: Named { func name() -> String { "" }
    func greet() {} }
class Box<T: Named> {
    let held: T
    func open() -> T { held }
    func run(one: T) {
        one.name()
//          ^ calls: Sources/App/A.swift:1
        held.name()
//           ^ calls: Sources/App/A.swift:1
    }
}
func run(box: Box<User>) {
    box.open().greet()
//      ^ calls: Sources/App/A.swift:6
//             ^ calls: Sources/App/A.swift:3
    box.held.greet()
//           ^ calls: Sources/App/A.swift:3
}
"#,
    );
}
