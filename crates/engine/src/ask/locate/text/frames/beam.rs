//! Elixir and Erlang: `(shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.add/2`, with or without the application.

use super::{Read, number};

pub(super) fn read(line: &str) -> Option<Read> {
    let text = line.trim();
    let text = match text.strip_prefix('(') {
        Some(rest) => rest.split_once(") ")?.1,
        None => text,
    };
    let ending = [".exs:", ".ex:", ".erl:", ".eex:"]
        .iter()
        .find(|ending| text.contains(**ending))?;
    let (path, rest) = text.split_once(*ending)?;
    let (at, rest) = number(rest)?;
    let function = rest.strip_prefix(": ")?;
    // The deepest frame may have the arguments instead of their number: `Shop.Cart.add(1, 2)`.
    let function = match function.strip_suffix(')') {
        Some(call) => call.split_once('(')?.0,
        None => {
            let (function, arity) = function.rsplit_once('/')?;
            arity
                .starts_with(|c: char| c.is_ascii_digit())
                .then_some(function)?
        }
    };
    let is_frame = !path.contains(' ');
    let path = format!("{path}{}", ending.trim_end_matches(':'));
    let function = function
        .strip_prefix("anonymous fn/")
        .map_or(function, |inner| {
            inner.split_once(" in ").map_or(inner, |(_, name)| name)
        });
    is_frame.then(|| Read::first(&path, Some(at), function))?
}
