//! A page in Rust that picks a folder or an archive, indexes it in a worker, keeps the index and searches it.
//!
//! README says how to build it. The same program is the page and, started by `worker.js`, its worker.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use portolan_browser::{
    Cancel, Error, GrammarFiles, Index, IndexOptions, IndexWorker, Input, Progress, Snapshots,
    is_worker, serve,
};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, DragEvent, Element, Event, HtmlInputElement};

/// State of the page.
#[derive(Default)]
struct App {
    index: Option<Index>,
    cancel: Cancel,
}

type Shared = Rc<RefCell<App>>;

/// Called when the program has been loaded, in the page and in the worker.
#[wasm_bindgen(start)]
pub fn start() {
    if is_worker() {
        serve();
        return;
    }
    let app = Shared::default();
    on_files("folder", &app);
    on_files("archive", &app);
    on_drop(&app);
    let searching = Rc::clone(&app);
    listen(&element("query"), "input", move |event| {
        search(&searching.borrow(), &input_of(event).value());
    });
    let stopping = Rc::clone(&app);
    listen(&element("stop"), "click", move |_| {
        stopping.borrow().cancel.cancel();
    });
    spawn_local(show_kept(app));
}

fn on_files(id: &str, app: &Shared) {
    let app = Rc::clone(app);
    listen(&element(id), "change", move |event| {
        if let Some(files) = input_of(event).files().filter(|files| files.length() > 0) {
            spawn_local(open(Input::from_files(&files), Rc::clone(&app)));
        }
    });
}

fn on_drop(app: &Shared) {
    let app = Rc::clone(app);
    let page: Element = document().document_element().unwrap_throw();
    let options = gloo_events::EventListenerOptions::enable_prevent_default();
    let over = EventListener::new_with_options(&page, "dragover", options, |event| {
        event.prevent_default();
    });
    let drop = EventListener::new_with_options(&page, "drop", options, move |event| {
        event.prevent_default();
        if let Some(data) = event.unchecked_ref::<DragEvent>().data_transfer() {
            spawn_local(open(Input::from_drop(&data), Rc::clone(&app)));
        }
    });
    over.forget();
    drop.forget();
}

/// Indexes what was picked, and keeps it.
async fn open(input: Input, app: Shared) {
    let cancel = Cancel::new();
    app.borrow_mut().cancel = cancel.clone();
    match index(input, &cancel).await {
        Ok(index) => {
            say(&format!("{} files", index.reader().n_files()));
            app.borrow_mut().index = Some(index);
            search(&app.borrow(), &query());
        }
        Err(error) => say(&format!("{error} ({}) {}", error.code(), error.help())),
    }
}

async fn index(input: Input, cancel: &Cancel) -> Result<Index, Error> {
    say("starting …");
    let mut worker = IndexWorker::start("./worker.js").await?;
    let grammars = GrammarFiles::at("./grammars/");
    let options = IndexOptions::named("picked");
    let mut show = |progress: Progress| {
        say(&format!(
            "{:?}: {} of {}",
            progress.phase, progress.done, progress.total
        ));
    };
    let made = worker
        .index(input, &grammars, &options, cancel, &mut show)
        .await?;
    Snapshots::open("portolan-example")
        .await?
        .save("picked", &made.index)
        .await?;
    Ok(made.index)
}

/// Shows the index of the last visit.
async fn show_kept(app: Shared) {
    let kept = async {
        Snapshots::open("portolan-example")
            .await?
            .load("picked")
            .await
    };
    match kept.await {
        Ok(index) => {
            say(&format!("{} files, kept", index.reader().n_files()));
            app.borrow_mut().index = Some(index);
        }
        Err(_) => say("pick a folder or an archive"),
    }
}

fn search(app: &App, query: &str) {
    let list = element("hits");
    list.set_text_content(None);
    let Some(index) = app.index.as_ref().filter(|_| !query.trim().is_empty()) else {
        return;
    };
    match index.search(query, 10) {
        Ok(hits) => {
            for hit in hits {
                let item = document().create_element("li").unwrap_throw();
                let symbol = hit.symbol.unwrap_or_default();
                item.set_text_content(Some(&format!("{}:{} {symbol}", hit.path, hit.start_line)));
                list.append_child(&item).unwrap_throw();
            }
        }
        Err(error) => say(&error.to_string()),
    }
}

fn say(text: &str) {
    element("status").set_text_content(Some(text));
}

fn query() -> String {
    element("query")
        .unchecked_into::<HtmlInputElement>()
        .value()
}

fn listen(element: &Element, event: &'static str, heard: impl FnMut(&Event) + 'static) {
    // For as long as the page is open.
    EventListener::new(element, event, heard).forget();
}

fn input_of(event: &Event) -> HtmlInputElement {
    event.target().unwrap_throw().unchecked_into()
}

fn element(id: &str) -> Element {
    document()
        .get_element_by_id(id)
        .expect_throw("an element of index.html")
}

fn document() -> Document {
    let window = web_sys::window().expect_throw("a page");
    window.document().expect_throw("a document")
}
