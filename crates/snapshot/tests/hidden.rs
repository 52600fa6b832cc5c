//! Snapshots with encrypted paths: nothing that is left in one names a folder or file.

use std::fs;
use std::path::PathBuf;

use portolan_snapshot::{Error, FORMAT_VERSION, SectionKind, Snapshot, hide_paths};

fn sample() -> Vec<u8> {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    fs::read(golden.join(format!("v{FORMAT_VERSION}/sample.portolan"))).unwrap()
}

/// The parts of all paths: names of folders and files.
fn names(snapshot: &Snapshot) -> Vec<String> {
    let names = snapshot.read(|view| {
        let paths = &view.files().paths;
        let paths = (0..paths.len()).filter_map(|file| paths.get(file));
        let names = paths.flat_map(|path| path.split('/'));
        Ok::<_, Error>(names.map(str::to_owned).collect())
    });
    names.unwrap()
}

fn has(bytes: &[u8], name: &str) -> bool {
    bytes
        .windows(name.len())
        .any(|window| window == name.as_bytes())
}

#[test]
fn files_of_a_hidden_snapshot_name_no_folder() {
    let file = sample();
    let names = names(&Snapshot::open(&file).unwrap());
    let mut encipher = |path: &str| {
        let parts = path.split('/').map(|part| format!("{:x}", part.len()));
        parts.collect::<Vec<_>>().join("/")
    };
    let hidden = hide_paths(&file, false, &mut encipher).unwrap().finish(&[]);
    let hidden = Snapshot::open(&hidden).unwrap();
    let open = Snapshot::open(&file).unwrap();
    let files_of = |snapshot: &Snapshot| {
        let files = snapshot.archive(SectionKind::Files).unwrap();
        files.expect("files").to_vec()
    };
    let (before, after) = (files_of(&open), files_of(&hidden));
    assert!(names.iter().any(|name| name.len() > 2));
    for name in names.iter().filter(|name| name.len() > 2) {
        assert!(has(&before, name) && !has(&after, name), "{name}");
    }
    // The digest of all sources is kept: equal snapshots are known as such.
    let digest = |snapshot: &Snapshot| {
        let digest = snapshot.read(|view| Ok::<_, Error>(view.files().folder_digest("")));
        digest.unwrap().expect("a digest")
    };
    assert_eq!(digest(&open), digest(&hidden));
}
