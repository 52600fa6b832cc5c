//! Sections that other workers compress have the same bytes.

use std::collections::BTreeSet;

use syntax::{ParseConfig, Parsers};

use portolan_engine::{
    Archive, Engine, EngineConfig, Packers, Snapshot, TextBlock, pack_section, pack_texts,
    read_file,
};

/// Compresses at once, as a worker would.
#[derive(Default)]
struct Worker {
    sections: Vec<(&'static str, Vec<u8>)>,
    texts: Vec<(usize, Vec<u8>)>,
}

impl Packers for Worker {
    fn section(&mut self, name: &'static str, archive: &Archive) {
        self.sections.extend(pack_section(name, archive).unwrap());
    }

    fn texts(&mut self, first: usize, blocks: &[TextBlock]) {
        let mut end = 0;
        let ends = blocks.iter().map(|block| {
            end += block.len() as u32;
            end
        });
        let packed = pack_texts(&blocks.concat(), &ends.collect::<Vec<_>>());
        self.texts.extend((first..).zip(packed));
    }
}

impl Worker {
    fn hand_back(self, snapshot: &Snapshot) {
        for (name, packed) in self.sections {
            snapshot.set_packed(name, packed);
        }
        for (number, packed) in self.texts {
            snapshot.set_packed_texts(number, packed);
        }
    }
}

fn engine() -> Engine {
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut engine = Engine::new(EngineConfig::default());
    for n in 0..60 {
        let text = format!(
            "import {{ b }} from './{n}';\n{}",
            format!("export function handler{n}() {{ return b(); }}\n").repeat(90)
        );
        let path = format!("src/{n}.ts");
        let unit = read_file(&mut parsers, &path, &text);
        engine.put(&path, text, unit);
    }
    engine
}

#[test]
fn what_others_pack_is_what_is_packed_here() {
    let mut worker = Worker::default();
    let snapshot = engine().update_giving(0.0, &mut worker).unwrap();
    let names: BTreeSet<_> = worker.sections.iter().map(|(name, _)| *name).collect();
    assert!(
        ["chunks", "graph", "lexical", "names"]
            .iter()
            .all(|name| names.contains(name)),
        "{names:?}"
    );
    assert!(worker.texts.len() > 1, "{}", worker.texts.len());
    worker.hand_back(&snapshot);
    assert!(*snapshot.write(&[]).unwrap() == *engine().build(0.0).unwrap().write(&[]).unwrap());
}

#[test]
fn so_it_is_where_little_has_changed() {
    let (mut updated, mut anew) = (engine(), engine());
    updated.update(0.0).unwrap();
    for engine in [&mut updated, &mut anew] {
        let text = "export function other() {}\n".to_owned();
        let unit = read_file(&mut Parsers::new(ParseConfig::default()), "src/7.ts", &text);
        engine.put("src/7.ts", text, unit);
    }
    let mut worker = Worker::default();
    let snapshot = updated.update_giving(0.0, &mut worker).unwrap();
    assert!(worker.sections.iter().any(|(name, _)| *name == "lexical"));
    worker.hand_back(&snapshot);
    assert!(*snapshot.write(&[]).unwrap() == *anew.build(0.0).unwrap().write(&[]).unwrap());
}

#[test]
fn what_is_no_section_is_refused() {
    let code = |name: &str, bytes: &[u8]| pack_section(name, bytes).unwrap_err().code();
    assert_eq!(code("lexical", b"short"), "snapshot.damaged");
    assert_eq!(code("vectors", b""), "snapshot.damaged");
    assert!(pack_texts(b"abc", &[9]).len() == 1);
}
