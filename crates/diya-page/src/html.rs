//! The page as one file: the built template with the report, the calls and the
//! decoder in their places.

use super::tables;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use diya_report::{Report, TextOptions, write_text};
use std::io::{self, Write};

/// The page as `scripts/page.sh` builds it from `web/`: script and style in it, marks for the rest.
const TEMPLATE: &str = include_str!(env!("DIYA_REPORT_PAGE"));
/// The decoder, deflated.
const DECODER: &[u8] = include_bytes!("../../diya-wasm/generated/decoder.wasm.deflate");

pub(super) const REPORT: &str = "@@DIYA_REPORT@@";
const PACK: &str = "@@DIYA_PACK@@";
const WASM: &str = "@@DIYA_WASM@@";
pub(super) const TABLES: &str = "@@DIYA_TABLES@@";
pub(super) const TITLE: &str = "@@DIYA_TITLE@@";
/// The report for browsers without scripts.
const TEXT: &str = "@@DIYA_TEXT@@";

/// A page could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The report has no form in JSON.
    #[error("the report could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The file could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the page of a report. `pack`: the calls, as `diya_timeline::pack`
/// makes them; `None`: the logs hold counters only.
pub fn write_html(
    out: &mut dyn Write,
    report: &Report,
    pack: Option<&[u8]>,
) -> Result<(), PageError> {
    let title = report.logs.first().map_or("diya", String::as_str);
    let (head, tables) = tables::split(report);
    let json = escaped_json(&serde_json::to_string(&head)?);
    let tables = tables::deflated(&tables)?;
    let encoded = |bytes: &[u8]| STANDARD.encode(bytes);
    let text = as_text(report)?;
    fill(out, TEMPLATE, &|mark| match mark {
        TITLE => diya_report::html_text(title),
        TEXT => text.clone(),
        REPORT => json.clone(),
        TABLES => encoded(&tables),
        PACK => pack.map_or_else(String::new, encoded),
        _ => pack.map_or_else(String::new, |_| encoded(DECODER)),
    })?;
    Ok(())
}

/// The report as the terminal shows it, line by line as HTML text.
fn as_text(report: &Report) -> io::Result<String> {
    let mut text = Vec::new();
    write_text(&mut text, report, &TextOptions::default())?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<String> = text.lines().map(diya_report::html_text).collect();
    Ok(lines.join("\n"))
}

/// The page that a server shows: it asks the server for everything.
pub fn served_page(title: &str) -> Vec<u8> {
    let mut page = Vec::with_capacity(TEMPLATE.len());
    let filled = fill(&mut page, TEMPLATE, &|mark| match mark {
        TITLE => diya_report::html_text(title),
        TEXT => "It is in the terminal: diya report LOG".to_owned(),
        _ => String::new(),
    });
    debug_assert!(filled.is_ok(), "memory takes all bytes");
    page
}

/// The Content-Security-Policy that the page itself names, for the header of a
/// server: hashes of its own script and style are in it.
pub fn policy() -> Option<String> {
    policy_of(TEMPLATE)
}

/// The same of any template.
pub(super) fn policy_of(template: &str) -> Option<String> {
    let (_, rest) = template.split_once("http-equiv=\"Content-Security-Policy\"")?;
    let (_, rest) = rest.split_once("content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    Some(policy.replace("&#39;", "'").replace("&amp;", "&"))
}

/// Copies the template; what stands in for a mark is not looked at again: a
/// path that reads like a mark is a path.
pub(super) fn fill(
    out: &mut dyn Write,
    template: &str,
    value: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    let mut rest = template;
    loop {
        let marks = [REPORT, PACK, WASM, TABLES, TITLE, TEXT];
        let next = marks.iter().filter_map(|mark| Some((rest.find(mark)?, *mark))).min();
        let Some((at, mark)) = next else { break };
        out.write_all(&rest.as_bytes()[..at])?;
        out.write_all(value(mark).as_bytes())?;
        rest = &rest[at + mark.len()..];
    }
    out.write_all(rest.as_bytes())
}

/// JSON that can stand inside a script element: no `<` ends it, and no line
/// separator breaks a reader.
pub(super) fn escaped_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::Verdict;

    fn filled(template: &str, value: &dyn Fn(&str) -> String) -> String {
        let mut out = Vec::new();
        fill(&mut out, template, value).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_mark_is_filled_once_and_values_are_not_looked_at() {
        let template = "<t>@@DIYA_TITLE@@</t><r>@@DIYA_REPORT@@</r><t>@@DIYA_TITLE@@</t>";
        let value = |mark: &str| if mark == TITLE { REPORT.to_owned() } else { "R".to_owned() };
        assert_eq!(
            filled(template, &value),
            "<t>@@DIYA_REPORT@@</t><r>R</r><t>@@DIYA_REPORT@@</t>"
        );
    }

    #[test]
    fn the_template_has_every_mark() {
        for mark in [REPORT, PACK, WASM, TABLES, TITLE, TEXT] {
            assert_eq!(TEMPLATE.matches(mark).count(), 1, "{mark}");
        }
        assert!(policy().is_some_and(|policy| policy.contains("default-src 'none'")));
    }

    #[test]
    fn the_report_is_there_as_text_for_browsers_without_scripts() {
        let verdict = Verdict { text: "I/O takes < 1 s.".to_owned(), ..Verdict::default() };
        let report = Report { verdict, ..Report::default() };
        let mut out = Vec::new();
        write_html(&mut out, &report, None).unwrap();
        let page = String::from_utf8(out).unwrap();
        let (_, inside) = page.split_once("<noscript>").unwrap();
        let (inside, _) = inside.split_once("</noscript>").unwrap();
        assert!(inside.contains("I/O takes &lt; 1 s.\n"), "{inside}");
    }

    #[test]
    fn hostile_names_stay_text() {
        let name = "</script><script>alert(1)</script>\u{202e}\u{2028}";
        let report = Report { logs: vec![name.to_owned()], ..Report::default() };
        let mut out = Vec::new();
        write_html(&mut out, &report, None).unwrap();
        let page = String::from_utf8(out).unwrap();
        let scripts = |text: &str| text.matches("<script").count();
        assert_eq!(scripts(&page), scripts(TEMPLATE));
        assert!(!page.contains("<script>alert(1)"));
        assert!(page.contains("&lt;/script&gt;") && page.contains("\\u003c/script"));
    }
}
