//! Parses written receivers and types, in the same way for every language. Knows no names and no files.

mod expr;
mod tokens;
mod type_text;
mod words;

pub(crate) use expr::{Chain, Head, Step, parse_chain};
pub(crate) use type_text::{TypeExpr, parse_type};
