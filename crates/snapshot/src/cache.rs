//! Sections in memory: the one place of a snapshot that changes while it is read.

use std::sync::{Arc, OnceLock};

use super::budget::MemoryBudget;
use super::kind::{SECTIONS, SectionKind};
use crate::{Error, Section};

/// The result of reading a section, kept for all questions.
#[derive(Clone, Default)]
pub(crate) struct Loaded {
    /// The section; an empty one where it could not be read.
    pub section: Option<Section>,
    /// Why it could not be read.
    pub fault: Option<Error>,
}

/// Sections that have been read, each once. A clone shares the sections in memory, not those that are read later.
#[derive(Clone)]
pub(crate) struct SectionCache {
    cells: [OnceLock<Loaded>; SECTIONS.len()],
    pub budget: Arc<MemoryBudget>,
}

impl SectionCache {
    /// Makes an empty cache.
    pub fn new() -> Self {
        Self {
            cells: SECTIONS.map(|_| OnceLock::new()),
            budget: Arc::default(),
        }
    }

    /// Returns a section; `load` reads it the first time.
    pub fn get_or_load(&self, kind: SectionKind, load: impl FnOnce() -> Loaded) -> &Loaded {
        self.cells[kind as usize].get_or_init(load)
    }

    /// Returns a section that is in memory.
    pub fn get(&self, kind: SectionKind) -> Option<&Section> {
        self.cells[kind as usize].get()?.section.as_ref()
    }

    /// Puts a section in, in the place of another.
    pub fn set(&mut self, kind: SectionKind, section: Section) {
        self.cells[kind as usize] = OnceLock::from(Loaded {
            section: Some(section),
            fault: None,
        });
    }

    /// Takes a section out.
    pub fn remove(&mut self, kind: SectionKind) -> Option<Section> {
        self.cells[kind as usize].take()?.section
    }
}
