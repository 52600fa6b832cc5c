"""Which licence a file of a package stands under, and whether it is a permissive one: what is not, the model does not learn from.

What packages.tsv says of a package counts where nothing finer is known. Debian says it by file (debian/copyright, the last paragraph
whose pattern fits), so that files under a copyleft licence are left out of packages that are permissive as a whole.
"""

import fnmatch
import re
import tarfile
from pathlib import Path

PERMISSIVE = re.compile(
    r"\b(?:mit|expat|apache|bsd|bsd\d|isc|zlib|unlicense|public.domain|pd|psf|python|boost|bsl|x11|cc0|0bsd|ncsa|llvm|golang|go|openldap|openssh|curl"
    r"|blueoak|postgresql|hpnd|unicode|libpng|w3c|wtfpl|ssleay|permissive|rsa|zpl|fsful|fsfullr|historical|jquery|sun|facebook"
    r"|google|lucent|openglraw|zsh|repoze|mazieres|cmu|3c|gap)\b"
)
COPYLEFT = re.compile(r"gpl|mpl|\bepl|cddl|\bcpl|cecill|eupl|sspl|busl|by-sa|by-nc|\bosl|ms-rl|ms-pl|copyleft|proprietary|non-?free|commercial")


def is_permissive(licence: str) -> bool:
    """Whether one of the choices that a licence leaves asks for no more than to be named. A name that is not known is not."""
    text = re.sub(r"[_/]", "-", licence.lower())
    choices = re.split(r"\s*(?:\bor\b|\|)\s*", text)
    parts = [re.split(r"\s*(?:\band\b|;)\s*", choice) for choice in choices]
    return any(all(PERMISSIVE.search(part) and not COPYLEFT.search(part) for part in choice if part) for choice in parts)


class Licences:
    """Of the files of one package; without patterns, they all stand under the package's own."""

    def __init__(self, patterns: list[tuple[re.Pattern, bool]]) -> None:
        self.patterns = patterns

    def allows(self, path: str) -> bool:
        """Whether a file may be learnt from. `path` has the archive's own folder before it."""
        inner = path.partition("/")[2]
        return next((allowed for pattern, allowed in reversed(self.patterns) if pattern.fullmatch(inner) or pattern.fullmatch(path)), True)


def of_package(package: dict[str, str], archive: Path) -> Licences:
    patterns = paragraphs(copyright_of(archive)) if package["registry"] == "debian" else []
    if not patterns and not is_permissive(package["licence"]):
        patterns = [(re.compile(".*", re.S), False)]
    return Licences(patterns)


def copyright_of(archive: Path) -> str:
    """debian/copyright, out of the archive that lies beside that of the sources; nothing if there is none."""
    name = archive.name.split(".orig", 1)[0]
    for beside in sorted(archive.parent.glob(f"{name}-*.debian.tar.*")):
        try:
            with tarfile.open(beside) as opened:
                return opened.extractfile("debian/copyright").read().decode("utf8", "replace")
        except (KeyError, tarfile.TarError, OSError, AttributeError):
            continue
    return ""


def paragraphs(text: str) -> list[tuple[re.Pattern, bool]]:
    """Patterns of files, in order, and whether what they fit may be used. Empty for a text that is not machine-readable."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^([A-Za-z-]+):[ \t]*((?:.*)(?:\n[ \t].*)*)", paragraph, flags=re.M))
        fields = {name.lower(): value for name, value in fields.items()}
        if "files" not in fields or "license" not in fields:
            continue
        allowed = is_permissive(fields["license"].split("\n", 1)[0])
        for pattern in fields["files"].split():
            found.append((re.compile(fnmatch.translate(pattern.removeprefix("./"))), allowed))
    return found
