//! Which thread belongs to which process, and which process started it.

use super::arguments::integer;
use super::descriptors::Table;
use crate::assemble::{Assembly, Process};
use diya_tables::{FastHashMap, FastHashSet};

/// A process of the trace with its threads, which share its descriptors and its working
/// directory (a thread group of the kernel). `Process` is its row in a table.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub pid: u64,
    /// Its row in table `process`; another one after `execve`.
    pub row: usize,
    pub table: Table,
    pub cwd: Option<String>,
    /// The process has called `execve` before: the next program has a row of its own.
    pub has_program: bool,
    pub is_over: bool,
}

/// A call that has not returned yet.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub start_ns: i64,
    pub name: String,
    pub arguments: String,
    /// The thread or process that this call starts is already known.
    pub has_child: bool,
}

/// All processes of the trace.
#[derive(Debug, Default)]
pub(super) struct Processes {
    pub groups: Vec<Group>,
    /// Group of each thread that runs.
    of_thread: FastHashMap<u64, usize>,
    pub pending: FastHashMap<u64, Pending>,
    /// The thread of the lines without a thread id: strace prints ids only from the second
    /// thread or process on.
    main: Option<u64>,
    /// Threads that a line of strace announced (`attached`).
    announced: FastHashSet<u64>,
}

impl Processes {
    /// The thread of a line without a thread id: strace prints no ids while it follows only
    /// one thread.
    pub fn alone(&mut self, otherwise: u64) -> u64 {
        match self.of_thread.keys().next() {
            Some(only) if self.of_thread.len() == 1 => *only,
            _ => *self.main.get_or_insert(otherwise),
        }
    }

    /// strace follows one more thread.
    pub fn attached(&mut self, tid: u64) {
        self.announced.insert(tid);
    }

    /// The first thread id after lines without one is the id of the thread of these lines.
    pub fn named(&mut self, tid: u64, placeholder: u64, assembly: &mut Assembly<'_>) {
        let is_new = !self.of_thread.contains_key(&tid) && !self.announced.contains(&tid);
        if !is_new || self.main != Some(placeholder) {
            return;
        }
        let Some(group) = self.of_thread.remove(&placeholder) else { return };
        self.of_thread.insert(tid, group);
        self.main = Some(tid);
        if let Some(pending) = self.pending.remove(&placeholder) {
            self.pending.insert(tid, pending);
        }
        if let Some(group) = self.groups.get_mut(group) {
            group.pid = tid;
            if let Some(row) = assembly.processes.get_mut(group.row) {
                row.pid = i64::try_from(tid).ok();
            }
        }
    }

    /// The group of a thread, which may be new.
    pub fn group(&mut self, tid: u64, ns: i64, assembly: &mut Assembly<'_>) -> usize {
        if let Some(group) = self.of_thread.get(&tid) {
            return *group;
        }
        // Its first line can be before the result of the call that started it.
        let starter = self
            .pending
            .iter()
            .filter(|(_, p)| !p.has_child && is_spawn(&p.name))
            .min_by_key(|(_, p)| p.start_ns)
            .map(|(tid, p)| (*tid, is_thread(&p.arguments)));
        let parent = starter.and_then(|(tid, _)| self.of_thread.get(&tid).copied());
        if let Some(pending) = starter.and_then(|(tid, _)| self.pending.get_mut(&tid)) {
            pending.has_child = true;
        }
        match (starter, parent) {
            (Some((_, true)), Some(group)) => {
                self.of_thread.insert(tid, group);
                group
            }
            (_, parent) => self.add(tid, parent, ns, assembly),
        }
    }

    /// Adds a thread of a process, or a new process; returns the group if it is new.
    pub fn started(
        &mut self,
        by: usize,
        tid: u64,
        is_thread: bool,
        ns: i64,
        assembly: &mut Assembly<'_>,
    ) -> Option<usize> {
        if self.of_thread.contains_key(&tid) {
            return None;
        }
        if is_thread {
            self.of_thread.insert(tid, by);
            return None;
        }
        Some(self.add(tid, Some(by), ns, assembly))
    }

    fn add(
        &mut self,
        pid: u64,
        parent: Option<usize>,
        ns: i64,
        assembly: &mut Assembly<'_>,
    ) -> usize {
        let rank = i32::try_from(self.groups.len()).unwrap_or(i32::MAX);
        let from = parent.and_then(|at| self.groups.get(at));
        let row = from.and_then(|group| assembly.processes.get(group.row)).cloned();
        let row = row.unwrap_or_default();
        let process = Process {
            rank,
            pid: i64::try_from(pid).ok().filter(|pid| *pid > 0),
            parent_pid: from.and_then(|group| i64::try_from(group.pid).ok()),
            parent: from.and_then(|group| i32::try_from(group.row).ok()),
            exe: row.exe,
            command_line: row.command_line,
            cwd: from.and_then(|group| group.cwd.clone()),
            start_ns: ns,
            ..Process::default()
        };
        let cwd = process.cwd.clone();
        let row = assembly.process(process);
        self.groups.push(Group { pid, row, cwd, ..Group::default() });
        self.of_thread.insert(pid, self.groups.len() - 1);
        self.groups.len() - 1
    }

    /// A thread has ended; returns its group if the whole process has.
    pub fn ended(&mut self, tid: u64) -> Option<usize> {
        self.pending.remove(&tid);
        self.announced.remove(&tid);
        let at = self.of_thread.remove(&tid)?;
        let group = self.groups.get_mut(at).filter(|group| group.pid == tid)?;
        group.is_over = true;
        Some(at)
    }

    /// Processes whose end is not in the trace.
    pub fn unfinished(&self) -> usize {
        self.groups.iter().filter(|group| !group.is_over).count()
    }
}

/// Does this call start threads or processes?
pub(super) fn is_spawn(name: &str) -> bool {
    matches!(name, "clone" | "clone3" | "fork" | "vfork")
}

/// Do its arguments ask for a thread? With `-X raw` the flags are a number.
pub(super) fn is_thread(arguments: &str) -> bool {
    const CLONE_THREAD: i64 = 0x1_0000;
    let flags = || {
        let (_, after) = arguments.split_once("flags=")?;
        integer(after.split([',', '}', ' ']).next()?)
    };
    arguments.contains("CLONE_THREAD") || flags().is_some_and(|flags| flags & CLONE_THREAD != 0)
}
