use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /a.go
package app
func helper() {}
func run() {
	helper()
//  ^ calls: a.go:2
}
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /a.go
package app
func helper() {}
func run(helper func()) {
	helper()
	//<- calls: nothing
}
"#,
    );
}

#[test]
fn same_package() {
    check(
        r#"
//- /a.go
package app
func run(r *Router) {
	helper()
	//<- calls: b.go:2
	r.Add()
	//^ calls: b.go:4
}
//- /b.go
package app
func helper() {}
type Router struct{}
func (r *Router) Add() {}
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /go.mod
module example.com/app

go 1.22
//- /main.go
package main
import (
	"fmt"
	mw "example.com/app/middleware"
	"example.com/app/routing"
)
func main() {
	fmt.Println("x")
	//  ^ calls: nothing
	mw.Logger()
	// ^ calls: middleware/logger.go:2
	r := routing.New()
	//           ^ calls: routing/router.go:3
	r.Add()
	//^ calls: routing/router.go:4
}
//- /middleware/logger.go
package middleware
func Logger() {}
func Println() {}
//- /routing/router.go
package routing
type Router struct{}
func New() *Router { return &Router{} }
func (r *Router) Add() {}
"#,
    );
}

#[test]
fn receiver_types() {
    check(
        r#"
//- /a.go
package app
type Inner struct{}
func (i *Inner) Work() {}
type Outer struct {
	inner *Inner
	list []*Inner
}
func (o *Outer) Run() {
	o.inner.Work()
	//      ^ calls: a.go:3
	for _, one := range o.list {
		one.Work()
		//  ^ calls: a.go:3
	}
}
func use() {
	a := &Outer{}
	a.Run()
	//^ calls: a.go:8
	var b Outer
	b.Run()
	//^ calls: a.go:8
}
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /a.go
package app
type Base struct{}
func (b *Base) Own() {}
type Child struct {
	*Base
	name string
}
type Shape interface {
	Area() float64
}
func use(c *Child, s Shape) {
	c.Own()
	//^ calls: a.go:3
	s.Area()
	//^ calls: a.go:9
}
"#,
    );
}

#[test]
fn interfaces_are_implemented_by_having_their_methods() {
    let text = r#"
//- /a.go
package app
type Shape interface {
	Area() float64
	Grow(by int) Shape
}
type Square struct{}
func (s *Square) Area() float64 { return 1 }
func (s *Square) Grow(by int) Shape { return s }
type Point struct{}
func (p Point) Area() float64 { return 0 }
"#;
    check_edges(
        text,
        EdgeKind::Implements,
        &expect![[r#"
        Square → Shape (structural-type)
    "#]],
    );
    check_edges(
        text,
        EdgeKind::Dispatch,
        &expect![[r#"
        Shape.Area → Square.Area (override)
        Shape.Grow → Square.Grow (override)
    "#]],
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /a.go
package app
type Router struct{}
func (r *Router) Add() {}
//- /b.go
package app
func (r Router) Remove() {}
"#;
    check_edges(
        text,
        EdgeKind::HasMethod,
        &expect![[r#"
        Router → Router.Add (structure)
        Router → Router.Remove (structure)
    "#]],
    );
}

#[test]
fn types_made_of_others() {
    check(
        r#"
//- /go.mod
module example.com/app
//- /errors.go
package app

type Error struct{ Kind int }

func (e *Error) Fatal() bool { return true }

type errorMsgs []*Error

func (a errorMsgs) ByType(kind int) errorMsgs { return a }
func (a errorMsgs) Newest() *Error { return a[len(a)-1] }

type table map[string]*Error

func (t table) Entry(key string) *Error { return t[key] }
//- /context.go
package app

type Context struct {
	Errors errorMsgs
	known  table
}

func (c *Context) report() {
	c.Errors.ByType(1).Newest().Fatal()
	//       ^ calls: errors.go:9
	//                 ^ calls: errors.go:10
	//                          ^ calls: errors.go:5
	c.known.Entry("a").Fatal()
	//      ^ calls: errors.go:14
	for _, err := range c.Errors {
		err.Fatal()
		//  ^ calls: errors.go:5
	}
	c.Errors[0].Fatal()
	//          ^ calls: errors.go:5
}
"#,
    );
}

#[test]
fn results_by_position() {
    check(
        r#"
//- /a.go
package app
type Tx struct{}
func (t *Tx) Commit() error { return nil }
type Page struct{}
func (p *Page) Count() int { return 0 }
type DB struct{}
func (db *DB) Begin() (t *Tx, err error) { return nil, nil }
func (db *DB) page() (*Page, *Tx) { return nil, nil }
func Open() (db *DB, err error) {
	db, err = nil, nil
	return
}
func run() {
	db, err := Open()
	tx, err := db.Begin()
	if err != nil { return }
	tx.Commit()
	// ^ calls: a.go:3
	p, other := db.page()
	p.Count()
	//^ calls: a.go:5
	other.Commit()
	//    ^ calls: a.go:3
	var q, last = db.page()
	q.Count()
	//^ calls: a.go:5
	last.Commit()
	//   ^ calls: a.go:3
}
"#,
    );
}

#[test]
fn embedded_field() {
    check(
        r#"
//- /store/store.go
package store
type Storage interface {
	Remove(name string)
}
//- /go.mod
module example.com/app
//- /a.go
package app
import "example.com/app/store"
type base struct{}
func (b *base) Validate() {}
type options struct {
	base
	store.Storage
}
func (o *options) Validate() {
	o.base.Validate()
	//     ^ calls: a.go:4
	o.Storage.Remove("x")
	//        ^ calls: store/store.go:3
}
"#,
    );
}

#[test]
fn elements_and_appended() {
    check(
        r#"
//- /a.go
package app
type Node struct{}
func (n *Node) Key() string { return "" }
type Nodes []Node
func (n Nodes) Sort() {}
func (n Nodes) First() *Node { return &n[0] }
type stack struct { nodes []Node }
func (s *stack) top() *Node { return nil }
func run(s *stack, given []string) {
	last := &s.nodes[len(s.nodes)-1]
	last.Key()
	//   ^ calls: a.go:3
	first := s.nodes[0]
	first.Key()
	//    ^ calls: a.go:3
	var nodes Nodes
	nodes = append(nodes, first)
	nodes.Sort()
	//    ^ calls: a.go:5
	more := append(nodes, first)
	more.Sort()
	//   ^ calls: a.go:5
	var any interface{} = s
	any.(*stack).top().Key()
	//                 ^ calls: a.go:3
	Nodes(s.nodes).First().Key()
	//             ^ calls: a.go:6
}
"#,
    );
}

#[test]
fn file_for_one_platform() {
    check(
        r#"
//- /lock_darwin.go
package app
func lock() {}
//- /lock_unix.go
package app
func lock() {}
//- /lock_windows.go
package app
func lock() {}
//- /main.go
package app
func run() {
	lock()
	//<- calls: lock_unix.go:2
}
"#,
    );
}

#[test]
fn files_that_the_default_build_leaves_out() {
    check(
        r#"
//- /go.mod
module example.com/a
//- /a_app.go
package a

func run() {
	open()
	//^ calls: z_open.go:5
	lock()
	//^ calls: lock_unix.go:5
	only()
	//^ calls: b_open.go:6
	f := File{}
	f.Read()
	//^ calls: z_open.go:6
}
//- /b_open.go
//go:build windows || purego

package a

func open() {}
func only() {}
func (f File) Read() {}
type File struct{}
//- /lock_unix.go
//go:build unix

package a

func lock() {}
//- /lock_windows.go
package a

func lock() {}
//- /z_open.go
//go:build !windows && !purego

package a

func open() {}
func (f File) Read() {}
type File struct{}
"#,
    );
}
