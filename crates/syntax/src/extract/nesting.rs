//! Finds the enclosing definition of many places in order: one stack, no search.

/// Ranges sorted by start, wider ones first, swept once from left to right.
pub(crate) struct Sweep<'a> {
    ranges: &'a [(u32, u32)],
    next: usize,
    stack: Vec<usize>,
}

impl<'a> Sweep<'a> {
    /// Starts before the first range.
    pub(crate) fn new(ranges: &'a [(u32, u32)]) -> Sweep<'a> {
        Sweep {
            ranges,
            next: 0,
            stack: Vec::new(),
        }
    }

    /// Index of the innermost range around `at`. Successive calls must not go backwards.
    pub(crate) fn innermost(&mut self, at: u32) -> Option<usize> {
        while let Some(&(start, end)) = self.ranges.get(self.next) {
            if start > at {
                break;
            }
            self.pop_ended(start);
            if end > start {
                self.stack.push(self.next);
            }
            self.next += 1;
        }
        self.pop_ended(at);
        self.stack.last().copied()
    }

    fn pop_ended(&mut self, at: u32) {
        while let Some(&top) = self.stack.last() {
            if self.ranges.get(top).is_some_and(|&(_, end)| end > at) {
                break;
            }
            self.stack.pop();
        }
    }
}

/// The parent of each range: the innermost earlier range that contains it. Linear.
pub(crate) fn parents(ranges: &[(u32, u32)]) -> Vec<Option<usize>> {
    let mut stack: Vec<(usize, u32)> = Vec::new();
    let mut parents = Vec::with_capacity(ranges.len());
    for (index, &(_, end)) in ranges.iter().enumerate() {
        let start = ranges.get(index).map_or(0, |range| range.0);
        while stack
            .last()
            .is_some_and(|&(_, outer_end)| outer_end <= start || outer_end < end)
        {
            stack.pop();
        }
        parents.push(stack.last().map(|&(outer, _)| outer));
        stack.push((index, end));
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_and_following_ranges() {
        let ranges = [(0, 10), (1, 5), (2, 3), (6, 9), (12, 14)];
        assert_eq!(parents(&ranges), [None, Some(0), Some(1), Some(0), None]);
        let mut sweep = Sweep::new(&ranges);
        let found: Vec<_> = [0, 2, 3, 5, 6, 11, 13]
            .into_iter()
            .map(|at| sweep.innermost(at))
            .collect();
        assert_eq!(
            found,
            [Some(0), Some(2), Some(1), Some(0), Some(3), None, Some(4)]
        );
    }
}
