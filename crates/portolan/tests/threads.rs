//! Threads, updates and cancelling: none of them changes what is in an index.
#![cfg(feature = "languages")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portolan::engine::{Differences, Phase};
use portolan::{
    EarlierShards, Error, Index, IndexOptions, Indexed, ShardSize, Snapshot, StaticEmbedder,
    index_folder, index_in_shards, shard_path,
};

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    /// With `n` modules that call one another.
    fn new(name: &str, n: usize) -> Self {
        let path =
            std::env::temp_dir().join(format!("portolan-threads-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folder = Self(path);
        for module in 0..n {
            let next = (module * 7 + 1) % n;
            let text = format!(
                "from shop.m{next} import f{next}\n\n\ndef f{module}(net):\n    \"\"\"Adds tax number {module}.\"\"\"\n    return f{next}(net) + {module}\n"
            );
            folder.write(&format!("shop/m{module}.py"), &text);
        }
        folder.write("README.md", "# Shop\n\nTaxes of a shop.\n");
        folder
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.0.join(file);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    fn index(&self, options: &IndexOptions) -> Indexed {
        index_folder(&self.0, options, &mut |_| true).expect("an index")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn model() -> Arc<StaticEmbedder> {
    let model = include_bytes!("../../embed/model/code-embed-128.int8.onnx");
    let tokenizer = include_bytes!("../../embed/model/tokenizer.json");
    Arc::new(StaticEmbedder::from_onnx(model, tokenizer).expect("the model"))
}

/// A fixed name and time, so that the bytes can be compared.
fn options(threads: usize, previous: Option<&Arc<Snapshot>>) -> IndexOptions {
    IndexOptions {
        threads,
        embedder: Some(model()),
        previous: previous.cloned(),
        now_millis: 1.0,
        // Files were written just now: whether their times are kept depends on the moment.
        reads_all: true,
        ..IndexOptions::named("shop")
    }
}

fn bytes(snapshot: &Snapshot) -> Vec<u8> {
    snapshot.to_bytes().expect("bytes").to_vec()
}

/// The names of shards, which are digests of their bytes, and the root.
fn sharded(folder: &Folder, threads: usize) -> (Vec<String>, Vec<u8>) {
    let mut names = Vec::new();
    let mut write = |name: &str, _: &[u8]| {
        names.push(name.to_owned());
        Ok(())
    };
    let made = index_in_shards(
        &folder.0,
        &options(threads, None),
        ShardSize::Number(8),
        &mut write,
        &mut |_| true,
    );
    let made = made.expect("shards");
    assert!(made.root.to_bytes().expect("bytes") == made.bytes);
    (names, made.bytes)
}

/// Writes an index in shards to a folder, where `damage` may change its shards. Opens it as an earlier one.
fn earlier(folder: &Folder, to: &Folder, damage: impl Fn(&mut Vec<u8>)) -> Arc<EarlierShards> {
    let root = to.0.join("index.portolan");
    let mut write = |name: &str, bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        damage(&mut bytes);
        fs::write(shard_path(&root, name), bytes).expect("a shard");
        Ok(())
    };
    let size = ShardSize::Number(8);
    let made = index_in_shards(&folder.0, &options(2, None), size, &mut write, &mut |_| {
        true
    });
    fs::write(&root, made.expect("shards").bytes).expect("a root");
    Arc::new(
        EarlierShards::open(&root, &IndexOptions::default(), |_| true).expect("an earlier index"),
    )
}

/// An index in shards that was made after an earlier one.
struct After {
    names: Vec<String>,
    root: Vec<u8>,
    /// Files whose facts are those of the earlier one.
    n_unchanged: usize,
    /// Chunks whose vectors were computed.
    n_embedded: usize,
}

/// As [`sharded`], with an earlier index.
fn sharded_after(folder: &Folder, earlier: &Arc<EarlierShards>, threads: usize) -> After {
    let options = IndexOptions {
        earlier: Some(Arc::clone(earlier)),
        ..options(threads, None)
    };
    let mut names = Vec::new();
    let mut write = |name: &str, _: &[u8]| {
        names.push(name.to_owned());
        Ok(())
    };
    let mut n_embedded = 0;
    let size = ShardSize::Number(8);
    let made = index_in_shards(&folder.0, &options, size, &mut write, &mut |progress| {
        if progress.phase == Phase::Embedding {
            n_embedded = progress.done;
        }
        true
    });
    let made = made.expect("shards");
    After {
        names,
        root: made.bytes,
        n_unchanged: made.n_unchanged,
        n_embedded,
    }
}

fn edited(folder: &Folder) {
    folder.write("shop/m3.py", "def f3(net):\n    return net\n");
    folder.write(
        "shop/new.py",
        "from shop.m3 import f3\n\n\ndef more():\n    f3(1)\n",
    );
    fs::remove_file(folder.0.join("shop/m7.py")).expect("removed");
    fs::rename(folder.0.join("shop/m9.py"), folder.0.join("shop/nine.py")).expect("renamed");
}

#[test]
fn shards_after_an_edit_equal_shards_made_anew() {
    let folder = Folder::new("shards-edit", 60);
    let kept = Folder::new("shards-kept", 0);
    let earlier = earlier(&folder, &kept, |_| ());
    let (names, root) = sharded(&folder, 2);
    let after = sharded_after(&folder, &earlier, 2);
    assert_eq!((after.n_unchanged, after.n_embedded), (61, 0));
    assert_eq!(names, after.names);
    assert!(root == after.root);
    edited(&folder);
    let (names, root) = sharded(&folder, 2);
    for threads in [1, 3] {
        let after = sharded_after(&folder, &earlier, threads);
        // One is gone, one was renamed, one was changed, one is new.
        assert_eq!((after.n_unchanged, after.n_embedded), (58, 3));
        assert_eq!(names, after.names);
        assert!(root == after.root);
    }
}

#[test]
fn files_of_damaged_shards_are_parsed() {
    let folder = Folder::new("shards-damaged", 60);
    let kept = Folder::new("shards-broken", 0);
    let (names, root) = sharded(&folder, 2);
    // The list of files stays whole; facts are towards the end of the file.
    let earlier = earlier(&folder, &kept, |bytes| {
        let n_bytes = bytes.len();
        bytes[n_bytes / 2..].fill(0x55);
    });
    let after = sharded_after(&folder, &earlier, 2);
    assert!(after.n_unchanged < 61, "{}", after.n_unchanged);
    assert_eq!(names, after.names);
    assert!(root == after.root);
    for shard in fs::read_dir(&kept.0).expect("a folder").flatten() {
        if shard.file_name() != "index.portolan" {
            fs::remove_file(shard.path()).expect("removed");
        }
    }
    let after = sharded_after(&folder, &earlier, 2);
    assert_eq!((after.n_unchanged, after.n_embedded), (0, 61));
    assert_eq!(names, after.names);
    assert!(root == after.root);
}

#[test]
fn the_number_of_threads_changes_no_shard() {
    let folder = Folder::new("shards", 60);
    for module in 0..60 {
        let text = format!(
            "from shop.m{module} import f{module}\n\n\ndef g{module}():\n    return f{module}(1)\n"
        );
        folder.write(&format!("tests/t{}/m{module}.py", module % 5), &text);
    }
    let (names, root) = sharded(&folder, 1);
    assert!(names.len() > 4, "{names:?}");
    for threads in [2, 3, 16] {
        let (more, other) = sharded(&folder, threads);
        assert_eq!(names, more, "{threads} threads");
        assert!(root == other, "{threads} threads");
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new("number", 60);
    let one = bytes(&folder.index(&options(1, None)).snapshot);
    for threads in [2, 3, 16] {
        let more = bytes(&folder.index(&options(threads, None)).snapshot);
        assert!(one == more, "{threads} threads");
    }
    // The same as from one call of the engine, which has no threads.
    let files = portolan::read_folder(&folder.0, &portolan::SourceConfig::default());
    let index = Index::from_files(files.expect("files"), &options(2, None), &mut |_| true);
    let index = index.expect("an index");
    assert_eq!(index.reader().status().n_vectors, 61);
    assert_eq!(index.reader().n_files(), 61);
}

#[test]
fn an_update_equals_an_index_made_anew() {
    let folder = Folder::new("update", 30);
    let first = folder.index(&options(2, None));
    assert!(first.changes.is_none());
    folder.write("shop/m3.py", "def f3(net):\n    return net\n");
    folder.write("shop/new.py", "from shop.m3 import f3\n\nf3(1)\n");
    fs::remove_file(folder.0.join("shop/m7.py")).expect("removed");
    fs::rename(folder.0.join("shop/m9.py"), folder.0.join("shop/nine.py")).expect("renamed");
    let updated = folder.index(&options(2, Some(&first.snapshot)));
    let Some(Differences {
        added,
        modified,
        deleted,
        renamed,
        ..
    }) = &updated.changes
    else {
        panic!("it began anew")
    };
    assert_eq!(added, &["shop/new.py"]);
    assert_eq!(modified, &["shop/m3.py"]);
    assert_eq!(deleted, &["shop/m7.py"]);
    let moved = ("shop/m9.py".to_owned(), "shop/nine.py".to_owned());
    assert_eq!(renamed, &[moved]);
    let anew = folder.index(&options(2, None));
    assert!(bytes(&updated.snapshot) == bytes(&anew.snapshot));
}

#[test]
fn an_update_with_other_options_equals_an_index_made_anew() {
    let folder = Folder::new("options", 3);
    folder.write(
        "shop/gen.py",
        "# Generated by a tool. DO NOT EDIT.\na = 1\n",
    );
    folder.write("shop/mark.py", "\u{feff}def mark():\n    return 1\n");
    folder.write("shop/other.js", "export const other = 1;\n");
    // Trusts sizes and times, of files that are old enough for it.
    let options = |previous: Option<&Arc<Snapshot>>| IndexOptions {
        now_millis: 4e12,
        reads_all: false,
        ..options(2, previous)
    };
    let mut generated = options(None);
    generated.source.include_generated = true;
    let with_all = folder.index(&generated).snapshot;
    let python = |previous: Option<&Arc<Snapshot>>| IndexOptions {
        languages: vec!["python".to_owned()],
        ..options(previous)
    };
    for make in [
        &options as &dyn Fn(Option<&Arc<Snapshot>>) -> IndexOptions,
        &python,
    ] {
        let updated = folder.index(&make(Some(&with_all)));
        assert!(bytes(&updated.snapshot) == bytes(&folder.index(&make(None)).snapshot));
        // With the same ones nothing is read again, also where the time says nothing.
        let mut again = make(Some(&updated.snapshot));
        for reads_all in [false, true] {
            again.reads_all = reads_all;
            let again = folder.index(&again);
            let changes = again.changes.expect("an update");
            let differing = [&changes.added, &changes.modified, &changes.deleted];
            assert!(differing.iter().all(|paths| paths.is_empty()));
            assert!(bytes(&again.snapshot) == bytes(&updated.snapshot));
        }
    }
}

#[test]
fn the_walk_says_how_each_folder_looked() {
    let folder = Folder::new("walk", 3);
    folder.write("target/ignored.rs", "fn f() {}\n");
    let walked = folder.index(&options(1, None)).walked;
    let paths: Vec<_> = walked.iter().map(|folder| folder.path.as_str()).collect();
    assert_eq!(paths, ["", "shop"]);
    let names = |at: usize| walked[at].files.iter().map(|file| file.name.as_str());
    assert_eq!(names(0).collect::<Vec<_>>(), ["README.md"]);
    assert_eq!(names(1).collect::<Vec<_>>(), ["m0.py", "m1.py", "m2.py"]);
    assert_eq!(walked[0].entries.len(), 3);
}

#[test]
fn every_phase_can_be_stopped() {
    let folder = Folder::new("stop", 40);
    for stopped in [Phase::Parsing, Phase::Building, Phase::Embedding] {
        let mut reached = false;
        let made = index_folder(&folder.0, &options(2, None), &mut |progress| {
            reached |= progress.phase == stopped;
            progress.phase != stopped
        });
        assert!(reached, "{stopped:?}");
        assert_eq!(
            made.err().map(|error| error.code().to_owned()).as_deref(),
            Some("cancelled")
        );
    }
}

#[test]
fn unknown_languages_and_folders_are_errors() {
    let folder = Folder::new("errors", 1);
    let unknown = IndexOptions {
        languages: vec!["klingon".to_owned()],
        ..options(1, None)
    };
    let made = index_folder(&folder.0, &unknown, &mut |_| true);
    assert!(matches!(made, Err(Error::UnknownLanguage { name }) if name == "klingon"));
    let missing = index_folder(Path::new("/no/such/folder"), &options(1, None), &mut |_| {
        true
    });
    assert!(matches!(missing, Err(Error::Unreadable { .. })));
}
