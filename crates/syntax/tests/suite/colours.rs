//! Colours for the code view: every language has them, and says with them what a reader looks for first.

use std::collections::BTreeSet;

use syntax::{HighlightClass, Language, ParseConfig, Parsers};

/// A comment, a string, a number, a definition, a keyword in each language.
const SAMPLES: &[(Language, &str)] = &[
    (Language::Rust, "// c\nfn f() -> u8 { g(\"s\", 1) }\n"),
    (Language::Python, "# c\ndef f():\n    return g('s', 1)\n"),
    (
        Language::JavaScript,
        "// c\nfunction f() { return g('s', 1) }\n",
    ),
    (
        Language::TypeScript,
        "// c\nfunction f(): string { return g('s', 1) }\n",
    ),
    (
        Language::Tsx,
        "// c\nfunction f() { return <a b=\"s\">{g(1)}</a> }\n",
    ),
    (
        Language::Go,
        "// c\npackage p\nfunc f() { return g(\"s\", 1) }\n",
    ),
    (
        Language::Java,
        "// c\nclass C { void f() { return g(\"s\", 1); } }\n",
    ),
    (Language::C, "// c\nint f() { return g(\"s\", 1); }\n"),
    (Language::Cpp, "// c\nint f() { return g(\"s\", 1); }\n"),
    (
        Language::CSharp,
        "// c\nclass C { void F() { return G(\"s\", 1); } }\n",
    ),
    (
        Language::Php,
        "<?php\n// c\nfunction f() { return g('s', 1); }\n",
    ),
    (
        Language::Kotlin,
        "// c\nfun f(): Int { return g(\"s\", 1) }\n",
    ),
    (
        Language::Swift,
        "// c\nfunc f() -> Int { return g(\"s\", 1) }\n",
    ),
    (Language::Scala, "// c\ndef f(): Int = { g(\"s\", 1) }\n"),
    (Language::Dart, "// c\nint f() { return g('s', 1); }\n"),
    (Language::Ruby, "# c\ndef f\n  return g('s', 1)\nend\n"),
    (Language::Lua, "-- c\nfunction f() return g('s', 1) end\n"),
    (
        Language::Bash,
        "# c\nf() { if true; then g \"s\" 1; fi; }\n",
    ),
    (
        Language::Elixir,
        "# c\ndefmodule M do\n  def f(), do: g(\"s\", 1)\nend\n",
    ),
    (
        Language::Haskell,
        "-- c\nmodule M where\nf :: Int -> Int\nf x = g \"s\" 1\n",
    ),
    (Language::Zig, "// c\nfn f() u8 { return g(\"s\", 1); }\n"),
];

#[test]
fn every_language_is_coloured() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let parsed = Language::ALL
        .into_iter()
        .filter(|language| language.grammar().is_some());
    for language in parsed {
        let sample = SAMPLES.iter().find(|(known, _)| *known == language);
        let (_, text) = sample.unwrap_or_else(|| panic!("a sample of {language:?}"));
        let highlights = parsers.highlights(language, text);
        let ordered = highlights.windows(2).all(|two| two[0].end <= two[1].start);
        assert!(
            ordered && highlights.iter().all(|one| one.start < one.end),
            "{language:?}"
        );
        let classes: BTreeSet<&str> = highlights.iter().map(|one| one.class.name()).collect();
        for class in [
            HighlightClass::Comment,
            HighlightClass::Keyword,
            HighlightClass::Function,
            HighlightClass::String,
            HighlightClass::Number,
        ] {
            assert!(
                classes.contains(class.name()),
                "{language:?} has no {}: {classes:?}",
                class.name()
            );
        }
        let comment = highlights
            .iter()
            .find(|one| one.class == HighlightClass::Comment);
        let comment = comment.and_then(|one| text.get(one.start as usize..one.end as usize));
        assert!(
            comment.is_some_and(|text| text.trim_end().ends_with('c')),
            "{language:?}: {comment:?}"
        );
    }
}

#[test]
fn documents_are_coloured() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let samples = [
        (
            Language::Markdown,
            "# Head\n\n`code` [link](x)\n",
            "heading",
        ),
        (Language::Toml, "# c\n[a]\nb = \"s\"\nc = 1\n", "comment"),
        (
            Language::Json,
            "{ \"a\": \"s\", \"b\": 1, \"c\": true }\n",
            "property",
        ),
        (Language::Yaml, "# c\na: s\nb: 1\n", "comment"),
        (Language::Html, "<!-- c --><p class=\"s\">text</p>\n", "tag"),
        (Language::Css, "/* c */ .a { color: red; }\n", "property"),
        (
            Language::Sql,
            "-- c\nSELECT a FROM b WHERE c = 's';\n",
            "keyword",
        ),
    ];
    for (language, text, class) in samples {
        let highlights = parsers.highlights(language, text);
        let classes: BTreeSet<&str> = highlights.iter().map(|one| one.class.name()).collect();
        assert!(
            classes.contains(class),
            "{language:?} has no {class}: {classes:?}"
        );
    }
}

#[test]
fn scripts_and_style_sheets_of_pages_are_coloured() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let page = "<style>\n.a { color: red }\n</style>\n<p title=\"t\">function text</p>\n\
                <script>\n// first\nfunction go() { return 1 }\n</script>\n\
                <template><b>x</b></template>\n\
                <script lang=\"ts\">\nconst n: number = 2;\n</script>\n";
    let highlights = parsers.highlights(Language::Html, page);
    let apart = highlights.windows(2).all(|two| two[0].end <= two[1].start);
    assert!(apart, "{highlights:?}");
    let of = |class: HighlightClass| -> Vec<&str> {
        highlights
            .iter()
            .filter(|one| one.class == class)
            .filter_map(|one| page.get(one.start as usize..one.end as usize))
            .collect()
    };
    assert_eq!(of(HighlightClass::Comment), ["// first"]);
    assert_eq!(of(HighlightClass::Function), ["go"]);
    assert_eq!(of(HighlightClass::Number), ["1", "2"]);
    assert!(of(HighlightClass::Keyword).contains(&"function"));
    assert!(of(HighlightClass::Property).contains(&"color"));
    assert_eq!(
        of(HighlightClass::Tag).len(),
        13,
        "{:?}",
        of(HighlightClass::Tag)
    );
}
