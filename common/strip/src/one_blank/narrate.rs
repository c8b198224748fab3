//! An explanation as text: what is cut, then the lemma for each position on the way, then the total.

use super::explain::Explanation;
use super::form::{End, Step};
use super::number::Number;
use crate::outcome::Outcome;
use std::fmt;

/// Of longer chains only the beginning and the end are told.
const MAX_TOLD: usize = 40;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} squares, one blank, with jumps: {}",
            self.strip.len(),
            clip(&self.strip.compact())
        )?;
        self.write_cut(f)?;
        let last = self.stages.len() - 1;
        for at in 0..self.stages.len() {
            if last > MAX_TOLD && at == MAX_TOLD / 2 {
                writeln!(f, "  ... {} more lemmas, 4.9 each", last - MAX_TOLD + 1)?;
            }
            if last <= MAX_TOLD || at < MAX_TOLD / 2 || at + MAX_TOLD / 2 > last {
                self.write_stage(f, at)?;
            }
        }
        self.write_total(f)
    }
}

impl Explanation {
    fn write_cut(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end, n) = (self.matters.start, self.matters.end, self.strip.len());
        let squares = |count: usize| if count == 1 { "square" } else { "squares" };
        if start > 0 {
            writeln!(
                f,
                "  cut: the first {start} {}, to the last FF or leading frogs, never move (Lemma 4.2)",
                squares(start)
            )?;
        }
        if end < n {
            writeln!(
                f,
                "  cut: the last {} {}, from the first TT or trailing toads, never move (Lemma 4.2)",
                n - end,
                squares(n - end)
            )?;
        }
        Ok(())
    }

    fn write_stage(&self, f: &mut fmt::Formatter<'_>, at: usize) -> fmt::Result {
        let stage = &self.stages[at];
        let name = |number: usize| format!("G{number}");
        let position = stage
            .position
            .as_ref()
            .map_or_else(String::new, |position| format!(" = {}", position.compact()));
        let minus = if stage.mirrored { "-" } else { "" };
        let x = format!("{minus}{}", name(at + 2));
        let says = match self.form.steps().get(at) {
            Some(&step) => of_step(step, &x),
            None => of_end(self.form.end()),
        };
        let mirror = if stage.mirrored { ", mirrored" } else { "" };
        writeln!(
            f,
            "  {}{position}\n    Lemma {}{mirror}: {minus}{} = {says}",
            name(at + 1),
            stage.lemma,
            name(at + 1)
        )
    }

    fn write_total(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = &self.form;
        let winner = match form.outcome() {
            Outcome::P => "the second player wins",
            Outcome::L => "Left wins",
            Outcome::R => "Right wins",
            Outcome::N => "the first player wins",
        };
        writeln!(f, "  value {}", clip(&form.to_string()))?;
        writeln!(f, "  outcome {}: {winner}", form.outcome())?;
        writeln!(
            f,
            "  Left stop {}, Right stop {}, mean {}, temperature {}, birthday {}",
            form.left_stop(),
            form.right_stop(),
            form.mean(),
            form.temperature(),
            form.birthday()
        )
    }
}

fn of_step(step: Step, x: &str) -> String {
    let rest = |k: u64| match k {
        0 => x.to_owned(),
        1 => format!("O({x})"),
        k => format!("O^{k}({x})"),
    };
    match step {
        Step::Guarded { a, b, c } => format!(
            "T^{a} . (TF)^{b} T F^{c} = {{a-1 | O^b(x)}} = {{{} | {}}}, x = {x}",
            a - 1,
            rest(b)
        ),
        Step::Facing { a, b, c } => format!(
            "T^{a} . F (TF)^{b} T F^{c} = {{{{a-2 | O^(b+1)(x)}} | 0}} = {{{{{} | {}}} | 0}}, x = {x}",
            a - 2,
            rest(b + 1)
        ),
    }
}

fn of_end(end: End) -> String {
    match end {
        End::DeathLeap => "0: whoever can move can only jump, and who jumps dies".to_owned(),
        End::Run { a } => format!("T^{a} . = {a}"),
        End::Singles => "T . F = *".to_owned(),
        End::Runs { a, b } => format!("T^{a} . F^{b} = *, as both runs are longer than 1"),
        End::Guarded { a, b } => format!(
            "T^{a} . (TF)^{b} = {{a-1 | 1/2^(b-1)}} = {{{} | {}}}",
            a - 1,
            Number::reciprocal(b - 1)
        ),
        End::Facing { a, b } => format!(
            "T^{a} . F (TF)^{b} = {{{{a-2 | 1/2^b}} | 0}} = {{{{{} | {}}} | 0}}",
            a - 2,
            Number::reciprocal(b)
        ),
    }
}

/// At most 400 characters.
fn clip(text: &str) -> String {
    const MOST: usize = 400;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} characters)", &text[..at], text.chars().count()),
    }
}
