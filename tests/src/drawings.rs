//! Layered drawings: paths, flows and callers as SVG, from hostile sources as well.

use api::ExportRequest;
use api::answer;
use engine::Reader;
use expect_test::expect;
use fixture::Fixture;

use crate::support::{files_of, reader};

const SHOP: &str = "
//- /src/main.py
from src.shop import total, add_tax

def main():
    prices = read()
    return total(prices)

def read():
    return [1, 2]
//- /src/shop.py
def total(prices):
    return add_tax(summed(prices))

def summed(prices):
    return 1 if not prices else summed(prices[1:])

def add_tax(price):
    return rounded(price)

def rounded(price):
    return price
";

fn shop() -> Reader {
    reader(files_of(&Fixture::parse(SHOP)))
}

fn request(from: &str) -> ExportRequest {
    ExportRequest {
        format: "svg".to_owned(),
        from: Some(from.to_owned()),
        edges: vec!["CALLS".to_owned()],
        ..ExportRequest::default()
    }
}

/// The names of the boxes from left to right and from top to bottom, and the titles of the arrows.
fn shown(svg: &str) -> String {
    let between = |text: &str, start: &str, end: &str| -> Option<String> {
        let (_, rest) = text.split_once(start)?;
        Some(rest.split_once(end)?.0.to_owned())
    };
    let number = |text: &str, start: &str| {
        let digits = between(text, start, "\"").expect("a number");
        digits.parse::<i32>().expect("a whole number")
    };
    let mut boxes = Vec::new();
    let mut arrows = Vec::new();
    for line in svg.lines() {
        if line.contains("<rect ") {
            let name = between(line, "fill=\"currentColor\">", "</text>").expect("a name");
            boxes.push((number(line, "<rect x=\""), number(line, " y=\""), name));
        } else if line.starts_with("<g stroke-opacity") {
            arrows.push(between(line, "<title>", "</title>").expect("a title"));
        }
    }
    boxes.sort();
    let boxes: Vec<String> = boxes
        .into_iter()
        .map(|(x, _, name)| format!("{x}: {name}"))
        .collect();
    format!("{}\n{}\n", boxes.join("\n"), arrows.join("\n"))
}

fn draw(reader: &Reader, request: &ExportRequest) -> String {
    let exported = answer::export(reader, request).expect("a small drawing");
    let [file] = &exported.files[..] else {
        panic!("one file")
    };
    assert_eq!(file.name, "graph.svg");
    file.text.clone()
}

#[test]
fn callees_are_drawn_from_left_to_right() {
    let request = ExportRequest {
        depth: Some(5),
        ..request("main")
    };
    expect![[r#"
        16: main
        147: read
        147: total
        278: summed
        278: add_tax
        409: rounded
        main → read: CALLS, 99 %, same-file
        main → total: CALLS, 99 %, import
        total → summed: CALLS, 99 %, same-file
        total → add_tax: CALLS, 99 %, same-file
        summed → summed: CALLS, 99 %, same-file
        add_tax → rounded: CALLS, 99 %, same-file
    "#]]
    .assert_eq(&shown(&draw(&shop(), &request)));
}

#[test]
fn paths_have_their_nodes_and_nothing_else() {
    let request = ExportRequest {
        to: Some("rounded".to_owned()),
        ..request("main")
    };
    expect![[r#"
        16: main
        147: total
        278: add_tax
        409: rounded
        main → total: CALLS, 99 %, import
        total → add_tax: CALLS, 99 %, same-file
        add_tax → rounded: CALLS, 99 %, same-file
    "#]]
    .assert_eq(&shown(&draw(&shop(), &request)));
    let back = ExportRequest {
        to: Some("main".to_owned()),
        ..self::request("rounded")
    };
    let none = answer::export(&shop(), &back).expect("an empty drawing");
    assert_eq!((none.n_nodes, none.n_edges), (0, 0));
}

#[test]
fn a_flow_has_its_steps_and_the_calls_between_them() {
    let reader = shop();
    let flow = reader
        .graph()
        .processes()
        .next()
        .expect("main begins a flow");
    let steps: Vec<_> = reader
        .graph()
        .steps_of(flow.id)
        .map(|step| step.node)
        .collect();
    let request = ExportRequest {
        format: "svg".to_owned(),
        process: Some(flow.label.to_owned()),
        ..ExportRequest::default()
    };
    let exported = answer::export(&reader, &request).expect("a small drawing");
    assert_eq!(exported.n_nodes as usize, steps.len());
    assert_eq!(exported.n_edges as usize, steps.len() - 1);
    // Every other format has the same part.
    let mermaid = ExportRequest {
        format: "mermaid".to_owned(),
        ..request
    };
    let mermaid = answer::export(&reader, &mermaid).expect("a small flowchart");
    assert_eq!(
        mermaid.files[0].text.matches("-->").count(),
        steps.len() - 1
    );
}

#[test]
fn boxes_link_to_the_place_of_their_node() {
    let request = ExportRequest {
        link: Some("https://example.org/{path}#L{line}".to_owned()),
        ..request("total")
    };
    let svg = draw(&shop(), &request);
    assert!(
        svg.contains("<a href=\"https://example.org/src/shop.py#L1\" "),
        "{svg}"
    );
    for link in [
        "javascript:alert(1)//{path}",
        "data:text/html,{path}",
        " https://x",
    ] {
        let request = ExportRequest {
            link: Some(link.to_owned()),
            ..self::request("total")
        };
        let error = answer::export(&shop(), &request).expect_err("no web address");
        assert_eq!(error.code, "query.invalid", "{link}");
    }
    let error = answer::export(
        &shop(),
        &ExportRequest {
            from: None,
            to: Some("total".to_owned()),
            ..self::request("")
        },
    );
    assert_eq!(error.expect_err("no start").code, "query.invalid");
}

#[test]
fn nothing_of_a_hostile_repository_becomes_markup() {
    let texts = [
        (
            "src/<img src=x onerror=alert(1)>\u{202e}.js",
            "export function evil() { return target(); }\nexport function target() {}\n",
        ),
        (
            "src/b.md",
            "# </title><script>alert(1)</script> & \"x\"\n\nText.\n",
        ),
    ];
    let files = source::FileSet::from_files(
        crate::support::bytes_of(&texts),
        &source::SourceConfig::default(),
    );
    let reader = reader(files);
    for from in ["evil", "src/b.md"] {
        let request = ExportRequest {
            format: "svg".to_owned(),
            from: Some(from.to_owned()),
            edges: vec!["*".to_owned()],
            link: Some("#/f/{path}".to_owned()),
            ..ExportRequest::default()
        };
        let svg = draw(&reader, &request);
        for bad in ["<script", "<img", "\u{202e}", "</title><"] {
            // The end of one title, then the start of its box, is ours.
            let ours = svg
                .replace("</title><rect ", "")
                .replace("</title><path ", "");
            assert!(!ours.contains(bad), "{bad} in {svg}");
        }
        let n_open =
            svg.matches('<').count() - svg.matches("</").count() - svg.matches("/>").count();
        assert_eq!(n_open, svg.matches("</").count(), "{svg}");
    }
}
