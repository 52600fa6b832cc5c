use expect_test::expect;
use graph::EdgeKind;

use crate::{check, check_edges};

#[test]
fn same_file() {
    check(
        r#"
//- /src/a.ts
const helper = () => 1
export function run() {
  helper()
  //^ calls: src/a.ts:1
}
"#,
    );
}

#[test]
fn nested_function_before_outer() {
    check(
        r#"
//- /src/a.ts
function helper() {}
function run() {
  function helper() {}
  helper()
  //^ calls: src/a.ts:3
}
function elsewhere(list: string[]) {
  list.forEach(() => {
    const inner = () => {}
    inner()
    //^ calls: src/a.ts:9
  })
}
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /src/a.ts
function helper() {}
function run(helper: () => void) {
  helper()
  //^ calls: nothing
}
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /src/a.ts
import { helper, other as renamed } from './lib/b.js'
import * as all from './lib/b'
import main from './lib'
helper()
//<- calls: src/lib/b.ts:1
renamed()
//<- calls: src/lib/b.ts:2
all.helper()
//  ^ calls: src/lib/b.ts:1
main()
//<- calls: src/lib/index.ts:1
//- /src/lib/b.ts
export function helper() {}
export const other = () => {}
//- /src/lib/index.ts
export default function main() {}
"#,
    );
}

#[test]
fn re_export_and_glob() {
    check(
        r#"
//- /src/index.ts
export * from './b'
export { inner as outer } from './c'
export * as tools from './c'
export { default as Main } from './d'
//- /src/b.ts
export class Router { add() {} }
//- /src/c.ts
const secret = () => {}
export { secret as inner }
//- /src/d.ts
export default class Main { run() {} }
//- /src/user.ts
import { Router, outer, tools, Main } from '.'
new Router().add()
//           ^ calls: src/b.ts:1
outer()
//<- calls: src/c.ts:1
tools.inner()
//    ^ calls: src/c.ts:1
new Main().run()
//         ^ calls: src/d.ts:1
"#,
    );
}

#[test]
fn tsconfig_paths_and_workspaces() {
    check(
        r#"
//- /tsconfig.json
{
  // comments are allowed
  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], }, },
}
//- /src/util.ts
export function util() {}
//- /packages/core/package.json
{ "name": "@acme/core", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./deep": "./dist/deep/entry.js" } }
//- /packages/core/src/index.ts
export function core() {}
//- /packages/core/src/deep/entry.ts
export function deep() {}
//- /packages/app/main.ts
import { util } from '@/util'
import { core } from '@acme/core'
import { deep } from '@acme/core/deep'
import { chunk } from 'lodash'
util()
//<- calls: src/util.ts:1
core()
//<- calls: packages/core/src/index.ts:1
deep()
//<- calls: packages/core/src/deep/entry.ts:1
chunk()
//<- calls: nothing
//- /src/chunk.ts
export function chunk() {}
"#,
    );
}

#[test]
fn receiver_types() {
    check(
        r#"
//- /src/a.ts
import type { Handler } from './types'
class Inner { work() {} }
class Outer {
  inner = new Inner()
  #hidden: Inner
  list: Inner[] = []
  constructor(private readonly given: Inner) {}
  run(other?: Inner | undefined) {
    this.inner.work()
    //         ^ calls: src/a.ts:2
    this.#hidden.work()
    //           ^ calls: src/a.ts:2
    this.given.work()
    //         ^ calls: src/a.ts:2
    other?.work()
    //     ^ calls: src/a.ts:2
    for (const one of this.list) one.work()
    //                               ^ calls: src/a.ts:2
  }
  async load(): Promise<Inner> { return this.inner }
}
async function use(outer: Outer) {
  outer.run()
  //    ^ calls: src/a.ts:8
  const inner = await outer.load()
  inner.work()
  //    ^ calls: src/a.ts:2
}
export const handle: Handler = (c) => c.reply()
//                                      ^ calls: src/types.ts:1
function make(): Handler {
  return (c) => c.reply()
  //              ^ calls: src/types.ts:1
}
//- /src/types.ts
export class Context { reply() {} }
export type Handler = (c: Context) => void
"#,
    );
}

#[test]
fn builder_chain() {
    check(
        r#"
//- /src/a.ts
class Query {
  where(f: () => boolean): this { return this }
  limit(n: number): Query { return this }
  all() {}
}
new Query().where(() => (1 > 0)).limit(3).all()
//                                        ^ calls: src/a.ts:4
"#,
    );
}

#[test]
fn inheritance() {
    check(
        r#"
//- /src/base.ts
export abstract class Base {
  abstract run(): void
  own() {}
}
export interface Shape { area(): number }
//- /src/a.ts
import { Base, type Shape } from './base'
class Child extends Base implements Shape {
  run() {
    this.own()
    //   ^ calls: src/base.ts:3
    super.own()
    //    ^ calls: src/base.ts:3
  }
  area() { return 1 }
}
function use(shape: Shape, base: Base, child: Child) {
  shape.area()
  //    ^ calls: src/base.ts:5
  base.run()
  //   ^ calls: src/base.ts:2
  child.run()
  //    ^ calls: src/a.ts:3
}
"#,
    );
}

#[test]
fn outside_is_not_guessed() {
    check(
        r#"
//- /src/a.ts
export class Tool { toString() {} tidyUp() {} }
export function run(value: number, unknown) {
  value.toString()
  //    ^ calls: nothing
  document.body.tidyUp()
  //            ^ calls: nothing
  describe('x', () => {})
  //<- calls: nothing
  unknown.tidyUp()
  //      ^ calls: src/a.ts:1
}
//- /src/describe.ts
export function describe() {}
"#,
    );
}

#[test]
fn components_and_decorators() {
    check(
        r#"
//- /src/a.tsx
import { Button } from './button'
const Page = () => <Button label="x" />
//                  ^ calls: src/button.tsx:1
//- /src/button.tsx
export const Button = () => <button />
"#,
    );
}

#[test]
fn supertype_edges() {
    let text = r#"
//- /src/a.ts
interface Shape { area(): number }
class Base {}
class Square extends Base implements Shape { area() { return 1 } }
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
fn patterns_and_parameters_of_callbacks() {
    check(
        r#"
//- /types.ts
export interface Clock { now(): number; }
export interface Observer<T> { next: (value: T) => void; done(): void; }
export class Sub { remove(): void {} stop(): void {} }
export class Source<T> {
  constructor(run?: (this: Source<T>, sub: Sub) => void) {}
  subscribe(a: number): Sub;
  subscribe(a: any): Sub { return new Sub(); }
}
export function operate<T>(init: (lifted: Source<T>, sub: Sub) => (() => void) | void): void {}
//- /a.ts
import { Clock, Observer, Sub, Source, operate } from "./types";
class A {
  private _parents: Sub[] | Sub | null = null;
  private sub: Sub | null = null;
  destination?: Observer<string>;
  constructor(private _n = 1, private _clock: Clock = other, private partial: Partial<Observer<number>>) {}
  run() {
    const { _clock } = this;
    _clock.now();
    //     ^ calls: types.ts:1
    const { sub } = this;
    sub?.stop();
    //   ^ calls: types.ts:3
    const { partial } = this;
    partial.next(1);
    //      ^ calls: types.ts:2
    partial.done();
    //      ^ calls: types.ts:2
    this.destination?.next?.("a");
    //                ^ calls: types.ts:2
    const { _parents } = this;
    for (const parent of _parents) {
      parent.remove();
      //     ^ calls: types.ts:3
    }
    _parents.stop();
    //       ^ calls: types.ts:3
  }
}
operate((source, sub) => {
  source.subscribe(1);
  //     ^ calls: types.ts:7
  sub.stop();
  //  ^ calls: types.ts:3
});
export function mapped() {
  return operate((source, sub) => {
    source.subscribe(1);
    //     ^ calls: types.ts:7
  });
}
new Source((destination) => {
  destination.stop();
  //          ^ calls: types.ts:3
});
export function nested() {
  return operate((source, sub) => {
    const again = () => {
      source.subscribe(1);
      //     ^ calls: types.ts:7
      sub.stop();
      //  ^ calls: types.ts:3
    };
    again();
  });
}
function later() {
  let inner: Sub | null = null;
  const go = () => {
    inner?.stop();
    //     ^ calls: types.ts:3
    inner!.remove();
    //     ^ calls: types.ts:3
  };
}
"#,
    );
}

/// The type of each callback depends on those around it: without a cache, thirty nested callbacks would take years.
#[test]
fn callbacks_within_callbacks() {
    let mut text = String::from(
        "//- /a.ts\nclass Test {\n  test(name: string, run: (t: Test) => void) {}\n  end() {}\n}\nnew Test().test(\"a\", (t) => {\n",
    );
    text.push_str(&"t.test(\"b\", (t) => {\n".repeat(30));
    text.push_str("t.end();\n//^ calls: a.ts:3\n");
    text.push_str(&"})\n".repeat(31));
    check(&text);
}
