//! Structural patterns, language by language.

use expect_test::expect;
use syntax::Language;

use crate::structural::{check, code, find};

/// The same three questions in the words of each language.
#[test]
fn calls_in_every_language() {
    use Language::{
        Bash, C, CSharp, Cpp, Dart, Elixir, Go, Haskell, Java, JavaScript, Kotlin, Lua, Php,
        Python, Ruby, Rust, Scala, Swift, Tsx, TypeScript, Zig,
    };
    let calls = [
        (Rust, "fn f() { g(1); h.g(2); g(a, b); g(g(x)) }"),
        (Python, "g(1)\nh.g(2)\ng(a, b)\ng(g(x))\n"),
        (JavaScript, "g(1); h.g(2); g(a, b); g(g(x));"),
        (TypeScript, "g(1); h.g(2); g(a, b); g(g(x));"),
        (Tsx, "g(1); h.g(2); g(a, b); g(g(x));"),
        (Go, "package p\nfunc f() { g(1); h.g(2); g(a, b); g(g(x)) }"),
        (
            Java,
            "class C { void f() { g(1); h.g(2); g(a, b); g(g(x)); } }",
        ),
        (C, "void f() { g(1); h.g(2); g(a, b); g(g(x)); }"),
        (Cpp, "void f() { g(1); h.g(2); g(a, b); g(g(x)); }"),
        (
            CSharp,
            "class C { void F() { g(1); h.g(2); g(a, b); g(g(x)); } }",
        ),
        (
            Kotlin,
            "fun f() {\n  g(1)\n  h.g(2)\n  g(a, b)\n  g(g(x))\n}",
        ),
        (
            Swift,
            "func f() {\n  g(1)\n  h.g(2)\n  g(a, b)\n  g(g(x))\n}",
        ),
        (
            Scala,
            "def f() = {\n  g(1)\n  h.g(2)\n  g(a, b)\n  g(g(x))\n}",
        ),
        (Dart, "void f() { g(1); h.g(2); g(a, b); g(g(x)); }"),
        (Ruby, "g(1)\nh.g(2)\ng(a, b)\ng(g(x))\n"),
        (Lua, "g(1)\nh.g(2)\ng(a, b)\ng(g(x))\n"),
        (Zig, "fn f() void { g(1); h.g(2); g(a, b); g(g(x)); }"),
        (Elixir, "g(1)\nh.g(2)\ng(a, b)\ng(g(x))\n"),
    ];
    for (language, text) in calls {
        let pieces = |pattern: &str| {
            let found = find(language, &code(pattern), text);
            let piece = |one: &syntax::structural::StructuralMatch| {
                text[one.span.start as usize..one.span.end as usize].to_owned()
            };
            found.matches.iter().map(piece).collect::<Vec<String>>()
        };
        assert_eq!(pieces("g($A)"), ["g(1)", "g(g(x))", "g(x)"], "{language:?}");
        assert_eq!(
            pieces("g($$$ALL)"),
            ["g(1)", "g(a, b)", "g(g(x))", "g(x)"],
            "{language:?}"
        );
        assert_eq!(pieces("$O.g($A)"), ["h.g(2)"], "{language:?}");
    }
    check(
        Php,
        "g($A)",
        "<?php g(1); $h->g(2); g($x);",
        expect![[r#"
        1: g(1) | A=1
        1: g($x) | A=$x
    "#]],
    );
    check(
        Php,
        "$O->g($A)",
        "<?php g(1); $h->g(2);",
        expect![[r#"
        1: $h->g(2) | A=2 | O=$h
    "#]],
    );
    check(
        Bash,
        "g $A",
        "g 1\ng $x\ng 1 2\n",
        expect![[r#"
        1: g 1 | A=1
        2: g $x | A=$x
        3: g 1 2 | A=1
    "#]],
    );
    check(
        Haskell,
        "g $A",
        "f x = g x\nh = k 1\n",
        expect![[r#"
        1: g x | A=x
    "#]],
    );
}

#[test]
fn items_of_rust_have_patterns() {
    check(
        Language::Rust,
        "impl $T for $U { $$$ }",
        "impl A for B {}\nimpl A for C { const N: u8 = 1; fn f() {} m!{} }\nimpl D { fn g() {} }\n",
        expect![[r#"
            1: impl A for B {} | T=A | U=B
            2: impl A for C { const N: u8 = 1; fn f() {} m!{} } | T=A | U=C
        "#]],
    );
    check(
        Language::Rust,
        "trait $N {$$$ITEMS}",
        "trait A {}\ntrait B { type T; fn f(&self); }\n",
        expect![[r#"
            1: trait A {} | N=A
            2: trait B { type T; fn f(&self); } | ITEMS=type T; fn f(&self); | N=B
        "#]],
    );
    check(
        Language::Rust,
        "mod $M {$$$}",
        "mod a;\nmod b { use x; fn f() {} }\nfn g() { mod c {} }\n",
        expect![[r#"
            2: mod b { use x; fn f() {} } | M=b
            3: mod c {} | M=c
        "#]],
    );
}

#[test]
fn imports_have_patterns() {
    for language in [Language::JavaScript, Language::TypeScript, Language::Tsx] {
        check(
            language,
            "import { $$$ } from $M",
            "import { a, b as c } from \"x\";\nimport d from 'y';\nimport { e } from './z';\n",
            expect![[r#"
                1: import { a, b as c } from "x"; | M="x"
                3: import { e } from './z'; | M='./z'
            "#]],
        );
        check(
            language,
            "f(\"$M\")",
            "f(\"x\"); f(x);\n",
            expect![[r#"
                1: f("x") | M=x
            "#]],
        );
    }
    check(
        Language::Python,
        "from $M import $$$",
        "from a import b, c\nimport d\n",
        expect![[r#"
            1: from a import b, c | M=a
        "#]],
    );
    check(
        Language::Go,
        "import $M",
        "package p\nimport \"fmt\"\n",
        expect![[r#"
            2: import "fmt" | M="fmt"
        "#]],
    );
}
