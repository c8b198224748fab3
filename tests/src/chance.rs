//! Random choices from a seed that is printed, so that a run can be had again.

/// A stream of choices (`SplitMix64`, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From the environment variable `name`, or from `default`. Prints it.
    ///
    /// # Panics
    /// If the variable is not a number.
    pub fn seeded(name: &str, default: u64) -> Self {
        let seed = std::env::var(name).map_or(default, |text| {
            text.parse()
                .unwrap_or_else(|_| panic!("{name} is not a number"))
        });
        println!("seed {seed}; the same again: {name}={seed}");
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound.max(1)
    }
}
