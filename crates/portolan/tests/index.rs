//! Indexing folders and archives, saving, opening and asking, as a program does it.
#![cfg(feature = "languages")]

use std::fs;
use std::path::{Path, PathBuf};

use portolan::{Index, IndexOptions, SourceConfig, read_folder};

const FILES: [(&str, &str); 4] = [
    (
        "shop/tax.py",
        "def add_tax(net):\n    \"\"\"Adds value added tax.\"\"\"\n    return net * 1.2\n",
    ),
    (
        "shop/cart.py",
        "from shop.tax import add_tax\n\ndef checkout(net):\n    return add_tax(net)\n",
    ),
    ("gen/out.py", "def generated():\n    pass\n"),
    (".gitignore", "gen/\n"),
];

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("portolan-index-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        for (file, text) in FILES {
            let file = path.join("repo").join(file);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        Self(path)
    }

    fn repo(&self) -> PathBuf {
        self.0.join("repo")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn index(folder: &Path) -> Index {
    Index::from_folder(folder, &IndexOptions::default()).expect("an index")
}

#[test]
fn a_folder_is_indexed_saved_opened_and_asked() {
    let folder = Folder::new("ask");
    let made = index(&folder.repo());
    assert_eq!(made.reader().name(), "repo");
    assert!(made.reader().status().built_at > 1e12);
    let file = folder.0.join("repo.portolan");
    made.save(&file).expect("saved");
    let opened = Index::open(&file).expect("opened");
    for index in [&made, &opened] {
        let hits = index.search("where is value added tax", 3).expect("hits");
        assert_eq!(hits[0].path, "shop/tax.py");
        let callers = index.ask("callers", r#"{ "symbol": "add_tax" }"#);
        assert!(callers.expect("callers").contains("checkout"));
    }
    assert_eq!(
        made.to_bytes().expect("bytes"),
        opened.to_bytes().expect("bytes")
    );
    assert!(!folder.0.join("repo.portolan.unfinished").exists());
}

#[test]
#[cfg(unix)]
fn an_ignore_file_of_a_terabyte_is_not_read() {
    let folder = Folder::new("terabyte");
    let file = std::fs::File::create(folder.repo().join("shop/.gitignore")).expect("a file");
    file.set_len(1 << 40).expect("a length");
    let set = read_folder(&folder.repo(), &SourceConfig::default()).expect("a set");
    let mut skipped = set.skipped.iter();
    assert!(skipped.any(|skipped| {
        skipped.path == "shop/.gitignore" && skipped.reason.code() == "unreadable"
    }));
}

#[test]
fn ignored_folders_and_links_are_left_out_with_a_reason() {
    let folder = Folder::new("skip");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.repo().join("shop"), folder.repo().join("link"))
        .expect("a link");
    let set = read_folder(&folder.repo(), &SourceConfig::default()).expect("a set");
    let paths: Vec<_> = set.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "shop/cart.py", "shop/tax.py"]);
    let skipped: Vec<_> = set
        .skipped
        .iter()
        .map(|skipped| (skipped.path.as_str(), skipped.reason.code()))
        .collect();
    #[cfg(unix)]
    assert_eq!(skipped, [("gen/", "ignored"), ("link", "link")]);
    #[cfg(not(unix))]
    assert_eq!(skipped, [("gen/", "ignored")]);
}

#[test]
fn faults_have_codes_and_say_where() {
    let folder = Folder::new("faults");
    let code = |outcome: Result<Index, portolan::Error>| match outcome {
        Ok(_) => "none".to_owned(),
        Err(error) => error.code().to_owned(),
    };
    let missing = folder.0.join("missing");
    let options = IndexOptions::default();
    let outcome = Index::from_folder(&missing, &options);
    let message = outcome.as_ref().err().map(ToString::to_string);
    assert!(message.is_some_and(|text| text.contains("missing")));
    assert_eq!(code(outcome), "input.unreadable");
    assert_eq!(code(Index::open(&missing)), "input.unreadable");
    let archive = Index::from_archive(b"no archive", &options);
    assert_eq!(code(archive), "archive.unknown");

    let made = index(&folder.repo());
    let mut damaged = made.to_bytes().expect("bytes").to_vec();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    assert_eq!(code(Index::from_bytes(&damaged)), "snapshot.checksum");
    assert_eq!(code(Index::from_bytes(b"text")), "snapshot.foreign");
    let unwritable = made.save(folder.0.join("missing/repo.portolan"));
    assert_eq!(
        unwritable.map_err(|e| e.code().to_owned()),
        Err("output.unwritable".to_owned())
    );
    let question = made.ask("cook", "{}").map_err(|e| e.code().to_owned());
    assert_eq!(question, Err("request.tool".to_owned()));
}

#[test]
fn whoever_hears_of_progress_can_stop_it() {
    let folder = Folder::new("stop");
    let set = read_folder(&folder.repo(), &SourceConfig::default()).expect("a set");
    let mut heard = 0;
    let outcome = Index::from_files(set, &IndexOptions::named("repo"), &mut |_| {
        heard += 1;
        heard < 2
    });
    let code = outcome.map_or_else(|error| error.code().to_owned(), |_| "none".to_owned());
    assert_eq!((heard, code.as_str()), (2, "cancelled"));
}
