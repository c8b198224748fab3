//! Which committed shards are meant.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use toads_census::Shard;
use toads_strip::Variant;

use crate::records::ShardRecord;

/// Conditions on committed shards; all of those that are given must hold. None given selects nothing: what removes results
/// must say which.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// These shards.
    pub shards: Option<BTreeSet<Shard>>,
    /// Whose result came from this worker: `name#id` for one registration, `name` for all that called themselves so.
    pub worker: Option<String>,
    /// Of this variant. Alone it selects nothing.
    pub variant: Option<Variant>,
    /// Of so many squares.
    pub squares: Option<RangeInclusive<u8>>,
}

impl Selection {
    /// Whether it says which.
    pub fn is_empty(&self) -> bool {
        self.shards.is_none() && self.worker.is_none() && self.squares.is_none()
    }

    /// Whether a committed shard is meant.
    pub fn covers(&self, record: &ShardRecord) -> bool {
        let Shard { variant, class, .. } = record.shard;
        let came_from = |worker: &String| {
            record.worker == *worker
                || record
                    .worker
                    .rsplit_once('#')
                    .is_some_and(|(name, _)| name == worker)
        };
        !self.is_empty()
            && self
                .shards
                .as_ref()
                .is_none_or(|shards| shards.contains(&record.shard))
            && self.worker.as_ref().is_none_or(came_from)
            && self.variant.is_none_or(|wanted| wanted == variant)
            && self
                .squares
                .as_ref()
                .is_none_or(|squares| squares.contains(&class.n))
    }
}

#[cfg(test)]
mod tests {
    use toads_census::Digest;
    use toads_strip::Class;

    use super::*;

    fn record(variant: Variant, n: usize, worker: &str) -> ShardRecord {
        ShardRecord {
            shard: Shard::whole(variant, Class::new(n, 1, 1).unwrap()),
            digest: Digest([0; 32]),
            strips: 1,
            distinct: 1,
            blocks: 0,
            block_bytes: 0,
            epoch: 1,
            worker: worker.to_owned(),
            committed_ms: 0,
            evaluate_ms: 0,
        }
    }

    #[test]
    fn all_conditions_must_hold_and_none_selects_nothing() {
        let records = [
            record(Variant::Hop, 4, "a#1"),
            record(Variant::Hop, 5, "a#2"),
            record(Variant::Hopless, 5, "a#1#3"),
        ];
        let count = |selection: &Selection| {
            let covers = |record: &&ShardRecord| selection.covers(record);
            records.iter().filter(covers).count()
        };
        let none = Selection::default();
        assert_eq!(count(&none), 0);
        let worker = |name: &str| Selection {
            worker: Some(name.to_owned()),
            ..none.clone()
        };
        for (name, found) in [
            ("a", 2),
            ("a#1", 2),
            ("a#1#3", 1),
            ("a#2", 1),
            ("b", 0),
            ("", 0),
        ] {
            assert_eq!(count(&worker(name)), found, "{name}");
        }
        let variant = Selection {
            variant: Some(Variant::Hop),
            ..none.clone()
        };
        assert_eq!(
            count(&variant),
            0,
            "a whole variant is nobody's wish by itself"
        );
        let squares = Selection {
            squares: Some(5..=9),
            ..none.clone()
        };
        assert_eq!(count(&squares), 2);
        let both = Selection {
            squares: Some(5..=9),
            ..worker("a")
        };
        assert_eq!(count(&both), 1);
        let shards = Selection {
            shards: Some([records[0].shard].into()),
            ..none
        };
        assert_eq!(count(&shards), 1);
    }
}
