//! An index in shards of which only what questions read has come, and whose shards answer searches elsewhere: its answers are those of one
//! index, and it never answers from what did not come.

extern crate portolan_edge as edge;

use edge::{Asked, ErrorBody, Index, Lacking, Question, Reply, Sharded, parse};
use engine::{Engine, EngineConfig, Incoming, Message, N_START, Parsers, ShardQuery, read_file};
use held::Held;
use serde_json::Value;
use shards::ShardsBuilder;

#[path = "sharded/asked.rs"]
mod asked;
#[path = "sharded/held.rs"]
mod held;

use asked::{FILES, POSTED, TARGETS};

fn question(target: &str) -> Question {
    parse("GET", target, "", "shop")
        .expect("a question")
        .question
}

fn posted(tool: &str, body: &str) -> Question {
    let target = format!("/v1/{tool}");
    parse("POST", &target, body, "shop")
        .expect("a question")
        .question
}

/// An index with vectors.
fn engine(passes: impl Fn(usize) -> bool) -> Engine {
    let mut engine = by_words(passes);
    let tasks = engine.pending_embeddings(usize::MAX);
    let keys: Vec<u64> = tasks.iter().map(|task| task.key).collect();
    let vectors: Vec<f32> = tasks.iter().flat_map(|task| letters(&task.text)).collect();
    engine
        .set_vectors(&keys, &vectors, 26, "letters")
        .expect("vectors");
    engine
}

/// Counts of letters as a vector.
fn letters(text: &str) -> [f32; 26] {
    let mut counts = [0.0; 26];
    for byte in text.bytes().filter(u8::is_ascii_alphabetic) {
        counts[usize::from(byte.to_ascii_lowercase() - b'a')] += 1.0;
    }
    counts
}

fn by_words(passes: impl Fn(usize) -> bool) -> Engine {
    let mut parsers = Parsers::new(Default::default());
    let mut engine = Engine::new(config());
    for (_, (path, text)) in (0..).zip(FILES).filter(|(at, _)| passes(*at)) {
        engine.put(path, text, read_file(&mut parsers, path, text));
    }
    engine
}

fn config() -> EngineConfig {
    EngineConfig {
        name: "shop".to_owned(),
        ..EngineConfig::default()
    }
}

fn opened(bytes: &[u8]) -> Index {
    let mut incoming = Incoming::new(bytes.len());
    incoming.push(bytes);
    Index::open(incoming).expect("an index")
}

fn start_of(file: &[u8]) -> &[u8] {
    &file[..N_START.min(file.len())]
}

/// A root, and the files of its shards.
struct World {
    root: Vec<u8>,
    shards: Vec<Vec<u8>>,
    /// Whether shards answer from what was fetched of their files, or from all of it.
    are_ranged: bool,
    /// Shards that do not answer searches.
    late: Vec<u16>,
    /// Bytes of shards that were fetched.
    n_fetched: usize,
}

impl World {
    /// Files are dealt in turn.
    fn new(n_shards: usize) -> Self {
        Self::of((0..n_shards).map(|shard| engine(|at| at % n_shards == shard)))
    }

    fn of(engines: impl Iterator<Item = Engine>) -> Self {
        let engines: Vec<Engine> = engines.collect();
        let mut first = ShardsBuilder::new(config());
        for (shard, engine) in (0..).zip(&engines) {
            first.add(shard, engine).expect("files");
        }
        let mut second = first.resolve();
        let mut shards = Vec::new();
        for (shard, engine) in (0..).zip(&engines) {
            let snapshot = second.build(shard, engine, 0.0, &mut ()).expect("a shard");
            shards.push(snapshot.to_bytes().expect("bytes").to_vec());
            second.saved(shard, [shard as u8; 32]);
        }
        let root = second.finish(0.0).expect("a root");
        Self {
            root: root.to_bytes().expect("bytes"),
            shards,
            are_ranged: true,
            late: Vec::new(),
            n_fetched: 0,
        }
    }

    fn open(&self) -> Sharded {
        Sharded::open(&self.root).expect("a root")
    }

    /// Fetches and asks what an answer lacked, as the Worker's script does.
    fn give(
        &mut self,
        index: &mut Sharded,
        asked: &mut Asked,
        lacking: &Lacking,
    ) -> Result<(), ErrorBody> {
        for shard in &lacking.starts {
            let file = &self.shards[usize::from(*shard)];
            self.n_fetched += start_of(file).len();
            index.start(*shard, start_of(file), file.len())?;
        }
        for (shard, name, start, end) in &lacking.pieces {
            let piece = &self.shards[usize::from(*shard)][*start as usize..*end as usize];
            self.n_fetched += piece.len();
            index.provide(*shard, name, piece)?;
        }
        for shard in &lacking.surveys {
            self.round(index, asked, *shard, |held, message| {
                held.survey(std::str::from_utf8(message).expect("a text"))
            })?;
        }
        for shard in &lacking.parts {
            self.round(index, asked, *shard, Index::part)?;
        }
        Ok(())
    }

    fn round(
        &self,
        index: &Sharded,
        asked: &mut Asked,
        shard: u16,
        answer: impl Fn(&Index, &[u8]) -> Result<Vec<u8>, ErrorBody>,
    ) -> Result<(), ErrorBody> {
        if self.late.contains(&shard) {
            let error = ErrorBody {
                code: "shard.late".to_owned(),
                message: "it did not answer".to_owned(),
                help: String::new(),
            };
            asked.lose(index, shard, error);
            return Ok(());
        }
        let file = &self.shards[usize::from(shard)];
        let message = asked.message(shard)?;
        let answered = match self.are_ranged {
            true => Held::new(file).ask(|held| answer(held, &message)),
            false => answer(&opened(file), &message),
        };
        asked.take(shard, &answered?)
    }

    fn ask(&mut self, index: &mut Sharded, question: &Question) -> (u16, Value) {
        let mut asked = index.begin(question.clone());
        for _ in 0..100 {
            let reply = index.answer(&mut asked);
            let lacking = index.wanted(&mut asked);
            let given = lacking.and_then(|lacking| {
                if lacking == Lacking::default() {
                    return Ok(true);
                }
                self.give(index, &mut asked, &lacking).map(|()| false)
            });
            match given {
                Ok(true) => return (reply.status, json(&reply.body)),
                Ok(false) => {}
                Err(error) => {
                    let reply = Reply::error(&error);
                    return (reply.status, json(&reply.body));
                }
            }
        }
        panic!("{question:?} lacks something for ever");
    }
}

/// Without what is of files: sizes of sections, and the number of shards.
fn json(body: &[u8]) -> Value {
    let mut answer: Value = serde_json::from_slice(body).expect("JSON");
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("sections");
        fields.remove("n_shards");
    }
    answer
}

/// Makes an index of the files that pass, by their numbers.
type Make<'a> = &'a dyn Fn(&dyn Fn(usize) -> bool) -> Engine;

/// Asks everything of one index and of shards to which files are dealt in turn; returns the statuses.
fn check(engine: Make<'_>, n_shards: usize, are_ranged: bool) -> Vec<u16> {
    let snapshot = engine(&|_| true).build(0.0).expect("one index");
    let whole = opened(snapshot.to_bytes().expect("bytes"));
    let mut world = World::of((0..n_shards).map(|shard| engine(&|at| at % n_shards == shard)));
    world.are_ranged = are_ranged;
    let mut index = world.open();
    let asked = TARGETS.iter().map(|target| question(target));
    let asked = asked.chain(POSTED.iter().map(|(tool, body)| posted(tool, body)));
    let statuses = asked.map(|question| {
        let reply = whole.answer(&question);
        let found = world.ask(&mut index, &question);
        let expected = (reply.status, json(&reply.body));
        assert_eq!(found, expected, "{n_shards}: {question:?}");
        reply.status
    });
    statuses.collect()
}

#[test]
fn answers_are_those_of_one_index() {
    for n_shards in [1, 3, 6] {
        for are_ranged in [true, false] {
            let statuses = check(&|passes| engine(passes), n_shards, are_ranged);
            let n_answers = statuses.iter().filter(|status| **status == 200).count();
            assert!(n_answers > 26, "{statuses:?}");
            check(&|passes| by_words(passes), n_shards, are_ranged);
        }
    }
}

/// Shards are sent the conditions of the search, not the request of the tool.
#[test]
fn a_tool_that_searches_asks_each_shard_in_two_rounds() {
    let mut world = World::new(3);
    let mut index = world.open();
    let similar = r#"{"command": "similar", "symbol": "add_tax"}"#;
    let mut asked = index.begin(posted("code_intelligence", similar));
    let mut rounds = Vec::new();
    loop {
        let _ = index.answer(&mut asked);
        let lacking = index.wanted(&mut asked).expect("what it lacks");
        if lacking == Lacking::default() {
            break;
        }
        rounds.extend((!lacking.surveys.is_empty()).then_some("survey"));
        if let Some(shard) = lacking.parts.first() {
            rounds.push("part");
            let message = asked.message(*shard).expect("a question");
            let sent = ShardQuery::from_bytes(&message).expect("a question");
            // The search is for code like that of the symbol: by its vector alone, and no name of the request.
            assert_eq!(sent.vector.len(), 26);
            assert!(!sent.conditions.lexical && !sent.text.contains("add_tax"));
        }
        world
            .give(&mut index, &mut asked, &lacking)
            .expect("what it lacked");
    }
    assert_eq!(rounds.last(), Some(&"part"), "{rounds:?}");
    assert_eq!(rounds.iter().filter(|round| **round == "part").count(), 1);
}

#[test]
fn what_has_come_is_kept_and_what_is_freed_comes_again() {
    let mut world = World::new(3);
    let mut index = world.open();
    let question = question("/v1/search?q=who+calls+add_tax");
    let first = world.ask(&mut index, &question);
    let n_fetched = world.n_fetched;
    assert!(n_fetched > 0);
    assert_eq!(world.ask(&mut index, &question), first);
    assert_eq!(world.n_fetched, n_fetched);
    let before = index.n_bytes();
    let idle = index.begin(question.clone());
    index.forget_but_met(&idle).expect("freed");
    assert!(index.n_bytes() < before);
    assert_eq!(world.ask(&mut index, &question), first);
    assert!(world.n_fetched > n_fetched);
}

#[test]
fn a_lost_shard_is_named_and_its_hits_are_missing() {
    let mut world = World::new(3);
    let mut index = world.open();
    let question = question("/v1/search?q=where+is+tax+added");
    let (_, whole) = world.ask(&mut index, &question);
    assert!(whole.get("missing_shards").is_none());
    world.late = vec![1];
    let (status, partial) = world.ask(&mut index, &question);
    assert_eq!(status, 200);
    let missing = &partial["missing_shards"];
    assert_eq!(
        (&missing[0]["shard"], &missing[0]["n_files"]),
        (&1.into(), &2.into()),
        "{partial}"
    );
    assert_eq!(missing[0]["code"], "shard.late");
    let is_lost = |hit: &Value| {
        // Files in path order are dealt anew: shard 1 has the second and fifth of the list above.
        let path = hit["path"].as_str().unwrap_or_default();
        [FILES[1].0, FILES[4].0].contains(&path)
    };
    let hits = |answer: &Value| answer["hits"].as_array().cloned().unwrap_or_default();
    assert!(hits(&whole).iter().any(is_lost));
    assert!(!hits(&partial).is_empty() && !hits(&partial).iter().any(is_lost));
}

#[test]
fn what_no_shard_sends_is_refused() {
    let world = World::new(3);
    let mut index = world.open();
    let mut asked = index.begin(question("/v1/search?q=tax"));
    let _ = index.answer(&mut asked);
    let lacking = index.wanted(&mut asked).expect("what it lacks");
    assert_eq!(lacking.surveys, [0, 1, 2]);
    for bytes in [&b"<html>"[..], &[0; 64], &world.shards[0]] {
        let error = asked.take(0, bytes).expect_err("it is no survey");
        assert_eq!(error.code, "shard.message");
    }
    let held = opened(&world.shards[0]);
    let error = held.part(b"<html>").expect_err("it is no question");
    assert_eq!(error.code, "shard.message");
    let error = index.start(0, b"PK\x03\x04", 900).expect_err("no snapshot");
    assert!(error.code.starts_with("snapshot."), "{}", error.code);
}

#[test]
fn a_shard_of_another_root_is_refused() {
    let mut world = World::new(3);
    world.shards[0] = World::new(2).shards.swap_remove(0);
    let (status, answer) = world.ask(&mut world.open(), &posted("map", "{}"));
    assert_eq!(
        (status, answer["code"].as_str()),
        (502, Some("snapshot.damaged"))
    );
}
