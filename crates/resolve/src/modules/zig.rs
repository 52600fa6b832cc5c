//! Zig: `@import` of a path is a file relative to the importing one; of a name it is a package, whose root file has the
//! same name.

use super::{Tree, ancestors, folder_of, join};
use crate::program::FileId;

/// The file that `@import` names; none for external packages.
pub(crate) fn zig_file(tree: &Tree<'_>, from: &str, module: &str) -> Option<FileId> {
    let folder = folder_of(from);
    if module.ends_with(".zig") || module.ends_with(".zon") {
        return join(folder, module).and_then(|path| tree.file(&path));
    }
    if matches!(module, "std" | "builtin") {
        return None;
    }
    ancestors(folder).find_map(|around| {
        let own = [
            format!("{module}.zig"),
            format!("src/{module}.zig"),
            format!("src/{module}/{module}.zig"),
            format!("{module}/src/root.zig"),
            format!("{module}/{module}.zig"),
        ];
        own.iter().find_map(|path| tree.file(&join(around, path)?))
    })
}
