use expect_test::expect;
use syntax::Language::JavaScript;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        JavaScript,
        r#"function createApplication(options) { return function app(req, res, next) { app.handle(req) } }
const arrow = async x => x
var legacy = function named() {}
export default class { run() {} }
var a = 1, b
function* gen(a, b = 2, ...rest) {}
"#,
        expect![[r#"
            Function createApplication 1-1 `function createApplication(options)` (options: )
            Function createApplication.app 1-1 `function app(req, res, next)` (req: ) (res: ) (next: )
            Function arrow 2-2 [ASYNC] `const arrow = async x` (x: )
            Function legacy 3-3 `var legacy = function named()`
            Class default 4-4 [EXPORTED DEFAULT_EXPORT ANONYMOUS] `export default class`
            Method default.run 4-4 [EXPORTED] `run()`
            Variable a 5-5 `a = 1`
            Variable b 5-5 `b`
            Function gen 6-6 [GENERATOR] `function* gen(a, b = 2, ...rest)` (a: ) (b: ) (rest: )
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        JavaScript,
        r#"class Router extends Base {
  routes = []
  #secret = () => {}
  static create() { return new Router() }
  get size() { return 1 }
  async *stream() {}
}
var app = exports = module.exports = {};
app.handle = function handle(req, res) { this.router.handle(req, res) };
app.use = (fn) => { fn() };
Foo.prototype.bar = function () {};
exports.helper = function helper() {};
module.exports.other = () => {};
const api = { get() {}, list: function () {}, 'quoted': () => {} }
class Given { constructor() { this.size = 1; this.go = () => this.size; this.size = 2 } reset() { this.size = 0; this.late = null } }
const debug = require('debug')('app')
app['run'] = function () {}
"#,
        expect![[r#"
            Class Router 1-7 `class Router extends Base` Extends Base
            Field Router.routes 2-2 [EXPORTED] `routes = []`
            Method Router.#secret 3-3 [PRIVATE] `#secret = ()`
            Method Router.create 4-4 [EXPORTED STATIC] `static create()`
            Method Router.size 5-5 [EXPORTED ACCESSOR] `get size()`
            Method Router.stream 6-6 [EXPORTED ASYNC GENERATOR] `async *stream()`
            Variable app 8-8 `var app = exports = module.exports = {}`
            Method handle 9-9 `app.handle = function handle(req, res)` (req: ) (res: ) owner app
            Method use 10-10 `app.use = (fn)` (fn: ) owner app
            Method bar 11-11 `Foo.prototype.bar = function ()` owner Foo.prototype
            Function helper 12-12 [EXPORTED] `exports.helper = function helper()` owner exports
            Function other 13-13 [EXPORTED] `module.exports.other = ()` owner module.exports
            Constant api 14-14 `const api = { get() {}, list: function () {}, 'quoted': () => {} }`
            Method api.get 14-14 [EXPORTED] `get()`
            Method api.list 14-14 [EXPORTED] `list: function ()`
            Method api.quoted 14-14 [EXPORTED] `'quoted': ()`
            Class Given 15-15 `class Given`
            Constructor Given.constructor 15-15 [EXPORTED] `constructor()`
            Field Given.size 15-15 [EXPORTED] `this.size = 1`
            Method Given.go 15-15 [EXPORTED] `this.go = ()`
            Method Given.reset 15-15 [EXPORTED] `reset()`
            Field Given.late 15-15 [EXPORTED] `this.late = null`
            Constant debug 16-16 `const debug = require('debug')('app')`
            Method run 17-17 `app['run'] = function ()` owner app
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        JavaScript,
        r#"function outer() {
  var inner = function () { helper() }
  function declared() { return () => deep() }
  return { method() { inner() } }
}
methods.forEach(function (method) {
  app[method] = function (path) { return route(path) };
});
describe('suite', () => {
  it('works', async () => {
    const result = await run()
    expect(result)
  })
})
test.each([[1, 2]])('adds (%s; %s)', (a, b) => {
  check(a)
})
const view = <Button onClick={() => {
  save()
}} />
"#,
        expect![[r#"
            Function outer 1-5 `function outer()`
            Function outer.inner 2-2 `var inner = function ()`
            Function outer.declared 3-3 `function declared()`
            Method outer.method 4-4 [EXPORTED] `method()`
            Function methods.forEach callback 6-8 [ANONYMOUS] `function (method)` (method: )
            Function describe("suite") 9-14 [TEST ANONYMOUS] `()`
            Function describe("suite").it("works") 10-13 [TEST ANONYMOUS] `async ()`
            Function test.each("adds (%s; %s)") 15-17 [TEST ANONYMOUS] `(a, b)` (a: ) (b: )
            Constant view 18-20 `const view = <Button onClick={() => { save() }} />`
            Function view.onClick callback 18-20 [ANONYMOUS] `()`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        JavaScript,
        r#"var express = require('./lib/express'), parse = require('url').parse;
const { a, b: c } = require('pkg');
require('./side');
exports.Router = require('./router');
module.exports = createApplication;
exports.json = json;
import def, * as ns from 'mod'
export { x } from './re'
exports = module.exports = factory;
module.exports = { a, q: helper, inline() {} };
"#,
        expect![[r#"
            "./lib/express" "" as "express" MODULE in <file>
            "url" "parse" as "parse" in <file>
            "pkg" "a" as "a" in <file>
            "pkg" "b" as "c" in <file>
            "./side" "" as "" SIDE_EFFECT in <file>
            "./router" "" as "Router" REEXPORT MODULE in <file>
            "" "createApplication" as "default" REEXPORT in <file>
            "" "json" as "json" REEXPORT in <file>
            "mod" "default" as "def" in <file>
            "mod" "" as "ns" MODULE in <file>
            "./re" "x" as "x" REEXPORT in <file>
            "" "factory" as "default" REEXPORT in <file>
            "" "a" as "a" REEXPORT in <file>
            "" "helper" as "q" REEXPORT in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        JavaScript,
        r#"class A extends B {}
class C extends ns.D {}
class E extends mixin(F) {}
"#,
        expect![[r#"
            Class A 1-1 `class A extends B` Extends B
            Class C 2-2 `class C extends ns.D` Extends ns.D
            Class E 3-3 `class E extends mixin(F)` Extends mixin(F)
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        JavaScript,
        r#"function Page() {
  const data = useData(id)
  items.map((x) => x.go())
  new Foo.Bar(1)
  return <Layout title={format(data)}><ns.Item {...props} /><div onClick={handle} /></Layout>
}
(function () { immediately() })()
obj?.method?.(1)
callback.call(this, arg)
"#,
        expect![[r#"
            Call useData (1) in Page line 2
            Value id in Page line 2
            Value items in Page line 3
            MethodCall items . map (1) in Page line 3
            MethodCall x . go (0) in Page line 3
            Value Foo in Page line 4
            New Foo . Bar (1) in Page line 4
            Jsx Layout in Page line 5
            Call format (1) in Page line 5
            Value ns in Page line 5
            Jsx ns . Item in Page line 5
            Value props in Page line 5
            Value handle in Page line 5
            Call immediately (0) in <file> line 7
            Value obj in <file> line 8
            MethodCall obj . method (1) in <file> line 8
            Value callback in <file> line 9
            MethodCall callback . call (2) in <file> line 9
            Value arg in <file> line 9
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        JavaScript,
        r#"function f(a, { b }, c = 1, ...rest) {
  const x = new Foo()
  let y = load()
  var self = this
  this.z = new Bar()
  self.w = y.next
  for (const item of list) {}
  g((q, r) => q)
  try {} catch (err) {}
}
"#,
        expect![[r#"
            a Alias "" in f
            b Alias "" in f
            c Alias "" in f
            rest Alias "" in f
            x Constructed "Foo" in f
            y Call "load" in f
            self Alias "this" in f
            this.z Constructed "Bar" in f
            self.w Alias "y.next" in f
            item Element "list" in f
            q Argument "0.0 g" in f
            r Argument "0.1 g" in f
            err Alias "" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        JavaScript,
        r#"/**
 * Adds two numbers.
 * @param a first
 */
export class A {
  /** The field. */
  x = 1 // trailing
  y = 2
}
// Line doc
// of two.
export const f = () => {}

// far away

function g() {}
"#,
        expect![[r#"
            A "Adds two numbers.\n@param a first" []
            A.x "The field." []
            A.y "" []
            f "Line doc\nof two." []
            g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        JavaScript,
        r#"function before() { a() }
function broken( { const x = ; }
class After { m() { if ( } }
"#,
        expect![[r#"
            Function before 1-1 `function before()`
            Syntax line 1: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        JavaScript,
        r#"class Counter {
  static #total = 0;
  #count = 0;
  *each() {}
  async #load() {}
  static async make() {}
}
export function* numbers() {}
const hidden = 1;
"#,
        expect![[r#"
            Class Counter 1-7 `class Counter`
            Field Counter.#total 2-2 [STATIC PRIVATE] `static #total = 0`
            Field Counter.#count 3-3 [PRIVATE] `#count = 0`
            Method Counter.each 4-4 [EXPORTED GENERATOR] `*each()`
            Method Counter.#load 5-5 [ASYNC PRIVATE] `async #load()`
            Method Counter.make 6-6 [EXPORTED STATIC ASYNC] `static async make()`
            Function numbers 8-8 [EXPORTED GENERATOR] `export function* numbers()`
            Constant hidden 9-9 `const hidden = 1`
        "#]],
    );
}
