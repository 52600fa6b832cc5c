//! The checks of a reviewer besides the tests: one after the other, each with a line that gives its result and, if it
//! failed, advice. The suite `gates` runs them; each counts as one test.

mod accidents;
mod advisories;
mod files;
mod hosts;
mod lengths;
mod licences;
mod lockfiles;
mod rust;
mod unused;
mod web;
mod words;

use std::time::Instant;

use crate::setup::Toolbox;
use crate::shell::{Heard, Result, say};

/// One thing that is asked of the whole repository.
struct Gate {
    name: &'static str,
    about: &'static str,
    check: fn(&Toolbox) -> Result<Outcome>,
}

/// How a gate ended that found no fault.
#[derive(Debug, PartialEq)]
enum Outcome {
    Passed,
    /// It could not look, for this reason, which is no fault of the repository.
    Skipped(String),
}

/// In the order in which they fail soonest.
const GATES: [Gate; 12] = [
    Gate {
        name: "lengths",
        about: "no file has more lines than a reader keeps in mind",
        check: lengths::check,
    },
    Gate {
        name: "words",
        about: "comments and documentation use the field's words",
        check: words::check,
    },
    Gate {
        name: "hosts",
        about: "nothing names the host of a package registry",
        check: hosts::check,
    },
    Gate {
        name: "unused",
        about: "every dependency is named by the sources that declare it",
        check: unused::check,
    },
    Gate {
        name: "accidents",
        about: "no test passes by not running",
        check: accidents::check,
    },
    Gate {
        name: "lockfiles",
        about: "Cargo.lock and package-lock.json say what the manifests ask for",
        check: lockfiles::check,
    },
    Gate {
        name: "fmt",
        about: "cargo fmt has nothing to change",
        check: rust::fmt,
    },
    Gate {
        name: "biome",
        about: "TypeScript, JavaScript, CSS and JSON are formatted and without findings",
        check: web::biome,
    },
    Gate {
        name: "licences",
        about: "every dependency has a licence that deny.toml allows",
        check: licences::check,
    },
    Gate {
        name: "advisories",
        about: "no dependency has a known vulnerability",
        check: advisories::check,
    },
    Gate {
        name: "clippy",
        about: "clippy has no findings, with all features",
        check: rust::clippy,
    },
    Gate {
        name: "clippy-wasm",
        about: "nor for wasm32, with the features of each artifact",
        check: rust::clippy_wasm,
    },
];

/// Runs the gates whose name contains `filter` and closes with a line that says the counts as libtest does.
pub fn run(toolbox: &Toolbox, filter: Option<&str>) -> Result<Heard> {
    let wanted = GATES
        .iter()
        .filter(|gate| filter.is_none_or(|filter| gate.name.contains(filter)));
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut text = String::new();
    for gate in wanted {
        let start = Instant::now();
        say(&format!("  {}: {}", gate.name, gate.about));
        let outcome = (gate.check)(toolbox);
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Ok(Outcome::Passed) => {
                passed += 1;
                say(&format!("  ✓ {} ({seconds:.1} s)", gate.name));
            }
            Ok(Outcome::Skipped(why)) => {
                skipped += 1;
                say(&format!(
                    "  – {} skipped: {why} ({seconds:.1} s)",
                    gate.name
                ));
            }
            Err(why) => {
                failed += 1;
                let why = why.trim_end().replace('\n', "\n    ");
                text += &format!("error in {}: {why}\n", gate.name);
                say(&format!("  ✗ {} ({seconds:.1} s)\n    {why}", gate.name));
            }
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    text += &format!("test result: {word}. {passed} passed; {failed} failed; {skipped} ignored;\n");
    Ok(Heard {
        ok: failed == 0,
        text,
    })
}

/// A gate's end: nothing wrong, or every fault on a line of its own, then what to do.
fn judged(faults: &[String], remedy: &str) -> Result<Outcome> {
    if faults.is_empty() {
        return Ok(Outcome::Passed);
    }
    Err(format!("{}\n→ {remedy}", faults.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        for (n, gate) in GATES.iter().enumerate() {
            assert!(GATES[..n].iter().all(|other| other.name != gate.name));
        }
    }

    #[test]
    fn faults_come_with_their_remedy() {
        assert_eq!(judged(&[], "mend it"), Ok(Outcome::Passed));
        let faults = ["a: bad".to_owned(), "b: bad".to_owned()];
        assert_eq!(
            judged(&faults, "mend it"),
            Err("a: bad\nb: bad\n→ mend it".to_owned())
        );
    }
}
