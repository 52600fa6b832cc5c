//! Definitions against compilers: are the functions, types and constants that we read those that a compiler sees?
//!
//! `symbols --data DIR,… --truth DIR,… [--repos a,b] [--verbose]`. A truth folder holds SCIP indexes, `NAME.scip` or
//! `NAME.scip.gz`; a data folder holds their sources in `NAME/`. For each language: how many definitions of the index
//! have one of ours with the same name on the same line, how many of these have the same kind, and how many of ours the
//! index does not know. `--verbose` lists each one that does not agree.
//!
//! Counted are functions, methods, constructors, types, aliases, variants, macros, and constants and variables at file
//! level, of the files that the index covers and that are read at all. Nested functions and types count; parameters,
//! type parameters, local variables and modules do not. Fields are counted apart. Of ours, impl blocks and what has no
//! name in the source (callbacks, anonymous exports) are left out: a compiler has no symbol for them.

mod compare;
mod index;
mod proto;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use source::{FileSet, SourceConfig};
use syntax::{Language, ParseConfig, Parsers};

use crate::flags::{Failure, Flags};
use crate::folder;
use compare::{Comparison, Count, Fault};
use index::{ScipIndex, What};

/// Runs the bench.
pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let (data, truth) = (folders(flags, "data")?, folders(flags, "truth")?);
    let indexes = indexes(&truth, flags)?;
    if indexes.is_empty() {
        return Err("no NAME.scip or NAME.scip.gz in the folders of --truth".into());
    }
    let mut rows = Vec::new();
    for (name, path) in indexes {
        let Some(sources) = data
            .iter()
            .map(|dir| dir.join(&name))
            .find(|dir| dir.is_dir())
        else {
            eprintln!("{name}: its sources are in no folder of --data");
            continue;
        };
        let index = ScipIndex::open(&path)?;
        for (language, comparison) in repository(&name, &index, &sources, flags.has("verbose"))? {
            rows.push((name.clone(), index.tool.clone(), language, comparison));
        }
    }
    report(&rows);
    Ok(())
}

fn folders(flags: &Flags, name: &str) -> Result<Vec<PathBuf>, Failure> {
    let list = flags
        .get(name)
        .ok_or_else(|| format!("--{name} DIR is missing"))?;
    Ok(list.split(',').map(PathBuf::from).collect())
}

/// Name and path of each index, sorted by name.
fn indexes(folders: &[PathBuf], flags: &Flags) -> Result<Vec<(String, PathBuf)>, Failure> {
    let wanted: Option<Vec<&str>> = flags.get("repos").map(|list| list.split(',').collect());
    let mut out = BTreeMap::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let name = file
                .strip_suffix(".scip.gz")
                .or_else(|| file.strip_suffix(".scip"));
            if let Some(name) = name {
                out.insert(name.to_owned(), path.clone());
            }
        }
    }
    out.retain(|name, _| {
        wanted
            .as_ref()
            .is_none_or(|list| list.contains(&name.as_str()))
    });
    Ok(out.into_iter().collect())
}

/// One repository, by language.
fn repository(
    name: &str,
    index: &ScipIndex,
    sources: &Path,
    is_verbose: bool,
) -> Result<BTreeMap<&'static str, Comparison>, Failure> {
    let files = FileSet::from_files(folder::read(sources)?, &SourceConfig::default());
    let texts: HashMap<&str, &str> = files
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_ref()))
        .collect();
    let mut parsers = Parsers::new(ParseConfig::default());
    let mut out: BTreeMap<&'static str, Comparison> = BTreeMap::new();
    let mut covered: Vec<_> = index.files(|path| texts.get(path).copied()).collect();
    covered.sort_by_key(|(path, _)| *path);
    for (path, file) in covered {
        let text = texts.get(path).copied().unwrap_or_default();
        let language = Language::from_text(path, text);
        let facts = parsers.read(language, text);
        let mut faults = Vec::new();
        let compared = compare::file(&facts, &file, &mut faults);
        out.entry(language.name()).or_default().add(&compared);
        if is_verbose {
            list(name, path, faults);
        }
    }
    Ok(out)
}

fn list(repository: &str, path: &str, mut faults: Vec<Fault>) {
    faults.sort_by(|a, b| (a.line, a.word).cmp(&(b.line, b.word)));
    for fault in faults {
        println!(
            "{} {repository}/{path}:{} {} {}",
            fault.word,
            fault.line + 1,
            fault.name,
            fault.note
        );
    }
}

/// The table for people: a row for each repository and language, then one for each language, then recall by kind.
fn report(rows: &[(String, String, &'static str, Comparison)]) {
    println!(
        "| repository | index | files | definitions | found | right kind | ours | false | fields found |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    let mut languages: BTreeMap<&str, Comparison> = BTreeMap::new();
    for (name, tool, language, comparison) in rows {
        row(&format!("{name} ({language})"), tool, comparison);
        languages.entry(language).or_default().add(comparison);
    }
    for (language, comparison) in &languages {
        row(&format!("**{language}**"), "", comparison);
    }
    println!();
    let kinds = [
        What::Function,
        What::Method,
        What::Constructor,
        What::Class,
        What::Struct,
        What::Enum,
        What::Variant,
        What::Trait,
        What::Interface,
        What::TypeAlias,
        What::Value,
        What::Macro,
    ];
    println!(
        "| found of | {} |",
        languages.keys().copied().collect::<Vec<_>>().join(" | ")
    );
    println!("|---|{}", "--:|".repeat(languages.len()));
    for kind in kinds {
        let cell = |comparison: &Comparison| {
            comparison.by_what.get(&kind).map_or_else(
                || "–".to_owned(),
                |count| format!("{} of {}", count.found, count.wanted),
            )
        };
        let cells: Vec<String> = languages.values().map(cell).collect();
        println!("| {} | {} |", word(kind), cells.join(" | "));
    }
}

fn row(name: &str, tool: &str, comparison: &Comparison) {
    let total = comparison.total();
    let fields = comparison
        .by_what
        .get(&What::Field)
        .copied()
        .unwrap_or_default();
    println!(
        "| {name} | {tool} | {} | {} | {} | {} | {} | {} ({}) | {} |",
        comparison.n_files,
        total.wanted,
        percent(total.found, total.wanted),
        percent(total.same_kind, total.found),
        comparison.n_ours,
        comparison.n_false,
        percent(comparison.n_false, comparison.n_ours),
        share(&fields)
    );
}

fn share(count: &Count) -> String {
    if count.wanted == 0 {
        return "–".to_owned();
    }
    percent(count.found, count.wanted)
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.2} %", part as f64 / whole.max(1) as f64 * 100.0)
}

fn word(what: What) -> &'static str {
    match what {
        What::Function => "functions",
        What::Method => "methods",
        What::Constructor => "constructors",
        What::Class => "classes",
        What::Struct => "structs, unions",
        What::Enum => "enums",
        What::Variant => "variants",
        What::Trait => "traits",
        What::Interface => "interfaces",
        What::TypeAlias => "type aliases",
        What::Value => "constants, variables of a file",
        What::Macro => "macros",
        What::Field => "fields",
        What::Other => "other",
    }
}
