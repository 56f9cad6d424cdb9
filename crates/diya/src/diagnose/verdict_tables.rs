//! The numbers of the verdict: I/O time, and what was not recorded.

use super::account::Account;
use super::applied;
use super::cells::{Cells, Row};
use super::program::Program;
use super::rank_wait::RankWaits;
use super::{decoding, messages, table, waited};
use crate::{AskError, Session};
use diya_checks::LogVerdicts;
use diya_model::{Layer, Role, Scope};
use diya_report::{Confidence, Job, Value, Verdict, VerdictKind};
use diya_tables::{IssueKind, Loss, TableId};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of phrases about what was not recorded.
const PHRASES: usize = 12;

/// Notes of the program in a report.
const NOTES: usize = 8;

/// Prefix of lines in `job.metadata` that list settings of `diya run --apply`.
pub(crate) const APPLIED: &str = "applied:";

/// The tables from which the verdicts are made.
pub(super) struct VerdictTables {
    jobs: Cells,
    io: Cells,
    pub account: Account,
    layers: Cells,
    mounts: Cells,
    hosts: Cells,
    files: Cells,
    issues: Cells,
    unseen: Cells,
    frames: Cells,
    processes: Cells,
    recording: Cells,
    idle: Cells,
    leader: Cells,
    work: Cells,
    rank_waits: RankWaits,
    applied: Cells,
    notes: Cells,
    phases: Option<Cells>,
}

impl VerdictTables {
    pub fn read(session: &Session<'_>) -> Result<Self, AskError> {
        Ok(Self {
            jobs: table(session, "job")?,
            io: table(session, "job_io")?,
            account: Account::read(session)?,
            layers: table(session, "layer_load")?,
            mounts: table(session, "mount_load")?,
            hosts: table(session, "rank_host")?,
            files: table(session, "file")?,
            issues: table(session, "read_issue")?,
            unseen: table(session, "unseen_io")?,
            frames: table(session, "user_frame")?,
            processes: table(session, "process")?,
            recording: table(session, "recording_time")?,
            idle: table(session, "idle_time")?,
            leader: table(session, "leader_time")?,
            work: table(session, "processor_work")?,
            rank_waits: RankWaits::read(session)?,
            applied: table(session, "applied")?,
            notes: table(session, "program_note")?,
            phases: session.table("phase_summary").map(|table| Cells::read(&**table)),
        })
    }

    /// Job and verdict of one log.
    pub fn of(&self, log: &LogVerdicts) -> (Job, Verdict) {
        let number = log.log;
        let hosts: BTreeSet<String> =
            self.hosts.rows(number).filter_map(|row| row.text("host")).collect();
        let job = self.jobs.row(number);
        let text = |column| job.and_then(|row: Row<'_>| row.text(column));
        let job = Job {
            id: job.and_then(|row| row.integer("job_id")),
            command: text("command_line").or_else(|| text("exe")),
            nprocs: job.and_then(|row| row.integer("nprocs")),
            programs: match self.programs(number) {
                several if several.len() > 1 => {
                    several.iter().map(|program| program.text(log.run_time_s)).collect()
                }
                _ => Vec::new(),
            },
            nodes: Some(hosts.len() as i64).filter(|nodes| *nodes > 0),
            start: job.and_then(|row| row.integer("start_time")).map(rfc3339),
            run_s: log.run_time_s,
            stacks: self.stacks(number, &text("exe").unwrap_or_default()),
            applied: text("metadata").map_or_else(Vec::new, |metadata| {
                let settings = metadata.lines().filter_map(|line| line.strip_prefix(APPLIED));
                settings.map(str::to_owned).collect()
            }),
            applied_effects: applied::effects(&self.applied, number),
            notes: self.notes(number),
        };
        let verdict = self.verdict(log);
        (job, verdict)
    }

    /// Format of the log, such as `darshan`.
    pub fn format(&self, log: i32) -> Option<String> {
        self.jobs.row(log).and_then(|row: Row<'_>| row.text("format"))
    }

    /// The first notes of the program.
    fn notes(&self, log: i32) -> Vec<String> {
        let rows = self.notes.rows(log);
        let mut notes: Vec<(f64, String)> =
            rows.filter_map(|row| Some((row.number("first_s")?, row.text("note")?))).collect();
        notes.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        notes.truncate(NOTES);
        notes.into_iter().map(|(_, note)| note).collect()
    }

    /// Programs of the processes.
    pub fn programs(&self, log: i32) -> Vec<Program> {
        Program::all(&self.processes, log)
    }

    fn verdict(&self, log: &LogVerdicts) -> Verdict {
        let job_io = self.io.row(log.log);
        let has_records = self.layers.rows(log.log).len() > 0;
        let account = self.account.rows(log.log);
        let (not_captured, is_damaged, is_part_unseen) = self.not_recorded(log.log, has_records);
        // A recording of a program without I/O is whole; another log may leave the calls out.
        let is_idle = !has_records && !is_damaged && !is_part_unseen && self.is_recording(log.log);
        let is_known = has_records && account.iter().any(|row| row.class != "unknown");
        let io = account.iter().filter(|row| row.is_io()).map(|row| row.time_s);
        let io_s = Some(io.sum::<f64>()).filter(|_| is_known || is_idle);
        let bytes = job_io.and_then(|row| row.integer("bytes")).filter(|_| has_records);
        let share = |s: Option<f64>| diya_model::ratio(s, log.run_time_s);
        let per_s = bytes.zip(io_s).filter(|(bytes, s)| *bytes > 0 && *s > 0.0);
        let is_traced = is_idle || self.is_traced(log.log);
        let own = self.own_programs(log.log);
        let started = waited::started(&self.leader, &self.processes, log.log, &own);
        Verdict {
            kind: VerdictKind::default(),
            text: String::new(),
            brief: String::new(),
            io_share: share(io_s),
            io_s,
            io_low_s: io_s,
            io_high_s: io_s,
            run_s: log.run_time_s,
            bytes,
            throughput_bytes_per_s: per_s.map(|(bytes, s)| bytes as f64 / s),
            is_part_unseen,
            confidence: match (
                is_damaged || is_part_unseen || io_s.is_none() || log.run_time_s.is_none(),
                is_traced,
            ) {
                (true, _) => Confidence::Low,
                (false, true) => Confidence::High,
                (false, false) => Confidence::Medium,
            },
            not_captured,
            recorder_s: self.recording.row(log.log).and_then(|row| row.number("recorder_s")),
            idle_s: self.idle.row(log.log).and_then(|row| row.number("idle_s")),
            decoding_s: decoding::longest_s(&self.work, &self.processes, log.log),
            children_s: started.as_ref().map(|of| of.time_s),
            started,
            leader: None,
            messages: messages::of(&self.work, &self.processes, log.log),
            messages_s: self.rank_waits.messages_s(log.log),
            rank_wait: self.rank_waits.of(log.log, &self.frames, &self.files),
            waited: waited::longest(&self.leader, log.log, &own),
        }
    }

    /// Name of the program that the command names.
    fn command(&self, log: i32) -> Option<String> {
        let line = self.jobs.row(log)?.text("command_line")?;
        let program = line.split_whitespace().next()?;
        Some(program.rsplit('/').next()?.to_owned())
    }

    /// Names of the command's program, and of those that no other process of the log started.
    fn own_programs(&self, log: i32) -> BTreeSet<String> {
        let base = |path: String| path.rsplit('/').next().map(str::to_owned);
        let first = |row: &Row<'_>| row.integer("parent").is_none();
        // The kernel has the name of the file that was started: of a link, that of the link.
        let names = |row: Row<'_>| {
            let line = row.text("command_line").unwrap_or_default();
            [row.text("exe"), line.split_whitespace().next().map(str::to_owned)]
        };
        let started = self.processes.rows(log).filter(first).flat_map(names).flatten();
        started.filter_map(base).chain(self.command(log)).collect()
    }

    fn is_traced(&self, log: i32) -> bool {
        // A program can make calls without moving a byte: then it has no phases.
        let is_of_calls = |row: Row<'_>| row.text("source").as_deref() == Some("call");
        let has_phases = self.phases.as_ref().is_some_and(|phases| phases.rows(log).len() > 0);
        has_phases || self.account.table.rows(log).any(is_of_calls)
    }

    /// A log of `diya run`.
    fn is_recording(&self, log: i32) -> bool {
        self.format(log).as_deref() == Some("diya")
    }

    /// Returns phrases for the report, whether data is lost that the numbers need, and whether
    /// a large part of the I/O was not recorded.
    fn not_recorded(&self, log: i32, has_records: bool) -> (Vec<String>, bool, bool) {
        let mut phrases: Vec<String> = Vec::new();
        let (mut is_damaged, mut is_part_unseen, mut calls_lost) = (false, false, false);
        for row in self.issues.rows(log) {
            let kind = row.text("kind").unwrap_or_default();
            if IssueKind::from_name(&kind).is_some_and(|kind| !kind.is_reported()) {
                continue;
            }
            let is_loss = row.text("loss").as_deref() != Some(Loss::None.name());
            is_damaged |= is_loss;
            calls_lost |=
                is_loss && row.text("module").as_deref() == Some(TableId::Call.def().name);
            is_part_unseen |= hides_time(row);
            let part = row.text("module").map(|module| format!("{module}: ")).unwrap_or_default();
            let phrase = format!("{part}{}", row.text("effect").unwrap_or(kind));
            if !phrases.contains(&phrase) {
                phrases.push(phrase);
            }
        }
        for row in self.unseen.rows(log).filter(|row| row.value("is_large") == Value::Flag(true)) {
            is_part_unseen = true;
            let bytes = |column| row.integer(column).unwrap_or(0);
            let unseen = bytes("unseen_read_bytes").saturating_add(bytes("unseen_written_bytes"));
            if unseen == 0 {
                continue; // the number of bytes is unknown; `read_issue` already has a row for this
            }
            phrases.push(format!(
                "{} of process {}, or of programs that it started, in calls that were not recorded",
                diya_model::bytes_text(unseen.cast_unsigned()),
                bytes("rank"),
            ));
        }
        if phrases.len() > PHRASES {
            let more = phrases.len() - PHRASES;
            phrases.truncate(PHRASES);
            phrases.push(format!("{more} more: `diya tables LOG read_issue`"));
        }
        match (has_records, self.format(log).as_deref()) {
            (false, Some("diya")) => {}
            (false, Some("darshan" | "darshan-legacy")) => {
                phrases.insert(0, "the log has no record of any file".to_owned());
            }
            (false, _) => phrases.insert(
                0,
                "the trace has no I/O call: the program made none, or the trace leaves them out"
                    .to_owned(),
            ),
            (true, _) if !self.is_traced(log) && !calls_lost => phrases.push(
                "single calls are not recorded: the log has counters only; \
                 `diya run`, or Darshan with DXT, records them"
                    .to_owned(),
            ),
            (true, _) => {}
        }
        (phrases, is_damaged, is_part_unseen)
    }

    /// The language of the user's own code: that of most call stacks.
    fn language(&self, log: i32) -> Option<&'static str> {
        let mut stacks: BTreeMap<&'static str, usize> = BTreeMap::new();
        for row in self.frames.rows(log).filter(|row| row.text("origin").as_deref() == Some("user"))
        {
            let is_python = row.text("language").as_deref() == Some("python");
            let source = row.text("source").unwrap_or_default();
            let file = source.rsplit_once(':').map_or("", |(before, _)| before);
            let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
            let language = match ending.as_str() {
                _ if is_python => "Python",
                "c" => "C",
                "cc" | "cpp" | "cxx" | "hpp" | "hxx" => "C++",
                "f" | "f90" | "f95" | "f03" | "f08" | "for" | "ftn" => "Fortran",
                "jl" => "Julia",
                "go" => "Go",
                "rs" => "Rust",
                _ => continue,
            };
            *stacks.entry(language).or_default() += 1;
        }
        stacks.into_iter().max_by_key(|(_, number)| *number).map(|(language, _)| language)
    }

    /// What the process with most time in calls is written in, where it says so. A shell or a
    /// launcher may stand in front of it.
    fn busiest_language(&self, log: i32) -> Option<&'static str> {
        let time = |row: &Row<'_>| row.number("recorded_s").unwrap_or(0.0);
        let busiest = self.processes.rows(log).max_by(|a, b| time(a).total_cmp(&time(b)));
        let busiest = busiest?;
        match busiest.text("language").as_deref() {
            Some("cpython") => Some("Python"),
            Some("fortran") => Some("Fortran"),
            Some("jvm") => Some("Java"),
            Some("perl") => Some("Perl"),
            Some("r") => Some("R"),
            Some("julia") => Some("Julia"),
            _ => {
                let exe = busiest.text("exe").unwrap_or_default();
                let is_shell = SHELLS.contains(&exe.rsplit('/').next().unwrap_or_default());
                is_shell.then_some("Shell")
            }
        }
    }

    /// The software for which fixes are shown.
    fn stacks(&self, log: i32, exe: &str) -> Vec<String> {
        let mut stacks: Vec<&str> = Vec::new();
        let layers: Vec<String> =
            self.layers.rows(log).filter_map(|row| row.text("layer")).collect();
        // The layer nearest to the program first.
        let is_used = |layer: &&Layer| layers.iter().any(|used| used == layer.name());
        for layer in Layer::BOTTOM_UP.iter().rev().filter(is_used) {
            if !stacks.contains(&layer.software()) {
                stacks.push(layer.software());
            }
        }
        // Statically linked libraries leave no records. The file names show that they are used.
        let endings = [("HDF5", &[".h5", ".hdf5", ".he5"][..]), ("NetCDF", &[".nc", ".nc4"])];
        let is_there = |ends: &[&str]| {
            let paths = self.files.rows(log).filter_map(|row| row.text("path"));
            paths.into_iter().any(|path| ends.iter().any(|end| path.ends_with(end)))
        };
        let unseen =
            endings.iter().filter(|(stack, ends)| !stacks.contains(stack) && is_there(ends));
        let unseen: Vec<&str> = unseen.map(|(stack, _)| *stack).collect();
        stacks.splice(0..0, unseen);
        let program = exe.rsplit('/').next().unwrap_or_default();
        let is_python = program.starts_with("python") || exe.ends_with(".py");
        let named = || is_python.then_some("Python").or_else(|| self.busiest_language(log));
        if let Some(language) = self.language(log).or_else(named) {
            stacks.insert(0, language);
        }
        // Fixes for SQLite are SQL statements, whatever the language of the program.
        if is_there(&["-journal", "-wal", ".sqlite", ".sqlite3"]) {
            stacks.insert(0, "SQLite");
        }
        let systems: Vec<String> =
            self.mounts.rows(log).filter_map(|row| row.text("fs_type")).collect();
        let kinds = [
            ("lustre", "Lustre"),
            ("gpfs", "GPFS"),
            ("nfs", "NFS"),
            ("dfuse", "DAOS"),
            ("beegfs", "BeeGFS"),
            ("glusterfs", "GlusterFS"),
        ];
        stacks.extend(
            kinds.iter().filter(|(k, _)| systems.iter().any(|s| s.contains(k))).map(|(_, s)| *s),
        );
        stacks.dedup();
        stacks.into_iter().map(str::to_owned).collect()
    }
}

/// Programs that run scripts of the shell.
const SHELLS: [&str; 6] = ["bash", "dash", "sh", "zsh", "ksh", "busybox"];

/// True if a table with reads or writes has lost rows: then an unknown amount of I/O time is
/// missing. Processes without a recording do not count here: `unseen_io` has their bytes.
fn hides_time(issue: Row<'_>) -> bool {
    let is = |column, name: &str| issue.text(column).as_deref() == Some(name);
    if is("loss", Loss::None.name()) || is("scope", Scope::Process.name()) {
        return false;
    }
    let Some(tables) = issue.text("tables") else { return true };
    let mut of_layers = TableId::ALL
        .iter()
        .map(|id| id.def())
        .filter(|def| def.with_role(Role::Read).next().is_some());
    of_layers.any(|def| tables.split(',').any(|table| table == def.name))
}

/// Nanoseconds since 1970 as a date and time of UTC, to the second.
fn rfc3339(ns: i64) -> String {
    let moment = Timestamp::from_nanosecond(i128::from(ns));
    moment.map_or_else(|_| ns.to_string(), |m| m.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_utc() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_826_271_000_000_000), "2000-02-29T12:11:11Z");
    }
}
