//! The compiled query: names are places in a row, labels and types are numbers, patterns are steps in the order that
//! visits the fewest nodes.

use super::ast::{Arithmetic, Comparison, Quantifier, Shortest, TextTest};
use super::functions::Function;
use super::regex::Pattern;
use super::schema::{EdgeProperty, Label, NodeProperty};
use super::value::Value;
use graph::EdgeKind;

/// The whole query.
pub(super) struct Plan<'a> {
    pub parts: Vec<Vec<Stage<'a>>>,
    /// Whether duplicates are kept after query `n + 1`.
    pub all: Vec<bool>,
    pub columns: Vec<String>,
}

/// A clause: takes rows and passes rows on.
pub(super) enum Stage<'a> {
    Match(Match<'a>),
    Unwind { list: Expr<'a>, slot: usize },
    Project(Projection<'a>),
}

pub(super) struct Match<'a> {
    pub ops: Vec<Op<'a>>,
    pub optional: bool,
    /// Number of places in a row from here on.
    pub width: usize,
}

/// A step of finding a pattern.
pub(super) enum Op<'a> {
    /// Every candidate for a place.
    Scan { slot: usize, access: Access<'a> },
    /// Labels and properties of a node that is known.
    Check { slot: usize, test: NodeTest<'a> },
    /// Follows relationships from a known node.
    Expand(Box<Expand<'a>>),
    /// Conditions of WHERE, as soon as their variables are known.
    Filter(Expr<'a>),
    /// The path of a pattern: alternating places of nodes and relationships.
    Path { slot: usize, places: Vec<usize> },
}

/// Where the candidates for a node come from; the cheapest source is chosen.
pub(super) enum Access<'a> {
    All,
    Kind(Vec<Label>),
    /// The names are equal to this, or in this list.
    Name(Expr<'a>),
    Path(Expr<'a>),
    Id(Expr<'a>),
}

#[derive(Default)]
pub(super) struct NodeTest<'a> {
    pub labels: Vec<Vec<Label>>,
    pub properties: Vec<(NodeProperty, Expr<'a>)>,
}

/// Direction in which a relationship is followed from the known node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Out,
    In,
    Both,
}

pub(super) struct Expand<'a> {
    pub from: usize,
    pub to: usize,
    /// Whether `to` has its value already.
    pub to_is_known: bool,
    /// Place of the relationship, or of the list of them.
    pub edge: usize,
    pub edge_is_known: bool,
    pub way: Way,
    pub kinds: EdgeKinds,
    pub properties: Vec<(EdgeProperty, Expr<'a>)>,
    /// Minimum and maximum number of steps, for a relationship of variable length.
    pub length: Option<(u32, u32)>,
    pub shortest: Option<Shortest>,
    /// True where it only matters which nodes are reached, not by how many paths.
    pub reach: bool,
    /// Whether the pattern is written in the other direction: lists of relationships are reversed.
    pub is_reversed: bool,
    pub target: NodeTest<'a>,
}

/// A set of relationship types, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EdgeKinds(pub u32);

impl EdgeKinds {
    pub const ANY: EdgeKinds = EdgeKinds(u32::MAX);

    pub fn has(self, kind: EdgeKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }
}

/// WITH or RETURN.
pub(super) struct Projection<'a> {
    pub items: Vec<Expr<'a>>,
    /// Aggregates in the items. If there are any, rows are grouped by the items in `keys`.
    pub aggregates: Vec<Aggregate<'a>>,
    pub is_grouped: bool,
    pub keys: Vec<usize>,
    pub distinct: bool,
    pub order: Vec<SortKey<'a>>,
    pub skip: u64,
    pub limit: Option<u64>,
    /// WHERE after WITH.
    pub filter: Option<Expr<'a>>,
}

pub(super) struct SortKey<'a> {
    pub by: SortBy<'a>,
    pub descending: bool,
}

pub(super) enum SortBy<'a> {
    /// An item.
    Item(usize),
    /// An expression over the row with the items behind it.
    Expr(Expr<'a>),
}

pub(super) struct Aggregate<'a> {
    pub function: AggregateFunction,
    pub distinct: bool,
    /// None for `count(*)`.
    pub argument: Option<Expr<'a>>,
    pub at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AggregateFunction {
    Count,
    Collect,
    Sum,
    Avg,
    Min,
    Max,
}

pub(super) struct Expr<'a> {
    pub kind: Kind<'a>,
    pub at: usize,
}

impl Expr<'_> {
    /// Whether it reads the kind of a node or relationship, whose names are meant in any case.
    pub fn is_kind(&self) -> bool {
        match &self.kind {
            Kind::Property(_, key) => {
                key.node == Some(NodeProperty::Kind) || key.edge == Some(EdgeProperty::Type)
            }
            _ => false,
        }
    }
}

/// A property, by its name on nodes, relationships and maps.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub text: String,
    pub node: Option<NodeProperty>,
    pub edge: Option<EdgeProperty>,
}

impl Key {
    pub fn new(text: &str) -> Key {
        Key {
            text: text.to_owned(),
            node: NodeProperty::from_name(text),
            edge: EdgeProperty::from_name(text),
        }
    }
}

pub(super) enum Kind<'a> {
    Value(Value<'a>),
    Slot(usize),
    /// The result of an aggregate of this projection.
    Aggregate(usize),
    Property(Box<Expr<'a>>, Key),
    List(Vec<Expr<'a>>),
    Map(Vec<(String, Expr<'a>)>),
    Index(Box<Expr<'a>>, Box<Expr<'a>>),
    Slice(Box<Expr<'a>>, Option<Box<Expr<'a>>>, Option<Box<Expr<'a>>>),
    Not(Box<Expr<'a>>),
    Minus(Box<Expr<'a>>),
    And(Vec<Expr<'a>>),
    Or(Vec<Expr<'a>>),
    Xor(Vec<Expr<'a>>),
    Arithmetic(Arithmetic, Box<Expr<'a>>, Box<Expr<'a>>),
    Compare(Box<Expr<'a>>, Vec<(Comparison, Expr<'a>)>),
    TestText(TextTest, Box<Expr<'a>>, Box<Expr<'a>>),
    /// `=~` with a pattern that does not depend on the row.
    Matches(Box<Expr<'a>>, Box<Pattern>),
    In(Box<Expr<'a>>, Box<Expr<'a>>),
    IsNull(Box<Expr<'a>>, bool),
    HasLabels(Box<Expr<'a>>, Vec<Vec<Label>>),
    Call(Function, Vec<Expr<'a>>),
    Case {
        subject: Option<Box<Expr<'a>>>,
        branches: Vec<(Expr<'a>, Expr<'a>)>,
        otherwise: Option<Box<Expr<'a>>>,
    },
    Comprehension {
        slot: usize,
        list: Box<Expr<'a>>,
        filter: Option<Box<Expr<'a>>>,
        map: Option<Box<Expr<'a>>>,
    },
    Quantifier {
        quantifier: Quantifier,
        slot: usize,
        list: Box<Expr<'a>>,
        filter: Box<Expr<'a>>,
    },
    Exists(Vec<Op<'a>>),
}

impl<'a> Expr<'a> {
    /// The expressions directly in this one; those of a pattern are left out.
    pub fn children(&self) -> Vec<&Expr<'a>> {
        match &self.kind {
            Kind::Value(_) | Kind::Slot(_) | Kind::Aggregate(_) | Kind::Exists(_) => Vec::new(),
            Kind::Property(base, _)
            | Kind::Not(base)
            | Kind::Minus(base)
            | Kind::Matches(base, _)
            | Kind::IsNull(base, _)
            | Kind::HasLabels(base, _) => vec![base],
            Kind::List(items)
            | Kind::And(items)
            | Kind::Or(items)
            | Kind::Xor(items)
            | Kind::Call(_, items) => items.iter().collect(),
            Kind::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
            Kind::Index(a, b)
            | Kind::Arithmetic(_, a, b)
            | Kind::TestText(_, a, b)
            | Kind::In(a, b) => vec![a, b],
            Kind::Slice(base, from, to) => {
                let ends = from.iter().chain(to).map(AsRef::as_ref);
                std::iter::once(base.as_ref()).chain(ends).collect()
            }
            Kind::Compare(first, rest) => {
                let rest = rest.iter().map(|(_, operand)| operand);
                std::iter::once(first.as_ref()).chain(rest).collect()
            }
            Kind::Case {
                subject,
                branches,
                otherwise,
            } => {
                let branches = branches.iter().flat_map(|(when, then)| [when, then]);
                let ends = subject.iter().chain(otherwise).map(AsRef::as_ref);
                branches.chain(ends).collect()
            }
            Kind::Comprehension {
                list, filter, map, ..
            } => {
                let parts = filter.iter().chain(map).map(AsRef::as_ref);
                std::iter::once(list.as_ref()).chain(parts).collect()
            }
            Kind::Quantifier { list, filter, .. } => vec![list, filter],
        }
    }

    /// Calls `see` for every place that this expression reads, those of patterns included.
    pub fn slots(&self, see: &mut dyn FnMut(usize)) {
        match &self.kind {
            Kind::Slot(slot) => see(*slot),
            Kind::Exists(ops) => ops.iter().for_each(|op| op.slots(see)),
            _ => self
                .children()
                .into_iter()
                .for_each(|child| child.slots(see)),
        }
    }
}

impl Op<'_> {
    fn slots(&self, see: &mut dyn FnMut(usize)) {
        match self {
            Op::Scan { slot, access } => {
                see(*slot);
                if let Access::Name(expr) | Access::Path(expr) | Access::Id(expr) = access {
                    expr.slots(see);
                }
            }
            Op::Check { slot, test } => {
                see(*slot);
                test.slots(see);
            }
            Op::Expand(expand) => {
                for slot in [expand.from, expand.to, expand.edge] {
                    see(slot);
                }
                expand
                    .properties
                    .iter()
                    .for_each(|(_, expr)| expr.slots(see));
                expand.target.slots(see);
            }
            Op::Filter(expr) => expr.slots(see),
            Op::Path { slot, places } => {
                see(*slot);
                places.iter().for_each(|place| see(*place));
            }
        }
    }
}

impl NodeTest<'_> {
    fn slots(&self, see: &mut dyn FnMut(usize)) {
        self.properties.iter().for_each(|(_, expr)| expr.slots(see));
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.properties.is_empty()
    }
}
