//! Where chunks end: never within a token that fits into one, never within a definition that does.

use proptest::prelude::*;
use syntax::facts::FileFacts;
use syntax::{ChunkConfig, Language, ParseConfig, Parsers};

const SIZES: ChunkConfig = ChunkConfig {
    target: 80,
    max: 160,
    min: 20,
};

fn read(language: Language, text: &str) -> FileFacts {
    let config = ParseConfig {
        chunk: SIZES,
        ..ParseConfig::default()
    };
    Parsers::new(config).read(language, text)
}

/// Characters of whole lines that are not white space.
fn ink(lines: &[&str], first: usize, past: usize) -> u32 {
    let lines = lines.get(first..past.min(lines.len())).unwrap_or_default();
    let count = |line: &&str| line.chars().filter(|c| !c.is_whitespace()).count() as u32;
    lines.iter().map(count).sum()
}

fn grammar(language: Language) -> tree_sitter::Language {
    match language {
        Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        Language::Python => tree_sitter_python::LANGUAGE.into(),
        _ => tree_sitter_javascript::LANGUAGE.into(),
    }
}

/// First and last line of the token that reaches across the start of a line.
fn token_across(root: tree_sitter::Node, start: usize) -> Option<(usize, usize)> {
    let token = root.descendant_for_byte_range(start.checked_sub(1)?, start)?;
    let is_across =
        token.child_count() == 0 && token.start_byte() < start && token.end_byte() > start;
    is_across.then(|| (token.start_position().row, token.end_position().row))
}

/// A token is cut only where keeping it whole would make a chunk too large on either side.
fn assert_tokens_are_whole(language: Language, text: &str) {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&grammar(language)).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let facts = read(language, text);
    let lines: Vec<&str> = text.split('\n').collect();
    for pair in facts.chunks.windows(2) {
        let (before, behind) = (&pair[0].span, &pair[1].span);
        if let Some((from, to)) = token_across(tree.root_node(), behind.start as usize) {
            let (first, past) = (before.start_line as usize, behind.end_line as usize + 1);
            for cut in [from, to + 1] {
                let fits = ink(&lines, from, to + 1) <= SIZES.max
                    && cut > first
                    && cut < past
                    && ink(&lines, first, cut) <= SIZES.max
                    && ink(&lines, cut, past) <= SIZES.max;
                assert!(
                    !fits,
                    "cut within lines {from}..={to}, not at {cut}:\n{text}"
                );
            }
        }
    }
}

/// A statement with or without a token of several lines, by language.
fn statement(language: Language) -> impl Strategy<Value = String> {
    let word = "[a-z]{1,8}";
    let long = prop::collection::vec("[a-z]{1,12}", 1..9).prop_map(|words| words.join("\n  "));
    (word, long, 0..6_u8).prop_map(move |(word, long, form)| match (language, form) {
        (Language::Python, 0) => format!("{word} = \"\"\"{long}\"\"\"\n"),
        (Language::Python, 1) => format!("def {word}():\n    return {word}\n\n"),
        (Language::Python, _) => format!("{word}({word})\n"),
        (Language::Rust, 0) => format!("const {word}: &str = \"{long}\";\n"),
        (Language::Rust, 1) => format!("use {word}; /* {long} */ use {word};\n"),
        (Language::Rust, 2) => format!("fn {word}() {{ {word}(); }}\n\n"),
        (Language::Rust, _) => format!("mod {word};\n"),
        (_, 0) => format!("const {word} = `{long}`;\n"),
        (_, 1) => format!("{word}(); /* {long} */ {word}();\n"),
        (_, 2) => format!("function {word}() {{ return {word} }}\n\n"),
        (_, _) => format!("{word}({word});\n"),
    })
}

fn program(language: Language) -> impl Strategy<Value = String> {
    prop::collection::vec(statement(language), 1..24).prop_map(|parts| parts.concat())
}

/// Functions of many sizes, some within a class or an impl block, some under a comment.
fn definitions() -> impl Strategy<Value = String> {
    let function = (1..12_usize, any::<bool>()).prop_map(|(n, commented)| {
        let comment = if commented { "/// What it does.\n" } else { "" };
        let body = "    call(argument);\n".repeat(n);
        format!("{comment}fn name() {{\n{body}}}\n\n")
    });
    let functions = prop::collection::vec(function, 1..7);
    let item = (functions, any::<bool>()).prop_map(|(functions, in_impl)| {
        let all = functions.concat();
        if in_impl {
            format!("impl Thing {{\n{all}}}\n\n")
        } else {
            all
        }
    });
    prop::collection::vec(item, 1..5).prop_map(|items| items.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 48 } else { 512 }))]

    #[test]
    fn tokens_stay_whole_in_rust(text in program(Language::Rust)) {
        assert_tokens_are_whole(Language::Rust, &text);
    }

    #[test]
    fn tokens_stay_whole_in_python(text in program(Language::Python)) {
        assert_tokens_are_whole(Language::Python, &text);
    }

    #[test]
    fn tokens_stay_whole_in_javascript(text in program(Language::JavaScript)) {
        assert_tokens_are_whole(Language::JavaScript, &text);
    }

    #[test]
    fn definitions_stay_whole(text in definitions()) {
        let facts = read(Language::Rust, &text);
        let lines: Vec<&str> = text.split('\n').collect();
        for symbol in &facts.symbols {
            let (mut first, last) = (symbol.span.start_line, symbol.span.end_line);
            // Its comment is part of it: words and code are found together.
            while first > 0 && lines[first as usize - 1].starts_with("///") {
                first -= 1;
            }
            let is_small = ink(&lines, first as usize, last as usize + 1) <= SIZES.max;
            let is_whole = facts.chunks.iter().any(|chunk| {
                chunk.span.start_line <= first && last <= chunk.span.end_line
            });
            prop_assert!(is_whole || !is_small, "{} in lines {first}..={last}:\n{text}", symbol.name);
        }
    }

    #[test]
    fn sizes_are_obeyed(text in definitions(), target in 20..900_u32) {
        let config = ChunkConfig::new(Some(target), None, None).unwrap();
        let mut parsers = Parsers::new(ParseConfig { chunk: config, ..ParseConfig::default() });
        for chunk in parsers.read(Language::Rust, &text).chunks {
            let n_lines = chunk.span.end_line + 1 - chunk.span.start_line;
            prop_assert!(chunk.n_chars <= config.max || n_lines == 1);
        }
    }
}

#[test]
fn a_large_table_is_cut_between_its_rows() {
    let rows = "  { name: \"first\", value: [1, 2, 3] },\n".repeat(40);
    let text = format!("const TABLE = [\n{rows}];\n");
    let facts = read(Language::JavaScript, &text);
    assert!(facts.chunks.len() > 5);
    let widths = facts.chunks.iter().map(|chunk| chunk.n_chars);
    assert!(widths.clone().all(|n_chars| n_chars <= SIZES.max));
    // Full chunks, not one for each row.
    let n_full = widths
        .filter(|n_chars| *n_chars >= SIZES.target / 2)
        .count();
    assert!(
        n_full + 2 >= facts.chunks.len(),
        "{n_full} of {}",
        facts.chunks.len()
    );
}

#[test]
fn sizes_that_contradict_each_other_are_refused() {
    let known = ChunkConfig::new(None, None, None).unwrap();
    assert_eq!(known, ChunkConfig::default());
    let half = ChunkConfig::new(Some(300), None, None).unwrap();
    assert_eq!((half.target, half.max, half.min), (300, 600, 50));
    for (target, max, min) in [
        (Some(100), Some(50), None),
        (Some(100), None, Some(101)),
        (Some(19), None, Some(0)),
        (None, Some(599), None),
    ] {
        let error = ChunkConfig::new(target, max, min).unwrap_err();
        assert!(error.to_string().starts_with("chunk sizes "), "{error}");
    }
}
