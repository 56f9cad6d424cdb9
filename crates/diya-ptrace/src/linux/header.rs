//! The header of a segment: which process this is, as `/proc` says.

use super::kernel;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Bytes of the header, `DIYA_SEGMENT_HEADER_BYTES`.
pub(super) const HEADER_BYTES: usize = 8192;
/// First bytes of a segment.
pub(super) const MAGIC: &[u8; 8] = b"DIYASEG1";

// Where fields that change are: offsets in `struct diya_segment_header`.
pub(super) const STATE_AT: u64 = 20;
pub(super) const LAST_CLOCK_AT: u64 = 64;
pub(super) const DROPPED_AT: u64 = 136;
pub(super) const EXIT_CODE_AT: u64 = 200;

/// `enum diya_process_state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Running = 1,
    Exited = 2,
    Execed = 3,
}

const ENDIAN_MARK: u32 = 0x0102_0304;
const VERSION: u32 = 1;
const MODE_TRACE: u32 = 1;
const MODE_PROFILE: u32 = 2;
const CLOCK_MONOTONIC: u32 = 2;

/// One reading of the clocks; the recording clock is the monotonic one.
pub(super) fn clock_point() -> [u8; 24] {
    let (monotonic, real) = kernel::clocks();
    let mut point = [0; 24];
    for (to, ns) in point.chunks_exact_mut(8).zip([monotonic, monotonic, real]) {
        to.copy_from_slice(&ns.to_ne_bytes());
    }
    point
}

/// Name of this node, as the library writes it.
pub(super) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim_end().replace('/', "_");
    if name.is_empty() { "localhost".into() } else { name }
}

/// Collects a header field by field, in the order of the structure.
struct Fields(Vec<u8>);

impl Fields {
    fn number(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn long(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    /// A text that ends with 0; whether it was too long.
    fn text(&mut self, text: &[u8], room: usize, zeros: usize) -> bool {
        let end = self.0.len() + room;
        let is_cut = text.len() > room - zeros;
        self.0.extend_from_slice(&text[..text.len().min(room - zeros)]);
        self.0.resize(end, 0);
        is_cut
    }
}

/// The header of a running process, all but its magic.
pub(super) fn header(pid: i32, host: &str, max_trace_bytes: u64, is_profile: bool) -> Vec<u8> {
    const ARGUMENTS_ROOM: usize = 3072;
    let status = Status::of(pid);
    let environment = Environment::of(pid);
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let mut h = Fields(Vec::with_capacity(HEADER_BYTES));
    h.0.extend_from_slice(&[0; MAGIC.len()]);
    let mode = if is_profile { MODE_PROFILE } else { MODE_TRACE };
    for number in [VERSION, ENDIAN_MARK, HEADER_BYTES as u32, State::Running as u32, mode] {
        h.number(number);
    }
    h.number(CLOCK_MONOTONIC);
    h.long(0); // the processor's own clock is not used
    let point = clock_point();
    h.0.extend_from_slice(&point);
    h.0.extend_from_slice(&point);
    for number in [pid.cast_unsigned(), status.parent, status.user, status.group] {
        h.number(number);
    }
    const NOT_KNOWN: u32 = u32::MAX; // -1
    h.number(NOT_KNOWN); // MPI_Init is no system call: rank,
    h.number(NOT_KNOWN); // size
    h.number(0); // and library are not seen
    h.number(environment.rank().map_or(NOT_KNOWN, i32::cast_unsigned));
    h.number(0); // no stacks
    h.number(u32::from(arguments.len() > ARGUMENTS_ROOM - 2));
    h.long(max_trace_bytes);
    h.0.resize(EXIT_CODE_AT as usize, 0); // nothing is dropped yet
    h.number(NOT_KNOWN);
    h.number(0);
    h.text(host.as_bytes(), 256, 1);
    h.text(environment.job().unwrap_or_default(), 128, 1);
    h.text(&link(pid, "exe"), 2048, 1);
    h.text(&link(pid, "cwd"), 1024, 1);
    h.text(&arguments, ARGUMENTS_ROOM, 2);
    h.0.resize(HEADER_BYTES, 0);
    h.0
}

/// What a link in a process's folder says.
pub(super) fn link(pid: i32, name: &str) -> Vec<u8> {
    let target = fs::read_link(Path::new("/proc").join(pid.to_string()).join(name));
    target.map(|path| path.as_os_str().as_bytes().to_vec()).unwrap_or_default()
}

/// Numbers of a process or thread.
#[derive(Debug, Default)]
pub(super) struct Status {
    /// The process that a thread belongs to.
    pub process: Option<i32>,
    pub parent: u32,
    user: u32,
    group: u32,
}

impl Status {
    pub fn of(pid: i32) -> Self {
        let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()
        };
        let number = |name| field(name).and_then(|word| word.parse().ok()).unwrap_or(0);
        Self {
            process: field("Tgid:").and_then(|word| word.parse().ok()),
            parent: number("PPid:"),
            user: number("Uid:"),
            group: number("Gid:"),
        }
    }
}

/// Variables that a process was started with.
struct Environment(Vec<u8>);

impl Environment {
    fn of(pid: i32) -> Self {
        Self(fs::read(format!("/proc/{pid}/environ")).unwrap_or_default())
    }

    /// The first of these that is set, and not to nothing.
    fn first(&self, names: &[&str]) -> Option<&[u8]> {
        names.iter().find_map(|name| {
            let mut variables = self.0.split(|&byte| byte == 0);
            let value = |variable: &'_ [u8]| -> Option<usize> {
                variable.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::len)
            };
            variables.find_map(|variable| {
                value(variable)
                    .filter(|&length| length > 0)
                    .map(|length| &variable[variable.len() - length..])
            })
        })
    }

    fn rank(&self) -> Option<i32> {
        let value = self.first(&[
            "PMI_RANK",
            "PMIX_RANK",
            "OMPI_COMM_WORLD_RANK",
            "MV2_COMM_WORLD_RANK",
            "PALS_RANKID",
            "ALPS_APP_PE",
            "HOROVOD_RANK",
        ]);
        // A batch script has SLURM_PROCID=0 as well: only what srun starts is a rank.
        let of = |mark: &[&str], name| self.first(mark).and_then(|_| self.first(&[name]));
        let value = value
            .or_else(|| of(&["SLURM_STEP_ID", "SLURM_STEPID"], "SLURM_PROCID"))
            .or_else(|| of(&["TORCHELASTIC_RUN_ID"], "RANK"))?;
        std::str::from_utf8(value).ok()?.parse().ok()
    }

    fn job(&self) -> Option<&[u8]> {
        self.first(&[
            "SLURM_JOB_ID",
            "PBS_JOBID",
            "LSB_JOBID",
            "COBALT_JOBID",
            "JOB_ID",
            "FLUX_JOB_ID",
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_layout_says() {
        let pid = std::process::id().cast_signed();
        let h = header(pid, "node7", 42, false);
        let number =
            |at: usize| u32::from_ne_bytes(*h[at..].first_chunk().expect("is long enough"));
        assert_eq!(h.len(), HEADER_BYTES);
        assert_eq!(number(STATE_AT as usize), State::Running as u32);
        assert_eq!(number(88), std::process::id());
        assert_eq!(number(104), u32::MAX);
        assert_eq!(number(128), 42);
        assert_eq!(number(EXIT_CODE_AT as usize), u32::MAX);
        assert!(h[208..].starts_with(b"node7\0"));
        assert_eq!(&h[592..600], &link(pid, "exe")[..8]);
    }

    #[test]
    fn variables_are_found_by_their_whole_name() {
        let environment =
            Environment(b"MY_JOB_ID=1\0JOB_ID=\0PBS_JOBID=77.server\0PMI_RANK=3\0".to_vec());
        assert_eq!(environment.job(), Some(&b"77.server"[..]));
        assert_eq!(environment.rank(), Some(3));
    }

    #[test]
    fn a_batch_script_is_no_rank_and_what_srun_starts_is() {
        let rank = |text: &[u8]| Environment(text.to_vec()).rank();
        assert_eq!(rank(b"SLURM_PROCID=0\0"), None);
        assert_eq!(rank(b"SLURM_PROCID=2\0SLURM_STEP_ID=0\0"), Some(2));
        assert_eq!(rank(b"RANK=3\0"), None);
        assert_eq!(rank(b"RANK=3\0TORCHELASTIC_RUN_ID=none\0"), Some(3));
    }
}
