//! Ranks: the number of steps from the left at which each box is drawn.

use crate::rows::Rows;

/// Where boxes are drawn, and which arrows are drawn backwards.
pub(super) struct Ranks {
    /// Rank of each box, from 0.
    pub rank: Vec<u32>,
    /// Whether an arrow closes a cycle; the drawing turns it around.
    pub is_reversed: Vec<bool>,
}

/// Ranks boxes so that every arrow that is not reversed leads to a higher rank. Linear.
pub(super) fn ranks(n_boxes: usize, arrows: &[(u32, u32)]) -> Ranks {
    let order = Walk::over(n_boxes, arrows);
    let is_reversed = order.is_reversed;
    let drawn: Vec<(u32, u32)> = arrows
        .iter()
        .zip(&is_reversed)
        .filter(|((source, target), _)| source != target && exist(n_boxes, *source, *target))
        .map(|(&(source, target), is_reversed)| match is_reversed {
            true => (target, source),
            false => (source, target),
        })
        .collect();
    let after = Rows::new(n_boxes, &drawn, |(source, _)| *source);
    let mut rank = vec![0u32; n_boxes];
    let mut n_before = vec![0usize; n_boxes];
    for &source in order.finished.iter().rev() {
        for &(_, target) in after.of(source) {
            rank[target as usize] = rank[target as usize].max(rank[source as usize] + 1);
            n_before[target as usize] += 1;
        }
    }
    // A box moves to the right, next to the boxes that it leads to, if that shortens at least as many arrows as it
    // lengthens: callers are drawn beside the function that they call.
    for &source in &order.finished {
        let targets = after.of(source);
        let nearest = targets
            .iter()
            .map(|(_, target)| rank[*target as usize])
            .min();
        if let Some(nearest) = nearest.filter(|_| targets.len() >= n_before[source as usize]) {
            rank[source as usize] = nearest - 1;
        }
    }
    let least = rank.iter().copied().min().unwrap_or(0);
    rank.iter_mut().for_each(|rank| *rank -= least);
    Ranks { rank, is_reversed }
}

/// Whether both ends of an arrow are boxes.
pub(super) fn exist(n_boxes: usize, source: u32, target: u32) -> bool {
    (source.max(target) as usize) < n_boxes
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// A depth-first walk over all boxes: those without an arrow to them first, then the others, by number.
struct Walk {
    state: Vec<State>,
    is_reversed: Vec<bool>,
    /// Boxes in the order in which the walk left them; backwards it is a topological order.
    finished: Vec<u32>,
}

impl Walk {
    fn over(n_boxes: usize, arrows: &[(u32, u32)]) -> Walk {
        let mut walk = Walk {
            state: vec![State::New; n_boxes],
            is_reversed: vec![false; arrows.len()],
            finished: Vec::with_capacity(n_boxes),
        };
        let numbers: Vec<u32> = (0..arrows.len() as u32)
            .filter(|at| {
                let (source, target) = arrows[*at as usize];
                exist(n_boxes, source, target)
            })
            .collect();
        let out = Rows::new(n_boxes, &numbers, |at| arrows[*at as usize].0);
        let mut has_before = vec![false; n_boxes];
        for at in &numbers {
            let (source, target) = arrows[*at as usize];
            has_before[target as usize] |= source != target;
        }
        let starts = |wanted: bool| {
            let has_before = &has_before;
            (0..n_boxes as u32).filter(move |at| has_before[*at as usize] == wanted)
        };
        for start in starts(false).chain(starts(true)) {
            walk.from(start, arrows, &out);
        }
        walk
    }

    fn from(&mut self, start: u32, arrows: &[(u32, u32)], out: &Rows<u32>) {
        if self.state[start as usize] != State::New {
            return;
        }
        self.state[start as usize] = State::Open;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&arrow) = out.of(*node).get(*next) else {
                self.state[*node as usize] = State::Done;
                self.finished.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = arrows[arrow as usize].1;
            match self.state[target as usize] {
                State::New => {
                    self.state[target as usize] = State::Open;
                    stack.push((target, 0));
                }
                State::Open => self.is_reversed[arrow as usize] = true,
                State::Done => {}
            }
        }
    }
}
