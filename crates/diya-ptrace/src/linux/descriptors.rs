//! Descriptors of a process: which file, and at which position.
//!
//! All processes of the tree are watched, so positions are followed across
//! dup and fork. The kernel is asked where somebody else may have moved them.

use super::shape::FileType;
use nix::libc;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::rc::Rc;

/// What the kernel calls an open file description.
#[derive(Debug)]
pub(super) struct Description {
    pub path: Vec<u8>,
    pub kind: FileType,
    /// Bytes of its blocks; 0: not known.
    pub block_bytes: u32,
    has_offset: bool,
    /// Writes go to the end, wherever that is.
    is_append: Cell<bool>,
    /// Where all that moved it was seen.
    position: Cell<Option<i64>>,
    /// Those of [`COSTLY`] that are set.
    costly: Cell<u64>,
}

/// Flags with which a transfer waits for the device.
const COSTLY: u64 = (libc::O_SYNC | libc::O_DSYNC | libc::O_DIRECT) as u64;

/// What lies behind a descriptor of a stopped thread: what it is, whether it
/// has a position, and the size of its blocks.
fn look_behind(tid: i32, fd: i32) -> Option<(FileType, bool, u32)> {
    let about = fs::metadata(format!("/proc/{tid}/fd/{fd}")).ok()?;
    let block_bytes = u32::try_from(about.blksize()).unwrap_or(0);
    let has_offset = about.is_file() || about.file_type().is_block_device();
    Some(match (has_offset, about.is_dir()) {
        (true, _) => (FileType::File, true, block_bytes),
        (_, true) => (FileType::Directory, false, block_bytes),
        _ => (FileType::Pipe, false, 0),
    })
}

impl Description {
    /// A file that was just opened, at its start.
    pub fn opened(tid: i32, fd: i32, path: Vec<u8>, flags: u64) -> Rc<Self> {
        let (kind, has_offset, block_bytes) =
            look_behind(tid, fd).unwrap_or((FileType::File, false, 0));
        let position = Cell::new(Some(0));
        Rc::new(Self {
            path,
            kind,
            block_bytes,
            has_offset,
            is_append: Cell::new(flags & libc::O_APPEND as u64 != 0),
            position,
            costly: Cell::new(flags & COSTLY),
        })
    }

    /// A descriptor that was not seen opened: inherited, received, a pipe.
    pub fn ask(tid: i32, fd: i32) -> Option<Rc<Self>> {
        let (kind, has_offset, block_bytes) = look_behind(tid, fd)?;
        let path = fs::read_link(format!("/proc/{tid}/fd/{fd}")).ok()?;
        let path = path.as_os_str().as_bytes().to_vec();
        let (is_append, position) = (Cell::new(false), Cell::new(None));
        let costly = Cell::new(ask_flags(tid, fd).unwrap_or(0) & COSTLY);
        Some(Rc::new(Self { path, kind, block_bytes, has_offset, is_append, position, costly }))
    }

    /// Where a transfer at the implicit position began that has moved it on by
    /// `done` bytes; `None` for what has no position.
    pub fn advance(&self, tid: i32, fd: i32, done: i64, is_write: bool) -> Option<i64> {
        if !self.has_offset {
            return None;
        }
        let moved = done.max(0);
        if let (Some(position), false) = (self.position.get(), is_write && self.is_append.get()) {
            self.position.set(Some(position + moved));
            return Some(position);
        }
        let position = ask_position(tid, fd)?;
        if self.position.get().is_some() {
            self.position.set(Some(position));
        }
        Some(position - moved)
    }

    /// The program set the position.
    pub fn moved_to(&self, position: i64) {
        if self.position.get().is_some() {
            self.position.set(Some(position));
        }
    }

    /// The program changed the flags that can be changed; those of syncs cannot.
    pub fn set_flags(&self, flags: u64) {
        self.is_append.set(flags & libc::O_APPEND as u64 != 0);
        let direct = libc::O_DIRECT as u64;
        self.costly.set(self.costly.get() & !direct | flags & direct);
    }

    /// Flags with which its transfers wait for the device; `None`: none is set.
    pub fn costly(&self) -> Option<u64> {
        Some(self.costly.get()).filter(|flags| *flags != 0)
    }

    /// Somebody who is not watched may move the position from now on.
    fn forget_position(&self) {
        self.position.set(None);
    }
}

/// Source: `proc(5)`, `/proc/PID/fdinfo`: the line `flags:` has an octal number.
fn ask_flags(tid: i32, fd: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{tid}/fdinfo/{fd}")).ok()?;
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"))?;
    u64::from_str_radix(flags.trim(), 8).ok()
}

/// Source: `proc(5)`, `/proc/PID/fdinfo`: the first line is `pos:` and a number.
fn ask_position(tid: i32, fd: i32) -> Option<i64> {
    let text = fs::read_to_string(format!("/proc/{tid}/fdinfo/{fd}")).ok()?;
    text.strip_prefix("pos:")?.split_whitespace().next()?.parse().ok()
}

/// The descriptors of a process.
#[derive(Debug, Clone, Default)]
pub(super) struct Descriptors(HashMap<i32, Rc<Description>>);

impl Descriptors {
    /// What a descriptor stands for; asks the kernel for one not seen before.
    pub fn get(&mut self, tid: i32, fd: i32) -> Option<Rc<Description>> {
        if fd < 0 {
            return None;
        }
        if let Some(known) = self.0.get(&fd) {
            return Some(known.clone());
        }
        let asked = Description::ask(tid, fd)?;
        self.0.insert(fd, asked.clone());
        Some(asked)
    }

    pub fn set(&mut self, fd: i32, description: Rc<Description>) {
        self.0.insert(fd, description);
    }

    /// The descriptor is closed, or made anew where we do not look.
    pub fn remove(&mut self, fd: i32) -> Option<Rc<Description>> {
        self.0.remove(&fd)
    }

    pub fn remove_range(&mut self, first: u32, last: u32) {
        self.0.retain(|&fd, _| !(first..=last).contains(&fd.cast_unsigned()));
    }

    /// Both descriptors share the position from now on.
    pub fn duplicate(&mut self, tid: i32, from: i32, to: i32) {
        if from == to {
            return;
        }
        self.0.remove(&to);
        if let Some(description) = self.get(tid, from) {
            self.set(to, description);
        }
    }

    /// Forgets what a new program did not keep open.
    pub fn keep_open_ones(&mut self, pid: i32) {
        let entries = fs::read_dir(format!("/proc/{pid}/fd"));
        let number = |name: std::ffi::OsString| name.to_str()?.parse::<i32>().ok();
        let open: HashSet<i32> =
            entries.into_iter().flatten().flatten().filter_map(|e| number(e.file_name())).collect();
        self.0.retain(|fd, _| open.contains(fd));
    }

    /// The process goes on unwatched.
    pub fn forget(&mut self) {
        for description in self.0.values() {
            description.forget_position();
        }
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd as _;

    #[test]
    fn duplicates_share_the_position() {
        let pid = std::process::id().cast_signed();
        let path = std::env::current_exe().expect("this test has a file");
        let file = fs::File::open(&path).expect("which can be read");
        let fd = file.as_raw_fd();
        let mut descriptors = Descriptors::default();
        descriptors.set(fd, Description::opened(pid, fd, b"x".to_vec(), 0));
        descriptors.duplicate(pid, fd, 4000);
        let at = |d: &mut Descriptors, fd, done| {
            d.get(pid, fd).expect("known").advance(pid, fd, done, false)
        };
        assert_eq!(at(&mut descriptors, fd, 10), Some(0));
        assert_eq!(at(&mut descriptors, 4000, 5), Some(10));
        assert_eq!(at(&mut descriptors, fd, -5), Some(15));
    }

    #[test]
    fn what_was_not_seen_opened_is_asked_for() {
        use std::io::Read as _;
        let pid = std::process::id().cast_signed();
        let path = std::env::current_exe().expect("this test has a file");
        let mut file = fs::File::open(&path).expect("which can be read");
        file.read_exact(&mut [0; 7]).expect("is longer");
        let found = Description::ask(pid, file.as_raw_fd()).expect("is open");
        assert_eq!(found.path, path.as_os_str().as_bytes());
        assert_eq!(found.advance(pid, file.as_raw_fd(), 7, false), Some(0));
    }

    #[test]
    fn flags_of_syncs_are_known_of_files_opened_before_and_after() {
        use std::os::unix::fs::OpenOptionsExt as _;
        let pid = std::process::id().cast_signed();
        let path = std::env::temp_dir().join(format!("diya-ptrace-flags-{pid}"));
        let mut options = fs::File::options();
        let file = options.write(true).create(true).custom_flags(libc::O_DSYNC).open(&path);
        let file = file.expect("can be made");
        let asked = Description::ask(pid, file.as_raw_fd()).expect("is open");
        assert_eq!(asked.costly(), Some(libc::O_DSYNC as u64));
        let opened = Description::opened(pid, file.as_raw_fd(), b"x".to_vec(), libc::O_SYNC as u64);
        assert_eq!(opened.costly(), Some(libc::O_SYNC as u64));
        opened.set_flags(libc::O_APPEND as u64);
        assert_eq!(opened.costly(), Some(libc::O_SYNC as u64), "fcntl changes none of syncs");
        assert_eq!(Description::opened(pid, file.as_raw_fd(), b"x".to_vec(), 0).costly(), None);
        fs::remove_file(path).expect("is there");
    }
}
