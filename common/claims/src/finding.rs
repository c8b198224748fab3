//! What a check says.

use std::fmt;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No counterexample as far as was looked.
    Holds,
    /// There is a counterexample.
    Refuted,
    /// A figure that was published is another one when it is computed.
    DiffersFromPrint,
    /// Neither: the check could not be carried out.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holds => "holds",
            Self::Refuted => "refuted",
            Self::DiffersFromPrint => "differs from print",
            Self::Undecided => "undecided",
        })
    }
}

/// What a bound counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Squares of a strip.
    #[default]
    Squares,
    /// The exponent a of a family.
    A,
    /// The letters of the words L̄ and R̄ of a lemma.
    Letters,
}

impl Measure {
    /// `9 squares`, `a = 120`, `words of 4 letters`.
    pub(crate) fn of(self, bound: u32) -> String {
        match self {
            Self::Squares => format!("{bound} squares"),
            Self::A => format!("a = {bound}"),
            Self::Letters => format!("words of {bound} letters"),
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What became of the claim.
    pub verdict: Verdict,
    /// How far was looked.
    pub bound: u32,
    /// What the bound counts.
    pub measure: Measure,
    /// How many instances were tested.
    pub cases: u64,
    /// The counterexample, the difference, or what stood in the way; empty for [`Verdict::Holds`].
    pub reason: String,
    /// The figures that were found, for people; may be empty.
    pub figures: String,
}

impl Finding {
    /// With figures for people.
    #[must_use]
    pub(crate) fn with_figures(self, figures: impl Into<String>) -> Self {
        Self {
            figures: figures.into(),
            ..self
        }
    }

    /// With a bound that counts something else than squares.
    #[must_use]
    pub(crate) fn measured(self, measure: Measure) -> Self {
        Self { measure, ..self }
    }

    /// A check that could not be carried out.
    pub(crate) fn undecided(bound: u32, reason: impl fmt::Display) -> Self {
        Self {
            verdict: Verdict::Undecided,
            bound,
            measure: Measure::Squares,
            cases: 0,
            reason: reason.to_string(),
            figures: String::new(),
        }
    }
}

impl fmt::Display for Finding {
    /// `holds (to 9 squares, 29,523 cases)`, `refuted by T.F = *`, `differs from print: …`, `undecided: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bound, reason, .. } = self;
        match self.verdict {
            Verdict::Holds => write!(
                f,
                "holds (to {}, {} cases)",
                self.measure.of(*bound),
                grouped(&self.cases)
            ),
            Verdict::Refuted => write!(f, "refuted by {reason}"),
            Verdict::DiffersFromPrint => write!(f, "differs from print: {reason}"),
            Verdict::Undecided => write!(f, "undecided: {reason}"),
        }
    }
}

/// Instances as they are tested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tested {
    pub(crate) cases: u64,
    counterexample: Option<String>,
}

impl Tested {
    /// Counts an instance; the first that is not as claimed is kept.
    pub(crate) fn case(&mut self, as_claimed: bool, instance: impl FnOnce() -> String) {
        self.cases(1, as_claimed, instance);
    }

    /// Counts several instances of one kind.
    pub(crate) fn cases(
        &mut self,
        cases: u64,
        as_claimed: bool,
        instance: impl FnOnce() -> String,
    ) {
        self.cases += cases;
        if !as_claimed && self.counterexample.is_none() {
            self.counterexample = Some(instance());
        }
    }

    /// These, then those of another share of the instances.
    pub(crate) fn then(self, later: Self) -> Self {
        Self {
            cases: self.cases + later.cases,
            counterexample: self.counterexample.or(later.counterexample),
        }
    }

    /// The result.
    pub(crate) fn finding(self, bound: u32) -> Finding {
        Finding {
            verdict: if self.counterexample.is_some() {
                Verdict::Refuted
            } else {
                Verdict::Holds
            },
            bound,
            measure: Measure::Squares,
            cases: self.cases,
            reason: self.counterexample.unwrap_or_default(),
            figures: String::new(),
        }
    }
}

/// A count for people, in groups of three: `29,523`.
#[allow(clippy::needless_pass_by_value)] // small numbers, written at the call
pub(crate) fn grouped(count: &impl ToString) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Counts with ` / ` between them.
pub(crate) fn listed<T: ToString>(counts: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<_> = counts.into_iter().map(|count| grouped(&count)).collect();
    texts.join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_counterexample_refutes() {
        let mut tested = Tested::default();
        tested.case(true, || unreachable!("as claimed"));
        assert_eq!(
            tested.clone().finding(3).to_string(),
            "holds (to 3 squares, 1 cases)"
        );
        tested.case(false, || "T.F".to_owned());
        tested.case(false, || "TT.F".to_owned());
        let finding = tested.finding(3);
        assert_eq!((finding.verdict, finding.cases), (Verdict::Refuted, 3));
        assert_eq!(finding.to_string(), "refuted by T.F");
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(listed([22_186, 351, 1_000_000]), "22,186 / 351 / 1,000,000");
    }
}
