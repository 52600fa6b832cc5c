use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /src/A.kt
package acme
fun helper() {}
class A {
    fun own() {}
    fun run() {
        helper()
//      ^ calls: src/A.kt:2
        own()
//      ^ calls: src/A.kt:4
        this.own()
//           ^ calls: src/A.kt:4
        missing()
//      ^ calls: nothing
        println("x")
//      ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn local_functions_and_lambdas() {
    check(
        r#"
//- /src/A.kt
fun run() {
    fun local(q: Int) = q
    local(1)
//  ^ calls: src/A.kt:2
    val twice = { n: Int -> local(n) }
//                          ^ calls: src/A.kt:2
    twice(2)
//  ^ calls: src/A.kt:5
    listOf(1).map { local(it) }
//                  ^ calls: src/A.kt:2
}
fun other() {
    local(1)
//  ^ calls: nothing
}
"#,
    );
}

#[test]
fn overloads() {
    check(
        r#"
//- /src/A.kt
class A {
    fun put(a: String) {}
    fun put(a: String, b: Int) {}
    fun run(other: A) {
        other.put("x", 1)
//            ^ calls: src/A.kt:3
        put("x")
//      ^ calls: src/A.kt:2
    }
}
"#,
    );
}

#[test]
fn same_package() {
    check(
        r#"
//- /src/acme/A.kt
package acme
class A {
    fun run(b: B) {
        B.create().work()
//        ^ calls: src/acme/B.kt:5
//                 ^ calls: src/acme/B.kt:3
        B().work()
//      ^ calls: src/acme/B.kt:2
//          ^ calls: src/acme/B.kt:3
        b.work()
//        ^ calls: src/acme/B.kt:3
        shared()
//      ^ calls: src/acme/B.kt:8
    }
}
//- /src/acme/B.kt
package acme
class B {
    fun work() {}
    companion object {
        fun create(): B = B()
    }
}
fun shared() {}
"#,
    );
}

#[test]
fn imports() {
    check(
        r#"
//- /src/Main.kt
package app
import acme.util.Tool
import acme.util.Tool as Hammer
import acme.util.clean
import acme.util.deep.*
class Main(private val tool: Tool) {
    fun run(hammer: Hammer, tools: List<Tool>) {
        tool.use()
//           ^ calls: lib/Tool.kt:3
        hammer.use()
//             ^ calls: lib/Tool.kt:3
        clean("x")
//      ^ calls: lib/Tool.kt:5
        dig()
//      ^ calls: lib/Deep.kt:2
        for (one in tools) {
            one.use()
//              ^ calls: lib/Tool.kt:3
        }
        Tool().use()
//      ^ calls: lib/Tool.kt:2
//             ^ calls: lib/Tool.kt:3
        hidden()
//      ^ calls: nothing
    }
}
//- /lib/Tool.kt
package acme.util
class Tool {
    fun use() {}
}
fun clean(a: String) {}
fun hidden() {}
//- /lib/Deep.kt
package acme.util.deep
fun dig() {}
"#,
    );
}

#[test]
fn companion_objects() {
    check(
        r#"
//- /src/A.kt
package acme
class Router {
    companion object Factory {
        const val LIMIT = 3
        fun make(): Router = Router()
    }
    fun go() {}
    fun again() {
        make().go()
//      ^ calls: src/A.kt:5
//             ^ calls: src/A.kt:7
    }
}
class Plain {
    companion object {
        fun of(): Plain = Plain()
    }
    fun go() {}
}
fun run() {
    Router.make().go()
//         ^ calls: src/A.kt:5
//                ^ calls: src/A.kt:7
    Router.Factory.make()
//                 ^ calls: src/A.kt:5
    Plain.of().go()
//        ^ calls: src/A.kt:16
//             ^ calls: src/A.kt:18
    Plain.Companion.of()
//                  ^ calls: src/A.kt:16
}
"#,
    );
}

#[test]
fn objects() {
    check(
        r#"
//- /src/A.kt
package acme
object Registry {
    fun add(a: Int) {}
    val inner = Holder()
}
class Holder { fun go() {} }
fun run() {
    Registry.add(1)
//           ^ calls: src/A.kt:3
    Registry.inner.go()
//                 ^ calls: src/A.kt:6
}
"#,
    );
}

#[test]
fn extension_functions() {
    check(
        r#"
//- /src/Main.kt
package app
import acme.util.total
import acme.util.shout
class Order
fun Order.own(): Int = 1
fun run(order: Order, text: String) {
    order.own()
//        ^ calls: src/Main.kt:5
    order.total(2)
//        ^ calls: lib/Ext.kt:3
    text.shout()
//       ^ calls: lib/Ext.kt:4
    "x".shout()
//      ^ calls: lib/Ext.kt:4
    order.missing()
//        ^ calls: nothing
}
//- /lib/Ext.kt
package acme.util
import app.Order
fun Order.total(n: Int): Int = n
fun String.shout(): String = this
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /src/A.kt
package acme
abstract class Base(n: Int) : Shape {
    fun own() {}
    open fun step() {}
}
interface Shape { fun area(): Int }
class Child : Base(1) {
    fun run(shape: Shape) {
        own()
//      ^ calls: src/A.kt:3
        super.own()
//            ^ calls: src/A.kt:3
        super.step()
//            ^ calls: src/A.kt:4
        step()
//      ^ calls: src/A.kt:20
        shape.area()
//            ^ calls: src/A.kt:6
    }
    override fun step() {}
    override fun area() = 1
}
"#,
    );
}

#[test]
fn properties() {
    check(
        r#"
//- /src/A.kt
package acme
class Client { fun go(): Client = this; val next: Client? get() = null }
class Service(val client: Client) {
    val made: Client by lazy { Client() }
    val guessed = Client()
    lateinit var late: Client
}
class A(private val svc: Service) {
    fun run() {
        svc.client.go().go()
//                 ^ calls: src/A.kt:2
//                      ^ calls: src/A.kt:2
        svc.made.go()
//               ^ calls: src/A.kt:2
        svc.guessed.go()
//                  ^ calls: src/A.kt:2
        this.svc.late.go()
//                    ^ calls: src/A.kt:2
        svc.client.next?.go()
//                       ^ calls: src/A.kt:2
        svc.client.next!!.go()
//                        ^ calls: src/A.kt:2
    }
}
"#,
    );
}

#[test]
fn variables() {
    check(
        r#"
//- /src/A.kt
package acme
class Item { fun work() {}; fun next(): Item = this }
class Repo { fun find(a: Int): Item? = null }
fun repo(): Repo = Repo()
class A {
    fun run(repo: Repo, other: Any) {
        val a = Item()
        a.work()
//        ^ calls: src/A.kt:2
        val b: Item = make()
        b.work()
//        ^ calls: src/A.kt:2
        val c = repo.find(1) ?: return
//                   ^ calls: src/A.kt:3
        c.work()
//        ^ calls: src/A.kt:2
        val d = repo.find(1)!!
//                   ^ calls: src/A.kt:3
        d.next().work()
//        ^ calls: src/A.kt:2
//               ^ calls: src/A.kt:2
        val e = c
        e.work()
//        ^ calls: src/A.kt:2
        val f = other as Item
        f.work()
//        ^ calls: src/A.kt:2
        (other as Item).work()
//                      ^ calls: src/A.kt:2
        repo()
//      ^ calls: nothing
    }
    fun again() {
        repo().find(1)?.work()
//      ^ calls: src/A.kt:4
//             ^ calls: src/A.kt:3
//                      ^ calls: src/A.kt:2
    }
}
"#,
    );
}

#[test]
fn receivers_with_lambdas() {
    check(
        r#"
//- /src/A.kt
package acme
class Query { fun where(f: (Int) -> Boolean): Query = this; fun run() {} }
fun go(query: Query) {
    query.where { it > 1 }.run()
//        ^ calls: src/A.kt:2
//                         ^ calls: src/A.kt:2
    query.where({ it > 1 }).run()
//        ^ calls: src/A.kt:2
//                          ^ calls: src/A.kt:2
}
"#,
    );
}

#[test]
fn enums_and_data() {
    check(
        r#"
//- /src/A.kt
package acme
enum class Color {
    RED, GREEN;

    fun label() = ""
}
data class Point(val x: Int, val other: Other)
class Other { fun work() {} }
fun run(c: Color, p: Point) {
    c.label()
//    ^ calls: src/A.kt:5
    Color.RED.label()
//            ^ calls: src/A.kt:5
    p.other.work()
//          ^ calls: src/A.kt:8
}
"#,
    );
}

#[test]
fn generics() {
    check(
        r#"
//- /src/A.kt
package acme
interface Repo<T> {
    fun get(id: Int): T
}
class User { fun greet() {} }
class Box<T : User>(val held: T) {
    fun run(repo: Repo<User>, one: T) {
        repo.get(1).greet()
//           ^ calls: src/A.kt:3
//                  ^ calls: src/A.kt:5
        one.greet()
//          ^ calls: src/A.kt:5
        held.greet()
//           ^ calls: src/A.kt:5
    }
}
"#,
    );
}

#[test]
fn java_and_kotlin() {
    check(
        r#"
//- /src/acme/Main.kt
package acme
import acme.java.Tool
class Main {
    fun run(tool: Tool) {
        tool.use()
//           ^ calls: src/acme/java/Tool.java:4
        Tool.fix()
//           ^ calls: src/acme/java/Tool.java:8
    }
    fun back() {}
}
//- /src/acme/java/Tool.java
package acme.java;
import acme.Main;
public class Tool {
    public void use() {
        new Main().back();
//                 ^ calls: src/acme/Main.kt:10
    }
    public static void fix() {}
}
"#,
    );
}

#[test]
fn anonymous_objects() {
    check(
        r#"
//- /src/A.kt
package acme
interface Listener { fun on() }
class Bus { fun add(l: Listener) { l.on() } }
//                                   ^ calls: src/A.kt:2
fun fire() {}
fun run(bus: Bus) {
    bus.add(object : Listener {
//      ^ calls: src/A.kt:3
        override fun on() { fire() }
//                          ^ calls: src/A.kt:5
    })
}
"#,
    );
}

#[test]
fn a_variable_hides_a_function() {
    check(
        r#"
//- /src/A.kt
fun go() {}
fun run(go: () -> Unit) {
    go()
//  ^ calls: nothing
}
"#,
    );
}

#[test]
fn aliases() {
    check(
        r#"
//- /src/A.kt
package acme
class Item { fun work() {} }
typealias Thing = Item
fun run(t: Thing) {
    t.work()
//    ^ calls: src/A.kt:2
    Thing().work()
//          ^ calls: src/A.kt:2
}
"#,
    );
}
