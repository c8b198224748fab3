//! A few threads work through a list; one takes what they find.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::error::Result;

/// Calls `work` on every item from `threads` threads, and `take` with each result on this one, in no particular order.
/// At most two results a thread wait at any time. The first error ends it.
pub(super) fn in_parallel<I: Sync, T: Send>(
    threads: usize,
    items: &[I],
    work: impl Fn(&I) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    if threads.min(items.len()) <= 1 {
        return items.iter().try_for_each(|item| take(work(item)?));
    }
    in_parallel_watched(threads, items, work, take, || Ok(()))
}

/// How often one looks after long work.
const WATCH: Duration = Duration::from_millis(100);

/// The same for work that takes long: `watch` is called on this thread ten times a second and after each result. An error
/// of `watch` ends it as soon as the work at hand ends.
pub(crate) fn in_parallel_watched<I: Sync, T: Send>(
    threads: usize,
    items: &[I],
    work: impl Fn(&I) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
    mut watch: impl FnMut() -> Result<()>,
) -> Result<()> {
    let threads = threads.clamp(1, items.len().max(1));
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
        let outcome = loop {
            let step = match receive.recv_timeout(WATCH) {
                Ok(found) => found.and_then(&mut take),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            if let Err(error) = step.and_then(|()| watch()) {
                break Err(error);
            }
        };
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

    #[test]
    fn who_watches_may_end_it() {
        let (items, over) = ([(); 4], AtomicBool::new(false));
        let mut looks = 0;
        let ended = in_parallel_watched(
            2,
            &items,
            |()| {
                while !over.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                Ok(())
            },
            |()| Ok(()),
            || {
                looks += 1;
                if looks < 2 {
                    return Ok(());
                }
                over.store(true, Ordering::Relaxed);
                Err(DatasetError::Stopped)
            },
        );
        assert!(matches!(ended, Err(DatasetError::Stopped)));
    }
}
