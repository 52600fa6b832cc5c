//! The page `docs/languages.md`: the features of each language, as the texts of the suites show them.
//! `UPDATE_EXPECT=1 cargo test -p portolan-syntax page` writes it again.

use std::collections::BTreeSet;
use std::fmt::Write;

use expect_test::expect_file;
use syntax::Language;
use syntax::facts::{
    BaseKind, BindingKind, FileFacts, ImportFlags, Modifiers, ReferenceForm, SymbolKind,
};

use crate::cases::{lacking, samples, source};
use crate::read;

/// The features of a language that its suite shows.
struct Shown {
    language: Language,
    facts: Vec<FileFacts>,
    /// Features that the language lacks, and why.
    lacking: Vec<(String, String)>,
}

impl Shown {
    fn any(&self, holds: impl Fn(&FileFacts) -> bool) -> bool {
        self.facts.iter().any(holds)
    }

    fn kinds(&self) -> String {
        let all = self.facts.iter().flat_map(|facts| &facts.symbols);
        let kinds: BTreeSet<SymbolKind> = all.map(|symbol| symbol.kind).collect();
        let words: Vec<String> = kinds.into_iter().map(word).collect();
        words.join(", ")
    }
}

/// A kind as a word of the page.
fn word(kind: SymbolKind) -> String {
    match kind {
        SymbolKind::TypeAlias => "type alias".to_owned(),
        SymbolKind::Impl => "implementation block".to_owned(),
        kind => format!("{kind:?}").to_lowercase(),
    }
}

fn shown() -> Vec<Shown> {
    let documents = source("documents");
    let mut out = Vec::new();
    for language in Language::ALL
        .into_iter()
        .filter(|language| *language != Language::Text)
    {
        let suite = match (language.grammar(), language) {
            (None, _) => documents.clone(),
            (_, Language::Tsx) => source("typescript") + &source("javascript"),
            (_, language) => source(language.name()),
        };
        let facts: Vec<FileFacts> = samples(&suite)
            .iter()
            .filter(|sample| shows(sample.language, language))
            .map(|sample| read(language, &sample.text))
            .collect();
        out.push(Shown {
            language,
            facts,
            lacking: if language.grammar().is_some() {
                lacking(&suite)
            } else {
                Vec::new()
            },
        });
    }
    out
}

/// Whether a text of one language shows the features of another: TSX is TypeScript with the elements of JavaScript.
fn shows(sample: Language, language: Language) -> bool {
    sample == language
        || (language == Language::Tsx
            && matches!(sample, Language::TypeScript | Language::JavaScript))
}

type Column = (&'static str, fn(&FileFacts) -> bool);

fn any_symbol(facts: &FileFacts, modifiers: Modifiers) -> bool {
    facts.symbols.iter().any(|symbol| symbol.is(modifiers))
}

fn any_form(facts: &FileFacts, form: ReferenceForm) -> bool {
    facts.references.iter().any(|one| one.form == form)
}

fn any_import(facts: &FileFacts, flags: ImportFlags) -> bool {
    facts.imports.iter().any(|one| one.is(flags))
}

fn any_binding(facts: &FileFacts, kind: BindingKind) -> bool {
    facts
        .bindings
        .iter()
        .any(|one| one.kind == kind && !one.value.is_empty())
}

const SAID: &[Column] = &[
    ("doc comment", |f| {
        f.symbols.iter().any(|s| !s.rare.doc.is_empty())
    }),
    ("attributes", |f| {
        f.symbols.iter().any(|s| !s.rare.decorators.is_empty())
    }),
    ("parameters", |f| {
        f.symbols.iter().any(|s| !s.parameters.is_empty())
    }),
    ("their types", |f| {
        f.symbols
            .iter()
            .flat_map(|s| &s.parameters)
            .any(|p| !p.type_text.is_empty())
    }),
    ("result or type", |f| {
        f.symbols.iter().any(|s| !s.type_text.is_empty())
    }),
    ("type parameters", |f| {
        f.symbols.iter().any(|s| !s.rare.type_parameters.is_empty())
    }),
    ("extends", |f| {
        f.symbols
            .iter()
            .flat_map(|s| &s.rare.bases)
            .any(|b| b.kind == BaseKind::Extends)
    }),
    ("implements", |f| {
        f.symbols
            .iter()
            .flat_map(|s| &s.rare.bases)
            .any(|b| b.kind == BaseKind::Implements)
    }),
    ("branches", |f| f.symbols.iter().any(|s| s.complexity > 1)),
];

const MODIFIERS: &[Column] = &[
    ("exported", |f| any_symbol(f, Modifiers::EXPORTED)),
    ("default export", |f| {
        any_symbol(f, Modifiers::DEFAULT_EXPORT)
    }),
    ("static", |f| any_symbol(f, Modifiers::STATIC)),
    ("async", |f| any_symbol(f, Modifiers::ASYNC)),
    ("declaration only", |f| {
        any_symbol(f, Modifiers::DECLARATION)
    }),
    ("test", |f| any_symbol(f, Modifiers::TEST)),
    ("override", |f| any_symbol(f, Modifiers::OVERRIDE)),
    ("accessor", |f| any_symbol(f, Modifiers::ACCESSOR)),
    ("anonymous", |f| any_symbol(f, Modifiers::ANONYMOUS)),
];

const WORDS: &[Column] = &[
    ("private", |f| any_symbol(f, Modifiers::PRIVATE)),
    ("protected", |f| any_symbol(f, Modifiers::PROTECTED)),
    ("internal", |f| any_symbol(f, Modifiers::INTERNAL)),
    ("abstract", |f| any_symbol(f, Modifiers::ABSTRACT)),
    ("virtual", |f| any_symbol(f, Modifiers::VIRTUAL)),
    ("final", |f| any_symbol(f, Modifiers::FINAL)),
    ("sealed", |f| any_symbol(f, Modifiers::SEALED)),
    ("read only", |f| any_symbol(f, Modifiers::READONLY)),
    ("const", |f| any_symbol(f, Modifiers::CONST)),
    ("mutable", |f| any_symbol(f, Modifiers::MUTABLE)),
    ("lazy", |f| any_symbol(f, Modifiers::LAZY)),
    ("inline", |f| any_symbol(f, Modifiers::INLINE)),
    ("extern", |f| any_symbol(f, Modifiers::EXTERN)),
    ("unsafe", |f| any_symbol(f, Modifiers::UNSAFE)),
    ("partial", |f| any_symbol(f, Modifiers::PARTIAL)),
    ("generator", |f| any_symbol(f, Modifiers::GENERATOR)),
];

const USES: &[Column] = &[
    ("call", |f| any_form(f, ReferenceForm::Call)),
    ("method", |f| any_form(f, ReferenceForm::MethodCall)),
    ("path", |f| any_form(f, ReferenceForm::PathCall)),
    ("new", |f| any_form(f, ReferenceForm::New)),
    ("macro", |f| any_form(f, ReferenceForm::MacroCall)),
    ("element", |f| any_form(f, ReferenceForm::Jsx)),
    ("attribute", |f| any_form(f, ReferenceForm::Decorator)),
    ("type", |f| any_form(f, ReferenceForm::Type)),
    ("value", |f| any_form(f, ReferenceForm::Value)),
    ("member", |f| any_form(f, ReferenceForm::Member)),
];

const IMPORTS: &[Column] = &[
    ("own namespace", |f| !f.package.is_empty()),
    ("names", |f| {
        f.imports
            .iter()
            .any(|i| !i.name.is_empty() && !i.is(ImportFlags::GLOB))
    }),
    ("another name", |f| {
        f.imports
            .iter()
            .any(|i| !i.local.is_empty() && !i.name.is_empty() && i.local != i.name)
    }),
    ("modules", |f| any_import(f, ImportFlags::MODULE)),
    ("all names", |f| any_import(f, ImportFlags::GLOB)),
    ("passed on", |f| any_import(f, ImportFlags::REEXPORT)),
    ("types only", |f| any_import(f, ImportFlags::TYPE_ONLY)),
    ("effect only", |f| any_import(f, ImportFlags::SIDE_EFFECT)),
    ("within definitions", |f| {
        f.imports.iter().any(|i| i.enclosing.is_some())
    }),
];

const BINDINGS: &[Column] = &[
    ("written", |f| any_binding(f, BindingKind::Annotated)),
    ("constructed", |f| any_binding(f, BindingKind::Constructed)),
    ("result of a call", |f| any_binding(f, BindingKind::Call)),
    ("another variable", |f| any_binding(f, BindingKind::Alias)),
    ("element of", |f| any_binding(f, BindingKind::Element)),
    ("given by a call", |f| any_binding(f, BindingKind::Argument)),
    ("fields", |f| {
        f.bindings.iter().any(|b| {
            b.name.starts_with("self.") || b.name.starts_with("this.") || b.name.starts_with('@')
        })
    }),
];

fn matrix(out: &mut String, languages: &[&Shown], columns: &[Column]) {
    out.push_str("| language |");
    columns
        .iter()
        .for_each(|(name, _)| write!(out, " {name} |").unwrap());
    out.push_str("\n|---|");
    columns.iter().for_each(|_| out.push_str("---|"));
    out.push('\n');
    for shown in languages {
        write!(out, "| {} |", shown.language.name()).unwrap();
        for (_, holds) in columns {
            out.push_str(if shown.any(holds) { " yes |" } else { " – |" });
        }
        out.push('\n');
    }
    out.push('\n');
}

fn page() -> String {
    let all = shown();
    let code: Vec<&Shown> = all
        .iter()
        .filter(|one| one.language.grammar().is_some())
        .collect();
    let documents: Vec<&Shown> = all
        .iter()
        .filter(|one| one.language.grammar().is_none())
        .collect();
    let mut out = String::from(
        "# Languages\n\n\
         The features of each language. The tests write this page from the facts that they read \
         (`UPDATE_EXPECT=1 cargo test -p portolan-syntax page`): a *yes* is a feature that a case shows, a dash is one that \
         the language lacks or that is not supported. A language of your own: [grammars.md](grammars.md).\n\n\
         The names in the first column are those of filters and answers. `jsx` means `javascript`, `jsonc` and `json5` for \
         `json`, `scss` and `less` for `css`, `sh`, `zsh` and `shell` for `bash`. Files in no language listed here are searched as `text`.\n\n\
         ## Definitions\n\n| language | kinds |\n|---|---|\n",
    );
    for one in &code {
        writeln!(out, "| {} | {} |", one.language.name(), one.kinds()).unwrap();
    }
    out.push_str("\n## Properties of definitions\n\n");
    matrix(&mut out, &code, SAID);
    matrix(&mut out, &code, MODIFIERS);
    out.push_str(
        "Modifiers by the words of each language (or its rules for names: `#x`, `__x`, `_x`); what a word means is said at \
         `Modifiers` in `crates/syntax/src/facts.rs`.\n\n",
    );
    matrix(&mut out, &code, WORDS);
    out.push_str("## Uses of names\n\n");
    matrix(&mut out, &code, USES);
    out.push_str("## Imports\n\n");
    matrix(&mut out, &code, IMPORTS);
    out.push_str(
        "## Types of variables\n\nHow the type of a variable, parameter or field is known.\n\n",
    );
    matrix(&mut out, &code, BINDINGS);
    out.push_str("## Documents and configuration\n\n| language | kinds | uses | imports | scripts inside |\n|---|---|---|---|---|\n");
    for one in &documents {
        let yes = |holds: bool| if holds { "yes" } else { "–" };
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            one.language.name(),
            one.kinds(),
            yes(one.any(|f| !f.references.is_empty())),
            yes(one.any(|f| !f.imports.is_empty())),
            yes(one.language == Language::Html
                && one.any(|f| any_form(f, ReferenceForm::MethodCall))),
        )
        .unwrap();
    }
    out.push_str("\n## Features that a language lacks\n\n");
    for one in &code {
        for (case, why) in &one.lacking {
            writeln!(out, "- {}, {case}: {why}", one.language.name()).unwrap();
        }
    }
    out
}

#[test]
fn the_page_says_what_the_suites_show() {
    expect_file!["../../../../docs/languages.md"].assert_eq(&page());
}
