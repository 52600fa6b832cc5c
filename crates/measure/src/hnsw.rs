//! Compares the exact scan with the approximate index: time of a query, recall@10, and cost of building, by number of
//! vectors. The two times cross where [`search::HnswConfig::threshold`] belongs. Also prints the recall of sign codes,
//! but not their time, since they are made for WebAssembly.
//!
//! `hnsw [--counts 10000,30000,100000] [--dim 128] [--queries 100]`. Vectors are made: clusters of directions, as those of
//! code are, from a seed.

use std::fmt::Write as _;
use std::time::Instant;

use search::{ArchivedVectors, ChunkId, HnswConfig, Signs, VectorsBuilder};

use crate::flags::{Failure, Flags};

/// Nearest ones that are compared.
const NEAREST: usize = 10;
/// Nearest ones that a search asks for.
const CANDIDATES: usize = 100;
/// Vectors that share a direction.
const CLUSTER: usize = 25;

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let counts = flags.get("counts").unwrap_or("10000,30000,100000");
    let (dim, n_queries) = (flags.number("dim", 128)?, flags.number("queries", 100)?);
    let mut table = String::from(
        "| vectors | built in | exact scan | approximate | recall@10 | by signs: recall@10 | recall@100 |\n|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for count in counts.split(',') {
        let _ = writeln!(table, "{}", row(count.parse()?, dim, n_queries)?);
    }
    println!("{table}");
    println!(
        "{CANDIDATES} candidates a query, as a search asks for; time of a query: median of {n_queries}, one core."
    );
    Ok(())
}

fn row(count: usize, dim: usize, n_queries: usize) -> Result<String, Failure> {
    let mut random = Random(1);
    let centres: Vec<Vec<f32>> = (0..count.div_ceil(CLUSTER))
        .map(|_| random.direction(dim))
        .collect();
    let near = |random: &mut Random, idx: usize| -> Vec<f32> {
        let centre = &centres[idx % centres.len()];
        let own = random.direction(dim);
        centre.iter().zip(own).map(|(a, b)| a + 0.7 * b).collect()
    };
    let mut builder = VectorsBuilder::new(dim, count);
    for idx in 0..count {
        builder.set(ChunkId(idx as u32), &near(&mut random, idx));
    }
    let started = Instant::now();
    let config = HnswConfig {
        threshold: 0,
        ..HnswConfig::default()
    };
    let built = builder.build_hnsw(&config);
    let seconds = started.elapsed().as_secs_f64();
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&built)?;
    let vectors = rkyv::access::<ArchivedVectors, rkyv::rancor::Error>(&bytes)?;
    let queries: Vec<Vec<f32>> = (0..n_queries)
        .map(|idx| near(&mut random, idx * 7))
        .collect();
    let signs = Signs::of(vectors);
    let (mut exact_times, mut near_times) = (Vec::new(), Vec::new());
    let mut found = [0; 3];
    for query in &queries {
        let started = Instant::now();
        let exact = vectors.nearest_exact(query, CANDIDATES);
        exact_times.push(started.elapsed().as_micros());
        let started = Instant::now();
        let near = vectors.nearest(query, CANDIDATES, &|_| true);
        near_times.push(started.elapsed().as_micros());
        let by_signs = vectors.nearest_by_signs(&signs, query, CANDIDATES);
        let of = |wanted: &[(ChunkId, f32)], given: &[(ChunkId, f32)]| {
            let is_given = |hit: &&(ChunkId, f32)| given.iter().any(|other| other.0 == hit.0);
            wanted.iter().filter(is_given).count()
        };
        let ten = exact.get(..NEAREST).unwrap_or(&exact);
        let counts = [of(ten, &near), of(ten, &by_signs), of(&exact, &by_signs)];
        for (sum, count) in found.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let share = |found: usize, wanted: usize| found as f64 / (n_queries * wanted) as f64;
    let median = |times: &mut Vec<u128>| {
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(0)
    };
    Ok(format!(
        "| {count} | {seconds:.1} s | {} µs | {} µs | {:.3} | {:.3} | {:.3} |",
        median(&mut exact_times),
        median(&mut near_times),
        share(found[0], NEAREST),
        share(found[1], NEAREST),
        share(found[2], CANDIDATES)
    ))
}

/// A linear congruential generator: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// A vector of length 1; the sum of three even numbers is about a bell.
    fn direction(&mut self, dim: usize) -> Vec<f32> {
        let numbers: Vec<f32> = (0..dim)
            .map(|_| self.next() + self.next() + self.next())
            .collect();
        let norm = numbers
            .iter()
            .map(|x| x * x)
            .sum::<f32>()
            .sqrt()
            .max(f32::MIN_POSITIVE);
        numbers.into_iter().map(|x| x / norm).collect()
    }
}
