//! Inputs: what a reader picks, drops, or a program fetches, read as a set of text files.

use gloo_file::Blob;
use gloo_file::futures::read_as_bytes;
use gloo_net::http::Request;
use js_sys::Reflect;
use source::{FileSet, IgnoreRules, Intake, SkipReason, SourceConfig};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DataTransfer, File, FileList, FileSystemDirectoryHandle, FileSystemEntry};

use crate::Error;
use crate::error::reason_of;
use crate::folder::{Entry, Folder};
use crate::run::{Phase, Run};

/// Where files come from. All of them pass the same admission: ignore files, default excludes, limits, encodings.
#[derive(Clone)]
pub enum Input {
    /// A folder that the reader picked with `showDirectoryPicker` (File System Access).
    Folder(FileSystemDirectoryHandle),
    /// Files with their paths.
    Files(Vec<(String, File)>),
    /// Files and folders that were dropped.
    Dropped(Vec<FileSystemEntry>),
    /// A zip, tar or tar.gz file that the reader picked.
    ArchiveFile(File),
    /// The bytes of a zip, tar or tar.gz file.
    Archive(Vec<u8>),
    /// The address of a zip, tar or tar.gz file. Its server must allow the page to read it.
    Url(String),
}

/// Endings of archives that are read.
const ARCHIVES: [&str; 5] = [".zip", ".tar.gz", ".tgz", ".tar", ".crate"];

impl Input {
    /// Returns the files of an `<input type=file>`, with or without `webkitdirectory`. An archive that is the only file is read as one.
    #[must_use]
    pub fn from_files(list: &FileList) -> Self {
        let files = (0..list.length()).filter_map(|n| list.get(n));
        let mut files: Vec<_> = files.map(|file| (path_of(&file), file)).collect();
        match files.as_slice() {
            [(path, _)] if is_archive(path) => Self::ArchiveFile(files.remove(0).1),
            _ => Self::Files(files),
        }
    }

    /// Returns the dropped input. Call it within the handler of the `drop` event: afterwards the browser forgets it.
    #[must_use]
    pub fn from_drop(data: &DataTransfer) -> Self {
        let items = data.items();
        let items = (0..items.length()).filter_map(|n| items.get(n));
        let (mut entries, mut files) = (Vec::new(), Vec::new());
        for item in items.filter(|item| item.kind() == "file") {
            let entry = item.webkit_get_as_entry().ok().flatten();
            files.extend(item.get_as_file().ok().flatten());
            entries.extend(entry);
        }
        let is_folder = entries.first().is_some_and(FileSystemEntry::is_directory);
        match files.as_slice() {
            [file] if !is_folder && is_archive(&file.name()) => Self::ArchiveFile(file.clone()),
            // Files that a program put there have no entries.
            _ if entries.is_empty() => {
                Self::Files(files.into_iter().map(|file| (file.name(), file)).collect())
            }
            _ => Self::Dropped(entries),
        }
    }

    /// Lists and admits the dropped files, without reading them: entries of a drop belong to the page, files can be sent to a worker.
    pub(crate) async fn into_files(
        self,
        config: &SourceConfig,
        run: &mut Run<'_>,
    ) -> Result<Self, Error> {
        let Self::Dropped(entries) = self else {
            return Ok(self);
        };
        let entries = dropped(entries).await?;
        let mut found = Vec::new();
        walk(entries, config, run, Found::List(&mut found)).await?;
        Ok(Self::Files(found))
    }

    /// Reads the files, with pauses.
    pub(crate) async fn read(
        self,
        config: &SourceConfig,
        run: &mut Run<'_>,
    ) -> Result<FileSet, Error> {
        run.step(Phase::Reading, 0, 0).await?;
        match self {
            Self::Folder(handle) => {
                let name = handle.name();
                let entries = Folder::Handle(handle).list().await;
                let entries = entries.map_err(|thrown| unreadable(&name, &thrown))?;
                walk(entries, config, run, Found::Read).await
            }
            Self::Dropped(entries) => {
                let entries = dropped(entries).await?;
                walk(entries, config, run, Found::Read).await
            }
            Self::Files(files) => read_list(files, config, run).await,
            Self::ArchiveFile(file) => {
                let bytes = bytes_of(&file).await;
                let bytes = bytes.map_err(|reason| Error::Unreadable {
                    what: file.name(),
                    reason,
                })?;
                Ok(FileSet::from_archive(&bytes, config)?)
            }
            Self::Archive(bytes) => Ok(FileSet::from_archive(&bytes, config)?),
            Self::Url(url) => Ok(FileSet::from_archive(&fetch(&url).await?, config)?),
        }
    }
}

/// Fetches the bytes at an address.
pub(crate) async fn fetch(url: &str) -> Result<Vec<u8>, Error> {
    let failed = |reason: String| Error::Fetch {
        url: url.to_owned(),
        reason,
    };
    let response = Request::get(url).send().await;
    let response = response.map_err(|error| failed(error.to_string()))?;
    if !response.ok() {
        return Err(failed(format!("status {}", response.status())));
    }
    let bytes = response.binary().await;
    bytes.map_err(|error| failed(error.to_string()))
}

/// A folder that is dropped alone is the root; several things are below an unnamed one.
async fn dropped(entries: Vec<FileSystemEntry>) -> Result<Vec<(String, Entry)>, Error> {
    let mut entries: Vec<_> = entries
        .into_iter()
        .filter_map(Entry::from_dropped)
        .collect();
    match entries.as_slice() {
        [(_, Entry::Folder(_))] => {}
        _ => return Ok(entries),
    }
    match entries.pop() {
        Some((name, Entry::Folder(folder))) => {
            let below = folder.list().await;
            below.map_err(|thrown| unreadable(&name, &thrown))
        }
        _ => Ok(Vec::new()),
    }
}

/// Where a walk puts the files that it finds.
enum Found<'a> {
    /// Reads them.
    Read,
    /// Lists those that are wanted.
    List(&'a mut Vec<(String, File)>),
}

/// Walks a tree of folders: ignored folders are not listed, files that are too large are not read.
async fn walk(
    root: Vec<(String, Entry)>,
    config: &SourceConfig,
    run: &mut Run<'_>,
    mut found: Found<'_>,
) -> Result<FileSet, Error> {
    let mut intake = Intake::new(config);
    let mut n_found = 0;
    let mut pending = vec![(String::new(), root)];
    while let Some((prefix, mut entries)) = pending.pop() {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        add_ignore_files(&mut intake, &prefix, &entries).await;
        for (name, entry) in entries {
            run.step(Phase::Reading, n_found, 0).await?;
            let path = format!("{prefix}{name}");
            match entry {
                Entry::Folder(folder) if intake.enters(&path) => match folder.list().await {
                    Ok(below) => pending.push((format!("{path}/"), below)),
                    Err(thrown) => intake.skip(format!("{path}/"), skipped(&thrown)),
                },
                Entry::Folder(_) => {}
                Entry::File(file) => match file.open().await {
                    Ok(file) => {
                        n_found += 1;
                        take(&mut intake, &mut found, path, file).await;
                    }
                    Err(thrown) => intake.skip(path, skipped(&thrown)),
                },
            }
        }
    }
    Ok(intake.finish())
}

async fn take(intake: &mut Intake<'_>, found: &mut Found<'_>, path: String, file: File) {
    match found {
        Found::Read => add_file(intake, path, &file).await,
        Found::List(files) if intake.wants(&path, file.size() as u64) => files.push((path, file)),
        Found::List(_) => {}
    }
}

/// Rules first: they may exclude what is listed before them.
async fn add_ignore_files(intake: &mut Intake<'_>, prefix: &str, entries: &[(String, Entry)]) {
    for (name, entry) in entries {
        let path = format!("{prefix}{name}");
        if let Entry::File(file) = entry
            && IgnoreRules::is_ignore_file(&path)
            && let Ok(file) = file.open().await
            && let Ok(bytes) = bytes_of(&file).await
        {
            intake.add_ignore_file(&path, &bytes);
        }
    }
}

async fn read_list(
    files: Vec<(String, File)>,
    config: &SourceConfig,
    run: &mut Run<'_>,
) -> Result<FileSet, Error> {
    let mut intake = Intake::new(config);
    let mut cleaned = Vec::with_capacity(files.len());
    for (path, file) in files {
        cleaned.extend(intake.clean(path).map(|path| (path, file)));
    }
    for (path, file) in &cleaned {
        if IgnoreRules::is_ignore_file(path)
            && let Ok(bytes) = bytes_of(file).await
        {
            intake.add_ignore_file(path, &bytes);
        }
    }
    let total = cleaned.len();
    for (done, (path, file)) in cleaned.into_iter().enumerate() {
        run.step(Phase::Reading, done, total).await?;
        add_file(&mut intake, path, &file).await;
    }
    Ok(intake.finish())
}

/// Reads a file if it is wanted.
async fn add_file(intake: &mut Intake<'_>, path: String, file: &File) {
    if !intake.wants(&path, file.size() as u64) {
        return;
    }
    match bytes_of(file).await {
        Ok(bytes) => intake.add(&path, &bytes),
        Err(message) => intake.skip(path, SkipReason::Unreadable { message }),
    }
}

async fn bytes_of(file: &File) -> Result<Vec<u8>, String> {
    let blob = Blob::from(file.clone().unchecked_into::<web_sys::Blob>());
    read_as_bytes(&blob)
        .await
        .map_err(|error| error.to_string())
}

/// The path below the picked folder, or the name of a single picked file.
fn path_of(file: &File) -> String {
    let relative = Reflect::get(file, &"webkitRelativePath".into()).ok();
    let relative = relative.and_then(|path| path.as_string());
    let below = relative.as_deref().and_then(|path| path.split_once('/'));
    below.map_or_else(|| file.name(), |(_, below)| below.to_owned())
}

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ARCHIVES.iter().any(|ending| name.ends_with(ending))
}

fn unreadable(what: &str, thrown: &JsValue) -> Error {
    Error::Unreadable {
        what: what.to_owned(),
        reason: reason_of(thrown),
    }
}

fn skipped(thrown: &JsValue) -> SkipReason {
    SkipReason::Unreadable {
        message: reason_of(thrown),
    }
}
