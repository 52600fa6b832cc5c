//! C# and F#: `at Shop.Cart.Add(Int32 n) in /src/Cart.cs:line 12`; without symbols only the method.

use super::{Read, number, without_arguments};

pub(super) fn read(line: &str) -> Option<Read> {
    let rest = line.trim().strip_prefix("at ")?;
    if let Some((function, file)) = rest.split_once(") in ") {
        let (path, at) = file.rsplit_once(":line ")?;
        let (at, _) = number(at.trim())?;
        return Read::first(path, Some(at), method(function.split('(').next()?));
    }
    // Without symbols: a qualified name with typed arguments, and nothing behind them.
    let arguments = rest.split_once('(')?.1.strip_suffix(')')?;
    let function = without_arguments(rest);
    let is_typed =
        arguments.is_empty() || arguments.split(", ").all(|one| one.split(' ').count() == 2);
    let is_method = function.matches('.').count() >= 2
        && !function.contains(' ')
        && !arguments.contains([':', '/']);
    (is_typed && is_method).then(|| Read::first("", None, method(function)))?
}

/// The class and method of a qualified name: `Shop.Cart.<AddAsync>d__3.MoveNext` is a step of `Cart.AddAsync`.
fn method(function: &str) -> &str {
    let parts = function.match_indices('.').map(|(at, _)| at);
    let before_last = parts.rev().nth(1);
    before_last.map_or(function, |at| &function[at + 1..])
}
