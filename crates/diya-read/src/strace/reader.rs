//! Line after line of strace: calls, and what is known of each process.

use super::arguments::{integer, split};
use super::clock::Clock;
use super::descriptors::Descriptors;
use super::line::{Event, attached, parse, split_result};
use super::processes::{Pending, Processes, is_spawn};
use super::summary::Summary;
use super::system_calls::{Outcome, Shape, Syscall, by_name, outcome};
use crate::Request;
use crate::assemble::{Assembly, Known, NO_FILE, TracedCall};
use diya_tables::FastHashMap;
use diya_tables::{Issue, IssueKind, Tables};

/// What a text gives, line by line.
pub(super) struct Reader<'a> {
    request: &'a Request<'a>,
    pub assembly: Assembly<'a>,
    syscalls: FastHashMap<&'static str, Syscall>,
    pub processes: Processes,
    pub descriptors: Descriptors,
    pub clock: Clock,
    /// The table of `-c` and `-C`.
    pub summary: Summary,
    /// Thread whose line a note of strace broke off: the next line goes on with its call.
    broken: Option<u64>,
    /// Thread of lines without a number.
    nameless: u64,
    /// Lines that have no time.
    pub untimed: u64,
    /// I/O calls whose duration is not there.
    pub without_duration: u64,
}

/// A call with its result, and who made it.
#[derive(Clone, Copy)]
pub(super) struct Made<'l> {
    pub tid: u64,
    pub group: usize,
    pub syscall: Syscall,
    pub text: &'l str,
    pub outcome: Outcome<'l>,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// What a call was about.
#[derive(Default)]
pub(super) struct Target {
    pub file_id: Option<u64>,
    pub offset: Option<i64>,
    pub size: Option<i64>,
    pub requested: Option<i64>,
    pub aux: Option<i64>,
}

impl<'a> Reader<'a> {
    pub fn new(request: &'a Request<'a>) -> Self {
        // `strace -ff -o NAME` writes a file per process, NAME.PID; NAME.PID.gz if compressed.
        let packed = request.outer_compression.and_then(|_| request.log_name.rsplit_once('.'));
        let names = [Some(request.log_name), packed.map(|(name, _)| name)];
        let pid = names.iter().flatten().find_map(|name| name.rsplit_once('.')?.1.parse().ok());
        Self {
            request,
            assembly: Assembly::new(request),
            syscalls: by_name(),
            processes: Processes::default(),
            descriptors: Descriptors::default(),
            clock: Clock::default(),
            summary: Summary::default(),
            broken: None,
            nameless: pid.unwrap_or(0),
            untimed: 0,
            without_duration: 0,
        }
    }

    pub fn has_calls(&self) -> bool {
        self.assembly.calls() > 0
    }

    /// Has a line with a time been read?
    pub fn has_processes(&self) -> bool {
        !self.processes.groups.is_empty()
    }

    pub fn calls(&self) -> u64 {
        self.assembly.calls()
    }

    pub fn into_assembly(self) -> Assembly<'a> {
        self.assembly
    }

    /// Takes in a line; false: it is none of strace's, or damaged.
    pub fn line(&mut self, line: &str) -> bool {
        let broken = self.broken.take();
        let Some(parsed) = parse(line) else {
            let is_rest = broken.is_some_and(|tid| self.rest_of_call(tid, line));
            return is_rest || self.summary.line(line);
        };
        let tid = match parsed.pid {
            Some(pid) => {
                self.processes.named(pid, self.nameless, &mut self.assembly);
                pid
            }
            None => self.processes.alone(self.nameless),
        };
        // On a terminal this note can stand behind the first part of a call.
        if let Some(pid) = attached(line) {
            self.processes.attached(pid);
            self.broken = matches!(parsed.event, Event::Begun { .. }).then_some(tid);
        }
        if let Event::Attached | Event::Note = parsed.event {
            return true;
        }
        let Some(time) = parsed.time else {
            if let Event::Exited(_) | Event::Killed | Event::Superseded = parsed.event {
                self.ended(tid, None, parsed.event);
            } else {
                self.untimed += 1;
            }
            return true;
        };
        let Some(ns) = self.clock.read(time, parsed.is_fine) else { return false };
        let group = self.processes.group(tid, ns, &mut self.assembly);
        self.assembly.note(ns);
        match parsed.event {
            Event::Call { name, arguments, result } => {
                self.call((tid, group), name, arguments, result, (ns, None));
            }
            Event::Begun { name, arguments } => {
                let pending = Pending {
                    start_ns: ns,
                    name: name.to_string(),
                    arguments: arguments.to_string(),
                    has_child: false,
                };
                self.processes.pending.insert(tid, pending);
            }
            Event::Resumed { name, rest } => return self.resumed((tid, group), name, rest, ns),
            Event::Exited(_) | Event::Killed | Event::Superseded => {
                self.ended(tid, Some(ns), parsed.event);
            }
            Event::Attached | Event::Note => {}
        }
        true
    }

    fn resumed(&mut self, who: (u64, usize), name: &str, rest: &str, ns: i64) -> bool {
        let pending = self.processes.pending.remove(&who.0);
        let Some(pending) = pending.filter(|pending| pending.name == name) else { return false };
        self.joined(who, &pending, rest, Some(ns))
    }

    /// The rest of a call whose first part a note of strace broke off: `, 24) = 7 <0.000010>`.
    fn rest_of_call(&mut self, tid: u64, rest: &str) -> bool {
        if split_result(rest).is_none() {
            return false;
        }
        let Some(pending) = self.processes.pending.remove(&tid) else { return false };
        let group = self.processes.group(tid, pending.start_ns, &mut self.assembly);
        self.joined((tid, group), &pending, rest, None)
    }

    /// The two parts of a call meet anywhere between two arguments.
    fn joined(
        &mut self,
        who: (u64, usize),
        pending: &Pending,
        rest: &str,
        seen_ns: Option<i64>,
    ) -> bool {
        let whole = format!("{} {}", pending.arguments, rest.trim_start());
        let Some((arguments, result)) = split_result(&whole) else { return false };
        self.call(who, &pending.name, arguments, result, (pending.start_ns, seen_ns));
        true
    }

    /// The process asked to end. With `-qq` nothing more is said of its end.
    fn leaving(&mut self, group: usize, arguments: &str, ns: i64) {
        let Some(group) = self.processes.groups.get_mut(group) else { return };
        group.is_over = true;
        let Some(row) = self.assembly.processes.get_mut(group.row) else { return };
        let code = split(arguments).first().and_then(|code| integer(code));
        // The kernel keeps one byte of it.
        let code = code.and_then(|code| i32::try_from(code & 0xff).ok());
        (row.end_ns, row.ended, row.exit_code) = (Some(ns), Some("exited"), code);
    }

    fn ended(&mut self, tid: u64, ns: Option<i64>, event: Event<'_>) {
        let Some(at) = self.processes.ended(tid) else { return };
        let Some(group) = self.processes.groups.get_mut(at) else { return };
        self.descriptors.forget(&mut group.table);
        let Some(row) = self.assembly.processes.get_mut(group.row) else { return };
        row.end_ns = ns;
        (row.ended, row.exit_code) = match event {
            Event::Exited(code) => (Some("exited"), Some(code)),
            _ => (Some("killed or still running"), None),
        };
    }

    fn call(
        &mut self,
        (tid, group): (u64, usize),
        name: &str,
        arguments: &str,
        result: &str,
        (start_ns, seen_ns): (i64, Option<i64>),
    ) {
        if name == "exit_group" {
            self.leaving(group, arguments, start_ns);
        }
        let Some(syscall) = self.syscalls.get(name).copied() else { return };
        let outcome = outcome(result);
        // A call that does not return ends its thread: no time of it is known.
        if outcome.value == "?" && outcome.error.is_none() {
            return;
        }
        let duration = outcome.duration_ns.or(seen_ns.map(|seen| seen.saturating_sub(start_ns)));
        let end_ns = start_ns.saturating_add(duration.unwrap_or(0).max(0));
        let made = Made { tid, group, syscall, text: arguments, outcome, start_ns, end_ns };
        let before = self.assembly.calls();
        self.apply(&made, name);
        if duration.is_none() && self.assembly.calls() > before {
            self.without_duration += 1;
        }
    }

    fn apply(&mut self, made: &Made<'_>, name: &str) {
        let Some(mut table) =
            self.processes.groups.get_mut(made.group).map(|group| std::mem::take(&mut group.table))
        else {
            return;
        };
        let arguments = split(made.text);
        let is_copy = matches!(made.syscall.shape, Shape::Copy { .. });
        if is_copy {
            self.copy(made, &arguments, &mut table);
        } else if is_spawn(name) {
            self.spawn(made, &table);
        } else if let Some((function, target)) = self.target(made, &arguments, &mut table) {
            self.push(made, function, &target);
        }
        if let Some(group) = self.processes.groups.get_mut(made.group) {
            group.table = table;
        }
        if made.syscall.shape == Shape::Execute {
            self.execute(made, &arguments);
        }
    }

    pub(super) fn push(&mut self, made: &Made<'_>, function: Known<'_>, target: &Target) {
        let process = self.processes.groups.get(made.group).map_or(0, |group| group.row);
        let file_id = target.file_id.unwrap_or_else(|| self.assembly.file(NO_FILE, "path_suffix"));
        self.assembly.call(&TracedCall {
            process,
            thread: made.tid,
            function,
            file_id,
            offset: target.offset,
            size: target.size,
            requested: target.requested,
            start_ns: made.start_ns,
            end_ns: made.end_ns,
            error: made.outcome.error,
            aux: target.aux,
        });
    }

    /// Reports processes and calls that had not ended at the end of the trace.
    pub fn unfinished(&self, tables: &mut Tables) {
        let processes = self.processes.unfinished();
        if processes > 0 {
            let waiting = self.processes.pending.len();
            let counted = |count: usize, one: &str, many: &str| match count {
                1 => format!("1 {one}"),
                count => format!("{count} {many}"),
            };
            let effect = format!(
                "the end of {} is not in the trace: strace or the program was stopped, or the \
                 trace is truncated; {} had not returned",
                counted(processes, "process", "processes"),
                counted(waiting, "call", "calls")
            );
            let issue = Issue::of_log(IssueKind::Unfinished, &effect);
            let count = u64::try_from(processes).ok();
            tables.push_issue(self.request.log, Issue { count, ..issue });
        }
    }
}
