//! Rust: `  4: shop::cart::Cart::add`, then `at ./src/cart.rs:12:5`; `panicked at src/cart.rs:12:5`.

use super::{Read, number, place};

pub(super) fn read(line: &str) -> Option<Read> {
    let text = line.trim();
    if let Some((_, rest)) = text.split_once("panicked at ") {
        // Before 1.73 the message came first: `panicked at 'message', src/cart.rs:12:5`.
        let rest = rest.rsplit(", ").next().unwrap_or(rest);
        let (path, at) = place(rest)?;
        return path
            .ends_with(".rs")
            .then(|| Read::first(path, Some(at), ""))?;
    }
    if let Some(rest) = text.strip_prefix("at ") {
        let (path, at) = place(rest)?;
        return path
            .ends_with(".rs")
            .then(|| Read::completing(path, Some(at)))?;
    }
    let (_, rest) = number(text)?;
    let function = rest.strip_prefix(": ")?.trim();
    let function = match function.strip_prefix("0x") {
        Some(address) => address.split_once(" - ")?.1,
        None => function,
    };
    // The hash of a mangled name is no part of it.
    let function = function
        .rsplit_once("::h")
        .filter(|(_, hash)| hash.len() == 16)
        .map_or(function, |(name, _)| name);
    let function = function.trim_end_matches("::{{closure}}");
    (function.contains("::") && !function.contains(". "))
        .then(|| Read::first("", None, function))?
}
