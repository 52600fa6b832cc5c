use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /src/a.c
static void helper(void) {}
void run(void) {
    helper();
    //^ calls: src/a.c:1
}
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /include/util.h
int util(int a);
struct item { int n; };
//- /src/util.c
#include "util.h"
int util(int a) { return a; }
//- /src/main.c
#include <stdio.h>
#include "util.h"
int main(void) {
    printf("x");
    //<- calls: nothing
    return util(1);
    //     ^ calls: src/util.c:2
}
"#,
    );
}

#[test]
fn receiver_types() {
    check(
        r#"
//- /src/inner.hpp
class Inner {
public:
    void work();
};
//- /src/inner.cpp
#include "inner.hpp"
void Inner::work() {}
//- /src/main.cpp
#include "inner.hpp"
#include <memory>
struct Outer {
    Inner inner;
    std::unique_ptr<Inner> owned;
    void run(const Inner& given) {
        inner.work();
        //    ^ calls: src/inner.cpp:2
        owned->work();
        //     ^ calls: src/inner.cpp:2
        helper();
        //^ calls: src/main.cpp:14
    }
    void helper() {}
};
"#,
    );
}

#[test]
fn inheritance() {
    let text = r#"
//- /src/a.cpp
class Base {
public:
    virtual void run() {}
    void own() {}
};
class Child : public Base {
public:
    void run() override {}
    void use() { own(); }
    //           ^ calls: src/a.cpp:4
};
"#;
    check(text);
    check_edges(
        text,
        EdgeKind::Extends,
        &expect![[r#"
        Child → Base (same-file)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Base.run → Child.run (override)
    "#]],
    );
}
