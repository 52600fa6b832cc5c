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
