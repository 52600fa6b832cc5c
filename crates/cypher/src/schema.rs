//! Names of the schema: labels of nodes, types of relationships, their properties.

use graph::{Edge, EdgeKind, GraphView, NodeId, NodeKind, SYMBOL_KINDS, label, symbol_label};
use syntax::Language;
use syntax::facts::{Modifiers, SymbolKind};

use super::value::Value;

/// A label of a node pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// The kind of a node; `Symbol` is every definition.
    Node(NodeKind),
    /// The kind of a definition.
    Symbol(SymbolKind),
}

impl Label {
    /// Finds a label by its name, in any case.
    pub fn from_name(name: &str) -> Option<Label> {
        let node = NodeKind::ALL
            .iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name));
        let symbol = || {
            SYMBOL_KINDS
                .iter()
                .find(|kind| symbol_label(**kind).eq_ignore_ascii_case(name))
        };
        node.map(|kind| Label::Node(*kind))
            .or_else(|| symbol().map(|kind| Label::Symbol(*kind)))
    }

    pub fn fits(self, view: GraphView<'_>, node: NodeId) -> bool {
        match self {
            Label::Node(kind) => view.kind(node) == kind,
            Label::Symbol(kind) => view.symbol_kind(node) == Some(kind),
        }
    }

    /// All label names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let nodes = NodeKind::ALL.iter().map(|kind| kind.name());
        nodes.chain(SYMBOL_KINDS.iter().map(|kind| symbol_label(*kind)))
    }
}

/// Declares properties with their names; the first name is the one that is shown.
macro_rules! properties {
    ($(#[$meta:meta])* $name:ident { $($value:ident => [$($text:literal),+],)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($value,)+ }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$value,)+];

            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($($text)|+ => Some($name::$value),)+ _ => None }
            }

            pub fn name(self) -> &'static str {
                match self { $($name::$value => [$($text),+][0],)+ }
            }
        }
    };
}

properties! {
    /// Properties of nodes.
    NodeProperty {
        Id => ["id"],
        Name => ["name", "label", "heuristicLabel"],
        Kind => ["kind", "type"],
        QualifiedName => ["qualified_name", "qualifiedName"],
        Path => ["path", "filePath", "file"],
        Language => ["language"],
        Line => ["line"],
        StartLine => ["start_line", "startLine"],
        EndLine => ["end_line", "endLine"],
        Signature => ["signature"],
        Doc => ["doc"],
        Complexity => ["complexity"],
        Centrality => ["centrality"],
        Exported => ["exported", "isExported"],
        Test => ["test", "isTest"],
        Async => ["async", "isAsync"],
        Static => ["static", "isStatic"],
        Declaration => ["declaration"],
        Cohesion => ["cohesion"],
        Members => ["n_members", "symbolCount"],
        Steps => ["n_steps", "stepCount"],
        ProcessType => ["process_type", "processType"],
        EntryKind => ["entry_kind", "entryKind"],
    }
}

properties! {
    /// Properties of relationships.
    EdgeProperty {
        Type => ["type"],
        Confidence => ["confidence"],
        Reason => ["reason"],
        Line => ["line"],
        Step => ["step"],
    }
}

impl NodeProperty {
    /// The value that this property is compared with: kinds are meant in any case, as labels are.
    pub fn compared(self, value: Value<'_>) -> Value<'_> {
        match self {
            Self::Kind => kind_as_named(value),
            _ => value,
        }
    }
}

impl EdgeProperty {
    /// As [`NodeProperty::compared`].
    pub fn compared(self, value: Value<'_>) -> Value<'_> {
        match self {
            Self::Type => kind_as_named(value),
            _ => value,
        }
    }
}

/// The name of a kind of node or relationship as the schema writes it, for a text that differs by case; other values as they are.
pub(super) fn kind_as_named(value: Value<'_>) -> Value<'_> {
    let Value::Text(text) = &value else {
        return value;
    };
    let label = Label::names().find(|name| name.eq_ignore_ascii_case(text));
    let relation = || {
        let mut names = EdgeKind::ALL.iter().map(|kind| kind.name());
        names.find(|name| name.eq_ignore_ascii_case(text))
    };
    label.or_else(relation).map_or(value, Value::text)
}

/// The value of a node's property; null where the node has none.
pub(super) fn node_property<'a>(
    view: GraphView<'a>,
    id: NodeId,
    property: NodeProperty,
) -> Value<'a> {
    let has = |modifier| match view.kind(id) {
        NodeKind::Symbol => Value::Bool(view.node(id).modifiers.contains(modifier)),
        _ => Value::Null,
    };
    match property {
        NodeProperty::Id => Value::Int(i64::from(id.0)),
        NodeProperty::Name => Value::text(view.name(id)),
        NodeProperty::Kind => Value::text(label(view, id)),
        NodeProperty::QualifiedName => Value::text(view.qualified_name(id)),
        NodeProperty::Path => path(view, id).map_or(Value::Null, Value::text),
        NodeProperty::Language => path(view, id)
            .filter(|_| view.kind(id) != NodeKind::Folder)
            .map_or(Value::Null, |path| {
                Value::text(Language::from_path(path, "").name())
            }),
        NodeProperty::Line | NodeProperty::StartLine | NodeProperty::EndLine => {
            line(view, id, property)
        }
        NodeProperty::Signature => some_text(view.node(id).signature),
        NodeProperty::Doc => some_text(view.node(id).doc),
        NodeProperty::Complexity => match view.node(id).complexity {
            0 => Value::Null,
            complexity => Value::Int(i64::from(complexity)),
        },
        NodeProperty::Centrality => Value::Float(f64::from(view.centrality(id))),
        NodeProperty::Exported => has(Modifiers::EXPORTED),
        NodeProperty::Test => has(Modifiers::TEST),
        NodeProperty::Async => has(Modifiers::ASYNC),
        NodeProperty::Static => has(Modifiers::STATIC),
        NodeProperty::Declaration => has(Modifiers::DECLARATION),
        NodeProperty::Cohesion | NodeProperty::Members => community_property(view, id, property),
        NodeProperty::Steps | NodeProperty::ProcessType | NodeProperty::EntryKind => {
            process_property(view, id, property)
        }
    }
}

fn path(view: GraphView<'_>, id: NodeId) -> Option<&str> {
    match view.kind(id) {
        NodeKind::File | NodeKind::Folder => Some(view.path_of(id)),
        NodeKind::Symbol => view.node(id).file.map(|file| view.path(file)),
        _ => None,
    }
}

fn line<'a>(view: GraphView<'a>, id: NodeId, property: NodeProperty) -> Value<'a> {
    let node = view.node(id);
    let line = match (view.kind(id), property) {
        (NodeKind::Symbol, NodeProperty::Line) => node.name_span.start_line,
        (NodeKind::Symbol | NodeKind::File, NodeProperty::EndLine) => node.span.end_line,
        (NodeKind::Symbol | NodeKind::File, _) => node.span.start_line,
        _ => return Value::Null,
    };
    Value::Int(i64::from(line) + 1)
}

fn some_text(text: &str) -> Value<'_> {
    if text.is_empty() {
        Value::Null
    } else {
        Value::text(text)
    }
}

fn community_property<'a>(view: GraphView<'a>, id: NodeId, property: NodeProperty) -> Value<'a> {
    match (view.community(id), property) {
        (Some(community), NodeProperty::Cohesion) => Value::Float(f64::from(community.cohesion)),
        (Some(community), _) => Value::Int(i64::from(community.n_members)),
        (None, _) => Value::Null,
    }
}

fn process_property<'a>(view: GraphView<'a>, id: NodeId, property: NodeProperty) -> Value<'a> {
    match (view.process(id), property) {
        (Some(process), NodeProperty::Steps) => Value::Int(i64::from(process.n_steps)),
        (Some(process), NodeProperty::ProcessType) => Value::text(process.kind.name()),
        (Some(process), _) => Value::text(process.entry_kind.name()),
        (None, _) => Value::Null,
    }
}

/// The value of a relationship's property.
pub(super) fn edge_property<'a>(edge: &Edge, property: EdgeProperty) -> Value<'a> {
    match property {
        EdgeProperty::Type => Value::text(edge.kind.name()),
        EdgeProperty::Confidence => Value::Float(f64::from(edge.confidence) / 100.0),
        EdgeProperty::Reason => Value::text(edge.reason.name()),
        EdgeProperty::Line if edge.kind == EdgeKind::StepInProcess => Value::Null,
        EdgeProperty::Line => Value::Int(i64::from(edge.line) + 1),
        EdgeProperty::Step => edge
            .step()
            .map_or(Value::Null, |step| Value::Int(i64::from(step))),
    }
}
