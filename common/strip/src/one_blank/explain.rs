//! Why a strip with one blank is worth what it is worth: the positions on the way and the lemma for each.

use super::analyse::{analyse, sides};
use super::form::{OneBlank, Step};
use crate::player::Player;
use crate::square::Square;
use crate::strip::Strip;
use crate::variant::Variant;
use std::ops::Range;

/// Longer strips are explained without their positions: n positions of n squares would be a page of each.
const MAX_DRAWN_SQUARES: usize = 200;

/// The value of a strip with one blank with the reasons for it; made by [`explain`]. `Display` writes them out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The strip.
    pub strip: Strip,
    /// The squares that matter; what is in front of them and behind are dead ends, or behind walls.
    pub matters: Range<usize>,
    /// From the strip inwards, one for each lemma; those of the closed form in its order.
    pub stages: Vec<Stage>,
    /// The closed form.
    pub form: OneBlank,
}

/// A position and the lemma that settles it, or leads on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The squares that matter, as they stand in the strip, not mirrored; `None` for a long strip.
    pub position: Option<Strip>,
    /// The number of the lemma in the paper.
    pub lemma: &'static str,
    /// Whether it is the mirror image of the position that the lemma speaks of.
    pub mirrored: bool,
}

/// Explains a strip with exactly one blank; `None` for other strips. Linear, but for the positions of short strips.
pub fn explain(strip: &Strip) -> Option<Explanation> {
    let form = analyse(strip)?;
    let (left, right) = sides(strip)?;
    let blank = strip.iter().position(|&square| square == Square::Blank)?;
    let matters = blank - left.squares..blank + 1 + right.squares;
    let mut position =
        (strip.len() <= MAX_DRAWN_SQUARES).then(|| Strip::new(&strip[matters.clone()]));
    let mut mirrored = form.is_mirrored();
    let mut stages = Vec::with_capacity(form.steps().len() + 1);
    for &step in form.steps() {
        stages.push(Stage {
            position: position.clone(),
            lemma: step.lemma(),
            mirrored,
        });
        position = position.map(|position| after(position, step, mirrored));
        mirrored = !mirrored;
    }
    stages.push(Stage {
        position,
        lemma: form.end().lemma(),
        mirrored,
    });
    Some(Explanation {
        strip: strip.clone(),
        matters,
        stages,
        form,
    })
}

/// The position x of a lemma: in 4.9 a toad steps; then frogs jump, b + 1 or b + 2 of them. In the mirror the players change places.
fn after(mut position: Strip, step: Step, mirrored: bool) -> Strip {
    let (toads, frogs) = if mirrored {
        (Player::Right, Player::Left)
    } else {
        (Player::Left, Player::Right)
    };
    let mut play = |player| {
        let step = position.legal_moves(Variant::Hop, player).next();
        if let Some(step) = step {
            position.play(step);
        }
    };
    if matches!(step, Step::Facing { .. }) {
        play(toads);
    }
    for _ in 0..=step.zeros() {
        play(frogs);
    }
    position
}
