//! JavaScript and TypeScript: relative files with and without extension, index files, `tsconfig` paths, packages of
//! the same repository by name, `exports` and `imports` of `package.json`.

use serde_json::Value;
use syntax::order::InOrder;

use super::Manifest;
use super::manifest::json;
use super::{Tree, ancestors, folder_of, join};
use crate::program::Def;

/// Settings of `package.json` and `tsconfig.json` files.
pub(crate) struct EcmaModules<'a> {
    packages: Vec<Package<'a>>,
    configs: Vec<Config<'a>>,
}

struct Package<'a> {
    folder: &'a str,
    name: String,
    /// Entries of `exports`, `imports` and of the main fields: key (`.`, `./x`, `#x`) and files, best first.
    entries: Vec<(String, Vec<String>)>,
}

struct Config<'a> {
    folder: &'a str,
    base: Option<String>,
    /// Patterns with at most one `*`, each with its targets.
    paths: Vec<(String, Vec<String>)>,
}

/// Extensions that may be left out, in the order in which bundlers and TypeScript try them.
const EXTENSIONS: [&str; 10] = [
    ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".json",
];

impl<'a> EcmaModules<'a> {
    pub fn new(manifests: &[Manifest<'a>]) -> Self {
        let mut packages = Vec::new();
        let mut configs = Vec::new();
        for manifest in manifests {
            let folder = folder_of(manifest.path);
            let file = manifest.path.rsplit('/').next().unwrap_or(manifest.path);
            if matches!(file, "package.json" | "deno.json" | "jsr.json") {
                packages.extend(json(manifest.text).map(|value| package(folder, &value)));
            } else if file.starts_with("tsconfig") || file.starts_with("jsconfig") {
                configs.extend(json(manifest.text).map(|value| config(folder, &value)));
            }
        }
        EcmaModules { packages, configs }
    }

    /// The file or external package that a module name means in a file of this folder; none for a missing file of the
    /// repository.
    pub fn find(&self, tree: &Tree<'_>, folder: &str, module: &str) -> Option<Target> {
        if module.starts_with('.') {
            return join(folder, module)
                .and_then(|path| file_at(tree, &path))
                .map(Target::Inside);
        }
        let inside = self
            .by_paths(tree, folder, module)
            .or_else(|| self.own_import(tree, folder, module))
            .or_else(|| self.by_package(tree, folder, module));
        inside
            .map(Target::Inside)
            .or_else(|| external_name(module).map(|name| Target::Outside(name.to_owned())))
    }

    /// `tsconfig` of the nearest folder that has one: `paths`, then `baseUrl`.
    fn by_paths(&self, tree: &Tree<'_>, folder: &str, module: &str) -> Option<Def> {
        for around in ancestors(folder) {
            for config in self.configs.iter().filter(|config| config.folder == around) {
                let base = config.base.as_deref().unwrap_or(config.folder);
                for (pattern, targets) in &config.paths {
                    let Some(star) = matched(pattern, module) else {
                        continue;
                    };
                    let found = targets
                        .iter()
                        .find_map(|t| file_at(tree, &join(base, &t.replacen('*', star, 1))?));
                    if found.is_some() {
                        return found;
                    }
                }
                let at_base = config
                    .base
                    .as_deref()
                    .and_then(|base| file_at(tree, &join(base, module)?));
                if at_base.is_some() {
                    return at_base;
                }
            }
        }
        None
    }

    /// `#name`: looks in the `imports` field of the package around the folder.
    fn own_import(&self, tree: &Tree<'_>, folder: &str, module: &str) -> Option<Def> {
        if !module.starts_with('#') {
            return None;
        }
        let package = ancestors(folder).find_map(|around| {
            self.packages
                .iter()
                .find(|package| package.folder == around)
        })?;
        package.entry(tree, module)
    }

    /// A package of this repository by its name: the nearest of several. A package may import itself.
    fn by_package(&self, tree: &Tree<'_>, folder: &str, module: &str) -> Option<Def> {
        let named = |package: &&Package<'_>| {
            module
                .strip_prefix(package.name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let shared = |package: &&Package<'_>| {
            ancestors(folder)
                .position(|around| around == package.folder)
                .unwrap_or(usize::MAX)
        };
        let package = self
            .packages
            .iter()
            .filter(|package| !package.name.is_empty())
            .filter(named)
            .min_by_key(shared)?;
        let rest = module.strip_prefix(package.name.as_str())?;
        let key = if rest.is_empty() {
            ".".to_owned()
        } else {
            format!(".{rest}")
        };
        let direct = || file_at(tree, &join(package.folder, rest.trim_start_matches('/'))?);
        let source = || file_at(tree, &join(package.folder, &format!("src{rest}"))?);
        package.entry(tree, &key).or_else(direct).or_else(source)
    }
}

/// The target of a module name.
pub(crate) enum Target {
    Inside(Def),
    Outside(String),
}

impl Package<'_> {
    fn entry(&self, tree: &Tree<'_>, key: &str) -> Option<Def> {
        self.entries.iter().find_map(|(pattern, files)| {
            let star = matched(pattern, key)?;
            files
                .iter()
                .find_map(|file| self.source_of(tree, &file.replacen('*', star, 1)))
        })
    }

    /// The source behind a published file: `dist/x.js` is built from `src/x.ts`.
    fn source_of(&self, tree: &Tree<'_>, file: &str) -> Option<Def> {
        let file = file.trim_start_matches("./");
        let direct = join(self.folder, file).and_then(|path| file_at(tree, &path));
        direct.or_else(|| {
            let (_, rest) = file.split_once('/')?;
            let stem = without_extension(rest);
            let nested = stem.split_once('/').map(|(_, inner)| inner);
            [Some(stem), nested].into_iter().flatten().find_map(|stem| {
                ["src", "source", "lib", ""]
                    .iter()
                    .find_map(|root| file_at(tree, &join(self.folder, &format!("{root}/{stem}"))?))
            })
        })
    }
}

/// Returns the part of `text` that `*` of `pattern` matches; empty for an equal text without `*`.
fn matched<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((before, after)) => {
            let rest = text.strip_prefix(before)?.strip_suffix(after)?;
            Some(rest)
        }
    }
}

/// The source file at a path: as written, with an extension, with another extension, or the index of a folder.
fn file_at(tree: &Tree<'_>, path: &str) -> Option<Def> {
    if let Some(file) = tree.file(path) {
        return Some(file.into());
    }
    let with = |stem: &str| tree.first_file(stem, &EXTENSIONS);
    let rewritten = || match path.rsplit_once('.') {
        Some((stem, "js" | "jsx" | "mjs" | "cjs")) => with(stem),
        _ => None,
    };
    with(path).or_else(rewritten).or_else(|| {
        with(&if path.is_empty() {
            "index".to_owned()
        } else {
            format!("{path}/index")
        })
    })
}

fn without_extension(path: &str) -> &str {
    EXTENSIONS
        .iter()
        .find_map(|extension| path.strip_suffix(extension))
        .unwrap_or(path)
}

/// Name of the external package: `@scope/name` or the first part.
fn external_name(module: &str) -> Option<&str> {
    let module = module
        .strip_prefix("node:")
        .or_else(|| module.strip_prefix("npm:"))
        .or_else(|| module.strip_prefix("jsr:"))
        .unwrap_or(module);
    let n_parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module
        .match_indices('/')
        .nth(n_parts - 1)
        .map_or(module.len(), |(at, _)| at);
    module
        .get(..end)
        .filter(|name| !name.is_empty() && !name.starts_with(['#', '/']))
}

fn package<'a>(folder: &'a str, value: &Value) -> Package<'a> {
    let mut entries = Vec::new();
    match value.get("exports") {
        Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => {
            entries.extend(map.iter().map(|(key, value)| (key.clone(), files(value))));
        }
        Some(value) => entries.push((".".to_owned(), files(value))),
        None => {}
    }
    if let Some(Value::Object(map)) = value.get("imports") {
        entries.extend(map.iter().map(|(key, value)| (key.clone(), files(value))));
    }
    let main = ["source", "types", "typings", "module", "main"]
        .iter()
        .filter_map(|key| value.get(key)?.as_str());
    entries.push((".".to_owned(), main.map(str::to_owned).collect()));
    // Exact keys before patterns, longer patterns before shorter ones.
    entries.order_by_key(|(key, _)| (key.contains('*'), std::cmp::Reverse(key.len())));
    Package {
        folder,
        name: value
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        entries,
    }
}

/// Every file named in an `exports` value, types and sources first.
fn files(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(list) => pending.extend(list.iter().rev()),
            Value::Object(map) => pending.extend(map.values()),
            _ => {}
        }
    }
    found.order_by_key(|file| (!file.contains("src/"), !file.ends_with(".ts"), file.clone()));
    found
}

fn config<'a>(folder: &'a str, value: &Value) -> Config<'a> {
    let options = value.get("compilerOptions");
    let base = options
        .and_then(|o| o.get("baseUrl"))
        .and_then(Value::as_str)
        .and_then(|base| join(folder, base));
    let mut paths: Vec<(String, Vec<String>)> = match options.and_then(|o| o.get("paths")) {
        Some(Value::Object(map)) => map
            .iter()
            .map(|(key, value)| (key.clone(), strings(value)))
            .collect(),
        _ => Vec::new(),
    };
    paths.order_by_key(|(key, _)| (key.contains('*'), std::cmp::Reverse(key.len())));
    Config {
        folder,
        base,
        paths,
    }
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_names() {
        assert_eq!(matched("@/*", "@/a/b"), Some("a/b"));
        assert_eq!(matched("./x", "./x"), Some(""));
        assert_eq!(matched("@/*", "react"), None);
        assert_eq!(external_name("@scope/name/deep"), Some("@scope/name"));
        assert_eq!(external_name("node:fs/promises"), Some("fs"));
    }
}
