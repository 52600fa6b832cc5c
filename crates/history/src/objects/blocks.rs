//! Reads files of `.git` in blocks, which are kept: a binary search in an index and objects beside each other cost one read.

use std::rc::Rc;

use super::cache::Cache;
use crate::{Error, ObjectFiles};

/// Bytes of a block.
const BLOCK: u64 = 64 << 10;

/// Where blocks come from and which are kept.
pub(crate) struct Blocks {
    kept: Cache<(u32, u64), Vec<u8>>,
    /// The block that was read last: most reads are in it.
    last: Option<(u32, u64, Rc<Vec<u8>>)>,
    /// Blocks that the host has read since [`Blocks::take_n_read`].
    n_read: usize,
}

/// A file that is read in blocks.
#[derive(Debug, Clone)]
pub(crate) struct BlockFile {
    /// Number of the file, for the cache.
    pub id: u32,
    /// Name below `.git`.
    pub name: String,
    /// Length in bytes.
    pub n_bytes: u64,
}

/// The rest of a block from a place on.
pub(crate) struct Rest {
    block: Rc<Vec<u8>>,
    start: usize,
}

impl AsRef<[u8]> for Rest {
    fn as_ref(&self) -> &[u8] {
        self.block.get(self.start..).unwrap_or_default()
    }
}

impl Blocks {
    /// Keeps blocks of about `n_bytes` in all.
    pub fn new(n_bytes: usize) -> Self {
        Self {
            kept: Cache::new(n_bytes.max(8 * BLOCK as usize)),
            last: None,
            n_read: 0,
        }
    }

    /// Returns the number of blocks that the host has read since the last call.
    pub fn take_n_read(&mut self) -> usize {
        std::mem::take(&mut self.n_read)
    }

    /// Returns the bytes from a place to the end of its block; none at the end of the file.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if the host cannot read, `history.damaged` if the file has become shorter.
    pub fn rest(
        &mut self,
        host: &dyn ObjectFiles,
        file: &BlockFile,
        at: u64,
    ) -> Result<Rest, Error> {
        if at >= file.n_bytes {
            let block = Rc::new(Vec::new());
            return Ok(Rest { block, start: 0 });
        }
        let number = at / BLOCK;
        let block = self.block(host, file, number)?;
        let start = (at - number * BLOCK) as usize;
        Ok(Rest { block, start })
    }

    /// Fills a buffer from a place on.
    ///
    /// # Errors
    ///
    /// As [`Blocks::rest`]; `history.damaged` if the file ends within the buffer.
    pub fn fill(
        &mut self,
        host: &dyn ObjectFiles,
        file: &BlockFile,
        at: u64,
        buffer: &mut [u8],
    ) -> Result<(), Error> {
        let mut n_done = 0;
        while n_done < buffer.len() {
            let rest = self.rest(host, file, at + n_done as u64)?;
            let bytes = rest.as_ref();
            let n = bytes.len().min(buffer.len() - n_done);
            if n == 0 {
                return Err(Error::damaged(format!("{} ends too early", file.name)));
            }
            buffer[n_done..n_done + n].copy_from_slice(&bytes[..n]);
            n_done += n;
        }
        Ok(())
    }

    fn block(
        &mut self,
        host: &dyn ObjectFiles,
        file: &BlockFile,
        number: u64,
    ) -> Result<Rc<Vec<u8>>, Error> {
        if let Some((id, last, block)) = &self.last
            && (*id, *last) == (file.id, number)
        {
            return Ok(Rc::clone(block));
        }
        let block = match self.kept.get((file.id, number)) {
            Some(block) => block,
            None => {
                let start = number * BLOCK;
                let len = BLOCK.min(file.n_bytes - start) as usize;
                self.n_read += 1;
                let bytes = host.read(&file.name, start, len)?;
                if bytes.len() != len {
                    return Err(Error::damaged(format!("{} has become shorter", file.name)));
                }
                let block = Rc::new(bytes);
                self.kept.insert((file.id, number), Rc::clone(&block));
                block
            }
        };
        self.last = Some((file.id, number, Rc::clone(&block)));
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;

    #[test]
    fn ranges_across_blocks() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
        let mut host = MemoryFiles::default();
        host.files.insert("a".to_owned(), bytes.clone());
        let file = BlockFile {
            id: 0,
            name: "a".to_owned(),
            n_bytes: 300_000,
        };
        let mut blocks = Blocks::new(0);
        for start in [0, 131_070, 131_072, 262_100, 299_990] {
            let mut buffer = [0; 10];
            blocks.fill(&host, &file, start, &mut buffer).unwrap();
            assert_eq!(buffer, bytes[start as usize..start as usize + 10]);
        }
        let mut buffer = [0; 10];
        let beyond = blocks.fill(&host, &file, 299_991, &mut buffer);
        assert_eq!(beyond.unwrap_err().code(), "history.damaged");
        assert!(
            blocks
                .rest(&host, &file, 300_000)
                .unwrap()
                .as_ref()
                .is_empty()
        );
        host.files.insert("a".to_owned(), bytes[..200_000].to_vec());
        let mut blocks = Blocks::new(0);
        let shorter = blocks.fill(&host, &file, 290_000, &mut buffer);
        assert_eq!(shorter.unwrap_err().code(), "history.damaged");
    }
}
