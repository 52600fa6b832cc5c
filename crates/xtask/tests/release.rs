//! The registries' rules for manifests, as far as they can be checked without packing. `cargo xtask release --dry-run`
//! checks the rest.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Crates that go out; all others say `publish = false`.
const PUBLISHED: [&str; 16] = [
    "api", "browser", "cypher", "edge", "embed", "engine", "graph", "history", "portolan",
    "resolve", "seal", "search", "shards", "snapshot", "source", "syntax",
];
/// Names of fields that hold addresses. release.toml is the only place for them.
const ADDRESSES: [&str; 4] = ["repository", "homepage", "bugs", "mcpName"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/xtask is two folders deep")
        .to_owned()
}

fn json(path: &str) -> Value {
    let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

fn texts<'a>(package: &'a Value, key: &str) -> Vec<&'a str> {
    let list = package[key].as_array().map(Vec::as_slice);
    list.unwrap_or_default()
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

#[test]
fn published_crates_say_what_registries_ask() {
    let mut published = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().expect("a name");
        if package["publish"] == serde_json::json!([]) {
            continue;
        }
        let folder = match name {
            "portolan" => name,
            part => part.strip_prefix("portolan-").expect("a name of our own"),
        };
        let library = name.replace('-', "_");
        published.push(folder.to_owned());
        let place = root().join("crates").join(folder);
        let readme = std::fs::read_to_string(place.join("README.md")).expect(name);
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}: README");
        assert!(
            readme.contains(&format!("{library}::")),
            "{name}: its README shows it in use"
        );
        assert_eq!(package["readme"], "README.md", "{name}");
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{name}");
        let about = package["description"].as_str().unwrap_or_default();
        assert!((40..=200).contains(&about.len()), "{name}: {about}");
        assert!(
            (3..=5).contains(&texts(&package, "keywords").len()),
            "{name}: keywords"
        );
        assert!(
            (1..=5).contains(&texts(&package, "categories").len()),
            "{name}: categories"
        );
        let libraries: Vec<&Value> = package["targets"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|target| target["kind"][0] == "lib")
            .collect();
        assert_eq!(libraries[0]["name"], library, "{name}: no generic name");
        for dependency in package["dependencies"].as_array().expect("a list") {
            let is_needed = dependency["path"].is_string() && dependency["kind"] != "dev";
            assert!(
                !is_needed
                    || dependency["req"]
                        == format!("^{}", package["version"].as_str().expect("a version")),
                "{name}: {} has version {}",
                dependency["name"],
                dependency["req"]
            );
        }
    }
    published.sort();
    assert_eq!(published, PUBLISHED);
}

#[test]
fn addresses_have_one_place() {
    for package in packages() {
        for field in ["repository", "homepage"] {
            assert!(package[field].is_null(), "{}: {field}", package["name"]);
        }
    }
    let manifests = [
        "pkg/package.json",
        "pkg/.claude-plugin/plugin.json",
        "pkg/gemini-extension.json",
    ];
    for path in manifests {
        let manifest = json(path);
        for field in ADDRESSES {
            assert!(
                manifest[field].is_null(),
                "{path}: {field} belongs in release.toml"
            );
        }
    }
    assert_eq!(
        json("pkg/package.json")["private"],
        true,
        "nobody publishes from the sources"
    );
    let text = std::fs::read_to_string(root().join("release.toml")).expect("release.toml");
    let settings: toml::Table = toml::from_str(&text).expect("TOML");
    assert!(settings["repository"].is_str() && settings["mcp-name"].is_str());
}

#[test]
fn everything_has_one_version() {
    let version = packages()[0]["version"].clone();
    let plugins = json("pkg/.claude-plugin/marketplace.json");
    let found = [
        json("pkg/package.json")["version"].clone(),
        json("pkg/.claude-plugin/plugin.json")["version"].clone(),
        json("pkg/gemini-extension.json")["version"].clone(),
        plugins["plugins"][0]["version"].clone(),
    ];
    assert!(
        found.iter().all(|other| *other == version),
        "{version}: {found:?}"
    );
    assert!(
        packages()
            .iter()
            .all(|package| package["version"] == version || package["name"] == "portolan-tests")
    );
}
