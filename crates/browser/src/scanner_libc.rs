//! The functions of libc that a grammar's scanner may call, by name: tree-sitter's own list for WebAssembly, and the few beyond it that
//! published grammars import.
//!
//! Most of them come with the tree-sitter crate, which compiles a small libc into every program for `wasm32-unknown-unknown`. Output goes
//! nowhere, and a failed assertion stops the instance.

use std::ffi::{c_char, c_int, c_void};

#[expect(
    unsafe_code,
    reason = "functions of libc, whose addresses grammars get"
)]
unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
    fn malloc(size: usize) -> *mut c_void;
    fn realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn memchr(block: *const c_void, byte: c_int, size: usize) -> *mut c_void;
    fn memcmp(a: *const c_void, b: *const c_void, size: usize) -> c_int;
    fn memcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void;
    fn memmove(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void;
    fn memset(block: *mut c_void, byte: c_int, size: usize) -> *mut c_void;
    fn strcmp(a: *const c_char, b: *const c_char) -> c_int;
    fn strlen(text: *const c_char) -> usize;
    fn strncat(to: *mut c_char, from: *const c_char, size: usize) -> *mut c_char;
    fn strncmp(a: *const c_char, b: *const c_char, size: usize) -> c_int;
    fn strncpy(to: *mut c_char, from: *const c_char, size: usize) -> *mut c_char;
    fn iswalnum(c: u32) -> c_int;
    fn iswalpha(c: u32) -> c_int;
    fn iswblank(c: u32) -> c_int;
    fn iswlower(c: u32) -> c_int;
    fn iswpunct(c: u32) -> c_int;
    fn iswspace(c: u32) -> c_int;
    fn iswupper(c: u32) -> c_int;
    fn iswxdigit(c: u32) -> c_int;
    fn towlower(c: u32) -> u32;
    fn towupper(c: u32) -> u32;
}

extern "C" fn stop(_: c_int) {
    std::process::abort();
}

extern "C" fn stop_now() {
    std::process::abort();
}

extern "C" fn assert_fail(_: *const c_char, _: *const c_char, _: c_int, _: *const c_char) {
    std::process::abort();
}

extern "C" fn print_formatted(_: *mut c_void, _: *const c_char, _: *mut c_void) -> c_int {
    0
}

extern "C" fn print_char(_: c_int, _: *mut c_void) -> c_int {
    0
}

extern "C" fn print_text(_: *const c_char, _: *mut c_void) -> c_int {
    0
}

extern "C" fn print_bytes(_: *const c_void, _: usize, _: usize, _: *mut c_void) -> usize {
    0
}

extern "C" fn is_digit(c: c_int) -> c_int {
    c_int::from(ascii(c).is_some_and(|c| c.is_ascii_digit()))
}

extern "C" fn is_letter(c: c_int) -> c_int {
    c_int::from(ascii(c).is_some_and(|c| c.is_ascii_alphabetic()))
}

extern "C" fn is_letter_or_digit(c: c_int) -> c_int {
    c_int::from(ascii(c).is_some_and(|c| c.is_ascii_alphanumeric()))
}

extern "C" fn is_space(c: c_int) -> c_int {
    // C counts the vertical tab, Rust does not.
    c_int::from(ascii(c).is_some_and(|c| c == 0x0B || c.is_ascii_whitespace()))
}

/// The first place of a character; a null pointer where there is none.
///
/// A copy of ours, since tree-sitter's libc does not promise one.
#[expect(unsafe_code, reason = "reads a C string")]
unsafe extern "C" fn find_char(text: *const c_char, wanted: c_int) -> *const c_char {
    let mut at = text;
    loop {
        // SAFETY: the scanner promises a string that ends in a zero byte, and the loop ends there.
        let found = unsafe { *at };
        if found == wanted as c_char {
            return at;
        }
        if found == 0 {
            return std::ptr::null();
        }
        at = at.wrapping_add(1);
    }
}

fn ascii(c: c_int) -> Option<u8> {
    u8::try_from(c).ok()
}

/// Returns the address of a function, which is its slot in the function table; none for a name that grammars do not get.
pub(crate) fn address_of(name: &str) -> Option<usize> {
    let function = match name {
        "__assert_fail" => assert_fail as *const (),
        "abort" => stop_now as *const (),
        "calloc" => calloc as *const (),
        "exit" => stop as *const (),
        "fprintf" => print_formatted as *const (),
        "fputc" => print_char as *const (),
        "fputs" => print_text as *const (),
        "free" => free as *const (),
        "fwrite" => print_bytes as *const (),
        "isalnum" => is_letter_or_digit as *const (),
        "isalpha" => is_letter as *const (),
        "isdigit" | "iswdigit" => is_digit as *const (),
        "isspace" => is_space as *const (),
        "iswalnum" => iswalnum as *const (),
        "iswalpha" => iswalpha as *const (),
        "iswblank" => iswblank as *const (),
        "iswlower" => iswlower as *const (),
        "iswpunct" => iswpunct as *const (),
        "iswspace" => iswspace as *const (),
        "iswupper" => iswupper as *const (),
        "iswxdigit" => iswxdigit as *const (),
        "malloc" => malloc as *const (),
        "memchr" => memchr as *const (),
        "memcmp" => memcmp as *const (),
        "memcpy" => memcpy as *const (),
        "memmove" => memmove as *const (),
        "memset" => memset as *const (),
        "realloc" => realloc as *const (),
        "strchr" => find_char as *const (),
        "strcmp" => strcmp as *const (),
        "strlen" => strlen as *const (),
        "strncat" => strncat as *const (),
        "strncmp" => strncmp as *const (),
        "strncpy" => strncpy as *const (),
        "towlower" => towlower as *const (),
        "towupper" => towupper as *const (),
        _ => return None,
    };
    Some(function as usize)
}
