//! A snapshot that was made to harm: its checksums are right, its contents are not. It is refused, or it answers nonsense
//! within its bounds; it never stops the engine, reads outside, or takes for ever.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::answer::{Asked, Json, TOOLS, ask};
use engine::{
    CallsConfig, Engine, EngineConfig, FileFilter, FindConfig, GrepQuery, Reader, SearchQuery,
    Snapshot,
};
use graph::{Direction, NodeId};
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};
use xxhash_rust::xxh3::xxh3_64;

use crate::support::{Topic, request};

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

/// The tools are asked about this.
const ROUTER: Topic<'_> = Topic {
    symbol: "add",
    word: "route",
    path: "src/router.ts",
    line: 4,
    target: "log",
};

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
    engine
        .build(0.0)
        .expect("a snapshot")
        .to_bytes()
        .unwrap()
        .to_vec()
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

/// Decompresses a section: its length in four bytes, then a frame. None if it is not compressed as a whole.
fn unpacked(section: &[u8]) -> Option<Vec<u8>> {
    let (length, frame) = section.split_first_chunk()?;
    let mut bytes = vec![0; u32::from_le_bytes(*length) as usize];
    let n_bytes = zstd_safe::decompress(&mut bytes[..], frame).ok()?;
    (n_bytes == bytes.len()).then_some(bytes)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; zstd_safe::compress_bound(bytes.len())];
    let length = zstd_safe::compress(&mut frame[..], bytes, 1).expect("room enough");
    let mut section = (bytes.len() as u32).to_le_bytes().to_vec();
    section.extend_from_slice(&frame[..length]);
    section
}

/// The file with another section in the place of one, its checksums right.
fn replaced(file: &[u8], name: &str, section: &[u8]) -> Vec<u8> {
    let sections = sections(file);
    let mut next = file[..64 + 40 * sections.len()].to_vec();
    for (at, known, range) in sections {
        next.resize(next.len().next_multiple_of(16), 0);
        let start = next.len();
        next.extend_from_slice(if known == name { section } else { &file[range] });
        let length = next.len() - start;
        let checksum = xxh3_64(&next[start..]);
        next[at + 16..at + 24].copy_from_slice(&(start as u64).to_le_bytes());
        next[at + 24..at + 32].copy_from_slice(&(length as u64).to_le_bytes());
        next[at + 32..at + 40].copy_from_slice(&checksum.to_le_bytes());
    }
    next.resize(next.len().next_multiple_of(16), 0);
    let n_bytes = next.len() as u64;
    next[40..48].copy_from_slice(&n_bytes.to_le_bytes());
    next[48..56].fill(0);
    let n_head =
        64 + 40 * u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize;
    let checksum = xxh3_64(&next[..n_head]);
    next[48..56].copy_from_slice(&checksum.to_le_bytes());
    next
}

/// Opens, and asks everything there is to ask. Whether it was opened.
fn ask_everything(file: &[u8]) -> bool {
    let Ok(snapshot) = Snapshot::open(file) else {
        return false;
    };
    let Ok(reader) = Reader::new(Arc::new(snapshot)) else {
        return true;
    };
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
                explain: true,
                grouped,
                ..SearchQuery::default()
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
        let _ = reader.references(selector, None, 0, 100).map(|found| {
            for used in &found.uses {
                let _ = (reader.line_of_use(used), reader.enclosing_name(used));
            }
        });
        for direction in [Direction::In, Direction::Out] {
            let _ = reader.calls(
                selector,
                &CallsConfig {
                    kind: None,
                    direction,
                    depth: 4,
                    min_confidence: 0,
                    offset: 0,
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
        max_steps: 1_000_000,
        max_millis: 0.0,
        clock: None,
    };
    let _ = reader.grep(&query);
    let _ = reader.named_edges().count();
    for node in 0..reader.graph().n_nodes() as u32 {
        let _ = reader.graph().qualified_name(NodeId(node));
    }
    for tool in TOOLS {
        let asked = Asked {
            index: reader.index(),
            embed: &|_| Ok(None),
            clock: None,
        };
        let _ = ask(asked, tool.name, &Json(&request(tool.name, &ROUTER)));
    }
    let _ = Engine::from_snapshot(reader.snapshot()).map(|engine| {
        engine
            .build(0.0)
            .map(|built| built.to_bytes().map(<[u8]>::len))
    });
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
    let stride =
        std::env::var("PORTOLAN_STRIDE").map_or(3, |text| text.parse().expect("a number of words"));
    for (_, name, range) in sections(&whole) {
        let section = &whole[range];
        // Both the compressed bytes and their container.
        let inside = unpacked(section);
        let layers = [Some(section.to_vec()), inside];
        for (layer, bytes) in layers.into_iter().enumerate() {
            let Some(bytes) = bytes else { continue };
            // Every third word, with another number each. PORTOLAN_STRIDE=1 tries all of them.
            for at in (0..bytes.len()).step_by(4 * stride) {
                let harmful = HARMFUL[at / (4 * stride) % HARMFUL.len()];
                let mut wrong = bytes.clone();
                let Some(word) = wrong.get_mut(at..at + 4) else {
                    continue;
                };
                word.copy_from_slice(&harmful.to_le_bytes());
                let wrong = if layer == 1 { packed(&wrong) } else { wrong };
                let file = replaced(&whole, &name, &wrong);
                let place = || format!("{name}+{at} = {harmful:#x}");
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
    }
    assert!(
        harmed.is_empty(),
        "{} of the changes stopped the engine: {:?}",
        harmed.len(),
        &harmed[..harmed.len().min(20)]
    );
    assert!(n_opened > 10, "only {n_opened} were opened at all");
}
