//! Who runs independent pieces of work: the reader itself starts no threads.

/// Runs pieces of work, side by side where it can.
pub trait Workers: Sync {
    /// How many pieces it can run at once.
    fn width(&self) -> usize;

    /// Calls `work` once for each number in `0..pieces` and returns when all
    /// are done.
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync));
}

/// One piece after the other, on the thread of the caller.
#[derive(Debug, Clone, Copy, Default)]
pub struct Serial;

impl Workers for Serial {
    fn width(&self) -> usize {
        1
    }

    fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..pieces).for_each(work);
    }
}
