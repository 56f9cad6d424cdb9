//! The list of jobs: a page without script.

use crate::jobs::Known;
use crate::{Jobs, Token};
use std::fmt::Write as _;

/// What the list may do: show itself, in its own style.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid #8884; }
.choosing { border-left: 4px solid #3b7bbf; padding: .3rem .8rem; overflow-wrap: anywhere; }
.compare { white-space: nowrap; }
td:first-child { overflow-wrap: anywhere; min-width: 16rem; }
.high { color: #c62f3e; font-weight: 600; } .warn { color: #a66300; font-weight: 600; } .soft { opacity: .7; }
";

/// The page. `first`: the job that is to be compared with another one, to be chosen.
///
/// Links, not boxes to be ticked: the page loads itself anew while jobs are judged, and
/// what was chosen stands in its address.
pub fn page(jobs: &Jobs, token: &Token, first: Option<usize>) -> Vec<u8> {
    let mut rows = String::new();
    let mut waiting = 0;
    let secret = token.text();
    for number in 0..jobs.len() {
        let name = diya::report::html_text(&jobs.name_of(number));
        let (class, worst, text) = match jobs.known(number) {
            Known::Nothing => {
                waiting += 1;
                ("soft", "", "not judged yet".to_owned())
            }
            Known::Refused(reason) => ("soft", "not read", reason),
            Known::Judged { verdict, worst, findings } => {
                let worst = if findings == 0 { None } else { worst };
                let text = verdict.text.clone();
                (worst.unwrap_or("soft"), worst.unwrap_or("nothing to fix"), text)
            }
        };
        let compare = match first {
            _ if jobs.len() < 2 => String::new(),
            None => format!("<a href=\"/?token={secret}&amp;first={number}\">Compare</a>"),
            Some(first) if first == number => "first".to_owned(),
            Some(first) => format!(
                "<a href=\"/r/{first}/?token={secret}#compare?o.compare.with={number}\">\
                 with this one</a>"
            ),
        };
        // Writing to a text cannot fail.
        let _ = writeln!(
            rows,
            "<tr><td><a href=\"/r/{number}/?token={secret}\">{name}</a></td>\
             <td class=\"{class}\">{worst}</td><td>{}</td><td class=\"compare\">{compare}</td></tr>",
            diya::report::html_text(&text)
        );
    }
    let again = match waiting {
        0 => "",
        _ => "<meta http-equiv=\"refresh\" content=\"3\">",
    };
    let state = match waiting {
        0 => format!("{} jobs", jobs.len()),
        waiting => format!("{} jobs, {waiting} not judged yet", jobs.len()),
    };
    let choosing = match first {
        None => String::new(),
        Some(first) => format!(
            "<p class=\"choosing\" role=\"status\">Compare <strong>{}</strong> with which one? \
             <a href=\"/?token={secret}\">With none</a></p>",
            diya::report::html_text(&jobs.name_of(first))
        ),
    };
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">{again}\
         <meta name=\"viewport\" content=\"width=device-width\"><title>diya</title>\
         <style>{STYLE}</style></head><body><h1>diya</h1><p class=\"soft\">{state}</p>{choosing}\
         <table><thead><tr><th>Log</th><th>Worst finding</th><th>Verdict</th><th></th></tr></thead>\
         <tbody>\n{rows}</tbody></table></body></html>\n"
    )
    .into_bytes()
}
