//! Limits of a query: its rows, steps and bytes, and the error that names them.

use cypher::Limits;
use expect_test::expect;

use super::check_limits;

#[test]
fn a_query_ends_at_its_limits() {
    let few = Limits {
        max_rows: 2,
        max_steps: 1_000,
        max_bytes: 4_000,
        ..Limits::default()
    };
    check_limits(
        "MATCH (f:Function) RETURN f.name",
        few,
        expect![[r#"
        f.name
        'main'
        'report'
        …
    "#]],
    );
    check_limits(
        "MATCH (a), (b), (c) RETURN count(*)",
        few,
        expect![[r#"
        Limit: the query takes more than 1000 steps
          begin with a name or path, give types and an upper end to *, or use LIMIT
    "#]],
    );
    check_limits(
        "MATCH (a), (b) RETURN collect(a.name)",
        few,
        expect![[r#"
        Limit: the query holds more than 4000 bytes
          aggregate earlier, or use LIMIT in a WITH
    "#]],
    );
    check_limits(
        "UNWIND range(1, 90) AS x UNWIND range(1, 9) AS y RETURN x, y ORDER BY y",
        Limits {
            max_bytes: 20_000,
            ..few
        },
        expect![[r#"
            Limit: the query holds more than 20000 bytes
              aggregate earlier, or use LIMIT in a WITH
        "#]],
    );
    check_limits(
        "MATCH (f:Function) RETURN f.name",
        Limits { max_rows: 7, ..few },
        expect![[r#"
            f.name
            'main'
            'report'
            'total'
            'add_tax'
            'round_up'
            'again'
            'test_total'
        "#]],
    );
    check_limits(
        "RETURN range(1, 1000000) AS x",
        Limits::default(),
        expect![[r#"
            Type: line 1, column 8: `range` gives no more than 100000 items
        "#]],
    );
}
