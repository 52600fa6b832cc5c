//! Facts as text, one a line, for comparison.

use std::fmt::Write;

use syntax::facts::{FileFacts, ImportFlags, Modifiers, Symbol};

/// `Method Foo.bar 2-4 [EXPORTED] fn bar(a: A, b: B) -> C <T: D> extends E implements F owner G cx 3`
pub(crate) fn symbols(facts: &FileFacts) -> String {
    let mut out = String::new();
    for symbol in &facts.symbols {
        let span = symbol.span;
        write!(
            out,
            "{:?} {} {}-{}",
            symbol.kind,
            qualified(facts, symbol),
            span.start_line + 1,
            span.end_line + 1
        )
        .unwrap();
        let modifiers = Modifiers::from_bits_retain(symbol.modifiers);
        if !modifiers.is_empty() {
            write!(out, " [{}]", names(&format!("{modifiers:?}"))).unwrap();
        }
        write!(out, " `{}`", symbol.signature).unwrap();
        for parameter in &symbol.parameters {
            write!(out, " ({}: {})", parameter.name, parameter.type_text).unwrap();
        }
        for parameter in &symbol.rare.type_parameters {
            write!(out, " <{}: {}>", parameter.name, parameter.type_text).unwrap();
        }
        if !symbol.type_text.is_empty() {
            write!(out, " -> {}", symbol.type_text).unwrap();
        }
        for base in &symbol.rare.bases {
            write!(out, " {:?} {}", base.kind, base.name).unwrap();
        }
        if !symbol.rare.owner.is_empty() {
            write!(out, " owner {}", symbol.rare.owner).unwrap();
        }
        if symbol.complexity > 1 {
            write!(out, " cx {}", symbol.complexity).unwrap();
        }
        out.push('\n');
    }
    out
}

/// `MethodCall a.b . c (2) in Foo.bar line 3`
pub(crate) fn references(facts: &FileFacts, text: &str) -> String {
    let mut out = String::new();
    for reference in &facts.references {
        write!(out, "{:?} ", reference.form).unwrap();
        if let Some(receiver) = reference.receiver {
            let written = &text[receiver.start as usize..receiver.end as usize];
            write!(out, "{} . ", squeezed(written)).unwrap();
        }
        out.push_str(&reference.name);
        if let Some(count) = reference.n_arguments {
            write!(out, " ({count})").unwrap();
        }
        write!(
            out,
            " in {} line {}",
            scope(facts, reference.enclosing),
            reference.span.start_line + 1
        )
        .unwrap();
        out.push_str(if reference.in_macro { " macro\n" } else { "\n" });
    }
    out
}

/// A text without white space but between words.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if out.ends_with(is_word) && word.starts_with(is_word) {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

pub(crate) fn imports(facts: &FileFacts) -> String {
    let mut out = String::new();
    if !facts.package.is_empty() {
        writeln!(out, "package {}", facts.package).unwrap();
    }
    for import in &facts.imports {
        let flags = ImportFlags::from_bits_retain(import.flags);
        write!(
            out,
            "{:?} {:?} as {:?}",
            import.module, import.name, import.local
        )
        .unwrap();
        if !flags.is_empty() {
            write!(out, " {}", names(&format!("{flags:?}"))).unwrap();
        }
        writeln!(out, " in {}", scope(facts, import.enclosing)).unwrap();
    }
    out
}

pub(crate) fn bindings(facts: &FileFacts) -> String {
    let mut out = String::new();
    for binding in &facts.bindings {
        writeln!(
            out,
            "{} {:?} {:?} in {}",
            binding.name,
            binding.kind,
            binding.value,
            scope(facts, binding.enclosing)
        )
        .unwrap();
    }
    out
}

pub(crate) fn docs(facts: &FileFacts) -> String {
    let mut out = String::new();
    for symbol in &facts.symbols {
        writeln!(
            out,
            "{} {:?} {:?}",
            qualified(facts, symbol),
            symbol.rare.doc,
            symbol.rare.decorators
        )
        .unwrap();
    }
    out
}

pub(crate) fn problems(facts: &FileFacts) -> String {
    let mut out = String::new();
    for problem in &facts.problems {
        writeln!(
            out,
            "{:?} line {}: {}",
            problem.kind,
            problem.span.start_line + 1,
            problem.message
        )
        .unwrap();
    }
    out
}

pub(crate) fn chunks(facts: &FileFacts) -> String {
    let mut out = String::new();
    for chunk in &facts.chunks {
        let defines: Vec<&str> = chunk
            .defines
            .iter()
            .map(|index| facts.symbols[*index as usize].name.as_str())
            .collect();
        let (first, last) = (chunk.span.start_line + 1, chunk.span.end_line + 1);
        writeln!(
            out,
            "{first}-{last} {} {} chars of {}: {}",
            chunk.node_kind,
            chunk.n_chars,
            scope(facts, chunk.symbol),
            defines.join(" ")
        )
        .unwrap();
    }
    out
}

fn qualified(facts: &FileFacts, symbol: &Symbol) -> String {
    let mut parts = vec![symbol.name.as_str()];
    let mut parent = symbol.parent;
    while let Some(index) = parent {
        let outer = &facts.symbols[index as usize];
        parts.push(&outer.name);
        parent = outer.parent;
    }
    parts.reverse();
    parts.join(".")
}

fn scope(facts: &FileFacts, index: Option<u32>) -> String {
    index.map_or("<file>".to_owned(), |index| {
        qualified(facts, &facts.symbols[index as usize])
    })
}

/// `Modifiers(A | B)` as `A B`.
fn names(debug: &str) -> String {
    debug
        .split_once('(')
        .map_or(debug, |(_, inner)| inner.trim_end_matches(')'))
        .replace(" | ", " ")
}
