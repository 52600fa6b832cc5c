//! Lua: dots are folders; a module is a file or the `init.lua` of a folder, below one of the usual roots.

use super::{Tree, ancestors, folder_of, join};
use crate::program::FileId;

/// The file that `require` names.
pub(crate) fn lua_file(tree: &Tree<'_>, from: &str, module: &str) -> Option<FileId> {
    let path = module.trim_end_matches(".lua").replace('.', "/");
    ancestors(folder_of(from)).find_map(|around| {
        ["", "lua", "src", "lib"].iter().find_map(|root| {
            let whole = join(&join(around, root)?, &path)?;
            [".lua", "/init.lua", ".luau"]
                .iter()
                .find_map(|ending| tree.file(&format!("{whole}{ending}")))
        })
    })
}
