//! Impact and flows as answers give them: how far a change spreads from callbacks, and one number of flows.

use api::answer::{self, Asked, Json};
use engine::Reader;
use fixture::Fixture;
use serde_json::{Value, json};

use crate::support::{files_of, reader};

/// A scheduler whose heart is a closure that only its container hands out, called by a test as well.
const SCHEDULER: &str = "
//- /lib/scheduler.js
import { commit } from './commit.js'

export function createScheduler(root) {
  const queue = []
  function update(node) {
    queue.push(node)
    function flush() {
      commit(root, queue)
    }
    schedule(flush)
  }
  return update
}

function schedule(task) { later(task) }
function later(task) { setTimeout(task) }

//- /lib/commit.js
export function commit(root, queue) {
  for (const node of queue) write(root, node)
}
function write(root, node) { root.append(node) }

//- /lib/mount.js
import { createScheduler } from './scheduler.js'
export function mount(root) {
  return createScheduler(root)
}

//- /test/commit.test.js
import { commit } from '../lib/commit.js'
import { mount } from '../lib/mount.js'
function prepared() { return mount(commit) }
test('commits', () => { prepared() })
";

fn ask(reader: &Reader, tool: &str, request: &Value) -> Value {
    let asked = Asked {
        index: reader.index(),
        embed: &|_| Ok(None),
        clock: None,
    };
    let answer = answer::ask(asked, tool, &Json(&request.to_string())).expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

fn list<'a>(value: &'a Value, place: &str) -> &'a [Value] {
    let found = value.pointer(place).and_then(Value::as_array);
    found.map_or(&[], Vec::as_slice)
}

/// Depth, relation and name of all symbols that are reached; files that import them are left out.
fn reached(impact: &Value) -> Vec<String> {
    let groups = list(impact, "/by_depth").iter();
    let symbols = groups.flat_map(|group| {
        list(group, "/symbols").iter().map(|symbol| {
            let (relation, name) = (&symbol["relation"], &symbol["symbol"]["qualified_name"]);
            let (relation, name) = (relation.as_str(), name.as_str());
            format!(
                "{} {} {}",
                group["depth"],
                relation.unwrap_or("?"),
                name.unwrap_or("?")
            )
        })
    });
    symbols.filter(|line| !line.ends_with(".js")).collect()
}

#[test]
fn impact_steps_from_a_nested_function_to_its_container() {
    let reader = reader(files_of(&Fixture::parse(SCHEDULER)));
    let impact = ask(
        &reader,
        "impact",
        &json!({"symbol": "commit", "depth": 5, "tests": "exclude"}),
    );
    assert_eq!(
        reached(&impact),
        [
            "1 CALLS createScheduler.update.flush",
            "2 DEFINES createScheduler.update",
            "3 DEFINES createScheduler",
            "4 CALLS mount",
        ]
    );
    let calls = ask(
        &reader,
        "impact",
        &json!({"symbol": "commit", "depth": 5, "tests": "exclude", "kinds": ["CALLS"]}),
    );
    assert_eq!(
        reached(&calls),
        ["1 CALLS createScheduler.update.flush"],
        "only the relations that were asked for are followed"
    );
    let down = ask(
        &reader,
        "impact",
        &json!({"symbol": "mount", "depth": 2, "direction": "downstream"}),
    );
    assert!(
        reached(&down).contains(&"2 DEFINES createScheduler.update".to_owned()),
        "{:?}",
        reached(&down)
    );
}
