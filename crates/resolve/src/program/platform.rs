//! Go: files that are built for one platform only, by their names. Conditions in the text are read with the file.

/// Returns whether a file of Go is built for Linux and 64-bit x86, by its name: those with `_windows` or `_arm64` are for
/// other platforms.
pub(super) fn is_for_default_build(path: &str) -> bool {
    let stem = path.strip_suffix(".go").unwrap_or(path);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    let mut parts = stem.rsplit('_');
    let last = parts.next().unwrap_or_default();
    let before = parts.next().unwrap_or_default();
    let is_other = |word: &str| OTHER_SYSTEMS.contains(&word) || OTHER_MACHINES.contains(&word);
    let is_machine = last == "amd64" || OTHER_MACHINES.contains(&last);
    !(is_other(last) || is_machine && OTHER_SYSTEMS.contains(&before))
}

/// Systems and architectures of `go tool dist list`, without the most common ones.
const OTHER_SYSTEMS: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const OTHER_MACHINES: &[&str] = &[
    "386", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
    "riscv64", "s390x", "sparc64", "wasm",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_by_name() {
        for (path, expected) in [
            ("a/lock.go", true),
            ("a/lock_unix.go", true),
            ("a/lock_linux.go", true),
            ("a/lock_linux_amd64.go", true),
            ("a/lock_windows.go", false),
            ("a/lock_windows_amd64.go", false),
            ("a/lock_arm64.go", false),
            ("a/lock_windows_test.go", false),
            ("a/read_windows_lock.go", true),
        ] {
            assert_eq!(is_for_default_build(path), expected, "{path}");
        }
    }
}
