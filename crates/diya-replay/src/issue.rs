//! One request: the calls that it makes.

use crate::buffer::{Buffer, MAX_BYTES};
use crate::effect::{CREATE, DATA_SYNC, EXCLUSIVE, SYNC, TRUNCATE};
use crate::operation::Operation;
use crate::plan::{Plan, Request};
use crate::replay_folder::ReplayFolder;
use crate::slots::{Slot, SlotKind};
use crate::stream::Stream;
use rustix::fs::{self, Advice, AtFlags, Dir, Mode, OFlags, SeekFrom};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::num::NonZeroU64;
use std::os::fd::OwnedFd;
use std::sync::{PoisonError, RwLock};

/// What is open behind a slot.
pub(crate) enum Handle {
    Closed,
    File(OwnedFd),
    Stream(Box<Stream>),
    Directory(Dir),
}

/// What all threads of a replay share.
pub(crate) struct Shared<'r> {
    pub plan: &'r Plan,
    pub root: &'r OwnedFd,
    pub renamed: &'r OwnedFd,
    /// Paths below the root, as the kernel takes them.
    paths: Vec<CString>,
    pub slots: Vec<RwLock<Handle>>,
    pub data: Buffer,
}

impl<'r> Shared<'r> {
    pub fn new(plan: &'r Plan, replay_folder: &'r ReplayFolder) -> Self {
        let requests = plan.lanes.iter().flatten();
        let writes = requests.filter(|request| request.operation.is_write());
        let most = writes.map(|request| request.requested).max().unwrap_or(0);
        Self {
            plan,
            root: replay_folder.root(),
            renamed: replay_folder.renamed(),
            paths: plan.files.iter().map(|file| kernel_path(&file.below)).collect(),
            slots: plan.slots.iter().map(|_| RwLock::new(Handle::Closed)).collect(),
            data: Buffer::random(usize::try_from(most).unwrap_or(usize::MAX)),
        }
    }

    fn path(&self, file: u32) -> &CStr {
        self.paths.get(file as usize).map_or(c"", CString::as_c_str)
    }

    /// Opens what no call of the log opens, before the clock runs.
    pub fn prepare(&self, request: &Request) -> Result<(), Errno> {
        let Some((number, slot)) = self.slot(request) else { return Ok(()) };
        self.ensure(number, slot)?;
        match slot
            .duplicate_of
            .and_then(|at| Some((at as usize, self.plan.slots.get(at as usize)?)))
        {
            Some((number, original)) if request.operation == Operation::Dup => {
                self.ensure(number, original)
            }
            _ => Ok(()),
        }
    }

    /// Opens what is not open and no call opens.
    fn ensure(&self, number: usize, slot: &Slot) -> Result<(), Errno> {
        let Some(lock) = self.slots.get(number).filter(|_| slot.is_implicit) else { return Ok(()) };
        let is_open =
            !matches!(*lock.read().unwrap_or_else(PoisonError::into_inner), Handle::Closed);
        if is_open {
            return Ok(());
        }
        let mut handle = lock.write().unwrap_or_else(PoisonError::into_inner);
        if matches!(*handle, Handle::Closed) {
            let access = match (slot.kind, slot.writes) {
                (SlotKind::Directory, _) => OFlags::RDONLY | OFlags::DIRECTORY,
                (_, true) => OFlags::RDWR | OFlags::CREATE,
                (_, false) => OFlags::RDONLY,
            };
            *handle = wrap(slot.kind, self.open(slot.file, access)?)?;
        }
        Ok(())
    }

    fn slot(&self, request: &Request) -> Option<(usize, &Slot)> {
        let number = request.slot.filter(|_| request.operation != Operation::Meet)? as usize;
        Some((number, self.plan.slots.get(number)?))
    }

    fn open(&self, file: u32, flags: OFlags) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        fs::openat(self.root, self.path(file), flags, Mode::RUSR | Mode::WUSR)
    }

    /// Issues the calls of a request; returns the bytes that were moved.
    ///
    /// A call that fails is no error of the replay: it is counted.
    pub fn issue(&self, request: &Request, target: &mut Buffer) -> Result<u64, Errno> {
        if request.calls <= 1 {
            return self.once(request, target);
        }
        let (mut moved, mut last) = (0, Ok(()));
        let (each, each_asked) = (request.bytes / request.calls, request.requested / request.calls);
        for call in 0..request.calls {
            let before = call * each;
            let is_last = call + 1 == request.calls;
            let one = Request {
                offset: request.offset + before,
                bytes: if is_last { request.bytes - before } else { each },
                requested: match is_last {
                    true => request.requested - call * each_asked,
                    false => each_asked,
                },
                calls: 1,
                ..*request
            };
            match self.once(&one, target) {
                Ok(bytes) => moved += bytes,
                Err(error) => last = Err(error),
            }
        }
        last.map(|()| moved)
    }

    fn once(&self, request: &Request, target: &mut Buffer) -> Result<u64, Errno> {
        if let Some((number, slot)) = self.slot(request) {
            let lock = self.slots.get(number).ok_or(Errno::BADF)?;
            return match request.operation {
                Operation::Open | Operation::OpenStream | Operation::OpenDir | Operation::Dup => {
                    let made = self.opened(request, slot)?;
                    *lock.write().unwrap_or_else(PoisonError::into_inner) = made;
                    Ok(0)
                }
                Operation::Close => {
                    let mut handle = lock.write().unwrap_or_else(PoisonError::into_inner);
                    close(std::mem::replace(&mut handle, Handle::Closed))
                }
                // Threads of a process use an open file side by side.
                _ if slot.kind == SlotKind::File => {
                    let handle = lock.read().unwrap_or_else(PoisonError::into_inner);
                    let Handle::File(file) = &*handle else { return Err(Errno::BADF) };
                    self.on_file(request, file, target)
                }
                _ => {
                    let mut handle = lock.write().unwrap_or_else(PoisonError::into_inner);
                    match &mut *handle {
                        Handle::Stream(stream) => self.on_stream(request, stream, target),
                        Handle::Directory(dir) => on_directory(request, dir),
                        Handle::File(file) => self.on_file(request, file, target),
                        Handle::Closed => Err(Errno::BADF),
                    }
                }
            };
        }
        self.on_path(request)
    }

    fn opened(&self, request: &Request, slot: &Slot) -> Result<Handle, Errno> {
        if let Some(original) = slot.duplicate_of.and_then(|at| self.slots.get(at as usize)) {
            let original = original.read().unwrap_or_else(PoisonError::into_inner);
            let file = match &*original {
                Handle::File(file) => rustix::io::fcntl_dupfd_cloexec(file, 0),
                Handle::Stream(stream) => rustix::io::fcntl_dupfd_cloexec(stream.file(), 0),
                Handle::Closed | Handle::Directory(_) => Err(Errno::BADF),
            };
            return Ok(Handle::File(file?));
        }
        let flags = match request.aux.filter(|_| request.operation == Operation::Open) {
            Some(flags) => native(flags),
            None => guessed(slot),
        };
        let flags = if slot.kind == SlotKind::Directory { OFlags::DIRECTORY } else { flags };
        let file = match self.open(request.file, flags) {
            // File systems in memory have no direct requests.
            Err(Errno::INVAL) if flags.contains(OFlags::DIRECT) => {
                self.open(request.file, flags - OFlags::DIRECT)
            }
            other => other,
        }?;
        wrap(slot.kind, file)
    }

    fn on_file(
        &self,
        request: &Request,
        file: &OwnedFd,
        target: &mut Buffer,
    ) -> Result<u64, Errno> {
        match request.operation {
            Operation::Read => {
                let read = |asked, offset| rustix::io::pread(file, target.first_mut(asked), offset);
                in_parts(request, read)
            }
            Operation::Write => {
                in_parts(request, |asked, at| rustix::io::pwrite(file, self.data.first(asked), at))
            }
            Operation::Seek => fs::seek(file, SeekFrom::Start(request.offset)).map(|_| 0),
            Operation::Fstat => fs::fstat(file).map(|_| 0),
            Operation::Sync => fs::fsync(file).map(|()| 0),
            Operation::DataSync => fs::fdatasync(file).map(|()| 0),
            Operation::Ftruncate => fs::ftruncate(file, request.offset).map(|()| 0),
            Operation::Advise => {
                fs::fadvise(file, request.offset, None::<NonZeroU64>, advice(request.aux))
                    .map(|()| 0)
            }
            _ => Err(Errno::BADF),
        }
    }

    fn on_stream(
        &self,
        request: &Request,
        stream: &mut Stream,
        target: &mut Buffer,
    ) -> Result<u64, Errno> {
        match request.operation {
            Operation::StreamRead => in_parts(request, |asked, at| {
                stream.read(at, target.first_mut(asked)).map(|bytes| bytes as usize)
            }),
            Operation::StreamWrite => in_parts(request, |asked, at| {
                stream.write(at, self.data.first(asked)).map(|bytes| bytes as usize)
            }),
            Operation::StreamSeek | Operation::Flush => stream.flush().map(|()| 0),
            _ => self.on_file(request, stream.file(), target),
        }
    }

    fn on_path(&self, request: &Request) -> Result<u64, Errno> {
        let (root, path) = (self.root, self.path(request.file));
        let new_name = || request.file.to_string();
        match request.operation {
            Operation::Stat | Operation::Lstat => {
                fs::statat(root, path, AtFlags::SYMLINK_NOFOLLOW).map(|_| ())
            }
            Operation::Access => fs::accessat(root, path, fs::Access::EXISTS, AtFlags::empty()),
            Operation::SyncAll => fs::syncfs(root),
            Operation::Truncate => {
                let file = self.open(request.file, OFlags::WRONLY)?;
                fs::ftruncate(file, request.offset)
            }
            Operation::Rename => fs::renameat(root, path, self.renamed, new_name()),
            Operation::Link => {
                // The new name is not recorded; a second link replaces the first.
                let new = new_name();
                match fs::linkat(root, path, self.renamed, &new, AtFlags::empty()) {
                    Err(Errno::EXIST) => {
                        fs::unlinkat(self.renamed, &new, AtFlags::empty())?;
                        fs::linkat(root, path, self.renamed, &new, AtFlags::empty())
                    }
                    other => other,
                }
            }
            Operation::Unlink => fs::unlinkat(root, path, AtFlags::empty()),
            Operation::Rmdir => fs::unlinkat(root, path, AtFlags::REMOVEDIR),
            Operation::Mkdir => fs::mkdirat(root, path, Mode::RWXU),
            Operation::Chmod => {
                let is_directory = self
                    .plan
                    .files
                    .get(request.file as usize)
                    .is_some_and(|file| file.is_directory);
                let mode = if is_directory { Mode::RWXU } else { Mode::RUSR | Mode::WUSR };
                fs::chmodat(root, path, mode, AtFlags::empty())
            }
            Operation::Touch => {
                let now = fs::Timespec { tv_sec: 0, tv_nsec: fs::UTIME_NOW };
                let times = fs::Timestamps { last_access: now, last_modification: now };
                fs::utimensat(root, path, &times, AtFlags::SYMLINK_NOFOLLOW)
            }
            _ => Err(Errno::BADF),
        }
        .map(|()| 0)
    }
}

/// The path; `path::below` leaves no zero byte in it.
fn kernel_path(path: &str) -> CString {
    CString::new(path).unwrap_or_default()
}

/// A request larger than the memory for it is made in parts.
fn in_parts(
    request: &Request,
    mut part: impl FnMut(usize, u64) -> Result<usize, Errno>,
) -> Result<u64, Errno> {
    let mut done = 0;
    loop {
        let asked = usize::try_from(request.requested - done).unwrap_or(usize::MAX).min(MAX_BYTES);
        let moved = part(asked, request.offset + done)?;
        done += moved as u64;
        if moved < asked || done >= request.requested {
            return Ok(done);
        }
    }
}

fn on_directory(request: &Request, dir: &mut Dir) -> Result<u64, Errno> {
    match request.operation {
        Operation::List => dir.read().transpose().map(|_| 0),
        Operation::Rewind => {
            dir.rewind();
            Ok(0)
        }
        Operation::Fstat => dir.stat().map(|_| 0),
        _ => Err(Errno::BADF),
    }
}

fn close(handle: Handle) -> Result<u64, Errno> {
    match handle {
        Handle::Closed => return Err(Errno::BADF),
        Handle::Stream(mut stream) => stream.flush()?,
        Handle::File(_) | Handle::Directory(_) => {}
    }
    Ok(0)
}

fn wrap(kind: SlotKind, file: OwnedFd) -> Result<Handle, Errno> {
    Ok(match kind {
        SlotKind::File => Handle::File(file),
        SlotKind::Stream => Handle::Stream(Box::new(Stream::new(file))),
        SlotKind::Directory => Handle::Directory(Dir::new(file)?),
    })
}

/// Flags of an open whose flags are not recorded: those that its use needs.
fn guessed(slot: &Slot) -> OFlags {
    let emptied = if slot.begins_anew && !slot.reads { OFlags::TRUNC } else { OFlags::empty() };
    match (slot.reads, slot.writes) {
        (_, false) => OFlags::RDONLY,
        (_, true) => OFlags::RDWR | OFlags::CREATE | emptied,
    }
}

/// Flags of this processor for those of x86-64. Appending is left out: offsets are those of
/// the log.
fn native(flags: i64) -> OFlags {
    let access = match flags & 3 {
        0 => OFlags::RDONLY,
        1 => OFlags::WRONLY,
        _ => OFlags::RDWR,
    };
    let pairs = [
        (CREATE, OFlags::CREATE),
        (EXCLUSIVE, OFlags::EXCL),
        (TRUNCATE, OFlags::TRUNC),
        (DATA_SYNC, OFlags::DSYNC),
        (0o40_000, OFlags::DIRECT),
        (SYNC, OFlags::SYNC),
        (0o200_000, OFlags::DIRECTORY),
    ];
    pairs
        .iter()
        .filter(|(bits, _)| flags & bits == *bits)
        .fold(access, |all, (_, flag)| all | *flag)
}

/// Advice by its number, which is the same on all processors of today.
fn advice(number: Option<i64>) -> Advice {
    match number {
        Some(1) => Advice::Random,
        Some(2) => Advice::Sequential,
        Some(3) => Advice::WillNeed,
        Some(4) => Advice::DontNeed,
        Some(5) => Advice::NoReuse,
        _ => Advice::Normal,
    }
}
