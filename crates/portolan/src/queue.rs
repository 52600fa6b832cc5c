//! Jobs that wait for a thread, the largest first: a large file that comes last would keep one thread busy while the others have nothing
//! left to do.

use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue that several threads take from. The memory that its jobs hold is bounded: a thread that puts more waits.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    /// Rung when there is a job, or none will come.
    filled: Condvar,
    /// Rung when there is room.
    emptied: Condvar,
    max_held: usize,
}

struct State<T> {
    waiting: BinaryHeap<Waiting<T>>,
    n_held: usize,
    n_put: u64,
    is_closed: bool,
}

struct Waiting<T> {
    n_bytes: usize,
    n_held: usize,
    number: u64,
    job: T,
}

impl<T> Queue<T> {
    /// An empty queue for jobs that hold `max_held` bytes together, or for one that holds more.
    pub fn new(max_held: usize) -> Self {
        Self {
            state: Mutex::new(State {
                waiting: BinaryHeap::new(),
                n_held: 0,
                n_put: 0,
                is_closed: false,
            }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
            max_held,
        }
    }

    /// Puts a job of this size in, as soon as there is room for the bytes that it holds.
    pub fn put(&self, n_bytes: usize, n_held: usize, job: T) {
        let mut state = self.lock();
        while n_held > 0 && state.n_held > 0 && state.n_held + n_held > self.max_held {
            state = wait(&self.emptied, state);
        }
        state.n_held += n_held;
        state.n_put += 1;
        let number = state.n_put;
        state.waiting.push(Waiting {
            n_bytes,
            n_held,
            number,
            job,
        });
        drop(state);
        self.filled.notify_one();
    }

    /// Takes the largest job, waiting for one. Returns none once the queue is closed and empty.
    pub fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.waiting.pop() {
                state.n_held -= next.n_held;
                drop(state);
                self.emptied.notify_all();
                return Some(next.job);
            }
            if state.is_closed {
                return None;
            }
            state = wait(&self.filled, state);
        }
    }

    /// No more jobs will come: threads that wait for one end.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.filled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'a, T>(bell: &Condvar, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
    bell.wait(state).unwrap_or_else(PoisonError::into_inner)
}

impl<T> Ord for Waiting<T> {
    /// Larger ones first; of equal ones those that came first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_size = self.n_bytes.cmp(&other.n_bytes);
        by_size.then_with(|| other.number.cmp(&self.number))
    }
}

impl<T> PartialOrd for Waiting<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Waiting<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Waiting<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(queue: &Queue<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| queue.take()).collect()
    }

    #[test]
    fn large_jobs_come_first_and_equal_ones_in_order() {
        let queue = Queue::new(1_000);
        for (n_bytes, job) in [(5, "b"), (9, "a"), (5, "c"), (0, "d")] {
            queue.put(n_bytes, 0, job);
        }
        queue.close();
        assert_eq!(all(&queue), ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_full_queue_waits_and_takes_a_job_that_is_larger_than_it() {
        let queue = Queue::new(10);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for job in ["a", "b", "c"] {
                    queue.put(50, 50, job);
                }
                queue.close();
            });
            assert_eq!(all(&queue), ["a", "b", "c"]);
        });
    }

    #[test]
    fn jobs_that_hold_nothing_do_not_wait() {
        let queue = Queue::new(10);
        queue.put(3, 10, "a");
        queue.put(50, 0, "b");
        queue.put(40, 0, "c");
        queue.close();
        assert_eq!(all(&queue), ["b", "c", "a"]);
    }
}
