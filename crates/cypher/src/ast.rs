//! The syntax tree of a query. Places are byte offsets into its text; they are ignored when two trees are compared.

/// Byte offset into the query. All places are equal, so that equal expressions compare equal wherever they are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct At(pub usize);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// A name in the query, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name {
    pub text: String,
    pub at: At,
}

/// Single queries joined by UNION; `all[n]` says whether duplicates are kept after query `n + 1`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Query {
    pub parts: Vec<Vec<Clause>>,
    pub all: Vec<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Clause {
    Match {
        optional: bool,
        patterns: Vec<Pattern>,
        filter: Option<Expr>,
    },
    Unwind {
        list: Expr,
        variable: Name,
    },
    With {
        projection: Projection,
        filter: Option<Expr>,
    },
    Return(Projection),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Projection {
    pub at: At,
    pub distinct: bool,
    /// `*`: everything in scope comes first.
    pub star: bool,
    pub items: Vec<Item>,
    pub order: Vec<Order>,
    pub skip: Option<Expr>,
    pub limit: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub expr: Expr,
    /// The alias, or the text of the expression.
    pub name: String,
    pub has_alias: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Order {
    pub expr: Expr,
    pub descending: bool,
}

/// `(a)-[r]->(b)…`, optionally with a name, optionally shortest paths only.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern {
    pub variable: Option<Name>,
    pub shortest: Option<Shortest>,
    pub start: NodePattern,
    pub steps: Vec<(RelationPattern, NodePattern)>,
    pub at: At,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortest {
    /// One of the shortest paths.
    One,
    /// All shortest paths.
    All,
}

/// Labels: a node must have at least one label of every group.
pub(super) type Labels = Vec<Vec<Name>>;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodePattern {
    pub variable: Option<Name>,
    pub labels: Labels,
    pub properties: Vec<(Name, Expr)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrow {
    Right,
    Left,
    Both,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RelationPattern {
    pub variable: Option<Name>,
    pub types: Vec<Name>,
    pub arrow: Arrow,
    pub length: Option<Length>,
    pub properties: Vec<(Name, Expr)>,
    pub at: At,
}

/// `*`, `*2`, `*1..3`, `*..3`, `*2..`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    pub min: Option<u32>,
    pub max: Option<u32>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub at: At,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExprKind {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Parameter(String),
    Variable(String),
    Property(Box<Expr>, Name),
    List(Vec<Expr>),
    Map(Vec<(Name, Expr)>),
    Index(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Xor(Vec<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Compare(Box<Expr>, Vec<(Comparison, Expr)>),
    TestText(TextTest, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Box<Expr>),
    IsNull(Box<Expr>, bool),
    HasLabels(Box<Expr>, Labels),
    Call(Call),
    Case {
        subject: Option<Box<Expr>>,
        branches: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    /// `[x IN list WHERE … | …]`
    Comprehension {
        variable: Name,
        list: Box<Expr>,
        filter: Option<Box<Expr>>,
        map: Option<Box<Expr>>,
    },
    /// `any(x IN list WHERE …)`
    Quantifier {
        quantifier: Quantifier,
        variable: Name,
        list: Box<Expr>,
        filter: Box<Expr>,
    },
    /// A pattern as a condition, or `EXISTS { … }`.
    Exists {
        patterns: Vec<Pattern>,
        filter: Option<Box<Expr>>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub name: Name,
    pub distinct: bool,
    /// `count(*)`
    pub star: bool,
    pub arguments: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextTest {
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Any,
    None,
    Single,
}
