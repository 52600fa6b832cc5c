//! Files that are included by a path: `source` in shells, `@import` in style sheets. A path that begins with a variable
//! is looked for by its end.

use super::{Tree, ancestors, folder_of, join};
use crate::program::FileId;

/// The file that `source` names.
pub(crate) fn sourced(tree: &Tree<'_>, from: &str, path: &str) -> Option<FileId> {
    let plain = without_variables(path)?;
    let endings = ["", ".sh", ".bash"];
    nearest(tree, from, plain, |path| {
        endings.map(|ending| format!("{path}{ending}")).to_vec()
    })
}

/// The file that `@import`, `@use` or `@forward` names; partials have an underscore.
pub(crate) fn style_sheet(tree: &Tree<'_>, from: &str, path: &str) -> Option<FileId> {
    let plain = path.trim_start_matches(['~', '/']);
    nearest(tree, from, plain, |path| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let partial = if folder.is_empty() {
            format!("_{name}")
        } else {
            format!("{folder}/_{name}")
        };
        let mut out = vec![path.to_owned()];
        for ending in ["css", "scss", "less"] {
            out.push(format!("{path}.{ending}"));
            out.push(format!("{partial}.{ending}"));
        }
        out
    })
}

/// The part of a path behind its last variable or command: `$DIR/lib/a.sh` ends in `lib/a.sh`.
fn without_variables(path: &str) -> Option<&str> {
    let is_plain = !path.contains(['$', '`']);
    if is_plain {
        return Some(path.trim_start_matches('/'));
    }
    let behind = path.rfind([')', '}']).map_or_else(
        || {
            let variable = path.rfind('$')?;
            path.get(variable..)?.find('/').map(|at| variable + at)
        },
        |at| Some(at + 1),
    )?;
    let rest = path.get(behind..)?.trim_start_matches('/');
    (!rest.is_empty() && !rest.contains('$')).then_some(rest)
}

/// The nearest file of this path: from the folder of the file outwards, each also with the usual folders of scripts.
fn nearest(
    tree: &Tree<'_>,
    from: &str,
    path: &str,
    forms: impl Fn(&str) -> Vec<String>,
) -> Option<FileId> {
    let folders = ["", "lib", "libexec", "scripts", "bin", "src"];
    ancestors(folder_of(from)).find_map(|around| {
        folders.iter().find_map(|folder| {
            let root = join(around, folder)?;
            let whole = join(&root, path)?;
            forms(&whole).iter().find_map(|form| tree.file(form))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::without_variables;

    #[test]
    fn what_follows_the_last_variable_is_a_path() {
        for (path, expected) in [
            ("./a.sh", Some("./a.sh")),
            ("$DIR/lib/a.sh", Some("lib/a.sh")),
            ("${BASH_SOURCE%/*}/a.sh", Some("a.sh")),
            ("$(dirname$0)/x/y.sh", Some("x/y.sh")),
            ("$FILE", None),
        ] {
            assert_eq!(without_variables(path), expected, "{path}");
        }
    }
}
