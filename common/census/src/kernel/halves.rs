//! Half-strips: all words of a few squares, grouped by their pieces, with the moves inside them.

use std::sync::OnceLock;

use toads_strip::Variant;

use super::dead::{self, KINDS};

/// The longest half the kernel needs (24 squares in all).
const MAX_HALF: usize = 12;

pub(super) const FROG: u32 = 0;
pub(super) const BLANK: u32 = 1;
pub(super) const TOAD: u32 = 2;

/// The most moves of one player inside a half.
pub(super) const MOST_MOVES: usize = MAX_HALF / 2;

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
    /// Toads and frogs of a word, by index.
    pub(super) pieces_of: Vec<(u8, u8)>,
    /// The words of each group in an order in which every move leads to an earlier *stage*; see [`Self::staged`].
    staged: Vec<Word>,
    /// The places of the words in their group: those with each kind of dead end together, in order.
    by_end: Vec<u16>,
    /// See [`Self::images`]; by squares of the other half.
    images: [OnceLock<Box<[Image]>>; MAX_HALF + 1],
    /// Targets of the moves in slot s: Left's at `moves[starts[2s]..starts[2s+1]]`, Right's up to `starts[2s+2]`.
    starts: Vec<u32>,
    moves: Vec<u32>,
}

/// Where the mirror image of a strip lies whose low half is some word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    /// The index of its high half: the image of the last squares of the word.
    pub(super) high: u32,
    /// What the other squares of the word contribute to the index of its low half; the image of the high half makes up the rest.
    pub(super) front: u32,
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
    /// Where, in `staged`, the words begin that have each kind of dead end on the right, then those that have none, then the
    /// next group.
    pub(super) ends: [u32; KINDS + 2],
}

/// A word with the moves inside it (32 bytes), as places in its group. Behind its moves, and for the move that is not there, stands the
/// length of the group: a place no word has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// Its own place in the group.
    pub(super) rank: u16,
    /// The number of its stage in the group: no two words of a stage depend on each other.
    pub(super) stage: u16,
    /// Its first two squares a, b, as 3a + b; 0 for a word of one square.
    pub(super) prefix: u8,
    lefts: u8,
    rights: u8,
    left: [u16; MOST_MOVES],
    right: [u16; MOST_MOVES],
}

/// A word that nobody asks for.
pub(super) static NO_WORD: Word = Word {
    rank: 0,
    stage: 0,
    prefix: 0,
    lefts: 0,
    rights: 0,
    left: [0; MOST_MOVES],
    right: [0; MOST_MOVES],
};

impl Word {
    /// Where Left can move.
    #[inline]
    pub(super) fn left(&self) -> &[u16] {
        &self.left[..usize::from(self.lefts)]
    }

    /// Where Right can move.
    #[inline]
    pub(super) fn right(&self) -> &[u16] {
        &self.right[..usize::from(self.rights)]
    }

    /// Two places that hold Left's moves, and the moves beyond.
    #[inline]
    pub(super) fn left_by_two(&self) -> ([u16; 2], &[u16]) {
        (
            [self.left[0], self.left[1]],
            self.left().get(2..).unwrap_or(&[]),
        )
    }

    /// The same for Right.
    #[inline]
    pub(super) fn right_by_two(&self) -> ([u16; 2], &[u16]) {
        (
            [self.right[0], self.right[1]],
            self.right().get(2..).unwrap_or(&[]),
        )
    }
}

impl Halves {
    /// The tables for one ruleset and length, built once per process. About 70 bytes a word.
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
        digits(index, self.squares)[..self.squares].to_vec()
    }

    /// The words of `group` with this kind of dead end on the right ([`KINDS`]: with none), stage by stage: the words of one stage do
    /// not depend on each other, and every move leads to an earlier one, or to a word with a dead end.
    pub(super) fn staged(&self, group: &Group, kind: usize) -> &[Word] {
        &self.staged[group.ends[kind] as usize..group.ends[kind + 1] as usize]
    }

    /// The places in `group` of the words with this kind of dead end on the right, in order.
    pub(super) fn with_dead_end(&self, group: &Group, kind: usize) -> &[u16] {
        &self.by_end[group.ends[kind] as usize..group.ends[kind + 1] as usize]
    }

    /// The places in `group` of the words without a dead end on the right, in order.
    pub(super) fn without_dead_end(&self, group: &Group) -> &[u16] {
        &self.by_end[group.ends[KINDS] as usize..group.ends[KINDS + 1] as usize]
    }

    /// By slot, where the mirror image of a strip lies that has the word as its low half, when the high half has so many squares:
    /// no more than these. Made once.
    pub(super) fn images(&self, high_squares: usize) -> &[Image] {
        self.images[high_squares].get_or_init(|| {
            let front = POWERS[self.squares - high_squares];
            let image = |&mirror: &u32| Image {
                high: mirror / front,
                front: mirror % front * POWERS[high_squares],
            };
            self.mirror_of.iter().map(image).collect()
        })
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
        let unit = if squares >= 2 { words / 9 } else { words };
        let facts = Facts::of_all(squares);
        let mut by_group: Vec<Vec<u32>> = vec![vec![]; (squares + 1) * (squares + 1)];
        for (index, facts) in (0..).zip(&facts) {
            let (toads, frogs) = (usize::from(facts.toads), usize::from(facts.frogs));
            by_group[toads * (squares + 1) + frogs].push(index);
        }
        let index_of: Vec<u32> = by_group.concat();
        let mut slot_of = vec![0; words as usize];
        for (slot, &index) in index_of.iter().enumerate() {
            slot_of[index as usize] = slot as u32;
        }
        let of = |&index: &u32| &facts[index as usize];
        let mut halves = Self {
            squares,
            words,
            groups: Vec::with_capacity(by_group.len()),
            mirror_of: index_of.iter().map(|index| of(index).mirror).collect(),
            pieces_of: facts.iter().map(|of| (of.toads, of.frogs)).collect(),
            slot_of,
            index_of,
            staged: Vec::with_capacity(words as usize),
            by_end: Vec::with_capacity(words as usize),
            images: [const { OnceLock::new() }; MAX_HALF + 1],
            starts: Vec::with_capacity(words as usize * 2 + 1),
            // A word has fewer moves than that on average.
            moves: Vec::with_capacity(words as usize * 4),
        };
        halves.starts.push(0);
        for slot in 0..words as usize {
            halves.push_moves(variant, halves.index_of[slot]);
        }
        for members in &by_group {
            halves.push_group(members, unit, &facts);
        }
        halves
    }

    /// The next group: where its words begin with which squares, and its stages.
    fn push_group(&mut self, members: &[u32], unit: u32, facts: &[Facts]) {
        let offset = self.staged.len() as u32;
        let mut prefix = [members.len() as u32; 10];
        for (at, start) in prefix.iter_mut().enumerate().take(9) {
            *start = members.partition_point(|&index| index < at as u32 * unit) as u32;
        }
        // Within a stage, words with as many moves and the same first squares follow each other: the processor then
        // foresees the branches of the evaluation.
        let mut order: Vec<Order> = (offset..)
            .zip(members)
            .map(|(slot, &index)| {
                let facts = &facts[index as usize];
                let moves = [self.left_moves(slot).len(), self.right_moves(slot).len()];
                Order::new(facts, (index / unit) as u8, moves, slot)
            })
            .collect();
        order.sort_unstable();
        let mut ends = [offset + members.len() as u32; KINDS + 2];
        for (kind, end) in ends.iter_mut().enumerate().take(KINDS + 1) {
            *end = offset + order.partition_point(|word| word.kind() < kind) as u32;
            let places = (0..)
                .zip(members)
                .filter(|&(_, &index)| usize::from(facts[index as usize].dead_end) == kind);
            self.by_end.extend(places.map(|(place, _): (u16, _)| place));
        }
        let nowhere = members.len() as u16;
        let padded = |moves: &[u32]| {
            let mut places = [nowhere; MOST_MOVES];
            for (place, slot) in places.iter_mut().zip(moves) {
                *place = (slot - offset) as u16;
            }
            places
        };
        let (mut stage, mut last) = (0, order.first().map(|word| word.stage()));
        for word in &order {
            stage += u16::from(last != Some(word.stage()));
            last = Some(word.stage());
            let slot = word.slot();
            let (left, right) = (self.left_moves(slot), self.right_moves(slot));
            let word = Word {
                rank: (slot - offset) as u16,
                stage,
                prefix: (self.index_of[slot as usize] / unit) as u8,
                lefts: left.len() as u8,
                rights: right.len() as u8,
                left: padded(left),
                right: padded(right),
            };
            self.staged.push(word);
        }
        self.groups.push(Group {
            offset,
            len: members.len() as u32,
            prefix,
            ends,
        });
    }

    fn push_moves(&mut self, variant: Variant, index: u32) {
        let hop = variant == Variant::Hop;
        // Beyond the ends stand pieces that nobody moves and that nobody can pass: frogs on the left, toads on the right.
        let mut squares = [FROG; MAX_HALF + 4];
        let end = self.squares + 2;
        squares[2..end].copy_from_slice(&digits(index, self.squares)[..self.squares]);
        squares[end..].fill(TOAD);
        let unit = |at: usize| POWERS[end - 1 - at];
        // A toad from `from` to `to`: 2 becomes 1 there, 1 becomes 2 here. A frog: 0 becomes 1, 1 becomes 0.
        for from in 2..end {
            if squares[from] == TOAD {
                let jump = hop && squares[from + 1] == FROG && squares[from + 2] == BLANK;
                if squares[from + 1] == BLANK || jump {
                    let to = from + 1 + usize::from(jump);
                    let reached = index - unit(from) + unit(to);
                    self.moves.push(self.slot_of[reached as usize]);
                }
            }
        }
        self.starts.push(self.moves.len() as u32);
        for from in 2..end {
            if squares[from] == FROG {
                let jump = hop && squares[from - 1] == TOAD && squares[from - 2] == BLANK;
                if squares[from - 1] == BLANK || jump {
                    let to = from - 1 - usize::from(jump);
                    let reached = index + unit(from) - unit(to);
                    self.moves.push(self.slot_of[reached as usize]);
                }
            }
        }
        self.starts.push(self.moves.len() as u32);
    }
}

/// Powers of three.
const POWERS: [u32; MAX_HALF + 1] = {
    let mut powers = [1; MAX_HALF + 1];
    let mut at = 1;
    while at <= MAX_HALF {
        powers[at] = powers[at - 1] * 3;
        at += 1;
    }
    powers
};

/// The squares of a word, leftmost first; those beyond `squares` are 0.
fn digits(mut index: u32, squares: usize) -> [u32; MAX_HALF] {
    let mut digits = [0; MAX_HALF];
    for digit in digits[..squares].iter_mut().rev() {
        *digit = index % 3;
        index /= 3;
    }
    digits
}

/// Where a word of a group stands in the order of evaluation. From the top: the kind of its dead end (8 bits), its way to go (12),
/// its first squares (4), Left's moves (4), Right's (4), its slot (32).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Order(u64);

impl Order {
    fn new(facts: &Facts, prefix: u8, [lefts, rights]: [usize; 2], slot: u32) -> Self {
        debug_assert!(facts.way_to_go < 1 << 12 && lefts.max(rights) < 16);
        let key = u64::from(facts.dead_end) << 24 | u64::from(facts.way_to_go) << 12;
        let key = key | u64::from(prefix) << 8 | (lefts as u64) << 4 | rights as u64;
        Self(key << 32 | u64::from(slot))
    }

    fn kind(self) -> usize {
        (self.0 >> 56) as usize
    }

    fn stage(self) -> u64 {
        self.0 >> 44
    }

    fn slot(self) -> u32 {
        self.0 as u32
    }
}

/// What the squares of a word say.
#[derive(Clone, Copy)]
struct Facts {
    toads: u8,
    frogs: u8,
    /// The kind of its dead end on the right; [`KINDS`] when there is none.
    dead_end: u8,
    /// Squares between the toads and the right end, and between the frogs and the left end, in all. Every move lowers it.
    way_to_go: u16,
    /// Index of the mirror image.
    mirror: u32,
}

impl Facts {
    /// Of all words of so many squares, by index; each from the word without its last square.
    fn of_all(squares: usize) -> Vec<Self> {
        let mut all = vec![Self {
            toads: 0,
            frogs: 0,
            dead_end: KINDS as u8,
            way_to_go: 0,
            mirror: 0,
        }];
        let mut unit = 1;
        for before in 0..squares {
            let longer = all.iter().flat_map(|&word| {
                [FROG, BLANK, TOAD].map(|last| Self {
                    toads: word.toads + u8::from(last == TOAD),
                    frogs: word.frogs + u8::from(last == FROG),
                    way_to_go: word.way_to_go
                        + u16::from(word.toads)
                        + if last == FROG { before as u16 } else { 0 },
                    mirror: word.mirror + (2 - last) * unit,
                    ..word
                })
            });
            all = longer.collect();
            unit *= 3;
        }
        for (index, word) in (0..).zip(&mut all) {
            let kind = dead::on_the_right(&digits(index, squares)[..squares]);
            word.dead_end = kind.unwrap_or(KINDS) as u8;
        }
        all
    }
}
