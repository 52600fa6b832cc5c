//! The language of a file.

mod detect;

use rkyv::{Archive, Deserialize, Serialize};

/// A language or document format. The numbers are stored in snapshots: append, never reorder.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Archive,
    Serialize,
    Deserialize,
)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash))]
#[repr(u8)]
pub enum Language {
    /// Text in no known language: chunked by blocks of lines.
    #[default]
    Text,
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// JavaScript and JSX.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Go.
    Go,
    /// Java.
    Java,
    /// C.
    C,
    /// C++.
    Cpp,
    /// Markdown.
    Markdown,
    /// TOML.
    Toml,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// C#.
    CSharp,
    /// PHP, with the HTML around it.
    Php,
    /// Kotlin.
    Kotlin,
    /// Swift.
    Swift,
    /// Scala, 2 and 3.
    Scala,
    /// Dart.
    Dart,
    /// Ruby.
    Ruby,
    /// Lua.
    Lua,
    /// Bash and other shells of its kind.
    Bash,
    /// Elixir.
    Elixir,
    /// Haskell.
    Haskell,
    /// Zig.
    Zig,
    /// HTML, its scripts and style sheets included.
    Html,
    /// CSS, SCSS and Less.
    Css,
    /// SQL of any dialect.
    Sql,
    /// The first language added by the user.
    User1 = 224,
    /// A language added by the user.
    User2,
    /// A language added by the user.
    User3,
    /// A language added by the user.
    User4,
    /// A language added by the user.
    User5,
    /// A language added by the user.
    User6,
    /// A language added by the user.
    User7,
    /// A language added by the user.
    User8,
    /// A language added by the user.
    User9,
    /// A language added by the user.
    User10,
    /// A language added by the user.
    User11,
    /// A language added by the user.
    User12,
    /// A language added by the user.
    User13,
    /// A language added by the user.
    User14,
    /// A language added by the user.
    User15,
    /// A language added by the user.
    User16,
}

impl Language {
    /// Languages added by the user: [`UserLanguages`](crate::UserLanguages) has their names. Their numbers have a range
    /// of their own, so that new built-in languages do not change them.
    pub const USER: [Language; 16] = [
        Language::User1,
        Language::User2,
        Language::User3,
        Language::User4,
        Language::User5,
        Language::User6,
        Language::User7,
        Language::User8,
        Language::User9,
        Language::User10,
        Language::User11,
        Language::User12,
        Language::User13,
        Language::User14,
        Language::User15,
        Language::User16,
    ];

    /// All languages but those of users, in the order of their numbers.
    pub const ALL: [Language; 29] = [
        Language::Text,
        Language::Rust,
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Tsx,
        Language::Go,
        Language::Java,
        Language::C,
        Language::Cpp,
        Language::Markdown,
        Language::Toml,
        Language::Json,
        Language::Yaml,
        Language::CSharp,
        Language::Php,
        Language::Kotlin,
        Language::Swift,
        Language::Scala,
        Language::Dart,
        Language::Ruby,
        Language::Lua,
        Language::Bash,
        Language::Elixir,
        Language::Haskell,
        Language::Zig,
        Language::Html,
        Language::Css,
        Language::Sql,
    ];

    /// The name used in requests, filters and answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Text => "text",
            Language::Rust => "rust",
            Language::Python => "python",
            Language::JavaScript => "javascript",
            Language::TypeScript => "typescript",
            Language::Tsx => "tsx",
            Language::Go => "go",
            Language::Java => "java",
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Markdown => "markdown",
            Language::Toml => "toml",
            Language::Json => "json",
            Language::Yaml => "yaml",
            Language::CSharp => "csharp",
            Language::Php => "php",
            Language::Kotlin => "kotlin",
            Language::Swift => "swift",
            Language::Scala => "scala",
            Language::Dart => "dart",
            Language::Ruby => "ruby",
            Language::Lua => "lua",
            Language::Bash => "bash",
            Language::Elixir => "elixir",
            Language::Haskell => "haskell",
            Language::Zig => "zig",
            Language::Html => "html",
            Language::Css => "css",
            Language::Sql => "sql",
            Language::User1 => "user-1",
            Language::User2 => "user-2",
            Language::User3 => "user-3",
            Language::User4 => "user-4",
            Language::User5 => "user-5",
            Language::User6 => "user-6",
            Language::User7 => "user-7",
            Language::User8 => "user-8",
            Language::User9 => "user-9",
            Language::User10 => "user-10",
            Language::User11 => "user-11",
            Language::User12 => "user-12",
            Language::User13 => "user-13",
            Language::User14 => "user-14",
            Language::User15 => "user-15",
            Language::User16 => "user-16",
        }
    }

    /// The language of a name as given by [`Language::name`], or of a dialect that is read as one of them (`jsx`, `jsonc`, `scss`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Language> {
        let by_name = Language::ALL
            .into_iter()
            .find(|language| language.name() == name);
        by_name.or_else(|| {
            Some(match name {
                "jsx" => Language::JavaScript,
                "jsonc" | "json5" => Language::Json,
                "scss" | "less" => Language::Css,
                "shell" | "sh" | "zsh" => Language::Bash,
                _ => return None,
            })
        })
    }

    /// The name of the grammar that reads the language (`tree-sitter-NAME.wasm`), if one is needed.
    #[must_use]
    pub fn grammar(self) -> Option<&'static str> {
        match self {
            Language::Text
            | Language::Markdown
            | Language::Toml
            | Language::Json
            | Language::Yaml
            | Language::Html
            | Language::Css
            | Language::Sql => None,
            code => Some(code.name()),
        }
    }

    /// The name of the grammar that structural search parses the language with. Documents have one, too: they are indexed without a
    /// tree, and parsed where a search names their language.
    #[must_use]
    pub fn tree_grammar(self) -> Option<&'static str> {
        match self {
            Language::Text => None,
            language => Some(language.name()),
        }
    }

    /// The grammar that reading a text needs: that of its language, or that of the scripts in a page.
    #[must_use]
    pub fn grammar_for(self, text: &str) -> Option<&'static str> {
        if self != Language::Html {
            return self.grammar();
        }
        let mut tags = text
            .match_indices("<script")
            .map(|(at, _)| text.get(at..).unwrap_or_default())
            .map(|rest| rest.split('>').next().unwrap_or_default());
        let mut has_script = false;
        let is_typed = tags.any(|tag| {
            has_script = true;
            ["lang=\"ts", "lang='ts", "typescript"]
                .iter()
                .any(|word| tag.contains(word))
        });
        match (is_typed, has_script) {
            (true, _) => Some("typescript"),
            (false, true) => Some("javascript"),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_numbers_are_stable() {
        for (number, language) in Language::ALL.into_iter().enumerate() {
            assert_eq!(Language::from_name(language.name()), Some(language));
            assert_eq!(language as usize, number);
        }
    }
}
