//! The static model for a text or two: reads only the rows of the text's tokens from the model's file.
//!
//! Packaging the model writes the look-up tables ([`crate::StaticEmbedder::lookup`]): the places of rows and scales in
//! the file, and the word pieces in order, so that bisection finds one without building a table first. Vectors equal
//! those of the whole model, bit for bit.

use std::cmp;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::arithmetic::{Counter, add_scaled, normalise};
use crate::tokenizer::{Listed, Tokenizer, Vocabulary, WordPieces};
use crate::{EmbedError, Embedder};

/// First bytes of the layout; the last one is its version.
const MAGIC: &[u8; 8] = b"PORTROW1";
/// Numbers behind them, four bytes each.
const N_NUMBERS: usize = 11;

/// Below, looking pieces up by bisection takes less than making a table of them: some code contexts.
const FEW_BYTES: usize = 128 * 1024;

/// Offsets within the model's file.
pub(crate) struct Layout {
    /// Bytes of the file.
    pub(crate) n_bytes: usize,
    /// First byte of the rows, a byte a number.
    pub(crate) rows: usize,
    /// First byte of the scales, four bytes each.
    pub(crate) scales: usize,
    pub(crate) dim: usize,
    pub(crate) power: f32,
}

/// Reads a range of the model's file; none where it cannot.
type Read = Box<dyn Fn(Range<usize>) -> Option<Vec<u8>>>;

/// A static model of which rows are read as they are asked for.
pub struct RowEmbedder {
    laid_out: LaidOut,
    read: Read,
    /// Bytes of texts whose tokens were counted.
    n_counted: AtomicUsize,
    /// Made when there are many: looking up is three times as fast then.
    hashed: OnceLock<Tokenizer>,
}

/// The output of [`crate::StaticEmbedder::lookup`].
pub(crate) struct LaidOut {
    pub(crate) name: String,
    pub(crate) layout: Layout,
    pub(crate) pieces: WordPieces<Sorted>,
}

impl Layout {
    /// Magic, numbers, name, then the two vocabularies: ends, token numbers, letters.
    pub(crate) fn write(&self, name: &str, pieces: WordPieces<Listed>) -> Vec<u8> {
        let vocabularies = [pieces.starts, pieces.continuations].map(in_order);
        let mut bytes = MAGIC.to_vec();
        let numbers: [usize; N_NUMBERS] = [
            self.n_bytes,
            self.rows,
            self.scales,
            self.dim,
            self.power.to_bits() as usize,
            pieces.unknown as usize,
            pieces.max_word,
            pieces.n_tokens,
            name.len(),
            vocabularies[0].len(),
            vocabularies[1].len(),
        ];
        let number = |value: usize| (value as u32).to_le_bytes();
        bytes.extend(numbers.into_iter().flat_map(number));
        bytes.extend_from_slice(name.as_bytes());
        for vocabulary in &vocabularies {
            let mut end = 0;
            for (piece, _) in vocabulary {
                end += piece.len();
                bytes.extend(number(end));
            }
            bytes.extend(vocabulary.iter().flat_map(|(_, id)| id.to_le_bytes()));
            bytes.extend(vocabulary.iter().flat_map(|(piece, _)| piece));
        }
        bytes
    }
}

/// The pieces that words can be made of, in the order of their letters.
fn in_order(mut list: Listed) -> Listed {
    let is_of_words = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    list.retain(|(piece, _)| !piece.is_empty() && piece.iter().all(is_of_words));
    list.sort();
    list
}

impl LaidOut {
    /// None where it is no layout, or not that of a file of `n_bytes`.
    pub(crate) fn read(lookup: &[u8], n_bytes: usize) -> Option<LaidOut> {
        let (magic, rest) = lookup.split_first_chunk()?;
        if magic != MAGIC {
            return None;
        }
        let file: Arc<[u8]> = rest.into();
        let number = |idx: usize| number_at(&file, idx * 4).map(|value| value as usize);
        let mut numbers = [0; N_NUMBERS];
        for (idx, value) in numbers.iter_mut().enumerate() {
            *value = number(idx)?;
        }
        let [
            of_bytes,
            rows,
            scales,
            dim,
            power,
            unknown,
            max_word,
            n_tokens,
            n_name,
            n_starts,
            n_continuations,
        ] = numbers;
        let layout = Layout {
            n_bytes: of_bytes,
            rows,
            scales,
            dim,
            power: f32::from_bits(power as u32),
        };
        if n_bytes != of_bytes || dim == 0 {
            return None;
        }
        let names = N_NUMBERS * 4..(N_NUMBERS * 4).checked_add(n_name)?;
        let name = std::str::from_utf8(file.get(names.clone())?)
            .ok()?
            .to_owned();
        let starts = Sorted::at(&file, names.end, n_starts)?;
        let continuations = Sorted::at(&file, starts.end(), n_continuations)?;
        let pieces = WordPieces {
            starts,
            continuations,
            unknown: unknown as u32,
            max_word,
            n_tokens,
        };
        Some(LaidOut {
            name,
            layout,
            pieces,
        })
    }
}

impl RowEmbedder {
    /// Reads what [`crate::StaticEmbedder::lookup`] wrote. `read` gives ranges of the model's file, which has `n_bytes`.
    ///
    /// # Errors
    /// If it is no such layout, or that of another file.
    pub fn new(
        lookup: &[u8],
        n_bytes: usize,
        read: impl Fn(Range<usize>) -> Option<Vec<u8>> + 'static,
    ) -> Result<RowEmbedder, EmbedError> {
        let laid_out = LaidOut::read(lookup, n_bytes).ok_or_else(|| {
            EmbedError::Unsupported("it is not the one that was laid out".to_owned())
        })?;
        Ok(RowEmbedder {
            laid_out,
            read: Box::new(read),
            n_counted: AtomicUsize::new(0),
            hashed: OnceLock::new(),
        })
    }

    /// Tokens of a text.
    #[must_use]
    pub fn n_tokens(&self, text: &str) -> usize {
        let mut ids = Vec::new();
        let pieces = &self.laid_out.pieces;
        if self.n_counted.fetch_add(text.len(), Ordering::Relaxed) < FEW_BYTES {
            pieces.encode(text, &mut ids);
        } else {
            let hashed = self.hashed.get_or_init(|| Tokenizer::of(pieces));
            hashed.encode(text, &mut ids);
        }
        ids.len()
    }

    /// Adds a token's row. `None` where it cannot be read.
    fn add_row(&self, id: usize, times: f32, sum: &mut [f32]) -> Option<()> {
        let range = |start: usize, n: usize| {
            let start = start.checked_add(id.checked_mul(n)?)?;
            let end = start.checked_add(n)?;
            (end <= self.laid_out.layout.n_bytes).then_some(start..end)
        };
        let scale = (self.read)(range(self.laid_out.layout.scales, 4)?)?;
        let scale = f32::from_le_bytes(scale.first_chunk().copied()?);
        let row = (self.read)(range(self.laid_out.layout.rows, self.laid_out.layout.dim)?)?;
        add_scaled(&row, scale * times, sum);
        Some(())
    }
}

impl std::fmt::Debug for RowEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RowEmbedder({})", self.laid_out.name)
    }
}

impl Embedder for RowEmbedder {
    fn name(&self) -> &str {
        &self.laid_out.name
    }

    fn dim(&self) -> usize {
        self.laid_out.layout.dim
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        let mut vectors = vec![0.0; texts.len() * self.laid_out.layout.dim];
        let (mut ids, mut counter) = (Vec::new(), Counter::new(self.laid_out.pieces.n_tokens));
        for (text, vector) in texts
            .iter()
            .zip(vectors.chunks_exact_mut(self.laid_out.layout.dim))
        {
            ids.clear();
            self.laid_out.pieces.encode(text, &mut ids);
            let mut is_read = true;
            counter.for_each_token(&ids, self.laid_out.layout.power, |id, times| {
                is_read &= self.add_row(id, times, vector).is_some();
            });
            if !is_read {
                return Err(EmbedError::Run("its file cannot be read".to_owned()));
            }
            normalise(vector);
        }
        Ok(vectors)
    }
}

/// Pieces in the order of their letters, within the layout.
pub(crate) struct Sorted {
    file: Arc<[u8]>,
    n: usize,
    /// End of each piece among the letters, four bytes each.
    ends: usize,
    ids: usize,
    letters: usize,
}

impl Sorted {
    /// `n` pieces, laid out from `start` on.
    fn at(file: &Arc<[u8]>, start: usize, n: usize) -> Option<Sorted> {
        let ids = start.checked_add(n.checked_mul(4)?)?;
        let sorted = Sorted {
            file: Arc::clone(file),
            n,
            ends: start,
            ids,
            letters: ids.checked_add(n * 4)?,
        };
        (sorted.end() <= file.len()).then_some(sorted)
    }

    /// Returns the end of the layout.
    fn end(&self) -> usize {
        self.letters.saturating_add(self.end_of(self.n))
    }

    /// Returns the end of the first `n` pieces.
    fn end_of(&self, n: usize) -> usize {
        let last = n.checked_sub(1);
        let end = last.and_then(|last| number_at(&self.file, self.ends + last * 4));
        end.unwrap_or(0) as usize
    }

    fn piece(&self, idx: usize) -> Option<&[u8]> {
        let letters = self.letters + self.end_of(idx)..self.letters + self.end_of(idx + 1);
        self.file.get(letters)
    }

    fn id(&self, idx: usize) -> Option<u32> {
        number_at(&self.file, self.ids + idx * 4)
    }

    /// All pieces with their numbers.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], u32)> {
        (0..self.n).map(|idx| {
            (
                self.piece(idx).unwrap_or_default(),
                self.id(idx).unwrap_or(0),
            )
        })
    }

    /// Returns the index of a piece in lower case; else the index for inserting it.
    fn place(&self, piece: &[u8]) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.n);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.piece(middle).unwrap_or_default().cmp(piece) {
                cmp::Ordering::Less => low = middle + 1,
                cmp::Ordering::Greater => high = middle,
                cmp::Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }
}

impl Vocabulary for Sorted {
    fn get(&self, word: &[u8], _text: &[u8]) -> Option<u32> {
        self.id(self.place(&word.to_ascii_lowercase()).ok()?)
    }

    fn longest(&self, word: &[u8]) -> Option<(usize, u32)> {
        let mut word = word.to_ascii_lowercase();
        while !word.is_empty() {
            let idx = match self.place(&word) {
                Ok(idx) => return Some((word.len(), self.id(idx)?)),
                Err(idx) => idx.checked_sub(1)?,
            };
            // Prefixes of the word sort before it, so the piece before shares at least that prefix.
            let before = self.piece(idx)?;
            let pairs = before.iter().zip(&word);
            let n_common = pairs.take_while(|(one, other)| one == other).count();
            if n_common == before.len() && n_common > 0 {
                return Some((n_common, self.id(idx)?));
            }
            word.truncate(n_common);
        }
        None
    }
}

fn number_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}
