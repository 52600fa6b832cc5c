//! Running for long without holding up the page: progress, pauses, cancellation.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;

use crate::Error;

/// A step of indexing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Files are read from the folder, the list or the archive.
    Reading,
    /// Files are parsed.
    Parsing,
    /// The index is built. This step runs without pauses.
    Building,
}

impl Phase {
    pub(crate) const ALL: [Self; 3] = [Self::Reading, Self::Parsing, Self::Building];
}

/// How far indexing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The step.
    pub phase: Phase,
    /// Files done.
    pub done: usize,
    /// Files in all; 0 as long as that is unknown.
    pub total: usize,
}

/// Stops indexing when [`Cancel::cancel`] is called on it or on a clone of it.
#[derive(Clone, Default)]
pub struct Cancel {
    state: Rc<CancelState>,
}

#[derive(Default)]
struct CancelState {
    is_cancelled: Cell<bool>,
    /// Tells a worker, which does not see this memory.
    hook: RefCell<Option<Box<dyn Fn()>>>,
}

impl Cancel {
    /// Returns one that nothing has cancelled yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the run that has it at its next pause; the run returns [`Error::Cancelled`].
    pub fn cancel(&self) {
        self.state.is_cancelled.set(true);
        if let Some(hook) = &*self.state.hook.borrow() {
            hook();
        }
    }

    /// Returns whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.get()
    }

    /// Calls `hook` when it is cancelled, in place of an earlier hook.
    pub(crate) fn on_cancel(&self, hook: impl Fn() + 'static) {
        *self.state.hook.borrow_mut() = Some(Box::new(hook));
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(()),
        }
    }
}

/// One run of indexing.
pub(crate) struct Run<'a> {
    cancel: &'a Cancel,
    on_progress: &'a mut dyn FnMut(Progress),
    slice_millis: f64,
    /// When the browser had its last turn.
    since: f64,
    phase: Option<Phase>,
}

impl<'a> Run<'a> {
    pub fn new(
        cancel: &'a Cancel,
        on_progress: &'a mut dyn FnMut(Progress),
        slice_millis: f64,
    ) -> Self {
        Self {
            cancel,
            on_progress,
            slice_millis,
            since: js_sys::Date::now(),
            phase: None,
        }
    }

    /// Tells the progress where a step begins or a time slice is over, and then lets the browser have a turn.
    pub async fn step(&mut self, phase: Phase, done: usize, total: usize) -> Result<(), Error> {
        self.cancel.check()?;
        let is_new = self.phase != Some(phase);
        if !is_new && js_sys::Date::now() - self.since < self.slice_millis {
            return Ok(());
        }
        self.phase = Some(phase);
        (self.on_progress)(Progress { phase, done, total });
        TimeoutFuture::new(0).await;
        self.since = js_sys::Date::now();
        self.cancel.check()
    }
}
