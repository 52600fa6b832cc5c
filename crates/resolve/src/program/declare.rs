//! Reads the declarations of each file: the names in each scope, of definitions, parameters, imports and variables.

use syntax::facts::{Import, Modifiers, Parameter, Symbol, SymbolKind};

use super::family::Family;
use super::names::{Name, Names};
use super::{Decl, DeclEntry, Program, is_function};

/// Declarations read so far, in the order of the files.
pub(crate) struct Declarations<'p, 'a> {
    program: &'p Program<'a>,
    pub names: Names<'a>,
    /// Declarations, each with its scope.
    pub decls: Vec<(u32, DeclEntry)>,
    /// Function and index of parameters with a written type.
    pub typed_parameters: Vec<(Name, (u32, u32))>,
    /// Scope and number of imports of all names of a module.
    pub globs: Vec<(u32, u32)>,
}

impl<'p, 'a> Declarations<'p, 'a> {
    /// `names` has those of all symbols. The declarations of `program` are not read: they are not known yet.
    pub fn new(program: &'p Program<'a>, names: Names<'a>) -> Self {
        Declarations {
            program,
            names,
            decls: Vec::with_capacity(2 * program.layout.end() as usize),
            typed_parameters: Vec::new(),
            globs: Vec::new(),
        }
    }

    /// Reads a file.
    pub fn read_file(&mut self, file: u32) {
        let program = self.program;
        let facts = program.facts(file);
        let scope_of = |enclosing: Option<u32>| {
            enclosing.map_or(file, |local| program.layout.node(file, local))
        };
        for (local, symbol) in (0..).zip(&facts.symbols) {
            self.read_symbol(file, program.layout.node(file, local), symbol);
        }
        for (index, import) in (0..).zip(&facts.imports) {
            let scope = scope_of(import.enclosing);
            if is_glob(import) {
                self.globs.push((scope, index));
            } else if !import.local.is_empty() {
                self.declare(scope, &import.local, Decl::Import(index));
            }
        }
        for (index, binding) in (0..).zip(&facts.bindings) {
            self.read_binding(scope_of(binding.enclosing), index, &binding.name);
        }
    }

    fn declare(&mut self, scope: u32, name: &'a str, decl: Decl) {
        let name = self.names.intern(name);
        self.decls.push((scope, DeclEntry { name, decl }));
    }

    fn read_symbol(&mut self, file: u32, node: u32, symbol: &'a Symbol) {
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
        for (index, parameter) in (0..).zip(&symbol.parameters) {
            if !parameter.type_text.is_empty() {
                let name = self.names.intern(&parameter.name);
                self.typed_parameters.push((name, (node, index)));
            }
        }
        self.read_parameters(node, &symbol.type_parameters, Decl::TypeParam);
    }

    fn read_parameters(&mut self, scope: u32, parameters: &'a [Parameter], decl: fn(u32) -> Decl) {
        for (index, parameter) in (0..).zip(parameters) {
            let name = parameter.name.trim_start_matches(['*', '.', '&']);
            self.declare(scope, name, decl(index));
        }
    }

    /// The values of an `enum` of C are names of the scope around it, those of an `enum class` are not.
    fn scope_around_enum(&self, file: u32, symbol: &Symbol) -> Option<u32> {
        if symbol.kind != SymbolKind::Variant
            || self.program.family.get(file as usize) != Some(&Family::C)
        {
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
    fn declaring_scope(&self, file: u32, parent: Option<u32>) -> u32 {
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
        current.map_or(file, |local| self.program.layout.node(file, local))
    }

    /// A variable belongs to its scope; a field that a method sets belongs to the type around the method.
    fn read_binding(&mut self, scope: u32, index: u32, name: &'a str) {
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
            None => (scope, name),
        };
        self.declare(scope, name, Decl::Binding(index));
    }

    /// The table that a method of Lua is written into (`Router` of `function Router:add()`).
    fn table_around(&self, scope: u32) -> Option<u32> {
        let program = self.program;
        let file = program.file_of(scope);
        if program.family.get(file as usize) != Some(&Family::Lua) {
            return None;
        }
        let mut owners = program
            .scopes(scope)
            .filter_map(|node| program.symbol(node));
        let owner = owners
            .find(|symbol| !symbol.owner.is_empty())?
            .owner
            .as_str();
        let mut symbols = (0..).zip(&program.facts(file).symbols);
        let (local, _) =
            symbols.find(|(_, symbol)| symbol.name == owner && symbol.owner.is_empty())?;
        Some(program.layout.node(file, local))
    }
}

fn is_glob(import: &Import) -> bool {
    use syntax::facts::ImportFlags;
    import.is(ImportFlags::GLOB) && (import.local.is_empty() || import.local == "*")
}
