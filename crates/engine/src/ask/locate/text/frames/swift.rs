//! Swift: `3 [ra] 0x1 Cart.add(_:) + 12 in shop at /src/Cart.swift:12:5`, `3  shop  0x1 Cart.add(_:) + 12 (Cart.swift:12)`,
//! `Fatal error: …: file Cart/Cart.swift, line 12`, `Cart/Cart.swift:12: Fatal error: …`.

use super::{Read, number, place, without_arguments};

pub(super) fn read(line: &str) -> Option<Read> {
    let text = line.trim();
    if let Some((_, rest)) = text.split_once(": file ") {
        let (path, rest) = rest.split_once(", line ")?;
        let (at, _) = number(rest)?;
        return path
            .ends_with(".swift")
            .then(|| Read::first(path, Some(at), ""))?;
    }
    if let Some((file, _)) = text.split_once(": Fatal error") {
        let (path, at) = place(file)?;
        return path
            .ends_with(".swift")
            .then(|| Read::first(path, Some(at), ""))?;
    }
    let (_, rest) = number(text)?;
    let (_, rest) = rest.split_once(" 0x")?;
    let (_, rest) = rest.split_once(' ')?;
    let (function, rest) = rest.split_once(" + ")?;
    let function = without_arguments(function.trim());
    if let Some((_, file)) = rest.split_once(" at ") {
        let (path, at) = place(file)?;
        return Read::first(path, Some(at), function);
    }
    let file = rest
        .rsplit_once('(')
        .and_then(|(_, file)| place(file.strip_suffix(')')?));
    match file {
        Some((path, at)) => Read::first(path, Some(at), function),
        None => Read::first("", None, function),
    }
}
