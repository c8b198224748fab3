//! Independent pieces of work on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `work(0)`, …, `work(pieces − 1)`, in order. A panic is passed on.
pub(crate) fn in_parallel<T: Send>(
    threads: usize,
    pieces: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(pieces);
    if threads <= 1 {
        return (0..pieces).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = vec![];
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return done;
            }
            done.push((piece, work(piece)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    all.sort_by_key(|&(piece, _)| piece);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        let squares: Vec<usize> = (0..50).map(|i| i * i).collect();
        for threads in [0, 1, 3, 100] {
            assert_eq!(in_parallel(threads, 50, |i| i * i), squares);
        }
        assert_eq!(in_parallel(4, 0, |i| i), Vec::<usize>::new());
    }
}
