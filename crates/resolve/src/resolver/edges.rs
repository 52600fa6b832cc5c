//! Edges besides those of uses: imports, supertypes, methods of types, implementations of declarations.

use syntax::facts::{BaseKind, ImportFlags, ReferenceForm, SymbolKind};

use crate::confidence::percent;
use crate::program::{Def, FileId, ImportId, NodeId, ROOT_FOLDER, is_function, is_type_scope};
use crate::resolver::{Found, Resolver, Space};
use graph::{EdgeKind, Reason};
use graph::{RawEdge, RawUse};

impl Resolver<'_, '_> {
    /// Adds the imports of one file: edges to files, symbols and packages, and uses for the imported names.
    pub fn import_edges(&mut self, file: FileId, edges: &mut Vec<RawEdge>, uses: &mut Vec<RawUse>) {
        let first_external = self.program.layout.end();
        for (index, import) in ImportId::numbered(&self.program.facts(file).imports) {
            let module = self.module_of(file, import);
            let found = self.imported(file, index);
            let mut add = |target: NodeId| {
                if target != file.into() && target != ROOT_FOLDER {
                    edges.push(RawEdge {
                        source: file.0,
                        kind: EdgeKind::Imports,
                        target: target.0,
                        line: import.span.start_line,
                        confidence: Reason::ImportStatement.confidence(),
                        reason: Reason::ImportStatement,
                    });
                }
            };
            for def in [module, found.map(|found| found.def)].into_iter().flatten() {
                match def {
                    Def::Node(node) => {
                        add(self.program.file_of(node).into());
                        add(node);
                    }
                    Def::Folder(folder) => add(folder),
                    Def::External(id) => add(NodeId(first_external + id.0)),
                    _ => {}
                }
            }
            if let Some(Def::Node(target)) = found.map(|found| found.def)
                && !import.is(ImportFlags::CHILD_MODULE)
            {
                let form = if import.is(ImportFlags::TYPE_ONLY) {
                    ReferenceForm::Type
                } else {
                    ReferenceForm::Value
                };
                let enclosing = self.program.scope(file, import.enclosing);
                let reason = Reason::ImportStatement;
                uses.push(RawUse {
                    span: import.span,
                    form,
                    target: target.0,
                    reason,
                    confidence: percent(reason, self.program.family_of(file)),
                    enclosing: enclosing.0,
                });
            }
        }
    }

    /// Finds the target of an import: a definition of the repository in any space, else an external package.
    fn imported(&mut self, file: FileId, index: ImportId) -> Option<Found> {
        let spaces = [Space::Value, Space::Type, Space::Macro];
        let n_spaces = match self.rules(file).flags().imports_macros {
            true => 3,
            false => 2,
        };
        let mut outside = None;
        for space in spaces.into_iter().take(n_spaces) {
            match self.import(file, index, space) {
                Some(found) if matches!(found.def, Def::External(_)) => {
                    outside = outside.or(Some(found));
                }
                Some(found) => return Some(found),
                None => {}
            }
        }
        outside
    }

    /// Adds the edges of supertypes, methods, implementations and aliases.
    pub fn type_edges(&mut self, edges: &mut Vec<RawEdge>) {
        for relation in &self.heritage.relations {
            let kind = match relation.kind {
                BaseKind::Extends => EdgeKind::Extends,
                BaseKind::Implements => EdgeKind::Implements,
            };
            edges.push(RawEdge {
                source: relation.source.0,
                kind,
                target: relation.target.0,
                line: relation.line,
                confidence: relation.reason.confidence(),
                reason: relation.reason,
            });
        }
        for (node, symbol) in self.program.related_symbols() {
            if is_function(symbol.kind) {
                self.method_edges(node, symbol.name_span.start_line, edges);
            } else if symbol.kind == SymbolKind::TypeAlias {
                self.alias_edge(node, edges);
            }
        }
    }

    fn method_edges(&mut self, method: NodeId, line: u32, edges: &mut Vec<RawEdge>) {
        let around = self
            .program
            .parent(method)
            .filter(|&parent| self.program.kind(parent).is_some_and(is_type_scope));
        let Some(block) = around.or_else(|| self.heritage.owner_of(method)) else {
            return;
        };
        let owner = match self.heritage.impl_target(block) {
            Some(Def::Node(target)) => target,
            _ => block,
        };
        let is_type = self
            .program
            .kind(owner)
            .is_some_and(|kind| is_type_scope(kind) && kind != SymbolKind::Impl);
        if is_type || around.is_none() {
            let (kind, reason) = (EdgeKind::HasMethod, Reason::Structure);
            edges.push(RawEdge {
                source: owner.0,
                kind,
                target: method.0,
                line,
                confidence: 100,
                reason,
            });
        }
        let Some(name) = self.program.name(method) else {
            return;
        };
        if self.program.kind(method) == Some(SymbolKind::Constructor) {
            return;
        }
        // An impl block implements its own trait; a class everything above it.
        let above = if block == owner {
            self.heritage.supers(owner).to_vec()
        } else {
            self.heritage.supers(block).to_vec()
        };
        for supertype in above {
            if let Some((Def::Node(declared), _)) = self.type_member(supertype, name)
                && declared != method
                && self.program.kind(declared).is_some_and(is_function)
            {
                let reason = Reason::Override;
                let confidence = reason.confidence();
                edges.push(RawEdge {
                    source: declared.0,
                    kind: EdgeKind::Dispatch,
                    target: method.0,
                    line,
                    confidence,
                    reason,
                });
            }
        }
    }

    fn alias_edge(&mut self, node: NodeId, edges: &mut Vec<RawEdge>) {
        let Some(symbol) = self.program.symbol(node) else {
            return;
        };
        if let Some((Def::Node(target), reason)) = self.written_type(node, node, symbol.ty)
            && target != node
            && self.program.symbol(target).is_some()
        {
            let line = symbol.name_span.start_line;
            let confidence = reason.confidence();
            edges.push(RawEdge {
                source: node.0,
                kind: EdgeKind::Aliases,
                target: target.0,
                line,
                confidence,
                reason,
            });
        }
    }
}
