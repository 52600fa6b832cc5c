//! The page on localhost: set up, build, and a file server of its own, which sends the MIME types and headers that
//! streaming compilation and shared memory ask for.
//!
//! Where nothing is built yet, the page comes first: what it needs at once is compiled quickly and shown; what is
//! published is made beside, and replaces it.

mod http;
mod packed;
mod site;

use std::io::{BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use http::{Refusal, Request, Response};
use site::{Found, Site};

use crate::build::{self, Form};
use crate::paths;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Result, say, timed};

/// Artifacts that only users' own models need.
const LATER: &str = "onnx";
/// No part of the page: the Worker.
const LAST: &str = "edge";

/// How long a browser may keep a connection without asking anything.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many connections are answered at the same time. A browser opens six.
const MAX_CONNECTIONS: usize = 64;

/// Builds the page and serves it until the process is stopped.
pub fn run(port: u16) -> Result<()> {
    let start = Instant::now();
    // First of all, so that a port that is taken is known before minutes of building.
    let listener = TcpListener::bind(("127.0.0.1", port))
        .map_err(|e| format!("port {port}: {e}; try --port"))?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let toolbox = setup::prepare(&[Need::Npm, Need::Grammars, Need::Wasm, Need::Glue])?;
    let first = build::look_artifacts()?;
    let is_released = build::are_released(&toolbox, &first)?;
    let has_later = build::are_released(&toolbox, &[LATER.to_owned()])?;
    let form = match is_released && has_later {
        true => Form::Released,
        false => Form::Look,
    };
    build::build(&toolbox, &with_page(&first), form)?;
    let site = Arc::new(Site::new(
        paths::root().join(format!("target/xtask/site/{}", address.port())),
    ));
    let pending: &[&str] = if has_later { &[] } else { &[LATER] };
    let copy = site.show(&paths::root().join("www/dist"), pending)?;
    say(&format!(
        "\nPortolan is at http://{address}/ after {:.0} s (Ctrl-C ends it)",
        start.elapsed().as_secs_f64()
    ));
    let (shared, work) = (Arc::clone(&site), toolbox.gently());
    std::thread::spawn(move || {
        compress(&work, &copy);
        if form == Form::Look {
            finish(&shared, if is_released { &[] } else { &first });
        }
    });
    accept(&listener, &site);
    Ok(())
}

fn with_page(names: &[String]) -> Vec<String> {
    let page = ["pkg", "www"].map(str::to_owned);
    names.iter().cloned().chain(page).collect()
}

/// Makes what is published, `first` before the rest, in place of what was made for the first look, and shows it. The page
/// stays whatever goes wrong here.
fn finish(site: &Site, first: &[String]) {
    say(
        "\nNow the same as it is published, beside the page: twice as fast, and with models of one's own.",
    );
    let result = (|| {
        let needs = [Need::Npm, Need::Grammars, Need::Wasm, Need::WasmPack];
        let toolbox = setup::prepare(&needs)?.gently();
        if !first.is_empty() {
            replace(site, &toolbox, first, Form::Look, &[LATER])?;
            say("The page is fast now: reload it. Models of one's own follow.");
        }
        replace(site, &toolbox, &[LATER.to_owned()], Form::Released, &[])?;
        say("The page is complete: reload it.");
        build::artifacts(&toolbox, &[LAST.to_owned()], Form::Released)
    })();
    if let Err(why) = result {
        say(&format!(
            "\n{why}\n\nThe page goes on with what it has; `cargo xtask build` tries the rest again."
        ));
    }
}

/// Makes `names` as they are published, then the page by `form`, and shows it without `pending`.
fn replace(
    site: &Site,
    toolbox: &Toolbox,
    names: &[String],
    form: Form,
    pending: &[&'static str],
) -> Result<()> {
    build::artifacts(toolbox, names, Form::Released)?;
    build::build(toolbox, &with_page(&[]), form)?;
    let copy = site.show(&paths::root().join("www/dist"), pending)?;
    compress(toolbox, &copy);
    Ok(())
}

/// A file that is not compressed is sent unchanged.
fn compress(toolbox: &Toolbox, copy: &Path) {
    if let Err(why) = timed("compressed for slower lines", || {
        packed::make(toolbox, copy)
    }) {
        say(&format!("    {why}"));
    }
}

/// Answers every connection in a thread of its own.
fn accept(listener: &TcpListener, site: &Arc<Site>) {
    let n_open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else {
            // Out of descriptors, most likely: some are free again soon.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if n_open.load(Ordering::Relaxed) >= MAX_CONNECTIONS {
            let busy = Response::text("503 Service Unavailable", "too many connections");
            let _ = send(&mut stream, &busy.header("Retry-After", "1"), true);
            continue;
        }
        let (site, open) = (Arc::clone(site), Arc::clone(&n_open));
        open.fetch_add(1, Ordering::Relaxed);
        let thread = std::thread::Builder::new().spawn(move || {
            let _ = answer(stream, &site);
            open.fetch_sub(1, Ordering::Relaxed);
        });
        if thread.is_err() {
            n_open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Answers requests of one connection until the browser closes it.
fn answer(mut stream: TcpStream, site: &Site) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.try_clone()?);
    loop {
        match http::read_head(&mut lines) {
            Ok(request) => {
                let response = respond(&request, site);
                send(&mut stream, &response, request.method != "HEAD")?;
            }
            Err(Refusal::Answer(status, why)) => {
                let refusal = Response::text(status, why).header("Connection", "close");
                return send(&mut stream, &refusal, true);
            }
            Err(Refusal::Closed) => return Ok(()),
        }
    }
}

fn send(stream: &mut TcpStream, response: &Response, with_body: bool) -> std::io::Result<()> {
    stream.write_all(response.head().as_bytes())?;
    if with_body {
        stream.write_all(&response.body)?;
    }
    stream.flush()
}

fn respond(request: &Request, site: &Site) -> Response {
    match &request.host {
        Some(host) if http::is_local(host) => {}
        Some(host) => {
            let why = format!(
                "this server answers to localhost, 127.0.0.1 and [::1] only, not to {host:?}"
            );
            return Response::text("403 Forbidden", why);
        }
        None => return Response::text("400 Bad Request", "the request names no host"),
    }
    if request.method != "GET" && request.method != "HEAD" {
        let refusal = Response::text("405 Method Not Allowed", "only GET and HEAD");
        return refusal.header("Allow", "GET, HEAD");
    }
    match site.find(&request.path) {
        Found::File(file) => send_file(request, site, &file),
        Found::Pending(name) => {
            say(&format!(
                "  {name}.wasm was asked for; it is still being made"
            ));
            let why = format!(
                "{name}.wasm is still being made: `cargo xtask serve` says how far it is. Reload the page when it is there."
            );
            Response::text("503 Service Unavailable", why).header("Retry-After", "60")
        }
        Found::Nothing => Response::text("404 Not Found", "no such file"),
    }
}

fn send_file(request: &Request, site: &Site, file: &Path) -> Response {
    let digest = match site.digest(file) {
        Ok(digest) => digest,
        Err(why) => return Response::text("500 Internal Server Error", why),
    };
    let packed = packed::find(&digest, &request.encodings);
    let encoding = packed.as_ref().map(|(encoding, _)| *encoding);
    let etag = match encoding {
        Some(encoding) => format!("\"{digest}-{encoding}\""),
        None => format!("\"{digest}\""),
    };
    let mut response = Response {
        status: "200 OK",
        mime: mime_of(file),
        headers: vec![("Vary", "Accept-Encoding".to_owned())],
        body: Vec::new(),
    };
    response
        .headers
        .extend(encoding.map(|name| ("Content-Encoding", name.to_owned())));
    if request.etag.as_deref() == Some(&etag) {
        response.status = "304 Not Modified";
        return response.header("ETag", etag);
    }
    match packed.map_or_else(|| std::fs::read(file), |(_, bytes)| Ok(bytes)) {
        Ok(bytes) => response.body = bytes,
        Err(why) => {
            let why = format!("{}: {why}", file.display());
            return Response::text("500 Internal Server Error", why);
        }
    }
    response.header("ETag", etag)
}

fn mime_of(file: &Path) -> &'static str {
    match file
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
    {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
