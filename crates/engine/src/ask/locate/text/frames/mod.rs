//! Stack traces: each line is read by the form of its language, in linear time; frames of one trace are listed deepest first.

mod beam;
mod dart;
mod dotnet;
mod go;
mod jvm;
mod native;
mod php;
mod python;
mod ruby;
mod rust;
mod script;
mod swift;

use super::bounds::MAX_FRAMES;
use syntax::order::InOrder;

/// A place of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Frame {
    /// Path of its file as written; empty where the line names none.
    pub(crate) path: String,
    /// Its line, 1-based.
    pub(crate) line: Option<u32>,
    /// The function with what qualifies it, as written; empty where the line names none.
    pub(crate) function: String,
    /// The trace that it belongs to, from 0.
    pub(crate) trace: u32,
    /// Its distance from the deepest frame of that trace.
    pub(crate) depth: u32,
}

impl Frame {
    fn new(path: &str, line: Option<u32>, function: &str) -> Self {
        Self {
            path: path.trim().replace('\\', "/"),
            line,
            function: function.trim().to_owned(),
            ..Self::default()
        }
    }
}

/// Order of the frames in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    DeepestFirst,
    DeepestLast,
}

/// A line of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Read {
    frame: Frame,
    order: Order,
    /// Whether the line adds the file to the frame before, which has none.
    completes: bool,
}

impl Read {
    fn first(path: &str, line: Option<u32>, function: &str) -> Option<Self> {
        Self::of(path, line, function, Order::DeepestFirst, false)
    }

    fn last(path: &str, line: Option<u32>, function: &str) -> Option<Self> {
        Self::of(path, line, function, Order::DeepestLast, false)
    }

    fn completing(path: &str, line: Option<u32>) -> Option<Self> {
        Self::of(path, line, "", Order::DeepestFirst, true)
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "every reader of a line returns an option"
    )]
    fn of(
        path: &str,
        line: Option<u32>,
        function: &str,
        order: Order,
        completes: bool,
    ) -> Option<Self> {
        let frame = Frame::new(path, line, function);
        Some(Self {
            frame,
            order,
            completes,
        })
    }
}

/// Readers of a line, the strictest forms first.
const READERS: [fn(&str) -> Option<Read>; 12] = [
    python::read,
    dart::read,
    beam::read,
    php::read,
    native::read,
    swift::read,
    dotnet::read,
    jvm::read,
    rust::read,
    script::read,
    ruby::read,
    go::read,
];

/// Collects the frames of a text, line by line.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    all: Vec<Frame>,
    /// Where the trace begins that is being read, and its order.
    open: Option<(usize, Order)>,
    /// Lines since its last frame.
    n_between: usize,
    n_traces: u32,
}

/// Lines without a frame within one trace: the source that some languages print below each, and notes.
const MAX_BETWEEN: usize = 12;

impl Frames {
    /// Reads a line; returns true if it is a frame.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        let Some(read) = READERS.iter().find_map(|read| read(line)) else {
            self.n_between += 1;
            if self.n_between > MAX_BETWEEN || begins(line) {
                self.close();
            }
            return false;
        };
        if self.all.len() >= MAX_FRAMES {
            return true;
        }
        self.n_between = 0;
        if read.completes {
            return self.complete(read);
        }
        if self.open.is_some_and(|(_, order)| order != read.order) {
            self.close();
        }
        self.open.get_or_insert((self.all.len(), read.order));
        self.all.push(read.frame);
        true
    }

    /// Adds a file to the frame before; a frame of its own where that has one already.
    fn complete(&mut self, read: Read) -> bool {
        match self
            .all
            .last_mut()
            .filter(|last| self.open.is_some() && last.path.is_empty())
        {
            Some(last) => {
                last.path = read.frame.path;
                last.line = read.frame.line;
            }
            None => {
                self.open.get_or_insert((self.all.len(), read.order));
                self.all.push(read.frame);
            }
        }
        true
    }

    fn close(&mut self) {
        let Some((start, order)) = self.open.take() else {
            return;
        };
        let trace = self.all.get_mut(start..).unwrap_or_default();
        let n = trace.len();
        for (idx, frame) in trace.iter_mut().enumerate() {
            frame.trace = self.n_traces;
            frame.depth = match order {
                Order::DeepestFirst => idx,
                Order::DeepestLast => n - 1 - idx,
            } as u32;
        }
        self.n_traces += 1;
    }

    /// Returns all frames, trace by trace, the deepest of each first.
    pub(crate) fn finish(mut self) -> Vec<Frame> {
        self.close();
        self.all.order_by_key(|frame| (frame.trace, frame.depth));
        self.all
    }
}

/// Whether a line begins another trace.
fn begins(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "Traceback (most recent call last)",
        "During handling of the above",
        "The above exception was",
        "Caused by:",
        "goroutine ",
        "stack backtrace:",
        "[cause]:",
    ];
    let line = line.trim_start();
    STARTS.iter().any(|start| line.starts_with(start))
}

/// The digits at the start of a text as a number, and the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

/// Splits `path:12:5` and `path:12` at the line; the path may hold a drive's colon or a scheme.
fn place(text: &str) -> Option<(&str, u32)> {
    let text = text.trim().trim_end_matches(':');
    let (before, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match before.rsplit_once(':') {
        Some((path, line)) if !path.is_empty() => match line.parse() {
            Ok(line) => Some((path, line)),
            Err(_) => Some((before, last)),
        },
        _ => Some((before, last)),
    }
}

/// A function's name without its arguments: `add(a, b)` is `add`.
fn without_arguments(text: &str) -> &str {
    let end = text.rfind(')').and_then(|_| text.find('('));
    match end {
        // Go writes a receiver in brackets: `pkg.(*T).Add(0x1)`.
        Some(at) if text[at..].starts_with("(*") => {
            let close = text[at..]
                .find(')')
                .map_or(text.len(), |close| at + close + 1);
            let end = text[close..]
                .find('(')
                .map_or(text.len(), |open| close + open);
            &text[..end]
        }
        Some(at) => &text[..at],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a text and shows its frames as `trace.depth path:line function`.
    fn shown(text: &str) -> String {
        let mut frames = Frames::default();
        for line in text.lines() {
            frames.take(line);
        }
        let rows = frames.finish();
        let rows = rows.iter().map(|frame| {
            let line = frame.line.map_or(String::new(), |line| format!(":{line}"));
            format!(
                "{}.{} {}{line} {}",
                frame.trace, frame.depth, frame.path, frame.function
            )
        });
        let rows = rows.map(|row| row.trim_end().to_owned());
        rows.collect::<Vec<_>>().join("\n")
    }

    /// The fixture has a trace for each language, and below `=>` its frames.
    #[test]
    fn traces_of_every_language() {
        let cases = include_str!("cases.txt");
        let mut n_cases = 0;
        for case in cases.split("\n//- ").skip(1) {
            let (name, rest) = case.split_once('\n').unwrap();
            let (trace, expected) = rest.split_once("\n=>\n").unwrap();
            assert_eq!(shown(trace), expected.trim_end(), "{name}");
            n_cases += 1;
        }
        assert!(n_cases >= 14);
    }

    #[test]
    fn prose_has_no_frames() {
        for line in [
            "It fails at the second call (see below).",
            "at 12:30 the job stops",
            "see issue #12 in the list",
            "the value is 3:4",
            "from a import b",
            "in the file (main.c) there is",
            "1. open the page: it hangs",
            "File a bug",
            "https://example.org/a:12",
        ] {
            assert_eq!(shown(line), "", "{line}");
        }
    }

    #[test]
    fn the_number_of_frames_is_bounded() {
        let line = "  File \"a.py\", line 1, in f\n";
        let mut frames = Frames::default();
        for line in line.repeat(10_000).lines() {
            frames.take(line);
        }
        assert_eq!(frames.finish().len(), MAX_FRAMES);
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read(line in "[ #@()\"':.,/0-9a-zA-Zé<>*\\[\\]-]{0,60}") {
            let mut frames = Frames::default();
            frames.take(&line);
            frames.finish();
        }
    }
}
