//! A tool that is asked on the command line.

use std::path::PathBuf;
use std::time::Instant;

use portolan::Index;

use crate::arguments::{Command, Failure};
use crate::index::shipped_model;
use crate::place::require_index;
use crate::tools::Tool;

pub(crate) fn ask(tool: &Tool, command: &Command) -> Result<String, Failure> {
    let request = tool.request(command)?;
    let path = match command.value("index") {
        Some(file) => PathBuf::from(file),
        None => require_index()?,
    };
    let mut index = Index::open(&path)?.with_clock(millis);
    if portolan::api::answer::wants_vector(&tool.name) && index.reader().embedder().is_some() {
        let model = shipped_model()?;
        // An index of another model answers by words.
        if let Ok(with_model) = index.clone().with_embedder(model) {
            index = with_model;
        }
    }
    let answer = index.ask(&tool.name, &request.to_string())?;
    Ok(format!("{answer}\n"))
}

/// Milliseconds since the first call.
fn millis() -> f64 {
    static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0
}
