//! What a part is a part of.

use std::fmt;
use std::ops::RangeInclusive;

use toads_census::{Digest, MAX_PARTS, Shard, fingerprint, part_of};
use toads_strip::Variant;

use crate::convert::{self, Result, out_of_range};
use crate::v1;

/// The head of a part file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartHeader {
    /// What decides the bytes of a result; see [`toads_census::fingerprint()`].
    pub fingerprint: Digest,
    /// The ruleset.
    pub variant: Variant,
    /// The numbers of squares of the census that was split.
    pub squares: RangeInclusive<u8>,
    /// Which part: 1 to `parts`.
    pub part: u32,
    /// Into how many the census was split: 1 to [`MAX_PARTS`].
    pub parts: u32,
    /// Whether the values of single strips are in it.
    pub keep_blocks: bool,
    /// The program and its version, for people.
    pub producer: String,
}

impl PartHeader {
    /// The head of a part that this build computes.
    pub fn new(
        variant: Variant,
        squares: RangeInclusive<u8>,
        (part, parts): (u32, u32),
        keep_blocks: bool,
    ) -> Self {
        Self {
            fingerprint: fingerprint(),
            variant,
            squares,
            part,
            parts,
            keep_blocks,
            producer: concat!("toads ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// The shards of the part, in the order in which they stand in the file.
    pub fn shards(&self) -> Vec<Shard> {
        part_of(self.variant, self.squares.clone(), self.part, self.parts)
    }

    pub(super) fn to_message(&self) -> v1::PartHeader {
        v1::PartHeader {
            fingerprint: convert::to_digest(self.fingerprint),
            range: Some(convert::to_range(self.variant, &self.squares)),
            part: self.part,
            parts: self.parts,
            keep: convert::to_keep(self.keep_blocks).into(),
            producer: self.producer.clone(),
        }
    }

    pub(super) fn from_message(message: &v1::PartHeader) -> Result<Self> {
        let v1::PartHeader { part, parts, .. } = *message;
        if !(1..=MAX_PARTS).contains(&parts) {
            return Err(out_of_range("parts", &parts, "1..10000"));
        }
        if part < 1 || part > parts {
            return Err(out_of_range("part", &part, "1..parts"));
        }
        let (variant, squares) = convert::range(message.range.as_ref())?;
        Ok(Self {
            fingerprint: convert::digest("the fingerprint", &message.fingerprint)?,
            variant,
            squares,
            part,
            parts,
            keep_blocks: convert::keep_blocks(message.keep)?,
            producer: message.producer.clone(),
        })
    }
}

impl fmt::Display for PartHeader {
    /// `part 3/7 of hop 1..12, blocks, by toads 0.1.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            variant,
            squares,
            part,
            parts,
            keep_blocks,
            producer,
            ..
        } = self;
        let (first, last) = (squares.start(), squares.end());
        let kept = if *keep_blocks { "blocks" } else { "tallies" };
        write!(
            f,
            "part {part}/{parts} of {variant} {first}..{last}, {kept}, by {producer}"
        )
    }
}
