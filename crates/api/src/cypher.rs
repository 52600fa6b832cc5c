//! Questions to the graph in Cypher.

use std::collections::BTreeMap;

use crate::wire;

wire! {
    /// A read-only query. Labels: `File`, `Folder`, `Symbol`, `Function`, `Method`, `Class`, …, `External`, `Community`,
    /// `Process`; types: `CALLS`, `REFERENCES`, `IMPORTS`, `EXTENDS`, `IMPLEMENTS`, `DEFINES`, `CONTAINS`, `HAS_METHOD`, ….
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct CypherRequest {
        /// `MATCH (f:Function)-[:CALLS]->(g {name: $name}) RETURN f.path, f.name`
        pub query: String,
        /// Values for `$name`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional, type = "Record<string, CypherValue>"))]
        pub parameters: Option<BTreeMap<String, CypherValue>>,
        /// Maximum number of rows (default 200).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Maximum size of the rows in bytes of JSON (default 32 KB).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
        /// Time limit in milliseconds (1 to 60000, default 5000). Applies if the host has a running clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub timeout_ms: Option<u32>,
    }

    /// A table.
    #[derive(Default)]
    pub struct CypherResponse {
        /// Names of the columns.
        pub columns: Vec<String>,
        /// Rows, each with a value a column.
        pub rows: Vec<Vec<CypherValue>>,
        /// True if rows were left out because of `limit` or `max_bytes`.
        pub truncated: bool,
        /// Steps of the query: nodes and relationships visited, expressions evaluated, lists and texts handled.
        pub n_steps: u32,
    }

    /// A node.
    #[derive(Eq, Default)]
    pub struct CypherNode {
        /// Number within this index.
        pub id: u32,
        /// `Function`, `File`, …
        pub label: String,
        /// Simple name.
        pub name: String,
        /// Name with its containers; the path for files and folders.
        pub qualified_name: String,
        /// Path of its file; none for packages, communities and processes.
        pub path: Option<String>,
        /// Line of its name, 1-based; none for what is no definition.
        pub line: Option<u32>,
    }

    /// A relationship.
    #[derive(Default)]
    pub struct CypherRelationship {
        /// `CALLS`, …
        #[serde(rename = "type")]
        pub kind: String,
        /// Id of the node it starts at.
        pub source: u32,
        /// Id of the node it ends at.
        pub target: u32,
        /// Share of such edges that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it.
        pub reason: String,
        /// Line of the first use, 1-based.
        pub line: Option<u32>,
    }

    /// A path: one more node than relationships.
    #[derive(Default)]
    pub struct CypherPath {
        /// In order.
        pub nodes: Vec<CypherNode>,
        /// Relationship `n` joins nodes `n` and `n + 1`, in either direction.
        pub relationships: Vec<CypherRelationship>,
    }
}

/// A value of a table, or of a parameter.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub enum CypherValue {
    /// Nothing, or unknown: `null` in JSON, `undefined` in JavaScript.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<CypherValue>),
    /// A node.
    Node(CypherNode),
    /// A relationship.
    Relationship(CypherRelationship),
    /// A path.
    Path(CypherPath),
    /// A map.
    Map(
        #[cfg_attr(feature = "ts", tsify(type = "{ [key: string]: CypherValue }"))]
        BTreeMap<String, CypherValue>,
    ),
}
