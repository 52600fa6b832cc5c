//! An updated index equals one built from scratch, byte for byte, whatever changes came in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Engine, EngineConfig, Snapshot};
use proptest::prelude::*;
use source::{FileSet, SourceConfig};
use syntax::Parsers;

use crate::support::{bytes_of, embed, index, parsers, unit};

const PATHS: [&str; 12] = [
    "a.py",
    "pkg/b.py",
    "pkg/__init__.py",
    "web/c.ts",
    "README.md",
    "pkg/deep/b.py",
    "web/d.ts",
    "b.py",
    "z/notes.txt",
    "pyproject.toml",
    "src/ship.c",
    "src/dock.c",
];
const TEXTS: [&str; 12] = [
    "from pkg.b import helper\n\ndef run():\n    return helper(1)\n",
    "def helper(n):\n    \"\"\"Adds one.\"\"\"\n    return n + 1\n",
    "from .b import helper\n",
    "export class Cart {\n  add() { return helper(); }\n}\nfunction helper() {}\n",
    "# Title\n\nText about carts.\n",
    "",
    "from pkg.b import helper\n\nclass Shop:\n    def run(self):\n        return self.sell(helper(2))\n\n    def sell(self, n):\n        return n\n",
    "import { Cart } from \"./c\";\nexport class Basket extends Cart {\n  fill() { return this.add(); }\n}\n",
    "from a import Shop\n\nclass Corner(Shop):\n    def sell(self, n):\n        return helper(n)\n\ndef helper(n): return n\n",
    "[project]\nname = \"harbour\"\n",
    "struct ship { int length; };\nint measure(struct ship *s)\n{\n    return s->length;\n}\n",
    "struct ship;\nint measure(struct ship *s);\nint dock(struct ship *s)\n{\n    return measure(s);\n}\n",
];

/// Changes that a user makes between two updates.
#[derive(Debug, Clone)]
enum Edit {
    Write {
        path: usize,
        text: usize,
    },
    /// Another line at the top.
    Shift {
        path: usize,
    },
    /// Another use of a name within a function.
    Call {
        path: usize,
    },
    /// A variable within a function of C.
    Local {
        path: usize,
    },
    Delete {
        path: usize,
    },
    Rename {
        from: usize,
        to: usize,
    },
    Update,
    Save {
        lazily: bool,
    },
    Embed,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        4 => (0..PATHS.len(), 0..TEXTS.len()).prop_map(|(path, text)| Edit::Write { path, text }),
        3 => (0..PATHS.len()).prop_map(|path| Edit::Shift { path }),
        3 => (0..PATHS.len()).prop_map(|path| Edit::Call { path }),
        2 => (10..PATHS.len()).prop_map(|path| Edit::Local { path }),
        2 => (0..PATHS.len()).prop_map(|path| Edit::Delete { path }),
        1 => (0..PATHS.len(), 0..PATHS.len()).prop_map(|(from, to)| Edit::Rename { from, to }),
        6 => Just(Edit::Update),
        2 => any::<bool>().prop_map(|lazily| Edit::Save { lazily }),
        1 => Just(Edit::Embed),
    ];
    proptest::collection::vec(edit, 1..24)
}

fn config() -> EngineConfig {
    EngineConfig {
        name: "edits".to_owned(),
        ..EngineConfig::default()
    }
}

/// An engine of the saved index; `lazily` reads its sections from the file when they are needed.
fn saved_and_opened(engine: &Engine, lazily: bool) -> Engine {
    let built = engine.build(0.0).expect("a snapshot");
    let bytes = built.to_bytes().unwrap();
    let opened = if lazily {
        let mut file = rkyv::util::AlignedVec::<16>::new();
        file.extend_from_slice(bytes);
        Snapshot::open_lazily(file)
    } else {
        Snapshot::open(bytes)
    };
    Engine::reopen(Arc::new(opened.expect("it opens"))).expect("an engine")
}

/// Every file of the list with one of the texts, so that one edit is a small change.
fn start() -> BTreeMap<&'static str, String> {
    let texts = TEXTS.iter().cycle().map(|text| (*text).to_owned());
    PATHS.iter().copied().zip(texts).collect()
}

fn anew(files: &BTreeMap<&str, String>, parsers: &mut Parsers) -> Engine {
    let mut engine = Engine::new(config());
    for (path, text) in files {
        engine.put(path, text.as_str(), unit(parsers, path, text));
    }
    engine
}

fn write(
    engine: &mut Engine,
    files: &mut BTreeMap<&'static str, String>,
    parsers: &mut Parsers,
    path: &'static str,
    text: String,
) {
    engine.put(path, text.as_str(), unit(parsers, path, &text));
    files.insert(path, text);
}

fn bytes_of_embedded(engine: &mut Engine) -> Vec<u8> {
    embed(engine);
    engine
        .build(1.0)
        .expect("a snapshot")
        .to_bytes()
        .unwrap()
        .to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn updated_equals_built_anew(edits in edits()) {
        let mut parsers = parsers();
        let mut files = start();
        let mut engine = anew(&files, &mut parsers);
        for edit in edits {
            match edit {
                Edit::Write { path, text } => {
                    write(&mut engine, &mut files, &mut parsers, PATHS[path], TEXTS[text].to_owned());
                }
                Edit::Shift { path } => {
                    if let Some(text) = files.get(PATHS[path]) {
                        let text = format!("\n{text}");
                        write(&mut engine, &mut files, &mut parsers, PATHS[path], text);
                    }
                }
                Edit::Call { path } => {
                    if let Some(text) = files.get(PATHS[path]) {
                        let text = text.replacen("return", "helper(0); return", 1);
                        write(&mut engine, &mut files, &mut parsers, PATHS[path], text);
                    }
                }
                Edit::Local { path } => {
                    if let Some(text) = files.get(PATHS[path]) {
                        let text = text.replacen("return", "struct ship *other = s; measure(other); return", 1);
                        write(&mut engine, &mut files, &mut parsers, PATHS[path], text);
                    }
                }
                Edit::Delete { path } => {
                    prop_assert_eq!(engine.remove(PATHS[path]), files.remove(PATHS[path]).is_some());
                }
                Edit::Rename { from, to } => {
                    if engine.rename(PATHS[from], PATHS[to]) {
                        let text = files.remove(PATHS[from]).expect("it was there");
                        files.insert(PATHS[to], text);
                    }
                }
                Edit::Update => {
                    let updated = engine.update(1.0).expect("a snapshot");
                    prop_assert!(updated.to_bytes().unwrap() == engine.build(1.0).expect("a snapshot").to_bytes().unwrap());
                }
                Edit::Save { lazily } => engine = saved_and_opened(&engine, lazily),
                Edit::Embed => embed(&mut engine),
            }
        }
        // Not `prop_assert_eq`, which would print kilobytes of numbers.
        let anew = bytes_of_embedded(&mut anew(&files, &mut parsers));
        prop_assert!(bytes_of_embedded(&mut engine) == anew);
        prop_assert!(engine.update(1.0).expect("a snapshot").to_bytes().unwrap() == &anew[..]);
        prop_assert!(engine.update(1.0).expect("a snapshot").to_bytes().unwrap() == &anew[..], "nothing has changed");
    }
}

#[test]
fn a_renamed_file_is_not_read_again() {
    let mut parsers = parsers();
    let mut engine = anew(&start(), &mut parsers);
    assert!(engine.rename("pkg/b.py", "pkg/c.py"));
    assert!(!engine.rename("pkg/b.py", "pkg/d.py"), "it is gone");
    assert!(!engine.rename("pkg/c.py", "a.py"), "there is another");
    assert!(
        !engine.rename("pkg/c.py", "pkg/c.ts"),
        "it is another language"
    );
    assert!(engine.paths().any(|path| path == "pkg/c.py"));
}

#[test]
fn only_changed_chunks_are_embedded_again() {
    let (mut engine, snapshot) = index(FileSet::from_files(
        bytes_of(&[(PATHS[0], TEXTS[0]), (PATHS[1], TEXTS[1])]),
        &SourceConfig::default(),
    ));
    assert_eq!(engine.n_pending_embeddings(), 0);
    let mut reopened = Engine::from_snapshot(&snapshot).expect("an engine");
    assert_eq!(
        reopened.n_pending_embeddings(),
        0,
        "vectors are kept in the snapshot"
    );
    let mut parsers = parsers();
    for engine in [&mut engine, &mut reopened] {
        engine.put(PATHS[1], TEXTS[1], unit(&mut parsers, PATHS[1], TEXTS[1]));
        assert_eq!(engine.n_pending_embeddings(), 0, "nothing changed");
        engine.put(PATHS[1], TEXTS[3], unit(&mut parsers, PATHS[1], TEXTS[3]));
        assert!(engine.n_pending_embeddings() > 0);
    }
}

#[test]
fn a_digest_tells_whether_a_file_must_be_read() {
    let (engine, snapshot) = index(FileSet::from_files(
        bytes_of(&[(PATHS[0], TEXTS[0])]),
        &SourceConfig::default(),
    ));
    let digest = source::digest(TEXTS[0].as_bytes());
    assert_eq!(engine.digest_of(PATHS[0]), Some(digest));
    assert_eq!(engine.digest_of("none"), None);
    assert_eq!(
        Engine::from_snapshot(&snapshot)
            .expect("an engine")
            .digest_of(PATHS[0]),
        Some(digest)
    );
}

#[test]
fn vectors_attached_later_give_the_same_index() {
    let files = BTreeMap::from([
        (PATHS[0], TEXTS[0].to_owned()),
        (PATHS[3], TEXTS[3].to_owned()),
    ]);
    let mut engine = anew(&files, &mut parsers());
    let words_only = engine.build(0.0).expect("a snapshot");
    embed(&mut engine);
    let attached = engine.attach_vectors(&words_only, 1.0).expect("a snapshot");
    assert!(
        attached.to_bytes().unwrap() == engine.build(1.0).expect("a snapshot").to_bytes().unwrap()
    );
    engine.remove(PATHS[0]);
    assert_eq!(
        engine
            .attach_vectors(&words_only, 1.0)
            .err()
            .expect("changed")
            .code(),
        "vectors.mismatch"
    );
}

#[test]
fn vectors_of_another_model_replace_all() {
    let (mut engine, _) = index(FileSet::from_files(
        bytes_of(&[(PATHS[0], TEXTS[0])]),
        &SourceConfig::default(),
    ));
    engine
        .set_vectors(&[7], &[1.0, 0.0], 2, "other")
        .expect("vectors");
    assert!(engine.n_pending_embeddings() > 0);
}

#[test]
fn the_order_of_files_does_not_matter() {
    let mut parsers = parsers();
    let build = |order: &[usize], parsers: &mut Parsers| {
        let mut engine = Engine::new(config());
        for idx in order {
            engine.put(
                PATHS[*idx],
                TEXTS[*idx],
                unit(parsers, PATHS[*idx], TEXTS[*idx]),
            );
        }
        engine
            .build(0.0)
            .expect("a snapshot")
            .to_bytes()
            .unwrap()
            .to_vec()
    };
    assert!(build(&[0, 1, 2, 3, 4], &mut parsers) == build(&[4, 2, 0, 3, 1], &mut parsers));
}
