//! What the kernel counted for a process: `struct diya_witness` of `diya_trace.h`.

use super::bytes::Bytes;

/// Numbers of one reading, in the order of the structure.
const FIELDS: usize = 20;
const IO_KNOWN: u64 = 1;
const USAGE_KNOWN: u64 = 2;

/// From the first recorded call to the last reading; the recorder's own calls are
/// taken off. None: the system did not tell, or an older recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Witness {
    /// What system calls moved.
    pub io: Option<KernelIo>,
    /// Processor time, page faults, switches.
    pub usage: Option<Usage>,
}

/// `/proc/self/io`: calls and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)] // as in diya_trace.h
pub struct KernelIo {
    pub reads: i64,
    pub writes: i64,
    pub read_bytes: i64,
    pub written_bytes: i64,
    pub device_read_bytes: i64,
    pub device_written_bytes: i64,
}

/// `getrusage`: times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)] // as in diya_trace.h
pub struct Usage {
    pub user_ns: i64,
    pub system_ns: i64,
    pub major_faults: i64,
    pub minor_faults: i64,
    pub voluntary_switches: i64,
    pub involuntary_switches: i64,
}

impl Witness {
    /// Reads both readings, which follow the other fields of the header; an older
    /// recorder left zeros there, a foreign one nothing.
    pub(super) fn read(b: &mut Bytes<'_>, header_bytes: usize) -> Self {
        let mut reading = || -> Option<[u64; FIELDS]> {
            if b.position() + FIELDS * 8 > header_bytes {
                return None;
            }
            let mut fields = [0; FIELDS];
            for field in &mut fields {
                *field = b.u64()?;
            }
            Some(fields)
        };
        let (Some(first), Some(last)) = (reading(), reading()) else { return Self::default() };
        Self::between(&first, &last)
    }

    fn between(first: &[u64; FIELDS], last: &[u64; FIELDS]) -> Self {
        let known = first[0] & last[0];
        // A counter that fell (a container moved to another kernel) says nothing.
        let since =
            |at: usize| i64::try_from(last[at].saturating_sub(first[at])).unwrap_or(i64::MAX);
        let without = |at: usize, own: usize| since(at).saturating_sub(since(own)).max(0);
        let io = (known & IO_KNOWN != 0).then(|| KernelIo {
            read_bytes: without(1, 8),
            written_bytes: without(2, 10),
            reads: without(3, 7),
            writes: without(4, 9),
            device_read_bytes: since(5),
            device_written_bytes: since(6),
        });
        let usage = (known & USAGE_KNOWN != 0).then(|| Usage {
            user_ns: since(11),
            system_ns: since(12),
            major_faults: since(13),
            minor_faults: since(14),
            voluntary_switches: since(15),
            involuntary_switches: since(16),
        });
        Self { io, usage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorders_own_reads_are_taken_off() {
        let mut first = [0; FIELDS];
        first[0] = IO_KNOWN;
        (first[1], first[3]) = (1_000, 10);
        let mut last = first;
        (last[1], last[3]) = (1_500, 14); // 500 bytes in 4 calls more ...
        (last[7], last[8]) = (1, 100); // ... of which one, of 100 bytes, was the recorder's
        let io = Witness::between(&first, &last).io.unwrap();
        assert_eq!((io.reads, io.read_bytes), (3, 400));
    }

    #[test]
    fn what_was_not_read_both_times_is_not_known() {
        let (mut first, last) = ([0; FIELDS], [0; FIELDS]);
        first[0] = IO_KNOWN | USAGE_KNOWN;
        assert_eq!(Witness::between(&first, &last), Witness::default());
    }
}
