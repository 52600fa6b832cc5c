use std::io::Read as _;

use super::*;

struct Fixture {
    home: std::path::PathBuf,
    site: Arc<Site>,
}

impl Fixture {
    fn new(name: &str) -> Self {
        let home =
            std::env::temp_dir().join(format!("portolan-serve-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&home);
        paths::write(&home.join("dist/index.html"), "<html>").expect("a page");
        paths::write(&home.join("dist/a.js"), "let a").expect("a script");
        let site = Site::new(home.join("site"));
        site.show(&home.join("dist"), &["onnx"]).expect("a copy");
        Self {
            home,
            site: Arc::new(site),
        }
    }

    fn get(&self, path: &str) -> Response {
        respond(&request(path), &self.site)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

fn request(path: &str) -> Request {
    Request {
        method: "GET".to_owned(),
        path: path.to_owned(),
        host: Some("localhost:8080".to_owned()),
        ..Request::default()
    }
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    let mut headers = response.headers.iter();
    let (_, value) = headers.find(|(header, _)| *header == name)?;
    Some(value)
}

#[test]
fn wasm_is_sent_as_wasm() {
    assert_eq!(mime_of(Path::new("engine_bg.wasm")), "application/wasm");
}

#[test]
fn a_second_request_for_the_same_bytes_sends_none() {
    let fixture = Fixture::new("etag");
    let first = fixture.get("/a.js");
    assert_eq!((first.status, &*first.body), ("200 OK", &b"let a"[..]));
    assert!(
        first
            .head()
            .contains("Cross-Origin-Embedder-Policy: require-corp")
    );
    let mut again = request("/a.js");
    again.etag = header(&first, "ETag").map(str::to_owned);
    let second = respond(&again, &fixture.site);
    assert_eq!((second.status, second.body.len()), ("304 Not Modified", 0));
}

#[test]
fn a_page_of_another_name_is_refused() {
    let fixture = Fixture::new("host");
    let mut foreign = request("/");
    foreign.host = Some("evil.example:8080".to_owned());
    assert_eq!(respond(&foreign, &fixture.site).status, "403 Forbidden");
    foreign.host = None;
    assert_eq!(respond(&foreign, &fixture.site).status, "400 Bad Request");
    let mut post = request("/");
    post.method = "POST".to_owned();
    assert_eq!(
        respond(&post, &fixture.site).status,
        "405 Method Not Allowed"
    );
}

#[test]
fn what_is_still_made_is_told_in_words() {
    let fixture = Fixture::new("pending");
    let response = fixture.get("/wasm/onnx_bg.wasm");
    assert_eq!(response.status, "503 Service Unavailable");
    assert_eq!(header(&response, "Retry-After"), Some("60"));
    let text = String::from_utf8(response.body).expect("a sentence");
    assert!(text.contains("onnx.wasm is still being made"), "{text}");
    assert_eq!(fixture.get("/gone.js").status, "404 Not Found");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_an_answer() {
    let fixture = Fixture::new("unreadable");
    // It is found, and gone when it is read.
    let gone = fixture.home.join("gone.js");
    let response = send_file(&request("/gone.js"), &fixture.site, &gone);
    assert_eq!(response.status, "500 Internal Server Error");
}

#[test]
fn several_requests_share_a_connection_and_nonsense_is_answered() {
    let fixture = Fixture::new("connection");
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("an address");
    let site = Arc::clone(&fixture.site);
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a connection");
        answer(stream, &site)
    });
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = "Host: localhost\r\n\r\n";
    let sent = format!("GET /a.js HTTP/1.1\r\n{head}HEAD /a.js HTTP/1.1\r\n{head}nonsense\r\n\r\n");
    stream.write_all(sent.as_bytes()).expect("requests");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("answers");
    let statuses: Vec<_> = text.matches("HTTP/1.1 ").collect();
    assert_eq!(statuses.len(), 3, "{text}");
    assert_eq!(text.matches("let a").count(), 1, "{text}");
    assert!(text.contains("HTTP/1.1 400 Bad Request"), "{text}");
    server.join().expect("the server").expect("no error");
}
