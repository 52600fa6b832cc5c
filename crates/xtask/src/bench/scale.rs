//! A server of shared indexes under load: real workerd with its bucket and Durable Objects, asked over loopback by many clients at once, and
//! the cost model over what was measured.

use super::{corpus, native};
use crate::build::native::{Speed, program};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};
use crate::suites::node22;

/// Seconds and clients of a run whose figures are published.
const FULL: [&str; 2] = ["300", "200"];
/// Repositories that are searched at once, in such a run and in a shorter one.
const MANY: &str = "1000";
const FEW: &str = "10";
/// Lines of published packages that are indexed in about two shards, likewise: five million have 277,000 chunks.
const LINES: u64 = 5_000_000;
const FEWER_LINES: u64 = 100_000;

/// How long, and by how many clients, the server is asked; nothing: as for the document.
#[derive(Clone, Copy, Default)]
pub struct Load<'a> {
    pub seconds: Option<&'a str>,
    pub clients: Option<&'a str>,
}

impl Load<'_> {
    /// Returns true if this is the load of the document.
    pub fn is_full(self) -> bool {
        self.seconds.is_none() && self.clients.is_none()
    }
}

/// The tables that `tests/benches/scale.mjs` makes, which ends by itself. Errors that clients saw are a part of them, since a figure is no
/// less true for being bad.
pub fn run(toolbox: &Toolbox, load: Load<'_>) -> Result<String> {
    let [seconds, clients] = FULL;
    let lines = if load.is_full() { LINES } else { FEWER_LINES };
    let corpora = corpus::folders(toolbox, &[lines])?;
    let sources = corpora.first().ok_or("there are no sources of shards")?;
    let out = native::out().join("scale.md");
    // The script writes at its end: a folder that is missing would cost the whole run.
    paths::write(&out, "")?;
    let heard = toolbox
        .call(&node22(toolbox))
        .arg(paths::root().join("tests/benches/scale.mjs"))
        .args(["--seconds", load.seconds.unwrap_or(seconds)])
        .args(["--clients", load.clients.unwrap_or(clients)])
        .args(["--repositories", if load.is_full() { MANY } else { FEW }])
        .arg("--native")
        .arg(program(toolbox, Speed::Released)?)
        .arg("--sources")
        .arg(&sources.path)
        .arg("--out")
        .arg(&out)
        .listen_quietly()?;
    let text = std::fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    if !heard.ok {
        say(&heard.text);
    }
    match text.is_empty() {
        true => Err("tests/benches/scale.mjs did not come to its end".to_owned()),
        false => Ok(text),
    }
}
