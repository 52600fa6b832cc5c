//! The interface of a file: all of its facts that resolving a name in another file reads.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::expressions::{Link, TypeNode};
use super::{
    Base, Binding, Bound, CallbackParameter, ChainId, Expressions, FileFacts, Import, Parameter,
    RareFacts, Symbol, TypeId,
};

impl FileFacts {
    /// Returns a digest of the file's declarations, imports and values, without its uses of names and without variables that
    /// only the file itself can ask for ([`FileFacts::is_local`]). Of positions it has
    /// the order only, so an edit within a function that declares nothing leaves it as it is. Linear in the facts but
    /// for sorting positions; a collision is as unlikely as one of 64 random bits.
    #[must_use]
    pub fn interface(&self) -> u64 {
        let mut digest = Digest {
            state: FxHasher::default(),
            expressions: ExpressionDigests::new(&self.expressions),
            positions: Vec::new(),
        };
        digest.of(&self.language);
        digest.of(&self.package);
        for symbol in &self.symbols {
            digest.symbol(symbol);
        }
        for import in &self.imports {
            digest.import(import);
        }
        let asked = |binding: &&Binding| !self.is_local(binding);
        for binding in self.bindings.iter().filter(asked) {
            digest.binding(binding);
            digest.heads(binding, &self.symbols);
        }
        digest.finish()
    }
}

struct Digest {
    state: FxHasher,
    expressions: ExpressionDigests,
    /// Positions whose order matters, as they come.
    positions: Vec<u32>,
}

impl Digest {
    fn of(&mut self, value: &impl Hash) {
        value.hash(&mut self.state);
    }

    // Without `..`: a new field must be thought about.
    fn symbol(&mut self, symbol: &Symbol) {
        let Symbol {
            name,
            kind,
            parent,
            span,
            name_span,
            signature,
            modifiers,
            parameters,
            type_text,
            ty,
            complexity: _,
            rare,
        } = symbol;
        let RareFacts {
            owner,
            owner_type,
            doc: _,
            type_parameters,
            bases,
            decorators,
        } = &**rare;
        self.of(&(name, kind, parent, owner, signature));
        self.of(&(modifiers, type_text, decorators));
        self.types([*owner_type, *ty]);
        self.of(&(parameters.len(), type_parameters.len(), bases.len()));
        for Parameter {
            name,
            type_text,
            ty,
        } in parameters.iter().chain(type_parameters)
        {
            self.of(&(name, type_text));
            self.types([*ty]);
        }
        for Base {
            name,
            ty,
            kind,
            span: _,
        } in bases
        {
            self.of(&(name, kind));
            self.types([*ty]);
        }
        self.positions.extend([span.start, span.end]);
        self.positions.extend([name_span.start, name_span.end]);
    }

    fn import(&mut self, import: &Import) {
        let Import {
            module,
            name,
            local,
            flags,
            span,
            enclosing,
        } = import;
        self.of(&(module, name, local, flags, enclosing));
        self.positions.extend([span.start, span.end]);
    }

    fn binding(&mut self, binding: &Binding) {
        let Binding {
            name,
            kind,
            value,
            bound,
            enclosing,
            span,
        } = binding;
        // One that is wider than its name narrows a name within its place.
        let is_wide = span.end.saturating_sub(span.start) as usize > name.len();
        self.of(&(name, kind, value, enclosing, is_wide));
        match bound {
            Bound::Nothing => self.of(&0u8),
            Bound::Type(ty) => self.types([Some(*ty)]),
            Bound::Value(chain) => self.chain(*chain),
            Bound::Parameter(parameter) => {
                let CallbackParameter {
                    argument,
                    parameter,
                    path,
                    callee,
                } = **parameter;
                self.of(&(argument, parameter));
                self.chain(path);
                self.chain(callee);
            }
        }
        // Values are evaluated as they are seen just before the binding.
        let before = span.start.saturating_sub(1);
        self.positions.extend([before, span.start, span.end]);
    }

    /// Whether a binding is behind the heads of the definitions around it: then it is no parameter of them.
    fn heads(&mut self, binding: &Binding, symbols: &[Symbol]) {
        let mut around = binding.enclosing;
        while let Some((local, symbol)) =
            around.and_then(|at| Some((at, symbols.get(at as usize)?)))
        {
            let head_end = symbol.name_span.end as usize + symbol.signature.len();
            self.of(&(binding.span.start as usize > head_end));
            around = symbol.parent.filter(|parent| *parent < local);
        }
    }

    fn types<const N: usize>(&mut self, types: [Option<TypeId>; N]) {
        for ty in types {
            let digest = ty.map(|ty| self.expressions.ty(ty));
            self.of(&digest);
        }
    }

    fn chain(&mut self, chain: ChainId) {
        let digest = self.expressions.chain(chain);
        self.of(&digest);
    }

    fn finish(mut self) -> u64 {
        let mut order: Vec<(u32, u32)> = (0..)
            .zip(&self.positions)
            .map(|(at, position)| (*position, at))
            .collect();
        order.sort_unstable();
        let mut last = None;
        for (position, at) in order {
            self.of(&(at, last == Some(position)));
            last = Some(position);
        }
        self.state.finish()
    }
}

/// A digest of each chain and type of a table, whatever its number.
struct ExpressionDigests {
    chains: Vec<u64>,
    types: Vec<u64>,
}

impl ExpressionDigests {
    fn new(expressions: &Expressions) -> ExpressionDigests {
        let mut digests = ExpressionDigests {
            chains: Vec::with_capacity(expressions.links.len()),
            types: Vec::with_capacity(expressions.types.len()),
        };
        for node in &expressions.types {
            let digest = digests.of_type(expressions, node);
            digests.types.push(digest);
        }
        for link in &expressions.links {
            let digest = digests.of_link(expressions, *link);
            digests.chains.push(digest);
        }
        digests
    }

    fn chain(&self, chain: ChainId) -> u64 {
        self.chains.get(chain.0 as usize).copied().unwrap_or(0)
    }

    fn ty(&self, ty: TypeId) -> u64 {
        self.types.get(ty.index() as usize).copied().unwrap_or(0)
    }

    fn of_type(&self, expressions: &Expressions, node: &TypeNode) -> u64 {
        let all = |types: &[TypeId]| types.iter().map(|ty| self.ty(*ty)).collect::<Vec<u64>>();
        match node {
            TypeNode::Named(path, arguments) => {
                let path: Vec<&str> = path.iter().map(|name| expressions.name(*name)).collect();
                hashed(&(0u8, path, all(arguments)))
            }
            TypeNode::Union(parts) => hashed(&(1u8, all(parts))),
            TypeNode::List(element) => hashed(&(2u8, self.ty(*element))),
            TypeNode::Tuple(elements) => hashed(&(3u8, all(elements))),
            TypeNode::Function(parameters, result) => {
                let parameters: Vec<(&str, u64)> = parameters
                    .iter()
                    .map(|(name, ty)| (expressions.name(*name), self.ty(*ty)))
                    .collect();
                hashed(&(4u8, parameters, self.ty(*result)))
            }
            TypeNode::Other => hashed(&5u8),
        }
    }

    fn of_link(&self, expressions: &Expressions, link: Link) -> u64 {
        match link {
            Link::Name(name) => hashed(&(0u8, expressions.name(name))),
            Link::Absolute(name) => hashed(&(1u8, expressions.name(name))),
            Link::Module(name) => hashed(&(2u8, expressions.name(name))),
            Link::Inner(chain) => hashed(&(3u8, self.chain(chain))),
            Link::Cast(ty) => hashed(&(4u8, self.ty(ty))),
            Link::Literal(literal) => hashed(&(5u8, literal)),
            Link::Unknown => hashed(&6u8),
            Link::Member(chain, name) => hashed(&(7u8, self.chain(chain), expressions.name(name))),
            Link::Path(chain, name) => hashed(&(8u8, self.chain(chain), expressions.name(name))),
            Link::Call(chain) => hashed(&(9u8, self.chain(chain))),
            Link::Index(chain) => hashed(&(10u8, self.chain(chain))),
        }
    }
}

fn hashed(value: &impl Hash) -> u64 {
    let mut state = FxHasher::default();
    value.hash(&mut state);
    state.finish()
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use crate::{Language, ParseConfig, Parsers};

    fn interface(text: &str) -> u64 {
        of(Language::Python, text)
    }

    fn of(language: Language, text: &str) -> u64 {
        let mut parsers = Parsers::new(ParseConfig::default());
        parsers.read(language, text).interface()
    }

    #[test]
    fn variables_of_functions_of_c_are_no_part() {
        let c = |body: &str| {
            let text =
                format!("int shared;\nint f(struct ship *s)\n{{\n{body}\n}}\nint g(void) {{}}\n");
            of(Language::C, &text)
        };
        let before = c("  return s->length;");
        assert_eq!(
            c("  struct ship *other = s;\n  return other->length;"),
            before
        );
        assert_ne!(c("  return s->length;\n}\nint h(void)\n{"), before);
    }

    const TEXT: &str = "from m import a\n\nclass Cart:\n    def add(self, item: a.Item):\n        total = item.price()\n        return total\n";

    #[track_caller]
    fn check(from: &str, to: &str, is_same: bool) {
        let edited = TEXT.replace(from, to);
        assert_ne!(edited, TEXT);
        assert_eq!(interface(&edited) == interface(TEXT), is_same, "{edited}");
    }

    #[test]
    fn is_the_same_if_only_uses_and_lines_change() {
        check("class Cart", "\n# A comment.\nclass Cart", true);
        check("return total", "print(total)\n        return total", true);
        check("return total", "return self.other.total(a.b, total)", true);
        check(
            "class Cart:",
            "class Cart:\n    \"\"\"Things to buy.\"\"\"",
            true,
        );
    }

    #[test]
    fn differs_if_a_declaration_an_import_or_a_value_does() {
        check("class Cart", "class Basket", false);
        check("class Cart", "class Cart(Base)", false);
        check("item: a.Item", "item: a.Other", false);
        check("item: a.Item", "item", false);
        check("import a", "import a as b", false);
        check("item.price()", "item.cost()", false);
        check("return total", "more = 1\n        return total", false);
        check("class Cart", "@plain\nclass Cart", false);
    }
}
