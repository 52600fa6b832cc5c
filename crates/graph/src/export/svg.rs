//! A layered drawing as SVG: boxes from left to right, each with the name and the place of a node.
//!
//! The text goes into pages as it is, so everything from the repository is escaped, and characters that hide or reorder
//! text are shown by their numbers. There are no styles, scripts or ids in it: colours are `currentColor`, so that a page
//! gives its own, and its strict policy for contents holds.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::drawing::{BOX_HEIGHT, draw};
use crate::kinds::{EdgeKind, NodeId, NodeKind};
use crate::labels::label;
use crate::view::{Edge, GraphView};
use crate::walk::Subgraph;

/// Longer names are cut; the title has them whole.
const MAX_NAME: usize = 40;
/// Width of a character of 12 and of 10 pixels, of the widest usual monospaced fonts.
const NAME_WIDTH: usize = 75;
const PLACE_WIDTH: usize = 62;
const PADDING: i32 = 20;
const MIN_WIDTH: i32 = 70;

/// A box of the drawing.
struct Card {
    name: String,
    place: String,
    width: i32,
}

/// An arrow with all relations between two nodes.
struct Arrow<'a> {
    ends: (u32, u32),
    edges: Vec<&'a Edge>,
}

pub(super) fn write(
    view: GraphView<'_>,
    name: &str,
    piece: &Subgraph,
    link: Option<&str>,
) -> String {
    let cards: Vec<Card> = piece.nodes.iter().map(|node| card(view, *node)).collect();
    let arrows = arrows(piece);
    let widths: Vec<i32> = cards.iter().map(|card| card.width).collect();
    let ends: Vec<(u32, u32)> = arrows.iter().map(|arrow| arrow.ends).collect();
    let drawing = draw(&widths, &ends);
    let (width, height) = (drawing.width, drawing.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" fill=\"none\" stroke=\"currentColor\" font-size=\"12\" \
         font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\">\n<title>",
    );
    escape(name, &mut svg);
    let _ = writeln!(
        svg,
        ": {} nodes, {} relationships</title>",
        piece.nodes.len(),
        piece.edges.len()
    );
    for (arrow, route) in arrows.iter().zip(&drawing.routes) {
        if arrow.ends.0 == arrow.ends.1 {
            let (left, middle) = drawing.boxes[arrow.ends.0 as usize];
            let right = left + widths[arrow.ends.0 as usize];
            write_arrow(view, arrow, &around(right, middle), &mut svg);
        } else {
            write_arrow(view, arrow, route, &mut svg);
        }
    }
    for ((node, card), place) in piece.nodes.iter().zip(&cards).zip(&drawing.boxes) {
        write_card(view, *node, card, *place, link, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The relations of each pair of nodes as one arrow, in the order of the piece.
fn arrows(piece: &Subgraph) -> Vec<Arrow<'_>> {
    let place = |node: NodeId| piece.nodes.binary_search(&node).ok().map(|at| at as u32);
    let mut arrows: Vec<Arrow<'_>> = Vec::new();
    let mut known: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for edge in &piece.edges {
        let (Some(source), Some(target)) = (place(edge.source), place(edge.target)) else {
            continue;
        };
        let ends = (source, target);
        let at = *known.entry(ends).or_insert(arrows.len());
        match arrows.get_mut(at) {
            Some(arrow) => arrow.edges.push(edge),
            None => arrows.push(Arrow {
                ends,
                edges: vec![edge],
            }),
        }
    }
    arrows
}

fn card(view: GraphView<'_>, id: NodeId) -> Card {
    let node = view.node(id);
    let whole = match node.kind {
        NodeKind::Symbol => view.qualified_name(id),
        _ => node.name.to_owned(),
    };
    let place = match (node.kind, node.file) {
        (NodeKind::Symbol, Some(file)) => {
            let path = view.path(file);
            let file = path.rsplit('/').next().unwrap_or(path);
            format!(
                "{}:{}",
                short(file),
                node.name_span.start_line.saturating_add(1)
            )
        }
        _ => label(view, id).to_lowercase(),
    };
    let name = short(&whole);
    let text = (columns(&name) * NAME_WIDTH).max(columns(&place) * PLACE_WIDTH) / 10;
    Card {
        width: (text as i32 + PADDING).max(MIN_WIDTH),
        name,
        place,
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Columns of a monospaced font that a text takes: letters of East Asia take two, hidden characters their number.
fn columns(text: &str) -> usize {
    let columns = |c: char| match c {
        c if is_hidden(c) => 8,
        '\0'..'\u{1100}' | '\u{2010}'..'\u{2e80}' => 1,
        _ => 2,
    };
    text.chars().map(columns).sum()
}

fn write_card(
    view: GraphView<'_>,
    id: NodeId,
    card: &Card,
    (left, middle): (i32, i32),
    link: Option<&str>,
    svg: &mut String,
) {
    let node = view.node(id);
    let path = match (node.kind, node.file) {
        (NodeKind::Folder, _) => view.path_of(id),
        (_, Some(file)) => view.path(file),
        _ => "",
    };
    let line = node.name_span.start_line.saturating_add(1);
    let href = link.filter(|_| node.file.is_some());
    svg.push_str(if href.is_some() { "<a" } else { "<g" });
    if let Some(link) = href {
        svg.push_str(" href=\"");
        escape(&filled(link, path, line), svg);
        svg.push('"');
    }
    let _ = write!(
        svg,
        " data-node=\"{}\" data-kind=\"{}\"",
        id.0,
        label(view, id)
    );
    if !path.is_empty() {
        svg.push_str(" data-path=\"");
        escape(path, svg);
        let _ = write!(svg, "\" data-line=\"{line}\"");
    }
    svg.push_str("><title>");
    escape(&view.qualified_name(id), svg);
    if !path.is_empty() && node.kind == NodeKind::Symbol {
        svg.push_str(" in ");
        escape(path, svg);
        let _ = write!(svg, ":{line}");
    }
    let (top, text) = (middle - BOX_HEIGHT / 2, left + PADDING / 2);
    let _ = write!(
        svg,
        "</title><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{BOX_HEIGHT}\" rx=\"6\" stroke-opacity=\".5\" \
         fill=\"currentColor\" fill-opacity=\".06\"/><text x=\"{text}\" y=\"{}\" stroke=\"none\" \
         fill=\"currentColor\">",
        card.width,
        middle - 3
    );
    escape(&card.name, svg);
    let _ = write!(
        svg,
        "</text><text x=\"{text}\" y=\"{}\" stroke=\"none\" fill=\"currentColor\" fill-opacity=\".75\" \
         font-size=\"10\">",
        middle + 12
    );
    escape(&card.place, svg);
    svg.push_str("</text>");
    svg.push_str(if href.is_some() { "</a>\n" } else { "</g>\n" });
}

/// A loop beside a box, for a function that calls itself.
fn around(right: i32, middle: i32) -> [(i32, i32); 4] {
    let (out, low, high) = (right + 14, middle + 9, middle - 9);
    [(right, low), (out, low), (out, high), (right, high)]
}

/// Draws the line, dashed where nothing is called, and a tip at its end; the title says which relations it is.
fn write_arrow(view: GraphView<'_>, arrow: &Arrow<'_>, route: &[(i32, i32)], svg: &mut String) {
    let (Some(start), Some(&(x, y))) = (route.first(), route.last()) else {
        return;
    };
    let is_call = arrow.edges.iter().any(|edge| edge.kind == EdgeKind::Calls);
    let confidence = arrow.edges.iter().map(|edge| edge.confidence).max();
    let opacity = 30 + u32::from(confidence.unwrap_or(100).min(100)) / 2;
    let _ = write!(svg, "<g stroke-opacity=\".{opacity}\"><title>");
    for (at, edge) in arrow.edges.iter().enumerate() {
        if at > 0 {
            svg.push_str("; ");
        } else {
            escape(view.name(edge.source), svg);
            svg.push_str(" → ");
            escape(view.name(edge.target), svg);
            svg.push_str(": ");
        }
        let _ = write!(
            svg,
            "{}, {} %, {}",
            edge.kind,
            edge.confidence,
            edge.reason.name()
        );
    }
    let _ = write!(svg, "</title><path d=\"M{} {}", start.0, start.1);
    for pair in route.windows(2) {
        let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
        if y == to_y || x == to_x {
            let _ = write!(svg, "L{to_x} {to_y}");
        } else {
            let half = i32::midpoint(x, to_x);
            let _ = write!(svg, "C{half} {y} {half} {to_y} {to_x} {to_y}");
        }
    }
    svg.push('"');
    if !is_call {
        svg.push_str(" stroke-dasharray=\"5 4\"");
    }
    // Every line arrives horizontally: from the right if it is drawn backwards.
    let before = route.len().checked_sub(2).and_then(|at| route.get(at));
    let back = before.map_or(-7, |before| if before.0 > x { 7 } else { -7 });
    let _ = writeln!(
        svg,
        "/><path d=\"M{x} {y}l{back} -4v8Z\" fill=\"currentColor\" stroke=\"none\"/></g>"
    );
}

/// Fills a template of links. A path is encoded byte by byte, so that nothing in it ends the address or starts a query.
fn filled(link: &str, path: &str, line: u32) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    link.replace("{line}", &line.to_string())
        .replace("{path}", &encoded)
}

/// Whether a character is a control, or hides or reorders the text around it.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
}

fn escape(text: &str, svg: &mut String) {
    for c in text.chars() {
        match c {
            '&' => svg.push_str("&amp;"),
            '<' => svg.push_str("&lt;"),
            '>' => svg.push_str("&gt;"),
            '"' => svg.push_str("&quot;"),
            '\'' => svg.push_str("&#39;"),
            c if is_hidden(c) => drop(write!(svg, "\\u{{{:X}}}", c as u32)),
            c => svg.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_a_repository_is_markup() {
        let mut text = String::new();
        escape("<script>\"&'\u{202e}gpj.\n", &mut text);
        assert_eq!(text, "&lt;script&gt;&quot;&amp;&#39;\\u{202E}gpj.\\u{A}");
    }

    #[test]
    fn a_path_stays_a_path_in_a_link() {
        let link = filled("#/f/{path}?L={line}", "a b/{line}?x#\"é.ts", 7);
        assert_eq!(link, "#/f/a%20b/%7Bline%7D%3Fx%23%22%C3%A9.ts?L=7");
    }

    #[test]
    fn wide_and_hidden_letters_take_room() {
        assert_eq!(columns("aé→"), 3);
        assert_eq!(columns("関数"), 4);
        assert_eq!(columns("\u{202e}"), 8);
    }
}
