//! The repositories that benches run over: other people's code, never part of this one.

use std::path::{Path, PathBuf};

use crate::shell::Result;

/// One checked-out repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// `set/name`, as in `graph/hono`; or the folder's own name.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

/// Are there any repositories in these folders? If not, the error says how to get them.
pub fn check(data: &[&str]) -> Result<()> {
    if !repositories(data).is_empty() {
        return Ok(());
    }
    let what = if data.is_empty() {
        "benches need repositories: --data DIR".to_owned()
    } else {
        format!("no repositories in {}", data.join(" and "))
    };
    Err(format!(
        "{what}\n\n\
         DIR holds DIR/SET/NAME, one folder a repository, at the revisions that tests/relevance/repositories.tsv pins\n\
         (columns: set, name, repository, revision, path). For each line:\n\n    \
         git clone https://github.com/REPOSITORY DIR/SET/NAME && git -C DIR/SET/NAME checkout REVISION\n\n\
         Where the last column names a path, only that folder belongs to the set: delete the rest."
    ))
}

/// All repositories in the folders `data`, sorted by name. A folder may hold sets (`graph/`, `retrieval/`) or
/// repositories, or be one.
pub fn repositories(data: &[&str]) -> Vec<Repository> {
    let mut found: Vec<_> = data
        .iter()
        .flat_map(|dir| in_folder(Path::new(dir)))
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.dedup();
    found
}

fn in_folder(dir: &Path) -> Vec<Repository> {
    let sets = ["graph", "retrieval"];
    let present: Vec<_> = sets
        .into_iter()
        .filter(|set| dir.join(set).is_dir())
        .collect();
    if present.is_empty() {
        return of_set(dir, None);
    }
    present
        .into_iter()
        .flat_map(|set| of_set(&dir.join(set), Some(set)))
        .collect()
}

fn of_set(dir: &Path, set: Option<&str>) -> Vec<Repository> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let name_of = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let folders = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    let named = |path: PathBuf| {
        let name = name_of(&path);
        Repository {
            name: set.map_or_else(|| name.clone(), |set| format!("{set}/{name}")),
            path,
        }
    };
    folders.map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_plain_folders() {
        let root = std::env::temp_dir().join(format!("portolan-data-{}", std::process::id()));
        for folder in ["graph/b", "retrieval/a", "other/c"] {
            std::fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        let names = |dir: &Path| -> Vec<String> {
            repositories(&[&dir.to_string_lossy()])
                .into_iter()
                .map(|repository| repository.name)
                .collect()
        };
        let (sets, plain) = (names(&root), names(&root.join("other")));
        std::fs::remove_dir_all(&root).expect("the folder of the test");
        assert_eq!(sets, ["graph/b", "retrieval/a"]);
        assert_eq!(plain, ["c"]);
    }

    #[test]
    fn without_data_the_way_to_get_it_is_told() {
        let why = check(&["/nowhere"]).expect_err("there is nothing");
        assert!(
            why.contains("git clone") && why.contains("repositories.tsv"),
            "{why}"
        );
    }
}
