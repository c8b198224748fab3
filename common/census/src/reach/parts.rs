//! The independent parts of a position, on bits: what `toads_strip::walls` and `Strip::core` do on squares.

use super::position::Position;

impl Position {
    /// Shows the parts between walls, without dead ends; those without pieces are left out.
    pub(super) fn parts(self, mut visit: impl FnMut(Self)) {
        let occupied = self.toads | self.frogs;
        let (pairs_of_toads, pairs_of_frogs) =
            (self.toads & self.toads >> 1, self.frogs & self.frogs >> 1);
        let mut start = 0;
        let mut at = 0;
        while at < self.squares && occupied >> at != 0 {
            let from = at + (occupied >> at).trailing_zeros();
            let length = (occupied >> from).trailing_ones();
            let to = from + length;
            at = to;
            // A run: its first TT, if any, and the end of its last FF.
            let run = (u64::MAX >> (64 - length)) << from;
            let inside = run & run >> 1;
            let first_toads = pairs_of_toads & inside;
            let last_frogs = pairs_of_frogs & inside;
            let frogs_end = 65 - last_frogs.leading_zeros();
            let toads_start = first_toads.trailing_zeros();
            match (from == 0, to == self.squares) {
                (true, true) => return,
                (true, false) => {
                    if last_frogs != 0 {
                        start = frogs_end;
                    } else if self.frogs & 1 == 1 && length == 1 {
                        start = 1;
                    }
                }
                (false, true) => {
                    let end = if first_toads != 0 {
                        toads_start
                    } else if length == 1 && self.toads >> from & 1 == 1 {
                        from
                    } else {
                        self.squares
                    };
                    self.part(start, end).trimmed(&mut visit);
                    return;
                }
                (false, false) => {
                    if first_toads != 0 && last_frogs != 0 && toads_start < frogs_end {
                        self.part(start, toads_start).trimmed(&mut visit);
                        start = frogs_end;
                    }
                }
            }
        }
        self.part(start, self.squares).trimmed(&mut visit);
    }

    /// Without dead ends, if a piece is left.
    fn trimmed(self, visit: &mut impl FnMut(Self)) {
        if self.toads | self.frogs == 0 {
            return;
        }
        let start = self.frogs.trailing_ones().min(self.squares);
        let aligned = self.toads << (64 - self.squares);
        let end = (self.squares - aligned.leading_ones()).max(start);
        let part = self.part(start, end);
        if part.toads | part.frogs != 0 && part.blanks() != 0 {
            visit(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use toads_strip::{Strip, walls};

    /// The parts agree with those of `walls`, but for parts that cannot move, which are worth 0 either way.
    #[test]
    fn parts_are_those_between_walls() {
        let can_move = |strip: &Strip| !walls::split(strip).is_empty();
        for squares in 1..=11 {
            for index in 0..3_u128.pow(squares) {
                let strip = Strip::from_index(squares as usize, index).unwrap();
                let mut found = vec![];
                Position::new(&strip)
                    .unwrap()
                    .parts(|part| found.push(part.strip()));
                found.retain(can_move);
                let expected: Vec<_> = walls::split(&strip)
                    .iter()
                    .map(|part| part.core().1)
                    .collect();
                assert_eq!(found, expected, "{strip}");
            }
        }
    }
}
