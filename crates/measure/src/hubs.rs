//! Measures queries about hubs, natively: the symbols of DIR with the most dependants, each with its context, its
//! impact three steps far, and the edits of a rename.
//!
//! `hubs --data DIR [--hubs N] [--repeat N] [--open]`. With `--open` the index is saved and opened first. Prints milliseconds of
//! the answers as they go over the wire, the fastest of some rounds each, and a digest of all answers: equal digests, equal answers.

use std::sync::Arc;
use std::time::Instant;

use engine::{Engine, EngineConfig, NodeId, Reader, Snapshot};
use syntax::{ParseConfig, Parsers};

use crate::flags::{Failure, Flags};

const N_HUBS: usize = 20;
const N_ROUNDS: usize = 3;

/// A kind of question and how it is asked of a selector: the answer as JSON.
type Question = (
    &'static str,
    fn(&Reader, &str) -> Result<serde_json::Value, Failure>,
);

const QUESTIONS: [Question; 3] = [
    ("context", |reader, symbol| {
        let request = serde_json::from_value(serde_json::json!({ "symbol": symbol }))?;
        json(api::answer::context(reader, &request))
    }),
    ("impact", |reader, symbol| {
        let request = serde_json::from_value(serde_json::json!({ "symbol": symbol, "depth": 3 }))?;
        json(api::answer::impact(reader, &request))
    }),
    ("rename", |reader, symbol| {
        let request = serde_json::json!({ "symbol": symbol, "new_name": "RenamedByBench" });
        json(api::answer::rename(
            reader,
            &serde_json::from_value(request)?,
        ))
    }),
];

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let data = flags.path("data")?;
    let n_hubs: usize = flags.number("hubs", N_HUBS)?;
    let n_rounds: usize = flags.number("repeat", N_ROUNDS)?;
    let mut snapshot = index(&data)?;
    if flags.has("open") {
        snapshot = Snapshot::open(snapshot.to_bytes()?)?;
    }
    let reader = Reader::new(Arc::new(snapshot))?;
    let hubs = hubs(&reader, n_hubs);
    println!("| question | p50 ms | p95 ms | most ms | of |\n|---|--:|--:|--:|---|");
    let mut answers = Vec::new();
    for (name, ask) in QUESTIONS {
        let mut times: Vec<(f64, &str)> = Vec::new();
        for hub in &hubs {
            let mut fastest = f64::INFINITY;
            for round in 0..n_rounds.max(1) {
                let start = Instant::now();
                let answer = ask(&reader, hub)?;
                fastest = fastest.min(start.elapsed().as_secs_f64() * 1_000.0);
                if round == 0 {
                    answers.extend_from_slice(&serde_json::to_vec(&answer)?);
                }
            }
            times.push((fastest, hub));
        }
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        let (p50, p95, most) = (at(0.5), at(0.95), at(1.0));
        println!(
            "| {name} | {:.3} | {:.3} | {:.3} | {} |",
            p50.0, p95.0, most.0, most.1
        );
    }
    let digest = source::digest(&answers);
    let digest: String = digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("answers: {} bytes, digest {digest}", answers.len());
    Ok(())
}

fn index(data: &std::path::Path) -> Result<Snapshot, Failure> {
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut engine = Engine::new(EngineConfig::default());
    for file in crate::index::walk(data)?.files {
        let unit = engine::read_file(&mut parsers, &file.path, &file.text);
        engine.put(&file.path, file.text, unit);
    }
    Ok(engine.build(0.0)?)
}

/// Selectors of the symbols that most edges lead to.
fn hubs(reader: &Reader, n_hubs: usize) -> Vec<String> {
    let graph = reader.graph();
    let symbols = reader.files().flat_map(|file| graph.symbols_of(file));
    let mut ranked: Vec<(usize, NodeId)> = symbols.map(|id| (graph.in_(id).count(), id)).collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let hubs = ranked.iter().take(n_hubs);
    hubs.map(|(_, id)| reader.selector_of(*id)).collect()
}

/// An answer as JSON, or why there is none: a question may be about what cannot be renamed.
fn json<T: serde::Serialize>(
    answer: Result<T, api::ErrorBody>,
) -> Result<serde_json::Value, Failure> {
    Ok(match answer {
        Ok(answer) => serde_json::to_value(answer)?,
        Err(error) => serde_json::to_value(error)?,
    })
}
