//! The text of a family: what a strip is, with expressions in its powers.

use super::cells::Cell;
use super::error::{FamilyError, Result};
use super::expression::{Expression, is_parameter};
use crate::parse;
use crate::strip::{MAX_SQUARES, Strip};
use std::fmt::Write;

/// A family of strips; made by [`Family::parse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    text: String,
    /// Text, then the exponent behind it.
    powers: Vec<(String, Expression)>,
    /// What follows the last exponent.
    rest: String,
    parameters: Vec<char>,
}

impl Family {
    /// Reads a family; see the [grammar](super). A strip without parameters is a family of one.
    pub fn parse(text: &str) -> Result<Self> {
        let chars: Vec<char> = text.chars().collect();
        let (mut powers, mut parameters) = (Vec::new(), Vec::new());
        // The text with every exponent in its place as 1, for errors about the rest of it.
        let mut skeleton = String::new();
        let (mut plain, mut at) = (String::new(), 0);
        while let Some(&found) = chars.get(at) {
            at += 1;
            plain.push(found);
            skeleton.push(found);
            let blanks = chars[at..].iter().take_while(|c| c.is_whitespace()).count();
            let exponent = chars.get(at + blanks).copied();
            let is_expression = exponent.is_some_and(|c| c == '(' || is_parameter(c));
            if found != '^' || !is_expression {
                continue;
            }
            let (expression, end) = Expression::read(&chars, at + blanks)?;
            for letter in expression.parameters() {
                if !parameters.contains(&letter) {
                    parameters.push(letter);
                }
            }
            skeleton.push('1');
            skeleton.extend(std::iter::repeat_n(' ', end - at - 1));
            powers.push((std::mem::take(&mut plain), expression));
            at = end;
        }
        parse::parse(&skeleton, MAX_SQUARES)?;
        Ok(Self {
            text: text.to_owned(),
            powers,
            rest: plain,
            parameters,
        })
    }

    /// The parameters, in order of appearance.
    pub fn parameters(&self) -> &[char] {
        &self.parameters
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The strip of a cell. An exponent may be 0, but not negative, and there must be a square, at most [`MAX_SQUARES`].
    pub fn strip(&self, cell: &Cell) -> Result<Strip> {
        let mut text = String::new();
        for (plain, expression) in &self.powers {
            let column = expression.column;
            let power = expression.value(|letter| cell.get(letter).unwrap_or_default());
            let power = power.ok_or(FamilyError::OutOfRange { column })?;
            if power < 0 {
                let parameters = cell.to_string();
                return Err(FamilyError::Negative {
                    column,
                    power,
                    parameters,
                });
            }
            write!(text, "{plain}{power} ").expect("a string takes every text");
        }
        text += &self.rest;
        Ok(parse::parse(&text, MAX_SQUARES)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &[(char, i64)]) -> Cell {
        Cell::new(text.to_vec())
    }

    #[test]
    fn exponents_are_put_in() {
        for (family, expected) in [
            ("T^a .^b F^a", "TT...FF"),
            ("T^aF^b", "TTFFF"),
            ("T^(a+1) . (TF)^(b-a) F", "TTT.TFF"),
            ("(T^a .)^b", "TT.TT.TT."),
            ("T^2 . ^ (a*b) F", "TT......F"),
            ("T.F", "T.F"),
            ("T^(a-2) . F", ".F"),
        ] {
            let read = Family::parse(family).unwrap();
            let strip = read.strip(&cell(&[('a', 2), ('b', 3)])).unwrap();
            assert_eq!(strip.to_string(), expected, "{family}");
            assert_eq!(read.text(), family);
        }
        assert_eq!(
            Family::parse("T^b .^a F^b").unwrap().parameters(),
            ['b', 'a']
        );
    }

    #[test]
    fn errors_are_in_the_columns_of_the_text() {
        let error = |text| Family::parse(text).unwrap_err().to_string();
        assert!(error("T^(a+1) x").starts_with("column 9: found `x`"));
        assert!(error("T^(a+1").starts_with("column 7: found the end"));
        assert!(error("T^(a) ^2").starts_with("column 7: found `^`"));
        assert!(error("T^%").starts_with("column 3: found `%`"));
        assert!(error("a^2").starts_with("column 1: found `a`"));
        let family = Family::parse("T .^(a-b)").unwrap();
        let negative = family.strip(&cell(&[('a', 1), ('b', 3)])).unwrap_err();
        assert_eq!(
            negative.to_string(),
            "column 5: this exponent is -2 for a=1 b=3; use ranges for which it is at least 0"
        );
        let long = Family::parse("T^(a*a*a)").unwrap();
        assert!(long.strip(&cell(&[('a', 1000)])).is_err());
    }
}
