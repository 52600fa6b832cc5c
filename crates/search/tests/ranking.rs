//! Invariants of every index and every query: the frozen form answers like the numbers that it was built from, in
//! memory or from bytes, and every score can be replayed from its explanation.

extern crate portolan_search as search;

use std::collections::BTreeSet;
use std::sync::Arc;

use bm25::{Embedder, EmbedderBuilder};
use proptest::prelude::*;
use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use search::{
    ArchivedLexical, ArchivedVectors, ChunkFlags, ChunkId, ChunkMeta, ChunkText, Fusion,
    GlobalPlan, IndexBuilder, Known, Lengths, LexicalConfig, LexicalView, Part, Query,
    QueryTokenizer, Ranked, SearchConfig, Signals, Survey, TermCounter, TermSpace, VectorsBuilder,
    explain, merge, plan, search, term_hash, tokenize,
};
use source::FileId;
use syntax::Language;

const DIM: usize = 20;

/// Files with the bodies of their chunks.
type Corpus = Vec<(String, Vec<String>)>;

fn index(corpus: &Corpus, config: LexicalConfig) -> AlignedVec {
    let mut builder = IndexBuilder::new(config);
    for (path, bodies) in corpus {
        let file = builder.add_file(path);
        let mut terms = TermCounter::new(path);
        let mut metas = Vec::new();
        for (line, body) in (0..).zip(bodies) {
            terms.add(&ChunkText {
                symbols: &[],
                passed_on: &[],
                doc: "",
                body,
            });
            metas.push(ChunkMeta {
                file,
                start: 0,
                end: body.len() as u32,
                start_line: line,
                end_line: line,
                language: Language::Text,
                flags: ChunkFlags::empty(),
            });
        }
        builder.add_chunks(metas, terms.finish());
    }
    rkyv::to_bytes::<Error>(&builder.build()).unwrap()
}

fn lexical(bytes: &[u8]) -> &ArchivedLexical {
    let lexical = rkyv::access::<ArchivedLexical, Error>(bytes).unwrap();
    lexical.validate().unwrap();
    lexical
}

/// Deterministic vectors that depend on the text only.
fn vector_of(text: &str) -> Vec<f32> {
    let mut vector = vec![0.01; DIM];
    for token in tokenize(text) {
        vector[term_hash(&token) as usize % DIM] += 1.0;
    }
    vector
}

fn vectors(corpus: &Corpus) -> AlignedVec {
    let bodies: Vec<&String> = corpus.iter().flat_map(|(_, bodies)| bodies).collect();
    let mut builder = VectorsBuilder::new(DIM, bodies.len());
    for (chunk, body) in (0..).map(ChunkId).zip(bodies) {
        assert!(builder.set(chunk, &vector_of(body)));
    }
    rkyv::to_bytes::<Error>(&builder.build()).unwrap()
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "router",
        "addRoute",
        "fn",
        "class",
        "Handler",
        "parse_url",
        "tests",
        "routes",
        "json",
        "the",
        "HandlerStack",
        "match",
        "retry",
        "größe",
        "x1",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

fn corpus() -> impl Strategy<Value = Corpus> {
    let path = prop::sample::select(vec![
        "src/router.rs",
        "src/json/mod.rs",
        "tests/router.rs",
        "lib/handler_stack.php",
        "README.md",
        "a",
    ]);
    prop::collection::vec(
        (
            path.prop_map(str::to_owned),
            prop::collection::vec(words(), 0..5),
        ),
        0..8,
    )
}

/// Deals the files to shards in turn, and searches them as one.
fn search_shards(
    corpus: &Corpus,
    n_shards: usize,
    query: &str,
    vector: &[f32],
    config: &SearchConfig,
) -> Ranked {
    let of = |shard: usize| {
        let files = corpus.iter().enumerate();
        files.filter(move |(file, _)| file % n_shards == shard)
    };
    let own: Vec<Corpus> = (0..n_shards)
        .map(|shard| of(shard).map(|(_, file)| file.clone()).collect())
        .collect();
    let words: Vec<AlignedVec> = own
        .iter()
        .map(|own| index(own, LexicalConfig::default()))
        .collect();
    let meaning: Vec<AlignedVec> = own.iter().map(vectors).collect();
    let plan = plan(query);
    let (mut survey, mut lengths) = (Survey::default(), Lengths::default());
    survey.statistics.frequencies = vec![0; plan.terms.len()];
    for words in &words {
        survey.add(&Survey::of(lexical(words).into(), &plan));
        lengths.add(&lexical(words).lengths());
    }
    let global = Arc::new(GlobalPlan::new(plan, "", survey, (None, false), config));
    let starts: Vec<u32> = corpus
        .iter()
        .scan(0, |next, (_, bodies)| {
            *next += bodies.len() as u32;
            Some(*next - bodies.len() as u32)
        })
        .collect();
    let parts = (0..n_shards).map(|shard| {
        let lexical = lexical(&words[shard]);
        let norms = lexical.norms_among(&lengths);
        let words = LexicalView {
            norms: &norms,
            ..LexicalView::from(lexical)
        };
        let vectors = rkyv::access::<ArchivedVectors, Error>(&meaning[shard]).unwrap();
        let asked = Query {
            global: Some(&global),
            ..Query::new(query, Some(vector))
        };
        let signals = Signals::default();
        let mut part = Part::scatter(words, Some(vectors), &asked, &global, &signals, config);
        let files: Vec<usize> = of(shard).map(|(file, _)| file).collect();
        let lift = |chunk: ChunkId| {
            let own = lexical.file_of(chunk).unwrap();
            let within = chunk.0 - lexical.chunks_of(own).start;
            ChunkId(starts[files[own.index()]] + within)
        };
        for hit in &mut part.found {
            hit.chunk = lift(hit.chunk);
            hit.file = FileId(files[hit.file.index()] as u32);
        }
        for chunk in part.defining.iter_mut().flatten() {
            *chunk = lift(*chunk);
        }
        part
    });
    let known = Known::default();
    merge(
        Arc::clone(&global),
        parts.collect(),
        known,
        &Signals::default(),
        config,
    )
    .rank(config)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn postings_hold_what_the_chunks_hold(corpus in corpus()) {
        let bytes = index(&corpus, LexicalConfig::default());
        let lexical = lexical(&bytes);
        let bodies: Vec<&String> = corpus.iter().flat_map(|(_, bodies)| bodies).collect();
        prop_assert_eq!(lexical.n_chunks(), bodies.len());
        for (chunk, body) in (0..).map(ChunkId).zip(bodies) {
            let tokens: BTreeSet<String> = tokenize(body).into_iter().collect();
            for token in &tokens {
                prop_assert!(LexicalView::from(lexical).postings(term_hash(token)).is_some_and(|postings| postings.get(chunk).is_some()), "{} in {:?}", token, body);
            }
            prop_assert!(LexicalView::from(lexical).postings(term_hash("absent")).is_none());
        }
    }

    #[test]
    fn shards_find_what_one_index_finds(corpus in corpus(), query in words(), n_shards in 1_usize..5, few in any::<bool>()) {
        let mut corpus = corpus;
        corpus.sort();
        let mut config = SearchConfig::default();
        if few {
            // Fewer candidates than chunks: the best of all are chosen among the best of each shard.
            config.candidates = 3;
        }
        let vector = vector_of(&query);
        let (bytes, meaning) = (index(&corpus, LexicalConfig::default()), vectors(&corpus));
        let vectors = rkyv::access::<ArchivedVectors, Error>(&meaning).unwrap();
        let one = Query::new(&query, Some(&vector));
        let expected = search(lexical(&bytes), Some(vectors), &one, &Signals::default(), &config);
        let found = search_shards(&corpus, n_shards, &query, &vector, &config);
        prop_assert_eq!(found.hits, expected.hits);
        prop_assert_eq!(found.global, expected.global);
    }

    #[test]
    fn scores_are_explained_and_ordered(corpus in corpus(), query in words(), by_rank in any::<bool>()) {
        let (words, meaning) = (index(&corpus, LexicalConfig::default()), vectors(&corpus));
        let (lexical, vectors) = (lexical(&words), rkyv::access::<ArchivedVectors, Error>(&meaning).unwrap());
        vectors.validate().unwrap();
        let fusion = if by_rank { Fusion::Rrf } else { Fusion::Weighted };
        let config = SearchConfig { fusion, ..SearchConfig::default() };
        let vector = vector_of(&query);
        let ranked = search(lexical, Some(vectors), &Query::new(&query, Some(&vector)), &Signals::default(), &config);
        prop_assert!(ranked.hits.is_sorted_by(|a, b| a.score >= b.score));
        let chunks: BTreeSet<ChunkId> = ranked.hits.iter().map(|hit| hit.chunk).collect();
        prop_assert_eq!(chunks.len(), ranked.hits.len());
        for hit in &ranked.hits {
            let explanation = explain(lexical, &ranked.global, &config, hit);
            prop_assert!((explanation.replay() - hit.score).abs() < 1e-4, "{:?}", explanation);
            let terms: f32 = explanation.terms.iter().map(|term| term.score).sum();
            prop_assert!((terms - hit.lexical_score).abs() < 1e-3, "{:?}", explanation);
        }
        let folded: usize = ranked.by_file().iter().map(|file| file.hits.len()).sum();
        prop_assert_eq!(folded, ranked.hits.len());
    }

    #[test]
    fn the_exact_scan_equals_plain_arithmetic(corpus in corpus(), query in words()) {
        let bytes = vectors(&corpus);
        let vectors = rkyv::access::<ArchivedVectors, Error>(&bytes).unwrap();
        let query = vector_of(&query);
        let cosine = |a: &[f32], b: &[f32]| {
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        };
        // Half a step of four bits in each of 20 numbers, all in the direction of the query.
        for (chunk, found) in vectors.nearest(&query, 1000, &|_| true) {
            let body = corpus.iter().flat_map(|(_, bodies)| bodies).nth(chunk.index()).unwrap();
            prop_assert!((cosine(&vector_of(body), &query) - found).abs() < 0.12);
        }
    }

    #[test]
    fn one_field_weighs_like_the_bm25_crate(bodies in prop::collection::vec(words(), 1..6)) {
        let only_body = LexicalConfig { k1: 1.2, field_weights: [0.0, 0.0, 0.0, 1.0], field_b: [0.75; 4] };
        let corpus: Corpus = vec![("a".to_owned(), bodies.clone())];
        let bytes = index(&corpus, only_body);
        let n_tokens: usize = bodies.iter().map(|body| tokenize(body).len()).sum();
        let average = (n_tokens as f32 / bodies.len() as f32).max(1.0);
        let embedder: Embedder<TermSpace, QueryTokenizer> = EmbedderBuilder::with_avgdl(average).k1(1.2).b(0.75).build();
        for (chunk, body) in (0..).map(ChunkId).zip(&bodies) {
            for expected in embedder.embed(body).0 {
                let (weight, _) = LexicalView::from(lexical(&bytes)).postings(expected.index.0).unwrap().get(chunk).unwrap();
                prop_assert!((weight - expected.value).abs() < 1e-3, "{} {}", weight, expected.value);
            }
        }
    }

    #[test]
    fn broken_bytes_are_refused_or_harmless(corpus in corpus(), at in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let mut bytes = index(&corpus, LexicalConfig::default());
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(lexical) = rkyv::access::<ArchivedLexical, Error>(&bytes) {
            let _ = lexical.validate();
            let ranked = search(lexical, None, &Query::new("router HandlerStack", None), &Signals::default(), &SearchConfig::default());
            prop_assert!(ranked.by_file().len() <= ranked.hits.len());
        }
    }
}

fn first_path(corpus: &[(&str, &str)], query: &str) -> String {
    let corpus: Corpus = corpus
        .iter()
        .map(|(path, body)| ((*path).to_owned(), vec![(*body).to_owned()]))
        .collect();
    let bytes = index(&corpus, LexicalConfig::default());
    let ranked = search(
        lexical(&bytes),
        None,
        &Query::new(query, None),
        &Signals::default(),
        &SearchConfig::default(),
    );
    ranked
        .hits
        .first()
        .map_or_else(String::new, |hit| corpus[hit.file.index()].0.clone())
}

#[test]
fn what_ranks_first() {
    let corpus = [
        (
            "src/http/client.ts",
            "export class HttpClient { send() { return retry(this.backoff) } }",
        ),
        (
            "src/http/retry.ts",
            "export function retry(backoff) { while (attempts--) {} }",
        ),
        (
            "tests/retry.test.ts",
            "test('retry', () => { retry(backoff); retry(backoff); retry() })",
        ),
        (
            "src/router/mod.rs",
            "pub struct Router { routes: Vec<Route> }",
        ),
        (
            "src/lib.rs",
            "mod router; use router::Router; fn main() { Router::new(); Router::new() }",
        ),
        (
            "src/unix/pipe.c",
            "int open_pipe(loop_t* loop) { return connect(loop); }",
        ),
        (
            "src/win/pipe.c",
            "int open_pipe(loop_t* loop) { open_pipe_handle(loop); return connect(loop); }",
        ),
    ];
    let cases = [
        ("HttpClient", "src/http/client.ts"),
        ("http_client", "src/http/client.ts"),
        ("Router", "src/router/mod.rs"),
        ("retry with backoff", "src/http/retry.ts"),
        ("tests of retry", "tests/retry.test.ts"),
        ("connect a pipe", "src/unix/pipe.c"),
        ("connect a pipe on windows", "src/win/pipe.c"),
        ("nothing of the kind", ""),
        ("", ""),
    ];
    for (query, expected) in cases {
        assert_eq!(
            first_path(&corpus, query),
            expected,
            "{query:?} read as {:?}",
            plan(query)
        );
    }
}

/// More pages match the question better than there are candidates; the code is among these nevertheless.
#[test]
fn pages_do_not_crowd_out_the_code_that_they_are_about() {
    const PAGE: &str = "How the balance of the ledger is computed: the balance is computed monthly";
    const CODE: &str = "pub fn balance(entries: &[Entry]) -> i64 { entries.iter().map(|entry| entry.amount).sum() }";
    let page = |n: usize| (format!("docs/page{n}.md"), vec![PAGE.to_owned()]);
    let mut corpus: Corpus = (0..300).map(page).collect();
    corpus.push(("src/ledger.rs".to_owned(), vec![CODE.to_owned()]));
    let (words, meaning) = (index(&corpus, LexicalConfig::default()), vectors(&corpus));
    let meaning = rkyv::access::<ArchivedVectors, Error>(&meaning).unwrap();
    let question = "how is the balance of the ledger computed";
    let vector = vector_of(question);
    let by_words = SearchConfig::default();
    let by_meaning = SearchConfig {
        lexical: false,
        ..SearchConfig::default()
    };
    for (config, vector) in [(by_words, None), (by_meaning, Some(vector.as_slice()))] {
        let query = Query::new(question, vector);
        let ranked = search(
            lexical(&words),
            vector.map(|_| meaning),
            &query,
            &Signals::default(),
            &config,
        );
        let paths = ranked.hits.iter().map(|hit| &corpus[hit.file.index()].0);
        assert!(
            paths.take(10).any(|path| path == "src/ledger.rs"),
            "{vector:?}"
        );
    }
}
