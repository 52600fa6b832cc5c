//! The tools by name, with their arguments: `tools.json` is made from the table of tools and the types of requests.

use std::fmt::Write;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::arguments::{Command, Failure};

const TOOLS: &str = include_str!("tools.json");

/// Options of every tool that are not its own.
const OF_ALL: [&str; 2] = ["index", "json"];

/// A tool of the engine.
#[derive(Debug, Deserialize)]
pub(crate) struct Tool {
    pub name: String,
    about: String,
    /// Required fields of the request, in the order of the operands.
    operands: Vec<String>,
    fields: Vec<Field>,
}

/// A field of a tool's request.
#[derive(Debug, Deserialize)]
struct Field {
    name: String,
    #[serde(rename = "type")]
    kind: Kind,
    about: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    String,
    Number,
    Boolean,
    Array,
    Object,
}

fn all() -> Vec<Tool> {
    match serde_json::from_str(TOOLS) {
        Ok(tools) => tools,
        Err(error) => unreachable!("tools.json is checked by a test: {error}"),
    }
}

/// Returns the tool of this name.
pub(crate) fn named(name: &str) -> Option<Tool> {
    all().into_iter().find(|tool| tool.name == name)
}

/// One line a tool.
pub(crate) fn list() -> String {
    let line = |tool: Tool| format!("{:<24} {}\n", tool.name, tool.about);
    all().into_iter().map(line).collect()
}

/// The arguments of a tool.
pub(crate) fn help(tool: &Tool) -> String {
    let operands = tool.operands.join(" ").to_uppercase();
    let mut text = format!("portolan {} {operands}\n{}\n\n", tool.name, tool.about);
    for field in &tool.fields {
        let name = match tool.operands.contains(&field.name) {
            true => field.name.to_uppercase(),
            false => format!("--{}", field.name.replace('_', "-")),
        };
        let _ = writeln!(text, "  {name:<26} {}", field.about);
    }
    text
}

impl Tool {
    /// Returns the request that a command line means.
    pub fn request(&self, command: &Command) -> Result<Value, Failure> {
        let mut request = Map::new();
        let (given, wanted) = (command.operands.len(), self.operands.len());
        if given > wanted {
            let joined = command.operands.join(" ");
            let message = match wanted {
                0 => format!("{}: it takes no operand, not \"{joined}\"", self.name),
                _ => format!(
                    "{}: expects {}; put words in quotes",
                    self.name,
                    self.operands.join(" and ")
                ),
            };
            return Err(Failure::usage(message));
        }
        if let Some(missing) = self.operands.get(given) {
            return Err(Failure::usage(format!(
                "{}: {missing} is missing",
                self.name
            )));
        }
        for (name, value) in self.operands.iter().zip(&command.operands) {
            let value = self.value(name, value)?;
            request.insert(name.clone(), value);
        }
        for (option, value) in &command.options {
            if OF_ALL.contains(&option.as_str()) {
                continue;
            }
            let name = option.replace('-', "_");
            let value = self.value(&name, value)?;
            match (request.get_mut(&name), value) {
                (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
                (_, value) => {
                    request.insert(name, value);
                }
            }
        }
        Ok(Value::Object(request))
    }

    /// Reads the value of a field by its type.
    fn value(&self, name: &str, text: &str) -> Result<Value, Failure> {
        let Some(field) = self.fields.iter().find(|field| field.name == name) else {
            let option = name.replace('_', "-");
            return Err(Failure::usage(format!(
                "{}: it has no option --{option}",
                self.name
            )));
        };
        let wrong = |expected: &str| {
            Failure::usage(format!(
                "{}: {name} expects {expected}, not \"{text}\"",
                self.name
            ))
        };
        let read = || serde_json::from_str::<Value>(text).ok();
        match field.kind {
            Kind::String => Ok(Value::from(text)),
            Kind::Number => read()
                .filter(Value::is_number)
                .ok_or_else(|| wrong("a number")),
            Kind::Boolean => read()
                .filter(Value::is_boolean)
                .ok_or_else(|| wrong("true or false")),
            Kind::Object => read()
                .filter(Value::is_object)
                .ok_or_else(|| wrong("a JSON object")),
            Kind::Array => Ok(match read() {
                Some(list @ Value::Array(_)) => list,
                Some(object @ Value::Object(_)) => Value::from(vec![object]),
                _ => Value::from(vec![text]),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::api::answer;

    fn request(line: &str) -> Result<String, Failure> {
        let words = ["portolan"].into_iter().chain(line.split_whitespace());
        let command = Command::read(words.map(std::ffi::OsString::from)).expect("a command");
        let tool = named(&command.name).expect("a tool");
        tool.request(&command).map(|request| request.to_string())
    }

    #[test]
    fn the_engine_has_these_tools() {
        let mut names: Vec<_> = answer::TOOLS.iter().map(|tool| tool.name).collect();
        names.sort_unstable();
        let known: Vec<_> = all().into_iter().map(|tool| tool.name).collect();
        assert_eq!(known, names);
    }

    #[test]
    fn values_have_the_types_of_the_request() {
        let made = request("callers add_tax --depth 2 --min-confidence 0.5").expect("a request");
        assert_eq!(
            made,
            r#"{"depth":2,"min_confidence":0.5,"symbol":"add_tax"}"#
        );
        let made = request("regex 12 --paths src --paths !src/gen --ignore-case true");
        assert_eq!(
            made.expect("a request"),
            r#"{"ignore_case":true,"paths":["src","!src/gen"],"pattern":"12"}"#
        );
        let made = request("definition a.py 3 7 --index x.portolan").expect("a request");
        assert_eq!(made, r#"{"character":7,"line":3,"path":"a.py"}"#);
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for line in [
            "callers",
            "callers a b",
            "callers a --depth deep",
            "callers a --dept 2",
            "status now",
        ] {
            assert!(matches!(request(line), Err(Failure::Usage(_))), "{line}");
        }
    }
}
