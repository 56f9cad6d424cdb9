//! The row of `job`.

use super::activity::Bins;
use super::findings::LogFindings;
use super::log_facts::LogFacts;
use super::metric::Totals;
use super::place;
use super::record::JobFile;
use super::usage::{Use, sum};
use super::{At, LogKey};
use crate::generated::JobRow;
use crate::names::Names;
use crate::round::{to_16_bits, to_24_bits};
use crate::rows::Rows;
use diya::model::Layer;
use diya::report::Severity;
use std::collections::BTreeSet;

/// Start of the job as it stands in the dataset.
pub fn start(log: &LogFacts, names: &Names) -> Option<i64> {
    log.start.map(|ns| names.moment(ns))
}

/// What the row is made of.
pub struct Job<'j> {
    pub log: &'j LogFacts,
    pub key: &'j LogKey<'j>,
    pub files: &'j [JobFile<'j>],
    pub bins: &'j Bins,
    pub totals: &'j Totals,
    pub judged: Option<&'j LogFindings>,
}

impl Job<'_> {
    fn total<T: std::ops::Add<Output = T> + Copy>(
        &self,
        of: impl Fn(&JobFile<'_>) -> Option<T>,
    ) -> Option<T> {
        sum(self.files.iter().map(of))
    }

    fn of_uses(&self, of: impl Fn(&Use) -> Option<i64>) -> Option<i64> {
        sum(self.files.iter().flat_map(|file| &file.uses).map(|u| of(u)))
    }

    fn count(&self, is_counted: impl Fn(&JobFile<'_>) -> bool) -> i64 {
        self.files.iter().filter(|file| !file.is_stream && is_counted(file)).count() as i64
    }

    /// POSIX bytes per byte of MPI-IO, in files that both saw.
    fn amplification(&self, direction: usize) -> Option<f64> {
        let both = self.files.iter().filter(|file| file.layers.contains(&Layer::Posix));
        let (mut above, mut below) = (0.0, 0.0);
        for file in both {
            let Some(bytes) = file.mpiio_bytes else { continue };
            let posix = [file.bytes_read, file.bytes_written];
            above += bytes[direction] as f64;
            below += posix[direction].unwrap_or(0) as f64;
        }
        (above > 0.0).then(|| to_24_bits(below / above))
    }

    /// The highest layer that moved bytes.
    fn interface(&self) -> Option<&'static str> {
        // Nearly every program prints something: a stream counts if nothing else moved bytes.
        let is_file = |layer: &Layer| *layer != Layer::Stdio;
        let order = || {
            let top_down = Layer::BOTTOM_UP.into_iter().rev();
            top_down.filter(is_file).chain([Layer::Stdio])
        };
        let uses = |layer: Layer| self.log.uses.iter().filter(move |u| u.layer == Some(layer));
        let has_moved = |layer: &Layer| uses(*layer).filter_map(Use::bytes).any(|bytes| bytes > 0);
        // HDF5 and PnetCDF may be recorded by file only: opened is used then.
        let is_opened = |layer: &Layer| layer.is_library() && uses(*layer).next().is_some();
        let moved = order().find(has_moved)?;
        let opened = order().filter(|_| !moved.is_library()).find(is_opened);
        Some(match opened.unwrap_or(moved) {
            Layer::Daos => Layer::Dfs.family(),
            layer => layer.family(),
        })
    }

    /// By how much times contradict each other.
    fn clock_skew_s(&self) -> Option<f64> {
        let backwards =
            self.log.start.zip(self.log.end).map(|(start, end)| (start - end) as f64 / 1e9);
        let length = self.log.run_time_s.or_else(|| backwards.map(|s| -s));
        let late = self.totals.last_s.zip(length).map(|(last, run)| last - run);
        let early = self.totals.first_s.map(|first| -first);
        let skew = [backwards, late, early].into_iter().flatten().reduce(f64::max)?;
        // Darshan's whole seconds, and clocks of nodes, agree to about a second.
        Some(if skew > 1.5 { to_24_bits(skew) } else { 0.0 })
    }
}

/// Programs that run the program that is meant.
const INTERPRETERS: [&str; 9] =
    ["python", "perl", "ruby", "Rscript", "julia", "java", "bash", "sh", "node"];

/// The program: last part of the executable, of an interpreter its script.
pub fn program(exe: &str, command_line: Option<&str>) -> String {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let name = last(exe);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !INTERPRETERS.contains(&stem) {
        return name;
    }
    let mut words = command_line.unwrap_or_default().split_whitespace().skip(1);
    while let Some(word) = words.next() {
        match word {
            "-m" => return words.next().map_or(name, str::to_owned),
            // A program as text has no name.
            "-c" => return name,
            _ if word.starts_with('-') => {}
            _ => return last(word),
        }
    }
    name
}

/// The user, from the file name of a Darshan log: `USER_PROGRAM_idJOB_...`.
pub fn user_of_path(path: &str, exe: Option<&str>) -> Option<String> {
    let name = path.rsplit(['/', '!']).next()?;
    let program = exe?.rsplit('/').next().filter(|program| !program.is_empty())?;
    let at = name.find(&format!("_{program}_id"))?;
    Some(name[..at].to_owned()).filter(|user| !user.is_empty())
}

/// The power of two next to a number of bytes.
fn magnitude(bytes: Option<i64>) -> i64 {
    bytes.filter(|bytes| *bytes > 0).map_or(-1, |bytes| (bytes as f64).log2().round() as i64)
}

/// Appends the row.
pub fn push(job: &Job<'_>, at: At, names: &Names, rows: &mut Rows) {
    let (log, totals) = (job.log, job.totals);
    let program = log.exe.as_deref().map(|exe| program(exe, log.command_line.as_deref()));
    let user = user_of_path(job.key.path, log.exe.as_deref());
    let bytes_read = job.total(|file| file.bytes_read);
    let bytes_written = job.total(|file| file.bytes_written);
    let bytes = sum([bytes_read, bytes_written]);
    let (reads, writes) = (job.total(|file| file.reads), job.total(|file| file.writes));
    let opens = job.total(|file| file.opens);
    // Where the log was judged, as its report says.
    let io_time_s = job.judged.and_then(LogFindings::io_s).or(totals.io_time_s());
    let cumulative_s = totals.cumulative_s();
    let files = job.count(|_| true);
    let known = program.as_deref().zip(log.nprocs);
    let hash_of = |kind: &str, numbers: &[i64]| {
        known.map(|(program, nprocs)| {
            let mut text = program.as_bytes().to_vec();
            text.push(0);
            text.extend(nprocs.to_le_bytes());
            text.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            names.hash(kind, &text)
        })
    };
    let exact = [bytes_read, bytes_written, reads, writes, opens, Some(files)];
    let is_shared = |file: &JobFile<'_>| file.is_shared;
    let small = |which: usize| {
        let posix = log.uses.iter().filter(|u| u.layer == Some(Layer::Posix));
        sum(posix.map(|u| u.small.map(|small| small[which])))
    };
    let opens_of_modules = job.files.iter().filter(|file| place::is_python_module(file.path(log)));
    let site_packages_opens = sum(opens_of_modules.map(|file| file.opens)).unwrap_or(0);
    let is_python = site_packages_opens > 0
        || log.exe.as_deref().is_some_and(|exe| {
            exe.rsplit('/').next().is_some_and(|name| name.starts_with("python"))
                || exe.ends_with(".py")
        });
    let read_extent = job.files.iter().filter(|file| file.has_read()).map(|file| file.extent_bytes);
    let throughput = bytes.zip(io_time_s).filter(|(bytes, s)| *bytes > 0 && *s > 0.0);
    let hosts: BTreeSet<&str> = log.hosts.keys().map(|(_, host)| host.as_str()).collect();
    let time = |value: Option<f64>| value.map(to_24_bits);
    let path = names.path("log", job.key.path);
    let user = user.as_deref().map(|user| names.text("user", user));
    let exe = log.exe.as_deref().filter(|_| !names.is_release).map(|exe| names.path("exe", exe));
    let shown_program = program.as_deref().map(|program| names.text("program", program));
    let private = |id: Option<i64>| id.filter(|_| !names.is_release);
    let command = log.command_line.as_deref().filter(|_| !names.is_release);
    let count = |of: &[Severity]| job.judged.map(|judged| judged.count(|s| of.contains(&s)));
    let [saved, low, high] = job.judged.map(LogFindings::recoverable_s).unwrap_or_default();
    let end = match (names.is_release, log.run_time_s) {
        (true, run_s) => {
            at.start.zip(run_s).map(|(start, s)| start.saturating_add((s * 1e9) as i64))
        }
        (false, _) => log.end,
    };
    JobRow {
        log_hash: at.log_hash,
        start_time: at.start,
        path: &path,
        format: &log.format,
        log_version: log.log_version.as_deref(),
        library_version: log.library_version.as_deref(),
        job_id: private(log.job_id.map(|id| names.id("job", id))),
        uid: private(log.uid.map(|uid| names.id("uid", uid))),
        user_name: user.as_deref(),
        exe: exe.as_deref(),
        program: shown_program.as_deref(),
        command_hash: command.map(|text| names.hash("command", text.as_bytes())),
        nprocs: log.nprocs,
        nodes: Some(hosts.len() as i64).filter(|nodes| *nodes > 0),
        end_time: end,
        run_time_s: time(log.run_time_s),
        clock_skew_s: job.clock_skew_s(),
        io_time_s: time(io_time_s),
        io_time_mean_s: cumulative_s
            .zip(log.nprocs.filter(|n| *n > 0))
            .map(|(s, n)| to_16_bits(s / n as f64)),
        io_time_cumulative_s: cumulative_s.map(to_16_bits),
        read_s: time(totals.read_s),
        write_s: time(totals.write_s),
        metadata_s: time(totals.metadata_s),
        bytes_read,
        bytes_written,
        throughput_bytes_per_s: time(throughput.map(|(bytes, s)| bytes as f64 / s)),
        bytes_read_shared: job
            .total(|file| Some(file.bytes_read?).filter(|_| is_shared(file)).or(Some(0))),
        bytes_written_shared: job
            .total(|file| Some(file.bytes_written?).filter(|_| is_shared(file)).or(Some(0))),
        files,
        files_shared: job.count(is_shared),
        files_unique: job.count(|file| !file.is_shared),
        files_read_only: job.count(|file| file.has_read() && !file.has_written()),
        files_write_only: job.count(|file| file.has_written() && !file.has_read()),
        files_read_written: job.count(|file| file.has_read() && file.has_written()),
        read_extent_bytes: sum(read_extent),
        reads,
        writes,
        small_reads: small(0),
        small_writes: small(2),
        tiny_reads: small(1),
        tiny_writes: small(3),
        read_amplification_ratio: job.amplification(0),
        write_amplification_ratio: job.amplification(1),
        opens,
        stats: job.of_uses(|u| u.stats.filter(|_| u.layer == Some(Layer::Posix))),
        syncs: job.of_uses(|u| u.syncs),
        interface: job.interface(),
        is_python,
        site_packages_opens,
        temporal_class: job.bins.temporal_class(),
        behaviour: hash_of("behaviour", &[magnitude(bytes_read), magnitude(bytes_written)]),
        io_hash: hash_of("io", &exact.map(|count| count.unwrap_or(-1))),
        is_partial: log.is_partial,
        records: job.files.len() as i64,
        size_bytes: job.key.size_bytes,
        verdict: job.judged.map(LogFindings::verdict),
        findings_high: count(&[Severity::High]),
        findings_warn: count(&[Severity::Warn]),
        findings_info: count(&[Severity::Info, Severity::Unexplained]),
        recoverable_s: saved,
        recoverable_low_s: low,
        recoverable_high_s: high,
    }
    .push(&mut rows.job);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_the_program_of_an_interpreter() {
        assert_eq!(
            program("/opt/vasp/bin/vasp_std", Some("/opt/vasp/bin/vasp_std -x")),
            "vasp_std"
        );
        assert_eq!(
            program("/usr/bin/python3.11", Some("python3.11 -u /home/a/train.py --x")),
            "train.py"
        );
        assert_eq!(program("python", Some("python -m torch.run a")), "torch.run");
        assert_eq!(program("python", Some("python -c print(1)")), "python");
        assert_eq!(program("python", None), "python");
    }

    #[test]
    fn the_name_of_a_log_tells_the_user() {
        let of = |path| user_of_path(path, Some("/opt/bin/my_app"));
        assert_eq!(
            of("/logs/2024/1/2/ann_lee_my_app_id77_1-2-3.darshan").as_deref(),
            Some("ann_lee")
        );
        assert_eq!(of("day.tar!a/bob_my_app_id77_1.darshan").as_deref(), Some("bob"));
        assert_eq!(of("/logs/other.darshan"), None);
    }

    #[test]
    fn equal_runs_may_differ_by_a_few_bytes() {
        assert_eq!(magnitude(Some(1 << 30)), magnitude(Some((1 << 30) + 4096)));
        assert_ne!(magnitude(Some(1 << 30)), magnitude(Some(1 << 32)));
        assert_eq!(magnitude(None), -1);
    }
}
