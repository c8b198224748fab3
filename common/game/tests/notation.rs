//! Both writers and the reader on every value of small strips, and each rule and error by example.

mod common;

use std::sync::OnceLock;

use common::{Strips, arena, values_to};
use toads_game::notation::{display, input, parse};
use toads_game::{Arena, Value, Writer};

fn shared() -> &'static Arena {
    static ARENA: OnceLock<Arena> = OnceLock::new();
    ARENA.get_or_init(Arena::new)
}

fn read(text: &str) -> Value {
    parse(shared(), text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn printed(text: &str) -> String {
    display(shared(), read(text))
}

#[test]
fn both_writers_read_back_on_every_strip_to_10_squares() {
    let arena = arena();
    let values = values_to(&arena, 10);
    assert!(values.len() > 700, "{}", values.len());
    let mut writer = Writer::new(&arena);
    for value in values {
        for text in [writer.display(value), writer.input(value)] {
            let again = parse(&arena, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(arena.id(again), arena.id(value), "{text}");
            assert_eq!(again, value);
        }
    }
}

#[test]
fn the_text_does_not_depend_on_the_order_of_construction() {
    let arena = arena();
    let mut writer = Writer::new(&arena);
    let mut strips = Strips::new(&arena, true);
    let texts: Vec<_> = strips
        .all(10)
        .into_iter()
        .map(|value| writer.display(value))
        .collect();
    let backwards = self::arena();
    let mut writer = Writer::new(&backwards);
    for text in texts.iter().rev() {
        let value = parse(&backwards, text).unwrap();
        assert_eq!(&writer.display(value), text);
    }
}

#[test]
fn input_spells_out_what_the_parser_of_cgsuite_does_not_read() {
    let cases = [
        ("2*", "2+*"),
        ("1v*2", "1+v*2"),
        ("-1/2^", "-1/2+^"),
        ("^3*", "^3*"),
        ("^<2>", "{0|v*}"),
        ("^[2]*", "{0,^*|0}"),
        ("+-1/2", "+-(1/2)"),
        ("+-(1*)", "+-(1+*)"),
        ("+-{2|1}", "+-{2|1}"),
        ("Tiny(1)", "{0||0|-1}"),
        ("+-{{3|1},{4|0}}", "{{3|1},{4|0}|{-1|-3},{0|-4}}"),
    ];
    for (text, expected) in cases {
        assert_eq!(input(shared(), read(text)), expected);
        assert_eq!(printed(text), text);
        assert_eq!(read(expected), read(text), "{text}");
    }
}

#[test]
fn what_is_printed_by_each_rule() {
    for text in [
        "0",
        "-7",
        "3/4",
        "-1/2*",
        "*",
        "*2",
        "^",
        "^^",
        "^3",
        "v",
        "vv",
        "v7",
        "^*",
        "1v*2",
        "2^^*3",
        "^<3>",
        "1/2v<2>*",
        "v[4]*2",
        "+-1",
        "+-(1^)",
        "Tiny(2)",
        "1Miny(1*)",
        "-3/2Tiny({1|0})",
        "{2||1|0}",
        "{3|2||1}",
        "{0||||^3|0||0|||-1}",
        "Miny({5||3|1})",
        "{{4||3|2|||1||||0}|-1}",
        "{1,{2|0}|-1}",
        "+-(Tiny(1)^)",
    ] {
        let text = text.replace("(Tiny(1)^)", "(1Tiny(1))");
        assert_eq!(printed(&text), text);
    }
}

#[test]
fn other_ways_to_write_it_are_read() {
    let cases = [
        ("{1,2|}", "3"),
        ("{|}", "0"),
        ("{ | }", "0"),
        ("{0|1}", "1/2"),
        ("{ 0 , * | 0 }", "^*"),
        ("1|0", "{1|0}"),
        ("2||1|0", "{2||1|0}"),
        ("{2|{1|0}}", "{2||1|0}"),
        ("{2|||||1|0}", "{2||1|0}"),
        ("{{2}|0}", ""),
        ("(1|0)", "{1|0}"),
        ("((({1|0})))", "{1|0}"),
        ("±1", "+-1"),
        ("+-{1}", "+-1"),
        ("+-{3|1}", "+-{3|1}"),
        ("+-(2,1)", "+-2"),
        ("1±2", "{3|-1}"),
        ("1+-2", "{3|-1}"),
        ("1 + -2", "-1"),
        ("1 - -2", "3"),
        ("1 − 2", "-1"),
        ("--1", "1"),
        ("-^", "v"),
        ("-^*", "v*"),
        ("-1^", "-1^"),
        ("2-1^", "1v"),
        ("-{2|1}", "{-1|-2}"),
        ("- (1^)", "-1v"),
        ("+1", "1"),
        ("↑", "^"),
        ("↑↑", "^^"),
        ("⇑*", "^^*"),
        ("⇓", "vv"),
        ("↓3", "v3"),
        ("^1", "^"),
        ("^0", "0"),
        ("*0", "0"),
        ("*1", "*"),
        ("6/8", "3/4"),
        ("^ + ^", "^^"),
        ("* + *2", "*3"),
        ("^[2] - ^", "^<2>"),
        ("{1|0} + {1|0}", "1"),
        ("tiny(1) + miny(1)", "0"),
        ("Tiny(0)", "^"),
        ("2+*", "2*"),
        ("1+^", "1^"),
        ("1 + v*2", "1v*2"),
        ("{0|v*}", "^<2>"),
        ("{^|*}", "^[2]"),
        ("{3, 5 | -1, 2}", "{5|-1}"),
    ];
    for (text, expected) in cases {
        if expected.is_empty() {
            assert!(parse(shared(), text).is_err(), "{text}");
        } else {
            assert_eq!(printed(text), expected, "{text}");
        }
    }
}

#[test]
fn errors_name_the_column_what_was_found_and_what_was_expected() {
    let cases = [
        ("", 1, "found the end, expected a value"),
        ("   ", 4, "found the end, expected a value"),
        ("{1|0", 5, "found the end"),
        ("{1|0}}", 6, "found `}`"),
        ("{1 2|0}", 4, "found `2`"),
        ("{1}", 3, "found `}`, expected `|`"),
        ("{1,2}", 5, "expected `|`"),
        ("1,2", 2, "found `,`, expected one value"),
        ("{1,|0}", 4, "expected an option"),
        ("{,1|0}", 2, "expected an option"),
        ("{1|0,}", 6, "after the comma"),
        ("{1|2|3}", 5, "a second `|`"),
        ("{1||2|3||4}", 8, "a second `||`"),
        ("1/3", 1, "not a dyadic"),
        ("1/", 3, "found the end, expected a power of two"),
        ("1/0", 1, "not a dyadic"),
        ("0.5", 2, "found `.`"),
        ("^<0>", 3, "at least 1"),
        ("^<2", 4, "expected `>`"),
        ("^[x]", 3, "found `x`, expected a count"),
        ("^v", 2, "found `v`"),
        ("99999999999999999999", 1, "not a dyadic"),
        ("{1|9999999999}", 4, "out of range"),
        ("^201", 2, "beyond 200"),
        ("*32", 2, "beyond 31"),
        ("Tiny 1", 5, "found ` `, expected `(`"),
        ("+-", 3, "found the end"),
        ("+-{}", 4, "expected a Left option"),
        ("1 +", 4, "found the end"),
        ("□|0", 1, "found `□`"),
        ("±±□", 3, "found `□`"),
        ("hello", 1, "found `h`, expected a value"),
    ];
    for (text, column, part) in cases {
        let error = parse(shared(), text).expect_err(text);
        assert_eq!(error.column(), column, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
        assert!(
            error.to_string().starts_with(&format!("column {column}: ")),
            "{text}: {error}"
        );
    }
}
