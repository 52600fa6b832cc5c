//! Compares an index in shards with one of a single snapshot on a real repository, natively: answers, time, memory, sizes.
//!
//! `shards --data DIR [--shards N] [--symbols N] [--no-whole]`. Asks both about the symbols of DIR with the most dependants
//! and others evenly between; prints a table of questions with how many answers are equal, and fails where one differs. With
//! `--no-whole` only the shards are built. Memory of interfaces is the growth of the process while they are copied.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use api::answer::{self, Asked, Json};
use engine::{Engine, EngineConfig, FileUnit, Index, Snapshot};
use serde_json::{Value, json};
use shards::{FileSize, Root, Shards, ShardsBuilder, shards_of};
use source::SourceFile;
use syntax::{ParseConfig, Parsers};

use crate::flags::{Failure, Flags};
use crate::stages::memory;

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let n_shards: u64 = flags.number("shards", 4)?;
    let n_symbols: usize = flags.number("symbols", 200)?;
    let mut files = crate::index::walk(&flags.path("data")?)?.files;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut parsers = Parsers::new(ParseConfig::default());
    let units: Vec<FileUnit> = files
        .iter()
        .map(|file| engine::read_file(&mut parsers, &file.path, &file.text))
        .collect();
    println!("| | |\n|---|--:|");
    measure_interfaces(&files, &units);
    let (index, shards) = build(&files, &units, n_shards)?;
    if flags.has("no-whole") {
        return Ok(());
    }
    let whole = whole(&files, &units)?;
    compare(&whole, &index, n_symbols)?;
    println!(
        "| shards opened | {} of {} |",
        shards.n_open(),
        shards.len()
    );
    Ok(())
}

fn measure_interfaces(files: &[SourceFile], units: &[FileUnit]) {
    let before = memory("VmRSS:");
    let start = Instant::now();
    let interfaces: Vec<_> = units
        .iter()
        .map(|unit| unit.facts.only_interface())
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let grown = memory("VmRSS:").saturating_sub(before);
    let n_files = files.len().max(1) as f64;
    let n_symbols: usize = interfaces.iter().map(|facts| facts.symbols.len()).sum();
    let packed = |facts: Arc<syntax::facts::FileFacts>| {
        let unit = FileUnit {
            facts,
            ..FileUnit::default()
        };
        unit.to_bytes().len()
    };
    let whole: usize = (units.iter().map(|unit| Arc::clone(&unit.facts)))
        .map(packed)
        .sum();
    let kept: usize = interfaces.into_iter().map(Arc::new).map(packed).sum();
    println!("| files, symbols | {}, {n_symbols} |", files.len());
    println!("| interfaces, resident MB | {:.1} |", grown as f64 / 1e6);
    println!("| a file, KB | {:.2} |", grown as f64 / n_files / 1e3);
    println!(
        "| a symbol, bytes | {:.0} |",
        grown as f64 / n_symbols.max(1) as f64
    );
    println!(
        "| as archives: all facts, interfaces, MB | {:.1}, {:.1} |",
        whole as f64 / 1e6,
        kept as f64 / 1e6
    );
    println!("| copying them, s | {seconds:.2} |");
}

fn engine_of<'a>(files: impl Iterator<Item = (&'a SourceFile, &'a FileUnit)>) -> Engine {
    let mut engine = Engine::new(EngineConfig::default());
    for (file, unit) in files {
        engine.put(&file.path, file.text.clone(), unit.clone());
    }
    engine
}

fn whole(files: &[SourceFile], units: &[FileUnit]) -> Result<Index, Failure> {
    let engine = engine_of(files.iter().zip(units));
    let start = Instant::now();
    let snapshot = engine.build(0.0)?;
    println!(
        "| one index: build, s | {:.2} |",
        start.elapsed().as_secs_f64()
    );
    println!(
        "| one index: MB | {:.2} |",
        snapshot.to_bytes()?.len() as f64 / 1e6
    );
    Ok(Index::new(Arc::new(snapshot))?)
}

fn build(
    files: &[SourceFile],
    units: &[FileUnit],
    n_shards: u64,
) -> Result<(Index, Arc<Shards>), Failure> {
    let sizes: Vec<FileSize<'_>> = files
        .iter()
        .map(|file| FileSize {
            path: &file.path,
            n_bytes: file.text.len() as u64,
        })
        .collect();
    let n_bytes: u64 = sizes.iter().map(|file| file.n_bytes).sum();
    let shard_of = shards_of(&sizes, n_bytes.div_ceil(n_shards.max(1)));
    let n_shards = shard_of.last().map_or(0, |last| last + 1);
    let of = |shard: u16| {
        let all = files.iter().zip(units).zip(&shard_of);
        engine_of(all.filter(|(_, of)| **of == shard).map(|(file, _)| file))
    };
    let start = Instant::now();
    let mut first = ShardsBuilder::new(EngineConfig::default());
    for shard in 0..n_shards {
        first.add(shard, &of(shard))?;
    }
    println!(
        "| shards: first pass without parsing, s | {:.2} |",
        start.elapsed().as_secs_f64()
    );
    let mut second = first.resolve();
    let mut saved = Vec::new();
    let start = Instant::now();
    for shard in 0..n_shards {
        let snapshot = second.build(shard, &of(shard), 0.0, &mut ())?;
        saved.push(snapshot.to_bytes()?.to_vec());
    }
    println!(
        "| shards: second pass with packing, s | {:.2} |",
        start.elapsed().as_secs_f64()
    );
    let start = Instant::now();
    let root = second.finish(0.0)?.to_bytes()?;
    println!("| root, s | {:.2} |", start.elapsed().as_secs_f64());
    let n_saved: usize = saved.iter().map(Vec::len).sum();
    println!(
        "| shards: number, MB | {n_shards}, {:.2} |",
        n_saved as f64 / 1e6
    );
    println!("| root: MB | {:.2} |", root.len() as f64 / 1e6);
    let start = Instant::now();
    let root = Root::from_bytes(&root)?;
    println!(
        "| opening the root, s | {:.3} |",
        start.elapsed().as_secs_f64()
    );
    let joint = root.joint();
    let (edges, uses) = (joint.edges.sources.len(), joint.uses.numbers.len());
    println!(
        "| edges: all, between shards | {}, {edges} |",
        joint.n_edges
    );
    let all_uses = joint.use_offsets.last().map_or(0, |last| last.to_native());
    println!("| uses: all, between shards | {all_uses}, {uses} |");
    let open = move |shard: u16| Ok(Arc::new(Snapshot::open(&saved[usize::from(shard)])?));
    let shards = Arc::new(Shards::new(root, Box::new(open)));
    Ok((shards.index()?, shards))
}

fn compare(whole: &Index, shards: &Index, n_symbols: usize) -> Result<(), Failure> {
    let symbols = whole.ask(|reader| {
        let graph = reader.graph();
        let mut symbols: Vec<_> = graph.symbols_by_name().collect();
        symbols.sort_by_key(|symbol| std::cmp::Reverse(graph.in_degree(*symbol)));
        let hubs = symbols.iter().take(n_symbols / 2);
        let step = (symbols.len() / (n_symbols / 2).max(1)).max(1);
        let others = symbols.iter().step_by(step).take(n_symbols / 2);
        let chosen = hubs.chain(others).map(|symbol| reader.selector_of(*symbol));
        Ok::<_, engine::Error>(chosen.collect::<Vec<String>>())
    })?;
    let mut counts: BTreeMap<&str, (usize, usize, f64, f64)> = BTreeMap::new();
    let ends = symbols.iter().rev();
    for (symbol, other) in symbols.iter().zip(ends) {
        let name = symbol.rsplit(['#', '.']).next().unwrap_or(symbol);
        for (tool, request) in [
            ("find", json!({ "symbol": name })),
            ("references", json!({ "symbol": symbol })),
            ("callers", json!({ "symbol": symbol, "depth": 3 })),
            ("callees", json!({ "symbol": symbol, "depth": 3 })),
            ("context", json!({ "symbol": symbol })),
            ("impact", json!({ "symbol": symbol, "depth": 4 })),
            ("trace", json!({ "from": symbol, "to": other })),
        ] {
            let (expected, slow) = ask(whole, tool, &request);
            let (found, time) = ask(shards, tool, &request);
            let count = counts.entry(tool).or_default();
            count.0 += 1;
            count.1 += usize::from(expected == found);
            count.2 += slow;
            count.3 += time;
            if expected != found {
                println!("| differs | {tool} {request} |");
            }
        }
    }
    for (tool, request) in [
        ("processes", json!({ "limit": 200 })),
        ("communities", json!({ "limit": 200 })),
        ("map", json!({ "max_tokens": 2000 })),
    ] {
        let count = counts.entry(tool).or_default();
        let ((expected, slow), (found, time)) =
            (ask(whole, tool, &request), ask(shards, tool, &request));
        *count = (1, usize::from(expected == found), slow, time);
    }
    println!(
        "\n| question | equal | of | one index, ms each | shards, ms each |\n|---|--:|--:|--:|--:|"
    );
    for (tool, (n, equal, slow, time)) in &counts {
        let each = |seconds: f64| seconds * 1e3 / *n as f64;
        println!(
            "| {tool} | {equal} | {n} | {:.3} | {:.3} |",
            each(*slow),
            each(*time)
        );
    }
    match counts.values().all(|(n, equal, ..)| n == equal) {
        true => Ok(()),
        false => Err("answers differ".into()),
    }
}

/// The answer, and the seconds that it took.
fn ask(index: &Index, tool: &str, request: &Value) -> (String, f64) {
    let asked = Asked {
        index,
        embed: &|_| Ok(None),
        clock: None,
    };
    let start = Instant::now();
    let answer = answer::ask(asked, tool, &Json(&request.to_string()));
    let answer = answer.unwrap_or_else(|error| format!("{error:?}"));
    (answer, start.elapsed().as_secs_f64())
}
