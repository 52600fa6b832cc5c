//! Messages of a text, found in the source: the longest run of words that a chunk has in the same order.

use memchr::memmem;
use search::ChunkId;
use syntax::order::InOrder;

use super::Locating;
use super::clues::Clue;
use super::text::Message;

/// Chunks looked at for one message, those with the rarest of its words first.
const MAX_CHUNKS: usize = 40;
/// Its rarest words, by which they are found.
const MAX_TERMS: usize = 8;
/// Words of a message that are looked for.
const MAX_WORDS: usize = 24;
/// Least bytes and words of a run that says something.
const MIN_BYTES: usize = 12;
const MIN_WORDS: usize = 2;
/// Bytes of a chunk that are searched.
const MAX_BYTES: usize = 16 * 1024;

impl Locating<'_> {
    /// Adds the files in which messages are written.
    pub(super) fn messages(&mut self) {
        for message in std::mem::take(&mut self.read.messages) {
            self.message(&message);
        }
    }

    fn message(&mut self, message: &Message) {
        let words: Vec<&str> = message.text.split_whitespace().take(MAX_WORDS).collect();
        if words.len() < MIN_WORDS {
            return;
        }
        let mut found: Vec<(ChunkId, usize)> = Vec::new();
        for chunk in self.likely_chunks(&message.text) {
            let Some(meta) = self.reader.chunk(chunk) else {
                continue;
            };
            let text = self.reader.piece(
                meta.file,
                meta.start,
                meta.end.min(meta.start.saturating_add(MAX_BYTES as u32)),
            );
            let run = longest_run(&words, text.as_bytes());
            if run > 0 {
                found.push((chunk, run));
            }
        }
        let most = found.iter().map(|(_, run)| *run).max().unwrap_or(0);
        // A run that is in many places is a phrase, not a message.
        let best: Vec<ChunkId> = found
            .iter()
            .filter(|(_, run)| *run == most)
            .map(|(chunk, _)| *chunk)
            .collect();
        let n_bytes: usize = words.iter().map(|word| word.len() + 1).sum();
        let share = (most as f32 / n_bytes.max(1) as f32).min(1.0).sqrt();
        let value = share / (best.len().max(1) as f32).sqrt();
        for chunk in best.into_iter().take(MAX_CHUNKS) {
            self.found_message(chunk, value, &message.text);
        }
    }

    fn found_message(&mut self, chunk: ChunkId, value: f32, text: &str) {
        let Some(meta) = self.reader.chunk(chunk) else {
            return;
        };
        self.evidence.file(meta.file, Clue::Message, value, text);
        let known = self.chunks.entry(chunk).or_default();
        let known = &mut known[Clue::Message as usize];
        *known = known.max(value);
    }

    /// Chunks that have the rarest words of a message, the most of them first.
    fn likely_chunks(&self, text: &str) -> Vec<ChunkId> {
        let words = &self.words;
        let mut terms: Vec<(usize, u64)> = Vec::new();
        search::for_each_token(text, |token| {
            let hash = search::term_hash(token.text);
            let n = words.document_frequency(hash);
            if n > 0 && !terms.iter().any(|(_, known)| *known == hash) && terms.len() < MAX_WORDS {
                terms.push((n, hash));
            }
        });
        terms.order_by(Ord::cmp);
        terms.truncate(MAX_TERMS);
        let mut scores: Vec<f32> = Vec::new();
        scores.resize(words.n_chunks(), 0.0);
        let mut seen: Vec<ChunkId> = Vec::new();
        for (n, hash) in terms {
            let idf = words.idf(n);
            let Some(postings) = words.postings(hash) else {
                continue;
            };
            for chunk in postings.chunks.iter() {
                let chunk = ChunkId(chunk.to_native());
                if let Some(score) = scores.get_mut(chunk.index()) {
                    if *score == 0.0 {
                        seen.push(chunk);
                    }
                    *score += idf;
                }
            }
        }
        seen.retain(|chunk| {
            let file = self.reader.file_of_chunk(*chunk);
            file.is_some_and(|file| self.may_be(file))
        });
        let score = |chunk: &ChunkId| scores.get(chunk.index()).copied().unwrap_or(0.0);
        let by_score = |a: &ChunkId, b: &ChunkId| score(b).total_cmp(&score(a)).then(a.cmp(b));
        if seen.len() > MAX_CHUNKS {
            seen.select_nth_unstable_by(MAX_CHUNKS, by_score);
            seen.truncate(MAX_CHUNKS);
        }
        seen.order_by(by_score);
        seen
    }
}

/// Bytes of the longest run of words that a text has in the same order with one blank between; 0 for none that says something.
/// Each pair of neighbours is searched once, so the cost is the words times the text.
fn longest_run(words: &[&str], text: &[u8]) -> usize {
    let mut best = 0;
    let mut start = 0;
    while start + MIN_WORDS <= words.len() {
        let mut end = start + MIN_WORDS;
        if !has(text, &words[start..end].join(" ")) {
            start += 1;
            continue;
        }
        while end < words.len() && has(text, &words[start..=end].join(" ")) {
            end += 1;
        }
        let n_bytes: usize = words[start..end].iter().map(|word| word.len() + 1).sum();
        best = best.max(n_bytes);
        start = end - 1;
    }
    if best >= MIN_BYTES { best } else { 0 }
}

fn has(text: &[u8], run: &str) -> bool {
    memmem::find(text, run.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    fn check(message: &str, text: &str, expected: usize) {
        let words: Vec<&str> = message.split_whitespace().collect();
        assert_eq!(longest_run(&words, text.as_bytes()), expected, "{message}");
    }

    #[test]
    fn values_in_a_message_break_its_runs() {
        let text = "raise CartError(f'the cart of {name} has no rate for {item}')";
        check(
            "the cart of ada has no rate for tea",
            text,
            "has no rate for ".len(),
        );
        check("has no", text, 0);
        check("something else entirely", text, 0);
        check("", text, 0);
    }
}
