//! Prints the facts of files as text, one fact a line: `cargo run --example facts -- FILE…`.
#![allow(clippy::print_stdout)]

extern crate portolan_syntax as syntax;

use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

fn main() {
    let mut parsers = Parsers::new(ParseConfig::default());
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        print(
            &path,
            &parsers.read(Language::from_text(&path, &text), &text),
        );
    }
}

fn print(path: &str, facts: &FileFacts) {
    println!(
        "== {path} {} lines, package {:?}",
        facts.n_lines, facts.package
    );
    print_symbols(facts);
    for r in &facts.references {
        let receiver = r.receiver.map(|one| facts.expressions.chain(one.chain));
        println!(
            "R {:?} {} on {receiver:?} @{} in {:?} args {:?}{}",
            r.form,
            r.name,
            r.span.start_line + 1,
            r.enclosing,
            r.n_arguments,
            if r.in_macro { " macro" } else { "" }
        );
    }
    for i in &facts.imports {
        println!(
            "I {:?} {:?} as {:?} {:?} in {:?}",
            i.module,
            i.name,
            i.local,
            syntax::facts::ImportFlags::from_bits_retain(i.flags),
            i.enclosing
        );
    }
    for b in &facts.bindings {
        println!(
            "B {} {:?} {:?} @{} in {:?}",
            b.name,
            b.kind,
            b.value,
            b.span.start_line + 1,
            b.enclosing
        );
    }
    for c in &facts.chunks {
        println!(
            "C {}-{} {} {} {:?} {:?}",
            c.span.start_line + 1,
            c.span.end_line + 1,
            c.n_chars,
            c.node_kind,
            c.symbol,
            c.defines
        );
    }
    for p in &facts.problems {
        println!("P {:?} @{} {}", p.kind, p.span.start_line + 1, p.message);
    }
}

fn print_symbols(facts: &FileFacts) {
    for (index, s) in facts.symbols.iter().enumerate() {
        println!(
            "S{index} {:?} {} @{}-{} name@{} parent {:?} owner {:?} mods {:?} cx {}\n    sig {}\n    ty {:?} params {:?} tp {:?} bases {:?} deco {:?} doc {:?}",
            s.kind,
            s.name,
            s.span.start_line + 1,
            s.span.end_line + 1,
            s.name_span.start_line + 1,
            s.parent,
            s.rare.owner,
            syntax::facts::Modifiers::from_bits_retain(s.modifiers),
            s.complexity,
            s.signature,
            s.type_text,
            s.parameters
                .iter()
                .map(|p| format!("{}: {}", p.name, p.type_text))
                .collect::<Vec<_>>(),
            s.rare
                .type_parameters
                .iter()
                .map(|p| format!("{}: {}", p.name, p.type_text))
                .collect::<Vec<_>>(),
            s.rare
                .bases
                .iter()
                .map(|b| format!("{:?} {}", b.kind, b.name))
                .collect::<Vec<_>>(),
            s.rare.decorators,
            s.rare.doc.lines().next().unwrap_or_default()
        );
    }
}
