//! Dart: `#0      Cart.add (package:shop/cart.dart:12:5)`.

use super::{Read, number, place};

pub(super) fn read(line: &str) -> Option<Read> {
    let rest = line.trim().strip_prefix('#')?;
    let (_, rest) = number(rest)?;
    let (function, file) = rest.trim().rsplit_once(" (")?;
    let (path, at) = place(file.strip_suffix(')')?)?;
    if !path.ends_with(".dart") {
        return None;
    }
    // A package's files are in its folder `lib`, under the package's name elsewhere.
    let path = match path.strip_prefix("package:") {
        Some(path) => path.split_once('/').map_or(path, |(_, path)| path),
        None => path.strip_prefix("file://").unwrap_or(path),
    };
    let function = function.split(".<anonymous").next().unwrap_or(function);
    Read::first(path, Some(at), function)
}
