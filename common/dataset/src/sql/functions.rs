//! What SQL learns of numbers and values.

use std::cmp::Ordering;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result};
use toads_game::{Arena, Dyadic, notation};

/// The collation of columns that hold exact numbers.
pub(super) const FRACTION: &str = "fraction";

/// Adds the collation and the functions to a connection.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_collation(FRACTION, compare)?;
    connection.create_scalar_function("num", 1, flags, |context| match context.get_raw(0) {
        ValueRef::Integer(integer) => Ok(Some(integer as f64)),
        ValueRef::Real(real) => Ok(Some(real)),
        ValueRef::Text(_) => Ok(number(&context.get::<String>(0)?).map(Dyadic::to_f64)),
        ValueRef::Null | ValueRef::Blob(_) => Ok(None),
    })?;
    connection.create_scalar_function("value_id", 1, flags, |context| {
        let text: String = context.get(0)?;
        let arena = Arena::new();
        match notation::parse(&arena, &text) {
            Ok(value) => Ok(arena.id(value).to_string()),
            Err(error) => Err(Error::UserFunctionError(
                format!("`{}` is not a value: {error}", text.escape_debug()).into(),
            )),
        }
    })
}

/// Numbers by size, before everything else; other texts as they are written.
fn compare(a: &str, b: &str) -> Ordering {
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

/// A fraction, or a decimal that is exactly a dyadic rational: SQLite writes 1/2 as 0.5 when it compares with a text.
fn number(text: &str) -> Option<Dyadic> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let mut real: f64 = text.trim().parse().ok()?;
    let mut digits = 0;
    while real.fract() != 0.0 {
        real *= 2.0;
        digits += 1;
        if digits > 40 {
            return None;
        }
    }
    (real.abs() < 9e15)
        .then(|| Dyadic::new(real as i64, digits).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_compare_by_size() {
        let mut texts = ["3/4", "-1", "abc", "0.5", "10", "9", "-1/2", "0", "-0.75"];
        texts.sort_by(|a, b| compare(a, b));
        assert_eq!(
            texts,
            ["-1", "-0.75", "-1/2", "0", "0.5", "3/4", "9", "10", "abc"]
        );
        assert_eq!(compare("0.5", "1/2"), Ordering::Equal);
        assert_eq!(number("0.1"), None);
    }
}
