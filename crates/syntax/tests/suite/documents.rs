//! Documents and configuration.

use expect_test::expect;
use syntax::Language::{Json, Markdown, Toml, Yaml};

use crate::check_symbols;

#[test]
fn markdown() {
    check_symbols(
        Markdown,
        "---\ntitle: x\n---\nIntro\n\n# A `b` c\ntext\n```sh\n# no heading\n```\n## B ##\nUnderlined\n===\n\n    # code\n#hashtag\n- list\n---\n### C\n",
        expect![[r#"
            Section A b c 6-11 [EXPORTED] `# A `b` c`
            Section A b c.B 11-11 [EXPORTED] `## B ##`
            Section Underlined 12-19 [EXPORTED] `Underlined`
            Section Underlined.C 19-19 [EXPORTED] `### C`
        "#]],
    );
}

#[test]
fn toml() {
    check_symbols(
        Toml,
        "name = \"a # b\"\nlist = [\n  [1],\n]\n# c = 1\n[package] # comment\na = \"\"\"\n[no]\n\"\"\"\n[[bin]]\nx = 1\n[a.\"b.c\"]\n",
        expect![[r#"
            Section name 1-1 [EXPORTED] `name = "a # b"`
            Section list 2-5 [EXPORTED] `list = [`
            Section package 6-9 [EXPORTED] `[package] # comment`
            Section bin 10-11 [EXPORTED] `[[bin]]`
            Section a."b.c" 12-12 [EXPORTED] `[a."b.c"]`
        "#]],
    );
}

#[test]
fn json() {
    check_symbols(
        Json,
        "{\n  \"name\": \"x:\",\n  \"scripts\": {\"a\": \"b\", \"c\": [1]},\n  // \"x\": 1\n  \"esc\\\"aped\": 1\n}\n",
        expect![[r#"
            Section name 2-2 [EXPORTED] `"name": "x:",`
            Section scripts 3-4 [EXPORTED] `"scripts": {"a": "b", "c": [1]},`
            Section esc\"aped 5-6 [EXPORTED] `"esc\"aped": 1`
        "#]],
    );
}

#[test]
fn yaml() {
    check_symbols(
        Yaml,
        "on: push\njobs:\n  a:\n    b: c\n\"q\": |\n  x: y\n# d: e\n- item: 1\n---\nkind: Pod\nurl: http://x\n",
        expect![[r#"
            Section on 1-1 [EXPORTED] `on: push`
            Section jobs 2-4 [EXPORTED] `jobs:`
            Section q 5-9 [EXPORTED] `"q": |`
            Section kind 10-10 [EXPORTED] `kind: Pod`
            Section url 11-11 [EXPORTED] `url: http://x`
        "#]],
    );
}

fn check_colours(language: syntax::Language, text: &str, expected: expect_test::Expect) {
    let mut parsers = syntax::Parsers::new(syntax::ParseConfig::default());
    let pieces = parsers.highlights(language, text);
    let lines: Vec<String> = pieces
        .iter()
        .map(|piece| {
            format!(
                "{} {:?}\n",
                piece.class.name(),
                &text[piece.start as usize..piece.end as usize]
            )
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn colours() {
    check_colours(
        Json,
        "{\"a\": [1, true, \"x\\\"y\"] // end\n}\n",
        expect![[r#"
            property "\"a\""
            number "1"
            constant "true"
            string "\"x\\\"y\""
            comment "// end"
        "#]],
    );
    check_colours(
        Toml,
        "[a]\nb.c = 1.5 # end\nd = '''x\ny'''\n",
        expect![[r##"
            property "b.c"
            number "1.5"
            comment "# end"
            property "d"
            string "'''x\ny'''"
        "##]],
    );
    check_colours(
        Yaml,
        "key: value # end\nurl: http://x#y\n\"q\": 'it'\n",
        expect![[r##"
            property "key"
            comment "# end"
            property "url"
            property "\"q\""
            string "'it'"
        "##]],
    );
    check_colours(
        Markdown,
        "# Head\nsome `code` and [link](to) (no)\n```rs\nfn x\n```\n",
        expect![[r##"
            heading "# Head"
            code "`code`"
            link "to"
            code "```rs"
            code "fn x"
            code "```"
        "##]],
    );
    check_colours(
        syntax::Language::TypeScript,
        "// c\nexport const f = (a: string) => `x${a.b}y` + /r/ + 1\n",
        expect![[r#"
            comment "// c"
            keyword "export"
            keyword "const"
            function "f"
            operator "="
            parameter "a"
            type "string"
            operator "=>"
            string "`x"
            property "b"
            string "y`"
            operator "+"
            regexp "/r/"
            operator "+"
            number "1"
        "#]],
    );
}
