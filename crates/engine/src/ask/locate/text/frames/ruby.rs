//! Ruby: ``lib/cart.rb:12:in `add'``, with `from` before, or a number: `3: from …`.

use super::{Read, number};

pub(super) fn read(line: &str) -> Option<Read> {
    let text = line.trim();
    let text = match number(text) {
        Some((_, rest)) => rest.strip_prefix(':').unwrap_or(text).trim_start(),
        None => text,
    };
    let text = text.strip_prefix("from ").unwrap_or(text);
    let end = text.find(".rb:")?;
    let path = &text[..end + 3];
    let (at, rest) = number(&text[end + 4..])?;
    let rest = rest.strip_prefix(":in ")?;
    let function = rest.trim_start_matches(['`', '\'']);
    let function = function.split('\'').next().unwrap_or(function);
    let function = function.strip_prefix("block in ").unwrap_or(function);
    let function = function.replace('#', ".");
    (!path.contains(' ')).then(|| Read::first(path, Some(at), &function))?
}
