//! Answers over HTTP from a saved index: a Cloudflare Worker.
//!
//! [`ROUTES`] lists the routes. `POST /v1/TOOL` asks any tool, its request as JSON in the body; the routes of `GET` ask some of
//! them by parameters. They come from the table of tools of the package (`pkg/src/commands/tools`), and so does `docs/openapi.json`.
//!
//! `?repo=NAME` chooses the index. Every other request is refused: [`api::ErrorBody`] with the status of its code.
//!
//! This crate is pure and synchronous: [`parse`] reads a URL, [`Index::answer`] answers. The script in `worker/` does
//! the platform's part (bucket, headers, waiting) and calls this crate through `crates/wasm` (feature `edge`). It only
//! reads: no parser inside.

mod answer;
mod index;
mod query;
mod reply;
mod route;
mod sharded;
mod source;

pub use answer::without_index;
pub use api::ErrorBody;
pub use index::{Index, read_model};
pub use reply::{Reply, status_of};
pub use route::{Call, METHODS, Question, ROUTES, parse};
pub use sharded::{Asked, Lacking, Sharded};
pub use shards::is_root;
