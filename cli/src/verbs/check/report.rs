//! Findings on their way to standard output: a paragraph each for people, a row each for programs.

use std::fmt::Write as _;

use toads_claims::{Claim, Finding};

use crate::failure::Result;
use crate::output::{self, Cell, Format, Table};

/// The columns; those of the contract first.
const COLUMNS: [&str; 10] = [
    "claim",
    "verdict",
    "recorded",
    "bound",
    "cases",
    "statement",
    "source",
    "standing",
    "figures",
    "as_recorded",
];

/// Lines for people are at most so long.
const WIDTH: usize = 100;

/// Prints findings as they come.
pub(super) enum Report {
    /// For people.
    Paragraphs { first: bool },
    /// For programs.
    Rows(Table),
}

impl Report {
    pub(super) fn open(format: Format) -> Result<Self> {
        if format == Format::Text {
            return Ok(Self::Paragraphs { first: true });
        }
        Table::open(format, COLUMNS).map(Self::Rows)
    }

    pub(super) fn add(&mut self, claim: &Claim, finding: &Finding) -> Result<()> {
        match self {
            Self::Paragraphs { first } => {
                let gap = if std::mem::take(first) { "" } else { "\n" };
                output::print(&format!("{gap}{}", paragraph(claim, finding)))
            }
            Self::Rows(table) => {
                table.row(&row(claim, finding))?;
                table.flush()
            }
        }
    }

    pub(super) fn close(self) -> Result<()> {
        match self {
            Self::Paragraphs { .. } => Ok(()),
            Self::Rows(table) => table.close().map(drop),
        }
    }
}

fn row(claim: &Claim, finding: &Finding) -> [Cell; 10] {
    let verdict = if finding.reason.is_empty() {
        finding.verdict.to_string()
    } else {
        finding.to_string()
    };
    [
        Cell::text(claim.id),
        Cell::text(verdict),
        Cell::text(claim.recorded),
        Cell::from(finding.bound),
        Cell::from(finding.cases),
        Cell::text(claim.statement),
        Cell::text(claim.source),
        Cell::text(claim.standing),
        Cell::text(&finding.figures),
        Cell::text(if finding.verdict == claim.expected(finding.bound) {
            "yes"
        } else {
            "no"
        }),
    ]
}

fn paragraph(claim: &Claim, finding: &Finding) -> String {
    let mut text = format!("{}\n", claim.id);
    wrap(&mut text, "  ", claim.statement);
    wrap(&mut text, "  => ", &finding.to_string());
    if !finding.figures.is_empty() {
        wrap(&mut text, "     ", &finding.figures);
    }
    if finding.verdict != claim.expected(finding.bound) {
        let recorded = format!(
            "NOT AS RECORDED: the verdict on record is \"{}\"",
            claim.expected(finding.bound)
        );
        wrap(&mut text, "     ", &recorded);
    }
    wrap(
        &mut text,
        "     ",
        &format!("{}; source: {}", claim.standing, claim.source),
    );
    text
}

/// The claims with their statements, for people.
pub(super) fn list(claims: &[&Claim]) -> Result<()> {
    let mut text = String::new();
    for claim in claims {
        let _ = writeln!(text, "{}  ({})", claim.id, claim.recorded);
        wrap(&mut text, "    ", claim.statement);
    }
    output::print(&text)
}

/// Adds words in lines behind `lead`, or behind as many blanks from the second line on.
fn wrap(text: &mut String, lead: &str, words: &str) {
    let indent = " ".repeat(lead.chars().count());
    let mut line = lead.to_owned();
    let mut begun = false;
    for word in words.split(' ') {
        if begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            line.clone_from(&indent);
            begun = false;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(word);
        begun = true;
    }
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        let mut text = String::new();
        wrap(&mut text, "  => ", &"word ".repeat(60));
        assert!(text.lines().count() > 2);
        assert!(
            text.lines().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
        assert!(
            text.lines().skip(1).all(|line| line.starts_with("     ")),
            "{text}"
        );
    }

    #[test]
    fn what_is_not_as_recorded_is_said() {
        let claim = toads_claims::claim("hopless-odd-gaps").unwrap();
        let finding = Finding {
            verdict: toads_claims::Verdict::Refuted,
            bound: 9,
            measure: toads_claims::Measure::Squares,
            cases: 1,
            reason: "count: 1 / 2".to_owned(),
            figures: String::new(),
        };
        let text = paragraph(claim, &finding);
        assert!(text.contains("=> refuted by count: 1 / 2\n"), "{text}");
        assert!(text.contains("NOT AS RECORDED"), "{text}");
        assert_eq!(
            row(claim, &finding)[1],
            Cell::from("refuted by count: 1 / 2")
        );
    }
}
