//! Indexing in a worker: the page's side ([`IndexWorker`]) and the worker's side ([`serve`]).
//!
//! Both sides are the same program. Its start function asks [`is_worker`]; in a worker it calls [`serve`] and nothing else. The worker's
//! script is one line that starts the program, for example `import init from "./app.js"; await init();`.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use gloo_events::EventListener;
use js_sys::Uint8Array;
use portolan::Index;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType,
};

use crate::error::reason_of;
use crate::message::{News, Task};
use crate::run::Run;
use crate::{Cancel, Error, GrammarFiles, Grammars, IndexOptions, Indexed, Input, Progress, index};

/// A worker that indexes, so that the page stays smooth throughout. Dropping it ends the worker.
pub struct IndexWorker {
    worker: Worker,
    news: UnboundedReceiver<Result<News, Error>>,
    _listeners: [EventListener; 2],
}

impl IndexWorker {
    /// Starts a worker with the module script at an address, and waits until it calls [`serve`].
    ///
    /// # Errors
    ///
    /// `worker.failed` where the script cannot be loaded or fails.
    pub async fn start(script: &str) -> Result<Self, Error> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker =
            Worker::new_with_options(script, &options).map_err(|thrown| failed(&thrown))?;
        let (sender, news) = unbounded();
        let errors = sender.clone();
        // Nobody listens once this worker is dropped, so a failed send is no loss.
        let on_message = EventListener::new(&worker, "message", move |event| {
            let data = event.unchecked_ref::<MessageEvent>().data();
            if let Some(news) = News::read(&data) {
                let _ = sender.unbounded_send(Ok(news));
            }
        });
        let on_error = EventListener::new(&worker, "error", move |event| {
            let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            let reason = reason.unwrap_or_else(|| "its script cannot be loaded".to_owned());
            let _ = errors.unbounded_send(Err(Error::Worker { reason }));
        });
        let mut started = Self {
            worker,
            news,
            _listeners: [on_message, on_error],
        };
        while !matches!(started.next().await?, News::Ready) {}
        Ok(started)
    }

    /// Indexes in the worker, as [`index()`] does on this thread. `cancel` stops it at its next pause.
    ///
    /// # Errors
    ///
    /// As [`index()`]; `worker.failed` where the worker broke. Then start another one.
    pub async fn index(
        &mut self,
        input: Input,
        grammars: &GrammarFiles,
        options: &IndexOptions,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Indexed, Error> {
        cancel.check()?;
        let input = match input {
            // Entries of a drop belong to the page, files travel.
            Input::Dropped(_) => {
                let mut run = Run::new(cancel, on_progress, options.slice_millis);
                input.into_files(&options.source, &mut run).await?
            }
            input => input,
        };
        self.send(&Task::Index {
            input,
            grammars: grammars.clone(),
            options: options.clone(),
        })?;
        let worker = self.worker.clone();
        cancel.on_cancel(move || {
            // A worker that is gone has nothing to cancel.
            let _ = worker.post_message(&Task::Cancel.to_value());
        });
        loop {
            match self.next().await? {
                News::Ready => {}
                News::Progress(progress) => on_progress(progress),
                News::Failed(body) => return Err(body.into()),
                News::Done {
                    snapshot,
                    grammar_errors,
                } => {
                    let index = Index::from_bytes(&snapshot.to_vec())?;
                    return Ok(Indexed {
                        index: index.with_clock(js_sys::Date::now),
                        grammar_errors,
                    });
                }
            }
        }
    }

    fn send(&self, task: &Task) -> Result<(), Error> {
        let sent = self.worker.post_message(&task.to_value());
        sent.map_err(|thrown| failed(&thrown))
    }

    async fn next(&mut self) -> Result<News, Error> {
        self.news.recv().await.unwrap_or_else(|_| {
            let reason = "it was ended".to_owned();
            Err(Error::Worker { reason })
        })
    }
}

impl Drop for IndexWorker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// Returns whether this program runs in a worker.
#[must_use]
pub fn is_worker() -> bool {
    scope().is_some()
}

fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// State that a worker keeps from one task to the next.
#[derive(Default)]
struct Served {
    /// Grammars that were loaded, and where from.
    grammars: Option<(GrammarFiles, Grammars)>,
    cancel: Cancel,
}

/// Serves the [`IndexWorker`] that started this worker, until it ends it. Does nothing outside of a worker.
pub fn serve() {
    let Some(scope) = scope() else {
        return;
    };
    let served = Rc::new(RefCell::new(Served::default()));
    let to = scope.clone();
    let on_message = EventListener::new(&scope, "message", move |event| {
        let data = event.unchecked_ref::<MessageEvent>().data();
        match Task::read(&data) {
            Some(Task::Cancel) => served.borrow().cancel.cancel(),
            Some(Task::Index {
                input,
                grammars,
                options,
            }) => spawn_local(run(
                to.clone(),
                Rc::clone(&served),
                input,
                grammars,
                options,
            )),
            None => {}
        }
    });
    // For as long as the worker lives.
    on_message.forget();
    tell(&scope, &News::Ready);
}

async fn run(
    scope: DedicatedWorkerGlobalScope,
    served: Rc<RefCell<Served>>,
    input: Input,
    files: GrammarFiles,
    options: IndexOptions,
) {
    let cancel = Cancel::new();
    served.borrow_mut().cancel = cancel.clone();
    let known = served.borrow_mut().grammars.take();
    let mut grammars = match known {
        Some((from, grammars)) if from == files => grammars,
        _ => Grammars::new(files.clone()),
    };
    let mut on_progress = |progress| tell(&scope, &News::Progress(progress));
    let outcome = index(input, &mut grammars, &options, &cancel, &mut on_progress).await;
    served.borrow_mut().grammars = Some((files, grammars));
    let news = outcome
        .and_then(done)
        .unwrap_or_else(|error| News::Failed(error.body()));
    tell(&scope, &news);
}

fn done(indexed: Indexed) -> Result<News, Error> {
    Ok(News::Done {
        snapshot: Uint8Array::from(indexed.index.to_bytes()?),
        grammar_errors: indexed.grammar_errors,
    })
}

fn tell(scope: &DedicatedWorkerGlobalScope, news: &News) {
    let value = news.to_value();
    // Bytes are handed over, not copied.
    let handed_over = js_sys::Array::new();
    if let News::Done { snapshot, .. } = news {
        handed_over.push(&snapshot.buffer());
    }
    // A page that is gone hears nothing more.
    let _ = scope.post_message_with_transfer(&value, &handed_over);
}

fn failed(thrown: &JsValue) -> Error {
    Error::Worker {
        reason: reason_of(thrown),
    }
}
