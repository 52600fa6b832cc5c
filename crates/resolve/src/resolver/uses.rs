//! Resolves each use of a name, and notes the rule.

use syntax::facts::{Reference, ReferenceForm, SymbolKind};

use crate::confidence::percent;
use crate::program::{
    Def, FileId, NodeId, PackageId, is_common_method, is_declaration, is_function, is_type_scope,
};
use crate::resolver::{Resolver, Space};
use crate::types::Ty;
use graph::RawUse;
use graph::Reason;

/// Maximum number of methods of one name that are compared: a more frequent name tells nothing about its target.
const MAX_NAMESAKES: usize = 64;

/// Returns whether a value is of a type outside of the repository.
fn is_external(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Outside | Ty::List(_) | Ty::Function(..) | Ty::Opaque(..)
    )
}

impl Resolver<'_, '_> {
    /// Every use in a file that resolves to a definition of the repository.
    pub fn uses_of_file(&mut self, file: FileId) -> Vec<RawUse> {
        let facts = self.program.facts(file);
        let mut uses = Vec::with_capacity(facts.references.len() / 2);
        for reference in &facts.references {
            let scope = self.scope_of(file, reference);
            let found = self.resolve(file, scope, reference);
            let (target, reason) = match found {
                Some((Def::Node(target), reason)) => (target, reason),
                Some((Def::Package(package), reason)) => match self.part_in(file, package) {
                    Some(target) => (target, reason),
                    None => continue,
                },
                _ => continue,
            };
            let target = self.rules(target).definition_of(self, target, file);
            let target = self.overload(target, reference);
            // A name in the arguments of a macro may be the definition itself.
            if self
                .program
                .symbol(target)
                .is_some_and(|symbol| symbol.name_span == reference.span)
                && self.program.file_of(target) == file
            {
                continue;
            }
            // `Self` names the type around it, which is no call.
            let form = if reference.name == "Self" {
                ReferenceForm::Type
            } else {
                self.rules(file).form_of(self, reference, target)
            };
            uses.push(RawUse {
                span: reference.span,
                form,
                target: target.0,
                reason,
                confidence: percent(reason, self.program.family_of(file)),
                enclosing: scope.0,
            });
        }
        uses
    }

    /// The block of a namespace that a use in a file is shown as.
    fn part_in(&self, file: FileId, package: PackageId) -> Option<NodeId> {
        self.rules_of_package(package).part_in(self, file, package)
    }

    /// Of functions of one name in one scope, the one with as many parameters as the use has arguments, in languages
    /// that have overloads.
    fn overload(&self, target: NodeId, reference: &Reference) -> NodeId {
        let program = self.program;
        let Some(n_arguments) = reference.n_arguments.map(usize::from) else {
            return target;
        };
        let Some(symbol) = program
            .symbol(target)
            .filter(|symbol| is_function(symbol.kind))
        else {
            return target;
        };
        let rules = self.rules(target);
        if !rules.flags().has_overloads || symbol.parameters.len() == n_arguments {
            return target;
        }
        let (Some(scope), Some(name)) = (program.parent(target), program.name(target)) else {
            return target;
        };
        let mut others = program.symbols_in(scope, name);
        let fitting = others.find(|&other| {
            program.symbol(other).is_some_and(|other| {
                is_function(other.kind)
                    && other.rare.owner == symbol.rare.owner
                    && other.parameters.len() == n_arguments
            })
        });
        fitting.unwrap_or_else(|| rules.distant_overload(self, target, scope, n_arguments))
    }

    /// The scope of a use. A macro call that makes a function is outside of that function.
    fn scope_of(&self, file: FileId, reference: &Reference) -> NodeId {
        let scope = self.program.scope(file, reference.enclosing);
        let makes_it = reference.form == ReferenceForm::MacroCall
            && self
                .program
                .symbol(scope)
                .is_some_and(|symbol| symbol.span.start == reference.span.start);
        if makes_it {
            self.program.parent(scope).unwrap_or(file.into())
        } else {
            scope
        }
    }

    fn resolve(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let space = match reference.form {
            ReferenceForm::Type => Space::Type,
            ReferenceForm::MacroCall => Space::Macro,
            _ => Space::Value,
        };
        let rules = self.rules(file);
        if let Ok(found) = rules.resolve_use(self, file, scope, reference, space) {
            return found;
        }
        if reference.receiver.is_none() {
            self.bare(file, scope, reference, space)
        } else {
            self.on_receiver(file, scope, reference, space)
        }
    }

    fn bare(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let name = reference.name.as_str();
        let rules = self.rules(file);
        if name == "Self" {
            return self.self_type(scope).map(|def| (def, Reason::SelfType));
        }
        if rules.flags().is_super(name) && reference.form.is_call() {
            return rules.super_call(self, scope);
        }
        let at = reference.span.start;
        if let Ok(found) = rules.bare_call(self, scope, reference) {
            return found;
        }
        // `::name(…)` in C++ looks outside of all types and namespaces.
        let is_path = reference.form == ReferenceForm::PathCall;
        let starts_at_top = is_path && rules.flags().paths_start_at_top;
        let scope = if starts_at_top { file.into() } else { scope };
        let found = self.lookup(scope, at, name, space).or_else(|| match space {
            // A name in value position may mean a class, struct or alias; one in type position a constant.
            Space::Value => self.lookup(scope, at, name, Space::Type),
            Space::Type => self.lookup(scope, at, name, Space::Value),
            _ => None,
        });
        match found {
            Some((Def::Param(..) | Def::Binding(..) | Def::TypeParam(..), _)) => None,
            Some((Def::Node(module), reason))
                if reference.form.is_call() && self.program.is_file(module) =>
            {
                self.module_as_function(self.program.file_of(module))
                    .map(|node| (Def::Node(node), reason))
            }
            Some((def, reason)) => Some((def, reason)),
            None => self.unique(file, reference, space),
        }
    }

    /// `super(…)`: the constructor of the class above, or the class.
    pub(crate) fn super_constructor(&mut self, scope: NodeId) -> Option<(Def, Reason)> {
        let Some(Def::Node(class)) = self.self_type(scope) else {
            return None;
        };
        let above = *self.heritage.supers(class).first()?;
        Some((Def::Node(above), Reason::Inherited))
    }

    fn on_receiver(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let (name, at) = (reference.name.as_str(), reference.span.start);
        let by_path = self.rules(file).path_use(self, scope, reference, space);
        if by_path.is_some() {
            return by_path;
        }
        let value = self.value_of_receiver(file, scope, at, reference);
        match self.member_for(&value.ty, name, reference.form.is_call()) {
            Some((Def::External(_), _)) => None,
            Some((def, reason)) => Some((def, reason.unwrap_or(value.reason))),
            None if self.is_open(&value.ty) => self.unique_member(file, scope, reference),
            None if is_external(&value.ty) && self.rules(file).flags().has_extension_traits => {
                self.extension_method(scope, &value.ty, name)
            }
            None => None,
        }
    }

    /// Whether nothing is known of a type's members: a type parameter without bounds has those of a bound elsewhere.
    fn is_open(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Unknown | Ty::Tuple(_) => true,
            Ty::Param(node, index) => {
                let parameters = self
                    .program
                    .symbol(*node)
                    .map(|one| &one.rare.type_parameters);
                let own = parameters.and_then(|list| Some((list, list.get(index.index())?)));
                own.is_some_and(|(list, own)| {
                    let mut same = list.iter().filter(|one| one.name == own.name);
                    same.all(|one| one.type_text.is_empty())
                })
            }
            _ => false,
        }
    }

    /// The only definition of a name: for languages in which names come from anywhere without being imported.
    fn unique(
        &mut self,
        file: FileId,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let (rules, family) = (self.rules(file), program.family_of(file));
        if !rules.guesses_unique(space) {
            return None;
        }
        let name = program.names.get(&reference.name)?;
        let is_test = program.is_test(file);
        let found = program.named(name).filter(|&node| {
            let Some(symbol) = program.symbol(node) else {
                return false;
            };
            let fits = match space {
                Space::Macro => symbol.kind == SymbolKind::Macro,
                Space::Type => crate::program::is_type_name(symbol.kind),
                _ => matches!(
                    symbol.kind,
                    SymbolKind::Function
                        | SymbolKind::Macro
                        | SymbolKind::Variable
                        | SymbolKind::Constant
                ),
            };
            fits && rules.is_global(symbol)
                && !is_declaration(symbol)
                && program.family_of(node) == family
                && (is_test || !program.is_test(node))
        });
        let mut found = found
            .take(MAX_NAMESAKES)
            .filter(|&node| rules.sees(self, file, node));
        match (found.next(), found.next()) {
            (Some(only), None) => Some((Def::Node(only), Reason::UniqueName)),
            _ => None,
        }
    }

    /// The only method of a name, on a receiver of unknown type. Names that standard types have are not guessed.
    pub(crate) fn unique_member(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let (rules, family) = (self.rules(file), program.family_of(file));
        let name = program.names.get(&reference.name)?;
        if !reference.form.is_call() || is_common_method(&reference.name) {
            return None;
        }
        let is_test = program.is_test(file);
        let is_candidate = |node: &NodeId| {
            program.kind(*node).is_some_and(is_function)
                && program.family_of(*node) == family
                && (is_test || !program.is_test(*node))
                && self.member_owner(*node).is_some()
        };
        let mut candidates: Vec<NodeId> = program
            .named(name)
            .filter(is_candidate)
            .take(MAX_NAMESAKES + 1)
            .collect();
        if candidates.len() > MAX_NAMESAKES {
            return None;
        }
        candidates.retain(|&node| rules.sees(self, file, node));
        match candidates.as_slice() {
            [] => None,
            // A method that forwards to one of its own name means that of another, external type.
            [only] if self.program.scopes(scope).any(|around| around == *only) => None,
            [only] => Some((Def::Node(*only), Reason::UniqueMember)),
            several => self
                .common_declaration(several)
                .map(|node| (Def::Node(node), Reason::UniqueMember)),
        }
    }

    /// The type (or impl block) that a method belongs to.
    fn member_owner(&self, node: NodeId) -> Option<NodeId> {
        let around = self
            .program
            .parent(node)
            .filter(|&parent| self.program.kind(parent).is_some_and(is_type_scope));
        around.or_else(|| self.heritage.owner_of(node))
    }

    /// Of methods that implement or override one another, the common declaration.
    fn common_declaration(&self, methods: &[NodeId]) -> Option<NodeId> {
        methods.iter().copied().find(|&candidate| {
            let Some(owner) = self.member_owner(candidate) else {
                return false;
            };
            methods
                .iter()
                .all(|&other| other == candidate || self.goes_back_to(other, owner))
        })
    }

    fn goes_back_to(&self, method: NodeId, ancestor: NodeId) -> bool {
        let Some(owner) = self.member_owner(method) else {
            return false;
        };
        let mut seen = vec![owner];
        if let Some(Def::Node(target)) = self.heritage.impl_target(owner) {
            seen.push(target);
        }
        let mut next = 0;
        while let Some(&current) = seen.get(next) {
            if current == ancestor {
                return true;
            }
            next += 1;
            for &above in self.heritage.supers(current) {
                if !seen.contains(&above) && seen.len() < 100 {
                    seen.push(above);
                }
            }
        }
        false
    }
}
