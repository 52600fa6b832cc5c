//! Lines of bytes.

/// Lines of bytes, mostly asked for in rising order.
pub(super) struct Lines {
    pub(super) starts: Vec<u32>,
    last: usize,
}

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(breaks.map(|at| at as u32 + 1));
        Self {
            starts: starts.collect(),
            last: 0,
        }
    }

    pub(super) fn of(&mut self, offset: u32) -> u32 {
        let start = |idx: usize| self.starts.get(idx).copied().unwrap_or(u32::MAX);
        let is_here = start(self.last) <= offset && offset < start(self.last + 1);
        let is_next = start(self.last + 1) <= offset && offset < start(self.last + 2);
        if !is_here {
            self.last = if is_next {
                self.last + 1
            } else {
                self.starts
                    .partition_point(|start| *start <= offset)
                    .saturating_sub(1)
            };
        }
        self.last as u32
    }
}
