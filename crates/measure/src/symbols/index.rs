//! Reads a SCIP index: which definitions a compiler sees in each file, and what they are.
//!
//! Indexers say what a definition is in different ways: rust-analyzer by the field `kind`, scip-typescript by the first
//! word of the signature that it puts into the documentation, scip-python by the descriptor at the end of the symbol.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use prost::Message;

use super::proto;
use crate::flags::Failure;

/// Kind of a definition, in the compiler's words. Indexers that do not tell constants from variables say `Value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum What {
    Function,
    Method,
    Constructor,
    Class,
    Struct,
    Enum,
    Variant,
    Trait,
    Interface,
    TypeAlias,
    Value,
    Macro,
    /// A field or property: counted apart.
    Field,
    /// A parameter, type parameter, local variable, module or anonymous thing: not counted.
    Other,
}

/// One definition.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// 0-based line of its name.
    pub(crate) line: u32,
    /// As written in the source.
    pub(crate) name: String,
    pub(crate) what: What,
    pub(crate) symbol: String,
}

/// A compiler's index of one file.
#[derive(Debug, Default)]
pub(crate) struct FileIndex {
    pub(crate) definitions: Vec<Wanted>,
    /// Line and name of each place where symbols are mentioned → these symbols.
    pub(crate) mentions: HashMap<(u32, String), Vec<String>>,
}

/// An index with the name of what made it.
pub(crate) struct ScipIndex {
    pub(crate) tool: String,
    documents: Vec<proto::Document>,
}

impl ScipIndex {
    /// Reads `NAME.scip` or `NAME.scip.gz`.
    pub(crate) fn open(path: &Path) -> Result<ScipIndex, Failure> {
        let mut bytes = std::fs::read(path)?;
        if path.extension().is_some_and(|ending| ending == "gz") {
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked)?;
            bytes = unpacked;
        }
        let index = proto::Index::decode(bytes.as_slice())?;
        let tool = index.metadata.and_then(|metadata| metadata.tool);
        let tool = tool.map_or_else(String::new, |tool| {
            let version = tool
                .version
                .split(' ')
                .next()
                .unwrap_or_default()
                .to_owned();
            format!("{} {version}", tool.name)
        });
        Ok(ScipIndex {
            tool,
            documents: index.documents,
        })
    }

    /// The files that the index covers, each read against its text.
    pub(crate) fn files<'a>(
        &'a self,
        text_of: impl Fn(&str) -> Option<&'a str> + 'a,
    ) -> impl Iterator<Item = (&'a str, FileIndex)> + 'a {
        self.documents.iter().filter_map(move |document| {
            let text = text_of(&document.relative_path)?;
            Some((document.relative_path.as_str(), read(document, text)))
        })
    }
}

fn read(document: &proto::Document, text: &str) -> FileIndex {
    let lines: Vec<&str> = text.lines().collect();
    let is_bytes = document.position_encoding == 1;
    let described: HashMap<&str, &proto::SymbolInformation> = document
        .symbols
        .iter()
        .map(|symbol| (symbol.symbol.as_str(), symbol))
        .collect();
    let has_role = |occurrence: &&proto::Occurrence| occurrence.symbol_roles & 1 == 1;
    let mut defined: HashSet<&str> = document
        .occurrences
        .iter()
        .filter(has_role)
        .map(|occurrence| occurrence.symbol.as_str())
        .collect();
    let mut out = FileIndex::default();
    for occurrence in &document.occurrences {
        let Some((line, name)) = place(occurrence, &lines, is_bytes) else {
            continue;
        };
        // scip-typescript gives the name of a function expression no role: a local symbol that the file defines nowhere
        // is defined where it is first mentioned.
        let is_first =
            occurrence.symbol.starts_with("local ") && defined.insert(occurrence.symbol.as_str());
        if has_role(&occurrence) || is_first {
            out.definitions.push(Wanted {
                line,
                name: name.clone(),
                what: what(
                    &occurrence.symbol,
                    described.get(occurrence.symbol.as_str()),
                ),
                symbol: occurrence.symbol.clone(),
            });
        }
        let mentioned = out.mentions.entry((line, name)).or_default();
        mentioned.push(occurrence.symbol.clone());
    }
    out
}

/// Line and text of an occurrence. None for what is empty or spans lines: a module, not a name.
fn place(occurrence: &proto::Occurrence, lines: &[&str], is_bytes: bool) -> Option<(u32, String)> {
    let &[line, from, to] = occurrence.range.as_slice() else {
        return None;
    };
    let text = lines.get(usize::try_from(line).ok()?)?;
    let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
    let name = if is_bytes {
        text.get(from..to)?.to_owned()
    } else {
        let units: Vec<u16> = text.encode_utf16().collect();
        String::from_utf16_lossy(units.get(from..to)?)
    };
    let name = name.trim_matches(['"', '\'', '`']).trim_start_matches("r#");
    (!name.is_empty()).then(|| (u32::try_from(line).unwrap_or(0), name.to_owned()))
}

fn what(symbol: &str, described: Option<&&proto::SymbolInformation>) -> What {
    let is_local = symbol.starts_with("local ");
    if let Some(known) = described.and_then(|described| by_kind(described.kind)) {
        return known;
    }
    let signature = described
        .and_then(|described| described.documentation.first())
        .and_then(|text| text.strip_prefix("```ts\n"));
    if let Some(signature) = signature {
        return by_signature(signature, symbol);
    }
    if is_local {
        return What::Other;
    }
    by_descriptor(symbol)
}

/// `SymbolInformation.Kind` of scip.proto; none where the indexer leaves it out.
fn by_kind(kind: i32) -> Option<What> {
    Some(match kind {
        0 => return None,
        7 | 75 => What::Class,
        8 | 79 | 82 => What::Value,
        9 => What::Constructor,
        11 => What::Enum,
        12 => What::Variant,
        15 | 41 | 77 | 81 => What::Field,
        17 => What::Function,
        18 | 26 | 45 | 66..=71 | 74 | 76 | 80 => What::Method,
        21 | 42 => What::Interface,
        25 => What::Macro,
        49 | 59 => What::Struct,
        53 => What::Trait,
        3 | 54 | 55 => What::TypeAlias,
        // Parameters, local variables, modules, type parameters.
        _ => What::Other,
    })
}

/// `function f(…)`, `(method) f(…)`, `class C`, `var x: T`: how TypeScript's language service puts it.
fn by_signature(signature: &str, symbol: &str) -> What {
    let is_local = symbol.starts_with("local ");
    let starts = |word: &str| signature.starts_with(word);
    if starts("function ") {
        What::Function
    } else if starts("(method) ") || starts("get ") || starts("set ") {
        What::Method
    } else if starts("constructor") {
        What::Constructor
    } else if starts("class ") {
        What::Class
    } else if starts("interface ") {
        What::Interface
    } else if starts("enum ") {
        What::Enum
    } else if starts("(enum member) ") {
        What::Variant
    } else if starts("type ") && symbol.ends_with('.') {
        // A value that has the name of a type, too: described by the type.
        What::Value
    } else if starts("type ") {
        What::TypeAlias
    } else if starts("(property) ") && symbol.ends_with('.') {
        // Members of types; those of object literals end with a colon or are local.
        What::Field
    } else if starts("var ") && !is_local {
        What::Value
    } else {
        What::Other
    }
}

/// The last descriptor: `f().` a method or function, `C#` a type, `x.` a term, `m:` and `m/` modules, `(p)` a parameter.
fn by_descriptor(symbol: &str) -> What {
    let is_member = |rest: &str| rest.ends_with('#');
    let Some(rest) = symbol.strip_suffix('.') else {
        return if symbol.ends_with('#') {
            What::Class
        } else {
            What::Other
        };
    };
    if let Some(rest) = rest.strip_suffix(')') {
        let owner = rest.rsplit_once('(').map_or(rest, |(head, _)| head);
        let owner = owner.get(..owner.len() - last_name(owner).len());
        return if owner.is_some_and(is_member) {
            What::Method
        } else {
            What::Function
        };
    }
    let owner = rest
        .get(..rest.len() - last_name(rest).len())
        .unwrap_or(rest);
    if is_member(owner) {
        What::Field
    } else if owner.ends_with('/') {
        What::Value
    } else {
        What::Other
    }
}

/// The name at the end of a descriptor, backticks included where it has any.
fn last_name(text: &str) -> &str {
    if let Some(inner) = text.strip_suffix('`') {
        let start = inner.rfind('`').unwrap_or(0);
        return text.get(start..).unwrap_or(text);
    }
    let start = text
        .rfind(['/', '#', '.', ':', '(', ')', '[', ']', '!', '`', ' '])
        .map_or(0, |at| at + 1);
    text.get(start..).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_of_python() {
        let of = |rest: &str| what(&format!("scip-python python x 1 `a.b`/{rest}"), None);
        assert_eq!(of("f()."), What::Function);
        assert_eq!(of("f().inner()."), What::Function);
        assert_eq!(of("C#"), What::Class);
        assert_eq!(of("C#m()."), What::Method);
        assert_eq!(of("C#m().(self)"), What::Other);
        assert_eq!(of("C#x."), What::Field);
        assert_eq!(of("LIMIT."), What::Value);
        assert_eq!(of("__init__:"), What::Other);
        assert_eq!(what("local 3", None), What::Other);
    }

    #[test]
    fn names_are_read_by_the_units_of_the_index() {
        let occurrence = proto::Occurrence {
            range: vec![0, 5, 6],
            ..proto::Occurrence::default()
        };
        let lines = ["'🦀' x"];
        assert_eq!(place(&occurrence, &lines, false), Some((0, "x".to_owned())));
        assert_eq!(place(&occurrence, &lines, true), None);
    }
}
