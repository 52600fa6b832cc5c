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
fn companions() {
    check(
        r#"
//- /src/A.scala
package acme
class Router(a: Int) {
  def go(): Unit = ()
}
object Router {
  val Limit = 3
  def make(): Router = new Router(1)
//                         ^ calls: src/A.scala:2
}
class B {
  def run(): Unit = {
    Router.make().go()
//         ^ calls: src/A.scala:7
//                ^ calls: src/A.scala:3
    new Router(2).go()
//                ^ calls: src/A.scala:3
  }
}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /src/A.scala
package acme
abstract class Base extends Shape {
  def own(): Unit = ()
  def step(): Unit = ()
}
trait Shape { def area(): Int }
trait Logs { def log(a: String): Unit = () }
class Child extends Base with Logs {
  def run(shape: Shape): Unit = {
    own()
//  ^ calls: src/A.scala:3
    super.own()
//        ^ calls: src/A.scala:3
    super.step()
//        ^ calls: src/A.scala:4
    step()
//  ^ calls: src/A.scala:23
    log("x")
//  ^ calls: src/A.scala:7
    shape.area()
//        ^ calls: src/A.scala:6
  }
  override def step(): Unit = ()
  def area(): Int = 1
}
"#,
    );
}

#[test]
fn parameterless_methods() {
    check(
        r#"
//- /src/A.scala
package acme
class Item { def next: Item = this
  def work: Unit = ()
  def take(a: Int): Int = a
}
class A {
  def mine: Item = new Item
  def run(item: Item): Unit = {
    item.next.work
//       ^ calls: src/A.scala:2
//            ^ calls: src/A.scala:3
    mine.work
//  ^ calls: src/A.scala:7
//       ^ calls: src/A.scala:3
    List(1).map(item.take)
//                   ^ refers: src/A.scala:4
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
fn case_classes() {
    check(
        r#"
//- /src/A.scala
package acme
case class Point(x: Int, other: Other) {
  def sum(): Int = x
}
class Other { def work(): Unit = () }
class A {
  def run(p: Point): Unit = {
    p.sum()
//    ^ calls: src/A.scala:3
    p.other.work()
//          ^ calls: src/A.scala:5
    Point(1, null).sum()
//                 ^ calls: src/A.scala:3
    val q = Point(1, null)
    q.sum()
//    ^ calls: src/A.scala:3
    p.copy(1) match { case Point(a, b) => a }
  }
}
"#,
    );
}

#[test]
fn enums() {
    check(
        r#"
//- /src/A.scala
package acme
enum Color:
  case Red, Green
  def label(): String = ""
class A:
  def run(c: Color): Unit =
    c.label()
//    ^ calls: src/A.scala:4
    Color.Red.label()
//            ^ calls: src/A.scala:4
"#,
    );
}

#[test]
fn extensions() {
    check(
        r#"
//- /src/A.scala
package acme
class Order
extension (order: Order)
  def total(n: Int): Int = n
extension (s: String)
  def shout(): String = s
class A:
  def run(order: Order, text: String): Unit =
    order.total(1)
//        ^ calls: src/A.scala:4
    text.shout()
//       ^ calls: src/A.scala:6
    "x".shout()
//      ^ calls: src/A.scala:6
    order.missing()
//        ^ calls: nothing
"#,
    );
}

#[test]
fn generics() {
    check(
        r#"
//- /src/A.scala
package acme
trait Repo[T] { def get(id: Int): T }
class User { def greet(): Unit = () }
class Box[T <: User](val held: T) {
  def run(repo: Repo[User], one: T, maybe: Option[User]): Unit = {
    repo.get(1).greet()
//       ^ calls: src/A.scala:2
//              ^ calls: src/A.scala:3
    one.greet()
//      ^ calls: src/A.scala:3
    held.greet()
//       ^ calls: src/A.scala:3
    generic[Int](1)
    new Box[User](null).held.greet()
//                           ^ calls: src/A.scala:3
  }
  def generic[A](a: A): A = a
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
