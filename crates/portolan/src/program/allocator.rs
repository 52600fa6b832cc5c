//! The allocator of the program, and how soon it gives memory back.

use libmimalloc_sys::{mi_option_set, mi_option_t};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc 3, which the bindings do not name.
const PURGE_DELAY: mi_option_t = 15;
/// How long freed memory is kept, in milliseconds. With mimalloc's second, an index of 3,000 files takes a third more memory.
const DELAY: std::ffi::c_long = 10;
/// The same while a new index is made: whatever one part has freed would be held beside what the next one takes. Of 3,000 files 149 MB,
/// 2 to 6 less than with a delay of 3 or 10, for up to 2 % more time.
const DELAY_OF_NEW: std::ffi::c_long = 0;
/// The same while shards are made, of which one after the other needs as much: it saves half of the system's time, a twentieth of all,
/// and takes a tenth more memory.
const DELAY_OF_SHARDS: std::ffi::c_long = 1_000;

/// Lets memory that parsing has freed go before building needs as much.
pub(crate) fn give_back_soon() {
    set_delay(DELAY);
}

/// Keeps memory that one shard has freed for the next one.
pub(crate) fn keep_for_shards() {
    set_delay(DELAY_OF_SHARDS);
}

/// Lets all memory go at once, for a new index.
pub(crate) fn give_back_at_once() {
    set_delay(DELAY_OF_NEW);
}

fn set_delay(delay: std::ffi::c_long) {
    #[expect(unsafe_code, reason = "a setting of the allocator, in C")]
    // SAFETY: takes two numbers and changes an option of the allocator that is compiled in: one word. A thread that reads the one from
    // before keeps memory for as long as that says.
    unsafe {
        mi_option_set(PURGE_DELAY, delay);
    }
}

#[cfg(test)]
mod tests {
    /// The number of an option differs between versions of mimalloc; this one has a second as its default.
    #[test]
    fn the_option_is_the_delay() {
        #[expect(unsafe_code, reason = "a setting of the allocator, in C")]
        // SAFETY: reads an option.
        let delay = unsafe { libmimalloc_sys::mi_option_get(super::PURGE_DELAY) };
        assert_eq!(delay, 1000);
    }
}
