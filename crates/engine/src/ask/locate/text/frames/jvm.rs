//! Java, Kotlin, Scala: `at org.shop.Cart.add(Cart.java:12)`, `at app//org.shop.Cart$Inner.lambda$add$0(Cart.java)`.

use super::Read;

/// Endings of the files that frames name.
const ENDINGS: &[&str] = &[".java", ".kt", ".kts", ".scala", ".groovy", ".clj"];

pub(super) fn read(line: &str) -> Option<Read> {
    let rest = line.trim().strip_prefix("at ")?;
    let (function, inner) = rest.split_once('(')?;
    let inner = inner.split(')').next()?;
    let (file, at) = match inner.split_once(':') {
        Some((file, at)) => (file, at.parse().ok()),
        None => (inner, None),
    };
    if !ENDINGS.iter().any(|ending| file.ends_with(ending)) || function.contains(' ') {
        return None;
    }
    // A loader or module comes before the class: `java.base/java.util.List.of`.
    let function = function.rsplit('/').next().unwrap_or(function);
    let (class, method) = function.rsplit_once('.')?;
    let method = method
        .split('$')
        .find(|part| !part.is_empty() && *part != "lambda")
        .unwrap_or(method);
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    let path = if package.is_empty() {
        file.to_owned()
    } else {
        format!("{}/{file}", package.replace('.', "/"))
    };
    let outer = class.split('$').next().unwrap_or(class);
    let function = format!("{}.{method}", outer.rsplit('.').next().unwrap_or(outer));
    Read::first(&path, at, &function)
}
