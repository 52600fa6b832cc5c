//! An index in shards: its root is read at once, a shard when a question reaches it first.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::{Index, Snapshot, SnapshotError, Source, unreadable};
use js_sys::{Array, Function};
use shards::{Root, Shards, is_root, shard_name};
use wasm_bindgen::{JsCast, JsValue};

use crate::errors::{JsResult, engine_error};
use crate::host_file::{Held, HostFile, failed};

/// Number of bytes that show a root.
const N_START: usize = 8;

/// Whether a file is a root.
pub fn starts_as_root(file: &HostFile) -> bool {
    let start = file.read(0..file.n_bytes().min(N_START));
    start.is_ok_and(|start| is_root(&start))
}

/// Opens the index of a root, with a bound of the bytes that the sections of each shard take. `beside` is given the name of a shard's file; it
/// returns its number of bytes and a function that reads, as for [`HostFile::function`]. Throws `snapshot.…`.
pub fn open_root(file: &HostFile, beside: Function) -> JsResult<(Index, Arc<AtomicUsize>)> {
    let bytes = file.read(0..file.n_bytes()).map_err(engine_error)?;
    let root = Root::from_bytes(&bytes).map_err(engine_error)?;
    drop(bytes);
    let names: Vec<String> = (root.shards().iter())
        .map(|shard| shard_name(&shard.file))
        .collect();
    let limit = Arc::new(AtomicUsize::new(usize::MAX));
    let (beside, bound) = (FilesBeside(Held(beside)), Arc::clone(&limit));
    let open = move |shard: u16| {
        let name = names.get(usize::from(shard));
        let name = name.ok_or_else(|| unreadable("there is no such shard"))?;
        let snapshot = Snapshot::open_lazily(beside.open(name)?)?;
        let n_bytes = bound.load(Ordering::Relaxed);
        if n_bytes < usize::MAX {
            snapshot.limit_memory(n_bytes);
        }
        Ok(Arc::new(snapshot))
    };
    let shards = Arc::new(Shards::new(root, Box::new(open)));
    Ok((shards.index().map_err(engine_error)?, limit))
}

/// The files beside a root.
struct FilesBeside(Held<Function>);

impl FilesBeside {
    fn open(&self, name: &str) -> Result<HostFile, SnapshotError> {
        let opened = (self.0.0).call1(&JsValue::NULL, &JsValue::from(name));
        let parts: Array = opened.and_then(JsCast::dyn_into).map_err(failed)?;
        let n_bytes = parts.get(0).as_f64().unwrap_or(0.0) as usize;
        let read = parts.get(1).dyn_into().map_err(failed)?;
        Ok(HostFile::function(n_bytes, read))
    }
}
