//! Building an index in shards, with one shard in memory at a time. The host keeps the files that wait between the passes, and the finished
//! shards.

use engine::in_turn;
use js_sys::{Function, Uint8Array};
use shards::{
    FileSize, GROUPS_OF_SHARD, MEMORY_OF_ONE, SecondPass, ShardSize, restore, shard_name,
    shards_of, spill,
};
use syntax::order::InOrder;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, engine_error, error};
use crate::packing::Giver;
use crate::{CodeIndex, CodeIndexBuilder};

/// Maximum number of bytes of a piece of the root.
const MAX_PIECE: usize = 8 << 20;

/// Builds the shards of an index and their root.
#[wasm_bindgen]
pub struct ShardsBuilder {
    size: ShardSize,
    n_bytes: u64,
    pass: Pass,
}

enum Pass {
    First(Box<shards::ShardsBuilder>),
    Second(Box<SecondPass>),
    /// With the pieces of the root.
    Finished(Vec<Vec<u8>>),
    Done,
}

#[wasm_bindgen]
impl ShardsBuilder {
    /// Creates a builder of an index with the name, recipe and skipped files of `list`. Files take `n_bytes`; `number` is that of shards, or with
    /// `is_memory` that of the bytes that building may take.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(list: &CodeIndexBuilder, n_bytes: f64, number: f64, is_memory: bool) -> Self {
        let number = number as u64;
        Self {
            size: match is_memory {
                true => ShardSize::Memory(number),
                false => ShardSize::Number(number),
            },
            n_bytes: n_bytes as u64,
            pass: Pass::First(Box::new(shards::ShardsBuilder::of(list.0.engine()))),
        }
    }

    /// Divides files into groups to be taken one after another: the group of each.
    #[must_use]
    pub fn groups(&self, paths: Vec<String>, sizes: &[f64]) -> Vec<u16> {
        let mut files: Vec<(&String, f64, usize)> = (paths.iter().zip(sizes).zip(0..))
            .map(|((path, n_bytes), at)| (path, *n_bytes, at))
            .collect();
        files.order_by_key(|(path, ..)| *path);
        let sizes: Vec<FileSize<'_>> = (files.iter())
            .map(|(path, n_bytes, _)| FileSize {
                path,
                n_bytes: *n_bytes as u64,
            })
            .collect();
        let groups = shards_of(&sizes, self.max_bytes().div_ceil(GROUPS_OF_SHARD));
        let mut found = vec![0; files.len()];
        for ((.., at), group) in files.iter().zip(groups) {
            found[*at] = group;
        }
        found
    }

    /// Takes the files of a group in and passes them to `give`, record by record, for `restore`; the builder may be freed afterwards. Returns their
    /// number; where it is 0 the number of the group goes to the next one.
    pub fn add(
        &mut self,
        group: u16,
        builder: &CodeIndexBuilder,
        give: &Function,
    ) -> JsResult<usize> {
        let Pass::First(first) = &mut self.pass else {
            return Err(out_of_turn());
        };
        let engine = builder.0.engine();
        first.skip_all(engine);
        if engine.n_files() == 0 {
            return Ok(0);
        }
        first.add(group, engine).map_err(engine_error)?;
        spill(engine, &mut |record| give_to(give, record))?;
        Ok(engine.n_files())
    }

    /// Ends the first pass. Returns the shard of each group.
    pub fn join(&mut self) -> JsResult<Vec<u16>> {
        let max_bytes = self.max_bytes();
        match std::mem::replace(&mut self.pass, Pass::Done) {
            Pass::First(mut first) => {
                let shards = first.join(max_bytes);
                self.pass = Pass::Second(Box::new(first.resolve()));
                Ok(shards)
            }
            _ => Err(out_of_turn()),
        }
    }

    /// Builds the snapshot of a shard, whose files were restored. `give` as in `CodeIndexBuilder.build`.
    pub fn build(
        &mut self,
        shard: u16,
        builder: &CodeIndexBuilder,
        now: f64,
        give: Option<Function>,
    ) -> JsResult<CodeIndex> {
        let second = self.second()?;
        let engine = builder.0.engine();
        let built = match give {
            Some(give) => second.build(shard, engine, now, &mut Giver(give)),
            None => second.build(shard, engine, now, &mut ()),
        };
        CodeIndex::new(built.map_err(engine_error)?.into())
    }

    /// Passes the bytes of a shard to `write`, and returns the name of its file.
    pub fn save(&mut self, shard: u16, index: &CodeIndex, write: &Function) -> JsResult<String> {
        let bytes = index.snapshot()?.to_bytes().map_err(engine_error)?;
        let digest = source::digest(bytes);
        self.second()?.saved(shard, digest);
        let name = shard_name(&digest);
        write.call2(
            &JsValue::UNDEFINED,
            &JsValue::from(&name),
            &Uint8Array::from(bytes),
        )?;
        Ok(name)
    }

    /// Makes the root. Throws `index.too-large`.
    pub fn finish(&mut self, now: f64) -> JsResult<()> {
        match std::mem::replace(&mut self.pass, Pass::Done) {
            Pass::Second(second) => {
                let root = second.finish(now).map_err(engine_error)?;
                let pieces = root.to_pieces(&mut in_turn).map_err(engine_error)?;
                self.pass = Pass::Finished(pieces);
                Ok(())
            }
            _ => Err(out_of_turn()),
        }
    }

    /// Passes the root to `give`, as the place and the bytes of each piece. Outside of this memory it is never there as a whole.
    pub fn root(&self, give: &Function) -> JsResult<()> {
        let Pass::Finished(pieces) = &self.pass else {
            return Err(out_of_turn());
        };
        let mut at = 0.0;
        for piece in pieces.iter().flat_map(|piece| piece.chunks(MAX_PIECE)) {
            let bytes = Uint8Array::from(piece);
            give.call2(&JsValue::UNDEFINED, &JsValue::from(at), &bytes)?;
            at += piece.len() as f64;
        }
        Ok(())
    }
}

impl ShardsBuilder {
    fn max_bytes(&self) -> u64 {
        self.size.bytes(self.n_bytes, MEMORY_OF_ONE)
    }

    fn second(&mut self) -> JsResult<&mut SecondPass> {
        match &mut self.pass {
            Pass::Second(second) => Ok(second.as_mut()),
            _ => Err(out_of_turn()),
        }
    }
}

#[wasm_bindgen]
impl CodeIndexBuilder {
    /// Puts in the files of records that `ShardsBuilder.add` gave. Throws `unit.damaged`.
    pub fn restore(&mut self, records: &[u8]) -> JsResult<()> {
        restore(self.0.engine_mut(), records).map_err(engine_error)
    }
}

fn give_to(give: &Function, record: &[u8]) -> JsResult<()> {
    let bytes = Uint8Array::from(record);
    give.call1(&JsValue::UNDEFINED, &bytes).map(|_| ())
}

fn out_of_turn() -> JsValue {
    error(
        "internal",
        "a step of building shards was called out of turn",
    )
}
