//! What the edits do to the texts, as a unified diff that `git apply` and `patch` take.

use similar::TextDiff;

use super::{FileEdits, TextEdit};
use crate::{Error, Reader};

impl Reader {
    /// The diff of all files, of the edits that are applied.
    pub(super) fn diff_of(&self, files: &[FileEdits]) -> Result<String, Error> {
        let mut diff = String::new();
        for file in files {
            let before = self.text(file.file)?;
            let after = edited(before, &file.edits);
            if after != before {
                diff.push_str(&unified(self.path(file.file), before, &after));
            }
        }
        Ok(diff)
    }
}

/// The text after the edits that are applied.
pub(crate) fn edited(text: &str, edits: &[TextEdit]) -> String {
    let mut after = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.iter().filter(|edit| edit.is_applied) {
        let (start, end) = (edit.start as usize, edit.end as usize);
        if start < at {
            continue;
        }
        after.push_str(text.get(at..start).unwrap_or_default());
        after.push_str(&edit.new_text);
        at = end;
    }
    after.push_str(text.get(at..).unwrap_or_default());
    after
}

/// A unified diff with three lines of context.
pub(crate) fn unified(path: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}
