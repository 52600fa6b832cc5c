//! PHP: `#0 /src/Cart.php(12): Shop\Cart->add(1)`; `… in /src/Cart.php on line 12`, `… in /src/Cart.php:12`.

use super::{Read, number, without_arguments};

pub(super) fn read(line: &str) -> Option<Read> {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix('#') {
        let (_, rest) = number(rest)?;
        let (path, rest) = rest.trim_start().split_once(".php(")?;
        let (at, rest) = number(rest)?;
        let function = rest.strip_prefix("): ").unwrap_or_default();
        let path = format!("{path}.php");
        return Read::first(&path, Some(at), &function_name(function));
    }
    let (_, rest) = text.split_once(" in ")?;
    let (path, rest) = rest.rsplit_once(".php")?;
    let path = path.rsplit(' ').next().unwrap_or(path);
    let rest = rest
        .strip_prefix(" on line ")
        .or_else(|| rest.strip_prefix(':'))?;
    let (at, _) = number(rest)?;
    Read::first(&format!("{path}.php"), Some(at), "")
}

/// `Shop\Cart->add(1)` is `Cart.add`.
fn function_name(function: &str) -> String {
    let function = without_arguments(function);
    let function = function.rsplit('\\').next().unwrap_or(function);
    function.replace("->", ".").replace("::", ".")
}
