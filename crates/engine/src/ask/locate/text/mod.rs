//! Takes a text apart: title, prose, code, diffs, names, paths, messages, stack traces, versions and options.
//!
//! One pass over its lines, each in linear time; the bounds are in [`bounds`].

mod blocks;
mod boilerplate;
mod bounds;
mod clean;
mod code;
mod frames;
mod messages;
mod names;
mod paths;
mod settings;

use self::blocks::{Blocks, Kind};
use self::code::Code;
use self::frames::Frames;

pub(crate) use self::bounds::{MAX_PROSE, head_of_words};
pub(crate) use self::frames::Frame;
pub(crate) use self::messages::Message;
pub(crate) use self::names::{Name, Part};
pub(crate) use self::paths::PathMention;

/// A text, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ReadText {
    /// Its first line; empty for a pasted stack trace.
    pub(crate) title: String,
    /// Prose without boilerplate and markup.
    pub(crate) prose: String,
    /// Example code and changed lines.
    pub(crate) code: String,
    /// Output of programs, without frames.
    pub(crate) output: String,
    /// Frames, trace by trace, the deepest first.
    pub(crate) frames: Vec<Frame>,
    /// Messages of programs.
    pub(crate) messages: Vec<Message>,
    /// Files that are named.
    pub(crate) paths: Vec<PathMention>,
    /// Names in the form of code.
    pub(crate) names: Vec<Name>,
    /// Programs with their versions.
    pub(crate) versions: Vec<String>,
    /// Options of command lines.
    pub(crate) options: Vec<String>,
    /// Bytes that were not read: see [`bounds`].
    pub(crate) n_left_out: usize,
}

impl ReadText {
    /// Reads a text. Never fails; linear in its first 48 and last 16 KiB.
    pub(crate) fn new(text: &str) -> Self {
        let (first, last, n_left_out) = bounds::cut(text);
        let mut reading = Reading::default();
        for line in first.lines().chain(last.lines()) {
            reading.take(bounds::head(line, bounds::MAX_LINE));
        }
        let mut read = reading.finish();
        read.n_left_out = n_left_out;
        read
    }

    /// Title and prose as one text, bounded: the person's own words.
    pub(crate) fn spoken(&self) -> String {
        let whole = format!("{}\n{}", self.title, self.prose);
        head_of_words(whole.trim(), MAX_PROSE).to_owned()
    }
}

/// Whether a line only says that frames follow.
fn opens_trace(line: &str) -> bool {
    line.ends_with("trace:") || line.starts_with("goroutine ") && line.ends_with("]:")
}

/// A text that is being read.
#[derive(Default)]
struct Reading<'a> {
    read: ReadText,
    blocks: Blocks<'a>,
    frames: Frames,
    code: Code,
    /// Whether the line before was a frame, below which its source is printed.
    after_frame: bool,
    /// Whether the line before was the title.
    after_title: bool,
}

impl<'a> Reading<'a> {
    fn take(&mut self, line: &'a str) {
        let Some((kind, line)) = self.blocks.take(line) else {
            return;
        };
        if opens_trace(line) {
            return;
        }
        let was_frame = std::mem::replace(&mut self.after_frame, false);
        let may_trace = !matches!(kind, Kind::Heading | Kind::Setting);
        let is_title = kind == Kind::Title;
        let was_title = std::mem::replace(&mut self.after_title, is_title);
        if may_trace && self.frames.take(line) {
            self.after_frame = true;
            if was_title {
                self.drop_title_of_trace();
            }
            return;
        }
        // The source below a frame is in the file that the frame names.
        if was_frame && line.starts_with("    ") && kind != Kind::Prose {
            return;
        }
        let message = messages::of_line(line).filter(|_| may_trace && !is_title);
        if let Some(message) = message {
            self.message(message);
            push_line(&mut self.read.output, line, bounds::MAX_CODE);
            return;
        }
        match kind {
            Kind::Title => self.title(line),
            Kind::Heading | Kind::Prose => self.prose(line),
            Kind::Code => {
                self.code.take(line);
                self.places(line);
                push_line(&mut self.read.code, line, bounds::MAX_CODE);
            }
            Kind::Diff => self.diff(line),
            Kind::Output => {
                self.places(line);
                push_line(&mut self.read.output, line, bounds::MAX_CODE);
            }
            Kind::Setting => {}
        }
        self.settings(line);
    }

    /// An error right above its frames is the first line of a pasted trace: runtimes have the same words for every program.
    fn drop_title_of_trace(&mut self) {
        if self.read.messages.is_empty() && self.read.title.contains(' ') {
            return;
        }
        let title = std::mem::take(&mut self.read.title);
        self.read.names.clear();
        push_line(&mut self.read.output, &title, bounds::MAX_CODE);
    }

    fn title(&mut self, line: &str) {
        let line = bounds::head_of_words(line, bounds::MAX_TITLE);
        let clean = clean::clean(line);
        self.read.title = clean.text.trim().to_owned();
        self.read.names.extend(names::of_line(&clean.text, true));
        if let Some(message) = messages::of_line(&clean.text) {
            self.message(message);
        }
        self.read.messages.extend(messages::quoted(&clean.text));
        self.places(&clean.text);
    }

    fn prose(&mut self, line: &str) {
        let clean = clean::clean(line);
        for place in clean.places {
            self.place(place);
        }
        self.places(&clean.text);
        for name in names::of_line(&clean.text, false) {
            self.name(name);
        }
        for message in messages::quoted(&clean.text) {
            self.message(message);
        }
        push_line(&mut self.read.prose, clean.text.trim(), bounds::MAX_HEAD);
    }

    fn diff(&mut self, line: &str) {
        let path = line
            .strip_prefix("+++ b/")
            .or_else(|| line.strip_prefix("--- a/"));
        if let Some(path) = path {
            let path = path.split('\t').next().unwrap_or(path).to_owned();
            self.place(PathMention { path, line: None });
            return;
        }
        // Behind the numbers of a hunk is the definition around it.
        let around = line
            .strip_prefix("@@ ")
            .and_then(|rest| rest.split_once(" @@"))
            .map(|(_, around)| around);
        let changed = line.strip_prefix(['+', '-', ' ']);
        let Some(text) = around.or(changed) else {
            return;
        };
        for token in names::tokens(text).filter(|token| token.is_called) {
            self.name(Name {
                text: names::joined(token.text),
                part: if around.is_some() {
                    Part::Quoted
                } else {
                    Part::Output
                },
            });
        }
        push_line(&mut self.read.code, text, bounds::MAX_CODE);
    }

    fn places(&mut self, line: &str) {
        for place in paths::of_line(line) {
            self.place(place);
        }
    }

    fn place(&mut self, place: PathMention) {
        let paths = &mut self.read.paths;
        if paths.len() < bounds::MAX_PATHS && !paths.contains(&place) {
            paths.push(place);
        }
    }

    fn name(&mut self, name: Name) {
        let names = &mut self.read.names;
        if names.len() < bounds::MAX_NAMES && names::is_name(&name.text) && !names.contains(&name) {
            names.push(name);
        }
    }

    fn message(&mut self, message: Message) {
        if !message.error.is_empty() {
            let text = names::joined(&message.error);
            self.name(Name {
                text,
                part: Part::Output,
            });
        }
        let messages = &mut self.read.messages;
        let is_new =
            !message.text.is_empty() && messages.iter().all(|known| known.text != message.text);
        if messages.len() < bounds::MAX_MESSAGES && is_new {
            messages.push(message);
        }
    }

    fn settings(&mut self, line: &str) {
        let add = |all: &mut Vec<String>, one: String| {
            if all.len() < bounds::MAX_SETTINGS && !all.contains(&one) {
                all.push(one);
            }
        };
        if let Some(version) = settings::version(line) {
            add(&mut self.read.versions, version);
        }
        for option in settings::options(line) {
            add(&mut self.read.options, option.to_owned());
        }
    }

    fn finish(mut self) -> ReadText {
        for name in std::mem::take(&mut self.code).finish() {
            self.name(name);
        }
        self.read.frames = self.frames.finish();
        self.read
    }
}

/// Adds a line while there is room.
fn push_line(to: &mut String, line: &str, most: usize) {
    if to.len() + line.len() < most && !line.is_empty() {
        to.push_str(line);
        to.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
Cart.add loses the tea
### Checklist
- [x] I have searched
### Describe the bug
After `Cart.add` the total in src/shop/cart.py:12 is wrong with --dry-run.
```python
from shop import Cart
cart = Cart()
cart.add('tea')
```
```
Traceback (most recent call last):
  File \"src/shop/tax.py\", line 4, in rate
    return RATES[item]
TaxError: no rate for item tea
```
### Environment
Python 3.12.1
";

    #[test]
    fn a_report_is_read_for_what_it_is() {
        let read = ReadText::new(REPORT);
        assert_eq!(read.title, "Cart.add loses the tea");
        assert!(
            read.prose.starts_with("After `Cart.add` the total")
                && !read.prose.contains("searched")
        );
        assert_eq!(read.frames.len(), 1);
        assert_eq!(
            (read.frames[0].path.as_str(), read.frames[0].line),
            ("src/shop/tax.py", Some(4))
        );
        assert_eq!(read.messages[0].text, "no rate for item tea");
        assert_eq!(read.paths[0].path, "src/shop/cart.py");
        let names: Vec<&str> = read.names.iter().map(|name| name.text.as_str()).collect();
        assert!(
            names.contains(&"shop.Cart.add")
                && names.contains(&"TaxError")
                && names.contains(&"Cart.add")
        );
        assert_eq!(
            (read.versions.as_slice(), read.options.as_slice()),
            (
                &["Python 3.12.1".to_owned()][..],
                &["--dry-run".to_owned()][..]
            )
        );
        assert!(
            !read.output.contains("RATES"),
            "the source below a frame says what the frame says"
        );
    }

    #[test]
    fn an_error_right_above_its_frames_is_no_title() {
        let frame = "    at Cart.add (/srv/shop/cart.js:12:3)\n";
        let title = |text: &str| ReadText::new(&format!("{text}{frame}")).title;
        assert_eq!(title("TypeError: x is not a function\n"), "");
        for error in [
            "java.lang.NullPointerException",
            "Exception in thread \"main\" java.lang.IllegalStateException: no rate for tea",
            "Unhandled exception. System.NullReferenceException: no rate for tea",
            "panic: runtime error: index out of range\n\ngoroutine 1 [running]:",
            "Uncaught TypeError: x is not a function",
            "** (KeyError) key :tea not found",
        ] {
            assert_eq!(title(&format!("{error}\n")), "", "{error}");
        }
        assert_eq!(
            title("Crash while tea is added\n"),
            "Crash while tea is added"
        );
        assert_eq!(
            title("TypeError: the tea is gone\n\nIt crashes:\n"),
            "TypeError: the tea is gone"
        );
        let read = ReadText::new(&format!("TypeError: the tea is gone\n{frame}"));
        assert_eq!((read.messages.len(), read.frames.len()), (1, 1));
    }

    #[test]
    fn nothing_is_lost_of_an_empty_text() {
        assert_eq!(ReadText::new(""), ReadText::default());
        assert_eq!(ReadText::new("\n\n```\n"), ReadText::default());
    }

    #[test]
    fn a_long_text_is_cut_at_the_same_places() {
        let text = format!(
            "Title\n{}Error: the end of it all is here\n",
            "line of a log\n".repeat(100_000)
        );
        let read = ReadText::new(&text);
        assert!(read.n_left_out > 1_000_000);
        assert_eq!(
            read.messages.last().map(|message| message.text.as_str()),
            Some("the end of it all is here")
        );
        assert_eq!(read, ReadText::new(&text));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "[ \n#`~>|@()\"':.,/0-9a-zA-Zé<>*\\[\\]+-]{0,200}") {
            let read = ReadText::new(&text);
            proptest::prop_assert!(read.title.len() <= bounds::MAX_TITLE);
        }
    }
}
