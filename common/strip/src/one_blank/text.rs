//! The closed form as text, linear in the number of steps.

use super::form::{End, OneBlank, Step};
use super::number::Number;
use std::fmt;

impl fmt::Display for OneBlank {
    /// `{3|*}`, `1/2^5000`, `-{2|O^3(-{{1|O(*)}|0})}`: as the lemmas say it, with O(x) = {0|x}, O^k(x) that k times, and x of a step
    /// minus the value of the next position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let mut behind = Vec::new();
        let mut negated = self.mirrored;
        for &step in &self.steps {
            text += if negated { "-" } else { "" };
            negated = true;
            let (open, close) = match step {
                Step::Guarded { a: 1, b, .. } => (zeros(b + 1), ")"),
                Step::Guarded { a, b: 0, .. } => (format!("{{{}|", a - 1), "}"),
                Step::Guarded { a, b, .. } => (format!("{{{}|{}", a - 1, zeros(b)), ")}"),
                Step::Facing { a: 2, b, .. } => (format!("{{{}", zeros(b + 2)), ")|0}"),
                Step::Facing { a, b, .. } => (format!("{{{{{}|{}", a - 2, zeros(b + 1)), ")}|0}"),
            };
            text += &open;
            behind.push(close);
        }
        text += &end(self.end, negated);
        behind
            .into_iter()
            .rev()
            .for_each(|close| text.push_str(close));
        f.pad(&text)
    }
}

/// `O(` or `O^3(`.
fn zeros(k: u64) -> String {
    match k {
        1 => "O(".to_owned(),
        k => format!("O^{k}("),
    }
}

/// What the last lemma says, or its negative.
fn end(end: End, negated: bool) -> String {
    let minus = if negated { "-" } else { "" };
    match end {
        End::DeathLeap => "0".to_owned(),
        End::Run { a } => format!("{minus}{a}"),
        End::Singles | End::Runs { .. } => "*".to_owned(),
        End::Guarded { a: 1, b } => format!("{minus}{}", Number::reciprocal(b)),
        End::Guarded { a: 2, b: 1 } => format!("{minus}1*"),
        End::Guarded { a, b } => format!("{minus}{{{}|{}}}", a - 1, Number::reciprocal(b - 1)),
        End::Facing { a: 2, b } => format!("{minus}{{{}|0}}", Number::reciprocal(b + 1)),
        End::Facing { a: 3, b: 0 } => format!("{minus}{{1*|0}}"),
        End::Facing { a, b } => {
            format!("{minus}{{{{{}|{}}}|0}}", a - 2, Number::reciprocal(b))
        }
    }
}
