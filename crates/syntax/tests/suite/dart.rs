use expect_test::expect;
use syntax::Language::Dart;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Dart,
        r#"const limit = 10;
final Store global = Store();
var counter = 0, other;
var handler = (Request r) => serve(r);
Future<Body?> fetch(String url, {int retries = 3, required Option option}) async {
  if (retries > 3 && ok()) return null;
  for (var o in options) { x(o ?? other); }
  switch (retries) { case 1: a(); default: b(); }
  try { c(); } on IOException catch (e) { }
  return null;
}
T largest<T extends Comparable<T>, R>(List<T> xs, [R Function(T)? f]) => xs.first;
int get answer => 42;
void _hidden() {}
void main() {}
"#,
        expect![[r#"
            Constant limit 1-1 [EXPORTED CONST] `const limit = 10`
            Variable global 2-2 [EXPORTED READONLY] `final Store global = Store()` -> Store
            Variable counter 3-3 [EXPORTED] `var counter = 0, other`
            Variable other 3-3 [EXPORTED] `var counter = 0, other`
            Function handler 4-4 [EXPORTED] `var handler = (Request r)` (r: Request)
            Function fetch 5-11 [EXPORTED ASYNC] `Future<Body?> fetch(String url, {int retries = 3, required Option option})` (url: String) (retries: int) (option: Option) -> Future<Body?> cx 7
            Function largest 12-12 [EXPORTED] `T largest<T extends Comparable<T>, R>(List<T> xs, [R Function(T)? f])` (xs: List<T>) (f: R Function(T)?) <T: Comparable<T>> <R: > -> T
            Function answer 13-13 [EXPORTED ACCESSOR] `int get answer` -> int
            Function _hidden 14-14 [PRIVATE] `void _hidden()` -> void
            Function main 15-15 [EXPORTED] `void main()` -> void
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Dart,
        r#"abstract class Router<T extends Route> extends Base<T> {
  final Service svc, other;
  static const int limit = 3;
  late final Store store = Store();
  var _count = 0;
  void Function(int) onDone = (n) => log(n);
  int get size => items.length;
  set size(int v) { keep(v); }
  Router(this.svc, {required this.other, int n = 3, super.key}) : super(n) { setup(); }
  Router.named(int a) : this(Service(), a);
  factory Router.make() => Router(Service());
  const Router._();
  @override String toString() { return ''; }
  void run(int a);
  static Future<void> go() async {}
  bool operator ==(Object o) => true;
}
mixin Logs on Base { void log() {} }
enum Color { red(1), green(2); final int code; const Color(this.code); String label() => ''; }
extension Shout on String { String shout(int n) => this; }
extension type Id(int value) { int twice() => value * 2; }
typedef Handler = void Function(int a);
"#,
        expect![[r#"
            Class Router 1-17 [EXPORTED ABSTRACT] `abstract class Router<T extends Route> extends Base<T>` <T: Route> Extends Base<T>
            Field Router.svc 2-2 [EXPORTED READONLY] `final Service svc, other` -> Service
            Field Router.other 2-2 [EXPORTED READONLY] `final Service svc, other` -> Service
            Constant Router.limit 3-3 [EXPORTED STATIC CONST] `static const int limit = 3` -> int
            Field Router.store 4-4 [EXPORTED READONLY LAZY] `late final Store store = Store()` -> Store
            Field Router._count 5-5 [PRIVATE] `var _count = 0`
            Method Router.onDone 6-6 [EXPORTED] `void Function(int) onDone = (n)` (n: )
            Method Router.size 7-7 [EXPORTED ACCESSOR] `int get size` -> int
            Method Router.size 8-8 [EXPORTED ACCESSOR] `set size(int v)` (v: int)
            Constructor Router.Router 9-9 [EXPORTED] `Router(this.svc, {required this.other, int n = 3, super.key}) : super(n)` (svc: ) (other: ) (n: int) (key: )
            Constructor Router.named 10-10 [EXPORTED] `Router.named(int a) : this(Service(), a)` (a: int)
            Constructor Router.make 11-11 [EXPORTED] `factory Router.make()`
            Constructor Router._ 12-12 [CONST PRIVATE] `const Router._()`
            Method Router.toString 13-13 [EXPORTED OVERRIDE] `String toString()` -> String
            Method Router.run 14-14 [EXPORTED DECLARATION] `void run(int a)` (a: int) -> void
            Method Router.go 15-15 [EXPORTED STATIC ASYNC] `static Future<void> go()` -> Future<void>
            Method Router.operator== 16-16 [EXPORTED] `bool operator ==(Object o)` (o: Object) -> bool
            Trait Logs 18-18 [EXPORTED] `mixin Logs on Base` Extends Base
            Method Logs.log 18-18 [EXPORTED] `void log()` -> void
            Enum Color 19-19 [EXPORTED] `enum Color`
            Variant Color.red 19-19 [EXPORTED] `red(1)`
            Variant Color.green 19-19 [EXPORTED] `green(2)`
            Field Color.code 19-19 [EXPORTED READONLY] `final int code` -> int
            Constructor Color.Color 19-19 [EXPORTED CONST] `const Color(this.code)` (code: )
            Method Color.label 19-19 [EXPORTED] `String label()` -> String
            Impl String 20-20 `extension Shout on String`
            Method String.shout 20-20 [EXPORTED] `String shout(int n)` (n: int) -> String
            Class Id 21-21 [EXPORTED] `extension type Id(int value)`
            Field Id.value 21-21 [EXPORTED] `(int value)` -> int
            Method Id.twice 21-21 [EXPORTED] `int twice()` -> int
            TypeAlias Handler 22-22 [EXPORTED] `typedef Handler = void Function(int a)` -> void Function(int a)
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Dart,
        r#"class Outer {
  void m() {
    int local(int q) => deep(q);
    final twice = (int n) => n * 2;
    var run = () { go(); };
    list.forEach((e) { call(e); });
    app.get('/', (req) async { await serve(req); });
    final value = 1;
  }
}
void outer() {
  void inner() { helper(); }
}
"#,
        expect![[r#"
            Class Outer 1-10 [EXPORTED] `class Outer`
            Method Outer.m 2-9 [EXPORTED] `void m()` -> void
            Function Outer.m.local 3-3 `int local(int q)` (q: int) -> int
            Function Outer.m.twice 4-4 [READONLY] `final twice = (int n)` (n: int)
            Function Outer.m.run 5-5 `var run = ()`
            Function outer 11-13 [EXPORTED] `void outer()` -> void
            Function outer.inner 12-12 `void inner()` -> void
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Dart,
        r#"library acme.app;
import 'dart:async';
import 'package:acme/util.dart' as util;
import '../other.dart' show Thing, make hide Gone;
import 'late.dart' deferred as late_;
import 'stub.dart' if (dart.library.io) 'io.dart';
export 'src/model.dart' show Model;
export 'src/all.dart' hide Hidden;
part 'router.g.dart';
part of 'app.dart';
"#,
        expect![[r#"
            "dart:async" "" as "" GLOB in <file>
            "package:acme/util.dart" "" as "util" MODULE in <file>
            "../other.dart" "Thing" as "Thing" in <file>
            "../other.dart" "make" as "make" in <file>
            "late.dart" "" as "late_" MODULE in <file>
            "stub.dart" "" as "" GLOB in <file>
            "src/model.dart" "Model" as "Model" REEXPORT in <file>
            "src/all.dart" "" as "" GLOB REEXPORT in <file>
            "router.g.dart" "" as "" GLOB REEXPORT CHILD_MODULE in <file>
            "app.dart" "" as "" GLOB CHILD_MODULE in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Dart,
        r#"class A extends Base<T> with M, N<U> implements I, pkg.J {}
mixin K on L, M implements I {}
enum E with M implements I { x }
class B = Base with M;
"#,
        expect![[r#"
            Class A 1-1 [EXPORTED] `class A extends Base<T> with M, N<U> implements I, pkg.J` Extends Base<T> Extends M Extends N<U> Implements I Implements pkg.J
            Trait K 2-2 [EXPORTED] `mixin K on L, M implements I` Extends L Extends M Implements I
            Enum E 3-3 [EXPORTED] `enum E with M implements I` Extends M Implements I
            Variant E.x 3-3 [EXPORTED] `x`
            Class B 4-4 [EXPORTED] `class B = Base with M` Extends Base Extends M
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Dart,
        r#"class A extends B {
  A(int n) : super(n);
  void main() {
    helper(1, name: 2);
    this.svc.load(x).next();
    Foo<int>(a).bar();
    new Outer.inner(1);
    const Point(1, 2);
    super.run();
    Type.staticCall(limit);
    list.map(Foo.convert);
    a?.close(1);
    b!.open();
    items..add(1)..sort();
    list.where((it) => it.isOk());
    Service s = field.inner as Cast;
    if (s is Sub) { throw Failure('x ${text()} $value'); }
    final t = await client.get();
    util.helper(1);
    other.part = 1;
  }
  @override @Named('x') Map<Key, Value> annotated(Arg? a) => make();
}
"#,
        expect![[r#"
            Type B in A line 1
            Type int in A.A line 2
            Call super (1) in A.A line 2
            Call helper (2) in A.main line 4
            Member this . svc in A.main line 5
            MethodCall this.svc . load (1) in A.main line 5
            Value x in A.main line 5
            MethodCall this.svc.load(x) . next (0) in A.main line 5
            Call Foo (1) in A.main line 6
            Type int in A.main line 6
            Value a in A.main line 6
            MethodCall Foo<int>(a) . bar (0) in A.main line 6
            Type Outer in A.main line 7
            New Outer . inner (1) in A.main line 7
            New Point (2) in A.main line 8
            MethodCall super . run (0) in A.main line 9
            Value Type in A.main line 10
            MethodCall Type . staticCall (1) in A.main line 10
            Value limit in A.main line 10
            Value list in A.main line 11
            MethodCall list . map (1) in A.main line 11
            Value Foo in A.main line 11
            Member Foo . convert in A.main line 11
            Value a in A.main line 12
            MethodCall a . close (1) in A.main line 12
            Value b in A.main line 13
            MethodCall b! . open (0) in A.main line 13
            Value items in A.main line 14
            MethodCall items . add (1) in A.main line 14
            MethodCall items . sort (0) in A.main line 14
            Value list in A.main line 15
            MethodCall list . where (1) in A.main line 15
            MethodCall it . isOk (0) in A.main line 15
            Type Service in A.main line 16
            Value field in A.main line 16
            Member field . inner in A.main line 16
            Type Cast in A.main line 16
            Type Sub in A.main line 17
            Call Failure (1) in A.main line 17
            Call text (0) in A.main line 17
            Value value in A.main line 17
            Value client in A.main line 18
            MethodCall client . get (0) in A.main line 18
            Value util in A.main line 19
            MethodCall util . helper (1) in A.main line 19
            Value other in A.main line 20
            Member other . part in A.main line 20
            Decorator override in A line 22
            Decorator Named in A line 22
            Type Map in A.annotated line 22
            Type Key in A.annotated line 22
            Type Value in A.annotated line 22
            Type Arg in A.annotated line 22
            Call make (0) in A.annotated line 22
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Dart,
        r#"class A {
  final Service svc;
  final store = Store();
  void f(Foo a, {Bar<T>? b, c}) async {
    Item x = make();
    var y = Thing();
    final z = client.load(1);
    final w = await client.get(1);
    final v = x.field;
    final u = a as Cast;
    final t = new Made(1);
    this.svc = Service();
    this.other = a;
    for (var e in list) {}
    for (final Element g in all()) {}
    try {} on IOException catch (ex, stack) {} catch (any) {}
    list.map((q) => q.id());
    list.map((Foo r) => r.id());
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            store Call "Store" in A
            a Annotated "Foo" in A.f
            b Annotated "Bar<T>?" in A.f
            c Alias "" in A.f
            x Annotated "Item" in A.f
            y Call "Thing" in A.f
            z Call "client.load" in A.f
            w Call "client.get" in A.f
            v Alias "x.field" in A.f
            u Annotated "Cast" in A.f
            t Constructed "Made" in A.f
            this.svc Call "Service" in A.f
            this.other Alias "a" in A.f
            e Element "list" in A.f
            g Annotated "Element" in A.f
            ex Annotated "IOException" in A.f
            stack Alias "" in A.f
            any Alias "" in A.f
            q Alias "" in A.f
            r Annotated "Foo" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Dart,
        r#"/// Adds.
///
/// Twice.
@Service("x")
class A {
  /** The field. */
  @Inject() int x; // trailing
  var y = 1;

  // far away

  void g() {}
}
"#,
        expect![[r#"
            A "Adds.\n\nTwice." ["Service(\"x\")"]
            A.x "The field." ["Inject()"]
            A.y "" []
            A.g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Dart,
        r#"class A {
  void before() { a(); }
  void broken( { var x = ; }
  void after() { if }
}
"#,
        expect![[r#"
            Method before 2-2 [EXPORTED] `void before()` -> void
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Dart,
        r#"abstract class Shape {
  static const sides = 3;
  final int _own = 1;
  late final String name;
  double area();
  external void outside();
  @override
  String toString() => "";
  Future<void> load() async {}
}
sealed class Result {}
final class Done extends Result {}
void _hidden() {}
"#,
        expect![[r#"
            Class Shape 1-10 [EXPORTED ABSTRACT] `abstract class Shape`
            Constant Shape.sides 2-2 [EXPORTED STATIC CONST] `static const sides = 3`
            Field Shape._own 3-3 [READONLY PRIVATE] `final int _own = 1` -> int
            Field Shape.name 4-4 [EXPORTED READONLY LAZY] `late final String name` -> String
            Method Shape.area 5-5 [EXPORTED DECLARATION] `double area()` -> double
            Method Shape.outside 6-6 [EXPORTED DECLARATION EXTERN] `external void outside()` -> void
            Method Shape.toString 7-8 [EXPORTED OVERRIDE] `String toString()` -> String
            Method Shape.load 9-9 [EXPORTED ASYNC] `Future<void> load()` -> Future<void>
            Class Result 11-11 [EXPORTED SEALED] `sealed class Result`
            Class Done 12-12 [EXPORTED FINAL] `final class Done extends Result` Extends Result
            Function _hidden 13-13 [PRIVATE] `void _hidden()` -> void
        "#]],
    );
}
