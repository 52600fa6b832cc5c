//! Lines and their commits as `git blame` tells them.

use portolan_history::{Blame, BlameLimits, BlameLines, Oid, Progress, Repository};
use proptest::prelude::*;

use crate::random;
use crate::support::{Git, Place, scripted};

/// Commit and 1-based line there of each line.
fn told_by_git(git: &Git, path: &str) -> Vec<(String, u32)> {
    let text = git.run(&["blame", "--porcelain", "HEAD", "--", path]);
    let is_head = |line: &&str| {
        let hex = line.split(' ').next().unwrap_or_default();
        hex.len() == 40 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let line = |line: &str| {
        let mut words = line.split(' ');
        let commit = words.next().unwrap().to_owned();
        (commit, words.next().unwrap().parse().unwrap())
    };
    text.lines().filter(is_head).map(line).collect()
}

fn blamed(repository: &mut Repository, path: &str, limits: BlameLimits) -> BlameLines {
    let head = repository.head().unwrap();
    let mut blame = Blame::begin(repository, path, head, limits).unwrap();
    // In steps of few commits, as a page does.
    while blame.step(repository, 3).unwrap() == Progress::More {}
    blame.finish(repository).unwrap()
}

fn told_by_us(lines: &BlameLines) -> Vec<(String, u32)> {
    let line = |(commit, line): &(u32, u32)| {
        let commit = &lines.commits[*commit as usize];
        (commit.id.to_string(), line + 1)
    };
    lines.lines.iter().map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn lines_have_the_commits_of_git(steps in random::steps(30, false)) {
        let place = Place::new();
        let git = place.repository("random");
        git.import(&random::stream(&steps), true);
        let mut repository = git.open();
        for path in git.run(&["ls-tree", "-r", "--name-only", "HEAD"]).lines() {
            let lines = blamed(&mut repository, path, BlameLimits::default());
            prop_assert!(lines.commits.iter().all(|commit| !commit.is_boundary));
            prop_assert_eq!(told_by_us(&lines), told_by_git(&git, path), "{}", path);
        }
    }
}

#[test]
fn a_renamed_file_keeps_its_lines() {
    let place = Place::new();
    let git = scripted(
        &place,
        "commit 1 ada@x Start
         + tax.rs one|two|three|four|five
         commit 2 bob@x Move
         > tax.rs src/tax.rs
         commit 3 cleo@x Move and edit at once
         - src/tax.rs
         + money.rs one|two|three|four|5",
    );
    let lines = blamed(&mut git.open(), "money.rs", BlameLimits::default());
    assert_eq!(told_by_us(&lines), told_by_git(&git, "money.rs"));
    let told: Vec<_> = lines
        .commits
        .iter()
        .map(|c| (c.subject.as_str(), c.path.as_str()))
        .collect();
    assert_eq!(
        told,
        [("Move and edit at once", "money.rs"), ("Start", "tax.rs")]
    );
    assert_eq!(lines.commits[1].author.0, "ada");
}

#[test]
fn a_limit_ends_the_search() {
    let place = Place::new();
    let script: Vec<String> = (1..=9)
        .map(|nth| {
            let lines: Vec<String> = (1..=nth).map(|line| line.to_string()).collect();
            format!("commit {nth} ada@x Line {nth}\n+ a {}", lines.join("|"))
        })
        .collect();
    let git = scripted(&place, &script.join("\n"));
    let limits = BlameLimits {
        commits: 4,
        ..BlameLimits::default()
    };
    let lines = blamed(&mut git.open(), "a", limits);
    let told: Vec<_> = lines
        .commits
        .iter()
        .map(|c| (c.subject.as_str(), c.is_boundary))
        .collect();
    let newest = [
        ("Line 9", false),
        ("Line 8", false),
        ("Line 7", false),
        ("Line 6", false),
    ];
    assert_eq!(told, [&newest[..], &[("Line 5", true)]].concat());
    assert_eq!(
        lines
            .lines
            .iter()
            .filter(|(commit, _)| *commit == 4)
            .count(),
        5
    );
}

#[test]
fn what_cannot_be_blamed_says_why() {
    let place = Place::new();
    let git = scripted(&place, "commit 1 ada@x Start\n+ src/a x\n+ empty \n");
    let mut repository = git.open();
    let head = repository.head().unwrap();
    let mut code = |path: &str, at: Oid, bytes: usize| {
        let limits = BlameLimits {
            bytes,
            ..BlameLimits::default()
        };
        let begun = Blame::begin(&mut repository, path, at, limits);
        begun.map(|_| ()).map_err(|error| error.code())
    };
    assert_eq!(code("src/a", head, 100), Ok(()));
    assert_eq!(code("src/a", head, 1), Err("history.too-large"));
    for path in ["src", "src/b", "src/a/b", "", "/", "../a"] {
        assert_eq!(code(path, head, 100), Err("history.no-file"), "{path}");
    }
    assert_eq!(
        code("src/a", Oid([1; 20]), 100),
        Err("history.object-missing")
    );
}

#[test]
fn files_of_this_project() {
    let place = Place::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap();
    let git = Git {
        path: root.to_owned(),
        ..place.at("none")
    };
    // A package from a registry has no history, and a copy without parents none worth comparing.
    let Some(n_commits) = git.try_run(&["rev-list", "--count", "HEAD"]) else {
        return;
    };
    if n_commits.trim().parse().unwrap_or(0) < 20 {
        return;
    }
    let mut repository = git.open();
    let (mut n_lines, mut n_same) = (0, 0);
    for path in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "crates/source/src/rules.rs",
    ] {
        let lines = blamed(&mut repository, path, BlameLimits::default());
        let (ours, theirs) = (told_by_us(&lines), told_by_git(&git, path));
        assert_eq!(ours.len(), theirs.len(), "{path}");
        n_lines += ours.len();
        n_same += ours.iter().zip(&theirs).filter(|(a, b)| a.0 == b.0).count();
    }
    // Two lines that are alike may change places: git's search for differences is not ours to the last rule.
    assert!(n_same * 100 >= n_lines * 98, "{n_same} of {n_lines}");
}
