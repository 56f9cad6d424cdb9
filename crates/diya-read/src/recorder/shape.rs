//! Where the arguments of a function say on what it works: docs/formats/recorder.md lists them.

/// Places of arguments, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Opens a path with flags, or with a mode in letters.
    Open {
        path: usize,
        flags: Option<usize>,
        letters: Option<usize>,
    },
    /// Opens a file of MPI-IO: the path, the mode and the new handle.
    OpenHandle,
    Close,
    /// Moves bytes: the file, their number (a product of two), the offset.
    Data {
        file: usize,
        size: Option<(usize, Option<usize>)>,
        offset: Option<usize>,
    },
    /// Moves elements of a type of MPI: offset, number, type.
    Elements {
        offset: Option<usize>,
        count: usize,
    },
    Seek,
    View,
    /// Is about this file.
    File(usize),
    /// Is about a file of MPI-IO: its handle comes first.
    Handle,
    /// Is about no file that its arguments name.
    Bare,
    /// A function of the program, which its second argument names.
    Own,
}

const fn data(file: usize, size: usize, offset: Option<usize>) -> Shape {
    Shape::Data { file, size: Some((size, None)), offset }
}

/// The shape of a function of the C library or of HDF5, MPI-IO by its prefix.
pub(super) fn shape(name: &str) -> Shape {
    if let Some(rest) = name.strip_prefix("MPI_File_") {
        return mpiio(rest);
    }
    match name.strip_suffix("64").unwrap_or(name) {
        "open" => Shape::Open { path: 0, flags: Some(1), letters: None },
        "creat" => Shape::Open { path: 0, flags: None, letters: None },
        "fopen" | "fdopen" => Shape::Open { path: 0, flags: None, letters: Some(1) },
        "close" | "fclose" => Shape::Close,
        "read" | "write" => data(0, 2, None),
        "pread" | "pwrite" => data(0, 2, Some(3)),
        "readv" | "writev" => data(0, 1, None),
        "fread" | "fwrite" => Shape::Data { file: 3, size: Some((1, Some(2))), offset: None },
        "fprintf" | "vfprintf" => Shape::Data { file: 0, size: None, offset: None },
        "lseek" | "fseek" | "fseeko" => Shape::Seek,
        "fsync" | "fdatasync" | "fflush" | "ftell" | "ftello" | "fileno" | "fcntl" | "truncate"
        | "ftruncate" | "stat" | "lstat" | "fstat" | "mkdir" | "rmdir" | "chdir" | "link"
        | "unlink" | "readlink" | "rename" | "chmod" | "chown" | "lchown" | "utime" | "opendir"
        | "mkfifo" | "access" | "remove" | "H5Fopen" | "H5Fcreate" => Shape::File(0),
        "__xstat" | "__lxstat" | "__fxstat" | "symlink" | "linkat" | "readlinkat" | "faccessat"
        | "mknod" => Shape::File(1),
        "symlinkat" | "mknodat" => Shape::File(2),
        "mmap" => Shape::File(4),
        "user_function" => Shape::Own,
        _ => Shape::Bare,
    }
}

fn mpiio(rest: &str) -> Shape {
    let moves = ["read", "write", "iread", "iwrite"].iter().any(|name| rest.starts_with(name));
    match rest {
        "open" => Shape::OpenHandle,
        "close" => Shape::Close,
        "set_view" => Shape::View,
        _ if moves && rest.ends_with("_end") => Shape::Handle,
        _ if moves && rest.contains("_at") => Shape::Elements { offset: Some(1), count: 3 },
        _ if moves => Shape::Elements { offset: None, count: 2 },
        _ => Shape::Handle,
    }
}

/// Bytes of an element of a type that MPI names; `None`: of a type that the program made.
pub(super) fn element_bytes(type_name: &[u8]) -> Option<u8> {
    Some(match type_name {
        b"MPI_BYTE" | b"MPI_CHAR" | b"MPI_SIGNED_CHAR" | b"MPI_UNSIGNED_CHAR" | b"MPI_PACKED"
        | b"MPI_INT8_T" | b"MPI_UINT8_T" | b"MPI_CHARACTER" | b"MPI_C_BOOL" => 1,
        b"MPI_SHORT" | b"MPI_UNSIGNED_SHORT" | b"MPI_INT16_T" | b"MPI_UINT16_T" => 2,
        b"MPI_INT" | b"MPI_UNSIGNED" | b"MPI_FLOAT" | b"MPI_INT32_T" | b"MPI_UINT32_T"
        | b"MPI_INTEGER" | b"MPI_REAL" | b"MPI_LOGICAL" | b"MPI_INTEGER4" | b"MPI_REAL4" => 4,
        b"MPI_LONG"
        | b"MPI_UNSIGNED_LONG"
        | b"MPI_LONG_LONG"
        | b"MPI_LONG_LONG_INT"
        | b"MPI_UNSIGNED_LONG_LONG"
        | b"MPI_DOUBLE"
        | b"MPI_INT64_T"
        | b"MPI_UINT64_T"
        | b"MPI_DOUBLE_PRECISION"
        | b"MPI_INTEGER8"
        | b"MPI_REAL8"
        | b"MPI_AINT"
        | b"MPI_OFFSET"
        | b"MPI_COMPLEX" => 8,
        b"MPI_DOUBLE_COMPLEX" | b"MPI_LONG_DOUBLE" => 16,
        _ => return None,
    })
}
