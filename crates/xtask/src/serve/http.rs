//! As much of HTTP/1.1 as a page on this machine needs: heads of requests in, whole responses out. Everything that goes
//! wrong is an answer.

use std::io::{BufRead, Read as _};

/// The longest line of a head, and the most lines. Browsers stay far below.
const MAX_LINE: u64 = 16 * 1024;
const MAX_LINES: usize = 100;

/// A parsed request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, or another that is refused.
    pub method: String,
    /// The target, still encoded.
    pub path: String,
    /// The host that the browser believes to talk to.
    pub host: Option<String>,
    /// The version that the browser has.
    pub etag: Option<String>,
    /// The value of `Accept-Encoding`.
    pub encodings: String,
    /// A body follows the head.
    pub has_body: bool,
}

/// Why no request could be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The connection has ended; no client waits for an answer.
    Closed,
    /// The answer to what came instead.
    Answer(&'static str, &'static str),
}

/// A whole response.
#[derive(Debug)]
pub struct Response {
    /// Status and reason: `200 OK`.
    pub status: &'static str,
    /// Media type.
    pub mime: &'static str,
    /// Further lines of the head.
    pub headers: Vec<(&'static str, String)>,
    /// Empty for what needs none.
    pub body: Vec<u8>,
}

/// Reads the head of a request. A request with a body is refused: nothing here takes one.
pub fn read_head(lines: &mut impl BufRead) -> Result<Request, Refusal> {
    let first = read_line(lines)?;
    let mut words = first.split_whitespace();
    let (Some(method), Some(path), Some(version)) = (words.next(), words.next(), words.next())
    else {
        return Err(Refusal::Answer("400 Bad Request", "no request line"));
    };
    if !version.starts_with("HTTP/1.") {
        return Err(Refusal::Answer(
            "505 HTTP Version Not Supported",
            "only HTTP/1.1",
        ));
    }
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        ..Request::default()
    };
    for _ in 0..MAX_LINES {
        let line = read_line(lines)?;
        if line.is_empty() {
            return match request.has_body {
                false => Ok(request),
                true => Err(Refusal::Answer(
                    "413 Content Too Large",
                    "no request may have a body here",
                )),
            };
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(Refusal::Answer(
                "400 Bad Request",
                "a header without a colon",
            ));
        };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => request.host = Some(value.to_owned()),
            "if-none-match" => request.etag = Some(value.to_owned()),
            "accept-encoding" => request.encodings = value.to_owned(),
            "content-length" => request.has_body |= value != "0",
            "transfer-encoding" => request.has_body = true,
            _ => {}
        }
    }
    Err(Refusal::Answer(
        "431 Request Header Fields Too Large",
        "too many headers",
    ))
}

fn read_line(lines: &mut impl BufRead) -> Result<String, Refusal> {
    let mut line = Vec::new();
    let read = lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
    match read {
        // A browser that keeps a connection and asks nothing more has had its answers.
        Err(_) | Ok(0) => Err(Refusal::Closed),
        Ok(_) if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE => Err(Refusal::Answer(
            "431 Request Header Fields Too Large",
            "a line of the head is too long",
        )),
        Ok(_) => match String::from_utf8(line) {
            Ok(line) => Ok(line.trim_end_matches(['\r', '\n']).to_owned()),
            Err(_) => Err(Refusal::Answer("400 Bad Request", "the head is not UTF-8")),
        },
    }
}

/// Is `host` a name of this machine? A page elsewhere whose name resolves to 127.0.0.1 would otherwise read everything
/// here as its own (DNS rebinding).
pub fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|local| name.eq_ignore_ascii_case(local))
}

/// Does `header`, an `Accept-Encoding`, take `encoding`? A weight of zero says no.
pub fn takes(header: &str, encoding: &str) -> bool {
    header.split(',').any(|part| {
        let mut parts = part.split(';');
        let name = parts.next().unwrap_or_default().trim();
        let weight = parts.find_map(|part| part.trim().strip_prefix("q="));
        let is_refused = weight.is_some_and(|weight| weight.trim().parse() == Ok(0.0_f32));
        name.eq_ignore_ascii_case(encoding) && !is_refused
    })
}

impl Response {
    /// A sentence for a person.
    pub fn text(status: &'static str, body: impl Into<String>) -> Self {
        Self {
            status,
            mime: "text/plain; charset=utf-8",
            headers: Vec::new(),
            body: body.into().into_bytes(),
        }
    }

    /// Adds a line to the head.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Status line and headers. The page shares memory between threads, for which browsers ask to be alone.
    pub fn head(&self) -> String {
        let more: String = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{more}Cache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cross-Origin-Embedder-Policy: require-corp\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n",
            self.status,
            self.mime,
            self.body.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, Refusal> {
        read_head(&mut text.as_bytes())
    }

    #[test]
    fn a_head_is_read() {
        let text = "GET /a HTTP/1.1\r\nHost: localhost:8080\r\nAccept-Encoding: gzip, br\r\nIf-None-Match: \"x\"\r\n\r\n";
        let request = read(text).expect("a request");
        assert_eq!((&*request.method, &*request.path), ("GET", "/a"));
        assert_eq!(request.host.as_deref(), Some("localhost:8080"));
        assert_eq!(request.etag.as_deref(), Some("\"x\""));
        assert_eq!(request.encodings, "gzip, br");
    }

    #[test]
    fn what_is_no_request_is_answered() {
        let status = |text: &str| match read(text) {
            Err(Refusal::Answer(status, _)) => status.to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(status("GET\r\n\r\n"), "400 Bad Request");
        assert_eq!(
            status("GET / SSH-2\r\n\r\n"),
            "505 HTTP Version Not Supported"
        );
        assert_eq!(
            status("GET / HTTP/1.1\r\nnonsense\r\n\r\n"),
            "400 Bad Request"
        );
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
        assert!(status(&long).starts_with("431"));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(200));
        assert!(status(&many).starts_with("431"));
        let body = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd";
        assert!(status(body).starts_with("413"));
        assert_eq!(read(""), Err(Refusal::Closed));
        assert_eq!(read("GET / HTTP/1.1\r\nHost: a"), Err(Refusal::Closed));
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in [
            "localhost",
            "localhost:8080",
            "127.0.0.1:1",
            "[::1]",
            "[::1]:8080",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn a_weight_of_zero_refuses_an_encoding() {
        assert!(takes("gzip, deflate, br", "br"));
        assert!(takes("br;q=0.5", "br"));
        assert!(!takes("br;q=0, gzip", "br"));
        assert!(!takes("brotli", "br"));
        assert!(!takes("", "gzip"));
    }
}
