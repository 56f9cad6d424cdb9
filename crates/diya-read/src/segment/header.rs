//! The header of a segment: which process this was, and its clock.

use super::bytes::text;
use super::identity::Identity;
use super::unattached::Unattached;
use super::witness::Witness;
use diya_model::Layout as _;
use diya_model::segment as format;
use diya_model::segment::SegmentHeader;

pub use diya_model::segment::ClockPoint;

/// First bytes of every segment.
pub const MAGIC: &[u8; 8] = format::SEGMENT_MAGIC;
/// Every segment has so much of the header; later versions put more behind it.
const FIELDS_BYTES: usize = SegmentHeader::WITNESS_FIRST_AT;

/// How far a process had come when it was last heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was still running, or it was killed.
    NotSeen,
    /// By itself.
    Exited,
    /// It became another program.
    Execed,
    /// It became a launcher, or another program that is not recorded on purpose.
    Skipped,
}

/// What was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Mode {
    Trace,
    Profile,
}

/// Clock of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Clock {
    Tsc,
    Cntvct,
    Monotonic,
}

/// MPI library of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum MpiFamily {
    None,
    Mpich,
    OpenMpi,
    Abi,
}

impl MpiFamily {
    /// Name for people; `None` without MPI.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Mpich => Some("mpich"),
            Self::OpenMpi => Some("openmpi"),
            Self::Abi => Some("mpi_abi"),
        }
    }
}

/// The header.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // as in schema/segment.toml
pub struct Header {
    pub is_big_endian: bool,
    pub header_bytes: usize,
    pub ended: Ended,
    pub mode: Mode,
    pub clock: Clock,
    /// Ticks per second where the processor says so.
    pub nominal_hz: Option<u64>,
    pub first: ClockPoint,
    pub last: ClockPoint,
    pub pid: u32,
    pub parent_pid: u32,
    pub uid: u32,
    pub mpi_rank: Option<i32>,
    pub mpi_size: Option<i32>,
    pub mpi_family: MpiFamily,
    /// Rank that the MPI launcher put into the environment.
    pub launcher_rank: Option<i32>,
    pub has_stacks: bool,
    pub is_command_cut: bool,
    /// Calls not recorded, by reason: see [`DROPPED`].
    pub dropped: [u64; DROPPED.len()],
    /// Another segment was in the place of this one and was removed: at least how many calls
    /// it had, with those of later.
    pub removed_calls: Option<u64>,
    /// Regions, steps, epochs and notes not recorded.
    pub regions_dropped: u64,
    pub messages_dropped: u64,
    pub exit_code: Option<i32>,
    pub host: String,
    pub job_id: Option<i64>,
    pub exe: String,
    pub cwd: String,
    pub command_line: String,
    /// What the kernel counted from the first recorded call to the last reading.
    pub witness: Witness,
    pub identity: Identity,
    pub unattached: Unattached,
}

/// What is left of calls that were not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// They were counted all the same.
    Counts,
    /// Nothing. It was the moment at which they were made that lost them: a few of many.
    NothingOfAMoment,
    /// Nothing.
    Nothing,
}

/// Why calls were not recorded, in the order of `Header::dropped`, and what is left of them.
pub(super) const DROPPED: [(&str, Left); format::DROPPED_REASONS as usize] = [
    ("the limit --max-trace was reached", Left::Counts),
    ("the segment directory was full or out of reach, or a file size limit applied", Left::Counts),
    ("made in a signal handler that interrupted the recorder", Left::NothingOfAMoment),
    ("made by a thread that was ending", Left::NothingOfAMoment),
    ("the maximum number of file names was reached", Left::Counts),
    ("there was no memory left for counters", Left::Nothing),
    ("asynchronous requests whose submission or completion was not recorded", Left::Nothing),
    (
        "made after the program blocked clock access (seccomp strict mode, PR_SET_TSC)",
        Left::Nothing,
    ),
];

impl Header {
    /// Reads the header of a segment; the text says what is wrong with it.
    pub fn read(segment: &[u8]) -> Result<Self, String> {
        if segment.first_chunk() != Some(MAGIC) {
            return Err("it does not start with the magic bytes of a segment".into());
        }
        if segment.len() < FIELDS_BYTES {
            return Err(format!("it is {} bytes long, shorter than its header", segment.len()));
        }
        Self::fields(segment).ok_or_else(|| "its header is damaged".to_string())?
    }

    fn fields(segment: &[u8]) -> Option<Result<Self, String>> {
        let number = |at, is_big_endian| u32::of(segment.get(at..)?, is_big_endian);
        let is_big_endian = match number(SegmentHeader::ENDIAN_AT, false)? {
            format::ENDIAN_MARK => false,
            mark if mark.swap_bytes() == format::ENDIAN_MARK => true,
            _ => return None,
        };
        let version = number(SegmentHeader::VERSION_AT, is_big_endian)?;
        if version != format::SEGMENT_VERSION {
            let known = format::SEGMENT_VERSION;
            return Some(Err(format!(
                "its version is {version}, this diya reads {known}: use the diya that wrote it"
            )));
        }
        let header_bytes = number(SegmentHeader::HEADER_BYTES_AT, is_big_endian)? as usize;
        if header_bytes < FIELDS_BYTES {
            return None;
        }
        // What is missing of a shorter header is 0, which an older recorder left there, too.
        let held = header_bytes.min(segment.len()).min(SegmentHeader::BYTES);
        let mut room = segment.get(..held)?.to_vec();
        room.resize(SegmentHeader::BYTES, 0);
        let h = SegmentHeader::of(&room, is_big_endian)?;
        let whole = |end: usize| held >= end;
        let not_negative = |n: i32| (n >= 0).then_some(n);
        Some(Ok(Self {
            is_big_endian,
            header_bytes,
            ended: match h.state {
                format::EXITED => Ended::Exited,
                format::EXECED => Ended::Execed,
                format::SKIPPED => Ended::Skipped,
                _ => Ended::NotSeen,
            },
            mode: if h.mode == format::MODE_PROFILE { Mode::Profile } else { Mode::Trace },
            clock: match h.clock {
                format::CLOCK_TSC => Clock::Tsc,
                format::CLOCK_CNTVCT => Clock::Cntvct,
                _ => Clock::Monotonic,
            },
            nominal_hz: Some(h.nominal_hz).filter(|&hz| hz > 0),
            first: h.first,
            last: h.last,
            pid: h.pid,
            parent_pid: h.ppid,
            uid: h.uid,
            mpi_rank: not_negative(h.mpi_rank),
            mpi_size: not_negative(h.mpi_size),
            mpi_family: match h.mpi_family {
                format::MPI_MPICH => MpiFamily::Mpich,
                format::MPI_OPEN => MpiFamily::OpenMpi,
                format::MPI_ABI => MpiFamily::Abi,
                _ => MpiFamily::None,
            },
            launcher_rank: not_negative(h.launcher_rank),
            has_stacks: h.has_stacks != 0,
            is_command_cut: h.argv_cut != 0,
            dropped: h.dropped,
            regions_dropped: match whole(SegmentHeader::RESERVED_AT) {
                true => h.regions_dropped,
                false => 0,
            },
            messages_dropped: match whole(SegmentHeader::RESERVED_AT) {
                true => h.messages_dropped,
                false => 0,
            },
            removed_calls: (whole(SegmentHeader::RESERVED_AT) && h.was_removed != 0)
                .then_some(h.removed_calls),
            exit_code: not_negative(h.exit_code),
            host: text(&h.host),
            job_id: leading_number(&text(&h.job_id)),
            exe: text(&h.exe),
            cwd: text(&h.cwd),
            command_line: arguments(&h.argv.0),
            witness: match whole(SegmentHeader::UNATTACHED_AT) {
                true => Witness::between(&h.witness_first, &h.witness_last),
                false => Witness::default(),
            },
            unattached: match whole(SegmentHeader::RESERVED_AT) {
                true => Unattached::of(h.unattached, &h.unattached_children),
                false => Unattached::default(),
            },
            identity: match whole(SegmentHeader::BYTES) {
                true => Identity::of(&h.identity),
                false => Identity::default(),
            },
        }))
    }

    /// Name of the clock.
    pub fn clock_name(&self) -> &'static str {
        match self.clock {
            Clock::Tsc => "tsc",
            Clock::Cntvct => "cntvct",
            Clock::Monotonic => "clock_monotonic",
        }
    }
}

/// Arguments, each ended by a zero byte, as one line.
fn arguments(field: &[u8]) -> String {
    let mut line = String::new();
    for argument in field.split(|&b| b == 0).take_while(|a| !a.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&String::from_utf8_lossy(argument));
    }
    line
}

/// Batch systems put more behind the number: `1234.server`, `1234[7]`.
fn leading_number(text: &str) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..digits)?.parse().ok()
}
