use expect_test::expect;
use syntax::Language::C;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        C,
        r#"#include "a.h"
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int counter = 0, second;
extern const char *names[];
int *make(struct foo *f, const char *name, int n, ...);
static int *make(struct foo *f, const char *name, int n, ...) {
  if (n > 1 && f) { for (;;) { switch (n) { case 1: break; } } }
  return n ? 0 : make(f, name, 1);
}
void none(void) {}
unsigned long (*pointer)(int);
"#,
        expect![[r#"
            Constant LIMIT 2-2 [EXPORTED] `#define LIMIT 10`
            Macro MAX 3-3 [EXPORTED] `#define MAX(a, b) ((a) > (b) ? (a) : (b))` (a: ) (b: )
            Variable counter 4-4 [PRIVATE] `static int counter = 0, second` -> int
            Variable second 4-4 [PRIVATE] `static int counter = 0, second` -> int
            Constant names 5-5 [EXPORTED READONLY EXTERN] `extern const char *names[]` -> char
            Function make 6-6 [EXPORTED DECLARATION] `int *make(struct foo *f, const char *name, int n, ...)` (f: struct foo *) (name: const char *) (n: int) -> int
            Function make 7-10 [PRIVATE] `static int *make(struct foo *f, const char *name, int n, ...)` (f: struct foo *) (name: const char *) (n: int) -> int cx 6
            Function none 11-11 [EXPORTED] `void none(void)` -> void
            Variable pointer 12-12 [EXPORTED] `unsigned long (*pointer)(int)` (: int) -> unsigned long
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        C,
        r#"struct point { int x, y; struct point *next; void (*draw)(int); };
typedef struct { char *name; } item_t;
typedef struct tagged { int a; } tagged_t;
typedef int (*handler)(int, char *);
typedef unsigned long size;
enum color { RED, GREEN = 2 };
typedef enum { ON, OFF } state_t;
union value { int i; float f; };
struct forward;
"#,
        expect![[r#"
            Struct point 1-1 [EXPORTED] `struct point`
            Field point.x 1-1 [EXPORTED] `int x, y` -> int
            Field point.y 1-1 [EXPORTED] `int x, y` -> int
            Field point.next 1-1 [EXPORTED] `struct point *next` -> struct point
            Field point.draw 1-1 [EXPORTED] `void (*draw)(int)` (: int) -> void
            Struct item_t 2-2 [EXPORTED] `typedef struct`
            Field item_t.name 2-2 [EXPORTED] `char *name` -> char
            TypeAlias tagged_t 3-3 [EXPORTED] `typedef struct tagged { int a; } tagged_t` -> struct tagged { int a; }
            Struct tagged 3-3 [EXPORTED] `struct tagged`
            Field tagged.a 3-3 [EXPORTED] `int a` -> int
            TypeAlias handler 4-4 [EXPORTED] `typedef int (*handler)(int, char *)` (: int) (: char *) -> int
            TypeAlias size 5-5 [EXPORTED] `typedef unsigned long size` -> unsigned long
            Enum color 6-6 [EXPORTED] `enum color`
            Variant color.RED 6-6 [EXPORTED] `RED`
            Variant color.GREEN 6-6 [EXPORTED] `GREEN = 2`
            Enum state_t 7-7 [EXPORTED] `typedef enum`
            Variant state_t.ON 7-7 [EXPORTED] `ON`
            Variant state_t.OFF 7-7 [EXPORTED] `OFF`
            Struct value 8-8 [EXPORTED] `union value`
            Field value.i 8-8 [EXPORTED] `int i` -> int
            Field value.f 8-8 [EXPORTED] `float f` -> float
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        C,
        r#"#ifdef FLAG
int conditional(void) { return 1; }
static int flagged;
#else
int other(void) { return 2; }
#endif
struct outer { struct inner { int a; } in; union { int b; }; };
void f(void) { int local = 1; struct local_s { int q; }; helper(local); }
"#,
        expect![[r#"
            Function conditional 2-2 [EXPORTED] `int conditional(void)` -> int
            Variable flagged 3-3 [PRIVATE] `static int flagged` -> int
            Function other 5-5 [EXPORTED] `int other(void)` -> int
            Struct outer 7-7 [EXPORTED] `struct outer`
            Field outer.in 7-7 [EXPORTED] `struct inner { int a; } in` -> struct inner { int a; }
            Struct outer.inner 7-7 [EXPORTED] `struct inner`
            Field outer.inner.a 7-7 [EXPORTED] `int a` -> int
            Field outer.b 7-7 [EXPORTED] `int b` -> int
            Function f 8-8 [EXPORTED] `void f(void)` -> void
            Struct f.local_s 8-8 [EXPORTED] `struct local_s`
            Field f.local_s.q 8-8 [EXPORTED] `int q` -> int
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        C,
        r#"#include <stdio.h>
#include "dir/local.h"
#ifdef X
#include "cond.h"
#endif
"#,
        expect![[r#"
            "stdio.h" "" as "" GLOB SYSTEM in <file>
            "dir/local.h" "" as "" GLOB in <file>
            "cond.h" "" as "" GLOB in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        C,
        r#"struct a { struct b base; };
"#,
        expect![[r#"
            Struct a 1-1 [EXPORTED] `struct a`
            Field a.base 1-1 [EXPORTED] `struct b base` -> struct b
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        C,
        r#"int main(int argc, char **argv) {
  helper(1, 2);
  obj->vtable->run(obj);
  s.cb(3);
  (*fn)(4);
  int x = LIMIT + global;
  struct point p = { .x = 1 };
  item_t *it = (item_t *) malloc(sizeof(item_t));
  register_cb(on_done, &it->name);
  return MAX(x, 2);
}
"#,
        expect![[r#"
            Call helper (2) in main line 2
            Value obj in main line 3
            Member obj . vtable in main line 3
            MethodCall obj->vtable . run (1) in main line 3
            Value obj in main line 3
            Value s in main line 4
            MethodCall s . cb (1) in main line 4
            Value fn in main line 5
            Value LIMIT in main line 6
            Value global in main line 6
            Type point in main line 7
            Type item_t in main line 8
            Type item_t in main line 8
            Call malloc (1) in main line 8
            Value item_t in main line 8
            Call register_cb (2) in main line 9
            Value on_done in main line 9
            Member it . name in main line 9
            Call MAX (2) in main line 10
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        C,
        r#"void f(struct foo *a, item_t b, const char *c) {
  item_t *x = make();
  struct point p, *q;
  int arr[3];
}
static item_t *global_item;
"#,
        expect![[r#"
            a Annotated "struct foo" in f
            b Annotated "item_t" in f
            c Annotated "char" in f
            x Annotated "item_t" in f
            p Annotated "struct point" in f
            q Annotated "struct point" in f
            arr Annotated "int" in f
            global_item Annotated "item_t" in <file>
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        C,
        r#"/* License. */

/**
 * Adds.
 */
int add(int a);

// Line doc.
// Two.
struct s {
  int a; /* trailing */
  int b; // more
};
/* far */

int none;
"#,
        expect![[r#"
            add "Adds." []
            s "Line doc.\nTwo." []
            s.a "" []
            s.b "" []
            none "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        C,
        r#"int before(void) { return a(); }
int broken( { x = ; }
struct after { int a; };
int last(void) { if }
"#,
        expect![[r#"
            Function before 1-1 [EXPORTED] `int before(void)` -> int
            Struct after 3-3 [EXPORTED] `struct after`
            Field after.a 3-3 [EXPORTED] `int a` -> int
            Syntax line 2: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        C,
        r#"static int hidden(void) { return 1; }
extern int outside(void);
static inline int quick(int a) { return a; }
static const int LIMIT = 3;
const char *name(void);
"#,
        expect![[r#"
            Function hidden 1-1 [PRIVATE] `static int hidden(void)` -> int
            Function outside 2-2 [EXPORTED DECLARATION EXTERN] `extern int outside(void)` -> int
            Function quick 3-3 [PRIVATE INLINE] `static inline int quick(int a)` (a: int) -> int
            Constant LIMIT 4-4 [READONLY PRIVATE] `static const int LIMIT = 3` -> int
            Function name 5-5 [EXPORTED DECLARATION] `const char *name(void)` -> char
        "#]],
    );
}
