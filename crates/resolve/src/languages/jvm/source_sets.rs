//! Source sets of Kotlin's multiplatform projects: `src/commonMain/kotlin`, `src/jvmMain/kotlin`. A file sees its own set and
//! the common one, not those of other platforms.

use crate::program::{Def, FileId};
use crate::resolver::{Resolver, Space};

/// The set that all platforms share.
const COMMON: &str = "common";

impl Resolver<'_, '_> {
    /// The definition that a file sees, where the source sets of a package define a name each for itself.
    pub(crate) fn kotlin_in_source_set(&self, file: FileId, found: Def, space: Space) -> Def {
        let program = self.program;
        let (Some(own), Def::Node(node)) = (platform_of(program.path(file)), found) else {
            return found;
        };
        let distance = |def: FileId| match platform_of(program.path(def)) {
            Some(other) if other == own => 0,
            Some(COMMON) => 1,
            _ => 2,
        };
        let place = program.file_of(node);
        let package = self.modules.packages.of_scope(place.into());
        let (Some(package), Some(name)) = (package, program.name(node)) else {
            return found;
        };
        if distance(place) == 0 {
            return found;
        }
        let scopes = self.modules.packages.scopes(package).iter();
        let others = scopes.filter_map(|&scope| self.best_symbol(scope, name, space));
        let nearest = std::iter::once(node)
            .chain(others)
            .min_by_key(|&other| distance(program.file_of(other)));
        nearest.map_or(found, Def::Node)
    }
}

/// The platform of a source set: `jvm` of `lib/src/jvmMain/kotlin/Part.kt` and `lib/src/jvmTest/kotlin/PartTest.kt`.
fn platform_of(path: &str) -> Option<&str> {
    let mut folders = path.split('/').skip_while(|folder| *folder != "src");
    let set = folders.nth(1)?;
    let platform = set.strip_suffix("Main").or(set.strip_suffix("Test"))?;
    (!platform.is_empty()).then_some(platform)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_of_paths() {
        for (path, platform) in [
            ("lib/src/jvmMain/kotlin/Part.kt", Some("jvm")),
            ("src/jvmTest/kotlin/PartTest.kt", Some("jvm")),
            ("src/commonMain/kotlin/Part.kt", Some("common")),
            ("src/main/kotlin/Part.kt", None),
            ("src/Main", None),
            ("jvmMain/Part.kt", None),
        ] {
            assert_eq!(platform_of(path), platform, "{path}");
        }
    }
}
