//! Benches of relevance, accuracy and speed. Each prints a table; `cargo xtask bench` runs them.
//!
//! `portolan-measure BENCH --data DIR [--out DIR] …`; each bench documents its own flags.

// A bench exists to print.
#![expect(clippy::print_stdout, reason = "tables go to standard output")]

mod calls;
mod flags;
mod folder;
mod graph;
mod hnsw;
mod hubs;
mod index;
mod locate;
mod names;
mod read;
mod retrieval;
mod scatter;
mod shards;
mod stages;
mod symbols;
mod update;

use std::process::ExitCode;

use flags::Flags;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let bench = arguments.next().unwrap_or_default();
    let result = match (bench.as_str(), Flags::parse(arguments)) {
        (_, Err(error)) => Err(error.into()),
        ("calls", Ok(flags)) => calls::run(&flags),
        ("graph", Ok(flags)) => graph::run(&flags),
        ("hnsw", Ok(flags)) => hnsw::run(&flags),
        ("hubs", Ok(flags)) => hubs::run(&flags),
        ("index", Ok(flags)) => index::run(&flags),
        ("locate", Ok(flags)) => locate::run(&flags),
        ("names", Ok(flags)) => names::run(&flags),
        ("read", Ok(flags)) => read::run(&flags),
        ("retrieval", Ok(flags)) => retrieval::run(&flags),
        ("scatter", Ok(flags)) => scatter::run(&flags),
        ("shards", Ok(flags)) => shards::run(&flags),
        ("stages", Ok(flags)) => stages::run(&flags),
        ("symbols", Ok(flags)) => symbols::run(&flags),
        ("update", Ok(flags)) => update::run(&flags),
        (other, Ok(_)) => Err(format!(
            "unknown bench {other:?}; there are: calls, graph, hnsw, hubs, index, locate, names, read, retrieval, scatter, shards, stages, symbols, update"
        )
        .into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{bench}: {error}");
            ExitCode::FAILURE
        }
    }
}
