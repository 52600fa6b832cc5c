//! The language of a file: by its name, its extension, the interpreter that its first line names, or its text.

use super::Language;

impl Language {
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

    /// Like [`Language::from_path`], but also uses the text: a `.h` file that declares classes, namespaces or templates
    /// is C++.
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

/// Words at the start of a line that C does not have, or headers of C++'s own library, `<string>`, outside conditions
/// that keep them from C. Only the first 64 KiB are read.
fn looks_like_cpp(text: &str) -> bool {
    let head = text
        .get(..text.floor_char_boundary(64 * 1024))
        .unwrap_or(text);
    let is_for_both = head.contains("__cplusplus");
    let includes_cpp = |line: &str| {
        let path = line.strip_prefix("#include <");
        path.and_then(|rest| rest.split_once('>'))
            .is_some_and(|(path, _)| !path.contains(['.', '/']) && !is_for_both)
    };
    head.lines().map(str::trim_start).any(|line| {
        let has_word = [
            "class ",
            "namespace ",
            "template <",
            "template<",
            "public:",
            "private:",
            "protected:",
            "using namespace ",
            "using std::",
            "friend ",
            "virtual ",
            "explicit ",
        ]
        .iter()
        .any(|word| line.starts_with(word));
        has_word || includes_cpp(line)
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
        for (text, expected) in [
            ("struct a { int b; };\n", Language::C),
            (
                "#include <string>\nstruct a { std::string b; };\n",
                Language::Cpp,
            ),
            ("#include <stdio.h>\n#include <sys/types.h>\n", Language::C),
            (
                "#ifdef __cplusplus\n#include <cstdint>\n#endif\n",
                Language::C,
            ),
        ] {
            assert_eq!(Language::from_text("a.h", text), expected, "{text}");
        }
    }
}
