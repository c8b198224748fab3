//! Why a hopless strip is worth what it is worth: walls, components, owners, switches, and what cancels.

use super::closed_form::ClosedForm;
use super::component::{Component, Worth, components};
use crate::square::Square;
use crate::strip::Strip;
use std::collections::BTreeMap;
use std::ops::Range;

/// The value of a strip in the hopless variant with the reasons for it; made by [`explain`].
///
/// `Display` writes them out as text that can be followed with pencil and paper. Components are numbered from 0 here, and
/// from 1 in the text; so are squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The strip.
    pub strip: Strip,
    /// The summands, from left to right.
    pub components: Vec<Component>,
    /// Where pieces of different kind stop each other for good, from left to right.
    pub walls: Vec<Wall>,
    /// Who will cross each square.
    pub owners: Vec<Owner>,
    /// Pairs of components whose switches cancel: equally many pieces. The hottest first.
    pub cancelled: Vec<(usize, usize)>,
    /// Components whose switches remain, one for each surviving half-swing, the hottest first.
    pub surviving: Vec<usize>,
    /// The total.
    pub form: ClosedForm,
}

/// A toad and a frog with nothing that moves between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wall {
    /// A frog with a toad to its right and only blanks between: they turn their backs on each other, and the
    /// strip falls apart here. From the frog to the toad.
    Cut(Range<usize>),
    /// A toad with a frog right in front of it: neither ever moves again. A component with an empty contested
    /// gap. Both squares.
    Locked(Range<usize>),
}

/// To whom a square belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A piece stands there.
    Piece,
    /// Only toads will cross it, so many of them: that many free moves for Left.
    Left(usize),
    /// Only frogs will cross it, so many of them: that many free moves for Right.
    Right(usize),
    /// The middle of an odd contested gap: whoever moves there first.
    Shared,
    /// Nobody will ever cross it: it lies behind the pieces on both sides of it.
    Wasted,
}

/// Analyses a strip in the hopless variant. O(n log n) time and O(n) memory.
pub fn explain(strip: &Strip) -> Explanation {
    let components = components(strip);
    let (cancelled, surviving) = cancel(&components);
    Explanation {
        walls: walls(strip, &components),
        owners: owners(strip, &components),
        form: ClosedForm::sum(components.iter().map(Component::worth)),
        strip: strip.clone(),
        components,
        cancelled,
        surviving,
    }
}

fn walls(squares: &[Square], components: &[Component]) -> Vec<Wall> {
    let mut walls = Vec::new();
    let mut frog_before = None;
    for component in components {
        if let Some(frog) = frog_before {
            walls.push(Wall::Cut(frog..component.squares.start + 1));
        }
        if let Some(gap) = component.contested.as_ref().filter(|gap| gap.is_empty()) {
            debug_assert_eq!(squares[gap.start], Square::Frog);
            walls.push(Wall::Locked(gap.start - 1..gap.start + 1));
        }
        frog_before = Some(component.squares.end - 1);
    }
    walls
}

fn owners(squares: &[Square], components: &[Component]) -> Vec<Owner> {
    let start = |&square: &Square| {
        if square == Square::Blank {
            Owner::Wasted
        } else {
            Owner::Piece
        }
    };
    let mut owners: Vec<_> = squares.iter().map(start).collect();
    for component in components {
        for gap in &component.toad_gaps {
            owners[gap.squares.clone()].fill(Owner::Left(gap.weight));
        }
        for gap in &component.frog_gaps {
            owners[gap.squares.clone()].fill(Owner::Right(gap.weight));
        }
        if let Some(gap) = &component.contested {
            let half = gap.len() / 2;
            owners[gap.clone()].fill(Owner::Shared);
            owners[gap.start..gap.start + half].fill(Owner::Left(component.toads));
            owners[gap.end - half..gap.end].fill(Owner::Right(component.frogs));
        }
    }
    owners
}

/// Pairs off equal swings, from left to right; both results are sorted by swing, the greatest first.
fn cancel(components: &[Component]) -> (Vec<(usize, usize)>, Vec<usize>) {
    let mut by_swing: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (number, component) in components.iter().enumerate() {
        if let Worth::Switch { left, right } = component.worth() {
            by_swing.entry(left - right).or_default().push(number);
        }
    }
    let mut cancelled = Vec::new();
    let mut surviving = Vec::new();
    for equal in by_swing.values().rev() {
        let (pairs, rest) = equal.as_chunks::<2>();
        cancelled.extend(pairs.iter().map(|&[first, second]| (first, second)));
        surviving.extend(rest);
    }
    (cancelled, surviving)
}

#[cfg(test)]
mod tests {
    use super::{Explanation, Owner, Wall, explain};
    use crate::{Square, Strip, hopless};
    use proptest::prelude::*;

    fn read(text: &str) -> Explanation {
        explain(&Strip::parse(text).unwrap())
    }

    #[test]
    fn squares_have_owners() {
        use Owner::{Left, Piece, Right, Shared, Wasted};
        assert_eq!(
            read(".T.T...F.F.T.").owners,
            [
                Wasted,
                Piece,
                Left(1),
                Piece,
                Left(2),
                Shared,
                Right(2),
                Piece,
                Right(1),
                Piece,
                Wasted,
                Piece,
                Left(1)
            ]
        );
    }

    #[test]
    fn walls_are_found() {
        assert_eq!(
            read("TT.F..TFT.").walls,
            [Wall::Cut(3..7), Wall::Locked(6..8), Wall::Cut(7..9)]
        );
        assert_eq!(read("FT.F").walls, [Wall::Cut(0..2)]);
    }

    #[test]
    fn equal_pieces_cancel() {
        let explanation = read("TT.F T.F T.FF TTT.F T.F T.F T..F TT.F");
        assert_eq!(explanation.cancelled, [(0, 2), (1, 4)]);
        assert_eq!(explanation.surviving, [3, 7, 5]);
        assert_eq!(explanation.form.swings(), [2, 1, 0]);
    }

    proptest! {
        /// The owners alone give the mean: each square of Left's counts its moves, each of Right's against
        /// them, and a shared square of a toads and b frogs is worth (a - b)/2 in the mean.
        #[test]
        fn owners_add_up_to_the_value(squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..80)) {
            let explanation = explain(&Strip::new(&squares));
            let owned: i64 = explanation.owners.iter().map(|owner| match *owner {
                Owner::Left(moves) => 2 * moves as i64,
                Owner::Right(moves) => -2 * moves as i64,
                Owner::Piece | Owner::Shared | Owner::Wasted => 0,
            }).sum();
            let odd = explanation.components.iter().filter(|component| component.is_odd());
            let shared: i64 = odd.map(|component| component.toads as i64 - component.frogs as i64).sum();
            prop_assert_eq!(explanation.form.mean().twice(), owned + shared);
            prop_assert_eq!(explanation.form, hopless::analyse(&squares));
        }

        #[test]
        fn what_survives_is_in_the_form(squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..120)) {
            let explanation = explain(&Strip::new(&squares));
            let swing = |&number: &usize| {
                let component = &explanation.components[number];
                (component.toads + component.frogs - 2) as i64
            };
            let surviving: Vec<_> = explanation.surviving.iter().map(swing).collect();
            prop_assert_eq!(&surviving[..], explanation.form.swings());
            prop_assert!(explanation.cancelled.iter().all(|(one, other)| swing(one) == swing(other)));
            let odd = explanation.components.iter().filter(|component| component.is_odd()).count();
            prop_assert_eq!(odd, surviving.len() + 2 * explanation.cancelled.len());
        }
    }
}
