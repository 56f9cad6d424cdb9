//! Who may ask.

use crate::Token;
use crate::http::{Request, Response};

/// `Some`: the request is turned away with this.
///
/// The Host has to be a name of this machine, on any port (a tunnel may use
/// another): a page of somebody else's that lets its own name mean 127.0.0.1
/// sends that name. An Origin, where there is one, likewise.
pub fn turn_away(request: &Request, token: &Token) -> Option<Response> {
    if !request.header("host").is_some_and(is_this_machine) {
        return Some(Response::text(403, "this server answers to 127.0.0.1 and localhost only"));
    }
    let origin = request.header("origin").and_then(|origin| origin.strip_prefix("http://"));
    if request.header("origin").is_some() && !origin.is_some_and(is_this_machine) {
        return Some(Response::text(403, "requests from other pages are refused"));
    }
    // A header cannot come from a link; the page itself is opened by a link.
    let is_known = match request.method.as_str() {
        "GET" => request.query("token").is_some_and(|text| token.is(text)),
        _ => request.header("x-diya-token").is_some_and(|text| token.is(text)),
    };
    if is_known {
        return None;
    }
    Some(Response::text(401, "the token is missing: open the whole address that diya printed"))
}

fn is_this_machine(host: &str) -> bool {
    let (name, port) = match host.strip_prefix("[::1]") {
        Some(rest) => ("::1", rest.strip_prefix(':')),
        None => match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    matches!(name, "127.0.0.1" | "localhost" | "::1")
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &str, target: &str, headers: &[(&str, &str)], token: &Token) -> Option<u16> {
        turn_away(&Request::made_up(method, target, headers), token).map(|r| r.status)
    }

    #[test]
    fn names_of_this_machine_pass_on_any_port() {
        for host in ["127.0.0.1:80", "localhost", "localhost:8888", "[::1]:1", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:80", "127.0.0.1:x", "127.0.0.2", ""] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn a_request_needs_the_token_and_a_name_of_this_machine() {
        let token = Token::new().unwrap();
        let right = format!("/?token={}", token.text());
        let host = ("host", "127.0.0.1:1234");
        assert_eq!(status("GET", &right, &[host], &token), None);
        assert_eq!(status("GET", "/", &[host], &token), Some(401));
        assert_eq!(status("GET", "/?token=0", &[host], &token), Some(401));
        assert_eq!(status("GET", &right, &[("host", "evil.example")], &token), Some(403));
        assert_eq!(status("GET", &right, &[], &token), Some(403));
        let header = ("x-diya-token", token.text());
        assert_eq!(status("POST", "/r/0/api", &[host, header], &token), None);
        assert_eq!(status("POST", &right, &[host], &token), Some(401), "not by a link");
        let origin = ("origin", "http://evil.example");
        assert_eq!(status("POST", "/r/0/api", &[host, header, origin], &token), Some(403));
        let origin = ("origin", "http://localhost:99");
        assert_eq!(status("POST", "/r/0/api", &[host, header, origin], &token), None);
    }
}
