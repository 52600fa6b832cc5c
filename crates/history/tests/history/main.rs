//! Histories that the real git makes, read without it. Git's own words about them are the expected answer.

mod blame;
mod compare;
mod costs;
mod golden;
mod hostile;
mod log;
mod native;
mod random;
mod support;
mod together;
