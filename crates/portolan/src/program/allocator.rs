//! The allocator of the program, and how soon it gives memory back.

use libmimalloc_sys::{mi_option_set, mi_option_t};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc 3, which the bindings do not name.
const PURGE_DELAY: mi_option_t = 15;
/// How long freed memory is kept, in milliseconds. With mimalloc's second, an index of 3,000 files takes a third more memory; with
/// none, a tenth more time.
const DELAY: std::ffi::c_long = 10;

/// Lets memory that parsing has freed go before building needs as much.
pub(crate) fn give_back_soon() {
    #[expect(unsafe_code, reason = "a setting of the allocator, in C")]
    // SAFETY: takes two numbers and changes an option of the allocator that is compiled in; no other thread runs yet.
    unsafe {
        mi_option_set(PURGE_DELAY, DELAY);
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
