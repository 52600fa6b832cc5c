//! Every field of the facts of a file, in order, with its prediction.
//!
//! One walk serves both directions: writing, it is given the facts and its result is disregarded; reading, it is given none.
//! The structure of expressions is not written: it follows from their places and texts.

use syntax::Language;
use syntax::facts::{
    Base, BaseKind, Chunk, Expressions, FileFacts, Import, Parameter, Problem, ProblemKind, Rare,
    RareFacts, Span, Symbol, SymbolKind,
};

use super::super::columns::Fault;
use super::flow::Column as C;
use super::flow::{Flow, Reading, Writing};
use super::habits::Outline;
use super::known::{Expected, Known};
use super::lines::Lines;

/// Writes the facts of a file.
pub(super) fn write(writing: &mut Writing, text: &str, facts: &FileFacts, known: &Known<'_>) {
    if let Err(fault) = walk(writing, text, facts.language, facts, known) {
        unreachable!("writing into columns cannot fail: {fault}");
    }
}

/// Reads the facts of a file.
pub(super) fn read(
    reading: &mut Reading<'_>,
    text: &str,
    language: Language,
    known: &Known<'_>,
) -> Result<FileFacts, Fault> {
    walk(reading, text, language, &FileFacts::default(), known)
}

/// A walk of one file.
pub(super) struct Walk<'a, F> {
    pub flow: &'a mut F,
    pub text: &'a str,
    lines: Lines,
    pub outline: Outline,
}

/// No file has as many facts of a kind: its bytes are fewer.
const MAX_COUNT: u32 = 1 << 26;

fn walk<F: Flow>(
    flow: &mut F,
    text: &str,
    language: Language,
    facts: &FileFacts,
    known: &Known<'_>,
) -> Result<FileFacts, Fault> {
    let mut walk = Walk {
        flow,
        text,
        lines: Lines::new(text),
        outline: Outline::default(),
    };
    let n_lines = walk.lines.starts.len() as u32;
    let n_lines = walk.flow.number(C::File, facts.n_lines, n_lines)?;
    let symbols = walk.symbols(&facts.symbols, known)?;
    walk.outline = Outline::of(&symbols);
    let mut at = 0;
    let mut all = FileFacts {
        language,
        n_lines,
        symbols,
        references: walk.references(&facts.references)?,
        imports: walk.imports(&facts.imports)?,
        bindings: walk.bindings(&facts.bindings)?,
        chunks: walk.chunks(&facts.chunks, known)?,
        package: walk.flow.near(
            [C::ImportText, C::ImportLength],
            &facts.package,
            text,
            &mut at,
        )?,
        problems: walk.problems(&facts.problems)?,
        expressions: Expressions::default(),
    };
    if F::READS {
        syntax::lower_facts(&mut all, text);
    }
    Ok(all)
}

impl<F: Flow> Walk<'_, F> {
    pub fn count<T>(&mut self, values: &[T]) -> Result<u32, Fault> {
        self.count_of(values, 0)
    }

    fn count_of<T>(&mut self, values: &[T], expected: u32) -> Result<u32, Fault> {
        let n = self.flow.number(C::Count, values.len() as u32, expected)?;
        if n < MAX_COUNT {
            Ok(n)
        } else {
            Err("there are too many")
        }
    }

    pub fn option(
        &mut self,
        column: C,
        value: Option<u32>,
        expected: u32,
    ) -> Result<Option<u32>, Fault> {
        let value = value.map_or(0, |value| value.saturating_add(1));
        Ok(self.flow.number(column, value, expected)?.checked_sub(1))
    }

    /// A span whose bytes are given and whose lines follow from them.
    pub fn lines_of(&mut self, start: u32, end: u32, value: &Span) -> Result<Span, Fault> {
        let first = self.lines.of(start);
        let last = self.lines.of(end.saturating_sub(1).max(start));
        Ok(Span {
            start,
            end,
            start_line: self.flow.number(C::Line, value.start_line, first)?,
            end_line: self.flow.number(C::Line, value.end_line, last)?,
        })
    }

    fn span(&mut self, column: C, value: &Span, expected: [u32; 2]) -> Result<Span, Fault> {
        let start = self.flow.number(column, value.start, expected[0])?;
        let expected_end = start.wrapping_add(expected[1]);
        let end = self.flow.number(column, value.end, expected_end)?;
        self.lines_of(start, end, value)
    }

    fn symbols(&mut self, symbols: &[Symbol], known: &Known<'_>) -> Result<Vec<Symbol>, Fault> {
        let blank = blank_symbol();
        let n = self.count(symbols)?;
        let mut all = Vec::new();
        for idx in 0..n {
            let symbol = symbols.get(idx as usize).unwrap_or(&blank);
            all.push(self.symbol(symbol, &known.symbol(idx))?);
        }
        Ok(all)
    }

    fn symbol(&mut self, symbol: &Symbol, known: &Expected<'_>) -> Result<Symbol, Fault> {
        let text = self.text;
        let mut number =
            |value: u32, expected: u32| self.flow.number(C::SymbolNumber, value, expected);
        let kind = number(symbol.kind as u32, u32::from(known.kind))?;
        let parent = symbol.parent.map_or(0, |parent| parent.saturating_add(1));
        let parent = number(parent, known.parent.map_or(0, |parent| parent + 1))?.checked_sub(1);
        let start = number(symbol.span.start, known.span.start)?;
        let span = Span {
            start,
            end: number(symbol.span.end, known.span.end)?,
            start_line: number(symbol.span.start_line, known.span.start_line)?,
            end_line: number(symbol.span.end_line, known.span.end_line)?,
        };
        let [name_start, name_end, name_line] = known.name_span;
        let name_span = Span {
            start: number(symbol.name_span.start, name_start)?,
            end: number(symbol.name_span.end, name_end)?,
            start_line: number(symbol.name_span.start_line, name_line)?,
            end_line: number(symbol.name_span.end_line, name_line)?,
        };
        let modifiers = number(symbol.modifiers, known.modifiers)?;
        let complexity = number(u32::from(symbol.complexity), u32::from(known.complexity))? as u16;
        let mut at = start as usize;
        let columns = [C::SymbolText, C::SymbolLength];
        let mut usual =
            |value: &str, expected: &str| self.flow.usual(columns, value, expected, text, &mut at);
        let name = usual(&symbol.name, known.name)?;
        let signature = usual(&symbol.signature, known.signature)?;
        let doc = usual(&symbol.rare.doc, known.doc)?;
        let mut at = start as usize;
        let owner = self.flow.near(columns, &symbol.rare.owner, text, &mut at)?;
        // Bases, decorators and type parameters stand at the start, parameters and the type behind the name.
        let mut at = start as usize;
        let decorators = self.words(&symbol.rare.decorators, &mut at)?;
        let mut at = name_span.start as usize;
        let type_parameters = self.parameters(&symbol.rare.type_parameters, &mut at)?;
        let parameters = self.parameters(&symbol.parameters, &mut at)?;
        let columns = [C::TypeText, C::TypeLength];
        let type_text = self.flow.near(columns, &symbol.type_text, text, &mut at)?;
        Ok(Symbol {
            name,
            kind: crate::counts::symbol_kind(kind).ok_or("a definition is of no kind")?,
            parent,
            span,
            name_span,
            signature: signature.into(),
            modifiers,
            parameters: parameters.into(),
            type_text: type_text.into(),
            ty: None,
            complexity,
            rare: Rare::from(RareFacts {
                owner,
                owner_type: None,
                doc,
                type_parameters: type_parameters.into(),
                bases: self.bases(&symbol.rare.bases, start)?.into(),
                decorators: decorators.into(),
            }),
        })
    }

    fn words(&mut self, words: &[String], at: &mut usize) -> Result<Vec<String>, Fault> {
        let n = self.count(words)?;
        let mut all = Vec::new();
        for idx in 0..n as usize {
            let word = words.get(idx).map_or("", String::as_str);
            all.push(
                self.flow
                    .near([C::SymbolText, C::SymbolLength], word, self.text, at)?,
            );
        }
        Ok(all)
    }

    fn parameters(
        &mut self,
        values: &[Parameter],
        at: &mut usize,
    ) -> Result<Vec<Parameter>, Fault> {
        let n = self.count(values)?;
        let mut all = Vec::new();
        for idx in 0..n as usize {
            let (name, type_text) = values
                .get(idx)
                .map_or(("", ""), |value| (&value.name, &value.type_text));
            let columns = [C::ParameterText, C::ParameterLength];
            let name = self.flow.near(columns, name, self.text, at)?;
            let columns = [C::TypeText, C::TypeLength];
            let type_text = self.flow.near(columns, type_text, self.text, at)?;
            let ty = None;
            all.push(Parameter {
                name,
                type_text,
                ty,
            });
        }
        Ok(all)
    }

    fn bases(&mut self, bases: &[Base], start: u32) -> Result<Vec<Base>, Fault> {
        let blank = Base {
            name: String::new(),
            ty: None,
            kind: BaseKind::Extends,
            span: Span::default(),
        };
        let n = self.count(bases)?;
        let mut all = Vec::new();
        let mut last = start;
        for idx in 0..n as usize {
            let base = bases.get(idx).unwrap_or(&blank);
            let kind = self.flow.number(C::SymbolNumber, base.kind as u32, 0)?;
            let span = self.span(C::SymbolNumber, &base.span, [last, 0])?;
            last = span.end;
            let mut at = span.start as usize;
            let columns = [C::TypeText, C::TypeLength];
            all.push(Base {
                name: self.flow.near(columns, &base.name, self.text, &mut at)?,
                ty: None,
                kind: *BASES.get(kind as usize).ok_or("a base is of no kind")?,
                span,
            });
        }
        Ok(all)
    }

    fn imports(&mut self, imports: &[Import]) -> Result<Vec<Import>, Fault> {
        let blank = Import {
            module: String::new(),
            name: String::new(),
            local: String::new(),
            flags: 0,
            span: Span::default(),
            enclosing: None,
        };
        let n = self.count(imports)?;
        let mut all: Vec<Import> = Vec::new();
        let mut last = Span::default();
        for idx in 0..n as usize {
            let import = imports.get(idx).unwrap_or(&blank);
            let length = last.end.wrapping_sub(last.start);
            let span = self.span(C::ImportNumber, &import.span, [last.start, length])?;
            last = span;
            let columns = [C::ImportText, C::ImportLength];
            let mut near =
                |value: &str, mut at: usize| self.flow.near(columns, value, self.text, &mut at);
            let module = near(&import.module, span.start as usize)?;
            let name = near(&import.name, span.start as usize)?;
            let local = near(&import.local, span.start as usize)?;
            all.push(Import {
                module,
                name,
                local,
                flags: self
                    .flow
                    .number(C::ImportNumber, u32::from(import.flags), 0)?
                    as u8,
                span,
                enclosing: self.option(C::ImportNumber, import.enclosing, 0)?,
            });
        }
        Ok(all)
    }

    fn chunks(&mut self, chunks: &[Chunk], known: &Known<'_>) -> Result<Vec<Chunk>, Fault> {
        let blank = Chunk {
            span: Span::default(),
            node_kind: String::new(),
            symbol: None,
            defines: Vec::new(),
            n_chars: 0,
        };
        let n = self.count_of(chunks, known.n_chunks())?;
        let mut next = 0;
        let mut all = Vec::new();
        for idx in 0..n {
            let chunk = chunks.get(idx as usize).unwrap_or(&blank);
            let known = known.chunk(idx);
            let mut number =
                |value: u32, expected: u32| self.flow.number(C::ChunkLength, value, expected);
            let start = number(chunk.span.start, known.start)?;
            let end = number(chunk.span.end, known.end)?;
            let span = self.lines_of(start, end, &chunk.span)?;
            let symbol = known.symbol.map_or(0, |symbol| symbol + 1);
            let own = self.option(C::ChunkSymbol, chunk.symbol, symbol)?;
            let mut defines = Vec::new();
            for idx in 0..self.count(&chunk.defines)? as usize {
                let define = chunk.defines.get(idx).copied().unwrap_or_default();
                let define = self.flow.number(C::ChunkDefines, define, next)?;
                next = define.wrapping_add(1);
                defines.push(define);
            }
            all.push(Chunk {
                span,
                node_kind: self.flow.word(C::ChunkKind, &chunk.node_kind)?,
                symbol: own,
                defines,
                n_chars: {
                    let code = self.text.as_bytes().get(start as usize..end as usize);
                    let n_chars = ink(code.unwrap_or_default());
                    self.flow.number(C::ChunkChars, chunk.n_chars, n_chars)?
                },
            });
        }
        Ok(all)
    }

    fn problems(&mut self, problems: &[Problem]) -> Result<Vec<Problem>, Fault> {
        let blank = Problem {
            kind: ProblemKind::Syntax,
            span: Span::default(),
            message: String::new(),
        };
        let n = self.count(problems)?;
        let mut all = Vec::new();
        for idx in 0..n as usize {
            let problem = problems.get(idx).unwrap_or(&blank);
            let kind = self.flow.number(C::File, problem.kind as u32, 0)?;
            all.push(Problem {
                kind: *PROBLEMS
                    .get(kind as usize)
                    .ok_or("a problem is of no kind")?,
                span: self.span(C::File, &problem.span, [0, 0])?,
                message: self.flow.word(C::Word, &problem.message)?,
            });
        }
        Ok(all)
    }
}

/// Characters that are not white space, counted by bytes.
fn ink(bytes: &[u8]) -> u32 {
    let is_ink = |byte: &&u8| **byte > b' ' && **byte & 0xc0 != 0x80;
    bytes.iter().filter(is_ink).count() as u32
}

fn blank_symbol() -> Symbol {
    Symbol {
        name: String::new(),
        kind: SymbolKind::Module,
        parent: None,
        span: Span::default(),
        name_span: Span::default(),
        signature: Box::default(),
        modifiers: 0,
        parameters: Default::default(),
        type_text: Box::default(),
        ty: None,
        complexity: 0,
        rare: Rare::default(),
    }
}

const BASES: [BaseKind; 2] = [BaseKind::Extends, BaseKind::Implements];

const PROBLEMS: [ProblemKind; 5] = [
    ProblemKind::Syntax,
    ProblemKind::Timeout,
    ProblemKind::NoGrammar,
    ProblemKind::Limit,
    ProblemKind::Crash,
];
