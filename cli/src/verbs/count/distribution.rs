//! Every value with its number of strips.

use toads_count::ValueCount;
use toads_strip::hopless::{ClosedForm, Worth};

use super::squares::Squares;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Format, Table};

const COLUMNS: [&str; 7] = [
    "n",
    "value",
    "mean",
    "half_swings",
    "outcome",
    "temperature",
    "strips",
];

/// Prints the distribution, by surviving half-swings and then by mean.
pub(super) fn print(squares: Squares, threads: usize, format: Format) -> Result<()> {
    if squares.last > toads_count::MAX_DISTRIBUTION_SQUARES {
        // Before hours are spent on the numbers of squares below.
        toads_count::distribution(squares.last, threads).map_err(Failure::input)?;
    }
    let mut table = Table::open(format, COLUMNS)?;
    for n in squares.range() {
        for value in toads_count::distribution(n, threads).map_err(Failure::input)? {
            let form = closed_form(&value);
            let half_swings: Vec<_> = form.half_swings().map(|half| half.to_string()).collect();
            table.row(&[
                Cell::from(n),
                Cell::text(&form),
                Cell::exact(form.mean()),
                Cell::text(half_swings.join(" ")),
                Cell::text(form.outcome()),
                Cell::exact(form.temperature()),
                Cell::exact(value.strips),
            ])?;
        }
    }
    table.close().map(drop)
}

/// The value: an integer, and a switch {s | 0} for each swing s, whose mean is s/2.
fn closed_form(value: &ValueCount) -> ClosedForm {
    let swings = || value.swings.iter().map(|&swing| i64::from(swing));
    // Twice the mean has the parity of the sum of the swings.
    let integer = (value.twice_mean - swings().sum::<i64>()) / 2;
    let switches = swings().map(|swing| Worth::Switch {
        left: swing,
        right: 0,
    });
    ClosedForm::sum(switches.chain([Worth::Integer(integer)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_mean_and_swings() {
        let value = |twice_mean, swings: &[u32]| {
            closed_form(&ValueCount {
                twice_mean,
                swings: swings.to_vec(),
                strips: 1_u32.into(),
            })
            .to_string()
        };
        assert_eq!(value(-6, &[]), "-3");
        assert_eq!(value(2, &[3, 1]), "1 ± 3/2 ± 1/2");
        assert_eq!(value(-1, &[1, 0]), "-1/2 ± 1/2 + *");
    }
}
