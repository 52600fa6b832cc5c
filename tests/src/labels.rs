//! The first look at an answer: a hit is labelled with the definition that matches the query, the only definition of a name comes first,
//! an unknown name is reported, and a sentence is answered by its intent.

use std::sync::LazyLock;

use api::{Hit, SearchRequest, SearchResponse};
use engine::Reader;
use source::{FileSet, SourceConfig};

use crate::support::{bytes_of, reader};

/// A method of thirty lines, so that a class of some of them is cut into chunks.
fn long_method(name: &str) -> String {
    let body: String = (0..30)
        .map(|line| format!("        value_{line} = self.compute(value, {line})\n"))
        .collect();
    format!("    def {name}(self, value):\n{body}        return value\n\n")
}

fn core() -> String {
    let mut text = String::from("import os\n\n\nclass ParameterSource:\n    COMMANDLINE = 1\n\n\n");
    for (class, base) in [("Context", "object"), ("Command", "Context")] {
        text.push_str(&format!("class {class}({base}):\n    name = None\n\n"));
        for method in ["invoke", "forward", "lookup"] {
            text.push_str(&long_method(&format!("{method}_{}", class.to_lowercase())));
        }
    }
    text
}

const RESPONSE: &str = "\
var res = Object.create(http.ServerResponse.prototype)

/**
 * Sets the links of a response.
 */

res.links = function links(all) {
  return this.set('Link', all)
};

/**
 * Sends a body to the client.
 */

res.send = function send(body) {
  return this.end(body)
};
";

fn fixture() -> Vec<(&'static str, String)> {
    let file = |path, text: &str| (path, text.to_owned());
    vec![
        ("src/core.py", core()),
        file("lib/response.js", RESPONSE),
        file(
            "src/login.ts",
            "import { Session } from './session'\n\nexport function login(name: string) {\n  return make_context(name)\n}\n\nexport function make_context(name: string) {\n  return new Session(name)\n}\n",
        ),
        file(
            "src/session.ts",
            "export class Session {\n  constructor(readonly name: string) {}\n  renew() {\n    return make_context(this.name)\n  }\n}\nfunction handle(event: string) {\n  return event\n}\n",
        ),
        file(
            "src/user.ts",
            "import { make_context } from './login'\n\nexport function register() {\n  return make_context('x')\n}\n",
        ),
        file(
            "src/models/user.ts",
            "export class User {\n  id = 0\n  email = ''\n}\n",
        ),
        file(
            "src/page.ts",
            "export const user = 1\nexport function showUser(user: string) {\n  return user + user\n}\n",
        ),
        file(
            "src/patterns.ts",
            "/** Characters of a slug. */\nexport const slug = /^[a-z-]+$/;\n\n/** Practical postcode validation. */\nexport const postcode = /^[0-9]{5}$/;\nexport const colour = /^#[0-9a-f]{6}$/;\n",
        ),
        file(
            "tests/login.test.ts",
            "import { login } from '../src/login'\n\ntest('login works', () => {\n  login('someone')\n})\n",
        ),
        file(
            "tests/legacy/status.cc",
            "void AppendWithSpace(std::string* str, const char* text) {\n  str->append(text);\n}\n",
        ),
        file(
            "README.md",
            "# Status\n\nCall `AppendWithSpace` to append with space. AppendWithSpace is the way to append.\n",
        ),
        file(
            "src/status.cc",
            "#include \"status.h\"\n// AppendWithSpace puts a space before what it appends.\nvoid Print(std::string* out) { AppendWithSpace(out, \"a\"); AppendWithSpace(out, \"b\"); }\n",
        ),
    ]
}

static INDEX: LazyLock<Reader> = LazyLock::new(|| {
    let files = fixture();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    reader(FileSet::from_files(
        bytes_of(&files),
        &SourceConfig::default(),
    ))
});

fn ask(query: &str) -> SearchResponse {
    let request = SearchRequest {
        query: query.to_owned(),
        ..SearchRequest::default()
    };
    api::answer::search(&INDEX, &request, None).expect("an answer")
}

fn first(query: &str) -> Hit {
    let answer = ask(query);
    let hit = answer.hits.into_iter().next();
    hit.unwrap_or_else(|| panic!("nothing found for {query:?}"))
}

#[test]
fn a_hit_is_labelled_with_what_was_asked_for() {
    let cases = [
        ("Context", "src/core.py", "Context"),
        ("Command", "src/core.py", "Command"),
        ("ParameterSource", "src/core.py", "ParameterSource"),
        ("lookup_context", "src/core.py", "Context.lookup_context"),
        ("res.send", "lib/response.js", "res.send"),
        ("Session", "src/session.ts", "Session"),
        ("renew", "src/session.ts", "Session.renew"),
    ];
    for (query, path, symbol) in cases {
        let hit = first(query);
        assert_eq!(
            (hit.path.as_str(), hit.symbol.as_deref()),
            (path, Some(symbol)),
            "{query}"
        );
    }
}

#[test]
fn the_head_of_a_class_is_in_its_chunk_and_is_shown() {
    let hit = first("Command");
    assert!(
        hit.snippet.text.starts_with("class Command(Context):"),
        "{hit:?}"
    );
    assert_eq!(hit.symbol_line, Some(hit.snippet.start_line));
    let chunks = INDEX.chunks("src/core.py").unwrap();
    let line_of = |name: &str| {
        let symbol = INDEX.select(name).unwrap()[0];
        INDEX.graph().node(symbol).span.start_line
    };
    for class in ["Context", "Command"] {
        let head = line_of(class);
        let ends_on_it = |end: u32| end == head || end == head + 1;
        assert!(
            chunks.iter().all(|chunk| !ends_on_it(chunk.meta.end_line)),
            "{class} in line {head}"
        );
    }
}

#[test]
fn a_doc_comment_belongs_to_what_follows_a_blank_line() {
    let symbol = INDEX.select("res.send").unwrap()[0];
    assert!(first("sends a body to the client").symbol.as_deref() == Some("res.send"));
    let graph = INDEX.graph();
    assert_eq!(graph.qualified_name(symbol), "res.send");
}

#[test]
fn the_only_definition_of_a_name_is_first_behind_any_penalty() {
    for query in ["AppendWithSpace", "definition of AppendWithSpace"] {
        let hit = first(query);
        assert_eq!(hit.path, "tests/legacy/status.cc", "{query}");
        assert!(hit.why.iter().any(|why| why == "name") && !hit.guess);
    }
    // A name in lower case may be a word; its only definition is first all the same.
    assert_eq!(first("handle").symbol.as_deref(), Some("handle"));
}

#[test]
fn an_unknown_name_is_told() {
    let answer = ask("handel");
    assert_eq!(
        answer.note.as_deref(),
        Some("nothing is called handel; did you mean handle?")
    );
    assert_eq!(answer.did_you_mean, ["handle"]);
    assert_eq!(answer.hits[0].symbol.as_deref(), Some("handle"));
    let answer = ask("who calls make_contxt");
    assert_eq!(answer.did_you_mean, ["make_context"]);
    assert_eq!(ask("make_context").note, None);
    assert_eq!(ask("user.ts").note, None);
}

#[test]
fn a_query_that_matches_nothing_says_so() {
    for query in ["qwzzkx", "qwzzkx vwrrpl"] {
        let answer = ask(query);
        assert!(answer.hits.is_empty(), "{query}: {:?}", answer.hits);
        assert!(answer.note.is_some_and(|note| note.starts_with("nothing")));
    }
}

/// Sentence, path and label of the first hit.
const SENTENCES: &[(&str, &str, Option<&str>)] = &[
    ("definition of Context", "src/core.py", Some("Context")),
    ("where is Context defined", "src/core.py", Some("Context")),
    ("class Context", "src/core.py", Some("Context")),
    ("struct User", "src/models/user.ts", Some("User")),
    ("User class", "src/models/user.ts", Some("User")),
    ("User model", "src/models/user.ts", Some("User")),
    (
        "function make_context",
        "src/login.ts",
        Some("make_context"),
    ),
    ("verify login", "tests/login.test.ts", None),
    ("tests of login", "tests/login.test.ts", None),
];

#[test]
fn each_kind_of_sentence_is_answered_by_its_intent() {
    for (query, path, label) in SENTENCES {
        let hit = first(query);
        assert_eq!(hit.path, *path, "{query}");
        if label.is_some() {
            assert_eq!(hit.symbol.as_deref(), *label, "{query}");
        }
    }
}

#[test]
fn who_calls_is_answered_with_the_callers() {
    for query in [
        "who calls make_context",
        "callers of make_context",
        "where is make_context called",
    ] {
        let answer = ask(query);
        assert_eq!(answer.intent, "callers");
        let labels: Vec<&str> = answer.hits[..2]
            .iter()
            .filter_map(|hit| hit.symbol.as_deref())
            .collect();
        let mut sorted = labels.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["login", "register"], "{query}");
    }
    assert_eq!(ask("who calls login").hits[0].path, "tests/login.test.ts");
    assert_eq!(
        ask("who calls showUser").note.as_deref(),
        Some("nothing uses showUser")
    );
}

#[test]
fn a_chunk_of_constants_is_labelled_with_the_one_that_matches() {
    let answer = ask("how is a postcode validated");
    let hit = &answer.hits[0];
    assert_eq!(hit.path, "src/patterns.ts", "{hit:#?}");
    assert_eq!(hit.symbol.as_deref(), Some("postcode"), "{hit:#?}");
}
