//! A folder as its difference from the index of another one.
#![cfg(feature = "languages")]

use std::fs;
use std::path::{Path, PathBuf};

use portolan::{IndexOptions, difference, index_folder, replay};

const FILES: [(&str, &str); 5] = [
    ("tax.py", "def add_tax(net):\n    return net * 1.2\n"),
    (
        "cart.py",
        "from tax import add_tax\n\ndef checkout(net):\n    return add_tax(net)\n",
    ),
    ("gone.py", "def gone():\n    pass\n"),
    ("moved.py", "def moved():\n    return 7\n"),
    ("picture.txt", "\0\0"),
];

/// Two folders with the same files, removed at the end.
struct Folders(PathBuf);

impl Folders {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("portolan-overlay-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folders = Self(path);
        for folder in [folders.first(), folders.second()] {
            fs::create_dir_all(&folder).expect("a folder");
            for (file, text) in FILES {
                fs::write(folder.join(file), text).expect("a file");
            }
        }
        folders
    }

    fn first(&self) -> PathBuf {
        self.0.join("first")
    }

    fn second(&self) -> PathBuf {
        self.0.join("second")
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn options() -> IndexOptions {
    // Before any of the files: no size and time is kept, so the bytes tell of the files alone.
    let now_millis = 1_000.0;
    IndexOptions {
        now_millis,
        ..IndexOptions::named("shop")
    }
}

/// The options with the index of a folder as the earlier one.
fn after(folder: &Path) -> IndexOptions {
    let made = index_folder(folder, &options(), &mut |_| true).expect("an index");
    IndexOptions {
        previous: Some(made.snapshot),
        ..options()
    }
}

#[test]
fn a_difference_and_its_base_make_the_index_of_the_folder() {
    let folders = Folders::new("replay");
    let with_base = after(&folders.first());
    let second = folders.second();
    fs::write(second.join("tax.py"), "def add_tax(net):\n    return net\n").expect("a file");
    fs::write(
        second.join("new.py"),
        "from cart import checkout\n\ncheckout(1)\n",
    )
    .expect("a file");
    fs::write(second.join("data.bin"), [0, 1, 0]).expect("a file");
    fs::rename(second.join("moved.py"), second.join("elsewhere.py")).expect("a move");
    fs::remove_file(second.join("gone.py")).expect("a deletion");
    let found = difference(&second, &with_base, 1_000).expect("a comparison");
    let found = found.expect("a difference");
    let names: Vec<&str> = found.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["elsewhere.py", "new.py", "tax.py"]);
    assert_eq!(found.deleted, ["gone.py", "moved.py"]);
    assert_eq!(found.n_unchanged, 1);
    let skipped: Vec<&str> = found
        .skipped
        .iter()
        .map(|note| note.path.as_str())
        .collect();
    assert_eq!(skipped, ["data.bin", "picture.txt"]);
    let made = replay(found, &with_base, &mut |_| true).expect("an index");
    let whole = index_folder(&second, &options(), &mut |_| true).expect("an index");
    let bytes = |snapshot: &portolan::Snapshot| snapshot.to_bytes().expect("bytes").to_vec();
    assert!(bytes(&made) == bytes(&whole.snapshot), "the indexes differ");
}

#[test]
fn too_much_or_nothing_to_compare_with_is_no_difference() {
    let folders = Folders::new("limits");
    let with_base = after(&folders.first());
    let second = folders.second();
    fs::write(second.join("new.py"), "x = 1\n").expect("a file");
    let of = |options: &IndexOptions, max_bytes| difference(&second, options, max_bytes);
    assert!(of(&with_base, 6).expect("a comparison").is_some());
    assert_eq!(of(&with_base, 5).expect("a comparison"), None);
    assert_eq!(of(&options(), 6).expect("a comparison"), None);
    let mut few = with_base.clone();
    few.source.max_files = 4;
    assert_eq!(of(&few, 6).expect("a comparison"), None);
    let found = of(&with_base, 6).expect("a comparison").expect("one");
    let refused = replay(found, &options(), &mut |_| true);
    assert_eq!(refused.err().expect("an error").code(), "previous.unusable");
}
