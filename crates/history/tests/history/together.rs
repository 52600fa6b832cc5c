//! Files that change together, authors of folders, and earlier changes like a text.

use crate::support::{Place, scripted};

const SCRIPT: &str = "
    commit 1 ada@x Start
    + src/tax.rs 1
    + src/cart.rs 1
    + tests/tax.rs 1
    + docs/tax.md 1
    commit 2 ada@x Round taxes up
    + src/tax.rs 2
    + tests/tax.rs 2
    commit 3 bob@x Round taxes down again
    + src/tax.rs 3
    + tests/tax.rs 3
    + docs/tax.md 3
    commit 4 ada@x Describe the cart
    + docs/tax.md 4
    + src/cart.rs 4
    commit 5 ada@x Taxes of the cart
    + src/tax.rs 5
    + src/cart.rs 5
    commit 6 bob@x Test of rates
    + src/tax.rs 6
    + tests/tax.rs 6";

#[test]
fn what_usually_changes_with_a_file() {
    let place = Place::new();
    let history = scripted(&place, SCRIPT).history();
    let together = history.co_changed("src/tax.rs", 10);
    let told: Vec<_> = together
        .iter()
        .map(|other| (other.path.as_str(), other.support))
        .collect();
    assert_eq!(told, [("tests/tax.rs", 4)]);
    // Five commits changed it: four of them its tests, whose every commit changed it.
    assert!((together[0].confidence - 0.8).abs() < 1e-9);
    assert!((together[0].reverse - 1.0).abs() < 1e-9);
    assert_eq!(together[0].last, 1_000_000_000 + 6 * 86_400);
    assert!(history.co_changed("src/cart.rs", 10).is_empty());
    // A change of both has forgotten nothing; one of the tests and the cart has forgotten the rates.
    assert!(
        history
            .co_changed_with(&["src/tax.rs", "tests/tax.rs"], 10)
            .is_empty()
    );
    let forgotten = history.co_changed_with(&["tests/tax.rs", "src/cart.rs", "none"], 10);
    let told: Vec<_> = forgotten
        .iter()
        .map(|other| (&*other.path, &*other.with))
        .collect();
    assert_eq!(told, [("src/tax.rs", "tests/tax.rs")]);
    assert!((forgotten[0].confidence - 1.0).abs() < 1e-9);
    assert!(history.co_changed("no such file", 10).is_empty());
    let edges = history.co_changes(10);
    assert_eq!(edges.len(), 1);
    assert_eq!(
        (edges[0].a, edges[0].b, edges[0].support),
        ("src/tax.rs", "tests/tax.rs", 4)
    );
}

#[test]
fn commits_of_many_files_relate_none_of_them() {
    let place = Place::new();
    let files =
        |text: &str| -> String { (0..60).map(|nth| format!("+ f{nth} {text}\n")).collect() };
    let commits: Vec<String> = (1..=5)
        .map(|nth| {
            format!(
                "commit {nth} ada@x Format {nth}\n{}",
                files(&nth.to_string())
            )
        })
        .collect();
    let history = scripted(&place, &commits.join("")).history();
    assert!(history.co_changed("f0", 100).is_empty());
    assert!(history.co_changes(100).is_empty());
    assert_eq!(history.file("f0", 10).unwrap().n_commits, 5);
}

#[test]
fn authors_of_a_folder() {
    let place = Place::new();
    let history = scripted(&place, SCRIPT).history();
    let authors = |folder: &str| -> Vec<(String, usize)> {
        let shares = history.authors(folder, 10);
        shares
            .into_iter()
            .map(|author| (author.name, author.n_commits))
            .collect()
    };
    assert_eq!(authors(""), [("ada".to_owned(), 4), ("bob".to_owned(), 2)]);
    // As many each: the one whose last change is newer comes first.
    assert_eq!(
        authors("tests"),
        [("bob".to_owned(), 2), ("ada".to_owned(), 2)]
    );
    assert_eq!(authors("src/cart.rs"), [("ada".to_owned(), 3)]);
    assert!(authors("sr").is_empty());
    let share: f64 = history
        .authors("src/", 10)
        .iter()
        .map(|author| author.share)
        .sum();
    assert!((share - 1.0).abs() < 1e-9);
}

#[test]
fn earlier_changes_like_a_text() {
    let place = Place::new();
    let history = scripted(&place, SCRIPT).history();
    let similar = history.similar("Please: round the taxes again", 3);
    let subjects: Vec<&str> = similar.iter().map(|s| s.commit.subject.as_str()).collect();
    assert_eq!(
        subjects,
        [
            "Round taxes down again",
            "Round taxes up",
            "Taxes of the cart"
        ]
    );
    assert_eq!(similar[1].files, ["src/tax.rs", "tests/tax.rs"]);
    assert!(similar[0].score > 0.3 && similar[0].score <= 1.0);
    assert!(history.similar("", 3).is_empty());
    assert!(history.similar("zebra", 3).is_empty());
}
