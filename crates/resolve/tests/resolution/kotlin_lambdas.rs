//! Lambdas of Kotlin: receivers, parameters, scope functions; results of functions that are one expression.

use crate::check;

#[test]
fn receivers_of_lambdas() {
    check(
        r#"
//- /src/A.kt
package acme
class Writer {
    fun emit(s: String): Writer = this
    fun <T> nested(block: T.(Writer) -> Unit) {}
}
class Other { fun emit(s: String) {} fun own() {} }
typealias Body = Writer.() -> Unit
fun build(block: Writer.() -> Unit): Writer = Writer().apply(block)
fun aliased(n: Int, body: Body) {}
fun Other.configure(block: Other.() -> Unit) {}
fun emit(s: String) {}
class Page {
    fun emit(s: String) {}
    val part = build { emit("a") }
//                     ^ calls: src/A.kt:3
    fun run(other: Other, writer: Writer) {
        emit("b")
//      ^ calls: src/A.kt:13
        build { emit("c") }
//              ^ calls: src/A.kt:3
        aliased(1) {
            emit("d")
//          ^ calls: src/A.kt:3
            this.emit("e")
//               ^ calls: src/A.kt:3
            other.configure { emit("f") }
//                            ^ calls: src/A.kt:6
            own()
//          ^ calls: nothing
        }
        with(writer) { emit("g") }
//                     ^ calls: src/A.kt:3
        writer.run { emit("h") }
//                   ^ calls: src/A.kt:3
        other.apply { own() }
//                    ^ calls: src/A.kt:6
        writer.let { emit("i") }
//                   ^ calls: src/A.kt:13
    }
}
fun top(block: Writer.() -> Unit = { emit("j") }) {
//                                   ^ calls: src/A.kt:3
    build { }.emit("k")
//            ^ calls: src/A.kt:3
    emit("l")
//  ^ calls: src/A.kt:11
}
"#,
    );
}

#[test]
fn parameters_of_lambdas() {
    check(
        r#"
//- /src/A.kt
package acme
class Item { fun go() {} fun next(): Item? = null }
class Box(val items: List<Item>) { fun each(action: (Int, Item) -> Unit) {} }
fun visit(name: String, action: (Item) -> Unit) {}
fun run(box: Box, item: Item) {
    box.items.forEach { it.go() }
//                         ^ calls: src/A.kt:2
    box.each { n, one -> one.go() }
//                           ^ calls: src/A.kt:2
    visit("a") { it.go() }
//                  ^ calls: src/A.kt:2
    visit("b", { one -> one.go() })
//                          ^ calls: src/A.kt:2
    item.next()?.let { it.go() }
//                        ^ calls: src/A.kt:2
    item.also { same -> same.go() }.go()
//                           ^ calls: src/A.kt:2
//                                  ^ calls: src/A.kt:2
}
"#,
    );
}

#[test]
fn results_that_are_expressions() {
    check(
        r#"
//- /src/A.kt
package acme
class Item { fun go() {} fun other() = Item() }
fun made() = Item()
fun named(item: Item) = item.other()
val Item.twin get() = other()
fun run(item: Item) {
    made().go()
//         ^ calls: src/A.kt:2
    named(item).go()
//              ^ calls: src/A.kt:2
    item.other().go()
//               ^ calls: src/A.kt:2
    item.twin.go()
//            ^ calls: src/A.kt:2
    val made = made().also { println(it) }
    made.go()
//       ^ calls: src/A.kt:2
}
"#,
    );
}

#[test]
fn extensions_of_type_parameters() {
    check(
        r#"
//- /src/A.kt
package acme
interface Holder
class Command : Holder {
    fun run() {
        label()
//      ^ calls: src/A.kt:13
        main(1)
//      ^ calls: src/A.kt:14
        this.setUp { run() }
//           ^ calls: src/A.kt:15
    }
}
private fun Any.label() = "a"
fun <T : Holder> T.main(n: Int) {}
fun <T : Holder> T.setUp(block: T.() -> Unit): T = this
fun use(command: Command, text: String) {
    command.main(2)
//          ^ calls: src/A.kt:14
    command.setUp { main(3) }
//                  ^ calls: src/A.kt:14
    command.setUp { run() }
//                  ^ calls: src/A.kt:4
    text.main(4)
//       ^ calls: nothing
}
"#,
    );
}
