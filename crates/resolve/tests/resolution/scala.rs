use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /src/A.scala
package acme
object Util { def helper(): Int = 1 }
class A {
  def own(): Unit = ()
  def run(): Unit = {
    own()
//  ^ calls: src/A.scala:4
    this.own()
//       ^ calls: src/A.scala:4
    Util.helper()
//       ^ calls: src/A.scala:2
    missing()
//  ^ calls: nothing
    println("x")
//  ^ calls: nothing
  }
}
"#,
    );
}

#[test]
fn local_functions_and_lambdas() {
    check(
        r#"
//- /src/A.scala
object Main {
  def run(): Unit = {
    def local(q: Int): Int = q
    local(1)
//  ^ calls: src/A.scala:3
    val twice = (n: Int) => local(n)
//                          ^ calls: src/A.scala:3
    twice(2)
//  ^ calls: src/A.scala:6
    List(1).map(x => local(x))
//                   ^ calls: src/A.scala:3
  }
  def other(): Unit = local(1)
//                    ^ calls: nothing
}
"#,
    );
}

#[test]
fn overloads() {
    check(
        r#"
//- /src/A.scala
class A {
  def put(a: String): Unit = ()
  def put(a: String, b: Int): Unit = ()
  def run(other: A): Unit = {
    other.put("x", 1)
//        ^ calls: src/A.scala:3
    put("x")
//  ^ calls: src/A.scala:2
  }
}
"#,
    );
}

#[test]
fn same_package() {
    check(
        r#"
//- /src/acme/A.scala
package acme
class A {
  def run(b: B): Unit = {
    B.create().work()
//    ^ calls: src/acme/B.scala:6
//             ^ calls: src/acme/B.scala:3
    new B().work()
//      ^ calls: src/acme/B.scala:2
//          ^ calls: src/acme/B.scala:3
    b.work()
//    ^ calls: src/acme/B.scala:3
  }
}
//- /src/acme/B.scala
package acme
class B {
  def work(): Unit = ()
}
object B {
  def create(): B = new B()
}
"#,
    );
}

#[test]
fn outer_packages() {
    check(
        r#"
//- /src/A.scala
package acme
package web
class A {
  def run(): Unit = {
    Root.start()
//       ^ calls: src/Root.scala:2
  }
}
//- /src/Root.scala
package acme
object Root { def start(): Unit = () }
"#,
    );
}

#[test]
fn imports() {
    check(
        r#"
//- /src/Main.scala
package app
import acme.util.Tool
import acme.util.{Tool => Hammer, Box}
import acme.util.Helpers._
import acme.util.deep.*
class Main(tool: Tool) {
  def run(hammer: Hammer, box: Box, tools: List[Tool]): Unit = {
    tool.use()
//       ^ calls: lib/Tool.scala:2
    hammer.use()
//         ^ calls: lib/Tool.scala:2
    box.open()
//      ^ calls: lib/Tool.scala:3
    clean("x")
//  ^ calls: lib/Tool.scala:4
    Dig.down()
//      ^ calls: lib/Deep.scala:2
    for (one <- tools) {
      one.use()
//        ^ calls: lib/Tool.scala:2
    }
  }
}
//- /lib/Tool.scala
package acme.util
class Tool { def use(): Unit = () }
class Box { def open(): Unit = () }
object Helpers { def clean(a: String): Unit = () }
//- /lib/Deep.scala
package acme.util.deep
object Dig { def down(): Unit = () }
"#,
    );
}

#[test]
fn relative_imports() {
    check(
        r#"
//- /src/Main.scala
package acme
import Config._
import util.Tool
class Main {
  def run(): Unit = {
    load()
//  ^ calls: src/Config.scala:2
    Tool.fix()
//       ^ calls: src/util/Tool.scala:2
  }
}
//- /src/Config.scala
package acme
object Config { def load(): Unit = () }
//- /src/util/Tool.scala
package acme.util
object Tool { def fix(): Unit = () }
"#,
    );
}

#[test]
fn imports_in_a_class() {
    check(
        r#"
//- /src/A.scala
package acme
object Ops { def plus(a: Int): Int = a }
class A {
  import Ops._
  def run(): Unit = {
    plus(1)
//  ^ calls: src/A.scala:2
  }
}
"#,
    );
}

#[test]
fn values_and_variables() {
    check(
        r#"
//- /src/A.scala
package acme
class Item { def work(): Unit = ()
  def next(): Item = this }
class Repo { def find(a: Int): Item = new Item
  def all: List[Item] = Nil }
class A(repo: Repo) {
  val held = new Item()
  val typed: Item = make()
  def run(other: Any): Unit = {
    val a = new Item()
    a.work()
//    ^ calls: src/A.scala:2
    val b: Item = make()
    b.work()
//    ^ calls: src/A.scala:2
    val c = repo.find(1)
    c.next().work()
//    ^ calls: src/A.scala:3
//           ^ calls: src/A.scala:2
    val d = c
    d.work()
//    ^ calls: src/A.scala:2
    held.work()
//       ^ calls: src/A.scala:2
    typed.work()
//        ^ calls: src/A.scala:2
    for (e <- repo.all) { e.work() }
//                          ^ calls: src/A.scala:2
    for (f <- repo.all; g = f.next()) { g.work() }
//                                        ^ calls: src/A.scala:2
    other match {
      case h: Item => h.work()
//                      ^ calls: src/A.scala:2
    }
  }
}
"#,
    );
}

#[test]
fn package_objects() {
    check(
        r#"
//- /src/package.scala
package acme
package object util {
  def helper(): Int = 1
}
//- /src/A.scala
package acme
class A {
  def run(): Unit = {
    util.helper()
//       ^ calls: src/package.scala:3
  }
}
"#,
    );
}

#[test]
fn java_and_scala() {
    check(
        r#"
//- /src/Main.scala
package acme
import acme.java.Tool
class Main {
  def run(tool: Tool): Unit = {
    tool.use()
//       ^ calls: src/Tool.java:4
    Tool.fix()
//       ^ calls: src/Tool.java:8
  }
  def back(): Unit = ()
}
//- /src/Tool.java
package acme.java;
import acme.Main;
public class Tool {
    public void use() {
        new Main().back();
//                 ^ calls: src/Main.scala:10
    }
    public static void fix() {}
}
"#,
    );
}

#[test]
fn a_variable_hides_a_method() {
    check(
        r#"
//- /src/A.scala
object A {
  def go(): Unit = ()
  def run(go: () => Unit): Unit = {
    go()
//  ^ calls: nothing
  }
}
"#,
    );
}

#[test]
fn indented_syntax() {
    check(
        r#"
//- /src/A.scala
package acme
trait Shape:
  def area(): Int
class Square extends Shape:
  def area(): Int = side() * 2
  def side(): Int = 1
  def run(shape: Shape): Unit =
    if side() > 1 then
//     ^ calls: src/A.scala:6
      shape.area()
//          ^ calls: src/A.scala:3
    else
      side()
//    ^ calls: src/A.scala:6
@main def start(): Unit =
  new Square().side()
//             ^ calls: src/A.scala:6
"#,
    );
}
