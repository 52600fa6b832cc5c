//! Shards of which only what questions read has come: what they fetch, and what they refuse.

use engine::Wanted;

use super::edge::{ErrorBody, Index, Question};
use super::{World, opened, question, start_of};

/// A shard of which only what questions read has come, as a Durable Object has it.
pub struct Held<'w> {
    file: &'w [u8],
    index: Index,
    /// Names of the pieces that were fetched.
    fetched: Vec<String>,
}

impl<'w> Held<'w> {
    pub fn new(file: &'w [u8]) -> Self {
        Self {
            file,
            index: Index::open_start(start_of(file), file.len()).expect("a shard"),
            fetched: Vec::new(),
        }
    }

    fn provide(&mut self, wanted: &[Wanted]) -> Result<bool, ErrorBody> {
        for Wanted { name, range } in wanted {
            let piece = &self.file[range.start as usize..range.end as usize];
            self.index.provide(name, piece)?;
            self.fetched.push(name.clone());
        }
        Ok(wanted.is_empty())
    }

    /// Asks until nothing is missing, as the Worker's script does.
    pub fn ask<T>(
        &mut self,
        question: impl Fn(&Index) -> Result<T, ErrorBody>,
    ) -> Result<T, ErrorBody> {
        for _ in 0..20 {
            if !self.provide(&self.index.missing("shard", false))? {
                continue;
            }
            let answer = question(&self.index)?;
            if self.provide(&self.index.missing_blocks())? {
                return Ok(answer);
            }
        }
        panic!("a shard lacks something for ever");
    }
}

/// The message of the second round of a search to the first shard.
fn part_of_search(world: &mut World, question: Question) -> Vec<u8> {
    let mut index = world.open();
    let mut asked = index.begin(question);
    loop {
        let _ = index.answer(&mut asked);
        let lacking = index.wanted(&mut asked).expect("what it lacks");
        if !lacking.parts.is_empty() {
            return asked.message(0).expect("a question");
        }
        world
            .give(&mut index, &mut asked, &lacking)
            .expect("what it lacked");
    }
}

/// The graph is most of a snapshot in memory, and a Durable Object has 128 MB.
#[test]
fn a_shard_reads_its_graph_for_filters_by_complexity_only() {
    let mut world = World::new(2);
    let usual = part_of_search(&mut world, question("/v1/search?q=where+is+tax+added"));
    let filtered = question("/v1/search?q=where+is+tax+added&min_complexity=1");
    let filtered = part_of_search(&mut world, filtered);
    let mut held = Held::new(&world.shards[0]);
    held.ask(|held| held.survey("where is tax added"))
        .expect("a survey");
    held.ask(|held| held.part(&usual)).expect("candidates");
    let has_graph = |held: &Held<'_>| held.fetched.iter().any(|name| name == "graph");
    assert!(!has_graph(&held), "{:?}", held.fetched);
    let n_bytes = held.index.n_bytes();
    let found = held.ask(|held| held.part(&filtered)).expect("candidates");
    assert!(has_graph(&held) && held.index.n_bytes() > n_bytes);
    assert_eq!(
        found,
        opened(&world.shards[0])
            .part(&filtered)
            .expect("candidates")
    );
    // It is kept for this question, and freed with the next one that does not read it.
    held.index.forget_but("shard", false).expect("freed");
    assert!(held.index.n_bytes() > n_bytes / 2);
    held.ask(|held| held.part(&usual)).expect("candidates");
    held.index.forget_but("shard", false).expect("freed");
    assert!(held.index.n_bytes() <= n_bytes);
}

/// A shard that is read by ranges has no facts: an empty answer would be a wrong one.
#[test]
fn node_types_are_refused_where_facts_were_not_fetched() {
    let mut world = World::new(2);
    let filtered = question("/v1/search?q=tax&node_type=function_definition");
    let (status, answer) = world.ask(&mut world.open(), &filtered);
    assert_eq!(
        (status, answer["code"].as_str()),
        (400, Some("query.unsupported"))
    );
}
