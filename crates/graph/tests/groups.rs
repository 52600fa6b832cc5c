//! Communities and processes.

extern crate portolan_graph as graph;

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use fixture::Fixture;
use graph::frozen::{ArchivedGraph, Graph};
use graph::{EdgeKind, EntryKind, GraphBuilder, GraphView, NodeId, NodeKind, WalkConfig};
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
    look(GraphView(archive));
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
            Letter: line (93 %): letter heading body footer line order
            Price: rounded (93 %): net total taxed rounded price
        "#]],
    );
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

#[test]
fn a_flow_leads_from_where_nothing_calls_to_where_nothing_is_called() {
    check_processes(
        SHOP,
        &expect![[r#"
            exported cross_community: order > price > net > total > taxed > rounded
            exported intra_community: order > letter > body > footer > line
            test cross_community: test_order > order > price > net > total > taxed > rounded
            test intra_community: test_order > order > letter > body > footer > line
        "#]],
    );
}

#[test]
fn processes_are_nodes_with_edges() {
    with_view(SHOP, |view| {
        let order = view.by_name("order").next().expect("order is defined");
        let place = view
            .processes_of(order)
            .next()
            .expect("order begins a flow");
        assert_eq!(
            (place.step, view.kind(place.process)),
            (1, NodeKind::Process)
        );
        let process = view.process(place.process).expect("a process");
        assert_eq!(process.entry, order);
        let steps: Vec<_> = view.steps_of(process.id).collect();
        assert_eq!(steps.len() as u32, process.n_steps);
        assert_eq!(steps.last().map(|step| step.node), Some(process.terminal));
        for step in &steps {
            let edges = view.out_of_kind(step.node, EdgeKind::StepInProcess);
            let edge = edges.into_iter().find(|edge| edge.target == process.id);
            assert_eq!(edge.and_then(|edge| edge.step()), Some(step.step));
        }
        assert!(
            view.processes()
                .all(|process| process.entry_kind != EntryKind::Main)
        );
    });
}

#[test]
fn main_of_rust_and_what_it_registers() {
    check_processes(
        r#"
//- /src/main.rs
#[tokio::main]
async fn main() {
    serve(setup());
}

fn setup() -> Router {
    Router::new().route("/", get(index))
}

fn serve(router: Router) {
    listen(router)
}

fn listen(router: Router) {}

async fn index() -> String {
    render(load())
}

fn load() -> Page { read() }
fn read() -> Page { Page }
fn render(page: Page) -> String { String::new() }
"#,
        &expect![[r#"
            main intra_community: main > serve > listen
            route intra_community: index > load > read
        "#]],
    );
}

#[test]
fn routes_of_python_by_decorator() {
    check_processes(
        r#"
//- /app.py
@app.get("/users")
def users():
    return shown(loaded())

def loaded():
    return queried()

def queried():
    return []

def shown(users):
    return users

@cli.command()
def sync():
    return stored(loaded())

def stored(users):
    return checked(users)

def checked(users):
    return users
"#,
        &expect![[r#"
            route intra_community: users > loaded > queried
            route intra_community: sync > stored > checked
        "#]],
    );
}

#[test]
fn functions_of_commonjs_set_on_an_object() {
    check_processes(
        r#"
//- /lib/response.js
var res = module.exports = {}

res.send = function send(body) {
  this.set('length', body.length)
  return this.end(body)
}

res.set = function (name, value) {
  this.headers[name] = clean(value)
}

res.json = function json(value) {
  return this.send(stringify(value))
}

function stringify(value) { return replaced(value) }
function replaced(value) { return value }
function clean(value) { return value }
"#,
        &expect![[r#"
            uncalled intra_community: res.json > res.send > res.set > clean
            uncalled intra_community: res.json > stringify > replaced
        "#]],
    );
}

#[test]
fn a_script_begins_at_its_top_where_nobody_imports_it() {
    check_processes(
        r#"
//- /bin/serve.js
import { listen } from "../lib/server.js"
listen(8080)

//- /lib/server.js
export function listen(port) { bind(port) }
function bind(port) { accept(port) }
function accept(port) {}
listen(0)

//- /src/loop.c
int depth(int n) { return n; }
int wide(int n) { return depth(n); }
int start = wide(1);
"#,
        &expect![[r#"
            main intra_community: bin/serve.js > listen > bind > accept
        "#]],
    );
}

#[test]
fn an_interface_leads_to_what_implements_it() {
    check_processes(
        r#"
//- /Store.java
interface Store { void put(String key); }

//- /DiskStore.java
class DiskStore implements Store {
    public void put(String key) { write(key); }
    private void write(String key) { flush(); }
    private void flush() {}
}

//- /Main.java
class Main {
    public static void main(String[] args) { new Service().save(args[0]); }
}

//- /Service.java
class Service {
    Store store;
    void save(String key) { store.put(key); }
}
"#,
        &expect![[r#"
            main intra_community: Main.main > Service.save > Store.put > DiskStore.put > DiskStore.write > DiskStore.flush
        "#]],
    );
}

#[test]
fn what_only_calls_itself_begins_somewhere() {
    check_processes(
        "
//- /a.py
def ping():
    pong()

def pong():
    pang()

def pang():
    ping()
",
        &expect![[r#"
            uncalled intra_community: ping > pong > pang
        "#]],
    );
}

#[test]
fn a_program_of_one_call_has_no_flow() {
    check_processes(
        "//- /a.py\ndef a():\n    b()\n\ndef b():\n    pass\n",
        &expect![""],
    );
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
    let view = GraphView(archive);
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
