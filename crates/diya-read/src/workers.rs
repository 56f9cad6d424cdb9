//! Who runs independent tasks of work: the reader itself starts no threads.

/// Runs tasks of work, side by side where it can.
pub trait Workers: Sync {
    /// How many tasks it can run at once.
    fn width(&self) -> usize;

    /// Calls `work` once for each number in `0..tasks` and returns when all
    /// are done.
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync));
}

/// One task after the other, on the thread of the caller.
#[derive(Debug, Clone, Copy, Default)]
pub struct Serial;

impl Workers for Serial {
    fn width(&self) -> usize {
        1
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(work);
    }
}
