//! Reads that no cache answers, where the file system allows it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Offsets, sizes and addresses of direct requests are multiples of this: the
/// largest that block devices ask for.
pub(super) const BLOCK: usize = 4096;

/// `O_DIRECT` of Linux (`asm/fcntl.h`); `None`: not known for this processor.
const O_DIRECT: Option<i32> =
    if cfg!(any(target_arch = "x86_64", target_arch = "x86", target_arch = "riscv64")) {
        Some(0o40_000)
    } else if cfg!(any(target_arch = "aarch64", target_arch = "arm", target_arch = "powerpc64")) {
        Some(0o200_000)
    } else {
        None
    };

/// Memory that direct reads accept.
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    size: usize,
}

impl Buffer {
    pub fn new(size: usize) -> Self {
        let bytes = vec![0x5a; size + BLOCK];
        let start = bytes.as_ptr().align_offset(BLOCK);
        Self { bytes, start, size }
    }

    /// The first bytes of it.
    pub fn first(&mut self, size: usize) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + size.min(self.size)]
    }
}

/// Opens for reading past the cache, or through it where that is refused.
pub(super) fn open(path: &Path) -> io::Result<File> {
    if let Some(flag) = O_DIRECT
        && let Ok(file) = OpenOptions::new().read(true).custom_flags(flag).open(path)
        && file.read_at(Buffer::new(BLOCK).first(BLOCK), 0).is_ok()
    {
        return Ok(file);
    }
    File::open(path)
}
