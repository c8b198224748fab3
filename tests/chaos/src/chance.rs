//! Random choices from a seed that is printed, so that a run can be had again.

/// A stream of choices (`SplitMix64`, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// From `TOADS_CHAOS_SEED`, or from `default`. Prints it.
    ///
    /// # Panics
    /// If the variable is not a number.
    pub fn seeded(default: u64) -> Self {
        let seed = std::env::var("TOADS_CHAOS_SEED").map_or(default, |text| {
            text.parse().expect("TOADS_CHAOS_SEED is a number")
        });
        println!("seed {seed}; the same again: TOADS_CHAOS_SEED={seed}");
        Self(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % bound.max(1)
    }
}
