//! The user's own folder, which no archive and no clone can write to. The npm package keeps it, too (`pkg/src/node/user-folder.ts`), with the
//! same names and contents.

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

const MAX_BYTES: u64 = 4 << 20;

/// The folder; none where there is no home, it belongs to somebody else, or it is inside `root`. It need not exist.
pub(crate) fn user_folder(root: Option<&Path>) -> Option<PathBuf> {
    let folder = place()?;
    if root.is_some_and(|root| real(&folder).starts_with(real(root))) {
        return None;
    }
    match fs::metadata(&folder) {
        Ok(metadata) => {
            let is_private = metadata.mode() & 0o022 == 0 && is_ours(&metadata);
            (metadata.is_dir() && is_private).then_some(folder)
        }
        Err(error) => (error.kind() == io::ErrorKind::NotFound).then_some(folder),
    }
}

fn place() -> Option<PathBuf> {
    // A relative path would lead into whatever folder is worked in.
    let absolute = |name: &str| {
        let path = env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    if let Some(config) = absolute("XDG_CONFIG_HOME") {
        return Some(config.join("portolan"));
    }
    let home = absolute("HOME").filter(|home| home.parent().is_some());
    home.map(|home| home.join(".config").join("portolan"))
}

/// The real path of the part that exists, and below it the rest of the name.
fn real(path: &Path) -> PathBuf {
    let above = || match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => path.to_owned(),
    };
    fs::canonicalize(path).unwrap_or_else(|_| above())
}

/// The text of a file of the folder; none where it is not there, is a link, is another's, or others may read it.
pub(crate) fn read_private(folder: &Path, name: &Path) -> Option<String> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let mut options = fs::OpenOptions::new();
    let file = options
        .read(true)
        .custom_flags(flags)
        .open(folder.join(name));
    let file = file.ok()?;
    let metadata = file.metadata().ok()?;
    let is_private = is_ours(&metadata) && metadata.mode() & 0o077 == 0;
    if !metadata.is_file() || !is_private || metadata.len() > MAX_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Replaces a file of the folder in one step.
pub(crate) fn write_private(folder: &Path, name: &Path, text: &str) -> io::Result<()> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(parent)?;
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = PathBuf::from(beside);
    let mut options = fs::OpenOptions::new();
    // A new file: a link under this name is not followed.
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)?;
    let written = file.write_all(text.as_bytes());
    let written = written.and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn is_ours(metadata: &fs::Metadata) -> bool {
    metadata.uid() == rustix::process::getuid().as_raw()
}

/// A short name for a path. The file of that name says which path it is.
pub(crate) fn name_for(path: &str) -> String {
    name_for_units(&path.encode_utf16().collect::<Vec<u16>>())
}

/// As [`name_for`], of UTF-16 code units.
pub(crate) fn name_for_units(units: &[u16]) -> String {
    let (mut a, mut b) = (0xdead_beef_u32, 0x41c6_ce57_u32);
    for unit in units {
        a = (a ^ u32::from(*unit)).wrapping_mul(0x85eb_ca77);
        b = (b ^ u32::from(*unit)).wrapping_mul(0xc2b2_ae3d);
    }
    let mixed = |half: u32| format!("{:08x}", half ^ (half >> 15));
    mixed(a) + &mixed(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_npm_package() {
        // `nameFor` of pkg/src/node/user-folder.ts gives these.
        assert_eq!(
            name_for("/home/ada/shop/.portolan/index.portolan"),
            "91eb6e41cbe1e089"
        );
        assert_eq!(name_for("/tmp/Größe 🦀"), "126cea5a9c7c1b1f");
    }
}
