//! The job: who ran what, when, and which file systems were mounted.
//!
//! The image starts with the job structure; a text follows it up to the place
//! where the records start: the command line, then (from 1.23 on) one line per
//! mount point. `darshan-convert` of the 2.x series rewrites old logs as 2.05
//! or 2.06 and notes the version they had as `prev_ver` in the metadata: what a
//! number means then still follows from that older version.

use super::bytes::{Bytes, text};
use super::version::{MAGIC, Machine, PPC32, RecordLayout, Version};
use crate::ReadError;
use diya_tables::{JobRow, MountRow, MpiHintRow, Tables};

/// Bytes of the job structure of 2.x that all its versions share.
const COMMON_JOB_BYTES: u64 = 56;

/// A mounted file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    /// Device number, or a hash of the mount point (libraries from 2.2.6 on).
    pub device: i64,
    pub fs_type: String,
    pub path: String,
}

/// What stands before the records.
#[derive(Debug)]
pub(super) struct Header {
    /// Version of the layout.
    pub version: Version,
    pub version_text: String,
    /// Version that says what the numbers mean.
    pub meaning: Version,
    pub is_big_endian: bool,
    /// A 1.x log of a machine of which no log is known: see version.rs.
    pub is_rare_machine: bool,
    pub uid: Option<i64>,
    pub start_s: Option<i64>,
    pub end_s: Option<i64>,
    pub nprocs: Option<i64>,
    pub job_id: Option<i64>,
    pub metadata: Option<String>,
    pub command_line: Option<String>,
    pub mounts: Vec<Mount>,
    /// Lines behind the command line that are no mount points.
    pub bad_mount_lines: u64,
    /// `None`: the version is not known, and neither is its record.
    pub records: Option<RecordLayout>,
}

/// Reads what there is of the header; fields that are cut off are `None`.
pub(super) fn parse(image: &[u8]) -> Result<Header, ReadError> {
    let Some(version) = Version::parse(image) else {
        return Err(ReadError::NotALog {
            byte_offset: 0,
            found: "no version text".into(),
            expected: "the version text of a Darshan log of 1.x or 2.x",
        });
    };
    let version_text = text(image.get(..8).unwrap_or(image)).unwrap_or_default().into_owned();
    let mut header = Header {
        version,
        version_text,
        meaning: version,
        is_big_endian: true,
        is_rare_machine: false,
        uid: None,
        start_s: None,
        end_s: None,
        nprocs: None,
        job_id: None,
        metadata: None,
        command_line: None,
        mounts: Vec::new(),
        bad_mount_lines: 0,
        records: None,
    };
    let text_at = if version.has_magic() {
        parse_new_job(image, &mut header)?
    } else {
        parse_old_job(image, &mut header)?
    };
    let text_end = version.records_at().min(image.len());
    if header.records.is_some() {
        parse_text(image.get(text_at..text_end).unwrap_or_default(), &mut header);
    }
    Ok(header)
}

/// The job structure of 2.x; returns where the text starts.
fn parse_new_job(image: &[u8], header: &mut Header) -> Result<usize, ReadError> {
    let len = u64::try_from(image.len()).unwrap_or(u64::MAX);
    let magic = Bytes { bytes: image, is_big_endian: false }.u64(8);
    header.is_big_endian = match magic {
        Some(MAGIC) => false,
        Some(word) if word.swap_bytes() == MAGIC => true,
        Some(word) => {
            return Err(ReadError::NotALog {
                byte_offset: 8,
                found: format!("the number {word:#018x}"),
                expected: "the magic number 6567223 in either byte order",
            });
        }
        None => return Err(ReadError::HeaderCut { len, header_bytes: COMMON_JOB_BYTES }),
    };
    let at = Bytes { bytes: image, is_big_endian: header.is_big_endian };
    header.uid = at.i64(16);
    header.start_s = at.i64(24);
    header.end_s = at.i64(32);
    header.nprocs = at.i64(40);
    header.job_id = at.i64(48);
    header.records = RecordLayout::of(header.version, PPC32);
    let text_at = 56 + header.version.metadata_bytes();
    if header.records.is_some() {
        let metadata = image.get(56..text_at.min(image.len())).and_then(text);
        header.metadata = metadata.map(std::borrow::Cow::into_owned);
        // Each conversion adds a line; the last one is what Darshan's reader takes.
        let previous =
            header.value_of("prev_ver").last().and_then(|v| Version::parse(v.as_bytes()));
        header.meaning = previous.filter(|v| *v <= header.version).unwrap_or(header.version);
    }
    Ok(text_at)
}

/// The job structure of 1.x; returns where the text starts.
fn parse_old_job(image: &[u8], header: &mut Header) -> Result<usize, ReadError> {
    if header.version.slots().is_none() {
        // Nothing but the text speaks for such a log.
        return Err(ReadError::UnknownVersion {
            found: header.version_text.clone(),
            known: "of 1.x only 1.4 and 1.21 to 1.24",
        });
    }
    let machine = Machine::of_1x(header.version, image).unwrap_or(PPC32);
    let job = machine.job(header.version);
    let at = Bytes { bytes: image, is_big_endian: machine.is_big_endian };
    let time = |place| if job.has_wide_time { at.i64(place) } else { at.i32(place).map(i64::from) };
    header.is_big_endian = machine.is_big_endian;
    header.is_rare_machine = machine != PPC32;
    header.uid = at.u32(job.uid).map(i64::from);
    header.start_s = time(job.start);
    header.end_s = time(job.end);
    header.nprocs = at.i32(job.nprocs).map(i64::from);
    header.records = RecordLayout::of(header.version, machine);
    Ok(job.text)
}

/// Command line, then lines of device, type and mount point.
fn parse_text(bytes: &[u8], header: &mut Header) {
    let text = text(bytes).unwrap_or_default();
    let mut lines = text.split('\n');
    header.command_line = lines.next().filter(|line| !line.is_empty()).map(str::to_string);
    for line in lines {
        let mut parts = line.splitn(3, '\t');
        let device = parts.next().and_then(|device| device.parse().ok());
        match (device, parts.next(), parts.next()) {
            (Some(device), Some(fs_type), Some(path)) => {
                let (fs_type, path) = (fs_type.to_string(), path.to_string());
                header.mounts.push(Mount { device, fs_type, path });
            }
            _ => header.bad_mount_lines += 1,
        }
    }
}

/// Nanoseconds since 1970; `None` also for a time that was never set.
fn timestamp_ns(seconds: Option<i64>) -> Option<i64> {
    seconds.filter(|s| *s != 0)?.checked_mul(1_000_000_000)
}

impl Header {
    /// Values of a key in the metadata. Only the first "=" of a line divides.
    fn value_of<'h>(&'h self, key: &'static str) -> impl Iterator<Item = &'h str> {
        let lines = self.metadata.as_deref().unwrap_or_default().lines();
        lines.filter_map(|l| l.split_once('=')).filter(move |(k, _)| *k == key).map(|(_, v)| v)
    }

    /// Run time as Darshan counts it: the last, begun second is one more.
    pub fn run_time_s(&self) -> Option<i64> {
        let (start, end) = (self.start_s.filter(|s| *s != 0)?, self.end_s.filter(|s| *s != 0)?);
        end.checked_sub(start)?.checked_add(1).filter(|s| *s > 0)
    }

    /// The mount point a file lies on, by the device in its record.
    pub fn mount_of(&self, device: i64) -> Option<&Mount> {
        self.mounts.iter().find(|mount| mount.device == device)
    }

    /// Appends to `job`, `mount` and `mpi_hint`.
    pub fn push(&self, log: i32, log_name: &str, compression: &str, tables: &mut Tables) {
        let command_line = self.command_line.as_deref();
        tables.push_job(JobRow {
            log,
            log_name,
            format: "darshan-legacy",
            job_id: self.job_id,
            uid: self.uid,
            exe: command_line.and_then(|line| line.split_whitespace().next()),
            command_line,
            nprocs: self.nprocs,
            start_time: timestamp_ns(self.start_s),
            end_time: timestamp_ns(self.end_s),
            // A job of more than 68 years has a damaged time.
            run_time_s: self.run_time_s().and_then(|s| i32::try_from(s).ok()).map(f64::from),
            log_version: Some(&self.version_text),
            library_version: self.value_of("lib_ver").next(),
            is_big_endian: self.is_big_endian,
            compression,
            metadata: self.metadata.as_deref(),
        });
        for Mount { fs_type, path, .. } in &self.mounts {
            tables.push_mount(MountRow { log, mount: path, fs_type });
        }
        // "h=hint=value;hint=value": the hints Darshan opened its own log with.
        let hints = self.value_of("h").flat_map(|hints| hints.split(';'));
        for (hint, value) in hints.filter_map(|hint| hint.split_once('=')) {
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
