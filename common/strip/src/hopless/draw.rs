//! The drawing of an explanation, square by square.

use super::explain::{Explanation, Owner, Wall};
use crate::square::Square;
use std::fmt;

/// Room for the squares in a line of the drawing, in characters.
pub(super) const LINE: usize = 80;

/// The rows of the drawing: the number of the square, what stands there, its component, its owner, the moves it
/// is worth.
pub(super) fn draw(f: &mut fmt::Formatter<'_>, explanation: &Explanation) -> fmt::Result {
    let squares = &explanation.strip;
    let mut component_of = vec![None; squares.len()];
    for (number, component) in explanation.components.iter().enumerate() {
        component_of[component.squares.clone()].fill(Some(number + 1));
    }
    let mut wall_before = vec![false; squares.len()];
    for Wall::Cut(wall) | Wall::Locked(wall) in &explanation.walls {
        wall_before[wall.end - 1] = true;
    }
    let rows: [(&str, Vec<String>); 5] = [
        (
            "square",
            (1..=squares.len())
                .map(|number| number.to_string())
                .collect(),
        ),
        ("strip", squares.iter().map(Square::to_string).collect()),
        (
            "component",
            component_of
                .iter()
                .map(|of| of.map_or_else(String::new, |number| number.to_string()))
                .collect(),
        ),
        (
            "owner",
            explanation
                .owners
                .iter()
                .map(|&owner| owner_letter(owner).to_owned())
                .collect(),
        ),
        (
            "moves",
            explanation
                .owners
                .iter()
                .map(|&owner| owner_moves(owner))
                .collect(),
        ),
    ];
    let width = 1 + rows
        .iter()
        .flat_map(|(_, cells)| cells)
        .map(String::len)
        .max()
        .unwrap_or(0);
    let cells_in_line = (LINE / width).max(1);
    for start in (0..squares.len()).step_by(cells_in_line) {
        let end = squares.len().min(start + cells_in_line);
        writeln!(f)?;
        for (name, cells) in &rows {
            let line = (start..end).map(|at| {
                // Cells have room for a wall in front of them.
                let wall = if *name == "strip" && wall_before[at] {
                    "|"
                } else {
                    " "
                };
                format!("{wall}{:>1$}", cells[at], width - 1)
            });
            writeln!(
                f,
                "{}",
                format!("  {name:<9}{}", line.collect::<String>()).trim_end()
            )?;
        }
    }
    writeln!(
        f,
        "\n  |: wall; L: only toads will cross it; R: only frogs; ?: whoever comes first; -: nobody"
    )
}

fn owner_letter(owner: Owner) -> &'static str {
    match owner {
        Owner::Piece => "",
        Owner::Left(_) => "L",
        Owner::Right(_) => "R",
        Owner::Shared => "?",
        Owner::Wasted => "-",
    }
}

fn owner_moves(owner: Owner) -> String {
    match owner {
        Owner::Left(moves) => format!("+{moves}"),
        Owner::Right(moves) => format!("-{moves}"),
        Owner::Piece | Owner::Shared | Owner::Wasted => String::new(),
    }
}
