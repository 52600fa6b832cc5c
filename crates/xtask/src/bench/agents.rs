//! Measures an agent's waiting times: the hook, the start of the MCP server and its answers, beside the servers of
//! other tools.

use std::fmt::Write as _;
use std::path::Path;

use super::data::Repository;
use super::peer::{self, PEERS, Peer};
use super::{native, speed};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say};

/// How the servers of those that have one are started.
const SERVERS: [(&str, &[&str]); 2] = [
    ("@colbymchenry/codegraph", &["serve", "--mcp"]),
    ("gitnexus", &["mcp"]),
];

/// The tables of all repositories.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let mut starts = String::from(
        "| repository | Node alone: wall, CPU | hook | hook with nothing to say | `portolan find` | `portolan search` |\n|---|--:|--:|--:|--:|--:|\n",
    );
    let mut servers = String::from(
        "| repository | server | ready | list of tools | memory | search p50, p95 | context p50, p95 | impact p50, p95 | two-hop Cypher p50, p95 | text of an answer: search, context, impact |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for repository in repositories {
        let folder = native::out().join("agents").join(&repository.name);
        let saved = folder.join(".portolan/index.portolan");
        paths::make_dir(saved.parent().unwrap_or(&folder))?;
        speed::index(toolbox, &repository.path, &saved, speed::Engine::Wasm, &[])?;
        let row = measured(toolbox, &folder, &toolbox.env(), &[])?;
        say(&format!("  {}: {row}", repository.name));
        start_line(&mut starts, &repository.name, &row);
        server_line(&mut servers, &repository.name, "Portolan", &row);
        for (name, args) in SERVERS {
            let Some(known) = PEERS.iter().find(|peer| peer.name == name) else {
                continue;
            };
            match of_peer(toolbox, known, args, &repository.path, &folder) {
                Ok(row) => {
                    say(&format!("  {}, {}: {row}", repository.name, known.name));
                    let label = format!("{} {}", known.name, known.version);
                    server_line(&mut servers, &repository.name, &label, &row);
                }
                Err(reason) => say(&format!("  {} was not measured: {reason}", known.name)),
            }
        }
    }
    Ok(format!(
        "{starts}\nEach is a process that starts, answers and ends: median of eleven, wall and processor time; without `NODE_EXTRA_CA_CERTS`, where a machine sets it.\n\n{servers}\nReady: from starting the process to its list of tools. Then 30 names of the repository, asked by the official client, warm. GitNexus and codegraph index without embeddings; a dash is a question that the server does not take. Text is what an agent reads, in bytes.\n"
    ))
}

/// The peer's server on its own index of a copy of the files.
fn of_peer(
    toolbox: &Toolbox,
    known: &Peer,
    args: &[&str],
    source: &Path,
    folder: &Path,
) -> Result<serde_json::Value> {
    let program = peer::install(toolbox, known, None)?;
    let mut env = peer::environment(toolbox, known);
    // The bench has its own copy of the files that it keeps in the home folder (GitNexus: its list of repositories).
    let home = native::out().join("agents/home");
    paths::make_dir(&home)?;
    env.push(("HOME".to_owned(), home.to_string_lossy().into_owned()));
    Call::new("cp")
        .arg("-R")
        .arg(source.join("."))
        .arg(folder)
        .read()?;
    if !folder.join(".git").exists() {
        Call::new("git")
            .args(["init", "--quiet"])
            .dir(folder)
            .read()?;
    }
    Call::new(&program)
        .args(known.args)
        .dir(folder)
        .envs(&env)
        .run_quietly()?;
    let program = program.to_string_lossy().into_owned();
    let command: Vec<&str> = std::iter::once(program.as_str())
        .chain(args.iter().copied())
        .collect();
    measured(toolbox, folder, &env, &command)
}

fn measured(
    toolbox: &Toolbox,
    folder: &Path,
    env: &[(String, String)],
    server: &[&str],
) -> Result<serde_json::Value> {
    let script = paths::root().join("tests/benches/agents.mjs");
    let call = toolbox.call("node").arg(script).arg(folder);
    let text = call.args(server.iter().copied()).envs(env).read()?;
    serde_json::from_str(text.lines().last().unwrap_or_default())
        .map_err(|e| format!("tests/benches/agents.mjs printed no JSON: {e}"))
}

fn start_line(table: &mut String, name: &str, row: &serde_json::Value) {
    let both = |key: &str| {
        let cpu = key.replace("_ms", "_cpu_ms");
        format!("{:.0}, {:.0} ms", number(row, key), number(row, &cpu))
    };
    let _ = writeln!(
        table,
        "| {name} | {} | {} | {} | {} | {} |",
        both("node_ms"),
        both("hook_ms"),
        both("hook_silent_ms"),
        both("find_ms"),
        both("search_ms")
    );
}

fn server_line(table: &mut String, name: &str, server: &str, row: &serde_json::Value) {
    let times = |kind: &str| {
        let (p50, p95) = (
            number(row, &format!("{kind}_p50_ms")),
            number(row, &format!("{kind}_p95_ms")),
        );
        if p50.is_nan() {
            "–".to_owned()
        } else {
            format!("{p50:.1}, {p95:.1} ms")
        }
    };
    let texts = ["search", "context", "impact"].map(|kind| {
        let bytes = number(row, &format!("{kind}_text_bytes"));
        if bytes.is_nan() {
            "–".to_owned()
        } else {
            format!("{bytes:.0}")
        }
    });
    let _ = writeln!(
        table,
        "| {name} | {server} | {:.0} ms | {:.0} bytes | {:.0} MB | {} | {} | {} | {} | {} |",
        number(row, "mcp_ready_ms"),
        number(row, "tools_bytes"),
        number(row, "memory_mb"),
        times("search"),
        times("context"),
        times("impact"),
        times("cypher"),
        texts.join(", ")
    );
}

fn number(row: &serde_json::Value, key: &str) -> f64 {
    row.get(key)
        .and_then(serde_json::Value::as_f64)
        .unwrap_or(f64::NAN)
}
