//! Members of types of Dart: constructors, supertypes, fields, extensions, enums.

use crate::check;

#[test]
fn constructors() {
    check(
        r#"
//- /lib/a.dart
class Point {
  final int x;
  Point(this.x);
  Point.zero() : this(0);
  factory Point.of(String a) => Point(1);
  void go() {}
}
void run() {
  Point(1).go();
//^ calls: lib/a.dart:1
//         ^ calls: lib/a.dart:6
  Point.zero().go();
//      ^ calls: lib/a.dart:4
//             ^ calls: lib/a.dart:6
  final a = Point.of('x');
//                ^ calls: lib/a.dart:5
  a.go();
//  ^ calls: lib/a.dart:6
  final b = new Point(2);
//              ^ calls: lib/a.dart:1
  b.go();
//  ^ calls: lib/a.dart:6
}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /lib/a.dart
abstract class Base implements Shape {
  void own() {}
  void step() {}
}
abstract class Shape { int area(); }
mixin Logs { void log(String a) {} }
class Child extends Base with Logs {
  void run(Shape shape) {
    own();
//  ^ calls: lib/a.dart:2
    super.own();
//        ^ calls: lib/a.dart:2
    super.step();
//        ^ calls: lib/a.dart:3
    step();
//  ^ calls: lib/a.dart:22
    log('x');
//  ^ calls: lib/a.dart:6
    shape.area();
//        ^ calls: lib/a.dart:5
  }
  @override void step() {}
  int area() => 1;
}
"#,
    );
}

#[test]
fn super_constructor() {
    check(
        r#"
//- /lib/a.dart
class Base {
  Base(int n);
}
class Child extends Base {
  Child(int n) : super(n);
//               ^ calls: lib/a.dart:1
}
"#,
    );
}

#[test]
fn fields() {
    check(
        r#"
//- /lib/a.dart
class Client {
  Client go() => this;
  Client? get next => null;
}
class Service {
  final Client client;
  late final Client made = Client();
  final guessed = Client();
  static final Service shared = Service(Client());
  Service(this.client);
}
class A {
  final Service svc;
  Client? plain;
  A(this.svc);
  void run() {
    svc.client.go().go();
//             ^ calls: lib/a.dart:2
//                  ^ calls: lib/a.dart:2
    this.svc.made.go();
//                ^ calls: lib/a.dart:2
    svc.guessed.go();
//              ^ calls: lib/a.dart:2
    plain?.go();
//         ^ calls: lib/a.dart:2
    plain!.go();
//         ^ calls: lib/a.dart:2
    svc.client.next?.go();
//                   ^ calls: lib/a.dart:2
    Service.shared.client.go();
//                        ^ calls: lib/a.dart:2
  }
}
"#,
    );
}

#[test]
fn cascades() {
    check(
        r#"
//- /lib/a.dart
class Query {
  void where(int a) {}
  void run() {}
}
void go(Query query) {
  query..where(1)..run();
//       ^ calls: lib/a.dart:2
//                 ^ calls: lib/a.dart:3
}
"#,
    );
}

#[test]
fn extensions() {
    check(
        r#"
//- /lib/a.dart
class Order {}
extension Totals on Order {
  int total(int n) => n;
}
extension Shout on String {
  String shout() => this;
}
void run(Order order, String text) {
  order.total(1);
//      ^ calls: lib/a.dart:3
  text.shout();
//     ^ calls: lib/a.dart:6
  'x'.shout();
//    ^ calls: lib/a.dart:6
}
"#,
    );
}

#[test]
fn enums() {
    check(
        r#"
//- /lib/a.dart
enum Color {
  red, green;
  String label() => '';
}
void run(Color c) {
  c.label();
//  ^ calls: lib/a.dart:3
  Color.red.label();
//          ^ calls: lib/a.dart:3
}
"#,
    );
}

#[test]
fn generics() {
    check(
        r#"
//- /lib/a.dart
abstract class Repo<T> {
  T get(int id);
}
class User { void greet() {} }
class Box<T extends User> {
  final T held;
  Box(this.held);
  void run(Repo<User> repo, T one) {
    repo.get(1).greet();
//       ^ calls: lib/a.dart:2
//              ^ calls: lib/a.dart:4
    one.greet();
//      ^ calls: lib/a.dart:4
    held.greet();
//       ^ calls: lib/a.dart:4
  }
}
"#,
    );
}
