//! Reads the declarations of each file: the names in each scope, of definitions, parameters, imports and variables.

use syntax::facts::{FileFacts, Import, Modifiers, Parameter, Symbol, SymbolKind};

use super::family::Family;
use super::names::{Name, Names};
use super::{
    BindingId, Decl, DeclEntry, FileId, ImportId, NodeId, ParameterId, Program, is_function,
};

/// Declarations read so far, in the order of the files.
pub(crate) struct Declarations<'p, 'a> {
    program: &'p Program<'a>,
    pub names: Names,
    /// Declarations, each with its scope.
    pub decls: Vec<(NodeId, DeclEntry)>,
    /// Function and index of parameters with a written type.
    pub typed_parameters: Vec<(Name, (NodeId, ParameterId))>,
    /// Scope and number of imports of all names of a module.
    pub globs: Vec<(NodeId, ImportId)>,
}

impl<'p, 'a> Declarations<'p, 'a> {
    /// `names` has those of all symbols. The declarations of `program` are not read: they are not known yet.
    pub fn new(program: &'p Program<'a>, names: Names) -> Self {
        Declarations {
            decls: Vec::with_capacity(most_declarations(program)),
            ..Self::empty(program, names)
        }
    }

    /// As [`Self::new`], for a few declarations.
    pub fn empty(program: &'p Program<'a>, names: Names) -> Self {
        Declarations {
            program,
            names,
            decls: Vec::new(),
            typed_parameters: Vec::new(),
            globs: Vec::new(),
        }
    }

    /// Reads a file, with or without the bindings that no other file can ask for.
    pub fn read_file(&mut self, file: FileId, with_locals: bool) {
        let program = self.program;
        let facts = program.facts(file);
        for (local, symbol) in (0..).zip(&facts.symbols) {
            self.read_symbol(file, program.node(file, local), symbol);
        }
        for (index, import) in ImportId::numbered(&facts.imports) {
            let scope = program.scope(file, import.enclosing);
            if is_glob(import) {
                self.globs.push((scope, index));
            } else if !import.local.is_empty() {
                self.declare(scope, &import.local, Decl::Import(index));
            }
        }
        for (index, binding) in BindingId::numbered(&facts.bindings) {
            if with_locals || !facts.is_local(binding) {
                let scope = program.scope(file, binding.enclosing);
                self.read_binding(scope, index, &binding.name);
            }
        }
    }

    /// Reads the bindings of a file that no other file can ask for.
    pub fn read_locals(&mut self, file: FileId) {
        let facts = self.program.facts(file);
        for (index, binding) in BindingId::numbered(&facts.bindings) {
            if facts.is_local(binding) {
                let scope = self.program.scope(file, binding.enclosing);
                self.declare(scope, &binding.name, Decl::Binding(index));
            }
        }
    }

    fn declare(&mut self, scope: NodeId, name: &'a str, decl: Decl) {
        let name = self.names.intern(name);
        self.decls.push((scope, DeclEntry { name, decl }));
    }

    fn read_symbol(&mut self, file: FileId, node: NodeId, symbol: &'a Symbol) {
        let Some(name) = self.program.name(node) else {
            return;
        };
        let decl = Decl::Symbol(node);
        let entry = DeclEntry { name, decl };
        self.decls
            .push((self.declaring_scope(file, symbol.parent), entry));
        if let Some(scope) = self.scope_around_enum(file, symbol) {
            self.decls.push((scope, entry));
        }
        self.read_parameters(node, &symbol.parameters, Decl::Param);
        for (index, parameter) in ParameterId::numbered(&symbol.parameters) {
            if !parameter.type_text.is_empty() {
                let name = self.names.intern(&parameter.name);
                self.typed_parameters.push((name, (node, index)));
            }
        }
        self.read_parameters(node, &symbol.rare.type_parameters, Decl::TypeParam);
    }

    fn read_parameters(
        &mut self,
        scope: NodeId,
        parameters: &'a [Parameter],
        decl: fn(ParameterId) -> Decl,
    ) {
        for (index, parameter) in ParameterId::numbered(parameters) {
            let name = parameter.name.trim_start_matches(['*', '.', '&']);
            self.declare(scope, name, decl(index));
        }
    }

    /// The values of an `enum` of C are names of the scope around it, those of an `enum class` are not.
    fn scope_around_enum(&self, file: FileId, symbol: &Symbol) -> Option<NodeId> {
        if symbol.kind != SymbolKind::Variant || self.program.family_of(file) != Family::C {
            return None;
        }
        let symbols = &self.program.facts(file).symbols;
        let around = symbols.get(symbol.parent? as usize)?;
        let is_closed = around.signature.starts_with("enum class")
            || around.signature.starts_with("enum struct");
        (around.kind == SymbolKind::Enum && !is_closed)
            .then(|| self.declaring_scope(file, around.parent))
    }

    /// The scope of a definition. Definitions inside a callback belong to the named function around it, as uses do.
    fn declaring_scope(&self, file: FileId, parent: Option<u32>) -> NodeId {
        let symbols = &self.program.facts(file).symbols;
        let mut current = parent;
        while let Some(local) = current {
            match symbols.get(local as usize) {
                Some(symbol) if symbol.is(Modifiers::ANONYMOUS) && is_function(symbol.kind) => {
                    current = symbol.parent.filter(|&outer| outer < local);
                }
                _ => break,
            }
        }
        self.program.scope(file, current)
    }

    /// A variable belongs to its scope; a field that a method sets belongs to the type around the method.
    fn read_binding(&mut self, scope: NodeId, index: BindingId, name: &'a str) {
        let field = name
            .strip_prefix("self.")
            .or_else(|| name.strip_prefix("this."))
            .or_else(|| name.strip_prefix("$this->"))
            .or_else(|| name.strip_prefix("cls."))
            .or_else(|| name.strip_prefix('@'));
        let (scope, name) = match field {
            Some(field) => match self
                .program
                .enclosing_type(scope)
                .or_else(|| self.table_around(scope))
            {
                Some(owner) => (owner, field),
                None => return,
            },
            None => self
                .attribute_of_class(scope, name)
                .or_else(|| self.attribute_of_table(scope, name))
                .unwrap_or((scope, name)),
        };
        self.declare(scope, name, Decl::Binding(index));
    }

    /// The class of the same file and the name of an attribute that is assigned outside of the class (`Store.extra = …`).
    fn attribute_of_class(&self, scope: NodeId, name: &'a str) -> Option<(NodeId, &'a str)> {
        let (owner, attribute) = name.split_once('.')?;
        let file = self.program.file_of(scope);
        let may_be = owner.starts_with(char::is_uppercase) && !attribute.contains('.');
        if !may_be || self.program.family_of(file) != Family::Python {
            return None;
        }
        let mut symbols = (0..).zip(&self.program.facts(file).symbols);
        let (local, _) = symbols.find(|(_, symbol)| {
            symbol.kind == SymbolKind::Class && symbol.parent.is_none() && symbol.name == owner
        })?;
        Some((self.program.node(file, local), attribute))
    }

    /// The table of Lua and the name of an attribute that is assigned to it (`M.extra = …`).
    fn attribute_of_table(&self, scope: NodeId, name: &'a str) -> Option<(NodeId, &'a str)> {
        let program = self.program;
        let file = program.file_of(scope);
        if program.family_of(file) != Family::Lua {
            return None;
        }
        let (owner, attribute) = name.split_once('.')?;
        let owner = self.names.get(owner).filter(|_| !attribute.contains('.'))?;
        let table = program.scopes(scope).find_map(|around| {
            let mut tables = program.named_in(file, owner).filter(|&node| {
                program.parent(node) == Some(around)
                    && program.symbol(node).is_some_and(|symbol| {
                        symbol.rare.owner.is_empty() && !is_function(symbol.kind)
                    })
            });
            tables.next()
        })?;
        Some((table, attribute))
    }

    /// The table that a method of Lua is written into (`Router` of `function Router:add()`).
    fn table_around(&self, scope: NodeId) -> Option<NodeId> {
        let program = self.program;
        let file = program.file_of(scope);
        if program.family_of(file) != Family::Lua {
            return None;
        }
        let mut owners = program
            .scopes(scope)
            .filter_map(|node| program.symbol(node));
        let owner = owners
            .find(|symbol| !symbol.rare.owner.is_empty())?
            .rare
            .owner
            .as_str();
        let mut symbols = (0..).zip(&program.facts(file).symbols);
        let (local, _) =
            symbols.find(|(_, symbol)| symbol.name == owner && symbol.rare.owner.is_empty())?;
        Some(program.node(file, local))
    }
}

/// At least the number of declarations, of which there are millions: a list that grows is there twice, and has room for as many again.
fn most_declarations(program: &Program<'_>) -> usize {
    let of_symbol = |symbol: &Symbol| {
        let is_variant = symbol.kind == SymbolKind::Variant;
        1 + usize::from(is_variant) + symbol.parameters.len() + symbol.rare.type_parameters.len()
    };
    let files = program.layout.files.iter().map(|file| file.facts);
    let of_file = |facts: &FileFacts| {
        let symbols: usize = facts.symbols.iter().map(of_symbol).sum();
        symbols + facts.imports.len() + facts.bindings.len()
    };
    files.map(of_file).sum()
}

fn is_glob(import: &Import) -> bool {
    use syntax::facts::ImportFlags;
    import.is(ImportFlags::GLOB) && (import.local.is_empty() || import.local == "*")
}
