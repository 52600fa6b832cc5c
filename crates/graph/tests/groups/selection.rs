//! Which flows are kept: where they begin and end, and which of several of one start.

use expect_test::expect;

use crate::{check_processes, with_view};

/// The longest branch ends in helpers; the shorter one writes to the network.
#[test]
fn a_flow_takes_the_branch_that_acts_not_the_longest() {
    check_processes(
        "
//- /upload.py
import requests

def main(path):
    described(path)
    upload(path)

def described(path):
    return titled(path)

def titled(path):
    return cased(path)

def cased(path):
    return spaced(path)

def spaced(path):
    return path

def upload(path):
    for part in path:
        sent(part)

def sent(part):
    if part:
        requests.post('https://example.org', part)
",
        &expect![[r#"
            main intra_community: main > upload > sent
        "#]],
    );
}

#[test]
fn a_flow_ends_in_no_type_accessor_or_small_helper() {
    check_processes(
        "
//- /shop.py
def main(items):
    return checkout(items)

def checkout(items):
    if not items:
        raise EmptyCart()
    return Receipt(paid(items))

def paid(items):
    if is_free(items):
        return get_total(items)
    return sorted_out(items)

def sorted_out(items):
    return get_total(items)

def is_free(items):
    return not items

def get_total(items):
    return len(items)

class EmptyCart(Exception):
    def __init__(self):
        self.items = []

class Receipt:
    def __init__(self, total):
        self.total = total
",
        &expect![[r#"
            main intra_community: main > checkout > paid
        "#]],
    );
}

/// The start is the same and so are most steps: one flow, not one for each end.
#[test]
fn ten_ends_of_one_way_are_one_flow() {
    use std::fmt::Write as _;
    let mut text = String::from(
        "
//- /app.py
def main(request):
    return routed(request)

def routed(request):
    return handled(request)

def handled(request):
    return validated(request)

def validated(request):
",
    );
    for n in 0..10 {
        writeln!(text, "    checked{n}(request)").expect("strings grow");
    }
    for n in 0..10 {
        writeln!(text, "\ndef checked{n}(request):\n    return request").expect("strings grow");
    }
    with_view(&text, |view| {
        let ways: Vec<_> = view
            .processes()
            .map(|process| view.name(process.entry))
            .collect();
        assert_eq!(ways, ["main"]);
    });
}

#[test]
fn examples_and_playgrounds_begin_no_flow() {
    let text = "
//- /playground/main.py
from lib.server import serve

def main():
    serve(8080)

//- /_examples/rest/main.py
from lib.server import serve

def main():
    serve(8080)

//- /lib/server.py
def serve(port):
    bound(port)

def bound(port):
    accepted(port)

def accepted(port):
    return port
";
    with_view(text, |view| {
        let starts: Vec<String> = view
            .processes()
            .map(|process| view.name(process.entry).to_owned())
            .collect();
        assert_eq!(starts, ["serve"]);
    });
}

/// `serve_http` is called within the framework as well, by a router that is mounted in another.
#[test]
fn the_main_entry_of_a_framework_begins_a_flow() {
    check_processes(
        "
//- /mux.go
package mux

type Mux struct{ handlers []Handler }

func (m *Mux) ServeHTTP(w Writer, r *Request) {
	m.routeHTTP(w, r)
}

func (m *Mux) routeHTTP(w Writer, r *Request) {
	for _, handler := range m.handlers {
		if handler != nil {
			m.answer(w, r)
		}
	}
}

func (m *Mux) answer(w Writer, r *Request) {
	w.Write(r.body)
}

func (m *Mux) nested(other *Mux, w Writer, r *Request) {
	other.ServeHTTP(w, r)
}
",
        &expect![[r#"
            handler intra_community: Mux.ServeHTTP > Mux.routeHTTP > Mux.answer
        "#]],
    );
}

#[test]
fn flows_of_one_name_are_told_apart_by_their_files() {
    let text = "
//- /cmd/one.py
def main():
    started()

def started():
    served()

def served():
    return 1

//- /cmd/two.py
def main():
    started()

def started():
    served()

def served():
    return 2
";
    with_view(text, |view| {
        let labels: Vec<&str> = view.processes().map(|process| process.label).collect();
        assert_eq!(
            labels,
            ["main (cmd/one.py) → served", "main (cmd/two.py) → served"]
        );
    });
}
