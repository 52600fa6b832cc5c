//! Repositories that no git wrote. Whatever the bytes are, the answer is a history or an error with a code, quickly and in little memory.

use std::sync::OnceLock;

use portolan_history::{Blame, BlameLimits, History, Limits, MemoryFiles, Note, Repository};
use proptest::prelude::*;

use crate::support::{Git, Place, scripted};

const SCRIPT: &str = "
    commit 1 ada@x Start
    + src/tax.rs one|two|three|four|five|six|seven|eight|nine|ten
    + src/cart.rs 1
    commit 2 bob@x Edit
    + src/tax.rs one|two|three|four|five|six|seven|eight|nine|TEN
    commit 3 bob@x More
    + src/tax.rs ONE|two|three|four|five|six|seven|eight|nine|TEN
    commit 4 ada@x Branch
    from 1
    + src/cart.rs 2
    commit 5 ada@x Merge
    from 3 4
    + src/cart.rs 2";

fn small() -> Limits {
    Limits {
        object_bytes: 1 << 20,
        work_bytes: 64 << 20,
        cache_bytes: 1 << 20,
        files: 10_000,
        ..Limits::default()
    }
}

/// Asks everything; a panic is the only wrong answer.
fn ask(files: MemoryFiles) -> Result<History, &'static str> {
    let code = |error: portolan_history::Error| error.code();
    let mut repository = Repository::open(Box::new(files), small()).map_err(code)?;
    let history = History::read(&mut repository).map_err(code)?;
    let _ = history.co_changes(5);
    let _ = history.authors("src", 5);
    let head = history.head().unwrap_or_default();
    let limits = BlameLimits::default();
    if let Ok(mut blame) = Blame::begin(&mut repository, "src/tax.rs", head, limits) {
        let _ = blame.step(&mut repository, 100).map_err(code)?;
        let _ = blame.finish(&mut repository).map_err(code)?;
    }
    Ok(history)
}

/// The repository in a pack with deltas, and as loose objects.
fn repositories(place: &Place) -> [(Git, MemoryFiles); 2] {
    let packed = scripted(place, SCRIPT);
    packed.run(&["repack", "-adfq", "--depth=50"]);
    let loose = place.repository("loose");
    loose.import(&crate::support::stream(SCRIPT), false);
    [packed, loose].map(|git| {
        let files = git.memory();
        (git, files)
    })
}

#[test]
fn both_forms_give_the_same_history() {
    let place = Place::new();
    let [packed, loose] = repositories(&place).map(|(_, files)| ask(files).unwrap());
    assert_eq!(packed.save().unwrap(), loose.save().unwrap());
    assert_eq!(packed.n_commits(), 5);
}

#[test]
fn changed_bytes_never_end_the_program() {
    let place = Place::new();
    for (_, files) in repositories(&place) {
        let names: Vec<String> = files
            .files
            .keys()
            .filter(|name| name.starts_with("objects/") || name.starts_with("refs/"))
            .cloned()
            .collect();
        for name in names {
            let n_bytes = files.files[&name].len();
            let step = (n_bytes / 40).max(1);
            for at in (0..n_bytes).step_by(step) {
                for change in [0x01, 0x80, 0xff] {
                    let mut changed = files.clone();
                    changed.files.get_mut(&name).unwrap()[at] ^= change;
                    let _ = ask(changed);
                }
                let mut cut = files.clone();
                cut.files.get_mut(&name).unwrap().truncate(at);
                let _ = ask(cut);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn saved_histories_are_checked(at in 0..4_000_usize, change in 1..=255_u8, right_checksum: bool) {
        let mut saved = saved_history();
        let at = at % saved.len();
        saved[at] ^= change;
        if right_checksum {
            let sum = xxhash_rust::xxh3::xxh3_64(&saved[32..]);
            saved[16..24].copy_from_slice(&sum.to_le_bytes());
        }
        match History::open(&saved) {
            Ok(history) => {
                let _ = (history.co_changes(5), history.authors("", 5), history.churn().count());
                let _ = (history.similar("edit", 5), history.file("src/tax.rs", 5));
                let _ = history.without_people().save();
            }
            Err(error) => prop_assert!(error.code().starts_with("history.state"), "{}", error.code()),
        }
    }
}

fn saved_history() -> Vec<u8> {
    static SAVED: OnceLock<Vec<u8>> = OnceLock::new();
    let make = || scripted(&Place::new(), SCRIPT).history().save().unwrap();
    SAVED.get_or_init(make).clone()
}

/// A loose object.
fn object(files: &mut MemoryFiles, kind: &str, name: u8, contents: &[u8]) -> String {
    let mut bytes = format!("{kind} {}\0", contents.len()).into_bytes();
    bytes.extend(contents);
    let hex = format!("{name:02x}").repeat(20);
    let path = format!("objects/{}/{}", &hex[..2], &hex[2..]);
    files
        .files
        .insert(path, miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6));
    hex
}

fn tree(entries: &[(&str, &str, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (mode, name, object) in entries {
        bytes.extend(format!("{mode} {name}\0").into_bytes());
        bytes.extend([*object; 20]);
    }
    bytes
}

#[test]
fn folders_within_folders_without_end() {
    let mut files = MemoryFiles::default();
    // Names of objects are not verified, so a tree may contain itself.
    object(
        &mut files,
        "tree",
        1,
        &tree(&[("40000", "a", 1), ("40000", "b", 1)]),
    );
    let commit = object(
        &mut files,
        "commit",
        2,
        format!("tree {}\n\nx", "01".repeat(20)).as_bytes(),
    );
    files.files.insert("HEAD".to_owned(), commit.into_bytes());
    let history = ask(files).unwrap();
    assert_eq!((history.n_commits(), history.n_files()), (1, 0));
}

#[test]
fn a_wide_tree_of_trees_is_not_walked_to_its_end() {
    let mut files = MemoryFiles::default();
    object(&mut files, "blob", 1, b"x");
    // Ten levels of ten folders each: ten thousand million files in two kilobytes.
    object(&mut files, "tree", 10, &tree(&[("100644", "file", 1)]));
    for level in 11..=20 {
        let names: Vec<String> = (0..10).map(|nth| nth.to_string()).collect();
        let entries: Vec<_> = names
            .iter()
            .map(|name| ("40000", name.as_str(), level - 1))
            .collect();
        object(&mut files, "tree", level, &tree(&entries));
    }
    let commit = object(
        &mut files,
        "commit",
        2,
        format!("tree {}\n\nx", "14".repeat(20)).as_bytes(),
    );
    files.files.insert("HEAD".to_owned(), commit.into_bytes());
    let history = ask(files).unwrap();
    assert_eq!(
        (history.n_files(), history.notes()),
        (0, vec![Note::Limit("files")])
    );
}

#[test]
fn a_commit_that_is_its_own_parent() {
    let mut files = MemoryFiles::default();
    object(&mut files, "tree", 1, &tree(&[]));
    let text = format!("tree {}\nparent {}\n\nx", "01".repeat(20), "02".repeat(20));
    let commit = object(&mut files, "commit", 2, text.as_bytes());
    files.files.insert("HEAD".to_owned(), commit.into_bytes());
    assert_eq!(ask(files).unwrap().n_commits(), 1);
}

#[test]
fn objects_that_state_a_length_they_do_not_have() {
    let mut files = MemoryFiles::default();
    let commit = object(&mut files, "commit", 2, &[b'a'; 10]);
    files
        .files
        .insert("HEAD".to_owned(), commit.clone().into_bytes());
    assert_eq!(ask(files.clone()).unwrap_err(), "history.damaged");
    let large = miniz_oxide::deflate::compress_to_vec_zlib(b"commit 999999999999\0", 6);
    let path = format!("objects/{}/{}", &commit[..2], &commit[2..]);
    files.files.insert(path, large);
    assert_eq!(ask(files).unwrap_err(), "history.too-large");
}

/// A pack of entries that are deltas of each other by name, and its index.
fn pack_of_deltas(files: &mut MemoryFiles, entries: &[(u8, u8, &[u8])]) {
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend((entries.len() as u32).to_be_bytes());
    let mut offsets = Vec::new();
    for (_, base, delta) in entries {
        offsets.push(pack.len() as u32);
        pack.push(0x70 | delta.len() as u8);
        pack.extend([*base; 20]);
        pack.extend(miniz_oxide::deflate::compress_to_vec_zlib(delta, 6));
    }
    pack.extend([0; 20]);
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=255 {
        let n = entries.iter().filter(|(name, ..)| *name <= first).count();
        index.extend((n as u32).to_be_bytes());
    }
    entries
        .iter()
        .for_each(|(name, ..)| index.extend([*name; 20]));
    index.extend(vec![0; 4 * entries.len()]);
    offsets
        .iter()
        .for_each(|offset| index.extend(offset.to_be_bytes()));
    index.extend([0; 40]);
    let name = |end: &str| format!("objects/pack/pack-00.{end}");
    files.files.insert(name("pack"), pack);
    files.files.insert(name("idx"), index);
}

#[test]
fn deltas_in_a_circle() {
    let mut files = MemoryFiles::default();
    let delta = b"\x01\x01\x90\x01";
    pack_of_deltas(&mut files, &[(1, 2, delta), (2, 1, delta), (3, 3, delta)]);
    for head in ["01", "03"] {
        files
            .files
            .insert("HEAD".to_owned(), head.repeat(20).into_bytes());
        assert_eq!(ask(files.clone()).unwrap_err(), "history.damaged");
    }
    // One whose base is nowhere, and one whose base is a loose object.
    pack_of_deltas(&mut files, &[(3, 4, delta)]);
    assert_eq!(ask(files.clone()).unwrap_err(), "history.object-missing");
    let text = format!("tree {}\n\nx", "05".repeat(20));
    object(&mut files, "tree", 5, b"");
    object(&mut files, "commit", 4, text.as_bytes());
    let n = text.len() as u8;
    pack_of_deltas(&mut files, &[(3, 4, &[n, n, 0x90, n])]);
    assert_eq!(ask(files).unwrap().n_commits(), 1);
}
