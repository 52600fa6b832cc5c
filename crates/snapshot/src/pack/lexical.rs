//! The lexical index: gaps and counts apart, weights and languages left out. Postings are not in it: see [`super::super::postings`].

use rkyv::rend::u32_le;
use search::{ArchivedLexical, Lexical, PathBits};

use super::super::columns::{Fault, Reader, Writer};
use super::super::frames::KnownFrames;
use super::ArchivedFiles;

pub(in super::super) fn pack_lexical(lexical: &ArchivedLexical, known: &KnownFrames) -> Vec<u8> {
    let mut writer = Writer::default();
    let floats = [lexical.k1]
        .into_iter()
        .chain(lexical.field_weights)
        .chain(lexical.field_b);
    writer.archived_float(&floats.collect::<Vec<_>>());
    chunks(lexical, &mut writer);
    writer.archived(&lexical.file_starts);
    writer.numbers(
        lexical
            .file_classes
            .iter()
            .map(|bits| u32::from(bits.0.to_native())),
    );
    writer.archived(&lexical.path_starts);
    writer.bytes(lexical.path_words.as_bytes());
    writer.archived(&lexical.word_ends);
    writer.bytes(&lexical.stem_counts);
    let longs = |column: &[rkyv::rend::u64_le]| -> Vec<u64> {
        column.iter().map(|value| value.to_native()).collect()
    };
    writer.column(&longs(&lexical.stem_names));
    writer.column(&longs(&lexical.terms));
    writer.archived(&lexical.posting_starts);
    writer.column(&longs(&lexical.names));
    writer.archived(&lexical.name_starts);
    gaps(&lexical.name_starts, &lexical.name_chunks, &mut writer);
    writer.pack_with(known)
}

/// Columns of chunks: a chunk begins where the one before it in its file ends.
fn chunks(lexical: &ArchivedLexical, writer: &mut Writer) {
    let files: Vec<u32> = lexical.chunk_files.iter().map(|f| f.to_native()).collect();
    writer.numbers(files.iter().copied());
    let spans: Vec<[u32; 4]> = lexical
        .chunk_spans
        .iter()
        .map(|span| span.map(u32_le::to_native))
        .collect();
    let expected = |idx: usize| {
        let before = idx
            .checked_sub(1)
            .filter(|before| files.get(*before) == files.get(idx));
        let before = before.and_then(|before| spans.get(before));
        before.map_or([0, 0], |[_, end, _, last]| [*end, last.wrapping_add(1)])
    };
    let each = || spans.iter().enumerate();
    writer.differences(each().map(|(idx, span)| (span[0], expected(idx)[0])));
    writer.differences(each().map(|(_, span)| (span[1], span[0])));
    writer.differences(each().map(|(idx, span)| (span[2], expected(idx)[1])));
    writer.differences(each().map(|(_, span)| (span[3], span[2])));
    writer.bytes(&lexical.chunk_flags);
    for field in 0..lexical.field_weights.len() {
        let lengths = lexical.field_lengths.iter();
        writer.numbers(lengths.map(|lengths| lengths[field].to_native()));
    }
}

/// Rising rows, with the number of their bytes.
fn gaps(starts: &[u32_le], values: &[u32_le], writer: &mut Writer) {
    let mut bytes = Writer::default();
    for row in starts.windows(2) {
        let row = row[0].to_native() as usize..row[1].to_native() as usize;
        write_row(values.get(row).unwrap_or_default(), &mut bytes);
    }
    writer.bytes(&bytes.into_bytes());
}

/// A rising row: how far each value is from the one before it, in as many bytes as that needs.
pub(in super::super) fn write_row(row: &[u32_le], bytes: &mut Writer) {
    let mut next = 0_u32;
    for value in row {
        let value = value.to_native();
        bytes.number(u64::from(value.wrapping_sub(next)));
        next = value.wrapping_add(1);
    }
}

pub(in super::super) fn unpack_lexical(
    bytes: Vec<u8>,
    files: &ArchivedFiles,
) -> Result<Lexical, Fault> {
    let mut reader = Reader::new(&bytes);
    let floats = reader.floats()?;
    let [k1, w0, w1, w2, w3, b0, b1, b2, b3] = floats[..] else {
        return Err("there are not as many settings as it has");
    };
    let mut lexical = Lexical {
        k1,
        field_weights: [w0, w1, w2, w3],
        field_b: [b0, b1, b2, b3],
        ..Lexical::default()
    };
    read_chunks(&mut lexical, &mut reader)?;
    // A file's language is that of its chunks.
    let languages: Vec<_> = (0..files.len()).map(|file| files.language(file)).collect();
    lexical.chunk_languages = lexical
        .chunk_files
        .iter()
        .map(|file| languages.get(*file as usize).copied().unwrap_or_default())
        .collect();
    lexical.file_starts = reader.numbers()?;
    lexical.file_classes = reader.shorts()?.into_iter().map(PathBits).collect();
    lexical.path_starts = reader.numbers()?;
    lexical.path_words = reader.text()?.to_owned();
    lexical.word_ends = reader.numbers()?;
    lexical.stem_counts = reader.bytes()?.to_vec();
    lexical.stem_names = reader.longs()?;
    lexical.terms = reader.longs()?;
    lexical.posting_starts = reader.numbers()?;
    lexical.names = reader.longs()?;
    lexical.name_starts = reader.numbers()?;
    lexical.name_chunks = read_gaps(&lexical.name_starts, reader.bytes()?)?;
    reader.end()?;
    lexical.weigh();
    Ok(lexical)
}

fn read_chunks(lexical: &mut Lexical, reader: &mut Reader<'_>) -> Result<(), Fault> {
    let files = reader.numbers()?;
    let n_chunks = files.len();
    let [starts, lengths, lines, heights] = [
        reader.numbers()?,
        reader.numbers()?,
        reader.numbers()?,
        reader.numbers()?,
    ];
    let unzigzag = |coded: u32| coded >> 1 ^ (coded & 1).wrapping_neg();
    let mut last = (NO_FILE, 0_u32, 0_u32);
    let columns = starts.iter().zip(&lengths).zip(lines.iter().zip(&heights));
    for (&file, ((start, length), (line, height))) in files.iter().zip(columns) {
        let (end, next_line) = if last.0 == file {
            (last.1, last.2)
        } else {
            (0, 0)
        };
        let start = end.wrapping_add(unzigzag(*start));
        let end = start.wrapping_add(unzigzag(*length));
        let start_line = next_line.wrapping_add(unzigzag(*line));
        let end_line = start_line.wrapping_add(unzigzag(*height));
        lexical.chunk_spans.push([start, end, start_line, end_line]);
        last = (file, end, end_line.wrapping_add(1));
    }
    lexical.chunk_files = files;
    lexical.chunk_flags = reader.bytes()?.to_vec();
    lexical.field_lengths = vec![Default::default(); n_chunks];
    for field in 0..lexical.field_weights.len() {
        let lengths = reader.numbers()?;
        if lengths.len() != n_chunks {
            return Err("columns of chunks differ in length");
        }
        for (all, length) in lexical.field_lengths.iter_mut().zip(lengths) {
            all[field] = length;
        }
    }
    Ok(())
}

const NO_FILE: u32 = u32::MAX;

fn read_gaps(starts: &[u32], bytes: &[u8]) -> Result<Vec<u32>, Fault> {
    let n_values = starts.last().map_or(0, |end| *end as usize);
    // Each takes a byte at least.
    if n_values > bytes.len() || !starts.is_sorted() {
        return Err("rows are out of order");
    }
    let mut values = Vec::with_capacity(n_values);
    let mut bytes = bytes.iter();
    for row in starts.windows(2) {
        read_row(row[1] - row[0], &mut bytes, &mut values)?;
    }
    Ok(values.into_iter().map(u32_le::to_native).collect())
}

/// The reverse of [`write_row`], for a number of values.
pub(in super::super) fn read_row(
    n_values: u32,
    bytes: &mut std::slice::Iter<'_, u8>,
    values: &mut Vec<u32_le>,
) -> Result<(), Fault> {
    let mut next = 0_u32;
    for _ in 0..n_values {
        let mut byte = *bytes.next().ok_or(SHORT)?;
        let mut gap = u32::from(byte & 0x7f);
        let mut shift = 7;
        while byte >= 0x80 {
            byte = *bytes.next().ok_or(SHORT)?;
            gap |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
        }
        let value = next.wrapping_add(gap);
        values.push(value.into());
        next = value.wrapping_add(1);
    }
    Ok(())
}

const SHORT: Fault = "rows end too early";
