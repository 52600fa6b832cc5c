//! Messages between page and worker: plain objects, so that folder handles, files and bytes travel by structured clone.

use std::collections::BTreeMap;

use api::ErrorBody;
use js_sys::{Array, Object, Reflect, Uint8Array};
use source::SourceConfig;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{File, FileSystemDirectoryHandle};

use crate::{Error, GrammarFiles, IndexOptions, Input, Phase, Progress};

/// From the page.
pub(crate) enum Task {
    Index {
        input: Input,
        grammars: GrammarFiles,
        options: IndexOptions,
    },
    Cancel,
}

/// From the worker.
pub(crate) enum News {
    Ready,
    Progress(Progress),
    Done {
        snapshot: Uint8Array,
        grammar_errors: BTreeMap<String, ErrorBody>,
    },
    Failed(ErrorBody),
}

impl Task {
    pub fn to_value(&self) -> JsValue {
        match self {
            Self::Cancel => object(&[("kind", "cancel".into())]),
            Self::Index {
                input,
                grammars,
                options,
            } => {
                let files = grammars.files.iter();
                let files = files.map(|(name, bytes)| {
                    pair(
                        name.as_str().into(),
                        Uint8Array::from(bytes.as_slice()).into(),
                    )
                });
                object(&[
                    ("kind", "index".into()),
                    ("input", input_value(input)),
                    ("base", grammars.base.clone().into()),
                    ("grammars", files.collect::<Array>().into()),
                    ("name", options.name.as_str().into()),
                    ("slice", options.slice_millis.into()),
                    ("source", source_value(&options.source)),
                ])
            }
        }
    }

    pub fn read(value: &JsValue) -> Option<Self> {
        match text(value, "kind")?.as_str() {
            "cancel" => Some(Self::Cancel),
            "index" => {
                let files = list(value, "grammars")?;
                let files = files.iter().filter_map(|entry| {
                    let entry: Array = entry.dyn_into().ok()?;
                    Some((
                        entry.get(0).as_string()?,
                        Uint8Array::new(&entry.get(1)).to_vec(),
                    ))
                });
                let grammars = GrammarFiles {
                    base: text(value, "base"),
                    files: files.collect(),
                };
                let options = IndexOptions {
                    name: text(value, "name")?,
                    slice_millis: number(value, "slice")?,
                    source: read_source(&field(value, "source"))?,
                };
                Some(Self::Index {
                    input: read_input(&field(value, "input"))?,
                    grammars,
                    options,
                })
            }
            _ => None,
        }
    }
}

impl News {
    pub fn to_value(&self) -> JsValue {
        match self {
            Self::Ready => object(&[("kind", "ready".into())]),
            Self::Progress(progress) => object(&[
                ("kind", "progress".into()),
                ("phase", (progress.phase as u32).into()),
                ("done", (progress.done as u32).into()),
                ("total", (progress.total as u32).into()),
            ]),
            Self::Done {
                snapshot,
                grammar_errors,
            } => {
                let errors = grammar_errors.iter();
                let errors =
                    errors.map(|(name, body)| pair(name.as_str().into(), body_value(body)));
                object(&[
                    ("kind", "done".into()),
                    ("snapshot", snapshot.clone().into()),
                    ("errors", errors.collect::<Array>().into()),
                ])
            }
            Self::Failed(body) => object(&[("kind", "failed".into()), ("error", body_value(body))]),
        }
    }

    pub fn read(value: &JsValue) -> Option<Self> {
        Some(match text(value, "kind")?.as_str() {
            "ready" => Self::Ready,
            "progress" => Self::Progress(Progress {
                phase: *Phase::ALL.get(number(value, "phase")? as usize)?,
                done: number(value, "done")? as usize,
                total: number(value, "total")? as usize,
            }),
            "done" => {
                let errors = list(value, "errors")?;
                let errors = errors.iter().filter_map(|entry| {
                    let entry: Array = entry.dyn_into().ok()?;
                    Some((entry.get(0).as_string()?, read_body(&entry.get(1))?))
                });
                Self::Done {
                    snapshot: field(value, "snapshot").dyn_into().ok()?,
                    grammar_errors: errors.collect(),
                }
            }
            "failed" => Self::Failed(read_body(&field(value, "error"))?),
            _ => return None,
        })
    }
}

impl From<ErrorBody> for Error {
    /// An error of a worker, as if it had been met here.
    fn from(body: ErrorBody) -> Self {
        match body.code.as_str() {
            "cancelled" => Self::Cancelled,
            _ => Self::InWorker(body),
        }
    }
}

/// Entries of a drop cannot be sent: the page lists them first.
fn input_value(input: &Input) -> JsValue {
    let (kind, value): (&str, JsValue) = match input {
        Input::Folder(handle) => ("folder", handle.into()),
        Input::Files(files) => {
            let files = files.iter();
            let files = files.map(|(path, file)| pair(path.as_str().into(), file.into()));
            ("files", files.collect::<Array>().into())
        }
        Input::Dropped(_) => ("dropped", JsValue::UNDEFINED),
        Input::ArchiveFile(file) => ("archive-file", file.into()),
        Input::Archive(bytes) => ("archive", Uint8Array::from(bytes.as_slice()).into()),
        Input::Url(url) => ("url", url.as_str().into()),
    };
    object(&[("kind", kind.into()), ("value", value)])
}

fn read_input(input: &JsValue) -> Option<Input> {
    let value = field(input, "value");
    Some(match text(input, "kind")?.as_str() {
        "folder" => Input::Folder(value.dyn_into::<FileSystemDirectoryHandle>().ok()?),
        "files" => {
            let files: Array = value.dyn_into().ok()?;
            let files = files.iter().filter_map(|entry| {
                let entry: Array = entry.dyn_into().ok()?;
                Some((
                    entry.get(0).as_string()?,
                    entry.get(1).dyn_into::<File>().ok()?,
                ))
            });
            Input::Files(files.collect())
        }
        "archive-file" => Input::ArchiveFile(value.dyn_into().ok()?),
        "archive" => Input::Archive(Uint8Array::new(&value).to_vec()),
        "url" => Input::Url(value.as_string()?),
        _ => return None,
    })
}

fn source_value(source: &SourceConfig) -> JsValue {
    let rules = source.rules.iter().map(|rule| JsValue::from(rule.as_str()));
    object(&[
        ("fileBytes", source.max_file_bytes.into()),
        ("lineBytes", source.max_line_bytes.into()),
        ("archiveBytes", (source.max_archive_bytes as f64).into()),
        ("files", source.max_files.into()),
        ("defaults", source.default_excludes.into()),
        ("generated", source.include_generated.into()),
        ("rules", rules.collect::<Array>().into()),
    ])
}

fn read_source(value: &JsValue) -> Option<SourceConfig> {
    Some(SourceConfig {
        max_file_bytes: number(value, "fileBytes")? as u32,
        max_line_bytes: number(value, "lineBytes")? as u32,
        max_archive_bytes: number(value, "archiveBytes")? as u64,
        max_files: number(value, "files")? as u32,
        default_excludes: field(value, "defaults").as_bool()?,
        include_generated: field(value, "generated").as_bool()?,
        rules: list(value, "rules")?
            .iter()
            .filter_map(|rule| rule.as_string())
            .collect(),
    })
}

fn body_value(body: &ErrorBody) -> JsValue {
    object(&[
        ("code", body.code.as_str().into()),
        ("message", body.message.as_str().into()),
        ("help", body.help.as_str().into()),
    ])
}

fn read_body(value: &JsValue) -> Option<ErrorBody> {
    Some(ErrorBody {
        code: text(value, "code")?,
        message: text(value, "message")?,
        help: text(value, "help")?,
    })
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a new plain object does not fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

fn pair(first: JsValue, second: JsValue) -> JsValue {
    Array::of2(&first, &second).into()
}

fn field(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

fn text(value: &JsValue, name: &str) -> Option<String> {
    field(value, name).as_string()
}

fn number(value: &JsValue, name: &str) -> Option<f64> {
    field(value, name).as_f64()
}

fn list(value: &JsValue, name: &str) -> Option<Array> {
    field(value, name).dyn_into().ok()
}
