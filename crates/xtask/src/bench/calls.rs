//! Calls judged by reading, for languages where no compiler is asked; beside them the languages that compilers
//! judged, from the section `graph`.

use std::fmt::Write as _;
use std::path::Path;

use super::native;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result};

/// Repositories of `graph` that the table of languages names, and their languages.
const COMPILED: [(&str, &str, &str); 7] = [
    ("c", "libuv", "libclang"),
    ("cpp", "leveldb", "libclang"),
    ("go", "chi", "go/types"),
    ("java", "gson", "javac"),
    ("python", "fastapi", "pyright"),
    ("rust", "axum", "rust-analyzer"),
    ("typescript", "hono", "TypeScript"),
];

const METHOD: &str = "\
Each row is a sample: about 67 calls of product code from each of three repositories, drawn by a seeded choice from all calls whose name some
definition of the repository has, found by tree-sitter and not by our graph. Each was judged by reading its source, by one reader; its definition
is written down, or that it leaves the repository (`tools/truth/sampled`; method and limits in tools/truth/README.md). Precision: the definition
that we give is the one that is meant, or an overload beside it; recall: the calls with a definition in the repository that we give rightly; exact
overload: of these, those with no overload in its place. In brackets 95 % intervals. A name that many types share is drawn as often as it is
called, so the sample is harder than all calls are. The repositories are in no other bench, but this sample showed what has been mended since for
Kotlin, Lua, PHP, Ruby and Scala: for these five it is no longer held out. Calls through a parameter or a local variable that holds a function,
and calls that only text at run time decides, were left out.";

/// Scores the sample over the repositories in `data`; each is at DIR/calls/NAME or DIR/NAME.
pub fn run(toolbox: &Toolbox, data: &[&str]) -> Result<String> {
    let folders: Vec<String> = data
        .iter()
        .flat_map(|dir| [Path::new(dir).join("calls"), Path::new(dir).to_owned()])
        .map(|dir| dir.display().to_string())
        .collect();
    let folders = if folders.is_empty() {
        ".".to_owned()
    } else {
        folders.join(",")
    };
    let call = Call::new(native::build(toolbox)?).args(["calls", "--data", &folders]);
    let sampled = call
        .arg("--truth")
        .arg(paths::root().join("tools/truth/sampled"))
        .read()?;
    let page = paths::read(&paths::root().join("docs/benchmarks.md")).unwrap_or_default();
    Ok(format!(
        "{}\n\n{METHOD}\n\n{}",
        sampled.trim_end(),
        compiled(&page)
    ))
}

/// A row for each language whose truth is a compiler's, from the section `graph` of the page; without one, nothing.
fn compiled(page: &str) -> String {
    let mut rows = String::new();
    for (language, name, judge) in COMPILED {
        if let Some((precision, recall, f1)) = lenient(page, name) {
            let _ = writeln!(
                rows,
                "| {language} | {name} | {judge} | {precision} | {recall} | {f1} |"
            );
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "Languages whose truth is a compiler's, product code, every call of one repository (section above):\n\n\
         | language | repository | judged by | precision | recall | F1 |\n|---|---|---|--:|--:|--:|\n{rows}"
    )
}

/// Lenient precision, recall and F1 of a repository's product code.
fn lenient<'a>(page: &'a str, name: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (_, after) = page.split_once(&format!("\n== {name}, nontest: "))?;
    let line = after.lines().nth(1)?.trim();
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["lenient", "P", precision, "R", recall, "F1", f1] => Some((precision, recall, f1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_from_the_section_of_the_graph() {
        let page = "\
```
== chi, nontest: 191 edges, 152 function calls wanted
   lenient  P 100.0  R 98.7  F1 99.3
   strict   P 91.6  R 89.5  F1 90.5
== chi, all: 625 edges, 606 function calls wanted
   lenient  P 99.0  R 90.8  F1 95.2
```
";
        let table = compiled(page);
        assert_eq!(
            table.lines().last(),
            Some("| go | chi | go/types | 100.0 | 98.7 | 99.3 |")
        );
        assert_eq!(compiled("# Benchmarks\n"), "");
    }
}
