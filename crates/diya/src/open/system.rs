//! Files that are not the program's data: what the kernel shows as files, and
//! what programs talk to each other through.

/// Where none of the program's data lies. Darshan leaves these and more out
/// when it records; a recording of our own holds them, and only a diagnosis
/// passes them over: reading from a pipe is waiting for somebody, not I/O.
const PREFIXES: [&str; 10] = [
    "/proc/",
    "/sys/",
    "/dev/",
    "/run/",
    "/var/run/",
    "/etc/",
    "socket:",
    "pipe:",
    "anon_inode:",
    "/memfd:",
];

/// A memory file system for everybody: data of programs lies here, too.
const SHARED_MEMORY: &str = "/dev/shm/";

/// Segments through which the ranks of an MPI library on one node talk.
const MPI_SEGMENTS: [&str; 7] =
    ["ucx_shm", "vader_segment", "sm_segment", "mpich_", "psm", "osc", "cma_shm"];

/// Is this not a file of the program's data?
pub(super) fn is_system(path: &str) -> bool {
    // The folders themselves, which libraries open on their way.
    if path == "/" || PREFIXES.iter().any(|prefix| prefix.strip_suffix('/') == Some(path)) {
        return true;
    }
    match path.strip_prefix(SHARED_MEMORY) {
        Some(name) => MPI_SEGMENTS.iter().any(|segment| name.starts_with(segment)),
        None => PREFIXES.iter().any(|prefix| path.starts_with(prefix)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_in_memory_is_data() {
        assert!(!is_system("/dev/shm/checkpoint.0"));
        assert!(is_system("/dev/shm/ucx_shm_posix_1a2b"));
        assert!(is_system("/dev/pts/3") && is_system("pipe:[12]") && is_system("/proc/net/route"));
        assert!(is_system("/") && is_system("/sys") && !is_system("/system"));
        assert!(!is_system("/usr/lib/python3/dist-packages/numpy/__init__.py"));
    }
}
