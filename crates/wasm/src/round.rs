//! Bringing an index up to date: a walk over all files, or a list of changes, is a round; what it finds unchanged is kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Engine, SkipReason, Skipped, Stamp};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use source::IgnoreRules;
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

/// What happened to the files of an index, each list by path.
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

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// Whether there is an index to compare with.
    is_open: bool,
    /// Files that were met, and whether they stay in the index: unchanged, or to be read.
    met: FxHashMap<String, bool>,
    n_unchanged: usize,
    modified: Vec<String>,
    /// Files that are to be read, with the digests of their texts.
    added: BTreeMap<String, [u8; 32]>,
    deleted: BTreeMap<String, [u8; 32]>,
    stamps: BTreeMap<String, Stamp>,
}

impl Round {
    /// Whether this is the first time that the file is met.
    pub fn meet(&mut self, path: &str) -> bool {
        let n_before = self.met.len();
        self.met.entry(path.to_owned()).or_insert(false);
        self.met.len() > n_before
    }

    /// The file stays.
    fn keep(&mut self, path: &str) {
        self.met.insert(path.to_owned(), true);
    }

    /// Whether the file is as it is in the index; otherwise it will be read.
    pub fn is_unchanged(&mut self, engine: &Engine, path: &str, text: &str) -> bool {
        if !self.is_open {
            return false;
        }
        self.keep(path);
        let digest = source::digest(text.as_bytes());
        match engine.digest_of(path) {
            Some(known) if known == digest => {
                self.n_unchanged += 1;
                return true;
            }
            Some(_) => self.modified.push(path.to_owned()),
            None => {
                self.added.insert(path.to_owned(), digest);
            }
        }
        false
    }

    /// The file is read after all, or left out.
    pub fn forget(&mut self, path: &str) {
        if let Some(stays) = self.met.get_mut(path) {
            *stays = false;
        }
        self.added.remove(path);
        self.modified.retain(|known| known != path);
    }

    fn delete(&mut self, engine: &Engine, path: &str) {
        if let Some(digest) = engine.digest_of(path) {
            self.deleted.insert(path.to_owned(), digest);
        }
    }
}

#[wasm_bindgen]
impl CodeIndexBuilder {
    /// The builder that made an index, so that it can be brought up to date. Throws `snapshot.without` for one that was saved
    /// without facts or texts.
    pub fn reopen(index: &CodeIndex, options: Ts<SourceOptions>) -> JsResult<CodeIndexBuilder> {
        let engine = Engine::reopen(Arc::clone(index.snapshot())).map_err(engine_error)?;
        Self::with_engine(engine, options)
    }

    /// Whether the index was made by this version of the engine with this recipe; see `setRecipe`.
    #[wasm_bindgen(js_name = isMadeBy)]
    #[must_use]
    pub fn is_made_by(&self, recipe: &str) -> bool {
        self.engine.recipe() == with_version(recipe)
    }

    /// Keeps with the index how its files are read, to be compared when it is brought up to date.
    #[wasm_bindgen(js_name = setRecipe)]
    pub fn set_recipe(&mut self, recipe: &str) {
        self.engine.set_recipe(with_version(recipe));
    }

    /// Forgets all vectors.
    #[wasm_bindgen(js_name = dropVectors)]
    pub fn drop_vectors(&mut self) {
        self.engine.drop_vectors();
    }

    /// Forgets what SCIP indexes said.
    #[wasm_bindgen(js_name = clearScip)]
    pub fn clear_scip(&mut self) {
        self.engine.clear_scip();
    }

    /// Gives the index another name.
    #[wasm_bindgen(js_name = setName)]
    pub fn set_name(&mut self, name: String) {
        self.engine.set_name(name);
    }

    /// Begins a walk over all files: rules of ignore files and what was left out are forgotten.
    #[wasm_bindgen(js_name = beginWalk)]
    pub fn begin_walk(&mut self) {
        self.rules = IgnoreRules::new(&self.config);
        self.engine.clear_skipped();
        self.begin_changes();
    }

    /// Begins a list of changes: files that are not in it stay as they are.
    #[wasm_bindgen(js_name = beginChanges)]
    pub fn begin_changes(&mut self) {
        self.round = Round {
            is_open: true,
            ..Round::default()
        };
        self.texts.clear();
        self.duplicates.clear();
    }

    /// Whether a file need not be read, because the disk says of it what it said when it was: size and time in milliseconds.
    #[wasm_bindgen(js_name = isStamped)]
    pub fn is_stamped(&mut self, path: &str, size: f64, modified: f64) -> bool {
        let stamp = Stamp {
            n_bytes: size as u32,
            modified,
        };
        if self.engine.stamp_of(path) != Some(stamp) || self.round.met.contains_key(path) {
            return false;
        }
        self.round.keep(path);
        self.round.n_unchanged += 1;
        true
    }

    /// Notes what the disk says of a file that was added.
    pub fn stamp(&mut self, path: &str, size: f64, modified: f64) {
        let stamp = Stamp {
            n_bytes: size as u32,
            modified,
        };
        let stamps = if self.round.is_open {
            &mut self.round.stamps
        } else {
            &mut self.stamps
        };
        stamps.insert(path.to_owned(), stamp);
    }

    /// Whether a file that changed belongs to the index, by its size and the rules of the last walk; if not, it is taken out.
    #[wasm_bindgen(js_name = wantsChanged)]
    pub fn wants_changed(&mut self, path: &str, size: f64) -> bool {
        let too_large = source::check_size(size as u64, &self.config).err();
        let skipped = self.rules.skipped(path).or_else(|| {
            Some(Skipped {
                path: path.to_owned(),
                reason: too_large?,
            })
        });
        let wanted = skipped.is_none();
        if let Some(skipped) = skipped {
            self.round.meet(path);
            self.engine.skip(skipped);
        }
        wanted
    }

    /// Takes out a file, or all files of a folder, that is gone.
    #[wasm_bindgen(js_name = removeFile)]
    pub fn remove_file(&mut self, path: &str) {
        let folder = format!("{path}/");
        let gone: Vec<String> = self
            .engine
            .paths()
            .filter(|known| *known == path || known.starts_with(&folder))
            .map(str::to_owned)
            .collect();
        for path in gone {
            self.round.delete(&self.engine, &path);
        }
    }

    /// Ends a round: takes out what is gone, moves what was renamed. `is_walk`: what was not met is gone. Files that were added or
    /// modified are to be read, but for those that were renamed.
    #[wasm_bindgen(js_name = endRound)]
    pub fn end_round(&mut self, is_walk: bool) -> JsResult<Ts<FileChanges>> {
        let mut round = std::mem::take(&mut self.round);
        let is_gone = |path: &str| match round.met.get(path) {
            Some(stays) => !stays,
            None => is_walk,
        };
        let gone: Vec<String> = self
            .engine
            .paths()
            .filter(|path| is_gone(path))
            .map(str::to_owned)
            .collect();
        for path in &gone {
            round.delete(&self.engine, path);
        }
        round
            .deleted
            .retain(|path, _| round.met.get(path) != Some(&true));
        let mut changes = FileChanges {
            n_unchanged: if is_walk {
                round.n_unchanged
            } else {
                self.engine.n_files() - round.deleted.len() - round.modified.len()
            },
            modified: round.modified,
            ..FileChanges::default()
        };
        for (from, to) in engine::renamed(&round.deleted, &round.added) {
            if self.engine.rename(&from, &to) {
                self.texts.remove(&to);
                round.deleted.remove(&from);
                round.added.remove(&to);
                changes.renamed.push(RenamedFile { from, to });
            }
        }
        for path in round.deleted.keys() {
            // Why it was left out is still to be told.
            let skipped = self.engine.skipped(path);
            self.engine.remove(path);
            if let Some(skipped) = skipped {
                self.engine.skip(skipped);
            }
        }
        changes.deleted = round.deleted.into_keys().collect();
        changes.added = round.added.into_keys().collect();
        for (path, stamp) in round.stamps {
            self.engine.set_stamp(&path, stamp);
            self.stamps.insert(path, stamp);
        }
        changes.into_ts().map_err(bad_request)
    }
}

/// An index of another version was read by other rules.
fn with_version(recipe: &str) -> String {
    format!("{} {recipe}", env!("CARGO_PKG_VERSION"))
}

impl CodeIndexBuilder {
    /// Notes a file that was left out, and takes it out if it was there.
    pub(crate) fn leave_out(&mut self, path: String, reason: SkipReason) {
        self.round.forget(&path);
        self.round.met.insert(path.clone(), false);
        self.engine.skip(Skipped { path, reason });
    }
}
