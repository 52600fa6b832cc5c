//! Loose objects: one compressed file each.

use super::inflate::{Inflater, plausible};
use super::{Kind, Object};
use crate::{Error, ErrorKind, Limits, ObjectFiles, Oid};

/// Longest header: a kind, a length and a zero.
const MAX_HEADER: usize = 32;

/// Reads a loose object; `None` if there is no such file. `charge` is asked before anything is decompressed: a broken object is work, too.
pub(crate) fn read(
    host: &dyn ObjectFiles,
    inflater: &mut Inflater,
    oid: Oid,
    limits: &Limits,
    charge: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<Option<Object>, Error> {
    let hex = oid.to_string();
    let name = format!("objects/{}/{}", &hex[..2], &hex[2..]);
    let most = limits.object_bytes as u64 + 1_024;
    let Some(packed) = crate::files::read_small(host, &name, most)? else {
        return Ok(None);
    };
    charge(packed.len())?;
    let mut start = [0; MAX_HEADER];
    let n = inflater.fill(&mut start, whole(&packed))?;
    let broken = || Error::damaged(format!("the object {oid} has a broken header"));
    let (kind, n_bytes, n_header) = header(&start[..n]).ok_or_else(broken)?;
    if n_bytes > limits.object_bytes as u64 {
        let message = format!("the object {oid} has {n_bytes} bytes");
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    if !plausible(n_bytes, packed.len() as u64) {
        return Err(Error::damaged(format!("the object {oid} ends too early")));
    }
    charge(n_bytes as usize)?;
    let mut bytes = vec![0; n_header + n_bytes as usize];
    if inflater.fill(&mut bytes, whole(&packed))? != bytes.len() {
        return Err(Error::damaged(format!("the object {oid} ends too early")));
    }
    bytes.drain(..n_header);
    Ok(Some(Object { kind, bytes }))
}

/// All bytes once, then none.
fn whole<'a>(packed: &'a [u8]) -> impl FnMut() -> Result<&'a [u8], Error> {
    let mut pieces = Some(packed);
    move || Ok(pieces.take().unwrap_or_default())
}

/// Reads `tree 123\0`: kind, length of the object, length of the header.
fn header(bytes: &[u8]) -> Option<(Kind, u64, usize)> {
    let end = memchr::memchr(0, bytes)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    let (kind, n_bytes) = text.split_once(' ')?;
    let kind = match kind {
        "commit" => Kind::Commit,
        "tree" => Kind::Tree,
        "blob" => Kind::Blob,
        "tag" => Kind::Tag,
        _ => return None,
    };
    let digits = n_bytes.bytes().all(|byte| byte.is_ascii_digit());
    Some((kind, n_bytes.parse().ok().filter(|_| digits)?, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;
    use miniz_oxide::deflate::compress_to_vec_zlib;

    fn check(contents: &[u8], expected: Result<&str, &str>) {
        let oid = Oid([0xab; 20]);
        let mut host = MemoryFiles::default();
        let name = format!("objects/ab/{}", "ab".repeat(19));
        host.files.insert(name, compress_to_vec_zlib(contents, 6));
        let limits = Limits {
            object_bytes: 100_000,
            ..Limits::default()
        };
        let read = read(&host, &mut Inflater::new(), oid, &limits, &mut |_| Ok(()));
        let text = |object: Option<Object>| String::from_utf8(object.unwrap().bytes).unwrap();
        let found = read.map(text).map_err(|error| error.code());
        assert_eq!(found.as_deref().map_err(|code| *code), expected);
    }

    #[test]
    fn objects_and_what_is_none() {
        check(b"blob 5\0hello", Ok("hello"));
        check(b"blob 0\0", Ok(""));
        check(b"blob 6\0hello", Err("history.damaged"));
        check(b"blob +5\0hello", Err("history.damaged"));
        check(b"blub 5\0hello", Err("history.damaged"));
        check(b"blob 5", Err("history.damaged"));
        check(b"blob 100001\0", Err("history.too-large"));
        check(b"blob 90000\0x", Err("history.damaged"));
    }
}
