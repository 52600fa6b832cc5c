//! The compiler's half that targets wasm32. rustup's own standard library when rustup has it or can fetch it;
//! where it can fetch nothing, Debian's `rustc-web` with a standard library built once from `rust-web-src`.

use std::path::{Path, PathBuf};

use super::{Toolbox, WasmCompiler, apt, there};
use crate::paths;
use crate::shell::{Call, Result, timed, version_of, which};

const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN_RUST: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
/// Compilers that are tried for the C core of tree-sitter, the one we measured with first.
const CLANGS: [(&str, &str); 4] = [
    ("clang-19", "llvm-ar-19"),
    ("clang-20", "llvm-ar-20"),
    ("clang-18", "llvm-ar-18"),
    ("clang", "llvm-ar"),
];

/// Debian packages for a C compiler that knows wasm, where none is there.
pub fn system_packages() -> Vec<&'static str> {
    if clang().is_some() {
        Vec::new()
    } else {
        vec!["clang-19", "lld-19", "llvm-19"]
    }
}

/// Finds or makes a standard library for wasm32 and a C compiler.
pub fn prepare(toolbox: &mut Toolbox) -> Result<()> {
    c_compiler(toolbox)?;
    let forced = std::env::var("PORTOLAN_TOOLCHAIN").ok();
    if forced.as_deref() == Some("debian") {
        return debian(toolbox);
    }
    let version = version_of("rustc").ok_or("no rustc in PATH: install Rust with rustup")?;
    if has_std("rustc") {
        there(&format!("{version} with its standard library for {TARGET}"));
        return Ok(());
    }
    if which("rustup").is_some() {
        let added = timed(&format!("rustup target add {TARGET}"), || {
            // A closed network may swallow the request instead of refusing it.
            Call::new("timeout")
                .args(["240", "rustup", "target", "add", TARGET])
                .run_quietly()
        });
        if added.is_ok() && has_std("rustc") {
            return Ok(());
        }
    }
    if apt::is_available() {
        return debian(toolbox);
    }
    Err(format!(
        "no standard library for {TARGET}: run `rustup target add {TARGET}` where there is a network"
    ))
}

fn has_std(rustc: &str) -> bool {
    let Ok(dir) = Call::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .read()
    else {
        return false;
    };
    has_core(Path::new(dir.trim()))
}

fn has_core(dir: &Path) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .into_iter()
        .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

fn c_compiler(toolbox: &mut Toolbox) -> Result<()> {
    let (clang, ar) =
        clang().ok_or("no clang with a wasm back end: install clang 18 or later and llvm-ar")?;
    there(&format!("{clang} for C in wasm"));
    toolbox.set("CC_wasm32_unknown_unknown", clang);
    toolbox.set("AR_wasm32_unknown_unknown", ar);
    Ok(())
}

/// The first clang that can compile to wasm32, with its `ar`.
pub fn clang() -> Option<(&'static str, &'static str)> {
    CLANGS.into_iter().find(|(clang, ar)| {
        which(ar).is_some()
            && Call::new(clang)
                .arg("--print-targets")
                .read()
                .is_ok_and(|targets| targets.contains("wasm32"))
    })
}

/// Debian's compiler as a tool chain of its own in the cache: a `rustc` that looks for libraries there, beside
/// links to Debian's. Nothing below /usr is written, so no root is needed once the packages are there.
fn debian(toolbox: &mut Toolbox) -> Result<()> {
    apt::install(&DEBIAN_RUST)?;
    let version = version_of("/usr/bin/rustc").ok_or("/usr/bin/rustc does not start")?;
    let number = version.split_whitespace().nth(1).unwrap_or("unknown");
    let home = paths::cache().join(format!("rust-debian-{number}"));
    let lib = home.join("lib/rustlib").join(TARGET).join("lib");
    if has_core(&lib) {
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
            "wasm-ld-19".to_owned(),
        ),
    ];
    let vars = vars.map(|(name, value)| (name.to_owned(), value)).to_vec();
    toolbox.wasm = Some(WasmCompiler { bin, vars });
    Ok(())
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
    if has_core(lib) {
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
