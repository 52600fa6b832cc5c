use expect_test::expect;
use syntax::Language::Bash;

use crate::{
    check_bindings, check_broken, check_docs, check_imports, check_references, check_symbols,
};

#[test]
fn functions() {
    check_symbols(
        Bash,
        r#"#!/usr/bin/env bash
LIMIT=10
readonly mode="fast"
export PATH_LIKE=/bin name
counter=0
fetch() {
  local url=$1
  if [[ -n $url && $x ]] || [ -z "$y" ]; then
    echo "$url"
  elif true; then :; fi
  for i in a b; do :; done
  case $x in
    a) one ;;
    b) two ;;
  esac
}
function _private { :; }
function app::run() ( cd /; )
test_it() { :; }
alias ll='ls -l'
"#,
        expect![[r#"
            Constant LIMIT 2-2 [EXPORTED] `LIMIT=10`
            Constant mode 3-3 [EXPORTED READONLY] `readonly mode="fast"`
            Constant PATH_LIKE 4-4 [EXPORTED] `export PATH_LIKE=/bin name`
            Variable name 4-4 [EXPORTED] `export PATH_LIKE=/bin name`
            Variable counter 5-5 [EXPORTED] `counter=0`
            Function fetch 6-16 [EXPORTED] `fetch()` cx 8
            Function _private 17-17 `function _private`
            Function app::run 18-18 [EXPORTED] `function app::run()`
            Function test_it 19-19 [EXPORTED TEST] `test_it()`
            Function ll 20-20 [EXPORTED] `alias ll='ls -l'`
        "#]],
    );
}

// not in this language: functions belong to no type; the tests of bats stand here instead.
#[test]
fn methods() {
    check_symbols(
        Bash,
        r#"setup() { load helpers; }
@test "it works" {
  run fetch
}
@test 'in single quotes' {
  :
}
"#,
        expect![[r#"
            Function setup 1-1 [EXPORTED] `setup()`
            Function it works 2-2 [EXPORTED TEST] `@test "it works"`
            Function in single quotes 5-5 [EXPORTED TEST] `@test 'in single quotes'`
        "#]],
    );
}

#[test]
fn nested() {
    check_symbols(
        Bash,
        r#"outer() {
  inner() { innermost() { :; }; }
  local x=1
  inner
}
if true; then
  conditional() { :; }
fi
"#,
        expect![[r#"
            Function outer 1-5 [EXPORTED] `outer()`
            Function outer.inner 2-2 `inner()`
            Function outer.inner.innermost 2-2 `innermost()`
            Function conditional 7-7 [EXPORTED] `conditional()`
        "#]],
    );
}

#[test]
fn imports() {
    check_imports(
        Bash,
        r#"source ./lib/common.sh
. "$DIR/other.sh"
source "$(dirname "$0")/x.sh"
f() { source late.sh; }
load test_helper
"#,
        expect![[r#"
            "./lib/common.sh" "" as "" GLOB in <file>
            "$DIR/other.sh" "" as "" GLOB in <file>
            "$(dirname$0)/x.sh" "" as "" GLOB in <file>
            "late.sh" "" as "" GLOB in f
            "test_helper" "" as "" GLOB in <file>
        "#]],
    );
}

// not in this language: nothing inherits.
#[test]
fn inheritance() {
    check_symbols(
        Bash,
        "a() { :; }\n",
        expect![[r#"
        Function a 1-1 [EXPORTED] `a()`
    "#]],
    );
}

#[test]
fn calls() {
    check_references(
        Bash,
        r#"handler() {
  helper 1 "$value"
  "$cmd" arg
  result=$(compute | filter)
  FOO=1 build && deploy || fail
  trap cleanup EXIT
  run greet
  echo "text $(render "$LIMIT") ${LIST[0]}"
  local name=$1
  echo "$name"
  export -f helper
  ./script.sh
}
handler "$@"
"#,
        expect![[r#"
            Call helper in handler line 2
            Value value in handler line 2
            Value cmd in handler line 3
            Call compute in handler line 4
            Call filter in handler line 4
            Call build in handler line 5
            Call deploy in handler line 5
            Call fail in handler line 5
            Call trap in handler line 6
            Value cleanup in handler line 6
            Call run in handler line 7
            Call greet in handler line 7
            Call echo in handler line 8
            Call render in handler line 8
            Value LIMIT in handler line 8
            Value LIST in handler line 8
            Call echo in handler line 10
            Value helper in handler line 11
            Call handler in <file> line 14
        "#]],
    );
}

#[test]
fn bindings() {
    check_bindings(
        Bash,
        r#"f() {
  local a=$1 b c="x"
  local d=$(make)
  e=$(load_it)
  local g=$h
  for i in 1 2; do :; done
  declare -a list=(a b)
}
"#,
        expect![[r#"
            a Alias "" in f
            b Alias "" in f
            c Alias "" in f
            d Call "make" in f
            e Call "load_it" in f
            g Alias "h" in f
            i Alias "" in f
            list Alias "" in f
        "#]],
    );
}

#[test]
fn docs() {
    check_docs(
        Bash,
        r#"#!/bin/bash
# First line.
#
# More.
f() { :; }

# A variable.
x=1

# far away

g() { :; }
"#,
        expect![[r#"
            f "First line.\n\nMore." []
            x "A variable." []
            g "" []
        "#]],
    );
}

#[test]
fn broken() {
    check_broken(
        Bash,
        r#"before() { a; }
broken() {
  if [ x; then
  fi
after() {
  (
}
last() { :; }
"#,
        expect![[r#"
            Function before 1-1 [EXPORTED] `before()`
            Function last 8-8 [EXPORTED] `last()`
            Syntax line 2: text does not fit the grammar
            Syntax line 5: text does not fit the grammar
        "#]],
    );
}

#[test]
fn modifiers() {
    check_symbols(
        Bash,
        r#"readonly LIMIT=3
declare -r OTHER=4
export NAME=x
count=0
_hidden() { :; }
"#,
        expect![[r#"
            Constant LIMIT 1-1 [EXPORTED READONLY] `readonly LIMIT=3`
            Constant OTHER 2-2 [EXPORTED READONLY] `declare -r OTHER=4`
            Constant NAME 3-3 [EXPORTED] `export NAME=x`
            Variable count 4-4 [EXPORTED] `count=0`
            Function _hidden 5-5 `_hidden()`
        "#]],
    );
}
