//! The file of an index that is read part by part, when questions need it.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use engine::{Snapshot, SnapshotError, Source, unreadable};

use crate::Error;

/// Opens the file of an index without reading more than its table. A question reads the sections that it needs, and is told of damage
/// there: ask through [`engine::Index`].
///
/// # Errors
///
/// `input.unreadable`; `snapshot.…` for faults of the table.
pub fn open_lazily(path: impl AsRef<Path>) -> Result<Arc<Snapshot>, Error> {
    let path = path.as_ref();
    let source = FileSource::open(path).map_err(|source| Error::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let snapshot = Snapshot::open_lazily(source).map_err(engine::Error::from)?;
    Ok(Arc::new(snapshot))
}

/// An open file. A newer index that replaces it has another file, so its bytes stay as they are.
struct FileSource {
    file: File,
    n_bytes: usize,
}

impl FileSource {
    fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(std::io::ErrorKind::InvalidInput.into());
        }
        let n_bytes = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        Ok(Self { file, n_bytes })
    }
}

impl Source for FileSource {
    fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, SnapshotError> {
        if range.end > self.n_bytes {
            return Err(unreadable("it ends before one of its sections"));
        }
        let mut bytes = vec![0; range.len()];
        let read = read_exact_at(&self.file, &mut bytes, range.start as u64);
        read.map_err(|error| unreadable(&error.to_string()))?;
        Ok(bytes.into())
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// The position of a file is shared by threads, so they take turns.
#[cfg(not(unix))]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock();
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}
