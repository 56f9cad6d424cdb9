//! The digest as one HTML page without scripts, links or other files: mail programs show it.

use super::Digest;
use super::markdown::{KINDS, ROWS};
use super::text::number;
use diya::report::html_text;
use std::fmt::Write as _;

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
<meta name=\"viewport\" content=\"width=device-width\">\n";

const STYLE: &str = "<style>\n\
body { font: 15px/1.5 sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }\n\
table { border-collapse: collapse; display: block; overflow-x: auto; margin: .5rem 0 1.5rem; }\n\
th, td { border-bottom: 1px solid #ccc; padding: .2rem .6rem; text-align: left; }\n\
pre { background: #f4f4f4; padding: 1rem; white-space: pre-wrap; }\n</style>\n";

impl Digest {
    /// The digest as a page.
    pub fn html(&self) -> String {
        let mut out = HEAD.to_owned();
        let heading = html_text(&format!("Fleet digest of {}: {}", self.time, self.title));
        // Writing to a String does not fail.
        let _ = writeln!(out, "<title>{heading}</title>\n{STYLE}<h1>{heading}</h1>");
        let _ = writeln!(out, "<p>{}</p>", html_text(&self.summary()));
        for note in self.notes() {
            let _ = writeln!(out, "<p>{}</p>", html_text(&note));
        }
        let names =
            ["system", "jobs", "core-hours", "in I/O", "estimated saving", "read", "written"];
        let rows = self.systems.iter().map(|row| self.system_cells(row).to_vec());
        table(&mut out, &names.map(str::to_owned), rows);
        for (kind, heading) in KINDS {
            let _ = writeln!(out, "<h2>{heading}: {}</h2>", self.count(kind));
            for section in self.of(kind) {
                let _ = writeln!(out, "<p>{}</p>", html_text(&section.title));
                table(&mut out, &section.names(), section.cells());
                if let Some(more) = section.changes.len().checked_sub(ROWS + 1) {
                    let _ = writeln!(out, "<p>{} more are in the JSON lines.</p>", more + 1);
                }
            }
        }
        let _ = writeln!(out, "<h2>Whom to call: {}</h2>", self.calls.len());
        for call in &self.calls {
            let _ = writeln!(
                out,
                "<h3>{} on {}: estimated saving {} core-hours</h3>\n<pre>{}</pre>",
                html_text(&call.user_name),
                html_text(&call.system),
                number(call.core_hours),
                call.text.split('\n').map(html_text).collect::<Vec<_>>().join("\n")
            );
        }
        let _ = writeln!(out, "<p>Made by {}.</p>\n</html>", html_text(&self.program));
        out
    }
}

fn table(out: &mut String, names: &[String], rows: impl Iterator<Item = Vec<String>>) {
    out.push_str("<table>\n<tr>");
    for name in names {
        let _ = write!(out, "<th>{}</th>", html_text(name));
    }
    out.push_str("</tr>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", html_text(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
}
