//! Groups of hits: those of one file together, and of a document in several languages only the best.

use rustc_hash::FxHashMap;
use search::{PathClass, Ranked};
use source::FileId;

/// Languages that documents are translated into, by the codes of ISO 639-1.
const LANGUAGES: &str = "ar az be bg bn ca cs da de el en eo es et eu fa fi fr gl gu he hi hr hu hy id is it ja ka kk km kn ko lt lv mk ml mn \
                         mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh";
/// Longest region or script behind a language: `CN`, `419`, `Hant`.
const MAX_REGION: usize = 4;

/// Returns indices of hits: those of one file each if grouped, else each on its own. Of the translations of a document only
/// the one that ranks first stays.
pub(crate) fn groups<'p>(
    ranked: &Ranked,
    grouped: bool,
    path: &dyn Fn(FileId) -> &'p str,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = if grouped {
        ranked.by_file().into_iter().map(|file| file.hits).collect()
    } else {
        (0..ranked.hits.len()).map(|hit| vec![hit]).collect()
    };
    let mut shown: FxHashMap<String, FileId> = FxHashMap::default();
    groups.retain(|group| {
        let hit = group.first().and_then(|hit| ranked.hits.get(*hit));
        let document = hit.filter(|hit| hit.class.contains(PathClass::PROSE));
        document.is_none_or(|hit| {
            let name = untranslated(path(hit.file));
            *shown.entry(name).or_insert(hit.file) == hit.file
        })
    });
    groups
}

/// The path of a document without what says its language: `docs/guide.md` for `docs/zh-hant/guide.md`, `README.md` for
/// `README.fr.md` and `README_pt-BR.md`.
fn untranslated(path: &str) -> String {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folders = folders
        .split('/')
        .filter(|folder| !folder.is_empty() && !is_language(folder));
    let parts = name.split('.').filter(|part| !is_language(part));
    let parts: Vec<&str> = parts.map(without_language).collect();
    let mut all: Vec<&str> = folders.collect();
    let name = parts.join(".");
    all.push(&name);
    all.join("/")
}

/// A part of a file's name without a language at its end.
fn without_language(part: &str) -> &str {
    let ends = part.match_indices(['-', '_']).map(|(at, _)| at);
    let mut ends = ends.filter(|&at| part.get(at + 1..).is_some_and(is_language));
    ends.next().and_then(|at| part.get(..at)).unwrap_or(part)
}

/// Whether a text is the code of a language, with a region or script or without.
fn is_language(text: &str) -> bool {
    let (code, region) = text.split_once(['-', '_']).unwrap_or((text, ""));
    let is_region =
        region.len() <= MAX_REGION && region.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut known = LANGUAGES.split_ascii_whitespace();
    is_region && code.len() == 2 && known.any(|known| known.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::untranslated;

    #[test]
    fn the_language_of_a_path_is_left_out() {
        for (path, document) in [
            ("docs/en/docs/guide.md", "docs/docs/guide.md"),
            ("docs/zh-hant/docs/guide.md", "docs/docs/guide.md"),
            ("docs/pt_BR/docs/guide.md", "docs/docs/guide.md"),
            ("README.md", "README.md"),
            ("README.zh-CN.md", "README.md"),
            ("README_fr.md", "README.md"),
            ("README-pt-BR.md", "README.md"),
            ("guide/en.md", "guide/md"),
            ("docs/ruby/guide.md", "docs/ruby/guide.md"),
            ("docs/es-toolkit/guide.md", "docs/es-toolkit/guide.md"),
            ("sign-in.md", "sign-in.md"),
        ] {
            assert_eq!(untranslated(path), document, "{path}");
        }
    }
}
