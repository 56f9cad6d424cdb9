//! The system calls that are recorded, and what their arguments mean.
//!
//! Source: the manual pages of section 2, and for calls without one the
//! kernel's `include/linux/syscalls.h`. Numbers are those of `libc`.

use diya_model::number as f;
use diya_model::segment::{NAME_DIRECTORY, NAME_FILE, NAME_PIPE};
use nix::libc::{self, c_long};

/// One system call.
#[derive(Debug)]
pub(super) struct Known {
    /// Its number.
    pub number: c_long,
    /// The function it is recorded as; of a call that reads and writes, the
    /// reading one.
    pub function: u16,
    pub shape: Shape,
}

/// Position of an argument, from 0.
pub(super) type At = usize;

/// How a call says which file it means.
#[derive(Debug, Clone, Copy)]
pub(super) enum FileArgument {
    Descriptor(At),
    /// From the current directory.
    Path(At),
    /// From the directory of a descriptor.
    PathAt(At, At),
}

/// What lies at a path that cannot be asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileType {
    File = NAME_FILE as isize,
    Pipe = NAME_PIPE as isize,
    Directory = NAME_DIRECTORY as isize,
}

/// Where the flags of an open call are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flags {
    Argument(At),
    /// First number of a structure.
    Structure(At),
    Fixed(i32),
}

/// How much is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bytes {
    Argument(At),
    /// `iovec` array and its length.
    Vector(At, At),
}

/// Where a transfer begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Offset {
    Implicit,
    Argument(At),
    /// The implicit position when the argument is -1.
    ArgumentOrImplicit(At),
}

/// What a call does, as far as recording it differs.
#[derive(Debug)]
pub(super) enum Shape {
    Open(FileArgument, Flags),
    /// Makes a descriptor of a file that only the kernel can name.
    OpenUnnamed(Flags),
    Close,
    CloseRange,
    Read(Bytes, Offset, Option<At>),
    Write(Bytes, Offset, Option<At>),
    /// From one descriptor to another: the descriptors, where their offsets
    /// are, the size, and the function that the writing is recorded as.
    Copy {
        from: At,
        from_offset: Option<At>,
        to: At,
        to_offset: Option<At>,
        bytes: At,
        writing: u16,
    },
    Seek,
    /// Moves no data; with a further number, and what is made or expected.
    On(FileArgument, Option<At>, FileType),
    /// A part of a file: where it starts, how long it is.
    Range(FileArgument, At, Option<At>),
    Two(FileArgument, FileArgument),
    ChangeDirectory(FileArgument),
    Map,
    Unmap,
    SyncMap,
    Remap,
    Duplicate,
    DuplicateTo,
    Control,
    /// On no file that could be named.
    Plain,
    Ring,
    /// Makes a process, or with some flags a thread.
    Spawn(Flags),
    /// Returns only when it failed.
    Exec(FileArgument),
    /// Not recorded: it shows that a handler of a signal has ended.
    HandlerReturns,
}

use Shape::{
    ChangeDirectory, Close, CloseRange, Control, Copy, Duplicate, DuplicateTo, Exec,
    HandlerReturns, Map, On, Open, OpenUnnamed, Plain, Range, Read, Remap, Ring, Seek, Spawn,
    SyncMap, Two, Unmap, Write,
};

const FD: FileArgument = FileArgument::Descriptor(0);
const PATH: FileArgument = FileArgument::Path(0);
const PATH_AT: FileArgument = FileArgument::PathAt(0, 1);

const fn call(number: c_long, function: u16, shape: Shape) -> Known {
    Known { number, function, shape }
}

/// On a descriptor or a path, moving no data.
const fn on(number: c_long, function: u16, place: FileArgument) -> Known {
    call(number, function, On(place, None, FileType::File))
}

/// The same with a further number.
const fn with(number: c_long, function: u16, place: FileArgument, aux: At) -> Known {
    call(number, function, On(place, Some(aux), FileType::File))
}

const VECTOR: Bytes = Bytes::Vector(1, 2);
const COUNT: Bytes = Bytes::Argument(2);

/// Calls of all processors.
const COMMON: &[Known] = &[
    call(libc::SYS_read, f::READ, Read(COUNT, Offset::Implicit, None)),
    call(libc::SYS_write, f::WRITE, Write(COUNT, Offset::Implicit, None)),
    call(libc::SYS_pread64, f::PREAD, Read(COUNT, Offset::Argument(3), None)),
    call(libc::SYS_pwrite64, f::PWRITE, Write(COUNT, Offset::Argument(3), None)),
    call(libc::SYS_readv, f::READV, Read(VECTOR, Offset::Implicit, None)),
    call(libc::SYS_writev, f::WRITEV, Write(VECTOR, Offset::Implicit, None)),
    call(libc::SYS_preadv, f::PREADV, Read(VECTOR, Offset::Argument(3), None)),
    call(libc::SYS_pwritev, f::PWRITEV, Write(VECTOR, Offset::Argument(3), None)),
    call(libc::SYS_preadv2, f::PREADV2, Read(VECTOR, Offset::ArgumentOrImplicit(3), Some(5))),
    call(libc::SYS_pwritev2, f::PWRITEV2, Write(VECTOR, Offset::ArgumentOrImplicit(3), Some(5))),
    call(libc::SYS_vmsplice, f::VMSPLICE, Write(VECTOR, Offset::Implicit, None)),
    call(libc::SYS_openat, f::OPENAT, Open(PATH_AT, Flags::Argument(2))),
    call(libc::SYS_openat2, f::OPENAT, Open(PATH_AT, Flags::Structure(2))),
    call(
        libc::SYS_memfd_create,
        f::MEMFD_CREATE,
        OpenUnnamed(Flags::Fixed(libc::O_RDWR | libc::O_CREAT)),
    ),
    call(libc::SYS_open_by_handle_at, f::OPEN_BY_HANDLE_AT, OpenUnnamed(Flags::Argument(2))),
    call(libc::SYS_close, f::CLOSE, Close),
    call(libc::SYS_close_range, f::CLOSE_RANGE, CloseRange),
    call(
        libc::SYS_copy_file_range,
        f::COPY_FILE_RANGE_READ,
        Copy {
            from: 0,
            from_offset: Some(1),
            to: 2,
            to_offset: Some(3),
            bytes: 4,
            writing: f::COPY_FILE_RANGE_WRITE,
        },
    ),
    call(
        libc::SYS_sendfile,
        f::SENDFILE_READ,
        Copy {
            from: 1,
            from_offset: Some(2),
            to: 0,
            to_offset: None,
            bytes: 3,
            writing: f::SENDFILE_WRITE,
        },
    ),
    call(
        libc::SYS_splice,
        f::SPLICE_READ,
        Copy {
            from: 0,
            from_offset: Some(1),
            to: 2,
            to_offset: Some(3),
            bytes: 4,
            writing: f::SPLICE_WRITE,
        },
    ),
    call(
        libc::SYS_tee,
        f::TEE_READ,
        Copy {
            from: 0,
            from_offset: None,
            to: 1,
            to_offset: None,
            bytes: 2,
            writing: f::TEE_WRITE,
        },
    ),
    call(libc::SYS_lseek, f::LSEEK, Seek),
    on(libc::SYS_fstat, f::FSTAT, FD),
    on(libc::SYS_newfstatat, f::FSTATAT, PATH_AT),
    on(libc::SYS_statx, f::STATX, PATH_AT),
    on(libc::SYS_statfs, f::STATFS, PATH),
    on(libc::SYS_fstatfs, f::FSTATFS, FD),
    with(libc::SYS_faccessat, f::FACCESSAT, PATH_AT, 2),
    with(libc::SYS_faccessat2, f::FACCESSAT, PATH_AT, 2),
    on(libc::SYS_readlinkat, f::READLINKAT, PATH_AT),
    on(libc::SYS_name_to_handle_at, f::NAME_TO_HANDLE_AT, PATH_AT),
    on(libc::SYS_fsync, f::FSYNC, FD),
    on(libc::SYS_fdatasync, f::FDATASYNC, FD),
    on(libc::SYS_syncfs, f::SYNCFS, FD),
    call(libc::SYS_sync, f::SYNC, Plain),
    with(libc::SYS_sync_file_range, f::SYNC_FILE_RANGE, FD, 3),
    call(libc::SYS_truncate, f::TRUNCATE, Range(PATH, 1, None)),
    call(libc::SYS_ftruncate, f::FTRUNCATE, Range(FD, 1, None)),
    call(libc::SYS_fallocate, f::FALLOCATE, Range(FD, 2, Some(3))),
    call(libc::SYS_readahead, f::READAHEAD, Range(FD, 1, Some(2))),
    with(libc::SYS_fadvise64, f::POSIX_FADVISE, FD, 3),
    call(libc::SYS_mmap, f::MMAP, Map),
    call(libc::SYS_munmap, f::MUNMAP, Unmap),
    call(libc::SYS_msync, f::MSYNC, SyncMap),
    call(libc::SYS_mremap, f::MREMAP, Remap),
    call(libc::SYS_dup, f::DUP, Duplicate),
    call(libc::SYS_dup3, f::DUP3, DuplicateTo),
    call(libc::SYS_fcntl, f::FCNTL, Control),
    with(libc::SYS_flock, f::FLOCK, FD, 1),
    with(libc::SYS_ioctl, f::IOCTL, FD, 1),
    call(libc::SYS_renameat, f::RENAMEAT, Two(PATH_AT, FileArgument::PathAt(2, 3))),
    call(libc::SYS_renameat2, f::RENAMEAT2, Two(PATH_AT, FileArgument::PathAt(2, 3))),
    call(libc::SYS_linkat, f::LINKAT, Two(PATH_AT, FileArgument::PathAt(2, 3))),
    // What a symbolic link points to is text, not a file that is touched.
    on(libc::SYS_symlinkat, f::SYMLINKAT, FileArgument::PathAt(1, 2)),
    with(libc::SYS_unlinkat, f::UNLINKAT, PATH_AT, 2),
    call(libc::SYS_mkdirat, f::MKDIRAT, On(PATH_AT, None, FileType::Directory)),
    on(libc::SYS_mknodat, f::MKNOD, PATH_AT),
    call(libc::SYS_chdir, f::CHDIR, ChangeDirectory(PATH)),
    call(libc::SYS_fchdir, f::FCHDIR, ChangeDirectory(FD)),
    call(libc::SYS_chroot, f::CHROOT, ChangeDirectory(PATH)),
    on(libc::SYS_getdents64, f::GETDENTS, FD),
    on(libc::SYS_fchmod, f::FCHMOD, FD),
    on(libc::SYS_fchmodat, f::FCHMODAT, PATH_AT),
    on(SYS_FCHMODAT2, f::FCHMODAT, PATH_AT),
    on(libc::SYS_fchown, f::FCHOWN, FD),
    on(libc::SYS_fchownat, f::FCHOWNAT, PATH_AT),
    on(libc::SYS_utimensat, f::UTIMENSAT, PATH_AT),
    on(libc::SYS_setxattr, f::SETXATTR, PATH),
    on(libc::SYS_lsetxattr, f::SETXATTR, PATH),
    on(libc::SYS_fsetxattr, f::FSETXATTR, FD),
    on(libc::SYS_getxattr, f::GETXATTR, PATH),
    on(libc::SYS_lgetxattr, f::GETXATTR, PATH),
    on(libc::SYS_fgetxattr, f::FGETXATTR, FD),
    on(libc::SYS_listxattr, f::LISTXATTR, PATH),
    on(libc::SYS_llistxattr, f::LISTXATTR, PATH),
    on(libc::SYS_flistxattr, f::FLISTXATTR, FD),
    on(libc::SYS_removexattr, f::REMOVEXATTR, PATH),
    on(libc::SYS_lremovexattr, f::REMOVEXATTR, PATH),
    on(libc::SYS_fremovexattr, f::FREMOVEXATTR, FD),
    call(libc::SYS_io_submit, f::IO_SUBMIT, Plain),
    call(libc::SYS_io_getevents, f::IO_GETEVENTS, Plain),
    call(SYS_IO_PGETEVENTS, f::IO_GETEVENTS, Plain),
    call(SYS_IO_URING_ENTER, f::IO_URING_SUBMIT, Ring),
    call(libc::SYS_clone, f::FORK, Spawn(Flags::Argument(0))),
    call(SYS_CLONE3, f::FORK, Spawn(Flags::Structure(0))),
    call(libc::SYS_execve, f::EXEC, Exec(PATH)),
    call(libc::SYS_execveat, f::EXEC, Exec(PATH_AT)),
    call(libc::SYS_rt_sigreturn, 0, HandlerReturns),
];

/// Not in every C library's headers; the same on all processors since Linux
/// 4.18, 5.1, 5.3 and 6.6 (`include/uapi/asm-generic/unistd.h`, from number 424 on).
const SYS_IO_URING_ENTER: c_long = 426;
const SYS_CLONE3: c_long = 435;
const SYS_FCHMODAT2: c_long = 452;
#[cfg(target_arch = "x86_64")]
const SYS_IO_PGETEVENTS: c_long = 333;
#[cfg(target_arch = "aarch64")]
const SYS_IO_PGETEVENTS: c_long = 292;

/// Calls that newer processors have only in the form with a directory.
#[cfg(target_arch = "x86_64")]
const OLDER: &[Known] = &[
    call(libc::SYS_open, f::OPEN, Open(PATH, Flags::Argument(1))),
    call(
        libc::SYS_creat,
        f::CREAT,
        Open(PATH, Flags::Fixed(libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC)),
    ),
    on(libc::SYS_stat, f::STAT, PATH),
    on(libc::SYS_lstat, f::LSTAT, PATH),
    with(libc::SYS_access, f::ACCESS, PATH, 1),
    on(libc::SYS_readlink, f::READLINK, PATH),
    call(libc::SYS_rename, f::RENAME, Two(PATH, FileArgument::Path(1))),
    call(libc::SYS_link, f::LINK, Two(PATH, FileArgument::Path(1))),
    on(libc::SYS_symlink, f::SYMLINK, FileArgument::Path(1)),
    on(libc::SYS_unlink, f::UNLINK, PATH),
    call(libc::SYS_rmdir, f::RMDIR, On(PATH, None, FileType::Directory)),
    call(libc::SYS_mkdir, f::MKDIR, On(PATH, None, FileType::Directory)),
    on(libc::SYS_mknod, f::MKNOD, PATH),
    on(libc::SYS_chmod, f::CHMOD, PATH),
    on(libc::SYS_chown, f::CHOWN, PATH),
    on(libc::SYS_lchown, f::LCHOWN, PATH),
    on(libc::SYS_utime, f::UTIME, PATH),
    on(libc::SYS_utimes, f::UTIME, PATH),
    on(libc::SYS_futimesat, f::UTIMENSAT, PATH_AT),
    call(libc::SYS_dup2, f::DUP2, DuplicateTo),
    call(libc::SYS_fork, f::FORK, Spawn(Flags::Fixed(0))),
    call(libc::SYS_vfork, f::FORK, Spawn(Flags::Fixed(libc::CLONE_VFORK))),
    on(libc::SYS_getdents, f::GETDENTS, FD),
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[Known] = &[];

/// All calls; the most frequent first, since the filter tries one by one.
pub(super) fn calls() -> impl Iterator<Item = &'static Known> {
    COMMON.iter().chain(OLDER)
}

/// Calls by number.
#[derive(Debug)]
pub(super) struct SystemCalls(Vec<Option<&'static Known>>);

impl SystemCalls {
    pub fn new() -> Self {
        let mut by_number = Vec::new();
        for call in calls() {
            let number = usize::try_from(call.number).expect("numbers of calls are not negative");
            if by_number.len() <= number {
                by_number.resize(number + 1, None);
            }
            by_number[number] = Some(call);
        }
        Self(by_number)
    }

    pub fn get(&self, number: c_long) -> Option<&'static Known> {
        *self.0.get(usize::try_from(number).ok()?)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_call_is_there_once() {
        let mut seen = HashSet::new();
        assert!(calls().all(|call| seen.insert(call.number)));
        let table = SystemCalls::new();
        assert_eq!(table.get(libc::SYS_write).map(|call| call.function), Some(f::WRITE));
        assert!(table.get(libc::SYS_getpid).is_none());
        assert!(table.get(-1).is_none());
    }
}
