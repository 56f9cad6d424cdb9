//! The header of a segment: which process this was, and its clock.

use super::bytes::Bytes;
use super::identity::Identity;
use super::unattached::Unattached;
use super::witness::Witness;

/// First bytes of every segment.
pub const MAGIC: &[u8; 8] = b"DIYASEG1";
/// Version this reader knows.
const VERSION: u32 = 1;
const ENDIAN_MARK: u32 = 0x0102_0304;
/// Bytes of the header's fields; the room for it is larger.
const FIELDS_BYTES: usize = 6736;

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

/// One reading of all clocks, taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockPoint {
    /// Recording clock, in its own ticks.
    pub ticks: u64,
    /// Nanoseconds of the node's monotonic clock.
    pub mono_ns: u64,
    /// Nanoseconds since 1970.
    pub real_ns: u64,
}

impl ClockPoint {
    pub(super) fn read(b: &mut Bytes<'_>) -> Option<Self> {
        Some(Self { ticks: b.u64()?, mono_ns: b.u64()?, real_ns: b.u64()? })
    }
}

/// The header.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // as in diya_trace.h
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

/// Why calls were not recorded, in the order of `Header::dropped`, and whether
/// they were counted all the same.
pub(super) const DROPPED: [(&str, bool); 8] = [
    ("the limit --max-trace was reached", true),
    ("the segment directory was full or out of reach, or a file size limit applied", true),
    ("made in a signal handler that interrupted the recorder", false),
    ("made by a thread that was ending", false),
    ("the maximum number of file names was reached", true),
    ("there was no memory left for counters", false),
    ("asynchronous requests whose submission or completion was not recorded", false),
    ("made after the program blocked clock access (seccomp strict mode, PR_SET_TSC)", false),
];

impl Header {
    /// Reads the header of a segment; the text says what is wrong with it.
    pub fn read(segment: &[u8]) -> Result<Self, String> {
        if segment.first_chunk::<8>() != Some(MAGIC) {
            return Err("it does not start with the magic bytes of a segment".into());
        }
        if segment.len() < FIELDS_BYTES {
            return Err(format!("it is {} bytes long, shorter than its header", segment.len()));
        }
        Self::fields(segment).ok_or_else(|| "its header is damaged".to_string())?
    }

    fn fields(segment: &[u8]) -> Option<Result<Self, String>> {
        let mut b = Bytes::new(segment, false).from(12);
        let is_big_endian = match b.u32()? {
            ENDIAN_MARK => false,
            mark if mark.swap_bytes() == ENDIAN_MARK => true,
            _ => return None,
        };
        let mut b = Bytes::new(segment, is_big_endian).from(8);
        let version = b.u32()?;
        if version != VERSION {
            return Some(Err(format!(
                "its version is {version}, this diya reads {VERSION}: use the diya that wrote it"
            )));
        }
        let _mark = b.u32()?;
        let header_bytes = b.u32()? as usize;
        let ended = match b.u32()? {
            2 => Ended::Exited,
            3 => Ended::Execed,
            4 => Ended::Skipped,
            _ => Ended::NotSeen,
        };
        let mode = if b.u32()? == 2 { Mode::Profile } else { Mode::Trace };
        let clock = match b.u32()? {
            0 => Clock::Tsc,
            1 => Clock::Cntvct,
            _ => Clock::Monotonic,
        };
        let nominal_hz = Some(b.u64()?).filter(|&hz| hz > 0);
        let (first, last) = (ClockPoint::read(&mut b)?, ClockPoint::read(&mut b)?);
        let (pid, parent_pid, uid, _gid) = (b.u32()?, b.u32()?, b.u32()?, b.u32()?);
        let not_negative = |n: i32| (n >= 0).then_some(n);
        let (mpi_rank, mpi_size) = (not_negative(b.i32()?), not_negative(b.i32()?));
        let mpi_family = match b.u32()? {
            1 => MpiFamily::Mpich,
            2 => MpiFamily::OpenMpi,
            3 => MpiFamily::Abi,
            _ => MpiFamily::None,
        };
        let launcher_rank = not_negative(b.i32()?);
        let (has_stacks, is_command_cut) = (b.u32()? != 0, b.u32()? != 0);
        let _max_trace_bytes = b.u64()?;
        let mut dropped = [0; DROPPED.len()];
        for count in &mut dropped {
            *count = b.u64()?;
        }
        let exit_code = not_negative(b.i32()?);
        let _process_start = b.u32()?;
        let host = fixed_text(b.take(256)?);
        let job_id = fixed_text(b.take(128)?);
        let exe = fixed_text(b.take(2048)?);
        let cwd = fixed_text(b.take(1024)?);
        let command_line = arguments(b.take(3072)?);
        if header_bytes < FIELDS_BYTES {
            return None;
        }
        Some(Ok(Self {
            is_big_endian,
            header_bytes,
            ended,
            mode,
            clock,
            nominal_hz,
            first,
            last,
            pid,
            parent_pid,
            uid,
            mpi_rank,
            mpi_size,
            mpi_family,
            launcher_rank,
            has_stacks,
            is_command_cut,
            dropped,
            exit_code,
            host,
            job_id: leading_number(&job_id),
            exe,
            cwd,
            command_line,
            witness: Witness::read(&mut b, header_bytes),
            identity: Identity::read(segment, is_big_endian, header_bytes),
            unattached: Unattached::read(segment, is_big_endian, header_bytes),
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

fn fixed_text(field: &[u8]) -> String {
    let len = field.iter().position(|&b| b == 0).unwrap_or(field.len());
    String::from_utf8_lossy(field.get(..len).unwrap_or_default()).into_owned()
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
