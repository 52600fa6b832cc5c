//! Reads the history of a folder and prints what it cost: `cargo run --release -p portolan-history --example log -- FOLDER [FILE [lines]]`.
//! With `lines` it prints the commit of each line of the file at the end.
#![expect(clippy::print_stdout, reason = "it is a program")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use portolan_history::{
    Blame, BlameLimits, Folder, History, Limits, ObjectFiles, Progress, Repository,
};

fn open(folder: &str, limits: Limits) -> Result<Repository, Box<dyn Error>> {
    let files: Box<dyn ObjectFiles> = Box::new(Folder::open(Path::new(folder), &[])?);
    Ok(Repository::open(files, limits)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("which folder?")?;
    let start = Instant::now();
    let mut repository = open(&folder, Limits::default())?;
    let history = History::read(&mut repository)?;
    let (n_commits, n_files) = (history.n_commits(), history.n_files());
    println!(
        "{n_commits} commits, {n_files} files: read in {:?}",
        start.elapsed()
    );
    println!("notes: {:?} {:?}", repository.notes(), history.notes());
    update(&folder, &history)?;
    let busiest = history.churn().max_by_key(|file| file.n_commits);
    let busiest = busiest.map(|file| file.path.to_owned());
    if let Some(path) = args.next().or(busiest) {
        ask(&history, &path);
        blame(&mut repository, &path, args.next().is_some())?;
    }
    Ok(())
}

/// Saves, opens and updates.
fn update(folder: &str, history: &History) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let saved = history.save()?;
    println!("saved: {} bytes in {:?}", saved.len(), start.elapsed());
    let start = Instant::now();
    let opened = History::open(&saved)?;
    println!(
        "opened in {:?}, the same: {}",
        start.elapsed(),
        opened == *history
    );
    let start = Instant::now();
    let updated = opened.updated(&mut open(folder, Limits::default())?)?;
    println!("updated without a new commit in {:?}", start.elapsed());
    // As if the newest commit had just been made.
    if let Some(before) = history.commits().nth(1) {
        let old = History::read_at(&mut open(folder, Limits::default())?, before.id)?;
        let start = Instant::now();
        let new = old.updated(&mut open(folder, Limits::default())?)?;
        println!(
            "updated in {:?}, the same: {}",
            start.elapsed(),
            new == updated
        );
    }
    Ok(())
}

/// Asks for what is derived from commits.
fn ask(history: &History, path: &str) {
    let start = Instant::now();
    let n_pairs = history.co_changes(20).len();
    println!(
        "{n_pairs} pairs change together, found in {:?}",
        start.elapsed()
    );
    let start = Instant::now();
    let n_similar = history
        .similar("memory leak when a client disconnects", 10)
        .len();
    println!("{n_similar} similar changes found in {:?}", start.elapsed());
    if let Some(file) = history.file(path, 1) {
        let (n, earlier) = (file.n_commits, file.earlier_paths);
        println!("{path}: {n} commits, before: {earlier:?}");
    }
    let start = Instant::now();
    for other in history.co_changed(path, 5) {
        println!(
            "{path} with {}: {} {:.2}",
            other.path, other.support, other.confidence
        );
    }
    println!("found in {:?}", start.elapsed());
}

/// Looks for the commits of all lines of a file.
fn blame(repository: &mut Repository, path: &str, with_lines: bool) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let head = repository.head()?;
    let mut blame = Blame::begin(repository, path, head, BlameLimits::default())?;
    let mut n_steps = 1;
    while blame.step(repository, 200)? == Progress::More {
        n_steps += 1;
    }
    let lines = blame.finish(repository)?;
    let (n_lines, n_commits) = (lines.lines.len(), lines.commits.len());
    let elapsed = start.elapsed();
    println!("{path}: {n_lines} lines of {n_commits} commits in {n_steps} steps and {elapsed:?}");
    for (commit, line) in lines.lines.iter().filter(|_| with_lines) {
        println!("{} {}", lines.commits[*commit as usize].id, line + 1);
    }
    Ok(())
}
