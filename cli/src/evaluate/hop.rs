//! Hop strips: parts between walls, each by its closed form (one blank, or pieces that never meet) or from the positions that can
//! be reached from it.
//!
//! Every move makes a strip's number smaller and every split makes it shorter, so the order (length, number) is an
//! evaluation order: no recursion, however long a game lasts.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;
use toads_census::{Control, EvaluateError, EvaluatedClass, Shard};
use toads_game::{Canonicalizer, Value};
use toads_strip::{Player, Square, Strip, Variant, hopless, one_blank, walls};

use super::{Evaluator, Explanation};
use crate::failure::{Failure, Result};

/// From so many positions on, the table of the whole class is quicker than a map of positions, if there is room for it.
const TABLE_FROM: usize = 200_000;

impl Evaluator<'_> {
    /// The value of a hop strip.
    pub(super) fn hop(&mut self, strip: &Strip) -> Result<Value> {
        let mut sum = Value::ZERO;
        for part in walls::split(strip) {
            let value = self.part(&part)?;
            sum = self.arena.add(sum, value)?;
        }
        Ok(sum)
    }

    /// The value of a strip without walls.
    fn part(&mut self, part: &Strip) -> Result<Value> {
        if let Some(&value) = self.known.get(part) {
            return Ok(value);
        }
        if let Some(value) = self.by_closed_form(part)? {
            self.known.insert(part.clone(), value);
            return Ok(value);
        }
        match self.reachable(part)? {
            Some(positions) => self.evaluate_in_order(positions)?,
            None => self.evaluate_class(part)?,
        }
        Ok(self.known[part])
    }

    /// The value of a strip that has a closed form.
    fn by_closed_form(&self, strip: &Strip) -> Result<Option<Value>> {
        if never_meet(strip) {
            return self.build(&hopless::analyse(strip)).map(Some);
        }
        let Some(form) = one_blank::analyse(strip) else {
            return Ok(None);
        };
        let value = self.build_one_blank(&form)?;
        let too_large = || {
            Failure::Input(format!(
                "too large: {} is worth {}, which is too large to be added to anything; ask for it alone",
                super::clip(&strip.compact(), 60),
                super::clip(&form.to_string(), 60),
            ))
        };
        value.ok_or_else(too_large).map(Some)
    }

    /// What must be known for `part`, in evaluation order; `None` when the table of its class is the quicker way.
    fn reachable(&self, part: &Strip) -> Result<Option<Vec<Strip>>> {
        let tabled = part
            .try_class()
            .is_ok_and(|class| 4 * class.size() <= self.table_bytes);
        // A position is held a few times over: in the set, in the list that is sorted, and with its value.
        let room = (self.table_bytes / (4 * (part.len() as u64 + 96))) as usize;
        let mut seen = HashSet::from([part.clone()]);
        let mut open = vec![part.clone()];
        while let Some(position) = open.pop() {
            if has_closed_form(&position) {
                continue;
            }
            if tabled && seen.len() > TABLE_FROM {
                return Ok(None);
            }
            if seen.len() > self.limit || seen.len() > room {
                let (most, flag) = if self.limit <= room {
                    (self.limit, "--limit")
                } else {
                    (room, "--memory")
                };
                return Err(Failure::Input(format!(
                    "too large: {} has more than {most} positions; raise {flag}, or take a shorter strip",
                    super::clip(&part.compact(), 60),
                )));
            }
            for next in Player::BOTH
                .into_iter()
                .flat_map(|player| position.moves(Variant::Hop, player))
            {
                for piece in walls::split(&next) {
                    if !self.known.contains_key(&piece) && seen.insert(piece.clone()) {
                        open.push(piece);
                    }
                }
            }
        }
        let mut positions: Vec<_> = seen.into_iter().collect();
        positions.sort_unstable();
        Ok(Some(positions))
    }

    fn evaluate_in_order(&mut self, positions: Vec<Strip>) -> Result<()> {
        let mut canonicalizer = Canonicalizer::new(self.arena);
        for position in positions {
            let value = if let Some(value) = self.by_closed_form(&position)? {
                value
            } else {
                let mut options = [Vec::new(), Vec::new()];
                for (side, player) in options.iter_mut().zip(Player::BOTH) {
                    for next in position.moves(Variant::Hop, player) {
                        let mut sum = Value::ZERO;
                        for piece in walls::split(&next) {
                            sum = self.arena.add(sum, self.known[&piece])?;
                        }
                        side.push(sum);
                    }
                }
                canonicalizer.canonical(&options[0], &options[1])?
            };
            self.known.insert(position, value);
        }
        Ok(())
    }

    /// Through the kernel of the census. The class's own table is not kept: only the strip and its options are.
    fn evaluate_class(&mut self, part: &Strip) -> Result<()> {
        let class = part.try_class()?;
        let mirrored = !class.is_computed();
        let shard = Shard::whole(Variant::Hop, if mirrored { class.mirror() } else { class });
        let table = self.table(shard)?;
        let options = Player::BOTH
            .into_iter()
            .flat_map(|player| part.moves(Variant::Hop, player));
        for strip in options.chain([part.clone()]).collect::<Vec<_>>() {
            let asked = if mirrored {
                strip.mirror()
            } else {
                strip.clone()
            };
            let value = table.value_at(shard.class.rank(&asked));
            self.known.insert(
                strip,
                if mirrored {
                    self.arena.neg(value)?
                } else {
                    value
                },
            );
        }
        Ok(())
    }

    /// The values of a class, with reports on the way.
    fn table(&mut self, shard: Shard) -> Result<EvaluatedClass> {
        let (arena, threads, control) = (self.arena, self.threads, Control::default());
        std::thread::scope(|scope| {
            let evaluation =
                scope.spawn(|| toads_census::evaluate(arena, shard, threads, &control));
            while !evaluation.is_finished() {
                (self.progress)(control.strips_done.load(Ordering::Relaxed), shard.strips());
                std::thread::sleep(Duration::from_millis(20));
            }
            (self.progress)(shard.strips(), shard.strips());
            match evaluation.join() {
                Ok(Ok(table)) => Ok(table),
                Ok(Err(EvaluateError::Game(error))) => Err(error.into()),
                Ok(Err(other)) => Err(Failure::failed(other)),
                // The panic was reported where it happened.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Dead ends, walls, parts, and the options of the whole strip.
    pub(super) fn explain_hop(&mut self, strip: &Strip) -> Result<Explanation> {
        let mut text = String::new();
        let mut say = |line: String| writeln!(text, "{line}").expect("a string takes every line");
        let (frogs, _, toads) = strip.core();
        if frogs + toads > 0 {
            say(format!(
                "dead ends: {frogs} leading frogs and {toads} trailing toads never move and change nothing"
            ));
        }
        let found = walls::walls(strip);
        for wall in &found {
            let squares = Strip::new(&strip[wall.clone()]);
            say(format!(
                "wall: squares {}-{} ({squares}) never move again; the two sides add",
                wall.start + 1,
                wall.end
            ));
        }
        let mut parts = Vec::new();
        for range in walls::parts(strip) {
            let part = Strip::new(&strip[range.clone()]);
            let value = self.hop(&part)?;
            let value = self.text(value);
            say(format!(
                "part: squares {}-{} ({part}) = {value}",
                range.start + 1,
                range.end
            ));
            let lemmas = super::one_blank::explanation(&part);
            for line in lemmas.iter().flat_map(|lemmas| lemmas.text.lines()) {
                say(format!("  {line}"));
            }
            parts.push(json!({"squares": [range.start + 1, range.end], "strip": part.to_string(), "value": value,
                "one_blank": lemmas.map(|lemmas| lemmas.data)}));
        }
        if parts.is_empty() {
            say("no part has a move left: the value is 0".to_owned());
        }
        let mut moves = Vec::new();
        for player in Player::BOTH {
            for step in strip.legal_moves(Variant::Hop, player).collect::<Vec<_>>() {
                let next = strip.after(step);
                let value = self.hop(&next)?;
                let value = self.text(value);
                let (from, to) = (step.from + 1, step.to + 1);
                let how = if step.is_jump { "jumps" } else { "steps" };
                say(format!("{player} {how} {from} to {to}: {next} = {value}"));
                let option = json!({"player": player.to_string(), "from": from, "to": to, "jump": step.is_jump,
                    "strip": next.to_string(), "value": value});
                moves.push(option);
            }
        }
        let walls: Vec<_> = found
            .iter()
            .map(|wall| json!([wall.start + 1, wall.end]))
            .collect();
        let data = json!({"leading_frogs": frogs, "trailing_toads": toads, "walls": walls, "parts": parts, "moves": moves});
        Ok(Explanation { text, data })
    }
}

/// Whether options need not be looked at.
fn has_closed_form(strip: &Strip) -> bool {
    let blanks = strip.iter().filter(|&&square| square == Square::Blank);
    blanks.count() == 1 || never_meet(strip)
}

/// No toad stands left of a frog: the two kinds only move apart, and the closed form of hopless strips holds.
fn never_meet(strip: &Strip) -> bool {
    let first_toad = strip.iter().position(|&square| square == Square::Toad);
    let last_frog = strip.iter().rposition(|&square| square == Square::Frog);
    first_toad
        .zip(last_frog)
        .is_none_or(|(toad, frog)| frog < toad)
}
