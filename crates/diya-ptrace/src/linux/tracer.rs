//! The loop that follows a tree of processes from stop to stop.
//!
//! Source: `ptrace(2)`, sections "Stopped states" and "Ptrace-stop handling".

use super::call::{self, Begun};
use super::header::{State, Status};
use super::kernel::{self, Resume, Stop};
use super::process::{Process, Target};
use super::program::Programs;
use super::shape::Shape;
use super::system_calls::{Known, SystemCalls};
use diya_launch::Ended;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Processes that signals may be sent to.
#[derive(Debug, Default)]
pub(super) struct Living {
    /// The program that was started, until it ends.
    pub root: Option<i32>,
    pub others: BTreeSet<i32>,
}

/// A thread of the tree.
#[derive(Debug)]
struct Thread {
    process: i32,
    /// The call it is in, and since when.
    inside: Option<(Begun, u64)>,
    /// Calls that a signal interrupted, the last one last: a handler may make
    /// calls of its own.
    interrupted: Vec<Interrupted>,
}

/// A call that is made again when the handler has returned, unless the program
/// wants to hear of the signal.
#[derive(Debug)]
struct Interrupted {
    call: Begun,
    start: u64,
    end: u64,
    has_handler_returned: bool,
}

/// Follows the processes of a run.
pub(super) struct Tracer<'a> {
    root: i32,
    target: Target<'a>,
    programs: Programs<'a>,
    table: SystemCalls,
    threads: HashMap<i32, Thread>,
    processes: HashMap<i32, Process>,
    living: Arc<Mutex<Living>>,
    /// What could not be recorded, and why.
    tell: &'a mut dyn FnMut(String),
}

impl<'a> Tracer<'a> {
    pub fn new(
        root: i32,
        target: Target<'a>,
        programs: Programs<'a>,
        living: Arc<Mutex<Living>>,
        tell: &'a mut dyn FnMut(String),
    ) -> Self {
        let mut tracer = Self {
            root,
            target,
            programs,
            table: SystemCalls::new(),
            threads: HashMap::new(),
            processes: HashMap::new(),
            living,
            tell,
        };
        tracer.add(root, root, None);
        tracer
    }

    /// Until the last process has ended: a traced program that is left alone can
    /// make none of the filtered calls.
    pub fn run(mut self) -> Option<Ended> {
        let mut ended = None;
        while !self.threads.is_empty() {
            let Some((tid, stop)) = kernel::wait() else { break };
            let now = kernel::now();
            let root_ended = match stop {
                Stop::Exited(code) => {
                    self.thread_ended(tid, Some(code)).then_some(Ended::Code(code))
                }
                Stop::Killed(signal) => {
                    self.thread_ended(tid, None).then_some(Ended::Signal(signal))
                }
                _ => {
                    self.know(tid);
                    let resume = self.stopped(tid, stop, now);
                    kernel::resume(tid, resume);
                    None
                }
            };
            ended = root_ended.or(ended);
        }
        ended
    }

    fn stopped(&mut self, tid: i32, stop: Stop, now: u64) -> Resume {
        match stop {
            Stop::Entry => self.call_begins(tid),
            Stop::Exit => {
                self.call_returned(tid, now);
                Resume::Run(0)
            }
            Stop::Signal(signal) => Resume::Run(signal),
            Stop::Group => Resume::Listen,
            Stop::Child => {
                if let Some(child) = kernel::message(tid) {
                    self.child_of(tid, child);
                }
                // The call that made it has not returned yet.
                let is_inside = self.threads.get(&tid).is_some_and(|t| t.inside.is_some());
                if is_inside { Resume::ToExit } else { Resume::Run(0) }
            }
            Stop::Exec => {
                self.execed(tid);
                Resume::Run(0)
            }
            Stop::Other | Stop::Exited(_) | Stop::Killed(_) => Resume::Run(0),
        }
    }

    // --- calls ---------------------------------------------------------------

    fn call_begins(&mut self, tid: i32) -> Resume {
        let Some((known, arguments)) = self.filtered_call(tid) else { return Resume::Run(0) };
        if let Shape::HandlerReturns = known.shape {
            let last = self.threads.get_mut(&tid).and_then(|thread| thread.interrupted.last_mut());
            if let Some(last) = last {
                last.has_handler_returned = true;
            }
            return Resume::Run(0);
        }
        let process = self.threads.get(&tid).and_then(|t| self.processes.get_mut(&t.process));
        let begun = process.and_then(|process| call::begin(known, arguments, tid, process));
        let again = self.interrupted_before(tid, begun.as_ref());
        let (Some(thread), Some(begun)) = (self.threads.get_mut(&tid), begun) else {
            return Resume::Run(0);
        };
        thread.inside = Some((begun, again.unwrap_or_else(kernel::now)));
        Resume::ToExit
    }

    /// When the call that begins was begun first, if a signal interrupted it:
    /// to the program both are one call. One that is not made again after the
    /// handler has returned was given up. (A program that makes it again by
    /// itself, as loops around EINTR do, looks the same.)
    fn interrupted_before(&mut self, tid: i32, begun: Option<&Begun>) -> Option<u64> {
        const MAX_NESTED: usize = 8;
        let last = self.threads.get_mut(&tid)?.interrupted.pop()?;
        if begun.is_some_and(|begun| begun.is_same(&last.call)) {
            return Some(last.start);
        }
        let interrupted = &mut self.threads.get_mut(&tid)?.interrupted;
        if last.has_handler_returned || interrupted.len() >= MAX_NESTED {
            self.given_up(tid, last);
        } else {
            interrupted.push(last);
        }
        None
    }

    fn given_up(&mut self, tid: i32, interrupted: Interrupted) {
        let Interrupted { call, start, end, .. } = interrupted;
        self.record(tid, (call, start), -i64::from(nix::libc::EINTR), end);
    }

    /// The call at which a thread of a recorded process stopped.
    fn filtered_call(&self, tid: i32) -> Option<(&'static Known, [u64; 6])> {
        let process = self.processes.get(&self.threads.get(&tid)?.process)?;
        if !process.is_recorded() {
            return None;
        }
        let registers = kernel::registers(tid)?;
        Some((self.table.get(registers.number())?, registers.arguments()))
    }

    fn call_returned(&mut self, tid: i32, end: u64) {
        // What the kernel returns inside itself for calls that a signal
        // interrupts and that are made again unless there is a handler that
        // says otherwise (`include/linux/errno.h`).
        const RESTART: std::ops::RangeInclusive<i64> = -516..=-512;
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        let Some(inside) = thread.inside.take() else { return };
        let Some(registers) = kernel::registers(tid) else { return };
        if RESTART.contains(&registers.result()) {
            let (call, start) = inside;
            thread.interrupted.push(Interrupted { call, start, end, has_handler_returned: false });
            return;
        }
        self.record(tid, inside, registers.result(), end);
    }

    fn record(&mut self, tid: i32, (begun, start): (Begun, u64), result: i64, end: u64) {
        let Some(thread) = self.threads.get(&tid) else { return };
        let Some(process) = self.processes.get_mut(&thread.process) else { return };
        let end = if begun.waits_for_child() { start } else { end };
        for (mut event, subjects) in call::end(begun, result, tid, process) {
            (event.start, event.end) = (start, end);
            let subjects = [subjects[0].as_ref(), subjects[1].as_ref()];
            if let Err(why) = process.record(tid, event, subjects, &self.target) {
                (self.tell)(why);
            }
        }
    }

    // --- processes and threads -------------------------------------------------

    /// Adds a thread; with a parent that it has what it inherits from.
    fn add(&mut self, tid: i32, pid: i32, parent: Option<i32>) {
        let thread = Thread { process: pid, inside: None, interrupted: Vec::new() };
        self.threads.insert(tid, thread);
        if tid != pid {
            return;
        }
        let parent = parent.and_then(|parent| self.processes.get(&parent));
        let process = parent.map_or_else(|| Process::new(pid), |parent| parent.child(pid));
        self.processes.insert(pid, process);
        let mut living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        if pid == self.root {
            living.root = Some(pid);
        } else {
            living.others.insert(pid);
        }
    }

    /// A thread may be heard of before the one that made it is.
    fn know(&mut self, tid: i32) {
        if !self.threads.contains_key(&tid) {
            let status = Status::of(tid);
            self.add(tid, status.process.unwrap_or(tid), Some(status.parent.cast_signed()));
        }
    }

    fn child_of(&mut self, tid: i32, child: i32) {
        let parent = self.threads.get(&tid).map(|thread| thread.process);
        // One that is gone already has no status; its end was reported.
        if !self.threads.contains_key(&child)
            && let Some(pid) = Status::of(child).process
        {
            self.add(child, pid, parent);
        }
    }

    /// The thread that called exec goes on under the number of the process;
    /// the others are gone.
    fn execed(&mut self, pid: i32) {
        self.threads.retain(|&tid, thread| thread.process != pid || tid == pid);
        if let Some(thread) = self.threads.get_mut(&pid) {
            (thread.inside, thread.interrupted) = (None, Vec::new());
        }
        let is_recorded = self.programs.is_recorded(pid, self.tell);
        if let Some(process) = self.processes.get_mut(&pid) {
            process.execed(is_recorded);
        }
    }

    /// Whether this was the program that was started.
    fn thread_ended(&mut self, tid: i32, exit_code: Option<i32>) -> bool {
        let last = self.threads.get_mut(&tid).and_then(|thread| thread.interrupted.pop());
        if let Some(last) = last.filter(|last| last.has_handler_returned) {
            self.given_up(tid, last);
        }
        let Some(thread) = self.threads.remove(&tid) else { return false };
        if thread.process != tid {
            if let Some(process) = self.processes.get_mut(&thread.process) {
                process.thread_ended(tid);
            }
            return false;
        }
        if let Some(mut process) = self.processes.remove(&tid) {
            let state = if exit_code.is_some() { State::Exited } else { State::Running };
            process.finish(state, exit_code);
        }
        let mut living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        living.others.remove(&tid);
        if tid == self.root {
            living.root = None;
        }
        tid == self.root
    }
}
