//! Whether a tree is deeper than is read: nested brackets and long chains of calls make trees deep, so the deepest bracket
//! and the first link of the longest chain are looked at instead of every node.

use tree_sitter::Node;

use super::harvest::Harvest;

/// A place deeper than `max_depth`, if one of the likely ones is.
pub(crate) fn beyond(harvest: &Harvest, root: Node, source: &str, max_depth: u32) -> Option<usize> {
    let chain = harvest
        .references
        .iter()
        .filter_map(|raw| raw.receiver)
        .max_by_key(|(start, end)| end.saturating_sub(*start));
    let chain = chain
        .filter(|(start, end)| end - start > max_depth as usize)
        .map(|(start, _)| start);
    let (start, end) = (root.start_byte(), root.end_byte());
    let bracket = deepest_bracket(source.get(start..end).unwrap_or_default(), max_depth / 4)
        .map(|at| start + at);
    [chain, bracket]
        .into_iter()
        .flatten()
        .find(|&at| depth_at(root, at) > max_depth)
}

/// The innermost bracket, if brackets nest deeper than `at_least`. Strings are not told apart: the tree decides.
fn deepest_bracket(source: &str, at_least: u32) -> Option<usize> {
    let (mut depth, mut deepest, mut found) = (0_u32, at_least, None);
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > deepest {
                    (deepest, found) = (depth, Some(at));
                }
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

fn depth_at(root: Node, at: usize) -> u32 {
    let mut cursor = root.walk();
    while cursor.goto_first_child_for_byte(at).is_some() {}
    cursor.depth()
}
