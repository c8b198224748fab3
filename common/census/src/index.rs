//! The strips of a class by rank, as base-3 indices, without building them.

use std::ops::Range;

use toads_strip::{Class, Strip, Variant};

use crate::kernel::Layout;

/// Ranks of a block, and of a chunk of the digest.
pub const CHUNK_RANKS: u64 = 65_536;

/// The number of chunks, and so of blocks, of a class.
pub fn chunks(class: Class) -> u32 {
    class.size().div_ceil(CHUNK_RANKS) as u32
}

/// The ranks of a chunk.
pub fn chunk_ranks(class: Class, number: u32) -> Range<u64> {
    let start = u64::from(number) * CHUNK_RANKS;
    start..(start + CHUNK_RANKS).min(class.size())
}

/// Where the value of a core strip of `class` lies: the number of its block, and its place among the block's strips.
pub fn position(class: Class, core: &Strip) -> (u32, usize) {
    let number = (class.rank(core) / CHUNK_RANKS) as u32;
    let before = class.cores_below(u64::from(number) * CHUNK_RANKS);
    (number, (class.core_rank(core) - before) as usize)
}

/// A strip, by its indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indexed {
    /// The base-3 number of the strip.
    pub index: u64,
    /// The base-3 number of its mirror image.
    pub mirrored: u64,
    /// Whether it is a core strip: it neither starts with a frog nor ends with a toad.
    pub is_core: bool,
}

/// The strips of a class in rank order; about a nanosecond a strip.
pub struct ClassIndex {
    layout: Layout,
}

impl ClassIndex {
    /// Builds the layout: some 10 bytes for each of 3^⌊n/2⌋ high halves.
    pub fn new(class: Class) -> Self {
        Self {
            layout: Layout::new(Variant::Hop, class),
        }
    }

    /// The strips with these ranks, in order.
    pub fn strips(&self, ranks: Range<u64>) -> impl Iterator<Item = Indexed> + '_ {
        self.layout.strips(ranks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_come_in_rank_order_with_their_mirrors() {
        for n in 1..=9 {
            for class in Class::all(n) {
                let index = ClassIndex::new(class);
                let all: Vec<_> = index.strips(0..class.size()).collect();
                assert_eq!(all.len() as u64, class.size());
                for (strip, found) in class.strips().zip(&all) {
                    assert_eq!(u128::from(found.index), strip.index().unwrap(), "{strip}");
                    assert_eq!(
                        u128::from(found.mirrored),
                        strip.mirror().index().unwrap(),
                        "{strip}"
                    );
                    let (frogs, _, toads) = strip.core();
                    assert_eq!(found.is_core, frogs == 0 && toads == 0, "{strip}");
                }
                let (from, to) = (class.size() / 3, class.size() * 2 / 3);
                let part: Vec<_> = index.strips(from..to).collect();
                assert_eq!(part, all[from as usize..to as usize]);
            }
        }
    }
}
