//! A walk over all strips of some numbers of squares, on several threads.

use std::ops::RangeInclusive;
use std::panic::resume_unwind;

use toads_strip::Square;

/// Shows every strip of so many squares to `visit`: fewer squares first, then in index order.
///
/// Each thread gets a stretch of consecutive strips and an accumulator of its own; `merge` joins them in order, so that
/// "the first" means the same for any number of threads.
pub(crate) fn all_strips<A: Send>(
    squares: RangeInclusive<u32>,
    threads: usize,
    new: impl Fn() -> A + Sync,
    visit: impl Fn(&mut A, &[Square]) + Sync,
    mut merge: impl FnMut(&mut A, A),
) -> A {
    let strips: u64 = squares.clone().map(|n| 3_u64.pow(n)).sum();
    let share = |thread: u64| (u128::from(strips) * u128::from(thread) / threads as u128) as u64;
    let walk = |from: u64, to: u64| {
        let mut accumulator = new();
        let mut strip = nth(squares.clone(), from);
        for _ in from..to {
            visit(&mut accumulator, &strip);
            advance(&mut strip);
        }
        accumulator
    };
    if threads == 1 {
        return walk(0, strips);
    }
    let walk = &walk;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads as u64)
            .map(|thread| scope.spawn(move || walk(share(thread), share(thread + 1))))
            .collect();
        let mut parts = handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let mut all = parts.next().expect("there is a thread");
        parts.for_each(|part| merge(&mut all, part));
        all
    })
}

/// The strip with so many others before it.
fn nth(squares: RangeInclusive<u32>, mut before: u64) -> Vec<Square> {
    for n in squares {
        let strips = 3_u64.pow(n);
        if before < strips {
            let digit = |at: u32| Square::ALL[(before / 3_u64.pow(at) % 3) as usize];
            return (0..n).rev().map(digit).collect();
        }
        before -= strips;
    }
    vec![]
}

/// The next strip in index order; after the last of its length the first that is one square longer.
fn advance(strip: &mut Vec<Square>) {
    for square in strip.iter_mut().rev() {
        match square {
            Square::Frog => *square = Square::Blank,
            Square::Blank => *square = Square::Toad,
            Square::Toad => {
                *square = Square::Frog;
                continue;
            }
        }
        return;
    }
    strip.push(Square::Frog);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_strips_are_seen_in_order_whatever_the_threads() {
        let seen = |threads| {
            all_strips(
                0..=5,
                threads,
                Vec::new,
                |seen, strip| seen.push(toads_strip::Strip::new(strip)),
                Extend::extend,
            )
        };
        let one = seen(1);
        assert_eq!(one.len(), 1 + 3 + 9 + 27 + 81 + 243);
        assert!(one.is_sorted_by(|a, b| a < b));
        for threads in [2, 3, 7, 500] {
            assert_eq!(seen(threads), one, "{threads}");
        }
    }
}
