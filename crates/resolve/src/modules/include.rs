//! C and C++: included files, from the including file's folder, an include folder, or by the end of their path.

use rustc_hash::FxHashMap;

use super::{Tree, ancestors, folder_of, join};
use crate::program::{Family, FileId, Program};

/// Files of C and C++ by their last name.
pub(crate) struct Includes<'a> {
    by_name: FxHashMap<&'a str, Vec<FileId>>,
}

impl<'a> Includes<'a> {
    pub fn new(program: &Program<'a>) -> Self {
        let mut by_name: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
        for file in program.files() {
            if program.family_of(file) == Family::C {
                let path = program.path(file);
                by_name
                    .entry(path.rsplit('/').next().unwrap_or(path))
                    .or_default()
                    .push(file);
            }
        }
        Includes { by_name }
    }

    /// The file that is included. Of several with the same end of path the one that shares most folders with `from`.
    pub fn find(
        &self,
        tree: &Tree<'_>,
        program: &Program<'_>,
        from: &str,
        path: &str,
        is_system: bool,
    ) -> Option<FileId> {
        let folder = folder_of(from);
        if !is_system && let Some(file) = join(folder, path).and_then(|path| tree.file(&path)) {
            return Some(file);
        }
        let roots = ancestors(folder)
            .flat_map(|around| ["", "include", "src"].map(|sub| join(around, sub)));
        if let Some(file) = roots
            .flatten()
            .find_map(|root| tree.file(&join(&root, path)?))
        {
            return Some(file);
        }
        let suffix = format!("/{path}");
        let candidates = self.by_name.get(path.rsplit('/').next()?)?;
        let ends = candidates
            .iter()
            .copied()
            .filter(|&file| program.path(file).ends_with(&suffix));
        // A system header without a folder (`string.h`) is the system's, even where the repository has one.
        if is_system && !path.contains('/') {
            return None;
        }
        ends.max_by_key(|&file| {
            (
                shared_folders(folder, program.path(file)),
                std::cmp::Reverse(file),
            )
        })
    }
}

fn shared_folders(folder: &str, path: &str) -> usize {
    folder
        .split('/')
        .zip(path.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}
