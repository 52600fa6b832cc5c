//! The map of a repository: places that depend on the index alone, and edges that are summed.

use api::answer;
use api::{AtlasLevel, AtlasRequest, AtlasResponse};
use engine::Reader;
use source::{FileSet, SourceConfig};

use crate::support::{bytes_of, reader};

/// Two groups of files that call each other, and a text without code.
fn texts() -> Vec<(String, String)> {
    let mut texts = vec![("docs/guide.txt".to_owned(), "Read this.\n".to_owned())];
    for group in ["cart", "mail"] {
        for n in 0..6 {
            let next = (n + 1) % 6;
            let text = format!(
                "import {{ {group}{next} }} from './{group}{next}.js';\n\
                 export function {group}{n}(x) {{ if (x) return {group}{next}(x - 1); return {group}Help{n}(); }}\n\
                 function {group}Help{n}() {{ return 1; }}\n"
            );
            texts.push((format!("src/{group}/{group}{n}.js"), text));
        }
    }
    texts.push((
        "test/cart.test.js".to_owned(),
        "import { cart0 } from '../src/cart/cart0.js';\nexport function testCart() { cart0(1); }\n"
            .to_owned(),
    ));
    texts
}

fn shop() -> Reader {
    let texts = texts();
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    reader(FileSet::from_files(
        bytes_of(&texts),
        &SourceConfig::default(),
    ))
}

fn atlas(reader: &Reader, level: AtlasLevel) -> AtlasResponse {
    let request = AtlasRequest {
        level,
        limit: Some(10_000),
        ..AtlasRequest::default()
    };
    answer::atlas(reader, &request).expect("a map")
}

#[test]
fn every_file_is_in_an_area_and_every_symbol_in_its_file() {
    let map = atlas(&shop(), AtlasLevel::Symbols);
    assert_eq!(map.files.len(), 14);
    assert_eq!(map.areas.iter().map(|area| area.n_files).sum::<u32>(), 14);
    let distance = |x: u16, y: u16, to: (u16, u16)| {
        let (dx, dy) = (
            f64::from(x) - f64::from(to.0),
            f64::from(y) - f64::from(to.1),
        );
        dx.hypot(dy)
    };
    for file in &map.files {
        let area = map
            .areas
            .iter()
            .find(|area| area.area == file.area)
            .expect("its area");
        let far = distance(file.x, file.y, (area.x, area.y)) + f64::from(file.r);
        assert!(
            far <= f64::from(area.r) + 2.0,
            "{} is outside of {}",
            file.path,
            area.label
        );
    }
    let symbols = &map.symbols;
    assert_eq!(symbols.name.len() as u32, map.page.total);
    for (at, file) in symbols.file.iter().enumerate() {
        let file = &map.files[*file as usize];
        let far = distance(symbols.x[at], symbols.y[at], (file.x, file.y));
        assert!(
            far <= f64::from(file.r) + 2.0,
            "{} is outside of {}",
            symbols.name[at],
            file.path
        );
    }
    let labels: Vec<&str> = map
        .areas
        .iter()
        .filter(|area| !area.is_community)
        .map(|area| area.label.as_str())
        .collect();
    assert_eq!(labels, ["docs/", "test/"]);
    assert!(map.files.iter().any(|file| file.is_test));
}

#[test]
fn the_same_index_has_the_same_places_and_a_part_has_them_too() {
    let (one, other) = (shop(), shop());
    let all = atlas(&one, AtlasLevel::Files);
    assert_eq!(all, atlas(&other, AtlasLevel::Files));
    let area = &all.areas[0];
    let request = AtlasRequest {
        area: Some(area.label.clone()),
        ..AtlasRequest::default()
    };
    let part = answer::atlas(&one, &request).expect("a part");
    assert_eq!(part.areas, std::slice::from_ref(area));
    assert!(!part.files.is_empty());
    for file in &part.files {
        assert!(all.files.contains(file), "{}", file.path);
    }
    let by_place = AtlasRequest {
        area: Some("0".to_owned()),
        ..AtlasRequest::default()
    };
    assert_eq!(answer::atlas(&one, &by_place).expect("a part"), part);
}

#[test]
fn edges_are_summed_by_level_and_kind() {
    let reader = shop();
    let files = atlas(&reader, AtlasLevel::Files);
    let at = |path: &str| {
        files
            .files
            .iter()
            .position(|file| file.path == path)
            .expect(path) as u32
    };
    let (from, to) = (at("src/cart/cart0.js"), at("src/cart/cart1.js"));
    let between = |map: &AtlasResponse, kind: &str| {
        let edges = &map.edges;
        (0..edges.source.len())
            .filter(|n| edges.source[*n] == from && edges.target[*n] == to)
            .filter(|n| edges.kinds[usize::from(edges.kind[*n])] == kind)
            .map(|n| edges.count[n])
            .sum::<u32>()
    };
    assert_eq!(between(&files, "CALLS"), 1);
    assert!(between(&files, "IMPORTS") >= 1);
    let request = AtlasRequest {
        edges: vec!["imports".to_owned()],
        ..AtlasRequest::default()
    };
    let imports = answer::atlas(&reader, &request).expect("a map");
    assert_eq!(imports.edges.kinds, ["IMPORTS"]);
    assert_eq!(between(&imports, "CALLS"), 0);
    let areas = atlas(&reader, AtlasLevel::Areas);
    assert!(areas.files.is_empty() && areas.symbols.name.is_empty());
    let most = areas.areas.len() as u32;
    assert!(
        areas
            .edges
            .source
            .iter()
            .chain(&areas.edges.target)
            .all(|at| *at < most)
    );
}

#[test]
fn pages_and_limits_hold() {
    let reader = shop();
    let request = |offset, max_edges| AtlasRequest {
        limit: Some(5),
        offset: Some(offset),
        max_edges: Some(max_edges),
        ..AtlasRequest::default()
    };
    let first = answer::atlas(&reader, &request(0, 1)).expect("a page");
    let second = answer::atlas(&reader, &request(5, 0)).expect("a page");
    assert_eq!(
        (first.files.len(), first.page.total, first.page.truncated),
        (5, 14, true)
    );
    assert_ne!(first.files, second.files);
    assert_eq!(
        (first.edges.source.len(), second.edges.source.len()),
        (1, 0)
    );
    assert!(first.edges.total >= 1);
    let beyond = answer::atlas(&reader, &request(99, 1)).expect("an empty page");
    assert!(beyond.files.is_empty() && !beyond.page.truncated);
    let none = AtlasRequest {
        area: Some("no such area".to_owned()),
        ..AtlasRequest::default()
    };
    assert_eq!(
        answer::atlas(&reader, &none).expect_err("no area").code,
        "query.invalid"
    );
}
