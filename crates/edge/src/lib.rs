//! Answers over HTTP from a saved index: a Cloudflare Worker, or anything else that runs WebAssembly.
mod query;
mod reply;
mod route;
pub use query::Params;
pub use reply::{Reply, status_of};
pub use route::{Call, METHODS, Question, ROUTES, parse};
