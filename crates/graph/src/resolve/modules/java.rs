//! Java: packages by the name that files declare.

use rustc_hash::FxHashMap;

use crate::resolve::family::Family;
use crate::resolve::program::Program;

/// Packages of the repository and their files.
pub(crate) struct JavaPackages<'a> {
    by_name: FxHashMap<&'a str, u32>,
    names: Vec<&'a str>,
    files: Vec<Vec<u32>>,
}

impl<'a> JavaPackages<'a> {
    pub fn new(program: &Program<'a>) -> Self {
        let mut packages = JavaPackages {
            by_name: FxHashMap::default(),
            names: Vec::new(),
            files: Vec::new(),
        };
        for (file, family) in program.family.iter().enumerate() {
            if *family != Family::Java {
                continue;
            }
            let name = program.facts(file as u32).package.as_str();
            let next = packages.files.len() as u32;
            let id = *packages.by_name.entry(name).or_insert(next);
            if id == next {
                packages.names.push(name);
                packages.files.push(Vec::new());
            }
            packages.files[id as usize].push(file as u32);
        }
        packages
    }

    /// The package of this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Name of a package.
    pub fn name(&self, package: u32) -> &'a str {
        self.names
            .get(package as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Files of a package.
    pub fn files(&self, package: u32) -> &[u32] {
        self.files.get(package as usize).map_or(&[], Vec::as_slice)
    }
}
