//! Texts that are too deep, too long or too large.

use std::sync::OnceLock;

use toads_game::notation::{display, display_limited, parse};
use toads_game::{Arena, GameError, ParseError, Writer};

fn shared() -> &'static Arena {
    static ARENA: OnceLock<Arena> = OnceLock::new();
    ARENA.get_or_init(Arena::new)
}

#[test]
fn nesting_is_limited_not_overflowing() {
    for text in [
        "{".repeat(100_000),
        "(".repeat(100_000),
        "+-".repeat(100_000),
        "-".repeat(100_000),
    ] {
        assert!(parse(shared(), &text).is_err());
    }
    assert!(matches!(
        parse(shared(), &"{".repeat(1000)),
        Err(ParseError::Refused { column: 501, .. })
    ));
    // Each longer run of bars is one more level.
    let bars: String = (1..600)
        .map(|length| "0".to_owned() + &"|".repeat(length))
        .collect();
    assert!(matches!(
        parse(shared(), &bars),
        Err(ParseError::Refused { .. })
    ));
    let deep = format!("{}0{}", "{0||0|".repeat(200), "}".repeat(200));
    assert!(parse(shared(), &deep).is_ok());
}

#[test]
fn sums_are_limited_not_overflowing() {
    let deep = format!("{}^{}", "{0|".repeat(200), "}".repeat(200));
    for term in ["^200", "v[200]", "1^<200>*", deep.as_str()] {
        for (times, joined) in [(3, "+"), (3, " - "), (20_000, "+")] {
            let text = vec![term; times].join(joined);
            let refused = parse(shared(), &text);
            assert!(matches!(refused, Err(ParseError::Refused { .. })), "{term}");
        }
    }
    // What is not added up is not limited.
    let beside = ["{^200|v200}"; 4].join(",");
    assert!(parse(shared(), &format!("{{{beside}|-9}}")).is_ok());
    assert!(parse(shared(), "^200 + ^200 - v100").is_ok());
}

#[test]
fn sums_of_many_hot_games_are_refused_soon() {
    let switches: Vec<String> = (1..60).map(|n| format!("+-({n}^{n}*{})", n % 8)).collect();
    let sum = switches.join("+");
    let inside = format!("{{1+{sum}|0}}");
    for text in [sum.as_str(), &inside] {
        let Err(ParseError::Game { column, source }) = parse(&Arena::new(), text) else {
            panic!("{text} is accepted");
        };
        assert!(matches!(source, GameError::SumTooLarge { .. }), "{source}");
        assert!((20..400).contains(&column), "{column}");
    }
    // Nobody types more than this.
    let fourteen: Vec<String> = (1..=14).map(|n| format!("+-{n}")).collect();
    assert!(parse(shared(), &fourteen.join("+")).is_ok());
}

#[test]
fn the_limits_of_ups_and_nimbers_can_be_reached() {
    for text in [
        "^200",
        "v200*",
        "1/2^199*2",
        "^[200]",
        "v<200>*",
        "*31",
        "1*31",
    ] {
        assert_eq!(display(shared(), parse(shared(), text).unwrap()), text);
    }
}

#[test]
fn a_limited_text_is_a_prefix_with_a_mark() {
    let arena = Arena::new();
    let text = "{0||||^3|0||0|||-1}";
    let value = parse(&arena, text).unwrap();
    for max in 0..=text.len() + 1 {
        let limited = display_limited(&arena, value, max);
        assert!(limited.chars().count() <= max, "{limited}");
        if max >= text.len() {
            assert_eq!(limited, text);
        } else if max > 0 {
            assert_eq!(limited, format!("{}…", &text[..max - 1]));
        }
    }
}

#[test]
fn a_limited_text_of_an_exponential_tree_is_quick() {
    let arena = Arena::new();
    // Each level holds the one below it twice: some 10^30 characters.
    let integer = |n: i64| arena.integer(n).unwrap();
    let mut value = parse(&arena, "{1|-1}").unwrap();
    for level in 1..100 {
        let threat = arena
            .canonical(&[value], &[integer(-10 * level - 8)])
            .unwrap();
        let near = arena.canonical(&[integer(10 * level)], &[value]).unwrap();
        let far = arena
            .canonical(&[integer(10 * level + 1)], &[threat])
            .unwrap();
        value = arena
            .canonical(&[near, far], &[integer(-10 * level - 2)])
            .unwrap();
    }
    assert!(arena.len() < 5000, "shared parts: {}", arena.len());
    let mut writer = Writer::new(&arena);
    assert_eq!(
        writer.display_limited(value, 100_000).chars().count(),
        100_000
    );
    let text = writer.display_limited(value, 80);
    assert_eq!(text.chars().count(), 80, "{text}");
    assert!(text.ends_with('…'));
}
