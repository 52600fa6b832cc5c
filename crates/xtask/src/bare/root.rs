//! A minimal Debian in a folder, with what the README says is needed beforehand and nothing else.

use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::paths;
use crate::setup::apt;
use crate::shell::{Call, Result, which};

/// The user of the root, who has `sudo` and no file of ours.
pub const USER: &str = "newcomer";
const HOME: &str = "home/newcomer";

/// The README's requirements on Debian, and `sudo`, which an installed Debian has.
const PACKAGES: &str = "build-essential,ca-certificates,git,sudo";

/// Variables of this machine without which its network cannot be used: proxies, and where certificates are.
const OF_THE_NETWORK: [&str; 9] = [
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Mounts what programs expect of a system, in a namespace that ends with the command, and changes into the root.
/// Arguments: the root, the user, the command line. The shell stays: it dies with `unshare`, and all processes of the
/// namespace with it. A program that has become another user would not be told of that death.
const ENTER: &str = r#"
root=$1; user=$2; line=$3
mount -t proc proc "$root/proc" &&
mount --rbind /sys "$root/sys" &&
mount --bind /dev "$root/dev" &&
mount -t devpts devpts "$root/dev/pts" -o ptmxmode=666 &&
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" || exit 125
chroot --userspec="$user" "$root" /bin/bash -c "cd ~ && $line"
exit $?
"#;

/// A root of the file system that is removed in the end.
pub struct Root {
    dir: PathBuf,
    keep: bool,
}

impl Root {
    /// Says why no root can be made here, if that is so.
    pub fn obstacle() -> Option<String> {
        if std::env::var_os("PORTOLAN_BARE").is_some() {
            return Some("this is the bare machine already".to_owned());
        }
        if !apt::is_available() {
            return Some("it needs Debian's package manager".to_owned());
        }
        if !apt::is_root() {
            return Some("it needs root, for mounts".to_owned());
        }
        let mounts = Call::new("unshare").args(["--mount", "--pid", "--fork", "true"]);
        mounts
            .read()
            .err()
            .map(|_| "mounts are not allowed here".to_owned())
    }

    /// Makes a root. Packages are fetched once and kept in the cache as an archive.
    pub fn make(keep: bool) -> Result<Self> {
        let home = paths::cache().join("bare");
        remove_left(&home);
        let dir = home.join(format!("root-{}", std::process::id()));
        let archive = archive(&home)?;
        paths::make_dir(&dir)?;
        let root = Self { dir, keep };
        Call::new("tar")
            .args(["--extract", "--numeric-owner", "--file"])
            .arg(archive)
            .arg("--directory")
            .arg(&root.dir)
            .read()?;
        root.network()?;
        root.add_user()?;
        Ok(root)
    }

    /// Puts in Rust and Node as this machine has them, less what was added to Rust afterwards.
    pub fn add_tools(&self) -> Result<()> {
        let rustup = home_of("RUSTUP_HOME", ".rustup").join("toolchains");
        let cargo = home_of("CARGO_HOME", ".cargo").join("bin");
        if which("rustup").is_none() || !rustup.is_dir() {
            return Err(
                "the bare machine gets Rust from rustup's files, and there are none here"
                    .to_owned(),
            );
        }
        let sysroot = Call::new("rustc").args(["--print", "sysroot"]).read()?;
        let sysroot = PathBuf::from(sysroot.trim());
        let toolchains = self.home(".rustup/toolchains");
        paths::make_dir(&toolchains)?;
        let sysroot = sysroot
            .canonicalize()
            .map_err(|e| format!("{}: {e}", sysroot.display()))?;
        let name = sysroot.file_name().unwrap_or_default();
        paths::make_dir(&toolchains.join(name))?;
        // `share` holds documentation only, and is half of it.
        for part in ["bin", "etc", "lib", "libexec"] {
            copy(&sysroot.join(part), &toolchains.join(name))?;
        }
        without_wasm(&toolchains.join(name))?;
        // Other names of the same tool chain are links.
        for entry in std::fs::read_dir(&rustup).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_symlink() && path.canonicalize().is_ok_and(|target| target == sysroot) {
                link(Path::new(name), &toolchains.join(entry.file_name()))?;
            }
        }
        let settings = home_of("RUSTUP_HOME", ".rustup").join("settings.toml");
        copy(&settings, &self.home(".rustup"))?;
        paths::make_dir(&self.home(".cargo/bin"))?;
        for program in [
            "rustup",
            "cargo",
            "rustc",
            "rustdoc",
            "cargo-fmt",
            "rustfmt",
            "cargo-clippy",
            "clippy-driver",
        ] {
            copy(&cargo.join(program), &self.home(".cargo/bin"))?;
        }
        self.add_node()
    }

    fn add_node(&self) -> Result<()> {
        let program = Call::new("node").args(["-p", "process.execPath"]).read()?;
        copy(Path::new(program.trim()), &self.dir.join("usr/local/bin"))?;
        let npm = which("npm").ok_or("no npm here to put into the bare machine")?;
        let npm = npm.canonicalize().map_err(|e| format!("npm: {e}"))?;
        let folder = npm.ancestors().nth(2).unwrap_or(&npm);
        let modules = self.dir.join("usr/local/lib/node_modules");
        paths::make_dir(&modules)?;
        copy(folder, &modules)?;
        for (name, script) in [("npm", "npm-cli.js"), ("npx", "npx-cli.js")] {
            let target = format!("../lib/node_modules/npm/bin/{script}");
            link(
                Path::new(&target),
                &self.dir.join("usr/local/bin").join(name),
            )?;
        }
        Ok(())
    }

    /// Clones the last commit of this repository into the user's home.
    pub fn clone_repository(&self) -> Result<()> {
        Call::new("git")
            .args(["clone", "--quiet", "--no-local", "--depth", "1"])
            .arg(format!("file://{}", paths::root().display()))
            .arg(self.home("portolan"))
            .read()?;
        self.give_to_user()
    }

    /// Copies a folder of this machine below the user's home, where it is there.
    pub fn share(&self, from: &Path, to: &str) -> Result<()> {
        if !from.is_dir() {
            return Ok(());
        }
        let to = self.home(to);
        paths::make_dir(&to)?;
        copy(from, &to)?;
        self.give_to_user()
    }

    fn give_to_user(&self) -> Result<()> {
        let owner = format!("{USER}:{USER}");
        let inside = format!("/{HOME}");
        Call::new("chroot")
            .arg(&self.dir)
            .args(["chown", "--recursive", "--no-dereference", &owner, &inside])
            .read()
            .map(drop)
    }

    /// A call of a shell's command line inside, as the user, in the clone.
    pub fn call(&self, line: &str) -> Call {
        let path = format!("/{HOME}/.cargo/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
        let call = Call::new("env").args(["-i", "LANG=C.UTF-8", "PORTOLAN_BARE=1"]);
        let call = call.args([
            format!("PATH={path}"),
            format!("HOME=/{HOME}"),
            format!("USER={USER}"),
        ]);
        let network = OF_THE_NETWORK.iter().filter_map(|name| {
            let value = std::env::var(name).ok()?;
            Some(format!("{name}={value}"))
        });
        call.args(network)
            .args([
                "unshare",
                "--mount",
                "--pid",
                "--ipc",
                "--fork",
                "--kill-child",
            ])
            .args(["sh", "-c", ENTER, "enter"])
            .arg(&self.dir)
            .args([USER.to_owned(), format!("cd portolan && {line}")])
            .shown(&format!("(bare) {line}"))
    }

    fn home(&self, path: &str) -> PathBuf {
        self.dir.join(HOME).join(path)
    }

    /// Names, certificates and addresses, as this machine has them.
    fn network(&self) -> Result<()> {
        for file in ["etc/resolv.conf", "etc/hosts"] {
            if let Ok(text) = std::fs::read(Path::new("/").join(file)) {
                paths::write(&self.dir.join(file), text)?;
            }
        }
        let own = Path::new("/usr/local/share/ca-certificates");
        if own.is_dir() {
            copy(own, &self.dir.join("usr/local/share"))?;
            Call::new("chroot")
                .arg(&self.dir)
                .arg("update-ca-certificates")
                .read()?;
        }
        Ok(())
    }

    fn add_user(&self) -> Result<()> {
        Call::new("chroot")
            .arg(&self.dir)
            .args(["useradd", "--create-home", "--shell", "/bin/bash", USER])
            .read()?;
        let rule = format!("{USER} ALL=(ALL) NOPASSWD: ALL\n");
        paths::write(&self.dir.join("etc/sudoers.d/newcomer"), rule)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        if !self.keep {
            // Mounts ended with the commands that made them: below this folder are only its own files.
            let _ = std::fs::remove_dir_all(&self.dir);
        }
    }
}

/// Removes the roots of runs that were ended before they could: each takes gigabytes.
fn remove_left(home: &Path) {
    for entry in std::fs::read_dir(home).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix("root-"));
        if process.is_some_and(|id| !Path::new("/proc").join(id).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The archive of a root with [`PACKAGES`], made where it is missing.
fn archive(home: &Path) -> Result<PathBuf> {
    let sources = sources()?;
    let release = release()?;
    let key = Digest::default()
        .part("release", release.as_bytes())
        .part("packages", PACKAGES.as_bytes())
        .part("sources", sources.as_bytes())
        .finish();
    let archive = home.join(format!("{}.tar", key.get(..16).unwrap_or(&key)));
    if archive.is_file() {
        return Ok(archive);
    }
    apt::install(&["mmdebstrap".to_owned()])?;
    let list = home.join("sources.list");
    paths::write(&list, sources)?;
    let partial = archive.with_extension("partial.tar");
    Call::new("mmdebstrap")
        .args(["--quiet", "--variant=minbase"])
        .arg(format!("--include={PACKAGES}"))
        .arg(&release)
        .arg(&partial)
        .arg(&list)
        .run_quietly()?;
    std::fs::rename(&partial, &archive).map_err(|e| format!("{}: {e}", archive.display()))?;
    Ok(archive)
}

/// `bookworm`
fn release() -> Result<String> {
    let text = paths::read(Path::new("/etc/os-release"))?;
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(str::to_owned)
        .ok_or_else(|| "/etc/os-release names no release".to_owned())
}

/// The lines of a sources.list with the mirrors of this machine that hold its release; others may need keys.
fn sources() -> Result<String> {
    let release = release()?;
    let listed = Call::new("apt-get")
        .args([
            "indextargets",
            "--format",
            "deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
            "Created-By: Packages",
        ])
        .read()?;
    let mut lines: Vec<_> = listed
        .lines()
        .filter(|line| {
            line.split(' ')
                .nth(2)
                .is_some_and(|name| name.starts_with(&release))
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    if lines.is_empty() {
        return Err(format!(
            "no mirror of Debian {release} is known to apt here: run `apt-get update`"
        ));
    }
    Ok(format!("{}\n", lines.join("\n")))
}

/// Takes from a copied tool chain the target that rustup or set-up may have added to this machine's.
fn without_wasm(toolchain: &Path) -> Result<()> {
    let rustlib = toolchain.join("lib/rustlib");
    let _ = std::fs::remove_dir_all(rustlib.join("wasm32-unknown-unknown"));
    let _ = std::fs::remove_file(rustlib.join("manifest-rust-std-wasm32-unknown-unknown"));
    let components = rustlib.join("components");
    let text = paths::read(&components)?;
    let kept: Vec<_> = text
        .lines()
        .filter(|line| !line.contains("wasm32"))
        .collect();
    paths::write(&components, format!("{}\n", kept.join("\n")))?;
    let config = rustlib.join("multirust-config.toml");
    let text = paths::read(&config)?;
    paths::write(&config, without_component(&text, "wasm32-unknown-unknown"))
}

/// `text` without the `[[components]]` table of `target`.
fn without_component(text: &str, target: &str) -> String {
    let mut parts = text.split("[[components]]");
    let head = parts.next().unwrap_or_default().to_owned();
    let named = format!("target = \"{target}\"");
    parts
        .filter(|part| !part.contains(&named))
        .fold(head, |text, part| text + "[[components]]" + part)
}

fn home_of(variable: &str, folder: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(folder),
        PathBuf::from,
    )
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    Call::new("cp")
        .args(["--archive", "--reflink=auto"])
        .arg(from)
        .arg(to)
        .read()
        .map(drop)
}

fn link(target: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, link).map_err(|e| format!("{}: {e}", link.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_ended_runs_are_removed() -> std::io::Result<()> {
        let home = std::env::temp_dir().join(format!("bare-left-{}", std::process::id()));
        let [ended, running, kept] = [
            "root-4194305".to_owned(),
            format!("root-{}", std::process::id()),
            "passed".to_owned(),
        ]
        .map(|name| home.join(name));
        for folder in [&ended, &running, &kept] {
            std::fs::create_dir_all(folder.join("etc"))?;
        }
        remove_left(&home);
        assert!(!ended.exists() && running.exists() && kept.exists());
        std::fs::remove_dir_all(home)
    }

    #[test]
    fn a_component_is_taken_out_of_the_list() {
        let text = "config_version = \"1\"\n\n[[components]]\npkg = \"rustc\"\n\n[[components]]\npkg = \"rust-std\"\ntarget = \"wasm32-unknown-unknown\"\n\n[[components]]\npkg = \"cargo\"\n";
        let left = without_component(text, "wasm32-unknown-unknown");
        assert!(!left.contains("wasm32"));
        assert!(left.contains("rustc") && left.contains("cargo"));
        assert_eq!(left.matches("[[components]]").count(), 2);
    }
}
