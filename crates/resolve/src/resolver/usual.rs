//! How the type of a variable is known: written, inferred from results of calls, or only usual for its name.

use syntax::facts::{BindingKind, Bound};

use crate::program::{Def, Family, Name, NodeId};
use crate::resolver::Resolver;
use crate::resolver::questions::UsualOf;
use crate::types::Ty;

impl Resolver<'_, '_> {
    /// Whether a variable's type follows from the result of a function rather than from a written or constructed type.
    pub(crate) fn is_inferred(&self, def: Def) -> bool {
        let Def::Binding(file, index) = def else {
            return false;
        };
        self.program
            .binding(file, index)
            .is_some_and(|binding| match binding.kind {
                BindingKind::Call => match binding.bound {
                    Bound::Value(callee) => {
                        let callee = self.program.chain(file, callee);
                        !callee.last_name().starts_with(char::is_uppercase)
                    }
                    _ => true,
                },
                BindingKind::Annotated | BindingKind::Constructed => false,
                BindingKind::Alias | BindingKind::Element | BindingKind::Argument => true,
            })
    }

    /// Whether a variable's type is known from its name only.
    pub(crate) fn is_usual(&mut self, def: Def) -> bool {
        match def {
            Def::Binding(file, index) => {
                let Some(binding) = self.program.binding(file, index) else {
                    return false;
                };
                let scope = self.program.scope(file, binding.enclosing);
                let known = match binding.kind {
                    BindingKind::Argument => self.given(file, index, scope, binding),
                    _ if binding.bound == Bound::Nothing => {
                        self.expected_parameter(scope, &binding.name, None)
                    }
                    _ => return false,
                };
                matches!(known, Ty::Unknown | Ty::Outside)
            }
            Def::Param(function, index) => {
                let parameters = self
                    .program
                    .symbol(function)
                    .map(|symbol| symbol.parameters.as_slice());
                let Some(parameter) = parameters.and_then(|list| list.get(index.index())) else {
                    return false;
                };
                if let Some((file, binding)) = self.binding_of_callback(function, &parameter.name) {
                    return self.is_usual(Def::Binding(file, binding));
                }
                parameter.ty.is_none()
                    && self.expected_parameter(function, &parameter.name, Some(index))
                        == Ty::Unknown
            }
            _ => false,
        }
    }

    /// The type that typed parameters of a name nearly always have: `c: Context` in nearly all typed functions tells
    /// the type of `c` in an untyped callback.
    pub(crate) fn usual_type(&mut self, scope: NodeId, name: &str) -> Ty {
        let family = self.program.family_of(scope);
        if !self.rules(scope).flags().has_usual_types {
            return Ty::Unknown;
        }
        let Some(interned) = self.program.names.get(name) else {
            return Ty::Unknown;
        };
        let rules = self.rules(scope);
        self.answer(UsualOf(family, interned), Ty::Unknown, |this| {
            match this.most_written_type(family, interned) {
                Ty::Unknown if rules.flags().tables_are_types => this.table_named_like(name),
                ty => ty,
            }
        })
    }

    fn most_written_type(&mut self, family: Family, name: Name) -> Ty {
        let program = self.program;
        let mut counts: Vec<(NodeId, usize)> = Vec::new();
        let mut total = 0;
        for (function, index) in program.typed_parameters(name) {
            if program.family_of(function) != family {
                continue;
            }
            total += 1;
            if let Ty::Instance(node, _) = self.value_of_parameter(function, index) {
                match counts.iter_mut().find(|(other, _)| *other == node) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((node, 1)),
                }
            }
        }
        let most = counts
            .into_iter()
            .max_by_key(|(node, count)| (*count, std::cmp::Reverse(*node)));
        match most {
            Some((node, count)) if count >= 3 && count * 5 >= total * 4 => Ty::instance(node),
            _ => Ty::Unknown,
        }
    }
}
