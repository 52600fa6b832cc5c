use expect_test::expect;
use syntax::Language::TypeScript;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        TypeScript,
        r#"export async function fetchAll(url: string, retries = 3, ...rest: Opt[]): Promise<Body> {
  if (retries > 3 && url) { return rest.length ? a() : b() }
  for (const x of rest) { try { x() } catch (e) {} }
}
export const add = (a: number, b?: number): number => a + b!
const curried = <T,>(x: T) => (y: T) => pair(x, y)
export default function () { return 1 }
function over(a: string): void
function over(a: number): void
function over(a: any) {}
export const LIMIT = 10, other = 2
let count: number = 0
const { a, b: renamed } = config
declare function ambient(x: number): string
function* gen() {}
"#,
        expect![[r#"
            Function fetchAll 1-4 [EXPORTED ASYNC] `export async function fetchAll(url: string, retries = 3, ...rest: Opt[]): Promise<Body>` (url: string) (retries: ) (rest: Opt[]) -> Promise<Body> cx 6
            Function add 5-5 [EXPORTED] `export const add = (a: number, b?: number): number` (a: number) (b: number) -> number
            Function curried 6-6 `const curried = <T,>(x: T)` (x: T) <T: >
            Function default 7-7 [EXPORTED DEFAULT_EXPORT ANONYMOUS] `export default function ()`
            Function over 8-8 [DECLARATION] `function over(a: string): void` (a: string) -> void
            Function over 9-9 [DECLARATION] `function over(a: number): void` (a: number) -> void
            Function over 10-10 `function over(a: any)` (a: any)
            Constant LIMIT 11-11 [EXPORTED] `LIMIT = 10`
            Constant other 11-11 [EXPORTED] `other = 2`
            Variable count 12-12 `let count: number = 0` -> number
            Constant a 13-13 `const { a, b: renamed } = config`
            Constant renamed 13-13 `const { a, b: renamed } = config`
            Function ambient 14-14 [DECLARATION EXTERN] `declare function ambient(x: number): string` (x: number) -> string
            Function gen 15-15 [GENERATOR] `function* gen()`
        "#]],
    );
}

#[test]
fn methods() {
    check_symbols(
        TypeScript,
        r#"export abstract class Router<E extends Env = Env> {
  private routes: Route[] = []
  static count = 0
  readonly handler = (c: Context): void => { c.go() }
  constructor(private readonly svc: Service, public name?: string) {}
  async get<P extends string>(path: P, ...handlers: H[]): Promise<this> { return this }
  static create() { return new Router() }
  get size(): number { return 1 }
  abstract run(): void
  override toString() { return '' }
  #secret() {}
}
interface Options<T> { name: string; onDone?: (x: T) => void; run(a: T): void }
type Handler = { handle(c: Context): void; next: Handler } | string
enum Color { Red, Green = 'g' }
const obj = { foo() {}, bar: () => 1, 'baz-qux': function () {} }
"#,
        expect![[r#"
            Class Router 1-12 [EXPORTED ABSTRACT] `export abstract class Router<E extends Env = Env>` <E: Env = Env>
            Field Router.routes 2-2 [PRIVATE] `private routes: Route[] = []` -> Route[]
            Field Router.count 3-3 [EXPORTED STATIC] `static count = 0`
            Method Router.handler 4-4 [EXPORTED READONLY] `readonly handler = (c: Context): void` (c: Context) -> void
            Constructor Router.constructor 5-5 [EXPORTED] `constructor(private readonly svc: Service, public name?: string)` (svc: Service) (name: string)
            Field Router.svc 5-5 [READONLY PRIVATE] `private readonly svc: Service` -> Service
            Method Router.get 6-6 [EXPORTED ASYNC] `async get<P extends string>(path: P, ...handlers: H[]): Promise<this>` (path: P) (handlers: H[]) <P: string> -> Promise<this>
            Method Router.create 7-7 [EXPORTED STATIC] `static create()`
            Method Router.size 8-8 [EXPORTED ACCESSOR] `get size(): number` -> number
            Method Router.run 9-9 [EXPORTED DECLARATION ABSTRACT] `abstract run(): void` -> void
            Method Router.toString 10-10 [EXPORTED OVERRIDE] `override toString()`
            Method Router.#secret 11-11 [PRIVATE] `#secret()`
            Interface Options 13-13 `interface Options<T>` <T: >
            Field Options.name 13-13 [EXPORTED] `name: string` -> string
            Method Options.onDone 13-13 [EXPORTED DECLARATION] `onDone?: (x: T) => void` -> (x: T) => void
            Method Options.run 13-13 [EXPORTED DECLARATION] `run(a: T): void` (a: T) -> void
            TypeAlias Handler 14-14 `type Handler = { handle(c: Context): void; next: Handler } | string` -> { handle(c: Context): void; next: Handler } | string
            Method Handler.handle 14-14 [EXPORTED DECLARATION] `handle(c: Context): void` (c: Context) -> void
            Enum Color 15-15 `enum Color`
            Variant Color.Red 15-15 `Red`
            Variant Color.Green 15-15 `Green = 'g'`
            Constant obj 16-16 `const obj = { foo() {}, bar: () => 1, 'baz-qux': function () {} }`
            Method obj.foo 16-16 [EXPORTED] `foo()`
            Method obj.bar 16-16 [EXPORTED] `bar: ()`
            Method obj.baz-qux 16-16 [EXPORTED] `'baz-qux': function ()`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        TypeScript,
        r#"function outer() {
  function inner() { helper() }
  const arrow = () => { helper2() }
  const value = 1
  return inner
}
namespace Space { export function inSpace() {} export const k = 1; namespace Deep { class C {} } }
app.get('/path', async (c) => {
  const local = make()
  return c.json(local)
})
export const cors = (options: Options) => {
  return async function corsMiddleware(c, next) { await next() }
}
items.forEach((item) => item.go())
"#,
        expect![[r#"
            Function outer 1-6 `function outer()`
            Function outer.inner 2-2 `function inner()`
            Function outer.arrow 3-3 `const arrow = ()`
            Module Space 7-7 `namespace Space`
            Function Space.inSpace 7-7 [EXPORTED] `export function inSpace()`
            Constant Space.k 7-7 [EXPORTED] `export const k = 1`
            Module Space.Deep 7-7 `namespace Deep`
            Class Space.Deep.C 7-7 `class C`
            Function app.get("/path") 8-11 [ANONYMOUS] `async (c)` (c: )
            Function cors 12-14 [EXPORTED] `export const cors = (options: Options)` (options: Options)
            Function cors.corsMiddleware 13-13 [ASYNC] `async function corsMiddleware(c, next)` (c: ) (next: )
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        TypeScript,
        r#"import def, { a, b as c, type T } from './mod'
import * as ns from 'pkg'
import type { Only } from './types'
import './side-effect'
import legacy = require('legacy')
export { x, y as z } from './re'
export * from './all'
export * as grouped from './group'
export type { U } from './u'
export { a as exported }
const lazy = await import('./lazy')
const { p, q: r } = require('./cjs')
"#,
        expect![[r#"
            "./mod" "default" as "def" in <file>
            "./mod" "a" as "a" in <file>
            "./mod" "b" as "c" in <file>
            "./mod" "T" as "T" TYPE_ONLY in <file>
            "pkg" "" as "ns" MODULE in <file>
            "./types" "Only" as "Only" TYPE_ONLY in <file>
            "./side-effect" "" as "" SIDE_EFFECT in <file>
            "legacy" "" as "legacy" MODULE in <file>
            "./re" "x" as "x" REEXPORT in <file>
            "./re" "y" as "z" REEXPORT in <file>
            "./all" "" as "" GLOB REEXPORT in <file>
            "./group" "" as "grouped" REEXPORT MODULE in <file>
            "./u" "U" as "U" REEXPORT TYPE_ONLY in <file>
            "" "a" as "exported" REEXPORT in <file>
            "./lazy" "" as "lazy" MODULE in <file>
            "./cjs" "p" as "p" in <file>
            "./cjs" "q" as "r" in <file>
        "#]],
    );
}

#[test]
fn inheritance() {
    check_symbols(
        TypeScript,
        r#"class A extends Base<T> implements I, ns.J<U> {}
class B extends mixin(C) {}
interface K extends L, M<string> {}
const D = class extends A {}
"#,
        expect![[r#"
            Class A 1-1 `class A extends Base<T> implements I, ns.J<U>` Extends Base<T> Implements I Implements ns.J<U>
            Class B 2-2 `class B extends mixin(C)` Extends mixin(C)
            Interface K 3-3 `interface K extends L, M<string>` Extends L Extends M<string>
            Class D 4-4 `const D = class extends A` Extends A
        "#]],
    );
}

#[test]
fn calls() {
    check_references(
        TypeScript,
        r#"function main(this: Foo) {
  helper(1, 2)
  this.router.add(path, handler)
  new Foo(a).bar?.baz()
  new ns.Thing<string>()
  tag`template ${inner()}`
  generic<T>(x)
  cb!(1)
  list.map(transform).filter((x) => x.ok())
  super.run()
  const v = LIMIT + config.size
  takes(Color.Red)
}
@Component({ selector: make() })
class Decorated { @Input() name: Type; @bound run() {} }
const f: Handler<Env> = (c) => c
export const store = create((set) => {
  wrapped(set)
})
"#,
        expect![[r#"
            Type Foo in main line 1
            Call helper (2) in main line 2
            Member this . router in main line 3
            MethodCall this.router . add (2) in main line 3
            Value path in main line 3
            Value handler in main line 3
            New Foo (1) in main line 4
            Value a in main line 4
            Member new Foo(a) . bar in main line 4
            MethodCall new Foo(a).bar . baz (0) in main line 4
            Value ns in main line 5
            New ns . Thing (0) in main line 5
            Call tag in main line 6
            Call inner (0) in main line 6
            Call generic (1) in main line 7
            Type T in main line 7
            Call cb (1) in main line 8
            Value list in main line 9
            MethodCall list . map (1) in main line 9
            Value transform in main line 9
            MethodCall list.map(transform) . filter (1) in main line 9
            MethodCall x . ok (0) in main line 9
            MethodCall super . run (0) in main line 10
            Value LIMIT in main line 11
            Value config in main line 11
            Member config . size in main line 11
            Call takes (1) in main line 12
            Value Color in main line 12
            Member Color . Red in main line 12
            Decorator Component (1) in <file> line 14
            Call make (0) in <file> line 14
            Decorator Input (0) in Decorated line 15
            Type Type in Decorated line 15
            Decorator bound in Decorated line 15
            Type Handler in f line 16
            Type Env in f line 16
            Call create (1) in <file> line 17
            Call wrapped (1) in store line 18
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        TypeScript,
        r#"function f(a: Foo, b?: Bar<T>, c = 1, { d, e: g }: Opts = {}) {
  const x = new Foo()
  const y = client.load(1)
  const z: Item = make()
  const w = await fetch(url)
  this.session = new Session(a)
  this.other = a
  for (const item of items.all()) {}
  const { m, n: o } = pair()
  const [s, t] = pair()
  const u = value as Cast
  const alias = this.session
  list.map((q) => q.id)
}
"#,
        expect![[r#"
            a Annotated "Foo" in f
            b Annotated "Bar<T>" in f
            c Alias "" in f
            d Alias "(_ as Opts).d" in f
            g Alias "(_ as Opts).e" in f
            x Constructed "Foo" in f
            y Call "client.load" in f
            z Annotated "Item" in f
            w Call "fetch" in f
            this.session Constructed "Session" in f
            this.other Alias "a" in f
            item Element "items.all()" in f
            m Alias "pair().m" in f
            o Alias "pair().n" in f
            s Alias "pair()[0]" in f
            t Alias "pair()[0]" in f
            u Annotated "Cast" in f
            alias Alias "this.session" in f
            q Argument "0.0 list.map" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        TypeScript,
        r#"/**
 * Adds two numbers.
 * @param a first
 */
@Decorated()
export class A {
  /** The field. */
  @Input() x = 1 // trailing
  y = 2
}
// Line doc
// of two.
export const f = () => {}

// far away

function g() {}
"#,
        expect![[r#"
            A "Adds two numbers.\n@param a first" ["Decorated()"]
            A.x "The field." ["Input()"]
            A.y "" []
            f "Line doc\nof two." []
            g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        TypeScript,
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
        TypeScript,
        r#"export abstract class Shape {
  private readonly sides: number = 3;
  protected static count = 0;
  constructor(private name: string, readonly id: number) {}
  abstract area(): number;
  protected override toString() { return ""; }
  #own = 1;
}
declare function outside(x: number): void;
export const enum Level { Low, High }
async function* pages() {}
"#,
        expect![[r#"
            Class Shape 1-8 [EXPORTED ABSTRACT] `export abstract class Shape`
            Field Shape.sides 2-2 [READONLY PRIVATE] `private readonly sides: number = 3` -> number
            Field Shape.count 3-3 [STATIC PROTECTED] `protected static count = 0`
            Constructor Shape.constructor 4-4 [EXPORTED] `constructor(private name: string, readonly id: number)` (name: string) (id: number)
            Field Shape.name 4-4 [PRIVATE] `private name: string` -> string
            Field Shape.id 4-4 [EXPORTED READONLY] `readonly id: number` -> number
            Method Shape.area 5-5 [EXPORTED DECLARATION ABSTRACT] `abstract area(): number` -> number
            Method Shape.toString 6-6 [OVERRIDE PROTECTED] `protected override toString()`
            Field Shape.#own 7-7 [PRIVATE] `#own = 1`
            Function outside 9-9 [DECLARATION EXTERN] `declare function outside(x: number): void` (x: number) -> void
            Enum Level 10-10 [EXPORTED CONST] `export const enum Level`
            Variant Level.Low 10-10 [EXPORTED] `Low`
            Variant Level.High 10-10 [EXPORTED] `High`
            Function pages 11-11 [ASYNC GENERATOR] `async function* pages()`
        "#]],
    );
}
