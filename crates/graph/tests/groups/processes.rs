//! Flows: where they begin, which branch they take, where they end.

use expect_test::expect;
use graph::{EdgeKind, EntryKind, NodeKind};

use crate::{SHOP, check_processes, with_view};

#[test]
fn a_flow_leads_from_where_nothing_calls_to_where_nothing_is_called() {
    check_processes(
        SHOP,
        &expect![[r#"
            exported cross_community: order > price > net > total
            exported intra_community: order > letter > heading
            test cross_community: test_order > order > price
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
            exported intra_community: res.json > stringify > replaced
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
            main intra_community: bin/serve.js > listen > bind
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
            main intra_community: Main.main > Service.save > Store.put > DiskStore.put > DiskStore.write
        "#]],
    );
}

#[test]
fn an_interface_does_not_lead_to_doubles_for_tests() {
    check_processes(
        r#"
//- /src/main.ts
export interface Channel {
  send(text: string): void
}

export class TestChannel implements Channel {
  send(text: string) { remember(text) }
}

export class FastChannel implements Channel {
  send(text: string) { deliver(text) }
}

function deliver(text: string) { transmit(text) }
function transmit(text: string) {}
function remember(text: string) { store(text) }
function store(text: string) {}

export function announce(channel: Channel) {
  channel.send("start")
}
"#,
        &expect![[r#"
            exported intra_community: announce > Channel.send > FastChannel.send > deliver
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
