//! Folders of the file system: where `.git` may be, and links.

use std::fs;
use std::path::{Path, PathBuf};

use portolan_history::{Folder, History, Limits, Note, Repository};

use crate::support::{Git, Place, scripted, stream};

/// Number of commits and notes of a folder, or the code of the error.
fn read(path: &Path, allowed: &[PathBuf]) -> Result<(usize, Vec<Note>), &'static str> {
    let read = || {
        let folder = Folder::open(path, allowed)?;
        let mut repository = Repository::open(Box::new(folder), Limits::default())?;
        let history = History::read(&mut repository)?;
        let notes = [repository.notes(), &history.notes()].concat();
        Ok((history.n_commits(), notes))
    };
    read().map_err(|error: portolan_history::Error| error.code())
}

fn three(place: &Place) -> Git {
    scripted(
        place,
        "commit 1 ada@x One\n+ a 1\ncommit 2 ada@x Two\n+ a 2\ncommit 3 ada@x Three\n+ b 3",
    )
}

#[test]
fn repositories_of_all_kinds() {
    let place = Place::new();
    let git = three(&place);
    assert_eq!(read(&git.path, &[]), Ok((3, vec![])));
    git.run(&["clone", "--quiet", "--bare", ".", "../bare"]);
    assert_eq!(read(&place.at("bare").path, &[]), Ok((3, vec![])));
    let url = format!("file://{}", git.path.display());
    git.run(&["clone", "--quiet", "--depth=2", &url, "../shallow"]);
    let shallow = read(&place.at("shallow").path, &[]);
    assert_eq!(
        shallow,
        Ok((2, vec![Note::MissingParents, Note::MissingTrees]))
    );
    git.run(&["config", "uploadpack.allowFilter", "true"]);
    let treeless = [
        "clone",
        "--quiet",
        "--bare",
        "--filter=tree:0",
        &url,
        "../treeless",
    ];
    git.run(&treeless);
    let (n_commits, notes) = read(&place.at("treeless").path, &[]).unwrap();
    assert_eq!((n_commits, notes.contains(&Note::MissingTrees)), (3, true));
    git.run(&[
        "clone",
        "--quiet",
        "--bare",
        "--filter=blob:none",
        &url,
        "../blobless",
    ]);
    assert_eq!(read(&place.at("blobless").path, &[]), Ok((3, vec![])));
    git.run(&["checkout", "--quiet", "--detach", "main~1"]);
    assert_eq!(read(&git.path, &[]), Ok((2, vec![])));
}

#[test]
fn repositories_that_are_not_read() {
    let place = Place::new();
    assert_eq!(read(&place.path, &[]), Err("history.no-repository"));
    assert_eq!(
        read(&place.path.join("nowhere"), &[]),
        Err("history.no-repository")
    );
    let empty = place.repository("empty");
    assert_eq!(read(&empty.path, &[]), Err("history.no-commit"));
    let sha256 = place.at("");
    if sha256
        .try_run(&["init", "-q", "--object-format=sha256", "long"])
        .is_some()
    {
        assert_eq!(
            read(&place.at("long").path, &[]),
            Err("history.object-format")
        );
    }
    if sha256
        .try_run(&["init", "-q", "--ref-format=reftable", "table"])
        .is_some()
    {
        assert_eq!(
            read(&place.at("table").path, &[]),
            Err("history.ref-storage")
        );
    }
}

#[test]
fn worktrees_and_submodules_are_read_if_both_sides_say_so() {
    let place = Place::new();
    let git = three(&place);
    git.run(&[
        "worktree", "add", "--quiet", "../tree", "main~1", "--detach",
    ]);
    let tree = place.at("tree");
    assert_eq!(read(&tree.path, &[]), Ok((2, vec![])));
    // Another folder that names the same files is not theirs.
    let thief = place.path.join("thief");
    fs::create_dir(&thief).unwrap();
    fs::copy(tree.path.join(".git"), thief.join(".git")).unwrap();
    assert_eq!(read(&thief, &[]), Err("history.outside"));
    fs::write(
        thief.join(".git"),
        format!("gitdir: {}/.git\n", git.path.display()),
    )
    .unwrap();
    assert_eq!(read(&thief, &[]), Err("history.outside"));
    assert_eq!(
        read(&thief, std::slice::from_ref(&git.path)),
        Ok((3, vec![]))
    );
    fs::write(thief.join(".git"), "gitdir: ../nowhere").unwrap();
    assert_eq!(read(&thief, &[]), Err("history.outside"));
    fs::write(thief.join(".git"), "something else").unwrap();
    assert_eq!(read(&thief, &[]), Err("history.damaged"));

    let whole = place.repository("whole");
    let url = format!("file://{}", git.path.display());
    whole.run(&["submodule", "--quiet", "add", &url, "part"]);
    assert_eq!(read(&whole.path.join("part"), &[]), Ok((3, vec![])));
}

#[test]
fn borrowed_objects_are_read_where_that_is_allowed() {
    let place = Place::new();
    let git = three(&place);
    let at = git.path.display().to_string();
    git.run(&["clone", "--quiet", "--shared", &at, "../borrower"]);
    let borrower = place.at("borrower").path;
    assert_eq!(read(&borrower, &[]), Err("history.object-missing"));
    assert_eq!(
        read(&borrower, std::slice::from_ref(&git.path)),
        Ok((3, vec![]))
    );
    // Two that borrow from each other.
    let back = format!("{}/.git/objects\n", borrower.display());
    fs::create_dir_all(git.path.join(".git/objects/info")).unwrap();
    fs::write(git.path.join(".git/objects/info/alternates"), back).unwrap();
    let refused = Note::RefusedAlternate(format!("{}/.git/objects", borrower.display()));
    assert_eq!(read(&git.path, &[]), Ok((3, vec![refused])));
    assert_eq!(read(&git.path, &[borrower]), Ok((3, vec![])));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let git = three(&place);
    let link = |at: &str, target: &Path| {
        let path = place.path.join(at);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    };
    link("linked/.git", &git.path.join(".git"));
    assert_eq!(
        read(&place.path.join("linked"), &[]),
        Err("history.outside")
    );
    link("objects/.git/objects", &git.path.join(".git/objects"));
    fs::write(
        place.path.join("objects/.git/HEAD"),
        git.run(&["rev-parse", "HEAD"]),
    )
    .unwrap();
    assert_eq!(
        read(&place.path.join("objects"), &[]),
        Err("history.unreadable")
    );
    let own = place.repository("own");
    own.import(&stream("commit 1 ada@x One\n+ a 1"), false);
    fs::remove_file(own.path.join(".git/HEAD")).unwrap();
    link("own/.git/HEAD", &git.path.join(".git/HEAD"));
    assert_eq!(read(&own.path, &[]), Err("history.unreadable"));
    // A pipe does not keep the reader waiting.
    fs::remove_file(own.path.join(".git/HEAD")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(own.path.join(".git/HEAD"))
        .status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(read(&own.path, &[]), Err("history.unreadable"));
    }
}
