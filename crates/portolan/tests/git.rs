//! The history of a folder, as a program reads it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use portolan::{HistoryOptions, blame, read_history};

/// A folder of its own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portolan-git-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("repo")).expect("a folder");
        fs::create_dir_all(path.join("home")).expect("a folder");
        Self(path)
    }

    fn repo(&self) -> PathBuf {
        self.0.join("repo")
    }

    fn git(&self, args: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
            .args(args)
            .current_dir(self.repo())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.0.join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .status();
        assert!(status.expect("git starts").success(), "git {args:?}");
    }

    fn commit(&self, text: &str, message: &str) {
        fs::write(self.repo().join("tax.rs"), text).expect("a file");
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "-m", message]);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_history_is_read_updated_and_blamed() {
    let folder = Folder::new("update");
    let options = HistoryOptions::default();
    let code = |root: &Path| {
        let read = read_history(root, None, &options);
        read.map(|_| ()).map_err(|error| error.code().to_owned())
    };
    assert_eq!(
        code(&folder.repo()),
        Err("history.no-repository".to_owned())
    );
    folder.git(&["init", "--quiet"]);
    assert_eq!(code(&folder.repo()), Err("history.no-commit".to_owned()));
    folder.commit("one\ntwo\n", "Start");
    let first = read_history(folder.repo(), None, &options).unwrap();
    assert_eq!(first.n_commits(), 1);
    folder.commit("one\n2\n", "Edit");
    let second = read_history(folder.repo(), Some(&first), &options).unwrap();
    assert_eq!(second, read_history(folder.repo(), None, &options).unwrap());
    assert_eq!(second.file("tax.rs", 10).unwrap().n_commits, 2);
    let lines = blame(folder.repo(), "tax.rs", "HEAD", &options, &mut || true).unwrap();
    let subjects: Vec<&str> = lines
        .lines
        .iter()
        .map(|(commit, _)| lines.commits[*commit as usize].subject.as_str())
        .collect();
    assert_eq!(subjects, ["Start", "Edit"]);
    let missing = blame(folder.repo(), "cart.rs", "HEAD", &options, &mut || true);
    assert_eq!(missing.unwrap_err().code(), "history.no-file");
}
