//! Opens files below a folder, component by component, without following a link.

use std::fs::File;
use std::io;
use std::path::Path;

pub(super) use system::{Root, read_at};

/// Components of a name that is below its folder.
fn components(name: &str) -> io::Result<Vec<&str>> {
    let is_plain =
        |part: &&str| !matches!(*part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    let parts: Vec<&str> = name.split('/').collect();
    match parts.iter().all(is_plain) {
        true => Ok(parts),
        false => Err(io::Error::from(io::ErrorKind::InvalidInput)),
    }
}

/// `None` for a file that is not there.
fn optional(opened: io::Result<File>) -> io::Result<Option<File>> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
mod system {
    use super::{File, Path, components, io, optional};
    use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
    use rustix::io::Errno;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::FileExt;

    const FOLDER: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::NOFOLLOW)
        .union(OFlags::CLOEXEC);
    // A pipe that nobody writes to would keep `open` waiting.
    const FILE: OFlags = OFlags::RDONLY
        .union(OFlags::NOFOLLOW)
        .union(OFlags::NONBLOCK)
        .union(OFlags::CLOEXEC);

    /// An open folder.
    #[derive(Debug)]
    pub struct Root(OwnedFd);

    impl Root {
        /// Opens a folder, which is no link itself.
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(openat(CWD, path, FOLDER, Mode::empty())?))
        }

        /// Opens a file or folder by its name below the folder.
        fn at(&self, parts: &[&str], last: OFlags) -> io::Result<OwnedFd> {
            let mut folder: Option<OwnedFd> = None;
            for (nth, part) in parts.iter().enumerate() {
                let flags = if nth + 1 == parts.len() { last } else { FOLDER };
                let within = folder.as_ref().unwrap_or(&self.0);
                let opened = openat(within, *part, flags, Mode::empty());
                // The system reports a link in place of a folder as "not a folder", which would look like a missing file.
                if matches!(opened, Err(Errno::NOTDIR)) && is_link(within, part) {
                    return Err(io::Error::from(Errno::LOOP));
                }
                folder = Some(opened?);
            }
            folder.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))
        }

        /// Opens a file; `None` if there is none.
        pub fn file(&self, name: &str) -> io::Result<Option<File>> {
            let parts = components(name)?;
            optional(self.at(&parts, FILE).map(File::from))
        }

        /// Returns the names in a folder; none if there is no such folder.
        pub fn list(&self, name: &str) -> io::Result<Vec<String>> {
            let parts = components(name)?;
            let Some(folder) = optional(self.at(&parts, FOLDER).map(File::from))? else {
                return Ok(Vec::new());
            };
            let mut names = Vec::new();
            for entry in Dir::read_from(folder)? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                if name != "." && name != ".." {
                    names.push(name);
                }
            }
            Ok(names)
        }
    }

    fn is_link(folder: &OwnedFd, name: &str) -> bool {
        let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_symlink())
    }

    /// Fills a buffer from a place of a file on; returns how many bytes there were.
    pub fn read_at(file: &File, buffer: &mut [u8], start: u64) -> io::Result<usize> {
        let mut n_done = 0;
        while n_done < buffer.len() {
            match file.read_at(&mut buffer[n_done..], start + n_done as u64) {
                Ok(0) => break,
                Ok(n) => n_done += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(n_done)
    }
}

#[cfg(not(unix))]
mod system {
    use super::{File, Path, components, io, optional};
    use std::io::{Read, Seek, SeekFrom};
    use std::path::PathBuf;

    /// A folder.
    #[derive(Debug)]
    pub struct Root(PathBuf);

    impl Root {
        /// Opens a folder.
        pub fn open(path: &Path) -> io::Result<Self> {
            match path.is_dir() {
                true => Ok(Self(path.to_owned())),
                false => Err(io::Error::from(io::ErrorKind::NotFound)),
            }
        }

        /// The place of a name, none of whose folders is a link.
        fn at(&self, name: &str) -> io::Result<PathBuf> {
            let mut place = self.0.clone();
            for part in components(name)? {
                place.push(part);
                if place.symlink_metadata()?.file_type().is_symlink() {
                    return Err(io::Error::other("it is a link"));
                }
            }
            Ok(place)
        }

        /// Opens a file; `None` if there is none.
        pub fn file(&self, name: &str) -> io::Result<Option<File>> {
            optional(self.at(name).and_then(File::open))
        }

        /// Returns the names in a folder; none if there is no such folder.
        pub fn list(&self, name: &str) -> io::Result<Vec<String>> {
            let folder = match self.at(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                folder => folder?,
            };
            let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
            std::fs::read_dir(folder)?
                .map(|entry| entry.map(name))
                .collect()
        }
    }

    /// Fills a buffer from a place of a file on; returns how many bytes there were.
    pub fn read_at(mut file: &File, buffer: &mut [u8], start: u64) -> io::Result<usize> {
        file.seek(SeekFrom::Start(start))?;
        let mut n_done = 0;
        while n_done < buffer.len() {
            match file.read(&mut buffer[n_done..])? {
                0 => break,
                n => n_done += n,
            }
        }
        Ok(n_done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_below_their_folder() {
        assert_eq!(components("objects/pack").unwrap(), ["objects", "pack"]);
        for name in [
            "",
            "..",
            "a/../b",
            "/etc/passwd",
            "a//b",
            "a\\b",
            "C:/x",
            "a/.",
        ] {
            assert!(components(name).is_err(), "{name}");
        }
    }
}
