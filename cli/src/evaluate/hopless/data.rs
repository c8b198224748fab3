//! An explanation as data: the same as its text, for programs. Squares and components are numbered from 1, ranges include
//! both ends, numbers that may be halves are strings.

use std::ops::Range;

use serde_json::{Value, json};
use toads_strip::Strip;
use toads_strip::hopless::{ClosedForm, Component, Explanation, Gap, Owner, Wall, Worth};

/// The explanation of a hopless strip.
pub(super) fn of(explained: &Explanation) -> Value {
    let half_swings: Vec<_> = explained
        .form
        .half_swings()
        .map(|half| half.to_string())
        .collect();
    let cancelled: Vec<_> = explained
        .cancelled
        .iter()
        .map(|(first, second)| [first + 1, second + 1])
        .collect();
    let surviving: Vec<_> = explained
        .surviving
        .iter()
        .map(|number| number + 1)
        .collect();
    let components = explained.components.iter();
    json!({
        "walls": explained.walls.iter().map(wall).collect::<Vec<_>>(),
        "owners": explained.owners.iter().map(owner).collect::<Vec<_>>(),
        "components": components.map(|component| of_component(component, &explained.strip)).collect::<Vec<_>>(),
        "cancelled": cancelled,
        "surviving": surviving,
        "mean": explained.form.mean().to_string(),
        "half_swings": half_swings,
        "closed_form": explained.form.to_string(),
        "outcome": explained.form.outcome().to_string(),
        "left_stop": explained.form.left_stop(),
        "right_stop": explained.form.right_stop(),
        "temperature": explained.form.temperature().to_string(),
        "birthday": explained.form.birthday(),
    })
}

fn squares(range: &Range<usize>) -> Value {
    json!([range.start + 1, range.end])
}

/// `cut`: a frog, then a toad, which only move apart. `locked`: a toad against a frog.
fn wall(wall: &Wall) -> Value {
    match wall {
        Wall::Cut(range) => json!({"kind": "cut", "squares": squares(range)}),
        Wall::Locked(range) => json!({"kind": "locked", "squares": squares(range)}),
    }
}

/// Whose a square is, and how many moves it is worth to its owner.
fn owner(owner: &Owner) -> Value {
    match owner {
        Owner::Piece => json!({"owner": "piece"}),
        Owner::Left(moves) => json!({"owner": "left", "moves": moves}),
        Owner::Right(moves) => json!({"owner": "right", "moves": moves}),
        Owner::Shared => json!({"owner": "shared"}),
        Owner::Wasted => json!({"owner": "wasted"}),
    }
}

fn of_component(component: &Component, strip: &Strip) -> Value {
    let Component {
        toads,
        frogs,
        contested,
        toad_gaps,
        frog_gaps,
        ..
    } = component;
    let alone = ClosedForm::sum([component.worth()]);
    let (integer, switch) = match component.worth() {
        Worth::Integer(integer) => (json!(integer), Value::Null),
        Worth::Switch { left, right } => (Value::Null, json!([left, right])),
    };
    json!({
        "squares": squares(&component.squares),
        "strip": Strip::new(&strip[component.squares.clone()]).to_string(),
        "toads": toads,
        "frogs": frogs,
        "gap": component.gap(),
        "contested": contested.as_ref().filter(|gap| !gap.is_empty()).map(squares),
        "left_gaps": toad_gaps.iter().map(gap).collect::<Vec<_>>(),
        "right_gaps": frog_gaps.iter().map(gap).collect::<Vec<_>>(),
        "left_free_moves": component.left_free_moves(),
        "right_free_moves": component.right_free_moves(),
        "integer": integer,
        "switch": switch,
        "mean": alone.mean().to_string(),
        "half_swing": alone.half_swings().next().map(|half| half.to_string()),
        "worth": alone.to_string(),
    })
}

/// Blanks that one side will cross: `moves` = `weight`, the pieces behind, times the blanks.
fn gap(gap: &Gap) -> Value {
    json!({
        "squares": squares(&gap.squares),
        "weight": gap.weight,
        "blanks": gap.squares.len(),
        "moves": gap.moves(),
    })
}
