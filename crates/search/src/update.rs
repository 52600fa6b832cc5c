//! The next index out of the last one: rows of unchanged files are copied with new numbers, those of files that were
//! read anew are merged in.
//!
//! The result is what building from scratch gives, byte for byte: counts do not depend on other chunks, and both indexes number
//! their chunks in file order, so that rows stay sorted. Cost: one pass over the columns and postings, without hashing or
//! tokenizing; only new terms are sorted.

use std::ops::Range;

use rkyv::rend::{u32_le, u64_le};
use source::FileId;

use crate::bm25::{IndexBuilder, LexicalConfig};
use crate::frozen::{ArchivedLexical, ChunkMeta, Lexical};
use crate::paths::PathBits;
use crate::terms::FileTerms;

/// "Gone" in a table of new numbers.
const GONE: u32 = u32::MAX;

/// A file of the next index.
#[derive(Debug, Clone)]
pub enum NextFile<'a> {
    /// As it was, with this number in the last index; these files come in rising order.
    Kept(FileId),
    /// New or changed. The file's number in `chunks` is disregarded.
    Read {
        /// Its path.
        path: &'a str,
        /// Its chunks in order.
        chunks: Vec<ChunkMeta>,
        /// Their terms.
        terms: &'a FileTerms,
    },
}

/// Neighbouring files of one source.
struct Run {
    source: usize,
    files: Range<usize>,
}

impl Lexical {
    /// The index of `files`, in path order, from `last` and the files that were read.
    ///
    /// # Errors
    ///
    /// None that an index which fits in memory can give.
    pub fn updated(
        last: &ArchivedLexical,
        files: &[NextFile<'_>],
        config: &LexicalConfig,
    ) -> Result<Lexical, rkyv::rancor::Error> {
        let (fresh, runs) = read_files(files, config);
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&fresh)?;
        let fresh = rkyv::access::<ArchivedLexical, rkyv::rancor::Error>(&bytes)?;
        Ok(merge([last, fresh], &runs, config))
    }
}

/// The files that were read as an index of their own, and where each file of the next index comes from: 0 the last, 1 this.
fn read_files(files: &[NextFile<'_>], config: &LexicalConfig) -> (Lexical, Vec<Run>) {
    let mut fresh = IndexBuilder::new(config.clone());
    let mut runs: Vec<Run> = Vec::new();
    for file in files {
        let (source, number) = match file {
            NextFile::Kept(file) => (0, file.index()),
            NextFile::Read {
                path,
                chunks,
                terms,
            } => {
                let file = fresh.add_file(path);
                let chunks = chunks.iter().map(|chunk| ChunkMeta { file, ..*chunk });
                fresh.add_chunks(chunks, (*terms).clone());
                (1, file.index())
            }
        };
        match runs.last_mut() {
            Some(run) if run.source == source && run.files.end == number => run.files.end += 1,
            _ => runs.push(Run {
                source,
                files: number..number + 1,
            }),
        }
    }
    (fresh.build(), runs)
}

fn merge(sources: [&ArchivedLexical; 2], runs: &[Run], config: &LexicalConfig) -> Lexical {
    let mut next = Lexical {
        k1: config.k1,
        field_weights: config.field_weights,
        field_b: config.field_b,
        ..Lexical::default()
    };
    // New number of each chunk.
    let mut numbers = sources.map(|source| vec![GONE; source.n_chunks()]);
    for run in runs {
        let chunks = copy_run(&mut next, sources[run.source], run.files.clone());
        let first = next.chunk_files.len() - chunks.len();
        for (number, chunk) in (first as u32..).zip(chunks) {
            if let Some(slot) = numbers[run.source].get_mut(chunk) {
                *slot = number;
            }
        }
    }
    next.file_starts.push(next.chunk_files.len() as u32);
    next.path_starts.push(next.word_ends.len() as u32);
    let numbers = [&numbers[0][..], &numbers[1][..]];

    let mut postings = Merged::new(Counts {
        sources,
        counts: Vec::with_capacity(sources[0].posting_counts.len()),
    });
    let rows = sources.map(|s| Rows {
        keys: &s.terms,
        starts: &s.posting_starts,
        chunks: &s.posting_chunks,
    });
    postings.merge(rows, numbers);
    (next.terms, next.posting_starts) = (postings.keys, postings.starts);
    next.posting_chunks = postings.chunks;
    next.posting_counts = postings.extra.counts;
    next.weigh();

    let mut names = Merged::new(());
    let rows = sources.map(|s| Rows {
        keys: &s.names,
        starts: &s.name_starts,
        chunks: &s.name_chunks,
    });
    names.merge(rows, numbers);
    (next.names, next.name_starts, next.name_chunks) = (names.keys, names.starts, names.chunks);
    next
}

/// Copies the columns of neighbouring files and of their chunks; gives the chunks' numbers in the source.
fn copy_run(next: &mut Lexical, from: &ArchivedLexical, files: Range<usize>) -> Range<usize> {
    let at = |starts: &[u32_le], idx: usize| starts.get(idx).map_or(0, |s| s.to_native() as usize);
    let chunks = at(&from.file_starts, files.start)..at(&from.file_starts, files.end);
    let words = at(&from.path_starts, files.start)..at(&from.path_starts, files.end);
    let word_end = |idx: usize| idx.checked_sub(1).map_or(0, |idx| at(&from.word_ends, idx));
    let letters = word_end(words.start)..word_end(words.end);

    let shift = |values: &[u32_le], from: usize, to: usize| -> Vec<u32> {
        let (from, to) = (from as u32, to as u32);
        let moved = values
            .iter()
            .map(|value| value.to_native().wrapping_sub(from).wrapping_add(to));
        moved.collect()
    };
    let first_file = next.file_classes.len();
    let chunk_files = from.chunk_files.get(chunks.clone()).unwrap_or_default();
    let file_starts = from.file_starts.get(files.clone()).unwrap_or_default();
    let path_starts = from.path_starts.get(files.clone()).unwrap_or_default();
    let word_ends = from.word_ends.get(words.clone()).unwrap_or_default();
    next.file_starts
        .extend(shift(file_starts, chunks.start, next.chunk_files.len()));
    next.path_starts
        .extend(shift(path_starts, words.start, next.word_ends.len()));
    next.word_ends
        .extend(shift(word_ends, letters.start, next.path_words.len()));
    next.chunk_files
        .extend(shift(chunk_files, files.start, first_file));
    next.path_words
        .push_str(from.path_words.get(letters).unwrap_or_default());

    let spans = from.chunk_spans.get(chunks.clone()).unwrap_or_default();
    next.chunk_spans
        .extend(spans.iter().map(|span| span.map(u32_le::to_native)));
    let languages = from.chunk_languages.get(chunks.clone()).unwrap_or_default();
    next.chunk_languages
        .extend(languages.iter().map(crate::frozen::language_of));
    next.chunk_flags
        .extend_from_slice(from.chunk_flags.get(chunks.clone()).unwrap_or_default());
    let lengths = from.field_lengths.get(chunks.clone()).unwrap_or_default();
    next.field_lengths
        .extend(lengths.iter().map(|lengths| lengths.map(u32_le::to_native)));

    let classes = from.file_classes.get(files.clone()).unwrap_or_default();
    next.file_classes
        .extend(classes.iter().map(|bits| PathBits(bits.0.to_native())));
    next.stem_counts
        .extend_from_slice(from.stem_counts.get(files.clone()).unwrap_or_default());
    let stems = from.stem_names.get(files).unwrap_or_default();
    next.stem_names
        .extend(stems.iter().map(|name| name.to_native()));
    chunks
}

/// Rows of chunks by a key.
#[derive(Clone, Copy)]
struct Rows<'a> {
    keys: &'a [u64_le],
    starts: &'a [u32_le],
    chunks: &'a [u32_le],
}

impl Rows<'_> {
    fn range(&self, row: usize) -> Range<usize> {
        let at = |idx: usize| {
            self.starts
                .get(idx)
                .map_or(0, |start| start.to_native() as usize)
        };
        at(row)..at(row + 1)
    }
}

/// Data beside each chunk of a row.
trait Beside {
    /// Copies the entries at these places of a source.
    fn copy(&mut self, source: usize, places: Range<usize>);
}

impl Beside for () {
    fn copy(&mut self, _: usize, _: Range<usize>) {}
}

struct Counts<'a> {
    sources: [&'a ArchivedLexical; 2],
    counts: Vec<u16>,
}

impl Beside for Counts<'_> {
    fn copy(&mut self, source: usize, places: Range<usize>) {
        let counts = self.sources[source]
            .posting_counts
            .get(places)
            .unwrap_or_default();
        self.counts
            .extend(counts.iter().map(|count| count.to_native()));
    }
}

struct Merged<B> {
    keys: Vec<u64>,
    starts: Vec<u32>,
    chunks: Vec<u32>,
    extra: B,
}

impl<B: Beside> Merged<B> {
    fn new(extra: B) -> Self {
        Merged {
            keys: Vec::new(),
            starts: Vec::new(),
            chunks: Vec::new(),
            extra,
        }
    }

    /// Rows of the first source as they are, except those that lose chunks or gain some of the second.
    fn merge(&mut self, rows: [Rows<'_>; 2], numbers: [&[u32]; 2]) {
        self.keys.reserve(rows[0].keys.len() + rows[1].keys.len());
        self.starts
            .reserve(rows[0].starts.len() + rows[1].keys.len());
        self.chunks
            .reserve(rows[0].chunks.len() + rows[1].chunks.len());
        let mut done = 0;
        for (row, fresh) in touched(rows, numbers[0]) {
            self.copy_rows(&rows[0], done..row, numbers[0]);
            done = row;
            let key = match fresh {
                Some(fresh) => rows[1].keys.get(fresh),
                None => rows[0].keys.get(row),
            };
            let key = key.map_or(0, |key| key.to_native());
            let own = if rows[0]
                .keys
                .get(row)
                .is_some_and(|own| own.to_native() == key)
            {
                done += 1;
                rows[0].range(row)
            } else {
                0..0
            };
            let fresh = fresh.map_or(0..0, |fresh| rows[1].range(fresh));
            self.merge_row(key, rows, [own, fresh], numbers);
        }
        self.copy_rows(&rows[0], done..rows[0].keys.len(), numbers[0]);
        self.starts.push(self.chunks.len() as u32);
    }

    fn copy_rows(&mut self, from: &Rows<'_>, rows: Range<usize>, numbers: &[u32]) {
        if rows.is_empty() {
            return;
        }
        let places = from.range(rows.start).start..from.range(rows.end - 1).end;
        let keys = from.keys.get(rows.clone()).unwrap_or_default();
        self.keys.extend(keys.iter().map(|key| key.to_native()));
        let moved = (self.chunks.len() as u32).wrapping_sub(places.start as u32);
        let starts = from.starts.get(rows).unwrap_or_default();
        self.starts.extend(
            starts
                .iter()
                .map(|start| start.to_native().wrapping_add(moved)),
        );
        let chunks = from.chunks.get(places.clone()).unwrap_or_default();
        let number = |chunk: &u32_le| {
            numbers
                .get(chunk.to_native() as usize)
                .copied()
                .unwrap_or(GONE)
        };
        self.chunks.extend(chunks.iter().map(number));
        self.extra.copy(0, places);
    }

    /// One row of both sources; none if all its chunks are gone.
    fn merge_row(
        &mut self,
        key: u64,
        rows: [Rows<'_>; 2],
        places: [Range<usize>; 2],
        numbers: [&[u32]; 2],
    ) {
        let mut entries: Vec<(u32, usize, usize)> =
            Vec::with_capacity(places[0].len() + places[1].len());
        for (source, places) in places.into_iter().enumerate() {
            for place in places {
                let chunk = rows[source]
                    .chunks
                    .get(place)
                    .map_or(GONE, |chunk| chunk.to_native());
                let number = numbers[source].get(chunk as usize).copied().unwrap_or(GONE);
                if number != GONE {
                    entries.push((number, source, place));
                }
            }
        }
        if entries.is_empty() {
            return;
        }
        entries.sort_unstable();
        self.keys.push(key);
        self.starts.push(self.chunks.len() as u32);
        for (number, source, place) in entries {
            self.chunks.push(number);
            self.extra.copy(source, place..place + 1);
        }
    }
}

/// The rows of the first source that change, and those of the second with where they go: by key.
fn touched(rows: [Rows<'_>; 2], numbers: &[u32]) -> Vec<(usize, Option<usize>)> {
    let is_gone = |chunk: &u32_le| {
        numbers
            .get(chunk.to_native() as usize)
            .is_none_or(|number| *number == GONE)
    };
    let mut touched: Vec<(usize, Option<usize>)> = Vec::new();
    for (place, _) in rows[0]
        .chunks
        .iter()
        .enumerate()
        .filter(|(_, chunk)| is_gone(chunk))
    {
        let row = rows[0]
            .starts
            .partition_point(|start| start.to_native() as usize <= place);
        let row = row.saturating_sub(1);
        if touched.last().is_none_or(|(last, _)| *last != row) {
            touched.push((row, None));
        }
    }
    let mut lost = std::mem::take(&mut touched).into_iter().peekable();
    let mut low = 0;
    for (fresh, key) in rows[1].keys.iter().enumerate() {
        let rest = rows[0].keys.get(low..).unwrap_or_default();
        let row = low + rest.partition_point(|own| own.to_native() < key.to_native());
        low = row;
        let is_own = rows[0].keys.get(row).is_some_and(|own| own == key);
        while let Some(lost) = lost.next_if(|(lost, _)| *lost < row) {
            touched.push(lost);
        }
        if is_own {
            lost.next_if(|(lost, _)| *lost == row);
        }
        touched.push((row, Some(fresh)));
    }
    touched.extend(lost);
    touched
}
