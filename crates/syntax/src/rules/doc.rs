//! Doc strings without their marks.

/// A doc string without its quotes and common indentation.
pub(crate) fn clean_doc_string(text: &str) -> String {
    let inner = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let quotes = if inner.starts_with("\"\"\"") || inner.starts_with("'''") {
        3
    } else {
        1
    };
    let inner = inner
        .get(quotes..inner.len().saturating_sub(quotes))
        .unwrap_or_default();
    let indent = inner
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = inner
        .lines()
        .enumerate()
        .map(|(number, line)| {
            if number == 0 {
                line.trim()
            } else {
                line.get(indent.min(line.len())..)
                    .unwrap_or(line.trim())
                    .trim_end()
            }
        })
        .collect();
    cut_doc(&lines.join("\n"))
}

/// A comment without white space around it, cut at 2,000 bytes.
pub(crate) fn cut_doc(doc: &str) -> String {
    crate::text::head(doc.trim_matches(['\n', ' ', '\t']), 2000).to_owned()
}
