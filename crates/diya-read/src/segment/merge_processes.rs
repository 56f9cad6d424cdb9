//! Rows about processes: what each was, what it lost, and which are missing.

use super::clock::seconds;
use super::header::{DROPPED, Ended, Left, Mode};
use super::merge::Merged;
use super::ops;
use super::process::Outcome;
use diya_model::Function;
use diya_tables::{Issue, IssueKind, ProcessRow, TableId, Tables};

impl Merged<'_> {
    pub(super) fn process_row(&self, outcome: &Outcome, tables: &mut Tables) {
        let header = &outcome.header;
        let identity = &header.identity;
        let ended = match header.ended {
            Ended::Exited => "exited",
            Ended::Execed | Ended::Skipped => "execed",
            Ended::NotSeen => "killed or still running",
        };
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let recorded = Recorded::of(outcome);
        let (io, usage) = (header.witness.io, header.witness.usage);
        let uncounted =
            DROPPED.iter().zip(header.dropped).filter(|((_, left), _)| *left != Left::Counts);
        tables.push_process(ProcessRow {
            log: self.facts.log,
            process: outcome.process,
            rank: outcome.numbers.rank,
            mpi_rank: header.mpi_rank,
            mpi_size: header.mpi_size,
            mpi_family: header.mpi_family.name(),
            step: outcome.numbers.step,
            step_rank: outcome.numbers.step_rank,
            parent: outcome.numbers.parent,
            host: Some(&header.host),
            pid: Some(i64::from(header.pid)),
            parent_pid: Some(i64::from(header.parent_pid)),
            uid: Some(i64::from(header.uid)),
            exe: &header.exe,
            command_line: &header.command_line,
            cwd: Some(header.cwd.as_str()).filter(|cwd| !cwd.is_empty()),
            start_s: seconds(outcome.start_ns),
            end_s: outcome.end_ns.filter(|_| header.ended != Ended::NotSeen).map(seconds),
            start_time: Some(signed(header.first.real_ns)),
            ended: Some(ended),
            exit_code: header.exit_code.filter(|_| header.ended == Ended::Exited),
            mode: Some(if header.mode == Mode::Profile { "profile" } else { "trace" }),
            clock: Some(header.clock_name()),
            clock_hz: Some(outcome.hz),
            threads: Some(outcome.definitions.threads.len() as i64),
            calls_recorded: Some(signed(outcome.definitions.calls)),
            calls_counted: Some(signed(outcome.counted_calls)),
            calls_dropped: Some(signed(
                header
                    .removed_calls
                    .unwrap_or_else(|| uncounted.fold(0, |all: u64, (_, n)| all.saturating_add(n))),
            )),
            segment_bytes: Some(outcome.segment_bytes as i64),
            recorded_read_bytes: Some(signed(recorded.read_bytes)),
            recorded_written_bytes: Some(signed(recorded.written_bytes)),
            recorded_s: Some(seconds(recorded.busy_ns)),
            stream_refills: Some(signed(recorded.refills)),
            kernel_reads: io.map(|io| io.reads),
            kernel_writes: io.map(|io| io.writes),
            kernel_read_bytes: io.map(|io| io.read_bytes),
            kernel_written_bytes: io.map(|io| io.written_bytes),
            device_read_bytes: io.map(|io| io.device_read_bytes),
            device_written_bytes: io.map(|io| io.device_written_bytes),
            user_s: usage.map(|usage| seconds(usage.user_ns)),
            system_s: usage.map(|usage| seconds(usage.system_ns)),
            major_faults: usage.map(|usage| usage.major_faults),
            minor_faults: usage.map(|usage| usage.minor_faults),
            voluntary_switches: usage.map(|usage| usage.voluntary_switches),
            involuntary_switches: usage.map(|usage| usage.involuntary_switches),
            recorder_s: own_work_s(outcome),
            launcher: identity.launcher.as_deref(),
            launcher_size: identity.launcher_size,
            launcher_step: identity.launcher_step.as_deref(),
            local_rank: identity.local_rank,
            local_size: identity.local_size,
            container: identity.container.as_deref(),
            language: identity.language.as_deref(),
            language_version: identity.language_version.as_deref(),
        });
    }

    pub(super) fn issues(&mut self, outcome: &Outcome, tables_of_run: &mut Tables) {
        let log = self.facts.log;
        let module = Some(outcome.segment.as_str());
        let mut push = |kind, byte_offset, count, effect: &str| {
            let tables = concerned(kind);
            tables_of_run
                .push_issue(log, Issue { kind, module, tables, byte_offset, count, effect });
        };
        for (kind, offset, count, effect) in &outcome.issues {
            push(*kind, *offset, *count, effect);
        }
        let who = who(outcome);
        if let Some(calls) = outcome.header.removed_calls {
            let effect = format!(
                "{who}: at least {calls} calls are missing: the file of its recording was removed while it ran"
            );
            push(IssueKind::NotRecorded, None, Some(calls), &effect);
        }
        self.few_lost.see(outcome);
        for ((reason, left), count) in DROPPED.iter().zip(outcome.header.dropped) {
            // Counters, too, were in the file that was removed.
            if count == 0 || outcome.header.removed_calls.is_some() {
                continue;
            }
            let calls =
                if count == 1 { "1 call is".to_owned() } else { format!("{count} calls are") };
            let missing = format!("{who}: {calls} missing: {reason}");
            match left {
                Left::Counts => {
                    let kept = "counted, but not recorded as single calls";
                    let effect = format!("{who}: {calls} {kept}: {reason}");
                    push(IssueKind::CountedOnly, None, Some(count), &effect);
                }
                Left::NothingOfAMoment => self.few_lost.add(&outcome.segment, count, missing),
                Left::Nothing => push(IssueKind::NotRecorded, None, Some(count), &missing),
            }
        }
        if outcome.header.ended == Ended::NotSeen {
            let effect = format!(
                "{who} was killed or is still running: calls that returned are recorded, a call in progress is not"
            );
            push(IssueKind::Unfinished, None, None, &effect);
        }
        let regions = outcome.header.regions_dropped;
        if regions > 0 {
            let effect = format!(
                "{who}: {regions} begins and ends of regions, steps and notes are missing: \
                 --max-trace reached, or no room"
            );
            let issue = Issue::of_log(IssueKind::NotRecorded, &effect);
            let issue = Issue { module, tables: &[TableId::Region], count: Some(regions), ..issue };
            tables_of_run.push_issue(log, issue);
        }
        let messages = outcome.header.messages_dropped;
        if messages > 0 {
            let effect = format!(
                "{who}: {messages} messages of MPI are missing: --max-trace reached, or no room"
            );
            let issue = Issue::of_log(IssueKind::NotRecorded, &effect);
            let tables = &[TableId::Message, TableId::MessageCount];
            let issue = Issue { module, tables, count: Some(messages), ..issue };
            tables_of_run.push_issue(log, issue);
        }
    }

    /// Says of what there should be a recording and is none.
    pub(super) fn missing_processes(&self, job_ns: i64, tables: &mut Tables) {
        let mut push = |kind, count: usize, effect: &str| {
            let count = u64::try_from(count).ok();
            tables.push_issue(self.facts.log, Issue { count, ..Issue::of_log(kind, effect) });
        };
        for (size, ranks) in self.mpi_jobs.values() {
            let missing = usize::try_from(*size).unwrap_or(0).saturating_sub(ranks.len());
            if missing > 0 {
                let effect = format!(
                    "{missing} of {size} MPI ranks are missing: they ran on other nodes, and \
                     their recording is not here; run `diya collect DIYA_DIR --pack FOLDER` on \
                     each of these nodes, then collect again with FOLDER"
                );
                push(IssueKind::MissingRank, missing, &effect);
            }
        }
        self.few_lost.push(self.facts.log, tables);
        self.unrecorded.rows(self.facts.log, job_ns, tables);
    }
}

/// What the recorder itself took, of all calls that it saw.
fn own_work_s(outcome: &Outcome) -> Option<f64> {
    let calls = outcome.definitions.calls.saturating_add(outcome.counted_calls);
    outcome.header.witness.own_work?.of_calls_s(calls, outcome.hz)
}

/// What can be held against the counts of the kernel.
#[derive(Default)]
struct Recorded {
    read_bytes: u64,
    written_bytes: u64,
    busy_ns: i64,
    refills: u64,
}

impl Recorded {
    fn of(outcome: &Outcome) -> Self {
        let mut all = Self::default();
        for ((_, function, layer, op), sums) in outcome.sums.functions.rows() {
            let is_stream = *layer == ops::STDIO;
            // The kernel does not count these (measured on Linux 6.18).
            let is_asynchronous = Function::of(*function)
                .is_some_and(|function| matches!(function.name, "io_submit" | "io_uring"));
            if is_asynchronous || (!is_stream && *layer != ops::POSIX) {
                continue;
            }
            all.busy_ns = all.busy_ns.saturating_add(sums.busy_ns.saturating_sub(sums.inner_ns));
            match *op {
                ops::READ => all.read_bytes = all.read_bytes.saturating_add(sums.bytes),
                ops::WRITE => all.written_bytes = all.written_bytes.saturating_add(sums.bytes),
                ops::OPEN | ops::SEEK if is_stream => {
                    all.refills = all.refills.saturating_add(sums.calls);
                }
                _ => {}
            }
        }
        all
    }
}

/// A process as a sentence names it: a rank only where MPI or a launcher says so.
fn who(outcome: &Outcome) -> String {
    let pid = outcome.header.pid;
    match (outcome.numbers.step_rank, outcome.numbers.step) {
        (Some(rank), Some(step)) if step > 0 => format!("rank {rank} of step {step} (pid {pid})"),
        (Some(rank), _) => format!("rank {rank} (pid {pid})"),
        (None, _) => {
            let program = outcome.header.exe.rsplit('/').next().unwrap_or_default();
            format!("process {pid} ({program})")
        }
    }
}

/// Tables that a loss within a process concerns: calls that were counted are
/// missing where single calls are.
fn concerned(kind: IssueKind) -> &'static [TableId] {
    match kind {
        IssueKind::CountedOnly => &[TableId::Call, TableId::StackFrame],
        _ => &[],
    }
}
