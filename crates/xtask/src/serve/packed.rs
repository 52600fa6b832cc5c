//! Compressed copies of what is served, made once for each content by Node beside serving: the page comes over slower
//! lines, too (a forwarded port), and a wasm file shrinks to a third.

use std::path::{Path, PathBuf};

use super::http::takes;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

/// Below this size in bytes the header is larger than the saving.
const MIN_SIZE: u64 = 1024;

/// Brotli at a quality that takes seconds for all files, not minutes. Files of earlier builds go.
const SCRIPT: &str = "
const fs = require('node:fs'), path = require('node:path'), zlib = require('node:zlib');
const { createHash } = require('node:crypto');
const [home, min, ...roots] = process.argv.slice(1);
fs.mkdirSync(home, { recursive: true });
const wanted = new Set();
for (const root of roots) for (const name of fs.readdirSync(root, { recursive: true })) {
  const file = path.join(root, name);
  if (!fs.statSync(file).isFile() || /\\.(png|woff2|ico)$/.test(name)) continue;
  const bytes = fs.readFileSync(file);
  if (bytes.length < Number(min)) continue;
  const digest = createHash('sha256').update(bytes).digest('hex');
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 5, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const ways = { br: () => zlib.brotliCompressSync(bytes, { params }), gzip: () => zlib.gzipSync(bytes) };
  for (const [way, pack] of Object.entries(ways)) {
    const packed = path.join(home, `${digest}.${way}`);
    wanted.add(path.basename(packed));
    if (fs.existsSync(packed)) continue;
    fs.writeFileSync(`${packed}.partial`, pack());
    fs.renameSync(`${packed}.partial`, packed);
  }
}
for (const name of fs.readdirSync(home)) if (!wanted.has(name)) fs.rmSync(path.join(home, name));
";

/// The encodings that are made, the best first.
const ENCODINGS: [&str; 2] = ["br", "gzip"];

fn home() -> PathBuf {
    paths::root().join("target/xtask/packed")
}

/// Compresses the files of `copy`.
pub fn make(toolbox: &Toolbox, copy: &Path) -> Result<()> {
    toolbox
        .call("node")
        .args(["-e", SCRIPT])
        .arg(home())
        .arg(MIN_SIZE.to_string())
        .arg(copy)
        .read()
        .map(drop)
}

/// The compressed copy of the content called `digest` that a browser takes, and its encoding.
pub fn find(digest: &str, accepted: &str) -> Option<(&'static str, Vec<u8>)> {
    find_in(&home(), digest, accepted)
}

fn find_in(home: &Path, digest: &str, accepted: &str) -> Option<(&'static str, Vec<u8>)> {
    ENCODINGS.into_iter().find_map(|encoding| {
        let is_taken = takes(accepted, encoding);
        let file = is_taken.then(|| home.join(format!("{digest}.{encoding}")))?;
        Some((encoding, std::fs::read(file).ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_encoding_that_is_taken_and_there_is_sent() {
        let home = std::env::temp_dir().join(format!("portolan-packed-{}", std::process::id()));
        paths::write(&home.join("a.br"), "B").expect("a file");
        paths::write(&home.join("a.gzip"), "G").expect("a file");
        let encoding = |digest, accepted| find_in(&home, digest, accepted).map(|(name, _)| name);
        assert_eq!(encoding("a", "gzip, deflate, br"), Some("br"));
        assert_eq!(encoding("a", "gzip, br;q=0"), Some("gzip"));
        assert_eq!(encoding("a", "identity"), None);
        assert_eq!(encoding("b", "br"), None);
        std::fs::remove_dir_all(&home).expect("the folder of the test");
    }
}
