"""Fetches the packages of packages.tsv from their registries, with the registries' own clients, as they are published.

Each archive lands in CACHE/archives/REGISTRY/. What is there is not fetched again; what cannot be fetched is named and left
out (Debian's suites move on, packages are withdrawn), and the manifest of the model lists what was used in the end.
"""

import csv
import glob
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BATCH = {"crates": 24, "npm": 20, "pypi": 10, "debian": 20}
"""Packages that one call of a client fetches: one that fails is then tried by itself."""


def packages() -> list[dict[str, str]]:
    with open(HERE / "packages.tsv") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def archive_of(cache: Path, package: dict[str, str]) -> Path | None:
    """The archive of a package, if it was fetched."""
    registry, name, version = package["registry"], package["name"], package["version"]
    folder = cache / "archives" / registry
    if registry == "crates":
        patterns = [f"{name}-{version}.crate"]
    elif registry == "npm":
        patterns = [f"{name.lstrip('@').replace('/', '-')}-{version}.tgz"]
    elif registry == "pypi":
        plain = re.sub(r"[-.]+", "_", name)
        patterns = [f"{plain}-{version}-*.whl", f"{plain.lower()}-{version}-*.whl", f"{plain.lower()}-{version}.tar.gz"]
    else:
        patterns = [f"{name}_{upstream(version)}.orig.tar.*"]
    for pattern in patterns:
        for found in sorted(glob.glob(str(folder / pattern))):
            if not found.endswith(".asc"):
                return Path(found)
    return None


def upstream(version: str) -> str:
    """`1:3.1.2-7+deb12u1` → `3.1.2`: what the authors call a version of Debian's."""
    return version.partition(":")[2].rpartition("-")[0] if ":" in version else version.rpartition("-")[0]


def run(command: list[str], folder: Path, **environment: str) -> bool:
    with open(folder / "errors.log", "ab") as log:
        try:
            done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log, timeout=900)
        except (subprocess.TimeoutExpired, OSError) as error:
            log.write(f"{error}\n".encode())
            return False
    return done.returncode == 0


def crates(folder: Path, batch: list[dict[str, str]]) -> bool:
    """`cargo info` reads a package's manifest, so it fetches just that package; `cargo fetch` would fetch what it needs, too."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    done = True
    for package in batch:
        done &= run(["cargo", "info", "-q", "--registry", "crates-io", f"{package['name']}@{package['version']}"], folder)
        name = f"{package['name']}-{package['version']}.crate"
        for found in glob.glob(str(home / "registry" / "cache" / "*" / name)):
            (folder / name).write_bytes(Path(found).read_bytes())
    return done


def npm(folder: Path, batch: list[dict[str, str]]) -> bool:
    names = [f"{package['name']}@{package['version']}" for package in batch]
    return run(["npm", "pack", "--silent", "--ignore-scripts", *names], folder)


def pypi(folder: Path, batch: list[dict[str, str]]) -> bool:
    names = [f"{package['name']}=={package['version']}" for package in batch]
    return run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", ".", *names], folder)


def debian(folder: Path, batch: list[dict[str, str]]) -> bool:
    """By name and version: a newer one that the suite has by now would be other files."""
    config = debian_config(folder)
    names = [f"{package['name']}={package['version']}" for package in batch]
    return run(["apt-get", "source", "--download-only", "-q", *names], folder, APT_CONFIG=str(config))


def debian_config(folder: Path) -> Path:
    """A configuration of apt beside the machine's: its own lists, with sources, from the hosts that the machine uses."""
    state = folder / "apt"
    config = state / "apt.conf"
    if config.exists():
        return config
    for part in ("lists/partial", "cache/archives/partial", "sources.list.d"):
        (state / part).mkdir(parents=True, exist_ok=True)
    text = ""
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")):
        text += re.sub(r"^Types:.*$", "Types: deb-src", Path(path).read_text(), flags=re.M) + "\n\n"
    (state / "sources.list.d" / "sources.sources").write_text(text)
    listed = Path("/etc/apt/sources.list")
    lines = listed.read_text().splitlines() if listed.exists() else []
    (state / "sources.list").write_text("\n".join("deb-src" + line[3:] for line in lines if line.startswith("deb ")) + "\n")
    settings = {"State::Lists": "lists", "Cache": "cache", "Etc::SourceList": "sources.list", "Etc::SourceParts": "sources.list.d"}
    config.write_text("".join(f'Dir::{key} "{state / value}";\n' for key, value in settings.items()))
    run(["apt-get", "update", "-q"], folder, APT_CONFIG=str(config))
    return config


CLIENTS = {"crates": crates, "npm": npm, "pypi": pypi, "debian": debian}


def fetch_registry(cache: Path, registry: str) -> list[str]:
    """Fetches what is missing from one registry. Gives the names of what could not be had."""
    folder = cache / "archives" / registry
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [package for package in packages() if package["registry"] == registry]
    missing = [package for package in wanted if archive_of(cache, package) is None]
    for start in range(0, len(missing), BATCH[registry]):
        batch = missing[start : start + BATCH[registry]]
        CLIENTS[registry](folder, batch)
        for package in batch:
            if archive_of(cache, package) is None:
                CLIENTS[registry](folder, [package])
        print(f"  {registry}: {start + len(batch)} of {len(missing)}", flush=True)
    return [package["name"] for package in missing if archive_of(cache, package) is None]


def fetch(cache: Path) -> None:
    with ThreadPoolExecutor() as pool:
        lost = list(pool.map(lambda registry: fetch_registry(cache, registry), CLIENTS))
    for registry, names in zip(CLIENTS, lost):
        if names:
            print(f"not to be had from {registry}: {' '.join(names)}")


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
