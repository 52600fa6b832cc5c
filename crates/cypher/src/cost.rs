//! The cost of a query: counted before it is spent, in units that do not depend on the machine.
//!
//! A step is a node or relationship visited, an expression evaluated, [`ITEMS_PER_STEP`] items of a list or
//! [`BYTES_PER_STEP`] bytes of text handled. Bytes are those of values: values kept for sorting, grouping and the
//! answer count until the end, values of expressions count while their row is processed.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use syntax::{Allowance, Budget, Spent};

use super::error::Fault;
use super::regex::Pattern;
use super::value::Value;
use graph::GraphView;

/// The budget of one query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum number of rows in the answer; further rows are cut off, and the answer says so.
    pub max_rows: usize,
    /// Maximum number of steps: nodes and relationships visited, expressions evaluated, pieces of lists and texts.
    pub max_steps: u64,
    /// Maximum number of bytes of values at one time, for sorting, grouping, lists and the answer; a value counts as 40
    /// bytes.
    pub max_bytes: u64,
    /// Maximum time in milliseconds by the given clock, as a last resort; without a clock only the other limits hold.
    pub max_millis: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_rows: 1_000,
            max_steps: 40_000_000,
            max_bytes: 80_000_000,
            max_millis: 5_000.0,
        }
    }
}

/// Bytes that a value counts, the same on machines with larger or smaller pointers.
pub(super) const VALUE_BYTES: u64 = 40;
/// Items that are copied or compared for one step.
const ITEMS_PER_STEP: u64 = 16;
/// Bytes of text that are copied or compared for one step.
const BYTES_PER_STEP: u64 = 64;
/// Maximum length of a text that an expression makes or reads, in bytes.
pub(super) const MAX_TEXT: usize = 1 << 20;
/// Maximum nesting of lists and maps: reading a value recurses.
pub(super) const MAX_NESTING: u32 = 100;
/// Maximum number of values within one value, on all levels. A list that contains another twice counts it twice, though
/// it is in memory once.
pub(super) const MAX_SIZE: u64 = 1_000_000;

const NARROW: &str = "begin with a name or path, give types and an upper end to *, or use LIMIT";
const AGGREGATE: &str = "aggregate earlier, or use LIMIT in a WITH";

/// The graph, and the cost of the query so far.
pub(super) struct Context<'a> {
    pub view: GraphView<'a>,
    pub limits: Limits,
    budget: Budget<&'a dyn Fn() -> f64>,
    /// Bytes that are kept until the end; the others are released with their row.
    kept: Cell<u64>,
    /// The regular expression that was compiled last.
    pub pattern: RefCell<Option<(String, Rc<Pattern>)>>,
}

/// The bytes reserved at some moment.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    held: u64,
    kept: u64,
}

/// The size of a value, on all levels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    /// Number of values.
    pub items: u64,
    /// Bytes of text that are not borrowed from the graph.
    pub text: u64,
    /// Levels of lists and maps.
    pub depth: u32,
}

impl Size {
    pub fn bytes(self) -> u64 {
        self.items * VALUE_BYTES + self.text
    }
}

impl<'a> Context<'a> {
    pub fn new(
        view: GraphView<'a>,
        limits: Limits,
        clock: Option<&'a dyn Fn() -> f64>,
    ) -> Context<'a> {
        let allowed = Allowance {
            steps: limits.max_steps,
            bytes: limits.max_bytes,
            millis: limits.max_millis,
        };
        Context {
            view,
            limits,
            budget: Budget::new(allowed, clock),
            kept: Cell::new(0),
            pattern: RefCell::new(None),
        }
    }

    /// Counts one more node, relationship or expression.
    #[inline]
    pub fn step(&self) -> Result<(), Fault> {
        self.work(1)
    }

    /// Counts `steps` more steps.
    #[inline]
    pub fn work(&self, steps: u64) -> Result<(), Fault> {
        self.budget.step(steps).map_err(|spent| self.fault(spent))
    }

    /// Counts the steps of copying or comparing `n` items.
    pub fn items(&self, n: usize) -> Result<(), Fault> {
        self.work(1 + n as u64 / ITEMS_PER_STEP)
    }

    /// Counts the steps of copying or comparing `n` bytes of text.
    pub fn text(&self, n: usize) -> Result<(), Fault> {
        self.work(1 + n as u64 / BYTES_PER_STEP)
    }

    /// Reserves `bytes` more bytes of the memory budget.
    pub fn hold(&self, bytes: u64) -> Result<(), Fault> {
        self.budget.hold(bytes).map_err(|spent| self.fault(spent))
    }

    /// Reserves the memory of a list of `n` items and counts the steps of making it.
    pub fn hold_items(&self, n: usize) -> Result<(), Fault> {
        if n as u64 > MAX_SIZE {
            return Err(too_many());
        }
        self.items(n)?;
        self.hold(n as u64 * VALUE_BYTES)
    }

    /// Reserves the memory of a text of `n` bytes and counts the steps of making it.
    pub fn hold_text(&self, n: usize) -> Result<(), Fault> {
        if n > MAX_TEXT {
            let message = format!("a text of more than {MAX_TEXT} bytes");
            return Err(Fault::limit(message, "use shorter texts"));
        }
        self.text(n)?;
        self.hold(n as u64)
    }

    /// A copy of a value. Lists, maps and texts of the graph are shared; other texts are copied.
    #[inline]
    pub fn copy(&self, value: &Value<'a>) -> Result<Value<'a>, Fault> {
        if let Value::Text(Cow::Owned(text)) = value {
            self.text(text.len())?;
        }
        Ok(value.clone())
    }

    /// Returns the size of a value; charges the walk over it.
    ///
    /// # Errors
    ///
    /// A value that nests too deeply or contains too many others to be compared or shown.
    pub fn size(&self, value: &Value<'a>) -> Result<Size, Fault> {
        let mut size = Size::default();
        self.measure(value, 0, &mut size)?;
        self.work(size.items / ITEMS_PER_STEP + size.text / BYTES_PER_STEP)?;
        Ok(size)
    }

    fn measure(&self, value: &Value<'a>, depth: u32, size: &mut Size) -> Result<(), Fault> {
        size.items += 1;
        match value {
            Value::Text(Cow::Owned(text)) => size.text += text.len() as u64,
            Value::Path(path) => size.items += path.nodes.len() as u64 * 2,
            Value::List(_) | Value::Map(_) if depth == MAX_NESTING => {
                let message = format!("more than {MAX_NESTING} levels of lists and maps");
                return Err(Fault::limit(message, "UNWIND the inner lists first"));
            }
            Value::List(items) => {
                size.depth = size.depth.max(depth + 1);
                for item in items.iter() {
                    self.measure(item, depth + 1, size)?;
                }
            }
            Value::Map(entries) => {
                size.depth = size.depth.max(depth + 1);
                for (key, entry) in entries.iter() {
                    size.text += key.len() as u64;
                    self.measure(entry, depth + 1, size)?;
                }
            }
            _ => {}
        }
        if size.items > MAX_SIZE {
            return Err(too_many());
        }
        Ok(())
    }

    /// Reserves the memory of a list or map that an expression made, and returns it if it is not too large or too deep.
    pub fn made(&self, value: Value<'a>) -> Result<Value<'a>, Fault> {
        let size = self.size(&value)?;
        self.hold(size.bytes())?;
        Ok(value)
    }

    /// Reserves memory for these values and `more` bytes, and keeps it when the row is done.
    pub fn keep(&self, row: &[Value<'a>], more: u64) -> Result<(), Fault> {
        let mut bytes = VALUE_BYTES + more;
        for value in row {
            bytes += self.size(value)?.bytes();
        }
        self.hold(bytes)?;
        self.kept.set(self.kept.get() + bytes);
        Ok(())
    }

    /// A mark for [`Self::rest`] and [`Self::forget`].
    pub fn mark(&self) -> Mark {
        Mark {
            held: self.budget.held(),
            kept: self.kept.get(),
        }
    }

    /// Releases the bytes made since then, except those that were kept.
    pub fn rest(&self, since: Mark) {
        let kept = self.kept.get() - since.kept;
        self.budget
            .release(self.budget.held().saturating_sub(since.held + kept));
    }

    /// Releases all bytes made or kept since then.
    pub fn forget(&self, since: Mark) {
        self.budget
            .release(self.budget.held().saturating_sub(since.held));
        self.kept.set(since.kept);
    }

    /// Releases `bytes` bytes of the memory budget.
    pub fn release(&self, bytes: u64) {
        self.budget.release(bytes);
    }

    /// Number of steps so far.
    pub fn n_steps(&self) -> u64 {
        self.budget.n_steps()
    }

    fn fault(&self, spent: Spent) -> Fault {
        let limits = &self.limits;
        match spent {
            Spent::Steps => {
                let message = format!("the query takes more than {} steps", limits.max_steps);
                Fault::limit(message, NARROW)
            }
            Spent::Bytes => {
                let message = format!("the query holds more than {} bytes", limits.max_bytes);
                Fault::limit(message, AGGREGATE)
            }
            Spent::Time => {
                let message = format!("the query takes longer than {} ms", limits.max_millis);
                Fault::limit(message, NARROW)
            }
        }
    }
}

fn too_many() -> Fault {
    let message = format!("a value of more than {MAX_SIZE} values");
    Fault::limit(message, AGGREGATE)
}
