//! Half-strips: all words of a few squares, grouped by their pieces, with the moves inside them.

use std::sync::OnceLock;

use toads_strip::Variant;

use super::dead::KINDS;
use super::word::{Facts, MAX_HALF, MOST_MOVES, Moves, POWERS, digits, grown};

/// All words of `squares` squares. A *slot* numbers them group by group, in index order within a group.
pub(super) struct Halves {
    variant: Variant,
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
    /// By index.
    pub(super) facts: Vec<Facts>,
    /// The words of each group in an order in which every move leads to an earlier *stage*; see [`Self::staged`].
    staged: Vec<Word>,
    /// The places of the words in their group: those with each kind of dead end together, in order.
    by_end: Vec<u16>,
    /// See [`Self::images`]; by squares of the other half.
    images: [OnceLock<Box<[Image]>>; MAX_HALF + 1],
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

/// A word with the moves inside it (32 bytes), as places in its group. Behind Left's moves stands the length of the group, behind Right's one
/// more: places that no word has.
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

    /// The first places of Left's moves, which may be those of none, and the moves beyond.
    #[inline]
    pub(super) fn left_by<const COUNT: usize>(&self) -> (&[u16; COUNT], &[u16]) {
        by(&self.left, self.left())
    }

    /// The same for Right.
    #[inline]
    pub(super) fn right_by<const COUNT: usize>(&self) -> (&[u16; COUNT], &[u16]) {
        by(&self.right, self.right())
    }
}

#[inline]
fn by<'a, const COUNT: usize>(
    places: &'a [u16; MOST_MOVES],
    moves: &'a [u16],
) -> (&'a [u16; COUNT], &'a [u16]) {
    let first = places.first_chunk().expect("there are so many places");
    // More than that: a word that has just so many would make the branch hard to foresee.
    let more = if moves.len() > COUNT {
        &moves[COUNT..]
    } else {
        &[]
    };
    (first, more)
}

impl Halves {
    /// The tables for one ruleset and length, built once per process. About 60 bytes a word.
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

    /// The words that Left's moves lead to, by index.
    #[inline]
    pub(super) fn left_moves(&self, index: u32) -> Moves {
        self.facts[index as usize].left_moves(self.variant, self.squares, index)
    }

    /// The words that Right's moves lead to, by index.
    #[inline]
    pub(super) fn right_moves(&self, index: u32) -> Moves {
        self.facts[index as usize].right_moves(self.variant, self.squares, index)
    }

    fn build(variant: Variant, squares: usize) -> Self {
        let words = POWERS[squares];
        let facts = Facts::of_all(squares);
        let group_of =
            |word: &Facts| usize::from(word.toads()) * (squares + 1) + usize::from(word.frogs());
        // Sorted by counting: where the words of each group begin, then where the next one goes.
        let mut next = vec![0; (squares + 1) * (squares + 1) + 1];
        for word in &facts {
            next[group_of(word) + 1] += 1;
        }
        let lens = next[1..].to_vec();
        for group in 1..next.len() {
            next[group] += next[group - 1];
        }
        let mut slot_of = vec![0; words as usize];
        let mut index_of = vec![0; words as usize];
        for (index, word) in (0..).zip(&facts) {
            let next = &mut next[group_of(word)];
            slot_of[index as usize] = *next;
            index_of[*next as usize] = index;
            *next += 1;
        }
        let mut halves = Self {
            variant,
            squares,
            words,
            groups: Vec::with_capacity(lens.len()),
            mirror_of: mirrors(squares, &index_of),
            facts,
            slot_of,
            index_of,
            staged: Vec::with_capacity(words as usize),
            by_end: Vec::with_capacity(words as usize),
            images: [const { OnceLock::new() }; MAX_HALF + 1],
        };
        for len in lens {
            halves.push_group(len);
        }
        halves
    }

    /// The next group, of so many words: where they begin with which squares, and their stages.
    fn push_group(&mut self, len: u32) {
        let offset = self.staged.len() as u32;
        let members = &self.index_of[offset as usize..][..len as usize];
        let unit = if self.squares >= 2 {
            self.words / 9
        } else {
            self.words
        };
        let mut prefix = [len; 10];
        for (at, start) in prefix.iter_mut().enumerate().take(9) {
            *start = members.partition_point(|&index| index < at as u32 * unit) as u32;
        }
        let mut order = Vec::with_capacity(members.len());
        let mut words = Vec::with_capacity(members.len());
        let mut ends = [offset; KINDS + 2];
        for (rank, &index) in (0..).zip(members) {
            let word = self.word(index, rank, (index / unit) as u8, offset, len as u16);
            let facts = &self.facts[index as usize];
            order.push(Order::new(facts, &word));
            words.push(word);
            for end in &mut ends[usize::from(facts.back) + 1..] {
                *end += 1;
            }
        }
        order.sort_unstable();
        let mut next = ends;
        self.by_end.resize(self.staged.len() + members.len(), 0);
        for (rank, &index) in (0..).zip(members) {
            let next = &mut next[usize::from(self.facts[index as usize].back)];
            self.by_end[*next as usize] = rank;
            *next += 1;
        }
        let (mut stage, mut last) = (0, order.first().map(|word| word.stage()));
        for &at in &order {
            stage += u16::from(last != Some(at.stage()));
            last = Some(at.stage());
            let word = words[at.rank()];
            self.staged.push(Word { stage, ..word });
        }
        self.groups.push(Group {
            offset,
            len,
            prefix,
            ends,
        });
    }

    /// The word with this index and place in the group whose first word is in slot `offset`. Its stage is not
    /// known yet.
    fn word(&self, index: u32, rank: u16, prefix: u8, offset: u32, len: u16) -> Word {
        let (left, right) = (self.left_moves(index), self.right_moves(index));
        let places = |moves: &[u32], nowhere: u16| {
            let mut places = [nowhere; MOST_MOVES];
            for (place, &to) in places.iter_mut().zip(moves) {
                *place = (self.slot_of[to as usize] - offset) as u16;
            }
            places
        };
        Word {
            rank,
            stage: 0,
            prefix,
            lefts: left.len() as u8,
            rights: right.len() as u8,
            left: places(&left, len),
            right: places(&right, len + 1),
        }
    }
}

/// The index of the mirror image of each word.
fn mirrors(squares: usize, of: &[u32]) -> Vec<u32> {
    let all = grown(squares, 0, |mirror, last, before| {
        mirror + (2 - last) * POWERS[before]
    });
    of.iter().map(|&index| all[index as usize]).collect()
}

/// Where a word of a group stands in the order of evaluation. From the top: the kind of its dead end (8 bits), its way to go (12),
/// its first squares (4), Left's moves (4), Right's (4), its place in the group (32). Within a stage, words with the same first squares and
/// as many moves follow each other: the processor then foresees the branches of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Order(u64);

impl Order {
    fn new(facts: &Facts, word: &Word) -> Self {
        debug_assert!(facts.way_to_go < 1 << 12 && word.lefts.max(word.rights) < 16);
        let key = u64::from(facts.back) << 24 | u64::from(facts.way_to_go) << 12;
        let key = key | u64::from(word.prefix) << 8;
        let key = key | u64::from(word.lefts) << 4 | u64::from(word.rights);
        Self(key << 32 | u64::from(word.rank))
    }

    fn stage(self) -> u64 {
        self.0 >> 44
    }

    fn rank(self) -> usize {
        self.0 as u32 as usize
    }
}
