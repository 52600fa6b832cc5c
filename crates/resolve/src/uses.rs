//! Each use of a name: what it means, and by which rule.

use syntax::facts::{Modifiers, Reference, ReferenceForm, SymbolKind};

use super::family::{Family, is_common_method};
use super::follow::{Resolver, Space};
use super::infer::Ty;
use super::program::{Def, is_declaration, is_function, is_type_scope};
use graph::RawUse;
use graph::Reason;

/// A name that more methods have says nothing, and comparing them all would take long.
const MAX_NAMESAKES: usize = 64;

impl Resolver<'_, '_> {
    /// Every use in a file that means something in the repository.
    pub fn uses_of_file(&mut self, file: u32) -> Vec<RawUse> {
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
            let target = self.definition_of(target, file);
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
            // `Self` names the type it stands in: that is no call of anything else.
            let is_type = self.program.family[file as usize] == Family::Elixir
                && self.program.kind(target) == Some(SymbolKind::TypeAlias);
            let form = if reference.name == "Self" || is_type {
                ReferenceForm::Type
            } else {
                self.form_of(file, reference, target)
            };
            uses.push(RawUse {
                span: reference.span,
                form,
                target,
                reason,
                confidence: confidence(reason, self.program.family[file as usize]),
                enclosing: scope,
            });
        }
        uses
    }

    /// In Scala a method without parameters is called by naming it.
    fn form_of(&self, file: u32, reference: &Reference, target: u32) -> ReferenceForm {
        let is_scala = self.language(file) == syntax::Language::Scala;
        let is_plain = |symbol: &syntax::facts::Symbol| {
            is_function(symbol.kind) && self.is_called_by_name(target)
        };
        match reference.form {
            ReferenceForm::Member | ReferenceForm::Value
                if is_scala && self.program.symbol(target).is_some_and(is_plain) =>
            {
                if reference.receiver.is_empty() {
                    ReferenceForm::Call
                } else {
                    ReferenceForm::MethodCall
                }
            }
            form => form,
        }
    }

    /// Of functions of one name in one scope, the one that takes so many arguments, in languages that have overloads.
    fn overload(&self, target: u32, reference: &Reference) -> u32 {
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
        if !matches!(
            program.family_of(target),
            Family::Java | Family::C | Family::CSharp | Family::Swift
        ) || symbol.parameters.len() == n_arguments
        {
            return target;
        }
        let (Some(scope), Some(name)) = (program.parent(target), program.name(target)) else {
            return target;
        };
        let mut others = program.symbols_in(scope, name);
        let fitting = others.find(|&other| {
            program.symbol(other).is_some_and(|other| {
                is_function(other.kind)
                    && other.owner == symbol.owner
                    && other.parameters.len() == n_arguments
            })
        });
        if fitting.is_some() || !self.is_java(target) {
            return fitting.unwrap_or(target);
        }
        self.java_overload(target, scope, n_arguments)
    }

    /// Where a use stands. The macro that makes a function stands outside of it.
    fn scope_of(&self, file: u32, reference: &Reference) -> u32 {
        let scope = reference
            .enclosing
            .map_or(file, |local| self.program.layout.node(file, local));
        let makes_it = reference.form == ReferenceForm::MacroCall
            && self
                .program
                .symbol(scope)
                .is_some_and(|symbol| symbol.span.start == reference.span.start);
        if makes_it {
            self.program.parent(scope).unwrap_or(file)
        } else {
            scope
        }
    }

    fn resolve(&mut self, file: u32, scope: u32, reference: &Reference) -> Option<(Def, Reason)> {
        let space = match reference.form {
            ReferenceForm::Type => Space::Type,
            ReferenceForm::MacroCall => Space::Macro,
            _ => Space::Value,
        };
        if let Ok(found) = self.own_rules(file, scope, reference, space) {
            return found;
        }
        if reference.receiver.is_empty() {
            self.bare(file, scope, reference, space)
        } else {
            self.on_receiver(file, scope, reference, space)
        }
    }

    fn bare(
        &mut self,
        file: u32,
        scope: u32,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let name = reference.name.as_str();
        let family = self.program.family[file as usize];
        if name == "Self" {
            return self.self_type(scope).map(|def| (def, Reason::SelfType));
        }
        if family.is_super(name) && reference.form.is_call() {
            // In Python `super()` makes an object that looks above; nothing of the repository is called.
            return match family {
                Family::Python => None,
                _ => self.super_constructor(scope),
            };
        }
        let at = reference.span.start;
        if self.is_java_call(file, reference) {
            return self.java_method(scope, at, name);
        }
        // `::name(…)` in C++ looks outside of all types and namespaces.
        let is_global = family == Family::C && reference.form == ReferenceForm::PathCall;
        let scope = if is_global { file } else { scope };
        let found = self.lookup(scope, at, name, space).or_else(|| match space {
            // A class, struct or alias may be meant by a value, a constant by a type.
            Space::Value => self.lookup(scope, at, name, Space::Type),
            Space::Type => self.lookup(scope, at, name, Space::Value),
            _ => None,
        });
        match found {
            Some((Def::Param(..) | Def::Binding(..) | Def::TypeParam(..), _)) => None,
            Some((Def::Node(module), reason))
                if reference.form.is_call() && self.program.is_file(module) =>
            {
                self.module_as_function(module)
                    .map(|node| (Def::Node(node), reason))
            }
            Some((def, reason)) => Some((def, reason)),
            None => self.unique(file, reference, family, space),
        }
    }

    /// `super(…)`: the constructor of the class above, or the class.
    fn super_constructor(&mut self, scope: u32) -> Option<(Def, Reason)> {
        let Some(Def::Node(class)) = self.self_type(scope) else {
            return None;
        };
        let above = *self.heritage.supers(class).first()?;
        Some((Def::Node(above), Reason::Inherited))
    }

    fn on_receiver(
        &mut self,
        file: u32,
        scope: u32,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let family = self.program.family[file as usize];
        let (name, at) = (reference.name.as_str(), reference.span.start);
        let is_path = family == Family::Rust
            && !matches!(
                reference.form,
                ReferenceForm::MethodCall | ReferenceForm::Member
            )
            && !reference.receiver.starts_with('<');
        if is_path && let Some(found) = self.rust_path_use(scope, reference, space) {
            return Some(found);
        }
        let value = self.evaluate(scope, at, &reference.receiver);
        match self.member_for(&value.ty, name, reference.form.is_call()) {
            Some((Def::External(_), _)) => None,
            Some((def, reason)) => Some((def, reason.unwrap_or(value.reason))),
            None if value.ty == Ty::Unknown => self.unique_member(file, scope, reference, family),
            None => None,
        }
    }

    fn rust_path_use(
        &mut self,
        scope: u32,
        reference: &Reference,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let receiver = self.rust_path(
            scope,
            &without_arguments(&reference.receiver),
            false,
            Space::Type,
        )?;
        let (def, extra) = match receiver.def {
            Def::External(_) => {
                let outside = last_segment(&reference.receiver);
                let name = self.program.names.get(&reference.name)?;
                (self.outside_member(outside, name)?, None)
            }
            Def::TypeParam(node, index) => self.member(&Ty::Param(node, index), &reference.name)?,
            def => match self.module_member(def, &reference.name, space) {
                Some(found) => (found.def, None),
                None => self.member(&Ty::Def(def), &reference.name)?,
            },
        };
        if matches!(def, Def::External(_)) {
            return None;
        }
        let is_type = matches!(receiver.def, Def::Node(node) if self.program.kind(node).is_some_and(|kind| kind != SymbolKind::Module));
        let reason = match extra {
            Some(reason) => reason,
            None if reference.receiver == "Self" => Reason::SelfType,
            None if is_type => Reason::TypeMember,
            None => Reason::Path,
        };
        Some((def, reason))
    }

    /// The only definition of a name: for languages in which names come from anywhere without being imported.
    fn unique(
        &mut self,
        file: u32,
        reference: &Reference,
        family: Family,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let is_macro = space == Space::Macro && family == Family::Rust;
        if !matches!(family, Family::C | Family::Lua) && !is_macro {
            return None;
        }
        let name = program.names.get(&reference.name)?;
        let is_test = program.is_test[file as usize];
        let mut found = program.named(name).filter(|&node| {
            let Some(symbol) = program.symbol(node) else {
                return false;
            };
            let fits = match space {
                Space::Macro => symbol.kind == SymbolKind::Macro,
                Space::Type => super::program::is_type_name(symbol.kind),
                _ => matches!(
                    symbol.kind,
                    SymbolKind::Function
                        | SymbolKind::Macro
                        | SymbolKind::Variable
                        | SymbolKind::Constant
                ),
            };
            // What a table holds, or a file keeps to itself, is no global of Lua.
            let is_hidden = family == Family::Lua
                && !(symbol.owner.is_empty() && symbol.is(Modifiers::EXPORTED));
            fits && !is_hidden
                && !is_declaration(symbol)
                && program.family_of(node) == family
                && (is_test || !program.is_test[program.file_of(node) as usize])
        });
        match (found.next(), found.next()) {
            (Some(only), None) => Some((Def::Node(only), Reason::UniqueName)),
            _ => None,
        }
    }

    /// The only method of a name, on a receiver of unknown type. Names that standard types have are not guessed.
    fn unique_member(
        &mut self,
        file: u32,
        scope: u32,
        reference: &Reference,
        family: Family,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let name = program.names.get(&reference.name)?;
        if !reference.form.is_call() || is_common_method(&reference.name) {
            return None;
        }
        let is_test = program.is_test[file as usize];
        let is_candidate = |node: &u32| {
            program.kind(*node).is_some_and(is_function)
                && program.family_of(*node) == family
                && (is_test || !program.is_test[program.file_of(*node) as usize])
                && self.member_owner(*node).is_some()
        };
        let mut candidates: Vec<u32> = program
            .named(name)
            .filter(is_candidate)
            .take(MAX_NAMESAKES + 1)
            .collect();
        if candidates.len() > MAX_NAMESAKES {
            return None;
        }
        candidates.retain(|&node| family != Family::Rust || self.sees(file, program.file_of(node)));
        match candidates.as_slice() {
            [] => None,
            // A method that hands on to one of its own name means another type's, one outside.
            [only] if self.program.scopes(scope).any(|around| around == *only) => None,
            [only] => Some((Def::Node(*only), Reason::UniqueMember)),
            several => self
                .common_declaration(several)
                .map(|node| (Def::Node(node), Reason::UniqueMember)),
        }
    }

    /// Whether a Rust file can hold values of another; each pair of crates is asked once.
    fn sees(&mut self, from: u32, to: u32) -> bool {
        let rust = &self.modules.rust;
        let key = (rust.root(self.program, from), rust.root(self.program, to));
        *self
            .crates_seen
            .entry(key)
            .or_insert_with(|| rust.sees(self.program, from, to))
    }

    /// The type (or impl block) that a method belongs to.
    fn member_owner(&self, node: u32) -> Option<u32> {
        let around = self
            .program
            .parent(node)
            .filter(|&parent| self.program.kind(parent).is_some_and(is_type_scope));
        around.or_else(|| self.heritage.owner_of(node))
    }

    /// Of methods that implement or override one another, the one that the others go back to.
    fn common_declaration(&self, methods: &[u32]) -> Option<u32> {
        methods.iter().copied().find(|&candidate| {
            let Some(owner) = self.member_owner(candidate) else {
                return false;
            };
            methods
                .iter()
                .all(|&other| other == candidate || self.goes_back_to(other, owner))
        })
    }

    fn goes_back_to(&self, method: u32, ancestor: u32) -> bool {
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

/// Share of the edges of a rule that are right, in percent. Where nothing says what a receiver is, the only method of its
/// name is the right one the more often, the fewer methods of the standard library a language has beside it.
fn confidence(reason: Reason, family: Family) -> u8 {
    match (reason, family) {
        (Reason::UniqueMember, Family::Go | Family::C | Family::Ecma) => 92,
        (reason, _) => reason.confidence(),
    }
}

/// What stands behind the last `::`.
fn last_segment(path: &str) -> &str {
    let before = path.as_bytes().windows(2).rposition(|pair| pair == b"::");
    before.map_or(path, |at| &path[at + 2..])
}

/// A path without type arguments: `Vec::<u8>` is `Vec`, `Foo<T>::Bar` is `Foo::Bar`.
fn without_arguments(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut depth = 0usize;
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    let mut clean = out.replace("::::", "::");
    if clean.ends_with("::") {
        clean.truncate(clean.len() - 2);
    }
    clean
}
