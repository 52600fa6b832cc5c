//! The README's commands as a new user runs them: on a minimal Debian with empty caches, in a clone of the last commit.
//! Everything that a machine of ours has by hand is missing there, so a step that set-up forgot fails.

mod passed;
mod root;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use root::Root;

use crate::bench::report;
use crate::build;
use crate::paths;
use crate::setup::{self, Toolbox};
use crate::shell::{Heard, Result, say};

/// The longest that the page may take to answer before the test gives up.
const PAGE_LIMIT: Duration = Duration::from_secs(3600);

/// The artifact that the quick test compiles: the smallest.
const LINKED: &str = "seal";
const PAGE_TEST: &str = "an archive is indexed, listed and deleted";
const WORKER_TEST: &str = "in workerd: a query without end is refused";
const CONTRACT_TEST: &str = "its conditions are enough, and another secret is refused";

/// Steps that were done, with their seconds.
#[derive(Default)]
struct Steps {
    done: Vec<(String, f64)>,
}

impl Steps {
    fn step<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        say(&format!("\n── bare: {name}"));
        let start = Instant::now();
        let result = work();
        let seconds = start.elapsed().as_secs_f64();
        match &result {
            Ok(_) => {
                say(&format!("  ✓ {name} ({seconds:.1} s)"));
                self.done.push((name.to_owned(), seconds));
            }
            Err(_) => say(&format!("  ✗ {name} ({seconds:.1} s)")),
        }
        result
    }

    fn table(&self) -> String {
        let rows = self
            .done
            .iter()
            .map(|(name, seconds)| format!("| {name} | {seconds:.0} |\n"));
        format!(
            "| step | seconds |\n|---|--:|\n{}",
            rows.collect::<String>()
        )
    }
}

/// Both commands of the README, each again with what the first run left, and the times in docs/benchmarks.md.
pub fn full(keep: bool) -> Result<()> {
    if let Some(why) = Root::obstacle() {
        return Err(format!("no bare machine can be made here: {why}"));
    }
    let toolbox = setup::prepare(&[])?;
    let mut steps = Steps::default();
    let root = make(&mut steps, keep)?;
    for name in [
        "`cargo xtask serve`, until the page answers",
        "`cargo xtask serve` again",
    ] {
        steps.step(name, || serve(&root))?;
    }
    // The runs of all tests take long: the times so far are kept if one of them fails.
    report::write("bare", &steps.table(), &toolbox)?;
    for name in ["`cargo xtask test`, after it", "`cargo xtask test` again"] {
        let heard = steps.step(name, || root.call("cargo xtask test").listen())?;
        if !heard.ok {
            return Err(format!("{name}: failed on the bare machine, see above"));
        }
        report::write("bare", &steps.table(), &toolbox)?;
    }
    say(&format!(
        "\n{}\n{} passed, 0 failed",
        steps.table(),
        steps.done.len()
    ));
    Ok(())
}

/// Should a run of all suites have this one? Says why where it should not.
pub fn is_due() -> bool {
    let passed = || {
        let why = "it has passed here with the same manifests, set-up and build programs (`cargo xtask test bare --quick` runs it)";
        passed::is_known().then(|| why.to_owned())
    };
    let reason = Root::obstacle().or_else(passed);
    if let Some(why) = &reason {
        say(&format!("  – suite bare left out: {why}"));
    }
    reason.is_none()
}

/// Set-up, compiled grammars, one linked artifact, the package, one test of the page, one of the Worker and one over the S3 server of PyPI,
/// with the downloads and the other artifacts of this machine.
pub fn quick(_: &Toolbox, _: Option<&str>) -> Result<Heard> {
    if let Some(why) = Root::obstacle() {
        return Err(format!("no bare machine can be made here: {why}"));
    }
    let mut steps = Steps::default();
    quick_steps(&mut steps)?;
    passed::remember()?;
    Ok(Heard {
        ok: true,
        text: format!("ℹ pass {}", steps.done.len()),
    })
}

fn quick_steps(steps: &mut Steps) -> Result<()> {
    let root = make(steps, false)?;
    steps.step("downloads shared", || {
        let home = std::env::var_os("HOME").unwrap_or_default();
        let home = Path::new(&home);
        root.share(&home.join(".cargo/registry/cache"), ".cargo/registry")?;
        root.share(&home.join(".cargo/registry/index"), ".cargo/registry")?;
        root.share(&home.join(".npm/_cacache"), ".npm")?;
        let made = paths::cache().join("artifacts");
        let others = build::made_artifacts()?
            .into_iter()
            .filter(|name| name != LINKED);
        for name in others {
            root.share(&made.join(name), ".cache/portolan/artifacts")?;
        }
        Ok(())
    })?;
    let linked = format!("cargo xtask build {LINKED}");
    let page = format!("cargo xtask test page --filter '{PAGE_TEST}'");
    let worker = format!("cargo xtask test hostile --filter '{WORKER_TEST}'");
    let contract = format!("cargo xtask test contract --filter '{CONTRACT_TEST}'");
    let lines = [
        ("set-up, two grammars compiled", "cargo xtask setup"),
        ("one WebAssembly artifact", &linked),
        ("the package, and one test of the page", &page),
        ("one test of the Worker", &worker),
        ("one test over a server of S3", &contract),
    ];
    for (name, line) in lines {
        steps.step(name, || run(&root, line))?;
    }
    Ok(())
}

fn make(steps: &mut Steps, keep: bool) -> Result<Root> {
    let root = steps.step("a minimal Debian", || Root::make(keep))?;
    steps.step("Rust and Node, as the README asks", || root.add_tools())?;
    steps.step("a clone of the last commit", || root.clone_repository())?;
    Ok(root)
}

fn run(root: &Root, line: &str) -> Result<()> {
    let heard = root.call(line).listen()?;
    if heard.ok {
        Ok(())
    } else {
        Err(format!("`{line}` failed on the bare machine, see above"))
    }
}

/// Starts `serve`, waits until its page answers, and ends it.
fn serve(root: &Root) -> Result<()> {
    let port = free_port()?;
    let log = paths::cache().join("bare/serve.log");
    let line = format!("cargo xtask serve --port {port}");
    let mut server = root.call(&line).run_beside(&log)?;
    let start = Instant::now();
    while !is_page(port) {
        if server.has_ended() || start.elapsed() > PAGE_LIMIT {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("{said}\n`{line}` shows no page"));
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    for line in std::fs::read_to_string(&log).unwrap_or_default().lines() {
        say(&format!("    {line}"));
    }
    Ok(())
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|e| e.to_string())?;
    Ok(listener.local_addr().map_err(|e| e.to_string())?.port())
}

/// Does the server give the page and the sample that it shows?
fn is_page(port: u16) -> bool {
    let answers = |path: &str| {
        let text = get(port, path)?;
        text.starts_with("HTTP/1.1 200").then_some(text)
    };
    answers("/").is_some_and(|page| page.contains("<script"))
        && answers("/sample/portolan.index").is_some()
}

fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut head = vec![0; 16_384];
    let mut n = 0;
    while n < head.len() && !head.get(..n)?.windows(9).any(|part| part == b"</script>") {
        match stream.read(head.get_mut(n..)?) {
            Ok(0) | Err(_) => break,
            Ok(more) => n += more,
        }
    }
    head.truncate(n);
    Some(String::from_utf8_lossy(&head).into_owned())
}
