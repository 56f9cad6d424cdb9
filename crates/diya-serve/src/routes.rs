//! Which address leads where.

use crate::http::{Request, Response};
use crate::{Jobs, Token, guard, index};
use diya::page;

/// The response to a request.
pub fn answer(jobs: &Jobs, token: &Token, request: &Request) -> Response {
    if let Some(away) = guard::turn_away(request, token) {
        return away;
    }
    let parts: Vec<&str> = request.path.split('/').skip(1).collect();
    match (request.method.as_str(), parts.as_slice()) {
        ("GET" | "HEAD", [""]) if jobs.len() == 1 && !jobs.is_folder() => {
            let location = format!("/r/0/?token={}", token.text());
            let headers = vec![("Location", location)];
            Response { status: 302, headers, ..Response::text(302, "/r/0/") }
        }
        ("GET" | "HEAD", [""]) => {
            let page = index::page(jobs, token);
            let headers = vec![("Content-Security-Policy", index::POLICY.to_owned())];
            Response { headers, ..Response::new("text/html; charset=utf-8", vec![page]) }
        }
        ("GET" | "HEAD", ["r", number, ""]) => match jobs.name(number) {
            Some(name) => report_page(&name),
            None => nothing(),
        },
        ("POST", ["r", number, "api"]) => match jobs.number(number) {
            Some(number) => {
                let body = match jobs.held(number) {
                    Ok(held) => held.answer(&request.body),
                    Err(error) => page::timeline::Answer::error(&error.to_string()),
                };
                let parts = body.parts().map(<[u8]>::to_vec).to_vec();
                Response::new("application/octet-stream", parts)
            }
            None => nothing(),
        },
        ("GET" | "HEAD" | "POST", _) => nothing(),
        _ => Response::text(405, "GET and POST only"),
    }
}

fn nothing() -> Response {
    Response::text(404, "there is nothing here")
}

fn report_page(name: &str) -> Response {
    // Only a header can say who may frame a page.
    let policy = page::policy().map(|policy| format!("{policy}; frame-ancestors 'none'"));
    let headers = policy.into_iter().map(|policy| ("Content-Security-Policy", policy)).collect();
    let body = vec![page::served_page(name)];
    Response { headers, ..Response::new("text/html; charset=utf-8", body) }
}
