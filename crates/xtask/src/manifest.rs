//! `wasm-pack.toml` and `grammars.toml`, as types. An unknown key is an error, so typos are found.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::paths;
use crate::shell::Result;

/// How to build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As it is published.
    #[default]
    Released,
    /// Unoptimised wasm with names and checks: quick to make, slow to run.
    Dev,
    /// For the page's first look, on a machine where nothing is there yet: compiled in a third of the time, not optimised
    /// by wasm-opt, types not checked.
    Look,
    /// As tests take it: as it is published, but for what takes longer to make than all tests that need it.
    Tested,
}

/// All of `wasm-pack.toml`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WasmPack {
    /// Defaults of every artifact.
    pub build: Shared,
    /// By name: the stem of the files that are written.
    pub artifact: BTreeMap<String, Artifact>,
    /// The page's first look.
    pub look: Look,
}

/// The `[look]` table.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Look {
    /// Cargo features of the one wasm.
    pub features: Vec<String>,
    /// The artifacts in whose places it goes.
    pub artifacts: Vec<String>,
}

/// The `[build]` table.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Shared {
    #[serde(rename = "crate")]
    crate_dir: String,
    target: String,
    /// Folder of the package's artifacts, relative to the root.
    pub out: String,
    wasm_features: Vec<String>,
}

/// One `[artifact.NAME]` table.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Artifact {
    #[serde(rename = "crate")]
    crate_dir: Option<String>,
    target: Option<String>,
    out: Option<String>,
    /// The artifact whose glue loads this one: only the wasm is kept. Both have the same imports and exports.
    pub glue: Option<String>,
    /// Cargo features; the crate's defaults are off.
    pub features: Vec<String>,
    /// Cargo profile.
    pub profile: String,
    /// Optimisation flags for wasm-opt.
    pub wasm_opt: Vec<String>,
    /// Is made before the others, because it takes the longest.
    #[serde(default)]
    pub first: bool,
    /// Tests take it as it is made for a first look.
    #[serde(default)]
    pub quick_in_tests: bool,
    /// The size that is aimed at, brotli-compressed, in bytes.
    pub brotli_goal: Option<u64>,
}

/// An artifact with everything that `[build]` adds to it.
#[derive(Debug)]
pub struct Plan<'a> {
    /// Its name.
    pub name: &'a str,
    /// Folder of its crate, relative to the root.
    pub crate_dir: &'a str,
    /// `--target` of wasm-pack.
    pub target: &'a str,
    /// Folder of its output, relative to the root.
    pub out: &'a str,
    /// Its own settings.
    pub artifact: &'a Artifact,
    wasm_features: &'a [String],
}

impl WasmPack {
    /// Reads the file of the repository.
    pub fn load(root: &Path) -> Result<Self> {
        Self::parse(&paths::read(&root.join("wasm-pack.toml"))?)
    }

    fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|e| format!("wasm-pack.toml: {e}"))
    }

    /// Returns the name of the form that an artifact is built as.
    pub fn form_of(&self, name: &str, form: Form) -> Form {
        let is_quick = self
            .artifact
            .get(name)
            .is_some_and(|artifact| artifact.quick_in_tests);
        match form {
            Form::Tested if is_quick => Form::Look,
            Form::Tested => Form::Released,
            form => form,
        }
    }

    /// Whether the artifact called `name` is loaded by glue of its own.
    pub fn has_glue(&self, name: &str) -> bool {
        let artifact = self.artifact.get(name);
        artifact.is_some_and(|artifact| artifact.glue.is_none())
    }

    /// All names, in the order of making. Every build keeps to it, so that two at the same time cannot each hold what
    /// the other waits for.
    pub fn in_order(&self) -> impl Iterator<Item = &str> {
        let names = |first: bool| {
            let wanted = self
                .artifact
                .iter()
                .filter(move |(_, artifact)| artifact.first == first);
            wanted.map(|(name, _)| name.as_str())
        };
        names(true).chain(names(false))
    }

    /// The plan of the artifact called `name`.
    pub fn plan<'a>(&'a self, name: &str) -> Option<Plan<'a>> {
        let (name, artifact) = self.artifact.get_key_value(name)?;
        Some(self.plan_of(name, artifact))
    }

    /// The plan of `artifact` under `name`.
    pub fn plan_of<'a>(&'a self, name: &'a str, artifact: &'a Artifact) -> Plan<'a> {
        let shared = &self.build;
        Plan {
            name,
            crate_dir: artifact.crate_dir.as_deref().unwrap_or(&shared.crate_dir),
            target: artifact.target.as_deref().unwrap_or(&shared.target),
            out: artifact.out.as_deref().unwrap_or(&shared.out),
            artifact,
            wasm_features: &shared.wasm_features,
        }
    }
}

impl Artifact {
    /// The one that a first look makes.
    pub fn of_look(features: Vec<String>) -> Self {
        Self {
            crate_dir: None,
            target: None,
            out: None,
            glue: None,
            features,
            profile: "look".to_owned(),
            wasm_opt: Vec::new(),
            first: false,
            quick_in_tests: false,
            brotli_goal: None,
        }
    }
}

impl Plan<'_> {
    /// All of wasm-opt's flags: what the file may contain, then what to do with it.
    pub fn wasm_opt_flags(&self) -> Vec<String> {
        let features = self
            .wasm_features
            .iter()
            .map(|feature| format!("--enable-{feature}"));
        let first = std::iter::once("--mvp-features".to_owned());
        first
            .chain(features)
            .chain(self.artifact.wasm_opt.iter().cloned())
            .collect()
    }

    /// The name that the glue knows it by.
    pub fn known_as(&self) -> &str {
        self.artifact.glue.as_deref().unwrap_or(self.name)
    }

    /// The cargo profile that `form` is made by.
    pub fn profile(&self, form: Form) -> &str {
        match form {
            Form::Released | Form::Tested => &self.artifact.profile,
            Form::Dev => "dev",
            Form::Look => "look",
        }
    }

    /// Everything that decides about the output beside the sources, as one text.
    pub fn settings(&self, form: Form) -> String {
        let features = &self.artifact.features;
        let flags = match form {
            Form::Released | Form::Tested => self.wasm_opt_flags(),
            Form::Dev | Form::Look => Vec::new(),
        };
        let profile = self.profile(form);
        let glue = self.artifact.glue.as_deref().unwrap_or_default();
        format!(
            "{} {} {features:?} {profile} {flags:?}{glue}",
            self.crate_dir, self.target
        )
    }
}

/// All of `grammars.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grammars {
    /// Where the files go.
    pub build: GrammarsBuild,
    /// Files that npm carries, by the name that `syntax::Language::grammar` gives.
    pub grammar: BTreeMap<String, Grammar>,
    /// Files that are compiled here, by the same names.
    #[serde(default)]
    pub compiled: BTreeMap<String, Compiled>,
    /// Files that tests bring as a user would; no part of the package.
    #[serde(default)]
    pub test: BTreeMap<String, Grammar>,
}

/// The `[build]` table of `grammars.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarsBuild {
    /// Folder relative to the root.
    pub out: String,
    /// The folder of those that tests bring.
    pub test_out: String,
}

/// One pinned grammar file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grammar {
    /// npm package.
    pub package: String,
    /// Its exact version.
    pub version: String,
    /// The file in the package.
    pub file: String,
    /// SHA-256 of that file in hexadecimal.
    pub sha256: String,
}

/// A grammar that npm has no file of: compiled from the C sources in the crate that native builds link.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiled {
    /// The crate; its version and checksum are those of Cargo.lock.
    #[serde(rename = "crate")]
    pub crate_name: String,
    /// The folder of `parser.c` and `scanner.c` in it.
    pub source: String,
    /// The function that the parser exports.
    pub symbol: String,
}

/// The name of the grammar file in the package: the page and the engine ask for it by language.
pub fn grammar_file(name: &str) -> String {
    format!("tree-sitter-{name}.wasm")
}

impl Grammars {
    /// Reads the file of the repository.
    pub fn load(root: &Path) -> Result<Self> {
        let text = paths::read(&root.join("grammars.toml"))?;
        toml::from_str(&text).map_err(|e| format!("grammars.toml: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(artifact: &str, want: Expect) {
        let text = format!(
            "[build]\ncrate = \"crates/wasm\"\ntarget = \"web\"\nout = \"pkg/wasm\"\nwasm-features = [\"simd\"]\n[look]\nfeatures = []\nartifacts = [\"a\"]\n[artifact.a]\n{artifact}"
        );
        let got = match WasmPack::parse(&text) {
            Ok(file) => file
                .plan("a")
                .map(|plan| plan.settings(Form::Released))
                .unwrap_or_default(),
            Err(why) => why.lines().last().unwrap_or_default().to_owned(),
        };
        want.assert_eq(&got);
    }

    #[test]
    fn an_artifact_takes_what_it_does_not_say_from_build() {
        check(
            "features = [\"ingest\"]\nprofile = \"release\"\nwasm-opt = [\"-O3\"]",
            expect![[
                r#"crates/wasm web ["ingest"] release ["--mvp-features", "--enable-simd", "-O3"]"#
            ]],
        );
    }

    #[test]
    fn an_artifact_may_have_a_crate_of_its_own() {
        check(
            "crate = \"crates/edge\"\ntarget = \"bundler\"\nfeatures = []\nprofile = \"small\"\nwasm-opt = []",
            expect![[r#"crates/edge bundler [] small ["--mvp-features", "--enable-simd"]"#]],
        );
    }

    #[test]
    fn an_unknown_key_is_refused() {
        check(
            "features = []\nprofil = \"release\"\nwasm-opt = []",
            expect![[
                "unknown field `profil`, expected one of `crate`, `target`, `out`, `glue`, `features`, `profile`, `wasm-opt`, `first`, `quick-in-tests`, `brotli-goal`"
            ]],
        );
    }

    #[test]
    fn the_files_of_this_repository_can_be_read() {
        let root = paths::root();
        let wasm_pack = WasmPack::load(&root).expect("wasm-pack.toml");
        assert!(wasm_pack.plan("engine").is_some());
        let look = &wasm_pack.look.artifacts;
        assert!(look.iter().all(|name| wasm_pack.plan(name).is_some()));
        assert_eq!(wasm_pack.form_of("onnx", Form::Tested), Form::Look);
        assert_eq!(wasm_pack.form_of("engine", Form::Tested), Form::Released);
        assert_eq!(wasm_pack.form_of("onnx", Form::Released), Form::Released);
        let grammars = Grammars::load(&root).expect("grammars.toml");
        assert!(
            grammars
                .grammar
                .values()
                .all(|grammar| grammar.sha256.len() == 64)
        );
        assert!(
            grammars
                .compiled
                .keys()
                .all(|name| !grammars.grammar.contains_key(name))
        );
    }
}
