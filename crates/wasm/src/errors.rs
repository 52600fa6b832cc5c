//! Errors as JavaScript sees them: `{ code, message, help }`.

use api::ErrorBody;
use tsify::Tsify;
use wasm_bindgen::JsValue;

/// What methods return; an `Err` is thrown.
pub(crate) type JsResult<T> = Result<T, JsValue>;

/// A body as a value to throw.
pub(crate) fn thrown(body: ErrorBody) -> JsValue {
    match body.into_ts() {
        Ok(value) => value.into(),
        Err(error) => JsValue::from_str(&error.to_string()),
    }
}

/// An error of this crate's own making.
pub(crate) fn error(code: &str, message: impl ToString) -> JsValue {
    thrown(ErrorBody {
        code: code.to_owned(),
        message: message.to_string(),
        help: String::new(),
    })
}

/// An engine error as a value to throw.
pub(crate) fn engine_error(error: engine::Error) -> JsValue {
    thrown(error.into())
}

/// A request that is not of the expected shape.
pub(crate) fn bad_request(error: tsify::Error) -> JsValue {
    self::error("request.invalid", error)
}
