use crate::check;

#[test]
fn style_sheets() {
    check(
        r#"
//- /app.scss
@import "theme";
.a {
    color: $blue;
//         ^ refers: _theme.scss:1
    width: var(--gap);
//             ^ refers: _theme.scss:2
    @include button(1px);
//           ^ calls: _theme.scss:3
    top: var(--none);
//           ^ refers: nothing
}
//- /_theme.scss
$blue: #00f;
:root { --gap: 4px; }
@mixin button($size) { font: $size; }
"#,
    );
}

#[test]
fn scripts_of_pages() {
    check(
        r#"
//- /index.html
<h1 id="top">Title</h1>
<script type="module">
import { start } from "./app.js";
function own() {}
function run() {
    start();
//  ^ calls: app.js:1
    own();
//  ^ calls: index.html:4
    missing();
//  ^ calls: nothing
}
</script>
//- /app.js
export function start() {}
"#,
    );
}

#[test]
fn components() {
    check(
        r#"
//- /App.vue
<script setup lang="ts">
import { load } from "./load";
function open(): void {
    load();
//  ^ calls: load.ts:1
}
</script>
<template><p id="x"></p></template>
//- /load.ts
export function load(): void {}
"#,
    );
}

#[test]
fn sql() {
    check(
        r#"
//- /schema.sql
CREATE TABLE users (id int);
CREATE TABLE posts (
    id int,
    author int REFERENCES users (id)
--                        ^ refers: schema.sql:1
);
CREATE FUNCTION add_user(name text) RETURNS int AS $$
BEGIN
    INSERT INTO users VALUES (1);
--              ^ refers: schema.sql:1
    PERFORM audit(name);
--          ^ calls: schema.sql:15
END;
$$ LANGUAGE plpgsql;
CREATE FUNCTION audit(x text) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;
//- /queries.sql
SELECT * FROM users u;
--            ^ refers: schema.sql:1
SELECT add_user('x') FROM public.users;
--     ^ calls: schema.sql:7
--                               ^ refers: schema.sql:1
SELECT count(*) FROM nowhere;
--     ^ calls: nothing
--                   ^ refers: nothing
"#,
    );
}
