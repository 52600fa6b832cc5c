//! Structural search and the repository map over a whole index, as hosts ask for them.

use api::{
    LanguageWords, MapOrder, MapRequest, StructuralConstraint, StructuralFilesRequest,
    StructuralRequest, StructuralResponse, answer,
};
use engine::Reader;
use expect_test::{Expect, expect};
use source::{FileSet, SourceConfig};

use crate::support::{bytes_of, parsers, reader};

fn shop() -> Reader {
    let files = [
        (
            "cart/src/cart.ts",
            "import { addTax } from './tax';\nexport class Cart {\n  total(): number {\n    return addTax(this.sum(), 0.19);\n  }\n  sum(): number { return 1; }\n}\n",
        ),
        (
            "cart/src/tax.ts",
            "export function addTax(net: number, rate: number): number {\n  return net * (1 + rate);\n}\nconst seven = addTax(7, 7);\n",
        ),
        (
            "jobs/bill.py",
            "from shop import add_tax\n\nclass Bill:\n    def total(self):\n        return add_tax(self.sum, 0.19)\n",
        ),
        ("jobs/größe.py", "def größe(ä):\n    return addTax(ä, ä)\n"),
        ("README.md", "# Shop\n\naddTax(net, rate)\n"),
    ];
    reader(FileSet::from_files(
        bytes_of(&files),
        &SourceConfig::default(),
    ))
}

fn pattern(pattern: &str) -> StructuralRequest {
    StructuralRequest {
        pattern: Some(pattern.to_owned()),
        ..StructuralRequest::default()
    }
}

fn ask(request: &StructuralRequest) -> StructuralResponse {
    match answer::structural(&shop(), &mut parsers(), request, None) {
        Ok(response) => response,
        Err(error) => panic!("{}: {}", error.code, error.message),
    }
}

/// `path:line language characters text NAME=text`, then the languages and files searched.
fn check(request: &StructuralRequest, expected: Expect) {
    let response = ask(request);
    let mut out = String::new();
    for one in &response.matches {
        let captures = one
            .captures
            .iter()
            .map(|capture| format!(" {}={}", capture.name, capture.text));
        out += &format!(
            "{}:{} {} {}-{} {}{}\n",
            one.path,
            one.start_line,
            one.language,
            one.range.start.character,
            one.range.end.character,
            one.text.replace('\n', "⏎"),
            captures.collect::<String>()
        );
    }
    let unread: Vec<&str> = response
        .unread
        .iter()
        .map(|one| one.language.as_str())
        .collect();
    out += &format!(
        "{} files of {:?}, not {unread:?}{}\n",
        response.n_files,
        response.languages,
        if response.truncated { ", more" } else { "" }
    );
    expected.assert_eq(&out);
}

#[test]
fn forms_are_found_in_every_language_that_reads_them() {
    check(
        &pattern("addTax($NET, $RATE)"),
        expect![[r#"
        cart/src/cart.ts:4 typescript 11-35 addTax(this.sum(), 0.19) NET=this.sum() RATE=0.19
        cart/src/tax.ts:4 typescript 14-26 addTax(7, 7) NET=7 RATE=7
        jobs/größe.py:2 python 11-23 addTax(ä, ä) NET=ä RATE=ä
        3 files of ["python", "typescript"], not []
    "#]],
    );
    check(
        &pattern("addTax($X, $X)"),
        expect![[r#"
        cart/src/tax.ts:4 typescript 14-26 addTax(7, 7) X=7
        jobs/größe.py:2 python 11-23 addTax(ä, ä) X=ä
        3 files of ["python", "typescript"], not []
    "#]],
    );
    check(
        &pattern("class $C { $$$ }"),
        expect![[r#"
        cart/src/cart.ts:2 typescript 7-1 class Cart {⏎  total(): number {⏎    return addTax(this.sum(), 0.19);⏎  }⏎  sum(): number { return 1; }⏎} C=Cart
        2 files of ["typescript"], not ["python"]
    "#]],
    );
}

#[test]
fn filters_limits_and_conditions() {
    let narrowed = StructuralRequest {
        paths: vec!["src/".into(), "!tax.ts".into()],
        ..pattern("addTax($NET, $RATE)")
    };
    check(
        &narrowed,
        expect![[r#"
        cart/src/cart.ts:4 typescript 11-35 addTax(this.sum(), 0.19) NET=this.sum() RATE=0.19
        1 files of ["typescript"], not []
    "#]],
    );
    let one = StructuralRequest {
        limit: Some(1),
        languages: vec!["typescript".into()],
        ..pattern("addTax($$$)")
    };
    check(
        &one,
        expect![[r#"
        cart/src/cart.ts:4 typescript 11-35 addTax(this.sum(), 0.19)
        2 files of ["typescript"], not [], more
    "#]],
    );
    let constrained = StructuralRequest {
        constraints: vec![StructuralConstraint {
            name: "RATE".into(),
            regex: Some("^0\\.".into()),
            ..StructuralConstraint::default()
        }],
        ..pattern("addTax($NET, $RATE)")
    };
    check(
        &constrained,
        expect![[r#"
        cart/src/cart.ts:4 typescript 11-35 addTax(this.sum(), 0.19) NET=this.sum() RATE=0.19
        3 files of ["python", "typescript"], not []
    "#]],
    );
    let query = StructuralRequest {
        query: Some("(class_definition name: (_) @name) @match".into()),
        ..StructuralRequest::default()
    };
    check(
        &query,
        expect![[r#"
        jobs/bill.py:3 python 0-38 class Bill:⏎    def total(self):⏎        return add_tax(self.sum, 0.19) match=class Bill:
            def total(self):
                return add_tax(self.sum, 0.19) name=Bill
        2 files of ["python"], not ["typescript"]
    "#]],
    );
}

#[test]
fn what_cannot_be_asked_is_named() {
    let check = |request: StructuralRequest, code: &str, message: &str| {
        let error = answer::structural(&shop(), &mut parsers(), &request, None).unwrap_err();
        assert_eq!(error.code, code, "{}", error.message);
        assert!(error.message.contains(message), "{}", error.message);
    };
    check(StructuralRequest::default(), "query.invalid", "either");
    check(pattern(" "), "query.empty", "empty");
    check(pattern("addTax($A"), "pattern.syntax", "column 7");
    let constrained = StructuralRequest {
        constraints: vec![StructuralConstraint {
            name: "B".into(),
            ..StructuralConstraint::default()
        }],
        ..pattern("f($A)")
    };
    check(constrained, "pattern.constraint", "$B");
    let unknown = StructuralRequest {
        languages: vec!["klingon".into()],
        ..pattern("f($A)")
    };
    check(unknown, "query.invalid", "klingon");
}

/// The halves that workers ask for, put together, are the whole.
#[test]
fn halves_make_the_whole() {
    let shop = shop();
    let mut parsers = parsers();
    let request = pattern("addTax($NET, $RATE)");
    let asked = StructuralFilesRequest::default();
    let languages = answer::structural_files(&shop, &asked).unwrap().languages;
    assert_eq!(languages, ["python", "typescript"]);
    let known: Vec<_> = languages
        .iter()
        .filter_map(|name| engine::Language::from_name(name))
        .collect();
    let (plan, forms) = answer::structural_plan(&mut parsers, &request, &known).unwrap();
    let words = |language: &str| LanguageWords {
        language: language.into(),
        words: vec!["addTax".into()],
    };
    assert_eq!(plan.words, [words("python"), words("typescript")]);
    let asked = StructuralFilesRequest {
        words: Some(plan.words),
        ..StructuralFilesRequest::default()
    };
    let mut matches = Vec::new();
    for file in answer::structural_files(&shop, &asked).unwrap().files {
        let form = forms
            .iter()
            .find(|form| form.language().name() == file.language);
        let text = answer::file_text(&shop, &file.path).unwrap().text;
        let found = answer::structural_found(
            &mut parsers,
            form.unwrap(),
            &file.path,
            &text,
            plan.limit as usize,
            f64::from(plan.max_millis),
        );
        matches.extend(found.matches);
    }
    assert_eq!(matches, ask(&request).matches);
    assert_eq!(matches.len(), 3);
}

fn map(request: &MapRequest) -> api::MapResponse {
    match answer::map(&shop(), request) {
        Ok(map) => map,
        Err(error) => panic!("{}", error.message),
    }
}

#[test]
fn the_map_names_files_and_definitions() {
    let all = MapRequest::default();
    expect![[r#"
        <repo_map>
          cart/src/cart.ts :: class:Cart, fn:total, fn:sum
          cart/src/tax.ts :: fn:addTax, const:seven
          jobs/bill.py :: class:Bill, fn:total
          jobs/größe.py :: fn:größe
        </repo_map>
    "#]]
    .assert_eq(&map(&all).text);
    let central = MapRequest {
        order: MapOrder::Centrality,
        languages: vec!["typescript".into()],
        ..MapRequest::default()
    };
    expect![[r#"
        <repo_map>
          cart/src/tax.ts :: fn:addTax, const:seven
          cart/src/cart.ts :: class:Cart, fn:total, fn:sum
        </repo_map>
    "#]]
    .assert_eq(&map(&central).text);
}

#[test]
fn a_map_keeps_to_its_tokens() {
    let mut shown = 0;
    for max_tokens in 0..200 {
        let request = MapRequest {
            max_tokens: Some(max_tokens),
            ..MapRequest::default()
        };
        let map = map(&request);
        assert!(map.n_tokens <= max_tokens, "{max_tokens}: {}", map.text);
        shown = map.n_files;
        assert_eq!(map.n_files + map.n_more, 4);
    }
    assert_eq!(shown, 4);
}

/// A language that is not ours: found, filtered, named and searched, also after the snapshot was opened elsewhere.
#[test]
fn a_users_language_is_kept_in_the_snapshot() {
    let mut parsers = parsers();
    let r = syntax::UserLanguage {
        name: "r".into(),
        extensions: vec!["r".into()],
    };
    let queries = syntax::UserQueries {
        symbols: tree_sitter_r::TAGS_QUERY.into(),
        ..syntax::UserQueries::default()
    };
    let number = parsers.add_language(r, queries).unwrap();
    let slot = number.grammar().unwrap();
    parsers
        .add_grammar(slot, tree_sitter_r::LANGUAGE.into())
        .unwrap();
    let files = [
        ("R/tax.R", "add_tax <- function(net) round(net * 1.19)\n"),
        ("R/cart.R", "total <- function(cart) add_tax(sum(cart))\n"),
        ("a.py", "def add_tax(): pass\n"),
    ];
    let files = FileSet::from_files(bytes_of(&files), &SourceConfig::default());
    let (engine, built) = engine::Engine::index(
        engine::EngineConfig::default(),
        files,
        &mut parsers,
        None,
        &mut |_| true,
    )
    .unwrap();
    let opened = engine::Snapshot::open(built.to_bytes().unwrap()).unwrap();
    let again = engine::Engine::from_snapshot(&opened).unwrap();
    assert_eq!(
        again.build(0.0).unwrap().to_bytes().unwrap(),
        engine.build(0.0).unwrap().to_bytes().unwrap()
    );
    let reader = Reader::new(std::sync::Arc::new(opened)).unwrap();
    let languages: Vec<String> = answer::status(&reader)
        .languages
        .into_iter()
        .map(|count| count.name)
        .collect();
    assert_eq!(languages, ["r", "python"]);
    let map = MapRequest {
        languages: vec!["r".into()],
        ..MapRequest::default()
    };
    let map = answer::map(&reader, &map).unwrap().text;
    assert!(map.contains("R/tax.R :: fn:add_tax"), "{map}");
    let callers = answer::callers(
        &reader,
        &api::CallsRequest {
            symbol: "R/tax.R#add_tax".into(),
            ..serde_json::from_str("{\"symbol\":\"\"}").unwrap()
        },
    );
    assert_eq!(callers.unwrap().calls[0].path, "R/cart.R");
    let found = answer::structural(&reader, &mut parsers, &pattern("add_tax($A)"), None).unwrap();
    assert_eq!(found.matches[0].language, "r");
    assert_eq!(found.languages, ["r", "python"]);
}
