//! Types of Scala and their members: companions, supertypes, case classes, extensions, generics.

use crate::check;

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
fn a_class_with_further_constructors() {
    check(
        r#"
//- /src/A.scala
package acme
class Rule(name: String, size: Int) {
  import Rule._
  def this(name: String) = this(name, start)
  def named(name: String): Rule = new Rule(name)
//                                    ^ calls: src/A.scala:4
  def twice(name: String): Rule = named(name).named(name)
//                                            ^ calls: src/A.scala:5
}
object Rule {
  val start = 1
}
"#,
    );
}
