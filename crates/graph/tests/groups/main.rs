//! Communities and processes.

mod ends;
mod processes;
mod selection;
mod starts;

extern crate portolan_graph as graph;

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use fixture::Fixture;
use graph::frozen::{ArchivedGraph, Graph};
use graph::{EdgeKind, GraphBuilder, GraphView, NodeId, NodeKind, WalkConfig};
use source::FileId;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

fn build(text: &str) -> Graph {
    let mut files = Fixture::parse(text).files;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut parsers = Parsers::new(ParseConfig::default());
    let facts: Vec<FileFacts> = files
        .iter()
        .map(|file| parsers.read(Language::from_text(&file.path, &file.text), &file.text))
        .collect();
    let mut builder = GraphBuilder::new();
    for (id, (file, facts)) in files.iter().zip(&facts).enumerate() {
        builder.add_file(FileId(id as u32), &file.path, facts);
    }
    builder.build(|layout| resolve::resolve(layout, &[]))
}

fn with_view(text: &str, look: impl FnOnce(GraphView<'_>)) {
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&build(text)).expect("a graph serialises");
    let archive = rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)
        .expect("a fresh archive is valid");
    archive.validate().expect("a fresh graph fits together");
    look(GraphView::new(archive));
}

/// The processes of a program: entry kind, type, steps.
#[track_caller]
fn check_processes(text: &str, expected: &Expect) {
    with_view(text, |view| {
        let mut shown = String::new();
        for process in view.processes() {
            let steps: Vec<String> = view
                .steps_of(process.id)
                .map(|step| view.qualified_name(step.node))
                .collect();
            let (entry, kind) = (process.entry_kind, process.kind);
            writeln!(shown, "{entry} {kind}: {}", steps.join(" > ")).expect("strings grow");
        }
        expected.assert_eq(&shown);
    });
}

/// The communities of a program: label, members.
#[track_caller]
fn check_communities(text: &str, expected: &Expect) {
    with_view(text, |view| {
        let mut shown = String::new();
        for community in view.communities() {
            let members: Vec<String> = view
                .members_of(community.id)
                .map(|member| view.qualified_name(member))
                .collect();
            assert_eq!(members.len() as u32, community.n_members);
            let percent = (community.cohesion * 100.0).round();
            writeln!(
                shown,
                "{} ({percent} %): {}",
                community.label,
                members.join(" ")
            )
            .expect("strings grow");
        }
        expected.assert_eq(&shown);
    });
}

const SHOP: &str = "
//- /shop/cart/price.py
def net(items):
    return total(items)

def total(items):
    return rounded(taxed(items))

def taxed(items):
    return rounded(items)

def rounded(items):
    return items

def price(items):
    net(items)
    taxed(items)
    return total(items)

//- /shop/mail/letter.py
def letter(text):
    return heading(text) + body(text)

def heading(text):
    return line(text)

def body(text):
    return line(text) + footer(text)

def footer(text):
    return line(text)

def line(text):
    return text

//- /shop/order.py
from shop.cart.price import price
from shop.mail.letter import letter

def order(items):
    return letter(price(items))

//- /tests/test_order.py
from shop.order import order
from shop.cart.price import rounded
from shop.mail.letter import line

def test_order():
    order([])
    rounded([])
    line([])
";

#[test]
fn what_calls_one_another_is_a_community() {
    check_communities(
        SHOP,
        &expect![[r#"
            Letter: body, footer (93 %): letter heading body footer line order
            Price: rounded, taxed (93 %): net total taxed rounded price
        "#]],
    );
}

/// All code is in one folder, and every name says `change` or `should`.
#[test]
fn a_label_is_no_folder_of_everything_and_no_generic_word() {
    with_view(
        "
//- /fastshop/core.py
def change_cart(cart):
    return should_tax_cart(cart)

def should_tax_cart(cart):
    return change_cart_tax(cart)

def change_cart_tax(cart):
    return change_cart_price(cart)

def change_cart_price(cart):
    return should_round_cart(cart)

def should_round_cart(cart):
    return cart

def change_letter(letter):
    return should_sign_letter(letter)

def should_sign_letter(letter):
    return change_letter_sign(letter)

def change_letter_sign(letter):
    return change_letter_line(letter)

def change_letter_line(letter):
    return should_fold_letter(letter)

def should_fold_letter(letter):
    return letter
",
        |view| {
            let mut labels: Vec<&str> = view.communities().map(|group| group.label).collect();
            labels.sort_unstable();
            assert_eq!(labels, ["Cart, tax", "Letter, sign"]);
        },
    );
}

/// `alone` calls one function of the mail only: it belongs there, not to nothing.
#[test]
fn a_group_of_one_symbol_joins_its_closest_neighbour() {
    let text = format!(
        "{SHOP}\n//- /shop/alone.py\nfrom shop.mail.letter import line\n\ndef alone(text):\n    return line(text)\n"
    );
    with_view(&text, |view| {
        let of = |name: &str| {
            let symbol = view.by_name(name).next().expect("it is defined");
            view.community_of(symbol)
        };
        assert!(of("alone").is_some());
        assert_eq!(of("alone"), of("line"));
    });
}

#[test]
fn communities_are_nodes_with_edges() {
    with_view(SHOP, |view| {
        let line = view.by_name("line").next().expect("line is defined");
        let community = view.community_of(line).expect("line is a member");
        assert_eq!(view.kind(community), NodeKind::Community);
        assert_eq!(
            view.name(community),
            view.community(community).map_or("", |c| c.label)
        );
        let edge = view.in_(community).next().expect("a member");
        assert_eq!(
            (edge.kind, edge.reason.name()),
            (EdgeKind::MemberOf, "clustering")
        );
        let test = view
            .by_name("test_order")
            .next()
            .expect("the test is defined");
        assert_eq!(view.community_of(test), None);
        assert!(view.community(line).is_none() && view.process(line).is_none());
    });
}

/// Checks that a damaged graph is refused with this reason, and that reading it without validation never panics.
#[track_caller]
fn check_refused(damage: impl FnOnce(&mut Graph), fault: &str) {
    let mut graph = build(SHOP);
    damage(&mut graph);
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&graph).expect("a graph serialises");
    let archive = rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)
        .expect("the archive itself is valid");
    assert_eq!(archive.validate(), Err(fault));
    let view = GraphView::new(archive);
    let all = WalkConfig::default();
    for node in (0..view.n_nodes() as u32 + 2)
        .map(NodeId)
        .chain([NodeId(u32::MAX)])
    {
        let _ = view.community(node);
        let _ = view.community_of(node);
        let _ = view.process(node);
        view.members_of(node).count();
        view.steps_of(node).count();
        view.processes_of(node).count();
        let _ = view.bfs(&[node], &all);
        let _ = view.dfs(&[node], &all);
        let _ = view.find_paths(&[node], &[NodeId(0)], 2, &all);
    }
    view.communities().for_each(drop);
    view.processes().for_each(drop);
    let _ = view.detect_cycles(&[], 3, &all);
}

#[test]
fn damaged_groups_are_refused() {
    check_refused(
        |graph| graph.communities.first = u32::MAX,
        "a community is no node",
    );
    check_refused(
        |graph| graph.communities.cohesion = vec![0.0; 10_000],
        "a community is no node",
    );
    check_refused(
        |graph| graph.processes.first = u32::MAX,
        "a process is no node",
    );
    check_refused(
        |graph| graph.processes.kinds.truncate(1),
        "columns of processes differ in length",
    );
    check_refused(
        |graph| graph.processes.confidences.clear(),
        "columns of processes differ in length",
    );
    check_refused(
        |graph| graph.processes.offsets.reverse(),
        "steps of processes are out of order",
    );
    check_refused(
        |graph| graph.processes.offsets.truncate(1),
        "steps of processes are out of order",
    );
    check_refused(
        |graph| graph.processes.steps.fill(u32::MAX),
        "a step of a process is no node",
    );
}
