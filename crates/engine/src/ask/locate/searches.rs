//! Searches: for the title, for the prose, and for the rare words of the whole text. None finds tests, unless tests are asked
//! for: they describe their subject in the words of the report.

use rustc_hash::FxHashMap;
use search::{ChunkId, Intent, PathClass, Plan, QueryTerm};
use source::FileId;
use syntax::order::InOrder;

use super::Locating;
use super::clues::Clue;
use crate::Error;
use crate::ask::joined::JoinedPostings;
use crate::ask::search::SearchQuery;
use crate::ask::subject::Subject;

/// Words of a search, the rarest: more make it slow, and common ones say little.
const MAX_TERMS: usize = 40;
/// Words of the weighed search over the whole text.
const MAX_WEIGHED: usize = 60;
/// Chunks of each search that count.
const MAX_CHUNKS: usize = 100;
/// Times that a repeated word counts.
const MAX_REPEATED: f32 = 3.0;
/// Value of a word by where it is written.
const TITLE: f32 = 3.0;
const PROSE: f32 = 1.0;
const CODE: f32 = 0.4;
const OUTPUT: f32 = 0.3;
/// Share of a file's further chunks in its value.
const FURTHER: f32 = 0.2;
/// Words as rare as can be that make a title, and prose, say all that they can, and the least that they say.
const OF_TITLE: f32 = 1.5;
const OF_PROSE: f32 = 3.0;
const LEAST_STRENGTH: f32 = 0.3;
/// Further chunks that count.
const N_FURTHER: usize = 3;

impl Locating<'_> {
    /// Searches for the title, then for title and prose.
    ///
    /// # Errors
    ///
    /// Where a shard cannot be read.
    pub(super) fn searches(&mut self) -> Result<(), Error> {
        let title = self.read.title.clone();
        if !title.is_empty() {
            self.search(&title, self.vectors.0, Clue::Title)?;
        }
        let spoken = self.read.spoken();
        if spoken.len() > title.len() + 20 || title.is_empty() {
            self.search(&spoken, self.vectors.1, Clue::Prose)?;
        } else {
            // Nothing but a title: its results count for both.
            self.copy(Clue::Title, Clue::Prose);
        }
        Ok(())
    }

    fn copy(&mut self, from: Clue, to: Clue) {
        let Self { evidence, .. } = self;
        for found in evidence
            .files
            .values_mut()
            .chain(evidence.symbols.values_mut())
        {
            found.values[to as usize] = found.values[from as usize];
        }
    }

    /// Ranks chunks as a search does; files and the definitions of the chunks get their share of the best score.
    fn search(&mut self, text: &str, vector: Option<&[f32]>, clue: Clue) -> Result<(), Error> {
        let mut plan = search::plan(text);
        if plan.terms.is_empty() {
            return Ok(());
        }
        if clue != Clue::Title {
            // A report says "test", "schema" or "who calls" in passing.
            plan.intent = Intent::Conceptual;
            plan.subject = None;
            plan.is_about_tests = false;
            self.shorten(&mut plan);
        }
        let mut query = SearchQuery {
            text,
            vector,
            ..SearchQuery::default()
        };
        query
            .config
            .penalties
            .retain(|penalty| penalty.class == PathClass::GLUE);
        let subject = if clue == Clue::Title {
            self.reader.subject(&plan)
        } else {
            Subject::default()
        };
        let keep = |file: FileId| self.may_be(file);
        let candidates = self
            .reader
            .candidates_of_plan(&query, plan, &subject, &keep)?;
        let ranked = candidates.rank(&query.config);
        let hits: Vec<(ChunkId, f32)> = ranked
            .hits
            .iter()
            .take(MAX_CHUNKS)
            .map(|hit| (hit.chunk, hit.score))
            .collect();
        let strength = match clue {
            Clue::Title => self.strength(&self.title_terms, OF_TITLE),
            _ => self.strength(&self.rarities(text), OF_PROSE),
        };
        self.take(&hits, clue, strength);
        Ok(())
    }

    /// How much a text says: one of common words alone ("it does not work") finds something, too.
    fn strength(&self, rarities: &[(u64, f32)], n_telling: f32) -> f32 {
        let sum: f32 = rarities.iter().map(|(_, rarity)| rarity).sum();
        let rarest = self.words.idf(1);
        if rarest <= 0.0 {
            return 1.0;
        }
        (sum / (n_telling * rarest)).clamp(LEAST_STRENGTH, 1.0)
    }

    /// Keeps the rarest words of a plan.
    fn shorten(&self, plan: &mut Plan) {
        let words = &self.words;
        plan.terms.retain(|term| term.joins.is_none());
        let rarity = |term: &QueryTerm| match words.document_frequency(term.hash) {
            0 => 0.0,
            n => words.idf(n) * term.weight,
        };
        let mut rows: Vec<(f32, QueryTerm)> = plan
            .terms
            .drain(..)
            .map(|term| (rarity(&term), term))
            .collect();
        rows.retain(|(rarity, _)| *rarity > 0.0);
        rows.order_by(|a, b| b.0.total_cmp(&a.0));
        rows.truncate(MAX_TERMS);
        plan.terms.extend(rows.into_iter().map(|(_, term)| term));
    }

    /// Scores chunks by the rare words of everything that was read, the title's most.
    pub(super) fn words(&mut self) {
        let words = &self.words;
        let mut scores = vec![0.0_f32; words.n_chunks()];
        let terms = self.weighed_terms();
        let mut held: Vec<(f32, JoinedPostings<'_>)> = Vec::with_capacity(terms.len());
        for &(hash, weight) in &terms {
            let Some(postings) = words.postings(hash) else {
                continue;
            };
            let rarity = weight * words.idf(postings.chunks.len());
            let unit = rarity * postings.unit;
            for (chunk, value) in postings.chunks.iter().zip(&postings.weights) {
                if let Some(score) = scores.get_mut(chunk.to_native() as usize) {
                    *score += unit * f32::from(*value);
                }
            }
            held.push((rarity, postings));
        }
        let is_kept = |chunk| {
            let file = self.reader.file_of_chunk(chunk);
            file.is_some_and(|file| self.may_be(file))
        };
        let hits = (0..).map(ChunkId).zip(scores.iter().copied());
        let hits = hits.filter(|(chunk, score)| *score > 0.0 && is_kept(*chunk));
        let mut hits: Vec<(ChunkId, f32)> = hits.collect();
        let n = hits.len().min(2 * MAX_CHUNKS);
        if n < hits.len() {
            hits.select_nth_unstable_by(n, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            hits.truncate(n);
        }
        hits.order_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.coverage = self.coverage_by(&hits, &held);
        let spoken = self.rarities(&self.read.spoken());
        let strength = self.strength(&spoken, OF_PROSE);
        self.take(&hits, Clue::Words, strength);
        self.word_scores = scores;
        let rarity = |hash| self.words.idf(self.words.document_frequency(hash));
        let terms = terms.into_iter();
        let terms = terms.map(|(hash, weight)| (hash, weight * rarity(hash)));
        self.terms = terms.collect();
    }

    /// The share of the words, by weight and rarity, that the best file has; words that no file has count as the rarest.
    fn coverage_by(&self, hits: &[(ChunkId, f32)], held: &[(f32, JoinedPostings<'_>)]) -> f32 {
        let best = hits.first();
        let best = best.and_then(|(chunk, _)| self.reader.file_of_chunk(*chunk));
        let Some(chunks) = best.map(|file| self.reader.chunks_of(file)) else {
            return 0.0;
        };
        let (mut all, mut covered) = (self.unknown_words(), 0.0);
        for (rarity, postings) in held {
            all += rarity;
            if postings.sum_in(chunks.start, chunks.end) > 0.0 {
                covered += rarity;
            }
        }
        if all > 0.0 { covered / all } else { 0.0 }
    }

    /// Weight of the words of title and prose that the index has nowhere.
    fn unknown_words(&self) -> f32 {
        let rarest = self.words.idf(1);
        let mut seen: Vec<u64> = Vec::new();
        let mut sum = 0.0;
        for (text, weight) in [(&self.read.title, TITLE), (&self.read.prose, PROSE)] {
            search::for_each_token(text, |token| {
                let hash = search::term_hash(token.text);
                let is_word = !token.is_part && !search::is_stopword(token.text);
                let is_unknown = is_word && self.words.document_frequency(hash) == 0;
                if is_unknown && seen.len() < MAX_WEIGHED && !seen.contains(&hash) {
                    seen.push(hash);
                    sum += weight * rarest;
                }
            });
        }
        sum
    }

    /// Words of all parts with their weights, the most telling.
    fn weighed_terms(&self) -> Vec<(u64, f32)> {
        let read = &self.read;
        let names: Vec<&str> = read.names.iter().map(|name| name.text.as_str()).collect();
        let options = read.options.join(" ");
        let parts = [
            (read.title.as_str(), TITLE),
            (read.prose.as_str(), PROSE),
            (&names.join(" "), PROSE),
            (&options, PROSE),
            (read.code.as_str(), CODE),
            (read.output.as_str(), OUTPUT),
        ];
        // For each part of the text a word counts at most thrice.
        let mut weights: FxHashMap<u64, (usize, f32)> = FxHashMap::default();
        for (text, weight) in parts {
            let mut counts: FxHashMap<u64, f32> = FxHashMap::default();
            search::for_each_token(text, |token| {
                if search::is_stopword(token.text) {
                    return;
                }
                let hash = search::term_hash(token.text);
                let n = counts.entry(hash).or_default();
                if *n < MAX_REPEATED {
                    *n += 1.0;
                    let next = weights.len();
                    let (_, sum) = weights.entry(hash).or_insert((next, 0.0));
                    // The second and third time say less.
                    *sum += weight / *n;
                }
            });
        }
        let words = &self.words;
        let mut rows: Vec<(usize, u64, f32, f32)> = Vec::with_capacity(weights.len());
        #[expect(
            clippy::iter_over_hash_type,
            reason = "sorted below by order of appearance"
        )]
        for (hash, (place, weight)) in weights {
            let n = words.document_frequency(hash);
            if n > 0 {
                rows.push((place, hash, weight, weight * words.idf(n)));
            }
        }
        rows.order_by(|a, b| b.3.total_cmp(&a.3).then(a.0.cmp(&b.0)));
        rows.into_iter()
            .take(MAX_WEIGHED)
            .map(|(_, hash, weight, _)| (hash, weight))
            .collect()
    }

    /// Files get the best of their chunks and a part of the next ones, as shares of the best file; definitions that of their chunk.
    fn take(&mut self, hits: &[(ChunkId, f32)], clue: Clue, strength: f32) {
        let mut of_files: FxHashMap<FileId, (f32, usize)> = FxHashMap::default();
        let mut order: Vec<FileId> = Vec::new();
        for (chunk, score) in hits {
            let Some(file) = self.reader.file_of_chunk(*chunk) else {
                continue;
            };
            let (sum, n) = of_files.entry(file).or_insert_with(|| {
                order.push(file);
                (0.0, 0)
            });
            *n += 1;
            match *n {
                1 => *sum = *score,
                n if n <= 1 + N_FURTHER && clue == Clue::Words => {
                    *sum += FURTHER * score / N_FURTHER as f32
                }
                _ => {}
            }
        }
        let value = |file: &FileId| of_files.get(file).map_or(0.0, |(sum, _)| *sum);
        let best = order.iter().map(value).fold(0.0, f32::max);
        let best_chunk = hits.iter().map(|(_, score)| *score).fold(0.0, f32::max);
        if best <= 0.0 || best_chunk <= 0.0 {
            return;
        }
        for file in &order {
            let share = strength * value(file) / best;
            self.evidence
                .files
                .entry(*file)
                .or_default()
                .at_least(clue, share);
        }
        for (chunk, score) in hits {
            let share = strength * score / best_chunk;
            let known = self.chunks.entry(*chunk).or_default();
            known[clue as usize] = known[clue as usize].max(share);
        }
    }
}
