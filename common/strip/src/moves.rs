//! The rules: what a player may do in either variant.
//!
//! A toad steps one square to the right into a blank, a frog one to the left. Under [`Variant::Hop`] a toad may
//! also jump over *one frog* into the blank right behind it, and a frog over *one toad* — never over a blank,
//! its own kind, or two pieces.

use crate::player::Player;
use crate::square::Square;
use crate::strip::Strip;
use crate::variant::Variant;

/// One move of one piece. Squares count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: usize,
    /// The blank it goes to: one square away, or two for a jump.
    pub to: usize,
    /// Whether it jumps.
    pub is_jump: bool,
}

impl Strip {
    /// The moves of a player, by the square they start from, from left to right. A piece has at most one.
    pub fn legal_moves(&self, variant: Variant, player: Player) -> impl Iterator<Item = Move> + '_ {
        legal_moves(self, variant, player)
    }

    /// The strips a player can move to, in the order of [`Strip::legal_moves`]; all different.
    pub fn moves(&self, variant: Variant, player: Player) -> Vec<Self> {
        self.legal_moves(variant, player)
            .map(|step| self.after(step))
            .collect()
    }

    /// Whether a player has a move.
    pub fn has_move(&self, variant: Variant, player: Player) -> bool {
        self.legal_moves(variant, player).next().is_some()
    }

    /// The strip after a move.
    ///
    /// # Panics
    /// When there is no piece where the move starts or no blank where it ends.
    #[must_use]
    pub fn after(&self, step: Move) -> Self {
        let mut next = self.clone();
        next.play(step);
        next
    }

    /// Makes a move in place.
    ///
    /// # Panics
    /// When there is no piece where the move starts or no blank where it ends.
    pub fn play(&mut self, step: Move) {
        let squares = self.squares_mut();
        assert!(
            squares[step.from] != Square::Blank,
            "a move starts from a piece"
        );
        assert!(squares[step.to] == Square::Blank, "a move ends on a blank");
        squares.swap(step.from, step.to);
    }
}

/// The moves of a player on a row of squares; see [`Strip::legal_moves`].
pub fn legal_moves(
    squares: &[Square],
    variant: Variant,
    player: Player,
) -> impl Iterator<Item = Move> + '_ {
    let forward = move |from: usize, by: usize| match player {
        Player::Left => Some(from + by).filter(|&to| to < squares.len()),
        Player::Right => from.checked_sub(by),
    };
    (0..squares.len())
        .filter(move |&from| squares[from] == player.piece())
        .filter_map(move |from| {
            let next = forward(from, 1)?;
            if squares[next] == Square::Blank {
                return Some(Move {
                    from,
                    to: next,
                    is_jump: false,
                });
            }
            let behind = forward(from, 2)?;
            let can_jump = variant.has_jumps()
                && squares[next] == player.opponent().piece()
                && squares[behind] == Square::Blank;
            can_jump.then_some(Move {
                from,
                to: behind,
                is_jump: true,
            })
        })
}

#[cfg(test)]
mod tests {
    use super::Move;
    use crate::{Player, Strip, Variant};

    fn moves(text: &str, variant: Variant, player: Player) -> Vec<String> {
        let strip = Strip::parse(text).unwrap();
        strip
            .moves(variant, player)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn steps_and_jumps() {
        use Player::{Left, Right};
        use Variant::{Hop, Hopless};
        assert_eq!(moves("T.F", Hop, Left), [".TF"]);
        assert_eq!(moves("T.F", Hop, Right), ["TF."]);
        assert_eq!(moves(".TF.", Hop, Left), ["..FT"]);
        assert_eq!(moves(".TF.", Hop, Right), ["FT.."]);
        assert_eq!(moves("TF.", Hopless, Left), [""; 0]);
        // Not over one's own kind, not over two, not over a blank, not off the strip.
        assert_eq!(moves("TT.", Hop, Left), ["T.T"]);
        assert_eq!(moves("TFF.", Hop, Left), [""; 0]);
        assert_eq!(moves("T.F.", Hop, Left), [".TF."]);
        assert_eq!(moves("TF", Hop, Left), [""; 0]);
        assert_eq!(moves(".FF", Hop, Right), ["F.F"]);
        assert_eq!(moves("..TFF", Hop, Right), [".FT.F"]);
        assert_eq!(moves("T.TF.", Hop, Left), [".TTF.", "T..FT"]);
    }

    #[test]
    fn a_move_says_where_it_goes() {
        let strip = Strip::parse("TTF.").unwrap();
        let moves: Vec<_> = strip.legal_moves(Variant::Hop, Player::Left).collect();
        assert_eq!(
            moves,
            [Move {
                from: 1,
                to: 3,
                is_jump: true
            }]
        );
        assert!(!strip.has_move(Variant::Hopless, Player::Left));
        assert!(!strip.has_move(Variant::Hop, Player::Right));
    }

    #[test]
    #[should_panic(expected = "ends on a blank")]
    fn a_move_onto_a_piece_is_refused() {
        let _ = Strip::parse("TF").unwrap().after(Move {
            from: 0,
            to: 1,
            is_jump: false,
        });
    }
}
