//! The kinds of trap in the texts of issues: each must not lead away from the file that is right.
#![cfg(feature = "all-languages")]

use std::sync::Arc;

use portolan_engine::{
    Clue, Engine, EngineConfig, FileId, LocateQuery, Located, Partner, Reader, Together, read_file,
};
use syntax::{ParseConfig, Parsers};

fn shop() -> Reader {
    let files = include_str!("shop.txt").split("//- /").skip(1);
    indexed(files.map(|file| file.split_once('\n').unwrap()))
}

fn indexed<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Reader {
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut engine = Engine::new(EngineConfig {
        name: "shop".into(),
        ..EngineConfig::default()
    });
    for (path, text) in files {
        let unit = read_file(&mut parsers, path, text);
        engine.put(path, text, unit);
    }
    Reader::new(Arc::new(engine.build(0.0).unwrap())).unwrap()
}

fn located(reader: &Reader, text: &str) -> Located {
    let query = LocateQuery {
        text,
        limit: 10,
        function_limit: 10,
        ..LocateQuery::default()
    };
    reader.locate(&query).unwrap()
}

/// Checks the first file of an answer, and the first function if one is given.
fn check(text: &str, file: &str, function: &str) {
    let reader = shop();
    let found = located(&reader, text);
    let paths: Vec<&str> = found
        .files
        .iter()
        .map(|found| reader.path(found.file))
        .collect();
    assert_eq!(paths.first(), Some(&file), "{text}\n{paths:?}");
    if !function.is_empty() {
        let names: Vec<String> = found
            .functions
            .iter()
            .map(|found| reader.graph().qualified_name(found.node))
            .collect();
        assert_eq!(
            names.first().map(String::as_str),
            Some(function),
            "{text}\n{names:?}"
        );
    }
}

/// 1. A template, a checklist and a table of the environment are more words than the report.
#[test]
fn a_template_does_not_drown_the_title() {
    check(
        "Invoice page is saved twice\n### Checklist\n- [x] I have searched the orders of the warehouse for tax rates\n\
         - [x] I will write a table of orders\n### Environment\ncart: 1.2\nstock: 3.4\n### Describe the bug\n_No response_\n\
         <!-- say which cart, which stock, which tax -->\n",
        "shop/export/pdf_writer.py",
        "",
    );
}

/// 2. A log or a dump of code is more words than the report.
#[test]
fn a_log_does_not_drown_the_title() {
    let log =
        "2024-01-02 10:00:00 INFO cart add item to warehouse shelves reserve count\n".repeat(60);
    check(
        &format!("Delimiter of exported orders is ignored\n### Logs\n```\n{log}```\n"),
        "shop/export/csv_writer.py",
        "write_orders",
    );
}

/// 3. Tests, their data, stubs and the changelog speak in the words of the report.
#[test]
fn tests_and_stubs_do_not_crowd_out_the_source() {
    check(
        "Cart total is wrong with tax of tea",
        "shop/cart.py",
        "Cart.total",
    );
}

/// 4. The word "test" in passing asks for no test.
#[test]
fn the_word_test_in_the_body_asks_for_no_tests() {
    check(
        "Cart total is wrong\nI ran the tests and a test fails; my test of the total of a cart with tea, test_total, is red. Please test.",
        "shop/cart.py",
        "Cart.total",
    );
}

/// 5. The place is in a stack trace only: the deepest frame of the repository counts, not those of libraries.
#[test]
fn the_deepest_own_frame_counts() {
    check(
        "It crashes\n```\nTraceback (most recent call last):\n  File \"/usr/lib/python3/site-packages/flask/app.py\", line 9, in run\n    go()\n\
         \x20 File \"/srv/env/site-packages/shop/cart.py\", line 20, in total\n    return x\n\
         \x20 File \"/srv/env/site-packages/shop/tax.py\", line 8, in rate_of\n    return y\n\
         \x20 File \"/usr/lib/python3/site-packages/cache/tax.py\", line 3, in get\n    return z\nKeyError: 'milk'\n```\n",
        "shop/tax.py",
        "rate_of",
    );
}

/// The same where nothing but the trace is pasted: its error has the words of every program of the runtime.
#[test]
fn a_trace_alone_leads_to_its_deepest_own_frame() {
    let common =
        "function properties(reading) {\n  return reading.undefined; // cannot read undefined\n}\n";
    let files = [
        ("lib/read.js", common),
        ("lib/undefined.js", common),
        (
            "lib/view.js",
            "function lookup(name) {\n  return name.length;\n}\n",
        ),
        (
            "lib/app.js",
            "function render(name) {\n  return lookup(name);\n}\n",
        ),
    ];
    let reader = indexed(files.into_iter());
    let found = located(
        &reader,
        "TypeError: Cannot read properties of undefined (reading 'length')\n    at lookup (/srv/lib/view.js:2:3)\n    at render (/srv/lib/app.js:2:3)\n",
    );
    assert_eq!(reader.path(found.files[0].file), "lib/view.js");
}

/// The same for npm packages, whose folder has a name only where they are installed: one of the repository is known by its `package.json`.
#[test]
fn frames_of_the_repositorys_own_npm_packages_count() {
    let total = "function total(items) {\n  return items.length;\n}\n";
    let files = [
        ("lib/cart.js", total),
        ("lib/index.js", "exports.open = function open() {};\n"),
        ("package.json", "{\n  \"name\": \"kit\"\n}\n"),
        ("packages/rates/lib/tax.js", total),
        (
            "packages/rates/package.json",
            "{ \"name\": \"@kit/tax\" }\n",
        ),
    ];
    let reader = indexed(files.into_iter());
    let frames = |path: &str| {
        let text =
            format!("It crashes\nTypeError: x\n    at total (/srv/node_modules/{path}:2:3)\n");
        let found = located(&reader, &text);
        let files = found.files.iter();
        let by_frame =
            files.filter(|file| file.why.iter().any(|because| because.clue == Clue::Frame));
        by_frame
            .map(|file| reader.path(file.file).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(frames("kit/lib/cart.js"), ["lib/cart.js"]);
    assert_eq!(frames("@kit/tax/lib/tax.js"), ["packages/rates/lib/tax.js"]);
    assert_eq!(frames("express/lib/cart.js"), [""; 0]);
    assert_eq!(
        frames("express/node_modules/kit/lib/index.js"),
        ["lib/index.js"]
    );
    assert_eq!(frames("kit"), [""; 0]);
}

/// 6. A message, a path or a definition is named in words that the title lacks.
#[test]
fn messages_paths_and_names_lead_to_their_place() {
    check(
        "It is broken\nAfter the upgrade I get\n```\nNotImplementedError: cannot embed font Arial.ttf into the page twice\n```\n",
        "shop/export/pdf_writer.py",
        "Page.save",
    );
    check(
        "It is broken\nSee https://github.com/o/shop/blob/v1/shop/stock.py#L9 for the line.",
        "shop/stock.py",
        "Warehouse.reserve",
    );
    check(
        "It is broken\nI think `parse_arguments` should take more.",
        "shop/cli.py",
        "parse_arguments",
    );
    check(
        "It is broken\n```python\nfrom shop.export import csv_writer as w\nw.write_orders([], 'a')\n```\n",
        "shop/export/csv_writer.py",
        "write_orders",
    );
}

/// 7. The right file is one step in the graph from what the text names.
#[test]
fn neighbours_of_what_is_named_are_found() {
    let reader = shop();
    let found = located(&reader, "Wrong sum from `Cart.total`");
    let tax = found
        .files
        .iter()
        .find(|found| reader.path(found.file) == "shop/tax.py")
        .expect("what it calls");
    assert!(
        tax.why.iter().any(|because| because.clue == Clue::Near),
        "{:?}",
        tax.why
    );
}

/// Examples that are wrong now and then.
#[test]
fn examples_are_found() {
    check(
        "Espresso is brewed with the wrong grind size",
        "examples/barista.py",
        "brew_espresso",
    );
}

#[test]
fn a_text_about_something_else_is_not_known() {
    let reader = shop();
    let foreign = located(
        &reader,
        "Kubernetes ingress loses websocket upgrade\nThe controller drops the connection header.",
    );
    let own = located(&reader, "`Cart.total` is wrong with tax of tea");
    assert!(
        !foreign.is_known && own.is_known,
        "{} {}",
        foreign.sureness,
        own.sureness
    );
    assert!(located(&reader, "…").files.is_empty());
}

#[test]
fn an_empty_text_is_an_error() {
    let query = LocateQuery {
        text: " \n",
        ..LocateQuery::default()
    };
    assert_eq!(shop().locate(&query).unwrap_err().code(), "query.empty");
}

#[test]
fn what_changes_together_is_found() {
    let reader = shop();
    let stock = reader.file("shop/stock.py").unwrap();
    let cart = reader.file("shop/cart.py").unwrap();
    let together = |file| {
        if file == cart {
            vec![Partner {
                file: stock,
                confidence: 1.0,
                reverse: 1.0,
            }]
        } else {
            Vec::new()
        }
    };
    let query = LocateQuery {
        text: "Cart total is wrong",
        limit: 10,
        together: Some(&together),
        ..LocateQuery::default()
    };
    let found = reader.locate(&query).unwrap();
    let stock = found
        .files
        .iter()
        .find(|found| found.file == stock)
        .unwrap();
    assert!(
        stock
            .why
            .iter()
            .any(|because| because.clue == Clue::Together)
    );
}

/// The fix of several files: the eighth place is for what changes together with the first, whatever its own words.
#[test]
fn a_partner_of_the_first_file_is_among_the_first_ten() {
    let parts: Vec<(String, String)> = (0..14)
        .map(|n| {
            let text =
                format!("def total_{n}(cart):\n    \"\"\"Cart total.\"\"\"\n    return {n}\n");
            (format!("shop/part{n}.py"), text)
        })
        .collect();
    let parts = parts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()));
    let far = ("shop/far.py", "def quarry():\n    return 1\n");
    let reader = indexed(parts.chain([far]));
    let far = reader.file("shop/far.py").unwrap();
    let together = |_: FileId| {
        vec![Partner {
            file: far,
            confidence: 0.5,
            reverse: 0.5,
        }]
    };
    let place = |together: Option<Together<'_>>| {
        let query = LocateQuery {
            text: "Cart total is wrong",
            limit: 10,
            together,
            ..LocateQuery::default()
        };
        let found = reader.locate(&query).unwrap();
        let scores: Vec<f32> = found.files.iter().map(|found| found.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        found.files.iter().position(|found| found.file == far)
    };
    assert_eq!((place(Some(&together)), place(None)), (Some(7), None));
}

#[test]
fn only_wanted_files_are_found() {
    let reader = shop();
    let query = LocateQuery {
        text: "Cart total is wrong",
        limit: 10,
        files: reader.filter(&["shop/export/**".to_owned()], &[]).unwrap(),
        ..LocateQuery::default()
    };
    let found = reader.locate(&query).unwrap();
    assert!(
        found
            .files
            .iter()
            .all(|found| reader.path(found.file).starts_with("shop/export/"))
    );
}

/// The same text gives the same answer.
#[test]
fn answers_are_deterministic() {
    let text = "Cart total is wrong with tax of tea\nsee shop/tax.py and `reserve`, LookupError: no rates were loaded for this country";
    assert_eq!(located(&shop(), text), located(&shop(), text));
}
