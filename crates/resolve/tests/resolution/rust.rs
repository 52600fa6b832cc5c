use crate::check;

#[test]
fn same_file() {
    check(
        r#"
//- /src/lib.rs
fn helper() {}
fn run() {
    helper();
    //^ calls: src/lib.rs:1
}
"#,
    );
}

#[test]
fn nested_function_before_outer() {
    check(
        r#"
//- /src/lib.rs
fn helper() {}
fn run() {
    fn helper() {}
    helper();
    //^ calls: src/lib.rs:3
}
"#,
    );
}

#[test]
fn variable_hides_function() {
    check(
        r#"
//- /src/lib.rs
fn helper() {}
fn run(helper: impl Fn()) {
    helper();
    //^ calls: nothing
}
"#,
    );
}

#[test]
fn import() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "app"
//- /src/lib.rs
mod a;
mod b;
//- /src/a.rs
use crate::b::{helper, other as renamed};
fn run() {
    helper();
    //^ calls: src/b.rs:1
    renamed();
    //^ calls: src/b.rs:2
    crate::b::helper();
    //        ^ calls: src/b.rs:1
    super::b::other();
    //        ^ calls: src/b.rs:2
}
//- /src/b.rs
pub fn helper() {}
pub fn other() {}
"#,
    );
}

#[test]
fn re_export_and_glob() {
    check(
        r#"
//- /src/lib.rs
pub mod routing;
mod user;
pub use routing::serve;
pub mod prelude {
    pub use crate::routing::*;
}
//- /src/routing/mod.rs
mod serve;
pub use self::serve::serve;
pub use serve::Router;
//- /src/routing/serve.rs
pub struct Router;
impl Router {
    pub fn new() -> Self { Router }
}
pub fn serve() {}
//- /src/user.rs
use crate::prelude::*;
fn run() {
    Router::new();
    //      ^ calls: src/routing/serve.rs:3
    crate::serve();
    //     ^ calls: src/routing/serve.rs:5
}
"#,
    );
}

#[test]
fn workspace_crates() {
    check(
        r#"
//- /Cargo.toml
[workspace]
members = ["core", "app"]
//- /core/Cargo.toml
[package]
name = "my-core"
//- /core/src/lib.rs
pub struct Body;
impl Body {
    pub fn empty() -> Body { Body }
    pub fn len(&self) -> usize { 0 }
}
//- /app/Cargo.toml
[package]
name = "app"
//- /app/src/main.rs
use my_core::Body;
fn main() {
    let body = Body::empty();
    //               ^ calls: core/src/lib.rs:3
    body.len();
    //   ^ calls: core/src/lib.rs:4
    other_crate::Body::empty();
    //                 ^ calls: nothing
}
"#,
    );
}

#[test]
fn crates_that_the_workspace_calls_otherwise() {
    check(
        r#"
//- /Cargo.toml
[workspace]
members = ["core", "app"]
[workspace.dependencies]
engine = { path = "core", package = "my-core" }
//- /core/Cargo.toml
[package]
name = "my-core"
//- /core/src/lib.rs
pub fn start() {}
//- /app/Cargo.toml
[package]
name = "app"
[dependencies]
engine.workspace = true
//- /app/src/main.rs
fn main() {
    engine::start();
    //      ^ calls: core/src/lib.rs:1
}
"#,
    );
}

#[test]
fn receiver_types() {
    check(
        r#"
//- /src/lib.rs
use std::sync::Arc;
struct Inner;
impl Inner {
    fn work(&self) {}
}
struct Outer { inner: Arc<Inner>, list: Vec<Inner> }
impl Outer {
    fn new() -> Self { Outer { inner: Arc::new(Inner), list: vec![] } }
    fn inner(&self) -> Option<&Inner> { None }
    fn run(&self) {
        self.inner.work();
        //         ^ calls: src/lib.rs:4
        self.inner().unwrap().work();
        //                    ^ calls: src/lib.rs:4
        for one in &self.list {
            one.work();
            //  ^ calls: src/lib.rs:4
        }
    }
}
fn use_it(given: &Outer) {
    given.run();
    //    ^ calls: src/lib.rs:10
    let made = Outer::new();
    if let Some(found) = made.inner() {
        found.work();
        //    ^ calls: src/lib.rs:4
    }
}
"#,
    );
}

#[test]
fn builder_chain() {
    check(
        r#"
//- /src/lib.rs
pub struct Router<S> { state: S }
impl<S> Router<S> {
    pub fn new() -> Self { todo!() }
    pub fn route(self, path: &str) -> Self { self }
    pub fn finish(self) -> Service { Service }
}
pub struct Service;
impl Service {
    pub fn call(&self) {}
}
fn run() {
    Router::<()>::new()
        .route("/a(")
        .route("/b")
        .finish()
        .call();
        //^ calls: src/lib.rs:9
}
"#,
    );
}

#[test]
fn outside_is_not_guessed() {
    check(
        r#"
//- /src/lib.rs
struct Jar;
impl Jar {
    fn headers_of(&self) {}
}
fn run(request: http::Request<()>) {
    request.headers_of();
    //      ^ calls: nothing
    http::build().headers_of();
    //            ^ calls: nothing
}
"#,
    );
}

#[test]
fn generated_functions() {
    check(
        r#"
//- /src/lib.rs
struct Route;
impl Route {
    fn finish(self) {}
}
macro_rules! handler_fn {
    ($name:ident, $method:ident) => {
        pub fn $name(path: &str) -> Route { Route }
    };
}
handler_fn!(get, GET);
fn run() {
    get("/").finish();
    //       ^ calls: src/lib.rs:3
    assert_eq!(get("/"), 1);
    //         ^ calls: src/lib.rs:10
}
"#,
    );
}

#[test]
fn patterns_bind_payloads() {
    check(
        r#"
//- /src/lib.rs
struct Route;
impl Route {
    fn finish(&self) {}
}
struct Wrapper(pub Route);
enum Endpoint { Route(Route), Nothing }
impl Endpoint {
    fn run(&self) {
        match self {
            Self::Route(route) => route.finish(),
            //                          ^ calls: src/lib.rs:3
            Self::Nothing => {}
        }
    }
}
fn extract(Wrapper(inner): Wrapper) {
    inner.finish();
    //    ^ calls: src/lib.rs:3
    Wrapper { 0: Route }.0.finish();
}
"#,
    );
}

/// The head of each star's path could come by every other star: without a cache these cycles would never end.
#[test]
fn stars_over_stars_that_nobody_knows() {
    let mut text = String::from("//- /src/lib.rs\n");
    for n in 0..24 {
        text.push_str(&format!("use unknown_{n}::inner::*;\n"));
    }
    text.push_str("fn helper() {}\nfn run() {\n    elsewhere();\n    helper();\n    //^ calls: src/lib.rs:25\n}\n");
    check(&text);
}

/// Modules that re-export all names of one another are searched once each for a name that none of them has.
#[test]
fn modules_that_pass_on_everything_of_one_another() {
    let mut text = String::from("//- /src/lib.rs\n");
    for n in 0..24 {
        text.push_str(&format!("pub mod m{n} {{\n"));
        for other in (0..24).filter(|other| *other != n) {
            text.push_str(&format!("    pub use crate::m{other}::*;\n"));
        }
        text.push_str("}\n");
    }
    text.push_str("mod user {\n    use crate::m0::*;\n    fn helper() {}\n    fn run(value: Unknown) {\n        nowhere::to::be(value);\n        crate::m1::found(value);\n        helper();\n        //^ calls: src/lib.rs:603\n    }\n}\n");
    check(&text);
}
