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
    /// First two squares a, b of the word in a slot, as 3a + b; 0 for a word of one square.
    pub(super) prefix_of: Vec<u8>,
    /// Toads and frogs of a word, by index.
    pub(super) pieces_of: Vec<(u8, u8)>,
    /// The slots of each group in an order in which every move leads to an earlier *stage*; see [`Self::stages`].
    staged: Vec<u32>,
    /// Where each stage begins in `staged`, and where the last one ends.
    stage_starts: Vec<u32>,
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
    /// How many end with a toad.
    pub(super) toad_last: u32,
    /// The stages of the group in `stage_starts`: those of words that end with a toad, then the others.
    stages: [u32; 3],
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
        digits(index, self.squares)[..self.squares].to_vec()
    }

    /// The slots of `group` in stages; words of one stage do not depend on each other, and every move leads to an
    /// earlier stage. A dead toad on the last square never moves, so the words that have one come first; with
    /// `skip_toad_last` they are left out.
    pub(super) fn stages(
        &self,
        group: &Group,
        skip_toad_last: bool,
    ) -> impl Iterator<Item = &[u32]> {
        let from = group.stages[usize::from(skip_toad_last)] as usize;
        self.stage_starts[from..=group.stages[2] as usize]
            .windows(2)
            .map(|ends| &self.staged[ends[0] as usize..ends[1] as usize])
    }

    /// The slots of `group` whose words end with a toad, in order.
    pub(super) fn toad_last(&self, group: &Group) -> impl Iterator<Item = u32> + '_ {
        (group.offset..group.offset + group.len)
            .filter(|&slot| self.index_of[slot as usize] % 3 == TOAD)
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
        let facts: Vec<Facts> = (0..words).map(|index| Facts::of(index, squares)).collect();
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
            prefix_of: index_of.iter().map(|index| (index / unit) as u8).collect(),
            pieces_of: facts.iter().map(|of| (of.toads, of.frogs)).collect(),
            slot_of,
            index_of,
            staged: Vec::with_capacity(words as usize),
            stage_starts: vec![0],
            starts: vec![0],
            moves: vec![],
        };
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
        let stage = |&slot: &u32| {
            let facts = &facts[self.index_of[slot as usize] as usize];
            (!facts.toad_last, facts.way_to_go)
        };
        // Within a stage, words with as many moves and the same first squares follow each other: the processor then
        // foresees the branches of the evaluation.
        let alike = |&slot: &u32| {
            let moves = (self.left_moves(slot).len(), self.right_moves(slot).len());
            (stage(&slot), self.prefix_of[slot as usize], moves)
        };
        let mut slots: Vec<u32> = (offset..offset + members.len() as u32).collect();
        slots.sort_by_cached_key(alike);
        let first_stage = self.stage_starts.len() as u32 - 1;
        let (mut toad_last, mut stages) = (0, [first_stage; 3]);
        for of_one_stage in slots.chunk_by(|a, b| stage(a) == stage(b)) {
            if !stage(&of_one_stage[0]).0 {
                toad_last += of_one_stage.len() as u32;
                stages[1] += 1;
            }
            stages[2] += 1;
            let start = self.stage_starts[self.stage_starts.len() - 1];
            self.stage_starts.push(start + of_one_stage.len() as u32);
        }
        self.staged.extend(slots);
        self.groups.push(Group {
            offset,
            len: members.len() as u32,
            prefix,
            toad_last,
            stages,
        });
    }

    fn push_moves(&mut self, variant: Variant, index: u32) {
        let hop = variant == Variant::Hop;
        let all = digits(index, self.squares);
        let squares = &all[..self.squares];
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

/// The squares of a word, leftmost first; those beyond `squares` are 0.
fn digits(mut index: u32, squares: usize) -> [u32; MAX_HALF] {
    let mut digits = [0; MAX_HALF];
    for digit in digits[..squares].iter_mut().rev() {
        *digit = index % 3;
        index /= 3;
    }
    digits
}

/// What the squares of a word say.
struct Facts {
    toads: u8,
    frogs: u8,
    toad_last: bool,
    /// Squares between the toads and the right end, and between the frogs and the left end, in all. Every move lowers it.
    way_to_go: u16,
    /// Index of the mirror image.
    mirror: u32,
}

impl Facts {
    fn of(index: u32, squares: usize) -> Self {
        let digits = digits(index, squares);
        let mut facts = Self {
            toads: 0,
            frogs: 0,
            toad_last: squares > 0 && digits[squares - 1] == TOAD,
            way_to_go: 0,
            mirror: 0,
        };
        for (at, &digit) in digits[..squares].iter().enumerate().rev() {
            facts.mirror = facts.mirror * 3 + (2 - digit);
            match digit {
                TOAD => {
                    facts.toads += 1;
                    facts.way_to_go += (squares - 1 - at) as u16;
                }
                FROG => {
                    facts.frogs += 1;
                    facts.way_to_go += at as u16;
                }
                _ => {}
            }
        }
        facts
    }
}
