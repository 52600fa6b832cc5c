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

#[test]
fn namespaces() {
    check(
        r#"
//- /include/store.h
namespace store {
class Status {
public:
    static Status Corruption(int code);
    bool ok() const;
};
namespace port {
class Mutex {
public:
    void Lock();
};
}
int checksum(int n);
enum Level { kLow, kHigh };
}
//- /src/status.cc
#include "store.h"
namespace store {
Status Status::Corruption(int code) { return Status(); }
bool Status::ok() const { return true; }
int checksum(int n) { return n; }
}
//- /src/db.cc
#include "store.h"
namespace store {
class Db {
    port::Mutex mutex_;
    Status Open();
    void Close();
};
Status Db::Open() {
    mutex_.Lock();
    //     ^ calls: include/store.h:10
    checksum(kHigh);
    //<- calls: src/status.cc:5
    //       ^ refers: include/store.h:14
    Close();
    //<- calls: src/db.cc:19
    return Status::Corruption(1);
    //             ^ calls: src/status.cc:3
}
void Db::Close() {}
}
//- /src/main.cc
#include "store.h"
using namespace store;
int checksum(char* text);
int main() {
    Status status = Status::Corruption(2);
    //                      ^ calls: src/status.cc:3
    status.ok();
    //     ^ calls: src/status.cc:4
    store::checksum(3);
    //     ^ calls: src/status.cc:5
}
//- /other/unrelated.cc
namespace other {
class Status {};
int checksum(int n) { return 0; }
}
"#,
    );
}

#[test]
fn definitions_by_platform() {
    check(
        r#"
//- /include/thread.h
void lock(int m);
void *(make)(int n);
//- /src/unix/thread.c
#include "thread.h"
void lock(int m) {}
//- /src/win/thread.c
#include "thread.h"
void lock(int m) {}
void wait(void) {
    lock(1);
    //<- calls: src/win/thread.c:2
}
//- /src/make.c
#include "thread.h"
void *make(int n) { return 0; }
//- /src/pool.c
#include "thread.h"
static void hidden(void) {}
void run(void) {
    lock(1);
    //<- calls: src/unix/thread.c:2
    hidden();
    //<- calls: src/pool.c:2
    make(2);
    //<- calls: src/make.c:2
}
//- /src/other.c
#include "thread.h"
static void hidden(void) {}
"#,
    );
}

#[test]
fn abstract_classes() {
    let text = r#"
//- /include/iterator.h
namespace db {
class Iterator {
public:
    virtual bool Valid() const = 0;
};
Iterator* NewIterator();
}
//- /src/list.cc
#include "iterator.h"
namespace db {
class ListIterator : public Iterator {
public:
    bool Valid() const override { return true; }
};
Iterator* NewIterator() { return new ListIterator; }
//                                   ^ calls: src/list.cc:3
}
//- /src/use.cc
#include "iterator.h"
namespace db {
bool first(Iterator* it) {
    if (it->Valid()) return true;
    //      ^ calls: include/iterator.h:4
    return NewIterator()->Valid();
    //                    ^ calls: include/iterator.h:4
}
}
"#;
    check(text);
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        db.Iterator.Valid → db.ListIterator.Valid (override)
    "#]],
    );
}

#[test]
fn macros_around_functions() {
    check(
        r#"
//- /src/a.c
#define API extern
#define NOEXCEPT
#define CASE(op) case op:
typedef int Number;
API Number first(int a) {
    return second(a);
    //     ^ calls: src/a.c:9
}
int second(int a) NOEXCEPT {
    switch (a) {
        CASE(ONE) {
            third();
            //<- calls: src/a.c:19
        }
    }
    return first(a);
    //     ^ calls: src/a.c:5
}
static void third(void) {}
"#,
    );
    check_edges(
        r#"
//- /src/b.c
#define CASE(op) case op:
void done(void) {}
void run(int a) {
    switch (a) {
        CASE(ONE) {
            done();
        }
    }
}
"#,
        EdgeKind::Calls,
        &expect![[r#"
        run → done (same-file)
    "#]],
    );
}

#[test]
fn global_name() {
    check(
        r#"
//- /src/a.cpp
void Error(const char* text) {}
struct Printer {
    void Error(const char* text);
};
void Printer::Error(const char* text) {
    ::Error(text);
    //^ calls: src/a.cpp:1
}
"#,
    );
}

#[test]
fn iterators() {
    check(
        r#"
//- /src/a.cpp
#include <vector>
struct Node { void visit() {} };
struct Graph {
    std::vector<Node*> nodes;
    void walk() {
        for (std::vector<Node*>::iterator i = nodes.begin(); i != nodes.end(); ++i)
            (*i)->visit();
            //    ^ calls: src/a.cpp:2
        auto first = nodes.begin();
        (*first)->visit();
        //        ^ calls: src/a.cpp:2
    }
};
"#,
    );
}

#[test]
fn forward_declared_type() {
    check(
        r#"
//- /src/status.h
#include <string>
struct Status {
    virtual void started() = 0;
};
//- /src/disk.h
#include <string>
struct Disk {
    enum Status { Good, Bad };
};
//- /src/build.h
#include <string>
struct Status;
struct Builder {
    Status* status_;
    void build();
};
//- /src/build.cc
#include "build.h"
#include "status.h"
void Builder::build() {
    status_->started();
    //       ^ calls: src/status.h:3
}
"#,
    );
}

#[test]
fn functions_of_other_systems() {
    check(
        r#"
//- /src/a.c
#include "os.h"
#ifdef _WIN32
static int open_it(void) { return 1; }
#else
static int open_it(void) { return 2; }
#endif
int run(void) {
    open_it();
    //^ calls: src/a.c:5
    close_it();
    //^ calls: src/z_os.c:2
    only_windows();
    //^ calls: src/b_os.c:3
    return 0;
}
//- /src/b_os.c
#if defined(_WIN32)
int close_it(void) { return 1; }
int only_windows(void) { return 1; }
#endif
//- /src/os.h
int close_it(void);
int only_windows(void);
//- /src/z_os.c
#ifndef _WIN32
int close_it(void) { return 2; }
#endif
"#,
    );
}
