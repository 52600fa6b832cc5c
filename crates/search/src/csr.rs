//! Compressed sparse rows: the values of all rows one after the other, and where each row starts.

use rkyv::rend::u32_le;

/// Why a frozen form is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part}: {problem}")]
pub struct FrozenError {
    /// Name of the array.
    pub part: &'static str,
    /// The problem with it.
    pub problem: &'static str,
}

/// Row `idx` of a matrix in compressed sparse rows; empty if there is none.
pub(crate) fn csr<'a, T>(starts: &[u32_le], values: &'a [T], idx: usize) -> &'a [T] {
    let start = starts
        .get(idx)
        .map_or(0, |start| start.to_native() as usize);
    let end = starts
        .get(idx + 1)
        .map_or(0, |end| end.to_native() as usize);
    values.get(start..end).unwrap_or(&[])
}

pub(crate) fn check_csr(
    starts: &[u32_le],
    n_rows: usize,
    n_values: usize,
    part: &'static str,
) -> Result<(), FrozenError> {
    ensure(starts.len() == n_rows + 1, part, "wrong number of rows")?;
    ensure(
        starts.is_sorted_by_key(|start| start.to_native()),
        part,
        "rows out of order",
    )?;
    ensure(
        starts
            .last()
            .is_none_or(|end| end.to_native() as usize == n_values),
        part,
        "rows do not cover the values",
    )
}

pub(crate) fn ensure(
    holds: bool,
    part: &'static str,
    problem: &'static str,
) -> Result<(), FrozenError> {
    if holds {
        Ok(())
    } else {
        Err(FrozenError { part, problem })
    }
}
