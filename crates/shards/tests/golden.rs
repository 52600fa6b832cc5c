//! Golden bytes: a root that was written once is read, and written again with the same bytes. So nothing can change the form
//! unseen. Where a change is on purpose: raise `ROOT_VERSION`, run the test with `UPDATE_GOLDEN=1`, leave the older files as
//! they are (they have to be refused by their version), and tell users in CHANGELOG.md that older indexes are made anew.

use std::fs;
use std::path::{Path, PathBuf};

use engine::{Engine, EngineConfig, Parsers, read_file};
use portolan_shards::{ROOT_VERSION, Root, ShardsBuilder};

const FILES: [(&str, &str); 4] = [
    (
        "a/shop.py",
        "import os\nfrom b.tax import add_tax\n\nclass Shop:\n    def sell(self, net):\n        os.remove('x')\n        return add_tax(net)\n",
    ),
    (
        "a/corner.py",
        "from a.shop import Shop\n\nclass Corner(Shop):\n    def run(self):\n        return self.sell(2)\n",
    ),
    (
        "b/tax.py",
        "RATE = 1.2\n\ndef add_tax(net):\n    return net * RATE\n",
    ),
    ("b/notes.md", "# Tax\n\nSee `add_tax`.\n"),
];

fn golden() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(format!("v{ROOT_VERSION}.root"))
}

fn build() -> Root {
    let mut parsers = Parsers::new(Default::default());
    let mut engine = |folder: &str| {
        let mut engine = Engine::new(EngineConfig::default());
        for (path, text) in FILES.iter().filter(|(path, _)| path.starts_with(folder)) {
            engine.put(path, *text, read_file(&mut parsers, path, text));
        }
        engine
    };
    let engines = [engine("a/"), engine("b/")];
    let mut first = ShardsBuilder::new(EngineConfig::default());
    for (shard, engine) in (0..).zip(&engines) {
        first.add(shard, engine).unwrap();
    }
    let mut second = first.resolve();
    for (shard, engine) in (0..).zip(&engines) {
        second.build(shard, engine, 0.0, &mut ()).unwrap();
        second.saved(shard, [shard as u8; 32]);
    }
    second.finish(0.0).unwrap()
}

#[test]
fn a_golden_root_is_read_and_written_again() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(golden(), build().to_bytes().unwrap()).unwrap();
    }
    let bytes = fs::read(golden()).expect("golden bytes of this version");
    let root = Root::from_bytes(&bytes).unwrap();
    assert!(
        root.to_bytes().unwrap() == bytes,
        "the form of roots has changed"
    );
    assert_eq!(root.shards().len(), 2);
    assert_eq!(root.shards()[1].file, [1; 32]);
    let joint = root.joint();
    assert_eq!(
        joint
            .part_of_file
            .iter()
            .map(|part| part.to_native())
            .collect::<Vec<_>>(),
        [0, 0, 1, 1]
    );
    assert!(!joint.edges.sources.is_empty() && !joint.uses.numbers.is_empty());
}

#[test]
fn other_versions_are_refused_by_name() {
    let mut bytes = build().to_bytes().unwrap();
    bytes[8] += 1;
    let error = Root::from_bytes(&bytes).err().unwrap();
    assert_eq!(error.code(), "snapshot.version");
    assert_eq!(
        Root::from_bytes(b"<html>").err().unwrap().code(),
        "snapshot.foreign"
    );
}

#[test]
fn what_waits_between_the_passes_comes_back() {
    let mut parsers = Parsers::new(Default::default());
    let mut engine = Engine::new(EngineConfig::default());
    for (path, text) in FILES {
        engine.put(path, text, read_file(&mut parsers, path, text));
    }
    let stamp = engine::Stamp {
        n_bytes: 9,
        modified: 4.5,
    };
    engine.set_stamp("b/tax.py", stamp);
    let mut records = Vec::new();
    let written = portolan_shards::spill(&engine, &mut |record| {
        records.extend_from_slice(record);
        Ok::<_, std::io::Error>(())
    });
    written.unwrap();
    let mut restored = Engine::new(EngineConfig::default());
    portolan_shards::restore(&mut restored, &records).unwrap();
    assert!(restored.files().eq(engine.files()));
    assert_eq!(
        (
            restored.stamp_of("b/tax.py"),
            restored.stamp_of("a/shop.py")
        ),
        (Some(stamp), None)
    );
    let cut = portolan_shards::restore(&mut restored, &records[..records.len() - 1]);
    assert_eq!(cut.unwrap_err().code(), "unit.damaged");
}
