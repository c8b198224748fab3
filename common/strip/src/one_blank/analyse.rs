//! Theorem 1: which lemmas settle a strip.

use super::form::{End, OneBlank, Step};
use super::side::Side;
use crate::square::Square;

/// The value of a strip with exactly one blank in the hop variant; `None` when there are more blanks or none.
///
/// Linear time and memory at any length; no recursion. Source: see the [module](super).
///
/// ```
/// use toads_strip::{Strip, one_blank};
/// let form = one_blank::analyse(&Strip::parse("TT.TFF")?).expect("one blank");
/// assert_eq!(form.to_string(), "{1|*}");
/// let long = Strip::parse("T . (TF)^5000")?;
/// assert_eq!(one_blank::analyse(&long).unwrap().to_string(), "1/2^5000");
/// # Ok::<(), toads_strip::StripError>(())
/// ```
pub fn analyse(squares: &[Square]) -> Option<OneBlank> {
    let (left, right) = sides(squares)?;
    let form = follow(left, right);
    debug_assert!(form.steps.len() <= squares.len());
    Some(form)
}

/// What matters on both sides of the blank; `None` if there is not exactly one.
pub(super) fn sides(squares: &[Square]) -> Option<(Side, Side)> {
    let is_blank = |&square: &Square| square == Square::Blank;
    let blank = squares.iter().position(is_blank)?;
    let behind = &squares[blank + 1..];
    if behind.iter().any(is_blank) {
        return None;
    }
    let left = Side::read(
        squares[..blank]
            .iter()
            .rev()
            .map(|&square| square == Square::Toad),
    );
    let right = Side::read(behind.iter().map(|&square| square == Square::Frog));
    Some((left, right))
}

/// Follows the lemmas. Only the first position may have to be mirrored: x of a step is met from the other side, where its lemma fits.
fn follow(mut own: Side, mut other: Side) -> OneBlank {
    let mut steps = Vec::new();
    let mut mirrored = false;
    let end = loop {
        match next(&own, &other) {
            Next::End(end) => break end,
            Next::Mirror => {
                std::mem::swap(&mut own, &mut other);
                debug_assert!(steps.is_empty() && !mirrored);
                mirrored = true;
            }
            Next::Step(step) => {
                let facing = matches!(step, Step::Facing { .. });
                own.grow(step.zeros() + 1, facing);
                other.passed();
                steps.push(step);
                std::mem::swap(&mut own, &mut other);
            }
        }
    };
    OneBlank {
        mirrored,
        steps,
        end,
    }
}

/// What to do with a position.
enum Next {
    End(End),
    Step(Step),
    /// The lemmas speak of its mirror image.
    Mirror,
}

/// The lemma for a position: `own` are the toads' side, `other` the frogs', or the other way round in the mirror.
fn next(own: &Side, other: &Side) -> Next {
    let free = |side: &Side| side.nearest().filter(|_| !side.guarded);
    match (free(own), free(other)) {
        (None, None) => Next::End(End::DeathLeap),
        (None, Some(_)) | (Some(1), Some(2..)) => Next::Mirror,
        (Some(a), None) if other.is_empty() => Next::End(End::Run { a }),
        (Some(a), None) => match (other.singles, other.long_run()) {
            (b, None) => Next::End(End::Guarded { a, b }),
            (b, Some(c)) => Next::Step(Step::Guarded { a, b, c }),
        },
        (Some(1), Some(1)) => Next::End(End::Singles),
        (Some(a), Some(1)) => match (other.singles - 1, other.long_run()) {
            (b, None) => Next::End(End::Facing { a, b }),
            (b, Some(c)) => Next::Step(Step::Facing { a, b, c }),
        },
        (Some(a), Some(b)) => Next::End(End::Runs { a, b }),
    }
}
