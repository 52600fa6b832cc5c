//! Other programs: found, run, listened to. Every command that is run is said aloud, so that a reader of the
//! output can repeat it by hand.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Errors are sentences for a person.
pub type Result<T> = std::result::Result<T, String>;

/// One program call, built step by step.
pub struct Call {
    command: Command,
    shown: String,
}

/// Names the certificates that Node reads anew in each process (30 ms for those of Debian), where a machine sets it.
pub const CERTIFICATES: &str = "NODE_EXTRA_CA_CERTS";

/// Output of a program.
pub struct Heard {
    /// Exit status zero.
    pub ok: bool,
    /// Standard output and standard error in the order in which lines came.
    pub text: String,
}

impl Call {
    /// A call of `program`, found in PATH or given as a path.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let program = program.as_ref();
        Self {
            command: Command::new(program),
            shown: program.to_string_lossy().into_owned(),
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.shown.push(' ');
        self.shown.push_str(&arg.as_ref().to_string_lossy());
        self.command.arg(arg);
        self
    }

    /// Adds several arguments.
    pub fn args<S: AsRef<OsStr>>(self, args: impl IntoIterator<Item = S>) -> Self {
        args.into_iter().fold(self, Call::arg)
    }

    /// Runs in `dir`.
    pub fn dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Sets one environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets several environment variables.
    pub fn envs<'a>(self, pairs: impl IntoIterator<Item = &'a (String, String)>) -> Self {
        pairs
            .into_iter()
            .fold(self, |call, (name, value)| call.env(name, value))
    }

    /// Prints `shown` in place of the program and its arguments.
    pub fn shown(mut self, shown: &str) -> Self {
        shown.clone_into(&mut self.shown);
        self
    }

    /// Starts it beside this program, its output into `log`. It ends when the value is dropped.
    pub fn run_beside(mut self, log: &Path) -> Result<Background> {
        say(&format!("$ {} &", self.shown));
        let file = std::fs::File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
        let other = file.try_clone().map_err(|e| e.to_string())?;
        let child = self
            .command
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(other)
            .spawn()
            .map_err(|e| self.cannot_start(&e))?;
        Ok(Background { child })
    }

    /// Runs it without a word and returns its standard output; what it said on standard error is in the error.
    pub fn read(mut self) -> Result<String> {
        let output = self
            .command
            .stdin(Stdio::null())
            .output()
            .map_err(|e| self.cannot_start(&e))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "`{}` ended with {}: {}",
                self.shown,
                output.status,
                ends(&why, 12)
            ));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Like [`Call::read`], and ends a program that takes longer than `limit`.
    pub fn read_within(self, limit: Duration) -> Result<String> {
        let start = Instant::now();
        self.read_while(|| start.elapsed() < limit)
    }

    /// Like [`Call::read`], and ends the program when `may_go_on`, asked twice a second, says no.
    pub fn read_while(mut self, mut may_go_on: impl FnMut() -> bool) -> Result<String> {
        let mut child = self.start()?;
        let text = Arc::new(Mutex::new(String::new()));
        let errors = Arc::new(Mutex::new(String::new()));
        let readers = [
            child
                .stdout
                .take()
                .map(|pipe| tee(Box::new(pipe), Arc::clone(&text), false)),
            child
                .stderr
                .take()
                .map(|pipe| tee(Box::new(pipe), Arc::clone(&errors), false)),
        ];
        let mut asked = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => std::thread::sleep(Duration::from_millis(20)),
                Err(why) => return Err(format!("`{}`: {why}", self.shown)),
            }
            if asked.elapsed() > Duration::from_millis(500) {
                asked = Instant::now();
                if !may_go_on() {
                    // Its readers are left behind: a program that it started may hold the other end of the pipes.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("`{}` took too long and was ended", self.shown));
                }
            }
        };
        for reader in readers.into_iter().flatten() {
            let _ = reader.join();
        }
        let taken = |text: &Mutex<String>| text.lock().map(|text| text.clone()).unwrap_or_default();
        if status.success() {
            return Ok(taken(&text));
        }
        let why = taken(&errors);
        Err(format!(
            "`{}` ended with {status}: {}",
            self.shown,
            ends(&why, 12)
        ))
    }

    fn start(&mut self) -> Result<std::process::Child> {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| self.cannot_start(&e))
    }

    /// Runs it quietly; when it fails, shows the last lines of what it said.
    pub fn run_quietly(self) -> Result<()> {
        say(&format!("$ {}", self.shown));
        let shown = self.shown.clone();
        let heard = self.gather(false)?;
        if heard.ok {
            Ok(())
        } else {
            Err(format!("`{shown}` failed:\n{}", ends(&heard.text, 80)))
        }
    }

    /// Runs it, passes its output on line by line, and keeps it.
    pub fn listen(self) -> Result<Heard> {
        say(&format!("$ {}", self.shown));
        self.gather(true)
    }

    /// Runs it and keeps its output, without passing it on.
    pub fn listen_quietly(self) -> Result<Heard> {
        say(&format!("$ {}", self.shown));
        self.gather(false)
    }

    fn gather(mut self, aloud: bool) -> Result<Heard> {
        let mut child = self.start()?;
        let text = Arc::new(Mutex::new(String::new()));
        let readers: Vec<_> = [
            child
                .stdout
                .take()
                .map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
            child
                .stderr
                .take()
                .map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        ]
        .into_iter()
        .flatten()
        .map(|pipe| tee(pipe, Arc::clone(&text), aloud))
        .collect();
        let status = child.wait().map_err(|e| format!("`{}`: {e}", self.shown))?;
        for reader in readers {
            reader
                .join()
                .map_err(|_| format!("`{}`: its output could not be read", self.shown))?;
        }
        let text = text.lock().map_err(|_| "output lost".to_owned())?.clone();
        Ok(Heard {
            ok: status.success(),
            text,
        })
    }

    fn cannot_start(&self, error: &std::io::Error) -> String {
        format!("`{}` cannot be started: {error}", self.shown)
    }
}

/// A program that runs beside this one.
pub struct Background {
    child: std::process::Child,
}

impl Background {
    /// Tells whether it ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tee(
    pipe: Box<dyn Read + Send>,
    text: Arc<Mutex<String>>,
    aloud: bool,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut lines = BufReader::new(pipe);
        let mut line = Vec::new();
        while matches!(lines.read_until(b'\n', &mut line), Ok(n) if n > 0) {
            let part = String::from_utf8_lossy(&line).into_owned();
            if aloud {
                let _ = std::io::stdout().write_all(part.as_bytes());
            }
            if let Ok(mut all) = text.lock() {
                all.push_str(&part);
            }
            line.clear();
        }
    })
}

/// One line for the person who waits.
#[expect(
    clippy::print_stdout,
    reason = "a command-line tool speaks on standard output"
)]
pub fn say(line: &str) {
    println!("{line}");
    let _ = std::io::stdout().flush();
}

/// Runs `work` and says how long it took: `  ✓ what (3.2 s)`.
pub fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let result = work();
    let mark = if result.is_ok() { '✓' } else { '✗' };
    say(&format!(
        "  {mark} {what} ({:.1} s)",
        start.elapsed().as_secs_f64()
    ));
    result
}

/// The path of `program` in PATH, if it is there. One that is a path already must be a file.
pub fn which(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|file| file.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(program))
        .find(|file| file.is_file())
}

/// The first line that `program --version` prints, or nothing when it cannot be run.
pub fn version_of(program: impl AsRef<OsStr>) -> Option<String> {
    let text = Call::new(program).arg("--version").read().ok()?;
    text.lines().next().map(str::to_owned)
}

/// The lines of `text`, the middle left out where there are more than `n`: some programs say first what went wrong,
/// some last.
fn ends(text: &str, n: usize) -> String {
    let lines: Vec<_> = text.lines().collect();
    if lines.len() <= n {
        return lines.join("\n");
    }
    let first = lines.get(..n / 2).unwrap_or_default().join("\n");
    let last = lines
        .get(lines.len() - n / 2..)
        .unwrap_or_default()
        .join("\n");
    format!("{first}\n    …\n{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_ended() {
        let start = Instant::now();
        let hanging = Call::new("sleep").arg("30");
        let why = hanging.read_within(Duration::from_millis(600));
        assert!(why.is_err_and(|why| why.contains("took too long")));
        assert!(start.elapsed() < Duration::from_secs(15));
        let quick = Call::new("echo").arg("42");
        assert_eq!(
            quick.read_within(Duration::from_secs(30)).as_deref(),
            Ok("42\n")
        );
        let failing = Call::new("sh").args(["-c", "echo no >&2; exit 3"]);
        let why = failing.read_within(Duration::from_secs(30));
        assert!(why.is_err_and(|why| why.ends_with("no")));
    }

    #[test]
    fn long_output_keeps_both_ends() {
        assert_eq!(ends("a\nb\nc", 3), "a\nb\nc");
        assert_eq!(ends("a\nb\nc\nd\ne", 2), "a\n    …\ne");
    }
}
