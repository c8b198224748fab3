//! The claims of the group `hopless`.

use super::{counting, criteria, extremes, games, gaps, page, values};
use crate::claim::{Claim, Reach, Scope, Standing};
use crate::finding::{Finding, Verdict};

const PAGE: &str = "the page this project grew from";
const OURS: &str = "this project";

/// A claim of ours that holds, by values or strips of up to so many squares.
const fn ours(
    id: &'static str,
    statement: &'static str,
    standing: Standing,
    reach: [u32; 3],
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    let [least, default, most] = reach;
    Claim {
        id,
        group: "hopless",
        statement,
        source: OURS,
        standing,
        recorded: Verdict::Holds,
        shows_from: 0,
        reach: Reach {
            least,
            default,
            most,
        },
        reads_census: false,
        test,
    }
}

/// A sentence of the page with figures of strips of up to nine squares.
const fn figures(
    id: &'static str,
    statement: &'static str,
    test: fn(&Scope<'_>) -> Finding,
) -> Claim {
    Claim {
        source: PAGE,
        reach: Reach::fixed(crate::page::PAGE_SQUARES),
        reads_census: true,
        ..ours(id, statement, Standing::Checked, [9, 9, 9], test)
    }
}

const fn proved(at: &'static str) -> Standing {
    Standing::Proved { at }
}

/// By moves: seconds at 13 squares, minutes and some 300 MB at 16.
const BY_MOVES: [u32; 3] = [1, 10, 16];

/// In the order in which they are best read.
pub(crate) const CLAIMS: &[Claim] = &[
    figures(
        "hopless-odd-gaps",
        "Of the strips of 1–9 squares 22,186 have no odd contested gap, 6,985 exactly one, 351 exactly two, 1 has three.",
        page::odd_gaps,
    ),
    figures(
        "hopless-two-odd-gaps",
        "Of the 351 strips of 1–9 squares with two odd contested gaps 143 are numbers and 208 are not; the smallest number among them is T.FT.F = 0.",
        page::two_odd_gaps,
    ),
    Claim {
        source: OURS,
        ..figures(
            "hopless-numbers",
            "7,784 strips of 1–8 squares and 22,329 = 22,186 + 143 of 1–9 squares are numbers.",
            page::numbers,
        )
    },
    Claim {
        recorded: Verdict::DiffersFromPrint,
        ..figures(
            "hopless-numbers-in-print",
            "7,746 strips \"to eight squares\" are numbers.",
            page::numbers_in_print,
        )
    },
    Claim {
        source: PAGE,
        ..ours(
            "hopless-no-odd-gap",
            "A strip without an odd contested gap is an integer.",
            proved("section 4, Corollary 3"),
            BY_MOVES,
            values::no_odd_gap,
        )
    },
    Claim {
        source: PAGE,
        ..ours(
            "hopless-one-odd-gap",
            "A strip with exactly one odd contested gap is never a number.",
            proved("section 5, Corollary 8"),
            [3, 10, 16],
            values::one_odd_gap,
        )
    },
    ours(
        "hopless-odd-number-of-gaps",
        "A strip with an odd number of odd contested gaps is never a number.",
        proved("section 5, Corollary 8"),
        [3, 10, 16],
        values::odd_number_of_gaps,
    ),
    Claim {
        source: PAGE,
        ..ours(
            "hopless-cancellation",
            "Two odd components cancel (their sum is a number) exactly when they hold equally many pieces.",
            proved("section 5, Corollary 8"),
            [4, 9, 14],
            criteria::cancellation,
        )
    },
    Claim {
        source: PAGE,
        ..ours(
            "hopless-integers",
            "Every strip that is a number is an integer.",
            proved("section 5, Corollary 8"),
            BY_MOVES,
            values::integers,
        )
    },
    ours(
        "hopless-number-criterion",
        "A strip is a number exactly when every half-swing occurs an even number of times among its odd components.",
        proved("section 5, Corollary 8"),
        BY_MOVES,
        values::number_criterion,
    ),
    ours(
        "hopless-closed-form",
        "Every strip is worth mean ± h1 ± h2 …, h1 > h2 > … the half-swings that occur an odd number of times, and its canonical form is that nested switch.",
        proved("section 5, Theorem 7"),
        BY_MOVES,
        values::closed_form,
    ),
    ours(
        "hopless-read-off",
        "Outcome, stops, mean, temperature and birthday of every strip are what is read off its closed form.",
        proved("section 6"),
        BY_MOVES,
        criteria::read_off,
    ),
    ours(
        "hopless-play",
        "The outcomes of G, G − k and G − k + * that are read off the closed form are those of play, on random strips G of 20–60 squares.",
        proved("section 6"),
        [20, 60, 64],
        games::outcomes,
    ),
    ours(
        "hopless-largest-birthday",
        "The largest birthday and the largest integer of n squares are floor(n²/4).",
        proved("section 3"),
        BY_MOVES,
        extremes::birthday,
    ),
    ours(
        "hopless-largest-temperature",
        "The largest temperature of n squares is (n − 3)/2 for n ≥ 3, and −1 for n < 3.",
        proved("section 7.4"),
        BY_MOVES,
        extremes::temperature,
    ),
    ours(
        "hopless-most-odd-gaps",
        "n squares have up to floor(n/3) odd contested gaps; the first strip with three, and the only one of nine squares, is T.FT.FT.F = *.",
        proved("section 7.1"),
        [9, 11, 16],
        extremes::most_odd_gaps,
    ),
    ours(
        "hopless-half-swings",
        "k different half-swings survive first in k(k + 5)/2 squares: one in 3, two in 7, three in 12, four in 18.",
        proved("section 5"),
        [7, 12, 16],
        extremes::half_swings,
    ),
    ours(
        "hopless-rows",
        "Strips by number of odd contested gaps: of 12 squares 337,976 / 171,606 / 21,286 / 572 / 1; of 15 squares 7,913,226 / 5,316,789 / 1,051,610 / 66,281 / 1,000 / 1.",
        Standing::Checked,
        [12, 12, 15],
        gaps::rows,
    ),
    ours(
        "hopless-more-gaps",
        "Beyond nine squares: three odd contested gaps never make a number. Four can, first in T.FT.FT.FT.F = 0; of the strips of 12, 13, 14, 15 squares with four 1, 7, 63, 396 of 1, 15, 139, 1,000 are numbers.",
        Standing::Checked,
        [12, 12, 15],
        gaps::more_gaps,
    ),
    ours(
        "hopless-recurrence",
        "Strips of n squares with j odd contested gaps: s(n,j) = 3s(n−1,j) + s(n−2,j) − 4s(n−3,j) + s(n−3,j−1) for n ≥ 3.",
        proved("section 7.1"),
        [3, 10, 15],
        gaps::recurrence,
    ),
    ours(
        "hopless-distinct",
        "The strips of 1, 2, …, 10 squares have 1, 3, 6, 12, 23, 41, 70, 113, 180, 276 different values, those of 20 squares 7,052, as a formula tells.",
        proved("section 7.3, Theorem 9"),
        [1, 10, 15],
        counting::distinct,
    ),
    ours(
        "hopless-counts",
        "What `toads count` says of numbers, zeros, outcomes, different values and odd contested gaps is so, in every column.",
        proved("section 7"),
        [1, 10, 15],
        counting::every_column,
    ),
];
