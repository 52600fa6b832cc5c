//! From a method and a URL to a question. Pure: nothing is looked up, so every refusal can be tested natively.

use std::collections::BTreeMap;

use api::answer::TOOLS;
use api::{CallsRequest, ErrorBody, FindRequest, ReferencesRequest, SearchMode, SearchRequest};

use crate::query::{Params, shown};

/// A request to one repository.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name of the repository, as in its key in the bucket without `.portolan`; none where the question needs no index.
    pub repository: Option<String>,
    /// The question.
    pub question: Question,
}

/// The questions that the Worker answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Is the Worker there.
    Health,
    /// The list of tools.
    Tools,
    /// The contents of the index.
    Status,
    /// Code by words or meaning.
    Search(SearchRequest),
    /// The definitions of a name, each with how much it is used.
    Symbol(FindRequest),
    /// Uses of a symbol.
    References(ReferencesRequest),
    /// Callers of a symbol.
    Callers(CallsRequest),
    /// Whom it calls.
    Callees(CallsRequest),
    /// Any tool by name, with its request as JSON.
    Tool {
        /// One of [`api::answer::TOOLS`].
        name: &'static str,
        /// The body of the HTTP request.
        request: String,
    },
}

impl Question {
    /// The tool that answers it, by which it is known what it reads.
    pub fn tool(&self) -> &'static str {
        match self {
            Self::Health | Self::Tools => "name",
            Self::Status => "status",
            Self::Search(_) => "search",
            Self::Symbol(_) => "usages",
            Self::References(_) => "references",
            Self::Callers(_) => "callers",
            Self::Callees(_) => "callees",
            Self::Tool { name, .. } => name,
        }
    }

    /// Returns true if the answer would be better with a vector of the query.
    pub fn wants_vector(&self) -> bool {
        match self {
            Self::Search(request) => request.mode != SearchMode::Lexical,
            Self::Tool { name, .. } => api::answer::wants_vector(name),
            _ => false,
        }
    }
}

/// A question and the words for it, as the answer to an unknown path lists them.
pub const ROUTES: &[(&str, &str)] = &[
    ("GET /healthz", "is the Worker there"),
    ("GET /v1/status?repo=", "what is in the index"),
    (
        "GET /v1/search?q=&repo=&limit=&offset=&mode=&language=&path=&kind=&explain=&ungrouped=",
        "where is the code for …",
    ),
    (
        "GET /v1/symbol?name=&repo=&kind=&fuzzy=&limit=",
        "the definitions of a name, and how much each is used",
    ),
    (
        "GET /v1/symbol?name=&view=references&repo=&limit=&offset=",
        "who uses it",
    ),
    (
        "GET /v1/symbol?name=&view=callers&repo=&depth=&min_confidence=&limit=",
        "who calls it; view=callees: whom it calls",
    ),
    (
        "POST /v1/TOOL?repo=",
        "any tool, its request as JSON in the body; GET /v1/tools lists them",
    ),
    ("GET /v1/tools", "the tools, each with what it is for"),
];

/// Methods that are answered.
pub const METHODS: &str = "GET, HEAD, POST, OPTIONS";

const MOST_HITS: u32 = 200;
const MOST_SKIPPED: u32 = 10_000;
const MOST_ROWS: u32 = 1_000;
const MOST_STEPS: u32 = 10;
const LONGEST_QUERY: usize = 2_000;
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
        ("GET" | "HEAD", "/v1/status") => Question::Status,
        ("GET" | "HEAD", "/v1/search") => search(&mut params)?,
        ("GET" | "HEAD", "/v1/symbol") => symbol(&mut params)?,
        ("GET" | "HEAD", _) => return Err(no_route(path)),
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

fn search(params: &mut Params) -> Result<Question, ErrorBody> {
    let query = params.required("q", "words, a question or an identifier")?;
    if query.len() > LONGEST_QUERY {
        return Err(ErrorBody {
            code: "request.parameter".to_owned(),
            message: format!("q: {} bytes are too many", query.len()),
            help: format!("at most {LONGEST_QUERY} bytes"),
        });
    }
    Ok(Question::Search(SearchRequest {
        query,
        limit: params.number("limit", 1, MOST_HITS)?,
        offset: params.number("offset", 0, MOST_SKIPPED)?,
        mode: params.choice("mode", MODES)?.unwrap_or_default(),
        languages: params.list("language"),
        paths: params.all("path"),
        kinds: params.list("kind"),
        explain: params.flag("explain")?,
        ungrouped: params.flag("ungrouped")?,
        weights: BTreeMap::new(),
    }))
}

const MODES: &[(&str, SearchMode)] = &[
    ("auto", SearchMode::Auto),
    ("lexical", SearchMode::Lexical),
    ("vector", SearchMode::Vector),
    ("hybrid", SearchMode::Hybrid),
];

/// The requested view of a symbol.
#[derive(Clone, Copy)]
enum View {
    Definitions,
    References,
    Callers,
    Callees,
}

const VIEWS: &[(&str, View)] = &[
    ("definitions", View::Definitions),
    ("references", View::References),
    ("callers", View::Callers),
    ("callees", View::Callees),
];

fn symbol(params: &mut Params) -> Result<Question, ErrorBody> {
    let symbol = params.required(
        "name",
        "a name (`add`, `Router.add`, `src/router.ts#add`) or a place (`src/router.ts:40`)",
    )?;
    let limit = params.number("limit", 1, MOST_ROWS)?;
    match params.choice("view", VIEWS)?.unwrap_or(View::Definitions) {
        View::Definitions => {
            let fuzzy = params.choice(
                "fuzzy",
                &[("1", true), ("true", true), ("0", false), ("false", false)],
            )?;
            Ok(Question::Symbol(FindRequest {
                symbol,
                kind: params.one("kind")?,
                fuzzy,
                limit,
            }))
        }
        View::References => {
            let offset = params.number("offset", 0, MOST_SKIPPED)?;
            Ok(Question::References(ReferencesRequest {
                symbol,
                limit,
                offset,
            }))
        }
        View::Callers => Ok(Question::Callers(calls(symbol, limit, params)?)),
        View::Callees => Ok(Question::Callees(calls(symbol, limit, params)?)),
    }
}

fn calls(
    symbol: String,
    limit: Option<u32>,
    params: &mut Params,
) -> Result<CallsRequest, ErrorBody> {
    let depth = params.number("depth", 1, MOST_STEPS)?;
    let min_confidence = params.share("min_confidence")?;
    Ok(CallsRequest {
        symbol,
        depth,
        min_confidence,
        limit,
    })
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
