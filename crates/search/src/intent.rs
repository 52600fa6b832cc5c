//! Reads the intent of a query, and the name that it is about: "who calls make_context", "struct User", "verify login".

use syntax::facts::SymbolKind;

use crate::plan::QueryKind;

/// Intent of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intent {
    /// The definition of a name.
    Symbol,
    /// The definition of something described ("where is … defined", "definition of", "class …").
    Definition,
    /// Uses of something ("who calls", "usages of").
    Callers,
    /// Tests ("tests of", "verify …").
    Test,
    /// The shape of data: schemas, models, migrations.
    Schema,
    /// An explanation of something.
    Conceptual,
}

impl Intent {
    /// One word, as hosts show it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Intent::Symbol => "symbol",
            Intent::Definition => "definition",
            Intent::Callers => "callers",
            Intent::Test => "test",
            Intent::Schema => "schema",
            Intent::Conceptual => "conceptual",
        }
    }
}

/// The name that a query is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// As written, perhaps qualified: `make_context`, `Router.add`, `$requests`.
    pub name: String,
    /// Kinds of definitions that it asks for, a bit each; 0 for any.
    pub kinds: u32,
    /// Whether it is certainly a name. A word of lower-case letters alone may as well be a word.
    pub is_sure: bool,
    /// Whether every use is asked for, not only calls.
    pub any_use: bool,
}

impl Subject {
    fn new(name: &str, kinds: u32) -> Option<Subject> {
        let name = bare_name(name)?;
        Some(Subject {
            name: name.to_owned(),
            kinds,
            is_sure: true,
            any_use: false,
        })
    }
}

/// Reads intent and subject.
pub(crate) fn read(query: &str, kind: QueryKind) -> (Intent, Option<Subject>) {
    let words: Vec<&str> = query
        .split_whitespace()
        .map(|word| word.trim_matches(['?', ',', ';', '!', '"', '\'', '`', '.', '“', '”']))
        .collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    if let [only] = &query.split_whitespace().collect::<Vec<_>>()[..] {
        return one_word(only.trim_matches('`'), kind);
    }
    let text = lower.join(" ");
    if let Some(subject) = used(&words, &lower) {
        return (Intent::Callers, subject);
    }
    if asks_for_tests(&text) {
        return (Intent::Test, None);
    }
    if let Some(subject) = defined(&words, &lower) {
        return (Intent::Definition, subject);
    }
    if let Some(subject) = shaped(&words, &lower) {
        return (Intent::Schema, subject);
    }
    (Intent::Conceptual, None)
}

fn one_word(word: &str, kind: QueryKind) -> (Intent, Option<Subject>) {
    let is_name = kind == QueryKind::Symbol;
    let subject = (!word.is_empty()).then(|| Subject {
        name: word.to_owned(),
        kinds: 0,
        is_sure: is_name,
        any_use: false,
    });
    let intent = match word.to_lowercase().as_str() {
        "tests" | "test" => Intent::Test,
        "schema" | "schemas" | "migration" | "migrations" => Intent::Schema,
        _ if is_name => Intent::Symbol,
        _ => Intent::Conceptual,
    };
    (intent, subject)
}

/// Returns true if tests are all that is asked for: "tests of the parser", "verify login".
pub(crate) fn is_about_tests(query: &str) -> bool {
    let text = query.to_lowercase();
    let starts = [
        "verify ",
        "verifies ",
        "unit test",
        "tests ",
        "test for ",
        "test of ",
    ];
    starts.iter().any(|start| text.starts_with(start))
}

fn asks_for_tests(text: &str) -> bool {
    contains_word(text, "test")
        || contains_word(text, "tests")
        || text.starts_with("verify ")
        || text.starts_with("verifies ")
}

/// Phrases that a use comes after, and whether every use counts.
const BEFORE_USED: &[(&[&str], bool)] = &[
    (&["who", "calls"], false),
    (&["what", "calls"], false),
    (&["which", "functions", "call"], false),
    (&["callers", "of"], false),
    (&["calls", "to"], false),
    (&["calls", "of"], false),
    (&["who", "uses"], true),
    (&["what", "uses"], true),
    (&["usages", "of"], true),
    (&["usage", "of"], true),
    (&["uses", "of"], true),
    (&["users", "of"], true),
    (&["references", "to"], true),
    (&["references", "of"], true),
];

/// Uses of something: "who calls X", "where is X used".
fn used(words: &[&str], lower: &[&str]) -> Option<Option<Subject>> {
    for (phrase, any_use) in BEFORE_USED {
        if let Some(at) = place_of(lower, phrase) {
            let subject = subject_of(words, lower, at + phrase.len(), words.len());
            return Some(subject.map(|subject| Subject {
                any_use: *any_use,
                ..subject
            }));
        }
    }
    let (first, last) = (lower.first()?, lower.last()?);
    let is_where = *first == "where" && matches!(lower.get(1), Some(&("is" | "are")));
    if is_where && matches!(*last, "used" | "called" | "referenced") {
        let subject = subject_of(words, lower, 2, words.len() - 1);
        return Some(subject.map(|subject| Subject {
            any_use: *last != "called",
            ..subject
        }));
    }
    place_of(lower, &["called", "from"]).map(|_| None)
}

/// A definition: "definition of X", "where is X defined", "class X".
fn defined(words: &[&str], lower: &[&str]) -> Option<Option<Subject>> {
    for phrase in [["definition", "of"], ["declaration", "of"]] {
        if let Some(at) = place_of(lower, &phrase) {
            return Some(subject_of(words, lower, at + 2, words.len()));
        }
    }
    let is_where = matches!(lower, ["where", "is" | "are", ..]);
    let ends = ["defined", "declared", "implemented"];
    let is_end = lower.last().is_some_and(|last| ends.contains(last));
    if is_where && is_end {
        return Some(subject_of(words, lower, 2, words.len() - 1));
    }
    if let Some(subject) = by_kind(words, lower) {
        return Some(Some(subject));
    }
    (is_where || lower.contains(&"defined")).then_some(None)
}

/// "class Context", "fn make_context", "Context class".
fn by_kind(words: &[&str], lower: &[&str]) -> Option<Subject> {
    let ([first, second], [kind, other]) = (words, lower) else {
        return None;
    };
    if let Some(kinds) = kinds_of(kind) {
        // "class hierarchy" asks for no class; "fn parse" can only mean a function.
        let is_keyword = matches!(*kind, "fn" | "func" | "def" | "fun" | "function" | "method");
        return Subject::new(second, kinds)
            .filter(|subject| is_keyword || is_written_like_a_name(&subject.name));
    }
    let kinds = kinds_of(other)?;
    Subject::new(first, kinds).filter(|subject| is_written_like_a_name(&subject.name))
}

/// The shape of data: "User model", "schema of the users table".
fn shaped(words: &[&str], lower: &[&str]) -> Option<Option<Subject>> {
    const SHAPES: [&str; 5] = ["model", "schema", "entity", "migration", "table"];
    if let ([name, _], [_, shape]) = (words, lower)
        && SHAPES.contains(shape)
    {
        return Some(Subject::new(name, TYPES).filter(|_| *shape != "migration"));
    }
    let has = |phrase: &[&str]| place_of(lower, phrase).is_some();
    let is_shape = has(&["schema"]) || has(&["migration"]) || has(&["database", "model"]);
    is_shape.then_some(None)
}

/// The one name in `words[from..to]`, articles and words for kinds left out; none where there are several.
fn subject_of(words: &[&str], lower: &[&str], from: usize, to: usize) -> Option<Subject> {
    let mut kinds = 0;
    let mut names = Vec::new();
    for (word, lower) in words.iter().zip(lower).take(to).skip(from) {
        match kinds_of(lower) {
            Some(bits) => kinds |= bits,
            None if matches!(*lower, "the" | "a" | "an" | "this" | "our") => {}
            None => names.push(*word),
        }
    }
    match names[..] {
        [name] => Subject::new(name, kinds),
        _ => None,
    }
}

/// Kinds that a type may have: what one language calls a class another calls a struct.
pub const TYPES: u32 = bit(SymbolKind::Class)
    | bit(SymbolKind::Struct)
    | bit(SymbolKind::Enum)
    | bit(SymbolKind::Trait)
    | bit(SymbolKind::Interface)
    | bit(SymbolKind::TypeAlias);

const fn bit(kind: SymbolKind) -> u32 {
    1 << kind as u32
}

/// The kinds that a word names, in lower case.
pub(crate) fn kinds_of(word: &str) -> Option<u32> {
    Some(match word {
        "class" | "struct" | "enum" | "trait" | "interface" | "protocol" | "type" | "record"
        | "typedef" | "object" => TYPES,
        "function" | "fn" | "func" | "def" | "fun" | "method" => {
            bit(SymbolKind::Function) | bit(SymbolKind::Method) | bit(SymbolKind::Constructor)
        }
        "const" | "constant" | "variable" | "var" => {
            bit(SymbolKind::Constant) | bit(SymbolKind::Variable) | bit(SymbolKind::Field)
        }
        "module" | "namespace" => bit(SymbolKind::Module),
        "macro" => bit(SymbolKind::Macro),
        _ => return None,
    })
}

/// The name at the start of a word: `Foo` of `Foo(Bar):`.
fn bare_name(word: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || "_$.:#@?!/\\->".contains(c);
    let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
    let name = word.get(..end)?.trim_end_matches(['.', ':', '/', '-', '>']);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || "_$@#".contains(c));
    (is_name && name.chars().any(char::is_alphanumeric)).then_some(name)
}

fn is_written_like_a_name(word: &str) -> bool {
    word.contains(|c: char| c.is_uppercase() || "_.:#$".contains(c))
}

fn place_of(words: &[&str], phrase: &[&str]) -> Option<usize> {
    words
        .windows(phrase.len())
        .position(|window| window == phrase)
}

/// Returns true if `text` contains `word` between word borders.
fn contains_word(text: &str, word: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        !is_word(text[..at].chars().next_back()) && !is_word(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use crate::plan::plan;

    /// Query, intent, subject.
    const SENTENCES: &[(&str, &str, &str)] = &[
        ("make_context", "symbol", "make_context"),
        ("Router.add", "symbol", "Router.add"),
        ("$requests", "conceptual", "$requests"),
        ("session", "conceptual", "session"),
        ("who calls make_context", "callers", "make_context"),
        ("who calls make_context?", "callers", "make_context"),
        ("what calls the function invoke()", "callers", "invoke"),
        ("callers of Context.invoke", "callers", "Context.invoke"),
        ("where is make_context used", "callers", "make_context"),
        ("where is make_context called", "callers", "make_context"),
        ("references to Config", "callers", "Config"),
        ("called from the worker", "callers", ""),
        ("definition of Context", "definition", "Context"),
        ("where is Context defined?", "definition", "Context"),
        (
            "where is the class Context defined",
            "definition",
            "Context",
        ),
        ("class Context", "definition", "Context"),
        ("Context class", "definition", "Context"),
        ("class Context(object):", "definition", "Context"),
        ("struct User", "definition", "User"),
        ("fn parse", "definition", "parse"),
        ("where is the session stored", "definition", ""),
        ("class hierarchy", "conceptual", ""),
        ("type inference", "conceptual", ""),
        ("verify login", "test", ""),
        ("unit tests of the parser", "test", ""),
        ("latest contest", "conceptual", ""),
        ("User model", "schema", "User"),
        ("users table", "schema", "users"),
        ("schema of the users table", "schema", ""),
        ("database model for orders", "schema", ""),
        ("how are routes matched", "conceptual", ""),
        ("how the model class is trained", "conceptual", ""),
    ];

    #[test]
    fn each_kind_of_sentence_is_read() {
        for (query, intent, subject) in SENTENCES {
            let plan = plan(query);
            let name = plan.subject.as_ref().map_or("", |subject| &subject.name);
            assert_eq!((plan.intent.name(), name), (*intent, *subject), "{query:?}");
        }
    }

    #[test]
    fn a_kind_and_every_use_are_read() {
        let subject = |query: &str| plan(query).subject.unwrap();
        assert_ne!(subject("class Context").kinds, 0);
        assert_eq!(subject("definition of Context").kinds, 0);
        assert!(subject("usages of Config").any_use);
        assert!(!subject("who calls run").any_use);
        assert!(!subject("session").is_sure);
    }
}
