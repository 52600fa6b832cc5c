use expect_test::expect;
use syntax::Language::Go;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Go,
        r#"package main

const A, B = 1, 2
const (
	C = iota
	D
)
var global, other = 1, 2
var handler = func(w Writer) { serve(w) }

func Fetch(url string, retries, limit int, opts ...Option) (*Body, error) {
	if retries > 3 && url != "" { return nil, nil }
	for i := range opts { switch i { case 1: a() } }
	return nil, nil
}
func Map[T any, U comparable](xs []T) []U { return nil }
func TestFetch(t *testing.T) {}
func main() {}
"#,
        expect![[r#"
            Constant A 3-3 [EXPORTED] `const A, B = 1, 2`
            Constant B 3-3 [EXPORTED] `const A, B = 1, 2`
            Constant C 5-5 [EXPORTED] `C = iota`
            Constant D 6-6 [EXPORTED] `D`
            Variable global 8-8 `var global, other = 1, 2`
            Variable other 8-8 `var global, other = 1, 2`
            Function handler 9-9 `var handler = func(w Writer)` (w: Writer)
            Function Fetch 11-15 [EXPORTED] `func Fetch(url string, retries, limit int, opts ...Option) (*Body, error)` (url: string) (retries: int) (limit: int) (opts: Option) -> (*Body, error) cx 5
            Function Map 16-16 [EXPORTED] `func Map[T any, U comparable](xs []T) []U` (xs: []T) <T: any> <U: comparable> -> []U
            Function TestFetch 17-17 [EXPORTED TEST] `func TestFetch(t *testing.T)` (t: *testing.T)
            Function main 18-18 `func main()`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        Go,
        r#"package main

type Router[T any] struct {
	*Base
	http.Handler
	routes, names []string `tag`
	fn func(int) error
}

func (r *Router[T]) Add(path string) *Router[T] { return r }
func (Router[T]) private() {}

type Handler interface {
	fmt.Stringer
	Serve(w Writer, r *Request) error
}
type Alias = Router[int]
type Code int
"#,
        expect![[r#"
            Struct Router 3-8 [EXPORTED] `type Router[T any] struct` <T: any> Extends Base Extends http.Handler
            Field Router.routes 6-6 `routes, names []string `tag`` -> []string
            Field Router.names 6-6 `routes, names []string `tag`` -> []string
            Field Router.fn 7-7 `fn func(int) error` -> func(int) error
            Method Add 10-10 [EXPORTED] `func (r *Router[T]) Add(path string) *Router[T]` (path: string) -> *Router[T] owner Router
            Method private 11-11 `func (Router[T]) private()` owner Router
            Interface Handler 13-16 [EXPORTED] `type Handler interface` Extends fmt.Stringer
            Method Handler.Serve 15-15 [EXPORTED DECLARATION] `Serve(w Writer, r *Request) error` (w: Writer) (r: *Request) -> error
            TypeAlias Alias 17-17 [EXPORTED] `type Alias = Router[int]` -> Router[int]
            TypeAlias Code 18-18 [EXPORTED] `type Code int` -> int
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Go,
        r#"package main

func outer() {
	inner := func(x int) { helper(x) }
	var second = func() { helper2() }
	local := 1
	type hidden struct{ a int }
	inner(local)
	go func() { spawned() }()
}
"#,
        expect![[r#"
            Function outer 3-10 `func outer()`
            Function outer.inner 4-4 `inner := func(x int)` (x: int)
            Function outer.second 5-5 `var second = func()`
            Struct outer.hidden 7-7 `type hidden struct`
            Field outer.hidden.a 7-7 `a int` -> int
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Go,
        r#"package chi

import "fmt"
import (
	"net/http"
	m "github.com/x/y/v5"
	_ "side/effect"
	. "dot"
	"gopkg.in/yaml.v3"
	"example.com/mod/v2"
)
"#,
        expect![[r#"
            package chi
            "fmt" "" as "fmt" MODULE in <file>
            "net/http" "" as "http" MODULE in <file>
            "github.com/x/y/v5" "" as "m" MODULE in <file>
            "side/effect" "" as "" SIDE_EFFECT in <file>
            "dot" "" as "" GLOB in <file>
            "gopkg.in/yaml.v3" "" as "yaml" MODULE in <file>
            "example.com/mod/v2" "" as "mod" MODULE in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        Go,
        r#"package main

type A struct { B; *pkg.C; D[int]; name E }
type I interface { J; pkg.K; m() }
"#,
        expect![[r#"
            Struct A 3-3 [EXPORTED] `type A struct` Extends B Extends pkg.C Extends D[int]
            Field A.name 3-3 `name E` -> E
            Interface I 4-4 [EXPORTED] `type I interface` Extends J Extends pkg.K
            Method I.m 4-4 [DECLARATION] `m()`
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Go,
        r#"package main

func main() {
	helper(1, 2)
	http.HandleFunc("/", handler)
	r.mux.Add(x).Go()
	p := &Point{X: 1, Y: LIMIT}
	q := pkg.Point{}
	Map[int, string](xs)
	defer close(ch)
	var s Service = NewService()
	fn := r.method
	Code(1)
}
"#,
        expect![[r#"
            Call helper (2) in main line 4
            Value http in main line 5
            MethodCall http . HandleFunc (2) in main line 5
            Value handler in main line 5
            Value r in main line 6
            Member r . mux in main line 6
            MethodCall r.mux . Add (1) in main line 6
            Value x in main line 6
            MethodCall r.mux.Add(x) . Go (0) in main line 6
            New Point in main line 7
            Value LIMIT in main line 7
            New pkg . Point in main line 8
            Call Map in main line 9
            Type int in main line 9
            Type string in main line 9
            Value xs in main line 9
            Call close (1) in main line 10
            Value ch in main line 10
            Type Service in main line 11
            Call NewService (0) in main line 11
            Value r in main line 12
            Member r . method in main line 12
            Call Code (1) in main line 13
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Go,
        r#"package main

func f(a Foo, b, c *Bar, d ...Baz) (err error) {
	x := NewFoo()
	y, err := client.Load(1)
	z := &Item{}
	var w Thing = make2()
	for i, v := range list.All() {}
	q := x.field
	s := val.(Service)
	m := new(Model)
	k := append(items, w)
	e := &items[0]
	var g, h = pair(1)
	r.field = NewField()
	return
}
"#,
        expect![[r#"
            a Annotated "Foo" in f
            b Annotated "*Bar" in f
            c Annotated "*Bar" in f
            d Annotated "Baz" in f
            err Annotated "error" in f
            x Call "NewFoo" in f
            y Call "client.Load" in f
            err Alias "client.Load(1)" in f
            z Constructed "Item" in f
            w Annotated "Thing" in f
            i Alias "" in f
            v Element "list.All()" in f
            q Alias "x.field" in f
            s Annotated "Service" in f
            m Constructed "Model" in f
            k Alias "items" in f
            e Alias "items[0]" in f
            g Call "pair" in f
            h Alias "pair(1)" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Go,
        r#"// Package doc.
package main

// Add adds.
//
// Twice.
func Add() {}

//go:generate x
func gen() {}

type (
	// In a group.
	A struct {
		// Field doc.
		X int // trailing
		Y int
	}
)

// far away

func none() {}
"#,
        expect![[r#"
            Add "Add adds.\n\nTwice." []
            gen "" []
            A "In a group." []
            A.X "Field doc." []
            A.Y "" []
            none "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Go,
        r#"package main

func before() { a() }
func broken( { x := }
type After struct { a int }
func (a After) m() { if }
"#,
        expect![[r#"
            Function before 3-3 `func before()`
            Function broken 4-4 `func broken(`
            Struct After 5-5 [EXPORTED] `type After struct`
            Field After.a 5-5 `a int` -> int
            Method m 6-6 `func (a After) m()` owner After
            Syntax line 4: ) is missing
            Syntax line 4: identifier is missing
            Syntax line 6: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Go,
        r#"type shape struct { sides int; Name string }
func (s *shape) Area() float64 { return 0 }
func hidden() {}
func outside()
"#,
        expect![[r#"
            Struct shape 1-1 `type shape struct`
            Field shape.sides 1-1 `sides int` -> int
            Field shape.Name 1-1 [EXPORTED] `Name string` -> string
            Method Area 2-2 [EXPORTED] `func (s *shape) Area() float64` -> float64 owner shape
            Function hidden 3-3 `func hidden()`
            Function outside 4-4 [DECLARATION] `func outside()`
        "#]],
    );
}
