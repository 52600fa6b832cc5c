//! The command line: a name, operands, and options with their values.

use std::ffi::OsString;

use lexopt::Arg::{Long, Short, Value};
use portolan::{Error, ErrorBody};

/// Options without a value.
const FLAGS: [&str; 6] = ["help", "version", "full", "no-embeddings", "json", "quiet"];

/// A command with its arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    pub name: String,
    pub operands: Vec<String>,
    /// Names without dashes, as often as they were given; the value of a flag is empty.
    pub options: Vec<(String, String)>,
    pub wants_help: bool,
}

impl Command {
    /// Reads the arguments of the process, of which the first is its own name.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Failure> {
        let mut parser = lexopt::Parser::from_iter(arguments);
        let mut command = Self::default();
        while let Some(argument) = parser.next()? {
            let option = match argument {
                Value(value) => {
                    let value = text(value)?;
                    match command.name.as_str() {
                        "" => command.name = value,
                        _ => command.operands.push(value),
                    }
                    continue;
                }
                Short('o') => "output".to_owned(),
                Short('i') => "index".to_owned(),
                Short('n') => "limit".to_owned(),
                Short('h') => "help".to_owned(),
                Short('q') => "quiet".to_owned(),
                Long(name) => name.to_owned(),
                Short(_) => return Err(argument.unexpected().into()),
            };
            match option.as_str() {
                "help" => command.wants_help = true,
                "version" => command.name = "version".to_owned(),
                flag if FLAGS.contains(&flag) => command.options.push((option, String::new())),
                _ => {
                    let value = text(parser.value()?)?;
                    command.options.push((option, value));
                }
            }
        }
        if command.wants_help && matches!(command.name.as_str(), "" | "index") {
            command.name = "help".to_owned();
        }
        Ok(command)
    }

    /// Whether a flag was given.
    pub fn has(&self, flag: &str) -> bool {
        self.values(flag).next().is_some()
    }

    /// The value of an option; the last one where it was given several times.
    pub fn value(&self, option: &str) -> Option<&str> {
        self.values(option).last()
    }

    /// Every value of an option.
    pub fn values(&self, option: &str) -> impl Iterator<Item = &str> {
        let given = self.options.iter().filter(move |(name, _)| name == option);
        given.map(|(_, value)| value.as_str())
    }

    /// A whole number.
    pub fn number<T: std::str::FromStr>(&self, option: &str) -> Result<Option<T>, Failure> {
        let read = |value: &str| {
            let wrong = || Failure::usage(format!("--{option} expects a number, not \"{value}\""));
            value.parse().map_err(|_| wrong())
        };
        self.value(option).map(read).transpose()
    }

    /// Refuses options that are not among these.
    pub fn allow(&self, options: &[&str]) -> Result<(), Failure> {
        let strange = self
            .options
            .iter()
            .find(|(name, _)| !options.contains(&name.as_str()));
        match strange {
            Some((name, _)) => Err(Failure::usage(format!(
                "{}: it has no option --{name}",
                self.name
            ))),
            None => Ok(()),
        }
    }
}

fn text(value: OsString) -> Result<String, Failure> {
    let lossy = |value: OsString| format!("{} is not UTF-8", value.to_string_lossy());
    value
        .into_string()
        .map_err(|value| Failure::usage(lossy(value)))
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The engine, the system or a tool refuses: code, message, advice.
    Refused(ErrorBody),
}

impl Failure {
    pub fn usage(message: String) -> Self {
        Self::Usage(message)
    }

    pub fn refused(code: &str, message: String, help: &str) -> Self {
        Self::Refused(ErrorBody {
            code: code.to_owned(),
            message,
            help: help.to_owned(),
        })
    }

    /// Writes it to stderr; returns the exit code: 2 where the command line is wrong, else 1.
    pub fn tell(&self) -> i32 {
        match self {
            Self::Usage(message) => {
                eprintln!(
                    "portolan: {}\nTry `portolan --help`.",
                    message.escape_debug()
                );
                2
            }
            Self::Refused(ErrorBody {
                code,
                message,
                help,
            }) => {
                // Names of files can hold anything; a terminal is shown none of it.
                eprintln!("portolan: {} [{code}]", shown(message));
                if !help.is_empty() {
                    eprintln!("{}", shown(help));
                }
                1
            }
        }
    }
}

/// The text with control characters escaped.
fn shown(text: &str) -> String {
    let escape = |c: char| match c.is_control() && c != '\n' {
        true => c.escape_default().collect::<String>(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::refused(error.code(), error.to_string(), error.help())
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, Failure> {
        let words = ["portolan"].into_iter().chain(line.split_whitespace());
        Command::read(words.map(OsString::from))
    }

    #[test]
    fn operands_options_and_flags() {
        let command = read("callers add_tax --depth=2 -n 5 --paths a --paths b").expect("read");
        assert_eq!(command.name, "callers");
        assert_eq!(command.operands, ["add_tax"]);
        assert_eq!(command.value("depth"), Some("2"));
        assert_eq!(command.number::<u32>("limit").expect("a number"), Some(5));
        assert_eq!(command.values("paths").collect::<Vec<_>>(), ["a", "b"]);
        assert!(read("index . --full").expect("read").has("full"));
    }

    #[test]
    fn help_is_of_the_program_or_of_a_tool() {
        assert_eq!(read("--help").expect("read").name, "help");
        let tool = read("callers --help").expect("read");
        assert_eq!((tool.name.as_str(), tool.wants_help), ("callers", true));
    }

    #[test]
    fn wrong_lines_are_refused() {
        for line in ["index -x", "callers a --depth"] {
            assert!(matches!(read(line), Err(Failure::Usage(_))), "{line}");
        }
        let command = read("index --depht 3").expect("read");
        assert!(command.allow(&["full"]).is_err());
        let command = read("index --threads many").expect("read");
        assert!(command.number::<usize>("threads").is_err());
    }
}
