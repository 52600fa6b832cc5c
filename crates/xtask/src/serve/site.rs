//! The files of the page, as they were when a build was done. A build that replaces `www/dist` file by file while
//! somebody looks at the page would leave it without its parts, so each one is copied and shown as a whole.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use crate::digest::sha256_of;
use crate::paths;
use crate::shell::Result;

/// How many copies are kept: a page that is open finds the parts of its own build.
const N_KEPT: usize = 3;

/// The served files.
pub struct Site {
    /// Folder of all copies.
    home: PathBuf,
    /// Copies, the youngest first.
    copies: RwLock<Vec<PathBuf>>,
    /// Artifacts that are still being built, each with the message for its requests.
    pending: RwLock<Vec<&'static str>>,
    digests: Mutex<HashMap<PathBuf, (SystemTime, u64, String)>>,
}

/// Target of a path of the page.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A file below the served folder.
    File(PathBuf),
    /// Part of an artifact that is not made yet.
    Pending(&'static str),
    /// No such file, or none that may be seen.
    Nothing,
}

impl Site {
    /// An empty site whose copies go below `home`.
    pub fn new(home: PathBuf) -> Self {
        let _ = std::fs::remove_dir_all(&home);
        Self {
            home,
            copies: RwLock::default(),
            pending: RwLock::default(),
            digests: Mutex::default(),
        }
    }

    /// Shows a copy of `built` from now on, in which `pending` is not there yet.
    pub fn show(&self, built: &Path, pending: &[&'static str]) -> Result<PathBuf> {
        let mut copies = self.copies.write().unwrap_or_else(PoisonError::into_inner);
        let n_copies = copies
            .first()
            .and_then(|copy| copy.file_name()?.to_str()?.parse().ok());
        let n_copies: u32 = n_copies.unwrap_or_default();
        let copy = self.home.join((n_copies + 1).to_string());
        for file in paths::files_under(built, &[]) {
            paths::copy(&file, &copy.join(file.strip_prefix(built).unwrap_or(&file)))?;
        }
        // Resolves links once, so that files can be compared with the real path.
        let copy = std::fs::canonicalize(&copy).map_err(|e| format!("{}: {e}", copy.display()))?;
        copies.insert(0, copy.clone());
        while copies.len() > N_KEPT {
            let old = copies.pop();
            let _ = old.map(std::fs::remove_dir_all);
        }
        *self.pending.write().unwrap_or_else(PoisonError::into_inner) = pending.to_vec();
        Ok(copy)
    }

    /// The file behind the path of a request. A path without an extension is a place inside the page.
    pub fn find(&self, path: &str) -> Found {
        let Some(relative) = relative(path) else {
            return Found::Nothing;
        };
        let copies = self.copies.read().unwrap_or_else(PoisonError::into_inner);
        let Some(youngest) = copies.first() else {
            return Found::Nothing;
        };
        if let Some(file) = inside(youngest, &relative) {
            return Found::File(file);
        }
        if let Some(name) = self.pending_in(&relative) {
            return Found::Pending(name);
        }
        // Only names with a hash in them mean the same in every build.
        if relative.starts_with("assets/") {
            let mut older = copies.iter().skip(1);
            return match older.find_map(|copy| inside(copy, &relative)) {
                Some(file) => Found::File(file),
                None => Found::Nothing,
            };
        }
        let is_place = Path::new(&relative).extension().is_none();
        match inside(youngest, "index.html").filter(|_| is_place) {
            Some(page) => Found::File(page),
            None => Found::Nothing,
        }
    }

    fn pending_in(&self, relative: &str) -> Option<&'static str> {
        let name = relative.rsplit('/').next()?;
        let pending = self.pending.read().unwrap_or_else(PoisonError::into_inner);
        let mut pending = pending.iter().copied();
        pending.find(|artifact| name == format!("{artifact}_bg.wasm"))
    }

    /// SHA-256 of a file, worked out once for each time and size.
    pub fn digest(&self, file: &Path) -> Result<String> {
        let meta = std::fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let modified = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        match digests.get(file) {
            Some((time, size, digest)) if *time == modified && *size == meta.len() => {
                Ok(digest.clone())
            }
            _ => {
                let digest = sha256_of(file)?;
                let known = (modified, meta.len(), digest.clone());
                digests.insert(file.to_owned(), known);
                Ok(digest)
            }
        }
    }
}

/// The file `relative` of `root`, or its index page; nothing that links lead out of `root`.
fn inside(root: &Path, relative: &str) -> Option<PathBuf> {
    let mut file = std::fs::canonicalize(root.join(relative)).ok()?;
    if file.is_dir() {
        file = std::fs::canonicalize(file.join("index.html")).ok()?;
    }
    (file.starts_with(root) && file.is_file()).then_some(file)
}

/// The path of a request, decoded and relative; nothing for one that leads upwards.
fn relative(path: &str) -> Option<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = decode(path)?;
    let relative = path.trim_start_matches('/');
    let leads_up = |part: &str| part == ".." || part.contains(['\0', ':']);
    if relative.split(['/', '\\']).any(leads_up) {
        return None;
    }
    Some(relative.to_owned())
}

/// `%41` → `A`; nothing when the result is not UTF-8.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return None;
            }
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        home: PathBuf,
        site: Site,
    }

    impl Fixture {
        fn new(name: &str) -> Self {
            let home =
                std::env::temp_dir().join(format!("portolan-site-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&home);
            let site = Site::new(home.join("site"));
            Self { home, site }
        }

        fn show(&self, files: &[&str], pending: &[&'static str]) -> PathBuf {
            let built = self.home.join("dist");
            let _ = std::fs::remove_dir_all(&built);
            for file in files {
                paths::write(&built.join(file), file).expect("a file of the page");
            }
            self.site.show(&built, pending).expect("a copy")
        }

        fn find(&self, path: &str) -> String {
            match self.site.find(path) {
                Found::File(file) => paths::read(&file).expect("a file"),
                Found::Pending(name) => format!("pending {name}"),
                Found::Nothing => "nothing".to_owned(),
            }
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.home);
        }
    }

    #[test]
    fn requests_stay_below_the_root() {
        let fixture = Fixture::new("below");
        fixture.show(&["index.html", "a b.js"], &[]);
        paths::write(&fixture.home.join("site/secret"), "secret").expect("a file beside");
        for path in [
            "/../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "/%zz",
            "/%+1",
            "/a%00",
        ] {
            assert_eq!(fixture.find(path), "nothing", "{path}");
        }
        assert_eq!(fixture.find("/a%20b.js?v=1"), "a b.js");
        assert_eq!(fixture.find("/"), "index.html");
        assert_eq!(fixture.find("/repo/search"), "index.html");
        assert_eq!(fixture.find("/gone.wasm"), "nothing");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_not_followed() {
        let fixture = Fixture::new("links");
        let copy = fixture.show(&["index.html"], &[]);
        let secret = fixture.home.join("secret.txt");
        paths::write(&secret, "secret").expect("a file outside");
        std::os::unix::fs::symlink(&secret, copy.join("out.txt")).expect("a link");
        std::os::unix::fs::symlink(&fixture.home, copy.join("up")).expect("a link");
        assert_eq!(fixture.find("/out.txt"), "nothing");
        assert_eq!(fixture.find("/up/secret.txt"), "nothing");
    }

    #[test]
    fn an_open_page_finds_the_parts_of_its_own_build() {
        let fixture = Fixture::new("builds");
        fixture.show(&["index.html", "assets/a-1.js", "b.js"], &[]);
        fixture.show(&["index.html", "assets/a-2.js"], &[]);
        assert_eq!(fixture.find("/assets/a-1.js"), "assets/a-1.js");
        assert_eq!(fixture.find("/assets/a-2.js"), "assets/a-2.js");
        assert_eq!(fixture.find("/b.js"), "nothing");
        fixture.show(&["index.html"], &[]);
        fixture.show(&["index.html"], &[]);
        assert_eq!(fixture.find("/assets/a-1.js"), "nothing");
    }

    #[test]
    fn an_artifact_that_is_still_made_is_pending() {
        let fixture = Fixture::new("pending");
        fixture.show(&["index.html"], &["onnx"]);
        assert_eq!(fixture.find("/wasm/onnx_bg.wasm"), "pending onnx");
        assert_eq!(fixture.find("/wasm/other_bg.wasm"), "nothing");
        fixture.show(&["index.html", "wasm/onnx_bg.wasm"], &[]);
        assert_eq!(fixture.find("/wasm/onnx_bg.wasm"), "wasm/onnx_bg.wasm");
    }
}
