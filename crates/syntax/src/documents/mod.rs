//! Documents and configuration, read without a grammar: headings, tables and top-level keys become sections, and chunks
//! are cut at them. Other text has chunks only.

mod code_colours;
mod colours;
mod config;
mod css;
mod html;
mod markdown;
mod outline;
mod sql;
mod sql_tokens;

pub(crate) use colours::highlights;
pub(crate) use outline::Script;

use thin_vec::ThinVec;

use crate::Language;
use crate::chunk::{self, ChunkConfig};
use crate::facts::{FileFacts, Modifiers, Problem, ProblemKind, Rare, Span, Symbol, SymbolKind};
use crate::text::{Lines, folded};

/// More sections than this are left out: a lock file of 100,000 keys is data, not a table of contents.
const MAX_SECTIONS: usize = 5_000;

/// A heading or key.
pub(crate) struct Section {
    /// 0 for the outermost.
    pub(crate) depth: u32,
    /// Line it starts on.
    pub(crate) line: u32,
    /// Bytes of its name as written.
    pub(crate) name_start: u32,
    /// One past the name.
    pub(crate) name_end: u32,
    /// The name without quotes and markup.
    pub(crate) name: String,
}

/// The remaining work on a document whose symbols are known.
#[derive(Default)]
pub(crate) struct Rest {
    /// Lines at which chunks may begin.
    pub(crate) cuts: Vec<u32>,
    /// Parts in a language that has a grammar.
    pub(crate) scripts: Vec<Script>,
}

/// Reads a document: sections, and for those written in a language of their own what they define and use.
pub(crate) fn read(facts: &mut FileFacts, text: &str, lines: &Lines) -> Rest {
    let mut outline = match facts.language {
        Language::Html => html::read(text, lines),
        Language::Sql => sql::read(text),
        Language::Css => {
            let mut outline = outline::Outline::default();
            css::read(text, 0, text.len(), lines, &mut outline);
            outline
        }
        _ => {
            return Rest {
                cuts: read_sections(facts, text, lines),
                scripts: Vec::new(),
            };
        }
    };
    if outline.items.len() > MAX_SECTIONS {
        let from = outline.items.get(MAX_SECTIONS).map_or(0, |item| item.start);
        too_many(
            facts,
            outline.items.len(),
            lines.point(from as u32).row as u32,
            lines,
        );
        outline.items.truncate(MAX_SECTIONS);
    }
    let scripts = std::mem::take(&mut outline.scripts);
    Rest {
        cuts: outline.into_facts(facts, text, lines),
        scripts,
    }
}

/// Parts of a document in a language that has a grammar.
pub(crate) fn scripts(language: Language, text: &str, lines: &Lines) -> Vec<Script> {
    match language {
        Language::Html => html::read(text, lines).scripts,
        _ => Vec::new(),
    }
}

/// Cuts chunks where parts begin.
pub(crate) fn chunk(
    facts: &mut FileFacts,
    cuts: &[u32],
    text: &str,
    lines: &Lines,
    config: &ChunkConfig,
) {
    chunk::by_cuts(facts, cuts, lines, text, config);
}

fn too_many(facts: &mut FileFacts, n_found: usize, from: u32, lines: &Lines) {
    let message =
        format!("{n_found} sections; those after the first {MAX_SECTIONS} are only searched");
    facts.problems.push(Problem {
        kind: ProblemKind::Limit,
        span: lines.whole(from, lines.count()),
        message,
    });
}

fn read_sections(facts: &mut FileFacts, text: &str, lines: &Lines) -> Vec<u32> {
    let mut sections = match facts.language {
        Language::Markdown => markdown::sections(text, lines),
        Language::Toml => config::toml(text, lines),
        Language::Json => config::json(text, lines),
        Language::Yaml => config::yaml(text, lines),
        _ => Vec::new(),
    };
    if sections.len() > MAX_SECTIONS {
        let from = sections.get(MAX_SECTIONS).map_or(0, |section| section.line);
        too_many(facts, sections.len(), from, lines);
        sections.truncate(MAX_SECTIONS);
    }
    facts.symbols = symbols(&sections, text, lines);
    sections.iter().map(|section| section.line).collect()
}

/// Sections as symbols: each ends where the next one of its depth or above begins.
fn symbols(sections: &[Section], text: &str, lines: &Lines) -> Vec<Symbol> {
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut out: Vec<Symbol> = Vec::with_capacity(sections.len());
    for (index, section) in sections.iter().enumerate() {
        while open
            .last()
            .is_some_and(|&(depth, _)| depth >= section.depth)
        {
            open.pop();
        }
        let past = sections
            .iter()
            .skip(index + 1)
            .find(|next| next.depth <= section.depth)
            .map_or(lines.count(), |next| next.line);
        let span = trimmed(section, past.max(section.line + 1), text, lines);
        let line = text
            .get(lines.start(section.line) as usize..lines.start(section.line + 1) as usize)
            .unwrap_or_default();
        out.push(symbol(
            section,
            open.last().map(|&(_, parent)| parent as u32),
            span,
            line,
        ));
        open.push((section.depth, index));
    }
    out
}

/// The lines of a section without blank ones at its end.
fn trimmed(section: &Section, past: u32, text: &str, lines: &Lines) -> Span {
    let start = lines.start(section.line);
    let body = text
        .get(start as usize..lines.start(past) as usize)
        .unwrap_or_default()
        .trim_end();
    let end = start + body.len() as u32;
    let end_line = section.line + memchr::memchr_iter(b'\n', body.as_bytes()).count() as u32;
    Span {
        start,
        end,
        start_line: section.line,
        end_line,
    }
}

fn symbol(section: &Section, parent: Option<u32>, span: Span, line: &str) -> Symbol {
    Symbol {
        name: section.name.clone(),
        kind: SymbolKind::Section,
        parent,
        span,
        name_span: Span {
            start: section.name_start,
            end: section.name_end,
            start_line: section.line,
            end_line: section.line,
        },
        signature: folded(line, 300).into(),
        modifiers: Modifiers::EXPORTED.bits(),
        parameters: ThinVec::new(),
        type_text: Box::default(),
        ty: None,
        complexity: 0,
        rare: Rare::default(),
    }
}

/// The bytes of a part of the text that is a slice of it.
pub(crate) fn offset_in(text: &str, part: &str) -> u32 {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize) as u32
}
