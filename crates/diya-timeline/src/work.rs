//! Work that the caller may spread over threads.

/// Tasks, by number.
pub type Work<'w> = dyn Fn(usize) + Sync + 'w;

/// Does work for each number below the first argument, on as many threads as it likes.
pub type Executor<'r> = dyn Fn(usize, &Work<'_>) + 'r;

/// Does everything itself, one after the other.
pub(crate) fn alone(tasks: usize, work: &Work<'_>) {
    (0..tasks).for_each(work);
}
