//! The referee: canonical forms, from moves made on strips one by one.

use std::collections::HashMap;

use toads_game::{Arena, Value};
use toads_strip::{Player, Strip, Variant};

/// Values of strips, each evaluated from the values of its options.
pub(crate) struct Forms<'a> {
    arena: &'a Arena,
    known: HashMap<(Strip, Variant), Value>,
}

impl<'a> Forms<'a> {
    /// Nothing is known yet.
    pub(crate) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            known: HashMap::new(),
        }
    }

    /// Where the values live.
    pub(crate) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The canonical form of a strip.
    pub(crate) fn value(&mut self, strip: &Strip, variant: Variant) -> Value {
        if let Some(&known) = self.known.get(&(strip.clone(), variant)) {
            return known;
        }
        let mut options = |player| -> Vec<Value> {
            let moves = strip.moves(variant, player);
            moves
                .iter()
                .map(|option| self.value(option, variant))
                .collect()
        };
        let (left, right) = (options(Player::Left), options(Player::Right));
        let value = self.arena.canonical(&left, &right).unwrap();
        self.known.insert((strip.clone(), variant), value);
        value
    }
}
