//! Two commits compared as `git diff-tree` compares them, and the commits where branches parted as `git merge-base` names them.

use portolan_history::Repository;
use proptest::prelude::*;

use crate::random;
use crate::support::{Git, Place, scripted};

/// Paths with the objects on both sides, as git prints them.
fn told_by_git(git: &Git, old: &str, new: &str) -> Vec<String> {
    let text = git.run(&["diff-tree", "-r", "--no-renames", "--no-abbrev", old, new]);
    let line = |line: &str| {
        let fields: Vec<&str> = line.split([' ', '\t']).collect();
        format!("{} {} {}", fields[5], fields[2], fields[3])
    };
    let mut lines: Vec<String> = text.lines().map(line).collect();
    lines.sort();
    lines
}

fn told_by_us(repository: &mut Repository, old: &str, new: &str) -> Vec<String> {
    let (old, new) = (
        repository.resolve(old).unwrap(),
        repository.resolve(new).unwrap(),
    );
    let found = repository.compare(Some(old), new, 1_000).unwrap();
    assert!(!found.is_cut);
    let name = |oid: Option<_>| {
        oid.map_or_else(
            || "0".repeat(40),
            |oid: portolan_history::Oid| oid.to_string(),
        )
    };
    let files = found.files.iter();
    let mut lines: Vec<String> = files
        .map(|file| format!("{} {} {}", file.path, name(file.old), name(file.new)))
        .collect();
    lines.sort();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn files_and_common_commits_are_those_of_git(steps in random::steps(24, false), one in 0..24_usize, other in 0..24_usize) {
        let place = Place::new();
        let git = place.repository("random");
        git.import(&random::stream(&steps), true);
        let commits = git.run(&["rev-list", "--all"]);
        let commits: Vec<&str> = commits.lines().collect();
        let (one, other) = (commits[one % commits.len()], commits[other % commits.len()]);
        let mut repository = git.open();
        prop_assert_eq!(told_by_us(&mut repository, one, other), told_by_git(&git, one, other));
        let (first, second) = (repository.resolve(one).unwrap(), repository.resolve(other).unwrap());
        let common = repository.common(first, second).unwrap().map(|oid| oid.to_string());
        // Clocks go wrong here, so it is one of the common commits, not always a best one.
        match git.try_run(&["merge-base", one, other]) {
            None => prop_assert_eq!(common, None),
            Some(_) => {
                let common = common.expect("both have a commit behind them");
                for commit in [one, other] {
                    prop_assert!(git.try_run(&["merge-base", "--is-ancestor", &common, commit]).is_some());
                }
            }
        }
    }
}

#[test]
fn branches_part_at_the_newest_common_commit() {
    let place = Place::new();
    let git = scripted(
        &place,
        "commit 1 ada@x One
         + a.rs one
         commit 2 ada@x Two
         + b.rs two
         commit 3 ada@x On the branch
         + a.rs branch
         commit 4 ada@x On main
         from 2
         + b.rs main",
    );
    let main = git.run(&["rev-parse", "main"]);
    let base = git.run(&["rev-parse", "main~1"]);
    // The stream leaves the branch's commit without a name: "dangling commit …".
    let dangling = git.run(&["fsck", "--lost-found"]);
    let branch = dangling.split_whitespace().last().unwrap_or_default();
    let mut repository = git.open();
    let (first, second) = (
        repository.resolve(main.trim()).unwrap(),
        repository.resolve(branch).unwrap(),
    );
    let common = repository.common(first, second).unwrap();
    assert_eq!(
        common.map(|oid| oid.to_string()).as_deref(),
        Some(base.trim())
    );
    let found = repository.compare(common, second, 10).unwrap();
    let paths: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a.rs"]);
    let text = |oid: Option<_>, repository: &mut Repository| {
        let bytes = repository.contents(oid.unwrap()).unwrap().unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(text(found.files[0].old, &mut repository), "one\n");
    assert_eq!(text(found.files[0].new, &mut repository), "branch\n");
    assert_eq!(
        repository.file_at(second, "a.rs").unwrap(),
        found.files[0].new
    );
    assert_eq!(repository.file_at(second, "a.rs/b").unwrap(), None);
    let found = repository.compare(Some(first), second, 1).unwrap();
    assert!(found.is_cut, "two files differ, and one was asked for");
    assert_eq!(repository.parent(second).unwrap(), common);
    let root = git.run(&["rev-parse", "main~2"]);
    let root = repository.resolve(root.trim()).unwrap();
    assert_eq!(repository.parent(root).unwrap(), None);
    let found = repository.compare(None, root, 10).unwrap();
    assert_eq!(found.files.len(), 1);
    assert_eq!(found.files[0].old, None);
}

#[test]
fn histories_without_a_common_commit_have_none() {
    let place = Place::new();
    let git = place.repository("two");
    for name in ["one", "two"] {
        git.run(&["checkout", "--quiet", "--orphan", name]);
        git.run(&["commit", "--quiet", "--allow-empty", "-m", name]);
    }
    let mut repository = git.open();
    let (one, two) = (
        repository.resolve("one").unwrap(),
        repository.resolve("two").unwrap(),
    );
    assert_ne!(one, two);
    assert_eq!(repository.common(one, two).unwrap(), None);
}
