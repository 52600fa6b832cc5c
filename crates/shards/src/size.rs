//! How large shards are, by their number or by the memory that building may take; and what their files are called.

/// Sizes of shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardSize {
    /// Number of shards, about.
    Number(u64),
    /// Bytes of memory that building may take, about.
    Memory(u64),
}

/// Bytes of memory for each byte of the texts of a shard, where one shard is in memory at a time (`portolan-measure shards`;
/// docs/decisions/0033-shards.md).
pub const MEMORY_OF_ONE: u64 = 16;
/// The same where the shard before it is laid out and the one after it is taken up meanwhile.
pub const MEMORY_OF_THREE: u64 = 32;
/// Bytes of memory for each byte of all texts: interfaces and what the resolver knows of them.
const MEMORY_OF_INTERFACES: u64 = 3;
/// Groups of files in a shard: small enough to be joined by their imports, large enough to be folders.
pub const GROUPS_OF_SHARD: u64 = 4;

impl ShardSize {
    /// The size of shards that there are, by the bytes of their texts: the largest is as large as it may be. Their number would not do, since
    /// there are more shards than are asked for.
    #[must_use]
    pub fn of(shards: &[u64]) -> Self {
        let largest = shards.iter().max().copied().unwrap_or_default();
        Self::Number((shards.iter().sum::<u64>() / largest.max(1)).max(1))
    }

    /// Maximum number of bytes of texts in a shard; `all` is the number in all files, `memory` that of memory for each byte of a shard:
    /// [`MEMORY_OF_ONE`] or [`MEMORY_OF_THREE`].
    #[must_use]
    pub fn bytes(self, all: u64, memory: u64) -> u64 {
        match self {
            Self::Number(n) => all.div_ceil(n.max(1)),
            // Interfaces that take the whole budget leave shards of a sixteenth: smaller ones save nothing.
            Self::Memory(bytes) => {
                let rest = bytes.saturating_sub(all.saturating_mul(MEMORY_OF_INTERFACES));
                rest.max(bytes / 16) / memory.max(1)
            }
        }
    }
}

/// The name of a shard's file, without its ending: the start of the BLAKE3 of its bytes.
#[must_use]
pub fn shard_name(digest: &[u8; 32]) -> String {
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_as_large_as_the_budget_allows() {
        assert_eq!(ShardSize::Number(4).bytes(1_001, MEMORY_OF_ONE), 251);
        // A gigabyte, 100 MB of texts: 300 MB of interfaces, the rest for a shard.
        let rest = (1 << 30) - 300_000_000;
        let budget = ShardSize::Memory(1 << 30);
        assert_eq!(budget.bytes(100_000_000, MEMORY_OF_ONE), rest / 16);
        assert_eq!(budget.bytes(100_000_000, MEMORY_OF_THREE), rest / 32);
        // Five for four, of which the largest stays as large as it may be.
        let size = ShardSize::of(&[250, 250, 200, 151, 150]);
        assert_eq!(size, ShardSize::Number(4));
        assert_eq!(ShardSize::of(&[]), ShardSize::Number(1));
        // More interfaces than memory.
        assert_eq!(budget.bytes(1 << 40, MEMORY_OF_ONE), (1 << 30) / 256);
    }
}
