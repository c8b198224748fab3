//! What the squares of a word say, and the moves inside it.

use toads_strip::Variant;

use super::dead::{self, KINDS};

/// The longest half the kernel needs (24 squares in all).
pub(super) const MAX_HALF: usize = 12;

pub(super) const FROG: u32 = 0;
pub(super) const BLANK: u32 = 1;
pub(super) const TOAD: u32 = 2;

/// The most moves of one player inside a half.
pub(super) const MOST_MOVES: usize = MAX_HALF / 2;

/// Powers of three.
pub(super) const POWERS: [u32; MAX_HALF + 1] = {
    let mut powers = [1; MAX_HALF + 1];
    let mut at = 1;
    while at <= MAX_HALF {
        powers[at] = powers[at - 1] * 3;
        at += 1;
    }
    powers
};

/// The longest dead end.
const LONGEST_END: usize = 5;

/// What is known of a word. Its squares count from 0 on the right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The squares that hold toads, a bit each.
    toad_squares: u16,
    /// The squares that hold frogs.
    frog_squares: u16,
    /// Squares between the toads and the right end, and between the frogs and the left end, in all. Every move lowers it.
    pub(super) way_to_go: u16,
    /// Its level as a high half; see [`super::layout::Layout::bundles`].
    pub(super) level: i16,
    /// The kind of its dead end on the left; [`KINDS`] when there is none.
    pub(super) front: u8,
    /// The same on the right.
    pub(super) back: u8,
}

impl Facts {
    /// Of all words of so many squares, by index.
    pub(super) fn of_all(squares: usize) -> Vec<Self> {
        let mut all = grown(squares, Self::EMPTY, Self::then);
        // The first squares decide about the dead end on the left, the last ones about the other one.
        let few = squares.min(LONGEST_END);
        let kind = |kind: Option<usize>| kind.unwrap_or(KINDS) as u8;
        let ends: Vec<(u8, u8)> = (0..POWERS[few])
            .map(|index| {
                let squares = &digits(index, few)[..few];
                (
                    kind(dead::on_the_left(squares)),
                    kind(dead::on_the_right(squares)),
                )
            })
            .collect();
        let same_first = POWERS[squares - few] as usize;
        for (words, &(front, _)) in all.chunks_exact_mut(same_first).zip(&ends) {
            for word in words {
                word.front = front;
            }
        }
        for words in all.chunks_exact_mut(ends.len()) {
            for (word, &(_, back)) in words.iter_mut().zip(&ends) {
                word.back = back;
            }
        }
        all
    }

    /// The word without squares.
    const EMPTY: Self = Self {
        toad_squares: 0,
        frog_squares: 0,
        way_to_go: 0,
        level: 0,
        front: KINDS as u8,
        back: KINDS as u8,
    };

    /// The word with one more square on the right, behind `before` others.
    fn then(self, last: u32, before: usize) -> Self {
        let (toad, frog) = (u16::from(last == TOAD), u16::from(last == FROG));
        let toad_squares = self.toad_squares << 1 | toad;
        let frog_squares = self.frog_squares << 1 | frog;
        let (toads, frogs) = (toad_squares.count_ones(), frog_squares.count_ones());
        Self {
            toad_squares,
            frog_squares,
            way_to_go: self.way_to_go + toads as u16 - toad + frog * before as u16,
            level: self.level + toads as i16 - frogs as i16,
            ..self
        }
    }

    pub(super) fn toads(&self) -> u8 {
        self.toad_squares.count_ones() as u8
    }

    pub(super) fn frogs(&self) -> u8 {
        self.frog_squares.count_ones() as u8
    }

    /// The words that Left's moves lead to, by index, when this is that of the word itself. The moves on the left come first.
    pub(super) fn left_moves(&self, variant: Variant, squares: usize, index: u32) -> Moves {
        let (toads, frogs) = (u32::from(self.toad_squares), u32::from(self.frog_squares));
        let blanks = self.blanks(squares);
        let steps = toads & blanks << 1;
        let jumps = toads & frogs << 1 & blanks << 2;
        // A toad loses a power of three and gains a smaller one, below the one from which it moves.
        let step = |from: usize| index - 2 * POWERS[from - 1];
        let jump = |from: usize| index - 8 * POWERS[from - 2];
        Moves::new(variant, steps, jumps, step, jump)
    }

    /// The same for Right.
    pub(super) fn right_moves(&self, variant: Variant, squares: usize, index: u32) -> Moves {
        let (toads, frogs) = (u32::from(self.toad_squares), u32::from(self.frog_squares));
        let blanks = self.blanks(squares);
        let steps = frogs & blanks >> 1;
        let jumps = frogs & toads >> 1 & blanks >> 2;
        let step = |from: usize| index - 2 * POWERS[from];
        let jump = |from: usize| index - 8 * POWERS[from];
        Moves::new(variant, steps, jumps, step, jump)
    }

    fn blanks(&self, squares: usize) -> u32 {
        !u32::from(self.toad_squares | self.frog_squares) & ((1 << squares) - 1)
    }
}

/// The words that the moves of one player lead to, by index.
#[derive(Clone, Copy)]
pub(super) struct Moves {
    targets: [u32; MOST_MOVES],
    len: usize,
}

impl Moves {
    fn new(
        variant: Variant,
        steps: u32,
        jumps: u32,
        step: impl Fn(usize) -> u32,
        jump: impl Fn(usize) -> u32,
    ) -> Self {
        let jumps = if variant == Variant::Hop { jumps } else { 0 };
        let (mut targets, mut len) = ([0; MOST_MOVES], 0);
        let mut from = steps | jumps;
        while from != 0 {
            let square = from.ilog2();
            from ^= 1 << square;
            let is_jump = jumps >> square & 1 != 0;
            let square = square as usize;
            targets[len] = if is_jump { jump(square) } else { step(square) };
            len += 1;
        }
        Self { targets, len }
    }
}

impl std::ops::Deref for Moves {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.targets[..self.len]
    }
}

/// Something for each word of so many squares, by index: what `longer` makes of that for the word without its last square, of that
/// square, and of the number of squares before it.
pub(super) fn grown<T: Copy>(
    squares: usize,
    empty: T,
    longer: impl Fn(T, u32, usize) -> T,
) -> Vec<T> {
    let mut all = vec![empty; POWERS[squares] as usize];
    for (before, &words) in POWERS[..squares].iter().enumerate() {
        // Each word makes three; from the last one on, so that none is overwritten too early.
        for index in (0..words as usize).rev() {
            let word = all[index];
            for last in [TOAD, BLANK, FROG] {
                all[3 * index + last as usize] = longer(word, last, before);
            }
        }
    }
    all
}

/// The squares of a word, leftmost first; those beyond `squares` are 0.
pub(super) fn digits(mut index: u32, squares: usize) -> [u32; MAX_HALF] {
    let mut digits = [0; MAX_HALF];
    for digit in digits[..squares].iter_mut().rev() {
        *digit = index % 3;
        index /= 3;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of a word and of those it moves to, one square at a time.
    fn moves_of(variant: Variant, squares: &[u32], is_left: bool) -> Vec<Vec<u32>> {
        let reach = if variant == Variant::Hop { 2 } else { 1 };
        let piece = if is_left { TOAD } else { FROG };
        let mut reached = vec![];
        for from in 0..squares.len() {
            for distance in 1..=reach {
                let at = |step: usize| {
                    let to = if is_left {
                        from.checked_add(step)
                    } else {
                        from.checked_sub(step)
                    };
                    to.filter(|&to| to < squares.len())
                };
                let Some(to) = at(distance) else { continue };
                let passes =
                    distance == 1 || at(1).is_some_and(|over| squares[over] == TOAD + FROG - piece);
                if squares[from] == piece && squares[to] == BLANK && passes {
                    let mut after = squares.to_vec();
                    after.swap(from, to);
                    reached.push(after);
                }
            }
        }
        reached
    }

    #[test]
    fn facts_and_moves_are_what_the_squares_say() {
        for (squares, variant) in
            (0..=7).flat_map(|squares| Variant::ALL.map(|variant| (squares, variant)))
        {
            for (index, word) in (0..).zip(Facts::of_all(squares)) {
                let digits = digits(index, squares)[..squares].to_vec();
                let count = |piece| digits.iter().filter(|&&digit| digit == piece).count();
                assert_eq!(
                    (usize::from(word.toads()), usize::from(word.frogs())),
                    (count(TOAD), count(FROG))
                );
                let kind = |kind: Option<usize>| kind.unwrap_or(KINDS) as u8;
                assert_eq!(word.front, kind(dead::on_the_left(&digits)), "{digits:?}");
                assert_eq!(word.back, kind(dead::on_the_right(&digits)), "{digits:?}");
                for (is_left, moves) in [
                    (true, word.left_moves(variant, squares, index)),
                    (false, word.right_moves(variant, squares, index)),
                ] {
                    let reached: Vec<_> = moves
                        .iter()
                        .map(|&to| super::digits(to, squares)[..squares].to_vec())
                        .collect();
                    assert_eq!(reached, moves_of(variant, &digits, is_left), "{digits:?}");
                }
            }
        }
    }
}
