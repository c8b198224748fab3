//! Strips and families of strips, as people write them.

use std::fmt::Display;

use toads_fuzz::{Fuzz, assert_clear};
use toads_strip::family::{Cell, Cells, Family};
use toads_strip::{MAX_SQUARES, Strip};

const WORDS: &[&str] = &[
    "T", "F", ".", "□", "_", "(", ")", "()", "^", "^0", "^(", "(T^", "a", "b", "+", "-", "*", "=",
    "..", "\na=", "\nb=1..3",
];

fn within(text: &str, column: Option<usize>, error: &impl Display) {
    assert_clear(error);
    if let Some(column) = column {
        let most = text.chars().count() + 1;
        assert!((1..=most).contains(&column), "column {column} of {most}");
    }
}

#[test]
fn strips() {
    let seeds = [
        "T.F",
        "t_f",
        "T□F",
        "T^4 .^3 F^3",
        "T4.3F3",
        "T^2 .(TF)^2",
        "((T.)2F)^2",
        "T^0.F0",
        "TTFF.T.F.TF.TTTT.FF",
    ];
    Fuzz::new("strips").seeds(seeds).words(WORDS).run(|input| {
        let text = String::from_utf8_lossy(input);
        match Strip::parse(&text) {
            Ok(strip) => {
                assert!((1..=MAX_SQUARES).contains(&strip.len()));
                if strip.len() <= 1_000 {
                    reads_back(&strip);
                }
                true
            }
            Err(error) => {
                within(&text, error.column(), &error);
                false
            }
        }
    });
}

fn reads_back(strip: &Strip) {
    assert_eq!(Strip::parse(&strip.to_string()).as_ref(), Ok(strip));
    assert_eq!(Strip::parse(&strip.compact()).as_ref(), Ok(strip));
    assert_eq!(&strip.mirror().mirror(), strip);
    if let Some(index) = strip.index() {
        assert_eq!(Strip::from_index(strip.len(), index).as_ref(), Ok(strip));
    }
    if let Ok(class) = strip.try_class() {
        assert_eq!(&class.unrank(class.rank(strip)), strip);
    }
}

/// The family on the first line, a range on each further one.
#[test]
fn families() {
    let seeds = [
        "T^(a+1) .^b F^a\na=1..3\nb=2",
        "T^a .^b F^a\nb=0..=4\na=1",
        "(T^a .)^b\na=0..2\nb=0..2",
        "T^2 . ^ (a*b) F\na=-1..2\nb=-2..0",
        "T^(-(a-b)*2+5) F\na=1\nb=3",
        "T.F",
    ];
    Fuzz::new("families")
        .seeds(seeds)
        .words(WORDS)
        .run(|input| {
            let text = String::from_utf8_lossy(input);
            let mut lines = text.split('\n');
            let first = lines.next().unwrap_or_default();
            let ranges: Vec<&str> = lines.collect();
            let family = match Family::parse(first) {
                Ok(family) => family,
                Err(error) => {
                    within(first, None, &error);
                    return false;
                }
            };
            assert_eq!(family.text(), first);
            let cells = match Cells::parse(&family, &ranges) {
                Ok(cells) => cells,
                Err(error) => {
                    within(first, None, &error);
                    return false;
                }
            };
            for cell in cells.iter().take(10) {
                assert_eq!(cell.values().len(), family.parameters().len());
                match family.strip(&cell) {
                    Ok(strip) => assert!((1..=MAX_SQUARES).contains(&strip.len())),
                    Err(error) => within(first, None, &error),
                }
            }
            // As a strip it has no sums in its exponents.
            if let Ok(plain) = Strip::parse(first) {
                assert_eq!(family.strip(&Cell::default()), Ok(plain));
            }
            true
        });
}
