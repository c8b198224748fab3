//! Half-strips: all words of a few squares, grouped by their pieces, with the moves inside them.

use std::sync::OnceLock;

use toads_strip::Variant;

/// The longest half the kernel needs (24 squares in all).
const MAX_HALF: usize = 12;

const FROG: u32 = 0;
const BLANK: u32 = 1;
const TOAD: u32 = 2;

/// All words of `squares` squares. A *slot* numbers them group by group, in index order within a group.
pub(super) struct Halves {
    pub(super) squares: usize,
    /// 3^squares.
    pub(super) words: u32,
    /// By toads · (squares + 1) + frogs.
    groups: Vec<Group>,
    /// Slot of a word, by index.
    pub(super) slot_of: Vec<u32>,
    /// Index of the word in a slot.
    pub(super) index_of: Vec<u32>,
    /// Index of the mirror image of the word in a slot.
    pub(super) mirror_of: Vec<u32>,
    /// Targets of the moves in slot s: Left's at `moves[starts[2s]..starts[2s+1]]`, Right's up to `starts[2s+2]`.
    starts: Vec<u32>,
    moves: Vec<u32>,
}

/// The words with given numbers of toads and frogs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The slot of the first word.
    pub(super) offset: u32,
    /// How many.
    pub(super) len: u32,
    /// Where, within the group, the words begin whose first two squares are a, b: at 3a + b; ends with `len`.
    pub(super) prefix: [u32; 10],
}

impl Halves {
    /// The tables for one ruleset and length, built once per process. About 30 bytes a word.
    pub(super) fn get(variant: Variant, squares: usize) -> &'static Self {
        static TABLES: [[OnceLock<Halves>; MAX_HALF + 1]; 2] =
            [const { [const { OnceLock::new() }; MAX_HALF + 1] }; 2];
        TABLES[usize::from(variant.code())][squares].get_or_init(|| Self::build(variant, squares))
    }

    /// The group with these numbers of pieces, which must fit.
    pub(super) fn group(&self, toads: usize, frogs: usize) -> &Group {
        &self.groups[toads * (self.squares + 1) + frogs]
    }

    /// The squares of a word, leftmost first.
    pub(super) fn digits(&self, index: u32) -> Vec<u32> {
        digits(index, self.squares)
    }

    /// How many words with these numbers of pieces end with a toad.
    pub(super) fn ending_with_toad(&self, toads: usize, frogs: usize) -> u64 {
        let group = self.group(toads, frogs);
        let slots = group.offset as usize..(group.offset + group.len) as usize;
        self.index_of[slots]
            .iter()
            .filter(|&&index| index % 3 == TOAD)
            .count() as u64
    }

    /// Slots reached by Left from the word in `slot`.
    #[inline]
    pub(super) fn left_moves(&self, slot: u32) -> &[u32] {
        let at = slot as usize * 2;
        &self.moves[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Slots reached by Right from the word in `slot`.
    #[inline]
    pub(super) fn right_moves(&self, slot: u32) -> &[u32] {
        let at = slot as usize * 2 + 1;
        &self.moves[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn build(variant: Variant, squares: usize) -> Self {
        let words = 3u32.pow(squares as u32);
        let mut by_group: Vec<Vec<u32>> = vec![vec![]; (squares + 1) * (squares + 1)];
        for index in 0..words {
            let (toads, frogs) = count_pieces(index, squares);
            by_group[toads * (squares + 1) + frogs].push(index);
        }
        let mut groups = Vec::with_capacity(by_group.len());
        let mut index_of = Vec::with_capacity(words as usize);
        let mut slot_of = vec![0; words as usize];
        for members in &by_group {
            let offset = index_of.len() as u32;
            let mut prefix = [members.len() as u32; 10];
            let unit = if squares >= 2 { words / 9 } else { words };
            for (at, start) in prefix.iter_mut().enumerate().take(9) {
                *start = members.partition_point(|&index| index < at as u32 * unit) as u32;
            }
            for &index in members {
                slot_of[index as usize] = index_of.len() as u32;
                index_of.push(index);
            }
            groups.push(Group {
                offset,
                len: members.len() as u32,
                prefix,
            });
        }
        let mut halves = Self {
            squares,
            words,
            groups,
            mirror_of: index_of
                .iter()
                .map(|&index| mirror(index, squares))
                .collect(),
            slot_of,
            index_of,
            starts: vec![0],
            moves: vec![],
        };
        for slot in 0..words as usize {
            halves.push_moves(variant, halves.index_of[slot]);
        }
        halves
    }

    fn push_moves(&mut self, variant: Variant, index: u32) {
        let hop = variant == Variant::Hop;
        let squares = digits(index, self.squares);
        let unit = |at: usize| 3u32.pow((self.squares - 1 - at) as u32);
        // A toad from `from` to `to`: 2 becomes 1 there, 1 becomes 2 here. A frog: 0 becomes 1, 1 becomes 0.
        for from in 0..self.squares {
            let step = from + 1;
            if squares[from] == TOAD && step < self.squares {
                let jump = hop && squares[step] == FROG && squares.get(step + 1) == Some(&BLANK);
                if squares[step] == BLANK || jump {
                    let to = if jump { step + 1 } else { step };
                    self.moves
                        .push(self.slot_of[(index - unit(from) + unit(to)) as usize]);
                }
            }
        }
        self.starts.push(self.moves.len() as u32);
        for from in 1..self.squares {
            let step = from - 1;
            if squares[from] == FROG {
                let jump = hop && squares[step] == TOAD && step > 0 && squares[step - 1] == BLANK;
                if squares[step] == BLANK || jump {
                    let to = if jump { step - 1 } else { step };
                    self.moves
                        .push(self.slot_of[(index + unit(from) - unit(to)) as usize]);
                }
            }
        }
        self.starts.push(self.moves.len() as u32);
    }
}

/// The squares of a word, leftmost first.
fn digits(mut index: u32, squares: usize) -> Vec<u32> {
    let mut digits = vec![0; squares];
    for digit in digits.iter_mut().rev() {
        *digit = index % 3;
        index /= 3;
    }
    digits
}

/// Numbers of toads and of frogs.
pub(super) fn count_pieces(index: u32, squares: usize) -> (usize, usize) {
    let digits = digits(index, squares);
    let count = |kind| digits.iter().filter(|&&digit| digit == kind).count();
    (count(TOAD), count(FROG))
}

fn mirror(index: u32, squares: usize) -> u32 {
    digits(index, squares)
        .iter()
        .rev()
        .fold(0, |mirrored, digit| mirrored * 3 + (2 - digit))
}
