//! Stack traces, resolved: frames of files that the index has, the deepest of each trace first.

use graph::NodeId;
use source::FileId;

use super::Locating;
use super::clues::Clue;
use super::text::{Frame, Name, Part};

/// Value of the deepest own frame, and the factor of each further one.
const DEEPEST: f32 = 0.9;
const FURTHER: f32 = 0.8;
/// Own frames of a trace that count.
const MAX_OWN: usize = 12;

impl Locating<'_> {
    /// Adds files and functions of the frames.
    pub(super) fn frames(&mut self) {
        let frames = std::mem::take(&mut self.read.frames);
        let mut own: Vec<(FileId, Option<NodeId>)> = Vec::new();
        let (mut trace, mut value) = (None, DEEPEST);
        for frame in &frames {
            if trace != Some(frame.trace) {
                (trace, value) = (Some(frame.trace), DEEPEST);
                own.clear();
            }
            let Some((file, symbol, sure)) = self.place_of(frame) else {
                continue;
            };
            if own.len() >= MAX_OWN || own.contains(&(file, symbol)) {
                continue;
            }
            let detail = match frame.line {
                Some(line) => format!("{}:{line}", self.reader.path(file)),
                None => self.reader.path(file).to_owned(),
            };
            self.found_frame(file, symbol, value * sure, &detail);
            own.push((file, symbol));
            value *= FURTHER;
        }
    }

    fn found_frame(&mut self, file: FileId, symbol: Option<NodeId>, value: f32, detail: &str) {
        // Many frames of one file are one reason.
        let of_file = self.evidence.files.entry(file).or_default();
        of_file.most(Clue::Frame, value, detail);
        if let Some(symbol) = symbol {
            self.evidence
                .symbols
                .entry(symbol)
                .or_default()
                .add(Clue::Frame, value, detail);
        }
    }

    /// The file and function of a frame, if the index has them.
    fn place_of(&self, frame: &Frame) -> Option<(FileId, Option<NodeId>, f32)> {
        if frame.path.is_empty() {
            let name = Name {
                text: frame.function.replace("::", "."),
                part: Part::Code,
            };
            let (symbol, sure) = self.definitions(&name).into_iter().next()?;
            let file = self.reader.graph().file_of(symbol)?;
            return (sure > 0.6).then_some((file, Some(symbol), sure));
        }
        let files = self.names.of_path(&frame.path);
        let with_function = files
            .iter()
            .find(|(file, _)| self.function_in(*file, frame).is_some());
        let &(file, sure) = with_function.or(files.first())?;
        Some((
            file,
            self.function_in(file, frame)
                .or_else(|| self.on_line(file, frame)),
            sure,
        ))
    }

    /// The definition in a file that has the frame's function name; of several the nearest to its line.
    fn function_in(&self, file: FileId, frame: &Frame) -> Option<NodeId> {
        let is_sign = |c: char| !(c.is_alphanumeric() || c == '_');
        let simple = frame
            .function
            .rsplit(is_sign)
            .find(|part| !part.is_empty())?;
        let graph = self.reader.graph();
        let same = graph
            .symbols_of(file)
            .filter(|node| graph.name(*node) == simple);
        let line = frame.line.unwrap_or(0).saturating_sub(1);
        same.min_by_key(|node| {
            let span = graph.node(*node).span;
            if (span.start_line..=span.end_line).contains(&line) {
                0
            } else {
                span.start_line.abs_diff(line)
            }
        })
    }

    fn on_line(&self, file: FileId, frame: &Frame) -> Option<NodeId> {
        self.reader
            .symbol_on_line(file, frame.line?.checked_sub(1)?)
    }
}
