//! From a method and a URL to a question. Pure: nothing is looked up, so every refusal can be tested natively.

use api::ErrorBody;
use api::answer::TOOLS;

use crate::query::{Params, shown};

mod read;
mod table;

pub use table::ROUTES;
use table::TOOL_ROUTES;

/// A request to one repository.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name of the repository, as in its key in the bucket without `.portolan`; none where the question needs no index.
    pub repository: Option<String>,
    /// The question.
    pub question: Question,
}

/// The questions that the Worker answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Is the Worker there.
    Health,
    /// The list of tools.
    Tools,
    /// Any tool by name, with its request as JSON.
    Tool {
        /// One of [`api::answer::TOOLS`].
        name: &'static str,
        /// The body of the HTTP request, or its parameters as the tool's fields.
        request: String,
        /// Whether the answer would be better with a vector of the query.
        wants_vector: bool,
    },
}

impl Question {
    /// The tool that answers it, which determines the sections that it reads.
    pub fn tool(&self) -> &'static str {
        match self {
            Self::Health | Self::Tools => "name",
            Self::Tool { name, .. } => name,
        }
    }

    /// Returns true if the answer would be better with a vector of the query.
    pub fn wants_vector(&self) -> bool {
        matches!(
            self,
            Self::Tool {
                wants_vector: true,
                ..
            }
        )
    }
}

/// Methods that are answered.
pub const METHODS: &str = "GET, HEAD, POST, OPTIONS";

/// Bytes of a request's body: a diff or some files fit in.
const LONGEST_BODY: usize = 1 << 20;

/// The call that a request makes. `target` is a URL or its part from the path on; `body` is what was posted;
/// `default_repository` is asked where the URL names none, and may be empty.
pub fn parse(
    method: &str,
    target: &str,
    body: &str,
    default_repository: &str,
) -> Result<Call, ErrorBody> {
    let (path, query) = split(target);
    let mut params = Params::parse(query);
    let question = match (method, path) {
        ("GET" | "HEAD", "/healthz") => {
            params.finish()?;
            return Ok(Call {
                repository: None,
                question: Question::Health,
            });
        }
        ("GET" | "HEAD", "/v1/tools") => {
            params.finish()?;
            return Ok(Call {
                repository: None,
                question: Question::Tools,
            });
        }
        ("GET" | "HEAD", path) => at(path, &mut params)?,
        ("POST", _) => tool(path, body)?,
        _ => {
            return Err(ErrorBody {
                code: "request.method".to_owned(),
                message: format!("{} is not answered", shown(method)),
                help: format!("methods: {METHODS}"),
            });
        }
    };
    let repository = Some(repository(&mut params, default_repository)?);
    params.finish()?;
    Ok(Call {
        repository,
        question,
    })
}

/// The tool that a path of the table asks, with its request.
fn at(path: &str, params: &mut Params) -> Result<Question, ErrorBody> {
    let routes: Vec<_> = TOOL_ROUTES
        .iter()
        .filter(|route| route.path == path)
        .copied()
        .collect();
    let first = *routes.first().ok_or_else(|| no_route(path))?;
    let (route, request) = read::read(&routes, first, params)?;
    // Words alone need no model.
    let is_lexical = request
        .get("mode")
        .is_some_and(|mode| mode == "lexical" || mode == "ast" || mode == "graph");
    Ok(Question::Tool {
        name: route.tool,
        request: serde_json::Value::Object(request).to_string(),
        wants_vector: api::answer::wants_vector(route.tool) && !is_lexical,
    })
}

/// The tool that a path names, with its request.
fn tool(path: &str, body: &str) -> Result<Question, ErrorBody> {
    let wanted = path.strip_prefix("/v1/").unwrap_or_default();
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == wanted) else {
        return Err(no_route(path));
    };
    if body.len() > LONGEST_BODY {
        return Err(ErrorBody {
            code: "request.too-large".to_owned(),
            message: format!("{} bytes of a request are too many", body.len()),
            help: format!("at most {LONGEST_BODY} bytes"),
        });
    }
    Ok(Question::Tool {
        name: tool.name,
        request: if body.trim().is_empty() { "{}" } else { body }.to_owned(),
        wants_vector: api::answer::wants_vector(tool.name),
    })
}

/// Returns path and query of a URL, without host and fragment.
fn split(target: &str) -> (&str, &str) {
    let target = target.split_once('#').map_or(target, |(before, _)| before);
    let target = match target.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['/', '?']) => {
            rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
        }
        _ => target,
    };
    target.split_once('?').unwrap_or((target, ""))
}

/// Names are parts of keys in a bucket: letters, digits, `.`, `_`, `-`, and `/` between parts.
fn repository(params: &mut Params, default: &str) -> Result<String, ErrorBody> {
    let name = params
        .one("repo")?
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| default.to_owned());
    let is_part = |part: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        !part.is_empty() && !part.starts_with('.') && part.chars().all(is_plain)
    };
    if name.len() <= 200 && name.split('/').all(is_part) {
        return Ok(name);
    }
    let message = match name.as_str() {
        "" => "repo: it is missing, and this Worker has no default repository".to_owned(),
        name => format!("repo: `{}` is not a name", shown(name)),
    };
    let help = "a name such as `fastapi` or `tiangolo/fastapi`: letters, digits, `.`, `_`, `-`, and `/` between parts".to_owned();
    Err(ErrorBody {
        code: "request.parameter".to_owned(),
        message,
        help,
    })
}

fn no_route(path: &str) -> ErrorBody {
    let list: Vec<_> = ROUTES
        .iter()
        .map(|(route, what)| format!("{route} ({what})"))
        .collect();
    ErrorBody {
        code: "request.route".to_owned(),
        message: format!("nothing is at {}", shown(path)),
        help: format!("routes: {}", list.join("; ")),
    }
}

#[cfg(test)]
mod tests;
