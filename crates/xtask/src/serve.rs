//! The page on localhost: set up, build, and a file server of its own, which sends the MIME types and headers that
//! streaming compilation and shared memory ask for.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use crate::build;
use crate::paths;
use crate::shell::{Result, say};

/// Builds the page and serves it until the process is stopped.
pub fn run(port: u16) -> Result<()> {
    let targets = [
        "grammars", "engine", "onnx", "reader", "seal", "hnsw", "pkg", "www",
    ]
    .map(str::to_owned);
    build::run(&targets, build::Options::default())?;
    let root = paths::root().join("www/dist");
    let listener = TcpListener::bind(("127.0.0.1", port))
        .map_err(|e| format!("port {port}: {e}; try --port"))?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    say(&format!(
        "\nPortolan is at http://{address}/ (Ctrl-C ends it)"
    ));
    for stream in listener.incoming().flatten() {
        let root = root.clone();
        std::thread::spawn(move || answer(stream, &root));
    }
    Ok(())
}

/// Answers requests of one connection until the browser closes it.
fn answer(mut stream: TcpStream, root: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?);
    loop {
        let request = read_head(&mut lines)?;
        let response = respond(&request, root);
        stream.write_all(response.head.as_bytes()).ok()?;
        if request.method != "HEAD" {
            stream.write_all(&response.body).ok()?;
        }
        stream.flush().ok()?;
    }
}

struct Request {
    method: String,
    path: String,
    etag: Option<String>,
}

struct Response {
    head: String,
    body: Vec<u8>,
}

fn read_head(lines: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    lines.read_line(&mut line).ok().filter(|&n| n > 0)?;
    let mut words = line.split_whitespace();
    let mut request = Request {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        etag: None,
    };
    loop {
        let mut header = String::new();
        lines.read_line(&mut header).ok().filter(|&n| n > 0)?;
        let header = header.trim();
        if header.is_empty() {
            return Some(request);
        }
        match header.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("if-none-match") => {
                request.etag = Some(value.trim().to_owned())
            }
            _ => {}
        }
    }
}

fn respond(request: &Request, root: &Path) -> Response {
    if request.method != "GET" && request.method != "HEAD" {
        return response(
            "405 Method Not Allowed",
            "text/plain",
            "",
            b"only GET and HEAD".to_vec(),
        );
    }
    let Some(file) = file_of(&request.path, root) else {
        return response("404 Not Found", "text/plain", "", b"no such file".to_vec());
    };
    let Ok(body) = std::fs::read(&file) else {
        return response("404 Not Found", "text/plain", "", b"no such file".to_vec());
    };
    let etag = format!(
        "\"{}\"",
        crate::digest::Digest::default()
            .part("body", &body)
            .finish()
    );
    let mime = mime_of(&file);
    if request.etag.as_deref() == Some(&etag) {
        return response("304 Not Modified", mime, &etag, Vec::new());
    }
    response("200 OK", mime, &etag, body)
}

fn response(status: &str, mime: &str, etag: &str, body: Vec<u8>) -> Response {
    let etag = if etag.is_empty() {
        String::new()
    } else {
        format!("ETag: {etag}\r\n")
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\n{etag}Cache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Embedder-Policy: require-corp\r\n\r\n",
        body.len()
    );
    Response { head, body }
}

/// The file that a request path names. A path without an extension is a place inside the page.
fn file_of(path: &str, root: &Path) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = decode(path)?;
    let relative = path.trim_start_matches('/');
    if relative
        .split(['/', '\\'])
        .any(|part| part == ".." || part.contains('\0'))
    {
        return None;
    }
    let file = root.join(relative);
    if file.is_dir() {
        return Some(file.join("index.html"));
    }
    if file.extension().is_none() && !file.exists() {
        return Some(root.join("index.html"));
    }
    Some(file)
}

/// `%41` → `A`; nothing when the result is not UTF-8.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
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
mod tests {
    use super::*;

    #[test]
    fn requests_stay_below_the_root() {
        let root = Path::new("/nowhere/dist");
        assert_eq!(file_of("/../secret", root), None);
        assert_eq!(file_of("/%2e%2e/secret", root), None);
        assert_eq!(file_of("/a%20b.js?v=1", root), Some(root.join("a b.js")));
        assert_eq!(file_of("/repo/search", root), Some(root.join("index.html")));
        assert_eq!(file_of("/gone.wasm", root), Some(root.join("gone.wasm")));
    }

    #[test]
    fn wasm_is_sent_as_wasm() {
        assert_eq!(mime_of(Path::new("engine_bg.wasm")), "application/wasm");
    }

    #[test]
    fn a_second_request_for_the_same_bytes_sends_none() {
        let root = std::env::temp_dir().join(format!("portolan-serve-{}", std::process::id()));
        paths::write(&root.join("a.js"), "let a").expect("a file");
        let mut request = Request {
            method: "GET".into(),
            path: "/a.js".into(),
            etag: None,
        };
        let first = respond(&request, &root);
        assert_eq!(first.body, b"let a");
        let tag = first
            .head
            .lines()
            .find_map(|line| line.strip_prefix("ETag: "))
            .expect("an ETag");
        request.etag = Some(tag.to_owned());
        let second = respond(&request, &root);
        std::fs::remove_dir_all(&root).expect("the folder of the test");
        assert!(second.head.starts_with("HTTP/1.1 304"), "{}", second.head);
        assert!(second.body.is_empty());
    }
}
