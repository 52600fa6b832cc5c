//! Search by name, over any folder: asks for every name that one definition outside tests has, and counts how often the
//! first hit is in its file and is labelled with it.
//!
//! `names --data DIR,… [--words] [--verbose]`. Each DIR is a repository. `--words` leaves the vectors out, which takes
//! most of the time; `--verbose` lists every name that is answered otherwise, with the hit that came first.

mod ask;
mod unique;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use crate::flags::{Failure, Flags};
use ask::Asked;

/// Share of right answers that every repository should have.
const GOAL: f64 = 0.98;

/// Results of one repository.
struct Row {
    repository: String,
    n_names: usize,
    n_files: usize,
    n_labels: usize,
    micros: u128,
}

impl Row {
    fn share(&self, right: usize) -> f64 {
        right as f64 / self.n_names.max(1) as f64
    }
}

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let folders = flags.get("data").ok_or("--data DIR,… is missing")?;
    let mut index = ask::Indexer::new(!flags.has("words"))?;
    let mut rows = Vec::new();
    for folder in folders.split(',').filter(|folder| !folder.is_empty()) {
        let row = repository(&mut index, Path::new(folder), flags.has("verbose"))?;
        rows.extend(row);
    }
    print!("{}", table(&rows));
    Ok(())
}

/// Asks for every unique name of a repository; `None` where it has none.
fn repository(
    index: &mut ask::Indexer,
    folder: &Path,
    is_verbose: bool,
) -> Result<Option<Row>, Failure> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let reader = index.read(folder, &name)?;
    let names = unique::names(&reader);
    let mut row = Row {
        repository: name.into_owned(),
        n_names: names.len(),
        n_files: 0,
        n_labels: 0,
        micros: 0,
    };
    let mut others = String::new();
    for unique in &names {
        let vector = index.vector(&unique.name)?;
        let started = Instant::now();
        let asked = ask::first_hit(&reader, &unique.name, vector.as_deref())?;
        row.micros += started.elapsed().as_micros();
        let is_file = asked.as_ref().is_some_and(|hit| hit.file == unique.file);
        let is_label = asked
            .as_ref()
            .is_some_and(|hit| hit.symbol == Some(unique.symbol));
        row.n_files += usize::from(is_file);
        row.n_labels += usize::from(is_label);
        if is_verbose && !(is_file && is_label) {
            let _ = writeln!(others, "{}", difference(&reader, unique, asked.as_ref()));
        }
    }
    print!("{others}");
    Ok((row.n_names > 0).then_some(row))
}

/// A name, its place, and the hit that came first.
fn difference(reader: &engine::Reader, unique: &unique::Unique, hit: Option<&Asked>) -> String {
    let graph = reader.graph();
    let line = graph.node(unique.symbol).name_span.start_line + 1;
    let wanted = format!("{}:{line} {}", reader.path(unique.file), unique.name);
    let Some(hit) = hit else {
        return format!("  {wanted}: nothing found");
    };
    let label = hit.symbol.map(|symbol| graph.qualified_name(symbol));
    format!(
        "  {wanted}: {}:{}-{} {}",
        reader.path(hit.file),
        hit.start_line + 1,
        hit.end_line + 1,
        label.as_deref().unwrap_or("no label")
    )
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| repository | names | first hit in the right file | labelled with the name | query |\n|---|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} % | {:.1} % | {} µs |",
            row.repository,
            row.n_names,
            row.share(row.n_files) * 100.0,
            row.share(row.n_labels) * 100.0,
            row.micros / row.n_names.max(1) as u128
        );
    }
    let below: Vec<&str> = rows
        .iter()
        .filter(|row| row.share(row.n_files).min(row.share(row.n_labels)) < GOAL)
        .map(|row| row.repository.as_str())
        .collect();
    let _ = match below.as_slice() {
        [] => writeln!(text, "\nEvery repository reaches {:.0} %.", GOAL * 100.0),
        below => writeln!(text, "\nBelow {:.0} %: {}.", GOAL * 100.0, below.join(", ")),
    };
    text
}
