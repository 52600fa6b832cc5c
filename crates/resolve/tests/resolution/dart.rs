use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /lib/a.dart
void helper() {}
class A {
  void own() {}
  static A make() => A();
  void run() {
    helper();
//  ^ calls: lib/a.dart:1
    own();
//  ^ calls: lib/a.dart:3
    this.own();
//       ^ calls: lib/a.dart:3
    A.make().own();
//    ^ calls: lib/a.dart:4
//           ^ calls: lib/a.dart:3
    make().own();
//  ^ calls: lib/a.dart:4
//         ^ calls: lib/a.dart:3
    missing();
//  ^ calls: nothing
    print('x');
//  ^ calls: nothing
  }
}
"#,
    );
}

#[test]
fn local_functions_and_closures() {
    check(
        r#"
//- /lib/a.dart
void run() {
  int local(int q) => q;
  local(1);
//^ calls: lib/a.dart:2
  final twice = (int n) => local(n);
//                         ^ calls: lib/a.dart:2
  twice(2);
//^ calls: lib/a.dart:5
  [1].map((x) => local(x));
//               ^ calls: lib/a.dart:2
}
void other() {
  local(1);
//^ calls: nothing
}
"#,
    );
}

#[test]
fn relative_import() {
    check(
        r#"
//- /lib/a.dart
import 'src/tool.dart';
import '../other/far.dart';
void run(Tool tool, List<Tool> tools) {
  tool.use();
//     ^ calls: lib/src/tool.dart:3
  Tool.fix();
//     ^ calls: lib/src/tool.dart:4
  Tool().use();
//^ calls: lib/src/tool.dart:2
//       ^ calls: lib/src/tool.dart:3
  far();
//^ calls: other/far.dart:1
  for (final one in tools) {
    one.use();
//      ^ calls: lib/src/tool.dart:3
  }
}
//- /lib/src/tool.dart
import 'hidden.dart';
class Tool {
  void use() {}
  static void fix() {}
}
//- /lib/src/hidden.dart
void hidden() {}
//- /other/far.dart
void far() {}
"#,
    );
}

#[test]
fn imports_are_not_passed_on() {
    check(
        r#"
//- /lib/a.dart
import 'b.dart';
void run() {
  direct();
//^ calls: lib/b.dart:2
  indirect();
//^ calls: nothing
}
//- /lib/b.dart
import 'c.dart';
void direct() {}
//- /lib/c.dart
void indirect() {}
"#,
    );
}

#[test]
fn package_import() {
    check(
        r#"
//- /pubspec.yaml
name: acme
dependencies:
  http: ^1.0.0
//- /lib/util.dart
void clean() {}
class Box { void open() {} }
//- /test/a.dart
import 'package:acme/util.dart';
import 'package:http/http.dart';
void run(Box box, Client client) {
  clean();
//^ calls: lib/util.dart:1
  box.open();
//    ^ calls: lib/util.dart:2
  client.open();
//       ^ calls: nothing
}
"#,
    );
}

#[test]
fn packages_of_a_workspace() {
    check(
        r#"
//- /packages/core/pubspec.yaml
name: core
//- /packages/core/lib/core.dart
export 'src/deep.dart';
//- /packages/core/lib/src/deep.dart
void deep() {}
//- /packages/app/pubspec.yaml
name: app
//- /packages/app/lib/main.dart
import 'package:core/core.dart';
void main() {
  deep();
//^ calls: packages/core/lib/src/deep.dart:1
}
"#,
    );
}

#[test]
fn prefixes() {
    check(
        r#"
//- /lib/a.dart
import 'tool.dart' as t;
import 'late.dart' deferred as late_;
void run(t.Tool tool) {
  t.clean();
//  ^ calls: lib/tool.dart:1
  t.Tool.fix();
//       ^ calls: lib/tool.dart:3
  tool.use();
//     ^ calls: lib/tool.dart:4
  late_.load();
//      ^ calls: lib/late.dart:1
  clean();
//^ calls: nothing
}
//- /lib/tool.dart
void clean() {}
class Tool {
  static void fix() {}
  void use() {}
}
//- /lib/late.dart
void load() {}
"#,
    );
}

#[test]
fn show_and_hide() {
    check(
        r#"
//- /lib/a.dart
import 'tool.dart' show clean;
void run() {
  clean();
//^ calls: lib/tool.dart:1
  other();
//^ calls: nothing
}
//- /lib/tool.dart
void clean() {}
void other() {}
"#,
    );
}

#[test]
fn exports() {
    check(
        r#"
//- /lib/a.dart
import 'all.dart';
void run(Model m, Kept k) {
  m.save();
//  ^ calls: lib/src/model.dart:1
  k.hold();
//  ^ calls: lib/src/kept.dart:1
  helper();
//^ calls: nothing
}
//- /lib/all.dart
export 'src/model.dart';
export 'src/kept.dart' show Kept;
//- /lib/src/model.dart
class Model { void save() {} }
//- /lib/src/kept.dart
class Kept { void hold() {} }
void helper() {}
"#,
    );
}

#[test]
fn parts() {
    check(
        r#"
//- /lib/router.dart
import 'tool.dart';
part 'router_part.dart';
class Router {
  void go() { inPart(); }
//            ^ calls: lib/router_part.dart:2
}
//- /lib/router_part.dart
part of 'router.dart';
void inPart() {
  Router().go();
//         ^ calls: lib/router.dart:4
  clean();
//^ calls: lib/tool.dart:1
}
//- /lib/tool.dart
void clean() {}
//- /lib/user.dart
import 'router.dart';
void use() {
  inPart();
//^ calls: lib/router_part.dart:2
}
"#,
    );
}

#[test]
fn variables() {
    check(
        r#"
//- /lib/a.dart
class Item {
  void work() {}
  Item next() => this;
}
class Repo {
  Item? find(int a) => null;
  Future<Item> load() async => Item();
  List<Item> get all => [];
}
Repo makeRepo() => Repo();
void run(Repo repo, Object other) async {
  var a = Item();
  a.work();
//  ^ calls: lib/a.dart:2
  Item b = make();
  b.work();
//  ^ calls: lib/a.dart:2
  final c = await repo.load();
//                     ^ calls: lib/a.dart:7
  c.next().work();
//  ^ calls: lib/a.dart:3
//         ^ calls: lib/a.dart:2
  final d = c;
  d.work();
//  ^ calls: lib/a.dart:2
  final e = other as Item;
  e.work();
//  ^ calls: lib/a.dart:2
  for (final g in repo.all) {
    g.work();
//    ^ calls: lib/a.dart:2
  }
  (other as Item).work();
//                ^ calls: lib/a.dart:2
  makeRepo().find(1)?.work();
//^ calls: lib/a.dart:10
//           ^ calls: lib/a.dart:6
//                    ^ calls: lib/a.dart:2
}
"#,
    );
}

#[test]
fn a_variable_hides_a_function() {
    check(
        r#"
//- /lib/a.dart
void go() {}
void run(void Function() go) {
  go();
//^ calls: nothing
}
"#,
    );
}
