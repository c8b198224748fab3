//! The reader on texts nobody would print: it reads or refuses them, and what it reads is printed as something that
//! reads back.

use std::sync::OnceLock;

use proptest::prelude::*;
use toads_game::Arena;
use toads_game::notation::{display, input, parse};

fn shared() -> &'static Arena {
    static ARENA: OnceLock<Arena> = OnceLock::new();
    ARENA.get_or_init(Arena::new)
}

fn golden_texts() -> Vec<&'static str> {
    let tables = [
        include_str!("../../../tests/golden/values-hop-10.tsv"),
        include_str!("../../../tests/golden/values-hop-8.tsv"),
    ];
    tables
        .into_iter()
        .flat_map(|table| {
            table
                .lines()
                .filter_map(|line| Some(line.split_once('\t')?.1))
        })
        .collect()
}

const ALPHABET: &str = "{}()|||,+-*^v<>[]0123456789/TinyMi \t±↑↓⇑⇓−é\u{1F438}";

/// Whatever can be read is printed as something that reads back.
fn check_any(text: &str) -> Result<(), TestCaseError> {
    if let Ok(value) = parse(shared(), text) {
        for again in [display(shared(), value), input(shared(), value)] {
            prop_assert_eq!(parse(shared(), &again), Ok(value), "{} {}", text, again);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        check_any(&text)?;
    }

    #[test]
    fn any_text_of_the_alphabet_is_read_or_refused(
        picks in proptest::collection::vec(proptest::sample::select(ALPHABET.chars().collect::<Vec<_>>()), 0..24)
    ) {
        check_any(&picks.into_iter().collect::<String>())?;
    }

    #[test]
    fn a_changed_text_is_read_or_refused(
        text in proptest::sample::select(golden_texts()),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0..3u8, proptest::sample::select(ALPHABET.chars().collect::<Vec<_>>())), 1..4),
    ) {
        let mut text: Vec<char> = text.chars().collect();
        for (at, what, new) in changes {
            let at = at.index(text.len() + 1);
            match what {
                0 => text.insert(at, new),
                1 if at < text.len() => { text.remove(at); }
                _ if at < text.len() => text[at] = new,
                _ => text.push(new),
            }
        }
        check_any(&text.into_iter().collect::<String>())?;
    }
}
