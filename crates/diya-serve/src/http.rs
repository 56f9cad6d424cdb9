//! As much HTTP/1.1 as a browser on the same machine needs: requests with a
//! length, responses with a length, connections that stay.

use flate2::{Compression, write::GzEncoder};
use std::io::{self, BufWriter, Read as _, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of a request's head.
const MAX_HEAD: usize = 64 << 10;
/// Bytes of a request's body: an order of a million ranks is 8 MB.
const MAX_BODY: usize = 32 << 20;
/// A connection that is silent for so long is closed.
const SILENCE: Duration = Duration::from_secs(60);
/// Until a request was let in, its head has to be here within this time: who has
/// no token must not be able to keep all connections busy.
const PATIENCE: Duration = Duration::from_secs(5);
/// Above so many bytes an answer is sent as it is: on one machine packing costs
/// more than it saves, and a tunnel packs by itself (`ssh -C`).
const MAX_PACKED: usize = 4 << 20;

/// A request.
#[derive(Debug)]
pub struct Request {
    /// GET, POST, ...
    pub method: String,
    /// Path, without the query.
    pub path: String,
    query: String,
    headers: Vec<(String, String)>,
    /// What was sent.
    pub body: Vec<u8>,
}

impl Request {
    /// A header, by its name in small letters; `None` also when it came twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let first = found.next();
        first.filter(|_| found.next().is_none()).map(|(_, value)| value.as_str())
    }

    /// A value of the query; it is not decoded, as a token needs none.
    pub fn query(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// A value of the query as text, percent signs decoded; `None`: it is not there, or is
    /// no text.
    pub fn decoded(&self, name: &str) -> Option<String> {
        let value = percent_encoding::percent_decode_str(self.query(name)?);
        value.decode_utf8().ok().map(std::borrow::Cow::into_owned)
    }

    fn new(method: &str, target: &str, headers: Vec<(String, String)>) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        Self { method: method.to_owned(), path, query, headers, body: Vec::new() }
    }

    #[cfg(test)]
    pub fn made_up(method: &str, target: &str, headers: &[(&str, &str)]) -> Self {
        let owned = headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Self::new(method, target, owned.collect())
    }
}

/// A response.
#[derive(Debug)]
pub struct Response {
    /// 200, 401, ...
    pub status: u16,
    /// Type of the body.
    pub content_type: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// Parts of the body, one behind the other.
    pub body: Vec<Vec<u8>>,
}

impl Response {
    /// Bytes of a type.
    pub fn new(content_type: &'static str, body: Vec<Vec<u8>>) -> Self {
        Self { status: 200, content_type, headers: Vec::new(), body }
    }

    /// A sentence.
    pub fn text(status: u16, text: &str) -> Self {
        let body = vec![format!("{text}\n").into_bytes()];
        Self { status, ..Self::new("text/plain; charset=utf-8", body) }
    }
}

/// What a request could not be.
enum Fault {
    /// The connection ended or broke.
    Gone,
    /// Turned away with a status and a word.
    Bad(u16, &'static str),
    /// Not let in.
    Away(Response),
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// Answers a request; it can ask whether the other side has gone away.
type Answer<'a> = dyn Fn(&Request, &dyn Fn() -> bool) -> Option<Response> + 'a;

/// Answers the requests of a connection, one after the other.
///
/// `turn_away` gets the head of each before its body is read: a client without the token
/// cannot make the server read 32 MB. Without a response the connection ends.
pub fn converse(
    mut stream: TcpStream,
    turn_away: &dyn Fn(&Request) -> Option<Response>,
    answer: &Answer<'_>,
) -> io::Result<()> {
    stream.set_write_timeout(Some(SILENCE))?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    let mut wait = PATIENCE;
    loop {
        match next(&mut stream, &mut buffer, wait, turn_away) {
            Ok(request) => {
                wait = SILENCE;
                let is_last = request.header("connection").is_some_and(|c| c.contains("close"));
                let packs = request.header("accept-encoding").is_some_and(|e| e.contains("gzip"));
                let Some(response) = answer(&request, &|| is_gone(&stream)) else { return Ok(()) };
                send(&mut stream, response, packs, is_last, request.method == "HEAD")?;
                if is_last {
                    return Ok(());
                }
            }
            Err(Fault::Gone) => return Ok(()),
            Err(Fault::Bad(status, word)) => {
                return send(&mut stream, Response::text(status, word), false, true, false);
            }
            Err(Fault::Away(response)) => return send(&mut stream, response, false, true, false),
        }
    }
}

/// Whether the other side has closed the connection.
fn is_gone(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return false;
    }
    let is_gone = match stream.peek(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    };
    stream.set_nonblocking(false).is_err() || is_gone
}

/// Reads the next request; what comes behind it stays in the buffer.
fn next(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
    wait: Duration,
    turn_away: &dyn Fn(&Request) -> Option<Response>,
) -> Result<Request, Fault> {
    let latest = Instant::now() + wait;
    let (mut request, head_len) = loop {
        if let Some(found) = parse(buffer)? {
            break found;
        }
        if buffer.len() > MAX_HEAD {
            return Err(Fault::Bad(431, "the head of the request is too long"));
        }
        // The rest of the time, not each time all of it: a byte now and then
        // would keep the connection for hours.
        let left = latest.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        read_more(stream, buffer, 16 << 10)?;
    };
    if let Some(response) = turn_away(&request) {
        return Err(Fault::Away(response));
    }
    stream.set_read_timeout(Some(SILENCE))?;
    if request.header("transfer-encoding").is_some() {
        return Err(Fault::Bad(411, "the length of the body is missing"));
    }
    let has_length = request.headers.iter().any(|(name, _)| name == "content-length");
    let length = match request.header("content-length").map(str::parse::<usize>) {
        Some(Ok(length)) => length,
        None if !has_length => 0,
        _ => return Err(Fault::Bad(400, "the length is not a number")),
    };
    if length > MAX_BODY {
        return Err(Fault::Bad(413, "the request is too long"));
    }
    while buffer.len() < head_len + length {
        let missing = head_len + length - buffer.len();
        read_more(stream, buffer, missing)?;
    }
    let rest = buffer.split_off(head_len + length);
    request.body = buffer.split_off(head_len);
    *buffer = rest;
    Ok(request)
}

/// One read of at most so many bytes.
fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>, most: usize) -> Result<(), Fault> {
    let before = buffer.len();
    buffer.resize(before + most.min(64 << 10), 0);
    let read = stream.read(&mut buffer[before..]);
    buffer.truncate(before + *read.as_ref().unwrap_or(&0));
    if read? == 0 { Err(Fault::Gone) } else { Ok(()) }
}

/// The head of a request, and its length; `None`: it is not all here.
fn parse(buffer: &[u8]) -> Result<Option<(Request, usize)>, Fault> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(buffer) {
        Ok(httparse::Status::Complete(length)) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let headers = parsed.headers.iter();
            let headers = headers.map(|h| (h.name.to_ascii_lowercase(), text(h.value))).collect();
            let (method, path) = (parsed.method.unwrap_or(""), parsed.path.unwrap_or(""));
            Ok(Some((Request::new(method, path, headers), length)))
        }
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => Err(Fault::Bad(400, "this is no HTTP request")),
    }
}

fn send(
    stream: &mut TcpStream,
    response: Response,
    packs: bool,
    is_last: bool,
    is_head: bool,
) -> io::Result<()> {
    let Response { status, content_type, mut headers, mut body } = response;
    let length: usize = body.iter().map(Vec::len).sum();
    if packs && (1 << 10..MAX_PACKED).contains(&length) {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        body.iter().try_for_each(|part| packer.write_all(part))?;
        body = vec![packer.finish()?];
        headers.push(("Content-Encoding", "gzip".to_owned()));
    }
    let length: usize = body.iter().map(Vec::len).sum();
    let mut out = BufWriter::new(stream);
    write!(out, "HTTP/1.1 {status} {}\r\n", reason(status))?;
    write!(out, "Content-Type: {content_type}\r\nContent-Length: {length}\r\n")?;
    // Answers are of one person's data: nothing keeps them, frames them, or
    // learns the address that they came from.
    for (name, value) in [
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Connection", if is_last { "close" } else { "keep-alive" }),
    ] {
        write!(out, "{name}: {value}\r\n")?;
    }
    headers.iter().try_for_each(|(name, value)| write!(out, "{name}: {value}\r\n"))?;
    out.write_all(b"\r\n")?;
    if !is_head {
        body.iter().try_for_each(|part| out.write_all(part))?;
    }
    out.flush()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Error",
    }
}
