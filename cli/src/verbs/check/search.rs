//! Claims are compared by play through the search that `toads compare` has.

use toads_claims::Comparer;
use toads_game::{Relation, notation};
use toads_search::{Limits, Searcher, Sum};
use toads_strip::{Strip, Variant};

/// A search for each comparison, within a share of the memory.
#[derive(Debug)]
pub(super) struct Comparing {
    limits: Limits,
}

impl Comparing {
    /// A quarter of the memory, 512 MiB when none was named.
    pub(super) fn new(memory: Option<u64>, threads: usize) -> Self {
        Self {
            limits: Limits {
                memory: memory.map_or(512 << 20, |memory| memory / 4),
                threads,
                ..Limits::default()
            },
        }
    }
}

impl Comparer for Comparing {
    fn compare(&self, strip: &Strip, value: &str) -> Option<Relation> {
        let arena = self.limits.arena();
        let value = notation::parse(&arena, value).ok()?;
        let mut searcher = Searcher::new(&arena, Variant::Hop, self.limits);
        let answer = searcher.compare(&Sum::from(strip.clone()), &Sum::from(value));
        answer.ok()?.relation()
    }
}
