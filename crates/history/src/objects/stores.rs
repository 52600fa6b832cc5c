//! Folders of objects: the repository's own and those that it borrows from; and their packs.

use super::blocks::{BlockFile, Blocks};
use super::index::PackIndex;
use super::pack::Pack;
use crate::files::read_small;
use crate::{Error, Note, ObjectFiles};

/// Maximum number of packs; git repacks at fifty.
const MAX_PACKS: usize = 2_000;
/// Maximum number of folders of objects.
const MAX_STORES: usize = 16;
/// Maximum number of bytes of `objects/info/alternates`.
const MAX_ALTERNATES: u64 = 64 << 10;

/// Opens the folders that a repository borrows objects from, and those that these borrow from.
pub(super) fn with_alternates(
    files: Box<dyn ObjectFiles>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Box<dyn ObjectFiles>>, Error> {
    let mut stores = vec![files];
    let mut nth = 0;
    while let Some(store) = stores.get(nth) {
        nth += 1;
        let name = "objects/info/alternates";
        let Some(text) = read_small(store.as_ref(), name, MAX_ALTERNATES)? else {
            continue;
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut opened = Vec::new();
        let lines = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines.take(MAX_STORES) {
            match store.alternate(line)? {
                Some(files) => opened.push(files),
                None => notes.push(Note::RefusedAlternate(line.to_owned())),
            }
        }
        stores.extend(opened);
        // Also ends circles of folders that borrow from each other.
        stores.truncate(MAX_STORES);
    }
    Ok(stores)
}

/// Opens all packs, larger ones first: they have most objects. One that cannot be read is left out with a note.
pub(super) fn packs(
    stores: &[Box<dyn ObjectFiles>],
    blocks: &mut Blocks,
    notes: &mut Vec<Note>,
) -> Result<Vec<Pack>, Error> {
    let mut packs = Vec::new();
    for (store, host) in stores.iter().enumerate() {
        let mut names = host.list("objects/pack")?;
        names.retain(|name| is_index(name));
        names.sort();
        for name in names {
            if packs.len() == MAX_PACKS {
                notes.push(Note::Limit("packs"));
                break;
            }
            let id = 2 * packs.len() as u32;
            match open(host.as_ref(), blocks, &name, id) {
                Ok(Some((index, file))) => packs.push(Pack { index, file, store }),
                Ok(None) => {}
                Err(error) => {
                    let why = error.message().to_owned();
                    notes.push(Note::UnreadablePack(name, why));
                }
            }
        }
    }
    packs.sort_by_key(|pack| std::cmp::Reverse(pack.file.n_bytes));
    Ok(packs)
}

/// Whether a name is `pack-….idx` as git writes it.
fn is_index(name: &str) -> bool {
    let digits = name
        .strip_prefix("pack-")
        .and_then(|name| name.strip_suffix(".idx"));
    digits.is_some_and(|digits| {
        (1..=64).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Opens an index and finds its pack; `None` if the pack is not there, as while git repacks.
fn open(
    host: &dyn ObjectFiles,
    blocks: &mut Blocks,
    name: &str,
    id: u32,
) -> Result<Option<(PackIndex, BlockFile)>, Error> {
    let index = format!("objects/pack/{name}");
    let pack = format!("{}.pack", index.trim_end_matches(".idx"));
    let (Some(n_index), Some(n_pack)) = (host.n_bytes(&index)?, host.n_bytes(&pack)?) else {
        return Ok(None);
    };
    let file = |id, name, n_bytes| BlockFile { id, name, n_bytes };
    let (index, pack) = (file(id, index, n_index), file(id + 1, pack, n_pack));
    let mut start = [0; 12];
    blocks.fill(host, &pack, 0, &mut start)?;
    if start[..4] != *b"PACK" || !matches!(start[4..8], [0, 0, 0, 2 | 3]) {
        let message = format!("{} is no pack of version 2", pack.name);
        return Err(Error::damaged(message));
    }
    let index = PackIndex::open(blocks, host, index)?;
    Ok(Some((index, pack)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_packs_are_opened() {
        assert!(is_index("pack-0123456789abcdef.idx"));
        for name in [
            "pack-.idx",
            "pack-../../x.idx",
            "pack-0.pack",
            "x.idx",
            "pack-a/b.idx",
        ] {
            assert!(!is_index(name), "{name}");
        }
    }
}
