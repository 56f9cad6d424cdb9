//! A comparison for a terminal.

use std::io::{self, Write};

use super::text_writer::{Style, TextWriter, span};
use super::titled_table::TitledTable;
use super::{Detail, TextOptions, severity_word};
use crate::comparison::{
    Change, Comparison, Fate, FileSide, FindingChange, FindingSide, Outcome, PhaseSide,
    RunComparison,
};
use crate::numbers::of_unit;
use crate::text_table::{shortened, width};
use crate::{Value, about_s, printable};
use diya_model::percent_text;

/// Rows of a table unless all are wanted.
const ROWS: usize = 8;

/// Counts that differ by less are the same for a reader.
const SAME_COUNT: f64 = 0.01;

/// Name of the run at this place: A is the baseline.
pub(crate) fn letter(place: usize) -> String {
    match u32::try_from(place).ok().and_then(|n| char::from_u32(u32::from('A') + n)) {
        Some(letter) if letter.is_ascii_uppercase() => letter.to_string(),
        _ => format!("run {}", place + 1),
    }
}

/// Writes a comparison as text: the answer first, then what changed.
pub fn write_comparison_text(
    out: &mut dyn Write,
    comparison: &Comparison,
    options: &TextOptions,
) -> io::Result<()> {
    let mut writer = options.writer();
    let most = if options.detail == Detail::Verbose { usize::MAX } else { ROWS };
    for (place, run) in comparison.runs.iter().enumerate() {
        if place > 0 {
            writer.gap();
        }
        let style = match run.outcome {
            Outcome::Faster => Style::Good,
            Outcome::Slower => Style::High,
            Outcome::Same | Outcome::Unknown => Style::Strong,
        };
        writer.flow(0, 0, &[span(printable(&run.text), style)]);
        for text in &run.other_work {
            writer.labelled(2, "caution", 12, &[span(printable(text), Style::Warn)]);
        }
        if options.detail == Detail::Brief {
            findings(&mut writer, run, place + 1, most);
            continue;
        }
        writer.gap();
        runs(&mut writer, comparison, run, place + 1);
        numbers(&mut writer, run, place + 1, most == usize::MAX);
        findings(&mut writer, run, place + 1, most);
        files(&mut writer, run, place + 1, most);
        phases(&mut writer, run, place + 1, most);
        sizes(&mut writer, run, place + 1, most);
    }
    out.write_all(writer.out.as_bytes())
}

fn runs(writer: &mut TextWriter, comparison: &Comparison, run: &RunComparison, place: usize) {
    for (place, side) in [(0, &comparison.baseline), (place, &run.run)] {
        writer.label(2, &letter(place), 5);
        let log = side.logs.first().map(|log| printable(log)).unwrap_or_default();
        let more = match side.logs.len() {
            0 | 1 => String::new(),
            logs => format!(" and {} more", logs - 1),
        };
        let room = writer.columns.saturating_sub(5 + width(&more));
        writer.put(&format!("{}{more}", shortened(&log, room)), Style::Code);
        writer.gap();
    }
}

/// The numbers that changed; those of the whole job in any case.
fn numbers(writer: &mut TextWriter, run: &RunComparison, place: usize, all: bool) {
    let is_shown = |change: &&Change| {
        let is_there = change.before.is_some() || change.after.is_some();
        let is_zero = change.before.unwrap_or(0.0) == 0.0 && change.after.unwrap_or(0.0) == 0.0;
        let differs = match change.change_ratio {
            Some(ratio) => ratio.abs() >= SAME_COUNT && change.is_beyond_noise != Some(false),
            None => !is_zero,
        };
        is_there && (all || change.subject == "job" || differs)
    };
    let mut table = TitledTable::new(["", "A", &letter(place), "change", ""], &[1, 2, 3]);
    for change in run.metrics.iter().filter(is_shown) {
        let subject = if change.subject == "job" { "" } else { &change.subject };
        let name = format!("{subject} {}", words(&change.name));
        let value = |number: Option<f64>| number.map_or("-".to_owned(), |n| shown(n, &change.unit));
        let verdict = match (change.is_beyond_noise, change.is_worse) {
            (Some(true), Some(true)) => ("worse", Style::High),
            (Some(true), Some(false)) => ("better", Style::Good),
            // Counts have no noise: they are the same, or they are not.
            (Some(false), Some(_))
                if change.change_ratio.is_some_and(|r| r.abs() >= SAME_COUNT) =>
            {
                ("within variation", Style::Faint)
            }
            _ => ("", Style::Plain),
        };
        let ratio = change.change_ratio.map_or(String::new(), signed);
        let cells = [
            name.trim().to_owned(),
            value(change.before),
            value(change.after),
            ratio,
            verdict.0.to_owned(),
        ];
        table.row(cells, verdict.1);
    }
    table.write(writer, "numbers", usize::MAX);
    let noise = run.noise;
    let text = format!(
        "run-to-run variation: up to {} in run time, {} in I/O ({})",
        spread(noise.run_ratio),
        spread(noise.io_ratio),
        if noise.is_measured {
            "measured with these repeated runs"
        } else {
            "from other machines; repeated runs measure it on yours"
        },
    );
    writer.blank(2);
    writer.flow(2, 2, &[span(text, Style::Faint)]);
}

fn findings(writer: &mut TextWriter, run: &RunComparison, place: usize, most: usize) {
    let mut table = TitledTable::new(["", "", "finding", "saving"], &[]);
    let listed = run.findings.iter().filter(|f| f.fate != Fate::Same || most == usize::MAX);
    for finding in listed {
        let (word, style) = match finding.fate {
            Fate::New => ("new", Style::High),
            Fate::More => ("more", Style::High),
            Fate::Less => ("less", Style::Good),
            Fate::Gone => ("gone", Style::Good),
            Fate::Same => ("same", Style::Faint),
        };
        // What could not be judged is neither solved nor new.
        let (word, style) =
            if finding.unknown.is_some() { ("unknown", Style::Warn) } else { (word, style) };
        let side = finding.after.as_ref().or(finding.before.as_ref());
        let weight = side.map_or("", |side| severity_word(side.severity));
        let cells = [
            word.to_owned(),
            weight.to_owned(),
            printable(&finding.title).into_owned(),
            cost(finding, place),
        ];
        table.row(cells, style);
    }
    table.styled_column = 0;
    table.write(writer, "findings", most);
    let same = run.findings.iter().filter(|f| f.fate == Fate::Same).count();
    if same > 0 && most != usize::MAX {
        writer.blank(2);
        writer.put(&format!("{same} unchanged"), Style::Faint);
        writer.gap();
    }
}

/// `6 to 8 s, was 12 s`.
fn cost(finding: &FindingChange, place: usize) -> String {
    if finding.unknown.is_some() {
        let lacking = if finding.after.is_some() { 0 } else { place };
        return format!("unknown in {}", letter(lacking));
    }
    let range = |side: &FindingSide| side.cost_s().map(about_s);
    let before = finding.before.as_ref().and_then(range);
    let after = finding.after.as_ref().and_then(range);
    match (before, after, finding.fate) {
        (Some(before), _, Fate::Gone) => format!("was {before}"),
        (_, Some(after), Fate::New) => after,
        (Some(before), Some(after), _) if before != after => format!("{after}, was {before}"),
        (_, Some(after), _) => after,
        (Some(before), None, _) => format!("was {before}"),
        (None, None, _) => String::new(),
    }
}

fn files(writer: &mut TextWriter, run: &RunComparison, place: usize, most: usize) {
    let b = letter(place);
    let heads = ["file", "files A", &b, "calls A", &b, "bytes A", &b, "time A", &b];
    let mut table = TitledTable::new(heads, &[1, 2, 3, 4, 5, 6, 7, 8]);
    for file in &run.files {
        let text = |side: Option<FileSide>, get: &dyn Fn(FileSide) -> Option<String>| {
            side.and_then(get).unwrap_or_else(|| "-".to_owned())
        };
        let bytes = |side: FileSide| match (side.bytes_read, side.bytes_written) {
            (None, None) => None,
            (read, written) => {
                let sum = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
                of_unit("bytes", &Value::Integer(sum))
            }
        };
        let count = |side: FileSide| of_unit("", &Value::Integer(side.files));
        let calls = |side: FileSide| of_unit("", &Value::Integer(side.calls?));
        let time = |side: FileSide| side.time_s.map(about_s);
        let mut cells = vec![printable(&file.pattern).into_owned()];
        for get in [&count as &dyn Fn(FileSide) -> Option<String>, &calls, &bytes, &time] {
            cells.push(text(file.before, get));
            cells.push(text(file.after, get));
        }
        table.rows.push((cells, Style::Plain));
    }
    table.write(writer, "files", most);
}

fn phases(writer: &mut TextWriter, run: &RunComparison, place: usize, most: usize) {
    let b = letter(place);
    let heads = ["phase A", &b, "start A", &b, "bytes A", &b, "time A", &b, "change"];
    let mut table = TitledTable::new(heads, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let cost = |side: Option<PhaseSide>| side.map_or(0.0, |side| side.duration_s);
    let mut shown: Vec<_> = run.phases.iter().collect();
    // Of many phases, those that changed most are shown, in their order of time.
    if shown.len() > most {
        shown.sort_by(|a, b| {
            let change =
                |p: &crate::comparison::PhaseChange| (cost(p.after) - cost(p.before)).abs();
            change(b).total_cmp(&change(a))
        });
        shown.truncate(most);
        shown.sort_by(|a, b| {
            let start = |p: &crate::comparison::PhaseChange| {
                p.before.or(p.after).map_or(0.0, |side| side.start_s)
            };
            start(a).total_cmp(&start(b))
        });
    }
    let left = run.phases.len() - shown.len();
    for phase in shown {
        let (a, b) = (phase.before, phase.after);
        let text = |side: Option<PhaseSide>, get: &dyn Fn(PhaseSide) -> String| {
            side.map_or_else(|| "-".to_owned(), get)
        };
        let number = |side: PhaseSide| (side.phase + 1).to_string();
        let start = |side: PhaseSide| diya_model::seconds_text(side.start_s);
        let time = |side: PhaseSide| diya_model::seconds_text(side.duration_s);
        let bytes = |side: PhaseSide| {
            let sum = side.bytes_read.saturating_add(side.bytes_written);
            of_unit("bytes", &Value::Integer(sum)).unwrap_or_default()
        };
        let mut cells = Vec::new();
        for get in [&number as &dyn Fn(PhaseSide) -> String, &start, &bytes, &time] {
            cells.push(text(a, get));
            cells.push(text(b, get));
        }
        let ratio = a.zip(b).filter(|(a, _)| a.duration_s > 0.0);
        cells.push(ratio.map_or(String::new(), |(a, b)| signed(b.duration_s / a.duration_s - 1.0)));
        table.rows.push((cells, Style::Plain));
    }
    let layer = run.phases.first().map_or("", |phase| phase.layer.as_str());
    let title = format!("phases of {layer}");
    table.left = left;
    table.write(writer, &title, usize::MAX);
}

fn sizes(writer: &mut TextWriter, run: &RunComparison, place: usize, most: usize) {
    let b = letter(place);
    let heads = ["requests", "from", "to", "calls A", &b, "share A", &b];
    let mut table = TitledTable::new(heads, &[1, 2, 3, 4, 5, 6]);
    // A distribution that kept its shape says nothing.
    let has_moved = |layer: &str, op: &str| {
        run.sizes.iter().filter(|s| s.layer == layer && s.op == op).any(|s| {
            let moved = s.before_ratio.unwrap_or(0.0) - s.after_ratio.unwrap_or(0.0);
            moved.abs() >= 0.05
        })
    };
    for size in run.sizes.iter().filter(|s| most == usize::MAX || has_moved(&s.layer, &s.op)) {
        let bytes = |n: i64| of_unit("bytes", &Value::Integer(n)).unwrap_or_default();
        let count = |n: i64| of_unit("", &Value::Integer(n)).unwrap_or_default();
        let share = |r: Option<f64>| r.map_or("-".to_owned(), percent_text);
        let cells = vec![
            printable(&format!("{} {}", size.layer, size.op)).into_owned(),
            bytes(size.size_lo_bytes),
            size.size_hi_bytes.map_or("more".to_owned(), bytes),
            count(size.calls_before),
            count(size.calls_after),
            share(size.before_ratio),
            share(size.after_ratio),
        ];
        table.rows.push((cells, Style::Plain));
    }
    table.write(writer, "request sizes", if most == usize::MAX { most } else { 2 * most });
}

/// A share of noise; beyond a whole the factor says more.
pub(crate) fn spread(noise_ratio: f64) -> String {
    match noise_ratio {
        ratio if ratio < 1.0 => percent_text(ratio),
        ratio => format!("a factor of {:.1}", ratio + 1.0),
    }
}

/// A number in its unit.
pub(crate) fn shown(number: f64, unit: &str) -> String {
    let unit = match unit {
        "s" => return diya_model::seconds_text(number),
        "bytes/s" => "bytes_per_s",
        unit => unit,
    };
    of_unit(unit, &Value::Real(number)).unwrap_or_default()
}

/// A metric in words, without its unit.
pub(crate) fn words(name: &str) -> String {
    match name {
        "run_s" => return "run time".to_owned(),
        "io_s" => return "I/O".to_owned(),
        "io_ratio" => return "I/O share".to_owned(),
        "io_bytes_per_s" => return "I/O rate".to_owned(),
        "bytes_per_s" => return "rate".to_owned(),
        _ => {}
    }
    let plain = ["_bytes_per_s", "_ratio", "_s"].iter().find_map(|unit| name.strip_suffix(unit));
    printable(&plain.unwrap_or(name).replace('_', " ")).into_owned()
}

/// `+25 %`, `-3.1 %`, or `4.0x` beyond a doubling.
pub(crate) fn signed(ratio: f64) -> String {
    if ratio >= 99.0 {
        return format!("{}x", diya_model::calls_text((ratio + 1.0).round() as u64));
    }
    if ratio >= 1.0 {
        return format!("{:.1}x", ratio + 1.0);
    }
    let sign = if ratio > 0.0 { "+" } else { "" };
    if ratio > -1.0 && ratio <= -0.995 {
        // Not all of it: what is left may be what matters.
        return format!("-{:.1} %", (ratio * -1000.0).floor() / 10.0);
    }
    match percent_text(ratio) {
        text if text.starts_with("under") => "0 %".to_owned(),
        text => format!("{sign}{text}"),
    }
}
