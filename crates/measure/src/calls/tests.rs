use std::path::PathBuf;

use super::score::Share;
use super::*;

const SOURCE: &str = "\
def right
end

def wrong
end

def helper(text)
  right
  text.wrong
  # größe
  right.upcase
end
";

/// A repository of one file with its judged calls, in a folder of its own.
fn sample(name: &str, calls: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("portolan-calls-{name}-{}", std::process::id()));
    std::fs::create_dir_all(root.join("data/one")).expect("a folder");
    std::fs::write(root.join("data/one/a.rb"), SOURCE).expect("a file");
    let repositories = "language\tname\thome\trevision\nruby\tone\tsomeone/one\tabc\n";
    std::fs::write(root.join("repositories.tsv"), repositories).expect("a table");
    let head = "repository\tfile\tline\tcolumn\tname\ttargets\n";
    std::fs::write(root.join("ruby.tsv"), format!("{head}{calls}")).expect("a table");
    root
}

fn scored(name: &str, calls: &str) -> Result<(Score, Vec<String>), String> {
    let root = sample(name, calls);
    let repository = truth::repositories(&root).expect("repositories").remove(0);
    let result = truth::calls(&root, &repository)
        .and_then(|calls| score_of(&repository, &root.join("data/one"), &calls))
        .map_err(|error| error.to_string());
    std::fs::remove_dir_all(&root).expect("removed");
    result
}

fn call(targets: &[(&str, u32)]) -> Call {
    Call {
        place: place("a.rb", 8),
        column: 1,
        name: "right".to_owned(),
        targets: targets
            .iter()
            .map(|(file, line)| place(file, *line))
            .collect(),
    }
}

fn place(file: &str, line: u32) -> Place {
    Place {
        file: file.to_owned(),
        line,
    }
}

fn answer(file: &str, line: u32, name: &str) -> Answer {
    Answer {
        place: place(file, line),
        name: name.to_owned(),
        of: None,
        overloads: vec![place(file, 7), place(file, line)],
        rule: "same-file 95".to_owned(),
    }
}

#[test]
fn every_grade() {
    let inside = call(&[("a.rb", 1)]);
    let outside = call(&[]);
    let cases = [
        (&inside, Some(answer("a.rb", 1, "right")), Grade::Exact),
        (
            &call(&[("a.rb", 7)]),
            Some(answer("a.rb", 1, "right")),
            Grade::Overload,
        ),
        (&inside, Some(answer("a.rb", 7, "right")), Grade::Wrong),
        (&inside, Some(answer("a.rb", 4, "wrong")), Grade::Wrong),
        (&inside, Some(answer("b.rb", 1, "right")), Grade::Wrong),
        (&inside, None, Grade::Missed),
        (&outside, Some(answer("a.rb", 1, "right")), Grade::Invented),
        (&outside, None, Grade::Silent),
    ];
    for (call, answer, expected) in cases {
        assert_eq!(grade(call, answer.as_ref()), expected, "{answer:?}");
    }
}

#[test]
fn a_constructor_and_its_type_are_one() {
    let made = Answer {
        of: Some(place("a.rb", 1)),
        ..answer("a.rb", 2, "initialize")
    };
    assert_eq!(grade(&call(&[("a.rb", 1)]), Some(&made)), Grade::Exact);
    assert_eq!(grade(&call(&[("a.rb", 2)]), Some(&made)), Grade::Exact);
    assert_eq!(grade(&call(&[("a.rb", 7)]), Some(&made)), Grade::Overload);
    assert_eq!(grade(&call(&[("a.rb", 9)]), Some(&made)), Grade::Wrong);
    assert_eq!(grade(&call(&[("b.rb", 1)]), Some(&made)), Grade::Wrong);
}

#[test]
fn precision_and_recall_count_what_they_say() {
    let mut score = Score::default();
    for (grade, times) in [
        (Grade::Exact, 6),
        (Grade::Overload, 2),
        (Grade::Wrong, 1),
        (Grade::Invented, 1),
        (Grade::Missed, 2),
        (Grade::Silent, 5),
    ] {
        (0..times).for_each(|_| score.count(grade));
    }
    assert_eq!(score.precision(), Share { part: 8, of: 10 });
    assert_eq!(score.recall(), Share { part: 8, of: 11 });
    let scores = BTreeMap::from([("ruby".to_owned(), (score, vec!["one".to_owned()]))]);
    let row = score::table(&scores).lines().last().map(str::to_owned);
    let expected = "| ruby | `one` | 17 | 11 | 80.0 (49.0–94.3) | 72.7 (43.4–90.3) | 76.2 (52.4–90.3) | 75.0 |";
    assert_eq!(row.as_deref(), Some(expected));
}

#[test]
fn the_range_of_a_full_share_stays_below_one_case() {
    let (low, high) = Share { part: 100, of: 100 }.range();
    assert!((low - 0.963).abs() < 0.0005, "{low}");
    assert!((high - 1.0).abs() < 1e-9, "{high}");
    assert_eq!(Share { part: 0, of: 0 }.range(), (0.0, 1.0));
}

#[test]
fn calls_are_scored_against_the_graph() {
    let calls =
        "one\ta.rb\t11\t3\tright\ta.rb:1\none\ta.rb\t11\t9\tupcase\t-\nother\tb.rb\t1\t1\tx\t-\n";
    let (score, wrong) = scored("graph", calls).expect("a score");
    assert_eq!(score.precision(), Share { part: 1, of: 1 }, "{wrong:?}");
    assert_eq!(score.recall(), Share { part: 1, of: 1 }, "{wrong:?}");
    let (score, wrong) =
        scored("wrong", "one\ta.rb\t11\t3\tright\ta.rb:4;b.rb:1\n").expect("a score");
    assert_eq!(score.recall().of, 1);
    let [line] = &wrong[..] else {
        panic!("{wrong:?}")
    };
    assert!(
        line.contains("right is a.rb:4 or b.rb:1, answered a.rb:1"),
        "{line}"
    );
}

#[test]
fn another_revision_is_refused() {
    let why = scored("moved", "one\ta.rb\t2\t1\tright\t-\n").expect_err("no such call");
    assert!(
        why.contains("a.rb:2 has no right there; check out revision abc"),
        "{why}"
    );
    let why = scored("broken", "one\ta.rb\ttwo\t1\tright\t-\n").expect_err("no number");
    assert!(why.contains("ruby.tsv:2: not a row"), "{why}");
}

#[test]
fn an_absent_repository_says_how_to_get_it() {
    let root = sample("absent", "");
    let repository = truth::repositories(&root).expect("repositories").remove(0);
    std::fs::remove_dir_all(&root).expect("removed");
    let line = repository.fetched_by();
    assert!(
        line.ends_with("someone/one DIR/one && git -C DIR/one checkout abc"),
        "{line}"
    );
}
