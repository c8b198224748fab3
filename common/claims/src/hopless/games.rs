//! The closed form against play on strips too long to enumerate.

use toads_strip::hopless::{self, ClosedForm, Worth};
use toads_strip::{Square, Strip};

use crate::claim::Scope;
use crate::finding::{Finding, Tested, grouped};
use crate::play::{Play, Sum};

/// How many strips are played.
const STRIPS: u64 = 120;

/// Positions that may be remembered for one strip; one that needs more is left out.
const POSITIONS: usize = 200_000;

/// The largest integer that is added: each of its moves makes the search longer.
const LARGEST_INTEGER: i64 = 60;

pub(super) fn outcomes(scope: &Scope<'_>) -> Finding {
    outcomes_by(scope, ClosedForm::outcome)
}

/// The outcomes of G − k and G − k + ∗ for random strips G of 20 to `bound` squares and integers k about its stops, by
/// play and as they are read off the closed form.
fn outcomes_by(scope: &Scope<'_>, read: impl Fn(&ClosedForm) -> toads_strip::Outcome) -> Finding {
    let mut tested = Tested::default();
    let mut random = Random(20_960_318);
    let (mut played, mut longest) = (0, 0);
    for number in 0..STRIPS {
        let squares = 20 + random.below(scope.bound - 19);
        let strip = if number % 2 == 0 {
            scattered(&mut random, squares)
        } else {
            components(&mut random, squares)
        };
        let form = hopless::analyse(&strip);
        let mut play = Play::new(POSITIONS);
        let mut decided = 0;
        for (subtrahend, star) in summands(&form) {
            let Some(found) = play.outcome(Sum::new(&strip, -subtrahend as i32, star)) else {
                continue;
            };
            decided += 1;
            let mut sum = &form + &ClosedForm::integer(-subtrahend);
            if star {
                sum = &sum + &ClosedForm::sum([Worth::Switch { left: 0, right: 0 }]);
            }
            tested.case(found == read(&sum), || {
                let star = if star { " + *" } else { "" };
                format!(
                    "{} - {subtrahend}{star} is {found} by play",
                    strip.compact()
                )
            });
        }
        if decided > 0 {
            played += 1;
            longest = longest.max(squares);
        }
    }
    let rest = match STRIPS - played {
        0 => String::new(),
        rest => format!("; {rest} take more than {} positions", grouped(&POSITIONS)),
    };
    tested.finding(scope.bound).with_figures(format!(
        "{played} of {STRIPS} random strips of up to {longest} squares played out{rest}"
    ))
}

/// G itself, and what decides its stops: G − k and G − k + ∗ for k at and beside both of them.
fn summands(form: &ClosedForm) -> Vec<(i64, bool)> {
    let stops = [form.right_stop(), form.left_stop()];
    let mut integers: Vec<i64> = stops
        .into_iter()
        .flat_map(|stop| stop - 1..=stop + 1)
        .collect();
    integers.push(0);
    integers.sort_unstable();
    integers.dedup();
    integers.retain(|integer| integer.abs() <= LARGEST_INTEGER);
    // Small ones first: what is learned there is used again.
    integers.sort_by_key(|integer| integer.abs());
    integers
        .into_iter()
        .flat_map(|integer| [(integer, false), (integer, true)])
        .collect()
}

/// Pieces at random and two to six blanks among them.
fn scattered(random: &mut Random, squares: u32) -> Strip {
    let mut strip: Vec<Square> = (0..squares).map(|_| random.piece()).collect();
    for _ in 0..2 + random.below(5) {
        strip[random.below(squares) as usize] = Square::Blank;
    }
    Strip::from(strip)
}

/// Two to four components with an odd gap, few different sizes, and dead pieces about them: here swings cancel.
fn components(random: &mut Random, squares: u32) -> Strip {
    let count = 2 + random.below(3);
    let sizes = [2 + random.below(4), 2 + random.below(squares / count - 2)];
    let mut strip = vec![];
    for _ in 0..count {
        let pieces = sizes[random.below(2) as usize];
        let toads = 1 + random.below(pieces - 1);
        strip.extend((0..toads).map(|_| Square::Toad));
        strip.push(Square::Blank);
        strip.extend((toads..pieces).map(|_| Square::Frog));
    }
    strip.truncate(squares as usize);
    let dead = squares as usize - strip.len();
    let front = random.below(dead as u32 + 1) as usize;
    let mut whole = vec![Square::Frog; front];
    whole.extend(strip);
    whole.resize(squares as usize, Square::Toad);
    Strip::from(whole)
}

/// Numbers that are the same in every run: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit)) as u32
    }

    fn piece(&mut self) -> Square {
        if self.below(2) == 0 {
            Square::Toad
        } else {
            Square::Frog
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    const SCOPE: Scope<'_> = Scope::to(60);

    #[test]
    fn most_strips_are_played_out_and_many_have_swings() {
        let finding = outcomes(&SCOPE);
        assert_eq!(finding.verdict, Verdict::Holds, "{finding}");
        assert!(finding.cases > 700, "{finding} {}", finding.figures);
        let mut random = Random(1);
        let strips: Vec<_> = (0..100).map(|_| components(&mut random, 40)).collect();
        let odd = |strip: &Strip| hopless::odd_gaps(strip);
        let surviving = |strip: &Strip| hopless::analyse(strip).swings().len();
        assert!(
            strips
                .iter()
                .filter(|strip| odd(strip) > surviving(strip))
                .count()
                > 20
        );
        assert!(strips.iter().filter(|strip| surviving(strip) >= 2).count() > 10);
    }

    #[test]
    fn a_wrong_outcome_is_refuted() {
        // As if the first player always had the last move in a stop.
        let finding = outcomes_by(&SCOPE, |form| {
            toads_strip::Outcome::from_first_player_wins(
                form.left_stop() > 0,
                form.right_stop() < 0,
            )
        });
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert!(finding.reason.ends_with("by play"), "{finding}");
    }
}
