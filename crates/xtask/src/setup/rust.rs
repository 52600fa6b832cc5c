//! The compiler's half that targets wasm32. rustup's own standard library when rustup has it or can fetch it;
//! where it can fetch nothing, Debian's `rustc-web` with a standard library built once from `rust-web-src`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::packages::{Missing, Tool};
use super::{Toolbox, WasmCompiler, apt, checks, there};
use crate::paths;
use crate::shell::{Call, Result, timed, version_of, which};

const TARGET: &str = "wasm32-unknown-unknown";
/// Debian's packages of a compiler, and of the sources of a standard library for wasm32.
pub const DEBIAN_RUST: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
/// The linker of Debian's compiler, which brings none.
const LINKER: &str = "wasm-ld-19";
/// How long rustup may fetch nothing. A closed network may swallow requests instead of refusing them.
const IDLE: Duration = Duration::from_secs(60);
/// A crate that needs the allocator of std and the linker for wasm.
const CRATE: &str = "#[unsafe(no_mangle)]\npub extern \"C\" fn sum(n: u32) -> u32 {\n    (0..n).collect::<Vec<u32>>().iter().sum()\n}\n";

/// Finds or makes a standard library for wasm32 that compiles and links.
pub fn prepare(toolbox: &mut Toolbox) -> Result<()> {
    let forced = std::env::var("PORTOLAN_TOOLCHAIN").ok();
    if forced.as_deref() == Some("debian") {
        return debian(toolbox);
    }
    let version = version_of("rustc").ok_or("no rustc in PATH: install Rust with rustup")?;
    let mut failed = check(toolbox);
    if failed.is_err() && which("rustup").is_some() {
        let added = timed(&format!("rustup target add {TARGET}"), add_target);
        failed = added.and_then(|()| check(toolbox));
    }
    match failed {
        Ok(()) => {
            there(&format!("{version} compiles and links to {TARGET}"));
            Ok(())
        }
        Err(_) if apt::is_available() => debian(toolbox),
        Err(why) => Err(super::packages::advice(&[Missing {
            tool: Tool::RustForWasm,
            why: format!(
                "{version} does not compile to {TARGET}: {why}\nwith rustup: `rustup target add {TARGET}` where there is a network"
            ),
        }])),
    }
}

/// Ends when nothing has come for a while.
fn add_target() -> Result<()> {
    let home = std::env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .unwrap_or_else(|| {
            PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".rustup")
        });
    let fetched = || paths::size_of(&home.join("downloads")) + paths::size_of(&home.join("tmp"));
    let mut last = (Instant::now(), fetched());
    Call::new("rustup")
        .args(["target", "add", TARGET])
        .dir(paths::root())
        .read_while(|| {
            let now = fetched();
            if now != last.1 {
                last = (Instant::now(), now);
            }
            last.0.elapsed() < IDLE
        })
        .map(drop)
}

/// Compiles and links a tiny crate for wasm32.
fn check(toolbox: &Toolbox) -> Result<()> {
    let libraries = toolbox
        .call_for_wasm("rustc")
        .args([
            "--print",
            "sysroot",
            "--print",
            "target-libdir",
            "--target",
            TARGET,
        ])
        .read()?;
    let mut lines = libraries.lines().map(Path::new);
    let (Some(sysroot), Some(libdir)) = (lines.next(), lines.next()) else {
        return Err(format!("rustc names no folders: {libraries:?}"));
    };
    let core =
        core_in(libdir).ok_or_else(|| format!("no standard library in {}", libdir.display()))?;
    checks::once("rust-wasm", &[sysroot.join("bin/rustc"), core], |scratch| {
        let source = scratch.join("tiny.rs");
        paths::write(&source, CRATE)?;
        let linker = toolbox
            .wasm
            .as_ref()
            .map(|compiler| format!("-Clinker={}", compiler.linker));
        let made = scratch.join("tiny.wasm");
        toolbox
            .call_for_wasm("rustc")
            .args([
                "--edition",
                "2024",
                "--crate-type",
                "cdylib",
                "--target",
                TARGET,
            ])
            .args([
                "-Copt-level=1",
                "-Cpanic=abort",
                "-Ctarget-feature=+simd128",
            ])
            .args(linker)
            .arg(&source)
            .arg("-o")
            .arg(&made)
            .read()?;
        checks::is_module(&made)
    })
}

fn core_in(dir: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(dir).ok()?.flatten();
    let found =
        entries.find(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))?;
    Some(found.path())
}

/// Debian's compiler as a tool chain of its own in the cache: a `rustc` that looks for libraries there, beside
/// links to Debian's. Nothing below /usr is written, so no root is needed once the packages are there.
fn debian(toolbox: &mut Toolbox) -> Result<()> {
    apt::install(&DEBIAN_RUST.map(str::to_owned))?;
    let version = version_of("/usr/bin/rustc").ok_or("/usr/bin/rustc does not start")?;
    let number = version.split_whitespace().nth(1).unwrap_or("unknown");
    let home = paths::cache().join(format!("rust-debian-{number}"));
    let lib = home.join("lib/rustlib").join(TARGET).join("lib");
    if core_in(&lib).is_some() {
        there(&format!(
            "Debian's {version} with a standard library for {TARGET} built here"
        ));
    } else {
        timed(
            &format!("standard library for {TARGET} built from Debian's sources"),
            || {
                link_debian(&home)?;
                build_std(&home, &lib)
            },
        )?;
    }
    let bin = home.join("bin");
    let vars = [
        ("RUSTC", bin.join("rustc").to_string_lossy().into_owned()),
        // rustup's proxies would otherwise choose the compiler again.
        ("RUSTUP_TOOLCHAIN", String::new()),
        (
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER",
            LINKER.to_owned(),
        ),
    ];
    let vars = vars.map(|(name, value)| (name.to_owned(), value)).to_vec();
    toolbox.wasm = Some(WasmCompiler {
        bin,
        vars,
        linker: LINKER,
    });
    check(toolbox).map_err(|why| format!("Debian's {version} does not compile to {TARGET}: {why}"))
}

fn link_debian(home: &Path) -> Result<()> {
    let rustlib = home.join("lib/rustlib");
    paths::make_dir(&rustlib)?;
    let own =
        std::fs::read_dir("/usr/lib/rustlib").map_err(|e| format!("/usr/lib/rustlib: {e}"))?;
    for entry in own.flatten().filter(|entry| entry.file_name() != TARGET) {
        link(&entry.path(), &rustlib.join(entry.file_name()))?;
    }
    link(Path::new("/usr/bin/cargo"), &home.join("bin/cargo"))?;
    let script = format!(
        "#!/bin/sh\nexec /usr/bin/rustc --sysroot '{}' \"$@\"\n",
        home.display()
    );
    let rustc = home.join("bin/rustc");
    paths::write(&rustc, script)?;
    make_executable(&rustc)
}

fn link(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        paths::make_dir(parent)?;
    }
    let _ = std::fs::remove_file(to);
    std::os::unix::fs::symlink(from, to).map_err(|e| format!("{}: {e}", to.display()))
}

fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(file, mode).map_err(|e| format!("{}: {e}", file.display()))
}

/// Builds std as a dependency of an empty crate and keeps its libraries. Bitcode is embedded because fat LTO of our
/// small artifacts reads it; both panic strategies are built because rustc looks for both.
fn build_std(home: &Path, lib: &Path) -> Result<()> {
    let empty = home.join("empty");
    let manifest = "[package]\nname = \"portolan-empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n";
    paths::write(&empty.join("Cargo.toml"), manifest)?;
    paths::write(&empty.join("lib.rs"), "")?;
    let target_dir = empty.join("target");
    Call::new("/usr/bin/cargo")
        .args([
            "build",
            "--release",
            "--target",
            TARGET,
            "-Zbuild-std=std,panic_abort,panic_unwind,test",
        ])
        .dir(&empty)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_TARGET_DIR", target_dir.as_os_str())
        .run_quietly()?;
    let deps = target_dir.join(TARGET).join("release/deps");
    for file in libraries(&deps) {
        paths::copy(&file, &lib.join(file.file_name().unwrap_or_default()))?;
    }
    let _ = std::fs::remove_dir_all(&empty);
    if core_in(lib).is_some() {
        Ok(())
    } else {
        Err(format!(
            "no libcore among the libraries of {}",
            deps.display()
        ))
    }
}

fn libraries(deps: &Path) -> Vec<PathBuf> {
    let is_library = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".rlib") && !name.starts_with("libportolan_empty")
    };
    paths::files_under(deps, &[])
        .into_iter()
        .filter(is_library)
        .collect()
}
