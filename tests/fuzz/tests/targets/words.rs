//! Words: ids, kinds, variants, shards, digits of numbers and the like.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use toads_census::Shard;
use toads_count::Column;
use toads_dataset::export::{Format, TableName};
use toads_dataset::question::parse_outcome;
use toads_fuzz::{Fuzz, assert_clear};
use toads_game::{Dyadic, Kind, ValueId};
use toads_store::Keep;
use toads_strip::Variant;
use toads_survey::{Relation, SurveyId};

/// Whether it reads, and then reads back.
fn reads<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(read) => {
            assert_eq!(read.to_string().parse().ok(), Some(read), "{text}");
            true
        }
        Err(error) => {
            assert_clear(&error);
            false
        }
    }
}

#[test]
fn words() {
    let seeds = [
        "9b779f74b305adc3ec513485085d52e9",
        "-3/4",
        "1099511627775/1099511627776",
        "hopless",
        "hop/14/5/4",
        "numbers-by-odd-gaps",
        "number+nimber",
        "tallies",
        "parquet",
        "strips",
        "|>",
        "N",
    ];
    let words = &["/", "-", "+", "0", "/2", "hop", "≥", "<|"];
    Fuzz::new("words").seeds(seeds).words(words).run(|input| {
        let text = &*String::from_utf8_lossy(input);
        let read = [
            reads::<ValueId>(text),
            reads::<SurveyId>(text),
            reads::<Dyadic>(text),
            reads::<Kind>(text),
            reads::<Variant>(text),
            reads::<Column>(text),
            reads::<Format>(text),
            reads::<TableName>(text),
            reads::<Keep>(text),
            reads::<Shard>(text),
            reads::<Relation>(text),
            parse_outcome(text).is_ok(),
        ];
        read.contains(&true)
    });
}
