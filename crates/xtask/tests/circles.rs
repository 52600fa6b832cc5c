//! No circle of imports crosses the folders of a crate.
//!
//! A path in code (`crate::a::b`, `super::b`, the names of a `use`) leads to the file that defines the name; a name that a module
//! passes on (`pub use`) is followed to its definition. Unit tests at the end of a file do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Words before the name of a definition.
const DEFINES: [&str; 9] = [
    "struct",
    "enum",
    "trait",
    "fn",
    "const",
    "static",
    "type",
    "union",
    "macro_rules",
];
/// Re-exports that are followed for one name.
const MAX_HOPS: usize = 20;

/// A module by its names below the crate; the root has none.
type Id = Vec<String>;

/// A path and the name that it has here.
struct Import {
    path: Vec<String>,
    name: String,
    is_passed_on: bool,
}

/// A file of a crate.
struct Module {
    /// Below `src`.
    file: String,
    imports: Vec<Import>,
    /// Paths outside of `use`.
    paths: Vec<Vec<String>>,
    defined: BTreeSet<String>,
}

impl Module {
    fn read(file: &str, text: &str) -> Self {
        let code = code_of(before_tests(text));
        let (imports, rest) = imports_of(&code);
        let words: Vec<&str> = rest.split(|c: char| !is_word(c)).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let pairs = words.windows(2).filter(|pair| DEFINES.contains(&pair[0]));
        Self {
            file: file.to_owned(),
            imports,
            paths: paths_of(&rest),
            defined: pairs.map(|pair| pair[1].to_owned()).collect(),
        }
    }

    fn folder(&self) -> &str {
        self.file.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text up to a module of tests in it.
fn before_tests(text: &str) -> &str {
    let starts = text.match_indices("#[cfg(").map(|(at, _)| at);
    let is_test = |at: &usize| {
        let mut lines = text[*at..].lines();
        let attribute = lines.next().unwrap_or_default();
        let mut items = lines.skip_while(|line| line.starts_with("#["));
        let item = items.next().unwrap_or_default();
        attribute.contains("test") && item.starts_with("mod ") && item.ends_with('{')
    };
    let end = starts.into_iter().find(is_test);
    &text[..end.unwrap_or(text.len())]
}

/// A text without comments, and without what is in strings.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |at| at + 2)
        } else if rest.starts_with("'\"'") || rest.starts_with("b'\"'") {
            4
        } else if first == '"' {
            string_end(rest)
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        rest = rest.get(n_skipped..).unwrap_or_default();
    }
    code
}

/// The length of the string that a text begins with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The names of all `use`, and the code without them.
fn imports_of(code: &str) -> (Vec<Import>, String) {
    let (mut imports, mut others) = (Vec::new(), String::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let (is_passed_on, item) = match trimmed.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => {
                (true, rest.split_once(')').map_or("", |(_, item)| item))
            }
            Some(rest) => (true, rest),
            None => (false, trimmed),
        };
        let Some(first) = item.trim_start().strip_prefix("use ") else {
            // `pub(in a::b)` is no import.
            let is_bounded = trimmed.starts_with("pub(in ");
            others.push_str(if is_bounded { item } else { trimmed });
            others.push('\n');
            continue;
        };
        let mut tree = first.to_owned();
        while !tree.contains(';') {
            tree.push_str(lines.next().unwrap_or(";"));
        }
        let tree = tree.split(';').next().unwrap_or_default();
        expand(&[], tree, is_passed_on, &mut imports);
    }
    (imports, others)
}

/// Takes the branches of a `use` apart.
fn expand(prefix: &[String], tree: &str, is_passed_on: bool, imports: &mut Vec<Import>) {
    let (head, branches) = match tree.trim().split_once('{') {
        Some((head, rest)) => (head, rest.rsplit_once('}').map(|(inside, _)| inside)),
        None => (tree.trim(), None),
    };
    let (path, renamed) = match head.split_once(" as ") {
        Some((path, name)) if branches.is_none() => (path, Some(name.trim())),
        _ => (head, None),
    };
    let names = path
        .split("::")
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let path: Vec<String> = prefix
        .iter()
        .cloned()
        .chain(names.map(str::to_owned))
        .collect();
    let Some(branches) = branches else {
        let name = renamed.or(path.last().map(String::as_str));
        if let Some(name) = name.map(str::to_owned) {
            imports.push(Import {
                path,
                name,
                is_passed_on,
            });
        }
        return;
    };
    let (mut depth, mut start) = (0, 0);
    for (at, c) in branches.char_indices().chain([(branches.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&path, &branches[start..at], is_passed_on, imports);
                start = (at + 1).min(branches.len());
            }
            _ => {}
        }
    }
}

/// Names that `::` joins.
fn paths_of(code: &str) -> Vec<Vec<String>> {
    let runs = code.split(|c: char| !is_word(c) && c != ':');
    let path = |run: &str| -> Vec<String> {
        let names = run.split("::").map(|name| name.trim_matches(':'));
        names
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let paths = runs.filter(|run| run.contains("::")).map(path);
    paths.filter(|path| path.len() > 1).collect()
}

/// The modules of a crate.
struct Crate {
    modules: BTreeMap<Id, Module>,
}

impl Crate {
    fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let module = |(file, text)| (id_of(file), Module::read(file, text));
        Self {
            modules: files.into_iter().map(module).collect(),
        }
    }

    /// The module that a path from a module means, whose last name it may be; none for other crates.
    fn target(&self, from: &Id, path: &[String], n_hops: usize) -> Option<Id> {
        let (first, _) = path.split_first().filter(|_| n_hops < MAX_HOPS)?;
        let (mut at, mut rest) = match first.as_str() {
            "crate" => (Id::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => {
                let n_up = path.iter().take_while(|name| *name == "super").count();
                (
                    from[..from.len().checked_sub(n_up)?].to_vec(),
                    &path[n_up..],
                )
            }
            _ if self.child(from, first).is_some() => (from.clone(), path),
            _ => return self.by_imported_module(from, path, n_hops),
        };
        while let Some(child) = rest.first().and_then(|name| self.child(&at, name)) {
            (at, rest) = (child, &rest[1..]);
        }
        match rest.first().filter(|name| *name != "*") {
            Some(name) => Some(self.definition(&at, name, n_hops).unwrap_or(at)),
            None => Some(at),
        }
    }

    fn child(&self, of: &Id, name: &str) -> Option<Id> {
        let child: Id = of.iter().cloned().chain([name.to_owned()]).collect();
        self.modules.contains_key(&child).then_some(child)
    }

    /// A path whose first name a `use` brought in.
    fn by_imported_module(&self, from: &Id, path: &[String], n_hops: usize) -> Option<Id> {
        let ours = ["crate", "self", "super"];
        let imports = self.modules[from].imports.iter();
        let mut imports = imports.filter(|import| ours.contains(&import.path[0].as_str()));
        let import = imports.find(|import| import.name == path[0])?;
        let whole: Vec<String> = import.path.iter().chain(&path[1..]).cloned().collect();
        self.target(from, &whole, n_hops + 1)
    }

    /// The module that defines a name which a module has: itself, or one whose names it passes on.
    fn definition(&self, at: &Id, name: &str, n_hops: usize) -> Option<Id> {
        let module = &self.modules[at];
        if module.defined.contains(name) {
            return Some(at.clone());
        }
        let mut named = module.imports.iter().filter(|import| import.name == name);
        let named = named.find_map(|import| self.target(at, &import.path, n_hops + 1));
        let all = || {
            let stars = module.imports.iter().filter(|import| import.name == "*");
            let mut found = stars.filter_map(|star| {
                let (_, whole) = star.path.split_last()?;
                let path: Vec<String> = whole.iter().cloned().chain([name.to_owned()]).collect();
                self.target(at, &path, n_hops + 1)
            });
            found.find(|id| id != at && self.modules[id].defined.contains(name))
        };
        named.or_else(all)
    }

    /// The modules that each imports from.
    fn edges(&self) -> BTreeMap<&Id, BTreeSet<Id>> {
        let of = |(id, module): (&'_ Id, &Module)| -> BTreeSet<Id> {
            // A child that a module passes on is followed, not imported.
            let is_import = |import: &&Import| {
                !import.is_passed_on || ["crate", "super"].contains(&import.path[0].as_str())
            };
            let imports = module.imports.iter().filter(is_import);
            let paths = imports.map(|import| &import.path).chain(&module.paths);
            let targets = paths.filter(|path| path.len() > 1);
            let targets = targets.filter_map(|path| self.target(id, path, 0));
            targets.filter(|target| target != id).collect()
        };
        let modules = self.modules.iter();
        modules.map(|module| (module.0, of(module))).collect()
    }

    /// Imports across folders that lead back, as `file → file`.
    fn circles(&self) -> Vec<String> {
        let edges = self.edges();
        let reaches = |from: &Id, to: &Id| {
            let (mut waiting, mut seen) = (vec![from], BTreeSet::new());
            while let Some(next) = waiting.pop() {
                if next == to {
                    return true;
                }
                if seen.insert(next) {
                    waiting.extend(&edges[next]);
                }
            }
            false
        };
        let mut found = Vec::new();
        for (from, targets) in &edges {
            for to in targets {
                let (a, b) = (&self.modules[*from], &self.modules[to]);
                if a.folder() != b.folder() && reaches(to, from) {
                    found.push(format!("{} → {}", a.file, b.file));
                }
            }
        }
        found
    }
}

fn id_of(file: &str) -> Id {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Id::new(),
        path => path.split('/').map(str::to_owned).collect(),
    }
}

fn files_below(folder: &Path, root: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, root, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let file = path.strip_prefix(root).expect("below the root");
            let file = file.to_string_lossy().replace('\\', "/");
            let is_program = file == "main.rs" && root.join("lib.rs").exists();
            if !is_program && !file.ends_with("tests.rs") {
                found.push((file, std::fs::read_to_string(&path).expect("a source")));
            }
        }
    }
}

fn crates() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(folder).expect("the folder of crates");
    let folders = entries.map(|entry| entry.expect("an entry").path().join("src"));
    folders.filter(|folder| folder.is_dir()).collect()
}

#[test]
fn no_circle_of_imports_crosses_folders() {
    let mut wrong = Vec::new();
    let mut n_imports = 0;
    for root in crates() {
        let mut files = Vec::new();
        files_below(&root, &root, &mut files);
        let texts = files.iter().map(|(file, text)| (&**file, &**text));
        let whole = Crate::new(texts);
        n_imports += whole.edges().values().map(BTreeSet::len).sum::<usize>();
        let shown = |circle| format!("{}: {circle}", root.display());
        wrong.extend(whole.circles().into_iter().map(shown));
    }
    assert!(n_imports > 2_000, "the test reads imports: {n_imports}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn circles_are_found_through_names_that_are_passed_on() {
    let check = |files: &[(&'static str, &'static str)], want: &[&str]| {
        assert_eq!(Crate::new(files.iter().copied()).circles(), want);
    };
    let lib = ("lib.rs", "mod a;\nmod b;\npub use a::{c::Y, Z as W};");
    let b = ("b.rs", "use crate::Y;\npub struct X;");
    let a = ("a/mod.rs", "pub mod c;\nuse crate::b::X;\npub struct Z;");
    check(&[lib, a, b, ("a/c.rs", "pub struct Y;")], &[]);
    // By the parent, by a path in code, and not by a comment, a string or a test.
    let parent = ("a/c.rs", "pub struct Y(super::Z);");
    check(&[lib, a, b, parent], &["a/mod.rs → b.rs", "b.rs → a/c.rs"]);
    let silent = "pub struct Y;\n// super::Z\nconst S: &str = \"super::Z\";\n#[cfg(test)]\nmod tests {\n    use super::super::Z;\n}\n";
    check(&[lib, a, b, ("a/c.rs", silent)], &[]);
    // Within a folder they may.
    let beside = [
        ("lib.rs", "use x::X; pub struct L;"),
        ("x.rs", "use crate::L; pub struct X;"),
    ];
    check(&beside, &[]);
}
