//! Golden bytes of a saved history. Where they change on purpose: raise `VERSION` in `src/log/saved.rs`, add a folder for it here, and write it
//! with `UPDATE_EXPECT=1`; older folders stay, since they have to be refused by their version.

use std::fs;
use std::path::PathBuf;

use portolan_history::History;

use crate::support::{Place, scripted};

const SCRIPT: &str = "
    commit 1 ada@x Start
    + src/tax.rs one|two
    + README.md text
    commit 2 bob@x Edit
    + src/tax.rs one|2
    commit 3 ADA@x Move
    > src/tax.rs lib/tax.rs
    commit 4 cleo@x Branch
    from 1
    + README.md words
    commit 5 bob@x Merge
    from 3 4
    + README.md words
    commit 6 ada@x Delete
    - README.md";

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1/history.bin")
}

#[test]
fn a_history_gives_the_committed_bytes() {
    let place = Place::new();
    let history = scripted(&place, SCRIPT).history();
    let saved = history.save().unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(file(), &saved).unwrap();
    }
    let golden = fs::read(file()).unwrap();
    assert!(
        saved == golden,
        "if that is on purpose, do as the head of tests/history/golden.rs says"
    );
    assert_eq!(History::open(&golden).unwrap(), history);
}

#[test]
fn other_versions_and_other_files_are_refused() {
    let golden = fs::read(file()).unwrap();
    let code = |bytes: &[u8]| History::open(bytes).map(|_| ()).unwrap_err().code();
    let mut newer = golden.clone();
    newer[8] = 2;
    assert_eq!(code(&newer), "history.state-version");
    assert_eq!(code(b""), "history.state");
    assert_eq!(code(&[0; 100]), "history.state");
    assert_eq!(code(&golden[..golden.len() - 1]), "history.state");
}
