//! Maps changed lines of a file to symbols: each line to the innermost definition around it.

use std::ops::{Range, RangeInclusive};

use graph::NodeId;
use rustc_hash::FxHashMap;
use source::FileId;

use super::{FilePatch, Hunk, IndexSide, Sign};
use crate::Reader;
use syntax::order::InOrder;

/// Kind of change of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The symbol is new.
    Added,
    /// Lines of its own changed.
    Modified,
    /// The symbol was deleted.
    Deleted,
}

/// A symbol with changed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedSymbol {
    /// The symbol.
    pub node: NodeId,
    /// Kind of its change.
    pub change: ChangeKind,
    /// Whether lines up to its name changed: code that uses it may have to change, too.
    pub touches_declaration: bool,
    /// Number of its own lines that changed, in the version of the index.
    pub n_lines: u32,
}

/// A change, in line numbers of the index.
enum Touch {
    /// This line was deleted or added.
    Line(u32),
    /// Lines of the other version belong between this line and the one before.
    Gap(u32),
}

impl Reader {
    /// Finds the symbols that a patch touches, and which version of the file the index holds.
    pub(super) fn touched(
        &self,
        file: FileId,
        patch: &FilePatch,
    ) -> (IndexSide, Vec<ChangedSymbol>) {
        let text = self.text(file).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        // Both sides fit where a diff has no context; then the side with more lines wins.
        let side = match [Sign::Deleted, Sign::Added].map(|side| fits(&lines, patch, side)) {
            [Some(old), Some(new)] if new > old => IndexSide::New,
            [None, Some(_)] => IndexSide::New,
            [Some(_), _] => IndexSide::Old,
            [None, None] => IndexSide::Stale,
        };
        let own_sign = if side == IndexSide::New {
            Sign::Added
        } else {
            Sign::Deleted
        };
        let touches: Vec<Touch> = (patch.hunks.iter())
            .flat_map(|hunk| touches(hunk, own_sign))
            .collect();
        let owners = self.owners(file, asked_lines(&touches));
        let mut changed: FxHashMap<NodeId, ChangedSymbol> = FxHashMap::default();
        let mut gone_or_new = Vec::new();
        for touch in touches {
            let (owner, line) = match touch {
                Touch::Line(line) => {
                    gone_or_new.push(line);
                    (owners.of(line), line)
                }
                Touch::Gap(line) => (self.around_gap(&owners, line), line),
            };
            let Some(node) = owner else { continue };
            let entry = changed.entry(node).or_insert(ChangedSymbol {
                node,
                change: ChangeKind::Modified,
                touches_declaration: false,
                n_lines: 0,
            });
            entry.n_lines += 1;
            let known = self.graph().node(node);
            entry.touches_declaration |= matches!(touch, Touch::Line(_))
                && (known.span.start_line..=known.name_span.start_line).contains(&line);
        }
        gone_or_new.sort_unstable();
        gone_or_new.dedup();
        let mut symbols: Vec<ChangedSymbol> = changed.into_values().collect();
        symbols.order_by_key(|symbol| symbol.node);
        for symbol in &mut symbols {
            symbol.change = self.change_of(symbol.node, &gone_or_new, patch, own_sign);
        }
        (side, symbols)
    }

    /// A symbol is deleted (or added) if all its lines are among `gone_or_new`, which is sorted, and its name is not on the
    /// other side.
    fn change_of(
        &self,
        node: NodeId,
        gone_or_new: &[u32],
        patch: &FilePatch,
        own_sign: Sign,
    ) -> ChangeKind {
        let known = self.graph().node(node);
        let span = known.span.start_line..=known.span.end_line;
        let n_marked = places_of(gone_or_new, &span).len();
        let is_whole = n_marked > 0 && n_marked as u64 == u64::from(span.end() - span.start()) + 1;
        let is_elsewhere = || {
            let other = patch
                .hunks
                .iter()
                .flat_map(|hunk| &hunk.lines)
                .filter(|(sign, _)| *sign != own_sign && *sign != Sign::Context);
            other
                .into_iter()
                .any(|(_, text)| has_word(text, known.name))
        };
        match own_sign {
            _ if !is_whole || is_elsewhere() => ChangeKind::Modified,
            Sign::Added => ChangeKind::Added,
            _ => ChangeKind::Deleted,
        }
    }

    /// The innermost definition that covers each of `lines`, which are sorted.
    fn owners(&self, file: FileId, lines: Vec<u32>) -> Owners {
        let mut of_lines = vec![None; lines.len()];
        // Outer definitions come first, so inner ones overwrite them.
        for id in self.graph().symbols_of(file) {
            let span = self.graph().node(id).span;
            let covered = places_of(&lines, &(span.start_line..=span.end_line));
            if let Some(covered) = of_lines.get_mut(covered) {
                covered.fill(Some(id));
            }
        }
        Owners { lines, of_lines }
    }

    /// The innermost definition that covers both lines of a gap.
    fn around_gap(&self, owners: &Owners, line: u32) -> Option<NodeId> {
        let graph = self.graph();
        let mut current = owners.of(line.checked_sub(1)?);
        while let Some(id) = current {
            if graph.node(id).span.end_line >= line {
                return Some(id);
            }
            current = graph
                .parent(id)
                .filter(|parent| *parent < id && self.is_symbol(*parent));
        }
        None
    }
}

/// The innermost definition of some lines. Only of those: how many lines a file has is a number that somebody else may have
/// written.
struct Owners {
    /// Sorted.
    lines: Vec<u32>,
    of_lines: Vec<Option<NodeId>>,
}

impl Owners {
    fn of(&self, line: u32) -> Option<NodeId> {
        let place = self.lines.binary_search(&line).ok()?;
        self.of_lines.get(place).copied().flatten()
    }
}

/// The lines whose definitions are asked for, sorted: those that were touched, and the ones before gaps.
fn asked_lines(touches: &[Touch]) -> Vec<u32> {
    let mut lines: Vec<u32> = (touches.iter())
        .map(|touch| match touch {
            Touch::Line(line) => *line,
            Touch::Gap(line) => line.saturating_sub(1),
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Where the lines of a span are among `lines`, which are sorted.
fn places_of(lines: &[u32], span: &RangeInclusive<u32>) -> Range<usize> {
    let from = lines.partition_point(|line| line < span.start());
    let to = lines.partition_point(|line| line <= span.end());
    from..to.max(from)
}

/// A line without a carriage return at its end.
fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Number of lines on one side of a patch; `None` if they are not where the patch says.
fn fits(lines: &[&str], patch: &FilePatch, side: Sign) -> Option<usize> {
    let mut n_lines = 0;
    for hunk in &patch.hunks {
        let start = match side {
            Sign::Added => hunk.new_start,
            _ => hunk.old_start,
        } as usize;
        let wanted: Vec<&str> = (hunk.lines.iter())
            .filter(|(sign, _)| *sign == side || *sign == Sign::Context)
            .map(|(_, text)| text.as_str())
            .collect();
        let found = lines.get(start..start.checked_add(wanted.len())?)?;
        if !found.iter().zip(&wanted).all(|(a, b)| bare(a) == bare(b)) {
            return None;
        }
        n_lines += wanted.len();
    }
    Some(n_lines)
}

/// Changes of a hunk, in line numbers of the side of `own_sign`.
fn touches(hunk: &Hunk, own_sign: Sign) -> Vec<Touch> {
    let mut line = if own_sign == Sign::Added {
        hunk.new_start
    } else {
        hunk.old_start
    };
    let mut touches = Vec::new();
    // A replaced piece is reported by its own lines; only lines that exist on the other side alone leave a gap.
    let (mut n_own, mut n_other, mut start) = (0, 0, line);
    let mut close = |n_own: &mut u32, n_other: &mut u32, start: u32| {
        if *n_own == 0 && *n_other > 0 {
            touches.push(Touch::Gap(start));
        }
        touches.extend((start..start.saturating_add(*n_own)).map(Touch::Line));
        (*n_own, *n_other) = (0, 0);
    };
    for (sign, _) in &hunk.lines {
        if *sign == Sign::Context {
            close(&mut n_own, &mut n_other, start);
            line = line.saturating_add(1);
            start = line;
        } else if *sign == own_sign {
            n_own += 1;
            line = line.saturating_add(1);
        } else {
            n_other += 1;
        }
    }
    close(&mut n_own, &mut n_other, start);
    touches
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text
                .get(at + word.len()..)
                .and_then(|text| text.chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}
