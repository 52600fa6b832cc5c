//! Answers over HTTP from a saved index: a Cloudflare Worker.
//!
//! | route | answers | with |
//! |---|---|---|
//! | `GET /healthz` | whether the Worker is up | version |
//! | `GET /v1/status` | contents of the index | [`api::Status`] |
//! | `GET /v1/search?q=` | code by words or meaning | [`api::SearchResponse`] |
//! | `GET /v1/symbol?name=` | the definitions of a name, with the number of uses of each | [`api::UsagesResponse`] |
//! | `GET /v1/symbol?name=&view=references` | its uses | [`api::ReferencesResponse`] |
//! | `GET /v1/symbol?name=&view=callers`, `callees` | its callers, its callees | [`api::CallsResponse`] |
//! | `POST /v1/TOOL` | any tool, its request as JSON in the body | the tool's answer |
//! | `GET /v1/tools` | the list of tools | names and descriptions |
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

pub use answer::without_index;
pub use api::ErrorBody;
pub use index::{Index, read_model};
pub use reply::{Reply, status_of};
pub use route::{Call, METHODS, Question, ROUTES, parse};
