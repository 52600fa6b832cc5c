//! C, C++ and what debuggers print: `#1  0x4005d0 in add (n=3) at cart.c:12`, sanitizers' `#1 0x4005d0 in add /src/cart.c:12:3`.

use super::{Read, number, place, without_arguments};

pub(super) fn read(line: &str) -> Option<Read> {
    let rest = line.trim().strip_prefix('#')?;
    let (_, rest) = number(rest)?;
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix("0x") {
        Some(address) => address.split_once(" in ")?.1,
        None => rest,
    };
    if let Some((function, file)) = rest.rsplit_once(" at ") {
        let (path, at) = place(file)?;
        return Read::first(path, Some(at), name(function));
    }
    // A sanitizer puts the file behind the function; its arguments may hold spaces.
    let (function, file) = rest.rsplit_once(' ')?;
    if let Some((path, at)) =
        place(file).filter(|(path, _)| path.contains('/') || path.contains('.'))
    {
        return Read::first(path, Some(at), name(function));
    }
    let has_binary = file.starts_with('(') && file.contains("+0x");
    has_binary.then(|| Read::first("", None, name(function)))?
}

/// The function of `shop::Cart::add(int) const`, `add (n=3)` or `std::vector<int>::push(int)`.
fn name(function: &str) -> &str {
    without_arguments(function.trim()).trim()
}
