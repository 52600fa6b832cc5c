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
