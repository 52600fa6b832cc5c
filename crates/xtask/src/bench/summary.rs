//! The ten figures that matter, first in docs/benchmarks.md: read from the sections below them, so that both agree. A figure whose section
//! is missing is left out.

use std::collections::BTreeMap;

/// The table, from the text of the page.
pub fn table(page: &str) -> String {
    let rows = [
        retrieval, tokens, calls, cold, memory, disk, search, impact, edit, tab,
    ];
    let rows: String = rows
        .iter()
        .filter_map(|row| row(page))
        .map(|Row { what, ours, peers }| format!("| {what} | **{ours}** | {peers} |\n"))
        .collect();
    format!("| | Portolan | others, in the same section |\n|---|--:|---|\n{rows}")
}

struct Row {
    what: String,
    ours: String,
    peers: String,
}

fn row(what: impl Into<String>, ours: impl Into<String>, peers: &[(String, String)]) -> Row {
    let peers: Vec<_> = peers
        .iter()
        .map(|(name, figure)| format!("{name}: {figure}"))
        .collect();
    Row {
        what: what.into(),
        ours: ours.into(),
        peers: peers.join("; "),
    }
}

fn retrieval(page: &str) -> Option<Row> {
    let section = section(page, "retrieval")?;
    let line = section
        .lines()
        .find_map(|line| line.strip_prefix("NDCG@10 "))?;
    let (ours, of) = line.split_once(" (mean of ")?;
    let n_ours = of.split(' ').next()?;
    let (_, published) = section.split_once("published on the same repositories:\n")?;
    let mut peers: Vec<(String, String)> = published
        .lines()
        .take_while(|line| line.ends_with(')'))
        .filter(|line| !line.contains("ablations"))
        .filter_map(|line| {
            let [name, figure, n] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                return None;
            };
            let n = n.trim_matches(['(', ')']);
            let some = if n == n_ours {
                String::new()
            } else {
                format!(" (of {n})")
            };
            Some((name.to_owned(), format!("{figure}{some}")))
        })
        .collect();
    peers.sort_by(|a, b| b.1.cmp(&a.1));
    Some(row(
        format!("finding the right code: NDCG@10 over {n_ours} repositories"),
        ours,
        &peers,
    ))
}

fn tokens(page: &str) -> Option<Row> {
    let section = section(page, "retrieval")?;
    let median = |label: &str| {
        let line = section
            .lines()
            .find_map(|line| line.trim().strip_prefix(label))?;
        line.split_whitespace().next()
    };
    let grep = median("grep, then whole files")?;
    Some(row(
        "tokens that an agent reads until it has the right code, median",
        median("our answers, chunk by chunk")?,
        &[("grep, then whole files".to_owned(), grep.to_owned())],
    ))
}

fn calls(page: &str) -> Option<Row> {
    let section = section(page, "graph")?;
    let line = section
        .lines()
        .find(|line| line.starts_with("== mean of 3 repositories, nontest: "))?;
    let ours = line.split(" F1 ").nth(1)?.split(';').next()?;
    let (_, others) = section.split_once("Other tools on the same repositories")?;
    let mut peers: Vec<_> = cells(others)
        .skip(1)
        .filter_map(|row| Some((row.first()?.to_string(), row.last()?.to_string())))
        .collect();
    peers.sort_by(|a, b| b.1.cmp(&a.1));
    Some(row(
        "call edges against compilers: F1, mean of axum, fastapi and hono",
        ours,
        &peers,
    ))
}

fn cold(page: &str) -> Option<Row> {
    let n_repositories = cells(section(page, "peers")?)
        .position(|row| row.first() == Some(&"all"))?
        .checked_sub(1)?;
    let what = format!("cold index of {n_repositories} repositories, in all");
    beside_peers(page, &what, |cells| {
        let all = cells.last().filter(|all| all.ends_with(" s"))?;
        Some(all.to_string())
    })
}

fn memory(page: &str) -> Option<Row> {
    beside_peers(page, "its memory at most", |cells| {
        let most = parts(cells, 1, " MB").into_iter().reduce(f64::max)?;
        Some(format!("{most} MB"))
    })
}

fn disk(page: &str) -> Option<Row> {
    beside_peers(page, "what it leaves on disk, in all", |cells| {
        let sum = parts(cells, 2, " MB").into_iter().reduce(|a, b| a + b)?;
        Some(format!("{sum:.1} MB"))
    })
}

/// One part of the cells `time / memory / disk`.
fn parts(cells: &[&str], at: usize, unit: &str) -> Vec<f64> {
    cells
        .iter()
        .filter_map(|cell| cell.split(" / ").nth(at)?.strip_suffix(unit)?.parse().ok())
        .collect()
}

/// A figure of each tool from its column in the table of all repositories. A tool that did not run has none.
fn beside_peers(page: &str, what: &str, figure: impl Fn(&[&str]) -> Option<String>) -> Option<Row> {
    let table: Vec<_> = cells(section(page, "peers")?).collect();
    let head = table.first()?;
    let n_rows = table.iter().position(|row| row.first() == Some(&"all"))?;
    let column = |at: usize| {
        let rows = table.get(1..=n_rows)?.iter();
        figure(
            &rows
                .filter_map(|row| row.get(at).copied())
                .collect::<Vec<_>>(),
        )
    };
    let tools = head.iter().enumerate().skip(4);
    let peers: Vec<_> = tools
        .take_while(|(_, name)| !name.starts_with("fastest"))
        .filter(|(_, name)| **name != "without vectors")
        .filter_map(|(at, name)| Some((plain(name), column(at)?)))
        .collect();
    Some(row(what, column(2)?, &peers))
}

fn search(page: &str) -> Option<Row> {
    asked(page, "search", "search p50")
}

fn impact(page: &str) -> Option<Row> {
    asked(page, "impact", "impact p50")
}

/// The median answer of each MCP server, on the repository where it is slowest.
fn asked(page: &str, what: &str, column: &str) -> Option<Row> {
    let table: Vec<_> = cells(section(page, "agents")?)
        .skip_while(|row| row.get(1) != Some(&"server"))
        .collect();
    let head = table.first()?;
    let at = head.iter().position(|name| name.starts_with(column))?;
    let mut slowest: BTreeMap<String, f64> = BTreeMap::new();
    for row in table.iter().skip(1) {
        let median = row.get(at).and_then(|cell| cell.split(',').next());
        if let (Some(server), Some(Ok(median))) = (row.get(1), median.map(str::parse)) {
            let most = slowest.entry(plain(server)).or_default();
            *most = f64::max(*most, median);
        }
    }
    let ours = slowest.remove("Portolan")?;
    let peers: Vec<_> = slowest
        .into_iter()
        .map(|(name, median)| (name, format!("{median} ms")))
        .collect();
    let what = format!("`{what}` of the MCP server: median, slowest repository");
    Some(row(what, format!("{ours} ms"), &peers))
}

fn edit(page: &str) -> Option<Row> {
    let table: Vec<_> = cells(section(page, "update")?).collect();
    let at = table
        .first()?
        .iter()
        .position(|name| *name == "a line within")?;
    let times = table.iter().skip(1).filter_map(|row| {
        let cell = row.get(at)?.split(" ms").next()?;
        cell.parse::<f64>().ok()
    });
    let most = times.fold(0.0, f64::max);
    Some(row(
        "up to date after an edit: median, slowest repository",
        format!("{most} ms"),
        &[],
    ))
}

fn tab(page: &str) -> Option<Row> {
    let section = section(page, "large")?;
    let figure = |what: &str| {
        let mut rows = cells(section);
        rows.find(|row| row.first() == Some(&what))?.get(1).copied()
    };
    let ours = format!(
        "{}, {}",
        figure("vectors, too: fully searchable")?,
        figure("memory of the tab, at most")?
    );
    Some(row(
        "a million lines in a browser tab: fully searchable after, memory at most",
        ours,
        &[],
    ))
}

/// The text between the marks of a section.
fn section<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = page.split_once(&format!("<!-- {name} -->"))?;
    Some(behind.split_once(&format!("<!-- /{name} -->"))?.0)
}

/// The cells of each row of the tables in a text, without the lines under their heads.
fn cells(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = text.lines().filter_map(|line| {
        let inner = line.strip_prefix("| ")?.strip_suffix('|')?;
        Some(inner.split('|').map(str::trim).collect::<Vec<_>>())
    });
    rows.filter(|row| row.len() > 1)
}

/// The name of a tool without its scope.
fn plain(name: &str) -> String {
    let name = name.strip_prefix('@').unwrap_or(name);
    name.split_once('/')
        .map_or(name, |(_, rest)| rest)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_begins_with_all_ten() {
        let file = crate::paths::root().join("docs/benchmarks.md");
        let page = std::fs::read_to_string(&file).expect("a page");
        assert_eq!(table(&page).lines().count(), 12, "{}", table(&page));
        let now = super::super::report::with_summary(&page);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, now).expect("written");
        } else {
            assert!(
                page == now,
                "UPDATE_EXPECT=1 writes it anew, and so does every bench"
            );
        }
    }

    #[test]
    fn a_missing_section_leaves_its_figures_out() {
        assert_eq!(table("").lines().count(), 2);
        let page = "<!-- retrieval -->\n  grep, then whole files   20 30\n  our answers, chunk by chunk  4 5\n<!-- /retrieval -->";
        let shown = table(page);
        assert!(
            shown.ends_with("| **4** | grep, then whole files: 20 |\n"),
            "{shown}"
        );
    }

    #[test]
    fn peers_are_compared_over_all_repositories() {
        let page = "<!-- peers -->\n| repository | files | Portolan | wasm | without vectors | @a/b 1 | c | fastest peer / Portolan |\n|---|--:|\n| x | 1 | 1 s / 5 MB / 1.5 MB | – | 1 s / 4 MB / 1.0 MB | 2 s / 6 MB / 3.0 MB | not installed | 2 |\n| y | 1 | 1 s / 9 MB / 0.5 MB | – | 1 s / 4 MB / 1.0 MB | 2 s / 7 MB / 3.0 MB | not installed | 2 |\n| all | | 2 s | – | 2 s | 4 s | – | 2 |\n\n| z | 1 | 9 s |\n<!-- /peers -->";
        let shown = table(page);
        assert!(
            shown.contains("| cold index of 2 repositories, in all | **2 s** | b 1: 4 s |"),
            "{shown}"
        );
        assert!(shown.contains("| **9 MB** | b 1: 7 MB |"), "{shown}");
        assert!(shown.contains("| **2.0 MB** | b 1: 6.0 MB |"), "{shown}");
    }
}
