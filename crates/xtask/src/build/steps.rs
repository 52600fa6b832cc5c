//! The progress of a build: one line an artifact, with what is left.

use std::sync::{Mutex, PoisonError};

use crate::shell::say;

/// Artifacts in the order of making.
pub struct Steps {
    names: Vec<String>,
    n_begun: Mutex<usize>,
}

impl Steps {
    /// Steps called `names`.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self {
            names: names.into_iter().collect(),
            n_begun: Mutex::new(0),
        }
    }

    /// Says that the next step begins.
    pub fn next(&self) {
        let mut n_begun = self.n_begun.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = line(&self.names, *n_begun) {
            say(&line);
        }
        *n_begun += 1;
    }
}

fn line(names: &[String], n: usize) -> Option<String> {
    let name = names.get(n)?;
    let left = names.get(n + 1..).unwrap_or_default().join(", ");
    let then = match left.is_empty() {
        true => String::new(),
        false => format!(" then {left}"),
    };
    Some(format!("{} of {}: {name} …{then}", n + 1, names.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_left() {
        let names = ["engine.wasm", "pkg", "www"].map(str::to_owned);
        let said = |n| line(&names, n);
        assert_eq!(
            said(0).as_deref(),
            Some("1 of 3: engine.wasm … then pkg, www")
        );
        assert_eq!(said(2).as_deref(), Some("3 of 3: www …"));
        assert_eq!(said(3), None);
    }
}
