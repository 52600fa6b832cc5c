//! Files by their names: which of them a path, module or frame of a text means.

use rustc_hash::FxHashMap;
use source::FileId;
use syntax::order::InOrder;

use crate::Reader;

/// Files by file name and by stem, built for one question.
pub(crate) struct FileNames<'a> {
    reader: &'a Reader,
    by_stem: FxHashMap<&'a str, Vec<FileId>>,
}

/// Maximum number of files that one mention means.
const MAX_MEANT: usize = 8;
/// Files of npm packages that are read for their names.
const MAX_MANIFESTS: usize = 64;
/// Folders below which an installed package begins.
const INSTALLED: &[&str] = &[
    "site-packages",
    "dist-packages",
    "node_modules",
    "vendor",
    "gems",
];

impl<'a> FileNames<'a> {
    /// Reads the names of all files. Linear in their paths.
    pub(crate) fn new(reader: &'a Reader) -> Self {
        let mut by_stem: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
        for file in reader.files() {
            by_stem
                .entry(stem(reader.path(file)))
                .or_default()
                .push(file);
        }
        Self { reader, by_stem }
    }

    /// The files that a path means, with how sure that is: its last parts are the file's path.
    pub(crate) fn of_path(&self, path: &str) -> Vec<(FileId, f32)> {
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !part.is_empty() && *part != "." && *part != "~")
            .collect();
        let installed = parts.iter().rposition(|part| INSTALLED.contains(part));
        let n_needed = installed.map(|at| parts.len() - at - 1);
        if let Some(file) = n_needed.and_then(|n| self.of_own_package(&parts[parts.len() - n..])) {
            return vec![(file, 1.0)];
        }
        let named = self.by_stem.get(stem(path)).map_or(&[][..], Vec::as_slice);
        let mut best: Vec<(FileId, usize, usize)> = Vec::new();
        for &file in named {
            let own: Vec<&str> = self.reader.path(file).split('/').collect();
            let n_same = own
                .iter()
                .rev()
                .zip(parts.iter().rev())
                .take_while(|(a, b)| a == b)
                .count();
            let is_whole = n_same == own.len() || n_same == parts.len();
            if n_same > 0
                && n_needed.is_none_or(|needed| n_same >= needed)
                && (is_whole || n_same >= 2)
            {
                best.push((file, n_same, own.len()));
            }
        }
        let most = best.iter().map(|(_, n_same, _)| *n_same).max().unwrap_or(0);
        best.retain(|(_, n_same, _)| *n_same == most);
        let sure = sureness(best.len());
        best.order_by_key(|(file, _, n_parts)| (*n_parts, *file));
        best.into_iter()
            .take(MAX_MEANT)
            .map(|(file, ..)| (file, sure))
            .collect()
    }

    /// The file of an installed package that is the repository's own: `fastify/lib/reply.js` is `lib/reply.js` beside the
    /// `package.json` of that name. Other packages' folders have their names in the repository, too.
    fn of_own_package(&self, parts: &[&str]) -> Option<FileId> {
        let n_name = 1 + usize::from(parts.first()?.starts_with('@'));
        let (name, rest) = parts.split_at_checked(n_name)?;
        let named = format!("\"name\": \"{}\"", name.join("/"));
        let rest = rest.join("/");
        let files = self.by_stem.get(stem(&rest))?;
        let manifests = self.by_stem.get("package")?.iter().take(MAX_MANIFESTS);
        manifests.copied().find_map(|manifest| {
            let folder = self.reader.path(manifest).strip_suffix("package.json")?;
            let is_in =
                |file: &&FileId| self.reader.path(**file).strip_prefix(folder) == Some(&rest);
            let file = files.iter().find(is_in)?;
            let text = self.reader.text(manifest).ok()?;
            text.contains(&named).then_some(*file)
        })
    }

    /// The files that a dotted name means as a module: `shop.cart` is `shop/cart.py`, `shop/cart/__init__.py`.
    pub(crate) fn of_module(&self, name: &str) -> Vec<(FileId, f32)> {
        let parts: Vec<&str> = name.split('.').collect();
        let Some(last) = parts.last() else {
            return Vec::new();
        };
        let mut found: Vec<FileId> = Vec::new();
        let named = self.by_stem.get(last).into_iter().flatten();
        found.extend(named.filter(|file| self.is_module(**file, &parts)));
        let packages = ["__init__", "index", "mod"]
            .iter()
            .filter_map(|stem| self.by_stem.get(stem));
        found.extend(packages.flatten().filter(|file| {
            let folder = self
                .reader
                .path(**file)
                .rsplit_once('/')
                .map_or("", |(folder, _)| folder);
            parts.len() > 1 && ends_with_parts(folder, &parts)
        }));
        found.order_by(Ord::cmp);
        found.dedup();
        let sure = sureness(found.len());
        found
            .into_iter()
            .take(MAX_MEANT)
            .map(|file| (file, sure))
            .collect()
    }

    fn is_module(&self, file: FileId, parts: &[&str]) -> bool {
        let path = self.reader.path(file);
        let without_ending = path.rsplit_once('.').map_or(path, |(before, _)| before);
        ends_with_parts(without_ending, parts)
    }
}

/// How sure a mention is that means this number of files.
fn sureness(n: usize) -> f32 {
    if n > MAX_MEANT {
        0.0
    } else {
        1.0 / (n.max(1) as f32).sqrt()
    }
}

fn ends_with_parts(path: &str, parts: &[&str]) -> bool {
    let mut own = path.rsplit('/');
    parts.iter().rev().all(|part| own.next() == Some(part))
}

/// The file's name without its ending: `cart` of `src/cart.test.ts` is `cart.test`.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}
