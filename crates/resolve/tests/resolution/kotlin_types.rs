//! Types of Kotlin and their members: objects, extension functions, supertypes, properties, generics.

use crate::check;

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
fn bare_names_in_an_extension_mean_members_of_its_type() {
    check(
        r#"
//- /src/Order.kt
package app
class Lines { fun total(): Int = 1 }
class Order {
    val lines = Lines()
    fun check() {}
}
typealias Request = Order
//- /src/Ext.kt
package app
private fun Order.sum(): Int = lines.total()
//                                   ^ calls: src/Order.kt:2
fun Request.audit() {}
fun Order.run() {
    check()
//  ^ calls: src/Order.kt:5
    sum()
//  ^ calls: src/Ext.kt:2
    audit()
//  ^ calls: src/Ext.kt:4
    missing()
//  ^ calls: nothing
}
fun String.quoted() = escaped()
//                    ^ calls: src/Ext.kt:17
fun String.escaped() = this
fun other() {
    sum()
//  ^ calls: nothing
}
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
fn constructors_on_a_line_of_their_own() {
    check(
        r#"
//- /src/Shape.kt
package acme
class Shape
private constructor(builder: Builder) {
    val sides: Int = builder.count()
//                           ^ calls: src/Shape.kt:9
    class Builder
    internal constructor(val name: String) {
        var sides = 0
        fun count(): Int = sides
        fun build(): Shape = Shape(this)
//                           ^ calls: src/Shape.kt:2
    }
    class Hint<T : Any>
    constructor(val text: T) {
        fun read(): T = text
    }
    companion object {
        fun builder(name: String): Builder = Builder(name)
//                                           ^ calls: src/Shape.kt:6
    }
}
fun make(hint: Shape.Hint<String>) {
    Shape.builder("a").build().sides
//        ^ calls: src/Shape.kt:18
//                     ^ calls: src/Shape.kt:10
    hint.read()
//       ^ calls: src/Shape.kt:15
}
"#,
    );
}

#[test]
fn source_sets_of_platforms() {
    check(
        r#"
//- /lib/src/appleMain/kotlin/Socket.kt
package acme
class Socket {
    fun connect() {}
}
//- /lib/src/commonMain/kotlin/Client.kt
package acme
expect class Clock() {
    fun now(): Long
}
fun wait(clock: Clock) {
    clock.now()
//        ^ calls: lib/src/commonMain/kotlin/Client.kt:3
}
//- /lib/src/jvmMain/kotlin/Client.jvm.kt
package acme
import acme.Clock
actual class Clock {
    actual fun now(): Long = 1
}
fun open(socket: Socket, clock: Clock) {
    socket.connect()
//         ^ calls: lib/src/jvmMain/kotlin/Socket.kt:3
    clock.now()
//        ^ calls: lib/src/jvmMain/kotlin/Client.jvm.kt:4
}
//- /lib/src/jvmMain/kotlin/Socket.kt
package acme
class Socket {
    fun connect() {}
}
//- /lib/src/jvmTest/kotlin/SocketTest.kt
package acme
fun check() {
    Socket().connect()
//  ^ calls: lib/src/jvmMain/kotlin/Socket.kt:2
//           ^ calls: lib/src/jvmMain/kotlin/Socket.kt:3
}
//- /lib/src/nativeMain/kotlin/Clock.kt
package acme
actual class Clock {
    actual fun now(): Long = 2
}
"#,
    );
}

#[test]
fn extensions_of_lists() {
    check(
        r#"
//- /src/A.kt
package acme
class Part
fun List<Part>.sizes(): Int = size
fun <T> Collection<T>.frozen(): List<T> = toList()
class Box(val parts: MutableList<Part>) {
    fun run(others: Set<Part>) {
        parts.sizes()
//            ^ calls: src/A.kt:3
        others.frozen().sizes()
//             ^ calls: src/A.kt:4
//                      ^ calls: src/A.kt:3
        parts.shuffle()
//            ^ calls: nothing
    }
}
"#,
    );
}
