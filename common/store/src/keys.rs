//! Keys: fixed width, big-endian, so that byte order is the order of meaning.
//!
//! | column family | key | bytes |
//! |---|---|---|
//! | `meta` | name | ASCII |
//! | `runs` | id | 4 |
//! | `shards`, `quarantine` | variant, n, toads, frogs, block | 1 1 1 1 2 |
//! | `tallies`, `blocks` | the shard, then the part or block number | 6 + 4 |
//! | `ids`, `values` | the number of the first value of the row | 4 |
//! | `events` | sequence number | 8 |
//! | `surveys` | id | 16 |
//! | `cells` | the survey, then the index of the cell | 16 + 4 |

use toads_census::{MAX_CENSUS_SQUARES, Shard};
use toads_strip::{Class, Variant};
use toads_survey::SurveyId;

/// Bytes of a shard's key.
pub const SHARD_KEY_BYTES: usize = 6;

/// Bytes of the key of a block or of a part of a tally.
pub const PART_KEY_BYTES: usize = SHARD_KEY_BYTES + 4;

/// The key of a shard.
pub fn shard(shard: Shard) -> [u8; SHARD_KEY_BYTES] {
    let [high, low] = shard.block.to_be_bytes();
    let Class { n, toads, frogs } = shard.class;
    [shard.variant.code(), n, toads, frogs, high, low]
}

/// The shard of a key; `None` where no shard has such a key: other variants, or classes that no census reaches.
pub fn parse_shard(key: &[u8]) -> Option<Shard> {
    let &[variant, n, toads, frogs, high, low] = key else {
        return None;
    };
    let class = Class::new(n.into(), toads.into(), frogs.into())
        .ok()
        .filter(|class| class.n <= MAX_CENSUS_SQUARES)?;
    Some(Shard {
        variant: Variant::from_code(variant)?,
        class,
        block: u16::from_be_bytes([high, low]),
    })
}

/// The key of block or part `number` of a shard.
pub fn part(of: Shard, number: u32) -> [u8; PART_KEY_BYTES] {
    let mut key = [0; PART_KEY_BYTES];
    key[..SHARD_KEY_BYTES].copy_from_slice(&shard(of));
    key[SHARD_KEY_BYTES..].copy_from_slice(&number.to_be_bytes());
    key
}

/// The shard and number of a block's or part's key.
pub fn parse_part(key: &[u8]) -> Option<(Shard, u32)> {
    let (head, number) = key.split_at_checked(SHARD_KEY_BYTES)?;
    Some((
        parse_shard(head)?,
        u32::from_be_bytes(number.try_into().ok()?),
    ))
}

/// The least key above every part of a shard: an exclusive upper bound.
pub fn parts_end(of: Shard) -> Vec<u8> {
    // A further byte after the largest number: no key of this width is larger and still the shard's.
    let mut end = part(of, u32::MAX).to_vec();
    end.push(0);
    end
}

/// The survey of a key; `None` where no survey has such a key.
pub fn parse_survey(key: &[u8]) -> Option<SurveyId> {
    key.try_into().ok().map(SurveyId)
}

/// The key of a cell.
pub fn cell(survey: SurveyId, index: u32) -> [u8; 20] {
    let mut key = [0; 20];
    key[..16].copy_from_slice(&survey.0);
    key[16..].copy_from_slice(&index.to_be_bytes());
    key
}

/// The survey and the index of a cell's key.
pub fn parse_cell(key: &[u8]) -> Option<(SurveyId, u32)> {
    let (survey, index) = key.split_at_checked(16)?;
    let index = u32::from_be_bytes(index.try_into().ok()?);
    Some((parse_survey(survey)?, index))
}

/// The least key above every cell of a survey: an exclusive upper bound.
pub fn cells_end(survey: SurveyId) -> Vec<u8> {
    let mut end = cell(survey, u32::MAX).to_vec();
    end.push(0);
    end
}

/// The least key that belongs to a variant, for shards and everything keyed by shard.
pub fn variant_start(variant: Variant) -> [u8; 1] {
    [variant.code()]
}

/// The least key above everything of a variant: an exclusive upper bound.
pub fn variant_end(variant: Variant) -> [u8; 1] {
    [variant.code() + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_like_shards_and_read_back() {
        let mut shards: Vec<Shard> = Vec::new();
        for variant in Variant::ALL {
            for class in (1..=12).flat_map(Class::all) {
                shards.extend([0, 1, 300].map(|block| Shard {
                    variant,
                    class,
                    block,
                }));
            }
        }
        assert!(shards.is_sorted());
        let keys: Vec<_> = shards.iter().map(|&s| shard(s)).collect();
        assert!(keys.is_sorted_by(|a, b| a < b));
        for (&s, key) in shards.iter().zip(&keys) {
            assert_eq!(parse_shard(key), Some(s));
            assert_eq!(parse_part(&part(s, 70_000)), Some((s, 70_000)));
            assert!(part(s, u32::MAX).as_slice() < parts_end(s).as_slice());
            assert!(variant_start(s.variant).as_slice() < key.as_slice());
            assert!(variant_end(s.variant).as_slice() > key.as_slice());
        }
        assert!(
            shards
                .windows(2)
                .all(|pair| parts_end(pair[0]).as_slice() < part(pair[1], 0).as_slice())
        );
    }

    #[test]
    fn what_is_no_key_is_none() {
        assert_eq!(parse_shard(&[2, 1, 0, 0, 0, 0]), None);
        assert_eq!(parse_shard(&[0, 3, 2, 2, 0, 0]), None);
        assert_eq!(parse_shard(b"short"), None);
        // A class, but of no census: there are no tables for its strips.
        assert_eq!(parse_shard(&[0, 25, 2, 2, 0, 0]), None);
        assert_eq!(parse_shard(&[0, 40, 2, 2, 0, 0]), None);
        assert_eq!(parse_part(b"sho"), None);
        assert_eq!(parse_part(&[0, 1, 0, 0, 0, 0, 0]), None);
    }
}
