//! Work in parts that may be done side by side. The caller says how; this crate starts no threads.

use std::sync::OnceLock;

/// Does work once for each number below the given one, in any order, on any thread; returns when all is done.
pub type Each<'e> = &'e mut dyn FnMut(usize, &(dyn Fn(usize) + Sync));

/// Does the work here, one number after the other.
pub fn in_turn(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).for_each(work);
}

/// Makes two values, side by side where `each` can.
pub fn both<A: Send + Sync, B: Send + Sync>(
    each: Each<'_>,
    first: &(dyn Fn() -> A + Sync),
    second: &(dyn Fn() -> B + Sync),
) -> (A, B) {
    let (made_first, made_second) = (OnceLock::new(), OnceLock::new());
    each(2, &|part| match part {
        0 => drop(made_first.set(first())),
        _ => drop(made_second.set(second())),
    });
    (
        made_first.into_inner().unwrap_or_else(first),
        made_second.into_inner().unwrap_or_else(second),
    )
}

/// Makes a value for each number below `n`, side by side where `each` can.
pub fn collect<T: Send + Sync>(
    each: Each<'_>,
    n: usize,
    make: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    let made: Vec<OnceLock<T>> = (0..n).map(|_| OnceLock::new()).collect();
    each(n, &|number| {
        if let Some(slot) = made.get(number) {
            slot.get_or_init(|| make(number));
        }
    });
    let made = made.into_iter().enumerate();
    made.map(|(number, slot)| slot.into_inner().unwrap_or_else(|| make(number)))
        .collect()
}
