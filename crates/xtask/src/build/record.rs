//! Records of the inputs of an output. A record lists the inputs that the build itself named, with one digest over them
//! and the settings; an output is up to date while that digest is unchanged. Records are kept beside the output and,
//! with a copy of it, in the cache, so that a switch of branches or a fresh clone finds earlier builds.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::paths;
use crate::shell::Result;

/// How many builds of one artifact the cache keeps.
const N_KEPT: usize = 6;

/// The inputs of one output.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// Paths relative to the root, sorted.
    inputs: Vec<String>,
    /// Over settings and contents.
    digest: String,
    /// The files that were written, by name.
    outputs: Vec<String>,
    /// Not as it is published: for a first look, for tests, for looking into it.
    #[serde(default)]
    is_quick: bool,
}

/// An artifact that was built, or is to be: its folder, its name and what decides about it.
pub struct BuildOutput<'a> {
    /// Root of the repository, to which inputs are relative.
    pub root: &'a Path,
    /// Folder of the output.
    pub out: PathBuf,
    /// Name of the artifact.
    pub name: &'a str,
    /// Everything that decides about the output beside its inputs.
    pub settings: String,
    /// Is it made in another form than the published one?
    pub is_quick: bool,
}

impl BuildOutput<'_> {
    /// Is the output there and made from the present inputs? If not, can the cache give it?
    pub fn is_fresh(&self) -> Result<bool> {
        if let Some(record) = read_record(&self.record_path()) {
            let all_there = record
                .outputs
                .iter()
                .all(|file| self.out.join(file).is_file());
            if all_there && self.matches(&record) {
                return Ok(true);
            }
        }
        self.restore()
    }

    /// Records an output whose making began at `start`, and puts a copy into the cache. Nothing is recorded when an
    /// input was edited meanwhile: nobody can tell which of its contents went in.
    pub fn keep(
        &self,
        start: SystemTime,
        mut inputs: Vec<String>,
        outputs: Vec<String>,
    ) -> Result<()> {
        inputs.sort();
        inputs.dedup();
        if inputs
            .iter()
            .any(|input| is_younger(&self.root.join(input), start))
        {
            let _ = std::fs::remove_file(self.record_path());
            return Ok(());
        }
        let digest = self.digest(&inputs);
        let record = Record {
            inputs,
            digest,
            outputs,
            is_quick: self.is_quick,
        };
        let text = serde_json::to_string_pretty(&record).map_err(|e| e.to_string())?;
        paths::write(&self.record_path(), &text)?;
        let built = self
            .cached()
            .join(record.digest.get(..24).unwrap_or_default());
        for file in &record.outputs {
            paths::copy(&self.out.join(file), &built.join(file))?;
        }
        paths::write(&built.join("record.json"), &text)?;
        self.forget_old();
        Ok(())
    }

    fn restore(&self) -> Result<bool> {
        for built in self.cached_builds() {
            let Some(record) = read_record(&built.join("record.json")) else {
                continue;
            };
            let all_there = record.outputs.iter().all(|file| built.join(file).is_file());
            if !all_there || !self.matches(&record) {
                continue;
            }
            for file in &record.outputs {
                paths::copy(&built.join(file), &self.out.join(file))?;
            }
            paths::copy(&built.join("record.json"), &self.record_path())?;
            return Ok(true);
        }
        Ok(false)
    }

    fn matches(&self, record: &Record) -> bool {
        self.digest(&record.inputs) == record.digest
    }

    fn digest(&self, inputs: &[String]) -> String {
        let start = Digest::default().part("settings", self.settings.as_bytes());
        inputs
            .iter()
            .fold(start, |digest, input| digest.file(self.root, input))
            .finish()
    }

    fn record_path(&self) -> PathBuf {
        self.out
            .join(".records")
            .join(format!("{}.json", self.name))
    }

    fn cached(&self) -> PathBuf {
        paths::cache().join("artifacts").join(self.name)
    }

    /// Cached builds, the youngest first.
    fn cached_builds(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.cached())
            .into_iter()
            .flatten()
            .flatten();
        let mut builds: Vec<_> = entries
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        builds.sort();
        builds.into_iter().rev().map(|(_, path)| path).collect()
    }

    fn forget_old(&self) {
        for build in self.cached_builds().into_iter().skip(N_KEPT) {
            let _ = std::fs::remove_dir_all(build);
        }
    }
}

/// The artifacts in `out` that are not as they are published.
pub fn quick_in(out: &Path) -> Vec<String> {
    let records = paths::files_under(&out.join(".records"), &[]);
    let quick = records
        .iter()
        .filter(|file| read_record(file).is_some_and(|record| record.is_quick));
    quick
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
        .collect()
}

/// Forgets which inputs the artifact called `name` in `out` was made from.
pub fn forget(out: &Path, name: &str) {
    let _ = std::fs::remove_file(out.join(".records").join(format!("{name}.json")));
}

fn is_younger(path: &Path, start: SystemTime) -> bool {
    std::fs::metadata(path)
        .and_then(|meta| meta.modified())
        .is_ok_and(|modified| modified > start)
}

fn read_record(path: &Path) -> Option<Record> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// The inputs that cargo wrote into a dep-info file (`TARGET: INPUT INPUT…`, spaces in paths escaped by `\`), those of
/// the repository only and relative to `root`.
pub fn inputs_of_dep_info(text: &str, root: &Path) -> Vec<String> {
    let mut inputs = Vec::new();
    for line in text.lines() {
        let Some((_, list)) = line.split_once(": ") else {
            continue;
        };
        let marked = list.replace("\\ ", "\0");
        for path in marked.split_whitespace() {
            let path = path.replace('\0', " ");
            if let Ok(relative) = Path::new(&path).strip_prefix(root) {
                inputs.push(relative.to_string_lossy().into_owned());
            }
        }
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dep_info_gives_our_files_only() {
        let text =
            "/r/target/x.wasm: /r/crates/a/src/lib.rs /r/my\\ file.scm /home/u/.cargo/other.rs\n";
        assert_eq!(
            inputs_of_dep_info(text, Path::new("/r")),
            ["crates/a/src/lib.rs", "my file.scm"]
        );
    }

    #[test]
    fn a_changed_input_or_setting_makes_an_output_stale() {
        let root = std::env::temp_dir().join(format!("portolan-record-{}", std::process::id()));
        let name = format!("record-test-{}", std::process::id());
        let built = |settings: &str| BuildOutput {
            root: &root,
            out: root.join("out"),
            name: &name,
            settings: settings.into(),
            is_quick: settings == "t",
        };
        paths::write(&root.join("in"), "1").expect("an input");
        paths::write(&root.join("out/o"), "o").expect("an output");
        built("s")
            .keep(SystemTime::now(), vec!["in".into()], vec!["o".into()])
            .expect("a record");
        assert_eq!(built("s").is_fresh(), Ok(true));
        assert_eq!(built("t").is_fresh(), Ok(false));
        paths::write(&root.join("in"), "2").expect("an input");
        assert_eq!(built("s").is_fresh(), Ok(false));
        // Back to what it was, with the output gone: the cache has it.
        paths::write(&root.join("in"), "1").expect("an input");
        std::fs::remove_dir_all(root.join("out")).expect("the output");
        assert_eq!(built("s").is_fresh(), Ok(true));
        assert_eq!(paths::read(&root.join("out/o")).as_deref(), Ok("o"));
        assert!(quick_in(&root.join("out")).is_empty());
        built("t")
            .keep(SystemTime::now(), vec!["in".into()], vec!["o".into()])
            .expect("a record");
        assert_eq!(quick_in(&root.join("out")), std::slice::from_ref(&name));
        std::fs::remove_dir_all(built("s").cached()).expect("the cache of the test");
        std::fs::remove_dir_all(&root).expect("the folder of the test");
    }
}
