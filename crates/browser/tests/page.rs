//! The crate in a real browser: read, index, ask, keep, load again. Run by `cargo xtask test wasm`.
#![cfg(target_arch = "wasm32")]

use std::cell::Cell;
use std::rc::Rc;

use flate2::Compression;
use flate2::write::GzEncoder;
use js_sys::Array;
use portolan_browser::{
    Cancel, Error, GrammarFiles, Grammars, Index, IndexOptions, IndexWorker, Indexed, Input, Phase,
    Snapshots, SourceConfig, api, index,
};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{
    File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemWritableFileStream,
};

wasm_bindgen_test_configure!(run_in_browser);

const PYTHON: &[u8] = include_bytes!("../../../pkg/grammars/tree-sitter-python.wasm");
const FILES: [(&str, &str); 5] = [
    (
        "shop/tax.py",
        "def add_tax(net):\n    \"\"\"Adds value added tax.\"\"\"\n    return net * 1.2\n",
    ),
    (
        "shop/cart.py",
        "from shop.tax import add_tax\n\ndef checkout(net):\n    if net:\n        return add_tax(net)\n",
    ),
    ("gen/out.py", "def generated():\n    pass\n"),
    (".gitignore", "gen/\n"),
    ("notes.md", "# Notes\n\nThe cart is paid.\n"),
];

fn grammars() -> Grammars {
    Grammars::new(GrammarFiles::none().with("python", PYTHON))
}

fn file(name: &str, text: &str) -> File {
    let parts = Array::of1(&text.into());
    File::new_with_str_sequence(&parts, name).expect("a file")
}

fn files() -> Input {
    let files = FILES.map(|(path, text)| (path.to_owned(), file(path, text)));
    Input::Files(files.to_vec())
}

async fn indexed(input: Input) -> Result<Indexed, Error> {
    let options = IndexOptions::named("shop");
    index(
        input,
        &mut grammars(),
        &options,
        &Cancel::new(),
        &mut |_| {},
    )
    .await
}

fn code<T>(outcome: Result<T, Error>) -> String {
    outcome.map_or_else(|error| error.code().to_owned(), |_| "none".to_owned())
}

/// The same questions to every index of [`FILES`].
fn check(index: &Index) {
    let paths: Vec<_> = index.reader().files().collect();
    let paths: Vec<_> = paths.iter().map(|id| index.reader().path(*id)).collect();
    assert_eq!(
        paths,
        [".gitignore", "notes.md", "shop/cart.py", "shop/tax.py"]
    );
    let hits = index.search("where is value added tax", 3).expect("hits");
    assert_eq!(hits[0].path, "shop/tax.py");
    let found = index.ask("find", r#"{ "symbol": "checkout" }"#);
    assert!(found.expect("found").contains("shop/cart.py"));
    let callers = index.ask("callers", r#"{ "symbol": "add_tax" }"#);
    assert!(callers.expect("callers").contains("checkout"));
    let status = api::answer::status(index.reader());
    let skipped: Vec<_> = status.skipped.iter().map(|s| s.path.as_str()).collect();
    assert_eq!((status.name.as_str(), skipped), ("shop", vec!["gen/"]));
}

#[wasm_bindgen_test]
async fn files_are_indexed_with_a_loaded_grammar_and_asked() {
    let made = indexed(files()).await.expect("an index");
    assert!(made.grammar_errors.is_empty(), "{:?}", made.grammar_errors);
    check(&made.index);
    let again = indexed(files()).await.expect("another index");
    check(&again.index);
}

#[wasm_bindgen_test]
async fn an_index_is_kept_listed_loaded_and_deleted() {
    let snapshots = Snapshots::open("portolan-test-kept")
        .await
        .expect("a database");
    let made = indexed(files()).await.expect("an index").index;
    snapshots.save("shop", &made).await.expect("saved");
    snapshots.save("copy", &made).await.expect("saved");
    let list = snapshots.list().await.expect("a list");
    let names: Vec<_> = list.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["copy", "shop"]);
    assert_eq!(list[0].n_files, 4);
    assert_eq!(
        list[0].n_bytes,
        made.to_bytes().expect("bytes").len() as u64
    );
    assert!(list[0].saved_at > 1e12);

    drop(snapshots);
    let snapshots = Snapshots::open("portolan-test-kept")
        .await
        .expect("opened again");
    let loaded = snapshots.load("shop").await.expect("loaded");
    check(&loaded);
    assert_eq!(
        loaded.to_bytes().expect("bytes"),
        made.to_bytes().expect("bytes")
    );
    snapshots.delete("copy").await.expect("deleted");
    snapshots
        .delete("copy")
        .await
        .expect("no error for what is not there");
    assert_eq!(snapshots.list().await.expect("a list").len(), 1);
    assert_eq!(code(snapshots.load("copy").await), "index.not-found");
}

#[wasm_bindgen_test]
async fn damaged_bytes_are_refused_with_a_code() {
    let made = indexed(files()).await.expect("an index").index;
    let mut bytes = made.to_bytes().expect("bytes").to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    let open = |bytes: &[u8]| code(Index::from_bytes(bytes).map_err(Error::from));
    assert_eq!(open(&bytes), "snapshot.checksum");
    assert_eq!(open(&bytes[..bytes.len() / 3]), "snapshot.truncated");
    assert_eq!(open(b"something else"), "snapshot.foreign");
    assert_eq!(
        code(indexed(Input::Archive(b"no archive".to_vec())).await),
        "archive.unknown"
    );
}

#[wasm_bindgen_test]
async fn a_folder_handle_is_walked_by_the_ignore_rules() {
    let root = folder("portolan-test-folder").await;
    for (path, text) in FILES {
        write(&root, path, text).await;
    }
    let made = indexed(Input::Folder(root)).await.expect("an index");
    check(&made.index);
}

#[wasm_bindgen_test]
async fn an_archive_is_read_from_bytes_a_file_and_an_address() {
    let bytes = archive();
    let made = indexed(Input::Archive(bytes.clone()))
        .await
        .expect("an index");
    check(&made.index);

    let parts = Array::of1(&js_sys::Uint8Array::from(bytes.as_slice()));
    let picked = File::new_with_u8_array_sequence(&parts, "shop.tar.gz").expect("a file");
    let made = indexed(Input::ArchiveFile(picked.clone()))
        .await
        .expect("an index");
    check(&made.index);

    let url = object_url(&picked);
    let made = indexed(Input::Url(url)).await.expect("an index");
    check(&made.index);
    let missing = indexed(Input::Url("/no-such-archive.zip".to_owned())).await;
    assert_eq!(code(missing), "input.fetch");
}

#[wasm_bindgen_test]
async fn indexing_stops_where_it_is_cancelled() {
    let cancel = Cancel::new();
    let (seen, stop) = (Rc::new(Cell::new(0)), cancel.clone());
    let options = IndexOptions {
        slice_millis: 0.0,
        ..IndexOptions::named("shop")
    };
    let heard = Rc::clone(&seen);
    let mut on_progress = move |progress: portolan_browser::Progress| {
        heard.set(heard.get() + 1);
        if progress.phase == Phase::Parsing && progress.done == 2 {
            stop.cancel();
        }
        assert!(progress.phase != Phase::Parsing || progress.done <= 2);
    };
    let outcome = index(
        files(),
        &mut grammars(),
        &options,
        &cancel,
        &mut on_progress,
    )
    .await;
    assert_eq!(code(outcome), "cancelled");
    assert!(seen.get() > 3, "it was told before: {}", seen.get());
    let late = index(files(), &mut grammars(), &options, &cancel, &mut |_| {}).await;
    assert_eq!(code(late), "cancelled");
}

#[wasm_bindgen_test]
async fn a_grammar_that_is_missing_or_broken_leaves_text() {
    let options = IndexOptions::named("shop");
    let broken = [
        (GrammarFiles::none(), "the program has none"),
        (
            GrammarFiles::none().with("python", *b"not wasm"),
            "expected magic word",
        ),
        (
            GrammarFiles::none().with("python", *b"\0asm\x01\0\0\0"),
            "no section dylink.0",
        ),
        (GrammarFiles::at("/no-such-folder"), "status 404"),
    ];
    for (files_of_grammars, why) in broken {
        let mut grammars = Grammars::new(files_of_grammars);
        let made = index(
            files(),
            &mut grammars,
            &options,
            &Cancel::new(),
            &mut |_| {},
        )
        .await;
        let made = made.expect("an index all the same");
        let error = made.grammar_errors.get("python").expect("an error");
        assert_eq!(error.code, "grammar.load");
        assert!(error.message.contains(why), "{}", error.message);
        let hits = made.index.search("value added tax", 3).expect("hits");
        assert_eq!(hits[0].path, "shop/tax.py");
    }
}

#[wasm_bindgen_test]
async fn a_worker_without_a_script_is_an_error() {
    let started = IndexWorker::start("/no-such-worker.js").await;
    assert_eq!(code(started), "worker.failed");
}

#[wasm_bindgen_test]
async fn limits_of_the_program_hold() {
    let options = IndexOptions {
        source: SourceConfig {
            max_files: 2,
            rules: vec!["*.md".to_owned()],
            ..SourceConfig::default()
        },
        ..IndexOptions::named("shop")
    };
    let made = index(
        files(),
        &mut grammars(),
        &options,
        &Cancel::new(),
        &mut |_| {},
    )
    .await;
    let status = api::answer::status(made.expect("an index").index.reader());
    let skipped: Vec<_> = status.skipped.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(status.n_files, 2);
    assert!(skipped.contains(&"notes.md"), "{skipped:?}");
}

fn archive() -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, text) in FILES {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        let path = format!("shop-1.0/{path}");
        tar.append_data(&mut header, path, text.as_bytes())
            .expect("an entry");
    }
    tar.into_inner().expect("a tar").finish().expect("a tar.gz")
}

fn object_url(file: &File) -> String {
    let url = js_sys::Reflect::get(&js_sys::global(), &"URL".into()).expect("URL");
    let create = js_sys::Reflect::get(&url, &"createObjectURL".into()).expect("a function");
    let create: js_sys::Function = create.unchecked_into();
    let made = create.call1(&url, file).expect("an address");
    made.as_string().expect("a text")
}

/// An empty folder in the page's own file system.
async fn folder(name: &str) -> FileSystemDirectoryHandle {
    let storage = web_sys::window().expect("a window").navigator().storage();
    let root = wait::<FileSystemDirectoryHandle>(storage.get_directory()).await;
    below(&root, name).await
}

async fn below(folder: &FileSystemDirectoryHandle, name: &str) -> FileSystemDirectoryHandle {
    let options = FileSystemGetDirectoryOptions::new();
    options.set_create(true);
    wait(folder.get_directory_handle_with_options(name, &options)).await
}

async fn write(root: &FileSystemDirectoryHandle, path: &str, text: &str) {
    let mut folder = root.clone();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        folder = below(&folder, part).await;
    }
    let options = FileSystemGetFileOptions::new();
    options.set_create(true);
    let file = folder.get_file_handle_with_options(name, &options);
    let file = wait::<FileSystemFileHandle>(file).await;
    let stream = wait::<FileSystemWritableFileStream>(file.create_writable()).await;
    let written = stream.write_with_str(text).expect("a promise");
    JsFuture::from(written).await.expect("written");
    let closed = js_sys::Reflect::get(&stream, &"close".into()).expect("a function");
    let closed: js_sys::Function = closed.unchecked_into();
    let closed = closed.call0(&stream).expect("a promise");
    let closed: js_sys::Promise = closed.unchecked_into();
    JsFuture::from(closed).await.expect("closed");
}

async fn wait<T: JsCast>(promise: js_sys::Promise) -> T {
    let value: JsValue = JsFuture::from(promise).await.expect("resolved");
    value.unchecked_into()
}
