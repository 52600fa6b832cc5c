use expect_test::expect;
use syntax::Language::Kotlin;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Kotlin,
        r#"package acme

const val LIMIT = 10
val global: Store = Store()
var counter = 0
val handler = { r: Request -> serve(r) }
suspend fun fetch(url: String, retries: Int = 3, vararg options: Option, done: (Int) -> Unit = {}): Body? {
  if (retries > 3 && ok()) return null
  for (o in options) { x(o ?: other) }
  when (retries) {
    1 -> a()
    else -> b()
  }
  try { c() } catch (e: IOException) { }
  return null
}
fun <T : Comparable<T>, R> T.largest(f: (T) -> R): R where T : Any = f(this)
val String.shout: String get() = uppercase()
private fun hidden() = 1
@Test fun works() { }
@Internal
@Published
internal fun Response.complete() {
  job.complete()
}
"#,
        expect![[r#"
            Constant LIMIT 3-3 [EXPORTED READONLY CONST] `const val LIMIT = 10`
            Variable global 4-4 [EXPORTED READONLY] `val global: Store = Store()` -> Store
            Variable counter 5-5 [EXPORTED] `var counter = 0`
            Function handler 6-6 [EXPORTED READONLY] `val handler` (r: Request)
            Function fetch 7-16 [EXPORTED ASYNC] `suspend fun fetch(url: String, retries: Int = 3, vararg options: Option, done: (Int) -> Unit = {}): Body?` (url: String) (retries: Int) (options: Option) (done: (Int) -> Unit) -> Body? cx 8
            Function largest 17-17 [EXPORTED] `fun <T : Comparable<T>, R> T.largest(f: (T) -> R): R where T : Any` (f: (T) -> R) <T: Comparable<T>> <R: > <T: Any> -> R owner T
            Method shout 18-18 [EXPORTED ACCESSOR READONLY] `val String.shout: String` -> String owner String
            Function hidden 19-19 [PRIVATE] `private fun hidden()`
            Function works 20-20 [EXPORTED TEST] `fun works()`
            Function complete 21-25 [EXPORTED INTERNAL] `internal fun Response.complete()` owner Response
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Kotlin,
        r#"abstract class Router<T : Route>(private val svc: Service, var count: Int = 0, name: String) : Base(svc) {
  companion object {
    const val LIMIT = 3
    fun create(): Router = Router()
  }
  private val items = mutableListOf<Item>()
  lateinit var store: Store
  val size: Int get() = items.size
  var ready: Boolean = false
    private set(value) { field = value; keep(value) }
  val made by lazy { make() }
  val onDone: (Int) -> Unit = { n -> log(n) }
  init { setup() }
  constructor(a: Int) : this(Service(), a, "") { }
  override fun toString(): String = "x"
  abstract fun run(a: Int)
  protected open suspend fun go() { }
}
interface Handler {
  val limit: Int
  fun handle(r: Request): Response
  fun log() { }
}
enum class Color(val code: Int) {
  RED(1) {
    override fun paint() { }
  },
  GREEN(2);

  fun label() = ""
}
data class Point(val x: Int, val y: Foo)
object Single {
  fun only() { }
}
typealias Table = Map<String, Foo>
annotation class Marker(val v: String)
"#,
        expect![[r#"
            Class Router 1-18 [EXPORTED ABSTRACT] `abstract class Router<T : Route>(private val svc: Service, var count: Int = 0, name: String) : Base(svc)` (svc: Service) (count: Int) (name: String) <T: Route> Extends Base
            Field Router.svc 1-1 [READONLY PRIVATE] `private val svc: Service` -> Service
            Field Router.count 1-1 [EXPORTED] `var count: Int = 0` -> Int
            Class Router.Companion 2-5 [EXPORTED] `companion object`
            Constant Router.Companion.LIMIT 3-3 [EXPORTED STATIC READONLY CONST] `const val LIMIT = 3`
            Method Router.Companion.create 4-4 [EXPORTED STATIC] `fun create(): Router` -> Router
            Field Router.items 6-6 [READONLY PRIVATE] `private val items = mutableListOf<Item>()`
            Field Router.store 7-7 [EXPORTED LAZY] `lateinit var store: Store` -> Store
            Method Router.size 8-8 [EXPORTED ACCESSOR READONLY] `val size: Int` -> Int
            Field Router.ready 9-10 [EXPORTED] `var ready: Boolean = false private set(value) { field = value; keep(value) }` -> Boolean
            Field Router.made 11-11 [EXPORTED READONLY] `val made by lazy { make() }`
            Method Router.onDone 12-12 [EXPORTED READONLY] `val onDone: (Int) -> Unit` (n: )
            Constructor Router.Router 14-14 [EXPORTED] `constructor(a: Int) : this(Service(), a, "")` (a: Int)
            Method Router.toString 15-15 [EXPORTED OVERRIDE] `override fun toString(): String` -> String
            Method Router.run 16-16 [EXPORTED DECLARATION ABSTRACT] `abstract fun run(a: Int)` (a: Int)
            Method Router.go 17-17 [EXPORTED ASYNC PROTECTED VIRTUAL] `protected open suspend fun go()`
            Interface Handler 19-23 [EXPORTED] `interface Handler`
            Field Handler.limit 20-20 [EXPORTED READONLY] `val limit: Int` -> Int
            Method Handler.handle 21-21 [EXPORTED DECLARATION] `fun handle(r: Request): Response` (r: Request) -> Response
            Method Handler.log 22-22 [EXPORTED] `fun log()`
            Enum Color 24-31 [EXPORTED] `enum class Color(val code: Int)` (code: Int)
            Field Color.code 24-24 [EXPORTED READONLY] `val code: Int` -> Int
            Variant Color.RED 25-27 [EXPORTED] `RED(1)`
            Method Color.RED.paint 26-26 [EXPORTED OVERRIDE] `override fun paint()`
            Variant Color.GREEN 28-28 [EXPORTED] `GREEN(2)`
            Method Color.label 30-30 [EXPORTED] `fun label()`
            Class Point 32-32 [EXPORTED] `data class Point(val x: Int, val y: Foo)` (x: Int) (y: Foo)
            Field Point.x 32-32 [EXPORTED READONLY] `val x: Int` -> Int
            Field Point.y 32-32 [EXPORTED READONLY] `val y: Foo` -> Foo
            Class Single 33-35 [EXPORTED] `object Single`
            Method Single.only 34-34 [EXPORTED STATIC] `fun only()`
            TypeAlias Table 36-36 [EXPORTED] `typealias Table = Map<String, Foo>` -> Map<String, Foo>
            Class Marker 37-37 [EXPORTED] `annotation class Marker(val v: String)` (v: String)
            Field Marker.v 37-37 [EXPORTED READONLY] `val v: String` -> String
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Kotlin,
        r#"class Outer {
  inner class Inner { fun a() { helper() } }
  object Nested
  fun m() {
    fun local(q: Int) = deep(q)
    val twice = { n: Int -> n * 2 }
    val named = fun(x: Int): Int { return x }
    val o = object : Listener {
      override fun on() { fire() }
    }
    list.forEach { e -> call(e) }
    val value = 1
  }
}
"#,
        expect![[r#"
            Class Outer 1-14 [EXPORTED] `class Outer`
            Class Outer.Inner 2-2 [EXPORTED] `inner class Inner`
            Method Outer.Inner.a 2-2 [EXPORTED] `fun a()`
            Class Outer.Nested 3-3 [EXPORTED] `object Nested`
            Method Outer.m 4-13 [EXPORTED] `fun m()`
            Function Outer.m.local 5-5 `fun local(q: Int)` (q: Int)
            Function Outer.m.twice 6-6 [READONLY] `val twice` (n: Int)
            Function Outer.m.named 7-7 [READONLY] `val named = fun(x: Int): Int` (x: Int) -> Int
            Function Outer.m.on 9-9 [OVERRIDE] `override fun on()`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Kotlin,
        r#"@file:JvmName("App")
package com.acme.app

import kotlin.math.max
import com.acme.util.*
import com.acme.other.Thing as Other
import com.acme.`in`.Box
import single
class A
"#,
        expect![[r#"
            package com.acme.app
            "kotlin.math" "max" as "max" in <file>
            "com.acme.util" "" as "" GLOB in <file>
            "com.acme.other" "Thing" as "Other" in <file>
            "com.acme.in" "Box" as "Box" in <file>
            "" "single" as "single" in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Kotlin,
        r#"class A : Base<T>(1), I, pkg.J<U>, Shape by other
interface K : L, M
enum class E : I { X }
object O : Parent() 
"#,
        expect![[r#"
            Class A 1-1 [EXPORTED] `class A : Base<T>(1), I, pkg.J<U>, Shape by other` Extends Base<T> Implements I Implements pkg.J<U> Implements Shape
            Interface K 2-2 [EXPORTED] `interface K : L, M` Extends L Extends M
            Enum E 3-3 [EXPORTED] `enum class E : I` Implements I
            Variant E.X 3-3 [EXPORTED] `X`
            Class O 4-4 [EXPORTED] `object O : Parent()` Extends Parent
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Kotlin,
        r#"class A : B(1) {
  fun main() {
    helper(1, 2)
    this.svc.load(x).next()
    Foo<Int>(a).bar()
    Outer.Inner(1)
    super.run()
    Type.staticCall(LIMIT)
    list.map(Foo::convert).map(::Bar)
    a?.close(1)
    b!!.open()
    with(c) { inside() }
    list.filter { it.isOk() }
    one combine two
    val s: Service = field.inner as Cast
    if (s is Sub) { throw Failure("x ${text()}") }
    run { deep() }
    named(first = 1)
  }
  @Deprecated @Named("x") fun annotated(a: Arg?): Map<Key, Value> = make()
}
"#,
        expect![[r#"
            New B (1) in A line 1
            Call helper (2) in A.main line 3
            Member this . svc in A.main line 4
            MethodCall this.svc . load (1) in A.main line 4
            Value x in A.main line 4
            MethodCall this.svc.load(x) . next (0) in A.main line 4
            Call Foo (1) in A.main line 5
            Type Int in A.main line 5
            Value a in A.main line 5
            MethodCall Foo<Int>(a) . bar (0) in A.main line 5
            Value Outer in A.main line 6
            MethodCall Outer . Inner (1) in A.main line 6
            MethodCall super . run (0) in A.main line 7
            Value Type in A.main line 8
            MethodCall Type . staticCall (1) in A.main line 8
            Value LIMIT in A.main line 8
            Value list in A.main line 9
            MethodCall list . map (1) in A.main line 9
            Value Foo in A.main line 9
            Member Foo . convert in A.main line 9
            MethodCall list.map(Foo::convert) . map (1) in A.main line 9
            Value Bar in A.main line 9
            Value a in A.main line 10
            MethodCall a . close (1) in A.main line 10
            Value b in A.main line 11
            MethodCall b!! . open (0) in A.main line 11
            Call with (1) in A.main line 12
            Value c in A.main line 12
            Call inside (0) in A.main line 12
            Value list in A.main line 13
            MethodCall list . filter in A.main line 13
            Value it in A.main line 13
            MethodCall it . isOk (0) in A.main line 13
            Value one in A.main line 14
            MethodCall one . combine in A.main line 14
            Value two in A.main line 14
            Type Service in A.main line 15
            Value field in A.main line 15
            Member field . inner in A.main line 15
            Type Cast in A.main line 15
            Type Sub in A.main line 16
            Call Failure (1) in A.main line 16
            Call text (0) in A.main line 16
            Call run in A.main line 17
            Call deep (0) in A.main line 17
            Call named (1) in A.main line 18
            Decorator Deprecated in A line 20
            Decorator Named (1) in A line 20
            Type Arg in A.annotated line 20
            Type Map in A.annotated line 20
            Type Key in A.annotated line 20
            Type Value in A.annotated line 20
            Call make (0) in A.annotated line 20
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Kotlin,
        r#"class A(private val svc: Service) {
  val store: Store by lazy { Store() }
  val lazy by lazy { Thing() }
  fun f(a: Foo, vararg c: Bar<T>) {
    val x: Item = make()
    val y = Thing()
    val z = client.load(1)
    val w = client?.load(1)?.next()!!
    val v = x.field
    val u = a as Cast
    val t = find(1) ?: return
    this.svc = Service()
    other.part = y
    for (e in list) { }
    for ((i, g) in pairs) { }
    try { } catch (ex: IOException) { }
    val (m, n) = pair()
    list.map { q -> q.id() }
    list.map { r: Foo -> r.id() }
  }
}
"#,
        expect![[r#"
            svc Annotated "Service" in A
            store Annotated "Store" in A
            { Argument "999.0 lazy" in A
            lazy Call "Thing" in A
            { Argument "999.0 lazy" in A
            a Annotated "Foo" in A.f
            c Annotated "Bar<T>" in A.f
            x Annotated "Item" in A.f
            y Call "Thing" in A.f
            z Call "client.load" in A.f
            w Call "client?.load(1)?.next" in A.f
            v Alias "x.field" in A.f
            u Annotated "Cast" in A.f
            t Call "find" in A.f
            this.svc Call "Service" in A.f
            other.part Alias "y" in A.f
            e Element "list" in A.f
            i Alias "" in A.f
            g Alias "" in A.f
            ex Annotated "IOException" in A.f
            m Alias "" in A.f
            n Alias "" in A.f
            { Argument "999.0 list.map" in A.f
            q Argument "999.0 list.map" in A.f
            { Argument "999.0 list.map" in A.f
            r Annotated "Foo" in A.f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Kotlin,
        r#"/**
 * Adds.
 * @param a first
 */
@Service("x")
class A {
  /** The field. */
  @Inject lateinit var x: Int // trailing
  var y = 1

  // far away

  fun g() { }
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
        Kotlin,
        r#"class A {
  fun before() { a() }
  fun broken( { val x = }
  fun after() { if }
}
"#,
        expect![[r#"
            Function before 2-2 [EXPORTED] `fun before()`
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Kotlin,
        r#"abstract class Shape(private val sides: Int, var open: Boolean) {
    protected abstract fun area(): Double
    internal open fun draw() {}
    final override fun toString(): String = ""
    private lateinit var name: String
    external fun outside()
    companion object { const val LIMIT = 3 }
}
sealed interface Result
private inline fun quick() {}
suspend fun load() {}
"#,
        expect![[r#"
            Class Shape 1-8 [EXPORTED ABSTRACT] `abstract class Shape(private val sides: Int, var open: Boolean)` (sides: Int) (open: Boolean)
            Field Shape.sides 1-1 [READONLY PRIVATE] `private val sides: Int` -> Int
            Field Shape.open 1-1 [EXPORTED] `var open: Boolean` -> Boolean
            Method Shape.area 2-2 [EXPORTED DECLARATION ABSTRACT PROTECTED] `protected abstract fun area(): Double` -> Double
            Method Shape.draw 3-3 [EXPORTED INTERNAL VIRTUAL] `internal open fun draw()`
            Method Shape.toString 4-4 [EXPORTED OVERRIDE FINAL] `final override fun toString(): String` -> String
            Field Shape.name 5-5 [PRIVATE LAZY] `private lateinit var name: String` -> String
            Method Shape.outside 6-6 [EXPORTED DECLARATION EXTERN] `external fun outside()`
            Class Shape.Companion 7-7 [EXPORTED] `companion object`
            Constant Shape.Companion.LIMIT 7-7 [EXPORTED STATIC READONLY CONST] `const val LIMIT = 3`
            Interface Result 9-9 [EXPORTED SEALED] `sealed interface Result`
            Function quick 10-10 [PRIVATE INLINE] `private inline fun quick()`
            Function load 11-11 [EXPORTED ASYNC] `suspend fun load()`
        "#]],
    );
}
