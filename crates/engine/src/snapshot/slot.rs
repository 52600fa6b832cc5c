//! The place of a section in a snapshot: where it lies, and what it is once it has been asked for.

use std::sync::{Arc, OnceLock};

use super::Held;
use super::container::Section;
use crate::Error;

/// A section: where it lies, and what it is in memory once it has been asked for.
#[derive(Clone, Default)]
pub(super) struct Slot {
    /// Where it lies in the file that is read; none of what was built.
    pub section: Option<Section>,
    /// As it lies in the file, where the file itself is not at hand.
    pub packed: Option<Arc<[u8]>>,
    pub held: OnceLock<Loaded>,
}

/// What came of reading a section.
#[derive(Clone, Default)]
pub(super) struct Loaded {
    /// What it is; where it could not be read, what stands in for it.
    pub held: Option<Held>,
    /// Why it could not be read.
    pub fault: Option<Error>,
}

impl Slot {
    /// A section that is in memory.
    pub fn holding(held: Held) -> Self {
        let loaded = Loaded {
            held: Some(held),
            fault: None,
        };
        Self {
            held: OnceLock::from(loaded),
            ..Self::default()
        }
    }

    /// Whether there is such a section.
    pub fn is_there(&self) -> bool {
        self.section.is_some() || self.held.get().is_some_and(|loaded| loaded.held.is_some())
    }

    /// What was in memory.
    pub fn into_held(self) -> Option<Held> {
        self.held.into_inner()?.held
    }

    /// What is in memory.
    pub fn loaded(&self) -> Option<&Held> {
        self.held.get()?.held.as_ref()
    }
}
