//! The overview as text for one screen.

use super::{Info, Issue, LayerTotals, Recorded};
use diya_model::{bytes_text, calls_text, seconds_text};
use diya_report::{TextTable, printable};
use jiff::Timestamp;
use std::io::{self, Write};

/// Lines of issues that are shown; the table `read_issue` has all.
const MAX_ISSUES: usize = 8;

/// Columns before a line.
const INDENT: usize = 2;

/// Columns of the longest label.
const LABEL: usize = 8;

/// Longest command line that is shown in full.
const MAX_COMMAND_CHARS: usize = 160;

impl Info {
    /// Writes the overview, in lines of at most so many columns where a number is given.
    pub fn write_text(&self, out: &mut dyn Write, room: Option<usize>) -> io::Result<()> {
        writeln!(out, "{}", printable(&self.log))?;
        writeln!(out, "  {}\n", self.what())?;
        let command = self.command_line.as_deref().map_or("not recorded".into(), shortened);
        let mut about = Labelled::new();
        about.line("program", command);
        about.line("job", self.job());
        about.line("time", self.time());
        about.lines(
            "mounts",
            self.file_systems.iter().take(4).map(|fs| {
                let files = count(fs.files, "file");
                format!("{} ({}): {files}", printable(&fs.mount), printable(&fs.fs_type))
            }),
        );
        about.write(out, room)?;
        if !self.layers.is_empty() {
            writeln!(out)?;
            self.write_layers(out, room)?;
        }
        writeln!(out)?;
        let mut content = Labelled::new();
        content.line("contains", self.contains());
        content.lines("recorded", self.recorded.as_ref().map(Recorded::text));
        content.lines("missing", self.missing.iter().cloned());
        let hidden = self.issues.len().saturating_sub(MAX_ISSUES);
        let more = (hidden > 0).then(|| format!("and {hidden} more: see table read_issue"));
        content.lines("issues", self.issues.iter().take(MAX_ISSUES).map(line).chain(more));
        content.write(out, room)
    }

    fn what(&self) -> String {
        let kind = match self.format.as_str() {
            "diya" => "diya trace",
            "strace" => "text of strace",
            "chrome" => "Chrome trace",
            "dftracer" => "DFTracer trace",
            "recorder" => "Recorder trace",
            "otf2" => "OTF2 archive",
            "tmio" => "TMIO trace",
            "mapped" => "rows of a mapping",
            _ => "Darshan log",
        };
        let without = ["strace", "chrome", "dftracer", "tmio", "mapped"];
        let has_versions = !without.contains(&self.format.as_str());
        let version = match &self.log_version {
            // Darshan's library has a version of its own.
            Some(version) if kind == "Darshan log" => format!(", format {}", printable(version)),
            Some(version) => format!(" {}", printable(version)),
            None if has_versions => " of unknown version".into(),
            None => String::new(),
        };
        let mut parts = vec![format!("{kind}{version}")];
        if let Some(library) = &self.library_version {
            parts.push(format!("library {}", printable(library)));
        }
        parts.extend(self.compression.clone());
        if self.is_big_endian == Some(true) {
            parts.push("big-endian".into());
        }
        parts.push(bytes_text(self.size_bytes));
        parts.join(", ")
    }

    fn job(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.job_id.map(|id| format!("id {id}")));
        parts.extend(self.uid.map(|uid| format!("user {uid}")));
        let processes = self.nprocs.and_then(|n| usize::try_from(n).ok());
        parts.extend(processes.map(|n| count(n, "process")));
        if parts.is_empty() { "not recorded".into() } else { parts.join(", ") }
    }

    fn time(&self) -> String {
        let start = self.start_time_ns.map_or("start not recorded".into(), moment);
        let run = self
            .run_time_s
            .map_or("end not recorded".into(), |s| format!("ran {}", seconds_text(s)));
        format!("{start}, {run}")
    }

    fn contains(&self) -> String {
        let modules = self.modules.iter().map(|m| {
            let version = m.version.map(|version| format!(" v{version}")).unwrap_or_default();
            let mut text = format!("{}{version}", printable(&m.module));
            if m.module.starts_with("DXT") {
                text = format!("{text} ({})", bytes_text(m.stored_bytes.unwrap_or(0)));
            }
            if m.is_partial {
                text.push_str(" PARTIAL");
            }
            if !m.is_decoded {
                text.push_str(" (not decoded)");
            }
            text
        });
        let list: Vec<String> = modules.collect();
        match (list.is_empty(), self.format.as_str()) {
            (false, _) => list.join(", "),
            (true, "diya" | "strace") => format!("recorded by {}", self.format),
            (true, "dftracer") => "recorded by DFTracer".into(),
            (true, "recorder") => "recorded by Recorder".into(),
            (true, "otf2") => "events".into(),
            (true, "chrome") => "events".into(),
            (true, "tmio") => "bandwidth of requests".into(),
            (true, "mapped") => "rows".into(),
            (true, _) => "no modules".into(),
        }
    }

    fn write_layers(&self, out: &mut dyn Write, room: Option<usize>) -> io::Result<()> {
        const COLUMNS: [&str; 8] =
            ["layer", "files", "shared", "reads", "bytes", "writes", "bytes", "time, all ranks"];
        let mut table = TextTable::new(COLUMNS.map(|name| (name, name != "layer")));
        for layer in &self.layers {
            table.row(cells(layer));
        }
        if let Some(room) = room {
            table.fit_columns(room.saturating_sub(INDENT));
        }
        table.write(out, INDENT)
    }
}

/// Labels, each with texts beside it.
struct Labelled(TextTable);

impl Labelled {
    fn new() -> Self {
        Self(TextTable::new([("", false), ("", false)]))
    }

    fn line(&mut self, label: &str, text: String) {
        // One width for all blocks.
        self.0.row([format!("{label:<LABEL$}"), text]);
    }

    /// The label is beside the first text.
    fn lines(&mut self, label: &str, texts: impl IntoIterator<Item = String>) {
        for (place, text) in texts.into_iter().enumerate() {
            self.line(if place == 0 { label } else { "" }, text);
        }
    }

    fn write(mut self, out: &mut dyn Write, room: Option<usize>) -> io::Result<()> {
        if let Some(room) = room {
            self.0.wrap_last(room.saturating_sub(INDENT));
        }
        self.0.write(out, INDENT)
    }
}

impl Recorded {
    fn text(&self) -> String {
        let calls = calls_text(self.calls_recorded.unsigned_abs());
        let mut text = format!("{calls} calls of {}", count(self.processes, "process"));
        if self.unfinished_processes > 0 {
            let unfinished = self.unfinished_processes;
            text.push_str(&format!(", {unfinished} of them killed or still running"));
        }
        text
    }
}

fn cells(layer: &LayerTotals) -> [String; 8] {
    let calls = |n: Option<i64>| n.map_or("-".into(), |n| calls_text(n.unsigned_abs()));
    let bytes = |n: Option<i64>| n.map_or("-".into(), |n| bytes_text(n.unsigned_abs()));
    [
        layer.layer.to_string(),
        layer.files.to_string(),
        layer.shared_files.to_string(),
        calls(layer.read_calls),
        bytes(layer.bytes_read),
        calls(layer.write_calls),
        bytes(layer.bytes_written),
        layer.time_s.map_or("-".into(), seconds_text),
    ]
}

fn line(issue: &Issue) -> String {
    let mut text = issue.kind.clone();
    if let Some(module) = &issue.module {
        text = format!("{text} in {}", printable(module));
    }
    if let Some(at) = issue.byte_offset {
        text = format!("{text} at byte {at}");
    }
    if let Some(count) = issue.count {
        text = format!("{text} ({count})");
    }
    format!("{text}: {}", printable(&issue.effect))
}

fn count(n: usize, what: &str) -> String {
    let plural = match what {
        _ if n == 1 => what.to_string(),
        "process" => "processes".into(),
        _ => format!("{what}s"),
    };
    format!("{} {plural}", calls_text(n as u64))
}

fn shortened(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(MAX_COMMAND_CHARS) {
        Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or(&text)),
        None => text.into_owned(),
    }
}

/// Date and time of nanoseconds since 1970, UTC.
fn moment(ns: i64) -> String {
    let moment = Timestamp::from_nanosecond(i128::from(ns));
    moment.map_or_else(|_| ns.to_string(), |m| m.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(moment(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(moment(1_795_173_741_000_000_000), "2026-11-20 11:22:21 UTC");
        assert_eq!(moment(951_782_400_000_000_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(moment(-1_000_000_000), "1969-12-31 23:59:59 UTC");
    }

    #[test]
    fn control_characters_of_a_log_do_not_reach_the_terminal() {
        assert_eq!(shortened("a\u{1b}[2Jb\u{202e}"), "a\\x1b[2Jb\\u{202e}");
    }
}
