//! Strips as the checker sees them: letters, and the rules, written once more.

use super::number::Number;

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A strip: `T`, `F` and `.`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Row(Vec<u8>);

impl Row {
    /// Reads letters, at least one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_strip = !text.is_empty() && text.bytes().all(|c| matches!(c, b'T' | b'F' | b'.'));
        is_strip.then(|| Self(text.as_bytes().to_vec()))
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Reversed, toads and frogs exchanged.
    pub(crate) fn negative(&self) -> Self {
        let exchanged = self.0.iter().rev().map(|&c| match c {
            b'T' => b'F',
            b'F' => b'T',
            other => other,
        });
        Self(exchanged.collect())
    }

    /// Moves of the piece on this square (from 0): a step into a blank, or, with jumps, over one piece of the other kind. `None` where
    /// there is no such move.
    pub(crate) fn after(&self, side: Side, from: usize, jumps: bool) -> Option<Self> {
        let (own, other) = match side {
            Side::Left => (b'T', b'F'),
            Side::Right => (b'F', b'T'),
        };
        let at = |by: usize| match side {
            Side::Left => from.checked_add(by),
            Side::Right => from.checked_sub(by),
        };
        let square = |by: usize| at(by).and_then(|at| self.0.get(at).copied());
        if self.0.get(from) != Some(&own) {
            return None;
        }
        let by = if square(1) == Some(b'.') {
            1
        } else if jumps && square(1) == Some(other) && square(2) == Some(b'.') {
            2
        } else {
            return None;
        };
        let mut moved = self.0.clone();
        moved.swap(from, at(by)?);
        Some(Self(moved))
    }

    /// The squares from which a player can move.
    pub(crate) fn movable(&self, side: Side, jumps: bool) -> Vec<usize> {
        (0..self.0.len())
            .filter(|&from| self.after(side, from, jumps).is_some())
            .collect()
    }

    /// The strip without walls and dead ends: its value is the sum of what is between. See docs/CERTIFICATES.md.
    pub(crate) fn parts(&self) -> Vec<Self> {
        let n = self.0.len();
        let mut parts = Vec::new();
        let mut part = Vec::new();
        let mut at = 0;
        while at < n {
            if let Some(length) = self.wall_at(at) {
                parts.push(std::mem::take(&mut part));
                at += length;
            } else {
                part.push(self.0[at]);
                at += 1;
            }
        }
        parts.push(part);
        let parts = parts.into_iter().map(Self);
        parts.filter(|part| !part.0.is_empty()).collect()
    }

    /// The length of the longest wall that begins here: a blank-free block that begins with TT, or at the left edge, and ends
    /// with FF, or at the right edge; at the left edge all F will do, at the right edge all T.
    fn wall_at(&self, start: usize) -> Option<usize> {
        let rest = &self.0[start..];
        let block = rest.iter().position(|&c| c == b'.').unwrap_or(rest.len());
        (1..=block).rev().find(|&length| {
            let wall = &rest[..length];
            let at_left = start == 0;
            let at_right = length == rest.len();
            let begins = at_left || wall.starts_with(b"TT");
            let ends = at_right || wall.ends_with(b"FF");
            let all = |c: u8| wall.iter().all(|&square| square == c);
            begins && ends || at_left && all(b'F') || at_right && all(b'T')
        })
    }

    /// The number this is, where that can be seen: nobody can move, or only one kind of pieces is left.
    pub(crate) fn number(&self, jumps: bool) -> Option<Number> {
        let has = |c: u8| self.0.contains(&c);
        let stuck = |side| self.movable(side, jumps).is_empty();
        if stuck(Side::Left) && stuck(Side::Right) {
            return Some(Number::ZERO);
        }
        match (has(b'T'), has(b'F')) {
            (true, true) => None,
            (true, false) => Number::integer(self.negative().frog_moves()),
            _ => Number::integer(-self.frog_moves()),
        }
    }

    /// For each frog the blanks on its left: Right cannot make more moves while Left makes none.
    pub(crate) fn frog_moves(&self) -> i64 {
        let (mut blanks, mut moves) = (0, 0);
        for &square in &self.0 {
            match square {
                b'.' => blanks += 1,
                b'F' => moves += blanks,
                _ => {}
            }
        }
        moves
    }
}
