//! Chunks cover every line exactly once, whatever the text, and follow the borders of definitions.

use std::cell::RefCell;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use syntax::facts::FileFacts;
use syntax::{ChunkConfig, Language, ParseConfig, Parsers};

use crate::render;

/// Checks the invariants of chunks for any text.
fn assert_covered(facts: &FileFacts, text: &str, config: &ChunkConfig) {
    let (mut line, mut byte) = (0, 0);
    for chunk in &facts.chunks {
        assert_eq!(
            (chunk.span.start_line, chunk.span.start),
            (line, byte),
            "chunks follow each other"
        );
        let body = &text[chunk.span.start as usize..chunk.span.end as usize];
        let ink = body.chars().filter(|c| !c.is_whitespace()).count() as u32;
        assert_eq!(chunk.n_chars, ink, "characters that are not white space");
        let n_lines = chunk.span.end_line + 1 - chunk.span.start_line;
        assert!(
            ink <= config.max || n_lines == 1,
            "{ink} characters in {n_lines} lines"
        );
        for &index in &chunk.defines {
            let start = facts.symbols[index as usize].span.start_line;
            assert!(
                (chunk.span.start_line..=chunk.span.end_line).contains(&start),
                "defines what starts in it"
            );
        }
        (line, byte) = (chunk.span.end_line + 1, chunk.span.end);
    }
    assert_eq!(
        (line, byte as usize),
        (facts.n_lines, text.len()),
        "to the end"
    );
    assert_eq!(
        facts
            .chunks
            .iter()
            .map(|chunk| chunk.defines.len())
            .sum::<usize>(),
        facts.symbols.len(),
        "every symbol in one"
    );
}

/// Checks the invariants of facts for any text.
fn assert_sound(facts: &FileFacts, text: &str) {
    for (index, symbol) in facts.symbols.iter().enumerate() {
        assert!(
            symbol.parent.is_none_or(|parent| (parent as usize) < index),
            "a parent stands before its children"
        );
        assert!(
            text.get(symbol.span.start as usize..symbol.span.end as usize)
                .is_some()
        );
        assert!(
            text.get(symbol.name_span.start as usize..symbol.name_span.end as usize)
                .is_some()
        );
        assert!(symbol.signature.len() <= 300 && symbol.rare.doc.len() <= 2000);
    }
    let n_symbols = facts.symbols.len() as u32;
    for reference in &facts.references {
        let name = text.get(reference.span.start as usize..reference.span.end as usize);
        assert_eq!(name, Some(reference.name.as_str()));
        assert!(reference.enclosing.is_none_or(|at| at < n_symbols));
        if let Some(receiver) = reference.receiver {
            let written = text.get(receiver.start as usize..receiver.end as usize);
            assert!(written.is_some_and(|written| !written.is_empty()));
            assert!(facts.expressions.has_chain(receiver.chain));
        }
    }
    assert!(
        facts
            .references
            .is_sorted_by_key(|reference| reference.span.start),
        "in source order"
    );
}

fn check_chunks(language: Language, text: &str, config: ChunkConfig, expected: Expect) {
    let facts = Parsers::new(ParseConfig {
        chunk: config,
        ..ParseConfig::default()
    })
    .read(language, text);
    assert_covered(&facts, text, &config);
    expected.assert_eq(&render::chunks(&facts));
}

const SMALL: ChunkConfig = ChunkConfig {
    target: 60,
    max: 120,
    min: 10,
};

#[test]
fn a_doc_comment_stays_with_its_definition() {
    let text = "use a;\n\n/// First.\n/// Second.\n#[inline]\nfn one(argument: u32) -> u32 {\n    argument + argument\n}\n\n// Third.\nfn two() {\n    first_call_of_two();\n    second_call_of_two();\n}\n";
    check_chunks(
        Language::Rust,
        text,
        SMALL,
        expect![[r#"
            1-8 function_item 76 chars of one: one
            9-14 function_item 58 chars of two: two
        "#]],
    );
}

#[test]
fn a_class_that_is_too_large_is_split_between_its_members() {
    let text = "class A:\n    \"\"\"Doc of the class.\"\"\"\n\n    def one(self):\n        return self.first_value + self.second_value\n\n    def two(self):\n        return self.first_value - self.second_value\n\n    def three(self):\n        return 3\n\ndef after():\n    return A\n";
    check_chunks(
        Language::Python,
        text,
        SMALL,
        expect![[r#"
            1-2 block 27 chars of A: A
            3-5 function_definition 53 chars of A.one: one
            6-8 function_definition 53 chars of A.two: two
            9-11 function_definition 22 chars of A.three: three
            12-14 function_definition 18 chars of after: after
        "#]],
    );
}

/// The text of the chunk in which a definition starts.
fn chunk_of<'a>(facts: &FileFacts, text: &'a str, name: &str) -> &'a str {
    let place = facts.symbols.iter().position(|symbol| symbol.name == name);
    let place = place.expect("a definition") as u32;
    let defines = |chunk: &&syntax::facts::Chunk| chunk.defines.contains(&place);
    let span = facts.chunks.iter().find(defines).expect("a chunk").span;
    &text[span.start as usize..span.end as usize]
}

#[test]
fn the_head_of_a_class_is_not_left_in_the_chunk_before_it() {
    let method = |name: &str| {
        let body = "        self.value = self.compute(self.value)\n".repeat(16);
        format!("    def {name}(self):\n{body}\n")
    };
    let text = format!(
        "import os\n\nclass Before:\n{}\n# Holds state.\nclass Context:\n    name = None\n\n{}{}{}",
        method("zero"),
        method("one"),
        method("two"),
        method("three")
    );
    let config = ChunkConfig::default();
    let facts = read_with(config, Language::Python, &text);
    assert_covered(&facts, &text, &config);
    let chunk = chunk_of(&facts, &text, "Context");
    assert!(
        chunk.starts_with("# Holds state.\nclass Context:"),
        "{chunk}"
    );
    assert!(chunk.contains("def one"), "{chunk}");
}

#[test]
fn a_doc_comment_stays_with_its_definition_over_a_blank_line() {
    let method = |name: &str| {
        let body = "  this.value = this.compute(this.value)\n".repeat(15);
        format!("/**\n * Does {name}.\n */\n\nres.{name} = function {name}() {{\n{body}}};\n\n")
    };
    let text = ["links", "send", "json"].map(method).concat();
    let facts = read_with(ChunkConfig::default(), Language::JavaScript, &text);
    let docs: Vec<&str> = facts
        .symbols
        .iter()
        .filter(|symbol| symbol.name == "send")
        .map(|symbol| symbol.rare.doc.as_str())
        .collect();
    assert!(docs.contains(&"Does send."), "{docs:?}");
    let chunk = chunk_of(&facts, &text, "send");
    assert!(chunk.starts_with("/**\n * Does send."), "{chunk}");
    assert!(!chunk.contains("Does json"), "{chunk}");
}

#[test]
fn a_comment_of_the_file_documents_nothing() {
    let text = "/** @license Free for all. */\n\nfunction one() {}\n";
    let facts = read_with(ChunkConfig::default(), Language::JavaScript, text);
    assert_eq!(facts.symbols[0].rare.doc, "");
}

#[test]
fn a_long_string_is_cut_between_lines() {
    let text = format!(
        "const TEXT = `\n{}`\nfunction after() {{}}\n",
        "some words in a long string\n".repeat(12)
    );
    check_chunks(
        Language::JavaScript,
        &text,
        SMALL,
        expect![[r#"
            1-1 lexical_declaration 11 chars of TEXT: TEXT
            2-3 template_string 44 chars of TEXT: 
            4-5 template_string 44 chars of TEXT: 
            6-7 template_string 44 chars of TEXT: 
            8-9 template_string 44 chars of TEXT: 
            10-11 template_string 44 chars of TEXT: 
            12-14 template_string 45 chars of TEXT: 
            15-15 function_declaration 17 chars of after: after
        "#]],
    );
}

#[test]
fn text_is_cut_at_blank_lines() {
    let text = "one one one one one one\ntwo two two two\n\nthree three three three three\nfour four\n\n\nfive five five five five five five\n";
    check_chunks(
        Language::Text,
        text,
        SMALL,
        expect![[r#"
            1-3 lines 30 chars of <file>: 
            4-7 lines 33 chars of <file>: 
            8-8 lines 28 chars of <file>: 
        "#]],
    );
}

#[test]
fn every_test_file_of_this_crate_is_covered() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut pending = vec![std::path::PathBuf::from(root)];
    let mut n_files = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            continue;
        }
        // Foreign grammars recover slowly: the first lines of a file say enough.
        let text = std::fs::read_to_string(&path).unwrap();
        let text = &text[..text.floor_char_boundary(2_000)];
        for language in Language::ALL {
            let facts = parsers.read(language, text);
            assert_covered(&facts, text, &ChunkConfig::default());
            assert_sound(&facts, text);
        }
        n_files += 1;
    }
    assert!(n_files > 20);
}

/// Pieces that make grammars work: brackets, quotes, keywords, comments, line breaks, characters of several bytes.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "fn ",
        "def ",
        "class ",
        "function ",
        "func ",
        "struct ",
        "impl ",
        "import ",
        "use ",
        "export ",
        "const ",
        "let ",
        "return ",
        "if ",
        "for ",
        "x",
        "Foo",
        "self",
        "this",
        ".",
        "::",
        "->",
        "=>",
        "=",
        ":",
        ";",
        ",",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        "\n",
        "\n\n",
        "    ",
        "\t",
        "\r\n",
        "//",
        "/*",
        "*/",
        "#",
        "///",
        "\"",
        "'",
        "`",
        "\\",
        "é",
        "🦀",
        "@",
        "#[",
        "!",
        "!(",
        "1",
        "=\"",
        "\"\"\"",
        "# ",
        "```\n",
        "---\n",
        "[[a]]\n",
        "async ",
        "await ",
        "new ",
        "* ",
        "&",
        "| ",
        "module.exports",
        "require(\"a\")",
        "\u{2028}",
        "\0",
    ])
}

/// Reads with shared parsers: compiling the queries again for each case would take most of the time.
fn read_with(config: ChunkConfig, language: Language, text: &str) -> FileFacts {
    thread_local! {
        static KEPT: RefCell<Vec<(ChunkConfig, Parsers)>> = const { RefCell::new(Vec::new()) };
    }
    KEPT.with_borrow_mut(|kept| {
        let at = kept
            .iter()
            .position(|(known, _)| *known == config)
            .unwrap_or_else(|| {
                kept.push((
                    config,
                    Parsers::new(ParseConfig {
                        chunk: config,
                        ..ParseConfig::default()
                    }),
                ));
                kept.len() - 1
            });
        kept[at].1.read(language, text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 96 } else { 1024 }))]

    #[test]
    fn any_tokens_are_covered(tokens in prop::collection::vec(token(), 0..160), number in 0_usize..Language::ALL.len(), small in any::<bool>()) {
        let text = tokens.concat();
        let language = Language::ALL[number];
        let config = if small { SMALL } else { ChunkConfig::default() };
        let facts = read_with(config, language, &text);
        assert_covered(&facts, &text, &config);
        assert_sound(&facts, &text);
    }

    #[test]
    fn any_characters_are_covered(text in "\\PC{0,40}(\n\\PC{0,60}){0,30}", number in 0_usize..Language::ALL.len()) {
        let facts = read_with(SMALL, Language::ALL[number], &text);
        assert_covered(&facts, &text, &SMALL);
        assert_sound(&facts, &text);
    }

    #[test]
    fn highlights_are_sorted_and_apart(tokens in prop::collection::vec(token(), 0..160), number in 0_usize..Language::ALL.len()) {
        let text = tokens.concat();
        let pieces = Parsers::new(ParseConfig::default()).highlights(Language::ALL[number], &text);
        let mut at = 0;
        for piece in pieces {
            assert!(at <= piece.start && piece.start < piece.end && text.get(piece.start as usize..piece.end as usize).is_some());
            at = piece.end;
        }
    }
}
