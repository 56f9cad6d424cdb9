//! What the kernel counted for a process: `struct diya_witness`.

use diya_model::segment::{self, WITNESS_IO, WITNESS_USAGE};

/// From the first recorded call to the last reading; the recorder's own calls are
/// taken off. None: the system did not tell, or an older recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Witness {
    /// What system calls moved.
    pub io: Option<KernelIo>,
    /// Processor time, page faults, switches.
    pub usage: Option<Usage>,
    /// The recorder's own work in some of the calls.
    pub own_work: Option<OwnWork>,
}

/// How long the recorder worked for some calls, taken evenly from all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // as in schema/segment.toml
pub struct OwnWork {
    pub timed_calls: u64,
    pub timed_ticks: u64,
}

impl OwnWork {
    /// Fewer say little: one call in hundreds fetches new memory, and takes as long as they.
    const FEWEST_CALLS: u64 = 20;

    /// What that is for `calls` of a process whose clock runs at `hz`, in seconds; None:
    /// too few were timed. Calls of runs that are not timed themselves cost next to nothing: those
    /// that do are as many as follow from the number of samples.
    pub(super) fn of_calls_s(self, calls: u64, hz: f64) -> Option<f64> {
        let each_s =
            diya_model::ratio(Some(self.timed_ticks as f64), Some(hz * self.timed_calls as f64))?;
        let costly = self.timed_calls.saturating_mul(segment::CALLS_OF_OWN_WORK.into());
        (self.timed_calls >= Self::FEWEST_CALLS).then_some(each_s * calls.min(costly) as f64)
    }
}

/// `/proc/self/io`: calls and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)] // as in schema/segment.toml
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
#[allow(missing_docs)] // as in schema/segment.toml
pub struct Usage {
    pub user_ns: i64,
    pub system_ns: i64,
    pub major_faults: i64,
    pub minor_faults: i64,
    pub voluntary_switches: i64,
    pub involuntary_switches: i64,
}

/// One number of a reading.
type Field = fn(&segment::Witness) -> u64;

impl Witness {
    /// Of two readings; an older recorder left zeros there.
    pub(super) fn between(first: &segment::Witness, last: &segment::Witness) -> Self {
        let known = first.known & last.known;
        // A counter that fell (a container moved to another kernel) says nothing.
        let since =
            |of: Field| i64::try_from(of(last).saturating_sub(of(first))).unwrap_or(i64::MAX);
        let without = |all: Field, own: Field| since(all).saturating_sub(since(own)).max(0);
        let io = (known & WITNESS_IO != 0).then(|| KernelIo {
            read_bytes: without(|w| w.read_bytes, |w| w.own_read_bytes),
            written_bytes: without(|w| w.write_bytes, |w| w.own_write_bytes),
            reads: without(|w| w.read_calls, |w| w.own_reads),
            writes: without(|w| w.write_calls, |w| w.own_writes),
            device_read_bytes: since(|w| w.device_read_bytes),
            device_written_bytes: since(|w| w.device_write_bytes),
        });
        let usage = (known & WITNESS_USAGE != 0).then(|| Usage {
            user_ns: since(|w| w.user_ns),
            system_ns: since(|w| w.system_ns),
            major_faults: since(|w| w.major_faults),
            minor_faults: since(|w| w.minor_faults),
            voluntary_switches: since(|w| w.voluntary_switches),
            involuntary_switches: since(|w| w.involuntary_switches),
        });
        let unsigned = |of: Field| of(last).saturating_sub(of(first));
        let own_work = OwnWork {
            timed_calls: unsigned(|w| w.timed_calls),
            timed_ticks: unsigned(|w| w.timed_ticks),
        };
        Self { io, usage, own_work: Some(own_work).filter(|own| own.timed_calls > 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_model::Layout;

    #[test]
    fn the_recorders_own_reads_are_taken_off() {
        let first = segment::Witness {
            known: WITNESS_IO,
            read_bytes: 1_000,
            read_calls: 10,
            ..Layout::ZERO
        };
        // 500 bytes in 4 calls more, of which one, of 100 bytes, was the recorder's.
        let last = segment::Witness {
            read_bytes: 1_500,
            read_calls: 14,
            own_reads: 1,
            own_read_bytes: 100,
            ..first
        };
        let io = Witness::between(&first, &last).io.unwrap();
        assert_eq!((io.reads, io.read_bytes), (3, 400));
    }

    #[test]
    fn own_work_of_some_calls_stands_for_all() {
        let first = segment::Witness { known: WITNESS_IO, ..Layout::ZERO };
        // 100 calls took 20,000 ticks of 1 GHz: 200 ns each.
        let last = segment::Witness { timed_calls: 100, timed_ticks: 20_000, ..first };
        let own = Witness::between(&first, &last).own_work.unwrap();
        assert_eq!(own.of_calls_s(50_000, 1e9), Some(0.01));
        // Of runs of tiny calls most are not timed, and only 100 times 512 cost something.
        let capped_s = own.of_calls_s(50_000_000, 1e9).unwrap();
        assert!((capped_s - 0.01024).abs() < 1e-9, "{capped_s}");
        assert_eq!(OwnWork { timed_calls: 5, ..own }.of_calls_s(50_000, 1e9), None);
    }

    #[test]
    fn what_was_not_read_both_times_is_not_known() {
        let last = segment::Witness::ZERO;
        let first = segment::Witness { known: WITNESS_IO | WITNESS_USAGE, ..last };
        assert_eq!(Witness::between(&first, &last), Witness::default());
    }
}
