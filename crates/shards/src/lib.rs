//! An index in shards: several snapshots, each of some of the files, and a small root that joins them.
//!
//! ```text
//! files ──partition──▶ shards ──first pass──▶ interfaces of all files
//!                        └─────second pass──▶ a snapshot a shard, and the root ──▶ Index
//! ```
//!
//! The root has the list of files and names, the joint of the graphs ([`graph::Joint`]) and the list of shards. An
//! [`engine::Index`] over it answers questions about symbols as one of a single snapshot does, with the same numbers of
//! nodes, and opens a shard when a question reaches it. Building takes the memory of one shard and of the interfaces of
//! all files.
//!
//! Not here: parsing, ranking, files of a host. Where shards are is the host's matter: it gives a function that opens
//! one by number, and no path is in a root.

mod partition;
mod root;
mod size;

mod build;
mod open;
mod spill;

pub use build::{SecondPass, ShardsBuilder};
pub use open::{OpenShard, Shards};
pub use partition::{FileSize, MAX_SHARDS, import_links, joined, shards_of};
pub use root::{ROOT_VERSION, Root, ShardEntry, is_root};
pub use size::{GROUPS_OF_SHARD, MEMORY_OF_ONE, MEMORY_OF_THREE, ShardSize, shard_name};
pub use spill::{restore, spill};
