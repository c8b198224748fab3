//! Variants, shards and ranges.

use std::ops::RangeInclusive;

use toads_census::{MAX_CENSUS_SQUARES, Shard};
use toads_strip::{Class, Variant};

use super::{Result, WireError, out_of_range};
use crate::v1;

/// A variant as its message.
pub fn to_variant(variant: Variant) -> v1::Variant {
    match variant {
        Variant::Hop => v1::Variant::Hop,
        Variant::Hopless => v1::Variant::Hopless,
    }
}

/// A variant from its number.
pub fn variant(number: i32) -> Result<Variant> {
    match v1::Variant::try_from(number) {
        Ok(v1::Variant::Hop) => Ok(Variant::Hop),
        Ok(v1::Variant::Hopless) => Ok(Variant::Hopless),
        _ => Err(out_of_range("variant", &number, "1 (hop) and 2 (hopless)")),
    }
}

/// What is kept, as its message: blocks, or tallies alone.
pub fn to_keep(blocks: bool) -> v1::Keep {
    if blocks {
        v1::Keep::Blocks
    } else {
        v1::Keep::Tallies
    }
}

/// Whether blocks are kept, from the number of a `Keep`.
pub fn keep_blocks(number: i32) -> Result<bool> {
    match v1::Keep::try_from(number) {
        Ok(v1::Keep::Blocks) => Ok(true),
        Ok(v1::Keep::Tallies) => Ok(false),
        _ => Err(out_of_range("keep", &number, "1 (blocks) and 2 (tallies)")),
    }
}

/// A shard as its message.
pub fn to_shard(shard: Shard) -> v1::Shard {
    v1::Shard {
        variant: to_variant(shard.variant).into(),
        squares: shard.class.n.into(),
        toads: shard.class.toads.into(),
        frogs: shard.class.frogs.into(),
        block: shard.block.into(),
    }
}

/// A shard from its message: a class that this plan version computes.
pub fn shard(message: Option<&v1::Shard>) -> Result<Shard> {
    let message = message.ok_or(WireError::Missing("the shard"))?;
    let variant = variant(message.variant)?;
    if message.squares < 1 || message.squares > MAX_CENSUS_SQUARES.into() {
        return Err(out_of_range("squares", &message.squares, "1..24"));
    }
    let class = Class::new(
        message.squares as usize,
        message.toads as usize,
        message.frogs as usize,
    )
    .map_err(|_| {
        out_of_range(
            "toads + frogs",
            &(u64::from(message.toads) + u64::from(message.frogs)),
            "0..squares",
        )
    })?;
    if !class.is_computed() {
        return Err(out_of_range(
            "frogs",
            &message.frogs,
            "0..toads; ask for the mirror class",
        ));
    }
    if message.block != 0 {
        return Err(out_of_range(
            "block",
            &message.block,
            "0..0 in this version of the plan",
        ));
    }
    Ok(Shard::whole(variant, class))
}

/// The shard that a submission is about.
pub fn submitted_shard(header: &v1::SubmitHeader) -> Result<Shard> {
    let key = header.key.as_ref().ok_or(WireError::Missing("the lease"))?;
    shard(key.shard.as_ref())
}

/// A range of squares of one variant, as its message.
pub fn to_range(variant: Variant, squares: &RangeInclusive<u8>) -> v1::Range {
    v1::Range {
        variant: to_variant(variant).into(),
        first_squares: (*squares.start()).into(),
        last_squares: (*squares.end()).into(),
    }
}

/// A range of squares of one variant: not empty, within 1 to 24.
pub fn range(message: Option<&v1::Range>) -> Result<(Variant, RangeInclusive<u8>)> {
    let message = message.ok_or(WireError::Missing("the range"))?;
    let (first, last) = (message.first_squares, message.last_squares);
    if first < 1 || last < first || last > MAX_CENSUS_SQUARES.into() {
        return Err(out_of_range(
            "squares",
            &format!("{first}..{last}"),
            "1..24, the smaller number first",
        ));
    }
    Ok((variant(message.variant)?, first as u8..=last as u8))
}
