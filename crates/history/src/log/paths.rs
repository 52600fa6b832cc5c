//! Numbers for paths while a log grows.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// Paths in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    numbers: FxHashMap<Rc<str>, u32>,
    all: Vec<Rc<str>>,
    n_bytes: usize,
}

impl Paths {
    /// Returns the number of a path, a new one if it is new.
    pub fn number(&mut self, path: &str) -> u32 {
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        let path: Rc<str> = path.into();
        let number = self.all.len() as u32;
        self.n_bytes += path.len();
        self.all.push(Rc::clone(&path));
        self.numbers.insert(path, number);
        number
    }

    /// Returns a path.
    pub fn get(&self, number: u32) -> &str {
        self.all.get(number as usize).map_or("", AsRef::as_ref)
    }

    /// Number of paths.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Bytes of all paths.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }
}
