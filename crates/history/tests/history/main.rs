//! Histories that the real git makes, read without it. What git says of them is the expected answer.

mod blame;
mod golden;
mod hostile;
mod log;
mod native;
mod random;
mod support;
mod together;
