//! Answers over HTTP from a saved index: a Cloudflare Worker.
//!
//! | route | answers | with |
//! |---|---|---|
//! | `GET /healthz` | is the Worker there | version |
//! | `GET /v1/status` | what is in the index | [`api::Status`] |
//! | `GET /v1/search?q=` | where is the code for … | [`api::SearchResponse`] |
//! | `GET /v1/symbol?name=` | the definitions of a name, and how much each is used | [`api::UsagesResponse`] |
//! | `GET /v1/symbol?name=&view=references` | who uses it | [`api::ReferencesResponse`] |
//! | `GET /v1/symbol?name=&view=callers`, `callees` | who calls it, whom it calls | [`api::CallsResponse`] |
//! | `POST /v1/TOOL` | any tool, its request as JSON in the body | the tool's answer |
//! | `GET /v1/tools` | which tools are there | names and what they are for |
//!
//! `?repo=NAME` chooses the index. Everything else is a refusal: [`api::ErrorBody`] with the status of its code.
//!
//! This crate is pure and synchronous: [`parse`] reads a URL, [`Index::answer`] answers. What only the platform can do
//! (bucket, headers, waiting) is done by the script in `worker/`, which calls it through `crates/wasm` (feature `edge`). It reads only: no parser
//! inside.

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
