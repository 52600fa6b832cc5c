use expect_test::expect;
use syntax::Language::Swift;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Swift,
        r#"let limit = 10, other: Int = 2
var global: Store = Store()
let handler = { (r: Request) -> Int in serve(r) }
public func fetch(_ url: String, with retries: Int = 3, options: Option..., done: @escaping (Int) -> Void) async throws -> Body? {
  if retries > 3 && ok() { return nil }
  guard let a = find() else { return nil }
  for o in options { x(o ?? a) }
  switch retries {
  case 1: b()
  default: c()
  }
  do { try d() } catch { }
  return nil
}
func largest<T: Comparable, U>(_ xs: [T]) -> U where U: Any { f() }
private func hidden() -> Int { 1 }
var shout: String { "x" }
func == (a: Foo, b: Foo) -> Bool { true }
class FetchTests: XCTestCase { func testFetch() { } }
"#,
        expect![[r#"
            Variable limit 1-1 [EXPORTED READONLY] `let limit = 10, other: Int = 2` -> Int
            Variable other 1-1 [EXPORTED READONLY] `let limit = 10, other: Int = 2` -> Int
            Variable global 2-2 [EXPORTED] `var global: Store = Store()` -> Store
            Function handler 3-3 [EXPORTED READONLY] `let handler` (r: Request) -> Int
            Function fetch 4-14 [EXPORTED ASYNC] `public func fetch(_ url: String, with retries: Int = 3, options: Option..., done: @escaping (Int) -> Void) async throws -> Body?` (url: String) (retries: Int) (options: Option) (done: (Int) -> Void) -> Body? cx 9
            Function largest 15-15 [EXPORTED] `func largest<T: Comparable, U>(_ xs: [T]) -> U where U: Any` (xs: [T]) <T: Comparable> <U: > <U: Any> -> U
            Function hidden 16-16 [PRIVATE] `private func hidden() -> Int` -> Int
            Function shout 17-17 [EXPORTED ACCESSOR] `var shout: String` -> String
            Function == 18-18 [EXPORTED] `func == (a: Foo, b: Foo) -> Bool` (a: Foo) (b: Foo) -> Bool
            Class FetchTests 19-19 [EXPORTED TEST] `class FetchTests: XCTestCase` Extends XCTestCase
            Method FetchTests.testFetch 19-19 [EXPORTED TEST] `func testFetch()`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Swift,
        r#"public final class Router<T: Route>: Base, Handler where T: Any {
  private let svc: Service, other = 1
  public static let limit = 3
  static var count: Int = 0
  var size: Int { items.count }
  var ready: Bool { get { check() } set { store(newValue) } }
  lazy var made = make()
  var onDone: (Int) -> Void = { n in log(n) }
  init(svc: Service, _ n: Int = 3) { self.svc = svc }
  convenience init?(x: Int) { self.init(svc: Service()) }
  deinit { close() }
  override func toString(for a: Foo, with b: inout Bar) -> String { return "" }
  class func create() -> Router { Router() }
  subscript(i: Int) -> Int { return get(i) }
}
protocol Handler {
  associatedtype Item
  var limit: Int { get }
  func handle(_ r: Request) -> Response
  init(a: Int)
}
enum Color: String {
  case red = "r", green
  case pair(Int, b: Foo)
  func label() -> String { "" }
}
struct Point { let x: Int; var y: Foo }
extension Point: Equatable {
  func norm() -> Double { 0 }
}
actor Store { func save() { } }
typealias Table = [String: Foo]
"#,
        expect![[r#"
            Class Router 1-15 [EXPORTED FINAL] `public final class Router<T: Route>: Base, Handler where T: Any` <T: Route> <T: Any> Extends Base Implements Handler
            Field Router.svc 2-2 [READONLY PRIVATE] `private let svc: Service, other = 1` -> Service
            Field Router.other 2-2 [READONLY PRIVATE] `private let svc: Service, other = 1` -> Service
            Constant Router.limit 3-3 [EXPORTED STATIC READONLY] `public static let limit = 3`
            Field Router.count 4-4 [EXPORTED STATIC] `static var count: Int = 0` -> Int
            Method Router.size 5-5 [EXPORTED ACCESSOR] `var size: Int` -> Int
            Method Router.ready 6-6 [EXPORTED ACCESSOR] `var ready: Bool` -> Bool
            Field Router.made 7-7 [EXPORTED LAZY] `lazy var made = make()`
            Method Router.onDone 8-8 [EXPORTED] `var onDone: (Int) -> Void` (n: )
            Constructor Router.init 9-9 [EXPORTED] `init(svc: Service, _ n: Int = 3)` (svc: Service) (n: Int)
            Constructor Router.init 10-10 [EXPORTED] `convenience init?(x: Int)` (x: Int)
            Method Router.deinit 11-11 [EXPORTED] `deinit`
            Method Router.toString 12-12 [EXPORTED OVERRIDE] `override func toString(for a: Foo, with b: inout Bar) -> String` (a: Foo) (b: Bar) -> String
            Method Router.create 13-13 [EXPORTED STATIC] `class func create() -> Router` -> Router
            Method Router.subscript 14-14 [EXPORTED] `subscript(i: Int) -> Int` (i: Int) -> Int
            Interface Handler 16-21 [EXPORTED] `protocol Handler`
            TypeAlias Handler.Item 17-17 [EXPORTED] `associatedtype Item`
            Field Handler.limit 18-18 [EXPORTED] `var limit: Int { get }` -> Int
            Method Handler.handle 19-19 [EXPORTED DECLARATION] `func handle(_ r: Request) -> Response` (r: Request) -> Response
            Constructor Handler.init 20-20 [EXPORTED DECLARATION] `init(a: Int)` (a: Int)
            Enum Color 22-26 [EXPORTED] `enum Color: String` Implements String
            Variant Color.red 23-23 [EXPORTED] `case red = "r", green`
            Variant Color.green 23-23 [EXPORTED] `case red = "r", green`
            Variant Color.pair 24-24 [EXPORTED] `case pair(Int, b: Foo)`
            Method Color.label 25-25 [EXPORTED] `func label() -> String` -> String
            Struct Point 27-27 [EXPORTED] `struct Point`
            Field Point.x 27-27 [EXPORTED READONLY] `let x: Int` -> Int
            Field Point.y 27-27 [EXPORTED] `var y: Foo` -> Foo
            Impl Point 28-30 `extension Point: Equatable` Implements Equatable
            Method Point.norm 29-29 [EXPORTED] `func norm() -> Double` -> Double
            Class Store 31-31 [EXPORTED] `actor Store`
            Method Store.save 31-31 [EXPORTED] `func save()`
            TypeAlias Table 32-32 [EXPORTED] `typealias Table = [String: Foo]` -> [String: Foo]
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Swift,
        r#"class Outer {
  class Inner { func a() { helper() } }
  struct Nested { }
  func m() {
    func local(q: Int) -> Int { deep(q) }
    let twice = { (n: Int) -> Int in n * 2 }
    let run = { go() }
    list.forEach { e in call(e) }
    app.get("/") { req in serve(req) }
    let value = 1
  }
}
"#,
        expect![[r#"
            Class Outer 1-12 [EXPORTED] `class Outer`
            Class Outer.Inner 2-2 [EXPORTED] `class Inner`
            Method Outer.Inner.a 2-2 [EXPORTED] `func a()`
            Struct Outer.Nested 3-3 [EXPORTED] `struct Nested`
            Method Outer.m 4-11 [EXPORTED] `func m()`
            Function Outer.m.local 5-5 `func local(q: Int) -> Int` (q: Int) -> Int
            Function Outer.m.twice 6-6 [READONLY] `let twice` (n: Int) -> Int
            Function Outer.m.run 7-7 [READONLY] `let run`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Swift,
        r#"import Foundation
import Acme.Data
import struct Core.Thing
@testable import App
#if canImport(UIKit)
import UIKit
#endif
class A { }
"#,
        expect![[r#"
            "Foundation" "" as "" GLOB in <file>
            "Acme.Data" "" as "" GLOB in <file>
            "Core" "Thing" as "Thing" in <file>
            "App" "" as "" GLOB in <file>
            "UIKit" "" as "" GLOB in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Swift,
        r#"class A: Base<T>, IThing, Pkg.Other { }
class B<T>: Base { }
protocol K: L, M { }
struct S: IThing { }
enum E: Int, IThing { case x }
extension S: P, Q { }
"#,
        expect![[r#"
            Class A 1-1 [EXPORTED] `class A: Base<T>, IThing, Pkg.Other` Extends Base<T> Implements IThing Implements Pkg.Other
            Class B 2-2 [EXPORTED] `class B<T>: Base` <T: > Extends Base
            Interface K 3-3 [EXPORTED] `protocol K: L, M` Extends L Extends M
            Struct S 4-4 [EXPORTED] `struct S: IThing` Implements IThing
            Enum E 5-5 [EXPORTED] `enum E: Int, IThing` Implements Int Implements IThing
            Variant E.x 5-5 [EXPORTED] `case x`
            Impl S 6-6 `extension S: P, Q` Implements P Implements Q
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Swift,
        r#"class A: B {
  func main() {
    helper(1, b: 2)
    self.svc.load(x).next()
    Foo<Int>(a).bar()
    Outer.Inner(a: 1)
    super.run()
    Type.staticCall(limit)
    list.map(Foo.convert)
    a?.close(1)
    b!.open()
    with(c) { inside() }
    list.filter { $0.isOk() }
    let s: Service = field.inner as! Cast
    if s is Sub { throw Failure("x \(text())") }
    try await client.get()
    UIView.animate(duration: 1) { one() } completion: { two() }
    use(.red, self)
  }
  @objc @Named("x") func annotated(a: Arg?) -> [Key: Value] { make() }
}
"#,
        expect![[r#"
            Type B in A line 1
            Call helper (2) in A.main line 3
            Member self . svc in A.main line 4
            MethodCall self.svc . load (1) in A.main line 4
            Value x in A.main line 4
            MethodCall self.svc.load(x) . next (0) in A.main line 4
            New Foo (1) in A.main line 5
            Type Int in A.main line 5
            Value a in A.main line 5
            MethodCall Foo<Int>(a) . bar (0) in A.main line 5
            Value Outer in A.main line 6
            MethodCall Outer . Inner (1) in A.main line 6
            MethodCall super . run (0) in A.main line 7
            Value Type in A.main line 8
            MethodCall Type . staticCall (1) in A.main line 8
            Value limit in A.main line 8
            Value list in A.main line 9
            MethodCall list . map (1) in A.main line 9
            Value Foo in A.main line 9
            Member Foo . convert in A.main line 9
            Value a in A.main line 10
            MethodCall a . close (1) in A.main line 10
            Value b in A.main line 11
            MethodCall b! . open (0) in A.main line 11
            Call with (1) in A.main line 12
            Value c in A.main line 12
            Call inside (0) in A.main line 12
            Value list in A.main line 13
            MethodCall list . filter in A.main line 13
            Value $0 in A.main line 13
            MethodCall $0 . isOk (0) in A.main line 13
            Type Service in A.main line 14
            Value field in A.main line 14
            Member field . inner in A.main line 14
            Type Cast in A.main line 14
            Type Sub in A.main line 15
            Call Failure (1) in A.main line 15
            Call text (0) in A.main line 15
            Value client in A.main line 16
            MethodCall client . get (0) in A.main line 16
            Value UIView in A.main line 17
            MethodCall UIView . animate (1) in A.main line 17
            Call one (0) in A.main line 17
            Call two (0) in A.main line 17
            Call use (2) in A.main line 18
            Decorator objc in A line 20
            Decorator Named in A line 20
            Type Arg in A.annotated line 20
            Type Key in A.annotated line 20
            Type Value in A.annotated line 20
            Call make (0) in A.annotated line 20
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Swift,
        r#"class A {
  private let svc: Service
  func f(a: Foo, with b: inout Bar<T>, c: Baz...) {
    let x: Item = make()
    let y = Thing()
    var z = client.load(1)
    let w = try await client.get(1)
    let v = x.field
    let u = a as? Cast
    let g = Generic<Int>(1)
    self.svc = Service()
    self.other = a
    for e in list { }
    if let s = a as? Sub { }
    guard let q = find() else { return }
    do { } catch let ex as IOError { }
    let (m, n) = pair()
    list.map { p in p.id() }
    list.map { (r: Foo) in r.id() }
    switch a { case let .some(k): use(k) }
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            a Annotated "Foo" in A.f
            b Annotated "Bar<T>" in A.f
            c Annotated "Baz" in A.f
            x Annotated "Item" in A.f
            y Call "Thing" in A.f
            z Call "client.load" in A.f
            w Call "client.get" in A.f
            v Alias "x.field" in A.f
            u Annotated "Cast" in A.f
            g Constructed "Generic<Int>" in A.f
            self.svc Call "Service" in A.f
            self.other Alias "a" in A.f
            e Element "list" in A.f
            s Annotated "Sub" in A.f
            q Call "find" in A.f
            ex Annotated "IOError" in A.f
            m Alias "" in A.f
            n Alias "" in A.f
            p Alias "" in A.f
            r Annotated "Foo" in A.f
            some Alias "" in A.f
            k Alias "" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Swift,
        r#"/// Adds.
///
/// - Parameter a: first
@Service("x")
class A {
  /** The field. */
  @Inject var x: Int // trailing
  var y = 1

  // far away

  func g() { }
}
"#,
        expect![[r#"
            A "Adds.\n\n- Parameter a: first" ["Service(\"x\")"]
            A.x "The field." ["Inject"]
            A.y "" []
            A.g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Swift,
        r#"class A {
  func before() { a() }
  func broken( { let x = }
  func after() { if }
}
"#,
        expect![[r#"
            Class A 1-5 [EXPORTED] `class A`
            Method A.before 2-2 [EXPORTED] `func before()`
            Method A.broken 3-3 [EXPORTED] `func broken(`
            Method A.after 4-4 [EXPORTED] `func after()`
            Syntax line 3: ) is missing
            Syntax line 3: text does not fit the grammar
            Syntax line 4: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Swift,
        r#"open class Shape {
    private let sides = 3
    fileprivate var count = 0
    internal lazy var name = "x"
    open func draw() {}
    final func own() {}
    public override func describe() -> String { "" }
    static func make() {}
}
struct Point {
    mutating func move() {}
}
final class Circle: Shape {}
"#,
        expect![[r#"
            Class Shape 1-9 [EXPORTED VIRTUAL] `open class Shape`
            Field Shape.sides 2-2 [READONLY PRIVATE] `private let sides = 3`
            Field Shape.count 3-3 [PRIVATE] `fileprivate var count = 0`
            Field Shape.name 4-4 [EXPORTED INTERNAL LAZY] `internal lazy var name = "x"`
            Method Shape.draw 5-5 [EXPORTED VIRTUAL] `open func draw()`
            Method Shape.own 6-6 [EXPORTED FINAL] `final func own()`
            Method Shape.describe 7-7 [EXPORTED OVERRIDE] `public override func describe() -> String` -> String
            Method Shape.make 8-8 [EXPORTED STATIC] `static func make()`
            Struct Point 10-12 [EXPORTED] `struct Point`
            Method Point.move 11-11 [EXPORTED MUTABLE] `mutating func move()`
            Class Circle 13-13 [EXPORTED FINAL] `final class Circle: Shape` Extends Shape
        "#]],
    );
}
