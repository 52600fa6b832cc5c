//! Errors: their place in the query, the expected tokens, and the help.

use expect_test::expect;

use super::check;

#[test]
fn syntax() {
    check(
        "MATCH (f:Function RETURN f",
        expect![[r#"
            Syntax: line 1, column 19: expected `|`, `:`, `{` or `)`, found `RETURN`
        "#]],
    );
    check(
        "MATCH (f) RETUN f",
        expect![[r#"
            Syntax: line 1, column 11: expected `-`, `<`, `,`, WHERE, OPTIONAL, MATCH, UNWIND, WITH or RETURN, found `RETUN`
              did you mean RETURN?
        "#]],
    );
    check(
        "MATCH (f)",
        expect![[r#"
            Syntax: line 1, column 10: expected `-`, `<`, `,`, WHERE, OPTIONAL, MATCH, UNWIND, WITH or RETURN, found the end of the query
        "#]],
    );
    check(
        "",
        expect![[r#"
        Syntax: line 1, column 1: expected OPTIONAL, MATCH, UNWIND, WITH or RETURN, found the end of the query
    "#]],
    );
    check(
        "MATCH (a)-[:CALLS]>(b) RETURN a",
        expect![[r#"
            Syntax: line 1, column 19: expected `-`, found `>`
        "#]],
    );
    check(
        "MATCH (a) WHERE RETURN a",
        expect![[r#"
        Syntax: line 1, column 17: expected NOT, a name or an expression, found `RETURN`
    "#]],
    );
    check(
        "MATCH (a)\nWHERE a.name = \nRETURN a",
        expect![[r#"
        Syntax: line 3, column 1: expected a name or an expression, found `RETURN`
    "#]],
    );
    check(
        "MATCH (a) WHERE a.name = 'x RETURN a",
        expect![[r#"
        Syntax: line 1, column 26: a ' that is never closed
    "#]],
    );
    check(
        "MATCH (a) RETURN a LIMIT 1 2",
        expect![[r#"
            Syntax: line 1, column 28: expected an operator, `<`, UNION, `;` or the end of the query, found `2`
        "#]],
    );
    check(
        "RETURN 1 § 2",
        expect![[r#"
        Syntax: line 1, column 10: `§` means nothing here
    "#]],
    );
    check(
        "MATCH (a) WITH a.name RETURN 1",
        expect![[r#"
        Syntax: line 1, column 17: `a.name` in WITH needs a name
          write `a.name AS …`
    "#]],
    );
    check(
        "RETURN /* never closed",
        expect![[r#"
        Syntax: line 1, column 8: a comment that is never closed
    "#]],
    );
    check(
        "RETURN $",
        expect![[r#"
        Syntax: line 1, column 8: `$` without the name of a parameter
    "#]],
    );
    check(
        "MATCH (a)-[*3..1]->(b) RETURN a",
        expect![[r#"
        Syntax: line 1, column 12: no path has at least 3 and at most 1 steps
    "#]],
    );
    check(
        "RETURN 99999999999999999999 AS x",
        expect![[r#"
        Syntax: line 1, column 8: 99999999999999999999 is too large a number
    "#]],
    );
    check(
        "RETURN CASE END",
        expect![[r#"
        Syntax: line 1, column 13: expected NOT, a name or an expression, found `END`
    "#]],
    );
}

#[test]
fn writes() {
    check(
        "CREATE (n:Function) RETURN n",
        expect![[r#"
        Write: line 1, column 1: CREATE would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "MATCH (n) DELETE n",
        expect![[r#"
        Write: line 1, column 11: DELETE would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "MATCH (n) DETACH DELETE n",
        expect![[r#"
        Write: line 1, column 11: DETACH would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "MATCH (n) SET n.name = 'x' RETURN n",
        expect![[r#"
        Write: line 1, column 11: SET would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "MERGE (n) RETURN n",
        expect![[r#"
        Write: line 1, column 1: MERGE would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "MATCH (n) REMOVE n.name",
        expect![[r#"
        Write: line 1, column 11: REMOVE would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "MATCH (n) RETURN n CREATE (m)",
        expect![[r#"
        Write: line 1, column 20: CREATE would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "CALL db.labels()",
        expect![[r#"
        Unsupported: line 1, column 1: there are no procedures to CALL
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
    check(
        "LOAD CSV FROM 'x' AS row RETURN row",
        expect![[r#"
        Write: line 1, column 1: LOAD would change the graph, which can only be read
          use MATCH, WHERE, WITH, UNWIND and RETURN
    "#]],
    );
}

#[test]
fn names() {
    check(
        "MATCH (f:Funktion) RETURN f",
        expect![[r#"
        Name: line 1, column 10: there is no label `Funktion`
          did you mean Function?
    "#]],
    );
    check(
        "MATCH (f:Banana) RETURN f",
        expect![[r#"
        Name: line 1, column 10: there is no label `Banana`
          the labels are File, Folder, Symbol, External, Community, Process, Module, Function, Method, Constructor, Class, Struct, Enum, Variant, Trait, Interface, Impl, TypeAlias, Constant, Variable, Field, Macro, Section
    "#]],
    );
    check(
        "MATCH (a)-[:CALL]->(b) RETURN a",
        expect![[r#"
        Name: line 1, column 13: there is no relationship type `CALL`
          did you mean CALLS?
    "#]],
    );
    check(
        "MATCH (f:Function) RETURN f.nmae",
        expect![[r#"
            Name: line 1, column 29: a node has no property `nmae`
              did you mean name?
        "#]],
    );
    check(
        "MATCH (a)-[r:CALLS]->(b) RETURN r.weight",
        expect![[r#"
        Name: line 1, column 35: a relationship has no property `weight`
          it has type, confidence, reason, line, step
    "#]],
    );
    check(
        "MATCH (fn:Function) RETURN f.name",
        expect![[r#"
        Name: line 1, column 28: there is no variable `f`
          did you mean fn?
    "#]],
    );
    check(
        "MATCH (f:Function) RETURN toLowr(f.name)",
        expect![[r#"
        Name: line 1, column 27: there is no function `toLowr`
          did you mean toLower?
    "#]],
    );
    check(
        "MATCH (f:Function {colour: 1}) RETURN f",
        expect![[r#"
        Name: line 1, column 20: a node has no property `colour`
          it has id, name, kind, qualified_name, path, language, line, start_line, end_line, signature, doc, complexity, centrality, exported, test, async, static, declaration, cohesion, n_members, n_steps, process_type, entry_kind
    "#]],
    );
    check(
        "MATCH (a)-[a:CALLS]->(b) RETURN a",
        expect![[r#"
        Type: line 1, column 12: `a` cannot stand for this relationship as well
          choose another name
    "#]],
    );
    check(
        "RETURN 1 AS a, 2 AS a",
        expect![[r#"
        Name: line 1, column 16: two columns have the name `a`
          name them with AS
    "#]],
    );
    check(
        "UNWIND [1] AS a UNWIND [2] AS a RETURN a",
        expect![[r#"
        Name: line 1, column 31: `a` is a variable already
          choose another name
    "#]],
    );
}

#[test]
fn aggregates() {
    check(
        "MATCH (f) WHERE count(f) > 1 RETURN f",
        expect![[r#"
        Syntax: line 1, column 17: `count` can stand in WITH and RETURN only, and not within another aggregate
          count in WITH first, then use its column
    "#]],
    );
    check(
        "MATCH (f:Function) RETURN max(count(f))",
        expect![[r#"
        Syntax: line 1, column 31: `count` can stand in WITH and RETURN only, and not within another aggregate
          count in WITH first, then use its column
    "#]],
    );
    check(
        "MATCH (f:Function) RETURN count(f) ORDER BY f.line",
        expect![[r#"
            Name: line 1, column 45: there is no variable `f`
              after DISTINCT or an aggregate, sort by a returned column
        "#]],
    );
    check(
        "RETURN count()",
        expect![[r#"
        Syntax: line 1, column 8: `count` takes one argument
    "#]],
    );
    check(
        "RETURN toLower(DISTINCT 'a')",
        expect![[r#"
        Syntax: line 1, column 8: `toLower` is no aggregate
          the aggregates are count, collect, sum, avg, min, max
    "#]],
    );
}

#[test]
fn types() {
    check(
        "RETURN 1 + true AS x",
        expect![[r#"
        Type: line 1, column 10: `+` does not take a number and a boolean
    "#]],
    );
    check(
        "RETURN 'a' AND true AS x",
        expect![[r#"
        Type: line 1, column 8: a condition is needed here, not a string
    "#]],
    );
    check(
        "MATCH (f:Function) WHERE f.name RETURN f",
        expect![[r#"
        Type: line 1, column 27: a condition is needed here, not a string
    "#]],
    );
    check(
        "RETURN 1 / 0 AS x",
        expect![[r#"
        Type: line 1, column 10: division by zero
    "#]],
    );
    check(
        "RETURN size(1) AS x",
        expect![[r#"
        Type: line 1, column 8: `size` does not take a number
    "#]],
    );
    check(
        "UNWIND [1] AS x RETURN x.name",
        expect![[r#"
        Type: line 1, column 24: a number has no properties
    "#]],
    );
    check(
        "RETURN 9223372036854775807 + 1 AS x",
        expect![[r#"
        Type: line 1, column 28: the result is too large a number
    "#]],
    );
    check(
        "MATCH (f) RETURN f LIMIT -1",
        expect![[r#"
        Type: line 1, column 26: LIMIT needs a whole number from 0, not a number
    "#]],
    );
    check(
        "RETURN 'a' =~ '(' AS x",
        expect![[r#"
        Syntax: line 1, column 15: the regular expression cannot be read: unclosed group
    "#]],
    );
    check(
        "RETURN [1][true] AS x",
        expect![[r#"
        Type: line 1, column 11: a list has no item for a boolean
    "#]],
    );
    check(
        "RETURN range(1, 10, 0) AS x",
        expect![[r#"
        Type: line 1, column 8: the step of `range` is a whole number other than 0
    "#]],
    );
    check(
        "RETURN left('a') AS x",
        expect![[r#"
        Syntax: line 1, column 8: `left` takes 2 arguments, not 1
    "#]],
    );
}
