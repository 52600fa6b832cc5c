//! Documents and configuration.

use expect_test::expect;
use syntax::Language::{Css, Html, Json, Markdown, Sql, Toml, Yaml};

use crate::{check_imports, check_references, check_symbols};

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

#[test]
fn json_with_comments() {
    check_symbols(
        Json,
        "// \"no\": 1\n{\n  /* \"b\": { */\n  \"a\": [1, 2,], // \"c\": 1\n  \"d\": {\"e\": 1,},\n}\n",
        expect![[r#"
            Section a 4-4 [EXPORTED] `"a": [1, 2,], // "c": 1`
            Section d 5-6 [EXPORTED] `"d": {"e": 1,},`
        "#]],
    );
}

#[test]
fn html() {
    let text = r#"<!doctype html>
<!-- <p id="no"> -->
<html>
<head>
  <title>Page <b></title>
  <link rel="stylesheet" href="style.css?v=1">
  <script src="./app.js"></script>
  <script src="https://elsewhere/x.js"></script>
  <style>
    :root { --main: red; }
    .card { color: var(--main); }
  </style>
</head>
<body>
  <h1>Head <em>line</em></h1>
  <main id=content>
    <p>unclosed
    <img src="a.png" id="pic">
    <section id="inner"><h2>Sub</h2></section>
  </main>
  <script type="application/json">{"function x() {}": 1}</script>
  <script type="module">
    import { start } from "./start.js";
    /** Runs. */
    export function run(a) { start(a); }
    class Box extends Base { open() { this.close(); } }
  </script>
</body>
</html>
"#;
    check_symbols(
        Html,
        text,
        expect![[r#"
        Section :root 10-10 [EXPORTED] `:root`
        Variable :root.--main 10-10 [EXPORTED] `--main: red`
        Section .card 11-11 [EXPORTED] `.card`
        Section Head line 15-15 [EXPORTED] `<h1>Head <em>line</em>`
        Section #content 16-20 [EXPORTED] `<main id=content>`
        Section #content.#pic 18-18 [EXPORTED] `<img src="a.png" id="pic">`
        Section #content.#inner 19-19 [EXPORTED] `<section id="inner">`
        Section #content.#inner.Sub 19-19 [EXPORTED] `<h2>Sub`
        Function run 25-25 [EXPORTED] `export function run(a)` (a: )
        Class Box 26-26 `class Box extends Base` Extends Base
        Method Box.open 26-26 [EXPORTED] `open()`
    "#]],
    );
    check_references(
        Html,
        text,
        expect![[r#"
        Value --main in .card line 11
        Call start (1) in run line 25
        Value Base in Box line 26
        MethodCall this . close (0) in Box.open line 26
    "#]],
    );
    check_imports(
        Html,
        text,
        expect![[r#"
        "./style.css" "" as "" SIDE_EFFECT in <file>
        "./app.js" "" as "" SIDE_EFFECT in <file>
        "./start.js" "start" as "start" in <file>
    "#]],
    );
}

#[test]
fn html_with_types() {
    let text = r#"<script setup lang="ts">
import Item from "./Item.vue";
const props = defineProps<{ a: string }>();
function open(x: number): void { close(x); }
</script>
<template>
  <div id="app" :class="{ a: b > 1 }"><Item @click="open(1)" /></div>
</template>
<style scoped lang="scss">
.a { &:hover { color: $blue; } }
</style>
"#;
    check_symbols(
        Html,
        text,
        expect![[r#"
        Constant props 3-3 `const props = defineProps<{ a: string }>()`
        Function open 4-4 `function open(x: number): void` (x: number) -> void
        Section #app 7-7 [EXPORTED] `<div id="app" :class="{ a: b > 1 }">`
        Section .a 10-10 [EXPORTED] `.a`
        Section .a.&:hover 10-10 [EXPORTED] `&:hover`
    "#]],
    );
    check_references(
        Html,
        text,
        expect![[r#"
        Call defineProps (0) in <file> line 3
        Call close (1) in open line 4
        Jsx Item in #app line 7
        Value $blue in .a.&:hover line 10
    "#]],
    );
}

#[test]
fn css() {
    let text = r#"@charset "utf-8";
@import url("base.css");
@use 'sass:math';
/* comment { } */
:root { --gap: 4px; --wide: calc(2 * var(--gap)); }
a:hover, .btn > span { color: red; background: url(data:x;y//z) }
@media (min-width: 10px) {
  .card { width: var(--gap); }
}
@keyframes spin { from { x: 1 } 50% { x: 2 } to { x: 3 } }
$blue: #00f; // line { comment
@mixin button($size, $color: $blue) { font: $size; }
@function double($n) { @return $n * 2; }
.nav {
  @include button(2px, $blue);
  &__item { &:hover { top: 0 } }
  #{$prefix}-x { a: b }
}
"#;
    check_symbols(
        Css,
        text,
        expect![[r#"
        Section :root 5-5 [EXPORTED] `:root`
        Variable :root.--gap 5-5 [EXPORTED] `--gap: 4px`
        Variable :root.--wide 5-5 [EXPORTED] `--wide: calc(2 * var(--gap))`
        Section a:hover, .btn > span 6-6 [EXPORTED] `a:hover, .btn > span`
        Section @media (min-width: 10px) 7-9 [EXPORTED] `@media (min-width: 10px)`
        Section @media (min-width: 10px)..card 8-8 [EXPORTED] `.card`
        Section @keyframes spin 10-10 [EXPORTED] `@keyframes spin`
        Variable $blue 11-11 [EXPORTED] `$blue: #00f`
        Function button 12-12 [EXPORTED] `@mixin button($size, $color: $blue)` ($size: ) ($color: )
        Function double 13-13 [EXPORTED] `@function double($n)` ($n: )
        Section .nav 14-18 [EXPORTED] `.nav`
        Section .nav.&__item 16-16 [EXPORTED] `&__item`
        Section .nav.&__item.&:hover 16-16 [EXPORTED] `&:hover`
        Section .nav.#{$prefix}-x 17-17 [EXPORTED] `#{$prefix}-x`
    "#]],
    );
    check_references(
        Css,
        text,
        expect![[r#"
        Value --gap in :root.--wide line 5
        Value --gap in @media (min-width: 10px)..card line 8
        Value $size in button line 12
        Value $color in button line 12
        Value $blue in button line 12
        Value $size in button line 12
        Value $n in double line 13
        Value $n in double line 13
        Call button in .nav line 15
        Value $blue in .nav line 15
        Value $prefix in .nav.#{$prefix}-x line 17
    "#]],
    );
    check_imports(
        Css,
        text,
        expect![[r#"
        "base.css" "" as "" GLOB in <file>
        "sass:math" "" as "" GLOB in <file>
    "#]],
    );
}

#[test]
fn sql() {
    let text = r#"-- Who uses it.
-- Two lines.
CREATE TABLE IF NOT EXISTS public."users" (
  id BIGINT NOT NULL PRIMARY KEY,
  name varchar(20) DEFAULT 'a;b',
  team_id int REFERENCES teams (id),
  CONSTRAINT one UNIQUE (name, id)
);
/* ; */ CREATE OR REPLACE VIEW active AS SELECT u.*, count(*) FROM users u JOIN teams t ON t.id = u.team_id;
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE UNIQUE INDEX idx_name ON users (lower(name));
CREATE FUNCTION add_user(IN p_name text, age integer) RETURNS bigint AS $$
BEGIN
  INSERT INTO users (name) VALUES (p_name);
  RETURN audit_user(1);
END;
$$ LANGUAGE plpgsql;
DELIMITER //
CREATE PROCEDURE `clean_up`(n INT)
BEGIN
  IF n > 1 THEN DELETE FROM users; END IF;
  CALL add_user('x', 1);
END //
DELIMITER ;
INSERT INTO users SELECT * FROM old_users;
CREATE TRIGGER trg BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION add_user();
"#;
    check_symbols(
        Sql,
        text,
        expect![[r#"
        Struct users 3-8 [EXPORTED] `CREATE TABLE IF NOT EXISTS public."users"`
        Field users.id 4-4 [EXPORTED] `id BIGINT NOT NULL PRIMARY KEY` -> BIGINT
        Field users.name 5-5 [EXPORTED] `name varchar(20) DEFAULT` -> varchar(20)
        Field users.team_id 6-6 [EXPORTED] `team_id int REFERENCES teams (id)` -> int
        Struct active 9-9 [EXPORTED] `CREATE OR REPLACE VIEW active`
        Enum mood 10-10 [EXPORTED] `CREATE TYPE mood`
        Variable idx_name 11-11 [EXPORTED] `CREATE UNIQUE INDEX idx_name ON users`
        Function add_user 12-17 [EXPORTED] `CREATE FUNCTION add_user(IN p_name text, age integer)` (p_name: text) (age: integer) -> bigint
        Function clean_up 19-23 [EXPORTED] `CREATE PROCEDURE `clean_up`(n INT)` (n: INT)
        Function trg 26-26 [EXPORTED] `CREATE TRIGGER trg BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION add_user`
    "#]],
    );
    check_references(
        Sql,
        text,
        expect![[r#"
        Type teams in users line 6
        Call count in active line 9
        Type users in active line 9
        Type teams in active line 9
        Type users in idx_name line 11
        Call lower in idx_name line 11
        Type users in add_user line 14
        Call audit_user in add_user line 15
        Type users in clean_up line 21
        Call add_user in clean_up line 22
        Type users in <file> line 25
        Type old_users in <file> line 25
        Type users in trg line 26
        Call add_user in trg line 26
    "#]],
    );
}
