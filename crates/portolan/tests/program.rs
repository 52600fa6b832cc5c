//! The native program as a person meets it: index, ask, and attacks on both.
#![cfg(all(unix, feature = "program"))]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A home and a repository of their own for one test, removed at its end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("portolan-program-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        for folder in ["home", "repository/shop"] {
            fs::create_dir_all(path.join(folder)).expect("a folder");
        }
        let place = Self(path);
        place.write(
            "repository/shop/tax.py",
            "def add_tax(net):\n    return net * 1.2\n",
        );
        place.write(
            "repository/shop/cart.py",
            "from shop.tax import add_tax\n\ndef checkout(net):\n    return add_tax(net)\n",
        );
        place
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).expect("a file");
    }

    fn at(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// Runs the program in the repository.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_portolan"))
            .args(arguments)
            .current_dir(self.at("repository"))
            .env_clear()
            .env("HOME", self.at("home"))
            .output()
            .expect("it starts")
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {complaint}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn refused(&self, arguments: &[&str], code: &str) {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?} passed");
        assert!(complaint.contains(code), "{arguments:?}: {complaint}");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn a_folder_is_indexed_and_asked_from_anywhere_in_it() {
    let place = Place::new("ask");
    let told = place.ok(&["index"]);
    assert!(told.starts_with("2 files (0 skipped), 2 symbols"), "{told}");
    assert_eq!(text(&place.at("repository/.portolan/.gitignore")), "*\n");
    assert!(place.ok(&["callers", "add_tax"]).contains("checkout"));
    assert!(
        place
            .ok(&["search", "add tax", "-n", "1"])
            .contains("shop/tax.py")
    );
    assert!(place.ok(&["tools"]).contains("\nimpact "));
    assert!(place.ok(&["impact", "--help"]).contains("--min-confidence"));
    let again = place.ok(&["index", "--json"]);
    assert!(again.contains("\"n_files\":2"), "{again}");
    place.refused(&["callers", "ad_tax"], "did you mean add_tax?");
    place.refused(&["callers"], "symbol is missing");
    place.refused(&["nonsense"], "there is no command");
}

#[test]
fn an_index_that_came_with_the_repository_is_not_used_unless_it_is_named() {
    let place = Place::new("foreign");
    place.ok(&["index"]);
    let index = place.at("repository/.portolan/index.portolan");
    // As an archive would bring it: the same bytes, another file.
    let bytes = fs::read(&index).expect("bytes");
    fs::remove_file(&index).expect("removed");
    fs::write(&index, bytes).expect("written");
    place.refused(&["status"], "index.untrusted");
    assert!(
        place
            .ok(&["status", "--index", ".portolan/index.portolan"])
            .contains("\"n_files\":2")
    );
    place.ok(&["index"]);
    place.ok(&["status"]);
}

#[test]
fn nothing_is_written_through_links_or_over_other_files() {
    let place = Place::new("links");
    place.write("victim", "precious\n");
    fs::create_dir(place.at("elsewhere")).expect("a folder");
    symlink(place.at("elsewhere"), place.at("repository/.portolan")).expect("a link");
    place.refused(&["index"], "output.link");
    assert!(
        fs::read_dir(place.at("elsewhere"))
            .expect("listed")
            .next()
            .is_none()
    );
    fs::remove_file(place.at("repository/.portolan")).expect("removed");

    fs::create_dir(place.at("repository/.portolan")).expect("a folder");
    symlink(
        place.at("victim"),
        place.at("repository/.portolan/.gitignore"),
    )
    .expect("a link");
    symlink(
        place.at("victim"),
        place.at("repository/.portolan/index.portolan"),
    )
    .expect("a link");
    place.ok(&["index"]);
    assert_eq!(text(&place.at("victim")), "precious\n");
    let index = fs::symlink_metadata(place.at("repository/.portolan/index.portolan"));
    assert!(index.expect("an index").is_file());

    fs::create_dir(place.at("repository/keys")).expect("a folder");
    place.write("repository/keys/npmrc", "registry=x\n");
    place.refused(&["index", "-o", "keys/npmrc"], "output.foreign");
    symlink(place.at("elsewhere"), place.at("repository/out")).expect("a link");
    place.refused(&["index", "-o", "out/x.portolan"], "output.link");
    assert_eq!(text(&place.at("repository/keys/npmrc")), "registry=x\n");
}

#[test]
fn links_and_pipes_of_the_repository_are_not_read() {
    let place = Place::new("read");
    place.write("secret.py", "def secret_of_the_machine():\n    pass\n");
    symlink(place.at("secret.py"), place.at("repository/shop/link.py")).expect("a link");
    symlink(place.at(""), place.at("repository/up")).expect("a link");
    let made = Command::new("mkfifo")
        .arg(place.at("repository/pipe.py"))
        .status();
    assert!(made.expect("mkfifo").success());
    assert!(place.ok(&["index"]).starts_with("2 files (3 skipped)"));
    assert!(
        !place
            .ok(&["search", "secret of the machine"])
            .contains("secret_of")
    );
}

/// Files of shards beside the root.
fn shards_of(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.at("repository/.portolan")).expect("listed");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_shard = |path: &PathBuf| path.to_string_lossy().contains("/index-");
    let mut shards: Vec<PathBuf> = paths.filter(is_shard).collect();
    shards.sort();
    shards
}

#[test]
fn an_index_in_shards_answers_as_one_and_is_replaced_as_one() {
    let place = Place::new("shards");
    place.write("repository/notes.md", "# Notes\n\nAbout `add_tax`.\n");
    place.ok(&["index", "--no-embeddings"]);
    let questions: [&[&str]; 5] = [
        &["callers", "add_tax"],
        &["impact", "add_tax"],
        &["trace", "checkout", "add_tax"],
        &["regex", "net\\w*"],
        &["locate", "add_tax fails"],
    ];
    let expected = questions.map(|question| place.ok(question));
    let told = place.ok(&["index", "--no-embeddings", "--shards", "9"]);
    assert!(told.starts_with("3 files in 3 shards"), "{told}");
    assert_eq!(shards_of(&place).len(), 3);
    assert_eq!(questions.map(|question| place.ok(question)), expected);
    assert!(place.ok(&["search", "add tax"]).contains("shop/tax.py"));

    // Shards of the index before are gone.
    place.ok(&["index", "--no-embeddings", "--shards", "9", "--json"]);
    assert_eq!(shards_of(&place).len(), 3);
    place.ok(&["index", "--memory-budget", "64"]);
    assert_eq!(shards_of(&place).len(), 1);
    assert!(place.ok(&["callers", "add_tax"]).contains("checkout"));
    // It stays in shards until all is read anew.
    place.ok(&["index", "--shards", "9"]);
    place.write("repository/more.md", "# More\n");
    let told = place.ok(&["index", "--json"]);
    assert!(told.contains(r#""n_unchanged":3,"#), "{told}");
    assert!(place.ok(&["find", "More"]).contains("more.md"));
    let told = place.ok(&["index", "--full", "--shards", "9", "--json"]);
    assert!(told.contains(r#""n_unchanged":0,"#), "{told}");
    place.ok(&["index", "--full"]);
    assert!(shards_of(&place).is_empty());
    place.refused(
        &["index", "--shards", "2", "--memory-budget", "99"],
        "not both",
    );
    place.refused(&["index", "--shards", "0"], "begins at 1");
    place.refused(&["index", "--memory-budget", "1"], "64 to");
}

#[test]
fn shards_that_were_replaced_are_not_used() {
    let place = Place::new("forged");
    place.ok(&["index", "--no-embeddings", "--shards", "9"]);
    for shard in shards_of(&place) {
        let bytes = fs::read(&shard).expect("bytes");
        fs::remove_file(&shard).expect("removed");
        fs::write(&shard, bytes).expect("written");
    }
    place.refused(&["callers", "add_tax"], "was not made here");
    let named = ["callers", "add_tax", "--index", ".portolan/index.portolan"];
    assert!(place.ok(&named).contains("checkout"));
    for shard in shards_of(&place) {
        fs::remove_file(&shard).expect("removed");
    }
    place.refused(&named, "snapshot.unreadable");
}

#[test]
fn names_with_control_characters_reach_no_terminal() {
    let place = Place::new("names");
    let output = place.run(&["find", "\u{1b}[2Jx"]);
    assert!(!output.stderr.contains(&0x1b));
}
