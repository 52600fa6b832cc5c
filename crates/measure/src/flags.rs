//! A bench from outside: `--name value` and `--switch` on its command line, and the error that ends it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

/// Error of a bench: a sentence for a person.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// The flags of a bench.
#[derive(Debug, Default)]
pub(crate) struct Flags(BTreeMap<String, String>);

impl Flags {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Flags, String> {
        let mut flags = Flags::default();
        let mut last = None;
        for argument in arguments {
            match argument.strip_prefix("--") {
                Some(name) => {
                    flags.0.insert(name.to_owned(), String::new());
                    last = Some(name.to_owned());
                }
                None => {
                    let name = last
                        .take()
                        .ok_or_else(|| format!("{argument:?} belongs to no flag"))?;
                    flags.0.insert(name, argument);
                }
            }
        }
        Ok(flags)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, String> {
        self.get(name)
            .map(PathBuf::from)
            .ok_or_else(|| format!("--{name} DIR is missing"))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn number<T: FromStr>(&self, name: &str, default: T) -> Result<T, String> {
        self.get(name).map_or(Ok(default), |value| {
            value
                .parse()
                .map_err(|_| format!("--{name} {value}: not a number"))
        })
    }
}
