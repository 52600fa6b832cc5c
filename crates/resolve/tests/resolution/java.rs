use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /src/A.java
package com.acme;
class A {
    void helper() {}
    void run() {
        helper();
        //^ calls: src/A.java:3
        this.helper();
        //   ^ calls: src/A.java:3
    }
}
"#,
    );
}

#[test]
fn overloads() {
    check(
        r#"
//- /src/A.java
package com.acme;
class A {
    void put(String a) {}
    void put(String a, int b) {}
    void run(A other) {
        other.put("x", 1);
        //    ^ calls: src/A.java:4
        put("x");
        //<- calls: src/A.java:3
    }
}
"#,
    );
}

#[test]
fn same_package() {
    check(
        r#"
//- /src/com/acme/A.java
package com.acme;
class A {
    void run() {
        B.create().work();
        //^ calls: src/com/acme/B.java:3
        new B().work();
        //      ^ calls: src/com/acme/B.java:4
    }
}
//- /src/com/acme/B.java
package com.acme;
class B {
    static B create() { return new B(); }
    void work() {}
}
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /src/com/acme/util/Tool.java
package com.acme.util;
public class Tool {
    public static void fix() {}
    public void use() {}
}
//- /src/com/acme/Main.java
package com.acme;
import com.acme.util.Tool;
import static com.acme.util.Tool.fix;
import java.util.List;
class Main {
    private final Tool tool = new Tool();
    void run(List<Tool> tools) {
        fix();
        //^ calls: src/com/acme/util/Tool.java:3
        Tool.fix();
        //   ^ calls: src/com/acme/util/Tool.java:3
        tool.use();
        //   ^ calls: src/com/acme/util/Tool.java:4
        for (Tool one : tools) {
            one.use();
            //  ^ calls: src/com/acme/util/Tool.java:4
        }
        List.of();
        //   ^ calls: nothing
    }
}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /src/Base.java
package com.acme;
abstract class Base implements Shape {
    void own() {}
    abstract void step();
}
//- /src/Shape.java
package com.acme;
interface Shape {
    int area();
}
//- /src/Child.java
package com.acme;
class Child extends Base {
    void run(Shape shape) {
        own();
        //^ calls: src/Base.java:3
        super.own();
        //    ^ calls: src/Base.java:3
        shape.area();
        //    ^ calls: src/Shape.java:3
    }
    void step() {}
    public int area() { return 1; }
}
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /src/A.java
package com.acme;
interface Shape { int area(); }
class Base {}
class Square extends Base implements Shape {
    public int area() { return 1; }
}
"#;
    check_edges(
        text,
        EdgeKind::Implements,
        &expect![[r#"
        Square → Shape (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Square → Base (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Shape.area → Square.area (override)
    "#]],
    );
}

#[test]
fn variable_hides_no_method() {
    check(
        r#"
//- /src/A.java
package com.acme;
class A {
    Tool tool;
    String id() { return ""; }
    Tool tool() { return tool; }
    void run(int size) {
        String id = id();
        //          ^ calls: src/A.java:4
        size = size(size);
        //     ^ calls: src/A.java:14
        tool().use();
        //     ^ calls: src/A.java:17
    }
    int size(int of) { return of; }
}
class Tool {
    void use() {}
}
"#,
    );
}

#[test]
fn overloads_above() {
    check(
        r#"
//- /src/Node.java
package com.acme;
class Node {
    String attr(String key) { return ""; }
    void report(String text, Object... parts) {}
}
//- /src/Element.java
package com.acme;
class Element extends Node {
    Element attr(String key, String value) { return this; }
    void report(String text) {}
    void run(Element other) {
        other.attr("a");
        //    ^ calls: src/Node.java:3
        attr("a", "b");
        //<- calls: src/Element.java:3
        report("a", "b", "c");
        //<- calls: src/Node.java:4
        report("a");
        //<- calls: src/Element.java:4
    }
}
"#,
    );
}

#[test]
fn type_with_its_package() {
    check(
        r#"
//- /src/Tool.java
package org.acme.tools;
public class Tool {
    public static Tool make() { return new Tool(); }
    public void use() {}
    public static class Part { public void turn() {} }
}
//- /src/Main.java
package com.other;
class Main {
    void run(org.acme.tools.Tool given, org.acme.tools.Tool.Part part) {
        given.use();
        //    ^ calls: src/Tool.java:4
        part.turn();
        //   ^ calls: src/Tool.java:5
        org.acme.tools.Tool.make().use();
        //                         ^ calls: src/Tool.java:4
    }
}
"#,
    );
}

#[test]
fn own_class_by_name() {
    check(
        r#"
//- /src/A.java
package com.acme;
class A {
    A() {}
    static A make() { return A.build(1).get(); }
    //                         ^ calls: src/A.java:6
    static A build(int n) { return new A(); }
    A get() { return this; }
}
"#,
    );
}

#[test]
fn elements_without_written_type() {
    check(
        r#"
//- /src/A.java
package com.acme;
class A {
    void run(java.util.List<Tool> tools) {
        for (var tool : tools) {
            tool.use();
            //   ^ calls: src/A.java:10
        }
    }
}
class Tool { void use() {} }
"#,
    );
}
