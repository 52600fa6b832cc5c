//! SQL of any dialect: what `CREATE` creates, columns of tables, parameters of functions, and the tables and functions that
//! statements use. A scan over words that knows strings, comments, dollar quotes and blocks; dialects differ in all else.

use super::outline::{Item, MAX_NAME, Outline};
use super::sql_tokens::{DOLLARS, Token, bracketed, is_keyword, parts, tokens};
use crate::facts::{Parameter, ReferenceForm, SymbolKind};
use crate::text::folded;

/// Reads a whole text.
pub(super) fn read(text: &str) -> Outline {
    let tokens = tokens(text);
    let mut out = Outline::default();
    let mut at = 0;
    while at < tokens.len() {
        let end = statement_end(&tokens, at);
        statement(text, tokens.get(at..end).unwrap_or_default(), &mut out);
        at = end + 1;
    }
    out
}

/// The index of what ends the statement that starts at `from`: a semicolon outside of brackets and blocks, or `GO`.
fn statement_end(tokens: &[Token], from: usize) -> usize {
    let (mut brackets, mut blocks, mut in_dollars) = (0_i32, 0_i32, false);
    let head = tokens.get(from..).unwrap_or_default().iter().take(12);
    let has_body = head
        .clone()
        .any(|token| token.is_any(&["function", "procedure", "proc", "trigger", "package"]));
    for (offset, token) in tokens.get(from..).unwrap_or_default().iter().enumerate() {
        let at = from + offset;
        let next = tokens.get(at + 1);
        match token.text {
            DOLLARS if !token.is_quoted => in_dollars = !in_dollars,
            _ if in_dollars => {}
            "(" if !token.is_quoted => brackets += 1,
            ")" if !token.is_quoted => brackets -= 1,
            ";" if !token.is_quoted && brackets <= 0 && blocks <= 0 => return at,
            _ if has_body && token.is_any(&["begin", "case"]) => blocks += 1,
            _ if has_body && token.is("end") => {
                let goes_on =
                    next.is_some_and(|next| next.is_any(&["if", "loop", "while", "repeat", "for"]));
                blocks -= i32::from(!goes_on);
            }
            _ if token.is("go") && blocks <= 0 && next.is_none_or(|next| next.is_any(&STARTS)) => {
                return at;
            }
            _ => {}
        }
    }
    tokens.len()
}

const STARTS: [&str; 12] = [
    "create", "alter", "drop", "insert", "update", "delete", "select", "set", "use", "exec", "if",
    "grant",
];

/// Words between `CREATE` and the kind of object.
const BEFORE_KIND: [&str; 22] = [
    "or",
    "replace",
    "alter",
    "temp",
    "temporary",
    "unlogged",
    "global",
    "local",
    "materialized",
    "recursive",
    "unique",
    "clustered",
    "nonclustered",
    "external",
    "foreign",
    "virtual",
    "definer",
    "aggregate",
    "constraint",
    "force",
    "editionable",
    "transient",
];

fn statement(text: &str, tokens: &[Token], out: &mut Outline) {
    let Some(first) = tokens.first() else {
        return;
    };
    let name = if first.is("create") {
        created(text, tokens, out)
    } else {
        None
    };
    uses(tokens, name, out);
}

/// Takes in what a statement creates; gives the index of its name.
fn created(text: &str, tokens: &[Token], out: &mut Outline) -> Option<usize> {
    let kind_at = tokens
        .iter()
        .skip(1)
        .take(12)
        .position(|token| kind_of(token).is_some())?
        + 1;
    let skipped = tokens.get(1..kind_at)?;
    let is_plain =
        |token: &Token| token.is_any(&BEFORE_KIND) || !token.is_name() || token.is_quoted;
    let has_definer = skipped.iter().any(|token| token.is("definer"));
    if !has_definer && !skipped.iter().all(is_plain) {
        return None;
    }
    let mut kind = kind_of(tokens.get(kind_at)?)?;
    let at = name_behind(tokens, kind_at);
    let name = tokens
        .get(at)
        .filter(|token| token.is_name() && !token.is("on"))?;
    let rest = tokens.get(at + 1..).unwrap_or_default();
    if kind == SymbolKind::Struct && rest.iter().take(3).any(|token| token.is("enum")) {
        kind = SymbolKind::Enum;
    }
    let first = tokens.first()?;
    let last = tokens.last()?;
    let mut item = Item::new(
        kind,
        folded(name.text, MAX_NAME),
        (name.at, name.end()),
        first.at,
    );
    item.end = last.end() + usize::from(last.is_quoted);
    let body = rest
        .iter()
        .position(|token| token.text == "(" || token.is_any(&["as", "begin"]));
    item.head_end = body
        .and_then(|at| rest.get(at))
        .map_or(item.end, |token| token.at);
    item.doc = comment_above(text, first.at);
    let list = rest
        .first()
        .filter(|token| token.text == "(")
        .map_or(&[][..], |_| bracketed(rest));
    match kind {
        SymbolKind::Function => {
            routine(text, &mut item, rest, list);
        }
        SymbolKind::Struct
            if tokens
                .get(kind_at)
                .is_some_and(|token| token.is_any(&["table", "type"])) =>
        {
            columns(text, list, out);
        }
        _ => {}
    }
    out.items.push(item);
    Some(at)
}

/// Index of the last part of the name behind a kind: `if not exists main.users`.
fn name_behind(tokens: &[Token], kind_at: usize) -> usize {
    let mut at = kind_at + 1;
    while tokens
        .get(at)
        .is_some_and(|token| token.is_any(&["if", "not", "exists", "body", "concurrently"]))
    {
        at += 1;
    }
    while tokens.get(at + 1).is_some_and(|dot| dot.text == ".") {
        at += 2;
    }
    at
}

/// Sets parameters and result of a function; `rest` are the tokens behind its name, `list` those in brackets.
fn routine(text: &str, item: &mut Item, rest: &[Token], list: &[Token]) {
    item.parameters = parameters(text, list);
    let result = rest
        .iter()
        .position(|token| token.is_any(&["returns", "return"]));
    item.type_text = result
        .and_then(|at| rest.get(at + 1))
        .filter(|token| token.is_name())
        .map(|token| token.text.to_owned())
        .unwrap_or_default();
    item.head_end = rest
        .get(list.len() + 1)
        .filter(|_| !list.is_empty())
        .map_or(item.head_end, Token::end);
}

fn kind_of(token: &Token) -> Option<SymbolKind> {
    if token.is_quoted {
        return None;
    }
    Some(match token.text.to_ascii_lowercase().as_str() {
        "table" | "view" | "type" => SymbolKind::Struct,
        "function" | "procedure" | "proc" | "trigger" | "macro" => SymbolKind::Function,
        "schema" | "database" | "package" => SymbolKind::Module,
        "domain" | "synonym" => SymbolKind::TypeAlias,
        "index" | "sequence" => SymbolKind::Variable,
        _ => return None,
    })
}

fn columns(text: &str, list: &[Token], out: &mut Outline) {
    let no_column = [
        "primary",
        "foreign",
        "unique",
        "constraint",
        "check",
        "key",
        "index",
        "exclude",
        "like",
        "period",
        "fulltext",
        "spatial",
    ];
    for part in parts(list) {
        let (Some(name), Some(last)) = (part.first(), part.last()) else {
            continue;
        };
        if !name.is_name() || name.is_any(&no_column) || part.len() < 2 {
            continue;
        }
        let mut item = Item::new(
            SymbolKind::Field,
            folded(name.text, MAX_NAME),
            (name.at, name.end()),
            name.at,
        );
        (item.end, item.head_end) = (last.end(), last.end());
        item.type_text = written_type(text, part.get(1..).unwrap_or_default());
        out.items.push(item);
    }
}

/// The words of a type, up to the first that says something else.
fn written_type(text: &str, tokens: &[Token]) -> String {
    let ends = [
        "not",
        "null",
        "default",
        "primary",
        "references",
        "unique",
        "check",
        "collate",
        "generated",
        "auto_increment",
        "autoincrement",
        "constraint",
        "comment",
        "identity",
        "on",
        "as",
        "encode",
        "key",
    ];
    let length = tokens
        .iter()
        .position(|token| token.is_any(&ends))
        .unwrap_or(tokens.len());
    match (
        tokens.first(),
        tokens.get(..length).and_then(<[Token]>::last),
    ) {
        (Some(first), Some(last)) => {
            folded(text.get(first.at..last.end()).unwrap_or_default(), 100)
        }
        _ => String::new(),
    }
}

fn parameters(text: &str, list: &[Token]) -> Vec<Parameter> {
    parts(list)
        .into_iter()
        .take(255)
        .filter_map(|part| {
            let modes = ["in", "out", "inout", "variadic"];
            let skip = part.iter().take_while(|token| token.is_any(&modes)).count();
            let part = part.get(skip..)?;
            let (name, rest) = part.split_first()?;
            let (name, rest) = if rest.is_empty() {
                ("", part)
            } else {
                (name.text, rest)
            };
            Some(Parameter {
                name: name.to_owned(),
                type_text: written_type(text, rest),
                ty: None,
            })
        })
        .collect()
}

/// Tables behind the words that say so, and functions before a bracket.
fn uses(tokens: &[Token], defined: Option<usize>, out: &mut Outline) {
    let before_table = [
        "from",
        "join",
        "into",
        "update",
        "references",
        "table",
        "using",
    ];
    let no_table = [
        "select", "set", "only", "lateral", "values", "if", "exists", "as", "not", "unnest", "on",
        "of", "or",
    ];
    // `CREATE INDEX a ON b`, `CREATE TRIGGER a BEFORE UPDATE ON b`.
    let has_target = tokens.first().is_some_and(|first| first.is("create"))
        && tokens
            .iter()
            .take(6)
            .any(|token| token.is_any(&["index", "trigger"]));
    for (at, token) in tokens.iter().enumerate() {
        let Some((next, next_at)) = tokens.get(at + 1).zip(Some(at + 1)) else {
            return;
        };
        let is_before = token.is_any(&before_table) || (has_target && token.is("on"));
        if is_before && next.is_name() && !next.is_any(&no_table) {
            let last = qualified(tokens, next_at);
            if let Some(name) = tokens.get(last).filter(|_| defined != Some(last)) {
                out.uses.push((ReferenceForm::Type, name.at, name.end()));
            }
        }
        let is_called =
            token.is_name() && next.text == "(" && !next.is_quoted && !is_keyword(token);
        let by_word = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| before.is_any(&["call", "exec", "execute", "perform"]));
        let is_named = by_word
            && token.is_name()
            && !token.is_any(&["function", "procedure", "immediate", "format"]);
        if (is_called || is_named) && defined != Some(at) && next.text != "." {
            out.uses.push((ReferenceForm::Call, token.at, token.end()));
        }
    }
}

/// The last name of `schema.table` that starts at `at`.
fn qualified(tokens: &[Token], at: usize) -> usize {
    let mut last = at;
    while tokens.get(last + 1).is_some_and(|dot| dot.text == ".")
        && tokens.get(last + 2).is_some_and(Token::is_name)
    {
        last += 2;
    }
    last
}

/// Comment lines directly above a statement.
fn comment_above(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let mut lines: Vec<&str> = Vec::new();
    for line in before.lines().rev().take(50) {
        let Some(inner) = line.trim().strip_prefix("--") else {
            break;
        };
        lines.push(inner.trim_start_matches('-').trim());
    }
    lines.reverse();
    crate::text::head(lines.join("\n").trim(), 2000).to_owned()
}
