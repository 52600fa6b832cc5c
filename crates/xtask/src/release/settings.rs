//! release.toml: the fields that a publisher fills in, once for every manifest.

use std::path::Path;

use serde::Deserialize;

use crate::paths;
use crate::shell::Result;

/// Data for the registries beyond the manifests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The address of the repository; empty until there is one.
    pub repository: String,
    /// The name in the MCP registry; made from the repository where it is empty.
    pub mcp_name: String,
}

impl Settings {
    /// Reads release.toml.
    pub fn load(root: &Path) -> Result<Self> {
        Self::parse(&paths::read(&root.join("release.toml"))?)
            .map_err(|why| format!("release.toml: {why}"))
    }

    fn parse(text: &str) -> Result<Self> {
        let settings: Self = toml::from_str(text).map_err(|e| e.to_string())?;
        let address = &settings.repository;
        let is_address = |rest: &str| rest.contains('/') && !rest.ends_with('/');
        match address.strip_prefix("https://") {
            _ if address.is_empty() => Ok(settings),
            Some(rest) if is_address(rest) && !rest.ends_with(".git") => Ok(settings),
            _ => Err(format!(
                "repository = {address:?}: give an https address without .git at its end, or leave it empty"
            )),
        }
    }

    /// Whether artifacts may be published.
    pub fn is_filled_in(&self) -> bool {
        !self.repository.is_empty() && self.mcp_name().is_some()
    }

    /// The name in the MCP registry. A repository on GitHub implies one.
    pub fn mcp_name(&self) -> Option<String> {
        if !self.mcp_name.is_empty() {
            return Some(self.mcp_name.clone());
        }
        let owner = self
            .repository
            .strip_prefix("https://github.com/")?
            .split('/')
            .next()?;
        Some(format!("io.github.{owner}/portolan"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(repository: &str) -> Result<Settings> {
        Settings::parse(&format!("repository = {repository:?}\nmcp-name = \"\""))
    }

    #[test]
    fn an_address_is_none_or_whole() {
        assert!(!settings("").expect("empty is allowed").is_filled_in());
        assert!(settings("github.com/a/b").is_err());
        assert!(settings("https://github.com/a/b.git").is_err());
        let filled = settings("https://github.com/a/b").expect("an address");
        assert_eq!(filled.mcp_name().as_deref(), Some("io.github.a/portolan"));
        assert!(filled.is_filled_in());
        let elsewhere = settings("https://git.example.org/a/b").expect("an address");
        assert!(!elsewhere.is_filled_in(), "mcp-name is missing");
        assert!(Settings::parse("repo = \"\"").is_err());
    }
}
