//! Strips of a class as ranks: the place of a base-3 index among the indices of its class, and back, in some 15 ns.
//!
//! A tally names the first strip of each value. Written as a rank it takes the bits of the size of the class (21 at
//! 16 squares) instead of those of 3^n (26). [`Class::rank`] wants a strip and O(n) multiplications; here the index is cut
//! into a high and a low half, and each half is looked up.

use std::sync::OnceLock;

use toads_census::MAX_CENSUS_SQUARES;
use toads_strip::Class;

/// Squares of a half at most.
const MAX_HALF: usize = MAX_CENSUS_SQUARES as usize / 2;

/// What is known of each word of so many squares: 10 bytes a word, 3^12 words at most.
#[derive(Debug)]
struct Words {
    squares: u8,
    /// Toads and frogs.
    pieces: Vec<(u8, u8)>,
    /// Place among the words with the same pieces.
    place: Vec<u32>,
    /// Mirrored left to right, toads and frogs exchanged.
    mirror: Vec<u32>,
    /// Words in ascending order, by toads × (squares + 1) + frogs.
    groups: Vec<Vec<u32>>,
}

impl Words {
    /// The words of so many squares, built once.
    fn of(squares: usize) -> &'static Self {
        static WORDS: [OnceLock<Words>; MAX_HALF + 1] = [const { OnceLock::new() }; MAX_HALF + 1];
        WORDS[squares].get_or_init(|| Self::new(squares))
    }

    fn new(squares: usize) -> Self {
        let count = 3usize.pow(squares as u32);
        let mut words = Self {
            squares: squares as u8,
            pieces: vec![(0, 0); count],
            place: vec![0; count],
            mirror: vec![0; count],
            groups: vec![Vec::new(); (squares + 1) * (squares + 1)],
        };
        for word in 0..count {
            let (mut toads, mut frogs, mut mirror, mut rest) = (0, 0, 0, word as u32);
            for _ in 0..squares {
                let digit = rest % 3;
                toads += u8::from(digit == 2);
                frogs += u8::from(digit == 0);
                mirror = mirror * 3 + (2 - digit);
                rest /= 3;
            }
            words.pieces[word] = (toads, frogs);
            words.mirror[word] = mirror;
            let group = &mut words.groups[usize::from(toads) * (squares + 1) + usize::from(frogs)];
            words.place[word] = group.len() as u32;
            group.push(word as u32);
        }
        words
    }

    fn group(&self, (toads, frogs): (u8, u8)) -> &[u32] {
        &self.groups[usize::from(toads) * (usize::from(self.squares) + 1) + usize::from(frogs)]
    }
}

/// The strips of n squares as base-3 indices, by halves.
#[derive(Clone, Copy, Debug)]
pub struct Strips {
    high: &'static Words,
    low: &'static Words,
    low_words: u64,
    high_words: u64,
}

impl Strips {
    /// Of `n` squares, at most [`MAX_CENSUS_SQUARES`]. The first call for an n builds tables of 10 bytes for each of
    /// 3^⌈n/2⌉ halves.
    pub fn new(n: u8) -> Self {
        let (n, high) = (usize::from(n), usize::from(n) / 2);
        let (high, low) = (Words::of(high), Words::of(n - high));
        Self {
            high,
            low,
            low_words: low.place.len() as u64,
            high_words: high.place.len() as u64,
        }
    }

    fn cut(&self, index: u64) -> Option<(usize, usize)> {
        let (high, low) = (index / self.low_words, index % self.low_words);
        (high < self.high_words).then_some((high as usize, low as usize))
    }

    /// Toads and frogs of the strip with this index; `None` past 3^n.
    pub fn pieces(&self, index: u64) -> Option<(u8, u8)> {
        let (high, low) = self.cut(index)?;
        let (high, low) = (self.high.pieces[high], self.low.pieces[low]);
        Some((high.0 + low.0, high.1 + low.1))
    }

    /// The index of the mirror image; `None` past 3^n.
    pub fn mirror(&self, index: u64) -> Option<u64> {
        let (high, low) = self.cut(index)?;
        Some(u64::from(self.low.mirror[low]) * self.high_words + u64::from(self.high.mirror[high]))
    }
}

/// High halves with the same rank of their first strip onwards.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Rank of the first strip.
    base: u64,
    high: u32,
    /// Pieces of the low half.
    low: (u8, u8),
}

/// The ranks of one class. 24 bytes for each of its high halves, 3^⌊n/2⌋ at most.
#[derive(Debug)]
pub struct Ranks {
    strips: Strips,
    size: u64,
    runs: Vec<Run>,
    /// By high half: its place in `runs`; `u32::MAX` for those of no strip of the class.
    run_of: Vec<u32>,
    /// By `rank >> shift`: the run of the first such rank.
    starts: Vec<u32>,
    shift: u32,
}

impl Ranks {
    /// Of a class of at most [`MAX_CENSUS_SQUARES`] squares. Costs a few nanoseconds for each high half: 0.1 ms at 20
    /// squares.
    pub fn new(class: Class) -> Self {
        let strips = Strips::new(class.n);
        let mut runs = Vec::new();
        let mut run_of = vec![u32::MAX; strips.high.pieces.len()];
        let mut base = 0;
        for (high, &(toads, frogs)) in strips.high.pieces.iter().enumerate() {
            let (Some(toads), Some(frogs)) = (
                class.toads.checked_sub(toads),
                class.frogs.checked_sub(frogs),
            ) else {
                continue;
            };
            if toads + frogs > strips.low.squares {
                continue;
            }
            run_of[high] = runs.len() as u32;
            let low = (toads, frogs);
            runs.push(Run {
                base,
                high: high as u32,
                low,
            });
            base += strips.low.group(low).len() as u64;
        }
        let size = base;
        let shift = (size / (2 * runs.len() as u64)).max(1).ilog2();
        let mut run = 0;
        let starts = (0..=(size - 1) >> shift)
            .map(|start| {
                while runs
                    .get(run + 1)
                    .is_some_and(|next: &Run| next.base <= start << shift)
                {
                    run += 1;
                }
                run as u32
            })
            .collect();
        Self {
            strips,
            size,
            runs,
            run_of,
            starts,
            shift,
        }
    }

    /// Strips of the class.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The rank of the strip with this index; `None` for one of another class.
    #[inline]
    pub fn rank(&self, index: u64) -> Option<u64> {
        let (high, low) = self.strips.cut(index)?;
        let run = self.runs.get(self.run_of[high] as usize)?;
        (self.strips.low.pieces[low] == run.low)
            .then(|| run.base + u64::from(self.strips.low.place[low]))
    }

    /// The index of the strip of this rank; `None` past the last one.
    #[inline]
    pub fn index(&self, rank: u64) -> Option<u64> {
        if rank >= self.size {
            return None;
        }
        let mut at = self.starts[(rank >> self.shift) as usize] as usize;
        while self.runs.get(at + 1).is_some_and(|next| next.base <= rank) {
            at += 1;
        }
        let run = &self.runs[at];
        let low = self.strips.low.group(run.low)[(rank - run.base) as usize];
        Some(u64::from(run.high) * self.strips.low_words + u64::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_class_and_mirrors_those_of_the_strip() {
        for n in 1..=9 {
            let strips = Strips::new(n);
            for class in Class::all(n) {
                let ranks = Ranks::new(class);
                assert_eq!(ranks.size(), class.size());
                for (rank, strip) in (0..).zip(class.strips()) {
                    let index = strip.index().unwrap() as u64;
                    assert_eq!(ranks.rank(index), Some(rank), "{strip}");
                    assert_eq!(ranks.index(rank), Some(index), "{strip}");
                    assert_eq!(strips.pieces(index), Some((class.toads, class.frogs)));
                    let mirror = strip.mirror().index().unwrap() as u64;
                    assert_eq!(strips.mirror(index), Some(mirror), "{strip}");
                }
            }
        }
    }

    #[test]
    fn what_is_of_another_class_or_past_the_end_has_no_rank() {
        for n in 1..=7 {
            let ranks: Vec<_> = Class::all(n)
                .map(|class| (class, Ranks::new(class)))
                .collect();
            for index in 0..3u64.pow(n.into()) + 3 {
                let holding = ranks
                    .iter()
                    .filter(|(_, ranks)| ranks.rank(index).is_some())
                    .count();
                assert_eq!(holding, usize::from(index < 3u64.pow(n.into())));
            }
            for (class, ranks) in &ranks {
                assert_eq!(ranks.index(class.size()), None);
                assert_eq!(ranks.index(u64::MAX), None);
                assert_eq!(ranks.rank(u64::MAX), None);
            }
        }
    }

    #[test]
    fn the_longest_strips_of_a_census_have_ranks() {
        let class = Class::new(MAX_CENSUS_SQUARES.into(), 8, 8).unwrap();
        let ranks = Ranks::new(class);
        assert_eq!(ranks.size(), class.size());
        for rank in [0, 1, class.size() / 3, class.size() - 1] {
            let index = class.unrank(rank).index().unwrap() as u64;
            assert_eq!(
                (ranks.rank(index), ranks.index(rank)),
                (Some(rank), Some(index))
            );
        }
    }
}
