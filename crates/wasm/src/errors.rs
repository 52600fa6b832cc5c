//! Errors as JavaScript sees them: `{ code, message, help }`.

use serde::Serialize;
use wasm_bindgen::JsValue;

/// Result of exported methods; an `Err` is thrown.
pub(crate) type JsResult<T> = Result<T, JsValue>;

/// The shape of `api::ErrorBody`, which not every artifact holds.
#[derive(Serialize)]
struct Thrown<'a> {
    code: &'a str,
    message: &'a str,
    help: &'a str,
}

impl From<Thrown<'_>> for JsValue {
    fn from(thrown: Thrown<'_>) -> Self {
        serde_wasm_bindgen::to_value(&thrown).unwrap_or_else(|error| error.into())
    }
}

/// An error of this crate's own making.
#[cfg(any(feature = "read", feature = "onnx", feature = "hnsw", feature = "seal"))]
pub(crate) fn error(code: &str, message: impl ToString) -> JsValue {
    let message = &message.to_string();
    Thrown {
        code,
        message,
        help: "",
    }
    .into()
}

/// As [`error`], with what to do about it.
#[cfg(any(feature = "seal", feature = "ingest", feature = "history"))]
pub(crate) fn error_with_help(code: &str, message: impl ToString, help: &str) -> JsValue {
    let message = &message.to_string();
    Thrown {
        code,
        message,
        help,
    }
    .into()
}

/// A body as a value to throw.
#[cfg(feature = "read")]
pub(crate) fn thrown(body: api::ErrorBody) -> JsValue {
    Thrown {
        code: &body.code,
        message: &body.message,
        help: &body.help,
    }
    .into()
}

/// An engine error as a value to throw.
#[cfg(feature = "read")]
pub(crate) fn engine_error(error: impl Into<engine::Error>) -> JsValue {
    thrown(error.into().into())
}

/// A request that is not of the expected shape.
#[cfg(feature = "read")]
pub(crate) fn bad_request(error: tsify::Error) -> JsValue {
    self::error("request.invalid", error)
}
