//! Commits and their files as `git log` tells them, and updates that are as good as a new start.

use std::collections::{BTreeMap, BTreeSet};

use portolan_history::{History, Limits, Note};
use proptest::prelude::*;

use crate::random;
use crate::support::{Git, Place, scripted};

/// A commit as git tells it: subject, author, times, and files unless it is a merge.
type Told = (String, String, i64, i64, BTreeSet<String>);

fn told_by_git(git: &Git) -> BTreeMap<String, Told> {
    let format = "--format=%x01%H%x09%s%x09%an <%ae>%x09%at%x09%ct";
    let text = git.run(&["log", "--no-renames", "--name-only", "--root", format]);
    let commit = |part: &str| {
        let (head, files) = part.split_once('\n').unwrap_or((part, ""));
        let fields: Vec<&str> = head.split('\t').collect();
        let files = files
            .lines()
            .filter(|line| !line.is_empty())
            .map(str::to_owned);
        let number = |nth: usize| fields[nth].parse().unwrap();
        let told = (
            fields[1].to_owned(),
            fields[2].to_owned(),
            number(3),
            number(4),
            files.collect(),
        );
        (fields[0].to_owned(), told)
    };
    text.split('\u{1}').skip(1).map(commit).collect()
}

fn told_by_us(history: &History) -> BTreeMap<String, Told> {
    let commits = history.commits().enumerate().map(|(nth, commit)| {
        let (name, address) = &commit.author;
        let files = history.files_of(nth).map(str::to_owned).collect();
        let author = format!("{name} <{address}>");
        let told = (
            commit.subject,
            author,
            commit.authored,
            commit.committed,
            files,
        );
        (commit.id.to_string(), told)
    });
    commits.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn commits_and_files_are_those_of_git(steps in random::steps(40, false), as_pack: bool, deltas: bool, by_name: bool) {
        let place = Place::new();
        let git = place.repository("random");
        git.import(&random::stream(&steps), as_pack);
        if deltas {
            // Deltas name their base by its place or by its name.
            let form = format!("repack.useDeltaBaseOffset={}", !by_name);
            git.run(&["-c", &form, "repack", "-adfq", "--depth=50"]);
            git.run(&["pack-refs", "--all"]);
        }
        let history = git.history();
        prop_assert_eq!(told_by_us(&history), told_by_git(&git));
        prop_assert_eq!(history.notes(), []);
        let files = git.run(&["ls-tree", "-r", "--name-only", "HEAD"]);
        let churn: Vec<&str> = history.churn().map(|file| file.path).collect();
        let mut expected: Vec<&str> = files.lines().collect();
        expected.sort_unstable();
        prop_assert_eq!(churn, expected);
    }

    #[test]
    fn an_update_is_as_good_as_a_new_start(
        steps in random::steps(40, true),
        heads in prop::collection::vec(0..40_usize, 1..6),
        most in 1..50_usize,
    ) {
        let place = Place::new();
        let git = place.repository("random");
        git.import(&random::stream(&steps), true);
        let ids = git.run(&["rev-list", "--all", "--topo-order", "--reverse"]);
        let ids: Vec<&str> = ids.lines().collect();
        let limits = Limits { commits: most, ..Limits::default() };
        let mut kept: Option<History> = None;
        for head in heads {
            git.set("main", ids[head % ids.len()]);
            let fresh = History::read(&mut git.open_within(limits)).unwrap();
            let updated = match &kept {
                Some(history) => history.updated(&mut git.open_within(limits)).unwrap(),
                None => fresh.clone(),
            };
            prop_assert_eq!(&updated, &fresh);
            let saved = updated.save().unwrap();
            prop_assert_eq!(&saved, &fresh.save().unwrap());
            kept = Some(History::open(&saved).unwrap());
        }
    }
}

#[test]
fn a_file_keeps_its_history_when_it_moves() {
    let place = Place::new();
    let git = scripted(
        &place,
        "commit 1 ada@x Start
         + tax.rs one|two|three
         + main.rs main
         commit 2 bob@x Edit
         + tax.rs one|2|three
         commit 3 ada@x Move
         > tax.rs src/money/tax.rs
         commit 4 ADA@X Edit again
         + src/money/tax.rs one|2|3
         commit 5 cleo@x Another one under the old name
         + tax.rs new
         commit 6 bob@x Move and edit at once
         - src/money/tax.rs
         + lib/tax.rs four",
    );
    let history = git.history();
    let file = history.file("lib/tax.rs", 10).unwrap();
    let subjects: Vec<&str> = file
        .commits
        .iter()
        .map(|commit| commit.subject.as_str())
        .collect();
    assert_eq!(
        subjects,
        [
            "Move and edit at once",
            "Edit again",
            "Move",
            "Edit",
            "Start"
        ]
    );
    assert_eq!(file.earlier_paths, ["src/money/tax.rs", "tax.rs"]);
    assert_eq!(file.added, Some(1_000_000_000 + 86_400));
    // Addresses that differ in case are the same person; the newest spelling is reported.
    let authors: Vec<_> = file
        .authors
        .iter()
        .map(|a| (a.address.as_str(), a.n_commits))
        .collect();
    assert_eq!(authors, [("ADA@X", 3), ("bob@x", 2)]);
    let new = history.file("tax.rs", 10).unwrap();
    assert_eq!(new.n_commits, 1);
    assert!(history.file("src/money/tax.rs", 10).is_none());
}

#[test]
fn an_old_name_on_a_branch_belongs_to_the_file_of_today() {
    let place = Place::new();
    let git = scripted(
        &place,
        "commit 1 ada@x Start
         + tax.rs one|two
         commit 2 ada@x Move
         > tax.rs money.rs
         commit 3 bob@x Edit on a branch that does not know it yet
         from 1
         + tax.rs one|2
         commit 4 ada@x Merge
         from 2 3
         - tax.rs
         + money.rs one|2",
    );
    let file = git.history().file("money.rs", 10).unwrap();
    assert_eq!(file.n_commits, 3);
    assert_eq!(file.earlier_paths, ["tax.rs"]);
}

#[test]
fn limits_shorten_and_say_so() {
    let place = Place::new();
    let script: Vec<String> = (1..=20)
        .map(|nth| format!("commit {nth} ada@x Change {nth}\n+ a{nth} x\n+ b{nth} y\n+ c y{nth}"))
        .collect();
    let git = scripted(&place, &script.join("\n"));
    let read = |limits: Limits| History::read(&mut git.open_within(limits)).unwrap();
    let of = |history: &History| (history.n_commits(), history.notes());
    let usual = Limits::default();
    let few = read(Limits {
        commits: 5,
        ..usual
    });
    assert_eq!(of(&few), (5, vec![Note::OlderCommits]));
    let changes = read(Limits {
        changes: 10,
        ..usual
    });
    assert_eq!(of(&changes), (3, vec![Note::Limit("changes")]));
    let many = read(Limits {
        files_per_commit: 2,
        ..usual
    });
    assert_eq!(of(&many), (20, vec![]));
    assert_eq!(many.files_of(0).count(), 0);
    let files = read(Limits { files: 30, ..usual });
    assert_eq!(of(&files), (20, vec![Note::Limit("files")]));
    let work = read(Limits {
        work_bytes: 60_000,
        ..usual
    });
    assert!(
        work.notes().contains(&Note::Limit("work")),
        "{:?}",
        of(&work)
    );
}

#[test]
fn nobody_is_named_in_what_is_shared() {
    let place = Place::new();
    let git = scripted(
        &place,
        "commit 1 ada@x Secret subject
         + a x
         commit 2 bob@x Other
         + a y",
    );
    let shared = git.history().without_people();
    let file = shared.file("a", 10).unwrap();
    assert_eq!(file.authors.len(), 2);
    let bytes = shared.save().unwrap();
    for word in ["ada", "bob", "Secret", "Other"] {
        let word = word.as_bytes();
        assert!(!bytes.windows(word.len()).any(|part| part == word));
    }
}
