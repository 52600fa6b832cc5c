//! A route of the table, and how its parameters become the request of its tool.

use api::ErrorBody;
use serde_json::{Map, Value};

use crate::query::Params;

/// A path that asks a tool.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// The tool that answers.
    pub tool: &'static str,
    /// The path; routes that share one differ in a parameter of the kind [`Kind::View`].
    pub path: &'static str,
    /// The value of that parameter; empty where the path has one route.
    pub view: &'static str,
    /// The parameters, in the order in which they are read.
    pub parameters: &'static [Parameter],
}

/// A parameter of a route.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// In the URL.
    pub name: &'static str,
    /// The field of the tool's request.
    pub field: &'static str,
    /// The values that it takes.
    pub kind: Kind,
}

/// The values that a parameter takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A text that must be there: what to give, and the maximum number of bytes.
    Required(&'static str, usize),
    /// A text.
    Text,
    /// A whole number, from and to.
    Number(u32, u32),
    /// A number from 0 to 1.
    Share,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Texts, separated by commas or repeated.
    List,
    /// Texts, repeated.
    Repeated,
    /// True where it is there, unless it says `0` or `false`.
    Flag,
    /// True or false, where it is there.
    Either,
    /// Chooses among the routes of the path by their `view`; without it the first answers.
    View,
}

const EITHER: &[(&str, bool)] = &[("1", true), ("true", true), ("0", false), ("false", false)];

/// Reads the parameters of a path into the request of its tool; `routes` are those of one path.
pub fn read(
    routes: &[Route],
    mut route: Route,
    params: &mut Params,
) -> Result<(Route, Map<String, Value>), ErrorBody> {
    let mut request = Map::new();
    let mut at = 0;
    while let Some(parameter) = route.parameters.get(at) {
        at += 1;
        if let Kind::View = parameter.kind {
            let views: Vec<_> = routes.iter().map(|route| (route.view, *route)).collect();
            route = params.choice(parameter.name, &views)?.unwrap_or(route);
        } else if let Some(value) = value(parameter, params)? {
            request.insert(parameter.field.to_owned(), value);
        }
    }
    Ok((route, request))
}

/// Returns the value of a parameter as JSON; none where it is absent.
fn value(parameter: &Parameter, params: &mut Params) -> Result<Option<Value>, ErrorBody> {
    let name = parameter.name;
    Ok(match parameter.kind {
        Kind::Required(what, most) => {
            let text = params.required(name, what)?;
            if text.len() > most {
                return Err(ErrorBody {
                    code: "request.parameter".to_owned(),
                    message: format!("{name}: {} bytes are too many", text.len()),
                    help: format!("at most {most} bytes"),
                });
            }
            Some(text.into())
        }
        Kind::Text => params.one(name)?.map(Value::from),
        Kind::Number(least, most) => params.number(name, least, most)?.map(Value::from),
        Kind::Share => params.share(name)?.map(Value::from),
        Kind::Choice(words) => {
            let words: Vec<_> = words.iter().map(|word| (*word, *word)).collect();
            params.choice(name, &words)?.map(Value::from)
        }
        Kind::List => Some(params.list(name).into()),
        Kind::Repeated => Some(params.all(name).into()),
        Kind::Flag => Some(params.flag(name)?.into()),
        Kind::Either => params.choice(name, EITHER)?.map(Value::from),
        Kind::View => None,
    })
}
