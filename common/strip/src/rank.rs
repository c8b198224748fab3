//! Rank and unrank: the place of a strip among the strips of its class, in index order.
//!
//! Index order of strips of one class is the dictionary order of their squares with `F < . < T`. So the rank of
//! a strip is, summed over its squares, the number of strips that agree before that square and have a smaller
//! one there; each is a multinomial. *Core* strips, those that start with `T` or `.` and end with `F` or `.`,
//! are counted the same way. Everything costs O(n) multiplications; nothing is allocated but the strip.

use crate::class::{Class, MAX_CLASS_SQUARES};
use crate::square::Square;
use crate::strip::Strip;

const ROWS: usize = MAX_CLASS_SQUARES + 1;

/// Binomial coefficients C(n, k) to n = 40; the largest is about 1.4e11.
static BINOMIALS: [[u64; ROWS]; ROWS] = binomials();

const fn binomials() -> [[u64; ROWS]; ROWS] {
    let mut table = [[0; ROWS]; ROWS];
    let mut n = 0;
    while n < ROWS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Which strips of a class are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    All,
    Core,
}

/// How many of each square are still to be placed; indexed by the digit of the square.
#[derive(Clone, Copy)]
pub(crate) struct Counts([u8; 3]);

impl Counts {
    pub(crate) fn of(class: Class) -> Self {
        let Class { n, toads, frogs } = class;
        let checked = Class::new(n.into(), toads.into(), frogs.into());
        assert!(
            checked == Ok(class),
            "no class has {class}: pieces must fit, and squares be at most 40"
        );
        Self([frogs, class.blanks(), toads])
    }

    /// In how many ways they can be placed. At most 3^40, which a `u64` holds.
    pub(crate) fn arrangements(self) -> u64 {
        let [frogs, blanks, toads] = self.0.map(usize::from);
        BINOMIALS[frogs + blanks + toads][toads] * BINOMIALS[frogs + blanks][frogs]
    }

    /// In how many ways they can be placed as a core strip.
    pub(crate) fn core_arrangements(self) -> u64 {
        if self.0 == [0; 3] {
            return 1;
        }
        Square::ALL
            .into_iter()
            .map(|square| self.ways(square, true, Among::Core))
            .sum()
    }

    /// What is left after placing a square, if there is one to place.
    fn without(self, square: Square) -> Option<Self> {
        let mut rest = self;
        let count = &mut rest.0[usize::from(square.digit())];
        *count = count.checked_sub(1)?;
        Some(rest)
    }

    /// In how many ways the placing can go on with `square`, which is the first of the strip or not.
    fn ways(self, square: Square, first: bool, among: Among) -> u64 {
        let Some(rest) = self.without(square) else {
            return 0;
        };
        match among {
            Among::All => rest.arrangements(),
            Among::Core if first && square == Square::Frog => 0,
            Among::Core if rest.0 == [0; 3] => u64::from(square != Square::Toad),
            Among::Core => {
                rest.arrangements() - rest.without(Square::Toad).map_or(0, Self::arrangements)
            }
        }
    }
}

impl Class {
    /// How many strips of the class come before this one in index order; below [`Class::size`].
    ///
    /// # Panics
    /// When the strip is not of this class.
    pub fn rank(self, strip: &Strip) -> u64 {
        self.before(strip, Among::All)
    }

    /// The strip with this [rank](Class::rank).
    ///
    /// # Panics
    /// When the rank is not below [`Class::size`].
    pub fn unrank(self, rank: u64) -> Strip {
        self.nth(rank, Among::All)
    }

    /// How many *core* strips of the class come before this one, which need not be a core strip itself.
    /// For a core strip it is the rank among them, below [`Class::core_size`].
    ///
    /// # Panics
    /// When the strip is not of this class.
    pub fn core_rank(self, strip: &Strip) -> u64 {
        self.before(strip, Among::Core)
    }

    /// The core strip with this [core rank](Class::core_rank).
    ///
    /// # Panics
    /// When the rank is not below [`Class::core_size`].
    pub fn core_unrank(self, core_rank: u64) -> Strip {
        self.nth(core_rank, Among::Core)
    }

    /// How many core strips have a [rank](Class::rank) below this one: where a block that starts at `rank`
    /// starts among the core strips. A rank from [`Class::size`] on has all of them below it.
    pub fn cores_below(self, rank: u64) -> u64 {
        if rank >= self.size() {
            self.core_size()
        } else {
            self.core_rank(&self.unrank(rank))
        }
    }

    fn before(self, strip: &Strip, among: Among) -> u64 {
        assert!(
            strip.try_class() == Ok(self),
            "strip {strip} is not of the class {self}"
        );
        let mut counts = Counts::of(self);
        let mut before = 0;
        for (at, &square) in strip.iter().enumerate() {
            let smaller = Square::ALL
                .into_iter()
                .take_while(|&smaller| smaller < square);
            before += smaller
                .map(|smaller| counts.ways(smaller, at == 0, among))
                .sum::<u64>();
            if among == Among::Core && at == 0 && square == Square::Frog {
                break; // No core strip starts like this, so none shares this prefix.
            }
            counts = counts.without(square).expect("the strip is of this class");
        }
        before
    }

    fn nth(self, rank: u64, among: Among) -> Strip {
        let mut counts = Counts::of(self);
        let size = if among == Among::All {
            counts.arrangements()
        } else {
            counts.core_arrangements()
        };
        assert!(
            rank < size,
            "rank {rank} is not below {size}, the strips counted in the class {self}"
        );
        let mut rest = rank;
        (0..self.n)
            .map(|at| {
                for square in Square::ALL {
                    let ways = counts.ways(square, at == 0, among);
                    if rest < ways {
                        counts = counts
                            .without(square)
                            .expect("a square with ways can be placed");
                        return square;
                    }
                    rest -= ways;
                }
                unreachable!("the ways of the three squares add up to all ways");
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Class, Square, Strip};
    use proptest::prelude::*;

    fn is_core(strip: &Strip) -> bool {
        strip.first() != Some(&Square::Frog) && strip.last() != Some(&Square::Toad)
    }

    #[test]
    fn exhaustive_to_nine_squares() {
        for class in (0..=9).flat_map(Class::all) {
            let (mut rank, mut core_rank) = (0, 0);
            for strip in class.strips() {
                assert_eq!(class.rank(&strip), rank, "{strip}");
                assert_eq!(class.unrank(rank), strip);
                assert_eq!(class.core_rank(&strip), core_rank, "{strip}");
                assert_eq!(class.cores_below(rank), core_rank, "{strip}");
                if is_core(&strip) {
                    assert_eq!(class.core_unrank(core_rank), strip);
                    core_rank += 1;
                }
                rank += 1;
            }
            assert_eq!(
                (rank, core_rank),
                (class.size(), class.core_size()),
                "{class}"
            );
            assert_eq!(class.cores_below(rank), core_rank);
        }
    }

    #[test]
    fn sizes_are_multinomials() {
        let size = |n, toads, frogs| Class { n, toads, frogs }.size();
        assert_eq!(size(3, 1, 1), 6);
        assert_eq!(size(20, 7, 7), 133_024_320);
        assert_eq!(size(40, 0, 40), 1);
        // 40! / (14! 13! 13!), the largest of all.
        assert_eq!(size(40, 14, 13), 241_365_994_493_904_000);
    }

    #[test]
    #[should_panic(expected = "is not of the class n=3 toads=1 frogs=0")]
    fn a_strip_of_another_class_has_no_rank() {
        Class {
            n: 3,
            toads: 1,
            frogs: 0,
        }
        .rank(&Strip::parse("T.F").unwrap());
    }

    #[test]
    #[should_panic(expected = "is not below 3")]
    fn a_rank_past_the_end_has_no_strip() {
        Class {
            n: 3,
            toads: 1,
            frogs: 0,
        }
        .unrank(3);
    }

    #[test]
    #[should_panic(expected = "pieces must fit")]
    fn an_impossible_class_is_refused() {
        Class {
            n: 3,
            toads: 2,
            frogs: 2,
        }
        .size();
    }

    proptest! {
        #[test]
        fn unrank_undoes_rank(squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..41)) {
            let strip = Strip::from(squares);
            let class = strip.class();
            prop_assert_eq!(class.unrank(class.rank(&strip)), strip);
        }

        #[test]
        fn rank_undoes_unrank(n in 0_u8..41, t in any::<u8>(), f in any::<u8>(), r in any::<u64>()) {
            let toads = t % (n + 1);
            let class = Class { n, toads, frogs: f % (n - toads + 1) };
            let rank = r % class.size();
            prop_assert_eq!(class.rank(&class.unrank(rank)), rank);
            if class.core_size() > 0 {
                let rank = r % class.core_size();
                let strip = class.core_unrank(rank);
                prop_assert!(is_core(&strip));
                prop_assert_eq!(class.core_rank(&strip), rank);
                prop_assert_eq!(class.cores_below(class.rank(&strip)), rank);
            }
        }

        #[test]
        fn a_move_lowers_the_rank(squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..41)) {
            let strip = Strip::from(squares);
            for player in crate::Player::BOTH {
                for next in strip.moves(crate::Variant::Hop, player) {
                    prop_assert!(strip.class().rank(&next) < strip.class().rank(&strip));
                }
            }
        }
    }
}
