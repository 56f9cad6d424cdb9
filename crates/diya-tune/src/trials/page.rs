//! What a loop found, as one HTML page without scripts or other files.

use super::answer::{Answer, RunReport, TrialsReport, figure_text};
use super::text::{FIRST_RUN, table};
use diya::model::{part_s, percent_text};
use diya::report::html_text;
use std::io::{self, Write};

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
<meta name=\"viewport\" content=\"width=device-width\">\n";

const STYLE: &str = "<style>\n\
:root { color-scheme: light dark; }\n\
body { font: 15px/1.5 sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }\n\
table { border-collapse: collapse; display: block; overflow-x: auto; margin: .5rem 0 1.5rem; }\n\
th, td { border-bottom: 1px solid #8886; padding: .2rem .6rem; text-align: left; }\n\
.answer { font-size: 1.2rem; }\n\
tr.kept { font-weight: bold; }\n\
pre { background: #8882; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }\n\
</style>\n";

/// Writes the page.
pub fn write_page(out: &mut dyn Write, report: &TrialsReport) -> io::Result<()> {
    let title = "Settings that were tried";
    writeln!(out, "{HEAD}<title>{title}</title>\n{STYLE}<h1>{title}</h1>")?;
    writeln!(out, "<p class=\"answer\">{}</p>", html_text(&report.text))?;
    let command: Vec<String> = report.command.iter().map(|word| shown(word)).collect();
    writeln!(out, "<pre>{}</pre>", html_text(&command.join(" ")))?;
    if report.answer == Answer::Keep {
        writeln!(
            out,
            "<p>Use them: <code>diya run --apply keep -- COMMAND</code>, in the folder of this page. \
             The files in <code>keep</code> name the reason, the risk and the undo of each setting.</p>"
        )?;
    }
    writeln!(out, "<h2>Tried</h2>")?;
    let (names, tried) = table(report);
    let is_kept = |row: &Vec<String>| report.keep.is_some() && report.keep.as_ref() == row.first();
    rows(out, &names, tried.into_iter().map(|row| (row.clone(), is_kept(&row))))?;
    let noise = report.noise_ratio.map_or("unknown".to_owned(), percent_text);
    let source = match report.is_noise_measured {
        true => "from the repeats of this loop and what runs usually differ by",
        false => "what runs usually differ by",
    };
    writeln!(
        out,
        "<p>Compared by {}. Noise floor: {noise}, {source}. A gain below it is no gain.</p>",
        html_text(&report.metric)
    )?;
    if report.is_first_run_left_out {
        writeln!(out, "<p>{FIRST_RUN}</p>")?;
    }
    for tried in report.tried.iter().filter(|tried| !tried.settings.is_empty()) {
        writeln!(out, "<h3>{}</h3>", html_text(&tried.name))?;
        if let Some(why) = &tried.lost {
            writeln!(out, "<p>Lost: {}</p>", html_text(why))?;
        }
        let line = |file: &str, line: &str| html_text(&format!("{file}: {line}"));
        let lines = tried.settings.iter().map(|setting| line(&setting.file, &setting.line));
        writeln!(out, "<pre>{}</pre>", lines.collect::<Vec<_>>().join("\n"))?;
    }
    writeln!(out, "<h2>Runs</h2>")?;
    let whole_s = report.runs.iter().filter_map(|run| run.run_s).fold(0.0, f64::max);
    let seconds = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |s| part_s(s, whole_s));
    let run = |(place, run): (usize, &RunReport)| {
        let cells = [
            (place + 1).to_string(),
            run.name.clone(),
            seconds(run.run_s),
            seconds(run.io_s),
            figure_text(run.own),
            run.log.clone().or_else(|| run.lost.clone()).unwrap_or_default(),
        ];
        (cells.to_vec(), false)
    };
    let names = ["run", "settings", "run time", "I/O time", "figure", "log"];
    rows(out, &names, report.runs.iter().enumerate().map(run))?;
    writeln!(
        out,
        "<p>Began {}; seed of the order: {}; at most {} runs. It ended: {}.</p>",
        html_text(&report.started),
        report.seed,
        report.runs_allowed,
        html_text(&report.ended)
    )?;
    writeln!(out, "<h2>Values</h2>")?;
    let values = report.space.iter().map(|of| {
        (vec![of.key.clone(), of.values.join(", "), of.file.clone(), of.reason.clone()], false)
    });
    rows(out, &["setting", "values, the predicted one first", "file", "finding"], values)?;
    if !report.not_tried.is_empty() {
        writeln!(out, "<h2>Not tried</h2>")?;
        let not = report.not_tried.iter().map(|setting| {
            let cells = [&setting.key, &setting.value, &setting.file, &setting.line];
            (cells.map(Clone::clone).to_vec(), false)
        });
        rows(out, &["setting", "value", "file", "why"], not)?;
    }
    writeln!(out, "<p>Made by {}.</p>\n</html>", html_text(&report.program))
}

/// A word of a command line.
fn shown(word: &str) -> String {
    match crate::path::is_plain(word) {
        true => word.to_owned(),
        false => crate::path::quoted(word),
    }
}

fn rows(
    out: &mut dyn Write,
    names: &[&str],
    rows: impl Iterator<Item = (Vec<String>, bool)>,
) -> io::Result<()> {
    write!(out, "<table>\n<tr>")?;
    for name in names {
        write!(out, "<th>{}</th>", html_text(name))?;
    }
    writeln!(out, "</tr>")?;
    for (cells, is_kept) in rows {
        write!(out, "<tr{}>", if is_kept { " class=\"kept\"" } else { "" })?;
        for cell in cells {
            write!(out, "<td>{}</td>", html_text(&cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</table>")
}
