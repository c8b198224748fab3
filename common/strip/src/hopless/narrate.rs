//! An explanation as text: the drawing, then walls, components with their sums, switches, and the total.

use super::closed_form::ClosedForm;
use super::component::{Component, Gap, Worth};
use super::draw::{LINE, draw};
use super::explain::{Explanation, Wall};
use crate::outcome::Outcome;
use std::fmt;

/// Longer strips are explained without a drawing.
const MAX_DRAWN_SQUARES: usize = 400;

/// Canonical forms up to so many leaves are written out.
const MAX_LEAVES: usize = 16;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} squares without jumps: {}",
            self.strip.len(),
            self.strip.compact()
        )?;
        if self.strip.len() <= MAX_DRAWN_SQUARES {
            draw(f, self)?;
        }
        write_walls(f, &self.walls)?;
        for (number, component) in self.components.iter().enumerate() {
            writeln!(f)?;
            write_component(f, self, number, component)?;
        }
        write_switches(f, self)?;
        write_total(f, self)
    }
}

fn write_walls(f: &mut fmt::Formatter<'_>, walls: &[Wall]) -> fmt::Result {
    if !walls.is_empty() {
        writeln!(f, "\nwalls")?;
    }
    for wall in walls {
        match wall {
            Wall::Cut(squares) => writeln!(
                f,
                "  {} and {}: a frog, then a toad; they only move apart, so the strip is a sum of two here",
                squares.start + 1,
                squares.end
            )?,
            Wall::Locked(squares) => {
                writeln!(
                    f,
                    "  {} and {}: toad against frog; neither moves again",
                    squares.start + 1,
                    squares.end
                )?;
            }
        }
    }
    Ok(())
}

fn write_component(
    f: &mut fmt::Formatter<'_>,
    explanation: &Explanation,
    number: usize,
    component: &Component,
) -> fmt::Result {
    let Component {
        squares,
        toads: a,
        frogs: b,
        contested,
        toad_gaps,
        frog_gaps,
    } = component;
    let name = if squares.len() == 1 {
        "square"
    } else {
        "squares"
    };
    let text: String = explanation.strip[squares.clone()]
        .iter()
        .map(|square| square.to_char())
        .collect();
    let shown = if squares.len() <= LINE {
        format!(", {text}")
    } else {
        String::new()
    };
    writeln!(
        f,
        "component {}: {name} {}{shown}: a = {a} {}, b = {b} {}",
        number + 1,
        span(squares.start, squares.end),
        plural(*a, "toad"),
        plural(*b, "frog")
    )?;
    let (left, right) = (component.left_free_moves(), component.right_free_moves());
    if *a > 0 {
        writeln!(
            f,
            "  Left's free moves, toads behind times blanks: {}",
            weighted(toad_gaps, left)
        )?;
    }
    if *b > 0 {
        writeln!(
            f,
            "  Right's free moves, frogs behind times blanks: {}",
            weighted(frog_gaps, right)
        )?;
    }
    let Some(gap) = contested else {
        let (free, enemy) = if *a > 0 {
            (left, "frog")
        } else {
            (-right, "toad")
        };
        return writeln!(f, "  no {enemy} in front: worth {free}");
    };
    let half = gap.len() / 2;
    let m = left - right + (*a as i64 - *b as i64) * half as i64;
    let free = format!("{left} - {right} + ({a} - {b})*{half}");
    match component.worth() {
        Worth::Integer(_) if gap.is_empty() => writeln!(
            f,
            "  no contested gap left (G = 0): worth {left} - {right} = {m}"
        ),
        Worth::Integer(integer) => {
            writeln!(
                f,
                "  contested gap {}: G = {}, even: half each",
                span(gap.start, gap.end),
                gap.len()
            )?;
            writeln!(f, "  worth free moves + (a - b)*G/2 = {free} = {integer}")
        }
        Worth::Switch { left, right } => {
            writeln!(
                f,
                "  contested gap {}: G = {}, odd: {half} each, and square {} is nobody's",
                span(gap.start, gap.end),
                gap.len(),
                gap.start + half + 1
            )?;
            writeln!(f, "  m = free moves + (a - b)*(G - 1)/2 = {free} = {m}")?;
            writeln!(
                f,
                "  worth {{m + (a - 1) | m - (b - 1)}} = {{{left} | {right}}} = {}",
                one(component)
            )
        }
    }
}

/// `1*2 + 3*1 = 5`, or `0`.
fn weighted(gaps: &[Gap], total: i64) -> String {
    let terms: Vec<_> = gaps
        .iter()
        .map(|gap| format!("{}*{}", gap.weight, gap.squares.len()))
        .collect();
    if terms.is_empty() {
        "0".to_owned()
    } else {
        format!("{} = {total}", terms.join(" + "))
    }
}

/// A component alone, as mean ± half-swing.
fn one(component: &Component) -> ClosedForm {
    ClosedForm::sum([component.worth()])
}

fn write_switches(f: &mut fmt::Formatter<'_>, explanation: &Explanation) -> fmt::Result {
    let Explanation {
        components,
        cancelled,
        surviving,
        ..
    } = explanation;
    if cancelled.is_empty() && surviving.is_empty() {
        return Ok(());
    }
    writeln!(f, "\nswitches")?;
    let swing = |number: usize| match one(&components[number]).half_swings().next() {
        Some(half) if half.twice() > 0 => format!("±{half}"),
        _ => "*".to_owned(),
    };
    let pieces = |number: usize| components[number].toads + components[number].frogs;
    for &(first, second) in cancelled {
        let (count, term) = (pieces(first), swing(first));
        writeln!(
            f,
            "  components {} and {} hold {count} pieces each: {term} and {term} cancel",
            first + 1,
            second + 1
        )?;
    }
    for &number in surviving {
        writeln!(
            f,
            "  component {} holds {} pieces: {} remains",
            number + 1,
            pieces(number),
            swing(number)
        )?;
    }
    Ok(())
}

fn write_total(f: &mut fmt::Formatter<'_>, explanation: &Explanation) -> fmt::Result {
    let Explanation {
        components, form, ..
    } = explanation;
    writeln!(f, "\ntotal")?;
    if components.len() > 1 {
        let means: Vec<_> = components
            .iter()
            .map(|component| one(component).mean().to_string())
            .collect();
        writeln!(
            f,
            "  means: {} = {}",
            means.join(" + ").replace("+ -", "- "),
            form.mean()
        )?;
    }
    write!(f, "  value {form}")?;
    match form.canonical_tree(MAX_LEAVES) {
        Ok(tree) if !form.is_number() && tree.to_string() != form.to_string() => {
            writeln!(f, " = {tree}")?;
        }
        _ => writeln!(f)?,
    }
    let winner = match form.outcome() {
        Outcome::P => "the second player wins",
        Outcome::L => "Left wins",
        Outcome::R => "Right wins",
        Outcome::N => "the first player wins",
    };
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

/// A range as people count: `3` or `3-5`.
fn span(start: usize, end: usize) -> String {
    if end - start == 1 {
        end.to_string()
    } else {
        format!("{}-{end}", start + 1)
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 {
        what.to_owned()
    } else {
        format!("{what}s")
    }
}
