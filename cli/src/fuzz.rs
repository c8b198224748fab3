//! Fuzz targets of what only the command line reads: positions or values, sums, sizes and the like. That of `toads.toml` is in
//! `config/file.rs`; the fuzzer and the other targets are in `tests/fuzz`.

use toads_fuzz::Fuzz;

use crate::evaluate::{read, read_sum};
use crate::units;

#[test]
fn fuzz_subjects_and_sums() {
    let seeds = [
        "T.F",
        "strip:T^2 .",
        "value: {1|0}",
        "-1/2",
        "T^2 .F - 1/2 + {1|0}",
        "- T.F + *2",
        "Tiny(1) - T4.3F3",
    ];
    let words = &[
        "strip:", "value:", " + ", " - ", "-", "{", "}", "|", "T", ".", "^", "*", "(", ")", "iny(",
    ];
    Fuzz::new("sums")
        .seeds(seeds)
        .words(words)
        .longest(300)
        .quick(500)
        .run(|input| {
            let text = String::from_utf8_lossy(input);
            // Integers go to 2^20, and each is a chain of as many forms: a few large ones take seconds.
            let mut numbers = text.split(|c: char| !c.is_ascii_digit());
            if numbers.any(|number| number.len() > 5) {
                return false;
            }
            let subject = read(&text);
            if let Ok(subject) = &subject {
                assert_eq!(read(&subject.to_string()).as_ref().ok(), Some(subject));
            }
            let sum = read_sum(&text);
            for error in [subject.as_ref().err(), sum.as_ref().err()]
                .into_iter()
                .flatten()
            {
                assert!(!error.to_string().is_empty());
            }
            subject.is_ok() || sum.is_ok()
        });
}

#[test]
fn fuzz_sizes_and_ranges() {
    let seeds = [
        "1..12", "1..=12", "512MiB", "1.5 g", "90s", "1h 30m", "50M", "0.25", "1024",
    ];
    let words = &[
        "..", "=", "/", ".", "KiB", "T", "h", "min", "ms", "-", "e9", "inf", "nan",
    ];
    Fuzz::new("sizes and ranges")
        .seeds(seeds)
        .words(words)
        .run(|input| {
            let text = &*String::from_utf8_lossy(input);
            let read = [
                text.parse::<units::Squares>().map(|squares| {
                    assert_eq!(squares.to_string().parse(), Ok(squares));
                }),
                text.parse::<units::Counts>().map(drop),
                units::bytes(text).map(drop),
                units::duration(text).map(drop),
                units::share(text).map(|share| assert!((0.0..=1.0).contains(&share))),
                units::budget(text).map(drop),
                units::threads(text).map(drop),
                units::bound(text).map(drop),
                units::one_in(text).map(drop),
                units::limit(text).map(drop),
                units::workers(text).map(drop),
            ];
            for error in read.iter().filter_map(|read| read.as_ref().err()) {
                assert!(!error.is_empty());
            }
            read.iter().any(Result::is_ok)
        });
}
