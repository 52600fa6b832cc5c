//! Random histories: branches, merges, edits, moved and deleted files, clocks that go wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

/// How a commit is made of earlier ones.
#[derive(Debug, Clone)]
pub struct Step {
    /// Parents, counted back from this commit; one that is too far back is the first commit.
    pub parents: Vec<usize>,
    pub edits: Vec<Edit>,
    pub seconds: i64,
    pub author: usize,
}

#[derive(Debug, Clone)]
pub enum Edit {
    /// Writes lines into a file, in place of as many others from a line on.
    Write(usize, usize, usize, usize),
    Delete(usize),
    Rename(usize, usize),
}

/// Paths that edits choose from.
const PATHS: [&str; 13] = [
    "a.rs",
    "b.rs",
    "src/a.rs",
    "src/c.rs",
    "src/deep/er/d.rs",
    "src/deep/e.rs",
    "src.rs",
    "lib/a.rs",
    "lib/f.rs",
    "lib/g",
    "x-1",
    "x/1",
    "x",
];

fn edit(with_moves: bool) -> BoxedStrategy<Edit> {
    let path = 0..PATHS.len();
    let write = (path.clone(), 0..30_usize, 0..4_usize, 0..4_usize)
        .prop_map(|(path, at, n_gone, n_new)| Edit::Write(path, at, n_gone, n_new));
    if !with_moves {
        return write.boxed();
    }
    let delete = path.clone().prop_map(Edit::Delete);
    let rename = (path.clone(), path).prop_map(|(old, new)| Edit::Rename(old, new));
    prop_oneof![6 => write, 1 => delete, 2 => rename].boxed()
}

pub fn steps(most: usize, with_moves: bool) -> impl Strategy<Value = Vec<Step>> {
    let parents = prop_oneof![
        6 => Just(vec![1]),
        1 => (1..8_usize).prop_map(|back| vec![back]),
        2 => prop::collection::vec(1..8_usize, 2..4),
    ];
    let edits = prop::collection::vec(edit(with_moves), 1..4);
    let step = (parents, edits, -50..400_i64, 0..4_usize);
    let step = step.prop_map(|(parents, edits, seconds, author)| Step {
        parents,
        edits,
        seconds,
        author,
    });
    prop::collection::vec(step, 2..most)
}

type Files = BTreeMap<&'static str, Vec<String>>;

/// Writes the stream for `git fast-import`; the commits are `:1` and following, the last of them is `main`.
pub fn stream(steps: &[Step]) -> String {
    let mut text = String::new();
    let mut commits: Vec<Files> = Vec::new();
    let mut time = 1_000_000_000;
    // Every line is written once in the whole history, so differences have one answer.
    let mut n_lines = 0;
    for (nth, step) in steps.iter().enumerate() {
        let mut parents: Vec<usize> = Vec::new();
        for back in &step.parents {
            let parent = nth.saturating_sub(*back);
            if nth > 0 && !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        let mut files = Files::new();
        for parent in &parents {
            for (path, lines) in &commits[*parent] {
                files.entry(path).or_insert_with(|| lines.clone());
            }
        }
        step.edits
            .iter()
            .for_each(|edit| apply(&mut files, edit, &mut n_lines));
        free_of_clashes(&mut files);
        time += step.seconds;
        let (name, mark) = (["Ada", "Bob", "Cleo", "Dan"][step.author], nth + 1);
        let who = format!("{name} <{}@example.com>", name.to_lowercase());
        let subject = format!("Change {mark}");
        let _ = write!(
            text,
            "commit refs/heads/main\nmark :{mark}\nauthor {who} {} +0100\ncommitter {who} {time} +0100\ndata {}\n{subject}\n",
            time - 7,
            subject.len()
        );
        for (at, parent) in parents.iter().enumerate() {
            let word = if at == 0 { "from" } else { "merge" };
            let _ = writeln!(text, "{word} :{}", parent + 1);
        }
        text.push_str("deleteall\n");
        for (path, lines) in &files {
            let contents: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let _ = write!(
                text,
                "M 100644 inline {path}\ndata {}\n{contents}\n",
                contents.len()
            );
        }
        commits.push(files);
    }
    text
}

fn apply(files: &mut Files, edit: &Edit, n_lines: &mut usize) {
    match *edit {
        Edit::Write(path, at, n_gone, n_new) => {
            let lines = files.entry(PATHS[path]).or_default();
            let start = at.min(lines.len());
            let end = (start + n_gone).min(lines.len());
            let new = (0..n_new + 1).map(|_| {
                *n_lines += 1;
                format!("line {n_lines}")
            });
            lines.splice(start..end, new);
        }
        Edit::Delete(path) => {
            files.remove(PATHS[path]);
        }
        Edit::Rename(old, new) => {
            if let Some(lines) = files.remove(PATHS[old]) {
                files.insert(PATHS[new], lines);
            }
        }
    }
}

/// A name is a file or a folder.
fn free_of_clashes(files: &mut Files) {
    let is_folder = |path: &str, files: &Files| {
        let prefix = format!("{path}/");
        files.keys().any(|other| other.starts_with(&prefix))
    };
    let clashes: Vec<&str> = files
        .keys()
        .copied()
        .filter(|path| is_folder(path, files))
        .collect();
    clashes.iter().for_each(|path| drop(files.remove(path)));
}
