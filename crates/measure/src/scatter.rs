//! Compares searches over shards with searches over one index, on the repositories and queries of the retrieval benchmark.
//!
//! `scatter --data DIR --truth DIR [--shards N] [--repos a,b] [--seed N]`. DIR as for `retrieval`. Each repository is
//! searched in one index, in shards cut by folder, and in shards to which files are dealt at random; by words and by
//! words with vectors. Prints how many answers are equal in everything (hits, order, scores, labels, snippets, notes), and
//! the first that is not; fails where the first ten hits of one differ.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use embed::{Embedder, StaticEmbedder};
use engine::{Engine, EngineConfig, Index, SearchAnswer, SearchQuery, Snapshot};
use shards::{FileSize, Shards, ShardsBuilder, shards_of};
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};

use crate::flags::{Failure, Flags};
use crate::folder;
use crate::retrieval::{index::shipped_model, truth};

/// Number of hits of a page.
const LIMIT: usize = 20;

/// Answers of one division that were compared.
#[derive(Default)]
struct Tally {
    n: usize,
    n_equal: usize,
    n_same_hits: usize,
    micros_of_one: Vec<u128>,
    micros_of_shards: Vec<u128>,
    first: Option<String>,
}

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let (data, truth) = (flags.path("data")?, flags.path("truth")?);
    let n_shards: u64 = flags.number("shards", 4)?;
    let seed: u64 = flags.number("seed", 1)?;
    let wanted: Option<Vec<&str>> = flags.get("repos").map(|names| names.split(',').collect());
    let mut building = Building {
        parsers: Parsers::new(ParseConfig::default()),
        embedder: shipped_model()?,
    };
    let mut tallies = [Tally::default(), Tally::default()];
    for (name, _, tasks) in truth::load(&truth)? {
        let is_wanted = |wanted: &Vec<&str>| wanted.contains(&name.as_str());
        if !wanted.as_ref().is_none_or(is_wanted) {
            continue;
        }
        let queries: Vec<&str> = tasks.iter().map(|task| task.query.as_str()).collect();
        let root = data.join(&name);
        let one = building.one(&root, &name)?;
        let divisions = [by_folder(&one, n_shards)?, at_random(&one, n_shards, seed)?];
        for (tally, shard_of) in tallies.iter_mut().zip(divisions) {
            let index = building.shards(&root, &name, &shard_of)?;
            for query in &queries {
                let vector = building.embedder.embed(&[query])?;
                for vector in [None, Some(vector.as_slice())] {
                    compare(tally, (&one, &index), query, vector)?;
                }
            }
        }
    }
    println!(
        "| division | answers | equal | same hits in order | p50, p95 ms in one | in shards |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for (name, tally) in ["by folder", "at random"].iter().zip(&mut tallies) {
        let times =
            [&mut tally.micros_of_one, &mut tally.micros_of_shards].map(|times| quantiles(times));
        println!(
            "| {name} | {} | {} | {} | {} | {} |",
            tally.n, tally.n_equal, tally.n_same_hits, times[0], times[1]
        );
    }
    for tally in &tallies {
        if let Some(first) = &tally.first {
            println!("{first}");
        }
    }
    match tallies.iter().all(|tally| tally.n_same_hits == tally.n) {
        true => Ok(()),
        false => Err("some answers over shards have other hits".into()),
    }
}

fn quantiles(micros: &mut [u128]) -> String {
    micros.sort_unstable();
    let at = |share: usize| micros.get(micros.len() * share / 100).copied().unwrap_or(0);
    format!("{:.2}, {:.2}", at(50) as f64 / 1e3, at(95) as f64 / 1e3)
}

fn compare(
    tally: &mut Tally,
    (one, shards): (&Index, &Index),
    text: &str,
    vector: Option<&[f32]>,
) -> Result<(), Failure> {
    let query = SearchQuery {
        text,
        vector,
        limit: LIMIT,
        explain: true,
        grouped: true,
        ..SearchQuery::default()
    };
    let timed = |index: &Index, times: &mut Vec<u128>| {
        let started = Instant::now();
        let answer = index.ask(|reader| reader.search(&query))?;
        times.push(started.elapsed().as_micros());
        Ok::<_, Failure>(answer)
    };
    let expected = timed(one, &mut tally.micros_of_one)?;
    let found = timed(shards, &mut tally.micros_of_shards)?;
    tally.n += 1;
    tally.n_equal += usize::from(found == expected);
    tally.n_same_hits += usize::from(places(&found) == places(&expected));
    if found != expected && tally.first.is_none() {
        tally.first = Some(format!(
            "first that differs: {text:?}, with vector: {}",
            vector.is_some()
        ));
    }
    Ok(())
}

/// File and bytes of each hit.
fn places(answer: &SearchAnswer) -> Vec<(u32, u32, u32)> {
    let hits = answer.hits.iter();
    hits.map(|hit| (hit.chunk.file.0, hit.chunk.start, hit.chunk.end))
        .collect()
}

/// Shard of each file.
type Division = BTreeMap<String, u16>;

fn sizes(index: &Index) -> Result<Vec<(String, u64)>, Failure> {
    Ok(index.ask(|reader| {
        let files = reader.files();
        let size = |file| {
            (
                reader.path(file).to_owned(),
                u64::from(reader.n_bytes(file)),
            )
        };
        Ok::<_, engine::Error>(files.map(size).collect())
    })?)
}

fn by_folder(index: &Index, n_shards: u64) -> Result<Division, Failure> {
    let sizes = sizes(index)?;
    let sized = sizes.iter().map(|(path, n_bytes)| FileSize {
        path,
        n_bytes: *n_bytes,
    });
    let sized: Vec<FileSize<'_>> = sized.collect();
    let n_bytes: u64 = sizes.iter().map(|(_, n_bytes)| n_bytes).sum();
    let shards = shards_of(&sized, n_bytes.div_ceil(n_shards.max(1)).max(1));
    let paths = sizes.iter().map(|(path, _)| path.clone());
    Ok(paths.zip(shards).collect())
}

fn at_random(index: &Index, n_shards: u64, seed: u64) -> Result<Division, Failure> {
    let mut state = seed;
    let mut numbers: BTreeMap<u64, u16> = BTreeMap::new();
    let files = sizes(index)?.into_iter().map(|(path, _)| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let next = numbers.len() as u16;
        let shard = *numbers
            .entry((state >> 33) % n_shards.max(1))
            .or_insert(next);
        (path, shard)
    });
    Ok(files.collect())
}

/// Builds indexes of folders, with vectors.
struct Building {
    parsers: Parsers,
    embedder: StaticEmbedder,
}

impl Building {
    fn engine(
        &mut self,
        root: &Path,
        name: &str,
        passes: impl Fn(&str) -> bool,
    ) -> Result<(Engine, Snapshot), Failure> {
        let mut set = FileSet::from_files(folder::read(root)?, &SourceConfig::default());
        set.files.retain(|file| passes(&file.path));
        let config = config(name);
        let (parsers, embedder) = (&mut self.parsers, Some(&self.embedder as &dyn Embedder));
        Ok(Engine::index(config, set, parsers, embedder, &mut |_| {
            true
        })?)
    }

    fn one(&mut self, root: &Path, name: &str) -> Result<Index, Failure> {
        let (_, snapshot) = self.engine(root, name, |_| true)?;
        Ok(Index::new(Arc::new(snapshot))?)
    }

    fn shards(&mut self, root: &Path, name: &str, shard_of: &Division) -> Result<Index, Failure> {
        let n_shards = shard_of.values().max().map_or(0, |last| last + 1);
        let mut engines = Vec::new();
        let mut first = ShardsBuilder::new(config(name));
        for shard in 0..n_shards {
            let (engine, _) = self.engine(root, name, |path| shard_of.get(path) == Some(&shard))?;
            first.add(shard, &engine)?;
            engines.push(engine);
        }
        let mut second = first.resolve();
        let mut built: Vec<Arc<Snapshot>> = Vec::new();
        for (shard, engine) in (0..).zip(&engines) {
            built.push(Arc::new(second.build(shard, engine, 0.0, &mut ())?));
        }
        let open = move |shard: u16| Ok(Arc::clone(&built[usize::from(shard)]));
        Ok(Arc::new(Shards::new(second.finish(0.0)?, Box::new(open))).index()?)
    }
}

fn config(name: &str) -> EngineConfig {
    EngineConfig {
        name: name.to_owned(),
        ..EngineConfig::default()
    }
}
