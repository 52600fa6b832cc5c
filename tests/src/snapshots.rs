//! Snapshots that were saved once: they open and answer, or are refused by name; never anything else.

use std::path::PathBuf;
use std::sync::Arc;

use api::answer;
use engine::{FORMAT_VERSION, Reader, Snapshot};
use fixture::Fixture;
use proptest::prelude::*;

use crate::support::{files_of, index};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

fn sample() -> Vec<u8> {
    let (_, snapshot) = index(files_of(&Fixture::parse(include_str!(
        "../suite/everything.txt"
    ))));
    snapshot.to_bytes().unwrap().to_vec()
}

/// Every answer of a few questions, in one text.
fn answers(snapshot: Snapshot) -> String {
    let reader = Reader::new(Arc::new(snapshot)).unwrap();
    let request: api::SearchRequest =
        serde_json::from_str(r#"{"query": "discount", "explain": true}"#).expect("a request");
    let answers = (
        answer::search(&reader, &request, None).expect("hits"),
        answer::edges(&reader),
        answer::files(&reader),
        answer::status(&reader),
        answer::file_text(&reader, "shop/pricing.py").expect("a text"),
    );
    serde_json::to_string(&answers).expect("JSON")
}

/// Files of `vN/`: written by format version N, never changed afterwards.
#[test]
fn saved_snapshots_open_or_are_refused_by_name() {
    let current = folder().join(format!("v{FORMAT_VERSION}"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(&current).expect("a folder");
        std::fs::write(current.join("bookshop.bin"), sample()).expect("a file");
    }
    let mut n_opened = 0;
    for version in 1..=FORMAT_VERSION {
        let bytes = std::fs::read(folder().join(format!("v{version}/bookshop.bin")))
            .expect("a snapshot of each version");
        match Snapshot::open(&bytes) {
            Ok(snapshot) => {
                assert!(answers(snapshot).contains("apply_discount"));
                n_opened += 1;
            }
            Err(error) => assert_eq!(error.code(), "snapshot.version", "v{version}: {error}"),
        }
    }
    assert!(n_opened > 0, "the current version opens");
}

#[test]
fn the_same_sources_give_the_same_bytes() {
    assert!(sample() == sample());
}

#[test]
fn a_later_version_is_refused_with_what_to_do() {
    let mut bytes = sample();
    bytes[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    let error = Snapshot::open(&bytes).err().expect("refused");
    assert_eq!(
        (error.code(), error.help()),
        ("snapshot.version", "update Portolan")
    );
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"PK\x03\x04", b"{\"json\": true}", &[0; 4_096]] {
        assert_eq!(
            Snapshot::open(bytes).err().expect("refused").code(),
            "snapshot.foreign"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_byte_is_found_or_does_no_harm(at in any::<prop::sample::Index>(), flip in 1u8..=255) {
        let whole = shared();
        let mut bytes = whole.0.clone();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        match Snapshot::open(&bytes) {
            Err(error) => prop_assert!(error.code().starts_with("snapshot."), "{}", error),
            Ok(snapshot) => prop_assert_eq!(answers(snapshot), whole.1.clone()),
        }
    }

    #[test]
    fn a_cut_is_always_found(at in any::<prop::sample::Index>()) {
        let whole = &shared().0;
        let error = Snapshot::open(&whole[..at.index(whole.len())]).err();
        let code = error.map(|error| error.code());
        prop_assert!(matches!(code, Some("snapshot.truncated" | "snapshot.foreign")), "{:?}", code);
    }
}

fn shared() -> &'static (Vec<u8>, String) {
    static SAMPLE: std::sync::OnceLock<(Vec<u8>, String)> = std::sync::OnceLock::new();
    SAMPLE.get_or_init(|| {
        let bytes = sample();
        let answers = answers(Snapshot::open(&bytes).expect("it opens"));
        (bytes, answers)
    })
}
