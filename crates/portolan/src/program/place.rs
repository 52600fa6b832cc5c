//! The place of an index, `ROOT/.portolan/index.portolan`: finds it from a folder upwards, and writes it without following links.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, fsync, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;

use crate::arguments::Failure;
use crate::own_index::is_own_index;

/// The folder of an index, within the indexed folder.
pub(crate) const INDEX_FOLDER: &str = ".portolan";
const INDEX_FILE: &str = "index.portolan";
/// Names at the top of a work tree.
const MARKS: [&str; 4] = [".git", ".hg", ".jj", "portolan.toml"];
/// How an index begins, encrypted or not.
const MAGICS: [&[u8]; 3] = [b"PORTOLAN", b"PORTSEAL", b"PTLNROOT"];

const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
const NEW_FILE: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// The index of this folder; it need not exist.
pub(crate) fn index_path_of(root: &Path) -> PathBuf {
    root.join(INDEX_FOLDER).join(INDEX_FILE)
}

/// The repository that contains a folder: the nearest one, itself or above, that has an index or is the top of a work tree; else itself.
pub(crate) fn find_root(from: &Path) -> PathBuf {
    let from = absolute(from);
    let is_root = |folder: &&Path| {
        index_path_of(folder).is_file() || MARKS.iter().any(|mark| folder.join(mark).exists())
    };
    from.ancestors()
        .find(is_root)
        .map_or_else(|| from.clone(), Path::to_owned)
}

/// The nearest index of this folder or one above, if it was made here.
pub(crate) fn require_index() -> Result<PathBuf, Failure> {
    let here = absolute(Path::new("."));
    let mut places = here.ancestors().map(index_path_of);
    let Some(index) = places.find(|index| index.is_file()) else {
        return Err(Failure::refused(
            "storage.not-found",
            "there is no index in this folder or above it".to_owned(),
            "make one with `portolan index`, or name one with --index",
        ));
    };
    if is_own_index(&index) {
        return Ok(index);
    }
    let path = index.display();
    Err(Failure::refused(
        "index.untrusted",
        format!(
            "{path} was not made here, or was changed since: it can say what it likes of the files"
        ),
        &format!(
            "make it anew with `portolan index`; if you trust who made it, name it: --index {path}"
        ),
    ))
}

/// A path from the root of the system on, without `.` and `..`.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let whole = env::current_dir().unwrap_or_default().join(path);
    let mut clean = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// Writes beside the target, has the system put it on the disk, then renames: a reader sees the old file or the new one. Below
/// `repositories` no part of the path may be a link, and a file that is no index is not replaced.
pub(crate) fn write_index(
    target: &Path,
    repositories: &[PathBuf],
    bytes: &[u8],
) -> Result<(), Failure> {
    let target = absolute(target);
    let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(Failure::usage(format!(
            "{} names no file",
            target.display()
        )));
    };
    let unwritable = |error: io::Error| {
        let code = match error.raw_os_error() {
            Some(code) if code == Errno::LOOP.raw_os_error() => "output.link",
            Some(code) if code == Errno::NOTDIR.raw_os_error() => "output.link",
            Some(code) if code == Errno::NOSPC.raw_os_error() => "storage.quota",
            _ => "storage.failed",
        };
        let message = format!("{} cannot be written: {error}", target.display());
        Failure::refused(code, message, "name another place with --output")
    };
    let folder = open_folder(parent, repositories).map_err(unwritable)?;
    let is_kept = parent.file_name().is_some_and(|name| name == INDEX_FOLDER);
    if is_kept {
        // One that is there says what git is to see.
        let ignores = openat(&folder, ".gitignore", NEW_FILE, Mode::from_raw_mode(0o644));
        if let Ok(file) = ignores {
            File::from(file).write_all(b"*\n").map_err(unwritable)?;
        }
    } else if !is_replaceable(&folder, name).map_err(unwritable)? {
        let message = format!("{} is no index, and is not replaced", target.display());
        return Err(Failure::refused(
            "output.foreign",
            message,
            "name another place with --output",
        ));
    }
    replace(&folder, name, bytes).map_err(unwritable)
}

/// Opens a folder; missing ones are made. Below a repository each part is opened by itself, and links are refused.
fn open_folder(folder: &Path, repositories: &[PathBuf]) -> io::Result<OwnedFd> {
    let repository = repositories.iter().find(|root| folder.starts_with(root));
    let Some(root) = repository else {
        std::fs::create_dir_all(folder)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        return Ok(openat(CWD, folder, flags, Mode::empty())?);
    };
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut opened = openat(CWD, root, flags, Mode::empty())?;
    for part in folder.strip_prefix(root).unwrap_or(folder) {
        match mkdirat(&opened, part, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        opened = openat(&opened, part, FOLDER, Mode::empty())?;
    }
    Ok(opened)
}

/// Whether nothing has this name, or an index, or an empty file.
fn is_replaceable(folder: &OwnedFd, name: &std::ffi::OsStr) -> io::Result<bool> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match openat(folder, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(true),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    file.take(8).read_to_end(&mut start)?;
    Ok(start.is_empty() || MAGICS.contains(&start.as_slice()))
}

fn replace(folder: &OwnedFd, name: &std::ffi::OsStr, bytes: &[u8]) -> io::Result<()> {
    let random = RandomState::new().build_hasher().finish();
    let beside = format!(".{random:016x}.tmp");
    let file = openat(folder, &beside, NEW_FILE, Mode::from_raw_mode(0o644))?;
    let mut file = File::from(file);
    let written = file
        .write_all(bytes)
        .and_then(|()| Ok(fsync(&file)?))
        .and_then(|()| Ok(renameat(folder, &beside, folder, name)?));
    if written.is_err() {
        let _ = unlinkat(folder, &beside, AtFlags::empty());
    }
    written
}
