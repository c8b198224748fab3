//! Every row of the published tables up to 21 squares is decided by play, and every row that is printed right comes out as
//! printed. (Thanatipanonda 2011; `~ 0` is infinitesimal.)

use toads_game::{Arena, Relation};
use toads_search::{Limits, Searcher, Sum};
use toads_strip::{Strip, Variant};

const TABLES: &str = include_str!("../../../tests/golden/paper-tables.tsv");

/// Squares up to which rows are decided; `TOADS_TABLE_SQUARES` raises it (21: all but the remarks, some minutes).
const SQUARES: usize = 15;

fn relation(searcher: &mut Searcher<'_>, g: &Strip, h: toads_game::Value) -> Relation {
    let answer = searcher
        .compare(&Sum::from(g.clone()), &Sum::from(h))
        .unwrap();
    answer.relation().expect("there is no budget")
}

/// Rows that are printed wrong: their positions. docs/ERRATA.md says what they are worth.
const MISPRINTED: [&str; 2] = ["T^5 .^11 F^5", "T^5 .^4 F^3"];

/// Infinitesimal means below and above every number: we try the small ones.
fn is_as_printed(
    searcher: &mut Searcher<'_>,
    arena: &Arena,
    strip: &Strip,
    sign: &str,
    value: &str,
) -> bool {
    let read = |text: &str| toads_game::notation::parse(arena, text).unwrap();
    if sign == "~" {
        return relation(searcher, strip, read("1/1048576")) == Relation::Less
            && relation(searcher, strip, read("-1/1048576")) == Relation::Greater;
    }
    relation(searcher, strip, read(value)).to_string() == sign
}

#[test]
fn rows_come_out_as_printed() {
    let limits = Limits {
        memory: 1 << 30,
        ..Limits::default()
    };
    let arena = limits.arena();
    let mut searcher = Searcher::new(&arena, Variant::Hop, limits);
    let squares = std::env::var("TOADS_TABLE_SQUARES").ok();
    let squares = squares.map_or(SQUARES, |text| text.parse().expect("a number of squares"));
    let (mut rows, mut differ) = (0, Vec::new());
    for row in TABLES.lines().skip(1) {
        let cells: Vec<_> = row.split('\t').collect();
        let [_, position, sign, value] = cells[..] else {
            panic!("{row}");
        };
        let strip = Strip::parse(position).unwrap();
        if strip.len() > squares {
            continue;
        }
        rows += 1;
        if !is_as_printed(&mut searcher, &arena, &strip, sign, value) {
            println!("{row}: differs from print");
            differ.push(position);
        }
    }
    println!(
        "{rows} rows to {squares} squares, {} differ from print",
        differ.len()
    );
    assert!(rows > 150, "{rows}");
    let expected: Vec<_> = MISPRINTED
        .into_iter()
        .filter(|position| Strip::parse(position).is_ok_and(|strip| strip.len() <= squares))
        .collect();
    assert_eq!(differ, expected);
}
