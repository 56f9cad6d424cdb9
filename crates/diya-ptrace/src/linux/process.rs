//! One process of the tree, from one exec to the next.

use super::descriptors::{Description, Descriptors};
use super::header::{self, State};
use super::kernel;
use super::paths;
use super::record::Event;
use super::segment::{Limits, Segment};
use super::shape::{FileArgument, FileType};
use nix::libc;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// A file that a call is about.
#[derive(Debug, Clone)]
pub(super) enum Subject {
    Open(Rc<Description>),
    /// By its absolute path; its kind, where it follows from the call.
    Named(Vec<u8>, Option<FileType>),
}

/// Whether a process is recorded.
#[derive(Debug)]
enum Recording {
    Off,
    /// From its first call on: a process without any leaves no segment.
    Ready,
    On(Box<Segment>),
}

/// Where to record to.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub folder: &'a Path,
    pub limits: Limits,
}

/// What is known of a process.
#[derive(Debug)]
pub(super) struct Process {
    pub pid: i32,
    pub descriptors: Descriptors,
    /// Mapped files by where they start.
    pub mappings: HashMap<u64, Subject>,
    cwd: Option<Vec<u8>>,
    recording: Recording,
}

impl Process {
    /// A process that was found, not seen made.
    pub fn new(pid: i32) -> Self {
        Self {
            pid,
            descriptors: Descriptors::default(),
            mappings: HashMap::new(),
            cwd: None,
            recording: Recording::Off,
        }
    }

    /// A child: descriptors, mappings and folder are as in the parent.
    pub fn child(&self, pid: i32) -> Self {
        Self {
            pid,
            descriptors: self.descriptors.clone(),
            mappings: self.mappings.clone(),
            cwd: self.cwd.clone(),
            recording: if self.is_recorded() { Recording::Ready } else { Recording::Off },
        }
    }

    pub fn is_recorded(&self) -> bool {
        !matches!(self.recording, Recording::Off)
    }

    /// The process became another program.
    pub fn execed(&mut self, is_recorded: bool) {
        self.finish(State::Execed, None);
        self.mappings.clear();
        self.cwd = None;
        if is_recorded {
            self.recording = Recording::Ready;
            self.descriptors.keep_open_ones(self.pid);
        } else {
            self.descriptors.forget();
        }
    }

    /// Ends the segment, if there is one.
    pub fn finish(&mut self, state: State, exit_code: Option<i32>) {
        if let Recording::On(segment) = std::mem::replace(&mut self.recording, Recording::Off) {
            segment.finish(state, exit_code);
        }
    }

    pub fn thread_ended(&mut self, tid: i32) {
        if let Recording::On(segment) = &mut self.recording {
            segment.thread_ended(tid);
        }
    }

    /// Writes a call of a stopped thread. The error says why the process is
    /// not recorded any more.
    pub fn record(
        &mut self,
        tid: i32,
        mut event: Event,
        subjects: [Option<&Subject>; 2],
        target: &Target<'_>,
    ) -> Result<(), String> {
        if let Recording::Ready = self.recording {
            let made = Segment::create(target.folder, self.pid, target.limits);
            self.recording = match made {
                Ok(segment) => Recording::On(Box::new(segment)),
                Err(error) => {
                    self.recording = Recording::Off;
                    return Err(format!(
                        "process {} was not recorded: {}: {error}",
                        self.pid,
                        target.folder.display()
                    ));
                }
            };
        }
        if let Recording::On(segment) = &mut self.recording {
            let mut number = |subject: Option<&Subject>| match subject {
                Some(Subject::Open(open)) => {
                    segment.file_number(tid, &open.path, Some((open.kind, open.block_bytes)))
                }
                Some(Subject::Named(path, kind)) => {
                    segment.file_number(tid, path, kind.map(|kind| (kind, 0)))
                }
                None => (0, 0),
            };
            let block_bytes;
            (event.file, block_bytes) = number(subjects[0]);
            (event.file2, _) = number(subjects[1]);
            segment.call(tid, &event, block_bytes);
        }
        Ok(())
    }

    /// The program's folder is another one now.
    pub fn directory_changed(&mut self) {
        self.cwd = None;
    }

    /// The file that an argument names, before the call.
    pub fn subject(
        &mut self,
        tid: i32,
        arguments: &[u64; 6],
        place: FileArgument,
        kind: Option<FileType>,
    ) -> Option<Subject> {
        let (folder, path) = match place {
            FileArgument::Descriptor(fd) => return self.open_file(tid, descriptor(arguments[fd])),
            FileArgument::Path(path) => (libc::AT_FDCWD, arguments[path]),
            FileArgument::PathAt(folder, path) => (descriptor(arguments[folder]), arguments[path]),
        };
        if path == 0 {
            return self.open_file(tid, folder); // utimensat means the descriptor
        }
        let path = kernel::text(tid, path)?;
        if path.is_empty() {
            return self.open_file(tid, folder); // AT_EMPTY_PATH
        }
        let base = match (path.starts_with(b"/"), folder) {
            (true, _) => Vec::new(),
            (_, libc::AT_FDCWD) => self.cwd(tid),
            (_, folder) => {
                self.descriptors.get(tid, folder).map(|d| d.path.clone()).unwrap_or_default()
            }
        };
        Some(Subject::Named(paths::absolute(&base, &path), kind))
    }

    fn open_file(&mut self, tid: i32, fd: i32) -> Option<Subject> {
        self.descriptors.get(tid, fd).map(Subject::Open)
    }

    fn cwd(&mut self, tid: i32) -> Vec<u8> {
        self.cwd.get_or_insert_with(|| header::link(tid, "cwd")).clone()
    }
}

/// Descriptors are the lower half of a register.
pub(super) fn descriptor(argument: u64) -> i32 {
    argument as u32 as i32
}
