//! The header of a segment: which process this is, as `/proc` says.

use super::kernel;
use diya_model::segment::{self as format, ClockPoint, SegmentHeader};
use diya_model::{Layout as _, Text};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// `enum diya_process_state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Running = format::RUNNING as isize,
    Exited = format::EXITED as isize,
    Execed = format::EXECED as isize,
}

/// One reading of the clocks; the recording clock is the monotonic one.
pub(super) fn clock_point() -> ClockPoint {
    let (mono_ns, real_ns) = kernel::clocks();
    ClockPoint { ticks: mono_ns, mono_ns, real_ns }
}

/// Name of this node, as the library writes it.
pub(super) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim_end().replace('/', "_");
    if name.is_empty() { "localhost".into() } else { name }
}

/// The header of a running process, all but its magic.
pub(super) fn header(
    pid: i32,
    host: &str,
    max_trace_bytes: u64,
    is_profile: bool,
) -> SegmentHeader {
    const NOT_KNOWN: i32 = -1;
    let status = Status::of(pid);
    let environment = Environment::of(pid);
    let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let (argv, is_cut) = Text::cut(&arguments, 2);
    let point = clock_point();
    SegmentHeader {
        version: format::SEGMENT_VERSION,
        endian: format::ENDIAN_MARK,
        header_bytes: format::SEGMENT_HEADER_BYTES,
        state: format::RUNNING,
        mode: if is_profile { format::MODE_PROFILE } else { format::MODE_TRACE },
        clock: format::CLOCK_MONOTONIC,
        first: point,
        last: point,
        pid: pid.cast_unsigned(),
        ppid: status.parent,
        uid: status.user,
        gid: status.group,
        // MPI_Init is no system call.
        mpi_rank: NOT_KNOWN,
        mpi_size: NOT_KNOWN,
        launcher_rank: environment.rank().unwrap_or(NOT_KNOWN),
        argv_cut: is_cut.into(),
        max_trace_bytes,
        exit_code: NOT_KNOWN,
        host: text(host.as_bytes()),
        job_id: text(environment.job().unwrap_or_default()),
        exe: text(&link(pid, "exe")),
        cwd: text(&link(pid, "cwd")),
        argv,
        ..SegmentHeader::ZERO
    }
}

fn text<const N: usize>(text: &[u8]) -> Text<N> {
    Text::cut(text, 1).0
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
        assert_eq!((h.state, h.pid), (1, std::process::id()));
        assert_eq!((h.mpi_rank, h.exit_code, h.max_trace_bytes), (-1, -1, 42));
        assert_eq!(h.host.before_zero(), b"node7");
        assert_eq!(h.exe.before_zero(), link(pid, "exe"));
        let bytes = h.to_bytes();
        assert!(bytes[208..].starts_with(b"node7\0"));
        assert_eq!(bytes[88..92], std::process::id().to_ne_bytes());
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
