//! What a recorded call becomes: its function leads to a request, or to none.

use diya_tables::{Layer, Op};

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Opens a file.
    Open,
    /// Opens a C stream.
    OpenStream,
    /// Opens a directory for listing.
    OpenDir,
    /// Closes a file, stream or directory.
    Close,
    /// Reads at an offset.
    Read,
    /// Writes at an offset.
    Write,
    /// Reads from a C stream.
    StreamRead,
    /// Writes to a C stream.
    StreamWrite,
    /// Sets the position of a file.
    Seek,
    /// Sets or asks the position of a C stream.
    StreamSeek,
    /// Flushes a C stream.
    Flush,
    /// Asks for the attributes of a path.
    Stat,
    /// Asks for the attributes of a path, without following links.
    Lstat,
    /// Asks for the attributes of an open file.
    Fstat,
    /// Asks whether a path may be used.
    Access,
    /// Makes a file durable.
    Sync,
    /// Makes the data of a file durable.
    DataSync,
    /// Makes a file system durable.
    SyncAll,
    /// Sets the size of the file behind a path.
    Truncate,
    /// Sets the size of an open file.
    Ftruncate,
    /// Gives the kernel advice.
    Advise,
    /// Duplicates a descriptor.
    Dup,
    /// Renames a file; the new name is not recorded.
    Rename,
    /// Removes a file.
    Unlink,
    /// Removes a directory.
    Rmdir,
    /// Makes a directory.
    Mkdir,
    /// Reads entries of a directory.
    List,
    /// Begins a listing anew.
    Rewind,
    /// Makes a hard link; the new name is not recorded.
    Link,
    /// Sets the permissions.
    Chmod,
    /// Sets the times.
    Touch,
    /// Waits for other ranks at a collective call: no I/O.
    Meet,
}

impl Operation {
    /// Moves data.
    pub const fn is_transfer(self) -> bool {
        matches!(self, Self::Read | Self::Write | Self::StreamRead | Self::StreamWrite)
    }

    /// Reads data of a file.
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Read | Self::StreamRead)
    }

    /// Writes data of a file.
    pub const fn is_write(self) -> bool {
        matches!(self, Self::Write | Self::StreamWrite)
    }

    /// Is about names and open files, not about data.
    pub const fn is_of_names(self) -> bool {
        use Operation::{
            Access, Close, Dup, Fstat, Lstat, Open, OpenDir, OpenStream, Rmdir, Seek, Stat, Unlink,
        };
        matches!(
            self,
            Open | OpenStream
                | OpenDir
                | Close
                | Stat
                | Lstat
                | Fstat
                | Access
                | Dup
                | Seek
                | Unlink
                | Rmdir
        )
    }

    /// Ends the use of a file.
    pub const fn is_last_of_file(self) -> bool {
        matches!(self, Self::Close | Self::Unlink | Self::Rmdir)
    }

    /// Needs an open file, stream or directory.
    pub const fn needs_open(self) -> bool {
        use Operation::{
            Advise, Close, DataSync, Dup, Flush, Fstat, Ftruncate, List, Read, Rewind, Seek,
            StreamRead, StreamSeek, StreamWrite, Sync, Write,
        };
        matches!(
            self,
            Close
                | Read
                | Write
                | StreamRead
                | StreamWrite
                | Seek
                | StreamSeek
                | Flush
                | Fstat
                | Sync
                | DataSync
                | Ftruncate
                | Advise
                | Dup
                | List
                | Rewind
        )
    }

    /// Makes an open file, stream or directory.
    pub const fn opens(self) -> bool {
        matches!(self, Self::Open | Self::OpenStream | Self::OpenDir | Self::Dup)
    }
}

/// The request for a call; `None`: it cannot be issued again, for the reason given.
pub fn operation_of(
    layer: Layer,
    op: Op,
    function: &str,
    aux: Option<i64>,
) -> Result<Operation, &'static str> {
    match layer {
        Layer::Posix => posix(op, function, aux),
        Layer::Stdio => stdio(op, function),
        _ => Err(OF_LIBRARIES),
    }
}

/// Calls of libraries: their POSIX calls are issued.
pub const OF_LIBRARIES: &str = "a library call: its POSIX calls are issued";

/// Locks are not issued.
pub const LOCK: &str = "locks: the order of ranks is kept instead";

/// Flag of `unlinkat` that removes a directory (`AT_REMOVEDIR` of Linux).
const REMOVE_DIR: i64 = 0x200;

fn posix(op: Op, function: &str, aux: Option<i64>) -> Result<Operation, &'static str> {
    Ok(match (op, function) {
        (Op::Open, "memfd_create" | "shm_open" | "open_by_handle_at" | "fts_open") => {
            return Err("opens no path");
        }
        (Op::Open, "opendir") => Operation::OpenDir,
        (Op::Open, _) => Operation::Open,
        (Op::Close, "close_range" | "closefrom" | "fts_close") => {
            return Err("which files it closes is not recorded");
        }
        (Op::Close, _) => Operation::Close,
        (Op::Read, _) => Operation::Read,
        (Op::Write, _) => Operation::Write,
        (Op::Seek, "lseek") => Operation::Seek,
        (Op::Seek, "rewinddir") => Operation::Rewind,
        (Op::Stat, "fstat" | "fstatfs" | "fstatvfs") => Operation::Fstat,
        (Op::Stat, "lstat" | "readlink" | "readlinkat") => Operation::Lstat,
        (Op::Stat, "access" | "faccessat" | "euidaccess") => Operation::Access,
        (Op::Stat, _) => Operation::Stat,
        (Op::Sync, "sync" | "syncfs") => Operation::SyncAll,
        (Op::Sync, _) => Operation::Sync,
        (Op::Datasync, "sync_file_range") => return Err("its range is not recorded"),
        (Op::Datasync, _) => Operation::DataSync,
        (Op::Truncate, "truncate") => Operation::Truncate,
        (Op::Truncate, _) => Operation::Ftruncate,
        (Op::Allocate, _) => return Err("its length is not recorded"),
        (Op::Advise, "posix_fadvise") => Operation::Advise,
        (Op::Dup, _) => Operation::Dup,
        (Op::Rename, _) => Operation::Rename,
        (Op::Unlink, "rmdir") => Operation::Rmdir,
        (Op::Unlink, "unlinkat") if aux.is_some_and(|flags| flags & REMOVE_DIR != 0) => {
            Operation::Rmdir
        }
        (Op::Unlink, _) => Operation::Unlink,
        (Op::Make, "mkfifo" | "mknod" | "mkdtemp") => return Err("makes no file or directory"),
        (Op::Make, _) => Operation::Mkdir,
        (Op::List, "readdir" | "readdir_r" | "getdents") => Operation::List,
        (Op::Link, "link" | "linkat") => Operation::Link,
        (Op::Link, _) => return Err("symbolic links are never made"),
        (Op::Attribute, "chmod" | "fchmod" | "fchmodat" | "lchmod") => Operation::Chmod,
        (Op::Attribute, "utime" | "futimes" | "utimensat") => Operation::Touch,
        (Op::Map | Op::Unmap | Op::SyncMap, _) => return Err("mapped memory"),
        (Op::Lock, _) => return Err(LOCK),
        (Op::Submit | Op::Wait, _) => return Err("its requests are issued one by one"),
        _ => return Err("no request to a file"),
    })
}

fn stdio(op: Op, function: &str) -> Result<Operation, &'static str> {
    Ok(match (op, function) {
        (Op::Open, "fopen" | "freopen" | "fdopen") => Operation::OpenStream,
        (Op::Open, _) => return Err("opens no path"),
        (Op::Close, "fclose") => Operation::Close,
        (Op::Read, _) => Operation::StreamRead,
        (Op::Write, _) => Operation::StreamWrite,
        (Op::Seek, _) => Operation::StreamSeek,
        (Op::Flush, _) => Operation::Flush,
        _ => return Err("no request to a file"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_lead_to_requests() {
        let posix = |op, function| operation_of(Layer::Posix, op, function, None);
        assert_eq!(posix(Op::Read, ""), Ok(Operation::Read));
        assert_eq!(posix(Op::Open, "opendir"), Ok(Operation::OpenDir));
        assert_eq!(posix(Op::Sync, "syncfs"), Ok(Operation::SyncAll));
        assert_eq!(
            operation_of(Layer::Posix, Op::Unlink, "unlinkat", Some(0x200)),
            Ok(Operation::Rmdir)
        );
        assert!(posix(Op::Link, "symlink").is_err() && posix(Op::Map, "mmap").is_err());
        assert_eq!(
            operation_of(Layer::Mpiio, Op::Write, "MPI_File_write", None),
            Err(OF_LIBRARIES)
        );
    }
}
