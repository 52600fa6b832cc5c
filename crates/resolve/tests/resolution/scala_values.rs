//! Values of Scala: parameters of functions that are arguments, names of a type's own value, package objects.

use crate::check;

#[test]
fn parameters_of_functions() {
    check(
        r#"
//- /src/A.scala
package acme
class Job(val next: Option[Job]) {
  def run(): Int = 1
  def edit(change: Job => Job): Job = change(this)
  def named(name: String): Job = this
}
class Queue(jobs: List[Job], pairs: List[(String, Job)]) {
  def all(): Unit = {
    jobs.map(job => job.run())
//                      ^ calls: src/A.scala:3
    jobs.foreach { job => job.run() }
//                            ^ calls: src/A.scala:3
    jobs.map(_.run())
//             ^ calls: src/A.scala:3
    jobs.exists(_.run() == 2)
//                ^ calls: src/A.scala:3
    jobs map (job => job.run())
//                       ^ calls: src/A.scala:3
    pairs.map { case (name, job) => job.run() }
//                                      ^ calls: src/A.scala:3
    pairs.find(_._1 == "a").map { case (_, job) => job.run() }
//                                                     ^ calls: src/A.scala:3
    jobs.headOption.map(_.named("a").run())
//                        ^ calls: src/A.scala:5
//                                   ^ calls: src/A.scala:3
    jobs.head.edit(_.named("b"))
//            ^ calls: src/A.scala:4
//                   ^ calls: src/A.scala:5
    change(_.named("c"))
//           ^ calls: src/A.scala:5
    for (job <- jobs.find(_.run() == 1)) {
      job.run()
//        ^ calls: src/A.scala:3
    }
    jobs.map(other => other.missing())
//                          ^ calls: nothing
  }
  private[acme] def change(edit: Job => Job): Unit = { edit(jobs.head) }
}
"#,
    );
}

#[test]
fn names_of_the_own_value() {
    check(
        r#"
//- /src/A.scala
package acme
trait Sink { def write(text: String): Unit }
trait Log { self =>
  def write(text: String): Unit
  def sink: Sink = new Sink {
    override def write(text: String): Unit = self.write(text)
//                                                ^ calls: src/A.scala:4
  }
}
"#,
    );
}

#[test]
fn values_that_are_summoned() {
    check(
        r#"
//- /src/A.scala
package acme
trait Codec[A] { def decode(text: String): A }
object Codec {
  val current = new DynamicVariable[Codec[Int]](null)
  def read[A: Codec](text: String): A = {
    implicitly[Codec[A]].decode(text)
//                       ^ calls: src/A.scala:2
    summon[Codec[A]].decode(text)
//                   ^ calls: src/A.scala:2
  }
  def now(): Int = Codec.current.value.decode("1")
//                                     ^ calls: src/A.scala:2
}
"#,
    );
}

#[test]
fn members_of_package_objects() {
    check(
        r#"
//- /src/A.scala
package acme.io
object copy { def apply(from: String): Unit = () }
class A {
  def run(): Unit = {
    limit()
//  ^ calls: src/package.scala:3
    io.copy("a")
//     ^ calls: src/A.scala:2
    io.limit()
//     ^ calls: src/package.scala:3
  }
}
//- /src/package.scala
package acme
package object io {
  def limit(): Int = 1
  def start(a: A): Unit = {
    a.run()
//    ^ calls: src/A.scala:4
  }
}
//- /web/B.scala
package web
import acme.io._
class B {
  def run(): Int = limit()
//                 ^ calls: src/package.scala:3
}
"#,
    );
}
