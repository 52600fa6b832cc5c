//! A snapshot that was made to harm: its checksums are right, its contents are not. It is refused, or it answers nonsense
//! within its bounds; it never stops the engine, reads outside, or takes for ever.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{
    CallsConfig, Engine, EngineConfig, FileFilter, FindConfig, GrepQuery, Reader, SearchQuery,
    Snapshot,
};
use graph::{Direction, NodeId};
use rkyv::util::AlignedVec;
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};
use xxhash_rust::xxh3::xxh3_64;

const FILES: &[(&str, &str)] = &[
    (
        "src/router.ts",
        "import { log } from './log';\n/** Routes. */\nexport class Router {\n  routes: string[] = [];\n  add(path: string) { this.routes.push(path); log(path); }\n  all() { return this.routes.map((r) => r.trim()); }\n}\n",
    ),
    (
        "src/log.ts",
        "/** Says it. */\nexport function log(text: string) { console.log(text); }\nexport const again = () => log('😀 again');\n",
    ),
    (
        "test/router.test.ts",
        "import { Router } from '../src/router';\nconst router = new Router();\nrouter.add('/a');\n",
    ),
    (
        "lib.py",
        "class Base:\n    def run(self):\n        return helper(1)\n\nclass Child(Base):\n    def run(self):\n        return super().run()\n\ndef helper(n):\n    return n + 1\n",
    ),
    (
        "README.md",
        "# Router\n\nHow to add a route: `Router.add`.\n\n## Log\n\nText.\n",
    ),
];

fn snapshot() -> Vec<u8> {
    let files = FILES
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let files = FileSet::from_files(files, &SourceConfig::default());
    let mut parsers = Parsers::new(ParseConfig::default());
    let config = EngineConfig {
        name: "hostile".to_owned(),
        ..EngineConfig::default()
    };
    let (mut engine, _) =
        Engine::index(config, files, &mut parsers, None, &mut |_| true).expect("an index");
    let tasks = engine.pending_embeddings(usize::MAX);
    let keys: Vec<u64> = tasks.iter().map(|task| task.key).collect();
    let vectors: Vec<f32> = (0..keys.len() * 8)
        .map(|n| ((n * 37 % 11) as f32 - 5.0) / 5.0)
        .collect();
    engine
        .set_vectors(&keys, &vectors, 8, "made-up")
        .expect("vectors that fit");
    engine.build(0.0).expect("a snapshot").to_bytes().to_vec()
}

/// Header and table of the format, as `engine::snapshot` documents them.
fn sections(file: &[u8]) -> Vec<(usize, String, std::ops::Range<usize>)> {
    let n_sections = u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize;
    let number =
        |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes")) as usize;
    let entry = |at: usize| {
        let name = String::from_utf8_lossy(&file[at..at + 16])
            .trim_end_matches('\0')
            .to_owned();
        (at, name, number(at + 16)..number(at + 16) + number(at + 24))
    };
    (0..n_sections).map(|n| entry(64 + 40 * n)).collect()
}

/// Makes the checksums right again.
fn seal(file: &mut [u8]) {
    let sections = sections(file);
    for (at, _, range) in &sections {
        let checksum = xxh3_64(&file[range.clone()]);
        file[at + 32..at + 40].copy_from_slice(&checksum.to_le_bytes());
    }
    file[48..56].fill(0);
    let checksum = xxh3_64(&file[..64 + 40 * sections.len()]);
    file[48..56].copy_from_slice(&checksum.to_le_bytes());
}

/// Opens, and asks everything there is to ask. Whether it was opened.
fn ask_everything(file: &[u8]) -> bool {
    let mut bytes = AlignedVec::<16>::with_capacity(file.len());
    bytes.extend_from_slice(file);
    let Ok(snapshot) = Snapshot::open_aligned(bytes) else {
        return false;
    };
    let reader = Reader::new(Arc::new(snapshot));
    let _ = reader.status();
    for text in [
        "router add",
        "log",
        "how is a route added",
        "Router.add",
        "src/router.ts",
    ] {
        let vector = [0.5_f32, -0.5, 0.1, 0.2, 0.3, -0.1, 0.9, 0.0];
        for grouped in [true, false] {
            let query = SearchQuery {
                text,
                vector: Some(&vector),
                limit: 50,
                offset: 0,
                files: FileFilter::new(&[], &[]).expect("no filter"),
                kinds: Vec::new(),
                explain: true,
                grouped,
                config: search::SearchConfig::default(),
            };
            let _ = reader.search(&query);
        }
    }
    for selector in [
        "add",
        "Router.add",
        "log",
        "lib.py:3",
        "src/router.ts#add",
        "Roter",
        "helper",
        "run",
        "nothing",
    ] {
        let _ = reader.find(
            selector,
            &FindConfig {
                kind: None,
                fuzzy: true,
                limit: 50,
            },
        );
        let _ = reader.references(selector, 0, 100).map(|found| {
            for used in &found.uses {
                let _ = (reader.line_of_use(used), reader.enclosing_name(used));
            }
        });
        for direction in [Direction::In, Direction::Out] {
            let _ = reader.calls(
                selector,
                &CallsConfig {
                    direction,
                    depth: 4,
                    min_confidence: 0,
                    limit: 100,
                },
            );
        }
    }
    for file in reader.files() {
        let _ = (
            reader.path(file),
            reader.text(file).map(str::len),
            reader.language(file),
            reader.n_lines(file),
        );
        for line in 0..4 {
            let _ = reader.definition(file, line, 9);
        }
        for symbol in reader.graph().symbols_of(file) {
            let _ = (
                reader.graph().node(symbol),
                reader.graph().qualified_name(symbol),
            );
        }
    }
    let query = GrepQuery {
        pattern: "r[ao]",
        ignore_case: true,
        whole_word: false,
        files: FileFilter::new(&["*.ts".to_owned()], &[]).expect("a filter"),
        context_lines: 2,
        limit: 20,
        max_millis: 0.0,
        clock: None,
    };
    let _ = reader.grep(&query);
    let _ = reader.named_edges().count();
    for node in 0..reader.graph().n_nodes() as u32 {
        let _ = reader.graph().qualified_name(NodeId(node));
    }
    let _ = Engine::from_snapshot(reader.snapshot())
        .map(|engine| engine.build(0.0).map(|built| built.to_bytes().len()));
    true
}

/// Numbers that do the most harm in the place of an index, a length or an offset.
const HARMFUL: [u32; 8] = [0, 1, 7, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];

/// Far more than all questions need, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(5);

#[test]
fn every_word_of_a_snapshot_may_be_wrong() {
    let whole = snapshot();
    assert!(ask_everything(&whole), "the snapshot itself opens");
    let mut harmed = Vec::new();
    let mut n_opened = 0;
    let stride = std::env::var("PORTOLAN_STRIDE")
        .map_or(61, |text| text.parse().expect("a number of words"));
    for (_, name, range) in sections(&whole) {
        // A prime number of words, so that every field of every column comes up. PORTOLAN_STRIDE=1 tries all of them.
        for at in range.clone().step_by(4 * stride) {
            let harmful = HARMFUL[at / (4 * stride) % HARMFUL.len()];
            let mut file = whole.clone();
            let Some(word) = file.get_mut(at..at + 4) else {
                continue;
            };
            word.copy_from_slice(&harmful.to_le_bytes());
            seal(&mut file);
            let place = || format!("{name}+{} = {harmful:#x}", at - range.start);
            let start = Instant::now();
            match catch_unwind(AssertUnwindSafe(|| ask_everything(&file))) {
                Ok(opened) => n_opened += usize::from(opened),
                Err(_) => harmed.push(place()),
            }
            if start.elapsed() > PATIENCE {
                harmed.push(format!("{} (took {:?})", place(), start.elapsed()));
            }
        }
    }
    assert!(
        harmed.is_empty(),
        "{} of the changes stopped the engine: {:?}",
        harmed.len(),
        &harmed[..harmed.len().min(20)]
    );
    assert!(n_opened > 10, "only {n_opened} were opened at all");
}
