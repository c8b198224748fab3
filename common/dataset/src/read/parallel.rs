//! A few threads work through a list; one takes what they find.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::error::Result;

/// Calls `work` on every item from `threads` threads, and `take` with each result on this one, in no particular order.
/// At most two results a thread wait at any time. The first error ends it.
pub(super) fn in_parallel<I: Sync, T: Send>(
    threads: usize,
    items: &[I],
    work: impl Fn(&I) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().try_for_each(|item| take(work(item)?));
    }
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (send, receive) = sync_channel(threads * 2);
        for _ in 0..threads {
            let (send, next, stopped, work) = (send.clone(), &next, &stopped, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stopped.load(Ordering::Relaxed) || send.send(work(item)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let outcome = receive.iter().try_for_each(|found| take(found?));
        stopped.store(true, Ordering::Relaxed);
        drop(receive);
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DatasetError;

    #[test]
    fn every_item_is_worked_on_once_and_the_first_error_ends_it() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 5] {
            let mut sum = 0;
            in_parallel(
                threads,
                &items,
                |&item| Ok(item * 2),
                |found| {
                    sum += found;
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(sum, 999_000);
            let failed = in_parallel(
                threads,
                &items,
                |&item| {
                    if item == 500 {
                        Err(DatasetError::Stopped)
                    } else {
                        Ok(item)
                    }
                },
                |_| Ok(()),
            );
            assert!(failed.is_err());
        }
    }
}
