//! How shards are named on the command line and in tables: `hop/14/5/4`.

use std::fmt;
use std::str::FromStr;

use toads_census::Shard;
use toads_strip::{Class, Variant};

/// A shard by name: variant, squares, toads, frogs, with slashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ShardName(pub(crate) Shard);

impl fmt::Display for ShardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for ShardName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}` is not a shard; write hop/14/5/4 for 14 squares, 5 toads and 4 frogs")
        };
        let parts: Vec<&str> = text.trim().split('/').collect();
        let [variant, n, toads, frogs] = parts[..] else {
            return Err(wrong());
        };
        let variant: Variant = variant.parse().map_err(|_| wrong())?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let class = Class::new(number(n)?, number(toads)?, number(frogs)?)
            .map_err(|error| error.to_string())?;
        if class.n > toads_census::MAX_CENSUS_SQUARES || class.n == 0 {
            return Err(wrong());
        }
        // A class with more frogs than toads is the mirror image of the one that is computed.
        let class = if class.is_computed() {
            class
        } else {
            class.mirror()
        };
        Ok(Self(Shard::whole(variant, class)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_mirrors_mean_the_computed_shard() {
        for name in ["hop/14/5/4", "hopless/1/0/0"] {
            assert_eq!(name.parse::<ShardName>().unwrap().to_string(), name);
        }
        assert_eq!(
            "hop/14/4/5".parse::<ShardName>().unwrap().to_string(),
            "hop/14/5/4"
        );
        for name in [
            "",
            "hop/14/5",
            "leap/14/5/4",
            "hop/14/9/9",
            "hop/a/1/1",
            "hop/0/0/0",
            "hop/30/1/1",
        ] {
            assert!(name.parse::<ShardName>().is_err(), "{name}");
        }
    }

    #[test]
    fn fuzz_names() {
        let target = toads_fuzz::Fuzz::new("shard names").seeds(["hop/14/5/4", "hopless/1/0/0"]);
        target
            .words(&["/", "hop", "less", "-1", "+1"])
            .run(|input| {
                let read = String::from_utf8_lossy(input).parse::<ShardName>();
                if let Ok(name) = read {
                    assert_eq!(name.to_string().parse(), Ok(name));
                }
                read.is_ok()
            });
    }
}
