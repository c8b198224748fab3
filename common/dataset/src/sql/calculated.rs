//! Calculating with exact fractions, which SQLite would do wrongly without a word.
//!
//! A fraction is a text to SQLite, and where SQLite calculates with the text `5/2` it takes the 5. So a statement that
//! does is refused. What an alias or a subquery hides is not seen.

use super::tables::tables;
use super::text::tokens;
use super::virtual_table::Holds;

/// What calculates with its first argument.
const FUNCTIONS: [&str; 20] = [
    "abs", "avg", "cast", "ceil", "ceiling", "exp", "floor", "ln", "log", "log10", "log2", "mod",
    "pow", "power", "round", "sign", "sqrt", "sum", "total", "trunc",
];

/// The column of fractions that a statement calculates with, if it does.
pub(super) fn calculated(statement: &str) -> Option<&'static str> {
    let tokens = tokens(statement);
    let is_arithmetic = |token: &&str| matches!(*token, "+" | "-" | "*" | "/" | "%");
    (0..tokens.len()).find_map(|at| {
        let name = fraction(tokens[at])?;
        // `table.name`
        let mut first = at;
        if at >= 2 && tokens[at - 1] == "." {
            first = at - 2;
        }
        let before = |back: usize| first.checked_sub(back).map(|at| tokens[at]);
        let after = |ahead: usize| tokens.get(at + ahead).copied();
        if before(1).as_ref().is_some_and(is_arithmetic)
            || after(1).as_ref().is_some_and(is_arithmetic)
        {
            return Some(name);
        }
        let back = usize::from(before(1).is_some_and(|word| word.eq_ignore_ascii_case("distinct")));
        if before(back + 1) != Some("(") {
            return None;
        }
        let function = before(back + 2)?.to_ascii_lowercase();
        let calculates = match function.as_str() {
            // Of several arguments the largest is not found by size, of one it is.
            "max" | "min" => after(1) == Some(","),
            "cast" => !after(2).is_some_and(|kind| kind.eq_ignore_ascii_case("text")),
            function => FUNCTIONS.contains(&function),
        };
        calculates.then_some(name)
    })
}

/// The column of fractions that a word names, in quotes or not.
fn fraction(token: &str) -> Option<&'static str> {
    let name = token.trim_matches(['"', '`', '[', ']']);
    let tables = tables();
    let mut columns = tables.iter().flat_map(|table| table.columns);
    columns
        .find(|column| column.holds == Holds::Fraction && column.name.eq_ignore_ascii_case(name))
        .map(|column| column.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_with_fractions_is_seen() {
        for statement in [
            "select mean + 1 from strips",
            "select 1-v.mean from values v",
            "select -\"temperature\" from values",
            "select avg(mean), max(mean) from values",
            "select SUM( distinct v.Mean ) from values v",
            "select max(left_stop, 0) from values",
            "select cast(mean as real) from values",
            "select kind from values where left_stop - right_stop > 2",
            "select 2 * /* twice */ mean from values",
        ] {
            assert!(calculated(statement).is_some(), "{statement}");
        }
        assert_eq!(calculated("select [left_stop]/2"), Some("left_stop"));
    }

    #[test]
    fn comparing_sorting_and_num_are_not() {
        for statement in [
            "select mean, temperature from values where mean > -1 and temperature = '3/4' order by mean desc",
            "select max(mean), min(v.temperature), count(mean) from values v group by mean",
            "select num(mean) + 1, avg(num(mean)), sum(num(mean) * count) from tallies",
            "select 'mean + 1', * from values where mean in ('1/2', '1')",
            "select cast(mean as text), coalesce(mean, '?') from values",
            "select *, mean from values",
            "select mean from values -- + 1",
        ] {
            assert_eq!(calculated(statement), None, "{statement}");
        }
    }
}
