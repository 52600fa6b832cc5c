//! One run of a language's query over a tree, sorted into what each match is about.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use crate::deadline::Deadline;
use crate::facts::{BaseKind, BindingKind, Modifiers, ReferenceForm, SymbolKind};
use crate::grammar::{Role, RoleQuery};
use crate::node::begin_tree;
use crate::query::{FlatTree, Found};
use crate::rules::{Extent, Rules};

/// A match that defines something. `kind` is none for what has no name.
pub(crate) struct RawDefinition<'t> {
    pub(crate) kind: Option<SymbolKind>,
    pub(crate) node: Node<'t>,
    pub(crate) name: Option<Node<'t>>,
    pub(crate) function: Option<Node<'t>>,
    /// Bytes of the type or object that it belongs to, if written before the name.
    pub(crate) owner: Option<(usize, usize)>,
    /// A declarator that declares a function, whatever the pattern says.
    pub(crate) is_function: bool,
    pub(crate) is_default: bool,
    pub(crate) pattern: usize,
}

/// A match that uses a name.
pub(crate) struct RawReference<'t> {
    pub(crate) form: ReferenceForm,
    pub(crate) name: Node<'t>,
    /// Bytes before the name.
    pub(crate) receiver: Option<(usize, usize)>,
    pub(crate) arguments: Option<Node<'t>>,
    pub(crate) pattern: usize,
}

/// A match that says something about the type of a name.
pub(crate) struct RawBinding<'t> {
    /// None: bound here, nothing more is known.
    pub(crate) kind: Option<BindingKind>,
    pub(crate) name: Node<'t>,
    pub(crate) value: Option<Node<'t>>,
    /// The nodes around a name of which nothing more is known, nearest last, where the language reads them.
    pub(crate) around: Vec<Node<'t>>,
    /// The node at whose end the name is no longer bound, if that is before the end of its function.
    pub(crate) extent: Option<Node<'t>>,
    pub(crate) pattern: usize,
}

/// Number of nodes kept around a name.
const MAX_AROUND: usize = 12;

/// Everything the query found, in the order of the matches.
#[derive(Default)]
pub(crate) struct Harvest<'t> {
    pub(crate) definitions: Vec<RawDefinition<'t>>,
    pub(crate) references: Vec<RawReference<'t>>,
    pub(crate) bindings: Vec<RawBinding<'t>>,
    pub(crate) bases: Vec<(BaseKind, Node<'t>)>,
    pub(crate) branches: Vec<u32>,
    pub(crate) comments: Vec<Node<'t>>,
    pub(crate) decorators: Vec<Node<'t>>,
    pub(crate) docs: Vec<Node<'t>>,
    pub(crate) imports: Vec<Node<'t>>,
    pub(crate) tokens: Vec<Node<'t>>,
    /// Start and end of code that is data.
    pub(crate) quoted: Vec<(u32, u32)>,
    pub(crate) regions: Vec<Node<'t>>,
    /// The file's own namespace; in Scala, of parts that follow one another.
    pub(crate) packages: Vec<Node<'t>>,
    /// Start of each section of a class, with the visibility of its members.
    pub(crate) sections: Vec<(u32, Modifiers)>,
    /// Wrapped node id → the wrapper.
    pub(crate) wrappers: FxHashMap<usize, Node<'t>>,
    /// Places (start, end) that are names of definitions, of bindings or of nothing: no plain use of a name.
    pub(crate) claimed: FxHashSet<(u32, u32)>,
    /// Start of the first node that is nested too deep to be entered.
    pub(crate) deeper: Option<usize>,
    /// The time was up before the tree was.
    pub(crate) timed_out: bool,
}

impl<'t> Harvest<'t> {
    /// Runs the query. Nodes deeper than `max_depth` are left out.
    pub(crate) fn run(
        compiled: &RoleQuery,
        rules: &Rules,
        root: Node<'t>,
        source: &str,
        max_depth: u32,
        deadline: &Deadline,
    ) -> Harvest<'t> {
        let mut harvest = Harvest::default();
        let tree = FlatTree::new(root, &compiled.matcher, max_depth, deadline);
        begin_tree(tree.widest);
        let is_whole = compiled.matcher.run(&tree, source, deadline, |found| {
            harvest.take(compiled, rules, &found);
        });
        if let Some(bound) = rules.bound {
            harvest.look_around(&tree, bound.extent);
        }
        harvest.deeper = tree.deeper;
        harvest.timed_out = tree.timed_out || !is_whole;
        harvest
    }

    fn take(&mut self, compiled: &RoleQuery, rules: &Rules, found: &Found<'_, 't>) {
        let mut parts = Parts::default();
        for &(capture, node) in found.captures {
            match compiled.role(capture) {
                Role::Definition(kind) => parts.definition = Some((Some(kind), node)),
                Role::Anonymous => parts.definition = Some((None, node)),
                Role::Name => parts.name = Some(node),
                Role::Function => parts.function = Some(node),
                Role::Owner => parts.owner = Some(node),
                Role::Default => parts.is_default = true,
                Role::Wrapper => parts.wrapper = Some(node),
                Role::Wrapped => parts.wrapped = Some(node),
                Role::Decorator => self.decorators.push(node),
                Role::Comment => self.comments.push(node),
                Role::Doc => self.docs.push(node),
                Role::Branch => self.branches.push(node.start_byte() as u32),
                Role::Reference(form) => parts.reference = Some((form, node)),
                Role::Receiver => parts.receiver = Some(node),
                Role::Arguments => parts.arguments = Some(node),
                Role::Base(kind) => self.bases.push((kind, node)),
                Role::Section(visibility) => {
                    self.sections.push((node.start_byte() as u32, visibility))
                }
                Role::Import => self.imports.push(node),
                Role::Tokens => self.tokens.push(node),
                Role::Quoted => {
                    let (start, end) = bytes(node);
                    self.quoted.push((start as u32, end as u32));
                }
                Role::Region => self.regions.push(node),
                Role::Binding(kind) => parts.binding = Some(Some(kind)),
                Role::Local => parts.binding = Some(None),
                Role::Value => parts.value = Some(node),
                Role::Package => self.packages.push(node),
                Role::Ignored => {}
            }
        }
        self.keep(parts, rules, found.pattern);
    }

    fn keep(&mut self, parts: Parts<'t>, rules: &Rules, pattern: usize) {
        let Parts {
            function,
            is_default,
            arguments,
            value,
            ..
        } = parts;
        let used = parts.reference.map(|(_, node)| node);
        let mut name = parts.name.or(used);
        let (mut before, mut is_function) = (parts.owner.or(parts.receiver).map(bytes), false);
        if let (Some(declarator), Some(node)) = (rules.declarator, name) {
            match declarator(node) {
                Some(declared) => {
                    name = Some(declared.name);
                    before = declared.owner.or(before);
                    is_function = declared.is_function;
                }
                // A match that declares nothing defines and binds nothing.
                None if parts.definition.is_some() || parts.binding.is_some() => return,
                None => {}
            }
        }
        if let (Some(wrapper), Some(wrapped)) = (parts.wrapper, parts.wrapped) {
            self.wrappers.insert(wrapped.id(), wrapper);
        } else if let Some((kind, node)) = parts.definition {
            name.into_iter().for_each(|name| self.claim(name));
            self.definitions.push(RawDefinition {
                kind,
                node,
                name,
                function,
                owner: before,
                is_function,
                is_default,
                pattern,
            });
        } else if let (Some((form, _)), Some(name)) = (parts.reference, name) {
            self.references.push(RawReference {
                form,
                name,
                receiver: before,
                arguments,
                pattern,
            });
        } else if let Some(name) = name {
            self.claim(name);
            if let Some(kind) = parts.binding.filter(|_| !is_function) {
                self.bindings.push(RawBinding {
                    kind,
                    name,
                    value,
                    around: Vec::new(),
                    extent: None,
                    pattern,
                });
            }
        }
    }

    fn look_around(&mut self, tree: &FlatTree<'t>, extent: Option<Extent>) {
        self.bindings
            .sort_by_key(|one| (one.name.start_byte(), one.pattern));
        let mut wanted: Vec<&mut RawBinding<'t>> = self
            .bindings
            .iter_mut()
            .filter(|one| one.kind.is_none() || extent.is_some())
            .collect();
        let names: Vec<Node<'t>> = wanted.iter().map(|one| one.name).collect();
        tree.around(&names, |number, around| {
            let Some(one) = wanted.get_mut(number) else {
                return;
            };
            let nearest = around.len().saturating_sub(MAX_AROUND);
            let around = around.get(nearest..).unwrap_or_default();
            one.extent = extent.and_then(|extent| extent(around));
            if one.kind.is_none() {
                one.around = around.to_vec();
            }
        });
    }

    fn claim(&mut self, node: Node) {
        self.claimed
            .insert((node.start_byte() as u32, node.end_byte() as u32));
    }
}

/// The captures of one match.
#[derive(Default)]
struct Parts<'t> {
    definition: Option<(Option<SymbolKind>, Node<'t>)>,
    reference: Option<(ReferenceForm, Node<'t>)>,
    binding: Option<Option<BindingKind>>,
    name: Option<Node<'t>>,
    function: Option<Node<'t>>,
    owner: Option<Node<'t>>,
    is_default: bool,
    wrapper: Option<Node<'t>>,
    wrapped: Option<Node<'t>>,
    receiver: Option<Node<'t>>,
    arguments: Option<Node<'t>>,
    value: Option<Node<'t>>,
}

fn bytes(node: Node) -> (usize, usize) {
    (node.start_byte(), node.end_byte())
}
