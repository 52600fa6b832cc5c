//! Counts the tokens and calls until an answer is on the table, by scripted strategies over the real programs: `tests/benches/replay.mjs`.

use super::peer::{self, PEERS};
use crate::build::{self, Form};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// Describes the strategies, so that others can repeat them.
const STRATEGIES: &str = "\
Four bytes are a token. An answer is on the table when what was read names it: of an issue the path and name of one function that its fix\n\
changed; of the question who calls a function every caller that the compiler knows (questions: functions with 2 to 20 callers and a name that\n\
only they have, evenly over axum, fastapi and hono). All that was read counts, in vain or not. The weights of `locate` were chosen on\n\
issues of the same set; `bench locate` leaves one repository out each time.\n\
\n\
- *grep, then whole files*: greps for the words of the title (whole words, any case, without words of sentences) or for the name, reads the\n\
  first 100 lines of it, then the files with the most different words, at most ten, each up to 2,000 lines of 2,000 characters.\n\
- *grep, then windows*: the same, but of each file 40 lines before and 20 after a match; of an issue's the five lines with the most words.\n\
- *`search`*, *`context`*, *`code_intelligence`*: calls over MCP with the title, the words `callers of NAME`, or the symbol, and up to two more\n\
  pages. *`locate`*: one call with the whole text of the issue.\n\
- *hook*: the text that the hook adds by itself to the prompt (the issue) or to a grep for the name; without a call.\n\
- *codegraph*: of the questions only, one call of `codegraph_explore` with the words: its server leaves a process behind for every folder.\n\
- *GitNexus*: of the questions only, one call of `context` with the name: it takes some twenty seconds to index a commit.\n\
\n\
`--truth` has `localise/issues.jsonl` (issues, the functions of their fixes) and `graph/truth/NAME.tsv.gz` (call edges), `--data` the repositories\n\
`graph/NAME`, `--repos` clones `OWNER+NAME/repo`. The scripts: `tests/benches/replay.mjs` and the folder beside it.\n";

/// The tables, with those of other tools that can be installed.
pub fn run(toolbox: &Toolbox, truth: &str, data: &str, repos: &str) -> Result<String> {
    let targets = ["grammars", "engine", "reader", "seal", "hnsw", "pkg"].map(str::to_owned);
    build::build(toolbox, &targets, Form::Released)?;
    let script = paths::root().join("tests/benches/replay.mjs");
    let mut call = toolbox.call("node").arg(script).args([truth, data, repos]);
    for (flag, name) in [
        ("--codegraph", "@colbymchenry/codegraph"),
        ("--gitnexus", "gitnexus"),
    ] {
        match installed(toolbox, name) {
            Ok(program) => call = call.arg(flag).arg(program),
            Err(reason) => say(&format!("  {name} was not measured: {reason}")),
        }
    }
    Ok(format!("{STRATEGIES}\n{}\n", call.read()?.trim_end()))
}

fn installed(toolbox: &Toolbox, name: &str) -> Result<std::path::PathBuf> {
    let known = PEERS
        .iter()
        .find(|peer| peer.name == name)
        .ok_or("it is none of the peers")?;
    peer::install(toolbox, known, None)
}
