//! One damaged section at a time, every tool: an answer is that of the sound index, or the fault; never another answer.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use api::answer::{Asked, Json, TOOLS, ask};
use engine::{Index, Snapshot, SnapshotError, Source, unreadable};

use crate::support::{Topic, request};

const SOUND: &[u8] = include_bytes!("../snapshots/v7/bookshop.bin");

/// The tools are asked about this.
const BOOKSHOP: Topic<'_> = Topic {
    symbol: "apply_discount",
    word: "discount",
    path: "shop/pricing.py",
    line: 5,
    target: "shop",
};

struct InMemory(Vec<u8>);

impl Source for InMemory {
    fn n_bytes(&self) -> usize {
        self.0.len()
    }

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, SnapshotError> {
        let piece = self.0.get(range).map(Cow::Borrowed);
        piece.ok_or_else(|| unreadable("it has become shorter"))
    }
}

/// The answers of all tools, or the code of the error that each gives.
fn answers(file: &[u8]) -> Vec<Result<String, String>> {
    let snapshot = Snapshot::open_lazily(InMemory(file.to_vec())).expect("its table is sound");
    let index = Index::new(Arc::new(snapshot));
    let answer = |tool: &str| {
        let index = index.as_ref().map_err(|error| error.code().to_owned())?;
        let asked = Asked {
            index,
            embed: &|_| Ok(None),
            clock: None,
        };
        ask(asked, tool, &Json(&request(tool, &BOOKSHOP))).map_err(|error| error.code)
    };
    TOOLS.iter().map(|tool| answer(tool.name)).collect()
}

#[test]
fn a_damaged_section_is_an_error_of_every_tool_that_reads_it() {
    let sound = answers(SOUND);
    let n_answered = sound.iter().filter(|answer| answer.is_ok()).count();
    assert!(
        n_answered * 2 > TOOLS.len(),
        "{n_answered} of {}",
        TOOLS.len()
    );
    for (name, range) in engine::table(SOUND).expect("a table") {
        let mut file = SOUND.to_vec();
        file[range.start + range.len() / 2] ^= 1;
        let mut n_refused = 0;
        for ((tool, sound), damaged) in TOOLS.iter().zip(&sound).zip(answers(&file)) {
            let is_refused = damaged == Err("snapshot.checksum".to_owned());
            assert!(
                is_refused || damaged == *sound,
                "{name}: {}: {damaged:?}",
                tool.name
            );
            n_refused += usize::from(is_refused);
        }
        // No question reads the documents of compilers' indexes, nor vectors without a model.
        let is_read = !matches!(name.as_str(), "scip" | "vectors");
        assert!(
            !is_read || n_refused > 0,
            "no tool minds the damage of {name}"
        );
    }
}
