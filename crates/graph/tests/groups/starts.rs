//! Which functions a flow begins in: those that users, programs or runtimes enter, not parts of the product.

use crate::with_view;

/// Name and kind of each flow's first step.
fn starts(text: &str) -> Vec<String> {
    let mut starts = Vec::new();
    with_view(text, |view| {
        let start = |process: graph::Process<'_>| {
            format!("{} {}", process.entry_kind, view.name(process.entry))
        };
        starts.extend(view.processes().map(start));
    });
    starts
}

/// Two steps behind each of these.
const WORK: &str = "
function routed(request) {
  return found(request);
}

function found(request) {
  for (const part of request.parts) {
    if (part.wanted) part.send();
  }
}
";

#[test]
fn a_function_that_is_passed_to_the_runtime_is_a_handler() {
    let text = "
//- /serve.ts
import { createServer } from \"node:http\";

export function serve(port: number) {
  createServer(answer).listen(port);
}

function answer(request) {
  return routed(request);
}
";
    assert_eq!(starts(&[text, WORK].concat()), ["handler answer"]);
}

#[test]
fn a_function_that_is_passed_to_the_product_is_its_part() {
    let text = "
//- /reply.ts
export function reply(request) {
  hooked(request, answer);
}

function hooked(request, next) {
  next(request);
}

function answer(request) {
  return routed(request);
}
";
    assert_eq!(starts(&[text, WORK].concat()), ["uncalled answer"]);
}

#[test]
fn a_function_in_a_table_of_the_product_is_its_part() {
    let text = "
//- /rules.ts
const RULES = { answer };

export function ruled(kind, request) {
  return RULES[kind](request);
}

function answer(request) {
  return routed(request);
}
";
    assert_eq!(starts(&[text, WORK].concat()), ["uncalled answer"]);
}

#[test]
fn a_list_of_exports_exports() {
    for list in [
        "module.exports = answer;",
        "module.exports = { answer };",
        "export { answer };",
    ] {
        let text = format!(
            "
//- /answer.js
function answer(request) {{
  return routed(request);
}}
{WORK}
{list}
"
        );
        assert_eq!(starts(&text), ["exported answer"], "{list}");
    }
}

#[test]
fn what_only_the_crate_can_name_is_not_exported() {
    let text = |visible: &str| {
        format!(
            "
//- /src/lib.rs
mod inner;

//- /src/inner.rs
{visible} fn answer(request: &Request) {{
    routed(request);
}}

fn routed(request: &Request) {{
    found(request);
}}

fn found(request: &Request) {{
    for part in &request.parts {{
        if part.wanted {{
            println!(\"{{part}}\");
        }}
    }}
}}
"
        )
    };
    assert_eq!(starts(&text("pub")), ["exported answer"]);
    assert_eq!(starts(&text("pub(crate)")), ["uncalled answer"]);
}

/// Tests call it more often than the product; only the product's other files make it a part.
#[test]
fn what_another_file_of_the_product_calls_begins_no_flow() {
    use std::fmt::Write as _;
    let mut tests = String::from("\n//- /tests/test_answer.py\nfrom lib.answer import answer\n");
    for n in 0..6 {
        writeln!(tests, "\ndef test_{n}():\n    answer({n})").expect("strings grow");
    }
    let text = |other: &str| {
        format!(
            "
//- /lib/answer.py
def answer(request):
    return routed(request)

def routed(request):
    return found(request)

def found(request):
    for part in request:
        if part:
            print(part)
{other}{tests}"
        )
    };
    let within = text("\ndef again(request):\n    answer(request)\n");
    assert!(starts(&within).contains(&"exported answer".to_owned()));
    let elsewhere = text(
        "
//- /lib/serve.py
from lib.answer import answer

def serve(request):
    answer(request)
",
    );
    assert!(!starts(&elsewhere).contains(&"exported answer".to_owned()));
}

#[test]
fn the_settings_of_a_constructor_are_not_what_its_caller_does() {
    let text = "
//- /fetch.py
def fetched(urls):
    client = Client()
    return sent(client, urls)

class Client:
    def __init__(self):
        self.settings = read_settings()

def read_settings():
    return environment()

def environment():
    for name in NAMES:
        if name in VALUES:
            print(name)

def sent(client, urls):
    return passed(client, urls)

def passed(client, urls):
    for url in urls:
        if url:
            print(url)
";
    with_view(text, |view| {
        let first = view.processes().next().map(|process| process.label);
        assert_eq!(first, Some("fetched → passed"));
    });
}
