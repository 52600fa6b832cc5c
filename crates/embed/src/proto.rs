//! The part of the ONNX file format (onnx.proto3) that holds constant tensors and names; everything else is passed over.

use prost::Message;
use prost::bytes::Bytes;

use crate::EmbedError;

/// The graph of an ONNX file. Its tensors share the file's bytes.
pub(crate) fn graph(model: Bytes) -> Result<Graph, EmbedError> {
    let decoded = Model::decode(model).map_err(|error| EmbedError::NotOnnx(error.to_string()))?;
    decoded
        .graph
        .filter(|graph| !graph.nodes.is_empty())
        .ok_or_else(|| EmbedError::NotOnnx("it has no graph".to_owned()))
}

/// Name and operations of a graph.
pub(crate) struct Outline {
    #[cfg_attr(
        not(feature = "onnx"),
        expect(dead_code, reason = "only a runtime names what it runs")
    )]
    pub(crate) name: String,
    pub(crate) operations: Vec<String>,
    /// Rows of its table of positions, if it has one: no text may have more tokens.
    #[cfg(feature = "onnx")]
    pub(crate) n_positions: Option<usize>,
}

/// Name and operations of an ONNX file's graph. Its tensors are passed over: this costs no memory, however large the file.
pub(crate) fn outline(model: &[u8]) -> Result<Outline, EmbedError> {
    let decoded =
        OutlineModel::decode(model).map_err(|error| EmbedError::NotOnnx(error.to_string()))?;
    let graph = decoded
        .graph
        .filter(|graph| !graph.nodes.is_empty())
        .ok_or_else(|| EmbedError::NotOnnx("it has no graph".to_owned()))?;
    Ok(Outline {
        #[cfg(feature = "onnx")]
        n_positions: graph.initializers.iter().find_map(positions),
        name: graph.name,
        operations: graph.nodes.into_iter().map(|node| node.op).collect(),
    })
}

/// Number of rows, if the tensor is a table of positions: exports keep the name that it has in `transformers`.
#[cfg(feature = "onnx")]
fn positions(tensor: &OutlineTensor) -> Option<usize> {
    let is_of_positions = ["position_embeddings.weight", "wpe.weight"]
        .iter()
        .any(|name| tensor.name.contains(name));
    match tensor.dims[..] {
        [n_rows, _] if is_of_positions => usize::try_from(n_rows).ok(),
        _ => None,
    }
}

/// `onnx.ModelProto`, without tensors.
#[derive(Clone, PartialEq, Message)]
struct OutlineModel {
    #[prost(message, optional, tag = "7")]
    graph: Option<OutlineGraph>,
}

/// `onnx.GraphProto`, without tensors.
#[derive(Clone, PartialEq, Message)]
struct OutlineGraph {
    #[prost(message, repeated, tag = "1")]
    nodes: Vec<Node>,
    #[prost(string, tag = "2")]
    name: String,
    #[cfg(feature = "onnx")]
    #[prost(message, repeated, tag = "5")]
    initializers: Vec<OutlineTensor>,
}

/// `onnx.TensorProto`, without elements.
#[cfg(feature = "onnx")]
#[derive(Clone, PartialEq, Message)]
struct OutlineTensor {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(string, tag = "8")]
    name: String,
}

/// `onnx.ModelProto`.
#[derive(Clone, PartialEq, Message)]
pub struct Model {
    /// The graph.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
}

/// `onnx.GraphProto`.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    /// Operations, in an order in which they can be run.
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<Node>,
    /// The graph's name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Constant tensors.
    #[prost(message, repeated, tag = "5")]
    pub initializers: Vec<Tensor>,
    /// Inputs.
    #[prost(message, repeated, tag = "11")]
    pub inputs: Vec<ValueInfo>,
    /// Outputs.
    #[prost(message, repeated, tag = "12")]
    pub outputs: Vec<ValueInfo>,
}

/// `onnx.NodeProto`.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// Names of what goes in.
    #[prost(string, repeated, tag = "1")]
    pub inputs: Vec<String>,
    /// Names of the outputs.
    #[prost(string, repeated, tag = "2")]
    pub outputs: Vec<String>,
    /// The operation (`Gather`, `Mul`).
    #[prost(string, tag = "4")]
    pub op: String,
}

/// `onnx.ValueInfoProto`, its type left out.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfo {
    /// The value's name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// `onnx.TensorProto`.
#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    /// Shape.
    #[prost(int64, repeated, tag = "1")]
    pub dims: Vec<i64>,
    /// Element type: 1 is f32, 3 is i8.
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// Elements of an f32 tensor that are not in `raw`.
    #[prost(float, repeated, tag = "4")]
    pub floats: Vec<f32>,
    /// The tensor's name.
    #[prost(string, tag = "8")]
    pub name: String,
    /// Elements as little-endian bytes.
    #[prost(bytes = "bytes", tag = "9")]
    pub raw: Bytes,
}

/// Element type of [`Tensor::data_type`].
pub const FLOAT: i32 = 1;
/// Element type of [`Tensor::data_type`].
pub const INT8: i32 = 3;
