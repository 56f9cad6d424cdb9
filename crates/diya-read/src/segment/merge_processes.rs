//! Rows about processes: what each was, what it lost, and which are missing.

use super::header::{DROPPED, Ended, Mode};
use super::merge::{Merged, seconds};
use super::process::Outcome;
use diya_tables::{ProcessRow, ReadIssueRow, Tables};

impl Merged<'_> {
    pub(super) fn process_row(&self, outcome: &Outcome, tables: &mut Tables) {
        let header = &outcome.header;
        let ended = match header.ended {
            Ended::Exited => "exited",
            Ended::Execed => "execed",
            Ended::NotSeen => "killed or still running",
        };
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let uncounted = DROPPED.iter().zip(header.dropped).filter(|((_, counted), _)| !counted);
        tables.push_process(ProcessRow {
            log: self.facts.log,
            process: outcome.process,
            rank: outcome.numbers.rank,
            mpi_rank: header.mpi_rank,
            mpi_size: header.mpi_size,
            mpi_family: header.mpi_family.name(),
            step: outcome.numbers.step,
            host: &header.host,
            pid: i64::from(header.pid),
            parent_pid: i64::from(header.parent_pid),
            uid: i64::from(header.uid),
            exe: &header.exe,
            command_line: &header.command_line,
            cwd: Some(header.cwd.as_str()).filter(|cwd| !cwd.is_empty()),
            start_s: seconds(outcome.start_ns),
            end_s: outcome.end_ns.filter(|_| header.ended != Ended::NotSeen).map(seconds),
            start_time: signed(header.first.real_ns),
            ended,
            exit_code: header.exit_code.filter(|_| header.ended == Ended::Exited),
            mode: if header.mode == Mode::Profile { "profile" } else { "trace" },
            clock: header.clock_name(),
            clock_hz: outcome.hz,
            threads: outcome.definitions.threads.len() as i64,
            calls_recorded: signed(outcome.definitions.calls),
            calls_counted: signed(outcome.counted_calls),
            calls_dropped: signed(uncounted.fold(0, |all: u64, (_, n)| all.saturating_add(n))),
            segment_bytes: outcome.segment_bytes as i64,
        });
    }

    pub(super) fn issues(&self, outcome: &Outcome, tables: &mut Tables) {
        let mut push = |kind: &str, byte_offset, count, effect: &str| {
            tables.push_read_issue(ReadIssueRow {
                log: self.facts.log,
                kind,
                module: Some(&outcome.segment),
                byte_offset,
                count,
                effect,
            });
        };
        for (kind, offset, count, effect) in &outcome.issues {
            push(kind, *offset, *count, effect);
        }
        let rank = outcome.numbers.rank;
        for ((reason, is_counted), count) in DROPPED.iter().zip(outcome.header.dropped) {
            if count == 0 {
                continue;
            }
            let kept = if *is_counted { "counted, but not recorded one by one" } else { "missing" };
            let effect = format!("rank {rank}: {count} calls are {kept}: {reason}");
            push("not_recorded", None, Some(count), &effect);
        }
        if outcome.header.ended == Ended::NotSeen {
            let effect = format!(
                "rank {rank} (pid {}) did not end by itself: every call that returned is here, a call that was under way is not",
                outcome.header.pid
            );
            push("unfinished", None, None, &effect);
        }
    }

    /// Says of what there should be a recording and is none.
    pub(super) fn missing_processes(&self, tables: &mut Tables) {
        let mut push = |count: usize, effect: &str| {
            tables.push_read_issue(ReadIssueRow {
                log: self.facts.log,
                kind: "not_recorded",
                module: None,
                byte_offset: None,
                count: Some(count as u64),
                effect,
            });
        };
        for (size, ranks) in self.mpi_jobs.values() {
            let missing = usize::try_from(*size).unwrap_or(0).saturating_sub(ranks.len());
            if missing > 0 {
                let effect = format!(
                    "{missing} of {size} MPI ranks are missing: they ran on other nodes, whose recording did not come home; on each of these `diya collect DIYA_DIR --pack FOLDER`, then collect again with FOLDER"
                );
                push(missing, &effect);
            }
        }
        if !self.execed.is_empty() {
            let count = self.execed.len();
            let effect = format!(
                "{count} processes became programs that left no recording: they made no call that is recorded, or nothing can be preloaded into them (static, 32-bit, setuid)"
            );
            push(count, &effect);
        }
    }
}
