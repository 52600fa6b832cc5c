//! Python: `File "a.py", line 3, in add`; IPython: `File ~/a.py:3, in add(x)`, `~/a.py in add(x)`.

use super::{Read, number, place, without_arguments};

pub(super) fn read(line: &str) -> Option<Read> {
    let line = line.trim_start().trim_start_matches(['|', '+', '-', ' ']);
    if let Some(rest) = line.strip_prefix("File \"") {
        let (path, rest) = rest.split_once('"')?;
        let rest = rest.strip_prefix(", line ")?;
        let (at, rest) = number(rest)?;
        let function = rest.strip_prefix(", in ").unwrap_or_default();
        return Read::last(path, Some(at), function);
    }
    if let Some(rest) = line.strip_prefix("File ") {
        let (path, function) = rest.split_once(", in ")?;
        let (path, at) = place(path)?;
        return Read::last(path, Some(at), without_arguments(function));
    }
    // IPython before 8: `~/env/lib/a.py in add(x, y)`.
    let (path, function) = line.split_once(".py in ")?;
    let is_path = !path.contains(' ') && function.ends_with(')');
    let path = format!("{path}.py");
    is_path.then(|| Read::last(&path, None, without_arguments(function)))?
}
