//! Benches.
use crate::shell::Result;
/// Runs.
pub fn run(names: &[String], _data: &[&str]) -> Result<()> {
    Err(format!("{names:?}"))
}
