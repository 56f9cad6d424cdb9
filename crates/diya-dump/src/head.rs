//! The lines before the records: job, parts of the log, mount points.

use super::DumpOptions;
use super::modules::{self, Module};
use super::names::Names;
use super::text::Text;
use super::time::ctime;
use diya_tables::{TableId, Tables, job};

/// Both originals print the size of the header of their own version, 3.41,
/// whatever the log has.
const HEADER_BYTES: u64 = 1328;

/// Module ids from here on are unknown to darshan-util.
const KNOWN_MODULES: i32 = 18;

const RULE: &str = "# -------------------------------------------------------\n";

/// Which modules are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    /// Those with data or lost records (darshan-parser).
    WithDataOrPartial,
    /// Those with data (darshan-dxt-parser).
    WithData,
}

/// Prints everything up to the mount points.
pub(super) fn print(
    text: &mut Text<'_>,
    tables: &Tables,
    modules: &[Module<'_>],
    names: &Names<'_>,
    listed: Listed,
    options: &DumpOptions,
) {
    print_job(text, tables, options);
    text.str("\n# log file regions\n").str(RULE);
    // A legacy log is one piece: its parts have no size of their own.
    if modules::part_bytes(tables, "header").is_some() {
        text.str("# header: ").u64(HEADER_BYTES).str(" bytes (uncompressed)\n");
    }
    for (part, label) in [("job", "# job data: "), ("names", "# record table: ")] {
        if let Some(bytes) = modules::part_bytes(tables, part) {
            text.str(label).u64(bytes).str(" bytes (compressed)\n");
        }
    }
    for module in modules {
        print_module(text, module, listed);
    }
    text.str("\n# mounted file systems (mount point and fs type)\n").str(RULE);
    for (mount, fs_type) in names.mounts() {
        text.str("# mount entry:\t").str(mount).str("\t").str(fs_type).str("\n");
    }
}

fn print_job(text: &mut Text<'_>, tables: &Tables, options: &DumpOptions) {
    let Some(table) = tables.table(TableId::Job) else { return };
    let number = |column| table.i64(column, 0);
    let words = |column| table.str(column, 0);
    let version = words(job::LOG_VERSION).unwrap_or("");
    if version == "3.20" {
        text.str("# WARNING: logs of Darshan 3.2.0 hold damaged counters, above all of common\n");
        text.str("#          access sizes; what comes before them may be damaged as well.\n");
    }
    let compression = words(job::COMPRESSION).unwrap_or("unknown").to_ascii_uppercase();
    text.str("# darshan log version: ").str(version);
    text.str("\n# compression method: ").str(&compression);
    text.str("\n# exe: ").str(words(job::COMMAND_LINE).unwrap_or(""));
    text.str("\n# uid: ").i64(number(job::UID).unwrap_or(-1));
    text.str("\n# jobid: ").i64(number(job::JOB_ID).unwrap_or(-1)).str("\n");
    // Null: the log holds 0, the time was never set.
    let start = Instant::of(number(job::START_TIME).unwrap_or(0));
    let end = Instant::of(number(job::END_TIME).unwrap_or(0));
    print_time(text, "start_time", start, options);
    print_time(text, "end_time", end, options);
    text.str("# nprocs: ").i64(number(job::NPROCS).unwrap_or(-1));
    text.str("\n# run time: ").f4(run_time_s(version, start, end)).str("\n");
    let lines = words(job::METADATA).unwrap_or("").split('\n');
    for (key, value) in lines.filter_map(|line| line.split_once('=')) {
        text.str("# metadata: ").str(key).str(" = ").str(value).str("\n");
    }
}

/// A point in time as the job record holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Instant {
    second: i64,
    part_ns: i64,
}

impl Instant {
    fn of(unix_ns: i64) -> Self {
        let second = unix_ns.div_euclid(1_000_000_000);
        Self { second, part_ns: unix_ns.rem_euclid(1_000_000_000) }
    }

    fn seconds(self) -> f64 {
        self.second as f64 + self.part_ns as f64 / 1e9
    }
}

fn print_time(text: &mut Text<'_>, name: &str, at: Instant, options: &DumpOptions) {
    let offset_s = options.utc_offset_s.map_or(0, |offset_s| offset_s(at.second));
    text.str("# ").str(name).str(": ").i64(at.second);
    text.str("\n# ").str(name).str("_asci: ").str(&ctime(at.second, offset_s)).str("\n");
}

/// End minus start, with the rounding of darshan-util, which adds seconds and
/// nanoseconds up before it subtracts: the last digit printed can depend on it.
fn run_time_s(version: &str, start: Instant, end: Instant) -> f64 {
    if has_nanoseconds(version) {
        end.seconds() - start.seconds()
    } else {
        (end.second - start.second + 1) as f64
    }
}

/// Logs since 3.41 hold nanoseconds; the version is compared number by number.
fn has_nanoseconds(version: &str) -> bool {
    let Some((major, minor)) = version.split_once('.') else { return false };
    let (Ok(major), Ok(minor)) = (major.parse::<u32>(), minor.parse::<u32>()) else { return false };
    (major, minor) > (3, 40)
}

fn print_module(text: &mut Text<'_>, module: &Module<'_>, listed: Listed) {
    let Some(bytes) = module.stored_bytes else { return };
    let is_listed = bytes > 0 || (module.is_partial && listed == Listed::WithDataOrPartial);
    if !is_listed {
        return;
    }
    match module.id.filter(|id| *id >= KNOWN_MODULES) {
        Some(id) => text.str("# <UNKNOWN> module (id ").i64(i64::from(id)).str(")"),
        None => text.str("# ").str(module.name).str(" module"),
    };
    text.str(": ").u64(bytes).str(" bytes (compressed), ver=");
    text.i64(i64::from(module.version.unwrap_or(0))).str("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(version: &str, start_ns: i64, end_ns: i64) -> f64 {
        run_time_s(version, Instant::of(start_ns), Instant::of(end_ns))
    }

    #[test]
    fn logs_without_nanoseconds_count_the_last_second() {
        assert_eq!(seconds("3.21", 1_000_000_000, 5_000_000_000), 5.0);
        assert_eq!(seconds("3.41", 1_500_000_000, 5_000_000_000), 3.5);
    }

    #[test]
    fn a_killed_run_has_a_negative_run_time() {
        assert_eq!(seconds("3.41", 1_500_000_000, 0), -1.5);
    }
}
