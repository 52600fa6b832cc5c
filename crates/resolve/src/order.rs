//! Tests that a file's uses and edges do not depend on which files were resolved before it, nor on whether the others
//! were resolved again.

use graph::{FileId, Layout, Resolution};
use proptest::prelude::*;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

use crate::resolve_in_order;

thread_local! {
    static PARSERS: std::cell::RefCell<Parsers> = std::cell::RefCell::new(Parsers::new(ParseConfig::default()));
}

/// A statement of a module. Numbers are those of modules and names, both few, so that cycles are frequent.
#[derive(Debug, Clone)]
enum Statement {
    /// Re-exports all names of a module.
    Star(usize),
    /// Imports a name of a module under another name.
    Import(usize, usize, usize),
    /// A function that calls another.
    Function(usize, usize),
    /// A type with a supertype and a method that calls another method.
    Class(usize, usize, usize, usize),
    /// An alias.
    Alias(usize, usize),
    /// Calls a member of the result of a call, and a member of a name.
    Use(usize, usize, usize),
}

const N_MODULES: usize = 5;
const N_NAMES: usize = 4;

fn statement() -> impl Strategy<Value = Statement> {
    let (module, name) = (0..N_MODULES, 0..N_NAMES);
    prop_oneof![
        3 => module.clone().prop_map(Statement::Star),
        3 => (module, name.clone(), name.clone()).prop_map(|(m, a, b)| Statement::Import(m, a, b)),
        1 => (name.clone(), name.clone()).prop_map(|(a, b)| Statement::Function(a, b)),
        1 => (name.clone(), name.clone(), name.clone(), name.clone())
            .prop_map(|(a, b, c, d)| Statement::Class(a, b, c, d)),
        1 => (name.clone(), name.clone()).prop_map(|(a, b)| Statement::Alias(a, b)),
        3 => (name.clone(), name.clone(), name).prop_map(|(a, b, c)| Statement::Use(a, b, c)),
    ]
}

fn written(language: Language, statement: &Statement) -> String {
    use Statement::{Alias, Class, Function, Import, Star, Use};
    match (language, statement) {
        (Language::Python, Star(m)) => format!("from m{m} import *\n"),
        (Language::Python, Import(m, a, b)) => format!("from m{m} import A{a} as A{b}\n"),
        (Language::Python, Function(a, b)) => format!("def A{a}():\n    return A{b}()\n"),
        (Language::Python, Class(a, b, c, d)) => {
            format!("class A{a}(A{b}):\n    def A{c}(self):\n        return self.A{d}()\n")
        }
        (Language::Python, Alias(a, b)) => format!("A{a} = A{b}\n"),
        (Language::Python, Use(a, b, c)) => {
            format!("def use():\n    v = A{a}()\n    v.A{b}()\n    A{c}.A{a}()\n")
        }
        (Language::TypeScript, Star(m)) => format!("export * from './m{m}'\n"),
        (Language::TypeScript, Import(m, a, b)) => {
            format!(
                "export {{ A{a} as A{b} }} from './m{m}'\nimport {{ A{a} as A{b} }} from './m{m}'\n"
            )
        }
        (Language::TypeScript, Function(a, b)) => {
            format!("export function A{a}(): A{b} {{ return A{b}() }}\n")
        }
        (Language::TypeScript, Class(a, b, c, d)) => {
            format!("export class A{a} extends A{b} {{ A{c}(): A{d} {{ return this.A{d}() }} }}\n")
        }
        (Language::TypeScript, Alias(a, b)) => format!("export type A{a} = A{b}\n"),
        (Language::TypeScript, Use(a, b, c)) => {
            format!("function use(x: A{c}) {{ const v = A{a}(); v.A{b}(); x.A{a}().A{b}() }}\n")
        }
        (_, Star(m)) => format!("pub use crate::m{m}::*;\n"),
        (_, Import(m, a, b)) => format!("pub use crate::m{m}::A{a} as A{b};\n"),
        (_, Function(a, b)) => format!("pub fn A{a}() -> A{b} {{ A{b}() }}\n"),
        (_, Class(a, b, c, d)) => format!(
            "pub struct A{a};\nimpl A{b} {{ pub fn A{c}(&self) -> A{d} {{ self.A{d}() }} }}\n"
        ),
        (_, Alias(a, b)) => format!("pub type A{a} = A{b};\n"),
        (_, Use(a, b, c)) => {
            format!(
                "fn used(x: A{c}) {{ let v = A{a}(); v.A{b}(); x.A{a}().A{b}(); A{b}::A{c}(); }}\n"
            )
        }
    }
}

/// A function that only uses names.
fn caller(language: Language, calls: &[(usize, usize, usize)]) -> String {
    let body: String = match language {
        Language::Rust => {
            let lines = calls
                .iter()
                .map(|(a, b, c)| format!("    A{a}().A{b}(); A{b}::A{c}();\n"));
            lines.collect()
        }
        _ => {
            let lines = calls
                .iter()
                .map(|(a, b, c)| format!("    A{a}().A{b}()\n    A{c}.A{a}()\n"));
            lines.collect()
        }
    };
    match language {
        Language::Python => format!("def run():\n    pass\n{body}"),
        Language::TypeScript => format!("function run() {{\n{body}}}\n"),
        _ => format!("fn run() {{\n{body}}}\n"),
    }
}

/// Path and text of each module, in the order of their paths.
fn program(language: Language, modules: &[Vec<Statement>]) -> Vec<(String, String)> {
    let extension = match language {
        Language::Python => "py",
        Language::TypeScript => "ts",
        _ => "rs",
    };
    let text = |statements: &Vec<Statement>| {
        let lines = statements.iter().map(|one| written(language, one));
        lines.collect::<String>()
    };
    let mut files: Vec<(String, String)> = (0..)
        .zip(modules)
        .map(|(number, statements)| (format!("src/m{number}.{extension}"), text(statements)))
        .collect();
    if language == Language::Rust {
        let children = (0..modules.len()).map(|number| format!("pub mod m{number};\n"));
        files.push(("src/lib.rs".to_owned(), children.collect()));
        files.sort();
    }
    files
}

/// Uses and edges as text, sorted. External packages are shown by name, because their numbers depend on the order in
/// which they are found.
fn shown(layout: &Layout<'_>, resolution: &Resolution) -> Vec<String> {
    let target = |node: u32| match node.checked_sub(layout.end()) {
        Some(outside) => resolution.externals[outside as usize].clone(),
        None => node.to_string(),
    };
    let mut all = Vec::new();
    for (file, uses) in resolution.uses.iter().enumerate() {
        for used in uses {
            let (at, form, reason) = (used.span.start, used.form, used.reason);
            let target = target(used.target);
            all.push(format!(
                "{file} {at} {form:?} {target} {reason} {}",
                used.enclosing
            ));
        }
    }
    let edges = resolution.edges.iter().map(|edge| {
        let (kind, line, reason) = (edge.kind, edge.line, edge.reason);
        format!(
            "{} {kind} {} {line} {reason}",
            edge.source,
            target(edge.target)
        )
    });
    all.extend(edges);
    all.sort();
    all
}

fn read(language: Language, files: &[(String, String)]) -> Vec<FileFacts> {
    PARSERS.with_borrow_mut(|parsers| {
        let texts = files.iter().map(|(_, text)| text);
        texts.map(|text| parsers.read(language, text)).collect()
    })
}

fn inputs<'a>(files: &'a [(String, String)], facts: &'a [FileFacts]) -> Vec<graph::InputFile<'a>> {
    let both = files.iter().zip(facts);
    both.map(|((path, _), facts)| graph::InputFile { path, facts })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn edges_do_not_depend_on_the_order_of_files(
        language in prop::sample::select(vec![Language::Python, Language::TypeScript, Language::Rust]),
        modules in prop::collection::vec(prop::collection::vec(statement(), 0..6), N_MODULES..=N_MODULES),
        turns in prop::collection::vec(0..100usize, N_MODULES + 1),
    ) {
        let files = program(language, &modules);
        let facts = read(language, &files);
        let inputs = inputs(&files, &facts);
        let layout = Layout::new(&inputs);
        let forward: Vec<FileId> = (0..files.len() as u32).map(FileId).collect();
        let mut shuffled = forward.clone();
        shuffled.sort_by_key(|file| turns[file.index()]);
        let wanted = shown(&layout, &resolve_in_order(&layout, &[], forward.iter().copied()));
        for order in [forward.iter().rev().copied().collect(), shuffled] {
            let found = resolve_in_order(&layout, &[], order.iter().copied());
            prop_assert_eq!(&wanted, &shown(&layout, &found), "in the order {:?}", order);
        }
    }

    #[test]
    fn a_file_resolved_again_makes_the_whole_as_it_would_be(
        language in prop::sample::select(vec![Language::Python, Language::TypeScript, Language::Rust]),
        modules in prop::collection::vec(prop::collection::vec(statement(), 0..6), N_MODULES..=N_MODULES),
        calls in prop::collection::vec(prop::collection::vec((0..N_NAMES, 0..N_NAMES, 0..N_NAMES), 0..4), 3..=3),
        edited in 0..N_MODULES,
    ) {
        let with = |edited_calls: &[(usize, usize, usize)]| {
            let mut files = program(language, &modules);
            let name = format!("src/m{edited}.");
            for (path, text) in &mut files {
                let calls = if path.starts_with(&name) { edited_calls } else { &calls[0] };
                text.push_str(&caller(language, calls));
            }
            files
        };
        let (before, after) = (with(&calls[1]), with(&calls[2]));
        let (old, new) = (read(language, &before), read(language, &after));
        let changed: Vec<FileId> = (0..)
            .map(FileId)
            .zip(before.iter().zip(&after))
            .filter(|(_, (before, after))| before != after)
            .map(|(file, _)| file)
            .collect();
        for file in &changed {
            prop_assert_eq!(old[file.index()].interface(), new[file.index()].interface());
        }
        let (old, new) = (inputs(&before, &old), inputs(&after, &new));
        let last = crate::resolve(&Layout::new(&old), &[]);
        let layout = Layout::new(&new);
        let again = crate::resolve_again(&layout, &[], last, &changed).expect("nothing was cut short");
        prop_assert_eq!(shown(&layout, &again), shown(&layout, &crate::resolve(&layout, &[])));
    }
}
