//! Go: a line with the function, `shop/cart.(*Cart).Add(0xc000…)`, then one with the file, `\t/src/cart/cart.go:12 +0x1d`.

use super::{Read, place, without_arguments};

pub(super) fn read(line: &str) -> Option<Read> {
    let text = line.trim();
    let place_of = text.split(" +0x").next().unwrap_or(text);
    if let Some((path, at)) =
        place(place_of).filter(|(path, _)| path.ends_with(".go") && !path.contains(' '))
    {
        return Read::completing(path, Some(at));
    }
    let text = text.strip_prefix("created by ").unwrap_or(text);
    let text = text.split(" in goroutine ").next().unwrap_or(text);
    let arguments = text.rsplit_once('(')?.1.strip_suffix(')')?;
    let is_words = arguments.is_empty()
        || arguments.starts_with("0x")
        || arguments.starts_with("{0x")
        || arguments == "...";
    let function = without_arguments(text);
    let is_name = function.contains('.')
        && !function.contains([' ', '\'', '"', ':'])
        && !line.starts_with([' ', '\t']);
    let name = function.rsplit('/').next().unwrap_or(function);
    let name = name.split_once('.').map_or(name, |(_, name)| name);
    let name = name.replace(['(', ')', '*'], "");
    (is_words && is_name && !name.is_empty()).then(|| Read::first("", None, &name))?
}
