//! A whole process, measured from outside: how long it took and how much memory it and its children held. That is
//! what a user waits for, and the only thing that can be compared between tools.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::shell::{CERTIFICATES, Result};

/// How often memory is looked at.
const EVERY: Duration = Duration::from_millis(10);

/// Cost of one run.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Highest sum of resident memory over the process and its children, in bytes, sampled every 10 ms. Linux only;
    /// zero elsewhere.
    pub memory: u64,
    /// Standard output.
    pub output: String,
}

impl Cost {
    /// `1.2 s / 123 MB`
    pub fn shown(&self) -> String {
        format!("{:.2} s / {} MB", self.seconds, self.memory / 1_000_000)
    }
}

/// Runs `program` with `args` in `dir` to its end, at most `limit`; then it and its children are stopped.
pub fn measure(
    program: &Path,
    args: &[&str],
    dir: &Path,
    env: &[(String, String)],
    limit: Duration,
) -> Result<Cost> {
    let shown = format!("{} {}", program.display(), args.join(" "));
    static N_RUNS: AtomicUsize = AtomicUsize::new(0);
    let (process, run) = (std::process::id(), N_RUNS.fetch_add(1, Ordering::Relaxed));
    let log = std::env::temp_dir().join(format!("portolan-bench-{process}-{run}.log"));
    let file = std::fs::File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?;
    let errors = file.try_clone().map_err(|e| e.to_string())?;
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .current_dir(dir)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .env_remove(CERTIFICATES)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        // A group of its own, so that children are counted and stopped with it.
        .process_group(0)
        .spawn()
        .map_err(|e| format!("`{shown}` cannot be started: {e}"))?;
    let group = child.id();
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break Some(status);
        }
        if start.elapsed() > limit {
            break None;
        }
        memory = memory.max(memory_of_group(group));
        std::thread::sleep(EVERY);
    };
    let seconds = start.elapsed().as_secs_f64();
    // Whatever it left running must not disturb the next measurement.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{group}")])
        .stderr(Stdio::null())
        .status();
    if status.is_none() {
        let _ = child.wait();
    }
    let output = std::fs::read(&log)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    match status {
        Some(status) if status.success() => Ok(Cost {
            seconds,
            memory,
            output,
        }),
        Some(status) => Err(format!(
            "`{shown}` ended with {status}: {}",
            last_line(&output)
        )),
        None => Err(format!("`{shown}` was stopped after {} s", limit.as_secs())),
    }
}

fn last_line(text: &str) -> &str {
    text.lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
}

fn memory_of_group(group: u32) -> u64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| memory_of(&entry.path(), group))
        .sum()
}

/// Resident bytes of the process at `/proc/N`, if it belongs to `group`.
fn memory_of(proc: &Path, group: u32) -> Option<u64> {
    let name = proc.file_name()?.to_str()?;
    if !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let stat = std::fs::read_to_string(proc.join("stat")).ok()?;
    // After the name, which may hold anything: state, parent, group.
    let found: u32 = stat.rsplit_once(") ")?.1.split(' ').nth(2)?.parse().ok()?;
    if found != group {
        return None;
    }
    let pages: u64 = std::fs::read_to_string(proc.join("statm"))
        .ok()?
        .split(' ')
        .nth(1)?
        .parse()
        .ok()?;
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> Result<Cost> {
        measure(
            Path::new("/bin/sh"),
            &["-c", script],
            Path::new("/"),
            &[],
            limit,
        )
    }

    #[test]
    fn time_and_output() {
        let cost = sh("echo hello; sleep 0.1", Duration::from_secs(10)).expect("a shell");
        assert!(cost.seconds >= 0.1);
        assert_eq!(cost.output.trim(), "hello");
    }

    #[test]
    fn failures_and_endless_runs_are_told() {
        let failed = sh("echo why >&2; exit 3", Duration::from_secs(10)).expect_err("exit 3");
        assert!(failed.ends_with("why"), "{failed}");
        let endless = sh("sleep 60", Duration::from_millis(50)).expect_err("too long");
        assert!(endless.contains("stopped after"), "{endless}");
    }
}
