use expect_test::expect;
use syntax::Language::Cpp;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Cpp,
        r#"namespace a::b {
template <typename T, int N = 2> T max(const T& x, T&& y) { return x > y ? x : y; }
auto trailing(int a) -> std::vector<int> { return {}; }
constexpr int LIMIT = 10;
inline namespace v1 { void in_v1(); }
using Alias = std::vector<int>;
void ns::qualified(std::string s) {}
}
TEST(Suite, Case) { EXPECT_EQ(f(), 1); }
"#,
        expect![[r#"
            Module a::b 1-8 [EXPORTED] `namespace a::b`
            Function a::b.max 2-2 [EXPORTED] `template <typename T, int N = 2> T max(const T& x, T&& y)` (x: const T&) (y: T&&) <T: > <int: N = 2> -> T cx 2
            Function a::b.trailing 3-3 [EXPORTED] `auto trailing(int a) -> std::vector<int>` (a: int) -> std::vector<int>
            Constant a::b.LIMIT 4-4 [EXPORTED CONST] `constexpr int LIMIT = 10` -> int
            Module a::b.v1 5-5 [EXPORTED INLINE] `inline namespace v1`
            Function a::b.v1.in_v1 5-5 [EXPORTED DECLARATION] `void in_v1()` -> void
            TypeAlias a::b.Alias 6-6 [EXPORTED] `using Alias = std::vector<int>` -> std::vector<int>
            Method a::b.qualified 7-7 [EXPORTED] `void ns::qualified(std::string s)` (s: std::string) -> void owner ns
            Function Suite.Case 9-9 [EXPORTED TEST] `TEST(Suite, Case)`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Cpp,
        r#"template <typename T> class Router : public Base<T> {
 public:
  Router(int a) : a_(a) {}
  explicit Router();
  ~Router() override;
  virtual int run(int x) const = 0;
  static Router make() { return Router(1); }
  bool operator==(const Router& o) const { return true; }
  template <typename U> void add(U u);
 private:
  int a_ = 0;
  std::vector<T> items_;
  static const int kMax = 3;
};
template <typename T> int Router<T>::run(int x) const { return x; }
Router::Router() {}
struct S { int a; void m(); private: int hidden; protected: void shared(); public: int open; };
enum class E : int { A, B };
extern "C" int plain(const char *text, void (*done)(int), int list[]);
"#,
        expect![[r#"
            Class Router 1-14 [EXPORTED] `template <typename T> class Router : public Base<T>` <T: > Extends Base<T>
            Constructor Router.Router 3-3 [EXPORTED] `Router(int a) : a_(a)` (a: int)
            Constructor Router.Router 4-4 [EXPORTED DECLARATION] `explicit Router()`
            Method Router.~Router 5-5 [EXPORTED DECLARATION OVERRIDE] `~Router() override`
            Method Router.run 6-6 [EXPORTED DECLARATION ABSTRACT VIRTUAL] `virtual int run(int x) const = 0` (x: int) -> int
            Method Router.make 7-7 [EXPORTED STATIC] `static Router make()` -> Router
            Method Router.operator== 8-8 [EXPORTED] `bool operator==(const Router& o) const` (o: const Router&) -> bool
            Method Router.add 9-9 [EXPORTED DECLARATION] `template <typename U> void add(U u)` (u: U) <U: > -> void
            Field Router.a_ 11-11 [PRIVATE] `int a_ = 0` -> int
            Field Router.items_ 12-12 [PRIVATE] `std::vector<T> items_` -> std::vector<T>
            Field Router.kMax 13-13 [STATIC READONLY PRIVATE] `static const int kMax = 3` -> int
            Method run 15-15 [EXPORTED] `template <typename T> int Router<T>::run(int x) const` (x: int) <T: > -> int owner Router<T>
            Constructor Router 16-16 [EXPORTED] `Router::Router()` owner Router
            Struct S 17-17 [EXPORTED] `struct S`
            Field S.a 17-17 [EXPORTED] `int a` -> int
            Method S.m 17-17 [EXPORTED DECLARATION] `void m()` -> void
            Field S.hidden 17-17 [PRIVATE] `int hidden` -> int
            Method S.shared 17-17 [DECLARATION PROTECTED] `void shared()` -> void
            Field S.open 17-17 [EXPORTED] `int open` -> int
            Enum E 18-18 [EXPORTED] `enum class E : int`
            Variant E.A 18-18 [EXPORTED] `A`
            Variant E.B 18-18 [EXPORTED] `B`
            Function plain 19-19 [EXPORTED DECLARATION] `int plain(const char *text, void (*done)(int), int list[])` (text: const char *) (done: void (*)(int)) (list: int[]) -> int
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Cpp,
        r#"namespace outer { namespace inner { class C { struct D { void m() { helper(); } }; }; } }
void f() {
  auto l = [&](int k) { return g(k); };
  struct Local { void q() {} };
  Widget w(4);
  l(1);
}
extern "C" { void exported(void); }
"#,
        expect![[r#"
            Module outer 1-1 [EXPORTED] `namespace outer`
            Module outer.inner 1-1 [EXPORTED] `namespace inner`
            Class outer.inner.C 1-1 [EXPORTED] `class C`
            Struct outer.inner.C.D 1-1 [PRIVATE] `struct D`
            Method outer.inner.C.D.m 1-1 [EXPORTED] `void m()` -> void
            Function f 2-7 [EXPORTED] `void f()` -> void
            Struct f.Local 4-4 [EXPORTED] `struct Local`
            Method f.Local.q 4-4 [EXPORTED] `void q()` -> void
            Function exported 8-8 [EXPORTED DECLARATION] `void exported(void)` -> void
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Cpp,
        r#"#include <vector>
#include "local.hpp"
using namespace std;
using ns::Type;
namespace n { using namespace other::deep; }
"#,
        expect![[r#"
            "vector" "" as "" GLOB SYSTEM in <file>
            "local.hpp" "" as "" GLOB in <file>
            "std" "" as "" GLOB in <file>
            "ns" "Type" as "Type" in <file>
            "other::deep" "" as "" GLOB in n
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Cpp,
        r#"class A : public B, private ns::C<int> {};
struct D : E {};
"#,
        expect![[r#"
            Class A 1-1 [EXPORTED] `class A : public B, private ns::C<int>` Extends B Extends ns::C<int>
            Struct D 2-2 [EXPORTED] `struct D : E` Extends E
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Cpp,
        r#"void main_() {
  helper(1, 2);
  obj->run();
  a.b.c<int>(3);
  ns::f(4);
  ns::deep::Type::make<T>(5);
  auto p = new ns::Foo(6);
  auto q = std::make_unique<Bar>(7);
  Widget{8};
  this->member(kMax);
  std::vector<Item> v;
  fn = &Foo::method;
  Made made(1, 2); ns::Braced braced{3}; Tpl<int> tpl(4);
}
"#,
        expect![[r#"
            Call helper (2) in main_ line 2
            Value obj in main_ line 3
            MethodCall obj . run (0) in main_ line 3
            Value a in main_ line 4
            Member a . b in main_ line 4
            MethodCall a.b . c (1) in main_ line 4
            Value ns in main_ line 5
            PathCall ns . f (1) in main_ line 5
            Value ns in main_ line 6
            Value deep in main_ line 6
            Value Type in main_ line 6
            PathCall ns::deep::Type . make (1) in main_ line 6
            Type T in main_ line 6
            Value ns in main_ line 7
            New ns . Foo (1) in main_ line 7
            Value std in main_ line 8
            PathCall std . make_unique (1) in main_ line 8
            Type Bar in main_ line 8
            New Widget in main_ line 9
            MethodCall this . member (1) in main_ line 10
            Value kMax in main_ line 10
            Value std in main_ line 11
            Type std . vector in main_ line 11
            Type Item in main_ line 11
            Value fn in main_ line 12
            Value Foo in main_ line 12
            Value Foo . method in main_ line 12
            New Made (2) in main_ line 13
            Value ns in main_ line 13
            New ns . Braced (1) in main_ line 13
            New Tpl (1) in main_ line 13
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Cpp,
        r#"void f(const Foo& a, Bar* b, int n = 2) {
  auto x = make();
  auto y = new Thing(1);
  ns::Item z = load();
  auto w = other.field;
  for (const auto& i : items) {}
  for (Elem e : items) {}
  Widget widget{5};
  auto [m, k] = pair();
}
"#,
        expect![[r#"
            a Annotated "Foo" in f
            b Annotated "Bar" in f
            n Annotated "int" in f
            x Call "make" in f
            y Constructed "Thing" in f
            z Annotated "ns::Item" in f
            w Alias "other.field" in f
            i Element "items" in f
            e Annotated "Elem" in f
            widget Annotated "Widget" in f
            m Alias "" in f
            k Alias "" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Cpp,
        r#"/// Adds.
/// More.
template <typename T>
T add(T a);

/** Class. */
class A {
  //! Field.
  int x; ///< trailing
  int y;
};
"#,
        expect![[r#"
            add "Adds.\nMore." []
            A "Class." []
            A.x "Field." []
            A.y "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Cpp,
        r#"int before() { return a(); }
class Broken { void m( { x = ; }
struct After { int a; };
"#,
        expect![[r#"
            Function before 1-1 [EXPORTED] `int before()` -> int
            Struct After 3-3 [EXPORTED] `struct After`
            Field After.a 3-3 [EXPORTED] `int a` -> int
            Syntax line 2: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Cpp,
        r#"class Shape final : public Base {
  int own;
public:
  virtual double area() const = 0;
  void name() const override final;
  static constexpr int SIDES = 3;
protected:
  mutable int cache;
  const int id = 1;
private:
  inline void draw() {}
};
static int hidden() { return 1; }
consteval int twice(int x) { return 2 * x; }
extern int outside();
"#,
        expect![[r#"
            Class Shape 1-12 [EXPORTED FINAL] `class Shape final : public Base` Extends Base
            Field Shape.own 2-2 [PRIVATE] `int own` -> int
            Method Shape.area 4-4 [EXPORTED DECLARATION ABSTRACT VIRTUAL] `virtual double area() const = 0` -> double
            Method Shape.name 5-5 [EXPORTED DECLARATION OVERRIDE FINAL] `void name() const override final` -> void
            Field Shape.SIDES 6-6 [EXPORTED STATIC CONST] `static constexpr int SIDES = 3` -> int
            Field Shape.cache 8-8 [PROTECTED MUTABLE] `mutable int cache` -> int
            Field Shape.id 9-9 [READONLY PROTECTED] `const int id = 1` -> int
            Method Shape.draw 11-11 [PRIVATE INLINE] `inline void draw()` -> void
            Function hidden 13-13 [PRIVATE] `static int hidden()` -> int
            Function twice 14-14 [EXPORTED CONST] `consteval int twice(int x)` (x: int) -> int
            Function outside 15-15 [EXPORTED DECLARATION EXTERN] `extern int outside()` -> int
        "#]],
    );
}
