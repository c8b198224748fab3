//! The value of hop strips from their moves alone: no closed form, no cuts, no census kernel.

use rustc_hash::FxHashMap;
use toads_game::{Arena, GameError, Value};
use toads_strip::{Player, Strip, Variant};

/// Remembers every strip it met. For short strips with few blanks.
pub(super) struct Plain<'a> {
    pub(super) arena: &'a Arena,
    known: FxHashMap<Strip, Value>,
}

impl<'a> Plain<'a> {
    pub(super) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            known: FxHashMap::default(),
        }
    }

    /// The value of a strip; no recursion.
    pub(super) fn value(&mut self, strip: &Strip) -> Result<Value, GameError> {
        let mut open = vec![strip.clone()];
        while let Some(top) = open.last() {
            if self.known.contains_key(top) {
                open.pop();
                continue;
            }
            let options = Player::BOTH.map(|player| top.moves(Variant::Hop, player));
            let unknown: Vec<_> = options
                .iter()
                .flatten()
                .filter(|&option| !self.known.contains_key(option))
                .cloned()
                .collect();
            if !unknown.is_empty() {
                open.extend(unknown);
                continue;
            }
            let [left, right] = options.map(|options| {
                options
                    .iter()
                    .map(|option| self.known[option])
                    .collect::<Vec<_>>()
            });
            let value = self.arena.canonical(&left, &right)?;
            if let Some(done) = open.pop() {
                self.known.insert(done, value);
            }
        }
        Ok(self.known[strip])
    }
}
