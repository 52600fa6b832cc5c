//! Many texts as one run of bytes: a worker gets them without a copy, and without turning them into JavaScript's strings and back.

use std::str::from_utf8;

use crate::errors::{JsResult, error};

/// Splits `bytes` into the texts that end at `ends`. Throws `request.invalid` if they exceed it, or are not UTF-8.
pub(crate) fn split<'a>(bytes: &'a [u8], ends: &[u32]) -> JsResult<Vec<&'a str>> {
    let mut start = 0;
    let mut text = |end: &u32| {
        let text = bytes.get(start..*end as usize)?;
        start = *end as usize;
        from_utf8(text).ok()
    };
    let texts: Option<Vec<&str>> = ends.iter().map(&mut text).collect();
    texts.ok_or_else(|| error("request.invalid", "the texts do not end where they should"))
}
