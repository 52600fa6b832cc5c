//! Files between the passes of an index in shards: in a file without a name, so nothing is read or parsed twice, and a file that changes
//! meanwhile changes nothing.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::Engine;
use shards::{restore, spill};

use crate::Error;

/// The files of a shard between the passes, in a file that nobody else can open by a name.
pub(crate) struct Waiting(std::fs::File);

impl Waiting {
    /// Puts the files of an engine aside.
    ///
    /// # Errors
    ///
    /// `output.unwritable`.
    pub fn of(engine: &Engine) -> Result<Self, Error> {
        let folder = std::env::temp_dir();
        let unwritable = |source| Error::Unwritable {
            path: folder.clone(),
            source,
        };
        let file = nameless(&folder).map_err(unwritable)?;
        let mut writer = std::io::BufWriter::new(file);
        spill(engine, &mut |record| writer.write_all(record)).map_err(unwritable)?;
        let file = writer.into_inner();
        Ok(Self(file.map_err(|error| unwritable(error.into_error()))?))
    }

    /// Puts the files into an engine.
    ///
    /// # Errors
    ///
    /// `input.unreadable`; `unit.damaged`.
    pub fn restore(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let mut records = Vec::new();
        let read = self.0.seek(SeekFrom::Start(0));
        let read = read.and_then(|_| self.0.read_to_end(&mut records));
        read.map_err(|source| Error::Unreadable {
            path: std::env::temp_dir(),
            source,
        })?;
        Ok(restore(engine, &records)?)
    }
}

/// Makes a file that is new, and has no name once it is open.
fn nameless(folder: &Path) -> std::io::Result<std::fs::File> {
    use std::hash::{BuildHasher, Hasher};
    let random = std::collections::hash_map::RandomState::new();
    let path: PathBuf = folder.join(format!(
        ".portolan-{:016x}.tmp",
        random.build_hasher().finish()
    ));
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    // Where a name cannot be taken from an open file, the system clears the folder.
    let _ = std::fs::remove_file(&path);
    Ok(file)
}
