use expect_test::expect;
use syntax::Language::Scala;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Scala,
        r#"package acme

val limit = 10
var global: Store = Store()
val handler = (r: Request) => serve(r)
def fetch[A <: Body : Encoder, B](url: String, retries: Int = 3, options: Option*)(using c: Ctx): Either[A, B] =
  if (retries > 3 && ok()) return null
  for (o <- options) { x(o) }
  retries match
    case 1 => a()
    case _ => b()
extension (s: String)
  def shout(n: Int): String = s
  def quiet = s
private def hidden() = 1
@main def run(): Unit = println("x")
class FetchSuite extends AnyFunSuite { test("a") { go() } }
"#,
        expect![[r#"
            Variable limit 3-3 [EXPORTED READONLY] `val limit = 10`
            Variable global 4-4 [EXPORTED] `var global: Store = Store()` -> Store
            Function handler 5-5 [EXPORTED READONLY] `val handler = (r: Request)` (r: Request)
            Function fetch 6-11 [EXPORTED] `def fetch[A <: Body : Encoder, B](url: String, retries: Int = 3, options: Option*)(using c: Ctx): Either[A, B]` (url: String) (retries: Int) (options: Option*) (c: Ctx) <A: Body : Encoder> <B: > -> Either[A, B] cx 6
            Method shout 13-13 [EXPORTED] `def shout(n: Int): String` (n: Int) -> String owner String
            Method quiet 14-14 [EXPORTED] `def quiet` owner String
            Function hidden 15-15 [PRIVATE] `private def hidden()`
            Function run 16-16 [EXPORTED] `def run(): Unit` -> Unit
            Class FetchSuite 17-17 [EXPORTED TEST] `class FetchSuite extends AnyFunSuite` Extends AnyFunSuite
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Scala,
        r#"abstract class Router[T <: Route](private val svc: Service, var count: Int = 0, name: String)(implicit ec: Ctx) extends Base[T](svc) {
  private val items = ListBuffer[Item]()
  lazy val made: Store = make()
  val (a, b) = pair
  var ready = false
  val onDone: Int => Unit = n => log(n)
  type Alias = Map[String, Foo]
  def this(a: Int) = this(new Service(), a, "")
  override def toString: String = "x"
  def run(a: Int): Unit
  protected def go(): Unit = { }
}
trait Handler { def handle(r: Request): Response; val p: Int; def log() = { } }
object Router { val Limit = 3; def apply(a: Int): Router = new Router(a) }
case class Point(x: Int, y: Foo)
enum Color(val code: Int):
  case Red extends Color(1)
  case Green, Blue
  case Pair(a: Int, b: Foo)
  def label: String = ""
given Show[Int] with
  def show(a: Int) = a.toString
given intOrd: Ord[Int] = new Ord[Int] { def compare(a: Int) = 1 }
package object util { def helper() = 1 }
"#,
        expect![[r#"
            Class Router 1-12 [EXPORTED ABSTRACT] `abstract class Router[T <: Route](private val svc: Service, var count: Int = 0, name: String)(implicit ec: Ctx) extends Base[T](svc)` (svc: Service) (count: Int) (name: String) (ec: Ctx) <T: Route> Extends Base[T]
            Field Router.svc 1-1 [READONLY PRIVATE] `private val svc: Service` -> Service
            Field Router.count 1-1 [EXPORTED] `var count: Int = 0` -> Int
            Field Router.items 2-2 [READONLY PRIVATE] `private val items = ListBuffer[Item]()`
            Field Router.made 3-3 [EXPORTED READONLY LAZY] `lazy val made: Store = make()` -> Store
            Field Router.a 4-4 [EXPORTED READONLY] `val (a, b) = pair`
            Field Router.b 4-4 [EXPORTED READONLY] `val (a, b) = pair`
            Field Router.ready 5-5 [EXPORTED] `var ready = false`
            Method Router.onDone 6-6 [EXPORTED READONLY] `val onDone: Int => Unit = n` (n: )
            TypeAlias Router.Alias 7-7 [EXPORTED] `type Alias = Map[String, Foo]` -> Map[String, Foo]
            Constructor Router.Router 8-8 [EXPORTED] `def this(a: Int)` (a: Int)
            Method Router.toString 9-9 [EXPORTED OVERRIDE] `override def toString: String` -> String
            Method Router.run 10-10 [EXPORTED DECLARATION] `def run(a: Int): Unit` (a: Int) -> Unit
            Method Router.go 11-11 [EXPORTED PROTECTED] `protected def go(): Unit` -> Unit
            Trait Handler 13-13 [EXPORTED] `trait Handler`
            Method Handler.handle 13-13 [EXPORTED DECLARATION] `def handle(r: Request): Response` (r: Request) -> Response
            Field Handler.p 13-13 [EXPORTED READONLY] `val p: Int` -> Int
            Method Handler.log 13-13 [EXPORTED] `def log()`
            Class Router 14-14 [EXPORTED] `object Router`
            Field Router.Limit 14-14 [EXPORTED STATIC READONLY] `val Limit = 3`
            Method Router.apply 14-14 [EXPORTED STATIC] `def apply(a: Int): Router` (a: Int) -> Router
            Class Point 15-15 [EXPORTED] `case class Point(x: Int, y: Foo)` (x: Int) (y: Foo)
            Field Point.x 15-15 [EXPORTED] `x: Int` -> Int
            Field Point.y 15-15 [EXPORTED] `y: Foo` -> Foo
            Enum Color 16-20 [EXPORTED] `enum Color(val code: Int)` (code: Int)
            Field Color.code 16-16 [EXPORTED READONLY] `val code: Int` -> Int
            Variant Color.Red 17-17 [EXPORTED] `Red extends Color(1)` Extends Color
            Variant Color.Green 18-18 [EXPORTED] `Green`
            Variant Color.Blue 18-18 [EXPORTED] `Blue`
            Variant Color.Pair 19-19 [EXPORTED] `Pair(a: Int, b: Foo)` (a: Int) (b: Foo)
            Method Color.label 20-20 [EXPORTED] `def label: String` -> String
            Class given_Show_Int 21-22 [EXPORTED] `given Show[Int] with` -> Show[Int] Implements Show[Int]
            Method given_Show_Int.show 22-22 [EXPORTED] `def show(a: Int)` (a: Int)
            Class intOrd 23-23 [EXPORTED] `given intOrd: Ord[Int]` -> Ord[Int] Implements Ord[Int]
            Method intOrd.compare 23-23 [EXPORTED] `def compare(a: Int)` (a: Int)
            Module util 24-24 [EXPORTED] `package object util`
            Function util.helper 24-24 [EXPORTED] `def helper()`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Scala,
        r#"class Outer {
  class Inner { def a() = helper() }
  object Nested
  def m(): Unit = {
    def local(q: Int) = deep(q)
    val twice = (n: Int) => n * 2
    val o = new Listener { override def on(): Unit = fire() }
    list.foreach { e => call(e) }
    val value = 1
  }
}
"#,
        expect![[r#"
            Class Outer 1-11 [EXPORTED] `class Outer`
            Class Outer.Inner 2-2 [EXPORTED] `class Inner`
            Method Outer.Inner.a 2-2 [EXPORTED] `def a()`
            Class Outer.Nested 3-3 [EXPORTED] `object Nested`
            Method Outer.m 4-10 [EXPORTED] `def m(): Unit` -> Unit
            Function Outer.m.local 5-5 `def local(q: Int)` (q: Int)
            Function Outer.m.twice 6-6 [READONLY] `val twice = (n: Int)` (n: Int)
            Function Outer.m.on 7-7 [OVERRIDE] `override def on(): Unit` -> Unit
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Scala,
        r#"package com.acme
package app

import scala.collection.mutable
import com.acme.util._
import com.acme.other.{Thing => Other, Box, Gone => _, _}
import com.acme.x.{given, *}
import a.b.C as D, e.f.G
class A { import inner.Deep }
"#,
        expect![[r#"
            package com.acme.app
            "scala.collection" "mutable" as "mutable" in <file>
            "com.acme.util" "" as "" GLOB in <file>
            "com.acme.other" "Thing" as "Other" in <file>
            "com.acme.other" "Box" as "Box" in <file>
            "com.acme.other" "" as "" GLOB in <file>
            "com.acme.x" "" as "" GLOB in <file>
            "com.acme.x" "" as "" GLOB in <file>
            "a.b" "C" as "D" in <file>
            "e.f" "G" as "G" in <file>
            "inner" "Deep" as "Deep" in A
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Scala,
        r#"class A extends Base[T](1) with I with pkg.J[U]
class B(x: Int) extends C(x), D
trait K extends L with M
object O extends Parent
enum E extends I { case X }
"#,
        expect![[r#"
            Class A 1-1 [EXPORTED] `class A extends Base[T](1) with I with pkg.J[U]` Extends Base[T] Implements I Implements pkg.J[U]
            Class B 2-2 [EXPORTED] `class B(x: Int) extends C(x), D` (x: Int) Extends C Implements D
            Trait K 3-3 [EXPORTED] `trait K extends L with M` Extends L Implements M
            Class O 4-4 [EXPORTED] `object O extends Parent` Extends Parent
            Enum E 5-5 [EXPORTED] `enum E extends I` Extends I
            Variant E.X 5-5 [EXPORTED] `X`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Scala,
        r#"class A extends B(1) {
  def main(): Unit = {
    helper(1, 2)
    this.svc.load(x).next()
    new Foo[Int](a).bar()
    new Outer.Inner(1)
    super.run()
    Type.staticCall(limit)
    list.map(Foo.convert).map(_.name)
    list.filter { it => it.isOk() }
    one combine two
    generic[Int](b)
    val s: Service = field.inner.asInstanceOf[Cast]
    s match { case t: Sub => use(t); case Point(u, _) => throw new Failure(s"x ${text()}") }
    named(first = 1)
    Some(value)
  }
  @deprecated @named("x") def annotated(a: Option[Arg]): Map[Key, Value] = make()
}
"#,
        expect![[r#"
            New B (1) in A line 1
            Type Unit in A.main line 2
            Call helper (2) in A.main line 3
            Member this . svc in A.main line 4
            MethodCall this.svc . load (1) in A.main line 4
            Value x in A.main line 4
            MethodCall this.svc.load(x) . next (0) in A.main line 4
            New Foo (1) in A.main line 5
            Type Int in A.main line 5
            Value a in A.main line 5
            MethodCall new Foo[Int](a) . bar (0) in A.main line 5
            Value Outer in A.main line 6
            New Outer . Inner (1) in A.main line 6
            MethodCall super . run (0) in A.main line 7
            Value Type in A.main line 8
            MethodCall Type . staticCall (1) in A.main line 8
            Value limit in A.main line 8
            Value list in A.main line 9
            MethodCall list . map (1) in A.main line 9
            Value Foo in A.main line 9
            Member Foo . convert in A.main line 9
            MethodCall list.map(Foo.convert) . map (1) in A.main line 9
            Member _ . name in A.main line 9
            Value list in A.main line 10
            MethodCall list . filter in A.main line 10
            MethodCall it . isOk (0) in A.main line 10
            Value one in A.main line 11
            MethodCall one . combine in A.main line 11
            Value two in A.main line 11
            Call generic (1) in A.main line 12
            Type Int in A.main line 12
            Value b in A.main line 12
            Type Service in A.main line 13
            Value field in A.main line 13
            Member field . inner in A.main line 13
            Member field.inner . asInstanceOf in A.main line 13
            Type Cast in A.main line 13
            Type Sub in A.main line 14
            Call use (1) in A.main line 14
            Type Point in A.main line 14
            New Failure (1) in A.main line 14
            Call text (0) in A.main line 14
            Call named (1) in A.main line 15
            Call Some (1) in A.main line 16
            Value value in A.main line 16
            Decorator deprecated in A line 18
            Decorator named (1) in A line 18
            Type Option in A.annotated line 18
            Type Arg in A.annotated line 18
            Type Map in A.annotated line 18
            Type Key in A.annotated line 18
            Type Value in A.annotated line 18
            Call make (0) in A.annotated line 18
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Scala,
        r#"class A(svc: Service) {
  val store: Store = open()
  def f(a: Foo, c: Bar[T]*): Unit = {
    val x: Item = make()
    val y = Thing(1)
    var z = client.load(1)
    val w = new Made(1)
    val v = x.field
    val u = generic[Int](1)
    this.svc = new Service()
    other.part = y
    for (e <- list; g = e.next) { }
    for { h <- all() } yield h
    a match { case s: Sub => 1; case Pair(m, n) => 2; case other => 3 }
    val (k, l) = pair()
    list.map(q => q.id())
    list.map((r: Foo) => r.id())
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            store Annotated "Store" in A
            a Annotated "Foo" in A.f
            c Annotated "Bar[T]*" in A.f
            x Annotated "Item" in A.f
            y Call "Thing" in A.f
            z Call "client.load" in A.f
            w Constructed "Made" in A.f
            v Alias "x.field" in A.f
            u Call "generic" in A.f
            this.svc Constructed "Service" in A.f
            other.part Alias "y" in A.f
            e Element "list" in A.f
            g Alias "e.next" in A.f
            h Element "all()" in A.f
            s Annotated "Sub" in A.f
            m Alias "" in A.f
            n Alias "" in A.f
            other Alias "" in A.f
            k Alias "" in A.f
            l Alias "" in A.f
            q Argument "0.0 list.map" in A.f
            r Annotated "Foo" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Scala,
        r#"/**
 * Adds.
 * @param a first
 */
@service("x")
class A {
  /** The field. */
  @inject var x: Int = 1 // trailing
  var y = 1

  // far away

  def g() = { }
}
"#,
        expect![[r#"
            A "Adds.\n@param a first" ["service(\"x\")"]
            A.x "The field." ["inject"]
            A.y "" []
            A.g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Scala,
        r#"class A {
  def before() = { a() }
  def broken( { val x = }
  def after() = { if }
}
"#,
        expect![[r#"
            Class A 1-5 [EXPORTED] `class A`
            Method A.before 2-2 [EXPORTED] `def before()`
            Method A.broken 3-3 [EXPORTED DECLARATION] `def broken`
            Method A.after 4-4 [EXPORTED] `def after()`
            Syntax line 3: text does not fit the grammar
            Syntax line 4: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Scala,
        r#"sealed abstract class Shape {
  private val sides = 3
  protected var count = 0
  lazy val name = "x"
  final def own = 1
  private[shapes] override def toString = ""
}
final case class Circle(radius: Double) extends Shape
inline def quick = 1
open class Base
"#,
        expect![[r#"
            Class Shape 1-7 [EXPORTED ABSTRACT SEALED] `sealed abstract class Shape`
            Field Shape.sides 2-2 [READONLY PRIVATE] `private val sides = 3`
            Field Shape.count 3-3 [EXPORTED PROTECTED] `protected var count = 0`
            Field Shape.name 4-4 [EXPORTED READONLY LAZY] `lazy val name = "x"`
            Method Shape.own 5-5 [EXPORTED FINAL] `final def own`
            Method Shape.toString 6-6 [OVERRIDE PRIVATE] `private[shapes] override def toString`
            Class Circle 8-8 [EXPORTED FINAL] `final case class Circle(radius: Double) extends Shape` (radius: Double) Extends Shape
            Field Circle.radius 8-8 [EXPORTED] `radius: Double` -> Double
            Function quick 9-9 [EXPORTED INLINE] `inline def quick`
            Class Base 10-10 [EXPORTED VIRTUAL] `open class Base`
        "#]],
    );
}
