//! Golden and published figures, and the columns against each other beyond what can be enumerated.

use std::path::PathBuf;

use num_bigint::BigUint;
use toads_count::{Column, Columns, CountError, Counts, bfile, counts, distribution, growth};

fn rows(to: u32, columns: impl IntoIterator<Item = Column>) -> Vec<Counts> {
    counts(0..=to, columns.into_iter().collect(), 2)
        .unwrap()
        .collect()
}

fn number(text: &str) -> BigUint {
    text.parse().unwrap()
}

#[test]
fn the_golden_census() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/census-hopless.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut seen = 0;
    for (line, row) in lines.zip(counts(1..=10, Columns::all(), 2).unwrap()) {
        let outcomes = row.outcomes.unwrap();
        for (name, cell) in names.iter().zip(line.split('\t')) {
            let counted = match *name {
                "n" => row.n.into(),
                "strips" => row.strips.clone(),
                "distinct" => row.distinct.clone().unwrap(),
                "numbers" | "integers" => row.numbers.clone().unwrap(),
                "zeros" => row.zeros.clone().unwrap(),
                "P" => outcomes.p.clone(),
                "L" => outcomes.l.clone(),
                "R" => outcomes.r.clone(),
                "N" => outcomes.n.clone(),
                _ => continue,
            };
            assert_eq!(counted, number(cell), "{name}, n = {}", row.n);
            seen += 1;
        }
    }
    assert_eq!(seen, 100);
}

#[test]
fn the_figures_of_the_page_on_one_to_nine_squares() {
    let rows = rows(
        9,
        [Column::OddGaps, Column::Numbers, Column::NumbersByOddGaps],
    );
    let sum = |counts: &dyn Fn(&Counts) -> BigUint, from: usize, to: usize| -> u32 {
        let sum: BigUint = rows[from..=to].iter().map(counts).sum();
        u32::try_from(sum).unwrap()
    };
    let with_gaps = |j: usize| {
        sum(
            &|row| {
                row.odd_gaps
                    .as_ref()
                    .unwrap()
                    .get(j)
                    .cloned()
                    .unwrap_or_default()
            },
            1,
            9,
        )
    };
    assert_eq!([0, 1, 2, 3, 4].map(with_gaps), [22_186, 6_985, 351, 1, 0]);
    let two_and_a_number = sum(
        &|row| {
            row.numbers_by_odd_gaps
                .as_ref()
                .unwrap()
                .get(1)
                .cloned()
                .unwrap_or_default()
        },
        1,
        9,
    );
    assert_eq!((two_and_a_number, 351 - two_and_a_number), (143, 208));
    let numbers = |from, to| sum(&|row| row.numbers.clone().unwrap(), from, to);
    assert_eq!(
        (numbers(1, 8), numbers(4, 8), numbers(1, 9)),
        (7_784, 7_746, 22_329)
    );
}

#[test]
fn columns_and_distribution_agree_where_no_strip_was_looked_at() {
    // From 35 squares on one prime is not enough.
    let rows = |squares| counts(squares, Columns::all(), 2).unwrap();
    for row in rows(12..=24).chain(rows(36..=36)) {
        let values = distribution(row.n, 2).unwrap();
        let sum = |wanted: &dyn Fn(i64, &[u32]) -> bool| -> BigUint {
            values
                .iter()
                .filter(|value| wanted(value.twice_mean, &value.swings))
                .map(|value| &value.strips)
                .sum()
        };
        assert_eq!(sum(&|_, _| true), row.strips);
        assert_eq!(BigUint::from(values.len()), row.distinct.unwrap());
        assert!(values.iter().all(|value| value.strips > BigUint::ZERO));
        assert_eq!(
            sum(&|_, swings| swings.is_empty()),
            row.numbers.clone().unwrap()
        );
        assert_eq!(
            sum(&|twice_mean, swings| swings.is_empty() && twice_mean == 0),
            row.zeros.unwrap()
        );
        let alternating = |swings: &[u32]| {
            swings
                .iter()
                .rev()
                .fold(0, |rest, &swing| i64::from(swing) - rest)
        };
        let left_wins_both = sum(&|twice_mean, swings| {
            let edge = alternating(swings);
            if swings.len() % 2 == 1 {
                twice_mean > edge
            } else {
                twice_mean >= edge && (edge, twice_mean) != (0, 0)
            }
        });
        assert_eq!(left_wins_both, row.outcomes.unwrap().l, "n = {}", row.n);
        assert_eq!(
            row.numbers_by_odd_gaps.unwrap().iter().sum::<BigUint>(),
            row.numbers.unwrap()
        );
        assert_eq!(row.odd_gaps.unwrap().iter().sum::<BigUint>(), row.strips);
    }
}

#[test]
fn zeros_alone_are_those_of_the_outcomes() {
    let alone = rows(30, [Column::Zeros]);
    let with_outcomes = rows(30, [Column::Outcomes]);
    for (alone, with_outcomes) in alone.into_iter().zip(with_outcomes) {
        assert_eq!(alone.zeros, with_outcomes.zeros);
        assert_eq!(alone.outcomes, None);
        assert_eq!(with_outcomes.outcomes.unwrap().p, alone.zeros.unwrap());
    }
}

#[test]
fn counts_do_not_depend_on_where_the_range_begins_or_ends() {
    let all: Vec<Counts> = counts(0..=14, Columns::all(), 1).unwrap().collect();
    let part: Vec<Counts> = counts(9..=13, Columns::all(), 3).unwrap().collect();
    assert_eq!(all[9..=13], part);
}

#[test]
fn a_thousand_squares_by_odd_gaps() {
    let last = counts(1_000..=1_000, [Column::OddGaps].into_iter().collect(), 1)
        .unwrap()
        .next()
        .unwrap();
    let gaps = last.odd_gaps.unwrap();
    assert_eq!(gaps.len(), 334);
    assert_eq!(
        gaps.iter().sum::<BigUint>(),
        BigUint::from(3_u32).pow(1_000)
    );
}

#[test]
fn no_odd_gap_grows_by_the_root_of_its_recurrence() {
    let none: Vec<BigUint> = rows(300, [Column::OddGaps])
        .into_iter()
        .map(|row| row.odd_gaps.unwrap()[0].clone())
        .collect();
    // The largest root of r³ = 3r² + r − 4.
    assert!(
        growth(0, &none)
            .unwrap()
            .ratio
            .to_string()
            .starts_with("2.860805853111703")
    );
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    let zeros: Columns = [Column::Zeros].into_iter().collect();
    assert!(matches!(
        counts(1..=121, zeros, 1),
        Err(CountError::TooManySquares { limit: 120, .. })
    ));
    #[expect(clippy::reversed_empty_ranges)]
    let reversed = 5..=4;
    assert!(matches!(
        counts(reversed, zeros, 1),
        Err(CountError::Empty { .. })
    ));
    assert!(matches!(
        distribution(51, 1),
        Err(CountError::DistributionTooLarge { .. })
    ));
}

#[test]
fn b_files_have_a_line_for_every_term() {
    let columns = [Column::Distinct].into_iter().collect();
    let distinct: Vec<BigUint> = counts(1..=4, columns, 1)
        .unwrap()
        .filter_map(|row| row.distinct)
        .collect();
    assert_eq!(bfile(1, &distinct), "1 1\n2 3\n3 6\n4 12\n");
    assert_eq!(bfile(7, [0; 0]), "");
}
