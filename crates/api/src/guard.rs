//! Size and depth limits of requests. They are checked before anything is converted, without recursion, so that no
//! request costs more memory or stack than the limits allow.

use crate::ErrorBody;

/// Lists and objects within each other. Requests of the tools have two or three levels, values for Cypher a few more.
pub const MAX_DEPTH: usize = 64;
/// Values of a request, on all levels.
pub const MAX_VALUES: usize = 1_000_000;
/// Bytes of a request: the texts of some files fit in.
pub const MAX_BYTES: usize = 64 << 20;

/// The request nests too deeply.
#[must_use]
pub fn too_deep() -> ErrorBody {
    ErrorBody {
        code: "request.depth".to_owned(),
        message: format!(
            "the request has more than {MAX_DEPTH} lists and objects within each other"
        ),
        help: "pass flat lists and objects; an object that holds itself cannot be passed"
            .to_owned(),
    }
}

/// The request is too large.
#[must_use]
pub fn too_large() -> ErrorBody {
    ErrorBody {
        code: "request.too-large".to_owned(),
        message: format!("the request has more than {MAX_VALUES} values or {MAX_BYTES} bytes"),
        help: "ask for less at a time".to_owned(),
    }
}

/// Checks that a request in JSON is within the limits, in one pass over its bytes; does not check that it is valid
/// JSON.
///
/// # Errors
///
/// `request.depth`, `request.too-large`.
pub fn check_json(json: &str) -> Result<(), ErrorBody> {
    if json.len() > MAX_BYTES {
        return Err(too_large());
    }
    let (mut depth, mut n_values) = (0usize, 0usize);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in json.bytes() {
        if in_text {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'[' | b'{' => {
                depth += 1;
                n_values += 1;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => n_values += 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        if n_values > MAX_VALUES {
            return Err(too_large());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(json: &str) -> Option<String> {
        check_json(json).err().map(|error| error.code)
    }

    #[test]
    fn depth_and_size_are_counted_outside_of_texts() {
        let deep = |n: usize| "[{\"a\":".repeat(n);
        assert_eq!(code(&deep(MAX_DEPTH / 2)), None);
        assert_eq!(code(&deep(MAX_DEPTH)).as_deref(), Some("request.depth"));
        assert_eq!(code(&format!("\"\\\"{}\"", "[".repeat(1_000))), None);
        assert_eq!(code(&"[]".repeat(1_000)), None);
        assert_eq!(code(&",".repeat(MAX_VALUES)), None);
        let many = ",".repeat(MAX_VALUES + 1);
        assert_eq!(code(&many).as_deref(), Some("request.too-large"));
        let long = " ".repeat(MAX_BYTES + 1);
        assert_eq!(code(&long).as_deref(), Some("request.too-large"));
    }
}
