//! The judged calls: `repositories.tsv` and a table for each language.

use std::fmt;
use std::path::Path;

use crate::flags::Failure;

/// A repository of the sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    pub(super) language: String,
    pub(super) name: String,
    /// Owner and name on GitHub.
    pub(super) home: String,
    pub(super) revision: String,
}

impl Repository {
    /// How to get it, as a person types it.
    pub(super) fn fetched_by(&self) -> String {
        let Repository {
            name,
            home,
            revision,
            ..
        } = self;
        format!(
            "{name}: git clone https://github.com/{home} DIR/{name} && git -C DIR/{name} checkout {revision}"
        )
    }
}

/// A line of a file, 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A call and the definitions that it may mean, none for a call that leaves the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) place: Place,
    /// In characters, 1-based.
    pub(super) column: usize,
    pub(super) name: String,
    pub(super) targets: Vec<Place>,
}

impl Call {
    /// Byte of the name in a file's text; none where the text does not have it there.
    pub(super) fn offset_in(&self, text: &str) -> Option<u32> {
        let line = (self.place.line as usize).checked_sub(1)?;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let rest = text.get(start..)?;
        let (within, _) = rest.char_indices().nth(self.column.checked_sub(1)?)?;
        let is_there = rest[within..].starts_with(&self.name);
        is_there.then_some((start + within) as u32)
    }
}

/// Reads `repositories.tsv`: language, name, home, revision.
pub(super) fn repositories(folder: &Path) -> Result<Vec<Repository>, Failure> {
    rows(&folder.join("repositories.tsv"), |row| {
        let [language, name, home, revision] = row else {
            return None;
        };
        Some(Repository {
            language: (*language).to_owned(),
            name: (*name).to_owned(),
            home: (*home).to_owned(),
            revision: (*revision).to_owned(),
        })
    })
}

/// Reads the judged calls of a repository: repository, file, line, column, name, targets.
pub(super) fn calls(folder: &Path, repository: &Repository) -> Result<Vec<Call>, Failure> {
    let path = folder.join(format!("{}.tsv", repository.language));
    let all = rows(&path, |row| {
        let [of, file, line, column, name, targets] = row else {
            return None;
        };
        let targets = match *targets {
            "-" => Vec::new(),
            list => list.split(';').map(place).collect::<Option<_>>()?,
        };
        let call = Call {
            place: Place {
                file: (*file).to_owned(),
                line: line.parse().ok()?,
            },
            column: column.parse().ok()?,
            name: (*name).to_owned(),
            targets,
        };
        Some(((*of).to_owned(), call))
    })?;
    let calls = all.into_iter().filter(|(of, _)| *of == repository.name);
    Ok(calls.map(|(_, call)| call).collect())
}

fn place(text: &str) -> Option<Place> {
    let (file, line) = text.rsplit_once(':')?;
    Some(Place {
        file: file.to_owned(),
        line: line.parse().ok()?,
    })
}

/// Every row after the head, read by `read`; a row that it refuses is an error with its number.
fn rows<T>(path: &Path, read: impl Fn(&[&str]) -> Option<T>) -> Result<Vec<T>, Failure> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut out = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let row = read(&fields)
            .ok_or_else(|| format!("{}:{}: not a row of this table", path.display(), number + 1))?;
        out.push(row);
    }
    Ok(out)
}
