//! The job region: who ran what, and which file systems were mounted.

use super::bytes::{Cursor, text_of};
use super::header::Header;
use diya_tables::{JobRow, MountRow, MpiHintRow, Tables};

/// Darshan cuts the region to this size in memory.
const MAX_JOB_BYTES: usize = 4096;

const METADATA_BYTES: usize = 1024;

/// Position of the metadata in the record before 3.41.
const OLD_METADATA_AT: usize = 40;

/// What the region says.
#[derive(Debug, Default)]
pub(crate) struct Job {
    uid: Option<i64>,
    start_ns: Option<i64>,
    end_ns: Option<i64>,
    run_time_s: Option<f64>,
    nprocs: Option<i64>,
    job_id: Option<i64>,
    metadata: Option<String>,
    command_line: Option<String>,
    /// Mount point and type, in the order of the log.
    pub mounts: Vec<(String, String)>,
    /// The process was killed before Darshan could write the end time.
    pub is_unfinished: bool,
    /// A development version wrote the new header but the old record.
    pub is_development: bool,
    /// The region ends inside the record of fixed size.
    pub is_cut: bool,
}

/// Reads the inflated region; what is missing stays `None`.
pub(crate) fn parse(bytes: &[u8], header: &Header) -> Job {
    let mut job = Job { is_cut: true, ..Job::default() };
    let bytes = bytes.get(..MAX_JOB_BYTES).unwrap_or(bytes);
    let at = &mut Cursor::new(bytes, header.order);
    let is_new = header.minor >= 41;
    // The metadata of the old record lie where the new one has two numbers.
    job.is_development =
        is_new && bytes.get(OLD_METADATA_AT..).is_some_and(|b| b.starts_with(b"lib_ver="));
    let has_ns = is_new && !job.is_development;
    let _ = parse_fields(at, has_ns, &mut job);
    job
}

fn parse_fields(at: &mut Cursor<'_>, has_ns: bool, job: &mut Job) -> Option<()> {
    job.uid = Some(at.i64()?);
    let start_s = at.i64()?;
    let start_part_ns = if has_ns { at.i64()? } else { 0 };
    let end_s = at.i64()?;
    let end_part_ns = if has_ns { at.i64()? } else { 0 };
    job.start_ns = timestamp(start_s, start_part_ns);
    job.end_ns = timestamp(end_s, end_part_ns);
    job.is_unfinished = job.start_ns.is_some() && end_s == 0;
    job.run_time_s = job.start_ns.zip(job.end_ns).map(|_| {
        let parts_ns = i128::from(end_part_ns) - i128::from(start_part_ns);
        let whole_ns = (i128::from(end_s) - i128::from(start_s)) * 1_000_000_000 + parts_ns;
        // Without nanoseconds Darshan counts the last, begun second as well.
        whole_ns as f64 / 1e9 + if has_ns { 0.0 } else { 1.0 }
    });
    job.nprocs = Some(at.i64()?);
    job.job_id = Some(at.i64()?);
    job.metadata = Some(text_of(at.take(METADATA_BYTES)?).into_owned());
    let text = at.rest();
    // The text may end with NUL or with the region: both kinds of log exist. A
    // region that is cut says so itself, when it is inflated.
    job.is_cut = false;
    parse_text(&text_of(text), job);
    Some(())
}

/// Nanoseconds since 1970; a time of zero is one that was never set.
fn timestamp(seconds: i64, part_ns: i64) -> Option<i64> {
    let is_part = (0..1_000_000_000).contains(&part_ns);
    seconds.checked_mul(1_000_000_000)?.checked_add(part_ns).filter(|_| seconds != 0 && is_part)
}

fn parse_text(text: &str, job: &mut Job) {
    let mut lines = text.split('\n');
    job.command_line = lines.next().filter(|line| !line.is_empty()).map(str::to_string);
    for line in lines {
        if let Some((fs_type, mount)) = line.split_once('\t') {
            job.mounts.push((mount.to_string(), fs_type.to_string()));
        }
    }
}

impl Job {
    /// Appends what is known to `job`, `mount` and `mpi_hint`.
    pub fn push(&self, header: &Header, log: i32, log_name: &str, tables: &mut Tables) {
        let metadata = self.metadata.as_deref().unwrap_or_default();
        let value_of = |key: &str| {
            let mut pairs = metadata.lines().filter_map(|line| line.split_once('='));
            pairs.find(|(k, _)| *k == key).map(|(_, value)| value)
        };
        let command_line = self.command_line.as_deref();
        tables.push_job(JobRow {
            log,
            log_name,
            format: "darshan",
            job_id: self.job_id,
            uid: self.uid,
            exe: command_line.and_then(|line| line.split_whitespace().next()),
            command_line,
            nprocs: self.nprocs,
            start_time: self.start_ns,
            end_time: self.end_ns,
            run_time_s: self.run_time_s,
            log_version: Some(&header.version),
            library_version: value_of("lib_ver"),
            is_big_endian: header.order == super::bytes::Order::Big,
            compression: header.compression.name(),
            metadata: self.metadata.as_deref().filter(|text| !text.is_empty()),
        });
        for (mount, fs_type) in &self.mounts {
            tables.push_mount(MountRow { log, mount, fs_type });
        }
        // "h=hint=value;hint=value": the hints Darshan opened its own log with.
        let hints = value_of("h").unwrap_or_default().split(';');
        for (hint, value) in hints.filter_map(|pair| pair.split_once('=')) {
            tables.push_mpi_hint(MpiHintRow {
                log,
                file_id: None,
                hint,
                value,
                source: "log_hints",
            });
        }
    }
}
