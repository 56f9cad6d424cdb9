//! Memory for the end of a run: the log is made of buffers that come and go.
//!
//! The C library gives large buffers back to the system one by one, and gets each page of the
//! next ones by a fault of its own: a fifth to a quarter of the processor time that the log of
//! a quarter of a million calls takes (lab/measurements/end-of-a-run.md).

/// Segments below this are read before the settings have paid for themselves.
const WORTH_BYTES: u64 = 256 << 10;
/// Up to so many threads share one heap; more would wait for each other.
const SHARING_THREADS: usize = 4;
/// The largest buffer that the heap may hold, in every version of the C library.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const HEAP_BUFFER_BYTES: nix::libc::c_int = 32 << 20;

/// Lets this process keep its memory, in large pages where the system has them. For programs
/// that make a log of so many bytes of segments and then end.
pub fn keep_memory(segment_bytes: u64, threads: usize) {
    if segment_bytes >= WORTH_BYTES {
        keep(threads <= SHARING_THREADS);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)] // the C library's settings have no safe interface
fn keep(one_heap: bool) {
    use nix::libc;
    // SAFETY: settings of the allocator, of which none takes memory away, and advice about
    // pages between two ends of the heap, which belong to it.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, HEAP_BUFFER_BYTES);
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        libc::mallopt(libc::M_TOP_PAD, HEAP_BUFFER_BYTES);
        if one_heap {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
        let before = libc::sbrk(0) as usize;
        // The compiler would leave out what nobody looks at.
        libc::free(std::hint::black_box(libc::malloc(HEAP_BUFFER_BYTES as usize / 2)));
        let grown = (libc::sbrk(0) as usize).saturating_sub(before);
        let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096);
        let start = before.next_multiple_of(page);
        if grown > page {
            libc::madvise(start as *mut libc::c_void, grown - page, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep(_one_heap: bool) {}
