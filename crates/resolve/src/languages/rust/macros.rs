//! Rust: macros by their name alone. Those of the standard library have names that everybody uses.

use syntax::facts::SymbolKind;

use crate::program::{FileId, NodeId};
use crate::resolver::Resolver;

impl Resolver<'_, '_> {
    /// Whether a file can mean a macro that it does not import. A macro with the name of one of the standard library
    /// hides that only below its own module: a macro is in scope in the modules that follow it.
    pub(crate) fn reaches_macro(&self, from: FileId, node: NodeId) -> bool {
        let Some(symbol) = self.program.symbol(node) else {
            return false;
        };
        if symbol.kind != SymbolKind::Macro || !is_standard(&symbol.name) {
            return true;
        }
        let home = self.program.enclosing_module(node);
        let mut around = Some(NodeId::from(from));
        // The bound ends a cycle of `mod` declarations.
        for _ in 0..64 {
            match around {
                Some(module) if module == home => return true,
                Some(module) => around = self.modules.rust.parent(self.program, module),
                None => return false,
            }
        }
        false
    }
}

/// Returns whether the standard library has a macro of this name.
fn is_standard(name: &str) -> bool {
    matches!(
        name,
        "addr_of"
            | "addr_of_mut"
            | "assert"
            | "assert_eq"
            | "assert_matches"
            | "assert_ne"
            | "cfg"
            | "column"
            | "compile_error"
            | "concat"
            | "dbg"
            | "debug_assert"
            | "debug_assert_eq"
            | "debug_assert_ne"
            | "env"
            | "eprint"
            | "eprintln"
            | "file"
            | "format"
            | "format_args"
            | "include"
            | "include_bytes"
            | "include_str"
            | "is_x86_feature_detected"
            | "line"
            | "matches"
            | "module_path"
            | "option_env"
            | "panic"
            | "pin"
            | "print"
            | "println"
            | "ready"
            | "stringify"
            | "thread_local"
            | "todo"
            | "try"
            | "unimplemented"
            | "unreachable"
            | "vec"
            | "write"
            | "writeln"
    )
}
