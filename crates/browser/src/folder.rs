//! Folders of two kinds as one: handles (File System Access) and entries (drag and drop).

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    File, FileSystemDirectoryEntry, FileSystemDirectoryHandle, FileSystemEntry,
    FileSystemFileEntry, FileSystemFileHandle, FileSystemHandle, FileSystemHandleKind,
};

/// A folder that can be listed.
pub(crate) enum Folder {
    Handle(FileSystemDirectoryHandle),
    Entry(FileSystemDirectoryEntry),
}

/// A file that can be opened.
pub(crate) enum Opener {
    Handle(FileSystemFileHandle),
    Entry(FileSystemFileEntry),
}

pub(crate) enum Entry {
    Folder(Folder),
    File(Opener),
}

impl Folder {
    /// Returns its entries with their names, in the browser's order.
    pub async fn list(&self) -> Result<Vec<(String, Entry)>, JsValue> {
        match self {
            Self::Handle(handle) => list_handle(handle).await,
            Self::Entry(entry) => list_entry(entry).await,
        }
    }
}

impl Opener {
    pub async fn open(&self) -> Result<File, JsValue> {
        let file = match self {
            Self::Handle(handle) => JsFuture::from(handle.get_file()).await?,
            Self::Entry(entry) => {
                let file = Promise::new(&mut |resolve: Function, reject: Function| {
                    entry.file_with_callback_and_callback(&resolve, &reject);
                });
                JsFuture::from(file).await?
            }
        };
        file.dyn_into()
    }
}

impl Entry {
    /// Returns the dropped input, with its name.
    pub fn from_dropped(entry: FileSystemEntry) -> Option<(String, Self)> {
        let name = entry.name();
        let entry = match entry.is_directory() {
            true => Self::Folder(Folder::Entry(entry.unchecked_into())),
            false if entry.is_file() => Self::File(Opener::Entry(entry.unchecked_into())),
            false => return None,
        };
        Some((name, entry))
    }

    fn from_handle(handle: FileSystemHandle) -> (String, Self) {
        let name = handle.name();
        let entry = match handle.kind() {
            FileSystemHandleKind::Directory => {
                Self::Folder(Folder::Handle(handle.unchecked_into()))
            }
            _ => Self::File(Opener::Handle(handle.unchecked_into())),
        };
        (name, entry)
    }
}

async fn list_handle(handle: &FileSystemDirectoryHandle) -> Result<Vec<(String, Entry)>, JsValue> {
    let values = handle.values();
    let mut entries = Vec::new();
    loop {
        let next = JsFuture::from(values.next()?).await?;
        if Reflect::get(&next, &"done".into())?.is_truthy() {
            return Ok(entries);
        }
        let value = Reflect::get(&next, &"value".into())?;
        entries.push(Entry::from_handle(value.unchecked_into()));
    }
}

async fn list_entry(entry: &FileSystemDirectoryEntry) -> Result<Vec<(String, Entry)>, JsValue> {
    let reader = entry.create_reader();
    let mut entries = Vec::new();
    loop {
        // A browser gives some at a time, and none at the end.
        let mut thrown = None;
        let batch = Promise::new(&mut |resolve: Function, reject: Function| {
            let read = reader.read_entries_with_callback_and_callback(&resolve, &reject);
            thrown = read.err();
        });
        if let Some(thrown) = thrown {
            return Err(thrown);
        }
        let batch: Array = JsFuture::from(batch).await?.unchecked_into();
        if batch.length() == 0 {
            return Ok(entries);
        }
        let below = batch.iter().map(JsCast::unchecked_into);
        entries.extend(below.filter_map(Entry::from_dropped));
    }
}
