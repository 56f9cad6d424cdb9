//! Which address leads where.

use crate::concurrency_limit::ConcurrencyLimit;
use crate::fleet::FleetSite;
use crate::http::{Request, Response};
use crate::{Jobs, Token, index};
use diya_page as page;
use diya_page::timeline::{Answer, Question};
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is served.
#[derive(Clone, Copy)]
pub struct Site<'s> {
    /// Jobs with a page of their own.
    pub jobs: &'s Jobs,
    /// The dataset that they come from.
    pub fleet: Option<&'s FleetSite>,
    /// The secret of all addresses.
    pub token: &'s Token,
}

/// The response to a request that was let in; `None`: nobody waits for it any more.
pub fn answer(
    site: Site<'_>,
    turns: &ConcurrencyLimit,
    request: &Request,
    is_gone: &dyn Fn() -> bool,
) -> Option<Response> {
    let jobs = site.jobs;
    let parts: Vec<&str> = request.path.split('/').skip(1).collect();
    let answer = match (request.method.as_str(), parts.as_slice()) {
        ("POST", ["r", number, "api"]) if jobs.number(number).is_some() => {
            let number = jobs.number(number).unwrap_or(0);
            match Question::parse(&request.body) {
                Ok(question) => {
                    let _turn = turns.wait(&question);
                    // A page in motion gives up what it asked for: another picture is wanted by now.
                    if is_gone() {
                        return None;
                    }
                    let held = || jobs.held(number).answer_cancellable(&question, Some(is_gone));
                    guarded(held)
                }
                Err(text) => Answer::error(&text),
            }
        }
        ("POST", ["fleet"]) => {
            let _turn = turns.wait_for_fleet(FleetSite::is_slow(&request.body));
            if is_gone() {
                return None;
            }
            guarded(|| match site.fleet {
                Some(fleet) => fleet.answer(&request.body, is_gone),
                None => index::answer(jobs, &request.body),
            })
        }
        _ => return Some(other(site, request, &parts)),
    };
    Some(Response::new("application/octet-stream", answer.into_parts().into()))
}

fn other(site: Site<'_>, request: &Request, parts: &[&str]) -> Response {
    let Site { jobs, fleet, token } = site;
    match (request.method.as_str(), parts) {
        ("GET" | "HEAD", [""]) if fleet.is_none() && jobs.len() == 1 && !jobs.is_folder() => {
            to_job(0, token)
        }
        ("GET" | "HEAD", [""]) => {
            let title = fleet.map_or("diya", FleetSite::title);
            html(page::fleet_policy(), page::served_fleet_page(title))
        }
        ("GET" | "HEAD", ["log"]) => of_path(site, request),
        ("GET" | "HEAD", ["r", number, ""]) => match jobs.name(number) {
            Some(name) => html(page::policy(), page::served_page(&name)),
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

/// The page of the job whose log lies at `path`, or why there is none.
fn of_path(site: Site<'_>, request: &Request) -> Response {
    let (Some(fleet), Some(path)) = (site.fleet, request.decoded("path")) else { return nothing() };
    match fleet.check_log(&path) {
        Ok(()) => to_job(site.jobs.number_of_path(&path), site.token),
        Err(gone) => {
            // Style only: nothing else is in it.
            let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                          form-action 'none'";
            let (path, reason) = (page::html_text(&path), page::html_text(&gone.to_string()));
            let token = site.token.text();
            let body = format!(
                "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
                 <meta name=\"viewport\" content=\"width=device-width\"><title>diya</title>\
                 <style>:root {{ color-scheme: light dark; }} body {{ font: 16px/1.5 system-ui, \
                 sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; \
                 overflow-wrap: anywhere; }}</style></head><body><h1>This log cannot be shown</h1>\
                 <p>{reason}</p><p><code>{path}</code></p>\
                 <p><a href=\"/?token={token}\">All jobs</a></p></body></html>\n"
            );
            Response { status: 404, ..html(Some(policy.to_owned()), body.into_bytes()) }
        }
    }
}

fn to_job(number: usize, token: &Token) -> Response {
    let location = format!("/r/{number}/?token={}", token.text());
    let headers = vec![("Location", location)];
    Response { status: 302, headers, ..Response::text(302, "the page of the job") }
}

/// What breaks on one log must not take the page of another one with it: nothing is shared
/// that could be left half done. A page that gives a query up closes the connection: the
/// engine stops then.
fn guarded(answer: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| {
        Answer::error("internal error; details are in the terminal where diya runs")
    })
}

fn nothing() -> Response {
    Response::text(404, "there is nothing here")
}

fn html(policy: Option<String>, body: Vec<u8>) -> Response {
    // Only a header can say who may frame a page.
    let policy = policy.map(|policy| format!("{policy}; frame-ancestors 'none'"));
    let headers = policy.into_iter().map(|policy| ("Content-Security-Policy", policy)).collect();
    Response { headers, ..Response::new("text/html; charset=utf-8", vec![body]) }
}
