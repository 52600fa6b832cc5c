//! Tests that cross crates: one module per question.

/// Refuses more than a gigabyte, which ends the program; all tests together take 150 MB. A number in somebody else's file must
/// not become a request for that much memory, on machines of any size.
#[cfg(test)]
#[global_allocator]
static MEMORY: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 1 << 30);

#[cfg(test)]
mod approximate;
#[cfg(test)]
mod atlas;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod cypher;
#[cfg(test)]
mod damaged;
#[cfg(test)]
mod drawings;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod flows;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod incremental;
#[cfg(test)]
mod labels;
#[cfg(test)]
mod navigation;
#[cfg(test)]
mod pipeline;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod relevance;
#[cfg(test)]
mod scip;
#[cfg(test)]
mod shards;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod walks;

/// The examples of docs/rust.md, which have to compile and to hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
mod rust_page {
    use portolan as _;
    use portolan_browser as _;
    use web_sys as _;
}
