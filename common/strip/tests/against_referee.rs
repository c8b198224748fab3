//! Every claim of the crate about values, against the slow evaluator in `referee`.

mod referee;

use referee::{Player as Solver, Referee, all_strips, left_moves, right_moves};
use std::collections::HashMap;
use toads_strip::{Outcome, Player, Strip, Variant, hopless, walls};

const HOPLESS_SQUARES: usize = 11;
const SQUARES: usize = 9;

fn strip(text: &str) -> Strip {
    if text.is_empty() {
        Strip::default()
    } else {
        text.parse().unwrap()
    }
}

fn strips(squares: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = String> {
    squares.flat_map(all_strips)
}

#[test]
fn moves_are_the_moves_of_the_rules_and_lower_the_index() {
    for text in strips(0..=SQUARES) {
        let position = strip(&text);
        for variant in Variant::ALL {
            let hop = variant == Variant::Hop;
            for (player, expected) in [
                (Player::Left, left_moves(&text, hop)),
                (Player::Right, right_moves(&text, hop)),
            ] {
                let moves = position.moves(variant, player);
                assert!(
                    moves.iter().map(ToString::to_string).eq(expected),
                    "{text} {variant} {player}"
                );
                assert!(
                    moves.iter().all(|next| next.index() < position.index()),
                    "{text} {variant} {player}"
                );
                assert_eq!(position.has_move(variant, player), !moves.is_empty());
                for step in position.legal_moves(variant, player) {
                    assert_eq!(step.is_jump, step.from.abs_diff(step.to) == 2);
                }
            }
        }
    }
}

#[test]
fn the_closed_form_is_the_value_of_every_hopless_strip() {
    let mut referee = Referee::default();
    let mut built = HashMap::new();
    for text in strips(1..=HOPLESS_SQUARES) {
        let form = hopless::analyse(&strip(&text));
        let value = referee.value(&text, false);
        let claimed = *built.entry(form.clone()).or_insert_with(|| {
            // Without simplification, so that the tree itself is seen to be canonical.
            let shape = form.fold(
                1000,
                |n| Ok::<_, ()>((n, n.unsigned_abs())),
                |(l, left): (i64, u64), (r, right)| Ok((l.max(r), 1 + left.max(right))),
            );
            assert_eq!(shape.unwrap().1, form.birthday(), "{text}");
            let cell = std::cell::RefCell::new(&mut referee);
            form.fold(
                1000,
                |n| Ok::<_, ()>(cell.borrow_mut().integer(n)),
                |l, r| Ok(cell.borrow_mut().game([l].into(), [r].into())),
            )
            .unwrap()
        });
        assert_eq!(value, claimed, "{text} = {form}");
    }
    // Different closed forms are different values.
    let mut values: Vec<_> = built.values().collect();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values.len(), built.len());
}

#[test]
fn what_is_read_off_the_closed_form_is_right() {
    let mut referee = Referee::default();
    let mut solver = Solver::default();
    for text in strips(1..=HOPLESS_SQUARES - 1) {
        let form = hopless::analyse(&strip(&text));
        let value = referee.value(&text, false);
        assert_eq!(form.is_number(), referee.is_number(value), "{text}");
        assert_eq!(form.as_integer(), referee.as_integer(value), "{text}");
        assert_eq!(form.left_stop(), referee.stop(value, true), "{text}");
        assert_eq!(form.right_stop(), referee.stop(value, false), "{text}");
        assert_eq!(form.birthday(), referee.birthday(value), "{text}");
        let (mean, temperature) = referee.mean_and_temperature(value);
        assert_eq!(
            (2 * form.mean().twice(), 2 * form.temperature().twice()),
            (mean, temperature),
            "{text}"
        );
        let (left, right) = (
            solver.first_wins(&text, false, true),
            solver.first_wins(&text, false, false),
        );
        let outcome = match (left, right) {
            (true, true) => Outcome::N,
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (false, false) => Outcome::P,
        };
        assert_eq!(form.outcome(), outcome, "{text}");
    }
}

#[test]
fn components_and_their_worth_are_values_of_strips() {
    let mut referee = Referee::default();
    for text in strips(1..=SQUARES) {
        let zero = referee.integer(0);
        let (mut of_strips, mut of_worths) = (zero, hopless::ClosedForm::integer(0));
        for component in hopless::components(&strip(&text)) {
            let part = referee.value(&text[component.squares.clone()], false);
            of_strips = referee.add(of_strips, part);
            of_worths = &of_worths + &hopless::ClosedForm::sum([component.worth()]);
        }
        assert_eq!(of_strips, referee.value(&text, false), "{text}");
        assert_eq!(of_worths, hopless::analyse(&strip(&text)), "{text}");
    }
}

#[test]
fn a_strip_is_the_sum_of_the_parts_between_its_walls() {
    let mut referee = Referee::default();
    let mut several = 0;
    for text in strips(0..=SQUARES) {
        let parts = walls::split(&strip(&text));
        several += u32::from(parts.len() > 1);
        for hop in [true, false] {
            let mut sum = referee.integer(0);
            for part in &parts {
                let value = referee.value(&part.to_string(), hop);
                sum = referee.add(sum, value);
            }
            assert_eq!(sum, referee.value(&text, hop), "{text} {hop}");
        }
    }
    assert!(several > 0, "no strip had two parts");
}

#[test]
fn walls_inside_longer_strips_part_them() {
    let mut referee = Referee::default();
    for left in strips(1..=4) {
        for right in strips(1..=4) {
            for wall in ["TTFF", "TTFTFF"] {
                let text = format!("{left}{wall}{right}");
                for hop in [true, false] {
                    let mut sum = referee.integer(0);
                    for part in walls::split(&strip(&text)) {
                        let value = referee.value(&part.to_string(), hop);
                        sum = referee.add(sum, value);
                    }
                    assert_eq!(sum, referee.value(&text, hop), "{text} {hop}");
                }
            }
        }
    }
}

#[test]
fn walls_never_move() {
    // Play every strip in every way: no move starts or ends on a square of a wall, ever.
    for text in strips(1..=SQUARES) {
        let walls = walls::walls(&strip(&text));
        let mut ahead = vec![text.clone()];
        let mut seen = std::collections::HashSet::new();
        while let Some(position) = ahead.pop() {
            for wall in &walls {
                assert_eq!(
                    position[wall.clone()],
                    text[wall.clone()],
                    "{text} reached {position}"
                );
            }
            let next = left_moves(&position, true)
                .into_iter()
                .chain(right_moves(&position, true));
            ahead.extend(next.filter(|next| seen.insert(next.clone())));
        }
    }
}

#[test]
fn mirrors_negate_and_dead_ends_do_not_matter() {
    let mut referee = Referee::default();
    for text in strips(0..=SQUARES) {
        let mirror = strip(&text).mirror().to_string();
        let core = strip(&text).core().1.to_string();
        for hop in [true, false] {
            let value = referee.value(&text, hop);
            assert_eq!(
                referee.value(&mirror, hop),
                referee.neg(value),
                "{text} {hop}"
            );
            assert_eq!(referee.value(&core, hop), value, "{text} {hop}");
        }
    }
}
