//! Finds functions that are passed as arguments, and the calls that take them.
//!
//! References say where a name is, not whose argument it is: the calls shortly before it on its line take it, or those on
//! the lines before where its own has none.

use rustc_hash::FxHashSet;
use syntax::facts::{ReferenceForm, SymbolKind};

use super::effects::resolved_starts;
use super::words::{ITERATORS, registers};
use crate::frozen::NONE;
use crate::kinds::Reason;
use crate::layout::Layout;
use crate::resolution::RawUse;

/// Maximum number of references, and of lines, to look back from a name for the call that takes it as an argument.
const REFERENCES_BEFORE: usize = 8;
const LINES_BEFORE: u32 = 3;

/// How functions are passed as arguments.
#[derive(Debug, Default)]
pub(super) struct Passed {
    /// To a call that registers them: `app.get("/", show)`.
    pub registered: FxHashSet<u32>,
    /// To a method that calls them for each element of a list.
    pub iterated: FxHashSet<u32>,
    /// To a function of the repository, which calls them as a part of its own work.
    pub within: FxHashSet<u32>,
}

impl Passed {
    /// The functions that the product passes on. About O(uses).
    pub fn new(layout: &Layout<'_>, uses: &[Vec<RawUse>]) -> Self {
        let mut passed = Passed::default();
        let files = layout.files.iter().zip(&layout.is_aside).zip(uses);
        // Tests and examples register functions of the product as well, which makes them no more than used.
        for ((file, _), uses) in files.filter(|((_, is_aside), _)| !**is_aside) {
            let references = &file.facts.references;
            let mut resolved = None;
            for used in uses {
                let is_function = used.target != NONE
                    && used.form == ReferenceForm::Value
                    && used.reason != Reason::ImportStatement
                    && layout.symbol(used.target).is_some_and(|(_, symbol)| {
                        matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                    });
                if !is_function {
                    continue;
                }
                let past = references.partition_point(|other| other.span.start < used.span.start);
                let line = used.span.start_line;
                let before = references[..past].iter().rev().take(REFERENCES_BEFORE);
                let calls = before.filter(|other| other.form.is_call());
                // Behind a call on its own line a name belongs to that call, or to one around it on that line.
                let inline = calls.clone().find(|call| call.span.start_line == line);
                let n_lines = if inline.is_some() { 0 } else { LINES_BEFORE };
                for call in
                    calls.take_while(|call| call.span.start_line.saturating_add(n_lines) >= line)
                {
                    let is_method = call.form == ReferenceForm::MethodCall;
                    if registers(&call.name, is_method) {
                        passed.registered.insert(used.target);
                    }
                    if is_method && ITERATORS.contains(&call.name.as_str()) {
                        passed.iterated.insert(used.target);
                    }
                }
                if let Some(call) = inline {
                    let resolved =
                        resolved.get_or_insert_with(|| resolved_starts(uses, layout.end()));
                    if resolved.binary_search(&call.span.start).is_ok() {
                        passed.within.insert(used.target);
                    }
                }
            }
        }
        passed
    }

    /// Adds those of other files of the same layout.
    pub fn add(&mut self, other: Passed) {
        self.registered.extend(other.registered);
        self.iterated.extend(other.iterated);
        self.within.extend(other.within);
    }
}
