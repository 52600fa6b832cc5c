//! Replies: a status and JSON. The only place that maps an error's code to a status.

use api::ErrorBody;
use serde::Serialize;

/// A finished answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// JSON.
    pub body: Vec<u8>,
}

impl Reply {
    /// An answer.
    pub fn ok(value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self { status: 200, body },
            Err(error) => Self::error(&ErrorBody {
                code: "internal.json".to_owned(),
                message: error.to_string(),
                help: String::new(),
            }),
        }
    }

    /// An answer that is JSON already.
    pub fn json(body: Vec<u8>) -> Self {
        Self { status: 200, body }
    }

    /// A refusal or a failure.
    pub fn error(error: &ErrorBody) -> Self {
        // Three strings always become JSON.
        let body = serde_json::to_vec(error).unwrap_or_default();
        Self {
            status: status_of(&error.code),
            body,
        }
    }
}

/// Returns the HTTP status of an error's code. Errors that the client can fix are 4xx; errors that the owner of the
/// bucket must fix are 5xx.
pub fn status_of(code: &str) -> u16 {
    match code {
        "request.route" | "snapshot.not-found" | "symbol.not-found" | "file.not-found" => 404,
        "request.method" => 405,
        "request.timeout" => 408,
        "request.too-large" | "export.too-large" => 413,
        "snapshot.loading" | "index.failed" | "shard.late" | "shard.failed" => 503,
        "snapshot.too-large" => 507,
        _ => match code.split_once('.').map_or(code, |(area, _)| area) {
            "request" | "query" | "symbol" | "file" | "position" | "regex" | "glob" | "cypher"
            | "pattern" | "grammar" | "scip" | "export" => 400,
            // The bucket is the server behind us, and it gave something that cannot be used.
            "snapshot" | "model" | "seal" | "shard" => 502,
            _ => 500,
        },
    }
}
