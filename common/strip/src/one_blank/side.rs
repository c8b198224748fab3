//! One side of the blank, from the blank outwards.

/// A run of the owner's pieces, single pieces of the opponent, and so on outwards; cut where nothing matters any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Side {
    /// Whether a piece of the opponent stands next to the blank, with one of the owner's behind it.
    pub(super) guarded: bool,
    /// So many runs of length 1 come first.
    pub(super) singles: u64,
    /// The lengths of the runs behind them, the nearest last; that one is not 1.
    runs: Vec<u64>,
    /// How many squares were read; those behind are dead ends or behind a wall.
    pub(super) squares: usize,
}

impl Side {
    /// Reads the pieces from the blank outwards, `true` for the owner's. Two pieces of the opponent in a row, and what is
    /// behind them, are a wall: they never move, and nothing that moves feels them.
    pub(super) fn read(owned: impl Iterator<Item = bool>) -> Self {
        let mut runs: Vec<u64> = Vec::new();
        let (mut guarded, mut squares) = (false, 0);
        let mut begins = true;
        for (at, owned) in owned.enumerate() {
            if !owned {
                guarded |= at == 0;
                if begins && at > 0 {
                    break;
                }
                begins = true;
                continue;
            }
            match runs.last_mut() {
                Some(run) if !begins => *run += 1,
                _ => runs.push(1),
            }
            begins = false;
            squares = at + 1;
        }
        runs.reverse();
        let mut side = Self {
            guarded: guarded && !runs.is_empty(),
            singles: 0,
            runs,
            squares,
        };
        side.settle();
        side
    }

    /// Whether there is nothing that matters.
    pub(super) fn is_empty(&self) -> bool {
        self.singles == 0 && self.runs.is_empty()
    }

    /// The length of the run nearest to the blank.
    pub(super) fn nearest(&self) -> Option<u64> {
        if self.singles > 0 {
            Some(1)
        } else {
            self.long_run()
        }
    }

    /// The length of the nearest run that is longer than 1.
    pub(super) fn long_run(&self) -> Option<u64> {
        self.runs.last().copied()
    }

    /// The blank came through `(TF)ⁿ T` of this side: the runs of length 1 are on the other side now, and the first piece of
    /// the long run was the last to jump.
    pub(super) fn passed(&mut self) {
        self.singles = 0;
        self.guarded = false;
        if let Some(run) = self.runs.last_mut() {
            *run -= 1;
        }
    }

    /// So many runs of length 1 are added next to the blank; before that a step may have taken a piece from the nearest run.
    pub(super) fn grow(&mut self, singles: u64, stepped: bool) {
        if stepped && let Some(run) = self.runs.last_mut() {
            *run -= 1;
        }
        self.settle();
        self.singles += singles;
        self.guarded = false;
    }

    /// Runs that became 1 long are counted.
    fn settle(&mut self) {
        while self.runs.last() == Some(&1) {
            self.runs.pop();
            self.singles += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Side;

    fn read(text: &str) -> (bool, u64, Vec<u64>, usize) {
        let side = Side::read(text.chars().map(|c| c == 'o'));
        (side.guarded, side.singles, side.runs, side.squares)
    }

    #[test]
    fn runs_from_the_blank_outwards() {
        assert_eq!(read(""), (false, 0, vec![], 0));
        assert_eq!(read("ooo"), (false, 0, vec![3], 3));
        assert_eq!(read("oxoxoo"), (false, 2, vec![2], 6));
        assert_eq!(read("xoxooxo"), (true, 1, vec![1, 2], 7));
    }

    #[test]
    fn walls_and_dead_ends_are_cut() {
        assert_eq!(read("x"), (false, 0, vec![], 0));
        assert_eq!(read("xxo"), (false, 0, vec![], 0));
        assert_eq!(read("oxx"), (false, 1, vec![], 1));
        assert_eq!(read("xooxxooo"), (true, 0, vec![2], 3));
    }
}
