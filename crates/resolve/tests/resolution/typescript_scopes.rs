//! TypeScript: members of objects and of object types are no names of the scope around them.

use crate::check;

#[test]
fn members_of_objects_do_not_leak() {
    check(
        r#"
//- /src/a.ts
import { f } from './b'
export const handlers = { f: (e: number) => f(e), g: (e: number) => g(e) }
//                                          ^ calls: src/b.ts:1
function g(e: number) {}
export function run() {
  const local = {
    f: (e: number) => f(e),
    //                ^ calls: src/b.ts:1
    g(e: number) { return g(e) },
    //                    ^ calls: src/a.ts:4
  }
  void f(1)
  //   ^ calls: src/b.ts:1
  return { f, h: () => f(2) }
  //                   ^ calls: src/b.ts:1
}
//- /src/b.ts
export function f(e: number) {}
"#,
    );
}

#[test]
fn members_of_types_do_not_leak() {
    check(
        r#"
//- /src/a.ts
import { parse } from './b'
type Tools = { parse: (text: string) => void; format(): void }
interface Inner { parse(): void }
function run(tools: { parse(): void }) {
  parse('a')
  //^ calls: src/b.ts:1
  type Local = { parse: () => void }
  parse('b')
  //^ calls: src/b.ts:1
}
function typed({ parse: other }: { parse: () => void }) {
  parse('c')
  //^ calls: src/b.ts:1
}
//- /src/b.ts
export function parse(text: string) {}
"#,
    );
}

#[test]
fn members_of_exported_objects_are_found() {
    check(
        r#"
//- /src/a.ts
export const api = {
  list() { return 1 },
  find: (id: number) => id,
}
//- /src/b.ts
import { api } from './a'
import * as all from './a'
api.list()
//  ^ calls: src/a.ts:2
api.find(1)
//  ^ calls: src/a.ts:3
all.api.find(2)
//      ^ calls: src/a.ts:3
"#,
    );
}
