//! Work of one test on every processor.

use std::sync::Mutex;
use std::thread;

/// What `work` makes of each item, in no order: each processor takes the next item when it has
/// done one. A test that walks over many logs would else keep one processor busy, and the others
/// waiting for it. A panic of `work` is one of the caller.
pub fn on_all_processors<T: Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().ok()?.next();
    let worker = || std::iter::from_fn(next).map(&work).collect::<Vec<R>>();
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        let done = workers.into_iter().map(thread::ScopedJoinHandle::join);
        done.flat_map(|made| made.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::on_all_processors;

    #[test]
    fn every_item_is_worked_on_once() {
        let mut squares = on_all_processors(0..100_u32, |item| item * item);
        squares.sort_unstable();
        assert_eq!(squares, (0..100).map(|item| item * item).collect::<Vec<_>>());
    }

    #[test]
    #[should_panic(expected = "item 7")]
    fn a_panic_reaches_the_caller() {
        on_all_processors(0..10, |item| assert!(item != 7, "item 7"));
    }
}
