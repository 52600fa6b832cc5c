//! Which language a file is written in.

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
    /// A language that the user brought, the first.
    User1 = 224,
    /// A language that the user brought.
    User2,
    /// A language that the user brought.
    User3,
    /// A language that the user brought.
    User4,
    /// A language that the user brought.
    User5,
    /// A language that the user brought.
    User6,
    /// A language that the user brought.
    User7,
    /// A language that the user brought.
    User8,
    /// A language that the user brought.
    User9,
    /// A language that the user brought.
    User10,
    /// A language that the user brought.
    User11,
    /// A language that the user brought.
    User12,
    /// A language that the user brought.
    User13,
    /// A language that the user brought.
    User14,
    /// A language that the user brought.
    User15,
    /// A language that the user brought.
    User16,
}

impl Language {
    /// Languages that a user brings: what they are called stands in [`UserLanguages`](crate::UserLanguages). Their numbers stand
    /// apart, so that new languages leave them as they are.
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

    /// The language of a file by its name, else by the interpreter its first line names. A header `.h` is taken for C;
    /// [`Language::from_text`] corrects that where the text is C++.
    #[must_use]
    pub fn from_path(path: &str, first_line: &str) -> Language {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        from_file_name(file)
            .or_else(|| {
                file.rsplit_once('.')
                    .and_then(|(_, extension)| from_extension(&extension.to_ascii_lowercase()))
            })
            .or_else(|| from_shebang(first_line))
            .unwrap_or(Language::Text)
    }

    /// Like [`Language::from_path`], with the whole text at hand: a `.h` file that declares classes, namespaces or
    /// templates is C++.
    #[must_use]
    pub fn from_text(path: &str, text: &str) -> Language {
        let language = Language::from_path(path, text.lines().next().unwrap_or_default());
        let header = path
            .rsplit('.')
            .next()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("h"));
        if language == Language::C && header && looks_like_cpp(text) {
            Language::Cpp
        } else {
            language
        }
    }
}

fn from_file_name(file: &str) -> Option<Language> {
    Some(match file {
        "Cargo.lock" | "Pipfile" | "poetry.lock" | "uv.lock" | "pdm.lock" => Language::Toml,
        ".prettierrc" | ".babelrc" | ".eslintrc" | "composer.lock" | "deno.lock" | "flake.lock" => {
            Language::Json
        }
        ".clang-format" | ".clang-tidy" => Language::Yaml,
        "SConstruct" | "SConscript" | "wscript" => Language::Python,
        "Jakefile" => Language::JavaScript,
        ".php_cs" => Language::Php,
        "Rakefile" | "Gemfile" | "Guardfile" | "Capfile" | "Vagrantfile" | "Brewfile"
        | "Podfile" | "Fastfile" | "Dangerfile" | "Thorfile" | "Berksfile" | "Appraisals"
        | ".irbrc" | ".pryrc" => Language::Ruby,
        ".luacheckrc" => Language::Lua,
        ".bashrc" | ".bash_profile" | ".bash_aliases" | ".bash_logout" | ".profile" | ".zshrc"
        | ".zshenv" | ".zprofile" | "PKGBUILD" | "APKBUILD" => Language::Bash,
        "mix.lock" => Language::Elixir,
        _ => return None,
    })
}

fn from_extension(extension: &str) -> Option<Language> {
    Some(match extension {
        "rs" => Language::Rust,
        "py" | "pyi" | "pyw" => Language::Python,
        "js" | "jsx" | "mjs" | "cjs" => Language::JavaScript,
        "ts" | "mts" | "cts" => Language::TypeScript,
        "tsx" => Language::Tsx,
        "go" => Language::Go,
        "java" => Language::Java,
        "c" | "h" => Language::C,
        "cc" | "cpp" | "cxx" | "c++" | "hpp" | "hh" | "hxx" | "h++" | "ipp" | "inl" | "tpp"
        | "cppm" | "ixx" => Language::Cpp,
        "md" | "markdown" | "mdx" => Language::Markdown,
        "toml" => Language::Toml,
        "json" | "jsonc" | "json5" | "webmanifest" | "ipynb" => Language::Json,
        "yml" | "yaml" => Language::Yaml,
        "cs" | "csx" | "cake" => Language::CSharp,
        "php" | "phtml" | "php3" | "php4" | "php5" | "php7" | "phps" | "inc" => Language::Php,
        "kt" | "kts" => Language::Kotlin,
        "swift" => Language::Swift,
        "scala" | "sc" | "sbt" | "mill" => Language::Scala,
        "dart" => Language::Dart,
        "rb" | "rake" | "gemspec" | "ru" | "rbi" | "podspec" | "jbuilder" | "thor" => {
            Language::Ruby
        }
        "lua" | "luau" | "rockspec" => Language::Lua,
        "sh" | "bash" | "zsh" | "ksh" | "bats" | "ebuild" | "eclass" => Language::Bash,
        "ex" | "exs" => Language::Elixir,
        "hs" | "hs-boot" | "hsig" => Language::Haskell,
        "zig" | "zon" => Language::Zig,
        "html" | "htm" | "xhtml" | "vue" | "svelte" | "erb" | "eex" | "heex" | "leex" => {
            Language::Html
        }
        "css" | "scss" | "less" | "pcss" | "postcss" => Language::Css,
        "sql" | "ddl" | "psql" | "pgsql" | "plsql" | "pls" | "pks" | "pkb" | "tsql" => {
            Language::Sql
        }
        _ => return None,
    })
}

fn from_shebang(first_line: &str) -> Option<Language> {
    let command = first_line.strip_prefix("#!")?;
    let word = command
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-'))?;
    match word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "python" | "pypy" => Some(Language::Python),
        "node" | "nodejs" | "bun" => Some(Language::JavaScript),
        "deno" | "ts-node" | "tsx" => Some(Language::TypeScript),
        "php" => Some(Language::Php),
        "kotlin" | "kotlinc" | "kscript" => Some(Language::Kotlin),
        "swift" => Some(Language::Swift),
        "scala" | "scala-cli" | "amm" => Some(Language::Scala),
        "dart" => Some(Language::Dart),
        "ruby" | "jruby" | "rake" | "macruby" | "rackup" => Some(Language::Ruby),
        "lua" | "luajit" | "texlua" | "luau" => Some(Language::Lua),
        "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" | "mksh" | "bats" => Some(Language::Bash),
        "elixir" => Some(Language::Elixir),
        "runhaskell" | "runghc" | "stack" | "cabal" => Some(Language::Haskell),
        "dotnet" | "csi" | "dotnet-script" => Some(Language::CSharp),
        _ => None,
    }
}

/// Words at the start of a line that C does not have. Only the first 64 KiB are looked at.
fn looks_like_cpp(text: &str) -> bool {
    let head = text
        .get(..text.floor_char_boundary(64 * 1024))
        .unwrap_or(text);
    head.lines().map(str::trim_start).any(|line| {
        [
            "class ",
            "namespace ",
            "template <",
            "template<",
            "public:",
            "private:",
            "protected:",
            "using namespace ",
            "using std::",
        ]
        .iter()
        .any(|word| line.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_name_extension_and_interpreter() {
        let check = |path: &str, line: &str, expected: Language| {
            assert_eq!(Language::from_path(path, line), expected, "{path}")
        };
        check("src/Main.RS", "", Language::Rust);
        check("Cargo.lock", "", Language::Toml);
        check(
            "bin/tool",
            "#!/usr/bin/env -S python3.12 -u",
            Language::Python,
        );
        check("bin/tool", "#!/usr/bin/node", Language::JavaScript);
        check("LICENSE", "MIT", Language::Text);
        check("Rakefile", "", Language::Ruby);
        check("bin/tool", "#!/usr/bin/env ruby -w", Language::Ruby);
        check("bin/tool", "#!/bin/sh -e", Language::Bash);
        check("bin/tool", "#!/usr/bin/luajit", Language::Lua);
        check("bin/tool", "#!/usr/bin/env runhaskell", Language::Haskell);
        check("src/App.vue", "", Language::Html);
        check("a.h", "", Language::C);
        assert_eq!(
            Language::from_text("a.h", "#pragma once\nnamespace a {\n}\n"),
            Language::Cpp
        );
        assert_eq!(
            Language::from_text("a.h", "struct a { int b; };\n"),
            Language::C
        );
    }

    #[test]
    fn names_are_unique_and_numbers_are_stable() {
        for (number, language) in Language::ALL.into_iter().enumerate() {
            assert_eq!(Language::from_name(language.name()), Some(language));
            assert_eq!(language as usize, number);
        }
    }
}
