//! Build, test, measure and serve Portolan. `cargo xtask help` lists the commands.
//!
//! Every command first makes sure that what it needs is on the machine (see [`setup`]), says what it did and how long
//! that took, and does nothing twice.

mod bare;
mod bench;
mod build;
mod digest;
mod edge;
mod gates;
mod instructions;
mod lockfile;
mod locks;
mod manifest;
mod measure;
mod notices;
mod paths;
mod release;
mod serve;
mod setup;
mod shell;
mod shots;
mod sizes;
mod suites;

use std::process::ExitCode;
use std::time::Duration;

use shell::{Result, say};

const HELP: &str = "\
cargo xtask COMMAND

  serve [--port 8080]        install what is missing, build, and show the page with our own sources as sample
  test [SUITE…] [--filter X] install what is missing and run the tests, all suites or those named
             [--minutes N]   begins no suite that repeats others, matrix and bare, after that time
  test bare [--quick]        the README's commands on a minimal Debian with empty caches; --keep leaves its folder
  build [NAME…] [--dev]      grammars, engine, onnx, reader, edge, pkg, www or all; native is the program in machine code
  setup                      only install what is missing
  release [--dry-run]        make and check what would be published: npm package, crates, MCP bundle, bill of materials, checksums
          [--verify]         compile the packed crates, too
  ready                      the same as test: gates and all suites, before handing in
  edge dev [--port 8787]     build everything, and run the Worker here in workerd with a login, the sample index and the page
           [--fresh]         forget what an earlier run kept in target/edge-dev
  shots                      build the page and take the pictures of docs/explorer.md, in both themes
  measure [--check]          refresh sizes and counts in tests/measures (or compare)
  bench NAME [--data DIR…]   retrieval, graph, symbols, read, speed, open, update, agents, size, peers, breadth or all; writes docs/benchmarks.md
             [--truth DIR]   for retrieval, graph and symbols: what is right, in DIR/retrieval, DIR/graph and DIR/graph/scip
             [--made DIR]    for graph: further truths, made by tools/truth, of repositories in the folders of --data
             [--ripwire DIR] for peers and breadth: a clone of ripwire to build it from
  bench calls [--data DIR…]  call edges in languages where no compiler is asked, against calls judged by reading (tools/truth/sampled)
  bench locate --data DIR    issues of DIR/issues.jsonl to the files and functions of their fixes, with ablations
  bench replay --data DIR --truth DIR --repos DIR    tokens and calls until an answer is there, by scripted strategies
             [--repos DIR]   clones of their repositories as OWNER+NAME/repo (default: repos in DIR)
             [--kept DIR]    keeps the index of each commit there, for the next run
  bench ripwire --data DIR --truth DIR --repos DIR --ripwire DIR    its call edges and its places of issues, by the same truths
  bench overlay --data DIR   fifty worktrees of each repository with ten changed files each, and a second clone: time and disk
  bench shards --data DIR    each repository in about 16 shards, natively and in WebAssembly: time, memory, size, and questions to both
  bench shared --data DIR    over clones with their history: a clone's first answer from a server of shared indexes, and what pushes send
  bench names FOLDER…        asks for every name that one definition has: how often the first hit is in its file, and labelled with it
  bench stages [--lines N…]  every stage natively, with throughput, memory and growth
  bench scale [--seconds N] [--clients N]  a server of shared indexes in local workerd under load (300 s, 200 clients), and what it costs
  bench large [--lines N…]   growth up to 5 million lines of published packages, fetched into the cache, and a million in a tab
             [--fetch]       only fetches them
  help

suites
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            if !why.is_empty() {
                say(&format!("\n{why}"));
            }
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        help();
        return Ok(());
    }
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), Args::parse(rest)?),
        None => ("help", Args::default()),
    };
    match command {
        "serve" => serve::run(rest.port(8080)?),
        "test" if rest.names == ["bare"] && !rest.has("quick") => bare::full(rest.has("keep")),
        "test" => suites::run(&rest.names, rest.value("filter"), rest.minutes()?),
        "build" => build::run(
            &rest.names,
            match rest.has("dev") {
                true => build::Form::Dev,
                false => build::Form::Released,
            },
        ),
        "release" => release::run(release::Options {
            dry_run: rest.has("dry-run"),
            verify: rest.has("verify"),
        }),
        "setup" => setup::prepare(&setup::ALL).map(drop),
        // Everything that CI runs, under the usual name for a check before handing in.
        "ready" => suites::run(&[], None, None),
        "bench" if rest.names.first().is_some_and(|name| name == "names") => {
            bench::names(rest.names.get(1..).unwrap_or_default())
        }
        "bench" if rest.names.first().is_some_and(|name| name == "locate") => {
            let data = rest.value("data");
            let data =
                data.ok_or("which issues? bench locate --data DIR, with DIR/issues.jsonl")?;
            bench::locate(data, rest.value("repos"), rest.value("kept"))
        }
        "bench" if rest.names == ["replay"] || rest.names == ["ripwire"] => over_truths(&rest),
        "bench" if rest.has("fetch") => bench::fetch(&rest.lines()?),
        "edge" if rest.names == ["dev"] => edge::dev(rest.port(8787)?, rest.has("fresh")),
        "edge" => Err("edge dev is what there is".to_owned()),
        "shots" => shots::run(),
        "measure" => measure::run(rest.has("check")),
        "bench" => {
            let inputs = bench::Inputs {
                data: &rest.values("data"),
                truths: bench::Truths {
                    given: rest.value("truth"),
                    made: rest.value("made"),
                },
                lines: &rest.lines()?,
                ripwire: rest.value("ripwire"),
                load: bench::Load {
                    seconds: rest.value("seconds"),
                    clients: rest.value("clients"),
                },
            };
            bench::run(&rest.names, &inputs)
        }
        "help" => {
            help();
            Ok(())
        }
        other => Err(format!(
            "there is no command `{other}`; see `cargo xtask help`"
        )),
    }
}

/// The benches that compare answers with truths over repositories and clones.
fn over_truths(args: &Args) -> Result<()> {
    let needed = |name| {
        let given = args.value(name);
        given.ok_or(
            "this bench needs --data, --truth and --repos: docs/benchmarks.md says what is in them",
        )
    };
    let (truth, data, repos) = (needed("truth")?, needed("data")?, needed("repos")?);
    if args.names == ["replay"] {
        bench::replay(truth, data, repos)
    } else {
        bench::ripwire(args.value("ripwire"), truth, data, repos)
    }
}

fn help() {
    let suites: Vec<_> = suites::names()
        .iter()
        .map(|(name, about)| format!("  {name:26} {about}"))
        .collect();
    say(&format!("{HELP}{}", suites.join("\n")));
}

/// Arguments after the command: names, flags, and flags with a value.
#[derive(Debug, Default, PartialEq)]
struct Args {
    names: Vec<String>,
    options: Vec<(String, Option<String>)>,
}

impl Args {
    const WITH_VALUE: [&str; 12] = [
        "port", "filter", "minutes", "data", "truth", "made", "lines", "ripwire", "repos", "kept",
        "seconds", "clients",
    ];
    const FLAGS: [&str; 8] = [
        "dev", "check", "fetch", "dry-run", "verify", "quick", "keep", "fresh",
    ];

    fn parse(args: &[String]) -> Result<Self> {
        let mut parsed = Self::default();
        let mut args = args.iter().peekable();
        while let Some(arg) = args.next() {
            let Some(option) = arg.strip_prefix("--") else {
                parsed.names.push(arg.clone());
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (option, None),
            };
            if Self::FLAGS.contains(&name) {
                parsed.options.push((name.to_owned(), None));
            } else if Self::WITH_VALUE.contains(&name) {
                let value = value
                    .or_else(|| args.next().cloned())
                    .ok_or_else(|| format!("--{name} needs a value"))?;
                parsed.options.push((name.to_owned(), Some(value)));
                // --data DIR DIR…
                while ["data", "lines"].contains(&name)
                    && args.peek().is_some_and(|next| !next.starts_with("--"))
                {
                    parsed.options.push((name.to_owned(), args.next().cloned()));
                }
            } else {
                return Err(format!(
                    "there is no option --{name}; see `cargo xtask help`"
                ));
            }
        }
        Ok(parsed)
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| option == name)
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.options
            .iter()
            .rev()
            .find(|(option, _)| option == name)?
            .1
            .as_deref()
    }

    fn port(&self, standard: u16) -> Result<u16> {
        let Some(port) = self.value("port") else {
            return Ok(standard);
        };
        port.parse()
            .map_err(|_| format!("--port {port}: not a port number"))
    }

    /// The time after which no suite begins that repeats others.
    fn minutes(&self) -> Result<Option<Duration>> {
        let parsed = self.value("minutes").map(|minutes| {
            let n: u64 = minutes
                .parse()
                .map_err(|_| format!("--minutes {minutes}: not a number"))?;
            Ok(Duration::from_secs(n.saturating_mul(60)))
        });
        parsed.transpose()
    }

    /// Numbers of lines, as `--lines 10000 1000000` says.
    fn lines(&self) -> Result<Vec<u64>> {
        let numbers = self.values("lines").into_iter().map(|number| {
            number
                .replace('_', "")
                .parse()
                .map_err(|_| format!("--lines {number}: not a number"))
        });
        numbers.collect()
    }

    fn values(&self, name: &str) -> Vec<&str> {
        self.options
            .iter()
            .filter(|(option, _)| option == name)
            .filter_map(|(_, value)| value.as_deref())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Args::parse(&words)
    }

    #[test]
    fn names_flags_and_values() {
        let args = parse("engine --dev --port=9 --data a b --filter x").expect("known options");
        assert_eq!(args.names, ["engine"]);
        assert!(args.has("dev"));
        assert_eq!(args.value("port"), Some("9"));
        assert_eq!(args.values("data"), ["a", "b"]);
        assert_eq!(args.value("filter"), Some("x"));
    }

    #[test]
    fn what_nobody_knows_is_refused() {
        assert!(parse("--fast").is_err());
        assert!(parse("--port").is_err());
    }
}
