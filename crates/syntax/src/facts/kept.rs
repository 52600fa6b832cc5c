//! The facts of a file without its uses, chunks, texts of documentation and problems: enough to resolve names of other
//! files, in a fraction of the memory.

use thin_vec::ThinVec;

use super::expressions::{Link, NameId, TypeNode};
use super::{Base, Binding, Bound, ChainId, Expressions, FileFacts, Parameter};
use super::{Rare, RareFacts, Symbol, SymbolKind, TypeId};
use crate::Language;

impl FileFacts {
    /// Returns what [`FileFacts::interface`] is a digest of, and sizes: declarations, imports and values, without the signatures
    /// of most values and of C, and without the variables that only the file itself can ask for. Uses of other files are resolved
    /// with it as with all facts. Linear in the facts.
    #[must_use]
    pub fn only_interface(&self) -> FileFacts {
        let kept = Kept::of(self);
        FileFacts {
            language: self.language,
            n_lines: self.n_lines,
            symbols: self
                .symbols
                .iter()
                .map(|symbol| kept.symbol(symbol, self.language))
                .collect(),
            references: Vec::new(),
            imports: self.imports.clone(),
            bindings: self
                .bindings
                .iter()
                .filter(|binding| !self.is_local(binding))
                .map(|binding| kept.binding(binding))
                .collect(),
            expressions: kept.expressions(),
            chunks: Vec::new(),
            package: self.package.clone(),
            problems: Vec::new(),
        }
    }

    /// Whether no other file can ask for a binding: a variable of a function of C whose result is written, since functions
    /// of C do not nest.
    #[must_use]
    pub fn is_local(&self, binding: &Binding) -> bool {
        let of = || self.symbols.get(binding.enclosing? as usize);
        self.language == Language::C
            && !binding.name.contains(['.', '>', '@'])
            && of().is_some_and(|symbol| {
                symbol.kind == SymbolKind::Function && !symbol.type_text.is_empty()
            })
    }

    /// Whether the bindings of an interface are the first ones here, so that both number them alike.
    #[must_use]
    pub fn has_locals_last(&self) -> bool {
        self.bindings
            .is_sorted_by_key(|binding| self.is_local(binding))
    }

    /// Moves the bindings that an interface has not behind those that it has. Within each scope they stay in their order.
    pub fn put_locals_last(&mut self) {
        if self.has_locals_last() {
            return;
        }
        let bindings = std::mem::take(&mut self.bindings);
        let (locals, mut shared): (Vec<_>, Vec<_>) = bindings
            .into_iter()
            .partition(|binding| self.is_local(binding));
        shared.extend(locals);
        self.bindings = shared;
    }

    /// Leaves out of an interface what only resolving names reads: values, and the types and signatures of symbols.
    pub fn forget_values(&mut self) {
        self.bindings = Vec::new();
        self.expressions = Expressions::default();
        for symbol in &mut self.symbols {
            symbol.signature = Box::default();
            symbol.type_text = Box::default();
            symbol.parameters = ThinVec::new();
            symbol.ty = None;
            if let Some(rare) = symbol.rare.as_mut() {
                symbol.rare = Rare::from(RareFacts {
                    owner: std::mem::take(&mut rare.owner),
                    decorators: std::mem::take(&mut rare.decorators),
                    ..RareFacts::default()
                });
            }
        }
    }
}

/// Whether resolving reads the signature of a symbol: it does so of functions, types and blocks, for words that no other fact
/// has and for the end of their heads, and of what has a written type, for its place. Most macros and values have neither.
/// Of C it reads none: types are before names, and the end of a head matters within its file.
fn has_head(symbol: &Symbol) -> bool {
    use SymbolKind::{Constant, Field, Macro, Variable, Variant};
    let is_value = matches!(symbol.kind, Constant | Field | Macro | Variable | Variant);
    !is_value || !symbol.parameters.is_empty() || !symbol.type_text.is_empty()
}

/// Gone, in a column of new numbers.
const GONE: u32 = u32::MAX;

/// New numbers of the parts of expressions that declarations and values name.
struct Kept<'f> {
    all: &'f Expressions,
    links: Vec<u32>,
    types: Vec<u32>,
    names: Vec<u32>,
}

impl<'f> Kept<'f> {
    fn of(facts: &'f FileFacts) -> Self {
        let all = &facts.expressions;
        let mut kept = Kept {
            all,
            links: vec![GONE; all.links.len()],
            types: vec![GONE; all.types.len()],
            names: vec![GONE; all.names.len()],
        };
        for symbol in &facts.symbols {
            let parameters = symbol.parameters.iter().chain(&symbol.rare.type_parameters);
            let types = parameters.map(|parameter| parameter.ty);
            let types = types.chain(symbol.rare.bases.iter().map(|base| base.ty));
            let types = types.chain([symbol.rare.owner_type, symbol.ty]);
            types.flatten().for_each(|ty| kept.mark_type(ty));
        }
        for binding in (facts.bindings.iter()).filter(|binding| !facts.is_local(binding)) {
            match &binding.bound {
                Bound::Nothing => {}
                Bound::Type(ty) => kept.mark_type(*ty),
                Bound::Value(chain) => kept.mark_chain(*chain),
                Bound::Parameter(parameter) => {
                    kept.mark_chain(parameter.path);
                    kept.mark_chain(parameter.callee);
                }
            }
        }
        kept.mark_parts();
        kept
    }

    fn mark_type(&mut self, ty: TypeId) {
        mark(&mut self.types, ty.index());
    }

    fn mark_chain(&mut self, chain: ChainId) {
        mark(&mut self.links, chain.0);
    }

    /// Marks the parts of what is marked, and numbers all. Every part comes before those that name it.
    fn mark_parts(&mut self) {
        let all = self.all;
        let is_marked = |column: &[u32], at: usize| column.get(at) == Some(&0);
        // A part marks only parts before it, so one walk from the end meets all. Links name types, not the reverse.
        for at in (0..all.links.len()).rev() {
            if is_marked(&self.links, at) {
                self.mark_in_link(all.links[at]);
            }
        }
        for at in (0..all.types.len()).rev() {
            if is_marked(&self.types, at) {
                self.mark_in_type(&all.types[at]);
            }
        }
        for column in [&mut self.links, &mut self.types, &mut self.names] {
            let marked = column.iter_mut().filter(|number| **number == 0);
            for (new, number) in (0..).zip(marked) {
                *number = new;
            }
        }
    }

    fn mark_in_link(&mut self, link: Link) {
        match link {
            Link::Name(name) | Link::Absolute(name) | Link::Module(name) => {
                mark(&mut self.names, name.index());
            }
            Link::Inner(chain) | Link::Call(chain) | Link::Index(chain) => self.mark_chain(chain),
            Link::Cast(ty) => self.mark_type(ty),
            Link::Literal(_) | Link::Unknown => {}
            Link::Member(chain, name) | Link::Path(chain, name) => {
                self.mark_chain(chain);
                mark(&mut self.names, name.index());
            }
        }
    }

    fn mark_in_type(&mut self, node: &TypeNode) {
        match node {
            TypeNode::Named(path, arguments) => {
                path.iter()
                    .for_each(|name| mark(&mut self.names, name.index()));
                arguments.iter().for_each(|ty| self.mark_type(*ty));
            }
            TypeNode::Union(list) | TypeNode::Tuple(list) => {
                list.iter().for_each(|ty| self.mark_type(*ty));
            }
            TypeNode::List(element) => self.mark_type(*element),
            TypeNode::Function(parameters, result) => {
                for (name, ty) in parameters {
                    mark(&mut self.names, name.index());
                    self.mark_type(*ty);
                }
                self.mark_type(*result);
            }
            TypeNode::Other => {}
        }
    }

    fn symbol(&self, symbol: &Symbol, language: Language) -> Symbol {
        let parameters = |list: &[Parameter]| {
            let parameter = |parameter: &Parameter| Parameter {
                ty: self.ty(parameter.ty),
                ..parameter.clone()
            };
            list.iter().map(parameter).collect()
        };
        let base = |base: &Base| Base {
            ty: self.ty(base.ty),
            ..base.clone()
        };
        Symbol {
            name: symbol.name.clone(),
            kind: symbol.kind,
            parent: symbol.parent,
            span: symbol.span,
            name_span: symbol.name_span,
            signature: match language != Language::C && has_head(symbol) {
                true => symbol.signature.clone(),
                false => Box::default(),
            },
            modifiers: symbol.modifiers,
            parameters: parameters(&symbol.parameters),
            type_text: symbol.type_text.clone(),
            ty: self.ty(symbol.ty),
            complexity: symbol.complexity,
            rare: Rare::from(RareFacts {
                owner: symbol.rare.owner.clone(),
                owner_type: self.ty(symbol.rare.owner_type),
                doc: String::new(),
                type_parameters: parameters(&symbol.rare.type_parameters),
                bases: symbol.rare.bases.iter().map(base).collect(),
                decorators: symbol.rare.decorators.clone(),
            }),
        }
    }

    fn binding(&self, binding: &Binding) -> Binding {
        let mut binding = binding.clone();
        match &mut binding.bound {
            Bound::Nothing => {}
            Bound::Type(ty) => *ty = self.type_id(*ty),
            Bound::Value(chain) => *chain = self.chain(*chain),
            Bound::Parameter(parameter) => {
                parameter.path = self.chain(parameter.path);
                parameter.callee = self.chain(parameter.callee);
            }
        }
        binding
    }

    fn ty(&self, ty: Option<TypeId>) -> Option<TypeId> {
        ty.map(|ty| self.type_id(ty))
    }

    fn type_id(&self, ty: TypeId) -> TypeId {
        TypeId::new(new(&self.types, ty.index()) as usize)
    }

    fn chain(&self, chain: ChainId) -> ChainId {
        ChainId(new(&self.links, chain.0))
    }

    fn name(&self, name: NameId) -> NameId {
        NameId::new(new(&self.names, name.index()) as usize)
    }

    fn expressions(&self) -> Expressions {
        let all = self.all;
        Expressions {
            names: still_there(&self.names, &all.names).cloned().collect(),
            links: still_there(&self.links, &all.links)
                .map(|link| self.link(*link))
                .collect(),
            types: still_there(&self.types, &all.types)
                .map(|node| self.type_node(node))
                .collect(),
        }
    }

    fn link(&self, link: Link) -> Link {
        match link {
            Link::Name(name) => Link::Name(self.name(name)),
            Link::Absolute(name) => Link::Absolute(self.name(name)),
            Link::Module(name) => Link::Module(self.name(name)),
            Link::Inner(chain) => Link::Inner(self.chain(chain)),
            Link::Cast(ty) => Link::Cast(self.type_id(ty)),
            Link::Literal(_) | Link::Unknown => link,
            Link::Member(chain, name) => Link::Member(self.chain(chain), self.name(name)),
            Link::Path(chain, name) => Link::Path(self.chain(chain), self.name(name)),
            Link::Call(chain) => Link::Call(self.chain(chain)),
            Link::Index(chain) => Link::Index(self.chain(chain)),
        }
    }

    fn type_node(&self, node: &TypeNode) -> TypeNode {
        let ty = |ty: &TypeId| self.type_id(*ty);
        let all = |list: &[TypeId]| list.iter().map(ty).collect();
        match node {
            TypeNode::Named(path, arguments) => TypeNode::Named(
                path.iter().map(|name| self.name(*name)).collect(),
                all(arguments),
            ),
            TypeNode::Union(list) => TypeNode::Union(all(list)),
            TypeNode::List(element) => TypeNode::List(ty(element)),
            TypeNode::Tuple(list) => TypeNode::Tuple(all(list)),
            TypeNode::Function(parameters, result) => {
                let parameters = parameters.iter();
                let parameters = parameters.map(|(name, of)| (self.name(*name), ty(of)));
                TypeNode::Function(parameters.collect(), ty(result))
            }
            TypeNode::Other => TypeNode::Other,
        }
    }
}

fn mark(column: &mut [u32], at: u32) {
    if let Some(number) = column.get_mut(at as usize) {
        *number = 0;
    }
}

/// The new number of a part; beyond the table for one that is beyond it.
fn new(column: &[u32], at: u32) -> u32 {
    column.get(at as usize).copied().unwrap_or(GONE)
}

fn still_there<'t, T>(column: &'t [u32], table: &'t [T]) -> impl Iterator<Item = &'t T> {
    let parts = column.iter().zip(table);
    parts
        .filter(|(number, _)| **number != GONE)
        .map(|(_, part)| part)
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use crate::facts::FileFacts;
    use crate::{Language, ParseConfig, Parsers};

    const TEXT: &str = "from m import a\n\nclass Cart(b.Base):\n    \"\"\"Things.\"\"\"\n    def add(self, item: a.Item[int], f: dict[str, a.C]):\n        total = item.price(1).of[0]\n        self.z.y.x(total.w)\n        for x in total.rows():\n            x.run()\n        return total\n";

    #[test]
    fn has_the_same_interface_and_no_uses() {
        let mut parsers = Parsers::new(ParseConfig::default());
        let facts = parsers.read(Language::Python, TEXT);
        let kept = facts.only_interface();
        assert_eq!(kept.interface(), facts.interface());
        let values = parsers.read(
            Language::C,
            "#define A 1\n#define B(x) (x)\nint c(int d) { return d; }\n",
        );
        let signatures = |facts: &FileFacts| -> Vec<bool> {
            let symbols = facts.symbols.iter();
            symbols.map(|symbol| symbol.signature.is_empty()).collect()
        };
        assert_eq!(signatures(&values), [false; 3]);
        assert_eq!(signatures(&values.only_interface()), [true; 3]);
        assert!(kept.references.is_empty() && kept.chunks.is_empty());
        assert!(kept.symbols.iter().all(|symbol| symbol.rare.doc.is_empty()));
        assert!(kept.expressions.links.len() < facts.expressions.links.len());
        assert!(kept.expressions.is_sound(100));
        assert_eq!(kept.only_interface(), kept);
    }

    #[test]
    fn variables_of_functions_of_c_are_left_out() {
        let mut parsers = Parsers::new(ParseConfig::default());
        let text = "int f(void) { struct a *x = g(); return x->b; }\nstruct a *all = 0;\nint h(void) { int y = f(); return y; }\n";
        let mut facts = parsers.read(Language::C, text);
        let names = |facts: &FileFacts| -> Vec<String> {
            facts.bindings.iter().map(|one| one.name.clone()).collect()
        };
        assert_eq!(names(&facts), ["x", "all", "y"]);
        let kept = facts.only_interface();
        assert_eq!(names(&kept), ["all"]);
        assert!(kept.expressions.is_sound(100));
        assert!(!facts.has_locals_last());
        facts.put_locals_last();
        assert_eq!(names(&facts), ["all", "x", "y"]);
        assert_eq!(facts.only_interface(), kept);
    }
}
