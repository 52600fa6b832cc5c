//! Where flows end, and which functions are no ends and no entry points.

use expect_test::expect;

use crate::{check_processes, with_view};

#[test]
fn a_flow_does_not_go_on_through_a_question_or_a_failure() {
    check_processes(
        "
//- /settings.py
def main(path):
    if is_written(path):
        fail(path)
    return loaded(path)

def is_written(path):
    return counted(path)

def counted(path):
    for line in path:
        if line:
            for word in line:
                print(word)

def fail(path):
    described(path)

def described(path):
    for line in path:
        if line:
            for word in line:
                print(word)

def loaded(path):
    return merged(path)

def merged(path):
    for line in path:
        if line:
            print(line)
",
        &expect![[r#"
            main intra_community: main > loaded > merged
        "#]],
    );
}

#[test]
fn a_flow_ends_at_its_peak_not_in_the_details_behind_it() {
    check_processes(
        "
//- /shop.py
def main(orders):
    return billed(orders)

def billed(orders):
    return invoiced(orders)

def invoiced(orders):
    for order in orders:
        if order.paid:
            continue
        for line in order.lines:
            if line.free:
                continue
            if line.late or line.lost:
                order.drop(line)
            else:
                rounded(line)
                rounded(order)
    return orders

def rounded(line):
    line.net = line.net / 100
    line.gross = line.gross / 100
    return line
",
        &expect![[r#"
            main intra_community: main > billed > invoiced
        "#]],
    );
}

/// `get` is on the line before, and has nothing to do with the callback.
#[test]
fn a_name_behind_another_call_on_its_line_is_not_registered() {
    let text = "
//- /render.ts
const waiting = new Map();

export function show(node: Node) {
  const again = () => drawn(node);
  const list = waiting.get(node) || [];
  list.push(again);
  drawn(node);
}

function drawn(node: Node) {
  painted(node);
}

function painted(node: Node) {
  for (const child of node.children) {
    if (child.visible) child.paint();
  }
}
";
    with_view(text, |view| {
        let kinds: Vec<String> = view
            .processes()
            .map(|process| process.entry_kind.to_string())
            .collect();
        assert!(!kinds.is_empty());
        assert!(!kinds.contains(&"route".to_owned()), "{kinds:?}");
    });
}

#[test]
fn a_main_part_is_told_before_one_of_many_equal_parts() {
    check_processes(
        "
//- /shop.py
def main(orders):
    checked(orders)
    stored(orders)

def checked(orders):
    names(orders)
    places(orders)
    prices(orders)
    taxes(orders)

def names(orders):
    for order in orders:
        if order.name:
            order.name = order.name.lower()
        else:
            order.name = None

def places(orders):
    for order in orders:
        if order.place:
            order.place = order.place.lower()
        else:
            order.place = None

def prices(orders):
    for order in orders:
        if order.price:
            order.price = order.price.lower()
        else:
            order.price = None

def taxes(orders):
    for order in orders:
        if order.tax:
            order.tax = order.tax.lower()
        else:
            order.tax = None

def stored(orders):
    kept(orders)

def kept(orders):
    for order in orders:
        if order.new:
            order.at = 1
        else:
            order.at = 2
",
        &expect![[r#"
            main intra_community: main > stored > kept
            main intra_community: main > checked > names
        "#]],
    );
}

#[test]
fn a_line_for_the_terminal_is_no_effect() {
    check_processes(
        "
//- /copy.py
import sys

def main(path):
    told(path)
    copied(path)

def told(path):
    line_for(path)

def line_for(path):
    sys.stderr.write(path)
    sys.stderr.flush()

def copied(path):
    put(path)

def put(path):
    with_target(path).write(path)
    with_target(path).flush()
",
        &expect![[r#"
            main intra_community: main > copied > put
        "#]],
    );
}

#[test]
fn a_function_for_each_element_of_a_list_is_no_callback() {
    let text = "
//- /list.ts
export function shown(items: Item[]) {
  return items.map(drawn);
}

function drawn(item: Item) {
  return framed(item);
}

function framed(item: Item) {
  return painted(item);
}

function painted(item: Item) {
  for (const part of item.parts) {
    if (part.visible) part.paint();
  }
}
";
    with_view(text, |view| {
        let kinds: Vec<String> = view
            .processes()
            .map(|process| process.entry_kind.to_string())
            .collect();
        assert_eq!(kinds, ["uncalled"]);
    });
}
