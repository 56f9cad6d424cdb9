//! Which address leads where.

use crate::concurrency_limit::ConcurrencyLimit;
use crate::http::{Request, Response};
use crate::{Jobs, Token, index};
use diya_page as page;
use diya_page::timeline::{Answer, Question};
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The response to a request that was let in; `None`: nobody waits for it any more.
pub fn answer(
    (jobs, turns): (&Jobs, &ConcurrencyLimit),
    token: &Token,
    request: &Request,
    is_gone: &dyn Fn() -> bool,
) -> Option<Response> {
    let parts: Vec<&str> = request.path.split('/').skip(1).collect();
    if let ("POST", ["r", number, "api"]) = (request.method.as_str(), parts.as_slice())
        && let Some(number) = jobs.number(number)
    {
        let answer = match Question::parse(&request.body) {
            Ok(question) => {
                let _turn = turns.wait(&question);
                // A page in motion gives up what it asked for: another picture is wanted by now.
                if is_gone() {
                    return None;
                }
                asked(jobs, number, &question, is_gone)
            }
            Err(text) => Answer::error(&text),
        };
        return Some(Response::new("application/octet-stream", answer.into_parts().into()));
    }
    Some(other(jobs, token, request, &parts))
}

fn other(jobs: &Jobs, token: &Token, request: &Request, parts: &[&str]) -> Response {
    match (request.method.as_str(), parts) {
        ("GET" | "HEAD", [""]) if jobs.len() == 1 && !jobs.is_folder() => {
            let location = format!("/r/0/?token={}", token.text());
            let headers = vec![("Location", location)];
            Response { status: 302, headers, ..Response::text(302, "/r/0/") }
        }
        ("GET" | "HEAD", [""]) => {
            // A number that leads to no job is as none.
            let first = request.query("first").and_then(|text| jobs.number(text));
            let page = index::page(jobs, token, first);
            let headers = vec![("Content-Security-Policy", index::POLICY.to_owned())];
            Response { headers, ..Response::new("text/html; charset=utf-8", vec![page]) }
        }
        ("GET" | "HEAD", ["r", number, ""]) => match jobs.name(number) {
            Some(name) => report_page(&name),
            None => nothing(),
        },
        // What there is to compare a job with.
        ("POST", ["api"]) => {
            let list = json!({ "jobs": if jobs.len() > 1 { jobs.list() } else { json!([]) } });
            let body = Answer::default().with_head(&list);
            Response::new("application/octet-stream", body.into_parts().into())
        }
        ("GET" | "HEAD" | "POST", _) => nothing(),
        _ => Response::text(405, "GET and POST only"),
    }
}

/// The answer to a question about a job. What breaks on one log must not take
/// the page of another one with it: nothing is shared that could be left half done.
fn asked(jobs: &Jobs, number: usize, question: &Question, is_gone: &dyn Fn() -> bool) -> Answer {
    // A page that gives a query up closes the connection: the engine stops then.
    let answer = || jobs.held(number).answer_cancellable(question, Some(is_gone));
    let answered = catch_unwind(AssertUnwindSafe(answer));
    answered.unwrap_or_else(|_| {
        Answer::error("internal error; details are in the terminal where diya runs")
    })
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
