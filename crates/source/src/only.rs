//! Rules that take in some folders and files, and nothing else.

/// Rules that leave out everything but these folders and files: on the way to each, its neighbours.
#[must_use]
pub fn only(include: &[String]) -> Vec<String> {
    let parts = |path: &String| -> Vec<String> {
        path.split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .map(str::to_owned)
            .collect()
    };
    let wanted: Vec<_> = include.iter().map(parts).collect();
    // A path inside a folder that is included as a whole needs no rule, and would narrow it.
    let is_within = |path: &[String], other: &[String]| path != other && path.starts_with(other);
    let tops = || {
        wanted
            .iter()
            .filter(|path| !wanted.iter().any(|other| is_within(path, other)))
    };
    let mut rules = Vec::new();
    for path in tops() {
        let mut above = String::new();
        for part in path {
            let rule = format!("{above}/*");
            if !rules.contains(&rule) {
                rules.push(rule);
            }
            above = format!("{above}/{part}");
        }
    }
    // Inclusions come after all exclusions.
    for path in tops() {
        let mut above = String::new();
        for part in path {
            above = format!("{above}/{part}");
            rules.push(format!("!{above}"));
        }
    }
    rules
}
