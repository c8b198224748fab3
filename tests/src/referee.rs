//! A second, slow, obviously right evaluator: recursion over strips, canonical forms by the textbook.
//!
//! It shares nothing with the product but the hash of a value id. A game is a pair of sorted lists of earlier games;
//! G ≤ H is decided by the definition; dominated options are removed and reversible ones bypassed until nothing
//! changes. (Siegel, *Combinatorial Game Theory*, II.1–II.2.)

use std::collections::HashMap;

use toads_game::ValueId;

/// A canonical form, by its number in the referee.
pub type Game = usize;

/// Everything the referee has seen.
#[derive(Default)]
pub struct Referee {
    forms: Vec<(Vec<Game>, Vec<Game>)>,
    ids: Vec<ValueId>,
    numbers: HashMap<(Vec<Game>, Vec<Game>), Game>,
    order: HashMap<(Game, Game), bool>,
    strips: HashMap<(Vec<u8>, bool), Game>,
}

impl Referee {
    /// The value of a strip of bytes `T`, `F` and `.`.
    pub fn value(&mut self, strip: &[u8], hop: bool) -> Game {
        if let Some(&known) = self.strips.get(&(strip.to_vec(), hop)) {
            return known;
        }
        let (mut left, mut right) = (vec![], vec![]);
        for from in 0..strip.len() {
            if let Some(to) = toad_move(strip, from, hop) {
                left.push(self.value(&moved(strip, from, to), hop));
            }
            if let Some(to) = frog_move(strip, from, hop) {
                right.push(self.value(&moved(strip, from, to), hop));
            }
        }
        let game = self.canonical(left, right);
        self.strips.insert((strip.to_vec(), hop), game);
        game
    }

    /// The content id.
    pub fn id(&self, game: Game) -> ValueId {
        self.ids[game]
    }

    /// The number of canonical forms seen.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether none was seen.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    fn leq(&mut self, g: Game, h: Game) -> bool {
        if let Some(&known) = self.order.get(&(g, h)) {
            return known;
        }
        let (left, right) = (self.forms[g].0.clone(), self.forms[h].1.clone());
        let leq = !left.into_iter().any(|gl| self.leq(h, gl))
            && !right.into_iter().any(|hr| self.leq(hr, g));
        self.order.insert((g, h), leq);
        leq
    }

    /// x ≤ {left | right}.
    fn leq_form(&mut self, x: Game, left: &[Game], right: &[Game]) -> bool {
        let options = self.forms[x].0.clone();
        !options.into_iter().any(|xl| self.geq_form(xl, left, right))
            && !right.iter().any(|&r| self.leq(r, x))
    }

    /// x ≥ {left | right}.
    fn geq_form(&mut self, x: Game, left: &[Game], right: &[Game]) -> bool {
        let options = self.forms[x].1.clone();
        !options.into_iter().any(|xr| self.leq_form(xr, left, right))
            && !left.iter().any(|&l| self.leq(x, l))
    }

    fn canonical(&mut self, mut left: Vec<Game>, mut right: Vec<Game>) -> Game {
        loop {
            left.sort_unstable();
            left.dedup();
            right.sort_unstable();
            right.dedup();
            if let Some(at) = (0..left.len()).find(|&at| {
                let option = left[at];
                left.clone()
                    .into_iter()
                    .any(|other| other != option && self.leq(option, other))
            }) {
                left.remove(at);
                continue;
            }
            if let Some(at) = (0..right.len()).find(|&at| {
                let option = right[at];
                right
                    .clone()
                    .into_iter()
                    .any(|other| other != option && self.leq(other, option))
            }) {
                right.remove(at);
                continue;
            }
            let reply = (0..left.len()).find_map(|at| {
                let replies = self.forms[left[at]].1.clone();
                replies
                    .into_iter()
                    .find(|&reply| self.leq_form(reply, &left, &right))
                    .map(|reply| (at, reply))
            });
            if let Some((at, reply)) = reply {
                left.remove(at);
                left.extend(self.forms[reply].0.clone());
                continue;
            }
            let reply = (0..right.len()).find_map(|at| {
                let replies = self.forms[right[at]].0.clone();
                replies
                    .into_iter()
                    .find(|&reply| self.geq_form(reply, &left, &right))
                    .map(|reply| (at, reply))
            });
            if let Some((at, reply)) = reply {
                right.remove(at);
                right.extend(self.forms[reply].1.clone());
                continue;
            }
            break;
        }
        let key = (left, right);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let ids = |options: &[Game]| {
            options
                .iter()
                .map(|&option| self.ids[option])
                .collect::<Vec<_>>()
        };
        let id = ValueId::of(&mut ids(&key.0), &mut ids(&key.1));
        let game = self.forms.len();
        self.forms.push(key.clone());
        self.ids.push(id);
        self.numbers.insert(key, game);
        game
    }
}

fn toad_move(strip: &[u8], from: usize, hop: bool) -> Option<usize> {
    if strip[from] != b'T' {
        return None;
    }
    match (strip.get(from + 1), strip.get(from + 2)) {
        (Some(b'.'), _) => Some(from + 1),
        (Some(b'F'), Some(b'.')) if hop => Some(from + 2),
        _ => None,
    }
}

fn frog_move(strip: &[u8], from: usize, hop: bool) -> Option<usize> {
    let before = |distance: usize| from.checked_sub(distance).map(|at| strip[at]);
    if strip[from] != b'F' {
        return None;
    }
    match (before(1), before(2)) {
        (Some(b'.'), _) => Some(from - 1),
        (Some(b'T'), Some(b'.')) if hop => Some(from - 2),
        _ => None,
    }
}

fn moved(strip: &[u8], from: usize, to: usize) -> Vec<u8> {
    let mut moved = strip.to_vec();
    moved.swap(from, to);
    moved
}
