//! Parts that are parsed once more: items inside macros, and what follows an error that swallowed the rest of a file.

use expect_test::expect;
use syntax::Language::{Rust, TypeScript};

use crate::{check_broken, check_imports, check_references, check_symbols};

const MACROS: &str = r#"cfg_rt! {
    use crate::runtime::Handle;

    /// Spawns.
    pub fn spawn(task: Task) -> JoinHandle { Handle::current().spawn(task) }
    pub struct Runtime { handle: Handle }
}
mod inner {
    pin_project! {
        struct Projected<T> { #[pin] inner: T }
    }
    impl Other {
        forward! { fn poll(&self) { self.inner.poll() } }
    }
}
json!({ "fn ": call(1) });
bitflags! { struct Flags: u8 { const A = 1; } }
"#;

#[test]
fn items_in_macros_are_definitions() {
    check_symbols(
        Rust,
        MACROS,
        expect![[r#"
            Function spawn 5-5 [EXPORTED] `pub fn spawn(task: Task) -> JoinHandle` (task: Task) -> JoinHandle
            Struct Runtime 6-6 [EXPORTED] `pub struct Runtime`
            Field Runtime.handle 6-6 `handle: Handle` -> Handle
            Module inner 8-15 `mod inner`
            Struct inner.Projected 10-10 `struct Projected<T>` <T: >
            Field inner.Projected.inner 10-10 `inner: T` -> T
            Impl inner.Other 12-14 `impl Other`
            Method inner.Other.poll 13-13 `fn poll(&self)`
        "#]],
    );
    check_imports(
        Rust,
        MACROS,
        expect![[r#"
        "crate::runtime" "Handle" as "Handle" in <file>
    "#]],
    );
    check_references(
        Rust,
        MACROS,
        expect![[r#"
        MacroCall cfg_rt in <file> line 1
        Type Task in spawn line 5
        Type JoinHandle in spawn line 5
        Value Handle in spawn line 5
        PathCall Handle . current (0) in spawn line 5
        MethodCall Handle::current() . spawn (1) in spawn line 5
        Type Handle in Runtime line 6
        MacroCall pin_project in inner line 9
        Type T in inner.Projected line 10
        Decorator pin in inner.Projected line 10
        Type T in inner.Projected line 10
        MacroCall forward in inner.Other line 13
        Member self . inner in inner.Other.poll line 13
        MethodCall self.inner . poll (0) in inner.Other.poll line 13
        MacroCall json in <file> line 16
        Call call (1) in <file> line 16 macro
        MacroCall bitflags in <file> line 17
        Value A in <file> line 17 macro
    "#]],
    );
}

#[test]
fn one_error_hides_only_its_own_definition() {
    // A conditional type that the grammar of this version does not know: everything behind it is one error.
    let text = "import { a } from './a'

export function before() { return a() }

type Broken<T> = T extends [infer X extends string ? 1 : 2, {{ ? {
  output: unknown extends T ? {} : T
} : (((

/** Doc of after. */
export class After {
  run() { return before() }
}

export const last = () => new After()
";
    check_broken(
        TypeScript,
        text,
        expect![[r#"
        Function before 3-3 [EXPORTED] `export function before()`
        Class After 10-12 `class After`
        Method After.run 11-11 [EXPORTED] `run()`
        Function last 14-14 [EXPORTED] `export const last = ()`
        Syntax line 5: text does not fit the grammar
    "#]],
    );
}
