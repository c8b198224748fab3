//! Exponents: sums and products of numbers and parameters, in postfix order, so that depth costs no stack.

use super::error::{FamilyError, Result};

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Number(i64),
    Parameter(char),
    Operator(Operator),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Negate,
    /// An open parenthesis, while reading.
    Open,
}

impl Operator {
    /// Those of a higher rank are done first.
    fn rank(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Plus | Self::Minus => 1,
            Self::Times => 2,
            Self::Negate => 3,
        }
    }
}

/// An exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    /// Where it starts.
    pub(super) column: usize,
    steps: Vec<Step>,
}

/// Whether the letter can be a parameter: T and F are squares.
pub(super) fn is_parameter(letter: char) -> bool {
    letter.is_ascii_alphabetic() && !matches!(letter, 'T' | 't' | 'F' | 'f')
}

impl Expression {
    /// Reads the exponent that starts at `text[at]`: a parameter, or an expression in parentheses. Tells where it ends.
    pub(super) fn read(text: &[char], at: usize) -> Result<(Self, usize)> {
        Reader {
            text,
            at,
            steps: Vec::new(),
            open: Vec::new(),
        }
        .read()
    }

    /// Its parameters, in order of appearance, with repetitions.
    pub(super) fn parameters(&self) -> impl Iterator<Item = char> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Parameter(letter) => Some(*letter),
            _ => None,
        })
    }

    /// Its value; `None` beyond 64 bits.
    pub(super) fn value(&self, of: impl Fn(char) -> i64) -> Option<i64> {
        let mut stack: Vec<i64> = Vec::new();
        for &step in &self.steps {
            let value = match step {
                Step::Number(number) => number,
                Step::Parameter(letter) => of(letter),
                Step::Operator(Operator::Negate) => stack.pop()?.checked_neg()?,
                Step::Operator(operator) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    match operator {
                        Operator::Plus => left.checked_add(right)?,
                        Operator::Minus => left.checked_sub(right)?,
                        _ => left.checked_mul(right)?,
                    }
                }
            };
            stack.push(value);
        }
        stack.pop()
    }
}

struct Reader<'t> {
    text: &'t [char],
    at: usize,
    steps: Vec<Step>,
    open: Vec<Operator>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<(Expression, usize)> {
        let column = self.at + 1;
        loop {
            self.operand()?;
            // What may follow a value.
            loop {
                if !self.open.contains(&Operator::Open) {
                    self.close(0);
                    let steps = std::mem::take(&mut self.steps);
                    return Ok((Expression { column, steps }, self.at));
                }
                let operator = match self.peek() {
                    Some('+') => Operator::Plus,
                    Some('-') => Operator::Minus,
                    Some('*') => Operator::Times,
                    Some(')') => {
                        self.close(1);
                        self.open.pop();
                        self.at += 1;
                        continue;
                    }
                    _ => {
                        return Err(
                            self.expected("+, -, * or a closing parenthesis (write 2*a for 2a)")
                        );
                    }
                };
                self.close(operator.rank());
                self.open.push(operator);
                self.at += 1;
                break;
            }
        }
    }

    /// A number or parameter, with what stands in front of it.
    fn operand(&mut self) -> Result<()> {
        loop {
            match self.peek() {
                Some('(') => self.open.push(Operator::Open),
                Some('-') if !self.open.is_empty() => self.open.push(Operator::Negate),
                Some(letter) if is_parameter(letter) => {
                    self.steps.push(Step::Parameter(letter));
                    self.at += 1;
                    return Ok(());
                }
                Some('0'..='9') => return self.number(),
                _ => {
                    return Err(
                        self.expected("a number, a letter but T and F, or an opening parenthesis")
                    );
                }
            }
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<()> {
        let column = self.at + 1;
        let mut number = 0_i64;
        while let Some(digit) = self.text.get(self.at).and_then(|c| c.to_digit(10)) {
            let longer = number
                .checked_mul(10)
                .and_then(|n| n.checked_add(digit.into()));
            number = longer.ok_or(FamilyError::OutOfRange { column })?;
            self.at += 1;
        }
        self.steps.push(Step::Number(number));
        Ok(())
    }

    /// Does what waits and has at least this rank.
    fn close(&mut self, rank: u8) {
        while let Some(&operator) = self.open.last() {
            if operator == Operator::Open || operator.rank() < rank {
                break;
            }
            self.open.pop();
            self.steps.push(Step::Operator(operator));
        }
    }

    /// What stands here, blanks skipped.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn expected(&self, expected: &'static str) -> FamilyError {
        let found = self.text.get(self.at);
        FamilyError::Expected {
            column: self.at + 1,
            found: found.map_or_else(
                || "the end".to_owned(),
                |c| format!("`{}`", c.escape_debug()),
            ),
            expected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;

    fn value(text: &str) -> Result<Option<i64>, String> {
        let chars: Vec<char> = text.chars().collect();
        let read = Expression::read(&chars, 0).map_err(|error| error.to_string())?;
        Ok(read.0.value(|letter| if letter == 'a' { 5 } else { 3 }))
    }

    #[test]
    fn precedence_and_signs() {
        for (text, expected) in [
            ("a", 5),
            ("(a)", 5),
            ("(a+1)", 6),
            ("(2*a - b)", 7),
            ("(a-b-1)", 1),
            ("(a+b*2)", 11),
            ("((a+b)*2)", 16),
            ("(-a*-b+-(1))", 14),
            ("(2*(a-(b+1))*3)", 6),
        ] {
            assert_eq!(value(text), Ok(Some(expected)), "{text}");
        }
        assert_eq!(value("(9223372036854775807+a)"), Ok(None));
    }

    #[test]
    fn errors_point_at_the_column() {
        for (text, part) in [
            ("(a", "column 3: found the end"),
            ("(2a)", "column 3: found `a`, expected +, -, *"),
            ("(a+)", "column 4: found `)`, expected a number"),
            ("(T)", "column 2: found `T`"),
            ("()", "column 2: found `)`"),
            (
                "(99999999999999999999)",
                "column 2: this exponent is out of range",
            ),
        ] {
            let error = value(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(value(&deep), Ok(Some(5)));
    }
}
