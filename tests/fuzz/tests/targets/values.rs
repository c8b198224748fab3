//! Values, as CGSuite writes them.

use toads_fuzz::{Fuzz, assert_clear};
use toads_game::{Arena, ParseError, Value, notation};

const SEEDS: [&str; 24] = [
    "0",
    "-3/4",
    "1/2^199*2",
    "*31",
    "3v*5",
    "^[4]",
    "v<3>*",
    "{1|0}",
    "{2||1|0}",
    "{1||1/2|0}",
    "{0||||^3|0||0|||-1}",
    "+-1",
    "+-{2|1}",
    "+-(1/2,1*)",
    "Tiny(1)",
    "-1Miny(1*)",
    "{1,2|}",
    "{|}",
    "{{3|1},2|{0|-1},*}",
    "(1+^)-(2-v)",
    "1 + +-2 - *3",
    "±3⇑",
    "−5",
    "{^^|*,v}",
];

const WORDS: &[&str] = &[
    "{", "}", "|", "||", "|||", ",", "(", ")", "+", "-", "+-", "±", "*", "^", "v", "^<", "^[", ">",
    "]", "Tiny(", "Miny(", "/2", "/1024", "{0|", "|0}", " ", "1/2", "⇑", "−",
];

/// Small, so that what would grow without end is refused soon.
const ARENA_BYTES: u64 = 16 << 20;

#[test]
fn values() {
    let mut arena = Arena::with_capacity_bytes(ARENA_BYTES);
    Fuzz::new("values")
        .seeds(SEEDS)
        .words(WORDS)
        .longest(2_000)
        .run(|input| {
            if arena.len() as u64 > arena.capacity().values as u64 / 2 {
                arena = Arena::with_capacity_bytes(ARENA_BYTES);
            }
            let text = String::from_utf8_lossy(input);
            match notation::parse(&arena, &text) {
                Ok(value) => {
                    reads_back(&arena, value);
                    true
                }
                Err(error) => {
                    assert_clear(&error);
                    assert!(
                        (1..=text.chars().count() + 1).contains(&error.column()),
                        "{error}"
                    );
                    false
                }
            }
        });
}

fn reads_back(arena: &Arena, value: Value) {
    let shown = notation::display_limited(arena, value, 20_000);
    if shown.ends_with('…') {
        return;
    }
    for text in [shown, notation::input(arena, value)] {
        let again = match notation::parse(arena, &text) {
            Ok(again) => again,
            // Sums can leave what is read: more than 200 ups, nimbers beyond *31, 500 levels.
            Err(ParseError::Refused { .. }) => continue,
            Err(error) => panic!("{text}: {error}"),
        };
        assert_eq!(again, value, "{text}");
    }
    // There may be no room for it.
    if let Ok(negative) = arena.neg(value) {
        assert_eq!(arena.id(negative), arena.negative_id(value));
    }
}
