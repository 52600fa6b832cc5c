//! Chromium and its driver, for the tests that run in a page.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::packages::{Missing, Tool};
use super::{Toolbox, checks, there};
use crate::shell::{Call, Result, version_of, which};

const CHROMIUMS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// How long either may take to start. A first start on a slow disk takes seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser and a driver that work together.
struct Browser {
    chromium: PathBuf,
    driver: PathBuf,
}

/// Is a working pair there?
pub fn missing() -> Option<Missing> {
    find().err()
}

/// Names both programs for the tests.
pub fn prepare(toolbox: &mut Toolbox) -> Result<()> {
    let browser = find().map_err(|missing| {
        let advice = super::packages::advice(&[missing]);
        format!("{advice}\nPORTOLAN_CHROMIUM and PORTOLAN_CHROMEDRIVER name them where they are not in PATH")
    })?;
    there(&format!(
        "{} shows pages ({})",
        version(&browser.chromium)?,
        browser.chromium.display()
    ));
    toolbox.set("PORTOLAN_CHROMIUM", browser.chromium.to_string_lossy());
    toolbox.set("PORTOLAN_CHROMEDRIVER", browser.driver.to_string_lossy());
    Ok(())
}

fn find() -> std::result::Result<Browser, Missing> {
    let missing = |why: String| Missing {
        tool: Tool::Browser,
        why,
    };
    let chromium = named("PORTOLAN_CHROMIUM")
        .or_else(|| CHROMIUMS.iter().find_map(|name| which(name)))
        .ok_or_else(|| missing("no Chromium for the tests in a page".to_owned()))?;
    let driver = named("PORTOLAN_CHROMEDRIVER")
        .or_else(|| which("chromedriver"))
        .ok_or_else(|| missing("no chromedriver for the tests in a page".to_owned()))?;
    let programs = [chromium.clone(), driver.clone()];
    checks::once("browser", &programs, |scratch| {
        shows_a_page(&chromium, scratch)?;
        starts(&driver)?;
        fit(&version(&chromium)?, &version(&driver)?)
    })
    .map_err(missing)?;
    Ok(Browser { chromium, driver })
}

fn named(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from)?;
    path.is_file().then_some(path)
}

fn version(program: &Path) -> Result<String> {
    let line =
        version_of(program).ok_or_else(|| format!("{} does not start", program.display()))?;
    Ok(line
        .split(" built on")
        .next()
        .unwrap_or(&line)
        .trim()
        .to_owned())
}

/// Renders an empty page with the settings of the tests.
fn shows_a_page(chromium: &Path, scratch: &Path) -> Result<()> {
    let mut profile = std::ffi::OsString::from("--user-data-dir=");
    profile.push(scratch.join("profile"));
    let shown = Call::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args(["--disable-dev-shm-usage", "--disable-background-networking"])
        .arg(profile)
        .args(["--dump-dom", "about:blank"])
        .read_within(PATIENCE)?;
    if shown.contains("<body>") {
        Ok(())
    } else {
        Err(format!("{} shows no page: {shown:?}", chromium.display()))
    }
}

/// Starts the driver on a free port, and ends it when it says that it listens.
fn starts(driver: &Path) -> Result<()> {
    let mut child = Command::new(driver)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{} cannot be started: {e}", driver.display()))?;
    let lines = child.stdout.take();
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = lines
            .into_iter()
            .flat_map(|pipe| BufReader::new(pipe).lines());
        let listens =
            lines.any(|line| line.is_ok_and(|line| line.contains("started successfully")));
        let _ = send.send(listens);
    });
    let listens = receive.recv_timeout(PATIENCE).unwrap_or(false);
    let _ = child.kill();
    let _ = child.wait();
    if listens {
        Ok(())
    } else {
        Err(format!("{} does not listen", driver.display()))
    }
}

/// A driver refuses a browser of another major version.
fn fit(chromium: &str, driver: &str) -> Result<()> {
    match (major(chromium), major(driver)) {
        (Some(one), Some(other)) if one != other => Err(format!(
            "`{chromium}` and `{driver}` are of different versions"
        )),
        _ => Ok(()),
    }
}

fn major(version: &str) -> Option<u32> {
    let mut words = version.split_whitespace();
    let number = words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    number.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_of_another_version_does_not_fit() {
        let chromium = "Chromium 156.0.8078.79";
        assert_eq!(
            fit(chromium, "ChromeDriver 156.0.8078.12 (a21ce95)"),
            Ok(())
        );
        assert!(fit(chromium, "ChromeDriver 155.0.1 (b)").is_err());
    }
}
