use expect_test::expect;
use syntax::Language::Java;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Java,
        r#"class Main {
  public static void main(String[] args) { if (args.length > 1 && ok()) { run(); } else { switch (x) { case 1: break; default: } } }
  static <T extends Comparable<T>> T max(List<? extends T> xs, T... rest) throws E { return null; }
  private static final int LIMIT = 10;
  @Test void works() {}
}
"#,
        expect![[r#"
            Class Main 1-6 `class Main`
            Method Main.main 2-2 [EXPORTED STATIC] `public static void main(String[] args)` (args: String[]) -> void cx 5
            Method Main.max 3-3 [STATIC] `static <T extends Comparable<T>> T max(List<? extends T> xs, T... rest) throws E` (xs: List<? extends T>) (rest: T...) <T: Comparable<T>> -> T
            Constant Main.LIMIT 4-4 [STATIC READONLY PRIVATE] `private static final int LIMIT = 10` -> int
            Method Main.works 5-5 [TEST] `void works()` -> void
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Java,
        r#"public abstract class Router<T extends Route> {
  private final Service svc, other;
  protected int count = 0;
  public Router(Service svc) { this.svc = svc; }
  @Override public String toString() { return ""; }
  abstract void run(int a);
}
interface Handler { int LIMIT = 1; void handle(Request r); default void log() {} private void hid() {} }
enum Color { RED, GREEN(1) { void paint() {} }; int code; Color(int c) {} }
record Point(int x, Foo y) { Point { check(x); } }
@interface Marker { String value() default ""; }
"#,
        expect![[r#"
            Class Router 1-7 [EXPORTED ABSTRACT] `public abstract class Router<T extends Route>` <T: Route>
            Field Router.svc 2-2 [READONLY PRIVATE] `private final Service svc, other` -> Service
            Field Router.other 2-2 [READONLY PRIVATE] `private final Service svc, other` -> Service
            Field Router.count 3-3 [EXPORTED PROTECTED] `protected int count = 0` -> int
            Constructor Router.Router 4-4 [EXPORTED] `public Router(Service svc)` (svc: Service)
            Method Router.toString 5-5 [EXPORTED OVERRIDE] `public String toString()` -> String
            Method Router.run 6-6 [DECLARATION ABSTRACT] `abstract void run(int a)` (a: int) -> void
            Interface Handler 8-8 `interface Handler`
            Constant Handler.LIMIT 8-8 [EXPORTED] `int LIMIT = 1` -> int
            Method Handler.handle 8-8 [EXPORTED DECLARATION] `void handle(Request r)` (r: Request) -> void
            Method Handler.log 8-8 [EXPORTED] `default void log()` -> void
            Method Handler.hid 8-8 [PRIVATE] `private void hid()` -> void
            Enum Color 9-9 `enum Color`
            Variant Color.RED 9-9 `RED`
            Variant Color.GREEN 9-9 `GREEN(1)`
            Method Color.GREEN.paint 9-9 `void paint()` -> void
            Field Color.code 9-9 `int code` -> int
            Constructor Color.Color 9-9 `Color(int c)` (c: int)
            Struct Point 10-10 `record Point(int x, Foo y)` (x: int) (y: Foo)
            Field Point.x 10-10 `int x` -> int
            Field Point.y 10-10 `Foo y` -> Foo
            Constructor Point.Point 10-10 `Point`
            Interface Marker 11-11 `@interface Marker`
            Method Marker.value 11-11 [EXPORTED DECLARATION] `String value() default ""` -> String
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Java,
        r#"class Outer {
  class Inner { void a() { helper(); } }
  static class Nested {}
  void m() {
    Runnable r = new Runnable() { public void run() { go(); } };
    class Local { void b() {} }
    list.forEach(x -> x.call());
    int local = 1;
  }
}
"#,
        expect![[r#"
            Class Outer 1-10 `class Outer`
            Class Outer.Inner 2-2 `class Inner`
            Method Outer.Inner.a 2-2 `void a()` -> void
            Class Outer.Nested 3-3 [STATIC] `static class Nested`
            Method Outer.m 4-9 `void m()` -> void
            Method Outer.m.run 5-5 [EXPORTED] `public void run()` -> void
            Class Outer.m.Local 6-6 `class Local`
            Method Outer.m.Local.b 6-6 `void b()` -> void
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Java,
        r#"package com.acme.app;

import java.util.List;
import java.util.*;
import static org.junit.Assert.assertEquals;
import static org.Foo.*;
class A {}
"#,
        expect![[r#"
            package com.acme.app
            "java.util" "List" as "List" in <file>
            "java.util" "" as "" GLOB in <file>
            "org.junit.Assert" "assertEquals" as "assertEquals" in <file>
            "org.Foo" "" as "" GLOB in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Java,
        r#"class A extends Base<T> implements I, pkg.J<U> {}
interface K extends L, M {}
enum E implements I {}
record R(int a) implements I {}
"#,
        expect![[r#"
            Class A 1-1 `class A extends Base<T> implements I, pkg.J<U>` Extends Base<T> Implements I Implements pkg.J<U>
            Interface K 2-2 `interface K extends L, M` Extends L Extends M
            Enum E 3-3 `enum E implements I` Implements I
            Struct R 4-4 `record R(int a) implements I` (a: int) Implements I
            Field R.a 4-4 `int a` -> int
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Java,
        r#"class A {
  void main() {
    helper(1, 2);
    this.svc.load(x).next();
    new Foo<>(a).bar();
    new Outer.Inner();
    super.run();
    Type.staticCall(LIMIT);
    list.map(Foo::convert).map(Bar::new);
    Service s = field.inner;
    Object o = (Cast) value;
  }
  @Deprecated @Named("x") void annotated() {}
}
"#,
        expect![[r#"
            Call helper (2) in A.main line 3
            Member this . svc in A.main line 4
            MethodCall this.svc . load (1) in A.main line 4
            Value x in A.main line 4
            MethodCall this.svc.load(x) . next (0) in A.main line 4
            New Foo (1) in A.main line 5
            Value a in A.main line 5
            MethodCall new Foo<>(a) . bar (0) in A.main line 5
            Type Outer in A.main line 6
            New Outer . Inner (0) in A.main line 6
            MethodCall super . run (0) in A.main line 7
            Value Type in A.main line 8
            MethodCall Type . staticCall (1) in A.main line 8
            Value LIMIT in A.main line 8
            Value list in A.main line 9
            MethodCall list . map (1) in A.main line 9
            Value Foo in A.main line 9
            Member Foo . convert in A.main line 9
            MethodCall list.map(Foo::convert) . map (1) in A.main line 9
            New Bar in A.main line 9
            Type Service in A.main line 10
            Value field in A.main line 10
            Member field . inner in A.main line 10
            Type Object in A.main line 11
            Type Cast in A.main line 11
            Value value in A.main line 11
            Decorator Deprecated in A line 13
            Decorator Named in A line 13
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Java,
        r#"class A {
  Service svc;
  void f(Foo a, final Bar<T> b, int... c) {
    Item x = make();
    var y = new Thing();
    var z = client.load(1);
    this.svc = new Service();
    for (Element e : list) {}
    for (var f : list.all()) {}
    try (Res r = open()) {} catch (IOException | Other ex) {}
    if (a instanceof Sub s) {}
    g(q -> q.id());
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            a Annotated "Foo" in A.f
            b Annotated "Bar<T>" in A.f
            c Annotated "int" in A.f
            x Annotated "Item" in A.f
            y Constructed "Thing" in A.f
            z Call "client.load" in A.f
            e Annotated "Element" in A.f
            f Element "list.all()" in A.f
            r Annotated "Res" in A.f
            ex Annotated "IOException" in A.f
            s Annotated "Sub" in A.f
            q Alias "" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Java,
        r#"/**
 * Adds.
 * @param a first
 */
@Service("x")
public class A {
  /** The field. */
  @Inject int x; // trailing
  int y;

  // far away

  void g() {}
}
"#,
        expect![[r#"
            A "Adds.\n@param a first" ["Service(\"x\")"]
            A.x "The field." ["Inject"]
            A.y "" []
            A.g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Java,
        r#"class A {
  void before() { a(); }
  void broken( { int x = ; }
  void after() { if }
}
"#,
        expect![[r#"
            Class A 1-5 `class A`
            Method A.before 2-2 `void before()` -> void
            Method A.broken 3-3 `void broken(` -> void
            Method A.after 4-4 `void after()` -> void
            Syntax line 3: ) is missing
            Syntax line 3: text does not fit the grammar
            Syntax line 4: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Java,
        r#"public abstract sealed class Shape permits Circle {
  private static final int SIDES = 3;
  protected final String name = "";
  private volatile int count;
  protected abstract double area();
  public final native int id();
  @Override public String toString() { return ""; }
}
final class Circle extends Shape {}
"#,
        expect![[r#"
            Class Shape 1-8 [EXPORTED ABSTRACT SEALED] `public abstract sealed class Shape permits Circle`
            Constant Shape.SIDES 2-2 [STATIC READONLY PRIVATE] `private static final int SIDES = 3` -> int
            Field Shape.name 3-3 [EXPORTED READONLY PROTECTED] `protected final String name = ""` -> String
            Field Shape.count 4-4 [PRIVATE] `private volatile int count` -> int
            Method Shape.area 5-5 [EXPORTED DECLARATION ABSTRACT PROTECTED] `protected abstract double area()` -> double
            Method Shape.id 6-6 [EXPORTED DECLARATION FINAL EXTERN] `public final native int id()` -> int
            Method Shape.toString 7-7 [EXPORTED OVERRIDE] `public String toString()` -> String
            Class Circle 9-9 [FINAL] `final class Circle extends Shape` Extends Shape
        "#]],
    );
}
