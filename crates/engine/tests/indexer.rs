//! Which files an indexer adds, and what a round finds out about them.
#![cfg(feature = "all-languages")]

use portolan_engine::{
    Differences, Engine, EngineConfig, Indexer, RoundKind, SkipReason, Stamp, read_file,
};
use source::SourceConfig;
use syntax::{ParseConfig, Parsers};

fn indexer(config: SourceConfig) -> Indexer {
    Indexer::new(Engine::new(EngineConfig::default()), config, Vec::new())
}

/// Adds a file as a host does, and parses it if necessary. Returns whether it was parsed.
fn add(indexer: &mut Indexer, path: &str, text: &str) -> bool {
    let admitted = indexer.add(path, text.as_bytes());
    admitted.is_some_and(|file| read(indexer, &file.path))
}

/// Parses a file that waits. Returns whether it was waiting.
fn read(indexer: &mut Indexer, path: &str) -> bool {
    let Some(text) = indexer.text_of(path).cloned() else {
        return false;
    };
    let unit = read_file(&mut Parsers::new(ParseConfig::default()), path, &text);
    indexer.put(path, unit).unwrap();
    true
}

fn built(indexer: &mut Indexer) -> Vec<String> {
    indexer.build(0.0, &mut ()).unwrap();
    indexer.engine().paths().map(str::to_owned).collect()
}

fn reason(indexer: &Indexer, path: &str) -> Option<&'static str> {
    let skipped = indexer.engine().skipped(path)?;
    Some(match skipped.reason {
        SkipReason::FileLimit { .. } => "limit",
        SkipReason::DuplicatePath => "duplicate",
        SkipReason::Noted { .. } => "noted",
        SkipReason::TooLarge { .. } => "large",
        _ => "other",
    })
}

/// An index of three files.
fn three() -> Indexer {
    let mut indexer = indexer(SourceConfig::default());
    for (path, text) in [
        ("a.py", "a = 1\n"),
        ("lib/b.py", "b = 2\n"),
        ("lib/c.py", "c = 3\n"),
    ] {
        assert!(add(&mut indexer, path, text));
    }
    assert_eq!(built(&mut indexer), ["a.py", "lib/b.py", "lib/c.py"]);
    indexer
}

fn changes(found: &Differences) -> String {
    let renamed = found.renamed.iter();
    let renamed: Vec<String> = renamed.map(|(from, to)| format!("{from} > {to}")).collect();
    format!(
        "added {:?} modified {:?} deleted {:?} renamed {renamed:?} unchanged {}",
        found.added, found.modified, found.deleted, found.n_unchanged
    )
}

#[test]
fn limits_and_second_paths_are_noted_with_their_reason() {
    let mut indexer = indexer(SourceConfig {
        max_files: 2,
        max_file_bytes: 20,
        ..SourceConfig::default()
    });
    assert!(add(&mut indexer, "a.py", "a = 1\n"));
    assert!(!add(&mut indexer, "./a.py", "a = 2\n"));
    assert!(!indexer.wants_file("large.py", 21));
    assert!(add(&mut indexer, "b.py", "b = 1\n"));
    assert!(!add(&mut indexer, "c.py", "c = 1\n"));
    assert_eq!(built(&mut indexer), ["a.py", "b.py"]);
    assert_eq!(reason(&indexer, "c.py"), Some("limit"));
    assert_eq!(reason(&indexer, "large.py"), Some("large"));
    assert_eq!(reason(&indexer, "./a.py"), Some("duplicate"));
}

#[test]
fn only_wanted_languages_are_taken_in() {
    let engine = Engine::new(EngineConfig::default());
    let mut indexer = Indexer::new(engine, SourceConfig::default(), vec!["python".to_owned()]);
    assert_eq!(indexer.unknown_language(), None);
    assert!(!add(&mut indexer, "a.ts", "let a = 1;\n"));
    assert!(add(&mut indexer, "a.py", "a = 1\n"));
    assert_eq!(reason(&indexer, "a.ts"), Some("noted"));
    let engine = Engine::new(EngineConfig::default());
    let other = Indexer::new(engine, SourceConfig::default(), vec!["klingon".to_owned()]);
    assert_eq!(other.unknown_language(), Some("klingon"));
}

#[test]
fn a_walk_finds_added_modified_deleted_and_renamed_files() {
    let mut indexer = three();
    indexer.begin_walk();
    assert!(!add(&mut indexer, "a.py", "a = 1\n"), "it is unchanged");
    assert!(indexer.add("lib/b.py", b"b = 20\n").is_some());
    assert!(indexer.add("moved/c.py", b"c = 3\n").is_some());
    assert!(indexer.add("new.py", b"n = 4\n").is_some());
    let found = indexer.end_round(RoundKind::Walk);
    assert_eq!(
        changes(&found),
        r#"added ["new.py"] modified ["lib/b.py"] deleted [] renamed ["lib/c.py > moved/c.py"] unchanged 1"#
    );
    assert!(indexer.text_of("moved/c.py").is_none(), "its unit is known");
    for path in ["lib/b.py", "new.py"] {
        assert!(read(&mut indexer, path));
    }
    assert_eq!(
        built(&mut indexer),
        ["a.py", "lib/b.py", "moved/c.py", "new.py"]
    );
    indexer.begin_walk();
    assert!(!add(&mut indexer, "a.py", "a = 1\n"));
    let found = indexer.end_round(RoundKind::Walk);
    assert_eq!(found.deleted, ["lib/b.py", "moved/c.py", "new.py"]);
    assert_eq!(built(&mut indexer), ["a.py"]);
}

#[test]
fn files_outside_a_list_of_changes_stay() {
    let mut indexer = three();
    indexer.begin_changes();
    indexer.remove_file("lib");
    assert!(indexer.add("new.py", b"n = 4\n").is_some());
    // A file of the folder that is there again.
    assert!(!add(&mut indexer, "lib/c.py", "c = 3\n"));
    let found = indexer.end_round(RoundKind::Changes);
    assert_eq!(
        changes(&found),
        r#"added ["new.py"] modified [] deleted ["lib/b.py"] renamed [] unchanged 2"#
    );
    assert!(read(&mut indexer, "new.py"));
    assert_eq!(built(&mut indexer), ["a.py", "lib/c.py", "new.py"]);
}

#[test]
fn a_file_that_is_left_out_during_a_round_goes() {
    let mut indexer = three();
    indexer.begin_changes();
    assert!(indexer.add("a.py", b"a = 10\n").is_some());
    let message = "its parser ended".to_owned();
    let code = "crash".to_owned();
    indexer.leave_out("a.py", SkipReason::Noted { code, message });
    assert!(indexer.wants_changed("lib/b.py", 6));
    assert!(!indexer.wants_changed("lib/b.py", u64::from(u32::MAX)));
    let found = indexer.end_round(RoundKind::Changes);
    assert_eq!(
        changes(&found),
        r#"added [] modified [] deleted ["a.py", "lib/b.py"] renamed [] unchanged 1"#
    );
    assert_eq!(built(&mut indexer), ["lib/c.py"]);
    assert_eq!(reason(&indexer, "a.py"), Some("noted"));
    assert_eq!(reason(&indexer, "lib/b.py"), Some("large"));
}

#[test]
fn stamps_and_recipes_say_what_need_not_be_read() {
    let mut indexer = indexer(SourceConfig::default());
    let stamp = Stamp {
        n_bytes: 6,
        modified: 7.0,
    };
    indexer.stamp("a.py", stamp);
    assert!(add(&mut indexer, "a.py", "a = 1\n"));
    indexer.set_recipe("plain");
    assert_eq!(built(&mut indexer), ["a.py"]);
    assert!(indexer.is_made_by("plain") && !indexer.is_made_by("fancy"));
    indexer.begin_walk();
    assert!(!indexer.is_stamped("a.py", Stamp::default()));
    assert!(indexer.is_stamped("a.py", stamp));
    assert!(!indexer.is_stamped("a.py", stamp), "once a round");
    let found = indexer.end_round(RoundKind::Walk);
    assert_eq!(found.n_unchanged, 1);
    assert_eq!(built(&mut indexer), ["a.py"]);
    assert_eq!(
        indexer
            .put("gone.py", Default::default())
            .unwrap_err()
            .code(),
        "file.not-found"
    );
}
