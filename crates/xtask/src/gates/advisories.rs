//! Known vulnerabilities of what we build with. Both lists are on servers: where there is no network, or what asks
//! them is not installed, the gate says so and is skipped.

use super::Outcome;
use crate::setup::Toolbox;
use crate::shell::{Result, which};

/// Messages of cargo-deny when it cannot fetch the list of advisories.
const UNREACHABLE: [&str; 3] = [
    "failed to fetch advisory database",
    "failed to clone",
    "unable to load advisory database",
];

pub fn check(toolbox: &Toolbox) -> Result<Outcome> {
    let outcomes = [crates(toolbox)?, packages(toolbox)?];
    let skipped: Vec<_> = outcomes
        .into_iter()
        .filter_map(|outcome| match outcome {
            Outcome::Skipped(why) => Some(why),
            Outcome::Passed => None,
        })
        .collect();
    Ok(match skipped.is_empty() {
        true => Outcome::Passed,
        false => Outcome::Skipped(skipped.join("; ")),
    })
}

fn crates(toolbox: &Toolbox) -> Result<Outcome> {
    if which("cargo-deny").is_none() {
        let why = "cargo-deny is not installed (`cargo install cargo-deny --locked` takes minutes)";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    let heard = toolbox
        .call("cargo")
        .args(["deny", "--color=never", "check", "advisories"])
        .listen_quietly()?;
    if heard.ok {
        return Ok(Outcome::Passed);
    }
    if UNREACHABLE.iter().any(|words| heard.text.contains(words)) {
        return Ok(Outcome::Skipped(
            "the advisories for crates could not be fetched".to_owned(),
        ));
    }
    Err(format!(
        "{}\n→ `cargo update -p CRATE`; where none is mended yet, name it under [advisories] in deny.toml with the reason why it does not concern us",
        heard.text
    ))
}

fn packages(toolbox: &Toolbox) -> Result<Outcome> {
    let heard = toolbox
        .call("npm")
        .args(["audit", "--omit=dev", "--json"])
        .listen_quietly()?;
    Ok(match found(&heard.text) {
        None => Outcome::Skipped("npm's registry answers no questions about advisories".to_owned()),
        Some(names) if names.is_empty() => Outcome::Passed,
        Some(names) => {
            return Err(format!(
                "vulnerable: {}\n→ `npm audit --omit=dev` says which, `npm update` mends what is mended",
                names.join(", ")
            ));
        }
    })
}

/// The packages that npm's answer calls vulnerable; nothing where it is no answer.
fn found(text: &str) -> Option<Vec<String>> {
    let json = text.get(text.find('{')?..=text.rfind('}')?)?;
    let answer: serde_json::Value = serde_json::from_str(json).ok()?;
    answer.get("auditReportVersion")?;
    let names = answer["vulnerabilities"].as_object()?.keys();
    Some(names.cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_told_from_a_refusal() {
        let fine = "npm warn x\n{ \"auditReportVersion\": 2, \"vulnerabilities\": {} }\n";
        assert_eq!(found(fine), Some(Vec::new()));
        let bad = "{ \"auditReportVersion\": 2, \"vulnerabilities\": { \"a\": {} } }";
        assert_eq!(found(bad), Some(vec!["a".to_owned()]));
        assert_eq!(found("{ \"statusCode\": 405 }"), None);
        assert_eq!(found("npm error no network"), None);
    }
}
