//! Writes the golden bytes of the snapshot format, after the format has changed on purpose:
//! `cargo run -p portolan-engine --example golden --features hnsw`. `crates/snapshot/tests/golden.rs` says when to run
//! it.
//!
//! `sample.portolan` has every section as it is in a file; `NAME.flat` has the bytes of a section that its codec
//! compresses and gives back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use portolan_engine::{Engine, EngineConfig, FORMAT_VERSION, HnswConfig, Snapshot};
use snapshot::{ScipDocument, ScipStore, Section, SectionKind};
use syntax::{ParseConfig, Parsers};

const FILES: [(&str, &str); 5] = [
    (
        "README.md",
        "# Shop\n\nSells things, and says what they cost.\n",
    ),
    (
        "shop/cart.py",
        "from shop.tax import add_tax, RATE\n\n\nclass Cart:\n    \"\"\"Items and their prices.\"\"\"\n\n    def __init__(self, items: list[float]):\n        self.items = items\n\n    def total(self) -> float:\n        return add_tax(sum(self.items))\n\n\ndef main():\n    cart = Cart([1.0, 2.5])\n    print(cart.total(), RATE)\n",
    ),
    (
        "shop/tax.py",
        "RATE = 0.2\n\n\ndef add_tax(price: float) -> float:\n    \"\"\"Adds the tax to a price.\"\"\"\n    if price < 0:\n        raise ValueError(\"größer als nichts\")\n    return price * (1 + RATE)\n",
    ),
    (
        "web/api.ts",
        "import { format } from './format';\n\nexport interface Item { name: string; price: number }\n\nexport class Api {\n  constructor(private readonly items: Item[]) {}\n  list(): string[] {\n    return this.items.map((item) => format(item.price));\n  }\n}\n",
    ),
    (
        "web/format.ts",
        "/** Shows a price. */\nexport function format(price: number): string {\n  return price.toFixed(2);\n}\n",
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snapshot/tests/golden");
    let golden = golden.join(format!("v{FORMAT_VERSION}"));
    fs::create_dir_all(&golden)?;
    let sample = sample()?;
    for kind in snapshot::SECTIONS {
        let flat = match kind {
            // Whole: its postings are two sections of their own.
            SectionKind::Lexical => sample.read(|view| view.whole_lexical())?.to_vec(),
            SectionKind::Facts => {
                let facts = sample.read(|view| view.all_facts())?;
                rkyv::to_bytes::<rkyv::rancor::Error>(&facts.unwrap_or_default())?.to_vec()
            }
            _ => match sample.archive(kind)? {
                Some(archive) => archive.to_vec(),
                None => continue,
            },
        };
        fs::write(golden.join(format!("{}.flat", kind.name())), flat)?;
    }
    fs::write(
        golden.join("texts.flat"),
        FILES.map(|(_, text)| text).join("\0"),
    )?;
    fs::write(golden.join("sample.portolan"), sample.to_bytes()?)?;
    Ok(())
}

fn sample() -> Result<Snapshot, Box<dyn std::error::Error>> {
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut engine = Engine::new(EngineConfig {
        name: "shop".to_owned(),
        ..EngineConfig::default()
    });
    for (path, text) in FILES {
        engine.put(
            path,
            text,
            portolan_engine::read_file(&mut parsers, path, text),
        );
    }
    engine.use_embedder("golden", 3);
    let tasks = engine.pending_embeddings(usize::MAX);
    for (n, task) in (1u8..).zip(tasks) {
        let row = [f32::from(n), 1.0, -f32::from(n) / 2.0];
        engine.set_vectors(&[task.key], &row, 3, "golden")?;
    }
    let built = engine.build(0.0)?;
    let config = HnswConfig {
        threshold: 1,
        ..HnswConfig::default()
    };
    let built = portolan_engine::approximated(&built, &config)?.unwrap_or(built);
    let document = ScipDocument {
        digest: [7; 32],
        starts: vec![24, 33],
        ends: vec![31, 37],
        lines: vec![0, 0],
        symbols: vec![1, 2],
        is_definition: vec![false, true],
        relations: vec![(1, 2)],
    };
    let documents = BTreeMap::from([("shop/cart.py".to_owned(), document)]);
    let scip = rkyv::to_bytes::<rkyv::rancor::Error>(&ScipStore::pack(&documents)?)?;
    Ok(Snapshot::assemble(
        Some(&built),
        vec![(SectionKind::Scip, Section::of(scip))],
    ))
}
