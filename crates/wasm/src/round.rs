//! Updates of an index: a walk over all files, or a list of changes, is a round; unchanged files are kept.

use std::sync::Arc;

use engine::{Engine, RoundKind, Stamp};
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, bad_request, engine_error};
use crate::options::SourceOptions;
use crate::{CodeIndex, CodeIndexBuilder};

/// A file that has another path now, with the same text.
#[derive(Debug, Clone, Serialize, Deserialize, Tsify)]
pub struct RenamedFile {
    /// The path it had.
    pub from: String,
    /// The path it has.
    pub to: String,
}

/// Changes to the files of an index, each list by path.
#[derive(Debug, Clone, Default, Serialize, Deserialize, Tsify)]
pub struct FileChanges {
    /// Files that are new.
    pub added: Vec<String>,
    /// Files whose text is another.
    pub modified: Vec<String>,
    /// Files that are gone, or not taken in any more.
    pub deleted: Vec<String>,
    /// Files that are somewhere else.
    pub renamed: Vec<RenamedFile>,
    /// Files that are as they were.
    pub n_unchanged: usize,
}

/// A file that was left out.
#[derive(Debug, Clone, Serialize, Deserialize, Tsify)]
pub struct SkippedNote {
    /// Its path; of a folder with a `/` at its end.
    pub path: String,
    /// The reason by its code.
    pub code: String,
    /// The reason for a person.
    pub message: String,
}

/// Files that were left out, by path.
#[derive(Debug, Clone, Default, Serialize, Deserialize, Tsify)]
pub struct SkippedFiles {
    /// The files.
    pub files: Vec<SkippedNote>,
}

fn stamp(size: f64, modified: f64) -> Stamp {
    Stamp {
        n_bytes: size as u32,
        modified,
    }
}

#[wasm_bindgen]
impl CodeIndexBuilder {
    /// The builder that made an index, so that it can be brought up to date. Throws `snapshot.without` for one that was saved
    /// without facts or texts.
    pub fn reopen(index: &CodeIndex, options: Ts<SourceOptions>) -> JsResult<CodeIndexBuilder> {
        let engine = Engine::reopen(Arc::clone(index.snapshot()?)).map_err(engine_error)?;
        Self::with_engine(engine, options)
    }

    /// Knows the files of an index by their digests only, to tell in a round which files of a folder differ: nothing can be built.
    #[wasm_bindgen(js_name = ofDigests)]
    pub fn of_digests(index: &CodeIndex, options: Ts<SourceOptions>) -> JsResult<CodeIndexBuilder> {
        let engine = Engine::of_digests(index.snapshot()?).map_err(engine_error)?;
        Self::with_engine(engine, options)
    }

    /// The files that were left out so far, and why.
    #[wasm_bindgen(js_name = skippedFiles)]
    pub fn skipped_files(&self) -> JsResult<Ts<SkippedFiles>> {
        let skipped = self.0.engine().all_skipped().map(|skipped| SkippedNote {
            path: skipped.path.clone(),
            code: skipped.reason.code().to_owned(),
            message: skipped.reason.to_string(),
        });
        let files = skipped.collect();
        SkippedFiles { files }.into_ts().map_err(bad_request)
    }

    /// Whether the index was made by this version of the engine with this recipe; see `setRecipe`.
    #[wasm_bindgen(js_name = isMadeBy)]
    #[must_use]
    pub fn is_made_by(&self, recipe: &str) -> bool {
        self.0.is_made_by(recipe)
    }

    /// Keeps with the index how its files are read, to be compared before the next update.
    #[wasm_bindgen(js_name = setRecipe)]
    pub fn set_recipe(&mut self, recipe: &str) {
        self.0.set_recipe(recipe);
    }

    /// Forgets all vectors.
    #[wasm_bindgen(js_name = dropVectors)]
    pub fn drop_vectors(&mut self) {
        self.0.engine_mut().drop_vectors();
    }

    /// Forgets imported SCIP indexes.
    #[wasm_bindgen(js_name = clearScip)]
    pub fn clear_scip(&mut self) {
        self.0.engine_mut().clear_scip();
    }

    /// Gives the index another name.
    #[wasm_bindgen(js_name = setName)]
    pub fn set_name(&mut self, name: String) {
        self.0.engine_mut().set_name(name);
    }

    /// Begins a walk over all files: rules of ignore files and notes of skipped files are forgotten.
    #[wasm_bindgen(js_name = beginWalk)]
    pub fn begin_walk(&mut self) {
        self.0.begin_walk();
    }

    /// Begins a list of changes: files that are not in it stay as they are.
    #[wasm_bindgen(js_name = beginChanges)]
    pub fn begin_changes(&mut self) {
        self.0.begin_changes();
    }

    /// Whether a file need not be read, because the disk says of it the same as when it was read: size and time in milliseconds.
    #[wasm_bindgen(js_name = isStamped)]
    pub fn is_stamped(&mut self, path: &str, size: f64, modified: f64) -> bool {
        self.0.is_stamped(path, stamp(size, modified))
    }

    /// Notes what the disk says of a file that was added.
    pub fn stamp(&mut self, path: &str, size: f64, modified: f64) {
        self.0.stamp(path, stamp(size, modified));
    }

    /// Whether a file that changed belongs to the index, by its size and the rules of the last walk; if not, it is taken out.
    #[wasm_bindgen(js_name = wantsChanged)]
    pub fn wants_changed(&mut self, path: &str, size: f64) -> bool {
        self.0.wants_changed(path, size as u64)
    }

    /// Takes out a file, or all files of a folder, that is gone.
    #[wasm_bindgen(js_name = removeFile)]
    pub fn remove_file(&mut self, path: &str) {
        self.0.remove_file(path);
    }

    /// Ends a round: takes out files that are gone, moves those that were renamed. `is_walk`: a file that was not met is gone. Files
    /// that were added or modified are to be read, but for those that were renamed.
    #[wasm_bindgen(js_name = endRound)]
    pub fn end_round(&mut self, is_walk: bool) -> JsResult<Ts<FileChanges>> {
        let kind = if is_walk {
            RoundKind::Walk
        } else {
            RoundKind::Changes
        };
        let found = self.0.end_round(kind);
        let renamed = found.renamed.into_iter();
        let changes = FileChanges {
            added: found.added,
            modified: found.modified,
            deleted: found.deleted,
            renamed: renamed.map(|(from, to)| RenamedFile { from, to }).collect(),
            n_unchanged: found.n_unchanged,
        };
        changes.into_ts().map_err(bad_request)
    }
}
